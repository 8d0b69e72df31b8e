"""Every kind of scenario has a picture for the board, and the board its own figures."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go
import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario, picture, variations
from dpot_app.batch.scenarios.figures import headlines_figure, tornado_figure
from dpot_app.figures.style import on_dark_ground
from dpot_app.kit.blocks import pictures
from tests.batch.scenarios.outcomes import by_day, outcome_of


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_every_kind_has_a_picture(key: str) -> None:
    outcome = outcome_of(key)
    figure = picture(outcome)
    assert figure.layout.title.text and figure.layout.height > 0 and len(figure.data) > 0
    assert "bdata" in figure.to_json() or "x" in figure.to_json()
    if figure.layout.title.text == VIEWS[key].title:
        # Bars of nats beside kilometres would mean nothing.
        assert len({name.partition("(")[2] for name in outcome.headlines}) == 1, list(outcome.headlines)


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_plotly_knows_all_that_is_asked_of_it(key: str) -> None:
    """Figures are made without a look at what they hold, for speed."""
    results = outcome_of(key).results
    for show in (VIEWS[key].show, *(tab.show for tab in VIEWS[key].tabs if tab.show)):
        for one in pictures(show(results.config, *results.parts)):
            go.Figure(one.draw().to_dict())


def nameless(figure: go.Figure) -> list[str]:
    """Upright lines without words or named marks at the same place: a reader cannot tell what they are.

    Small panels side by side share one value, which their title says.
    """
    layout = figure.layout
    if "xaxis2" in layout.to_plotly_json():
        return []
    words = [(note.xref or "x", note.x) for note in layout.annotations]
    words += [("x", trace.x[0]) for trace in figure.data if trace.type == "scatter" and trace.mode == "markers"]
    found = []
    for shape in layout.shapes:
        if shape.type == "line" and shape.x0 == shape.x1 and not str(shape.xref).endswith(("domain", "paper")):
            axis = layout[f"xaxis{(shape.xref or 'x')[1:]}"]
            at = math.log10(shape.x0) if axis.type == "log" else shape.x0
            if not any(xref == (shape.xref or "x") and x == pytest.approx(at) for xref, x in words):
                found.append(f"{layout.title.text}: {shape.xref} = {shape.x0}")
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("key", VIEWS)
def test_every_upright_line_has_words(key: str) -> None:
    results = outcome_of(key).results
    shows = (VIEWS[key].show, *(tab.show for tab in VIEWS[key].tabs if tab.show))
    drawn = [one.draw() for show in shows for one in pictures(show(results.config, *results.parts))]
    assert [line for figure in drawn for line in nameless(figure)] == []


def test_the_bars_hold_the_numbers_and_escape_their_names() -> None:
    figure = headlines_figure({"a <b>": 1.5, "c": 2.0}, "Two numbers")
    bars, words = figure.data
    assert [max(bars.x[6 * bar : 6 * bar + 5]) for bar in (0, 1)] == list(words.x) == [1.5, 2.0]
    assert list(figure.layout.yaxis.ticktext) == ["a &lt;b&gt;", "c"] and list(words.text) == ["1.5", "2"]


def test_ink_is_light_on_a_dark_ground() -> None:
    spec = {"a": "#4D4D4D", "b": ["rgba(77,77,77,0.2)"], "c": {"d": "#0072B2"}}
    assert on_dark_ground(spec) == {"a": "#C9C9C9", "b": ["rgba(201,201,201,0.2)"], "c": {"d": "#0072B2"}}


@pytest.mark.nightly
def test_the_tornado_shows_every_setting_that_moves_the_answer() -> None:
    one = Scenario("ring.outputs", "one", VIEWS["ring.outputs"].example)
    outcome = scenarios.run(one)
    headline = next(iter(outcome.headlines))
    moved = [(move, scenarios.run(move.scenario).headlines) for move in variations(one)]
    found = scenarios.sensitivity(one, headline, outcome.headlines[headline], moved)
    figure = tornado_figure(found)
    assert [*figure.layout.yaxis.ticktext] == [bar.label for bar in found.bars if bar.reach(found.answer) > 0]
    for side in (0, 1):
        outlines, words = figure.data[2 * side : 2 * side + 2]
        x, y = (np.reshape(list(values), (-1, 6))[:, :5] for values in (outlines.x, outlines.y))
        for ends, heights, (label, answer) in zip(x, y, words.customdata, strict=True):
            bar = found.bars[-round(heights.mean())]
            assert label == bar.label and answer == bar.answers[side]
            assert sorted(set(ends)) == sorted({found.answer, answer})
    assert found.bars[0].label in figure.layout.title.text
    still = scenarios.sensitivity(one, headline, 1.0, [])
    assert "no step" in tornado_figure(still).layout.title.text
