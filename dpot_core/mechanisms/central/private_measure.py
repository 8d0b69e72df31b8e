"""A private copy of a point set: noisy differences on a binary partition, made whole, and new points in its cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_number
from dpot_core.arguments.lazy import cached_property
from dpot_core.arguments.options import by_name
from dpot_core.mechanisms.central.groups import check_group
from dpot_core.mechanisms.central.memory import memory
from dpot_core.mechanisms.central.noise import Integers, discrete_laplace, expected_size, scale_for
from dpot_core.mechanisms.central.partition import SENSITIVITY, Partition, level_budgets, partition, private_depth
from dpot_core.mechanisms.central.promises import Protection, budget
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.mechanisms.central.region_draws import draw_in_cells
from dpot_core.mechanisms.central.regions import PolygonRegion, Region, as_region
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.spaces.polygons import Booleans

#: Most points that are drawn where their number is noisy.
MAX_POINTS = 10**7

#: Down to this level a polygon remembers which cells meet it: 1, 0, or not asked yet.
DEEPEST = 20
UNKNOWN = -1


@dataclass(frozen=True)
class Level:
    """The cells of one level that were looked at: the children, inside the region, of cells with private points.

    Attributes:
        level: 0 for the root.
        codes: codes of the cells, ascending, (c,).
        true: true counts, (c,); not private, for teaching; None where the noise is for a release.
        noisy: what the noise says, (c,): half of the parent's private count plus (left) or minus (right) half of the
            siblings' noisy difference; a cell without noise (`exempt`) has its parent's private count.
        private: counts after consistency, (c,): whole, not negative, siblings add up to their parent.
        exempt: cells that needed no noise: the root if n is public, and only children inside the region.
        budget: epsilon that the level spends, exact.
        scale: scale of the discrete Laplace noise on a difference, or on the root's count; 0 where nothing is spent.
    """

    level: int
    codes: Integers
    true: Integers | None
    noisy: Array
    private: Integers
    exempt: Booleans
    budget: Fraction
    scale: float


@dataclass(frozen=True)
class PrivateMeasure:
    """The result of `private_measure`: equally weighted points that may be published.

    Attributes:
        guarantee: what is promised; towards the population if one was given.
        sample_guarantee: what is promised to those whose points were used.
        cells: the partition, public.
        levels: counts level by level, for a teaching picture; their `true` counts are not private.
        outside: number of points that lay outside the region and were moved into it; not private, None for a release.
        error_bound: bound on the expected W_1 between these points and the true ones, unit of the coordinates; None
            where none is proved.
        region: where points may be, public.
        shrink: how much smaller than their cells the boxes are in which new points are drawn.
        seed: of the positions of `points` in their cells, and of their order: of what needs no secrecy.
    """

    guarantee: Guarantee
    sample_guarantee: Guarantee
    cells: Partition
    levels: tuple[Level, ...] = field(repr=False)
    outside: int | None
    error_bound: float | None
    region: Region = field(repr=False)
    shrink: float
    seed: tuple[int, ...] = field(repr=False)

    @cached_property
    def points(self) -> Array:
        """Private points, (N, d), in the region, in random order; drawn when they are first asked for."""
        rng = np.random.default_rng(self.seed)
        leaves = self.levels[-1]
        return self._drawn(rng.permutation(np.repeat(leaves.codes, leaves.private)), rng)

    @property
    def atoms(self) -> Array:
        """The private points, each of weight 1/N."""
        return self.points

    @property
    def weights(self) -> Array:
        """Weights of the points, (N,): 1/N each."""
        return np.full(len(self), 1.0 / len(self))

    def __len__(self) -> int:
        return int(self.levels[-1].private.sum())

    def thin(self, n: int, rng: np.random.Generator) -> Array:
        """At most n points in the same way, evenly spaced along the order of the cells: each region keeps its share.

        Args:
            n: number of points that are wanted.
            rng: draws their positions and the first one's cell.

        Returns:
            Points, (n, d), or all `points` where there are no more.
        """
        total = len(self)
        if check_count(n, "n") >= total:
            return self.points
        leaves = self.levels[-1]
        chosen = ((np.arange(n) + rng.random()) * (total / n)).astype(np.int64)
        rows = np.searchsorted(np.cumsum(leaves.private), np.minimum(chosen, total - 1), side="right")
        return self._drawn(leaves.codes[rows], rng)

    def _drawn(self, codes: Integers, rng: np.random.Generator) -> Array:
        """One new point in each of the leaves with the given codes."""
        return draw_in_cells(self.region, *self.cells.boxes(codes, self.cells.depth), rng, self.shrink)


@by_name(protection=Protection)
def private_measure(
    points: ArrayLike,
    epsilon: float,
    *,
    region: Any,
    rng: np.random.Generator | None = None,
    counts: ArrayLike | None = None,
    depth: int | None = None,
    shrink: float = 1.0,
    protection: Protection = Protection(),
) -> PrivateMeasure:
    r"""Points that look like the given ones and are epsilon-differentially private (pure).

    The public box around the region is halved r times. For every cell of level j - 1 the difference ``n_0 - n_1`` of
    its halves' numbers of points gets noise ``z``, ``P(z) ~ e^(-|z|/sigma_j)``, ``sigma_j = s/epsilon_j``, with
    ``sum_j epsilon_j = epsilon`` exactly; s = 2 under "replace", 1 under "add-remove". From the root down, siblings get
    the whole, non-negative numbers that add up to their parent and whose difference is nearest to the noisy one; every
    leaf gets that many new points. k calls for k disjoint groups spend epsilon once, if everybody's group is public
    (and under "replace" the groups' sizes).

    Proof of privacy, and of the bound of the error: ``docs/proofs/private_measure.md``.

    Args:
        points: (N, d), any unit.
        epsilon: privacy parameter in nats, towards the population if there is one.
        region: where points may be, public: corners (lower, upper) of a box, a shapely polygon (d = 2), or a
            `Region`, such as `SampledRegion` for a membership test. Never to be read off the points.
        rng: source of randomness of a demonstration; a release (`secure`) takes nothing from it.
        counts: how often each point occurs, whole numbers (N,); None for once.
        depth: number r of halvings, public; None for ceil(log2(epsilon n)), possible only where n is public.
        shrink: new points are drawn in the leaf scaled by this about its centre; the paper has (240 d)^(-1/d).
        protection: whom the promise protects; fields may be given by name (adjacency, population, outside, secure).

    Returns:
        `PrivateMeasure`.

    Raises:
        ValueError: if an argument is out of range, or points lie outside the region and are refused.

    Source:
        He, Vershynin, Zhu 2023, Algorithms 3 and 4 (with noisy counts); dp_barycenters, section 4.
    """
    place, adjacency = as_region(region), protection.adjacency
    data, times, moved = check_group(points, counts, place, protection.outside, empty=protection.hidden)
    n = int(times.sum())
    spend = budget(epsilon, 0.0, [n], protection)
    if depth is None:
        if protection.hidden:
            raise ValueError("depth must be given under 'add-remove': the number of points is not public; got None")
        depth = private_depth(spend.epsilon, n)
    facts = ("region where points may be", "depth of the partition")
    promise = spend.sample_guarantee(*facts)
    secure = promise.released() if protection.secure else None
    rng = generator(rng, secure)
    cells = partition(place.lower, place.upper, check_count(depth, "depth", 1))
    shrink = check_number(shrink, "shrink", 1e-6, 1.0)
    shares = level_budgets(spend.epsilon, cells, adjacency)
    levels = _levels(cells, place, cells.codes(data), times, shares, adjacency, rng, secure)
    bounded = adjacency == "replace" and place.exact
    return PrivateMeasure(
        spend.guarantee(*facts),
        promise,
        cells,
        levels,
        None if secure else moved,
        _error_bound(cells, [level.scale for level in levels], n) if bounded else None,
        place,
        shrink,
        tuple(rng.integers(2**32, size=4).tolist()),
    )


def _levels(
    cells: Partition,
    region: Region,
    leaves: Integers,
    times: Integers,
    shares: tuple[Fraction, ...],
    adjacency: str,
    rng: np.random.Generator,
    secure: Guarantee | None,
) -> tuple[Level, ...]:
    """Noisy differences and consistent counts from the root down.

    Below a cell whose private count is 0 all private counts are 0 whatever the noise, so it is not drawn there: what is
    published has the distribution that it would have if the noise of the whole tree had been drawn and forgotten.
    """
    populated, which = np.unique(leaves, return_inverse=True)
    held = np.bincount(which.ravel(), weights=times, minlength=populated.size).astype(np.int64)
    scales = [scale_for(SENSITIVITY[adjacency], share) if share else 0.0 for share in shares]
    root = np.array([held.sum()])
    noisy = root if not scales[0] else discrete_laplace(root, scales[0], rng, secure=secure)
    # At least one point, so that there is a measure, and not more than memory holds: private already, hence free.
    private = np.clip(noisy, 1, MAX_POINTS) if scales[0] else noisy
    first = np.zeros(1, dtype=np.int64)
    kept = None if secure else root
    asked = noisy.astype(np.float64)
    levels = [Level(0, first, kept, asked, private, np.array([not scales[0]]), shares[0], scales[0])]
    for j in range(1, cells.depth + 1):
        alive = levels[-1].private > 0
        parents, m = levels[-1].codes[alive], levels[-1].private[alive]
        codes = (2 * parents[:, None] + np.array([0, 1])).ravel()
        there = _meet(region, cells, codes, j).reshape(-1, 2)
        # A cell that meets the region only by rounding may have no child that does: then both count.
        there |= ~np.any(there, axis=1)[:, None]
        both = np.all(there, axis=1)
        true = _counts(populated >> (cells.depth - j), held, codes).reshape(-1, 2)
        drawn = discrete_laplace(true[both, 0] - true[both, 1], scales[j], rng, secure=secure)
        private = np.where(there, m[:, None], 0)
        asked = private.astype(np.float64)
        asked[both] = (m[both, None] + np.stack([drawn, -drawn.astype(np.float64)], axis=1)) / 2
        private[both] = consistent(m[both], drawn, rng)
        seen = there.ravel()
        levels.append(
            Level(
                j,
                codes[seen],
                None if secure else true.ravel()[seen],
                asked.ravel()[seen],
                private.ravel()[seen],
                np.repeat(~both, 2)[seen],
                shares[j],
                scales[j],
            )
        )
    return tuple(levels)


def _meet(region: Region, cells: Partition, codes: Integers, level: int) -> Booleans:
    """Which cells of a level meet the region; what a polygon was asked is remembered: other runs ask about the same."""
    if not isinstance(region, PolygonRegion) or level > DEEPEST:
        return region.intersects(*cells.boxes(codes, level))
    known = memory(region, "levels").setdefault(cells.axes[:level], np.full(2**level, UNKNOWN, dtype=np.int8))
    new = codes[known[codes] == UNKNOWN]
    known[new] = region.intersects(*cells.boxes(new, level))
    return np.asarray(known[codes] == 1)


def consistent(parents: Integers, differences: Integers, rng: np.random.Generator) -> Integers:
    """Whole, non-negative numbers of two siblings that add up to their parent, their difference nearest to a noisy one.

    ``clip((m + difference)/2, 0, m)`` and the rest; a half goes to either side with probability 1/2.

    Args:
        parents: private counts m of the parents, (c,).
        differences: noisy differences of their children, left minus right, (c,).
        rng: decides about halves.

    Returns:
        Private counts of the children, (c, 2).
    """
    # In floats, which hold whole numbers up to 2^53: a release's noise saturates at 2^63, where sums would wrap.
    double = np.clip(parents + differences.astype(np.float64), 0, 2 * parents).astype(np.int64)
    left = (double + rng.integers(0, 2, double.size)) // 2
    return np.stack([left, parents - left], axis=1)


def _counts(cells: Integers, held: Integers, codes: Integers) -> Integers:
    """How many points lie in the cells with the given codes; ``cells`` ascending, with repetitions."""
    edges = np.concatenate([[0], np.cumsum(held)])
    return edges[np.searchsorted(cells, codes, "right")] - edges[np.searchsorted(cells, codes, "left")]


def _error_bound(cells: Partition, scales: list[float], n: int) -> float:
    """Least over t of the sum of what crosses down to level t, plus a cell's diameter there."""
    best, crossing = cells.diameter(0), 0.0
    for j in range(1, cells.depth + 1):
        per_parent = expected_size(scales[j]) / 2 + 0.5
        crossing += min(min(2.0 ** (j - 1), n) * per_parent / n, 1.0) * cells.diameter(j - 1)
        best = min(best, crossing + cells.diameter(j))
    return best
