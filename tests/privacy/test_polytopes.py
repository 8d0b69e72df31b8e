"""The LDP polytope: exact privacy of its bounds, membership, projection, repair, the ends of the feasible interval."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import rel_entr

import dpot_core as dpot
from tests import oracles
from tests.strategies import bases, distributions, epsilons

ULP = np.finfo(float).eps


@st.composite
def polytopes(draw, largest=12):
    k = draw(st.integers(1, largest))
    epsilon = draw(epsilons)
    return dpot.Polytope(draw(bases(k, epsilon)), epsilon)


def assert_inside(nu, Q):
    """What the issue asks for: float comparisons with both bounds, sum 1 within one ulp per entry."""
    nu = np.atleast_2d(nu)
    assert (nu <= Q.upper).all()
    assert (nu >= Q.lower).all()
    for row in nu:
        assert oracles.sum_error_in_ulps(row) <= nu.shape[1]
    assert np.all(Q.contains(nu))


# ---------------------------------------------------------------- bounds


@given(polytopes())
def test_upper_over_lower_never_exceeds_the_exact_e_to_the_epsilon(Q):
    for low, high in zip(Q.lower, Q.upper, strict=True):
        assert 0 <= low <= high <= 1
        assert oracles.at_most_exp(float(high), float(low), Q.epsilon)


@given(polytopes())
def test_bounds_are_the_ones_of_the_base(Q):
    """Rounding inward moves them by a few ulp and no more: utility is not given away either."""
    normal = Q.base > 1e-250
    alpha, beta = math.exp(-Q.epsilon / 2), math.exp(Q.epsilon / 2)
    np.testing.assert_allclose(Q.lower[normal], np.minimum(alpha * Q.base[normal], 1), rtol=1e-13)
    np.testing.assert_allclose(Q.upper[normal], np.minimum(beta * Q.base[normal], 1), rtol=1e-13)
    assert (Q.upper[Q.base == 0] == 0).all()


@given(polytopes())
def test_there_is_always_a_point_inside(Q):
    assert_inside(Q.repair(np.full(Q.lower.size, 1 / Q.lower.size)), Q)


def test_masses_near_the_end_of_float64_keep_the_ratio():
    """alpha * m underflows here; the lower bound must then be rounded up and not to 0 under a positive upper one."""
    for epsilon in (1e-6, 1.0, 100.0, 700.0):
        Q = dpot.Polytope([1.0, 5e-324, 1e-320, 1e-308, 1e-300, 0.0], epsilon)
        for low, high in zip(Q.lower, Q.upper, strict=True):
            assert low <= high, "between crossed bounds lies no output"
            assert oracles.at_most_exp(float(high), float(low), epsilon)


def test_attributes_are_kept_and_cannot_be_changed():
    base = np.array([0.5, 0.5])
    Q = dpot.Polytope(base, 1.0)
    base[0] = 9.0
    assert Q.base.tolist() == [0.5, 0.5]
    assert Q.epsilon == 1.0
    with pytest.raises(ValueError, match="read-only"):
        Q.upper[0] = 1.0
    with pytest.raises(AttributeError):
        Q.epsilon = 5.0


# ---------------------------------------------------------------- feasible interval


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 2.0, 36.0, 100.0, 700.0])
@pytest.mark.parametrize("end", [-0.5, 0.5])
def test_both_ends_of_the_interval_are_feasible(epsilon, end):
    for k in (1, 2, 7, 400):
        Q = dpot.Polytope(np.full(k, math.exp(epsilon * end) / k), epsilon)
        assert_inside(Q.repair(np.full(k, 1 / k)), Q)


def test_a_mass_that_misses_by_rounding_is_scaled_in():
    Q = dpot.Polytope(np.full(5, math.e / 5 * (1 + 1e-10)), 2.0)
    assert Q.base.sum() == pytest.approx(math.e, rel=1e-9)
    assert_inside(Q.repair(np.full(5, 0.2)), Q)


@pytest.mark.parametrize("mass", [0.1, math.exp(-1) * (1 - 1e-6), math.e * (1 + 1e-6), 30.0])
def test_an_empty_polytope_is_refused_with_the_feasible_interval(mass):
    with pytest.raises(ValueError, match="empty") as error:
        dpot.Polytope(np.full(4, mass / 4), 2.0)
    assert "0.367879" in str(error.value)
    assert "2.71828" in str(error.value)
    assert f"{mass:.6g}" in str(error.value)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize("epsilon", [0, -1, 1e6, 1e-10, math.nan, math.inf, "two", None])
def test_bad_epsilon_is_refused(epsilon):
    with pytest.raises(ValueError, match="epsilon"):
        dpot.Polytope([0.5, 0.5], epsilon)


@pytest.mark.parametrize(
    "base", [[], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], [-0.5, 1.5], [[0.5, 0.5]], "ab", [1e308, 1e308]]
)
def test_bad_base_is_refused(base):
    with pytest.raises(ValueError, match="base"):
        dpot.Polytope(base, 1.0)


@pytest.mark.parametrize("bad", [[0.5], [0.2, 0.3, 0.5], [math.nan, 1.0], [-0.5, 1.5], [[[0.5, 0.5]]]])
def test_vectors_that_do_not_fit_are_refused(bad):
    Q = dpot.Polytope([0.5, 0.5], 1.0)
    for method in (Q.contains, Q.repair, Q.project_kl):
        with pytest.raises(ValueError, match=r"shape|finite|negative"):
            method(bad)


# ---------------------------------------------------------------- membership and repair


def test_contains_looks_at_bounds_and_sum():
    Q = dpot.Polytope(np.full(4, 0.25), 1.0)
    high, low = float(Q.upper[0]), float(Q.lower[0])
    above, below = np.nextafter(high, 1), np.nextafter(low, 0)
    assert Q.contains(np.full(4, 0.25))
    assert Q.contains([high, *[(1 - high) / 3] * 3])
    assert not Q.contains([above, *[(1 - above) / 3] * 3])
    assert Q.contains([low, *[(1 - low) / 3] * 3])
    assert not Q.contains([below, *[(1 - below) / 3] * 3])
    assert not Q.contains([0.25, 0.25, 0.25, 0.25 + 8 * ULP])
    assert Q.contains([np.full(4, 0.25), [1.0, 0.0, 0.0, 0.0]]).tolist() == [True, False]
    assert Q.contains([np.full(4, 0.25), [0.25, 0.25, 0.25, 0.25 + 8 * ULP]]).tolist() == [True, False]


@given(st.data(), polytopes())
def test_repair_lands_inside_from_anywhere(data, Q):
    k = Q.lower.size
    weights = data.draw(st.lists(st.floats(0, 1e6) | st.just(1e-300) | st.just(0.0), min_size=k, max_size=k))
    assert_inside(Q.repair(weights), Q)
    assert_inside(Q.repair(data.draw(distributions(k))), Q)


@given(st.data(), polytopes())
def test_repair_leaves_what_is_inside_almost_alone(data, Q):
    """A point of Q moved by rounding errors of size 1e-12 is moved back by no more than such errors."""
    inside = Q.repair(data.draw(distributions(Q.lower.size)))
    assert np.abs(Q.repair(inside) - inside).max() <= 2 * inside.size * ULP
    shaken = np.maximum(inside + 1e-12 * np.random.default_rng(0).standard_normal(inside.size), 0)
    assert np.abs(Q.repair(shaken) - inside).sum() <= 1e-10 * inside.size


@given(polytopes(), st.integers(0, 2**32 - 1))
def test_two_repaired_vectors_keep_the_exact_ratio(Q, seed):
    rows = np.random.default_rng(seed).dirichlet(np.full(Q.lower.size, 0.2), 6)
    assert oracles.ratio_violations(Q.repair(rows), Q.epsilon) == []


# ---------------------------------------------------------------- KL projection


@given(st.data(), polytopes())
def test_kl_projection_equals_bisection_where_the_input_is_positive(data, Q):
    s = np.maximum(data.draw(distributions(Q.lower.size)), 1e-200)
    projected = Q.project_kl(s)
    assert_inside(projected, Q)
    np.testing.assert_allclose(projected, oracles.kl_projection(s, Q.lower, Q.upper), rtol=1e-7, atol=1e-11)


@given(st.data(), polytopes())
def test_kl_projection_equals_bisection_where_zeros_can_stay_low(data, Q):
    s = data.draw(distributions(Q.lower.size))
    assume(Q.upper[s > 0].sum() + Q.lower[s == 0].sum() >= 1 + 1e-9)
    np.testing.assert_allclose(Q.project_kl(s), oracles.kl_projection(s, Q.lower, Q.upper), rtol=1e-7, atol=1e-11)


@given(st.data(), polytopes())
def test_kl_projection_lies_inside_whatever_is_projected(data, Q):
    s = data.draw(distributions(Q.lower.size)) * data.draw(st.sampled_from([1e-200, 1.0, 1e200]))
    assert_inside(Q.project_kl(s), Q)


@given(st.data(), polytopes(), st.sampled_from([1e-100, 1e-3, 7.0, 1e100]))
def test_kl_projection_ignores_the_scale(data, Q, scale):
    s = np.maximum(data.draw(distributions(Q.lower.size)), 1e-100)
    np.testing.assert_allclose(Q.project_kl(s * scale), Q.project_kl(s), rtol=1e-8, atol=1e-12)


@given(st.data(), polytopes())
def test_kl_projection_is_the_nearest_point(data, Q):
    """No other point of Q is nearer in KL: checked along the segments to random points of Q."""
    s = dpot.normalise(np.maximum(data.draw(distributions(Q.lower.size)), 1e-6))
    used = Q.upper > 0
    projected = Q.project_kl(s)[used]
    here = float(rel_entr(projected, s[used]).sum())
    for _ in range(3):
        other = Q.repair(data.draw(distributions(Q.lower.size)))[used]
        for t in (1.0, 0.1, 1e-3):
            there = projected + t * (other - projected)
            assert rel_entr(there, s[used]).sum() >= here - 1e-11


def test_kl_projection_of_a_point_of_q_is_that_point():
    Q = dpot.Polytope(np.full(4, 0.25), 1.0)
    inside = np.array([0.2, 0.3, 0.22, 0.28])
    np.testing.assert_allclose(Q.project_kl(inside), inside, atol=1e-15)


def test_kl_projection_of_a_zero_vector_is_inside():
    """s underflows to 0 everywhere when reg is tiny; the answer must still be private."""
    Q = dpot.Polytope([0.1, 0.2, 0.3], 2.0)
    assert_inside(Q.project_kl(np.zeros(3)), Q)


@settings(max_examples=20)
@given(st.data(), polytopes(largest=6))
def test_a_batch_equals_one_by_one(data, Q):
    rows = np.stack([data.draw(distributions(Q.lower.size)) for _ in range(4)])
    for method in (Q.project_kl, Q.repair):
        np.testing.assert_allclose(method(rows), np.stack([method(row) for row in rows]), atol=1e-14)


def test_one_point_leaves_no_choice():
    Q = dpot.Polytope([1.0], 3.0)
    for method in (Q.project_kl, Q.repair):
        assert Fraction(float(method([1.0])[0])) == 1
