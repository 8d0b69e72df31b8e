"""A city without its matrix of distances: rows of visited cells, bounds of the exponential mechanism, the crowd."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.batch.scenarios import VIEWS, ScenarioError
from dpot_app.cities.city import City, make_city, make_public
from dpot_app.cities.crowd import ESTIMATES, MECHANISMS, crowd_at
from dpot_app.cities.place import Place
from dpot_app.cities.visited_cells import VisitedCells
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.crowd.results import EPSILONS
from dpot_app.views.geolocation.settings import BASES, Config
from dpot_core.base_measures import best_uniform_base
from dpot_core.datasets import simulated_city
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.mechanisms.exponential import public_bounds
from dpot_core.mechanisms.knowledge import Private
from tests.views.geolocation.examples import SMALL, zones_geojson

#: West, south, east, north: twice as wide as high.
WIDE = (-97.95, 30.1, -97.55, 30.28)


def city_of(n: int, zoned: bool = False) -> City:
    place = Place(n=n, least=5)
    city = make_city(simulated_city(60), place)
    return make_city(simulated_city(60), place, zones_geojson(make_city(simulated_city(80), SMALL))) if zoned else city


@pytest.mark.parametrize(("n", "zoned"), [(6, False), (7, False), (9, True)])
def test_rows_and_the_diameter_are_those_of_the_matrix(n: int, zoned: bool) -> None:
    city = city_of(n, zoned)
    cells, outputs = np.array([0, 5, n * n - 1]), np.array([1, 2])
    assert city.diameter == city.grid.space.distances().max()
    assert city.n_outputs == city.distances.shape[1]
    np.testing.assert_array_equal(city.between(cells), city.distances[cells])
    np.testing.assert_array_equal(city.between(cells, outputs), city.distances[np.ix_(cells, outputs)])


@pytest.mark.parametrize(("n", "zoned"), [(6, False), (7, False), (9, True)])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 50.0, 700.0])
def test_corners_bound_what_all_cells_tell(n: int, zoned: bool, epsilon: float) -> None:
    """The bounds of the exponential mechanism, found without a matrix where outputs are the cells."""
    city = city_of(n, zoned)
    public = make_public(city, np.full(city.n_outputs, 1.0 / city.n_outputs), epsilon, None)
    found, exact = public_bounds(public.distances, epsilon), public_bounds(city.distances, epsilon)
    assert found.sensitivity == pytest.approx(exact.sensitivity, rel=1e-15)
    assert (found.lower <= exact.lower * (1 + 1e-12)).all()
    every = exact.probabilities(city.distances)
    assert (every <= found.polytope.upper * (1 + 1e-12)).all() and (every >= found.polytope.lower * (1 - 1e-12)).all()


@pytest.mark.parametrize("zoned", [False, True])
@pytest.mark.parametrize("reg", [None, pytest.param(0.01, marks=pytest.mark.nightly), 0.003])
def test_mechanisms_on_visited_cells_give_what_they_give_on_all(zoned: bool, reg: float | None) -> None:
    """For any people who take part: outputs do not depend on which cells others visited."""
    city = city_of(7, zoned)
    epsilon = 1.5
    base = make_base(city, "best-uniform", epsilon)
    cells = np.flatnonzero(city.histograms.any(axis=0))
    places = VisitedCells(cells, city.between(cells), city.diameter)
    assert cells.size < len(city.grid)
    whole = dpot.Public(city.cost, city.distances, epsilon, base, reg=reg, max_iter=40, snap=city.snap)
    part = make_public(city, base, epsilon, reg)
    for name in MECHANISMS:
        expected = TABLE[name](whole)(city.histograms)
        found = TABLE[name](part)(Private.of(part, city.histograms[:, cells], places))
        if name == "wpm" and reg is None:
            # Several outputs are nearest where distances tie; which of them is a matter of rounding.
            found, expected = (
                [city.kilometres(mu, nu) for mu, nu in zip(city.histograms, outputs, strict=True)]
                for outputs in (found, expected)
            )
        np.testing.assert_allclose(found, expected, atol=1e-12, err_msg=name)


def test_outputs_of_few_people_stay_within_e_to_the_epsilon_of_those_of_others() -> None:
    """Two crowds with no cell in common, in exact rationals."""
    city = city_of(7)
    epsilon = 0.7
    public = make_public(city, make_base(city, "best-uniform", epsilon), epsilon, 0.01)
    outputs = {name: [] for name in MECHANISMS}
    for cells in (np.array([0, 1]), np.array([24]), np.array([47, 48])):
        people = Private.of(public, np.eye(cells.size), VisitedCells(cells, city.between(cells), city.diameter))
        for name in MECHANISMS:
            outputs[name] += list(TABLE[name](public)(people))
    for name, rows in outputs.items():
        assert dpot.certify(np.array(rows)).holds(epsilon), name


def test_a_corner_decides_the_best_uniform_base() -> None:
    for n in (6, 7):
        city = city_of(n)
        for epsilon in (0.2, 2.0, 8.0):
            expected = best_uniform_base(city.cost, epsilon)
            np.testing.assert_allclose(best_uniform_base(city.worst_costs, epsilon), expected, rtol=1e-12)


def test_views_take_as_many_cells_as_they_can() -> None:
    for key in ("geolocation.crowd", "geolocation.crowd-curve"):
        VIEWS[key].check(Config(place=Place(n=128)))
        assert VIEWS[key].frames_at(Config(place=Place(n=128))) == ()
        assert VIEWS[key].frames_at(Config()) == EPSILONS
    for key, side in (("geolocation.person", 256), ("geolocation.worst-case", 256), ("geolocation.crowd", 128)):
        VIEWS[key].check(Config(place=Place(n=side)))
        if side < 256:
            with pytest.raises(ScenarioError, match=f"at most {side} for this view"):
                VIEWS[key].check(Config(place=Place(n=side + 1)))
    for base in BASES:
        VIEWS["geolocation.worst-case"].check(
            Config(base=base, own="0 0 1", place=Place(n=256, held_out=base == "prior"))
        )
    one = VIEWS["metric.crowd"]
    large = replace(one.example, base=replace(one.example.base, place=Place(n=41)))
    with pytest.raises(ScenarioError, match="at most 40 on this page"):
        one.check(large)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_crowd_on_a_large_grid_makes_no_matrix_and_can_be_abandoned() -> None:
    city = make_city(simulated_city(40), Place(n=128, least=5))
    base = make_base(city, "best-uniform", 2.0)
    steps: list[tuple[int, int]] = []
    for reg in (None, 0.01):
        steps.clear()
        result = crowd_at(city, base, 2.0, reg, lambda done, total: steps.append((done, total)))
        assert set(result.kilometres) == set(ESTIMATES)
        assert all(0 < runs.min() <= runs.max() < city.diameter for runs in result.kilometres.values())
        assert steps == [(done, steps[0][1]) for done in range(1, steps[0][1] + 1)] and len(steps) > len(ESTIMATES) + 1
        for mean in result.expected.values():
            assert mean.shape == (128 * 128,) and mean.sum() == pytest.approx(1.0)
    assert not {"distances", "cost"} & set(vars(city)) and "_within" not in vars(city.grid.space)

    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        crowd_at(city, base, 2.0, None, stop)
