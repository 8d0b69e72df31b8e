"""A city made ready: people, distances, zones, and what is drawn for a crowd."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.cities.city import City, make_city
from dpot_app.cities.crowd import _counts
from dpot_core.datasets import CheckIns, simulated_city
from tests.views.geolocation.examples import SMALL, zones_geojson


@pytest.fixture(scope="module")
def data() -> CheckIns:
    return simulated_city(80)


@pytest.fixture(scope="module")
def city(data: CheckIns) -> City:
    return make_city(data, SMALL)


def test_equal_data_and_settings_give_equal_cities(data: CheckIns, city: City) -> None:
    again = make_city(simulated_city(80), SMALL)
    assert again == city and hash(again) == hash(city)
    assert make_city(data, replace(SMALL, n=8)) != city
    assert make_city(data, SMALL, zones_geojson(city)) != city


def test_the_people_set_aside_do_not_release(data: CheckIns, city: City) -> None:
    split = make_city(data, replace(SMALL, held_out=True))
    assert split.check_ins.n_users == 40 and city.check_ins.n_users == 80
    others = data.select([i for i, name in enumerate(data.labels) if name not in split.check_ins.labels])
    assert split.held_out is not None
    np.testing.assert_allclose(split.held_out, split.grid.crowd(others))


def test_people_with_few_check_ins_stay_away(data: CheckIns) -> None:
    few = make_city(data, replace(SMALL, least=60))
    assert few.check_ins.totals.min() >= 60
    assert few.check_ins.n_users == (data.totals >= 60).sum()
    with pytest.raises(ValueError, match="no user has"):
        make_city(data, replace(SMALL, least=10_000))


def test_only_what_is_near_the_busiest_spot_is_kept(data: CheckIns) -> None:
    near = make_city(data, replace(SMALL, within=5.0, least=1))
    assert near.grid.width < 11 and near.grid.height < 11


def test_common_mass_may_be_taken_out_before_the_distance(city: City) -> None:
    rng = np.random.default_rng(0)
    for concentration in (0.02, 0.3, 5.0):
        mu, nu = dpot.dirichlet(49, concentration, rng, 2)
        expected = dpot.wasserstein(mu, nu, city.distances, 1)
        assert city.kilometres(mu, nu) == pytest.approx(expected, abs=1e-9)
    assert city.kilometres(mu, mu) == 0.0


def test_a_known_distance(city: City) -> None:
    # From one corner to the opposite one is the whole diameter; half of the mass, half of it.
    corner, opposite = dpot.dirac(49, 0), dpot.dirac(49, 48)
    assert city.kilometres(corner, opposite) == pytest.approx(city.diameter)
    assert city.kilometres(corner, (corner + opposite) / 2) == pytest.approx(city.diameter / 2)


def test_every_zone_is_on_the_picture(data: CheckIns, city: City) -> None:
    zoned = make_city(data, SMALL, zones_geojson(city))
    raster = zoned.map.raster
    assert raster is not None
    assert set(np.unique(raster.zone)) >= {0, 1, 2}
    # The rectangles cover the grid: shares of the pixels are shares of the area.
    assert (raster.zone == 2).mean() == pytest.approx(0.5, abs=0.03)
    assert raster.zone[len(raster.y) // 4, len(raster.x) // 4] == 0
    assert raster.zone[len(raster.y) // 4, 3 * len(raster.x) // 4] == 1


def test_a_draw_follows_its_distribution() -> None:
    rng = np.random.default_rng(3)
    outputs = np.tile(dpot.dirichlet(6, 0.7, rng), (20_000, 1))
    frequencies = _counts(outputs, rng.random((1, 20_000)))[0] / 20_000
    assert np.abs(frequencies - outputs[0]).max() < 5 * np.sqrt(0.25 / 20_000)


@pytest.mark.parametrize("uniform", [0.0, 0.5, np.nextafter(1.0, 0.0)])
def test_an_output_without_probability_is_never_drawn(uniform: float) -> None:
    outputs = np.array([[0.0, 0.3, 0.0, 0.7 - 2e-16, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]])
    counts = _counts(outputs, np.full((1, 2), uniform))[0]
    assert counts.sum() == 2 and counts[[0, 4]].sum() == 0 and counts[2] == 1
