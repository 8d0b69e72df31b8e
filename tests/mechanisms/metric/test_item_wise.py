"""Item mechanisms: exact certificates, planar Laplace's law, and what a release looks like."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import dpot_core as dpot
from dpot_core.mechanisms.metric.finite_kernels import achieved_rate, metric_exponential
from dpot_core.mechanisms.metric.item_wise import FiniteItems, exponential_items, release_locations
from dpot_core.mechanisms.metric.protection import unit_distances
from dpot_core.mechanisms.planar_laplace import (
    clamp_to_box,
    planar_laplace,
    planar_laplace_kernel,
    planar_laplace_log_density,
    planar_laplace_radius,
)

SPACES = {
    "ring": dpot.ring(9),
    "grid": dpot.grid(5, 4),
    "cloud": dpot.point_cloud(np.random.default_rng(0).normal(size=(15, 3))),
}


def brute_force_rate(kernel: np.ndarray, distances: np.ndarray) -> float:
    worst = 0.0
    for i in range(len(kernel)):
        for j in range(len(kernel)):
            if i != j:
                worst = max(worst, float(np.abs(np.log(kernel[i] / kernel[j])).max() / distances[i, j]))
    return worst


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("rate", [1e-3, 0.5, 4.0, 60.0])
@pytest.mark.parametrize("calibrated", [True, False])
def test_metric_exponential_keeps_its_rate_exactly(name: str, rate: float, calibrated: bool) -> None:
    distances = unit_distances(SPACES[name])
    kernel = metric_exponential(distances, rate, calibrated=calibrated)
    np.testing.assert_allclose(kernel.sum(axis=1), 1.0, rtol=1e-12)
    spent = achieved_rate(kernel, distances)
    assert spent <= rate * (1 + 1e-9)
    assert spent == pytest.approx(brute_force_rate(kernel, distances), rel=1e-9)
    if calibrated:
        assert spent == pytest.approx(rate, rel=1e-6)


def test_calibration_reports_the_truth_more_often() -> None:
    distances = unit_distances(SPACES["grid"])
    plain, better = (metric_exponential(distances, 4.0, calibrated=c) for c in (False, True))
    assert np.diag(better).min() > 1.2 * np.diag(plain).min()


def test_outputs_elsewhere_than_inputs() -> None:
    space = SPACES["grid"]
    targets = space.distances([[0.5, 0.5], [0.1, 0.9], [0.3, 0.3]]) / space.diameter
    kernel = metric_exponential(unit_distances(space), 3.0, targets)
    assert kernel.shape == (20, 3) and achieved_rate(kernel, unit_distances(space)) <= 3.0 * (1 + 1e-9)


def test_a_ring_spends_half_since_all_its_points_are_alike() -> None:
    distances = unit_distances(SPACES["ring"])
    assert achieved_rate(metric_exponential(distances, 4.0, calibrated=False), distances) == pytest.approx(2.0)


def test_impossible_reports_of_one_input_are_named() -> None:
    assert achieved_rate(np.eye(3), unit_distances(dpot.ring(3))) == math.inf
    assert achieved_rate(np.full((3, 4), 0.25), unit_distances(dpot.ring(3))) == 0.0
    with pytest.raises(ValueError, match="between the kernel's 3 inputs"):
        achieved_rate(np.eye(3), unit_distances(dpot.ring(4)))


@pytest.mark.parametrize("rate", [0.0, -1.0, 601.0, math.nan])
def test_item_rate_out_of_range_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="item_rate must"):
        metric_exponential(unit_distances(dpot.ring(4)), rate)


def test_distances_must_be_normalised() -> None:
    with pytest.raises(ValueError, match="divided by the largest"):
        metric_exponential(dpot.ring(9).distances(), 1.0)


def test_reports_of_items_follow_the_kernel_in_random_order() -> None:
    rng = np.random.default_rng(3)
    mechanism = exponential_items(unit_distances(SPACES["ring"]), 3.0)
    items = np.tile([0, 0, 5], (20_000, 1))
    reports = mechanism.release(items, rng)
    expected = mechanism.kernel[[0, 0, 5]].mean(axis=0)
    for place in range(3):  # after shuffling every place looks alike
        found = np.bincount(reports[:, place], minlength=9)
        assert stats.chisquare(found, expected * len(items)).pvalue > 1e-4
    counts = mechanism.release_counts([40_000, 0, 0, 0, 0, 20_000, 0, 0, 0], rng)
    assert counts.sum() == 60_000 and stats.chisquare(counts, expected * 60_000).pvalue > 1e-4


def test_decoder_is_unbiased() -> None:
    mechanism = exponential_items(unit_distances(SPACES["grid"]), 3.0)
    mu = np.random.default_rng(1).dirichlet(np.ones(20))
    np.testing.assert_allclose(mechanism.decode(mu @ mechanism.matrix()), mu, atol=1e-9)
    with pytest.raises(ValueError, match="full row rank 3"):
        FiniteItems(np.full((3, 3), 1 / 3)).decode([1.0, 0.0, 0.0])


def test_impossible_reports_never_occur() -> None:
    mechanism = FiniteItems(np.array([[0.1] * 10 + [0.0], [0.0] * 10 + [1.0]]))
    reports = mechanism.release(np.zeros((1, 50_000), dtype=int), np.random.default_rng(0))
    assert reports.max() == 9


@given(st.lists(st.floats(0.0, 0.999999), min_size=1, max_size=5), st.floats(1e-3, 1e3))
def test_radius_is_the_quantile_of_a_gamma_law(p: list[float], rate: float) -> None:
    np.testing.assert_allclose(
        planar_laplace_radius(p, rate), stats.gamma.ppf(p, 2, scale=1 / rate), rtol=1e-6, atol=1e-7 / rate
    )


def test_planar_laplace_has_its_law_and_its_density() -> None:
    rate, rng = 3.0, np.random.default_rng(2)
    moves = planar_laplace(np.full((40_000, 2), 5.0), rate, rng) - 5.0
    radius, angle = np.hypot(*moves.T), np.arctan2(moves[:, 1], moves[:, 0])
    assert stats.kstest(radius, lambda t: 1 - (1 + rate * t) * np.exp(-rate * t)).pvalue > 1e-4
    assert stats.kstest(angle, stats.uniform(-math.pi, 2 * math.pi).cdf).pvalue > 1e-4
    total = integrate.quad(lambda r: 2 * math.pi * r * math.exp(planar_laplace_log_density([r, 0.0], rate)), 0, 40)[0]
    assert total == pytest.approx(1.0, abs=1e-9)


@given(st.tuples(*[st.floats(-5, 5)] * 6), st.floats(0.01, 50.0))
def test_planar_laplace_is_private_in_proportion_to_distance(z: tuple[float, ...], rate: float) -> None:
    x, other, output = np.array(z).reshape(3, 2)
    ratio = planar_laplace_log_density(output - x, rate) - planar_laplace_log_density(output - other, rate)
    assert abs(ratio) <= rate * np.linalg.norm(x - other) * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("rate", [0.02, 0.3, 8.0])
def test_a_kernel_on_cells_is_the_mass_of_the_noise_in_them(rate: float) -> None:
    """Held against integrals over the angle of what a ray spends in the cell, edges without an end included."""
    xs, ys = np.array([0.0, 1.0, 2.5]), np.array([0.0, 2.0])
    kernel = planar_laplace_kernel(xs, ys, rate)
    np.testing.assert_allclose(kernel.sum(axis=1), 1.0, rtol=1e-12)
    sides = [(-math.inf, 0.5), (0.5, 1.75), (1.75, math.inf)], [(-math.inf, 1.0), (1.0, math.inf)]
    for place, cell in np.ndindex(6, 6):
        x, y = xs[place % 3], ys[place // 3]
        (west, east), (south, north) = sides[0][cell % 3], sides[1][cell // 3]

        def mass(angle: float, west=west - x, east=east - x, south=south - y, north=north - y) -> float:
            near, far = 0.0, math.inf
            for along, low, high in ((math.cos(angle), west, east), (math.sin(angle), south, north)):
                ends = sorted((low / along, high / along))
                near, far = max(near, ends[0]), min(far, ends[1])
            tail = [0.0 if r == math.inf else (1 + rate * r) * math.exp(-rate * r) for r in (near, max(near, far))]
            return (tail[0] - tail[1]) / (2 * math.pi)

        corners = [math.atan2(b - y, a - x) for a in (west, east) for b in (south, north) if abs(a) + abs(b) < math.inf]
        cuts = sorted({-math.pi, -math.pi / 2, 0.0, math.pi / 2, math.pi, *corners})
        total = sum(integrate.quad(mass, low, high, epsabs=1e-12)[0] for low, high in itertools.pairwise(cuts))
        assert kernel[place, cell] == pytest.approx(total, abs=1e-9)


def test_a_kernel_on_cells_is_what_moved_and_clamped_points_are_nearest_to() -> None:
    space, rng = dpot.grid(4, 3, (0.0, 6.0, 0.0, 3.0)), np.random.default_rng(5)
    kernel = planar_laplace_kernel(*space.axes, 0.7)
    moved = clamp_to_box(planar_laplace(np.tile(space.points[5], (40_000, 1)), 0.7, rng), (0.0, 6.0, 0.0, 3.0))
    counts = np.bincount(dpot.nearest_target(dpot.point_cloud(moved), dpot.point_cloud(space.points)), minlength=12)
    assert stats.chisquare(counts, 40_000 * kernel[5]).pvalue > 1e-4
    assert achieved_rate(kernel, unit_distances(space)) <= 0.7 * space.diameter * (1 + 1e-9)
    line = planar_laplace_kernel([0.0, 1.0], [0.0], 2.0)
    inside = integrate.quad(lambda t: 1 - (1 + 1 / math.cos(t)) * math.exp(-1 / math.cos(t)), 0, math.pi / 2)[0]
    assert line[0, 0] == pytest.approx(0.5 + inside / math.pi, abs=1e-9)


def test_released_locations_stay_in_the_public_box_and_lose_their_order() -> None:
    points = np.column_stack([np.arange(100.0), np.zeros(100)])
    release = release_locations(points, 1e9, 100.0, np.random.default_rng(0))
    assert not np.allclose(release, points) and np.allclose(np.sort(release[:, 0]), points[:, 0], atol=1e-4)
    box = (20.0, 60.0, -1.0, 1.0)
    inside = release_locations(points, 5.0, 100.0, np.random.default_rng(0), box)
    assert inside[:, 0].min() == 20.0 and inside[:, 0].max() == 60.0 and np.abs(inside[:, 1]).max() == 1.0


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda rng: planar_laplace(np.zeros((3, 3)), 1.0, rng), r"shape \(n, 2\)"),
        (lambda rng: planar_laplace(np.zeros((3, 2)), 0.0, rng), "rate must lie"),
        (lambda rng: planar_laplace_radius([1.0], 1.0), r"p must lie in \[0, 1\)"),
        (lambda rng: planar_laplace_kernel([1.0, 0.0], [0.0], 1.0), "xs must be ascending"),
        (lambda rng: clamp_to_box(np.zeros((3, 2)), (1.0, 0.0, 0.0, 1.0)), "ascending"),
        (lambda rng: release_locations(np.zeros((3, 2)), 1.0, 0.0, rng), "diameter must be more than 0"),
        (lambda rng: FiniteItems(np.ones((2, 2))), "sum to 1"),
        (lambda rng: FiniteItems(np.eye(2)).release([0, 2], rng), "items must lie in 0..1"),
    ],
)
def test_bad_input_is_named(call, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        call(np.random.default_rng(0))
