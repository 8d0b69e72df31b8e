"""The metric privacy page as a program (AppTest): what is protected, questions, bad links, data of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.views.metric import settings
from tests.apps import APP, figures, html_of, in_names, text_of, titles
from tests.test_geolocation_page import NASTY, csv

QUICK = {"metric_n": "6"}


def open_page(parameters: Mapping[str, str | list[str]] | None = None) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update({**QUICK, **(parameters or {})})
    app.switch_page("pages/metric.py").run()
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def strips(app: AppTest) -> str:
    return "\n".join(html_of(app))


# --- what do I protect? ---------------------------------------------------------------------------------


def test_changes_in_words_become_alpha() -> None:
    app = open_page()
    assert not app.warning and not app.error and figures(app) == 1
    assert titles(app)[0].startswith("Changes below the line cost at most ε = 1;") and "α = 69.2" in titles(app)[0]
    assert "set by *everything moved by at most 0.5 km*" in text_of(app).replace("\\", "")
    app.sidebar.select_slider(key="metric_km2").set_value(0.1).run()
    assert not app.exception and titles(app)[0].endswith("α = 208")  # now the day in 30 decides
    app.sidebar.segmented_control(key="metric_count").set_value("3").run()
    assert not app.exception and "1 visit in 1,000 moved by at most 50 km" in strips(app)


def test_the_strip_speaks_of_one_relation() -> None:
    strip = strips(open_page())
    assert "α = 69.2" in strip and "for the protected changes" in strip
    assert "1 visit in 30 moved by at most 5 km; everything moved by at most 0.5 km" in strip and "costs α τ q" in strip
    assert "any two inputs that one person could have" not in strip and "record of one person" not in strip
    assert "the two differ by a protected change" in strip
    assert "× 2.72" in strip, "odds for the protected changes, not for a distance of 1"


def test_the_papers_example_tells_how_its_text_differs() -> None:
    app = open_page({"metric_example": "The paper's example"})
    assert titles(app)[0].startswith("Changes below the line cost at most ε = 0.2;") and "α = 25" in titles(app)[0]
    text = text_of(app)
    for number in ("2.70, 2.41", "2.48", "0.0323", "1.26e-4 (1.6 miles)", "0.000143", "about 3.0"):
        assert number in text
    assert "α = 25" in strips(app) and "everything moved by at most 100 miles" in strips(app)


@pytest.mark.nightly
def test_controls_without_effect_are_disabled() -> None:
    """The paper's example has numbers of its own."""

    def disabled(app: AppTest) -> set[bool]:
        kinds = ("select_slider", "selectbox", "number_input", "slider", "button_group", "text_input")
        return {bool(one.disabled) for kind in kinds for one in app.sidebar.get(kind)}

    reason = "what is set here does not count"
    app = open_page({"metric_example": "The paper's example", "metric_epsilon": "2"})
    assert disabled(app) == {True} and reason in text_of(app)
    app.segmented_control(key="metric_example").set_value("own").run()
    assert disabled(app) == {False} and reason not in text_of(app)
    # What was set counts again.
    assert "at most ε = 2;" in titles(app)[0]
    other = open_page({"metric_example": "The paper's example", "metric_view": "Ask a question"})
    assert disabled(other) == {False}


def only_the_budget(app: AppTest) -> bool:
    sliders = {one.key: one.disabled for one in app.sidebar.select_slider}
    others = [app.sidebar.selectbox(key="metric_data"), app.sidebar.text_input(key="metric_city")]
    only = {key for key, off in sliders.items() if not off} == {"metric_epsilon", "metric_delta"}
    return only and all(one.disabled for one in others) and "only ε and δ count" in text_of(app)


@pytest.mark.nightly
@pytest.mark.parametrize("view", ["pays", "When does it pay?", "linear", "Ask about embeddings"])
def test_where_only_the_budget_counts_only_the_budget_can_be_moved(view: str) -> None:
    """By links of today and of before."""
    assert only_the_budget(open_page({"metric_view": view, "metric_users": "1,000", "metric_items": "10"}))


def test_a_tab_that_another_visit_left_open_has_its_controls() -> None:
    app = open_page({"metric_view": "linear", "metric_linear_users": "1000"})
    assert only_the_budget(app)
    app.query_params.clear()
    app.switch_page("pages/explain.py").run().run()
    app.switch_page("pages/metric.py").run().run()
    assert only_the_budget(app)


@pytest.mark.parametrize("view", ["What do I protect?", "Ask a question"])
@pytest.mark.parametrize(
    "parameters",
    [
        {"metric_epsilon": "0.05", "metric_share1": "everything", "metric_km1": "100", "metric_n": "5"},
        {"metric_epsilon": "10", "metric_share1": "1 visit in 1,000", "metric_km1": "0.05", "metric_count": "One"},
        {"metric_count": "Three", "metric_km3": "0.05", "metric_least": "40", "metric_n": "40"},
        {"metric_east": "0", "metric_north": "100", "metric_query": "Share of time in a region", "metric_edge": "0.1"},
    ],
    ids=str,
)
def test_the_ends_of_every_control_work(view: str, parameters: dict[str, str]) -> None:
    app = open_page({**parameters, "metric_view": view})
    assert not app.error and figures(app) >= 1
    assert not any("nan" in title or "inf" in title for title in titles(app))


def test_a_distance_beyond_the_map_is_told() -> None:
    app = open_page({"metric_km1": "100"})
    assert "counts as the largest" in text_of(app)


# --- ask a question -------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", settings.QUERIES.values())
@pytest.mark.parametrize("model", ["Each person", "A trusted curator"])
@pytest.mark.parametrize("noise", ["Laplace (K-norm)", "Gaussian"])
def test_every_question_is_answered(query: str, model: str, noise: str) -> None:
    app = open_page(
        {"metric_view": "Ask a question", "metric_query": query, "metric_model": model, "metric_noise": noise}
    )
    assert not app.warning and not app.error
    assert figures(app) == (2 if query == "Mean position" else 3)
    assert all("simulated" in title for title in titles(app)[:2])
    assert ("δ = 1e-06" in strips(app)) == (noise == "Gaussian")
    assert any(unit in text_of(app) for unit in ("miles", "feet")) == (query != "Share of time in a region")


def test_a_hard_region_gets_a_sentence() -> None:
    parameters = {"metric_view": "Ask a question", "metric_query": "Share of time in a region", "metric_edge": "0"}
    app = open_page(parameters)
    assert "hard edge is not Lipschitz" in app.error[0].value and "Give the edge a width" in app.error[0].value
    assert figures(app) == 0
    app.select_slider(key="metric_edge").set_value(1.0).run()
    assert not app.exception and not app.error and figures(app) == 3


def test_gaussian_noise_beyond_its_range_gets_a_sentence() -> None:
    app = open_page(
        {"metric_view": "Ask a question", "metric_noise": "Gaussian", "metric_epsilon": "10", "metric_count": "One"}
        | {"metric_share1": "1 visit in 1,000"}
    )
    assert "at most 700 for Gaussian noise" in app.error[0].value and figures(app) == 0


# --- links, files, taking away --------------------------------------------------------------------------

# A link that people may have: never change it, only add others.
OLD_LINK = (
    "metric_epsilon=0.2&metric_count=Two&metric_share1=1+day+in+30&metric_km1=10&metric_share2=everything"
    "&metric_km2=1&metric_data=Simulated+city&metric_least=20&metric_n=7&metric_delta=1e-09"
    "&metric_view=Ask+a+question&metric_query=Share+of+time+in+a+region&metric_model=A+trusted+curator"
    "&metric_noise=Gaussian&metric_east=40&metric_north=60&metric_radius=5&metric_edge=1"
)


def take_away(app: AppTest) -> list[str]:
    app.session_state["metric_away"] = True
    app.run()
    assert not app.exception
    return [str(block.value) for block in app.code]


def test_an_old_link_still_restores_everything() -> None:
    app = open_page(parse_qs(OLD_LINK))
    assert not app.warning and not app.error
    link = next(text for text in take_away(app) if "metric_epsilon" in text)
    assert parse_qs(link.split("?", 1)[1]) == in_names(parse_qs(OLD_LINK))


@pytest.mark.parametrize(
    ("old", "new"),
    [("1 day in a year", "1 visit in 365"), ("1 day in 30", "1 visit in 30"), ("1 day a week", "1 visit in 7")],
)
def test_words_of_old_links_still_mean_the_same_number(old: str, new: str) -> None:
    tau = next(tau for tau, words in settings.SHARES.items() if words == new)
    app = open_page({"metric_share1": old})
    assert not app.warning and not app.error and not app.exception
    assert app.select_slider(key="metric_share1").value == tau
    assert f"{new} moved by at most 5 km" in strips(app)
    assert not any("day" in words for words in settings.SHARES.values())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("metric_n", "41"),
        ("metric_epsilon", "0"),
        ("metric_share1", "nothing"),
        ("metric_km2", "-1"),
        ("metric_count", ""),
        ("metric_delta", "1"),
        ("metric_example", NASTY),
        ("metric_view", ""),
    ],
)
def test_a_broken_parameter_falls_back_to_its_default_and_says_so(name: str, value: str) -> None:
    app = open_page({name: value})
    assert len(app.warning) == 1 and f"`{name}`" in app.warning[0].value
    assert figures(app) == 1


def test_a_csv_of_ones_own() -> None:
    app = open_page({"metric_data": "My CSV file", "metric_least": "1", "metric_view": "Ask a question"})
    assert "not written to disk" in app.info[0].value and figures(app) == 0
    app.sidebar.file_uploader(key="metric_check-ins_file").set_value(("mine.csv", csv(), "text/csv")).run()
    assert not app.exception and not app.error and figures(app) == 3
    assert not any("simulated" in title for title in titles(app)[:2])
    assert "does not carry your file" in text_of(app) and "box is drawn around the check-ins" in strips(app)
    app.sidebar.file_uploader(key="metric_check-ins_file").set_value(("mine.csv", b"user,lat\n1,2\n", "text/csv")).run()
    assert not app.exception and "no column for lon" in app.error[0].value.replace("\\", "")
