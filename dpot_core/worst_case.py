"""Worst-case utility over all inputs: U in Wasserstein distance, R in f-divergences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_count, check_distributions, check_epsilon, check_order
from dpot_core.distributions.divergences import DIVERGENCES, two_point_divergence
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import GridCost, check_cost_or_grid
from dpot_core.transport.capped_simplex import minimise_linear
from dpot_core.transport.point_inputs import costs_of_points


class WorstCase(float):
    """The worst-case distance, a float in units of the metric, that remembers where it is attained.

    Attributes:
        argmax: index of the input point whose Dirac mass attains it (the first of several).
        per_input: W_p between each Dirac input and its projection, (k,), in units of the metric. For a `GridCost` with
            a uniform base that of the corner alone, (1,).
    """

    argmax: int
    per_input: Array

    def __new__(cls, per_input: Array) -> WorstCase:
        """Make the largest entry of per_input (k,) a float."""
        worst = int(np.argmax(per_input))
        instance = super().__new__(cls, per_input[worst])
        instance.argmax = worst
        instance.per_input = per_input
        return instance

    def __reduce__(self) -> tuple[type[WorstCase], tuple[Array]]:
        return WorstCase, (self.per_input,)


def worst_case_wasserstein(cost: ArrayLike | GridCost, Q: Polytope | ArrayLike, p: float) -> WorstCase:
    """U = sup over mu of W_p(WPM[mu], mu) = max_i phi_i(m)^(1/p), attained at a Dirac input.

    phi_i(m) = min over q in Q of sum_j C_ij q_j, a fractional knapsack. With a uniform base on all points of a grid a
    corner attains it (proven in `best_uniform_base`), so that U is known from ``cost[:1]``. With any other base all
    points of a `GridCost` are looked at: k^2 steps, 40 s at 65,536 cells (a quarter of it if the base is its own mirror
    image on both axes).

    Given a channel matrix T in the place of Q, the same of the mechanism mu -> mu T: max_i (sum_j C_ij T_ij)^(1/p).
    W_p^p is jointly convex, so that no mixture of inputs is moved farther than the worst of them.

    Args:
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), or a `GridCost`.
        Q: LDP polytope on the k_v outputs, or a channel matrix T, (k, k_v), whose row i is the output of input i.
        p: the order that the cost was raised to.

    Returns:
        U in units of the metric, a float with `.argmax` and `.per_input`.

    Raises:
        ValueError: if arguments do not fit, or p is not the power that a `GridCost` was made with.

    Source: wpm_2605.10015, Proposition B.2 and Theorem 3.5.
    """
    known, p = check_cost_or_grid(cost), check_order(p)
    if isinstance(known, GridCost) and known.p != p:
        raise ValueError(f"the grid's cost was made with p = {known.p:g}; got p = {p:g}")
    if not isinstance(Q, Polytope):
        value = _channel_costs(known, Q)
    elif known.shape[1] != len(Q):
        raise ValueError(f"cost has {known.shape[1]} columns, but the polytope has {len(Q)} outputs")
    elif isinstance(known, GridCost):
        value = _on_grid(known, Q)
    else:
        value = _dirac_costs(known, Q)
    return WorstCase(np.maximum(value, 0.0) ** (1.0 / p))


class Bracket(NamedTuple):
    """A worst case that lies between two numbers, in units of the metric."""

    at_least: float
    at_most: float


def worst_case_bracket(
    cost: ArrayLike, rows: ArrayLike, epsilon: float, p: float, Q: Polytope | None = None
) -> Bracket:
    """Bounds of sup over mu of W_p(mu, M(mu)) for an epsilon-LDP mechanism M that is known at point inputs.

    From below: max_i (sum_j C_ij M(delta_i)_j)^(1/p), which a point input attains. From above: epsilon-LDP puts every
    output into the box e^-eps max_i M(delta_i)_j <= nu_j <= e^eps min_i M(delta_i)_j, and W_p(mu, nu)^p is convex in
    mu, hence at most max_i sum_j C_ij nu_j: the bound is the largest of it over the box, a fractional knapsack for each
    i. Both meet as epsilon tends to 0.

    Args:
        cost: C_ij = d(x_i, v_j)^p, (k, k_v).
        rows: outputs of all k point inputs, (k, k_v).
        epsilon: what the mechanism promises, in nats.
        p: the order that the cost was raised to.
        Q: a polytope that holds all outputs, which narrows the box; None for none.

    Raises:
        ValueError: if shapes do not fit, or the rows break the promise.

    Source: ours; the convexity as in wpm_2605.10015, Theorem 3.5.
    """
    known, p, epsilon = check_cost(cost), check_order(p), check_epsilon(epsilon)
    at_least = WorstCase(np.maximum(_channel_costs(known, rows), 0.0) ** (1.0 / p))
    lower, upper = _box(np.asarray(rows, dtype=np.float64), epsilon, Q)
    farthest = -minimise_linear(-known, np.argsort(-known, axis=1), lower, upper)[0]
    at_most = max(float(farthest.max()), 0.0) ** (1.0 / p)
    return Bracket(float(at_least), max(at_most, float(at_least)))


def divergence_bracket(name: str, rows: ArrayLike, epsilon: float, Q: Polytope | None = None) -> Bracket:
    """Bounds of sup over mu of D_f(mu || M(mu)) on k points, which are inputs and outputs, as in `worst_case_bracket`.

    From a point D_f knows the mass that stays only: D_f(delta_i || nu) = (1 - nu_i) f(0) + nu_i f(1 / nu_i), which
    falls in nu_i. From below: the largest over point inputs. From above: D_f is convex in mu, so that the largest is at
    a point, with the least nu_i of the box: its lower bound, or what the upper bounds of all others leave.

    Args:
        name: a key of `DIVERGENCES`.
        rows: outputs of all k point inputs, (k, k).
        epsilon: what the mechanism promises, in nats.
        Q: a polytope that holds all outputs, which narrows the box; None for none.

    Source: ours; the convexity as in minimax_ldp_sampling, Theorem 3.1.
    """
    epsilon = check_epsilon(epsilon)
    outputs, single = check_distributions(rows, "rows")
    if single or outputs.shape[0] != outputs.shape[1]:
        raise ValueError(f"rows must have as many outputs as there are inputs; got {outputs.shape}")
    lower, upper = _box(outputs, epsilon, Q)
    least = np.maximum(lower, 1.0 - (upper.sum() - upper))
    kept, left = float(np.diag(outputs).min()), float(least.min())
    if name not in DIVERGENCES:
        raise ValueError(f"name must be one of {', '.join(DIVERGENCES)}; got {name!r}")
    # All that does not stay is as good as at one other point.
    return Bracket(*(float(DIVERGENCES[name]([1.0, 0.0], [mass, 1.0 - mass])) for mass in (kept, min(left, kept))))


def _box(outputs: Array, epsilon: float, Q: Polytope | None) -> tuple[Array, Array]:
    """Least and largest mass that any output of an epsilon-LDP mechanism with these outputs can have, (k_v,) each."""
    lower, upper = np.exp(-epsilon) * outputs.max(axis=0), np.exp(epsilon) * outputs.min(axis=0)
    if Q is not None:
        lower, upper = np.maximum(lower, Q.lower), np.minimum(upper, Q.upper)
    if (lower > upper * (1 + 1e-9)).any():
        raise ValueError(f"rows differ by more than e^epsilon for epsilon = {epsilon:g}: no such mechanism keeps it")
    return lower, np.maximum(upper, lower)


def _dirac_costs(cost: Array, Q: Polytope) -> Array:
    """phi_i(m) for rows (r, k_v) of the cost, (r,)."""
    return minimise_linear(cost, np.argsort(cost, axis=1), Q.lower, Q.upper)[0]


def _channel_costs(cost: Array | GridCost, channel: ArrayLike) -> Array:
    """W_p^p between each Dirac input and its row of the channel, (k,): all of the mass starts at one point."""
    rows, single = check_distributions(channel, "Q", cost.shape[1])
    if single or len(rows) != cost.shape[0]:
        raise ValueError(f"Q must be a Polytope or a channel matrix of shape {cost.shape}; got {np.shape(channel)}")
    if isinstance(cost, GridCost):
        return np.array([float(cost.rows([i])[0] @ row) for i, row in enumerate(rows)])
    return np.asarray((cost * rows).sum(axis=1))


def _on_grid(cost: GridCost, Q: Polytope) -> Array:
    """phi_i(m) for all points of a grid, or for the corner if the base is uniform."""
    if not np.ptp(Q.base):
        return _dirac_costs(cost.rows([0]), Q)
    return costs_of_points(cost, Q.lower, Q.upper)


def worst_case_divergence(name: str, k: int, epsilon: float, mechanism: str = "minimax") -> float:
    """R = sup over inputs P of D_f(P || Q(.|P)) = (1 - 1/r2) f(0) + f(r2) / r2, attained at a Dirac input.

    r2 = (e^epsilon + k - 1) / e^epsilon for "minimax" (KPM with its optimal base; no epsilon-LDP mechanism does
    better), and r2 = 1 / min(e^(epsilon/2) / k, e^(-epsilon/2) / k + 1 - e^(-epsilon/2)) for "mollifier" (relative
    mollifier around the uniform distribution).

    Args:
        name: "kl" (nats), "tv", "hellinger" (squared, 1 - sum sqrt(pq)) or "chi2".
        k: number of points.
        epsilon: privacy parameter in nats.
        mechanism: "minimax" or "mollifier".

    Source: minimax_ldp_sampling, Theorem 3.1 with r1 = 0, and section 5 (baseline).
    """
    k, epsilon = check_count(k, "k"), check_epsilon(epsilon)
    if mechanism == "minimax":
        largest = 1.0 + (k - 1) * float(np.exp(-epsilon))
    elif mechanism == "mollifier":
        half = float(np.exp(-epsilon / 2))
        largest = 1.0 / min(1.0 / (half * k), half / k + 1.0 - half)
    else:
        raise ValueError(f"mechanism must be 'minimax' or 'mollifier'; got {mechanism!r}")
    return two_point_divergence(name, 0.0, largest)
