"""Mechanisms: pure functions from input distributions to output distributions, and one table of them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpot_core.checks import Array, check_cost, check_distributions, check_epsilon
from dpot_core.distributions import normalise
from dpot_core.mechanisms.exponential import exponential
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.mechanisms.randomized_response import randomized_response
from dpot_core.mechanisms.relative_mollifier import relative_mollifier
from dpot_core.mechanisms.wasserstein_projection import wasserstein_projection
from dpot_core.polytopes import Polytope

Kernel = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Setting:
    """All that a mechanism may know before it sees an input. Everything here is public.

    Attributes:
        cost: C_ij = d(x_i, v_j)^p, (k, k_v).
        distances: d(x_i, v_j), (k, k_v), in units of the metric.
        epsilon: privacy parameter in nats.
        base: base measure of WPM, (k_v,); normalised, it is the reference of the relative mollifier.
        reg: entropic weight of WPM in cost units; None for the exact projection.
        max_iter: iterations of the entropic projection.
        snap: for mechanisms that need outputs at the inputs' points: the output point to which each input point is
            moved first, (k,). None if both are the same points in the same order.
    """

    cost: Array
    distances: Array
    epsilon: float
    base: Array
    reg: float | None = None
    max_iter: int = 1000
    snap: NDArray[np.intp] | None = field(default=None)

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        k, k_v = check_cost(self.cost).shape
        if np.shape(self.distances) != (k, k_v):
            raise ValueError(f"distances must have the shape of cost, {(k, k_v)}; got {np.shape(self.distances)}")
        if self.snap is None and k != k_v:
            raise ValueError(f"inputs have {k} points and outputs {k_v}: snap must say where each input point goes")
        if self.snap is not None and (np.shape(self.snap) != (k,) or np.min(self.snap) < 0 or np.max(self.snap) >= k_v):
            raise ValueError(f"snap must give an output index in 0..{k_v - 1} for each of the {k} input points")

    def moved(self, mu: Array) -> Array:
        """The input with every point moved to its output point, (..., k_v)."""
        rows, single = check_distributions(mu, "mu", self.cost.shape[0])
        if self.snap is None:
            return rows[0] if single else rows
        onto = np.zeros((rows.shape[0], self.cost.shape[1]))
        np.add.at(onto.T, self.snap, rows.T)
        return onto[0] if single else onto


@dataclass(frozen=True)
class Mechanism:
    """An entry of `MECHANISMS`: called with a `Setting`, it returns the map from inputs to outputs.

    Attributes:
        label: short name for legends.
        title: name in full.
        build: the builder.
    """

    label: str
    title: str
    build: Callable[[Setting], Kernel] = field(repr=False)

    def __call__(self, setting: Setting) -> Kernel:
        """Fix what is public; the result maps (k,) or (n, k) to (k_v,) or (n, k_v)."""
        return self.build(setting)


def _wpm(setting: Setting) -> Kernel:
    polytope = Polytope(setting.base, setting.epsilon)
    return lambda mu: wasserstein_projection(mu, setting.cost, polytope, setting.reg, setting.max_iter)


def _kpm(setting: Setting) -> Kernel:
    polytope = Polytope(minimax_base_kl(setting.cost.shape[1], setting.epsilon), setting.epsilon)
    return lambda mu: kl_projection(setting.moved(mu), polytope)


def _mollifier(setting: Setting) -> Kernel:
    reference = normalise(setting.base)
    return lambda mu: relative_mollifier(setting.moved(mu), reference, setting.epsilon)


def _exponential(setting: Setting) -> Kernel:
    return lambda mu: exponential(mu, setting.distances, setting.epsilon)


def _randomized_response(setting: Setting) -> Kernel:
    return lambda mu: randomized_response(setting.moved(mu), setting.epsilon)


#: Every local mechanism under one signature: builder(setting)(mu) -> nu. Pages and tests loop over it.
MECHANISMS: dict[str, Mechanism] = {
    "wpm": Mechanism("WPM", "Wasserstein projection", _wpm),
    "kpm": Mechanism("KPM", "KL projection", _kpm),
    "em": Mechanism("EM", "Exponential mechanism", _exponential),
    "krr": Mechanism("k-RR", "k-ary randomized response", _randomized_response),
    "mollifier": Mechanism("Mollifier", "Relative mollifier", _mollifier),
}
