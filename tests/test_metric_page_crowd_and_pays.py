"""The metric privacy page as a program (AppTest): release the crowd, and when does it pay."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

import pytest

from dpot_app.cities.place import Place
from dpot_app.shell.taking import _everything as everything
from dpot_app.shell.views import Shown
from dpot_app.views.metric import PAGE, settings
from tests.apps import figures, in_names, text_of, titles
from tests.test_geolocation_page import csv
from tests.test_metric_page import open_page, strips, take_away

CROWD = {"metric_view": "Release the crowd"}
SMALL = {"metric_n": "6"}  # a coarse map, where only the promise counts
PAYS = {"metric_view": "When does it pay?", "metric_users": "1,000", "metric_clusters": "4"}


# --- release the crowd ----------------------------------------------------------------------------------


@pytest.mark.nightly
def test_the_crowd_is_released_and_shuffling_is_compared_with_composition() -> None:
    app = open_page(CROWD)
    assert not app.warning and not app.error and figures(app) == 3
    assert titles(app)[0].startswith("Shuffled, each report says more (α₀ = ")
    assert all("simulated" in title for title in titles(app)[:2])
    text = text_of(app)
    assert "A demonstration: 5 runs with a fixed seed" in text and "two kinds of promises" in text
    table = strips(app)
    assert "Shuffled (in use)" in table and "Composed" in table and "Error (1 = largest distance)" in table
    assert "for histories of any lengths" in table and "costs α τ q" in table


@pytest.mark.nightly
def test_a_person_alone_with_few_visits_hides_among_no_others() -> None:
    app = open_page(CROWD)
    app.segmented_control(key="metric_shuffler").set_value("Everybody alone").run()
    assert not app.exception and titles(app)[0].startswith("Shuffled, each report says more")
    assert "where Theorem 4.4 says nothing" in text_of(app) and "Shuffled (in use)" in strips(app)
    app.select_slider(key="metric_visits").set_value(10.0).run()
    assert not app.exception and titles(app)[0].startswith("Shuffling gains nothing")
    assert "Shuffling gains nothing here: 10 reports of one person" in text_of(app)
    assert "Composed (in use)" in strips(app) and "δ = 1e-06" not in strips(app)


@pytest.mark.nightly
def test_one_visit_of_each_is_enough() -> None:
    app = open_page(CROWD | SMALL | {"metric_visits": "1"})
    assert not app.warning and not app.error and figures(app) == 3


@pytest.mark.nightly
def test_the_papers_promise_for_histories_of_any_lengths_stands_beside_ours() -> None:
    app = open_page(CROWD | {"metric_change": "5"})
    text = text_of(app)
    assert "costs ε = α r = 10 with δ = 1e-06" in text
    assert "costs ε = 33.8 with δ = 2e-06" in text and "Bernstein's) ε = 18." in text
    app.select_slider(key="metric_change").set_value(0.5).run()
    assert not app.exception and "samples must be at least 957 for r = 0.0144" in text_of(app).replace("\\", "")
    app.select_slider(key="metric_visits").set_value(1000.0).run()
    assert not app.exception and "cannot be used" not in text_of(app)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "extreme",
    [
        {"metric_epsilon": "10", "metric_share1": "1 visit in 1,000", "metric_km1": "0.05", "metric_visits": "1"},
        {"metric_epsilon": "0.05", "metric_share1": "everything", "metric_km1": "100", "metric_visits": "1000"},
    ],
)
@pytest.mark.parametrize(
    "who", [pytest.param("One shuffler for everybody", marks=pytest.mark.nightly), "Everybody alone"]
)
def test_extreme_promises_are_kept(extreme: dict[str, str], who: str) -> None:
    app = open_page(CROWD | SMALL | extreme | {"metric_count": "One", "metric_shuffler": who})
    assert not app.warning and not app.error and figures(app) == 3


@pytest.mark.nightly
def test_the_crowd_of_ones_own_file() -> None:
    app = open_page(CROWD | {"metric_data": "My CSV file", "metric_least": "1"})
    app.sidebar.file_uploader(key="metric_check-ins_file").set_value(("mine.csv", csv(), "text/csv")).run()
    assert not app.exception and not app.error and figures(app) == 3
    assert not any("simulated" in title for title in titles(app)[:2])
    assert "box is drawn around the check-ins" in strips(app)


# --- when does it pay? ----------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.parametrize("trust", ["No one", "Nobody", "One party"])
def test_when_it_pays_is_marked_and_the_promises_are_kept_apart(trust: str) -> None:
    app = open_page(PAYS | {"metric_trust": trust})
    assert not app.warning and not app.error and figures(app) == 2
    assert titles(app)[0].startswith("Privacy by distance") and "simulated" in titles(app)[0]
    assert titles(app)[1].startswith("At α/ε = 10 ")
    assert "Two promises on one picture" in text_of(app).replace("*", "")
    strip = strips(app)
    assert "everything moves inside its cluster" in strip and "costs α τ q" in strip
    assert "record of one person" not in strip and "any two inputs" not in strip


@pytest.mark.nightly
def test_epsilon_and_the_space_change_the_picture() -> None:
    app = open_page(PAYS)
    before = titles(app)[0]
    app.select_slider(key="metric_size").set_value(2.0).run()
    assert not app.exception and "k = 8" in titles(app)[0] != before
    app.select_slider(key="metric_ratio").set_value(100.0).run()
    assert not app.exception and titles(app)[1].startswith("At α/ε = 100 ")
    assert "α = 100" in strips(app)


@pytest.mark.nightly
def test_equal_distances_everywhere_still_work() -> None:
    app = open_page(PAYS | {"metric_inside": "1"})
    assert not app.warning and not app.error and figures(app) == 2


# --- links, taking away ---------------------------------------------------------------------------------

# Links that people may have: never change them, only add others.
OLD_LINKS = (
    "metric_epsilon=2&metric_count=One&metric_share1=everything&metric_km1=1&metric_data=Simulated+city"
    "&metric_least=10&metric_n=6&metric_delta=1e-06&metric_view=Release+the+crowd&metric_visits=100"
    "&metric_shuffler=Everybody+alone&metric_change=5",
    "metric_epsilon=0.5&metric_count=One&metric_share1=everything&metric_km1=1&metric_data=Simulated+city"
    "&metric_least=10&metric_n=6&metric_delta=1e-09&metric_view=When+does+it+pay%3F&metric_trust=One+party"
    "&metric_users=10,000&metric_items=10&metric_ratio=20&metric_clusters=4&metric_size=2&metric_inside=0.2",
)


@pytest.mark.nightly
@pytest.mark.parametrize("old", OLD_LINKS)
def test_an_old_link_still_restores_everything(old: str) -> None:
    app = open_page(parse_qs(old))
    assert not app.warning and not app.error
    link = next(text for text in take_away(app) if "metric_epsilon" in text)
    began = {"metric_with": ["shuffled-reports"]} if "crowd" in old else {}
    assert parse_qs(link.split("?", 1)[1]) == in_names(parse_qs(old)) | began


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("view", "name", "value"),
    [
        (CROWD | SMALL, "metric_visits", "0"),
        (CROWD | SMALL, "metric_shuffler", "somebody"),
        (PAYS, "metric_inside", "1.5"),
        (PAYS, "metric_items", "0"),
        (PAYS, "metric_ratio", "0.5"),
        (PAYS, "metric_trust", ""),
    ],
)
def test_a_broken_parameter_falls_back_to_its_default_and_says_so(view: dict[str, str], name: str, value: str) -> None:
    app = open_page(view | {name: value})
    assert len(app.warning) == 1 and f"`{name}`" in app.warning[0].value
    assert figures(app) == (2 if view is PAYS else 3)


def test_numbers_of_the_curve_leave_as_the_release_s() -> None:
    """Both views have the maps' cells: of the release reports are free, of one of many releases nothing would be."""
    config = settings.CrowdConfig(base=settings.Config(place=Place(n=5)), visits=10, who="local")
    views = [PAGE.view(key) for key in ("metric.crowd", "metric.crowd-curve")]
    shown = [Shown(view, view.run(config), ()) for view in views]
    written = json.loads(everything("metric", "link", shown))["tables"]
    assert {"reports, composed", "truth (not private)"} <= {*written["crowd-cells"]}
    assert "error km (not private)" in written["crowd-against-epsilon"]
