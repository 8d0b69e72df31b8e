"""Algorithm 1 for inputs of few places, each on its own rows: the same as with all rows, one input at a time."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.mechanisms.wasserstein_projection import projection_so_far
from dpot_core.transport import few_places as module
from dpot_core.transport.entropic import boxed_entropic
from dpot_core.transport.few_places import entropic_of_places, few_places


def case(seed: int) -> tuple[np.ndarray, np.ndarray, dpot.Polytope, float]:
    """Inputs of one to four of many places, k_v != k, outputs of no mass, costs that tie, masses that nearly vanish."""
    rng = np.random.default_rng(seed)
    n, k, k_v = int(rng.integers(2, 30)), int(rng.integers(16, 40)), int(rng.integers(1, 60))
    mu = np.zeros((n, k))
    for row in mu:
        places = rng.choice(k, int(rng.integers(1, 5)), replace=False)
        row[places] = rng.dirichlet(np.ones(places.size)) * rng.choice([1.0, 1.0, 1e-18], places.size)
        row[places[0]] += 0.1
    mu[rng.integers(n)] = mu[0]
    cost = np.linalg.norm(rng.integers(0, 6, (k, 1, 2)) - rng.integers(0, 6, (1, k_v, 2)).astype(float), axis=2)
    base = rng.dirichlet(np.ones(k_v)) * (rng.random(k_v) > 0.2)
    base = base if base.any() else np.ones(k_v)
    epsilon = float(rng.choice([1e-6, 0.3, 2.0, 10.0, 100.0]))
    return mu / mu.sum(axis=1, keepdims=True), cost, dpot.Polytope(base / base.sum(), epsilon), epsilon


@pytest.mark.slow
@pytest.mark.parametrize("relative", [1.0, pytest.param(0.1, marks=pytest.mark.nightly), 0.01])
@pytest.mark.parametrize("iterations", [1, 7, pytest.param(40, marks=pytest.mark.nightly)])
def test_every_input_is_as_it_is_alone(relative, iterations):
    for seed in range(40):
        mu, cost, Q, _ = case(seed)
        reg = relative * (float(cost.max()) or 1.0)
        assert few_places(mu)
        found = entropic_of_places(mu, cost, Q.lower, Q.upper, reg, iterations, 1e-9)
        assert Q.contains(found.output).all()
        alone = [boxed_entropic(row[None], cost, Q.lower, Q.upper, reg, iterations, 1e-9) for row in mu]
        # Side by side, all go on until the last one is done.
        done = np.array([one.converged[0] and one.iterations < found.iterations for one in alone])
        for field in ("output", "plan_cost", "marginal_error"):
            expected = np.concatenate([getattr(one, field) for one in alone])
            within = np.where(done, 1e-8, 1e-11)
            difference = np.abs(getattr(found, field) - expected).reshape(len(mu), -1).max(axis=1)
            assert (difference <= within * max(1.0, float(cost.max()))).all(), (seed, field, difference)


def test_the_mechanism_takes_this_way_and_tells_what_plans_cost_where_asked():
    mu, cost, Q, _ = case(3)
    result = dpot.project_entropic(mu, cost, Q, 0.5, max_iter=20)
    np.testing.assert_array_equal(result.output, projection_so_far(mu, cost, Q, 0.5, 20))
    assert np.isfinite(result.plan_cost).all()
    unpriced = entropic_of_places(mu, cost, Q.lower, Q.upper, 0.5, 20, 1e-9)
    assert "plan_cost" not in vars(unpriced)
    np.testing.assert_allclose(unpriced.plan_cost, result.plan_cost, rtol=1e-12)
    np.testing.assert_allclose(unpriced.output, result.output, atol=1e-15)


def test_inputs_beyond_float64_and_small_reg_are_left_to_logarithms():
    rng = np.random.default_rng(0)
    cost = rng.random((40, 60))
    mu = np.zeros((5, 40))
    mu[:, :2] = 0.5
    mu[0, :3] = 1.0 - 1e-250, 1e-250, 0.0
    Q = dpot.Polytope(rng.dirichlet(np.ones(60)), 700.0)
    for reg in (0.006, 1e-3):
        found = entropic_of_places(mu, cost, Q.lower, Q.upper, reg, 30, 0.0)
        assert np.isfinite(found.output).all() and Q.contains(found.output).all()
        for row, output in zip(mu, found.output, strict=True):
            one = boxed_entropic(row[None], cost, Q.lower, Q.upper, reg, 30, 0.0)
            np.testing.assert_allclose(output, one.output[0], atol=1e-9)


def test_no_iteration_gives_what_it_gives_alone():
    mu, cost, Q, _ = case(5)
    found = entropic_of_places(mu, cost, Q.lower, Q.upper, 1.0, 0, 1e-9)
    one = boxed_entropic(mu[:1], cost, Q.lower, Q.upper, 1.0, 0, 1e-9)
    np.testing.assert_array_equal(found.output, np.tile(one.output, (len(mu), 1)))


def test_groups_hold_every_input_once_with_all_its_mass(monkeypatch):
    monkeypatch.setattr(module, "_GROUP", 500)
    mu, _, Q, _ = case(8)
    groups = module._side_by_side(mu, len(Q))
    assert len(groups) > 1
    assert sorted(i for group in groups for i in group.inputs) == list(range(len(mu)))
    for group in groups:
        np.testing.assert_array_equal(np.take_along_axis(mu[group.inputs], group.place, axis=1), group.mu)
        np.testing.assert_allclose(group.mu.sum(axis=1), 1.0)


def test_many_places_or_one_input_take_the_shared_kernel():
    assert not few_places(np.full((4, 8), 1 / 8))
    assert not few_places(np.eye(8)[:1])
    assert few_places(np.eye(8))
