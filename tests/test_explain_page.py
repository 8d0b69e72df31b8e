"""The page about what epsilon means, as a program (Streamlit's AppTest: no browser)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.figures.style import COLOURS
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.explain.known import PERIODS, groups, here_figure
from dpot_core.datasets.deployments import MODELS, load_deployments
from tests.apps import figures, html_of, open_app, specs, text_of, titles


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    return open_app(parameters, "pages/explain.py")


def all_html(app: AppTest) -> str:
    return "".join(html_of(app))


def test_odds_and_people_before_and_after() -> None:
    app = open_page({"explain_epsilon": "2", "explain_prior": "10"})
    assert not app.warning and not app.error
    assert figures(app) == 2
    assert titles(app)[0] == (
        "At ε = 2 no output turns a belief of 10 of 100 into more than 45.1 of 100, or less than 1.48 of 100"
    )
    assert "1 : 9" in all_html(app) and "× 7.39" in all_html(app)


def test_an_epsilon_beyond_all_odds_is_shown() -> None:
    """Found by the monkey: e^-epsilon is 0 there."""
    app = open_page({"explain_epsilon": "342478"})
    assert not app.exception and "1 : ∞" in all_html(app)


def test_the_prior_changes_the_people() -> None:
    app = open_page()
    app.sidebar.slider(key="explain_prior").set_value(50).run()
    assert "a belief of 50 of 100 into more than 88.1 of 100" in titles(app)[0]


def test_privacy_by_distance_uses_alpha_times_the_distance() -> None:
    app = open_page({"explain_view": "Privacy by distance", "explain_alpha": "0.2", "explain_distance": "10"})
    assert titles(app)[0].startswith("At 10 km, α = 0.2 per km means ε = 2: ")
    assert "two places at most 10 km apart" in all_html(app) and "ε = 2</b>" in all_html(app)
    assert "ε = 0.2</b>" not in all_html(app)


def test_several_local_releases_add_up_exactly() -> None:
    app = open_page({"explain_view": "Several releases", "explain_epsilons": "0.1,0.1,1/3"})
    assert "explain_epsilons" not in app.query_params
    assert "0.1 + 0.1 + 1/3 = 8/15" in text_of(app)
    app.sidebar.text_area(key="explain_epsilons_text").set_value("1, <b>").run()
    assert not app.exception and "entry 2" in app.error[0].value.replace("\\", "")


def test_central_releases_name_their_delta() -> None:
    app = open_page({"explain_view": "Several releases", "explain_kind": "Central", "explain_rounds": "10"})
    assert titles(app)[0].startswith("10 Gaussian releases at ε = 0.5 each: ε = 1.")
    assert "both at δ = 1e-05" in titles(app)[0]


@pytest.mark.parametrize("view", ["One release", "Privacy by distance", "Several releases"])
def test_every_view_can_be_taken_away(view: str) -> None:
    app = open_page({"explain_view": view})
    app.session_state["explain_away"] = True
    app.run()
    assert not app.exception
    assert any("explain_view" in block.value for block in app.code)
    assert any("import dpot_" in block.value or "from dpot_" in block.value for block in app.code)


@pytest.mark.parametrize("epsilon", [EPSILONS[0], 2.0, EPSILONS[-1]])
def test_every_deployment_is_on_one_axis_with_the_reader_shaped_and_not_coloured(epsilon: float) -> None:
    rows = load_deployments()
    figure = here_figure(rows, epsilon)
    drawn = [trace for trace in figure.data if trace.mode == "markers"]
    assert sum(len(trace.x) for trace in drawn) == len(rows)
    for trace, model in zip(drawn, MODELS, strict=True):
        assert sorted(trace.x) == sorted(row.epsilon for row in rows if row.model == model)
    assert len({trace.marker.symbol for trace in drawn}) == len(MODELS)
    assert {trace.marker.color for trace in drawn} == {COLOURS["input"]}
    spans = [trace for trace in figure.data if trace.mode == "lines"]
    assert [list(trace.x) for trace in spans] == [[r.epsilon_low, r.epsilon] for r in rows if r.epsilon_low is not None]
    (here,) = figure.layout.shapes
    assert here.x0 == here.x1 == epsilon
    low, high = figure.layout.xaxis.range
    assert all(low < np.log10(one) < high for one in (epsilon, *(row.epsilon for row in rows)))
    assert figure.layout.yaxis.range == here_figure(rows, 1.0).layout.yaxis.range


def test_deployments_stand_by_what_their_epsilon_is_for() -> None:
    rows = load_deployments()
    found = groups(rows)
    assert list(found) == list(PERIODS) and sum(map(len, found.values())) == len(rows)
    for period, group in found.items():
        assert {row.period for row in group} == {period}
        assert [row.epsilon for row in group] == sorted(row.epsilon for row in group)
    # A unit that is not known yet has a place of its own.
    assert list(groups([*rows, replace(rows[0], period="year")]))[-1] == "year"


def test_you_are_here_with_the_epsilon_of_one_release() -> None:
    app = open_page({"explain_view": "Known deployments", "explain_epsilon": "5"})
    assert not app.warning and not app.error
    assert titles(app)[0].startswith("You are at ε = 5; 16 known deployments lie between 0.994 and 34.9")
    app.sidebar.select_slider(key="explain_epsilon").set_value(1.0).run()
    assert titles(app)[0].startswith("You are at ε = 1; ")
    notes = [note["text"] for note in specs(app)[0]["layout"]["annotations"]]
    assert "you are here: ε = 1" in notes


def test_the_table_of_deployments_says_what_it_is_not() -> None:
    app = open_page({"explain_view": "Known deployments"})
    assert "only if unit, period and model agree" in app.info[0].value
    assert len(app.dataframe[0].value) == len(load_deployments())
    for row in load_deployments():
        assert row.url in text_of(app)
