"""The certified interval of W_1: it holds the exact value, shrinks, keeps its time and refuses what it cannot do."""

from fractions import Fraction

import numpy as np
import ot
import pytest

import dpot_core as dpot
from dpot_core.transport import levels
from dpot_core.transport import wasserstein_interval as module
from dpot_core.transport.integer_cost import integer_transport
from tests import oracles

KINDS = ("sparse", "dense", "ties", "equal", "one cell", "far apart", "uneven", "tiny masses")


def one_of(kind, k, rng):
    """Two distributions on k points."""
    if kind == "sparse":
        few = rng.random(k) < 0.3
        mu, nu = rng.random(k) * few, rng.random(k) * ~few
    elif kind == "ties":
        mu, nu = rng.integers(0, 3, (2, k)).astype(float)
    elif kind == "one cell":
        mu, nu = np.eye(k)[rng.integers(k)], rng.random(k)
    elif kind == "far apart":
        mu, nu = np.eye(k)[0], np.eye(k)[-1]
    elif kind == "uneven":
        mu, nu = 10.0 ** rng.uniform(-12, 0, (2, k))
    elif kind == "tiny masses":
        mu = rng.random(k)
        nu = mu * (1.0 + 1e-9 * rng.random(k))
    else:
        mu, nu = rng.random((2, k))
    mu[0] += mu.sum() == 0
    nu[-1] += nu.sum() == 0
    mu, nu = mu / mu.sum(), nu / nu.sum()
    return (mu, mu.copy()) if kind == "equal" else (mu, nu)


def some_space(rng):
    """A grid, square or not, or a cloud with points at the same places and in clusters."""
    if rng.random() < 0.6:
        nx, ny = rng.integers(1, 9, 2)
        return dpot.grid(int(nx), int(ny), (0.0, float(rng.choice([1e-6, 1.0, 25.0])), -3.0, 4.0))
    points = rng.random((rng.integers(2, 40), rng.integers(1, 4)))
    points[: len(points) // 2] *= 1e-9
    points[-1] = points[0]
    return dpot.point_cloud(points)


def exact(mu, nu, space):
    return ot.emd2(mu, nu / nu.sum() * mu.sum(), np.ascontiguousarray(space.distances()))


@pytest.fixture
def by_levels(monkeypatch):
    """Small cases go by levels of few boxes, as large ones do."""
    monkeypatch.setattr(module, "ALL_PAIRS", 0)
    monkeypatch.setattr(levels, "_COARSEST", 4)


@pytest.fixture(params=["all pairs", "by levels"])
def route(request):
    if request.param == "by levels":
        request.getfixturevalue("by_levels")


@pytest.mark.slow
@pytest.mark.parametrize("tolerance", [0.0, 0.005, 0.3])
def test_the_interval_holds_the_exact_value_on_200_random_cases(tolerance, route):
    rng = np.random.default_rng(0)
    for case in range(200):
        space = some_space(rng)
        mu, nu = one_of(KINDS[case % len(KINDS)], len(space), rng)
        found = dpot.wasserstein_interval(mu, nu, space, tolerance=tolerance)
        value = exact(mu, nu, space)
        assert found.lower <= value <= found.upper, case
        # What rounding alone leaves is a matter of the largest distance, not of the value.
        assert found.upper - found.lower <= tolerance * found.upper + 1e-11 * space.diameter, case
        assert found.stopped == "exact" or (found.stopped == "tolerance" and found.width <= tolerance + 1e-9)


def test_the_linear_program_agrees(route):
    rng = np.random.default_rng(1)
    for case in range(20):
        space = dpot.grid(5, 4)
        mu, nu = one_of(KINDS[case % len(KINDS)], len(space), rng)
        found = dpot.wasserstein_interval(mu, nu, space, tolerance=0.0)
        value = oracles.transport_lp(mu, nu, space.distances())
        assert found.lower - 1e-9 <= value <= found.upper + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_on_a_ring_it_holds_the_exact_rational(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 40))
    ways = (np.eye(k, dtype=np.int64)[rng.integers(0, k, 64)].sum(axis=0) for _ in range(2))
    mu, nu = ways
    space = dpot.ring(k)
    value = Fraction(integer_transport(mu, nu, space.distances().astype(np.int64)), 64)
    found = dpot.wasserstein_interval(mu / 64, nu / 64, space)
    assert Fraction(found.lower) <= value <= Fraction(found.upper)
    assert found.upper - found.lower <= 1e-10 * k
    assert found.stopped == "exact"


@pytest.mark.parametrize("seed", range(20))
def test_on_a_slanted_line_it_holds_the_exact_rational_of_what_was_given(seed, route):
    """Steps of (3, 4) are 5 long, so that W_1 of the floats themselves, made to sum to 1, is a rational number."""
    rng = np.random.default_rng(seed)
    steps = np.sort(rng.integers(0, 1000, 30))
    mu, nu = rng.dirichlet(np.full(30, 0.3), 2)
    found = dpot.wasserstein_interval(mu, nu, dpot.point_cloud(np.outer(steps, [3.0, 4.0])), tolerance=0.0)
    first, second = ([Fraction(mass) for mass in masses] for masses in (mu, nu))
    crossing, value = Fraction(0), Fraction(0)
    for i in range(29):
        crossing += first[i] / sum(first) - second[i] / sum(second)
        value += abs(crossing) * 5 * int(steps[i + 1] - steps[i])
    assert Fraction(found.lower) <= value <= Fraction(found.upper)
    assert found.upper - found.lower <= 1e-8


def test_on_given_distances_it_holds_the_exact_rational():
    rng = np.random.default_rng(2)
    places = rng.integers(0, 50, (12, 2))
    distances = np.abs(places[:, None] - places).sum(axis=2)
    mu, nu = rng.multinomial(64, np.ones(12) / 12, 2)
    found = dpot.wasserstein_interval(mu / 64, nu / 64, dpot.metric_space(distances))
    value = Fraction(integer_transport(mu, nu, distances), 64)
    assert Fraction(found.lower) <= value <= Fraction(found.upper)
    assert found.upper - found.lower <= 1e-10


def bumps(side, seed):
    """Two smooth distributions on a square, a few tenths of it apart."""
    space, rng = dpot.grid(side, side), np.random.default_rng(seed)
    centres, widths = rng.random((2, 4, 2)), rng.uniform(0.05, 0.15, (2, 4, 1))
    apart = ((space.points - centres[:, :, None]) ** 2).sum(axis=3)
    densities = np.exp(-apart / (2 * widths**2)).sum(axis=1)
    return space, *(densities / densities.sum(axis=1, keepdims=True))


@pytest.mark.slow
def test_the_interval_shrinks_with_the_tolerance_and_holds_the_exact_value(by_levels):
    space, mu, nu = bumps(32, 0)
    value = exact(mu, nu, space)
    widths = []
    for tolerance in (0.2, 0.005, 1e-9):
        found = dpot.wasserstein_interval(mu, nu, space, tolerance=tolerance)
        assert found.lower <= value <= found.upper
        assert found.lower <= found.middle <= found.upper
        assert found.width == (found.upper - found.lower) / found.upper <= tolerance
        assert found.stopped == "tolerance"
        widths.append(found.width)
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.slow
@pytest.mark.parametrize("side", [64, 128])
def test_on_large_grids_it_is_within_half_a_percent(side):
    """All mass moves by the same step: W_1 is its length, because no plan moves the mean by less."""
    space = dpot.grid(side, side, (0.0, side - 1.0, 0.0, side - 1.0))
    across = np.zeros((side, side))
    across[: side // 2, : side // 2] = np.random.default_rng(3).random((side // 2, side // 2))
    mu = across / across.sum()
    nu = np.roll(mu, (3, 4), axis=(0, 1))
    found = dpot.wasserstein_interval(mu.ravel(), nu.ravel(), space)
    assert found.lower <= 5.0 <= found.upper
    assert found.width <= 0.005


def test_the_order_of_the_two_and_the_unit_do_not_matter(by_levels):
    space, mu, nu = bumps(32, 1)
    one, other = dpot.wasserstein_interval(mu, nu, space), dpot.wasserstein_interval(nu, mu, space)
    assert one.lower <= other.upper
    assert other.lower <= one.upper
    for unit in (1e-150, 1e150):
        far = dpot.wasserstein_interval(mu, nu, dpot.point_cloud(space.points * unit))
        assert far.lower / unit == pytest.approx(one.lower, rel=1e-9)
        assert far.upper / unit == pytest.approx(one.upper, rel=1e-9)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_time_is_kept():
    space, mu, nu = bumps(96, 2)
    found = dpot.wasserstein_interval(mu, nu, space, tolerance=0.0, seconds=0.1)
    assert found.stopped == "time"
    full = dpot.wasserstein_interval(mu, nu, space, seconds=600.0)
    assert found.lower <= full.upper
    assert full.lower <= found.upper
    assert 0.0 < full.upper - full.lower < found.upper - found.lower


def test_without_time_there_is_still_an_interval(by_levels):
    space, mu, nu = bumps(32, 0)
    found = dpot.wasserstein_interval(mu, nu, space, seconds=0.0)
    assert found.stopped == "time"
    assert found.lower <= exact(mu, nu, space) <= found.upper < np.inf


def test_the_interval_reports_progress_and_can_be_abandoned(by_levels):
    space, mu, nu = bumps(32, 0)
    reports = []
    dpot.wasserstein_interval(mu, nu, space, progress=lambda done, total: reports.append((done, total)))
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert all(0 <= done < total for done, total in reports)

    class Abandoned(Exception):
        pass

    def stop(done, _total):
        if done > 0:
            raise Abandoned

    with pytest.raises(Abandoned):
        dpot.wasserstein_interval(mu, nu, space, progress=stop)


def test_points_at_one_place_and_a_single_point():
    assert dpot.wasserstein_interval([1.0], [1.0], dpot.ring(1)).upper == 0.0
    here = dpot.point_cloud(np.ones((3, 2)))
    found = dpot.wasserstein_interval([1, 0, 0], [0, 0.5, 0.5], here)
    assert (found.lower, found.upper, found.width) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("mu", "nu", "says"),
    [
        ([0.5, np.nan], [0.5, 0.5], "mu must be finite"),
        ([0.5, 0.5], [np.inf, 0.0], "nu must be finite"),
        ([1.5, -0.5], [0.5, 0.5], "mu must not be negative"),
        ([0.5, 0.4], [0.5, 0.5], "mu must sum to 1"),
        ([0.5, 0.5], [1.0], "nu must have length 2"),
        ([[0.5, 0.5]] * 2, [0.5, 0.5], "loop over rows"),
    ],
)
def test_weights_that_are_no_distribution_are_refused(mu, nu, says):
    with pytest.raises(ValueError, match=says):
        dpot.wasserstein_interval(mu, nu, dpot.grid(2, 1))


def test_unmeasurable_inputs_are_refused():
    two = [1.0, 0.0], [0.0, 1.0]
    with pytest.raises(ValueError, match="metric space"):
        dpot.wasserstein_interval(*two, dpot.point_cloud([[1.0, 0.0], [0.0, 1.0]], "cosine"))
    with pytest.raises(ValueError, match="farther apart"):
        dpot.wasserstein_interval(*two, dpot.point_cloud([[1e308], [-1e308]]))
    for wrong in ({"tolerance": -0.1}, {"tolerance": np.nan}, {"seconds": -1.0}, {"seconds": np.nan}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            dpot.wasserstein_interval(*two, dpot.grid(2, 1), **wrong)
