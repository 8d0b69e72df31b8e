"""Simulated people in a real city: its public map, its names and coasts, in scenarios and links."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario
from dpot_app.cities.loading import load_city
from dpot_app.cities.place import Place
from dpot_app.kit.values import ScenarioError
from dpot_app.views.geolocation.settings import Config, link
from dpot_core.datasets.world import city_of
from tests.apps import open_app, text_of


def test_the_map_is_public_and_has_coasts_and_names() -> None:
    place = Place(n=10, city="Sydney, AU").of("simulated")
    city = load_city("simulated", place, {})
    assert city.place.box == city_of("Sydney, AU").box and city.map.simulated
    assert city.grid.epsg == 32756 and len(city.map.base.borders) > 10
    assert "Sydney" in [name for name, *_ in city.map.base.names]
    assert city.histograms.sum() == pytest.approx(len(city.histograms))
    invented = load_city("simulated", Place(n=10), {})
    assert not len(invented.map.base.borders) and not invented.map.base.names


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


def test_links_carry_the_city() -> None:
    carried = link("Worst case", Config(place=replace(Place(), city="Lagos, NG")))
    assert carried["city"] == "Lagos, NG"
