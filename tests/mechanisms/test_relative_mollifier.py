"""The relative mollifier: formula, the ball that it stays in, worst case, what is infeasible."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import distributions, epsilons


@given(st.data(), st.integers(1, 8), epsilons)
def test_the_mollifier_stays_in_the_ball_around_the_reference(data, k, epsilon):
    reference = dpot.normalise(np.maximum(data.draw(distributions(k)), 1e-9))
    inputs = np.vstack([np.eye(k), data.draw(distributions(k))])
    released = dpot.relative_mollifier(inputs, reference, epsilon)
    slack = 1 + 1e-12
    assert (released <= math.exp(epsilon / 2) * reference * slack).all()
    assert (released * slack >= math.exp(-epsilon / 2) * reference).all()
    assert oracles.ratio_violations(released, epsilon) == []


@given(st.data(), st.integers(1, 8), epsilons)
def test_where_the_printed_formula_has_an_r_it_is_that(data, k, epsilon):
    """clip(P / r, e^(-eps/2) q0, e^(eps/2) q0), equation (6); positive inputs always have such an r."""
    reference = dpot.normalise(np.maximum(data.draw(distributions(k)), 1e-6))
    mu = dpot.normalise(np.maximum(data.draw(distributions(k)), 1e-9))
    low, high = math.exp(-epsilon / 2) * reference, math.exp(epsilon / 2) * reference
    expected = oracles.kl_projection(mu, low, high)
    np.testing.assert_allclose(dpot.relative_mollifier(mu, reference, epsilon), expected, rtol=1e-7, atol=1e-11)


def test_a_point_input_has_no_r_and_still_gets_the_nearest_output():
    """The formula's sum stays below 1 for every r here (section 2.3 of the paper); KL still has a minimum."""
    q0, epsilon = np.full(4, 0.25), 1.0
    released = dpot.relative_mollifier(dpot.dirac(4, 2), q0, epsilon)
    largest = min(math.exp(0.5) / 4, math.exp(-0.5) / 4 + 1 - math.exp(-0.5))
    assert released[2] == pytest.approx(largest, rel=1e-12)
    np.testing.assert_allclose(released[[0, 1, 3]], (1 - largest) / 3, rtol=1e-9)


@pytest.mark.parametrize("name", ["kl", "tv", "hellinger", "chi2"])
@pytest.mark.parametrize(("k", "epsilon"), [(2, 0.1), (5, 1.0), (10, 3.0), (10, 6.0)])
def test_the_worst_divergence_is_attained_at_a_point_and_never_exceeded(name, k, epsilon):
    rng = np.random.default_rng(k)
    q0 = np.full(k, 1 / k)
    worst = dpot.worst_case_divergence(name, k, epsilon, mechanism="mollifier")
    points = np.eye(k)
    reached = dpot.DIVERGENCES[name](points, dpot.relative_mollifier(points, q0, epsilon))
    others = np.vstack([rng.dirichlet(np.full(k, c), 200) for c in (0.02, 0.3, 3.0)])
    elsewhere = dpot.DIVERGENCES[name](others, dpot.relative_mollifier(others, q0, epsilon))
    assert elsewhere.max() <= worst * (1 + 1e-9)
    np.testing.assert_allclose(reached, reached[0], rtol=1e-9)
    np.testing.assert_allclose(reached[0], worst, rtol=1e-9)


def test_mass_where_the_reference_has_none_is_reported_as_infeasible():
    with pytest.raises(ValueError, match="infeasible"):
        dpot.relative_mollifier([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], 1.0)
    inside = dpot.relative_mollifier([0.0, 0.5, 0.5], [0.0, 0.5, 0.5], 1.0)
    np.testing.assert_allclose(inside, [0, 0.5, 0.5])


@pytest.mark.parametrize(
    ("reference", "word"),
    [
        ([0.5, 0.5], "length|mu"),
        ([0.0, 0.0, 0.0], "reference"),
        ([math.nan, 0.5, 0.5], "reference"),
        ([-0.5, 1.0, 0.5], "reference"),
        ([5.0, 5.0, 5.0], "empty|infeasible"),
    ],
)
def test_bad_references_are_refused(reference, word):
    with pytest.raises(ValueError, match=word):
        dpot.relative_mollifier([0.2, 0.3, 0.5], reference, 1.0)
