"""A base measure of the reader's own weights: what is drawn, in every view, in the promise and in a link."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.cities.city import make_city
from dpot_app.kit.values import ScenarioError
from dpot_app.views.geolocation import PAGE
from dpot_app.views.geolocation.base import base_of_curve, make_base, with_own
from dpot_app.views.geolocation.disclosed import guarantee
from dpot_app.views.geolocation.settings import Config, Place
from dpot_app.views.geolocation.views import city_of
from dpot_app.views.geolocation.worst_case.text import IN_USE
from dpot_core.datasets import simulated_city
from tests.views.geolocation.examples import zones_geojson

SMALL = Place(n=5)
OWN = Config(place=SMALL, base="own", own="0.1 0.1 9; 0.9 0.9 3; 0.91 0.95 1", epsilon=1.5)


def test_each_cell_has_one_and_what_is_drawn_there_at_the_mass_with_the_smallest_worst_case() -> None:
    city = city_of(OWN, {})
    weights = np.ones(25)
    weights[0], weights[24] = 10.0, 5.0
    base = make_base(city, "own", 1.5)
    np.testing.assert_allclose(base / base.sum(), weights / weights.sum())
    np.testing.assert_allclose(base_of_curve(city, "own", 1.5), base, rtol=1e-9)

    def worst(mass: float) -> float:
        polytope = dpot.Polytope(mass * weights / weights.sum(), 1.5)
        return float(dpot.worst_case_wasserstein(city.distances, polytope, 1))

    assert worst(float(base.sum())) <= min(map(worst, np.exp(np.linspace(-0.75, 0.75, 60)))) + 1e-9


def test_equal_weights_are_the_best_uniform_base() -> None:
    middles = [(column + 0.5) / 5 for column in range(5)]
    even = "; ".join(f"{east} {north} 2" for east in middles for north in middles)
    city = with_own(make_city(simulated_city(60), SMALL), even)
    np.testing.assert_allclose(make_base(city, "own", 2.0), make_base(city, "best-uniform", 2.0), rtol=1e-9)


def test_zones_have_the_weights_of_the_cells_that_are_nearest_to_them() -> None:
    plain = make_city(simulated_city(60), SMALL)
    city = with_own(make_city(simulated_city(60), SMALL, zones_geojson(plain)), OWN.own)
    base = make_base(city, "own", 1.0)
    assert city.own is not None
    np.testing.assert_allclose(base / base.sum(), city.onto_outputs(city.own) / city.own.sum())


def test_the_base_is_in_curves_numbers_promise_and_link() -> None:
    worst, here = IN_USE.run(OWN).parts
    city = city_of(OWN, {})
    expected = dpot.worst_case_wasserstein(city.distances, dpot.Polytope(make_base(city, "own", 1.5), 1.5), 1)
    assert worst.bases["own"] == pytest.approx(float(expected)) and list(worst.bases)[-1] == "own"
    assert here.kilometres["wpm"] <= worst.bases["own"] * (1 + 1e-2)
    curves = PAGE.view("geolocation.worst-case").run(OWN).parts[0]
    assert list(curves.kilometres)[:2] == ["best-uniform", "own"]
    assert "your own base measure" in " ".join(guarantee(OWN, city.map).public)
    assert "your own base measure" not in " ".join(guarantee(Config(own=OWN.own), city.map).public)
    view = PAGE.view("geolocation.person")
    assert view.parameters(OWN)["own"] == OWN.own and "own" not in view.parameters(Config(own=OWN.own))


@pytest.mark.parametrize(
    ("own", "words"), [("", "Nothing is drawn yet"), ("2 2 1", "lies off the map"), ("x", "three")]
)
def test_weights_that_cannot_be_read_are_refused_where_they_are_used(own: str, words: str) -> None:
    view = PAGE.view("geolocation.person")
    with pytest.raises(ScenarioError, match=f"own: .*{words}"):
        view.check(Config(base="own", own=own))
    view.check(Config(own=own))
