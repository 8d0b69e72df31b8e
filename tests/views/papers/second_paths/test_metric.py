"""Metric privacy of histories: recorded numbers by a second path, a few lines against the formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from dpot_app.views.papers.numbers import metric_frequencies
from tests.views.papers.recorded import value


def test_theorem_1_3_promises_less_than_5_3_and_than_what_two_histories_need() -> None:
    """The stretch is (1 + √2) + 3/2 at r = 2 ln(1/δ)/s; the bit's probabilities by draws of a binomial."""
    assert value("metric-theorem1.3", "ε of Theorem 5.3 over α r") == pytest.approx(2.5 + math.sqrt(2))
    s, delta = 1_000, 1e-6
    r = 2 * math.log(1 / delta) / s
    moved = value("metric-theorem1.3", "P[M(K') = 1] there")
    still = (value("metric-theorem1.3", "e^(α r) P[M(K) = 1] + δ") - delta) / math.exp(s * r)
    threshold = round(-math.log(2 * still))
    # E e^min(B - b, 0)/2 under the binomial, summed in the other order.
    tail = 0.5 * (
        stats.binom.sf(threshold - 1, s, r)
        + sum(stats.binom.pmf(b, s, r) * math.exp(b - threshold) for b in range(threshold))
    )
    assert moved == pytest.approx(tail)
    needed = value("metric-theorem1.3", "ε that two histories need over α r")
    assert needed == pytest.approx(math.log((moved - delta) / still) / (s * r)) and needed > 1.5


def test_fact_5_1_by_the_three_probabilities() -> None:
    epsilon, delta, p = 3.0, 1e-3, 1e-5
    two = math.exp(epsilon) * (math.exp(epsilon) * p + delta) + delta
    name = "δ at 2 ε that the bit needs, over δ"
    assert value("metric-fact5.1", name) == pytest.approx((two - math.exp(2 * epsilon) * p) / delta)
    assert value("metric-fact5.1", name) == pytest.approx(1 + math.exp(epsilon))
    assert math.log(math.exp(2) - 1) == pytest.approx(1.854, abs=1e-3)  # from here on for two steps


def test_equation_7_against_theorem_4_4_by_its_supremum_over_w() -> None:
    alpha, m, n = 600.0, 1_000, 100_000
    log_delta = math.log(1e-12) - alpha
    root = math.sqrt(m * (math.log(4 * m) + alpha - math.log(1e-12)))
    rate = 2 * math.log(alpha * math.sqrt(n) / (16 * root))
    assert value("metric-eq7", "α₀ by (7), α = 600") == pytest.approx(rate)
    w = np.geomspace(1e-6, 1.0, 2_000)
    factor = 8 * math.sqrt(math.exp(rate) * (math.log(4 * m) - log_delta) / (m * n)) + 8 * math.exp(rate) / (m * n)
    found = (m * np.log1p(np.tanh(rate * w / 2) * factor) / w).max()
    assert value("metric-eq7", "α of Theorem 4.4 for it") == pytest.approx(found, rel=1e-4)


def test_theorem_4_3_by_tails_of_binomials() -> None:
    """Likelihood ratios of the two counts rise, so that delta is one tail minus e^epsilon times the other."""
    for m, rate in ((10_000, 1e-3), (1_000_000, 1e-4)):
        words = f"α₀ = {rate:g}, m = {m:,}, all items move by 1"
        amplified = 8 * math.sqrt(math.exp(rate) * math.log(4e6 * m) / m) + 8 * math.exp(rate) / m
        alpha = m * math.log(1 + (math.exp(rate) - 1) / (math.exp(rate) + 1) * amplified)
        assert value("metric-theorem4.3", f"ε by the theorem, {words}") == pytest.approx(alpha)
        one = 1 / (1 + math.exp(-rate / 2))

        def delta(epsilon: float, m: int = m, rate: float = rate, one: float = one) -> float:
            # P(c) / Q(c) = e^(rate (c - m/2)).
            above = math.floor(m / 2 + epsilon / rate)
            return float(stats.binom.sf(above, m, one) - math.exp(epsilon) * stats.binom.sf(above, m, 1 - one))

        exact = optimize.brentq(lambda epsilon, a=alpha: delta(epsilon) - 1e-6 * math.exp(a), 0.01, 2.0)
        assert value("metric-theorem4.3", f"ε exactly, {words}") == pytest.approx(exact, rel=1e-6)
        assert exact < alpha / 10
    assert 0 < value("metric-theorem4.3", "largest exact ε over the theorem's, four moves") < 0.1


def test_lemma_6_7_by_its_sensitivity() -> None:
    assert value("metric-lemma6.7", "largest log-ratio with Lap(1/(n ε)), ε = 1") == pytest.approx(2.0)


def _gaussian_error(matrix: np.ndarray, decoder: np.ndarray, truth: np.ndarray, reports: int) -> float:
    """Mean tree distance of an unbiased estimate, nearly normal: sqrt(2/π) times each standard deviation."""
    covariance = decoder.T @ (np.diag(truth @ matrix) - (matrix.T * truth) @ matrix) @ decoder / reports
    clusters = np.kron(np.eye(8), np.ones((8, 1)))
    points, groups = (np.sqrt(np.diag(one)).sum() for one in (covariance, clusters.T @ covariance @ clusters))
    return math.sqrt(2 / math.pi) * float(0.05 * points + 0.45 * groups)


def _gkrr(rate: float) -> np.ndarray:
    """e^a, e^(0.9 a) and 1 by distance 0, 0.1 and 1, over their sum: eight clusters of eight."""
    cluster = np.arange(64) // 8
    matrix = np.exp(np.where(cluster[:, None] == cluster, 0.9 * rate, 0.0))
    np.fill_diagonal(matrix, math.exp(rate))
    return matrix / matrix.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("m", [1_000, 10_000])
def test_table_2b_local_by_covariances_of_dense_matrices(m: int) -> None:
    """The unbiased estimates' errors with no draw at all: matrices by their formulas, decoders by pseudo-inverse."""
    from scipy.linalg import hadamard

    task = metric_frequencies.FrequencyTask(metric_frequencies.SPACE, 100_000, m, 1.0, 1.0, 1e-6)
    releases = metric_frequencies.FREQUENCY_RELEASES["local"]
    counts = metric_frequencies.simulated_counts(metric_frequencies.SPACE, 100_000 * m)
    truth, reports = counts / counts.sum(), 100_000 * m
    budget = releases["hadamard-all"].rate(task)
    signs = hadamard(128)[1:65]
    response = np.where(signs > 0, math.exp(budget), 1.0) / (64 * (1 + math.exp(budget)))
    theirs = _gaussian_error(response, np.linalg.pinv(response), truth, reports)

    def ours(ratio: float) -> float:
        one = metric_frequencies.FrequencyTask(metric_frequencies.SPACE, 100_000, m, 1.0, ratio, 1e-6)
        matrix = _gkrr(releases["shuffled"].rate(one))
        return _gaussian_error(matrix, np.linalg.inv(matrix), truth, reports)

    at = optimize.brentq(lambda log: math.log(ours(math.exp(log)) / theirs), math.log(20), math.log(400), xtol=1e-3)
    name = f"GKRR beats Hadamard response from α/ε, unbiased, m = {m:,}"
    assert value("metric-table2b-local", name) == pytest.approx(math.exp(at), rel=0.06)
    if m == 1_000:
        printed = 64 / math.log(1_000 / 1e-6)
        assert value("metric-table2b-local", "α/ε in the table, ε k/ln(m/δ), m = 1,000") == pytest.approx(printed)
    assert value("metric-table2b-local", "α/ε after Theorem 6.6, √k") == 8.0


def test_table_2b_central_by_covariances_and_the_law_of_sums_of_laplace_noise() -> None:
    """In the condition, n = 1,000 and m = 10^6: E|X - Y| for Gamma(8) gives a cluster's error, Gamma(1) a point's."""
    task = metric_frequencies.FrequencyTask(metric_frequencies.SPACE, 1_000, 10**6, 1.0, 1.0, 1e-6)
    scale = metric_frequencies.FREQUENCY_RELEASES["central"]["laplace"].rate(task)
    assert scale == pytest.approx(2 / 1_000)

    def apart(shape: int) -> float:
        law = stats.gamma(shape)
        return 2 * integrate.quad(lambda x: law.cdf(x) * law.sf(x), 0, 100)[0]

    theirs = scale * (0.05 * 64 * apart(1) + 0.45 * 8 * apart(8))
    counts = metric_frequencies.simulated_counts(metric_frequencies.SPACE, 10**9)

    def ours(ratio: float) -> float:
        one = metric_frequencies.FrequencyTask(metric_frequencies.SPACE, 1_000, 10**6, 1.0, ratio, 1e-6)
        matrix = _gkrr(metric_frequencies.FREQUENCY_RELEASES["central"]["pooled"].rate(one))
        return _gaussian_error(matrix, np.linalg.inv(matrix), counts / counts.sum(), 10**9)

    name = "error of GKRR over that of Laplace noise, α/ε = 64, unbiased, n = 1,000, m = 1,000,000"
    assert value("metric-table2b-central", name) == pytest.approx(ours(64.0) / theirs, rel=0.03)
    at = math.exp(optimize.brentq(lambda log: math.log(ours(math.exp(log)) / theirs), 4, 7, xtol=1e-3))
    name = "GKRR beats Laplace noise from α/ε, unbiased, n = 1,000, m = 1,000,000"
    assert value("metric-table2b-central", name) == pytest.approx(at, rel=0.06)
