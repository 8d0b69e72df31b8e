"""Base measures of a given shape, and the best scale for a shape."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_epsilon, check_number, check_weights
from dpot_core.base_measures.objective import Objective
from dpot_core.spaces import GridCost, check_cost_or_grid
from dpot_core.transport.point_inputs import costliest_point, costs_of_points

#: Costs of the same input by the same bounds differ by less.
_ROUNDING = 1e-13
# With fewer outputs a pass through all of them takes no time worth saving.
_MANY = 4096


def uniform_base(k_v: int, mass: float = 1.0) -> Array:
    """The base measure mass / k_v at each of k_v outputs, (k_v,); feasible in [e^(-epsilon/2), e^(epsilon/2)]."""
    k_v = check_count(k_v, "k_v")
    return np.full(k_v, check_number(mass, "mass", 1e-300, 1e300) / k_v)


def best_uniform_base(cost: ArrayLike | GridCost, epsilon: float) -> Array:
    """The uniform base measure whose mass minimises the worst case f(m) = max_i phi_i(m), (k_v,).

    With a uniform base all outputs have the same bounds, so phi_i(m) = min over q of sum_j C_ij q_j depends on the
    costs of input i in ascending order only, and does not fall when one of them rises. An input whose sorted costs are
    nowhere above those of another one is never worse off, whatever the mass and epsilon, and is left out.

    **On a grid whose outputs are all its points a corner is worst off**, so that ``cost[:1]`` gives what ``cost``
    does, and a `GridCost` is asked for no more. On an axis of n evenly spaced points at least min(r + 1, n) points lie
    within r steps of any point x. So the r-th nearest point to x, t_x(r) for r = 0, ..., n - 1, is at most r steps
    away; from the first point of the axis the r-th one is exactly r steps away. The map (r, s) -> (t_x(r), t_y(s)) goes
    through all outputs once, and on either axis its value is no farther from (x, y) than (r, s) is from the corner
    (0, 0). So it costs no more, for any distance that never falls while the difference on an axis grows (all p-norms,
    steps of different lengths on the axes), to any power: the sorted costs of every point are nowhere above the
    corner's. It is the same with more than two axes.

    Args:
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), or a `GridCost`.
        epsilon: privacy parameter in nats.

    Source: wpm_2605.10015 (the family that its experiments search on a grid; here the exact minimum over masses).
    """
    known = check_cost_or_grid(cost)
    worst = known.rows([0]) if isinstance(known, GridCost) else _worst_off(known)
    if len(worst) == 1 and known.shape[1] > _MANY:
        # Outputs that cost the same are one output of their mass: on a grid a fourth of them is left.
        costs, sizes = np.unique(worst[0], return_counts=True)
        return uniform_base(known.shape[1], float(prior_base(sizes, epsilon, costs[None, :]).sum()))
    return prior_base(np.ones(known.shape[1]), epsilon, worst)


def prior_base(prior: ArrayLike, epsilon: float, cost: ArrayLike | GridCost | None = None) -> Array:
    """A base measure proportional to a prior that is public (or else its privacy is paid for separately), (k_v,).

    Args:
        prior: weights of the outputs, (k_v,), not negative. An output of weight 0 is never released.
        epsilon: privacy parameter in nats.
        cost: (k, k_v) or a `GridCost`; if given, the mass is the one with the smallest worst case f, otherwise it is 1.
    """
    epsilon = check_epsilon(epsilon)
    weights = check_weights(prior, "prior")
    shape = weights / weights.max()
    shape = shape / shape.sum()
    if cost is None:
        return shape
    known = check_cost_or_grid(cost)
    if known.shape[1] != shape.size:
        raise ValueError(f"prior must have length {known.shape[1]}; got {shape.size}")
    if isinstance(known, GridCost):
        return shape * _best_mass_on_grid(shape, known, epsilon)
    return shape * _best_mass(shape, Objective(known, epsilon))


def _worst_off(cost: Array) -> Array:
    """The rows of which one is worst off with any uniform base: sorted, all others are nowhere above one of them."""
    ordered = np.sort(cost, axis=1)
    first = int(np.argmax(ordered.sum(axis=1)))
    above = (ordered > ordered[first]).any(axis=1)
    above[first] = True
    return cost[above]


def _best_mass(shape: Array, objective: Objective) -> float:
    """Minimise the convex, piecewise linear s -> f(s * shape) over [alpha, beta] by cuts from both sides.

    The next point is where the cut from the left meets the cut from the right; it is the minimum as soon as it lies
    on f, after finitely many steps.
    """
    left, right = (_line(mass, shape, objective) for mass in (objective.alpha, objective.beta))
    if left[2] >= 0:
        return left[0]
    if right[2] <= 0:
        return right[0]
    best = min(left, right, key=lambda line: line[1])
    for _ in range(200):
        (s0, f0, g0), (s1, f1, g1) = left, right
        mass = (f0 - g0 * s0 - f1 + g1 * s1) / (g1 - g0)
        model = f0 + g0 * (mass - s0)
        if not s0 < mass < s1:
            break
        line = _line(mass, shape, objective)
        best = min(best, line, key=lambda line: line[1])
        if line[1] - model <= 1e-15 * line[1] or line[2] == 0:
            break
        left, right = (line, right) if line[2] < 0 else (left, line)
    return best[0]


def _best_mass_on_grid(shape: Array, cost: GridCost, epsilon: float) -> float:
    """The same from few inputs: those that are worst off at some mass on the way, one more each time.

    The mass that is best for some inputs is best for all as soon as none of the others is worse off there: then f is
    no lower than that anywhere. There are finitely many inputs, and each is added once.
    """
    used = np.flatnonzero(shape)
    alpha, beta = np.exp(-epsilon / 2), np.exp(epsilon / 2)
    inputs = np.zeros(1, dtype=np.intp)
    while True:
        mass = _best_mass(shape[used], Objective(np.ascontiguousarray(cost.rows(inputs)[:, used]), epsilon))
        lower, upper = alpha * mass * shape, beta * mass * shape
        known = float(costs_of_points(cost, lower, upper, inputs).max())
        worst, value = costliest_point(cost.space, cost.p, partial(costs_of_points, cost, lower, upper), inputs)
        if worst in inputs or value <= known * (1 + _ROUNDING):
            return mass
        inputs = np.append(inputs, worst)


def _line(mass: float, shape: Array, objective: Objective) -> tuple[float, float, float]:
    values, tau = objective.values(mass * shape)
    worst = np.array([int(np.argmax(values))])
    return mass, float(values[worst[0]]), float(objective.gradients(worst, tau)[0] @ shape)
