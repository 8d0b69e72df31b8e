"""Differentially private Wasserstein barycenters: dp_barycenters."""

import math
from functools import partial

import numpy as np
from scipy.optimize import linear_sum_assignment

from dpot_app.views.papers.numbers.digits import shrink
from dpot_app.views.papers.row import Number, Numbers, exact, mean_of
from dpot_core.arguments import Array
from dpot_core.mechanisms.central.approximation_rates import clustered_bound, smoothing_bound, thinning_bound
from dpot_core.mechanisms.central.ball_region import BallRegion
from dpot_core.mechanisms.central.chunks import optimal_chunks
from dpot_core.mechanisms.central.coreset_barycenter import coreset_barycenter
from dpot_core.mechanisms.central.four_gaussians import DIMENSION, VALUES, WIDTH, release
from dpot_core.mechanisms.central.four_gaussians import gaussians as mixture
from dpot_core.mechanisms.central.paper_barycenter import assumed_noise
from dpot_core.mechanisms.central.perturbed_barycenter import Iteration, perturbed_barycenter
from dpot_core.mechanisms.central.private_measure import private_measure
from dpot_core.mechanisms.central.regions import BoxRegion
from dpot_core.privacy.numerals import number
from dpot_core.transport.barycenters import free_support
from dpot_core.transport.wasserstein import wasserstein

#: Figure 2: runs behind each point, and what is tried, by how its numbers end: standard deviations of the Gaussians,
#: of which the paper names none, and how much smaller than its cell the box is in which points are drawn, which is
#: (240 d)^(-1/d) in Appendix F.
PAPER_RUNS = 30
GAUSSIAN_PANELS = (
    ("", WIDTH, shrink(DIMENSION)),
    (", width 0.1", 0.1, shrink(DIMENSION)),
    (", full cells", WIDTH, 1.0),
)
_USUAL = {"n": 1000.0, "epsilon": 1.0, "projection": 5.0}
AXES = {"n": "n", "epsilon": "ε", "projection": "d'"}


def noise() -> Numbers:
    """The classical constant over what is needed at the amplified epsilons of Figure 3a."""
    numbers = {}
    for epsilon in (0.5, towards_the_sample(1.0), towards_the_sample(5.0)):
        classical, needed = assumed_noise(epsilon, 5e-6, 1.0)
        numbers[f"classical over needed noise at ε = {number(epsilon)}, δ = 5e-6"] = Number(classical / needed)
    return numbers


def towards_the_sample(epsilon: float) -> float:
    """The epsilon for the people drawn that gives epsilon towards the population, whose share they are."""
    return math.log1p(math.expm1(epsilon) * 306_675_006 / 200_000)


def amplification() -> Numbers:
    return {
        f"ε towards the sample for {epsilon:g} towards the population": Number(towards_the_sample(epsilon))
        for epsilon in (1.0, 5.0)
    }


def chunks() -> Numbers:
    n, m, d, epsilon = 200_000, 48, 2, 7.88
    return exact(k_by_the_formula=optimal_chunks(n, 1, m, d, epsilon), k_in_the_experiments=1000)


def coreset_lemma() -> Numbers:
    """Lemma 4.3 at p = 2: the optimum for moved groups against (sqrt OPT + t)^2, on the line with two atoms."""
    rng, worst = np.random.default_rng(1), -math.inf
    for _ in range(60):
        points = np.sort(rng.uniform(0, 1, 12))
        moved = np.sort(points + rng.normal(0, 0.05, 12))
        t = float(np.sqrt(((points - moved) ** 2).mean()))
        # One group on the line and two equal atoms: the optimal halves are the lower and the upper six.
        costs = [float(np.mean([np.var(half) for half in np.split(one, 2)])) for one in (points, moved)]
        worst = max(worst, costs[1] - (math.sqrt(costs[0]) + t) ** 2)
    return {"largest excess over (√OPT + t)²": Number(worst)}


def measure() -> Numbers:
    """The private measure in the unit square: budget by level, and W_1 to the truth over eps n."""
    numbers: dict[str, Number] = {}
    for n in (1_000, 16_000):
        errors = []
        for seed in range(8):
            rng = np.random.default_rng(seed)
            points = rng.uniform(0.2, 0.8, (n, 2))
            made = private_measure(points, 1.0, region=((0.0, 0.0), (1.0, 1.0)), rng=rng)
            some, other = made.points[rng.permutation(len(made.points))[:400]], points[:400]
            errors.append(wasserstein(np.full(400, 1 / 400), np.full(400, 1 / 400), _apart(some, other), 1))
        numbers[f"W₁ of 400 private points to 400 true ones, n = {n:,}"] = mean_of(errors)
    rng = np.random.default_rng(9)
    true = [_apart(*rng.uniform(0.2, 0.8, (2, 400, 2))) for _ in range(8)]
    equal = np.full(400, 1 / 400)
    numbers["W₁ of 400 true points to 400 others"] = mean_of([wasserstein(equal, equal, one, 1) for one in true])
    return numbers


def gaussians(axis: str) -> Numbers:
    """Cost of the synthetic experiment along an axis: mean and deviation of 30 runs, at two widths and in two cells.

    Points are drawn in shrunken cells, as in all experiments of the paper; at the smaller width in full ones, too. The
    page draws the first ten of the latter.
    """
    numbers: dict[str, Number] = {}
    for ending, width, factor in GAUSSIAN_PANELS:
        for value in VALUES[axis]:
            n, epsilon, projection = (value if one == axis else usual for one, usual in _USUAL.items())
            at = f", {AXES[axis]} = {value:,g}"
            for name, target in (("non-private", 0), ("projected", int(projection)), ("not projected", None)):
                # Without privacy nothing depends on epsilon, and without projection nothing on its dimension.
                varies = axis == "n" or name == "projected" or (name, axis) == ("not projected", "epsilon")
                key = f"{name}{at if varies else ''}{ending}"
                if key not in numbers:
                    numbers[key] = mean_of(
                        [_run(int(n), epsilon, target, run, width, factor) for run in range(PAPER_RUNS)]
                    )
    return numbers


def _run(n: int, epsilon: float, target: int | None, run: int, width: float, factor: float) -> float:
    """Cost of one run on its true points; target 0: of the barycenter without privacy."""
    points = mixture(n, np.random.default_rng([1, run]), width)
    if target == 0:
        return float(free_support([(points, None)], 8, np.random.default_rng([1, run, 1])).cost)
    made = release(points, 8, epsilon, target, seed=1, run=run, width=width, shrink=factor)
    return float(made.cost([(points, None)]))


def weights() -> Numbers:
    """Definition 3 on the line, two atoms, beta = (3/4, 1/4): the cost by hand is 23.125, at the atoms 3 and 5.5."""
    groups = [np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[10.0], [11.0], [14.0], [15.0]])]
    found = free_support(groups, 2, np.random.default_rng(1), weights=[3, 1])
    place, given = ((0.0,), (15.0,)), partial(Iteration, "chunks", 1, 2, np.array([[5.0]]))
    heavy, equal = (
        perturbed_barycenter(
            groups, 1, 1.0, 1e-5, region=place, rng=np.random.default_rng(1), iteration=given(weights=beta)
        ).noise
        for beta in ([3, 1], None)
    )
    return exact(cost=found.cost, cost_by_hand=23.125) | {
        "noise of a step of chunks over that of 1/k": Number(heavy / equal)
    }


def ball() -> Numbers:
    """Sensitivity of a mean of one chunk in the ball of diameter 1 and in the box around it, and where points end."""
    numbers, rng = dict[str, Number](), np.random.default_rng(1)
    for d in (2, 784):
        round_, box = BallRegion(np.zeros(d), 0.5), BoxRegion(np.full(d, -0.5), np.full(d, 0.5))
        numbers[f"diameter of the ball, d = {d}"] = Number(round_.diameter)
        numbers[f"diameter of its box, d = {d}"] = Number(box.diameter)
        made = private_measure(round_.uniform(100, rng), 1.0, region=round_, rng=rng)
        numbers[f"private points outside the ball, d = {d}"] = Number(float((~round_.contains(made.points)).sum()))
    return numbers


def promise() -> Numbers:
    """The promise of Algorithm 1 for three groups."""
    rng = np.random.default_rng(1)
    groups = [rng.uniform(0.2, 0.8, (300, 2)) for _ in range(3)]
    made = coreset_barycenter(groups, 4, 1.0, region=((0.0, 0.0), (1.0, 1.0)), rng=rng)
    return exact(ε=made.guarantee.epsilon, δ=made.guarantee.delta)


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(one[:, None] - other[None], axis=2))


def smoothing() -> Numbers:
    """Lemma C.7 with its constant 1: the moment of the noise over the paper's form."""
    numbers = {}
    for d, p in ((2, 2), (10, 1), (784, 2)):
        moment, printed = smoothing_bound(1.0, d, p)
        numbers[f"(E‖Z‖^p)^(1/p) over √d + √(2p), d = {d}, p = {p}"] = Number(moment / printed)
    return numbers


def subsample() -> Numbers:
    """Proposition E.5 and Corollary E.6 on the line: 60 subsamples of 25 of 100 points, p = 2, diameter 1."""
    rng = np.random.default_rng(2)
    points = np.sort(rng.uniform(0, 1, 100))
    cost = (points[:, None] - points[None]) ** 2
    whole, shares = np.full(100, 0.01), []
    for _ in range(60):
        part = np.zeros(100)
        part[rng.permutation(100)[:25]] = 1 / 25
        shares.append(wasserstein(whole, part, cost, 2) / thinning_bound(100, 25, 1.0, 2))
    bounded = {"largest W₂ over its bound": Number(max(shares))}
    return exact(total_variation=0.5 * np.abs(whole - part).sum(), its_bound=0.75) | bounded


def clustered() -> Numbers:
    """Proposition E.8 at p = 1 on the line: five tight balls with 0.95 of the mass, 20 samples, xi = 0.05."""
    rng, numbers = np.random.default_rng(11), dict[str, Number]()

    def draw(n: int) -> Array:
        near = rng.choice(np.linspace(0, 1, 5), n) + rng.uniform(-1e-4, 1e-4, n)
        return np.sort(np.where(rng.random(n) < 0.05, rng.uniform(0, 1, n), near).clip(0, 1))

    law = draw(128_000)
    for n in (200, 2_000, 32_000):
        far = [float(np.abs(np.repeat(draw(n), 128_000 // n) - law).mean()) for _ in range(20)]
        numbers[f"W₁ to {n:,} draws"] = mean_of(far)
        numbers[f"bound, n = {n:,}"] = Number(clustered_bound(n, 5, 1e-4, 0.05, 1, 0.05))
    numbers["draws from which the bound is below 1, p = 2, m = 48, c = 0"] = Number(
        float(next(n for n in range(1_000, 10**7, 1_000) if clustered_bound(n, 48, 1e-4, 0.0, 2, 0.05) < 1))
    )
    return numbers


def assignments() -> Numbers:
    """Proposition D.2: 20 points on the line, the first moved behind the second, or all within 1/n.

    The optimal plan to 20 other points, by the assignment that a solver finds.
    """
    n = 20
    atoms = np.random.default_rng(1).uniform(0, 1, n)
    order = np.arange(1, n + 1)

    def plan(points: Array) -> Array:
        return np.asarray(linear_sum_assignment((points[:, None] - atoms) ** 2)[1])

    printed, tight = order / n, order / n**2
    changed = {}
    for words, points, place in (
        ("the printed example (k/n, the first to 2.5/n)", printed, 2.5 / n),
        ("all points within 1/n (k/n², the first to 1/n + 1/n²)", tight, 1 / n + 1 / n**2),
    ):
        moved = points.copy()
        moved[0] = place
        changed[f"assignments that change, {words}"] = Number(float((plan(points) != plan(moved)).sum()))
        changed[f"the point moves by, times n, {words}"] = Number(float(place - points[0]) * n)
    return {"points": Number(float(n))} | changed


def circle() -> Numbers:
    """Proposition D.3: 24 points on a circle in 20 groups; the same person of one group at two places."""
    angles = 2 * math.pi * (np.arange(24) + 0.5) / 24
    circle = 0.45 * np.column_stack([np.cos(angles), np.sin(angles)])
    best = []
    for place in ([0.5, 0.0], [0.0, 0.5]):
        one = circle.copy()
        one[0] = place
        # Two equal atoms: the halves by a line through the middle, in the direction that spreads their means most.
        groups = [one, *[circle] * 19]
        found = max(
            (
                np.array([_halves(group, turn) for group in groups]).mean(axis=0)
                for turn in np.linspace(0, math.pi, 721)
            ),
            key=lambda atoms: float(np.linalg.norm(atoms[0] - atoms[1])),
        )
        best.append(found)
    moved = min(float(np.linalg.norm(best[0] - best[1][order], axis=1).max()) for order in ([0, 1], [1, 0]))
    return {"an atom moves by (diameters)": Number(moved), "1/(k k') allows": Number(1 / 20)}


def _halves(points: np.ndarray, turn: float) -> list[np.ndarray]:
    order = np.argsort(points @ [math.cos(turn), math.sin(turn)], kind="stable")
    return [points[half].mean(axis=0) for half in np.split(order, 2)]
