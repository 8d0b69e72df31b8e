"""KPM around a public prior: privacy for every input, the worst case near the prior, and that no channel is better."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

import dpot_core as dpot
from dpot_core.mechanisms.near_prior import corners_near_prior, minimax_base_near_prior, worst_case_near_prior
from tests import oracles
from tests.strategies import distributions, epsilons

gammas = st.one_of(st.sampled_from([1.0, 1.5, 2.0, 4.0, 1e6, math.inf]), st.floats(1.0, 30.0))
SPLIT = (1 / 3, 1 / 3, 1 / 6, 1 / 6)  # three parts of equal mass, though its points are not alike


def corners(prior, gamma: float) -> np.ndarray:
    """All corners of {P0 / gamma <= P <= gamma P0, sum 1}: each coordinate at an end, but for one."""
    prior, found = np.asarray(prior, dtype=float), set()
    least, most = prior / gamma, np.minimum(gamma * prior, 1.0)
    for free in range(len(prior)):
        others = [j for j in range(len(prior)) if j != free]
        for high in itertools.product((False, True), repeat=len(others)):
            point = least.copy()
            point[others] = np.where(high, most[others], least[others])
            point[free] = 1.0 - point[others].sum()
            if least[free] - 1e-12 <= point[free] <= most[free] + 1e-12:
                found.add(tuple(np.round(np.clip(point, least, most), 13)))
    return np.array(sorted(found))


def best_channel(name: str, inputs: np.ndarray, outputs: np.ndarray, epsilon: float) -> float:
    """A lower bound of the largest D_f(P || Q(P)) of any epsilon-LDP channel Q from these inputs, by a linear program.

    D_f is convex in Q(P): each divergence is replaced by its tangent at the outputs given, so that the bound is tight
    if they are optimal. Variables: the value, the measure l, and all Q(P) with l <= Q(P) <= e^epsilon l.
    """
    slopes = {
        "kl": lambda x: -x,
        "tv": lambda x: -np.sign(x - 1.0) / 2,
        "hellinger": lambda x: (1.0 - np.sqrt(x)) / 2,
        "chi2": lambda x: 1.0 - x**2,
    }
    n, k = inputs.shape
    slope = slopes[name](inputs / outputs)
    value = np.array([oracles.f_divergence(p, q, name) for p, q in zip(inputs, outputs, strict=True)])
    each, shared = sparse.identity(n * k), sparse.vstack([sparse.identity(k)] * n)
    rows = sparse.block_diag([row[None, :] for row in slope])
    below = sparse.bmat(
        [
            [-np.ones((n, 1)), sparse.csr_matrix((n, k)), rows],
            [None, shared, -each],
            [None, -math.exp(epsilon) * shared, each],
        ]
    )
    sums = sparse.hstack([sparse.csr_matrix((n, 1 + k)), sparse.block_diag([np.ones((1, k))] * n)])
    limits = np.concatenate([(slope * outputs).sum(axis=1) - value, np.zeros(2 * n * k)])
    solved = linprog(
        np.eye(1, 1 + k + n * k)[0], below, limits, sums, np.ones(n), [(None, None)] + [(0, 1)] * (k + n * k)
    )
    assert solved.status == 0
    return float(solved.fun)


@given(st.data(), st.integers(1, 7), epsilons, gammas)
def test_every_input_is_private_near_the_prior_or_not(data, k, epsilon, gamma):
    prior = data.draw(distributions(k))
    inputs = np.vstack([np.eye(k), prior, data.draw(distributions(k))])
    released = dpot.kl_projection_near_prior(inputs, prior, epsilon, gamma)
    assert oracles.ratio_violations(released, epsilon) == []
    assert dpot.Polytope(minimax_base_near_prior(prior, epsilon, gamma), epsilon).contains(released).all()


@pytest.mark.parametrize("name", dpot.DIVERGENCES)
@pytest.mark.parametrize(
    ("prior", "gamma", "epsilon"),
    [
        ([1 / 2] * 2, 5.0, 0.5),
        ([1 / 3] * 3, 3.0, 1.0),
        ([1 / 4] * 4, math.inf, 1.0),
        ([1 / 4] * 4, 3.0, 0.3),
        (SPLIT, 2.0, 1.0),
        ([1 / 5] * 5, 1.5, 0.4),
    ],
)
def test_no_channel_has_a_smaller_worst_case_where_points_have_equal_parts(name, prior, gamma, epsilon):
    inputs = corners(prior, gamma)
    released = dpot.kl_projection_near_prior(inputs, prior, epsilon, gamma)
    worst = worst_case_near_prior(name, prior, epsilon, gamma)
    assert worst.at_least == worst.at_most > 0
    assert max(oracles.f_divergence(p, q, name) for p, q in zip(inputs, released, strict=True)) == pytest.approx(
        worst.at_most, rel=1e-9
    )
    assert best_channel(name, inputs, released, epsilon) == pytest.approx(worst.at_most, rel=1e-7)


def test_elsewhere_a_channel_can_be_better_and_the_worst_case_lies_in_its_bracket():
    """No points of this prior have mass 1 / (gamma + 1) together: the value of KPM around it is no closed form."""
    prior, gamma, epsilon = [0.5, 0.3, 0.2], 2.2, 0.5
    inputs = corners(prior, gamma)
    released = dpot.kl_projection_near_prior(inputs, prior, epsilon, gamma)
    for name in dpot.DIVERGENCES:
        worst = worst_case_near_prior(name, prior, epsilon, gamma)
        reached = max(oracles.f_divergence(p, q, name) for p, q in zip(inputs, released, strict=True))
        assert worst.at_least <= reached * (1 + 1e-9) and reached <= worst.at_most * (1 - 1e-3)
        assert best_channel(name, inputs, released, epsilon) < reached * (1 - 1e-3)


def test_around_a_prior_of_few_points_kpm_can_be_nearer_in_the_worst_case():
    prior, gamma, epsilon = [0.5, 0.3, 0.2], 4.0, 1.0
    inputs = corners(prior, gamma)
    kpm = dpot.kl_projection(inputs, dpot.Polytope(dpot.minimax_base_kl(3, epsilon), epsilon))
    ours = dpot.kl_projection_near_prior(inputs, prior, epsilon, gamma)
    for row in dpot.DIVERGENCES.values():
        assert row(inputs, kpm).max() < row(inputs, ours).max()


@given(st.data(), st.integers(2, 6), st.floats(0.05, 4.0), st.floats(1.0, 20.0))
def test_no_input_near_the_prior_exceeds_the_worst_case(data, k, epsilon, gamma):
    prior = dpot.normalise(np.maximum(data.draw(distributions(k)), 1e-4))
    near = np.vstack([corners(prior, gamma), corners_near_prior(prior, gamma)])
    released = dpot.kl_projection_near_prior(near, prior, epsilon, gamma)
    for name, row in dpot.DIVERGENCES.items():
        reached, worst = row(near, released).max(), worst_case_near_prior(name, prior, epsilon, gamma)
        assert worst.at_least * (1 - 1e-8) - 1e-12 <= reached <= worst.at_most * (1 + 1e-8) + 1e-10


@given(st.data(), st.integers(1, 9), epsilons)
def test_around_the_uniform_prior_it_is_kpm(data, k, epsilon):
    mu = data.draw(distributions(k))
    kpm = dpot.kl_projection(mu, dpot.Polytope(dpot.minimax_base_kl(k, epsilon), epsilon))
    for gamma in (math.inf, 1e9):
        if math.exp(epsilon / 2) <= k - 1 or math.isinf(gamma):
            found = dpot.kl_projection_near_prior(mu, np.ones(k), epsilon, gamma)
            np.testing.assert_allclose(found, kpm, rtol=1e-9, atol=1e-14)


@given(st.data(), st.integers(2, 7), st.floats(0.05, 6.0), st.floats(0.0, 1.0))
def test_an_input_near_the_prior_is_released_as_it_is(data, k, epsilon, share):
    """With gamma <= e^(epsilon/2) the outputs are those of the relative mollifier, and inputs that near are kept."""
    prior = dpot.normalise(np.maximum(data.draw(distributions(k)), 1e-3))
    gamma = math.exp(share * epsilon / 2)
    near = corners(prior, math.exp(epsilon / 2) * (1 - 1e-9))
    released = dpot.kl_projection_near_prior(near, prior, epsilon, gamma)
    np.testing.assert_allclose(released, near, rtol=1e-7)
    assert worst_case_near_prior("kl", prior, epsilon, gamma) == (0.0, 0.0)
    if prior.min() <= 1 / (1 + math.exp(epsilon / 2)):
        mu = data.draw(distributions(k))
        expected = dpot.relative_mollifier(mu, prior, epsilon)
        np.testing.assert_allclose(
            dpot.kl_projection_near_prior(mu, prior, epsilon, gamma), expected, rtol=1e-9, atol=1e-14
        )


@pytest.mark.parametrize("k", [10, 20, 100])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
def test_kpm_around_prior_has_the_values_of_the_published_figures(k, epsilon):
    """Uniform prior, gamma = k/2 - 1: r1, r2 as in the authors' program of Figures 3, 5 and 6; always below KPM's."""
    gamma, power = k / 2 - 1, math.exp(epsilon)
    low, high = (power + gamma) / (gamma * (gamma + 1)), gamma * (power + gamma) / (power * (gamma + 1))
    for name, row in dpot.DIVERGENCES.items():
        f_low, f_high = row.generator(np.array([low, high]))
        printed = ((1 - low) * f_high + (high - 1) * f_low) / (high - low)
        worst = worst_case_near_prior(name, np.ones(k), epsilon, gamma)
        assert worst.at_least == worst.at_most == pytest.approx(printed, rel=1e-12)
        assert worst.at_most < dpot.worst_case_divergence(name, k, epsilon)


def test_without_a_prior_the_row_of_the_table_is_kpm_and_with_one_it_is_the_function():
    space = dpot.ring(6)
    mu, prior = np.array([0.5, 0.3, 0.1, 0.1, 0.0, 0.0]), np.array([4.0, 3.0, 2.0, 1.0, 1.0, 1.0])
    known = {"cost": dpot.cost_matrix(space, p=1), "distances": space.distances(), "base": dpot.uniform_base(6)}
    bare = dpot.Public(epsilon=1.0, **known)
    np.testing.assert_array_equal(dpot.MECHANISMS["kpm-prior"](bare)(mu), dpot.MECHANISMS["kpm"](bare)(mu))
    near = dpot.Public(epsilon=1.0, prior=prior, gamma=2.5, **known)
    expected = dpot.kl_projection_near_prior(mu, prior, 1.0, 2.5)
    np.testing.assert_array_equal(dpot.MECHANISMS["kpm-prior"](near)(mu), expected)


@pytest.mark.parametrize(
    ("prior", "gamma", "word"),
    [
        ([0.0, 0.0], 2.0, "prior"),
        ([0.5, -0.5], 2.0, "prior"),
        ([0.5, 0.5], 0.9, "gamma"),
        ([0.5, 0.5], math.nan, "gamma"),
    ],
)
def test_bad_priors_and_factors_are_refused(prior, gamma, word):
    with pytest.raises(ValueError, match=word):
        minimax_base_near_prior(prior, 1.0, gamma)
    with pytest.raises(ValueError, match=word):
        dpot.Public(np.ones((2, 2)), np.ones((2, 2)), 1.0, np.full(2, 0.5), prior=np.array(prior), gamma=gamma)
