"""Every row of the table on coarse and fine grids and on zones: what is public is complete before an input is seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.cities.city import City, make_city, make_public
from dpot_app.cities.place import Place
from dpot_app.cities.visited_cells import VisitedCells
from dpot_core.datasets import simulated_city
from dpot_core.mechanisms import Built, Mechanism
from dpot_core.mechanisms.knowledge import Private, Public
from tests import oracles
from tests.views.geolocation.examples import SMALL, zones_geojson

KINDS = {"coarse": 7, "fine": 60, "zones": 9}
EPSILON = 0.8


@cache
def city_of(kind: str) -> City:
    zones = zones_geojson(make_city(simulated_city(80), SMALL)) if kind == "zones" else None
    return make_city(simulated_city(60), Place(n=KINDS[kind], least=5), zones)


def adversarial(city: City) -> list[VisitedCells]:
    """Cells of people who visited nothing but these: corners, neighbours, the middle, a side, few places far apart."""
    n, rng = city.grid.n, np.random.default_rng(0)
    k, middle = n * n, n // 2 * n + n // 2
    visited = [[0], [k - 1], [1], [middle], [middle, middle + 1], [0, n - 1, k - n, k - 1], list(range(n))]
    visited.append(np.sort(rng.choice(k, min(k, 20), replace=False)).tolist())
    return [VisitedCells(cells := np.array(one), city.between(cells), city.diameter) for one in visited]


def inputs_of(city: City, public: Public) -> list[Private]:
    """Each person alone, who brings the rows of their own cells and no others."""
    rng, found = np.random.default_rng(1), []
    for places in adversarial(city):
        r = places.cells.size
        mu = np.vstack([np.eye(r)[:1], np.full((1, r), 1 / r), rng.dirichlet(np.ones(r), 1)])
        found.append(Private.of(public, mu, places))
    return found


def hold(row: Mechanism, kind: str, epsilon: float = EPSILON, reg: float | None = 0.01) -> None:
    """Fail unless all outputs are within e^epsilon exactly, and the map alone is so, too, up to rounding."""
    city = city_of(kind)
    public = make_public(city, dpot.uniform_base(city.n_outputs), epsilon, reg)
    kernel, (polytope, release) = row(public), row.build(public)
    people = inputs_of(city, public)
    outputs, bare = (np.vstack([each(one) for one in people]) for each in (kernel, release))
    assert oracles.ratio_violations(outputs, epsilon) == []
    assert polytope.contains(outputs).all()
    logs = np.log(np.maximum(bare, 1e-300))
    assert np.ptp(logs, axis=0).max() <= epsilon * (1 + 1e-9), "the map alone breaks the promise"
    alone = [kernel(dataclasses.replace(one, mu=mu[None, :])) for one in people for mu in one.mu]
    np.testing.assert_allclose(np.vstack(alone), outputs, atol=1e-9, err_msg="one person's output depends on others")
    np.testing.assert_allclose(bare, outputs, atol=1e-9, rtol=1e-6, err_msg="the polytope does not hold the map")


@pytest.mark.parametrize("kind", ["coarse", pytest.param("fine", marks=pytest.mark.slow), "zones"])
@pytest.mark.parametrize("name", dpot.MECHANISMS)
def test_every_mechanism_keeps_its_epsilon_whatever_cells_people_visited(name: str, kind: str) -> None:
    hold(dpot.MECHANISMS[name], kind, 6.0)


@pytest.mark.parametrize("kind", ["coarse", pytest.param("fine", marks=pytest.mark.nightly), "zones"])
@pytest.mark.parametrize("name", dpot.MECHANISMS)
def test_every_mechanism_keeps_its_epsilon_without_entropy(name: str, kind: str) -> None:
    hold(dpot.MECHANISMS[name], kind, reg=None)


@pytest.mark.parametrize("kind", KINDS)
def test_public_knowledge_covers_all_inputs_and_is_complete_without_any(kind: str) -> None:
    city = city_of(kind)
    public = make_public(city, dpot.uniform_base(city.n_outputs), EPSILON, None)
    for known, largest in ((public.cost, 1.0), (public.distances, city.diameter)):
        assert known.shape == (len(city.grid), city.n_outputs)
        assert known.max() == pytest.approx(largest if city.zones is None else known.max())
    if kind == "fine":
        assert not {"distances", "cost", "histograms"} & set(vars(city)), "a matrix was made, or the people were read"


def geometric(sensitivity: Callable[[Public, Private], float]) -> Mechanism:
    """P(j) ~ exp(-epsilon E d(i, j) / (2 S)), by the recipe of CONTRIBUTING, with an S of one's own."""

    def build(public: Public) -> Built:
        def release(inputs: Private) -> np.ndarray:
            weights = np.exp(-public.epsilon * inputs.expected_distances / (2 * sensitivity(public, inputs)))
            return weights / weights.sum(axis=1, keepdims=True)

        return dpot.MECHANISMS["em"].polytope(public), release

    return dataclasses.replace(dpot.MECHANISMS["em"], build=build)


@pytest.mark.parametrize("kind", ["coarse", "fine"])
def test_a_mechanism_that_takes_its_sensitivity_from_the_rows_of_one_person_is_held_and_found(kind: str) -> None:
    """Its log-ratio was 4.31 at a promised 1 on 60 x 60 cells, and every test passed."""
    hold(geometric(lambda public, inputs: float(public.distances.max())), kind)
    careless = geometric(lambda public, inputs: 0.2 * float(inputs.cost.max()) * city_of(kind).diameter)
    with pytest.raises(AssertionError, match="the map alone breaks"):
        hold(careless, kind)
    # All the same, nothing of it leaves the polytope.
    city = city_of(kind)
    public = make_public(city, dpot.uniform_base(city.n_outputs), EPSILON, None)
    outputs = np.vstack([careless(public)(one) for one in inputs_of(city, public)])
    assert oracles.ratio_violations(outputs, EPSILON) == []


def test_a_mechanism_that_looks_at_other_people_is_found() -> None:
    nosy = dataclasses.replace(
        dpot.MECHANISMS["kpm"],
        build=lambda public: (
            dpot.MECHANISMS["kpm"].polytope(public),
            lambda inputs: dpot.randomized_response(0.5 * (inputs.moved + inputs.moved.mean(axis=0)), public.epsilon),
        ),
    )
    with pytest.raises(AssertionError, match="one person's output depends on others"):
        hold(nosy, "coarse")


def test_a_polytope_of_another_epsilon_is_refused() -> None:
    row = dataclasses.replace(
        dpot.MECHANISMS["kpm"],
        build=lambda public: (dpot.Polytope(np.full(5, 0.2), 2 * public.epsilon), lambda inputs: inputs.moved),
    )
    public = dpot.Public(dpot.ring(5).distances(), dpot.ring(5).distances(), 1.0, dpot.uniform_base(5))
    with pytest.raises(ValueError, match=r"keeps epsilon = 2 on 5 outputs; asked for were 1 and 5"):
        row(public)
    with pytest.raises(ValueError, match="on 5 outputs; asked for were 3 and 4"):
        ring = dpot.ring(4).distances()
        row(dpot.Public(ring, ring, 3.0, dpot.uniform_base(4)))


def test_rows_that_do_not_fit_their_points_are_refused() -> None:
    city = city_of("coarse")
    public = make_public(city, dpot.uniform_base(49), EPSILON, None)
    places = adversarial(city)[4]
    with pytest.raises(ValueError, match=r"rows of 2 points must have shape \(2, 49\); got \(1, 49\)"):
        Private.of(public, [0.5, 0.5], dataclasses.replace(places, distances=places.distances[:1]))
    with pytest.raises(ValueError, match="mu must have length 2"):
        Private.of(public, [1.0], places)


def test_python_that_was_taken_away_knows_what_is_public_by_its_former_name() -> None:
    assert dpot.Setting is dpot.Public
