"""Exact certificates: against brute force over all pairs, zeros, polytopes, comparison with e^epsilon."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import bases, epsilons

entries = st.one_of(st.just(0.0), st.just(1e-300), st.just(5e-324), st.floats(1e-3, 1.0), st.integers(1, 9).map(float))
matrices = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(entries, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


@given(matrices.filter(lambda rows: any(x > 0 for row in rows for x in row)))
def test_certify_equals_brute_force_over_all_pairs(rows):
    certificate = dpot.certify(rows)
    ratio, output = oracles.largest_ratio(rows)
    if ratio == math.inf:
        assert certificate == math.inf
        assert certificate.ratio is None
        assert certificate.output == output
        assert not certificate.holds(700.0)
    else:
        assert certificate.ratio == ratio
        column = [Fraction(row[certificate.output]) for row in rows]
        assert ratio == max(column) / min(column)


@pytest.mark.slow
@given(matrices.filter(lambda rows: all(x > 0 for row in rows for x in row)))
def test_the_float_is_the_logarithm_rounded_up(rows):
    certificate = dpot.certify(rows)
    value = float(certificate)
    _, high = oracles.exp_bounds(value)
    assert certificate.ratio <= high
    assert value == pytest.approx(
        math.log(certificate.ratio.numerator) - math.log(certificate.ratio.denominator), rel=1e-12, abs=1e-12
    )
    if value > 0:
        assert oracles.exp_bounds(math.nextafter(math.nextafter(value, 0), 0))[0] < certificate.ratio


@given(matrices.filter(lambda rows: all(x > 0 for row in rows for x in row)), epsilons)
def test_holds_compares_exactly(rows, epsilon):
    certificate = dpot.certify(rows)
    assert certificate.holds(epsilon) == oracles.at_most_exp(certificate.ratio, 1, epsilon)


def test_holds_sees_the_last_bit():
    """Two ratios one ulp apart on both sides of e."""
    below = float(math.e)  # the float below the number e
    assert Fraction(below) < oracles.exp_bounds(1.0)[0]
    above = math.nextafter(below, 3.0)
    assert dpot.certify([[below], [1.0]]).holds(1.0)
    assert not dpot.certify([[above], [1.0]]).holds(1.0)
    assert float(dpot.certify([[above], [1.0]])) > 1.0


@given(st.data(), st.integers(1, 10), epsilons)
def test_every_polytope_is_certified_at_its_own_epsilon(data, k, epsilon):
    Q = dpot.Polytope(data.draw(bases(k, epsilon)), epsilon)
    certificate = dpot.certify(Q)
    assert certificate.holds(epsilon)
    assert certificate == dpot.certify(np.stack([Q.lower, Q.upper]))


def test_the_certificate_of_a_polytope_is_tight():
    Q = dpot.Polytope(np.full(10, 0.1), 2.0)
    assert float(dpot.certify(Q)) == pytest.approx(2.0, abs=1e-13)


def test_zeros():
    assert dpot.certify([[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]]).ratio == 2
    hidden = dpot.certify([[0.5, 0.5, 0.0], [0.5, 0.25, 0.25]])
    assert hidden == math.inf
    assert hidden.output == 2


def test_one_row_has_nothing_to_tell():
    certificate = dpot.certify([0.2, 0.8])
    assert certificate == 0
    assert certificate.ratio == 1
    assert certificate.holds(1e-9)


def test_a_certificate_survives_a_pickle():
    certificate = dpot.certify([[0.5, 0.5], [0.25, 0.75]])
    again = pickle.loads(pickle.dumps(certificate))
    assert (float(again), again.ratio, again.output) == (float(certificate), certificate.ratio, certificate.output)


@pytest.mark.parametrize(
    "matrix", [[], [[]], [[0.0, 0.0]], [[math.nan, 1.0]], [[math.inf, 1.0]], [[-0.5, 1.5]], "ab", [[[0.5]]]]
)
def test_bad_matrices_are_refused(matrix):
    with pytest.raises(ValueError, match="matrix"):
        dpot.certify(matrix)
    with pytest.raises(ValueError, match="epsilon"):
        dpot.certify([[1.0]]).holds(math.nan)
