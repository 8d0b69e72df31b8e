"""The private measure: its privacy by exact arithmetic, its counts, its accuracy, its region."""

import functools
import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from scipy.stats import wasserstein_distance

from dpot_core.mechanisms.central import private_measure as measure_module
from dpot_core.mechanisms.central.noise import scale_for
from dpot_core.mechanisms.central.partition import SENSITIVITY, Partition, level_budgets, partition
from dpot_core.mechanisms.central.private_measure import consistent, private_measure
from dpot_core.mechanisms.central.regions import SampledRegion, as_region
from dpot_core.privacy.audits import audit
from dpot_core.privacy.guarantees import Sampled
from tests.marks import every_by_day

DEPTH = 3
CELLS = partition(np.zeros(1), np.ones(1), DEPTH)
#: One place in every leaf, so that all data sets up to what the mechanism can see are multisets of these.
PLACES = (np.arange(2**DEPTH) + 0.5) / 2**DEPTH
EPSILON = 1.3
BOX = ([0.0], [1.0])


def tree(points: np.ndarray, cells: Partition = CELLS) -> list[np.ndarray]:
    """Counts of all cells of all levels, written out by looking at the boxes."""
    counts = []
    for level in range(cells.depth + 1):
        low, high = cells.boxes(np.arange(2**level), level)
        counts.append(((points >= low.T) & (points < high.T)).sum(axis=0) if len(points) else np.zeros(2**level, int))
    return counts


def neighbours(adjacency: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """All pairs of neighbours with three (or three and four) points."""
    pairs = []
    for rest in itertools.combinations_with_replacement(PLACES, 2):
        for a, b in itertools.product(PLACES, repeat=2):
            first = np.array([*rest, a])[:, None]
            second = np.array([*rest, b] if adjacency == "replace" else [*rest, a, b])[:, None]
            pairs.append((first, second))
    return pairs


def test_the_tree_of_the_test_is_that_of_the_mechanism() -> None:
    points = np.random.default_rng(0).choice(PLACES, 30)[:, None]
    result = private_measure(points, 50.0, region=BOX, rng=np.random.default_rng(1), depth=DEPTH)
    for counts, level in zip(tree(points), result.levels, strict=True):
        assert (counts[level.codes] == level.true).all()


def differences(points: np.ndarray) -> list[np.ndarray]:
    """What every level is asked: the root's count, then left minus right for every parent."""
    counts = tree(points)
    return [counts[0], *(below[::2] - below[1::2] for below in counts[1:])]


@functools.cache
def moves(adjacency: str) -> frozenset[tuple[int, ...]]:
    """By how much neighbours differ at every level."""
    return frozenset(
        tuple(int(np.abs(a - b).sum()) for a, b in zip(differences(first), differences(second), strict=True))
        for first, second in neighbours(adjacency)
    )


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", every_by_day(2, sorted(SENSITIVITY)))
def test_sensitivity_of_every_level_by_brute_force(adjacency: str) -> None:
    expected = [0 if adjacency == "replace" else 1, *[SENSITIVITY[adjacency]] * DEPTH]
    assert np.max(list(moves(adjacency)), axis=0).tolist() == expected


def largest_log_ratio(scales: list[Fraction], adjacency: str) -> Fraction:
    """Exact: the pmf at z is proportional to e^(-|z - value|/scale), so ratios reach e^(|a - b|/scale)."""
    return max(
        sum((moved / scale for scale, moved in zip(scales, each, strict=True) if scale), Fraction(0))
        for each in moves(adjacency)
    )


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", sorted(SENSITIVITY))
def test_the_noisy_tree_is_epsilon_private_exactly_and_the_known_mistake_is_not(adjacency: str) -> None:
    budgets = level_budgets(EPSILON, CELLS, adjacency)
    scales = [Fraction(scale_for(SENSITIVITY[adjacency], b)) if b else Fraction(0) for b in budgets]
    worst = largest_log_ratio(scales, adjacency)
    assert worst <= Fraction(EPSILON)
    assert worst >= Fraction(EPSILON) * (1 - Fraction(1, 10**12))
    # Laplace(1/epsilon) at every level spends a multiple of epsilon.
    mistake = [Fraction(0) if not b else 1 / Fraction(EPSILON) for b in budgets]
    assert largest_log_ratio(mistake, adjacency) > 2 * Fraction(EPSILON)
    # Calibrating "replace" to sensitivity 1 spends twice epsilon.
    if adjacency == "replace":
        halved = [scale / 2 for scale in scales]
        assert largest_log_ratio(halved, adjacency) > Fraction(EPSILON) * Fraction(19, 10)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", sorted(SENSITIVITY))
def test_published_counts_are_within_epsilon_under_every_neighbour(adjacency: str) -> None:
    """The scales that the mechanism really used, on differences that it really published."""
    rng = np.random.default_rng(5)
    pairs = neighbours(adjacency)
    worst = 0.0
    for index in rng.choice(len(pairs), 60, replace=False):
        for first, second in (pairs[index], pairs[index][::-1]):
            result = private_measure(first, EPSILON, region=BOX, rng=rng, adjacency=adjacency, depth=DEPTH)
            total = 0.0
            for level, ours, theirs in zip(result.levels, differences(first), differences(second), strict=True):
                noisy, drawn = level.noisy[~level.exempt], level.codes[~level.exempt]
                if level.level:
                    noisy, drawn = noisy[::2] - noisy[1::2], drawn[::2] >> 1
                far = np.abs(noisy - theirs[drawn]).sum() - np.abs(noisy - ours[drawn]).sum()
                total += float(far) / level.scale if level.scale else 0.0
            worst = max(worst, abs(total))
    assert 0.5 * EPSILON < worst <= EPSILON * (1 + 1e-12)


@pytest.mark.parametrize("adjacency", sorted(SENSITIVITY))
@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 100.0])
def test_counts_are_whole_non_negative_and_add_up(adjacency: str, epsilon: float) -> None:
    rng = np.random.default_rng(0)
    points = rng.random((300, 2)) ** 2
    result = private_measure(points, epsilon, region=([0, 0], [1, 1]), rng=rng, adjacency=adjacency, depth=8)
    assert sum(level.budget for level in result.levels) == Fraction(epsilon)
    for above, level in itertools.pairwise(result.levels):
        assert (level.private >= 0).all()
        assert (np.diff(level.codes) > 0).all()
        sums = np.bincount(np.searchsorted(above.codes, level.codes >> 1), level.private, len(above.codes))
        assert (sums == above.private).all()
    total = result.levels[0].private[0]
    # Huge noise on the root is a huge number of points; the measure has as many as its private count says.
    assert len(result.points) == total
    assert adjacency == "add-remove" or total == 300
    assert (result.cells.codes(result.points)[:, None] >= 0).all()


def test_siblings_get_the_nearest_numbers_that_add_up() -> None:
    rng = np.random.default_rng(0)
    parents = rng.integers(0, 12, 400)
    noisy = rng.integers(-25, 25, 400)
    private = consistent(parents, noisy, rng)
    for m, difference, found in zip(parents, noisy, private, strict=True):
        best = min(abs(2 * a - m - difference) for a in range(m + 1))
        assert found.sum() == m and found.min() >= 0
        assert abs(found[0] - found[1] - difference) == best


def test_saturated_noise_does_not_wrap() -> None:
    extremes = np.array([2**63 - 1, -(2**63)])
    assert consistent(np.array([5, 5]), extremes, np.random.default_rng(0)).tolist() == [[5, 0], [0, 5]]


def w1(n: int, epsilon: float, runs: int = 12) -> tuple[float, float]:
    """Mean W_1 error on the line over runs, and the proved bound."""
    rng = np.random.default_rng(3)
    points = rng.beta(0.4, 0.9, (n, 1))
    results = [private_measure(points, epsilon, region=BOX, rng=rng) for _ in range(runs)]
    errors = [wasserstein_distance(points.ravel(), result.points.ravel()) for result in results]
    bound = results[0].error_bound
    assert bound is not None
    return float(np.mean(errors)), bound


@pytest.mark.slow
def test_the_error_shrinks_with_n_and_epsilon_and_keeps_its_bound() -> None:
    by_n = [w1(n, 1.0) for n in (100, 1000, 10_000)]
    by_epsilon = [w1(1000, epsilon) for epsilon in (0.1, 1.0, 10.0)]
    for series in (by_n, by_epsilon):
        errors = [error for error, _ in series]
        assert errors[0] > 2 * errors[1] > 4 * errors[2]
        assert all(error <= bound for error, bound in series)


def test_points_stay_in_the_region_and_empty_ground_gets_none() -> None:
    ground = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(7, 7, 8, 8)])
    rng = np.random.default_rng(0)
    points = np.vstack([rng.random((300, 2)), 7 + rng.random((200, 2))])
    result = private_measure(points, 1.0, region=ground, rng=rng)
    assert len(result.points) == 500
    assert shapely.intersects_xy(ground, result.points[:, 0], result.points[:, 1]).all()
    # The first cuts separate the squares from bare ground, which is public: no noise there.
    assert result.levels[2].codes.tolist() == [0, 3]
    assert result.levels[2].exempt.all()
    assert (result.levels[2].private == result.levels[1].private).all()


def test_a_region_known_by_membership_only_in_three_dimensions() -> None:
    region = SampledRegion(lambda points: (points**2).sum(axis=1) <= 1, [-1] * 3, [1] * 3)
    rng = np.random.default_rng(0)
    points = rng.standard_normal((400, 3))
    points /= 1.2 * np.linalg.norm(points, axis=1, keepdims=True)
    result = private_measure(points, 1.0, region=region, rng=rng)
    assert region.contains(result.points).all()
    assert result.error_bound is None


def test_counts_stand_for_repeated_points_and_rng_decides_everything() -> None:
    points, counts = np.array([[0.1], [0.7]]), [30, 12]
    first = private_measure(points, 2.0, region=BOX, rng=np.random.default_rng(4), counts=counts)
    second = private_measure(np.repeat(points, counts, axis=0), 2.0, region=BOX, rng=np.random.default_rng(4))
    assert (first.points == second.points).all()
    third = private_measure(points, 2.0, region=BOX, rng=np.random.default_rng(5), counts=counts)
    assert (first.points != third.points).any()


def test_a_release_keeps_nothing_that_is_not_private_and_cannot_be_repeated() -> None:
    points = np.random.default_rng(0).random((200, 2)) * 1.2
    results = [
        private_measure(points, 1.0, region=([0, 0], [1, 1]), rng=np.random.default_rng(0), secure=True)
        for _ in range(2)
    ]
    assert all(level.true is None for result in results for level in result.levels)
    assert results[0].outside is None
    # The noise itself is in the differences of siblings. Seven of them with scales of 23 and more agree by chance once
    # in 10^14 runs; the three of two levels would once in a million.
    first, second = (
        [(level.noisy[::2] - level.noisy[1::2]).tolist() for level in result.levels[1:4]] for result in results
    )
    assert first != second


def test_shrunk_cells_keep_points_near_the_centres() -> None:
    points = np.random.default_rng(0).random((500, 2))
    d = 2
    result = private_measure(
        points, 5.0, region=([0, 0], [1, 1]), rng=np.random.default_rng(0), shrink=(240 * d) ** (-1 / d)
    )
    low, high = result.cells.boxes(result.cells.codes(result.points), result.cells.depth)
    assert (np.abs(result.points - (low + high) / 2) <= 0.5 * (240 * d) ** (-1 / d) * (high - low) + 1e-12).all()


def test_two_layers_of_promise() -> None:
    points = np.random.default_rng(0).random((1000, 1))
    result = private_measure(points, 1.0, region=BOX, rng=np.random.default_rng(0), population=1_000_000)
    inner = math.log1p(math.expm1(1.0) / 0.001)
    assert result.sample_guarantee.epsilon == pytest.approx(inner, rel=1e-8)
    assert result.sample_guarantee.epsilon <= inner
    assert result.guarantee.epsilon == 1.0
    assert result.guarantee.sampled == Sampled(result.sample_guarantee.epsilon, 0.0, 0.001)
    assert sum(level.budget for level in result.levels) == Fraction(result.sample_guarantee.epsilon)
    assert "number of points n" in result.guarantee.public


@pytest.mark.parametrize("d", [1, 50])
def test_one_and_fifty_dimensions(d: int) -> None:
    rng = np.random.default_rng(d)
    result = private_measure(rng.random((2000, d)), 1.0, region=(np.zeros(d), np.ones(d)), rng=rng)
    assert result.points.shape == (2000, d)
    assert ((result.points >= 0) & (result.points <= 1)).all()


def test_points_outside_are_refused_or_moved_and_counted() -> None:
    points = np.array([[0.5], [1.5], [-2.0]])
    with pytest.raises(ValueError, match="points must lie in the region") as refused:
        private_measure(points, 1.0, region=BOX, rng=np.random.default_rng(0), outside="refuse")
    # Nothing about any person: neither where they are nor how many.
    assert not set("123456789") & set(str(refused.value).split("\n")[0])
    result = private_measure(points, 1.0, region=BOX, rng=np.random.default_rng(0), depth=1)
    assert result.outside == 2
    inside = private_measure(np.clip(points, 0, 1), 1.0, region=BOX, rng=np.random.default_rng(0), depth=1)
    assert (inside.points == result.points).all()
    assert (inside.levels[1].true == result.levels[1].true).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": [[np.nan]]}, "points must be finite$"),
        ({"points": [[0.1, 0.2]]}, r"points must have shape \(n, 1\)"),
        ({"points": np.empty((0, 1))}, r"points must have shape \(n, 1\), n >= 1"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": np.inf}, "epsilon"),
        ({"adjacency": "swap"}, "adjacency must be one of"),
        ({"adjacency": "add-remove"}, "depth must be given under 'add-remove'"),
        ({"counts": [1]}, "counts must be whole numbers"),
        ({"counts": [0.5, 1.0]}, "counts must be whole numbers"),
        ({"counts": [-1, 2]}, "counts must not be negative"),
        ({"counts": [0, 0]}, "the group is empty"),
        ({"depth": 0}, "depth"),
        ({"depth": 41}, "depth"),
        ({"outside": "drop"}, "outside must be"),
        ({"shrink": 0.0}, "shrink"),
        ({"population": 1}, "population"),
        ({"population": 10, "adjacency": "add-remove", "depth": 3}, "population needs adjacency 'replace'"),
    ],
)
def test_bad_input(change: dict, message: str) -> None:
    given = {"points": [[0.1], [0.9]], "epsilon": 1.0, "region": BOX, "rng": np.random.default_rng(0), **change}
    with pytest.raises(ValueError, match=message):
        private_measure(given.pop("points"), given.pop("epsilon"), **given)


def test_no_people_are_a_measure_where_sizes_are_secret() -> None:
    result = private_measure(
        np.empty((0, 1)), 1.0, region=BOX, rng=np.random.default_rng(0), adjacency="add-remove", depth=4
    )
    assert len(result.points) >= 1


def test_thinning_keeps_every_regions_share() -> None:
    rng = np.random.default_rng(0)
    result = private_measure(rng.beta(0.3, 0.8, (4000, 1)), 5.0, region=BOX, rng=rng)
    thin = result.thin(100, rng)
    assert thin.shape == (100, 1)
    assert wasserstein_distance(thin.ravel(), result.points.ravel()) < 0.006
    leaves = result.levels[-1]
    codes, times = np.unique(result.cells.codes(thin), return_counts=True)
    held = dict(zip(leaves.codes.tolist(), leaves.private.tolist(), strict=True))
    assert all(times <= held[code] for code, times in zip(codes.tolist(), times.tolist(), strict=True))
    assert result.thin(5000, rng) is result.points


class Even:
    """Stands for a generator: the next number in [0, 1) is the one that is given, positions in cells are chance."""

    def __init__(self, number: float) -> None:
        self.number, self.chance = number, np.random.default_rng(0)

    def random(self, shape: tuple[int, ...] | None = None) -> np.ndarray | float:
        return self.number if shape is None else self.chance.random(shape)


@pytest.mark.parametrize("n", [1, 4])
def test_thinning_gives_every_private_point_one_chance(n: int) -> None:
    """Over numbers that are even in [0, 1) each leaf is met as often as it has private points, empty ones never."""
    rng = np.random.default_rng(1)
    result = private_measure(rng.beta(0.3, 0.8, (40, 1)), 3.0, region=BOX, rng=rng, depth=6)
    leaves, total = result.levels[-1], 40
    assert (leaves.private == 0).any() and (leaves.private > 1).any()
    numbers = (np.arange(total // n) + 0.5) * n / total
    met = np.concatenate([result.thin(n, Even(number)) for number in numbers])
    times = np.bincount(result.cells.codes(met), minlength=2**6)
    assert times[leaves.codes].tolist() == leaves.private.tolist() and times.sum() == total


def test_points_are_drawn_from_the_private_counts_only() -> None:
    rng = np.random.default_rng(0)
    result = private_measure(rng.beta(0.3, 0.8, (500, 1)), 2.0, region=BOX, rng=rng)
    leaves = result.levels[-1]
    counts = np.bincount(result.cells.codes(result.points), minlength=2**result.cells.depth)
    assert (counts[leaves.codes] == leaves.private).all()
    assert len(result) == len(result.points) == len(result.weights)
    # Whatever happened to the generator since, the points of a result stay what they are.
    rng.random(100)
    assert (replace(result).points == result.points).all()
    emptied = replace(result, levels=(*result.levels[:-1], replace(leaves, true=None)))
    assert (emptied.points == result.points).all()


def test_a_polygon_that_remembers_its_cells_gives_the_same_measure() -> None:
    triangle = shapely.Polygon([(0, 0), (1, 0), (0.3, 1)])
    points = np.random.default_rng(1).dirichlet((1, 1, 1), 3000) @ np.array([(0, 0), (1, 0), (0.3, 1)])
    used = as_region(triangle)
    for epsilon in (0.1, 5.0):
        private_measure(points, epsilon, region=used, rng=np.random.default_rng(7))
    again, fresh = (
        private_measure(points, 1.0, region=region, rng=np.random.default_rng(2))
        for region in (used, as_region(triangle))
    )
    assert (again.points == fresh.points).all()


def test_a_result_carries_nothing_of_what_its_region_was_asked_before() -> None:
    triangle = shapely.Polygon([(0, 0), (1, 0), (0.3, 1)])
    rng = np.random.default_rng(1)
    used = as_region(triangle)
    before = {name: id(value) for name, value in vars(used).items()}
    for _ in range(3):
        private_measure(0.5 * rng.random((2000, 2)), 5.0, region=used, rng=rng).points  # noqa: B018
    result = private_measure(rng.random((10, 2)), 1.0, region=used, rng=rng)
    assert {name: id(value) for name, value in vars(result.region).items()} == before
    held = [value for value in vars(result.region).values() if isinstance(value, dict | list | set)]
    assert held == []


def test_a_release_cannot_be_wound_back_to_the_sample() -> None:
    """The seed of the points used to come from the caller's generator, out of which the secret sample had come."""
    rng = np.random.default_rng(5)
    sample = rng.random((50, 1))
    after = rng.bit_generator.state
    result = private_measure(sample, 1.0, region=BOX, rng=rng, secure=True)
    assert rng.bit_generator.state == after
    wound = np.random.PCG64()
    for steps in range(300):
        wound.state = rng.bit_generator.state
        wound.advance(2**128 - steps)
        assert tuple(np.random.Generator(wound).integers(2**32, size=4).tolist()) != result.seed


@pytest.mark.slow
def test_one_difference_is_nearer_to_the_truth_than_two_counts() -> None:
    """With noisy counts of both siblings their difference has the noise of both: 1.4 times as much."""
    rng = np.random.default_rng(0)
    points = rng.beta(0.4, 0.9, (4000, 1))
    sizes = []
    for _ in range(40):
        level = private_measure(points, 1.0, region=BOX, rng=rng).levels[6]
        noisy, true = (np.asarray(counts)[~level.exempt].reshape(-1, 2) for counts in (level.noisy, level.true))
        sizes += list((noisy[:, 0] - noisy[:, 1]) - (true[:, 0] - true[:, 1]))
    assert np.abs(sizes).mean() == pytest.approx(level.scale, rel=0.1)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    "adjacency", [pytest.param(each, marks=[pytest.mark.nightly] * (each != "replace")) for each in sorted(SENSITIVITY)]
)
def test_an_audit_of_the_whole_measure_finds_less_than_promised_and_half_the_noise(adjacency, monkeypatch) -> None:
    """On the noisy values of all levels, at the worst neighbours: the two points part at the first cut."""
    first = np.array([[0.1], [0.1]])
    second = np.array([[0.1], [0.9]] if adjacency == "replace" else [[0.1], [0.1], [0.9]])

    def mechanism(points: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        runs = [
            private_measure(points, 2.0, region=BOX, rng=rng, adjacency=adjacency, depth=1).levels for _ in range(n)
        ]
        return np.array([[levels[0].noisy[0], *levels[1].noisy] for levels in runs])

    found = audit(mechanism, [(first, second)], 800, np.random.default_rng(0))
    assert 0.5 < found <= 2.0
    real = measure_module.discrete_laplace
    monkeypatch.setattr(
        measure_module, "discrete_laplace", lambda counts, scale, rng, *, secure: real(counts, scale / 3, rng)
    )
    assert audit(mechanism, [(first, second)], 800, np.random.default_rng(0)) > 2.0
