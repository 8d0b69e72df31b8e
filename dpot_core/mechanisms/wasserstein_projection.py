"""WPM: release a draw from the point of the LDP polytope that is nearest to the input in Wasserstein distance."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, ConvergenceWarning, check_cost, check_count, check_distributions, check_number
from dpot_core.arguments.lazy import cached_property
from dpot_core.privacy.polytopes import Polytope, check_polytope
from dpot_core.spaces import GridCost, check_cost_or_grid
from dpot_core.transport.entropic import EntropicTransport, Trace, boxed_entropic
from dpot_core.transport.entropic_grids import boxed_entropic_on_grid
from dpot_core.transport.exact import BoxedTransport, boxed_transport_lp, boxed_transports
from dpot_core.transport.few_places import entropic_of_places, few_places
from dpot_core.transport.kernels import SharedCost
from dpot_core.transport.wasserstein import transport_cost

#: Rows of a grid's cost that are made at once have at most so many entries: half a gigabyte.
MOST_ENTRIES = 2**26


@dataclass(frozen=True)
class ExactProjection:
    """Exact projection; for a batch every field has a leading axis n.

    Attributes:
        output: nearest point of Q, (k_v,), inside Q in floating point.
        value: W_p^p(output, mu), in cost units.
        gap: value minus a proved lower bound (0 up to rounding).
        plan: optimal plan (k, k_v), None unless asked for.
    """

    output: Array
    value: float | Array
    gap: float | Array
    plan: Array | None = field(default=None, repr=False)


@dataclass(frozen=True)
class EntropicProjection:
    """Entropic projection; for a batch every field but `iterations` has a leading axis n.

    Attributes:
        output: (k_v,), inside Q in floating point whatever the number of iterations.
        mu: the input, (k,).
        cost: C_ij, (k, k_v), the same for a whole batch; a `GridCost` if one was given.
        plan_cost: <C, pi> of Algorithm 1's last plan, in cost units. Its row sums are mu only up to `marginal_error`,
            so that it can lie below what any transport to a point of Q costs: see `value`.
        marginal_error: L1 distance of the plan's row sums from mu.
        iterations: iterations made.
        converged: whether marginal_error <= tol (for a batch: for all inputs).
        trace: outputs, errors and the Birkhoff bound by iteration, None unless asked for.
    """

    output: Array
    mu: Array = field(repr=False)
    cost: Array | GridCost = field(repr=False)
    plan_cost: float | Array
    marginal_error: float | Array
    iterations: int
    converged: bool
    trace: Trace | None = field(default=None, repr=False)

    @cached_property
    def value(self) -> float | Array:
        """W_p^p(output, mu), in cost units: never below the optimum. Solved exactly, when it is asked for first.

        Raises:
            ValueError: if the cost has no matrix and the rows of an input's support would be too large.
        """
        if self.output.ndim == 1:
            return _transport_cost(self.mu, self.output, self.cost)
        rows = zip(self.mu, self.output, strict=True)
        return np.array([_transport_cost(mu, nu, self.cost) for mu, nu in rows])


def project_exact(
    mu: ArrayLike, cost: ArrayLike | GridCost | SharedCost, Q: Polytope, return_plan: bool = False
) -> ExactProjection:
    """Exact Wasserstein projection, argmin over nu in Q of W_p(nu, mu), by a network simplex.

    Only rows in supp(mu) and columns in supp(m) take part. Few places and many outputs are fast: the rows of `cost` may
    be the places of this input alone (20 places and 65,536 outputs take about 0.1 s).

    Args:
        mu: inputs, (k,) or (n, k); equal ones are solved once.
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), or a `GridCost`, of which only the rows of supp(mu) are made.
        Q: LDP polytope on the k_v outputs.
        return_plan: also return the optimal plan (not with a `GridCost`).

    Raises:
        ValueError: if shapes or masses do not fit, or the rows of a grid would take more than half a gigabyte.
        RuntimeError: if the solver leaves a duality gap.

    Source: wpm_2605.10015, Definition 3.1 and section 4 (linear program).
    """
    known, rows, single = _checked(mu, cost, Q)
    if isinstance(known, GridCost):
        if return_plan:
            raise ValueError("return_plan needs a cost matrix; a grid without one has no room for a plan")
        return _packed(_on_rows(rows, known, Q), single)
    return _packed(boxed_transports(rows, _matrix(known), Q.lower, Q.upper, return_plan), single)


def exact_projection_lp(mu: ArrayLike, cost: ArrayLike, Q: Polytope) -> ExactProjection:
    """The same projection by SciPy's HiGHS on the linear program as printed: slow, the reference for `project_exact`.

    Args:
        mu: inputs, (k,) or (n, k).
        cost: C_ij = d(x_i, v_j)^p, (k, k_v).
        Q: LDP polytope on the k_v outputs.

    Source: wpm_2605.10015, section 4.
    """
    matrix = check_cost(cost)
    _, rows, single = _checked(mu, matrix, Q)
    return _packed([boxed_transport_lp(row, matrix, Q.lower, Q.upper) for row in rows], single)


def project_entropic(
    mu: ArrayLike,
    cost: ArrayLike | GridCost | SharedCost,
    Q: Polytope,
    reg: float,
    max_iter: int = 1000,
    tol: float = 1e-9,
    trace: bool = False,
) -> EntropicProjection:
    """Entropic Wasserstein projection, argmin over nu in Q of OT_reg(nu, mu), by Algorithm 1.

    OT_reg(nu, mu) = min over couplings of sum C_ij pi_ij + reg * sum pi_ij log pi_ij. Its transport cost exceeds the
    exact one by at most reg * log(k k_v) once converged (Proposition 4.1, appendix K; the main text's 2 reg log k
    needs k_v <= k). Stopping early costs utility, never privacy: the output lies in Q after any number of iterations.

    Args:
        mu: inputs, (k,) or (n, k); a batch shares one kernel where reg allows it.
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), or a `GridCost`: then no matrix is made. With p = 2 (p = 1
            for the Manhattan distance) it takes any reg on up to 128 points an axis, and reg from about 1e-4 of the
            largest cost on 1000; all others take reg from 1/600 of the largest cost.
        Q: LDP polytope on the k_v outputs.
        reg: entropic weight lambda, in cost units, positive.
        max_iter: largest number of iterations.
        tol: stop when the plan's row sums are within this L1 distance of mu.
        trace: record every iteration (one input only; not with a `GridCost`).

    Raises:
        ValueError: if arguments do not fit, or reg is too small for a grid without a matrix.
        RuntimeError: if scalings leave float64 on such a grid.

    Source: wpm_2605.10015, Algorithm 1.
    """
    known, rows, single = _checked(mu, cost, Q)
    if trace and len(rows) != 1:
        raise ValueError(f"trace records one input; got {len(rows)}")
    solved = _entropic(rows, known, Q, reg, max_iter, tol, trace)
    priced = known if isinstance(known, GridCost) else _matrix(known)
    if single:
        return EntropicProjection(
            solved.output[0],
            rows[0],
            priced,
            float(solved.plan_cost[0]),
            float(solved.marginal_error[0]),
            solved.iterations,
            bool(solved.converged[0]),
            solved.trace,
        )
    return EntropicProjection(
        solved.output,
        rows,
        priced,
        solved.plan_cost,
        solved.marginal_error,
        solved.iterations,
        bool(solved.converged.all()),
        solved.trace,
    )


def wasserstein_projection(
    mu: ArrayLike,
    cost: ArrayLike | GridCost | SharedCost,
    Q: Polytope,
    reg: float | None = None,
    max_iter: int = 1000,
    tol: float = 1e-9,
) -> Array:
    """WPM: the output distribution argmin over nu in Q of W_p(nu, mu); exact for reg None, otherwise entropic.

    epsilon-LDP for any two inputs, because the output lies in Q however far the solver got; a warning says where that
    is not as far as asked. With the minimax base no epsilon-LDP mechanism has a smaller worst-case W_p.

    Args:
        mu: inputs, (k,) or (n, k).
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), a `GridCost`, or a `SharedCost`.
        Q: LDP polytope on the k_v outputs.
        reg: entropic weight in cost units, or None.
        max_iter: for the entropic route.
        tol: for the entropic route.

    Returns:
        Output distributions, (k_v,) or (n, k_v).

    Warns:
        ConvergenceWarning: if the row sums are farther than tol from mu after max_iter iterations, for any input.

    Source: wpm_2605.10015, Definition 3.1, Propositions 3.2 and 3.3.
    """
    if reg is None:
        return project_exact(mu, cost, Q).output
    known, rows, single = _checked(mu, cost, Q)
    found = _entropic(rows, known, Q, reg, max_iter, tol)
    if not found.converged.all():
        warnings.warn(
            f"the entropic projection stopped after {found.iterations} iterations, row sums off by "
            f"{np.max(found.marginal_error):.2g} (tol {tol:g}): in Q, but not the nearest point; raise max_iter or "
            "reg, or take reg=None",
            ConvergenceWarning,
            stacklevel=2,
        )
    return found.output[0] if single else found.output


def projection_so_far(
    mu: ArrayLike, cost: ArrayLike | GridCost | SharedCost, Q: Polytope, reg: float | None, max_iter: int
) -> Array:
    """The same without a word on convergence, for what shows or releases a stated number of iterations on purpose.

    Args:
        mu: inputs, (k,) or (n, k).
        cost: C_ij = d(x_i, v_j)^p, (k, k_v), a `GridCost`, or a `SharedCost`.
        Q: LDP polytope on the k_v outputs.
        reg: entropic weight in cost units; exact for None.
        max_iter: largest number of iterations.
    """
    if reg is None:
        return project_exact(mu, cost, Q).output
    known, rows, single = _checked(mu, cost, Q)
    output = _entropic(rows, known, Q, reg, max_iter, 1e-9).output
    return output[0] if single else output


def _entropic(
    mu: Array,
    cost: Array | GridCost | SharedCost,
    Q: Polytope,
    reg: float,
    max_iter: int,
    tol: float,
    trace: bool = False,
) -> EntropicTransport:
    scale = float(cost.max()) or 1.0
    reg = check_number(reg, "reg", 1e-12 * scale, 1e12 * scale)
    max_iter = check_count(max_iter, "max_iter", 0)
    tol = check_number(tol, "tol", 0.0, 2.0)
    if isinstance(cost, GridCost):
        if trace:
            raise ValueError("trace needs a cost matrix: it keeps every iterate")
        return boxed_entropic_on_grid(mu, cost, Q.lower, Q.upper, reg, max_iter, tol)
    if few_places(mu):
        return entropic_of_places(mu, _matrix(cost), Q.lower, Q.upper, reg, max_iter, tol)
    return boxed_entropic(mu, cost, Q.lower, Q.upper, reg, max_iter, tol, trace)


def _matrix(cost: Array | SharedCost) -> Array:
    return cost.matrix if isinstance(cost, SharedCost) else cost


def _checked(
    mu: ArrayLike, cost: ArrayLike | GridCost | SharedCost, Q: Polytope
) -> tuple[Array | GridCost | SharedCost, Array, bool]:
    known = cost if isinstance(cost, SharedCost) else check_cost_or_grid(cost)
    if known.shape[1] != len(check_polytope(Q)):
        raise ValueError(f"cost has {known.shape[1]} columns, but the polytope has {len(Q)} outputs")
    rows, single = check_distributions(mu, "mu", known.shape[0])
    return known, rows, single


def _on_rows(mu: Array, cost: GridCost, Q: Polytope) -> list[BoxedTransport]:
    """Exact projections from the rows of the inputs' supports: of all inputs together where they fit."""
    places = np.flatnonzero((mu > 0).any(axis=0))
    if places.size * len(Q) <= MOST_ENTRIES:
        return boxed_transports(np.ascontiguousarray(mu[:, places]), cost.rows(places), Q.lower, Q.upper)
    return [boxed_transports(row[None, row > 0], _rows(row, cost), Q.lower, Q.upper)[0] for row in mu]


def _rows(mu: Array, cost: GridCost) -> Array:
    """The cost of the points of an input's support, (r, k)."""
    places = np.flatnonzero(mu)
    if places.size * cost.shape[1] > MOST_ENTRIES:
        raise ValueError(
            f"an input with {places.size:,} places on {cost.shape[1]:,} outputs needs a cost of more than "
            f"{MOST_ENTRIES:,} entries; use project_entropic, or fewer places"
        )
    return cost.rows(places)


def _transport_cost(mu: Array, nu: Array, cost: Array | GridCost) -> float:
    if isinstance(cost, GridCost):
        return transport_cost(mu[mu > 0], nu, _rows(mu, cost))
    return transport_cost(mu, nu, cost)


def _packed(solved: list[BoxedTransport], single: bool) -> ExactProjection:
    if single:
        return ExactProjection(solved[0].output, solved[0].value, solved[0].gap, solved[0].plan)
    plans = [s.plan for s in solved if s.plan is not None]
    return ExactProjection(
        np.array([s.output for s in solved]),
        np.array([s.value for s in solved]),
        np.array([s.gap for s in solved]),
        np.array(plans) if plans else None,
    )
