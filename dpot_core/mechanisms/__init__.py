"""Mechanisms: pure functions from input distributions to output distributions, and one table of them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpot_core.checks import Array, check_distributions, check_epsilon
from dpot_core.distributions import normalise
from dpot_core.mechanisms.exponential import AllInputs, exponential
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.randomized_response import decode_randomized_response, randomized_response
from dpot_core.mechanisms.relative_mollifier import relative_mollifier
from dpot_core.mechanisms.wasserstein_projection import projection_so_far
from dpot_core.polytopes import Polytope
from dpot_core.spaces import GridCost, Space, check_cost_or_grid, grid_cost
from dpot_core.transport.kernels import SharedCost

Kernel = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Setting:
    """All that a mechanism may know before it sees an input. Everything here is public.

    On a grid of many points costs and distances need no matrix: `Setting.on_grid`.

    Attributes:
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), a `GridCost`, or a `SharedCost` of which other settings may know.
        distances: d(x_i, v_j), (k, k_v), in units of the metric, or a `GridCost` with p = 1.
        epsilon: privacy parameter in nats.
        base: base measure of WPM, (k_v,); normalised, it is the reference of the relative mollifier.
        reg: entropic weight of WPM in cost units; None for the exact projection.
        max_iter: iterations of the entropic projection; what they reach is released, without a warning.
        snap: for mechanisms that need outputs at the inputs' points: the output point to which each input point is
            moved first, (k,). None if both are the same points in the same order.
        everybody: where `cost` and `distances` have the rows of some input points only: what the exponential mechanism
            must know of all of them. None where all rows are there.
    """

    cost: Array | GridCost | SharedCost
    distances: Array | GridCost
    epsilon: float
    base: Array
    reg: float | None = None
    max_iter: int = 1000
    snap: NDArray[np.intp] | None = field(default=None)
    everybody: AllInputs | None = field(default=None, repr=False)

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

    @classmethod
    def on_grid(
        cls, space: Space, epsilon: float, base: Array, p: float = 2.0, reg: float | None = None, max_iter: int = 1000
    ) -> Setting:
        """The setting of a grid whose outputs are all its points, without any (k, k) matrix.

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

    def moved(self, mu: Array) -> Array:
        """The input with every point moved to its output point, (..., k_v)."""
        rows, single = check_distributions(mu, "mu", self.cost.shape[0])
        if self.snap is None:
            return rows[0] if single else rows
        onto = np.zeros((rows.shape[0], self.cost.shape[1]))
        np.add.at(onto.T, self.snap, rows.T)
        return onto[0] if single else onto


def _always(setting: Setting, mu: Array) -> bool:
    return True


@dataclass(frozen=True)
class Mechanism:
    """An entry of `MECHANISMS`: called with a `Setting`, it returns the map from inputs to outputs.

    The rest is what pages, figures, tables and captions ask of a mechanism, so that none of them names one.

    Attributes:
        label: short name for legends.
        title: name in full.
        build: the builder.
        colour: of all its marks, ``#RRGGBB``.
        marker: of its points, a name that Plotly knows; never colour alone.
        dash: of its worst-case curves, a name that Plotly knows.
        box: the base measure, (k_v,), with whose polytope bounds every output complies; None if no closed form is
            known.
        worst_distance: what its largest W_p over point inputs is: "exact", the worst case of all inputs, or
            "lower bound" of it. None: not made for distances, nor compared in them.
        worst_divergence: the mechanism's name for `worst_case_divergence`, whose closed form its worst case on k
            points reaches; None if there is none.
        improves: why any convex loss of it falls with epsilon, for every input; "" if that is not known.
        feasible: whether there is an output for an input (k,).
        decode: (outputs, epsilon) -> unbiased estimates of the inputs that gave them; None if there is no such map.
    """

    label: str
    title: str
    build: Callable[[Setting], Kernel] = field(repr=False)
    colour: str
    marker: str
    dash: str
    box: Callable[[Setting], Array] | None = field(default=None, repr=False)
    worst_distance: Literal["exact", "lower bound"] | None = None
    worst_divergence: Literal["minimax", "mollifier"] | None = None
    improves: str = ""
    feasible: Callable[[Setting, Array], bool] = field(default=_always, repr=False)
    decode: Callable[[Array, float], Array] | None = field(default=None, repr=False)

    def __call__(self, setting: Setting) -> Kernel:
        """Fix what is public; the result maps (k,) or (n, k) to (k_v,) or (n, k_v)."""
        return self.build(setting)


def _wpm(setting: Setting) -> Kernel:
    polytope = Polytope(setting.base, setting.epsilon)
    return lambda mu: projection_so_far(mu, setting.cost, polytope, setting.reg, setting.max_iter)


def _given_base(setting: Setting) -> Array:
    return setting.base


def _minimax_base(setting: Setting) -> Array:
    return minimax_base_kl(setting.cost.shape[1], setting.epsilon)


def _kpm(setting: Setting) -> Kernel:
    polytope = Polytope(_minimax_base(setting), setting.epsilon)
    return lambda mu: kl_projection(setting.moved(mu), polytope)


def _mollifier(setting: Setting) -> Kernel:
    reference = normalise(setting.base)
    return lambda mu: relative_mollifier(setting.moved(mu), reference, setting.epsilon)


def _reference(setting: Setting) -> Array:
    return np.asarray(setting.base / setting.base.sum())


def _reference_covers(setting: Setting, mu: Array) -> bool:
    return not ((setting.base == 0) & (setting.moved(mu) > 0)).any()


def _exponential(setting: Setting) -> Kernel:
    return lambda mu: exponential(mu, setting.distances, setting.epsilon, setting.everybody)


def _randomized_response(setting: Setting) -> Kernel:
    return lambda mu: randomized_response(setting.moved(mu), setting.epsilon)


#: Every local mechanism under one signature: builder(setting)(mu) -> nu. Pages and tests loop over it. A mechanism more
#: is its file and its row.
MECHANISMS: dict[str, Mechanism] = {
    "wpm": Mechanism(
        "WPM",
        "Wasserstein projection",
        _wpm,
        colour="#0072B2",
        marker="circle",
        dash="solid",
        box=_given_base,
        worst_distance="exact",
    ),
    "kpm": Mechanism(
        "KPM",
        "KL projection",
        _kpm,
        colour="#D55E00",
        marker="diamond",
        dash="dash",
        box=_minimax_base,
        worst_distance="lower bound",
        worst_divergence="minimax",
    ),
    "em": Mechanism(
        "EM",
        "Exponential mechanism",
        _exponential,
        colour="#009E73",
        marker="triangle-up",
        dash="dashdot",
        worst_distance="lower bound",
    ),
    "krr": Mechanism(
        "k-RR",
        "k-ary randomized response",
        _randomized_response,
        colour="#CC79A7",
        marker="x",
        dash="longdash",
        box=_minimax_base,
        worst_distance="exact",  # its output is linear in the input, so that the loss is convex
        worst_divergence="minimax",
        improves="Its noise fades with ε, in the same direction for every input.",
        decode=decode_randomized_response,
    ),
    "mollifier": Mechanism(
        "Mollifier",
        "Relative mollifier",
        _mollifier,
        colour="#E69F00",
        marker="triangle-down",
        dash="dash",
        box=_reference,
        worst_divergence="mollifier",
        feasible=_reference_covers,
    ),
}


def compared_in_distance() -> dict[str, Mechanism]:
    """The rows of `MECHANISMS` that are compared where distances count, WPM first."""
    return {name: row for name, row in MECHANISMS.items() if row.worst_distance is not None}


def rivals(worst_distance: Literal["exact", "lower bound"] | None = None) -> dict[str, Mechanism]:
    """The rows of `compared_in_distance` beside WPM.

    Args:
        worst_distance: only those whose worst case is known so; None for all.
    """
    rows = {name: row for name, row in compared_in_distance().items() if name != "wpm"}
    return {name: row for name, row in rows.items() if worst_distance in (None, row.worst_distance)}
