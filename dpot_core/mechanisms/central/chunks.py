"""Groups split into chunks, and what a chunk says about fixed atoms: the means of its optimal plan."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.spatial.distance import cdist

from dpot_core.checks import Array, check_count, check_epsilon, check_order
from dpot_core.mechanisms.central.noise import Integers
from dpot_core.transport.wasserstein import network_simplex

#: Points of a chunk for every atom, where nothing else is asked for.
POINTS_PER_ATOM = 4


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
    people: Sequence[tuple[Array, Integers]], chunks: int, adjacency: str, rng: np.random.Generator
) -> list[tuple[Array, float]]:
    """Every group in ``chunks`` parts, by chance and never by the points' values, with weights that add up to 1.

    "replace": a random order cut into parts whose sizes differ by one at most; a part weighs its share of the group
    over k, so with sizes that are public a replaced point changes the contents of one part, and nothing else.
    (The parts of a random order do not depend on the order in which people were listed.)
    "add-remove": everybody joins a part by an own draw; a part weighs 1/(k chunks), so a point more or less changes the
    contents of one part, and nothing else.

    Args:
        people: points and counts of each group.
        chunks: number k' of parts of each group.
        adjacency: "replace" or "add-remove".
        rng: source of randomness.

    Returns:
        k k' pairs of points (n_c, d) and weight.

    Raises:
        ValueError: under "replace", if there are more parts than points in a group.
    """
    parts: list[tuple[Array, float]] = []
    for points, times in people:
        everybody = np.repeat(points, times, axis=0)
        n = len(everybody)
        if adjacency == "add-remove":
            member = rng.integers(0, chunks, n)
            everybody, cut = (
                everybody[np.argsort(member, kind="stable")],
                np.cumsum(np.bincount(member, minlength=chunks)),
            )
            parts += [(part, 1.0 / (chunks * len(people))) for part in np.split(everybody, cut[:-1])]
            continue
        if chunks > n:
            raise ValueError(f"chunks must not exceed the number of points of any group, {n}; got {chunks}")
        everybody = everybody[rng.permutation(n)]
        parts += [(part, len(part) / (n * len(people))) for part in np.array_split(everybody, chunks)]
    return parts


def plan_means(points: Array, atoms: Array, centre: Array) -> Array:
    """m times what each atom receives under the optimal plan from a chunk, equal masses on both sides.

    ``b_j = m sum_x pi(x, j) x``, a weighted mean of points of the chunk: whatever plan the solver returns, the result
    is mapped to means by the plan's own column sums, so every b_j lies in the convex hull of the region.

    Args:
        points: the chunk, (n, d); may be empty.
        atoms: fixed atoms, (m, d).
        centre: what an empty chunk says about every atom, (d,); public.

    Returns:
        Means, (m, d).

    Source:
        dp_barycenters, Algorithms 3 and 4 (p = 2), for one chunk.
    """
    n, m = len(points), len(atoms)
    if n == 0:
        return np.tile(centre, (m, 1))
    cost = cdist(points, atoms, "sqeuclidean")
    plan, _ = network_simplex(np.full(n, 1.0 / n), np.full(m, 1.0 / m), cost)
    return (plan.T @ points) / plan.sum(axis=0)[:, None]


def average_means(parts: Sequence[tuple[Array, float]], atoms: Array, centre: Array) -> Array:
    """Weighted average over all chunks of `plan_means`, (m, d)."""
    total = np.zeros(atoms.shape)
    for points, weight in parts:
        total += weight * (plan_means(points, atoms, centre) - centre)
    return centre + total
