"""Private k-means: Lloyd without noise, what a round reveals by brute force, and the promise by other accountants."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from dp_accounting import pld
from scipy.spatial.distance import cdist
from scipy.stats import norm
from shapely import MultiPolygon, Polygon

from dpot_core.mechanisms.central import private_kmeans as module
from dpot_core.mechanisms.central.ball_region import BallRegion
from dpot_core.mechanisms.central.cells import MOST_PEOPLE
from dpot_core.mechanisms.central.private_kmeans import (
    FEW,
    MOST_MOVED,
    PARTS,
    ROUNDS,
    SPREAD,
    lloyd_rounds,
    private_kmeans,
    round_sensitivity,
    round_sums,
)
from dpot_core.mechanisms.central.regions import BoxRegion, Region, as_region
from dpot_core.transport.barycenters import barycenter_cost, free_support
from dpot_core.transport.kmeans import local_kmeans, nearest_cost

SQUARE = BoxRegion([0.0, -1.0], [2.0, 1.0])
CORNERS = np.array([[0.0, -1.0], [0.0, 1.0], [2.0, -1.0], [2.0, 1.0]])
ADJACENCIES = ("replace", "add-remove")


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No noise, as much as would be added."""
    monkeypatch.setattr(module, "gaussian", lambda values, noise, rng, *, secure=None: values.copy())


def lloyd(points: np.ndarray, masses: np.ndarray, centres: np.ndarray, rounds: int, least: float = 0.0) -> np.ndarray:
    """The slow, obvious version; a centre with less than this stays."""
    for _ in range(rounds):
        new = centres.copy()
        label = [min(range(len(centres)), key=lambda j: math.dist(x, centres[j])) for x in points]
        for j in range(len(centres)):
            mine = [place for place, one in enumerate(label) if one == j]
            if mine and masses[mine].sum() >= least:
                new[j] = np.average(points[mine], axis=0, weights=masses[mine])
        centres = new
    return centres


# ---------------------------------------------------------------- without noise


@pytest.mark.parametrize("weights", [None, [2.0, 1.0]])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_without_noise_it_is_lloyd(quiet: None, adjacency: str, weights: list[float] | None) -> None:
    rng = np.random.default_rng(0)
    groups = [(rng.random((n, 2)) * 2 - [0, 1], rng.integers(1, 4, n)) for n in (60, 40)]
    start = np.vstack([rng.random((4, 2)) * 2 - [0, 1], [[9.0, 9.0]]])
    given = {"region": SQUARE, "rng": rng, "rounds": 5, "start": start, "weights": weights, "adjacency": adjacency}
    found = private_kmeans(groups, 5, 50.0, 1e-6, **given)
    masses = np.concatenate([counts * weight for (_, counts), weight in zip(groups, weights or [1, 1], strict=True)])
    masses = masses / max(weights or [1])
    least = max(FEW * found.noise / found.person, 1.0)
    known = lloyd(np.concatenate([x for x, _ in groups]), masses, SQUARE.clip(start), 5, least)
    assert found.atoms == pytest.approx(known, abs=2.0**-16)
    assert found.trace.shape == (6, 5, 2) and (found.trace[0] == SQUARE.clip(start)).all()
    assert found.shares.sum() == pytest.approx(1.0) and found.shares.min() >= 0.0


def test_a_centre_without_people_stays_and_one_with_few_does(quiet: None) -> None:
    points = np.vstack([np.full((300, 1), 0.1), [[0.95]]])
    start = np.array([[0.2], [0.8], [0.5]])
    found = private_kmeans([points], 3, 1.0, 1e-6, region=([0.0], [1.0]), rng=rng0(), start=start, rounds=2)
    assert found.noise / found.person > 1.0, "the one person at .95 is less than the noise"
    assert found.atoms.ravel() == pytest.approx([0.1, 0.8, 0.5], abs=1e-5)


def rng0() -> np.random.Generator:
    return np.random.default_rng(0)


def test_lloyd_without_noise_ends_in_a_local_minimum() -> None:
    rng = np.random.default_rng(1)
    points, masses, start = rng.random((200, 2)), rng.random(200), rng.random((5, 2))
    found = local_kmeans(points, masses, start)
    assert found == pytest.approx(lloyd(points, masses, start, 100), abs=1e-6)
    groups = [(points, masses)]
    assert nearest_cost(groups, found) == pytest.approx(np.average(cdist(points, found).min(1) ** 2, weights=masses))
    for _ in range(20):
        assert nearest_cost(groups, found + 0.02 * rng.standard_normal(found.shape)) > nearest_cost(groups, found)
    far = np.vstack([found, [[50.0, 50.0]]])
    assert (local_kmeans(points, masses, far)[-1] == 50.0).all()


def test_k_means_costs_less_to_the_nearest_and_more_with_equal_shares() -> None:
    """One objective is free in the weights, the other is not; with one atom they are one."""
    rng = np.random.default_rng(2)
    points = np.vstack([0.05 * rng.standard_normal((90, 2)), 1.0 + 0.05 * rng.standard_normal((10, 2))])
    groups = [(points, None)]
    equal = free_support(groups, 2, rng).atoms
    free = local_kmeans(points, np.ones(100), np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert nearest_cost(groups, free) < nearest_cost(groups, equal)
    assert barycenter_cost(groups, free) > barycenter_cost(groups, equal)
    for atoms in (equal, free):
        assert nearest_cost(groups, atoms) <= barycenter_cost(groups, atoms)
    one = points.mean(axis=0, keepdims=True)
    assert nearest_cost(groups, one) == pytest.approx(barycenter_cost(groups, one))
    two = [(points, None), (points[:50], np.arange(50.0))]
    beta = [3.0, 1.0]
    costs = [nearest_cost([group], free, 1.0) for group in two]
    assert nearest_cost(two, free, 1.0, beta) == pytest.approx(0.75 * costs[0] + 0.25 * costs[1])


# ---------------------------------------------------------------- what a round reveals


@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_a_round_moves_by_no_more_than_proven_and_by_that_much(adjacency: str) -> None:
    """By brute force over neighbours, wherever the centres lie."""
    rng = np.random.default_rng(0)
    (bound, person), worst = round_sensitivity(SQUARE, adjacency), 0.0
    for trial in range(60):
        centres = 2 * rng.random((3, 2)) - [0, 1]
        pool = CORNERS if trial % 2 else np.vstack([CORNERS[:2], rng.random((3, 2)) * 2 - [0, 1]])
        rest = pool[rng.integers(0, len(pool), 4)]

        def asked(points: np.ndarray, centres: np.ndarray = centres) -> np.ndarray:
            return round_sums(points, np.ones(len(points)), centres, SQUARE, person)

        sets = [np.vstack([rest, [x]]) for x in pool]
        pairs = itertools.combinations(sets, 2) if adjacency == "replace" else ((rest, x) for x in sets)
        worst = max(worst, *(float(np.linalg.norm(asked(one) - asked(other))) for one, other in pairs))
    assert bound * (1 - 1e-5) <= worst <= bound * (1 + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_every_observer_of_small_instances_is_bounded_by_the_promise(adjacency: str) -> None:
    """Exactly, by the hockey-stick divergence of every pair of neighbours with three people, T rounds of them."""
    epsilon, delta, rounds = 0.7, 0.02, 3
    line = BoxRegion([0.0], [1.0])
    given = {"region": line, "rng": rng0(), "rounds": rounds, "adjacency": adjacency}
    found = private_kmeans([np.full((3, 1), 0.5)], 2, epsilon, delta, **given)
    places, largest = np.linspace(0.0, 1.0, 5), 0.0
    for centres in itertools.combinations(places, 2):
        for two in itertools.product(places, repeat=2):
            sets = [np.array([*two, x])[:, None] for x in places]
            if adjacency == "add-remove":
                sets = [np.array(two)[:, None], *sets]
            said = [round_sums(x, np.ones(len(x)), np.array(centres)[:, None], line, found.person) for x in sets]
            for one, other in itertools.combinations(said, 2):
                if adjacency == "add-remove" and one is not said[0]:
                    continue
                mu = math.sqrt(rounds) * float(np.linalg.norm(one - other)) / found.noise
                if mu > 0:
                    exact = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
                    largest = max(largest, exact)
    assert 0.9 * delta < largest <= delta


@pytest.mark.parametrize("people", [2**20, MOST_PEOPLE // PARTS])
def test_sums_of_many_weighted_people_are_exact(people: int) -> None:
    region = as_region(((-1.0, -1.0), (1.0, 1.0)))
    rng = np.random.default_rng(0)
    bound, person = round_sensitivity(region, "replace")
    centres = np.array([[-0.5, 0.0], [0.5, 0.0]])
    for _ in range(40):
        points = 2 * rng.random((3, 2)) - 1
        first, weight = int(rng.integers(1, people - 2)), rng.integers(1, PARTS + 1) / PARTS
        times = np.array([first, 1, people - 1 - first])
        sums = [
            round_sums(points, weight * (times + moved), centres, region, person) for moved in (0, np.array([0, -1, 1]))
        ]
        assert np.linalg.norm(sums[0] - sums[1]) <= weight * bound


@pytest.mark.parametrize("d", [1, 2, 5, 10])
def test_counts_have_the_share_of_the_budget_that_makes_centres_best(d: int) -> None:
    region = BoxRegion(np.zeros(d), np.ones(d))

    def error(person: float) -> float:
        # Of a centre, but for what does not depend on the split: noise is in proportion to the sensitivity.
        return (d + SPREAD * (region.radius / person) ** 2) * (person**2 + region.radius**2)

    bound, person = round_sensitivity(region, "add-remove")
    assert bound == pytest.approx(math.hypot(person, region.radius))
    best = min(error(share * region.radius) for share in np.linspace(0.01, 1.0, 400))
    assert error(person) <= best * (1 + 1e-4)
    # Where a person is replaced, counts are free up to R.
    assert round_sensitivity(region, "replace") == pytest.approx((2 * region.radius, region.radius), rel=1e-5)


# ---------------------------------------------------------------- the promise


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [1, 4])
@pytest.mark.parametrize("adjacency", ADJACENCIES)
def test_all_rounds_together_keep_the_promise_by_another_accountant(adjacency: str, rounds: int) -> None:
    epsilon, delta = 0.8, 1e-4
    found = private_kmeans(
        [np.zeros((9, 2))], 2, epsilon, delta, region=SQUARE, rng=rng0(), rounds=rounds, adjacency=adjacency
    )
    assert found.sensitivity == round_sensitivity(SQUARE, adjacency)[0]
    one = pld.privacy_loss_distribution.from_gaussian_mechanism(found.noise / found.sensitivity)
    together = one.self_compose(rounds)
    assert together.get_delta_for_epsilon(epsilon) <= delta * 1.001
    assert together.get_epsilon_for_delta(delta) >= 0.99 * epsilon, "no noise is wasted"
    promise = found.guarantee
    assert (promise.epsilon, promise.delta, promise.neighbours, promise.proven) == (epsilon, delta, adjacency, True)
    assert found.profile.delta([epsilon])[0] == pytest.approx(delta, rel=1e-6)


def test_a_sample_is_amplified() -> None:
    given = {"region": SQUARE, "rounds": 2}
    found = private_kmeans([np.zeros((50, 2))], 2, 1.0, 1e-6, rng=rng0(), population=5000, **given)
    assert math.log1p(0.01 * math.expm1(found.sample_guarantee.epsilon)) <= 1.0
    assert found.sample_guarantee.delta <= 1e-4 and found.guarantee.delta == 1e-6
    assert found.noise < private_kmeans([np.zeros((50, 2))], 2, 1.0, 1e-6, rng=rng0(), **given).noise / 2


@pytest.mark.parametrize("epsilon", [0.01, 3.0])
@pytest.mark.parametrize(
    "region",
    [
        SQUARE,
        BallRegion([0.5, -0.25], 1.5),
        as_region(MultiPolygon([Polygon([(0, 0), (1, 0), (0, 1)]), Polygon([(3, 3), (4, 3), (3, 4)])])),
        BoxRegion([1e14, 1e14], [1e14 + 3, 1e14 + 3]),
    ],
    ids=["box", "ball", "polygons", "far"],
)
def test_centres_lie_in_the_regions_hull_whatever_the_noise(region: Region, epsilon: float) -> None:
    rng = np.random.default_rng(5)
    people = region.clip(region.centre + 5 * rng.standard_normal((80, 2)))
    for seed in range(8):
        found = private_kmeans([people], 4, epsilon, 1e-6, region=region, rng=np.random.default_rng(seed), rounds=3)
        every = found.trace.reshape(-1, 2)
        assert (region.into_hull(every) == every).all() and np.isfinite(every).all()
        if isinstance(region, BoxRegion | BallRegion):
            assert region.contains(every).all()


def test_rounds_follow_from_public_numbers() -> None:
    least, most = ROUNDS
    found = [lloyd_rounds(n, 8, 2, 2.0) for n in (10, 1_000, 5_000, 10_000, 10**9)]
    assert found == sorted(found) and found[0] == least and found[-1] == most
    n, m, d, noise = 2_500, 8, 2, 2.0
    rounds = lloyd_rounds(n, m, d, noise)
    assert least < rounds < most

    def moved(rounds: int) -> float:
        # Every centre, of n/m people, half a squared radius from the middle, squared and summed.
        return m * rounds * noise**2 * (d + SPREAD) / (n / m) ** 2

    assert moved(rounds) <= MOST_MOVED < moved(rounds + 1)
    one, other = (np.random.default_rng(seed).random((40, 2)) for seed in (1, 2))
    results = [private_kmeans([x], 3, 1.0, 1e-6, region=SQUARE, rng=rng0()).rounds for x in (one, other)]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"adjacency": "add-remove"}, "rounds must be given under 'add-remove'"),
        ({"rounds": 0}, "steps must be a whole number"),
        ({"start": "coreset"}, "start must be 'uniform' or public atoms"),
        ({"start": np.zeros((3, 2))}, r"start must have shape \(2, 2\)"),
        ({"weights": [1.0, 2.0]}, "weights must have one number per group"),
        ({"delta": 0.0}, "delta must lie strictly between 0 and 1"),
        ({"m": 60}, "m must not exceed the number of points"),
    ],
)
def test_unfitting_arguments_are_refused(given: dict[str, object], message: str) -> None:
    settings: dict[str, object] = {"m": 2, "delta": 1e-6, "region": SQUARE, "rng": rng0()} | given
    m, delta = settings.pop("m"), settings.pop("delta")
    with pytest.raises(ValueError, match=message):
        private_kmeans([np.zeros((50, 2))], m, 1.0, delta, **settings)


def test_too_many_people_for_exact_sums_are_refused() -> None:
    crowd = [(np.zeros((1, 2)), np.array([MOST_PEOPLE // PARTS]))] * 2
    with pytest.raises(ValueError, match="so that sums are exact"):
        private_kmeans(crowd, 2, 1.0, 1e-6, region=SQUARE, rng=rng0(), rounds=2, weights=[1.0, 3.0])
    assert private_kmeans(crowd, 2, 1.0, 1e-6, region=SQUARE, rng=rng0(), rounds=2).rounds == 2
