"""Finite metric spaces: points, and the ground distance between them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_count, check_finite, check_order
from dpot_core.arguments.lazy import cached_property

_METRICS = ("ring", "euclidean", "manhattan", "cosine", "matrix")

#: Largest number of points of a grid: a distribution on it then takes 128 MB.
MAX_CELLS = 2**24


@dataclass(frozen=True, eq=False)
class Space:
    """k points with a ground distance.

    Attributes:
        points: coordinates, shape (k, d), in the unit of the space (steps on a ring, km on a city grid).
        metric: "ring", "euclidean", "manhattan" (L1), "cosine" or "matrix" (distances given entry by entry).
        given: the distances themselves, shape (k, k), only when `metric` is "matrix".
        axes: (xs, ys) where the points are a regular grid of these, row by row; None for all others.
    """

    points: Array
    metric: str = "euclidean"
    given: Array | None = field(default=None, repr=False)
    axes: tuple[Array, Array] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        points = check_finite(self.points, "points", non_negative=False)
        if points.ndim != 2 or 0 in points.shape:
            raise ValueError(f"points must have shape (k, d), not empty; got {points.shape}")
        if self.metric not in _METRICS:
            raise ValueError(f"metric must be one of {', '.join(_METRICS)}; got {self.metric!r}")
        if (self.metric == "matrix") != (self.given is not None):
            raise ValueError("given distances and metric='matrix' go together")
        if self.metric == "cosine" and not np.linalg.norm(points, axis=1).all():
            raise ValueError("cosine distance needs points that are not the origin")
        object.__setattr__(self, "points", points)

    def __len__(self) -> int:
        return len(self.points)

    def distances(self, targets: Space | ArrayLike | None = None) -> Array:
        """Distances d(x_i, v_j), shape (k, k_v), in the unit of the space.

        Args:
            targets: the output points V: None (the space itself), another `Space` of the same metric,
                an array of whole numbers (indices into this space), or coordinates (k_v, d).

        Raises:
            ValueError: if targets do not fit the space.
        """
        if targets is None:
            return self._within
        if isinstance(targets, Space):
            if targets.metric != self.metric or self.metric == "matrix":
                raise ValueError("targets must be a space of the same metric, with coordinates")
            return self._between(targets.points)
        array = np.asarray(targets)
        if array.ndim == 1 and np.issubdtype(array.dtype, np.integer):
            if array.size == 0 or array.min() < 0 or array.max() >= len(self):
                raise ValueError(f"target indices must lie in 0..{len(self) - 1} and not be empty")
            return np.ascontiguousarray(self._within[:, array])
        return self._between(Space(check_finite(array, "targets", non_negative=False), self.metric).points)

    def distances_from(self, inputs: ArrayLike) -> Array:
        """Rows of `distances()`, shape (r, k): from the points of the given indices to all points, made anew."""
        rows = np.asarray(inputs, dtype=np.intp)
        if self.metric in ("ring", "matrix") or "_within" in self.__dict__:
            return self._within[rows]
        return Space(self.points[rows], self.metric)._between(self.points)

    @cached_property
    def diameter(self) -> float:
        """The largest distance between two points of the space; on a grid that of opposite corners."""
        if self.axes is not None:
            return float(self.distances_from([0])[0, -1])
        return float(self._within.max())

    @cached_property
    def _within(self) -> Array:
        distances = self.given if self.given is not None else self._between(self.points)
        distances.setflags(write=False)
        return distances

    def _between(self, targets: Array) -> Array:
        if targets.shape[1] != self.points.shape[1]:
            raise ValueError(f"targets must have {self.points.shape[1]} coordinates; got {targets.shape[1]}")
        if self.metric == "ring":
            steps = np.abs(self.points - targets.T) % len(self)  # targets may be named one round later
            return np.asarray(np.minimum(steps, len(self) - steps), dtype=np.float64)
        if self.metric == "cosine":
            unit, unit_targets = (a / np.linalg.norm(a, axis=1, keepdims=True) for a in (self.points, targets))
            return np.maximum(1.0 - unit @ unit_targets.T, 0.0)
        if self.metric == "matrix":
            raise ValueError("a space given by its distances has no other points; use indices")
        if self.metric == "manhattan":
            return np.asarray(scipy.spatial.distance.cdist(self.points, targets, "cityblock"), dtype=np.float64)
        return np.asarray(scipy.spatial.distance.cdist(self.points, targets), dtype=np.float64)


def ring(k: int) -> Space:
    """The k points 0, ..., k-1 on a ring, with d(i, j) = min(|i-j|, k-|i-j|) steps.

    Source: wpm_2605.10015, section 5.1.
    """
    k = check_count(k, "k")
    return Space(np.arange(k, dtype=np.float64)[:, None], "ring")


def grid(
    nx: int,
    ny: int,
    extent: tuple[float, float, float, float] = (0.0, 1.0, 0.0, 1.0),
    metric: str = "euclidean",
) -> Space:
    """The nx * ny points of a regular grid, row by row (index iy * nx + ix).

    Args:
        nx: number of columns.
        ny: number of rows.
        extent: (x_first, x_last, y_first, y_last): the outer points lie on it. A single column or row lies
            in the middle.
        metric: "euclidean", or "manhattan" for |dx| + |dy|.

    Raises:
        ValueError: if a count is below 1, an interval runs backwards or there are more than `MAX_CELLS` points.
    """
    nx, ny = check_count(nx, "nx"), check_count(ny, "ny")
    if nx * ny > MAX_CELLS:
        raise ValueError(f"a grid has at most {MAX_CELLS:,} points; got {nx:,} x {ny:,} = {nx * ny:,}")
    if metric not in ("euclidean", "manhattan"):
        raise ValueError(f"metric must be 'euclidean' or 'manhattan'; got {metric!r}")
    x0, x1, y0, y1 = check_finite(extent, "extent", non_negative=False)
    if x1 < x0 or y1 < y0:
        raise ValueError(f"extent must be (x_first, x_last, y_first, y_last), ascending; got {extent}")
    xs = np.linspace(x0, x1, nx) if nx > 1 else np.array([(x0 + x1) / 2])
    ys = np.linspace(y0, y1, ny) if ny > 1 else np.array([(y0 + y1) / 2])
    return Space(np.column_stack([np.tile(xs, ny), np.repeat(ys, nx)]), metric, axes=(xs, ys))


def point_cloud(points: ArrayLike, metric: str = "euclidean") -> Space:
    """Any points (k, d) with the Euclidean or the cosine distance (1 - cosine of the angle).

    The squared Euclidean distance is not a metric: use p = 2 in `cost_matrix` instead. The cosine distance
    breaks the triangle inequality too; it is kept because the field uses it, as a cost with p = 1.
    """
    if metric not in ("euclidean", "cosine"):
        raise ValueError(f"metric must be 'euclidean' or 'cosine' (for squared distances use p=2); got {metric!r}")
    return Space(check_finite(points, "points", non_negative=False), metric)


def metric_space(distances: ArrayLike) -> Space:
    """A space given by its distances (k, k), checked to be a metric (symmetric, zero diagonal, triangle).

    Points at distance 0 from each other (duplicates) are allowed.

    Raises:
        ValueError: names the entries that break the requirement.
    """
    matrix = check_finite(distances, "distances")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise ValueError(f"distances must be a square matrix; got shape {matrix.shape}")
    if (matrix != matrix.T).any():
        i, j = (int(n) for n in np.argwhere(matrix != matrix.T)[0])
        raise ValueError(f"distances must be symmetric; d({i},{j}) = {matrix[i, j]:g}, d({j},{i}) = {matrix[j, i]:g}")
    if matrix.diagonal().any():
        i = int(np.argmax(matrix.diagonal() > 0))
        raise ValueError(f"distances must be 0 on the diagonal; d({i},{i}) = {matrix[i, i]:g}")
    slack = 1e-12 * matrix.max()
    for middle in range(len(matrix)):
        detour = matrix[:, [middle]] + matrix[[middle], :]
        if (matrix > detour + slack).any():
            i, j = (int(n) for n in np.argwhere(matrix > detour + slack)[0])
            raise ValueError(
                f"distances must obey the triangle inequality; d({i},{j}) > d({i},{middle}) + d({middle},{j})"
            )
    return Space(np.arange(len(matrix), dtype=np.float64)[:, None], "matrix", matrix.copy())


def cost_matrix(space: Space, targets: Space | ArrayLike | None = None, p: float = 2.0) -> Array:
    """The cost C_ij = d(x_i, v_j)^p, shape (k, k_v), in the unit of the space to the power p.

    Args:
        space: where inputs live.
        targets: where outputs live: None (the space itself), a `Space`, indices into `space`, or coordinates.
        p: order of the Wasserstein distance, at least 1.
    """
    p = check_order(p)
    return np.asarray(space.distances(targets) ** p, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class GridCost:
    """The cost C_ij = d(x_i, x_j)^p of a grid whose outputs are all its points, known by its axes: no (k, k) matrix.

    Takes the place of a cost matrix in `project_entropic`, `project_exact`, `wasserstein_projection`,
    `best_uniform_base`, `worst_case_wasserstein`, `exponential` (p = 1) and `Public`. A cost depends on the two
    differences |ix - jx| and |iy - jy| only, so that the first row has all of them.

    Attributes:
        space: the grid.
        p: the power that distances are raised to.
    """

    space: Space
    p: float

    @property
    def axes(self) -> tuple[Array, Array]:
        """(xs, ys) of the grid."""
        return _axes(self.space)

    @property
    def shape(self) -> tuple[int, int]:
        """(k, k), as of the matrix that is not there."""
        return len(self.space), len(self.space)

    def max(self) -> float:
        """The largest cost: that of opposite corners."""
        return float(self.space.diameter**self.p)

    def rows(self, inputs: ArrayLike) -> Array:
        """Costs from the points of the given indices to all outputs, (r, k)."""
        return np.asarray(self.space.distances_from(inputs) ** self.p, dtype=np.float64)

    @cached_property
    def offsets(self) -> Array:
        """The cost of two points iy rows and ix columns apart, (ny, nx)."""
        xs, ys = self.axes
        return self.rows([0]).reshape(ys.size, xs.size)

    @property
    def separable(self) -> bool:
        """Whether the cost is a sum of one term per axis: squared Euclidean or plain Manhattan distance."""
        return (self.space.metric, self.p) in (("euclidean", 2.0), ("manhattan", 1.0))


def grid_cost(space: Space, p: float = 2.0) -> GridCost:
    """The cost of a grid without its matrix, for grids of any size up to `MAX_CELLS`.

    Args:
        space: from `grid`.
        p: order of the Wasserstein distance, at least 1.

    Raises:
        ValueError: if the space is no grid.
    """
    _axes(space)
    return GridCost(space, check_order(p))


def check_cost_or_grid(cost: ArrayLike | GridCost) -> Array | GridCost:
    """Return a grid's cost as it is, anything else as a checked cost matrix (k, k_v)."""
    return cost if isinstance(cost, GridCost) else check_cost(cost)


def refuse_grid(cost: ArrayLike) -> ArrayLike:
    """Return the argument, or say what to use where a grid without a matrix does not do."""
    if isinstance(cost, GridCost):
        raise ValueError("this needs a cost matrix (dpot_core.cost_matrix); a grid's cost without one does not do")
    return cost


def _axes(space: Space) -> tuple[Array, Array]:
    if space.axes is None:
        raise ValueError("the space is no regular grid: make it by dpot_core.grid, or use cost_matrix")
    return space.axes


def nearest_target(space: Space, targets: Space | ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """For each point of `space` the index of the nearest target (the first one of several), shape (k,).

    Args:
        space: where inputs live.
        targets: where outputs live, as in `cost_matrix`.
    """
    return np.argmin(space.distances(targets), axis=1)
