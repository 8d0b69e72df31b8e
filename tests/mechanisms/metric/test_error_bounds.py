"""Measured errors lie below the bounds, and the order in n, k and m is visible."""

import math

import numpy as np
import pytest

from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.error_bounds import (
    crossover_order,
    gkrr_bound,
    hadamard_bound,
    laplace_bound,
    sampling_bound,
    unbiased_bound,
)
from dpot_core.mechanisms.metric.frequency import estimate_frequencies, laplace_histogram, laplace_scale
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.items import ItemMechanism
from dpot_core.mechanisms.metric.shuffling import item_rate
from dpot_core.mechanisms.metric.user_level import item_epsilon

RUNS = 30


def counts_in(space: ClusteredSpace, items: int, seed: int) -> np.ndarray:
    """Items of everybody, unevenly spread."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(items, rng.dirichlet(np.full(len(space), 0.5)))


def errors(
    mechanism: ItemMechanism, space: ClusteredSpace, counts: np.ndarray, seed: int = 0, runs: int = RUNS
) -> tuple[float, float]:
    """Mean distance of the projected estimate, and of the estimate itself in the norm of the proof."""
    rng = np.random.default_rng(seed)
    truth = counts / counts.sum()
    projected, raw = [], []
    for _ in range(runs):
        estimate = estimate_frequencies(mechanism, mechanism.release_counts(counts, rng), space)
        projected.append(estimate.error(truth, space))
        raw.append(float(space.earth_movers(estimate.raw, truth)))
    return float(np.mean(projected)), float(np.mean(raw))


def slope(x: list[float], y: list[float]) -> float:
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


@pytest.mark.slow
@pytest.mark.parametrize("r", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("alpha_0", [0.05, 1.0, 6.0, 40.0])
@pytest.mark.parametrize(
    ("clusters", "size"),
    [(1, 12), *(pytest.param(*rest, marks=pytest.mark.nightly) for rest in ((3, 4), (12, 2), (8, 16)))],
)
def test_gkrr_lies_below_equation_9(r: float, alpha_0: float, clusters: int, size: int):
    space = ClusteredSpace(clusters, size, r)
    mechanism = Gkrr(space, alpha_0)
    for items in (100, 10_000, 10**7):
        bound = gkrr_bound(space, alpha_0, items)
        exact = unbiased_bound(space, *mechanism.spreads(), items)  # equation 8
        assert exact <= bound * (1 + 1e-12)
        projected, raw = errors(mechanism, space, counts_in(space, items, items), seed=items)
        assert max(projected, raw) <= exact + 1e-14


def test_equation_9_is_the_formula():
    s, t, r, a, n = 3, 4, 0.2, 1.5, 1000
    e, f = math.exp(a), math.exp((1 - r) * a)
    first = r * math.sqrt(s * t**3 / n) * (e + s) / (e - f)
    second = math.sqrt(s**2 * t**2 / n) * math.sqrt(s + 2 * (e - 1)) / (e + (t - 1) * f - t)
    assert gkrr_bound(ClusteredSpace(s, t, r), a, n) == pytest.approx(first + second, rel=1e-12)
    assert gkrr_bound(ClusteredSpace(s, t, r), 700.0, n) == pytest.approx(r * math.sqrt(s * t**3 / n), rel=1e-9)


@pytest.mark.parametrize("epsilon_0", [0.05, 1.0, 5.0])
@pytest.mark.parametrize(("clusters", "size", "r"), [(3, 4, 0.1), (1, 9, 1.0), (16, 4, 0.5)])
def test_hadamard_lies_below_its_bound(epsilon_0: float, clusters: int, size: int, r: float):
    space = ClusteredSpace(clusters, size, r)
    mechanism = HadamardResponse(len(space), epsilon_0)
    for items in (100, 10_000, 10**6):
        projected, raw = errors(mechanism, space, counts_in(space, items, items), seed=items)
        assert max(projected, raw) <= hadamard_bound(space, epsilon_0, items)


def test_the_clusters_variance_of_hadamard_is_as_proven():
    space, epsilon = ClusteredSpace(4, 5, 0.3), 1.3
    mechanism = HadamardResponse(20, epsilon)
    sums = space.cluster_sums(mechanism.decode(np.eye(mechanism.symbols)))
    variance = mechanism.matrix() @ (sums**2).sum(axis=1) - 1.0
    c = 1.0 / mechanism.advantage
    assert variance.max() <= 20 * c * (c + 1) - 1.0
    assert variance.min() >= 20 * c * c - 1.0 - 1e-9


@pytest.mark.parametrize(("clusters", "size", "r"), [(3, 4, 0.1), (1, 16, 1.0), (16, 1, 0.5), (8, 32, 0.3)])
def test_laplace_lies_below_lemma_6_7(clusters: int, size: int, r: float):
    space, rng = ClusteredSpace(clusters, size, r), np.random.default_rng(5)
    truth = rng.dirichlet(np.full(len(space), 0.5))
    for users in (10, 1000, 10**6):
        scale = laplace_scale(users, 1.0)
        measured = np.mean([laplace_histogram(truth, scale, space, rng).error(truth, space) for _ in range(RUNS)])
        assert measured <= laplace_bound(space, scale)


def test_one_item_per_user_is_within_the_sampling_bound():
    space, users = ClusteredSpace(4, 8, 0.2), 400
    rng = np.random.default_rng(6)
    for shape in (0.05, 1.0):
        items = np.array([rng.choice(32, 20, p=rng.dirichlet(np.full(32, shape))) for _ in range(users)])
        truth = np.bincount(items.ravel(), minlength=32) / items.size
        chosen = items[np.arange(users), rng.integers(20, size=(RUNS, users))]
        runs = np.array([np.bincount(row, minlength=32) for row in chosen]) / users
        assert space.earth_movers(runs, truth).mean() <= sampling_bound(space, users)


def test_the_error_falls_with_the_square_root_of_the_users():
    space, m, alpha = ClusteredSpace(8, 8, 0.2), 20, 30.0
    alpha_0 = alpha / m
    ns = [10**5, 10**6, 10**7]
    gkrr = [errors(Gkrr(space, alpha_0), space, counts_in(space, n * m, 7))[0] for n in ns]
    assert slope(ns, gkrr) == pytest.approx(-0.5, abs=0.06)
    hadamard = [errors(HadamardResponse(64, 0.1), space, counts_in(space, n * m, 7))[0] for n in ns]
    assert slope(ns, hadamard) == pytest.approx(-0.5, abs=0.06)


def test_the_error_of_shuffled_items_does_not_depend_on_how_many_there_are():
    """Locally alpha_0 falls like 1/sqrt(m) and the reports grow like m: m cancels, up to the logarithm."""
    space, n, alpha = ClusteredSpace(4, 4, 0.2), 10**7, 5.0
    ms = [10**4, 10**5, 10**6]
    rates = [item_rate(alpha, 1e-9, m).item_rate for m in ms]
    assert slope(ms, rates) == pytest.approx(-0.5, abs=0.05)
    shuffled = [
        errors(Gkrr(space, rate), space, counts_in(space, n * m, 8))[0] for m, rate in zip(ms, rates, strict=True)
    ]
    assert abs(slope(ms, shuffled)) < 0.1
    composed = [errors(Gkrr(space, alpha / m), space, counts_in(space, n * m, 8))[1] for m in ms]
    assert slope(ms, composed) == pytest.approx(0.5, abs=0.05)


def test_the_error_of_user_level_privacy_does_not_depend_on_how_many_items_there_are():
    space, n = ClusteredSpace(4, 4, 0.2), 10**8
    ms = [100, 1000, 10_000]
    measured = [
        errors(HadamardResponse(16, item_epsilon(1.0, m, 1e-9)), space, counts_in(space, n * m, 9))[0] for m in ms
    ]
    assert abs(slope(ms, measured)) < 0.1


@pytest.mark.slow
def test_the_error_grows_with_k_as_the_bounds_say():
    """k^(3/2) for GKRR at small alpha_0, k for Hadamard: unprojected, on clusters of 4 that become more."""
    ks = [32, 128, 512]
    gkrr, hadamard, bound = [], [], []
    for k in ks:
        space = ClusteredSpace(k // 4, 4, 0.2)
        counts = counts_in(space, 10**9, 10)
        gkrr.append(errors(Gkrr(space, 0.05), space, counts)[1])
        bound.append(gkrr_bound(space, 0.05, 10**9))
        hadamard.append(errors(HadamardResponse(k, 0.05), space, counts, runs=8)[1])
    assert slope(ks, gkrr) == pytest.approx(1.5, abs=0.1)
    assert slope(ks, bound) == pytest.approx(1.5, abs=0.1)
    assert slope(ks, hadamard) == pytest.approx(1.0, abs=0.1)


def test_the_printed_order_of_the_crossover():
    k, m, delta = 64, 100, 1e-6
    log = math.log(m / delta)
    assert crossover_order(k, 0.5, m, delta) == pytest.approx(0.5 * 8)
    assert crossover_order(k, 10.0, m, delta) == pytest.approx(100 * 64 / log)
    assert crossover_order(k, 0.1, m, delta, central=True) == pytest.approx(0.1 * math.sqrt(64 * log))
    assert crossover_order(k, 1.0, m, delta, central=True) == pytest.approx(64)


def test_bad_input_is_refused():
    space = ClusteredSpace(2, 2, 0.5)
    with pytest.raises(ValueError, match="items must lie in"):
        gkrr_bound(space, 1.0, 0)
    with pytest.raises(ValueError, match="alpha_0 must lie in"):
        gkrr_bound(space, 0.0, 10)
    with pytest.raises(ValueError, match="epsilon must lie in"):
        hadamard_bound(space, -1.0, 10)
    with pytest.raises(ValueError, match="scale must lie in"):
        laplace_bound(space, -1.0)
    with pytest.raises(ValueError, match="users must lie in"):
        sampling_bound(space, 0)
    with pytest.raises(ValueError, match="points must lie in"):
        unbiased_bound(space, -0.1, 0.0, 10)
    with pytest.raises(ValueError, match="delta must lie in"):
        crossover_order(4, 1.0, 10, 1.0)
