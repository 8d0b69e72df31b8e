"""The exponential mechanism: formula, sensitivity, what happens far away, bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import distances, distributions, epsilons


def formula(mu, apart, epsilon):
    """P(j) ~ exp(eps u_j / (2 S)), u_j = -E d(i, j), S = max_j (max_i d_ij - min_i d_ij), term by term."""
    k, k_v = apart.shape
    sensitivity = max(max(apart[i, j] for i in range(k)) - min(apart[i, j] for i in range(k)) for j in range(k_v))
    utility = [-math.fsum(mu[i] * apart[i, j] for i in range(k)) for j in range(k_v)]
    if sensitivity == 0:
        return None
    best = max(utility)
    weights = [math.exp(epsilon * (u - best) / (2 * sensitivity)) for u in utility]
    return np.array(weights) / math.fsum(weights)


@given(st.data(), st.integers(1, 7), st.integers(1, 7), epsilons)
def test_the_exponential_mechanism_is_the_formula(data, k, k_v, epsilon):
    apart = data.draw(distances(k, k_v))
    mu = data.draw(distributions(k))
    expected = formula(mu, apart, epsilon)
    released = dpot.exponential(mu, apart, epsilon)
    if expected is not None:
        np.testing.assert_allclose(released, expected, rtol=1e-9, atol=1e-13)


def test_the_sensitivity_is_the_most_that_one_utility_can_change():
    """No pair of inputs moves any u_j by more than S, and a pair of points moves one by exactly S."""
    apart = dpot.point_cloud(np.random.default_rng(3).uniform(size=(6, 2))).distances(np.array([0, 2, 5]))
    sensitivity = np.ptp(apart, axis=0).max()
    rng = np.random.default_rng(0)
    pairs = rng.dirichlet(np.full(6, 0.3), (300, 2))
    moved = np.abs((pairs[:, 0] - pairs[:, 1]) @ apart)
    assert moved.max() <= sensitivity
    # The mechanism uses it: at two outputs u differs by so much that the log-odds are eps / 2 * difference / S.
    released = dpot.exponential(dpot.dirac(6, 1), apart, 2.0)
    expected = -(apart[1, 0] - apart[1, 1]) / sensitivity
    assert math.log(released[0] / released[1]) == pytest.approx(expected, rel=1e-9)


def test_the_unit_of_distance_does_not_matter():
    apart = dpot.grid(3, 3).distances()
    mu = dpot.dirichlet(9, 0.3, np.random.default_rng(0))
    for unit in (1e-6, 1e6):
        np.testing.assert_allclose(dpot.exponential(mu, apart * unit, 1.0), dpot.exponential(mu, apart, 1.0), rtol=1e-9)


@given(st.integers(0, 2**32 - 1), epsilons)
def test_many_far_outputs_keep_the_exact_ratio(seed, epsilon):
    """One output alone against many others: the ratio comes close to e^epsilon, both factors of it."""
    rng = np.random.default_rng(seed)
    apart = np.vstack([np.r_[0.0, np.ones(50)], np.r_[1.0, np.zeros(50)], rng.uniform(size=51)])
    inputs = np.vstack([np.eye(3), rng.dirichlet(np.ones(3), 5)])
    released = dpot.exponential(inputs, apart, epsilon)
    assert oracles.ratio_violations(released, epsilon) == []


def test_probabilities_that_leave_float64_vanish_for_all_inputs_or_for_none():
    """exp(-50 * 15.5) is 0 in float64 and exp(-50 * 13.5) is not: input 0 would never, input 1 could release it."""
    apart = np.array([[0.0, 15.5], [1.0, 14.5]])
    for epsilon in (90.0, 95.0, 100.0, 105.0, 700.0):
        released = dpot.exponential(np.eye(2), apart, epsilon)
        assert oracles.ratio_violations(released, epsilon) == []


def test_places_that_cannot_be_told_apart_are_released_alike():
    """All inputs at the same distance from every output: S = 0 and the output is the same for all inputs."""
    released = dpot.exponential(np.eye(3), np.full((3, 4), 2.0), 1.0)
    assert (released == released[0]).all()
    np.testing.assert_allclose(released.sum(axis=1), 1)


@pytest.mark.parametrize(
    "apart", [[[0, -1], [1, 0]], [[0, math.nan], [1, 0]], [[0, math.inf], [1, 0]], [0, 1], np.ones((3, 2))]
)
def test_bad_distances_are_refused(apart):
    with pytest.raises(ValueError, match=r"cost|distances|mu"):
        dpot.exponential([0.5, 0.5], apart, 1.0)


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(
    ("distances", "epsilon"),
    [
        ([[12.0, 4.0, 0.0, 4.0, 4.0], [11.0, 3.0, 1.0, 3.0, 3.0]], 700.0),
        ([[3.0, 11.0, 58.0, 2.0, 2.0], [4.0, 12.0, 59.0, 1.0, 1.0]], 700.0),
        ([[4.0, 3.0, 3.0, 8.0], [4.0, 3.0, 3.0, 8.0], [2.0, 1.0, 1.0, 10.0], [1.0, 0.0, 0.0, 11.0]], 700.0),
    ],
)
def test_an_output_that_underflows_for_one_input_is_released_for_none(distances, epsilon, alone):
    """e^(-epsilon u / 2 S) leaves float64 for one input and not for the other; asked together or one by one."""
    points = np.eye(len(distances))
    outputs = (
        np.stack([dpot.exponential(point, distances, epsilon) for point in points])
        if alone
        else dpot.exponential(points, distances, epsilon)
    )
    assert oracles.ratio_violations(outputs, epsilon) == []
