"""The project: file, question, mechanism and epsilon that a reader takes from page to page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.batch import scenarios
from dpot_app.shell.project import takes
from dpot_app.views.table import PAGES
from tests.apps import open_app, ran
from tests.views.decide.test_own_files import customers

ROOM = {"geo_data": "My CSV file", "geo_n": "6", "geo_epsilon": "4"}


def line(app: AppTest) -> str:
    return next((said for caption in app.caption if (said := plain(caption.value)).startswith("Project: ")), "")


def plain(text: str) -> str:
    return text.replace("\\", "")


def go_to(app: AppTest, page: str, **parameters: str) -> None:
    app.query_params.clear()
    app.query_params.update(parameters)
    ran(app.switch_page(f"pages/{page}.py").run())


@pytest.fixture
def app() -> AppTest:
    """The app with a file on the geolocation page."""
    app = open_app(ROOM, "pages/geolocation.py")
    app.sidebar.file_uploader(key="geo_check-ins_file").set_value(("customers.csv", customers(), "text/csv")).run()
    assert not app.exception and not app.error
    return app


def test_a_file_begins_a_project_and_every_page_opens_with_it(app: AppTest) -> None:
    assert line(app) == "Project: customers.csv · WPM · ε = 4" and app.session_state["geo_least"] == 1
    go_to(app, "metric")
    assert app.session_state["metric_data"] == "csv" and app.session_state["metric_epsilon"] == 4
    assert app.session_state["metric_check-ins_kept"].name == "customers.csv"
    go_to(app, "ring")
    assert app.session_state["ring_epsilon"] == 4
    assert line(app).endswith("This page does not use customers.csv: it reads no file.")
    go_to(app, "movies")
    assert line(app).endswith("This page does not use customers.csv: it reads files of another kind.")


def test_a_number_typed_between_the_stops_is_taken_along(app: AppTest) -> None:
    app.sidebar.number_input(key="geo_epsilon_0_exact").set_value(3.21).run()
    assert "ε = 3.21" in line(app)
    go_to(app, "ring")
    assert app.session_state["ring_epsilon"] == 3.21


def test_forgetting_the_project_forgets_its_file_on_every_page(app: AppTest) -> None:
    go_to(app, "metric")
    app.button(key="project_forget").click().run()
    assert not line(app) and "Bring a CSV file" in app.info[0].value
    assert all(f"{prefix}_check-ins_kept" not in app.session_state for prefix in ("geo", "metric"))


def test_a_file_that_its_pages_have_forgotten_is_no_part_of_the_project(app: AppTest) -> None:
    go_to(app, "ring")
    go_to(app, "geolocation")
    app.button(key="geo_check-ins_kept_forget").click().run()
    assert "customers" not in line(app)


def test_the_question_stands_on_the_sheet_and_in_the_scenario(app: AppTest) -> None:
    asked = "At most 2 km for nine of ten people."
    app.text_input(key="project_question").set_value(asked).run()
    assert asked in line(app)
    app.button(key="geo_pin").click().run()
    (pin,) = app.session_state["board"].pins
    assert pin.scenario.question == asked
    assert scenarios.read(scenarios.write([pin.scenario])) == (pin.scenario,)


def test_without_a_file_there_is_no_project() -> None:
    app = open_app({"ring_epsilon": "3"})
    assert not line(app)
    go_to(app, "geolocation")
    assert not line(app) and app.session_state["geo_epsilon"] == 2


def test_each_page_that_reads_files_of_a_readers_own_takes_them() -> None:
    own = {page for page in PAGES if any("csv" in str(view.example) or takes(page) for view in PAGES[page].views)}
    assert {page: set(takes(page)) for page in own} == {
        "geolocation": {"check-ins"},
        "movies": {"ratings"},
        "population": {"population"},
        "metric": {"check-ins"},
        "sinkhorn": {"points"},
        "decide": {"check-ins", "ratings", "population", "points"},
    }


def test_a_link_says_how_many_check_ins_a_person_of_a_file_needs() -> None:
    app = open_app({**ROOM, "geo_least": "10"}, "pages/geolocation.py")
    app.sidebar.file_uploader(key="geo_check-ins_file").set_value(("customers.csv", customers(), "text/csv")).run()
    assert app.session_state["geo_least"] == 10 and "no user has 10 check-ins" in plain(app.error[0].value)


def test_another_file_takes_the_place_of_the_first_on_every_page(app: AppTest) -> None:
    go_to(app, "metric")
    other = customers().replace(b"\n", b" \n", 1)
    app.sidebar.file_uploader(key="metric_check-ins_file").set_value(("others.csv", other, "text/csv")).run()
    assert "geo_check-ins_kept" not in app.session_state and "others.csv" in line(app)
    go_to(app, "geolocation")
    assert app.session_state["geo_check-ins_kept"].name == "others.csv"


def test_a_page_is_opened_with_the_project_at_every_visit(app: AppTest) -> None:
    go_to(app, "ring")
    app.select_slider(key="ring_epsilon").set_value(1.0).run()
    go_to(app, "movies")
    app.select_slider(key="movies_epsilon").set_value(8.0).run()
    go_to(app, "ring")
    assert app.session_state["ring_epsilon"] == 8


def test_a_first_visit_with_a_project_begins_where_first_visits_do(app: AppTest) -> None:
    alone = open_app({}, "pages/sinkhorn.py")
    go_to(app, "sinkhorn")
    first = {name: alone.session_state[name] for name in ("sinkhorn_data", "sinkhorn_cells", "sinkhorn_rounds")}
    assert {name: app.session_state[name] for name in first} == first and app.session_state["sinkhorn_epsilon"] == 4


def test_the_line_names_the_mechanism_that_the_page_releases_with(app: AppTest) -> None:
    assert "WPM" in line(app), "in the run in which the file was brought"
    go_to(app, "population")
    assert "Coreset" in line(app) and "WPM" not in line(app)
