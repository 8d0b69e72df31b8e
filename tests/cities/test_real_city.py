"""Simulated people in a real city: its public map, its names and coasts, in scenarios and links."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario
from dpot_app.cities.loading import load_city
from dpot_app.cities.place import Place
from dpot_app.kit.values import ScenarioError
from dpot_app.views.geolocation.details import details
from dpot_app.views.geolocation.settings import FIRST, Config, link
from dpot_core.datasets.world import city_of
from tests.apps import open_app, open_page, text_of


def test_the_map_is_public_and_has_coasts_and_names() -> None:
    place = Place(n=10, city="Sydney, AU").of("simulated")
    city = load_city("simulated", place, {})
    assert city.place.box == city_of("Sydney, AU").box and city.map.simulated
    assert city.grid.epsg == 32756 and len(city.map.base.borders) > 10
    assert "Sydney" in [name for name, *_ in city.map.base.names]
    assert city.histograms.sum() == pytest.approx(len(city.histograms))
    assert "outlines from Natural Earth" in details(city)
    invented = load_city("simulated", Place(n=10), {})
    assert not len(invented.map.base.borders) and not invented.map.base.names
    assert "GeoNames" not in details(invented) and "On maps" not in details(invented)


def test_a_scenario_holds_the_city() -> None:
    config = Config(place=Place(city="Lima, PE"))
    (back,) = scenarios.read(scenarios.write([Scenario("geolocation.person", "Lima", config)]))
    assert back.config == config


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (Config(place=Place(city="xyzzy")), "no city"),
        (
            Config(source="gowalla-austin", place=Place(city="Lima, PE")),
            "must be empty unless the people are simulated",
        ),
    ],
)
def test_cities_that_cannot_be_are_refused(config: Config, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        scenarios.read(scenarios.write([Scenario("geolocation.person", "none", config)]))


def test_the_page_opens_on_the_city_of_a_link() -> None:
    app = open_app({"geo_city": "munich", "geo_n": "10", "geo_view": "One person"}, "pages/geolocation.py")
    assert not app.exception and not app.error
    assert any("Munich, DE, 1,505,005 people" in one.value for one in app.caption)
    assert "simulated" in text_of(app).lower()
    (field,) = [one for one in app.text_input if one.label == "City"]
    field.set_value("no such place at all").run()
    assert "There is no city" in app.error[0].value
    (field,) = [one for one in app.text_input if one.label == "City"]
    field.set_value("Osaka").run()
    assert any("Osaka, JP" in one.value for one in app.caption) and not app.error and not app.warning


def test_a_first_visit_begins_with_a_real_city_and_a_link_without_one_with_the_invented() -> None:
    app, real = open_page("geolocation"), FIRST.place.city
    assert app.text_input(key="geo_city").value == real == "Lisbon, PT"
    assert any("Lisbon, PT, 5" in one.value for one in app.caption)
    away = open_page("geolocation")
    away.session_state["geo_away"] = True
    link_of_it = str(away.run().code[0].value)
    assert open_page("geolocation", parse_qs(urlsplit(link_of_it).query)).text_input(key="geo_city").value == real
    app.text_input(key="geo_city").set_value("").run()
    assert not app.exception and not any("Lisbon" in one.value for one in app.caption)
    open_page("ring", None, app)
    open_page("geolocation", None, app)
    assert app.text_input(key="geo_city").value == "", "a city that was put away stays away"
    app.button(key="geo_defaults").click().run()
    assert app.text_input(key="geo_city").value == real
    for linked in ({"geo_epsilon": "1"}, {"geo_data": "Simulated city"}):
        assert open_page("geolocation", linked).text_input(key="geo_city").value == ""
    assert open_page("metric").text_input(key="metric_city").value == ""


def test_links_carry_the_city() -> None:
    carried = link("Worst case", Config(place=replace(Place(), city="Lagos, NG")))
    assert carried["city"] == "Lagos, NG"
