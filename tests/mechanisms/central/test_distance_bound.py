"""How much the coreset's copies may hide: `CoresetBarycenter.distance_bound`, and that it holds for any atoms."""

from __future__ import annotations

import numpy as np
import pytest

from dpot_core.mechanisms.central.coreset_barycenter import coreset_barycenter
from dpot_core.transport.barycenters import barycenter_cost, polished
from dpot_core.transport.semidiscrete import transport

BOX = ((0.0, 0.0), (2.0, 1.0))
WEIGHTS = (0.7, 0.3)


def groups() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.random((60, 2)) * [0.5, 1.0], [1.5, 0.0] + rng.random((60, 2)) * [0.5, 1.0]]


def run(p: float, seed: int, epsilon: float = 2.0):
    rng = np.random.default_rng(seed)
    return coreset_barycenter(groups(), 3, epsilon, region=BOX, rng=rng, p=p, weights=WEIGHTS)


@pytest.mark.slow
@pytest.mark.parametrize("p", [1.0, *(pytest.param(p, marks=pytest.mark.nightly) for p in (1.5, 2.0, 3.0, 4.0))])
def test_no_atoms_are_farther_than_from_the_copy_and_what_the_copy_is_off(p: float) -> None:
    """The steps of the proof, one by one, for atoms of any kind; W_p between people and copies exactly."""
    clouds, rng, diameter = groups(), np.random.default_rng(5), float(np.hypot(2.0, 1.0))
    for seed in range(6):
        found = run(p, seed)
        copies = [one.points for one in found.measures]
        far = [transport(x, None, y, p).cost for x, y in zip(clouds, copies, strict=True)]
        near = [transport(x, None, y, 1.0).cost for x, y in zip(clouds, copies, strict=True)]
        assert all(a <= diameter ** (p - 1) * b + 1e-9 for a, b in zip(far, near, strict=True))
        off = float(np.dot(WEIGHTS, far)) ** (1 / p)
        for atoms in (found.atoms, rng.random((4, 2)) * [2.0, 1.0], np.array([[0.0, 0.0]])):
            people = barycenter_cost([(x, None) for x in clouds], atoms, p, WEIGHTS) ** (1 / p)
            copy = barycenter_cost([(x, None) for x in copies], atoms, p, WEIGHTS) ** (1 / p)
            assert abs(people - copy) <= off + 1e-9
        assert found.copy_distance() == pytest.approx(
            barycenter_cost([(x, None) for x in copies], found.atoms, p, WEIGHTS) ** (1 / p)
        )


@pytest.mark.slow
@pytest.mark.parametrize("p", [*(pytest.param(p, marks=pytest.mark.nightly) for p in (1.0, 4.0)), 2.0])
def test_on_average_over_noise_the_bound_holds(p: float) -> None:
    draws = [run(p, seed) for seed in range(25)]
    people = [(x, None) for x in groups()]
    gap = np.mean([one.cost(people) ** (1 / p) - one.copy_distance() for one in draws])
    bound = draws[0].distance_bound
    errors = [one.error_bound for one in draws[0].measures]
    assert bound == pytest.approx((np.hypot(2.0, 1.0) ** (p - 1) * np.dot(WEIGHTS, errors)) ** (1 / p))
    assert gap <= bound
    assert run(p, 0, 20.0).distance_bound < bound


def test_where_people_join_none_is_proved() -> None:
    rng = np.random.default_rng(0)
    found = coreset_barycenter(groups(), 3, 1.0, region=BOX, rng=rng, adjacency="add-remove", depth=6)
    assert found.distance_bound is None


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 3.0, 4.0])
def test_descent_by_any_order_and_weights_ends_in_a_local_minimum(p: float) -> None:
    people = [(x, None) for x in groups()]
    start = np.array([[0.2, 0.3], [1.0, 0.9], [1.7, 0.5]])
    found = polished(people, start, p=p, weights=WEIGHTS, max_iter=200)
    assert found.cost <= barycenter_cost(people, start, p, WEIGHTS) + 1e-12
    assert found.cost == pytest.approx(barycenter_cost(people, found.atoms, p, WEIGHTS), rel=1e-9)
    rng = np.random.default_rng(1)
    for _ in range(20):
        other = found.atoms + rng.normal(0, 0.02, start.shape)
        assert barycenter_cost(people, other, p, WEIGHTS) >= found.cost * (1 - 2e-3)
