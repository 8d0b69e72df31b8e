"""A mechanism's knowledge: first the public part, complete before an input is seen, then the private input."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_distributions, check_epsilon, check_number, check_weights
from dpot_core.arguments.lazy import cached_property
from dpot_core.spaces import GridCost, Space, check_cost_or_grid, grid_cost
from dpot_core.transport.grid_kernels import expected_costs
from dpot_core.transport.kernels import SharedCost


@dataclass(frozen=True, eq=False)
class Public:
    """Everything that a mechanism may know before it sees an input: of all inputs, not of those that take part.

    On a grid of many points costs and distances need no matrix: `Public.on_grid`.

    Attributes:
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), a `GridCost`, or a `SharedCost` of which other mechanisms may know.
        distances: d(x_i, v_j), (k, k_v), in units of the metric, or a `GridCost` with p = 1.
        epsilon: privacy parameter in nats.
        base: base measure of WPM, (k_v,); normalised, it is the reference of the relative mollifier.
        reg: entropic weight of WPM in cost units; None for the exact projection.
        max_iter: iterations of the entropic projection; what they reach is released, without a warning.
        snap: for mechanisms that need outputs at the inputs' points: the output point to which each input point is
            moved first, (k,). None if both are the same points in the same order.
        prior: a public distribution of the outputs near which inputs are expected, (k_v,); None if there is none.
        gamma: by which factor inputs are expected to differ from it at most, at least 1; infinite for any.
    """

    cost: Array | GridCost | SharedCost
    distances: Array | GridCost
    epsilon: float
    base: Array
    reg: float | None = None
    max_iter: int = 1000
    snap: NDArray[np.intp] | None = field(default=None)
    prior: Array | None = None
    gamma: float = math.inf

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        k, k_v = (self.cost if isinstance(self.cost, SharedCost) else check_cost_or_grid(self.cost)).shape
        if isinstance(self.distances, GridCost) and self.distances.p != 1.0:
            raise ValueError(f"distances on a grid are a cost with p = 1; got p = {self.distances.p:g}")
        shape = self.distances.shape if isinstance(self.distances, GridCost) else np.shape(self.distances)
        if shape != (k, k_v):
            raise ValueError(f"distances must have the shape of cost, {(k, k_v)}; got {shape}")
        if self.snap is None and k != k_v:
            raise ValueError(f"inputs have {k} points and outputs {k_v}: snap must say where each input point goes")
        if self.snap is not None and (np.shape(self.snap) != (k,) or np.min(self.snap) < 0 or np.max(self.snap) >= k_v):
            raise ValueError(f"snap must give an output index in 0..{k_v - 1} for each of the {k} input points")
        if self.prior is not None:
            check_weights(self.prior, "prior", k_v)
        check_number(self.gamma, "gamma", 1.0, math.inf)

    @classmethod
    def on_grid(
        cls, space: Space, epsilon: float, base: Array, p: float = 2.0, reg: float | None = None, max_iter: int = 1000
    ) -> Public:
        """Public knowledge of a grid whose outputs are all its points, without any (k, k) matrix.

        Args:
            space: from `grid`.
            epsilon: see above.
            base: see above.
            p: order of the cost.
            reg: see above.
            max_iter: see above.

        Raises:
            ValueError: if the space is no grid, or an argument does not fit.
        """
        return cls(grid_cost(space, p), grid_cost(space, 1.0), epsilon, base, reg, max_iter)

    def moved(self, mu: ArrayLike) -> Array:
        """The input with every point moved to its output point, (..., k_v)."""
        found = Private.of(self, mu)
        return found.moved[0] if found.single else found.moved


class Visited(Protocol):
    """Some input points, and the rows of costs and distances from there to all outputs."""

    @property
    def cells(self) -> NDArray[np.intp]:
        """Indices of the points, each once, (r,)."""

    @property
    def cost(self) -> SharedCost:
        """Rows of `Public.cost`, (r, k_v)."""

    @property
    def distances(self) -> Array:
        """Rows of `Public.distances`, (r, k_v)."""


@dataclass(frozen=True, eq=False)
class Private:
    """Input distributions as a mechanism sees them: all of it must be protected, even which points have mass.

    What a mechanism needs of *all* inputs, such as a sensitivity, it takes from `Public` before this is there.

    Attributes:
        public: what is public.
        mu: rows that sum to 1, (n, r), on some or all of the input points.
        single: whether one distribution was given without a leading axis.
        visited: these points with their rows, which are private, too: no constant of a mechanism may come from them.
            None for all k points.
    """

    public: Public
    mu: Array
    single: bool = False
    visited: Visited | None = field(default=None, repr=False)

    @classmethod
    def of(cls, public: Public, mu: ArrayLike, visited: Visited | None = None) -> Private:
        """Inputs (k,) or (n, k) on all points, or (r,) or (n, r) where the rows of all would take too much memory.

        Raises:
            ValueError: if mu are no distributions, or shapes do not fit together.
        """
        k, k_v = public.cost.shape
        if visited is not None:
            k = visited.cells.size
            if visited.distances.shape != (k, k_v):
                raise ValueError(f"rows of {k} points must have shape {(k, k_v)}; got {visited.distances.shape}")
        _, single = check_distributions(mu, "mu", k)
        return cls(public, np.atleast_2d(np.asarray(mu, dtype=np.float64)), single, visited)

    @property
    def cost(self) -> Array | GridCost | SharedCost:
        """C from the points of mu to all outputs, (r, k_v), for the solver of a projection."""
        return self.public.cost if self.visited is None else self.visited.cost

    @cached_property
    def moved(self) -> Array:
        """The inputs with every point moved to its output point, (n, k_v)."""
        rows, _ = check_distributions(self.mu, "mu")
        snap, visited = self.public.snap, self.visited
        if snap is None and visited is None:
            return rows
        onto = np.zeros((rows.shape[0], self.public.cost.shape[1]))
        if snap is not None:
            np.add.at(onto.T, snap if visited is None else snap[visited.cells], rows.T)
        elif visited is not None:
            onto[:, visited.cells] = rows
        return onto

    @cached_property
    def expected_distances(self) -> Array:
        """E d(i, v_j) for i drawn from each input, in units of the metric, (n, k_v)."""
        rows, _ = check_distributions(self.mu, "mu")
        known = self.public.distances if self.visited is None else self.visited.distances
        return expected_costs(rows, known) if isinstance(known, GridCost) else np.asarray(rows @ known)
