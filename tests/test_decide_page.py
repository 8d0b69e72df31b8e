"""The page that finds the smallest epsilon, as a program (Streamlit's AppTest: no browser)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpot_core.studies.decide.figures import needs_figure, title
from dpot_core.studies.decide.leads import leads_to
from dpot_core.studies.decide.results import run
from dpot_core.studies.decide.settings import NEEDS, TITLES, Config
from dpot_core.studies.decide.text import VIEW
from tests.apps import figures, html_of, open_app, text_of, titles
from tests.scenarios.outcomes import few_masses

TV = {"decide_need": "Worst-case total variation on k points"}
FILMS = {"decide_need": "Liked recommendations"}


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    return open_app(parameters, "pages/decide.py")


def all_html(app: AppTest) -> str:
    return "".join(html_of(app))


def at_few_epsilons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer values for a city's crowd than people see, half a second each; results have a memory of their own."""
    few_masses(monkeypatch)
    monkeypatch.setattr("dpot_core.studies.geolocation.need.GRID", (1.0, 4.0, 10.0))


@pytest.mark.parametrize("name", list(NEEDS))
def test_every_need_is_answered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_few_epsilons(monkeypatch)
    need = NEEDS[name]
    app = open_page({"decide_need": TITLES[name]})
    assert not app.warning and not app.error
    assert figures(app) == 1
    assert titles(app)[0] == title(*VIEW.run(Config(name, need.default)).parts)


def test_the_smallest_epsilon_is_shown_with_its_bracket() -> None:
    app = open_page({**TV, "decide_ring_tv_target": "0.3"})
    assert "4.215" in all_html(app) and "4.2145" in all_html(app) and "bisection" in all_html(app)
    app.sidebar.select_slider(key="decide_ring_tv_target").set_value(0.1).run()
    assert titles(app)[0].startswith("At most 0.1: ε = 5.565 in the worst case (KPM)")


def test_what_is_not_reached_says_so_with_the_best_there_is() -> None:
    app = open_page(FILMS)
    assert "not reached" in all_html(app) and "best: 7.67" in all_html(app)
    assert "may like none of the films" in app.info[0].value


def test_nothing_reached_is_nothing_promised() -> None:
    app = open_page({**FILMS, "decide_movies_target": "0.3"})
    assert not app.exception
    assert titles(app)[0] == "At least 30%: not reached for the data at hand"
    assert "nothing to promise" in all_html(app)
    assert "dpot-strip" not in all_html(app)


def test_the_promise_at_the_data_warns_of_looking_at_private_data() -> None:
    app = open_page({**TV, "decide_promise": "Data at hand"})
    assert "choosing epsilon by looking at private data" in all_html(app)
    assert "choosing epsilon" not in all_html(open_page(TV))


def test_an_answer_can_be_taken_away_with_its_evaluations() -> None:
    app = open_page(TV)
    app.session_state["decide_away"] = True
    app.run()
    assert not app.exception
    assert any("answer = run(config)" in block.value for block in app.code)
    assert any("decide_ring_tv_target=0.3" in block.value for block in app.code)


def test_a_button_opens_the_page_at_the_next_epsilon_of_its_slider() -> None:
    app = open_page(TV)
    app.button(key="decide_open_worst").click().run(timeout=60)
    assert not app.exception
    assert titles(app)[0].startswith("At ε = 5 ")
    assert text_of(app)


@pytest.mark.parametrize("side", ["worst", "data"])
@pytest.mark.parametrize("name", list(NEEDS))
def test_every_parameter_that_prepares_a_page_is_understood(
    name: str, side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_masses(monkeypatch)
    monkeypatch.setattr("dpot_core.studies.sinkhorn.cost.results.EPSILONS", (1.0,))
    page, link = leads_to(Config(name, NEEDS[name].default), side, 4.0)
    # Small enough that the page takes no long time.
    link |= {"geolocation": {"geo_n": "6"}, "movies": {"movies_candidates": "10"}}.get(name, {})
    app = open_app(link, f"pages/{page}.py")
    assert not app.warning and not app.error
    assert "ε = 4" in all_html(app)


@pytest.mark.parametrize("p", [1, 3])
def test_the_sphere_opens_at_the_order_that_was_searched(p: int) -> None:
    page, link = leads_to(Config("sphere", 0.8, p=p), "worst", 4.0)
    app = open_app(link, f"pages/{page}.py")
    assert f"for p = {p} " in titles(app)[0]


def test_an_answer_below_the_usual_values_is_in_the_picture() -> None:
    answer = run(Config("two-sets", 2.0))
    found = answer.sides["worst"].searches["laplace"].found
    low, high = needs_figure(answer).layout.xaxis.range
    assert low < np.log10(found) < high


def test_needs_without_a_worst_case_and_without_data_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    at_few_epsilons(monkeypatch)
    app = open_page({"decide_need": "Worst-case distance on the sphere"})
    for title_, side in (
        ("Places for a population", "Data at hand"),
        ("Kilometres in a city", "Worst case"),
        ("Liked recommendations", "Data at hand"),
    ):
        next(box for box in app.sidebar.selectbox if box.label == "What must be possible").set_value(
            next(key for key, words in TITLES.items() if words == title_)
        )
        app.run(timeout=90)
        assert not app.exception and not app.error
        (group,) = [one for one in app.get("button_group") if "promise" in one.key]
        assert side in {option.content for option in group.proto.options}


@pytest.mark.usefixtures("nothing_loaded")
def test_data_that_are_missing_are_offered(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("DPOT_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    app = open_page({**FILMS, "decide_films": "MovieLens 100K"})
    assert not app.error and figures(app) == 0
    assert any("Download" in button.label for button in app.button)
