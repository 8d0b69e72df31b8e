"""Groups split into chunks, and what a chunk says about fixed atoms: the means of its optimal plan."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy
from scipy import sparse

from dpot_core.arguments import Array, check_count, check_epsilon, check_order
from dpot_core.mechanisms.central.noise import Integers
from dpot_core.mechanisms.central.projection import Projection
from dpot_core.transport.barycenters import free_support, solution_weights, support_points
from dpot_core.transport.group_shares import scaled
from dpot_core.transport.semidiscrete import transport
from dpot_core.transport.wasserstein import network_simplex

#: Points of a chunk for every atom, where nothing else is asked for.
POINTS_PER_ATOM = 4

#: Up to this many costs the network simplex, whose time grows with the square of the points, has all of them at once.
_SIMPLEX = 20_000

#: Means of up to 2^30 points, relative to a centre, are rounded by less than this share of the region.
ROUNDING = 1.0 + 2.0**-20


def optimal_chunks(n: int, k: int, m: int, d: int, epsilon: float, p: float = 2.0, *, rule: str = "paper") -> int:
    """Number k' of chunks per group, from public numbers only.

    "paper": ``n^(1/(2p+1)) m^((p-1)/(2p+1)) d^(p/(2p+1)) (epsilon k)^(-2p/(2p+1))``, which balances the orders of
    the noise and of the chunks' deviation from their group with all constants and log(1/delta) set to 1. "size": chunks
    of `POINTS_PER_ATOM` m points. Both at most n/m, so that no chunk has fewer points than atoms, and at least 1.

    Args:
        n: points per group.
        k: number of groups.
        m: number of atoms.
        d: dimension.
        epsilon: privacy parameter towards the sample, nats.
        p: order of the cost.
        rule: "paper" or "size".

    Returns:
        k'.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        dp_barycenters, formula after Theorem 5.4.
    """
    n, k, m, d = (check_count(value, name) for value, name in ((n, "n"), (k, "k"), (m, "m"), (d, "d")))
    p, epsilon = check_order(p), check_epsilon(epsilon)
    if rule not in ("paper", "size"):
        raise ValueError(f"rule must be 'paper' or 'size'; got {rule!r}")
    if rule == "size":
        wanted = n / (POINTS_PER_ATOM * m)
    else:
        logs = math.log(n) + (p - 1) * math.log(m) + p * math.log(d) - 2 * p * math.log(epsilon * k)
        wanted = math.exp(min(logs / (2 * p + 1), 700.0))
    return max(1, min(round(wanted), n // m))


def split(
    people: Sequence[tuple[Array, Integers]],
    chunks: int,
    adjacency: str,
    rng: np.random.Generator,
    shares: Array | None = None,
) -> list[tuple[Array, float]]:
    """Every group in ``chunks`` parts, by chance and never by the points' values, with weights that add up to 1.

    "replace": a random order cut into parts whose sizes differ by one at most; a part weighs its share of the group
    times the group's beta_i (1/k by default), so with sizes that are public a replaced point changes the contents of
    one part, and nothing else. (The parts of a random order do not depend on the order in which people were listed.)
    "add-remove": everybody joins a part by an own draw; a part weighs beta_i/chunks, so a point more or less changes
    the contents of one part, and nothing else.

    Args:
        people: points and counts of each group.
        chunks: number k' of parts of each group.
        adjacency: "replace" or "add-remove".
        rng: source of randomness.
        shares: the groups' public shares beta of the objective; None for 1/k.

    Returns:
        k k' pairs of points (n_c, d) and weight.

    Raises:
        ValueError: under "replace", if there are more parts than points in a group.
    """
    parts: list[tuple[Array, float]] = []
    for number, (points, times) in enumerate(people):
        # A group's part of the average is 1/over.
        over = len(people) if shares is None else 1.0 / shares[number]
        everybody = np.repeat(points, times, axis=0)
        n = len(everybody)
        if adjacency == "add-remove":
            member = rng.integers(0, chunks, n)
            everybody, cut = (
                everybody[np.argsort(member, kind="stable")],
                np.cumsum(np.bincount(member, minlength=chunks)),
            )
            parts += [(part, 1.0 / (chunks * over)) for part in np.split(everybody, cut[:-1])]
            continue
        if chunks > n:
            raise ValueError(f"chunks must not exceed the number of points of any group, {n}; got {chunks}")
        everybody = everybody[rng.permutation(n)]
        parts += [(part, len(part) / (n * over)) for part in np.array_split(everybody, chunks)]
    return parts


def plan_means(points: Array, atoms: Array, centre: Array, projection: Projection | None = None) -> Array:
    """m times what each atom receives under the optimal plan from a chunk, equal masses on both sides, minus a centre.

    ``b_j = m sum_x pi(x, j) (x - c)``, a weighted mean of points of the chunk: whatever plan the solver returns, the
    result is mapped to means by the plan's own column sums, so every c + b_j lies in the convex hull of the region. In
    coordinates relative to c rounding is small against the region, wherever it lies.

    Args:
        points: the chunk, (n, d); may be empty.
        atoms: fixed atoms, (m, d).
        centre: c, and what an empty chunk says about every atom, (d,); public.
        projection: where the plan is found; the means are those of the points themselves, so the hull holds them. None
            for the space of the points.

    Returns:
        Means relative to the centre, (m, d).

    Source:
        dp_barycenters, Algorithms 3 and 4 (p = 2), for one chunk.
    """
    n, m = len(points), len(atoms)
    if n == 0:
        return np.zeros(atoms.shape)
    near = points - centre
    ends = (near, atoms - centre) if projection is None else (projection(points), projection(atoms))
    plan: Array | sparse.csr_array
    if n * m > _SIMPLEX:
        plan = transport(ends[0], None, ends[1]).plan()
    else:
        plan, _ = network_simplex(
            np.full(n, 1.0 / n), np.full(m, 1.0 / m), scipy.spatial.distance.cdist(*ends, "sqeuclidean")
        )
    means: Array = (plan.T @ near) / np.asarray(plan.sum(axis=0))[:, None]
    return means


def average_means(
    parts: Sequence[tuple[Array, float]],
    atoms: Array,
    centre: Array,
    step: float = 0.0,
    projection: Projection | None = None,
) -> Array:
    """Weighted average over all chunks of `plan_means`, relative to the centre, (m, d).

    Args:
        parts: chunks and their weights, which add up to 1.
        atoms: fixed atoms, (m, d).
        centre: public, (d,).
        step: each chunk's part is cut to multiples of this power of two, `grid_step`, so that the sum is exact and a
            chunk changes its own part only; 0 to leave them as they are.
        projection: as in `plan_means`.

    Returns:
        The average minus the centre.
    """
    total = np.zeros(atoms.shape)
    for points, weight in parts:
        part = weight * plan_means(points, atoms, centre, projection)
        total += np.trunc(part / step) * step if step else part
    return total


def grid_step(radius: float) -> float:
    """The step for `average_means` in a region within ``radius`` of its centre: sums up to twice it are exact."""
    return 2.0 ** (math.frexp(radius)[1] - 50)


def sensitivity_of_means(parts: Sequence[tuple[Array, float]], m: int, diameter: float, radius: float, d: int) -> float:
    """Largest change of `average_means` between neighbours, in the 2-norm: ``max_c w_c sqrt(m) D``, and rounding.

    A point changes one chunk's part. Rounding of its means is counted by `ROUNDING`; cutting them to the grid adds at
    most a step to each coordinate.

    Args:
        parts: chunks and their weights.
        m: number of atoms.
        diameter: D of the region's hull.
        radius: of the ball around the centre that holds it.
        d: dimension.

    Returns:
        The sensitivity, unit of the coordinates.
    """
    heaviest = max(weight for _, weight in parts)
    return heaviest * math.sqrt(m) * diameter * ROUNDING + grid_step(radius) * math.sqrt(m * d)


def chunk_barycenter(
    people: Sequence[tuple[Array, Integers]],
    parts: Sequence[tuple[Array, float]],
    m: int,
    rng: np.random.Generator,
    rounds: int = 3,
    shares: Array | None = None,
    projection: Projection | None = None,
) -> Array:
    """Barycenter of chunks, not private: the groups' barycenter, then rounds of exact plans from every chunk.

    Args:
        people: points and counts of each group.
        parts: chunks and their weights.
        m: number of atoms.
        rng: source of randomness.
        rounds: rounds of moving the atoms to the average of their means.
        shares: of the groups in the objective, as in `split`.
        projection: where barycenter and plans are found; None for the space of the points.

    Returns:
        Atoms, (m, d).
    """
    masses = [(points, times / times.sum()) for points, times in people]
    if projection is None:
        atoms = free_support(masses, m, rng, weights=shares).atoms
    else:
        flat = [(projection(points), mass) for points, mass in masses]
        plans = solution_weights(flat, free_support(flat, m, rng, weights=shares).atoms)
        atoms = support_points(masses, scaled(plans, shares))
    for _ in range(rounds):
        middle = atoms.mean(axis=0)
        atoms = middle + average_means(parts, atoms, middle, projection=projection)
    return atoms
