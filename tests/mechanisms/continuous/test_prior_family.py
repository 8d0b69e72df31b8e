"""Densities within a factor of a public one: bounds and worst case in closed form, Laplace mixtures as published."""

import math

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.distributions.divergences import two_point_divergence
from dpot_core.mechanisms.near_prior import worst_case_near_prior

ENDS = (-math.inf, math.inf)


def laplace(x, centre=0.0):
    return np.exp(-np.abs(x - centre)) / 2


def around(gamma: float, scale: float = 1.0) -> dpot.DensityFamily:
    """Near the Laplace density; what is given of it need not have integral 1."""
    return dpot.continuous.prior_family(lambda x: scale * laplace(x), gamma, ENDS, edges=np.arange(-40.0, 41.0))


@pytest.mark.parametrize("gamma", [1.7, math.e, 9.0])
@pytest.mark.parametrize("epsilon", [0.1, 0.9, 4.0])
def test_bounds_and_worst_case_are_those_of_the_paper(gamma, epsilon):
    family, power = around(gamma, scale=3.0), math.exp(epsilon)
    low, high = (power + gamma) / (gamma * (gamma + 1)), gamma * (power + gamma) / (power * (gamma + 1))
    assert (family.c1, family.c2) == pytest.approx((1 / gamma, gamma), rel=1e-8)
    assert family.is_trivial(epsilon) == (power >= gamma**2)
    for name in dpot.DIVERGENCES:
        expected = two_point_divergence(name, low, high) if low < 1 else 0.0
        assert family.worst_case(name, epsilon) == pytest.approx(expected, rel=1e-6)
    if power < gamma**2:
        assert family.level(epsilon) == pytest.approx(math.exp(epsilon / 2) * (gamma + 1) / (gamma + power), rel=1e-8)


def test_a_density_has_the_worst_case_that_many_points_have():
    """A uniform prior on k points, gamma + 1 a divisor of k: the same value as on a continuum."""
    for epsilon in (0.3, 1.0):
        family = around(4.0)
        for name in dpot.DIVERGENCES:
            finite = worst_case_near_prior(name, np.ones(10), epsilon, 4.0)
            assert finite.at_least == pytest.approx(family.worst_case(name, epsilon), rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_a_laplace_mixture_is_nearer_than_by_the_sampler_for_a_larger_family(epsilon):
    """As in the published comparison: centres within 1 and scale 1 give gamma = e; the global family allows 3 e."""
    near, wide = around(math.e), around(3 * math.e)
    lost = {"near": [], "wide": []}
    for centres, weights in (([1.0], [1.0]), ([-1.0, 0.5], [0.8, 0.2])):

        def p(x, centres=centres, weights=weights):
            return sum(w * laplace(x, c) for w, c in zip(weights, centres, strict=True))

        for name, family in (("near", near), ("wide", wide)):
            out = dpot.kl_projection_density(p, family, epsilon, tolerance=1e-6)
            assert not out.problem
            lost[name].append(out.divergences()["kl"])
            assert lost[name][-1] <= family.worst_case("kl", epsilon)
    assert max(lost["near"]) < 0.8 * max(lost["wide"])


def test_factors_below_one_are_refused():
    with pytest.raises(ValueError, match="gamma"):
        around(0.5)
