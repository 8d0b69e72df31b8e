"""Algorithm 1's requirements of a kernel K = exp(-C / reg), and the kernel that is a stored matrix.

Two forms. Plain: products of K with non-negative numbers, for many inputs at once, where all its entries fit into
float64. In logarithms: log(K e^a) for one input, at any reg. `grid_kernels` has both without a matrix.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost

#: exp(-RANGE) is the smallest kernel entry for which scalings cannot leave float64 on ordinary inputs.
RANGE = 200.0
#: In logarithms, scalings are absorbed into the kernel when they have moved by more than this.
_ABSORB_AT = 50.0


class Kernel(Protocol):
    """Products with K, (k, k_v), for n inputs at once."""

    def times(self, v: Array, out: Array | None = None) -> Array:
        """K v for every row of v, (n, k_v) -> (n, k); into `out` if given."""

    def transposed_times(self, u: Array) -> Array:
        """K'u for every row of u, (n, k) -> (n, k_v)."""

    def plan_costs(self, u: Array, v: Array) -> Array:
        """sum_ij C_ij u_i K_ij v_j for every row, (n,)."""


class LogKernel(Protocol):
    """Products with K, (k, k_v), in logarithms, for one input."""

    def times(self, log_v: Array, log_u: Array | None = None) -> Array:
        """log(K exp(log_v)), (k_v,) -> (k,). log_u: row scalings in use, which an implementation may absorb."""

    def transposed_times(self, log_u: Array, log_v: Array) -> Array:
        """log(K' exp(log_u)), (k,) -> (k_v,); log_v as above."""

    def plan_cost(self, log_u: Array, log_v: Array) -> float:
        """sum_ij C_ij u_i K_ij v_j."""


#: Entries of a kernel that is held a second time, transposed.
_COPIED = 2**20


class DenseKernel:
    """A stored kernel: two matrix products an iteration.

    `reduced` is the cost with a multiple of every row taken out, which u takes up; plans are priced by `cost`.
    """

    def __init__(self, reduced: Array, cost: Array, reg: float) -> None:
        self._cost = cost
        self._kernel = reduced / -reg
        np.exp(self._kernel, out=self._kernel)
        # Products with a copy that lies the other way are other ones in their last digits, which decide between optima
        # of the exact projection; where it is large, it is not worth its memory.
        small = self._kernel.size <= _COPIED
        self._transposed = np.ascontiguousarray(self._kernel.T) if small else self._kernel.T

    def times(self, v: Array, out: Array | None = None) -> Array:
        """K v, (n, k)."""
        return np.matmul(v, self._transposed, out=out)

    def transposed_times(self, u: Array) -> Array:
        """K'u, (n, k_v)."""
        return np.asarray(u @ self._kernel)

    def plan_costs(self, u: Array, v: Array) -> Array:
        """Costs of the plans, (n,); not finite where a scaling has left float64."""
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(((u @ (self._kernel * self._cost)) * v).sum(axis=1))


def plain_kernel(cost: Array, reg: float) -> DenseKernel | None:
    """The kernel of a cost matrix (k, k_v) as plain numbers; None where it does not keep them in float64.

    A multiple of a row of K is taken up by u_i, because the row sums are given. A multiple of a column is not free: the
    column sums are chosen, and they would be chosen differently.
    """
    least = cost.min(axis=1, keepdims=True)
    reduced = cost - least if least.any() else cost
    return DenseKernel(reduced, cost, reg) if reduced.max() <= RANGE * reg else None


class SharedCost:
    """A cost matrix that many projections share, as where only epsilon changes: checked once, its kernel made once."""

    def __init__(self, matrix: ArrayLike) -> None:
        self.matrix = check_cost(matrix)
        self._largest = float(self.matrix.max())
        self._made: tuple[float, DenseKernel | None] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(k, k_v)."""
        return self.matrix.shape[0], self.matrix.shape[1]

    def max(self) -> float:
        """The largest cost."""
        return self._largest

    def kernel(self, reg: float) -> DenseKernel | None:
        """`plain_kernel` of the matrix; the one of the last reg is kept."""
        made = self._made
        if made is None or made[0] != reg:
            made = self._made = reg, plain_kernel(self.matrix, reg)
        return made[1]


class DenseLogKernel:
    """Products with exp(-C / reg) in logarithms, by matrix products with an absorbed kernel where that is safe.

    The absorbed kernel is exp(-C / reg + rows + columns) for scalings (rows, columns) seen recently. Results that
    underflow in it are summed again one by one with their own maximum taken out.
    """

    def __init__(self, cost: Array, reg: float) -> None:
        self._cost = cost
        self._exponents = -cost / reg
        self._absorb(-self._exponents.max(axis=1), np.zeros(cost.shape[1]))

    def _absorb(self, rows: Array, columns: Array) -> None:
        self._rows, self._columns = rows, columns
        self._kernel = np.exp(np.minimum(self._exponents + rows[:, None] + columns, _ABSORB_AT))

    def times(self, log_v: Array, log_u: Array | None = None) -> Array:
        """log(K exp(log_v))."""
        if np.abs(log_v - self._columns).max() > _ABSORB_AT:
            rows = -_log_sum_exp(self._exponents + log_v, axis=1) if log_u is None else log_u
            self._absorb(rows, log_v)
        total = self._kernel @ np.exp(log_v - self._columns)
        return self._finish(total, self._rows, self._exponents, log_v)

    def transposed_times(self, log_u: Array, log_v: Array) -> Array:
        """log(K' exp(log_u))."""
        if np.abs(log_u - self._rows).max() > _ABSORB_AT:
            self._absorb(log_u, log_v)
        total = np.exp(log_u - self._rows) @ self._kernel
        return self._finish(total, self._columns, self._exponents.T, log_u)

    def plan_cost(self, log_u: Array, log_v: Array) -> float:
        """Cost of the plan."""
        return float((np.exp(log_u[:, None] + self._exponents + log_v) * self._cost).sum())

    def _finish(self, total: Array, absorbed: Array, exponents: Array, scaling: Array) -> Array:
        weak = total < 1e-200
        with np.errstate(divide="ignore"):
            logs = np.log(total) - absorbed
        if weak.any():
            logs[weak] = _log_sum_exp(exponents[weak] + scaling, axis=1)
        return np.asarray(logs)


def _log_sum_exp(values: Array, axis: int) -> Array:
    top = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis=axis)) + top.squeeze(axis))
