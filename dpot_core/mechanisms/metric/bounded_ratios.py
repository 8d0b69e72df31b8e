"""Linear programs over kernels whose rows differ by bounded ratios, by an interior point method.

**The program.** Minimise ``sum_xz c_xz K_xz`` over kernels K with ``K_qz >= b_e K_pz`` for every edge ``e = (p, q)``,
0 < b_e < 1, and every output z. Outputs have no constraint in common but ``sum_z K_xz = 1``, k equations. So a step of
Newton's method factors one (k, k) matrix an output, and one more for the equations' multipliers y:

    H_z dK_z = y + A'(target / s_z) - c_z,  sum_z dK_z = 0,  H_z = A' diag(lambda_z / s_z) A,  s_z = A K_z,

where row e of A has 1 at q and -b_e at p. That is k_v k^3 operations a step and no matrix of the whole program, whose
(k_v k) columns and (k_v m) rows a solver for any program would factor.

**Always inside.** The uniform kernel satisfies every constraint strictly, and a step keeps every slack above 0: K is a
kernel within the constraints, up to rounding, after any number of steps. K_qz > b_e K_pz > b_e b_e' K_qz > 0.

**A bound that needs no convergence.** For any multipliers lambda >= 0, ``sum_x min_z (c_z - A' lambda_z)_x`` is at most
the optimum: a feasible K has c_z.K_z >= (c_z - A' lambda_z).K_z, of which each row x is a mean over z.

**Rounding.** At the optimum k - 1 constraints of an output hold with equality: H_z loses its least eigenvalue, whose
vector is K_z itself. But H_z K_z = A' lambda_z and K_z.H_z K_z = s_z.lambda_z hold no differences of large numbers. So
K_z takes the place of a unit vector in the basis in which H_z is factored, and the step's part along it is kept apart.
Where more is lost, the diagonal is lifted by a share, and what the step then misses is solved for once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs

from dpot_core.arguments import Array

Indices = NDArray[np.intp]

#: Costs below this are not told apart by a share of them.
SMALL = 1e-4

# A step goes so far to the nearest constraint.
_NEARLY = 0.99
# The next target is at least this share of the present slack times multiplier.
_LEAST = 0.02
_MOST_STEPS = 200
# By this share the diagonal of a factored matrix is lifted, and so often what that makes a step miss is made good.
_LIFT, _REFINED = 1e-13, 1


@dataclass(frozen=True)
class Solved:
    """The kernel that the method found, with its certificate.

    Attributes:
        kernel: inside all constraints and with rows that sum to 1, up to rounding, (k, k_v).
        value: its cost.
        lower_bound: no kernel within the constraints costs less, up to rounding.
        iterations: steps of Newton's method.
    """

    kernel: Array
    value: float
    lower_bound: float
    iterations: int


def solve(
    cost: Array,
    edges: tuple[Indices, Indices],
    shares: Array,
    tol: float,
    alive: Callable[[int, float], object] | None = None,
) -> Solved:
    """Minimise the cost of a kernel with bounded ratios, see above.

    Args:
        cost: c, of the order of 1 in sum, (k, k_v).
        edges: p and q, so many that they connect all points both ways, (m,) each.
        shares: b, (m,).
        tol: gap, as a share of the value or of `SMALL` where that is more, at which the method stops.
        alive: called with (steps done, gap); what it raises abandons the work.

    Raises:
        RuntimeError: if the gap is larger after 200 steps, or a matrix is singular in floating point.
    """
    program, bound = _Program(cost.T, *edges, shares), -np.inf
    for step in range(_MOST_STEPS):
        value, bound = program.value(), max(bound, program.lower_bound())
        gap = (value - bound) / max(value, SMALL)
        if alive is not None:
            alive(step, gap)
        if gap <= tol:
            return Solved(np.ascontiguousarray(program.kernel.T), value, bound, step)
        program.step()
    raise RuntimeError(f"the linear program did not reach a gap of {tol:g} in {_MOST_STEPS} steps; it is {gap:.3g}")


class _Program:
    """Where the method is: kernel by output (k_v, k), its slacks and their multipliers (k_v, m)."""

    def __init__(self, cost: Array, p: Indices, q: Indices, b: Array) -> None:
        self.cost, self.p, self.q, self.b = cost, p, q, b
        outputs, self.k = cost.shape
        self.kernel = np.full(cost.shape, 1.0 / outputs)
        self.slack = self._slacks(self.kernel)
        self.multipliers = self.value() / self.slack.size / self.slack
        # Entries of A' diag(w) A, as places in a (k, k) matrix of which only the lower triangle counts.
        self._below = np.maximum(p, q) * self.k + np.minimum(p, q)

    def value(self) -> float:
        return float((self.cost * (self.kernel / self.kernel.sum(axis=0))).sum())

    def lower_bound(self) -> float:
        return float((self.cost - self._gathered(self.multipliers)).min(axis=0).sum())

    def step(self) -> None:
        """Mehrotra's predictor and corrector, with one factorisation for both."""
        slack, held = self.slack, self.multipliers
        newton = _Newton(self, held / slack)

        def direction(target: Array | float) -> tuple[Array, Array, Array]:
            """Changes of kernel, slacks and multipliers that bring slack times multiplier to the target."""
            move, change = newton.solved(self._gathered(target / slack) - self.cost)
            return move, change, target / slack - held - held / slack * change

        mu = float((slack * held).mean())
        _, change, turn = direction(0.0)
        primal, dual = _reach(slack, change), _reach(held, turn)
        ahead = float(((slack + primal * change) * (held + dual * turn)).mean())
        sigma = max((ahead / mu) ** 3, _LEAST)
        move, change, turn = direction(sigma * mu - change * turn)
        primal = _reach(slack, change)
        self.kernel += primal * move
        self.slack = slack + primal * change
        self.multipliers = held + _reach(held, turn) * turn

    def _slacks(self, kernel: Array) -> Array:
        return np.asarray(kernel[:, self.q] - self.b * kernel[:, self.p])

    def _gathered(self, weights: Array) -> Array:
        """A' w for every output, (k_v, k)."""
        gathered = np.empty((len(weights), self.k))
        for row, shrunk, sums in zip(weights, self.b * weights, gathered, strict=True):
            sums[:] = np.bincount(self.q, row, self.k) - np.bincount(self.p, shrunk, self.k)
        return gathered

    def normal(self, weights: Array) -> Array:
        """A' diag(w) A of one output, its lower triangle."""
        k, shrunk = self.k, self.b * weights
        normal = np.bincount(self._below, -shrunk, k * k)
        normal[:: k + 1] += np.bincount(self.q, weights, k) + np.bincount(self.p, self.b * shrunk, k)
        return np.asarray(normal.reshape(k, k), dtype=np.float64)


class _Newton:
    """The systems of one step, factored: every H_z in the basis of unit vectors, of which K_z replaces one."""

    def __init__(self, program: _Program, weights: Array) -> None:
        self._program, self._weights = program, weights
        self._at = np.arange(len(weights)), program.kernel.argmax(axis=1)  # the unit vector that is replaced
        pulled, inner = program._gathered(program.multipliers), (program.slack * program.multipliers).sum(axis=1)
        self._factors, total = [], np.zeros((program.k, program.k))
        for row, j, kernel, pull, along in zip(weights, self._at[1], program.kernel, pulled, inner, strict=True):
            normal = program.normal(row)
            normal[j, :j], normal[j:, j], normal[j, j] = pull[:j], pull[j:], along
            normal.ravel()[:: program.k + 1] *= 1.0 + _LIFT
            factor = _cholesky(normal)
            inverse = dpotri(factor, lower=1)[0]
            column = np.concatenate([inverse[j, :j], inverse[j:, j]])
            shift = kernel.copy()
            shift[j] -= 1.0
            half = np.outer(shift, column + 0.5 * column[j] * shift)
            total += inverse + half + half.T
            self._factors.append(factor)
        self._coupling = _cholesky(total)

    def solved(self, pull: Array) -> tuple[Array, Array]:
        """The step and the change of the slacks for y + pull, where y makes all rows of the kernel sum to 1."""
        kernel, gathered = self._program.kernel, self._program._gathered
        y, move, change = self._once(pull, 1.0 - kernel.sum(axis=0))
        for _ in range(_REFINED):
            missed = pull + y - gathered(self._weights * change)
            more = self._once(missed, 1.0 - (kernel + move).sum(axis=0))
            y, move, change = y + more[0], move + more[1], change + more[2]
        return move, change

    def _once(self, pull: Array, lacking: Array) -> tuple[Array, Array, Array]:
        """y, the step and the change of the slacks that the factors give."""
        alone, sides = self._moved(pull), np.empty_like(pull)
        sides[:] = dpotrs(self._coupling, lacking - alone[0].sum(axis=0), lower=1)[0]
        coupled = self._moved(sides)
        return sides[0], alone[0] + coupled[0], alone[1] + coupled[1]

    def _moved(self, sides: Array) -> tuple[Array, Array]:
        """The solutions of H_z x = sides_z, and A x."""
        program, turned = self._program, sides.copy()
        turned[self._at] = (program.kernel * sides).sum(axis=1)
        parts = np.array([dpotrs(f, side, lower=1)[0] for f, side in zip(self._factors, turned, strict=True)])
        along = parts[self._at][:, None]
        parts[self._at] = 0.0
        return parts + along * program.kernel, program._slacks(parts) + along * program.slack


def _cholesky(matrix: Array) -> Array:
    factor, failed = dpotrf(matrix, lower=1)
    if failed:
        raise RuntimeError(
            "a matrix of the linear program is singular in floating point: choose a smaller rate, or a larger tol"
        )
    return np.asarray(factor)


def _reach(at: Array, change: Array) -> float:
    """The largest step of at most 1 that keeps all numbers above 0."""
    worst = float((change / at).min())
    return 1.0 if worst >= -_NEARLY else -_NEARLY / worst
