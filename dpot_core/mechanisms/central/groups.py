"""Groups of people, each with one point: checked once, inside the public region."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, as_floats
from dpot_core.mechanisms.central.noise import Integers
from dpot_core.mechanisms.central.promises import Protection
from dpot_core.mechanisms.central.regions import Region


def check_group(
    points: ArrayLike, counts: ArrayLike | None, region: Region, outside: str, *, empty: bool = False
) -> tuple[Array, Integers, int]:
    """Points inside the region, how often each occurs, and how many had to be moved.

    Errors say what is wrong with the kind of the data, and nothing about any person's.

    Args:
        points: (N, d).
        counts: whole numbers, (N,), or None for once.
        region: the public region.
        outside: "clip" points outside to the nearest point of the region, or "refuse" them; that some were outside is
            then known, and no promise covers it.
        empty: whether a group without points is allowed, because its size is not public.

    Returns:
        Points (N, d), counts (N,), number of points that lay outside.

    Raises:
        ValueError: if they do not fit, are not finite, or lie outside and are refused.
    """
    data = _all_finite(points, "points")
    d = region.lower.size
    if data.ndim != 2 or data.shape[1] != d or not (len(data) or empty):
        raise ValueError(f"points must have shape (n, {d}), n >= 1, like the region")
    if outside not in ("refuse", "clip"):
        raise ValueError(f"outside must be 'refuse' or 'clip'; got {outside!r}")
    times = np.ones(len(data), dtype=np.int64)
    if counts is not None:
        given = _all_finite(counts, "counts")
        if given.shape != (len(data),) or (given != np.floor(given)).any() or given.sum() >= 2**53:
            raise ValueError("counts must be whole numbers, one per point, that add up to less than 2^53")
        if (given < 0).any():
            raise ValueError("counts must not be negative")
        if not (given.any() or empty):
            raise ValueError("counts must not be 0 everywhere: the group is empty")
        times = given.astype(np.int64)
    missing = ~region.contains(data)
    if not missing.any():
        return data, times, 0
    if outside == "refuse":
        raise ValueError("points must lie in the region (outside='clip' moves them to the nearest point of it)")
    moved = data.copy()
    moved[missing] = region.clip(data[missing])
    return moved, times, int(times[missing].sum())


def _all_finite(values: ArrayLike, name: str) -> Array:
    array = as_floats(values, name)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def check_crowd(
    groups: Any, m: int, region: Region, protection: Protection
) -> tuple[list[tuple[Array, Integers]], list[int]]:
    """The groups as pairs of points and counts, and how many points each has.

    Args:
        groups: for each group its points (N, d), or a pair (points, counts).
        m: number of atoms.
        region: the public region.
        protection: under "add-remove" a group may be empty, or have fewer points than there are atoms.

    Returns:
        The groups, and one size per group.

    Raises:
        ValueError: if there is no group, one does not fit (its number is named), or one has fewer points than atoms.
    """
    if isinstance(groups, np.ndarray) and groups.ndim == 2:
        raise ValueError("groups must be a sequence of groups; for one group of points pass [points]")
    if not len(groups):
        raise ValueError("groups must hold at least one group; got none")
    people = []
    for number, group in enumerate(groups):
        points, counts = group if isinstance(group, tuple) else (group, None)
        try:
            data, times, _ = check_group(points, counts, region, protection.outside, empty=protection.hidden)
        except ValueError as error:
            raise ValueError(f"group {number}: {error}") from error
        people.append((data, times))
    sizes = [int(times.sum()) for _, times in people]
    if min(sizes) < m and not protection.hidden:
        raise ValueError(
            f"m must not exceed the number of points of any group; got m = {m} atoms for {min(sizes)} points"
        )
    return people, sizes
