"""Divergences: known values, laws, zeros, batches, bad input."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.distributions.divergences import two_point_divergence
from tests import oracles
from tests.strategies import distributions

NAMES = ["kl", "tv", "hellinger", "chi2"]
pairs = st.integers(1, 10).flatmap(lambda k: st.tuples(distributions(k), distributions(k)))


def test_the_table_has_the_four_divergences():
    assert set(dpot.DIVERGENCES) == set(NAMES)


def test_known_values():
    p, q = [0.5, 0.5], [0.25, 0.75]
    assert dpot.kl(p, q) == pytest.approx(0.5 * math.log(4 / 3))
    assert dpot.total_variation(p, q) == pytest.approx(0.25)
    assert dpot.squared_hellinger(p, q) == pytest.approx(1 - math.sqrt(0.125) - math.sqrt(0.375))
    assert dpot.chi2(p, q) == pytest.approx(1 / 3)
    assert dpot.renyi(p, q, 2) == pytest.approx(math.log(4 / 3))
    assert dpot.max_divergence(p, q) == pytest.approx(math.log(2))


def test_hellinger_of_disjoint_supports_is_one_and_not_two():
    assert dpot.squared_hellinger([1, 0], [0, 1]) == 1


@given(pairs)
def test_divergences_equal_their_sums(pair):
    p, q = pair
    for name in NAMES:
        assert dpot.DIVERGENCES[name](p, q) == pytest.approx(oracles.f_divergence(p, q, name), rel=1e-9, abs=1e-12)


@given(pairs)
def test_laws_of_divergences(pair):
    p, q = pair
    for name in NAMES:
        assert dpot.DIVERGENCES[name](p, p) == pytest.approx(0, abs=1e-12)
    kl, tv, hellinger, chi2 = (dpot.DIVERGENCES[name](p, q) for name in NAMES)
    assert min(kl, tv, hellinger, chi2) >= 0
    assert max(tv, hellinger) <= 1 + 1e-12
    assert hellinger <= tv + 1e-12
    assert 2 * tv**2 <= kl + 1e-12  # Pinsker
    assert kl <= math.log1p(chi2) + 1e-9
    assert dpot.total_variation(q, p) == pytest.approx(tv)


@given(pairs)
def test_renyi_grows_with_its_order_from_kl_to_the_largest_log_ratio(pair):
    p, q = pair
    values = [dpot.renyi(p, q, order) for order in (0.5, 0.999999, 1, 1.000001, 2, 10, math.inf)]
    assert not any(math.isnan(v) for v in values)
    for low, high in pairwise(values):
        assert low <= high + 1e-6 * max(1.0, abs(high)) if math.isfinite(high) else True
    assert values[2] == pytest.approx(dpot.kl(p, q))
    assert values[-1] == dpot.max_divergence(p, q)


def test_mass_where_the_release_has_none_is_infinite_except_for_tv_and_hellinger():
    p, q = [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]
    assert dpot.kl(p, q) == dpot.chi2(p, q) == dpot.renyi(p, q, 2) == dpot.max_divergence(p, q) == math.inf
    assert dpot.total_variation(p, q) == 0.5
    assert dpot.squared_hellinger(p, q) == pytest.approx(0.5)


def test_rows_broadcast():
    p = np.array([[0.5, 0.5], [1.0, 0.0]])
    for function in dpot.DIVERGENCES.values():
        against_one = function(p, [0.25, 0.75])
        assert against_one.shape == (2,)
        assert against_one.tolist() == [function(row, [0.25, 0.75]) for row in p]
        assert function(p, p).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("p", "q", "word"),
    [
        ([0.5, 0.5], [1.0], "length"),
        ([0.5, 0.6], [0.5, 0.5], "normalise"),
        ([0.5, 0.5], [2.0, 0.0], "normalise"),
        ([np.nan, 1.0], [0.5, 0.5], "finite"),
        ([0.5, 0.5], [-0.5, 1.5], "negative"),
        (np.full((2, 2), 0.5), np.full((3, 2), 0.5), "rows"),
    ],
)
def test_bad_pairs_are_refused(p, q, word):
    for function in (*dpot.DIVERGENCES.values(), dpot.max_divergence):
        with pytest.raises(ValueError, match=word):
            function(p, q)


def test_renyi_refuses_orders_that_are_not_positive():
    for order in (0, -1, math.nan):
        with pytest.raises(ValueError, match="order"):
            dpot.renyi([0.5, 0.5], [0.5, 0.5], order)


@pytest.mark.parametrize("name", sorted(dpot.DIVERGENCES))
def test_two_ratios_are_the_worst_of_all_between_them(name):
    """R is attained by p/q in {r1, r2}, and no p with r1 <= p/q <= r2 is farther from q."""
    rng = np.random.default_rng(0)
    for lowest, largest in ((0.0, 3.0), (0.4, 1.7), (1.0, 1.0), (0.0, 1.0 + 1e-9)):
        bound = two_point_divergence(name, lowest, largest)
        if largest > lowest:
            share = (1 - lowest) / (largest - lowest)
            q = np.array([share, 1 - share])
            divergence = dpot.DIVERGENCES[name](q * [largest, lowest], q)
            assert divergence == pytest.approx(bound, rel=1e-9, abs=1e-15)
        q = rng.dirichlet(np.ones(6), 20)
        ratio = rng.uniform(lowest, min(largest, 1.0), q.shape)
        # Mixed with a ratio above 1 so that p sums to 1.
        p = q * ratio
        p += q * (largest - ratio) * ((1 - p.sum(axis=1)) / (q * (largest - ratio)).sum(axis=1).clip(1e-300))[:, None]
        if largest > lowest:
            assert (dpot.DIVERGENCES[name](p, q) <= bound + 1e-9).all()


def test_two_ratios_must_lie_around_one():
    for arguments, word in ((("js", 0.0, 2.0), "name"), (("kl", 1.1, 2.0), "lowest"), (("kl", 0.0, 0.9), "largest")):
        with pytest.raises(ValueError, match=word):
            two_point_divergence(*arguments)


@pytest.mark.parametrize("name", NAMES)
def test_rows_know_their_generator_and_their_range(name: str) -> None:
    row = dpot.DIVERGENCES[name]
    p, q = np.array([0.7, 0.3, 0.0]), np.array([0.2, 0.3, 0.5])
    assert row(p, q) == pytest.approx(float((q * row.generator(p / q)).sum()), rel=1e-12)
    assert row([1.0, 0.0], [0.0, 1.0]) == row.largest
    assert row.axis == (f"{row.label} (nats)" if name == "kl" else row.label)
