"""GKRR: exact d-privacy, exact decoder, two samplers of one distribution, one item per user."""

import itertools
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

import dpot_core as dpot
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.finite_kernels import achieved_rate
from dpot_core.mechanisms.metric.frequency import k_rr
from dpot_core.mechanisms.metric.gkrr import Gkrr, one_item_budget, one_item_rate
from dpot_core.mechanisms.metric.items import counts_of

spaces = st.builds(ClusteredSpace, st.integers(1, 6), st.integers(2, 6), st.floats(0.01, 1.0))
rates = st.floats(1e-3, 30.0)


@given(spaces, rates)
def test_rows_sum_to_one_and_the_rate_is_alpha_0_exactly(space: ClusteredSpace, alpha_0: float):
    matrix = Gkrr(space, alpha_0).matrix()
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, rtol=1e-13)
    # achieved_rate is the largest |log-ratio| / distance over all pairs of items and all reports.
    assert achieved_rate(matrix, space.space.distances()) == pytest.approx(alpha_0, rel=1e-9)


def test_the_weights_are_those_of_the_paper():
    space, a = ClusteredSpace(3, 2, 0.25), 2.0
    matrix = Gkrr(space, a).matrix()
    row = np.array([math.exp(a), math.exp(0.75 * a), 1, 1, 1, 1])
    np.testing.assert_allclose(matrix[0], row / row.sum(), rtol=1e-14)


@given(spaces, rates)
def test_the_decoder_is_the_inverse_of_the_matrix(space: ClusteredSpace, alpha_0: float):
    mechanism = Gkrr(space, alpha_0)
    scale = max(1.0, math.sqrt(mechanism.spreads()[0]))
    np.testing.assert_allclose(mechanism.decode(mechanism.matrix()), np.eye(len(space)), atol=1e-12 * scale)
    mixture = np.random.default_rng(1).dirichlet(np.ones(len(space)))
    assert mechanism.decode(mixture).sum() == pytest.approx(1.0, abs=1e-11 * scale)


@given(spaces, st.floats(0.05, 20.0))
def test_spreads_are_the_rows_of_the_inverse(space: ClusteredSpace, alpha_0: float):
    mechanism = Gkrr(space, alpha_0)
    inverse = np.linalg.inv(mechanism.matrix())
    points, clusters = mechanism.spreads()
    assert points == pytest.approx((inverse**2).sum(axis=1).max() - 1.0, rel=1e-6, abs=1e-9)
    assert clusters == pytest.approx((space.cluster_sums(inverse) ** 2).sum(axis=1).max() - 1.0, rel=1e-6, abs=1e-9)


def test_shares_are_the_matrix_as_a_mixture():
    space = ClusteredSpace(3, 4, 0.3)
    mechanism = Gkrr(space, 1.3)
    keep, inside, anywhere = mechanism.shares
    cluster = np.kron(np.eye(3), np.full((4, 4), 1 / 4))
    mixture = keep * np.eye(12) + inside * cluster + anywhere * np.full((12, 12), 1 / 12)
    np.testing.assert_allclose(mixture, mechanism.matrix(), rtol=1e-13)


def test_both_samplers_draw_from_the_matrix():
    space, rng = ClusteredSpace(2, 3, 0.4), np.random.default_rng(3)
    mechanism = Gkrr(space, 1.5)
    counts = np.array([40_000, 0, 10_000, 25_000, 5_000, 20_000])
    expected = counts @ mechanism.matrix()
    items = np.repeat(np.arange(6), counts)
    # Reports of one item kind at a time: the distribution of each row, not only of the sum.
    for item in range(6):
        alone = counts_of(mechanism.release(np.full(60_000, item), rng), 6)
        assert chi2(alone, mechanism.matrix()[item] * 60_000) < 25.7  # 99.99% of chi2 with 5 degrees
    for drawn in (counts_of(mechanism.release(items, rng), 6), mechanism.release_counts(counts, rng)):
        assert drawn.sum() == counts.sum()
        assert chi2(drawn, expected) < 25.7


def chi2(drawn: np.ndarray, expected: np.ndarray) -> float:
    return float(((drawn - expected) ** 2 / expected).sum())


def test_counts_of_several_users_keep_their_totals_and_agree_with_reports():
    space, rng = ClusteredSpace(3, 2, 0.4), np.random.default_rng(4)
    mechanism = Gkrr(space, 0.8)
    counts = rng.integers(0, 30, (500, 6))
    drawn = mechanism.release_counts(counts, rng)
    np.testing.assert_array_equal(drawn.sum(axis=1), counts.sum(axis=1))
    items = np.repeat(np.arange(6), counts.sum(axis=0))
    table = [drawn.sum(axis=0), counts_of(mechanism.release(items, rng), 6)]
    assert chi2_contingency(table).pvalue > 1e-4


def test_the_decoded_mean_is_the_histogram():
    space, rng = ClusteredSpace(4, 4, 0.2), np.random.default_rng(5)
    mechanism = Gkrr(space, 2.0)
    counts = rng.integers(0, 200, 16)
    runs = mechanism.release_counts(np.tile(counts, (4000, 1)), rng)
    estimates = mechanism.decode(runs)
    error = estimates.mean(axis=0) - counts
    np.testing.assert_array_less(np.abs(error), 4.5 * estimates.std(axis=0) / math.sqrt(4000))


def test_each_users_reports_come_in_random_order():
    mechanism = Gkrr(ClusteredSpace(2, 2, 0.5), 700.0)  # practically no noise: the reports are the items
    reports = mechanism.release(np.tile([0, 1, 2, 3], (4000, 1)), np.random.default_rng(6))
    np.testing.assert_array_equal(np.sort(reports, axis=1), np.tile([0, 1, 2, 3], (4000, 1)))
    first = np.bincount(reports[:, 0], minlength=4)
    assert chi2(first, np.full(4, 1000.0)) < 21.1


def test_with_r_one_it_is_k_ary_randomized_response():
    mechanism = k_rr(7, 1.2)
    truth = np.random.default_rng(7).dirichlet(np.ones(7))
    released = truth @ mechanism.matrix()
    np.testing.assert_allclose(released, dpot.randomized_response(truth, 1.2), atol=1e-12)
    np.testing.assert_allclose(mechanism.decode(released), dpot.decode_randomized_response(released, 1.2), atol=1e-12)


@given(st.floats(0.05, 6.0), st.floats(0.02, 1.0), st.integers(0, 10**6))
def test_one_random_item_keeps_its_rate_for_histories_of_any_lengths(alpha_0: float, r: float, seed: int):
    rng = np.random.default_rng(seed)
    space = ClusteredSpace(3, 3, r)
    matrix, alpha = Gkrr(space, alpha_0).matrix(), one_item_rate(alpha_0, r)
    first = rng.dirichlet(np.full(9, 0.2), 200)
    step = rng.random((200, 1)) ** 4  # many of the changes are small: there the bound is tight
    second = (1 - step) * first + step * np.eye(9)[rng.integers(9, size=200)]
    loss = np.abs(np.log(first @ matrix) - np.log(second @ matrix)).max(axis=1)
    assert (loss <= alpha * space.earth_movers(first, second) * (1 + 1e-9) + 1e-12).all()


def test_the_rate_of_one_random_item_is_reached():
    space = ClusteredSpace(3, 3, 0.3)
    matrix = Gkrr(space, 2.0).matrix()
    # A history far from the report's cluster; a little of it sits at the report's neighbour and moves to the report.
    before, after = 1e-7 * np.eye(9)[1] + (1 - 1e-7) * np.eye(9)[8], 1e-7 * np.eye(9)[0] + (1 - 1e-7) * np.eye(9)[8]
    loss = np.log(after @ matrix)[0] - np.log(before @ matrix)[0]
    assert loss / space.earth_movers(before, after) == pytest.approx(one_item_rate(2.0, 0.3), rel=1e-5)


@pytest.mark.parametrize("alpha", [1e-5, 0.1, 1.0, 25.0, 1e6])
@pytest.mark.parametrize("r", [1e-3, 0.2, 1.0])
def test_the_budget_of_one_item_is_the_inverse_on_the_private_side(alpha: float, r: float):
    spent = one_item_rate(one_item_budget(alpha, r), r)
    assert spent <= alpha
    assert spent == pytest.approx(alpha, rel=1e-9)


class Extreme:
    """A generator whose uniform numbers are as large as they get, while its digits are all zero."""

    def random(self, size=None):
        return np.full(size, 1.0 - 2.0**-53) if size is not None else 1.0 - 2.0**-53

    def integers(self, high, size=None):
        return np.zeros(size, dtype=np.int64)

    def permuted(self, array, axis=-1):
        return array


@pytest.mark.parametrize("alpha_0", [37.0, 50.0, 700.0])
def test_at_any_alpha_0_every_report_can_come_from_every_item(alpha_0: float):
    """`rng.random() < keep` with a keep that rounds to 1 never lets go of an item: infinite loss."""
    report = Gkrr(ClusteredSpace(2, 3, 0.5), alpha_0).release([5], Extreme())
    assert report.tolist() == [0]


@pytest.mark.parametrize("r", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("alpha_0", np.linspace(0.5, 30.0, 20).tolist())
def test_no_entry_exceeds_the_promise_not_even_by_rounding(alpha_0: float, r: float):
    """Exact decimal arithmetic on the entries as they are: 68 of 114 such cases were above by an ulp."""
    space = ClusteredSpace(3, 2, r)
    entries = [[Decimal(x) for x in row] for row in Gkrr(space, alpha_0).matrix()]
    distances = space.space.distances()
    for x, other in itertools.permutations(range(6), 2):
        most = (Decimal(alpha_0) * Decimal(float(distances[x, other]))).exp()
        assert all(p <= most * q for p, q in zip(entries[x], entries[other], strict=True))


def test_bad_input_is_refused():
    space = ClusteredSpace(2, 2, 0.5)
    for alpha_0 in (0.0, -1.0, 701.0, math.nan):
        with pytest.raises(ValueError, match="alpha_0 must lie in"):
            Gkrr(space, alpha_0)
    mechanism = Gkrr(space, 1.0)
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"items must lie in 0..3; got 0..4"):
        mechanism.release([0, 4], rng)
    with pytest.raises(ValueError, match="items must be whole numbers"):
        mechanism.release([0.5], rng)
    with pytest.raises(ValueError, match="at least one item"):
        mechanism.release([], rng)
    with pytest.raises(ValueError, match=r"counts must be whole numbers; got 1\.5"):
        mechanism.release_counts([1, 1.5, 0, 0], rng)
    with pytest.raises(ValueError, match="counts must not be negative"):
        mechanism.release_counts([1, -1, 0, 0], rng)
    with pytest.raises(ValueError, match="frequencies must have 4 entries"):
        mechanism.decode([1.0, 0.0])
    with pytest.raises(ValueError, match="r must lie in"):
        one_item_rate(1.0, 1.5)


def test_one_item_per_user_is_enough_to_release():
    reports = Gkrr(ClusteredSpace(2, 2, 0.5), 1.0).release([[2], [3]], np.random.default_rng(0))
    assert reports.shape == (2, 1)
