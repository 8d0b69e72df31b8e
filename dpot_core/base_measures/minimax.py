"""The base measure with the smallest worst case, with a certificate: three methods, one result."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

import highspy
import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, ConvergenceWarning, check_cost, check_count, check_epsilon, check_number
from dpot_core.base_measures.minimax_references import full_program, mirror_descent
from dpot_core.base_measures.objective import GapProgress, Objective
from dpot_core.base_measures.scaled import best_uniform_base, prior_base
from dpot_core.base_measures.symmetry import find_symmetry
from dpot_core.spaces import refuse_grid

_Labels = np.ndarray[tuple[int], np.dtype[np.intp]]
#: Cuts added in one round: those of the inputs that are worst off at the current point.
_CUTS_PER_ROUND = 30

#: Levels at which costs are cut grow by this factor: few of them, and no more digits lost than need be.
_BEYOND = 256.0

#: Gaps below this share of the largest cost are rounding: they cannot be closed in float64.
_ROUNDING = 1e-13

#: A lower bound may exceed the value by this share: rounding, and the tolerances of the linear programs' duals.
_EXCESS = 1e-9


@dataclass(frozen=True)
class MinimaxBase:
    """A base measure and how good it provably is. Costs are in the unit of the cost matrix (distance^p).

    Attributes:
        base: the base measure, (k_v,).
        value: f(base) = max_i phi_i(base): the p-th power of its worst-case distance (at most 1e-13 of the largest
            cost above it, where costs that differ by rounding were taken to be equal).
        lower_bound: no base measure (hence no epsilon-LDP mechanism) has a worst case below this.
        gap: value - lower_bound.
        iterations: rounds made.
        trace: best value and best lower bound known after each round, (iterations, 2).
    """

    base: Array
    value: float
    lower_bound: float
    gap: float
    iterations: int
    trace: Array = field(repr=False)


@dataclass(frozen=True)
class Mixture:
    """Cuts and their weights, whose sum proves a lower bound (`Objective.bound`).

    Attributes:
        inputs: rows of the objective's cost, (c,).
        taus: marginal costs at which they were cut, (c,).
        weights: (c,), of sum 1.
    """

    inputs: _Labels
    taus: Array
    weights: Array


def minimax_base(
    cost: ArrayLike,
    epsilon: float,
    tol: float = 1e-6,
    method: str = "cutting-plane",
    max_iter: int = 1000,
    progress: GapProgress | None = None,
) -> MinimaxBase:
    """min over m >= 0, e^(-epsilon/2) <= sum m <= e^(epsilon/2), of f(m) = max_i phi_i(m).

    WPM with this base is minimax optimal among all epsilon-LDP mechanisms. The cutting planes use the symmetry of the
    cost where there is one, as on grids and rings: an optimal base is the same on all outputs that are alike, so one
    unknown per class of outputs and one input per class of inputs do, with a certificate for the whole problem (proofs
    in `dpot_core.base_measures.symmetry`). On a ring whose outputs are all its points that is `best_uniform_base`.

    Args:
        cost: C_ij = d(x_i, v_j)^p, (k, k_v).
        epsilon: privacy parameter in nats.
        tol: stop when the gap is at most tol * value, or 1e-13 of the least cost that is not 0
            ("mirror-descent" always makes max_iter steps).
        method: "cutting-plane" (default), "mirror-descent" (the paper's), or "lp" (one linear program with
            k k_v + k_v + 1 variables: slow, the reference).
        max_iter: largest number of rounds or steps.
        progress: called with (round, value, lower_bound); an exception from it abandons the work.

    Raises:
        ValueError: if arguments do not fit.
        RuntimeError: if the gap is not closed within max_iter rounds (not for "mirror-descent"), or a lower bound
            lies above the value by more than rounding, so that one of the two is wrong.

    Warns:
        ConvergenceWarning: if rounding leaves a larger gap than was asked for; what is returned has it as `.gap`.

    Source: wpm_2605.10015, Theorem 3.5 and appendix G (mirror descent); the cutting planes are ours.
    """
    matrix, epsilon = check_cost(refuse_grid(cost)), check_epsilon(epsilon)
    tol = check_number(tol, "tol", 1e-12, 1.0)
    max_iter = check_count(max_iter, "max_iter")
    if method not in ("cutting-plane", "mirror-descent", "lp"):
        raise ValueError(f"method must be 'cutting-plane', 'mirror-descent' or 'lp'; got {method!r}")
    found, failure = None, None
    try:
        found = _solved(matrix, epsilon, tol, method, max_iter, progress)
    except RuntimeError as error:
        failure = error
    # What rounding of the largest cost may hide is no proof.
    hidden = _rounding(matrix.shape[1], float(matrix.max()))
    if method == "cutting-plane" and (found is None or max(found.gap, hidden) > tol * found.value):
        found = _on_cut_costs(matrix, epsilon, tol, max_iter, progress, found)
    if found is None or (failure is not None and found.gap > tol * found.value):
        raise RuntimeError(str(failure)) from failure
    if method != "mirror-descent" and found.gap > tol * found.value + 2 * _ROUNDING * _least(matrix):
        said = f"minimax base: the gap {found.gap:.3g} of the value {found.value:.6g} is above tol {tol:g}: costs are "
        warnings.warn(f"{said}too far apart, or epsilon = {epsilon:g} too large, for float64", ConvergenceWarning, 2)
    return found


def _rounding(outputs: int, largest: float) -> float:
    """The rounding error of sums of so many costs."""
    return 4e-16 * outputs * largest


def _least(cost: Array) -> float:
    """The least cost that is more than zero; 0 if none is."""
    least = float(cost[cost > 0].min(initial=np.inf))
    return least if math.isfinite(least) else 0.0


def _on_cut_costs(
    cost: Array, epsilon: float, tol: float, max_iter: int, progress: GapProgress | None, found: MinimaxBase | None
) -> MinimaxBase | None:
    """The best of what follows, where costs are so far apart that rounding of the largest hides the value.

    Cut down to min(C, T), costs are nowhere higher, so that a lower bound for them is one for C. The base's value is
    that for C. Levels T are raised from the distance that no base can avoid until the two meet.
    """
    whole, nearest = Objective(cost, epsilon), float(cost.min(axis=1).max())

    def better(other: MinimaxBase, level: float) -> MinimaxBase:
        """The bounds known of both; rounding of costs up to a level counts against the bound."""
        base, value = min(
            ((base, _reached(whole, base)) for base in _trimmed(other.base, whole)), key=lambda pair: pair[1]
        )
        bound = max(other.lower_bound - _rounding(other.base.size, level), nearest)
        if found is not None:
            base, value = (base, value) if value < found.value else (found.base, found.value)
            bound = max(bound, found.lower_bound)
        return replace(other, base=base, value=value, lower_bound=min(bound, value), gap=max(value - bound, 0.0))

    if found is not None:
        first, found = found, None
        found = better(first, float(cost.max()))
    level = nearest or _least(cost)
    while (found is None or found.gap > tol * found.value) and (level := level * _BEYOND) < cost.max():
        with suppress(RuntimeError):
            solved = _solved(np.minimum(cost, level), epsilon, tol / 2, "cutting-plane", max_iter, progress)
            found = better(solved, level)
    return found


def _trimmed(base: Array, objective: Objective) -> Iterator[Array]:
    """A base, and the same without what rounding may have left in it: specks of mass, and a sum that is just too small.

    A speck on an output that costs 1e18 is dear, and so is what is short of 1.
    """
    for least in (0.0, 1e-15, 1e-12, 1e-9, 1e-6):
        kept = np.where(base < least * base.max(), 0.0, base)
        for more in (0.0, 1e-15, 1e-14, 1e-12, 1e-9, 1e-7):
            mass = min(max(kept.sum(), objective.alpha) * (1 + more), objective.beta)
            yield kept * (mass / kept.sum())


def _reached(objective: Objective, base: Array) -> float:
    """max_i phi_i, without differences of large costs."""
    lower, upper = objective.alpha * base, objective.beta * base
    missing, values = 1.0 - math.fsum(lower), []
    for row, order in zip(objective.cost, objective.order, strict=True):
        room = (upper - lower)[order]
        before = np.concatenate([[0.0], np.cumsum(room)[:-1]])
        fill = np.clip(missing - before, 0.0, room)
        values.append(math.fsum((lower[order] + fill) * row[order]))
    return max(values)


def _solved(
    matrix: Array, epsilon: float, tol: float, method: str, max_iter: int, progress: GapProgress | None
) -> MinimaxBase:
    scale = float(matrix.max()) or 1.0
    matrix = matrix / scale
    objective, delta, _ = (
        reduced(matrix, epsilon) if method == "cutting-plane" else (Objective(matrix, epsilon), 0.0, ())
    )

    def report(step: int, value: float, bound: float) -> None:
        if progress is not None:
            progress(step, value * scale, bound * scale)

    if method == "mirror-descent":
        base, bound, trace = mirror_descent(objective, max_iter, report)
    elif method == "lp":
        base, bound, trace = full_program(objective)
    else:
        # The same base; without symmetry in the way that keeps the last digits of what was computed before.
        start = (
            prior_base(np.ones(matrix.shape[1]), epsilon, matrix)
            if len(objective.cost) == len(matrix)
            else best_uniform_base(objective.cost, epsilon)
        )
        base, bound, trace, _ = cutting_planes(objective, start, delta, tol, max_iter, report)
    value = float(objective.values(base)[0].max()) + delta
    gap = max(value - bound, 0.0)
    if method != "mirror-descent" and gap > tol * value + 2 * _ROUNDING:
        raise RuntimeError(f"minimax base: relative gap {gap / value:.2g} after {len(trace)} rounds, above tol {tol:g}")
    if bound - value > _EXCESS * value + 2 * _ROUNDING:
        raise RuntimeError(f"minimax base: the lower bound {bound * scale:.17g} exceeds the value {value * scale:.17g}")
    # What is above by less is rounding: report the two as equal.
    return MinimaxBase(base, value * scale, min(bound, value) * scale, gap * scale, len(trace), trace * scale)


def reduced(cost: Array, epsilon: float) -> tuple[Objective, float, _Labels]:
    """The objective on one input per class of the cost's symmetry, up to how much, and the class of every input."""
    symmetry = find_symmetry(cost)
    if symmetry is None:
        return Objective(cost, epsilon), 0.0, np.arange(len(cost))
    return Objective(symmetry.cost, epsilon, symmetry.outputs), symmetry.delta, symmetry.inputs


def cutting_planes(
    objective: Objective, start: Array, delta: float, tol: float, max_iter: int, report: GapProgress
) -> tuple[Array, float, Array, Mixture]:
    """Kelley's method: minimise the largest of the cuts so far, add the worst inputs' cuts there, repeat.

    The objective is known up to delta, which is added to values and taken from bounds.

    The master program keeps its simplex basis from round to round (HiGHS), which is where the speed is. Its duals give
    the lower bound through `Objective.bound`, so the bound does not rely on the solver's tolerances.
    """
    k_v, width = start.size, objective.sizes.size
    solver = highspy.Highs()
    for option, setting in (("output_flag", False), ("presolve", "off"), ("solver", "simplex")):
        solver.setOptionValue(option, setting)
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(option, 1e-9)
    infinity = highspy.kHighsInf
    # Variables n = beta m in [0, 1] (see `Objective.bound`) and t; minimise t subject to 1 <= sum n <= beta / alpha and
    # t - (g / beta).n >= tau for every cut. In n all numbers stay below 1 at any epsilon.
    solver.addVars(width + 1, np.append(np.zeros(width), -infinity), np.append(np.ones(width), infinity))
    solver.changeColCost(width, 1.0)
    columns = np.arange(width + 1, dtype=np.int32)
    solver.addRow(1.0, min(objective.beta / objective.alpha, float(k_v)), width, columns[:width], objective.sizes)
    taus, gradients = np.empty(0), np.empty((0, width))
    # The solver's tolerances are absolute: t is measured in units of about its size, but not so small that it stalls.
    unit = max(float(objective.values(start)[0].max()), 1e-7)
    # No output is nearer to an input than its nearest place: a first bound, and the last one where epsilon is huge.
    base, best, value, trace = start, start, np.inf, list[tuple[float, float]]()
    inputs, proof = np.empty(0, dtype=np.intp), Mixture(np.zeros(1, dtype=np.intp), np.zeros(1), np.ones(1))
    bound = max(float(objective.cost.min(axis=1).max()) - delta, 0.0)
    for step in range(1, max_iter + 1):
        phi, tau = objective.values(base)
        if phi.max() + delta < value:
            value, best = float(phi.max()) + delta, base
        worst = np.argsort(-phi)[:_CUTS_PER_ROUND]
        worst = worst[phi[worst] >= bound]
        fresh = objective.gradients(worst, tau)
        taus, gradients = np.append(taus, tau[worst]), np.vstack([gradients, fresh])
        inputs = np.append(inputs, worst)
        rows = np.hstack([-fresh / (objective.beta * unit), np.ones((worst.size, 1))])
        solver.addRows(
            worst.size,
            tau[worst] / unit,
            np.full(worst.size, infinity),
            rows.size,
            np.arange(worst.size, dtype=np.int32) * (width + 1),
            np.tile(columns, worst.size),
            rows.ravel(),
        )
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(f"minimax base: master program ended as {solver.getModelStatus()}")
        solution = solver.getSolution()
        weights = np.maximum(np.array(solution.row_dual[1:]), 0.0)
        proven = objective.bound(weights, taus, gradients) - delta
        if proven >= bound:
            bound, some = proven, weights > 0
            proof = Mixture(inputs[some], taus[some], weights[some] / weights.sum())
        trace.append((value, bound))
        report(step, value, bound)
        if value - bound <= tol * value + _ROUNDING:
            break
        base = np.maximum(np.array(solution.col_value[:width])[objective.classes], 0.0) / objective.beta
        base *= np.clip(base.sum(), objective.alpha, objective.beta) / base.sum()
    return best, bound, np.array(trace), proof
