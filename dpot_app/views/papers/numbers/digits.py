"""The experiments of dp_barycenters with written digits: on MNIST's test images, never kept here."""

from functools import cache

import numpy as np

from dpot_app.views.papers.row import Number, Numbers, mean_of
from dpot_core.arguments import Array
from dpot_core.datasets.digits import SIDE, Digits, load_digits
from dpot_core.datasets.downloads import DatasetMissing
from dpot_core.mechanisms.central.barycenter import atoms_distance
from dpot_core.mechanisms.central.coreset_barycenter import Search, coreset_barycenter
from dpot_core.transport.barycenters import barycenter_cost, free_support
from dpot_core.transport.wasserstein import wasserstein

#: Points of each picture and of each private copy from which barycenters are computed, as the page has it.
KEPT = 500
_ATOMS, _PROJECTION, _RUNS, _PIXELS = 40, 25, 3, SIDE * SIDE


def shrink(d: int) -> float:
    """(240 d)^(-1/d): how much smaller than its cell the box is in which the paper draws points."""
    return float((240 * d) ** (-1 / d))


def _images() -> Digits:
    pictures = load_digits()
    if pictures.simulated:
        raise DatasetMissing("Figures 6 and 7 are recorded with MNIST's test images: set DPOT_DATA to their folder")
    return pictures


def one_digit() -> Numbers:
    """Figure 6: three pictures of a 2, 2,000 points each, epsilon 1; full and shrunken cells, three seeds."""
    numbers: dict[str, Number] = {}
    clouds = _images().points(2, 3, 2_000, np.random.default_rng([1, 4]))
    some = np.full(400, 1 / 400)
    for words, factor in (("the full cell", 1.0), ("the shrunken cell", shrink(2))):
        costs, far = [], []
        for seed in range(_RUNS):
            made = coreset_barycenter(
                clouds,
                24,
                1.0,
                region=((-0.5, -0.5), (0.5, 0.5)),
                rng=np.random.default_rng(seed),
                search=Search(subsample=KEPT, starts=1, shrink=factor),
            )
            costs.append(barycenter_cost([(cloud[:KEPT], None) for cloud in clouds], made.atoms))
            apart = np.linalg.norm(clouds[0][:400, None] - made.measures[0].points[:400], axis=2)
            far.append(wasserstein(some, some, apart, 1))
        numbers[f"cost of the coreset, points in {words}"] = mean_of(costs)
        numbers[f"W₁ of 400 private points to 400 true ones, {words}"] = mean_of(far)
    return numbers


@cache
def _truth() -> tuple[list[Array], Array]:
    """Every digit's images as points of [0, 1/28]^784, a box of diameter 1, and their barycenter without privacy."""
    pictures = _images()
    points = pictures.ink.reshape(len(pictures.ink), _PIXELS) / SIDE
    groups = [points[pictures.labels == digit] for digit in range(10)]
    return groups, free_support([(group, None) for group in groups], _ATOMS, np.random.default_rng(0), starts=1).atoms


def _distances(n: int, epsilon: float = 1.0, kept: int | None = None, factor: float = 1.0) -> Number:
    """W_2 of the coreset's barycenter of n images of each digit to the barycenter of all, mean of three runs."""
    groups, truth = _truth()
    found = []
    for seed in range(_RUNS):
        rng = np.random.default_rng([seed, n])
        made = coreset_barycenter(
            [group[rng.permutation(len(group))[:n]] for group in groups],
            _ATOMS,
            epsilon,
            region=(np.zeros(_PIXELS), np.full(_PIXELS, 1 / SIDE)),
            rng=rng,
            search=Search(projection=_PROJECTION, subsample=kept, starts=1, shrink=factor),
        )
        found.append(atoms_distance(truth, made.atoms))
    return mean_of(found)


def thinned() -> Numbers:
    """Figure 7 (a): against n, and n = 800 thinned to fewer points; what a barycenter of other images has."""
    numbers = {f"W₂ to the barycenter, n = {n}": _distances(n) for n in (50, 200, 800)}
    numbers |= {f"W₂ to the barycenter, n = 800 thinned to {kept}": _distances(800, kept=kept) for kept in (50, 200)}
    numbers["W₂ to the barycenter, n = 800, ε = 500"] = _distances(800, epsilon=500.0)
    groups, truth = _truth()
    part = [(group[:200], None) for group in groups]
    plain = free_support(part, _ATOMS, np.random.default_rng(1), starts=1)
    numbers["W₂ to the barycenter without privacy, n = 200"] = Number(atoms_distance(truth, plain.atoms))
    middle = np.full((_ATOMS, _PIXELS), 0.5 / SIDE)
    return numbers | {"W₂ of the middle of the box": Number(atoms_distance(truth, middle))}


def scaled() -> Numbers:
    """Figure 7 (b): points in the full cell and in the shrunken one, whose factor is near 1 in 784 dimensions."""
    numbers = {"(240 d)^(−1/d), d = 784": Number(shrink(_PIXELS)), "(240 d)^(−1/d), d = 2": Number(shrink(2))}
    for n in (200, 800):
        for words, factor in (("full cells", 1.0), ("shrunken cells", shrink(_PIXELS)), ("their centres", 1e-6)):
            numbers[f"W₂ to the barycenter, {words}, n = {n}"] = _distances(n, factor=factor)
    return numbers
