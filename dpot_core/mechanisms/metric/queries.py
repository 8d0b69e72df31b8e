"""Linear queries: the mean over one person's data of a function of place, with what distance does to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_distributions, check_finite, check_number
from dpot_core.mechanisms.metric.lipschitz import Lipschitz, lipschitz
from dpot_core.mechanisms.metric.protection import unit_distances
from dpot_core.spaces import Space, point_cloud


@dataclass(frozen=True, eq=False)
class LinearQuery:
    """``q_f(K) = E f(x)`` for x drawn from K, and the exact Lipschitz constant of f.

    Attributes:
        name: in words.
        unit: of the answer.
        values: f at each point, (k, d).
        norm: in which answers are compared, a key of ``NORMS``.
        slope: Lipschitz constant per largest distance, the pair that attains it, and the largest change at all.
        hard_edge: whether f jumps: between neighbouring points the constant then depends on how fine the points lie,
            and has no limit.
    """

    name: str
    unit: str
    values: Array
    norm: str
    slope: Lipschitz
    hard_edge: bool = False

    def __call__(self, mu: ArrayLike) -> Array:
        """The answer for distributions (k,) or (n, k): (d,) or (n, d)."""
        rows, single = check_distributions(mu, "mu", len(self.values))
        answers = rows @ self.values
        return answers[0] if single else answers

    @property
    def dimensions(self) -> int:
        """Numbers in an answer."""
        return self.values.shape[1]


def linear_query(
    space: Space, values: ArrayLike, name: str = "query", unit: str = "", norm: str = "2-norm"
) -> LinearQuery:
    """Any query on a finite space, with its exact Lipschitz constant.

    Args:
        space: where the data live.
        values: f at each point, (k,) or (k, d).
        name: in words.
        unit: of the answer.
        norm: in which answers are compared, a key of ``NORMS``.

    Returns:
        The query.

    Raises:
        ValueError: if values do not fit the space.

    Source:
        metric_dp_emd, equation (5) and Theorem 4.1.
    """
    f = check_finite(values, "values", non_negative=False)
    f = f[:, None] if f.ndim == 1 else f
    return LinearQuery(name, unit, f, norm, lipschitz(f, unit_distances(space), norm))


def mean_position(space: Space, unit: str = "") -> LinearQuery:
    """Where a person is on average: ``f(x) = x``; the constant is the largest distance.

    Args:
        space: points with the Euclidean distance.
        unit: of the coordinates.

    Returns:
        A query with one number per coordinate.

    Raises:
        ValueError: if the distance is not Euclidean.
    """
    if space.metric != "euclidean":
        raise ValueError(f"mean_position needs coordinates with the Euclidean distance; got {space.metric!r}")
    return linear_query(space, space.points, "mean position", unit)


def average_distance(space: Space, place: ArrayLike, unit: str = "") -> LinearQuery:
    """How far a person is from a place on average: ``f(x) = d(x, place)``; 1-Lipschitz by the triangle inequality.

    Args:
        space: where the data live.
        place: coordinates (d,), or the index of a point of the space.
        unit: of distances.

    Returns:
        A query with one number.

    Raises:
        ValueError: if place does not fit the space.
    """
    where = np.asarray(place)
    targets = where.reshape(1) if where.ndim == 0 else where[None, :]
    return linear_query(space, space.distances(targets)[:, 0], "average distance to the place", unit)


def smoothed_region(space: Space, inside: NDArray[np.bool_], width: float) -> LinearQuery:
    """Share of time in a region with a soft edge: ``f(x) = max(0, 1 - d(x, region)/width)``.

    1 in the region, falling linearly to 0 at distance ``width`` from it: ``1/width``-Lipschitz, since the distance to a
    set is 1-Lipschitz.

    Args:
        space: where the data live.
        inside: whether each point lies in the region, (k,).
        width: of the edge, in units of the space, more than 0.

    Returns:
        A query with one number in [0, 1].

    Raises:
        ValueError: if the region is empty or the width is 0: a hard edge is not Lipschitz.

    Source:
        metric_dp_emd, section 4.1, "Kernel Smoothed Region Queries" (here with a triangular kernel).
    """
    mask = _region(space, inside)
    reach = check_number(width, "width", 0.0, 1e300)
    if reach == 0.0:
        raise ValueError(_HARD_EDGE.format(problem="width must be more than 0"))
    to_region = space.distances()[:, mask].min(axis=1)
    return linear_query(space, np.maximum(1.0 - to_region / reach, 0.0), "share of time in the region, soft edge")


def hard_region(space: Space, inside: NDArray[np.bool_]) -> LinearQuery:
    """Share of time in a region: ``f(x) = 1[x in region]``. Not Lipschitz: to be looked at, not to be released.

    Two points on both sides of the edge differ by 1 however close they are. On a finite set of points the constant is
    finite, 1 over the smallest gap, and grows without limit as points get denser. Use ``smoothed_region``.

    Args:
        space: where the data live.
        inside: whether each point lies in the region, (k,).

    Returns:
        A query that ``metric_noise`` refuses.

    Raises:
        ValueError: if the region is empty.
    """
    query = linear_query(space, _region(space, inside).astype(np.float64), "share of time in the region, hard edge")
    return LinearQuery(query.name, query.unit, query.values, query.norm, query.slope, hard_edge=True)


def embedding_similarity(embeddings: ArrayLike, queries: ArrayLike) -> tuple[Space, LinearQuery]:
    """Mean similarity of a person's items to given directions: ``f(x) = <c_i, phi(x)>``, i = 1..d.

    The constant is at most the spectral norm of the matrix of the ``c_i`` (times the largest distance).

    Args:
        embeddings: phi of each item, (k, t); distances between items are Euclidean.
        queries: the directions c_i, (t,) or (d, t).

    Returns:
        The space of items and the query.

    Raises:
        ValueError: if shapes do not fit.

    Source:
        metric_dp_emd, section 6.1.
    """
    space = point_cloud(embeddings)
    directions = np.atleast_2d(check_finite(queries, "queries", non_negative=False))
    if directions.ndim != 2 or directions.shape[1] != space.points.shape[1]:
        raise ValueError(
            f"queries must have {space.points.shape[1]} columns as the embeddings; got shape {directions.shape}"
        )
    return space, linear_query(space, space.points @ directions.T, "mean similarity")


_HARD_EDGE = (
    "{problem}: a region with a hard edge is not Lipschitz. Two points on both sides of its edge differ by 1 however "
    "close they are, and noise that hides a small move would have no limit. Use smoothed_region with a width"
)


def refuse_hard_edge(query: LinearQuery) -> None:
    """Refuse a query that jumps.

    Args:
        query: any query.

    Raises:
        ValueError: if it has a hard edge; says what to do instead.
    """
    if query.hard_edge or not np.isfinite(query.slope.constant):
        raise ValueError(_HARD_EDGE.format(problem=f"query {query.name!r} jumps"))


def _region(space: Space, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    mask = np.asarray(inside)
    if mask.dtype != np.bool_ or mask.shape != (len(space),):
        raise ValueError(f"inside must be {len(space)} truth values; got shape {mask.shape} of {mask.dtype}")
    if not mask.any():
        raise ValueError("inside must hold for at least one point; the region is empty")
    return mask
