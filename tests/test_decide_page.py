"""The page that finds the smallest epsilon, as a program (Streamlit's AppTest: no browser)."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.kit.need import Side
from dpot_app.views.decide.figures import needs_figure, title
from dpot_app.views.decide.leads import leads_to
from dpot_app.views.decide.results import Answer, run, searched
from dpot_app.views.decide.settings import NEEDS, TITLES, Config
from dpot_app.views.decide.text import VIEW
from dpot_core.privacy.numerals import at_most
from tests.apps import figures, html_of, open_app, specs, text_of, titles
from tests.batch.scenarios.outcomes import few_masses
from tests.views.decide.test_own_files import customers

TV = {"decide_need": "Worst-case total variation on k points"}
FILMS = {"decide_need": "Liked recommendations"}


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    return open_app(parameters, "pages/decide.py")


def all_html(app: AppTest) -> str:
    return "".join(html_of(app))


def at_few_epsilons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer values for a city's crowd than people see, half a second each; results have a memory of their own."""
    few_masses(monkeypatch)
    monkeypatch.setattr("dpot_app.views.geolocation.need.GRID", (1.0, 4.0, 10.0))


# By day `test_own_files` asks for a city's places, and longer.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly) if name == "geolocation" else name for name in NEEDS]
)
def test_every_need_is_answered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_few_epsilons(monkeypatch)
    need = NEEDS[name]
    app = open_page({"decide_need": TITLES[name]})
    assert not app.warning and not app.error
    assert figures(app) == 1
    (answer,) = VIEW.run(Config(need=name, target=need.default)).parts
    assert titles(app)[0] == title(answer)
    assert "W_" not in "".join(app.main.markdown[place].value for place in range(len(app.main.markdown)))
    for promised in filter(None, map(answer.guarantee, answer.sides)):
        # Whole sentences; and where the people in a sample are promised less, the title says how little.
        assert all(sentence[:1].isupper() or sentence[:1] == "k" for sentence in promised.note.split(". "))
        weaker = promised.sampled
        assert weaker is None or f"ε = {at_most(weaker.epsilon)} towards a person known to be in" in titles(app)[0]


@pytest.mark.nightly
def test_the_smallest_epsilon_is_shown_with_its_bracket() -> None:
    app = open_page({**TV, "decide_ring_tv_target": "0.3"})
    assert re.search(r"<td>4.22</td><td>0.[0-9]+</td><td>4.21</td>", all_html(app)) and "bisection" in all_html(app)
    app.sidebar.select_slider(key="decide_ring_tv_target").set_value(0.1).run()
    assert titles(app)[0].startswith("At most 0.1: ε = 5.57 in the worst case (KPM and k-RR; ")


def test_an_unreached_target_is_reported_with_the_best_value() -> None:
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
    assert "choosing ε by looking at private data" in all_html(app)
    assert "choosing ε" not in all_html(open_page(TV))


def test_a_strip_says_what_its_side_is_computed_from() -> None:
    """A worst case, which reads nothing, was said to be computed from the data without protection."""
    strip = next(html for html in all_words(open_page(TV)) if "dpot-strip" in html)
    assert "No personal data are read" in strip and "without protection" not in strip
    strip = next(
        html for html in all_words(open_page({**TV, "decide_promise": "Data at hand"})) if "dpot-strip" in html
    )
    assert "computed from simulated data without protection" in strip


def test_an_answer_can_be_taken_away_with_its_evaluations() -> None:
    app = open_page(TV)
    app.session_state["decide_away"] = True
    app.run()
    assert not app.exception
    assert any('.view("decide.epsilon")' in block.value for block in app.code)
    assert any("decide_ring_tv_target=0.3" in block.value for block in app.code)


@pytest.mark.nightly
def test_a_button_opens_the_page_at_the_very_epsilon_that_is_said() -> None:
    app = open_page(TV)
    said = re.search(r"ε ([=≤] [\d.]+) in the worst case", titles(app)[0])
    assert said is not None
    app.button(key="decide_open_worst").click().run(timeout=600)
    assert not app.exception
    assert titles(app)[0].startswith(f"At ε {said[1]} ")
    assert text_of(app)


def numbers_said(app: AppTest) -> set[str]:
    """Every epsilon that title, promise, table and buttons give as the smallest of the worst case."""
    title_, strip = titles(app)[0], next(html for html in all_words(app) if "dpot-strip" in html)
    table = next(html for html in html_of(app) if "<table" in html and "WPM" in html)
    row = next(part for part in table.split("<tr>") if "WPM" in part)
    return {
        re.search(r"ε [=≤] ([\d.]+) in the worst case", title_)[1],
        re.search(r"ε = ([\d.]+)</b>", strip)[1],
        re.findall(r"<td>([\d.]+)</td>", row)[0],
        re.search(r"ε = ([\d.]+) mean", app.button(key="decide_mean_worst").label)[1],
        re.search(r"from ε = ([\d.]+)", star_of(app, "WPM"))[1],
    }


def all_words(app: AppTest) -> list[str]:
    return [html for html in html_of(app) if html]


def star_of(app: AppTest, label: str) -> str:
    return next(
        trace["hovertemplate"]
        for trace in specs(app)[0]["data"]
        if "for good" in trace["name"] and label in trace["name"] and len(trace["x"])
    )


def test_one_answer_is_one_number_everywhere_and_no_smaller_than_what_was_found() -> None:
    """Title, promise, table, button and star said 7.419, 7.4189 and 8 of one answer."""
    app = open_page()
    found = run(Config()).sides["worst"].best
    assert found is not None and found[0] == "wpm"
    (said,) = numbers_said(app)
    assert said == "7.42" and found[1] <= float(said) < found[1] + 0.01
    assert leads_to(Config(), "worst", float(said))[1]["geo_epsilon"] == said


def test_a_target_that_is_missed_again_is_sold_from_where_it_is_met_for_good() -> None:
    """Title, star, button and promise sold the first meeting, after which more epsilon misses the target."""
    answer = met_missed_and_met_again()
    searched = answer.sides["data"]
    assert searched.searches["x"].found == 0.1 and searched.best == ("x", 3.0) and searched.said == 3.0
    assert "ε = 3 for the data at hand" in title(answer)
    promise = answer.guarantee("data")
    assert promise is not None and promise.epsilon == 3.0
    (star,) = [trace for trace in needs_figure(answer).data if "for good" in trace.name]
    assert list(star.x) == [3.0]
    assert VIEW.headlines(answer)["Smallest ε for the data at hand (nats)"] == 3.0
    words = [block for block in VIEW.show(answer.config, answer) if isinstance(block, str)]
    assert any("(at 0.1; for good from 3)" in text for text in words)


def met_missed_and_met_again(last: float = 0.1) -> Answer:
    """A target of 0.5 on a curve that meets it at 0.1, misses it at 1 and 2, and meets it from 3 on."""
    values = {0.1: 0.4, 1.0: 0.9, 2.0: 0.7, 3.0: 0.3, 5.0: last}
    points = [*values], [*values.values()]
    side = Side("a curve", {"x": "X"}, lambda _, e: float(np.interp(e, *points)), {"x": "wpm"}, grid=tuple(values))
    config = Config(need="ring", target=0.5)
    return Answer(config, {"data": searched(side, NEEDS["ring"], 0.5)}, {})


def test_a_target_that_the_largest_epsilon_misses_is_not_reached_for_good() -> None:
    answer = met_missed_and_met_again(last=0.8)
    assert answer.sides["data"].best is None and answer.guarantee("data") is None
    assert title(answer) == "At most 0.5 steps: not reached for good for the data at hand"
    assert not [trace for trace in needs_figure(answer).data if "for good" in trace.name and len(trace.x)]


@pytest.mark.nightly
@pytest.mark.parametrize("side", ["worst", "data"])
@pytest.mark.parametrize("name", list(NEEDS))
def test_every_parameter_that_prepares_a_page_is_understood(
    name: str, side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_masses(monkeypatch)
    monkeypatch.setattr("dpot_app.views.sinkhorn.cost.results.EPSILONS", (1.0,))
    page, link = leads_to(Config(need=name, target=NEEDS[name].default), side, 4.0)
    # Small enough that the page takes no long time.
    link |= {"geolocation": {"geo_n": "6"}, "movies": {"movies_candidates": "10"}}.get(name, {})
    app = open_app(link, f"pages/{page}.py")
    assert not app.warning and not app.error
    assert "ε = 4" in all_html(app)


@pytest.mark.parametrize("p", [1, 3])
def test_the_sphere_opens_at_the_order_that_was_searched(p: int) -> None:
    page, link = leads_to(Config(need="sphere", target=0.8, p=p), "worst", 4.0)
    app = open_app(link, f"pages/{page}.py")
    assert f"for p = {p} " in titles(app)[0]


def test_an_answer_below_the_usual_values_is_in_the_picture() -> None:
    answer = run(Config(need="two-sets", target=2.0))
    found = answer.sides["worst"].searches["laplace"].found
    low, high = needs_figure(answer).layout.xaxis.range
    assert low < np.log10(found) < high


@pytest.mark.nightly
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
        app.run(timeout=600)
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


# --- a file of one's own ----------------------------------------------------------------------------------


def of_customers() -> AppTest:
    """The geolocation page with a file of its reader's, whom Find my epsilon is asked next."""
    app = open_app(
        {"geo_data": "My CSV file", "geo_least": "1", "geo_n": "6", "decide_cells": "6"}, "pages/geolocation.py"
    )
    app.sidebar.file_uploader(key="geo_check-ins_file").set_value(("customers.csv", customers(), "text/csv")).run()
    assert not app.exception
    app.query_params.update({"decide_city": "My CSV file", "decide_cells": "6"})
    app.switch_page("pages/decide.py").run()
    assert not app.exception
    return app


@pytest.mark.slow
def test_a_file_brought_on_another_page_is_offered_and_taken_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    at_few_epsilons(monkeypatch)
    app = of_customers()
    assert "Bring a CSV file" in app.info[0].value and figures(app) == 0
    (offer,) = (button for button in app.button if "_take_" in str(button.key))
    assert "brought on another page" in offer.label
    offer.click().run(timeout=600)
    assert not app.exception and not app.error and figures(app) == 1
    assert "in the worst case" in titles(app)[0] and "for the data at hand" in titles(app)[0]
    assert "No promise covers" in app.warning[-1].value and "report noisy max" in app.warning[-1].value
    # What is forgotten on one page is forgotten on every page.
    app.button(key="decide_check-ins_kept_forget").click().run()
    assert figures(app) == 0 and "geo_check-ins_kept" not in app.session_state


@pytest.mark.slow
def test_the_page_that_an_answer_leads_to_has_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    at_few_epsilons(monkeypatch)
    app = open_page({"decide_city": "My CSV file", "decide_cells": "6"})
    app.sidebar.file_uploader(key="decide_check-ins_file").set_value(("customers.csv", customers(), "text/csv"))
    app.run(timeout=600)
    app.button(key="decide_open_worst").click().run(timeout=600)
    assert not app.exception and not app.error and "customers" in text_of(app)
    assert "The map is at most 2 km from the true one" in text_of(app).replace("\\", ""), "the project's question"
    assert app.session_state["geo_data"] == "csv" and app.session_state["geo_n"] == 6


@pytest.mark.nightly
def test_a_file_of_another_country_is_searched_and_shown_in_its_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpot_app.views.population.need.GRID", (1.0, 10.0))
    rows = "\n".join(f"{130 + i % 13},{32 + 1.5 * (i % 7)},500" for i in range(60))
    link = {"decide_need": "population", "decide_people": "csv", "decide_population_target": "1"}
    app = open_page({**link, "decide_region_population": "JP"})
    content = f"lon,lat,weight\n{rows}".encode()
    app.sidebar.file_uploader(key="decide_population_file").set_value(("people.csv", content, "text/csv"))
    app.run(timeout=600)
    assert not app.exception and not app.error
    assert app.sidebar.selectbox(key="decide_region_population").value == "JP" and figures(app) == 1
    app.button(key="decide_open_data").click().run(timeout=600)
    assert not app.exception and not app.error and "km from their point" in titles(app)[0]
    assert not [one for one in app.warning if "Part of the link" in one.value]
    assert app.session_state["pop_region"] == "JP" and app.session_state["pop_data"] == "csv"
