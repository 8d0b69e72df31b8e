"""The metric privacy figures: words that follow from the numbers, and nothing drawn that was not computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpot_app.cities.city import City, make_city
from dpot_app.cities.place import Place
from dpot_app.kit.view import Columns, Table
from dpot_app.live.frames import single
from dpot_app.views.metric import settings
from dpot_app.views.metric.ask import results as ask
from dpot_app.views.metric.ask.figures import answers_figure, errors_figure, question_map
from dpot_app.views.metric.protect import results as protect
from dpot_app.views.metric.protect.figures import protection_figure
from dpot_app.views.metric.protect.text import show
from dpot_app.views.metric.units import amount, with_miles
from dpot_core.datasets import simulated_city

PLACE = Place(n=6)
BASE = settings.Config(place=PLACE)


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(50), PLACE)


def asked(city: City, query: str = "distance") -> ask.Ask:
    return ask.ask(settings.AskConfig(base=BASE, query=query), city)


def test_protected_changes_lie_under_the_line() -> None:
    result = protect.protect(settings.ProtectConfig(base=BASE, example="paper"), 30.0, True)
    figure = protection_figure(result)
    assert figure.layout.title.text.startswith(
        "Changes below the line cost at most ε = 0.2; moving all of the data by 12,500"
    )
    heat, _, line, marks = figure.data
    np.testing.assert_allclose(heat.z, np.log10(result.surface))
    # What the mouse shows reaches the browser with all its digits, however small it is beside the others.
    assert isinstance(single(figure.to_dict())["data"][0]["customdata"], list)
    np.testing.assert_allclose(heat.customdata, result.surface, rtol=5.1e-3)
    np.testing.assert_allclose(np.array(line.x) / 12_500 * np.array(line.y) * 25.0, 0.2)
    np.testing.assert_allclose(np.array(marks.x) / 12_500 * np.array(marks.y) * 25.0, marks.customdata)
    assert max(marks.customdata) <= 0.2 * (1 + 1e-12)


def test_allowed_changes_are_rounded_down_and_costs_up() -> None:
    config = settings.ProtectConfig(base=settings.Config())
    result = protect.protect(config, 34.599, True)
    columns = next(block for block in show(config, result) if isinstance(block, Columns))
    table = next(block for block in columns.blocks[1] if isinstance(block, Table))
    for (_, allowed, cost), (tau, q), real in zip(table.rows, result.changes, result.costs, strict=True):
        assert float(allowed) <= result.epsilon / (tau * q) and float(cost) >= real


def test_errors_below_a_kilometre_are_in_metres_on_the_axis_too(city: City) -> None:
    axis = errors_figure(asked(city)).layout.xaxis
    assert dict(zip(axis.tickvals, axis.ticktext, strict=True))[0.1] == "100 m" and "1 km" in axis.ticktext


@pytest.mark.parametrize("query", settings.QUERIES)
@pytest.mark.parametrize("model", ask.MODELS)
def test_titles_say_the_errors(city: City, query: str, model: str) -> None:
    result = asked(city, query)
    title = answers_figure(result, model).layout.title.text
    for promise in ask.PROMISES:
        assert amount(result.error(model, promise), result.unit) in title
    assert title.endswith("(simulated)")
    errors = errors_figure(result)
    assert errors.layout.title.text.endswith("(simulated)")
    scale = 1.0 if result.unit else 100.0
    means = [trace.x[0] for trace in errors.data if len(trace.x) == 1]
    expected = [result.error(m, p) * scale for m in ask.MODELS for p in reversed(ask.PROMISES)]
    assert means == pytest.approx(expected)


def test_answers_off_the_map_are_counted(city: City) -> None:
    chosen = settings.AskConfig(base=replace(BASE, epsilon=0.05), query="position")
    (note,) = answers_figure(ask.ask(chosen, city), "local").layout.annotations
    assert "whole-user answers lie off the map" in note.text


def test_the_steepest_pair_is_drawn(city: City) -> None:
    result = asked(city, "region")
    figure = question_map(result)
    i, j = result.question.on_cells.pair
    drawn = next(trace for trace in figure.data[1:] if trace.mode == "lines+markers")
    np.testing.assert_allclose(np.column_stack([drawn.x, drawn.y]), result.map.points[[i, j]])
    assert "0.5 per km, the most anywhere" in figure.layout.title.text


def test_miles_stand_beside_kilometres() -> None:
    assert with_miles(1.609344, "km") == "1.61 km (1 mile)"
    assert amount(0.999, "km") == "999 m"


def test_equal_errors_are_called_the_same(city: City) -> None:
    everything = replace(BASE, changes=((1.0, 100.0),))
    result = ask.ask(settings.AskConfig(base=everything, query="position"), city)
    title = errors_figure(result).layout.title.text.replace("<br>", " ")
    assert "protecting the whole user has the same error as protecting the changes" in title


def test_no_line_is_named_where_a_protected_change_reaches_across_the_map() -> None:
    """Then no change costs more, and the line of those that cost as much has shrunk to the corner."""
    changes = ((1.0, 100.0), (0.001, 0.05))
    config = settings.ProtectConfig(base=settings.Config(epsilon=0.05, changes=changes))
    figure = protection_figure(protect.protect(config, 34.6, True))
    assert figure.layout.title.text.startswith("Every change costs at most ε = 0.05; moving all of the data by 34.6 km")
    assert list(figure.data[-1].textposition) == ["bottom left", "top right"]  # on the surface, at both of its edges
