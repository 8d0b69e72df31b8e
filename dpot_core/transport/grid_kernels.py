"""Products with the kernel K = exp(-C / reg) of a grid, which is never stored.

The grid has ny rows of nx points, the cost depends on the two differences |ix - jx| and |iy - jy| only, and K is
symmetric. All products here are sums of non-negative terms, each of them right to a few units of the last place, so K v
has that relative accuracy too, for every v >= 0 and however small it is: no entry is lost beside a larger one, as it
would be by Fourier transforms or by differences. A sum of m terms adds at most m units of rounding (2e-16 each), in
practice about their square root.

- `SeparableKernel`: C = c(|dx|) + c(|dy|), squared Euclidean or Manhattan. K = Ky (x) Kx, so a product is one along x
  and one along y: nx + ny multiplications a point.
- `ShiftKernel`: any other C, as the Euclidean distance. For every row offset dy the entries are a symmetric Toeplitz
  matrix T_dy in x, and the product is the sum over dy of rows times T_dy, shifted up and down by dy. All terms are
  taken and nothing is approximated: three quarters of k multiplications a point, in the memory of a few distributions
  and, on small grids, of all T_dy.
  (`tilted_kernels` has the Euclidean distance on large grids.)
- `SeparableLogKernel`: as the first one, in logarithms, at any reg that it accepts.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from dpot_core.arguments import Array
from dpot_core.spaces import GridCost

#: In logarithms an axis is cut into blocks; the costs between any two of them differ by at most so many reg.
_BLOCK_RANGE = 300.0
#: Blocks have at most so many points, and an axis has at most so many blocks.
_WIDEST, _MOST_BLOCKS = 64, 128
#: Scaled numbers below e^this are left out: e^-45 of what some other term comes to, and subnormal products are slow.
_NOTHING = -345.0

#: Numbers of all T_dy together up to which a kernel keeps them, 8 MB: 101 x 101 points. On 56 x 56 points a product
#: then takes a third of the time: making the matrices was most of it.
_MOST_KEPT = 2**20

#: Expected costs of inputs at no more places than this are summed row by row.
_FEW_PLACES = 64


class SeparableKernel:
    """K = exp(-(cx + cy) / reg) for axis costs cx (nx, nx) and cy (ny, ny); distributions are rows (n, ny nx)."""

    def __init__(self, cx: Array, cy: Array, reg: float) -> None:
        self._cx, self._cy = cx, cy
        self._kx, self._ky = np.exp(-cx / reg), np.exp(-cy / reg)

    def times(self, v: Array, out: Array | None = None) -> Array:
        """K v, (n, ny nx)."""
        return _product(v, self._kx, self._ky, out)

    def transposed_times(self, u: Array) -> Array:
        """K'u = K u."""
        return self.times(u)

    def plan_costs(self, u: Array, v: Array) -> Array:
        """sum_ij u_i (cx + cy)_ij K_ij v_j for every row, (n,)."""
        with np.errstate(invalid="ignore", over="ignore"):
            priced = _product(v, self._kx * self._cx, self._ky) + _product(v, self._kx, self._ky * self._cy)
            return np.asarray((u * priced).sum(axis=1))


def _product(v: Array, along_x: Array, along_y: Array, out: Array | None = None) -> Array:
    cells = v.reshape(len(v), len(along_y), len(along_x))
    if out is None:
        out = np.empty_like(v)
    np.matmul(along_y, cells @ along_x, out=out.reshape(cells.shape))
    return out


class ShiftKernel:
    """K_ij = exp(-C / reg) for costs (ny, nx) by difference; distributions are rows (n, ny nx)."""

    def __init__(self, offsets: Array, reg: float) -> None:
        self._kernel = np.exp(-offsets / reg)
        self._priced = self._kernel * offsets
        ny, nx = offsets.shape
        few = ny * nx * min(ny, nx) <= _MOST_KEPT
        self._kept = np.stack([_toeplitz(row) for row in _wide(self._kernel)]) if few else None

    def times(self, v: Array, out: Array | None = None) -> Array:
        """K v, (n, ny nx)."""
        product = shifted_product(self._kernel, v, self._kept)
        if out is None:
            return product
        out[...] = product
        return out

    def transposed_times(self, u: Array) -> Array:
        """K'u = K u."""
        return self.times(u)

    def plan_costs(self, u: Array, v: Array) -> Array:
        """sum_ij u_i C_ij K_ij v_j for every row, (n,)."""
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray((u * shifted_product(self._priced, v)).sum(axis=1))


def _wide(entries: Array) -> Array:
    """The same grid, turned so that few products are long."""
    return entries if entries.shape[0] <= entries.shape[1] else entries.T


def _toeplitz(row: Array) -> Array:
    """T_ij = row[|i - j|]."""
    return np.ascontiguousarray(sliding_window_view(np.concatenate([row[:0:-1], row]), row.size)[::-1])


def shifted_product(entries: Array, v: Array, kept: Array | None = None) -> Array:
    """sum_j A_ij v_j for A_ij = entries[|iy - jy|, |ix - jx|] and rows v (n, ny nx).

    ``kept``: `_toeplitz` of every row of `_wide` entries, where the caller has them.
    """
    ny, nx = entries.shape
    cells = v.reshape(len(v), ny, nx)
    if ny > nx:
        across = np.ascontiguousarray(cells.transpose(0, 2, 1)).reshape(len(v), -1)
        turned = shifted_product(_wide(entries), across, kept)
        return np.ascontiguousarray(turned.reshape(len(v), nx, ny).transpose(0, 2, 1)).reshape(v.shape)
    # Rows of the grid first, one matrix of all inputs: what is shifted by dy then lies `shift` lines on.
    n = len(v)
    lines = np.ascontiguousarray(cells.transpose(1, 0, 2)).reshape(ny * n, nx)
    total = np.zeros_like(lines)
    for dy in range(ny):
        toeplitz = _toeplitz(entries[dy]) if kept is None else kept[dy]
        shift = dy * n
        if dy == 0:
            total += lines @ toeplitz
        elif 2 * dy <= ny:
            moved = lines @ toeplitz
            total[shift:] += moved[:-shift]
            total[:-shift] += moved[shift:]
        else:
            total[shift:] += lines[:-shift] @ toeplitz
            total[:-shift] += lines[shift:] @ toeplitz
    return np.ascontiguousarray(total.reshape(ny, n, nx).transpose(1, 0, 2)).reshape(v.shape)


def expected_costs(mu: Array, cost: GridCost) -> Array:
    """sum_i mu_i C_ij for all outputs j of a grid and rows mu (n, k): from few rows of the cost, or from its shifts."""
    places = np.flatnonzero((mu > 0).any(axis=0))
    if places.size > _FEW_PLACES:
        return shifted_product(cost.offsets, mu)
    return np.asarray(sum(mu[:, [i]] * cost.rows([i]) for i in places))


class SeparableLogKernel:
    """log(K e^a) for K = exp(-(cx + cy) / reg) and one a (ny nx,): first along x, then along y (`LogAxis`).

    Raises:
        ValueError: if reg is so small that an axis would need too many blocks.
    """

    def __init__(self, cx: Array, cy: Array, reg: float) -> None:
        self._x, self._y = LogAxis(cx, reg), LogAxis(cy, reg)
        self._shape = len(cy), len(cx)

    def times(self, log_v: Array, log_u: Array | None = None) -> Array:
        """log(K exp(log_v))."""
        return self._along(log_v, False, False)

    def transposed_times(self, log_u: Array, log_v: Array) -> Array:
        """log(K' exp(log_u)) = log(K exp(log_u))."""
        return self._along(log_u, False, False)

    def plan_cost(self, log_u: Array, log_v: Array) -> float:
        """sum_ij u_i (cx + cy)_ij K_ij v_j."""
        parts = (self._along(log_v, True, False), self._along(log_v, False, True))
        return float(sum(np.exp(log_u + part).sum() for part in parts))

    def _along(self, a: Array, x_priced: bool, y_priced: bool) -> Array:
        lines = self._x.log_product(a.reshape(self._shape), x_priced)
        return np.ascontiguousarray(self._y.log_product(np.ascontiguousarray(lines.T), y_priced).T).ravel()


class LogAxis:
    """log sum_j e^(a_j) e^(-c_ij / reg) along one axis, with symmetric c (n, n), as matrix products of scaled numbers.

    The points are cut into blocks. For sources in block J and targets in block I write

        e^(a_j - c_ij / reg) = e^(a_j - A_J) e^(-(c_ij - c_IJ) / reg) e^(A_J - c_IJ / reg),

    A_J the largest a_j of J and c_IJ the least cost from I to J. The third factor is taken relative to the largest one
    over all J. Then nothing overflows, and some term of the sum is e^(-R) or more, R the largest (c_ij - c_IJ) / reg.
    By the choice of blocks R <= 300, so factors below e^(-345) are nothing beside it.
    """

    def __init__(self, c: Array, reg: float) -> None:
        n = len(c)
        width = min(n, _WIDEST)
        while True:
            count = -(-n // width)
            wide = np.full((count * width, count * width), np.nan)
            wide[:n, :n] = c
            blocks = wide.reshape(count, width, count, width)
            least = np.nanmin(blocks, axis=(1, 3))
            if width == 1 or float((np.nanmax(blocks, axis=(1, 3)) - least).max()) <= _BLOCK_RANGE * reg:
                break
            width //= 2
        if count > _MOST_BLOCKS:
            raise ValueError(
                f"reg = {reg:g} is too small for {n} points on an axis: costs of neighbouring points may differ by "
                f"{_BLOCK_RANGE:g} reg at most between any two blocks of {-(-n // _MOST_BLOCKS)} points"
            )
        self._count, self._width, self._size = count, width, n
        self._least = least / reg
        above = np.nan_to_num(blocks - least[:, None, :, None], nan=np.inf).reshape(wide.shape)
        self._kernel = np.exp(-above / reg)
        self._cost = np.nan_to_num(wide)

    def log_product(self, a: Array, priced: bool = False) -> Array:
        """log sum_j e^(a_j - c_ij / reg), times c_ij within the sum if `priced`, for rows a (m, n)."""
        m, total = len(a), self._count * self._width
        padded = np.full((m, total), -np.inf)
        padded[:, : self._size] = a
        blocks = padded.reshape(m, self._count, self._width)
        top = blocks.max(axis=2)
        with np.errstate(invalid="ignore"):
            below = blocks - top[:, :, None]
            shares = np.exp(np.where(below >= _NOTHING, below, -np.inf))
        result = np.empty((m, total))
        scaled = np.empty_like(shares)
        for block in range(self._count):
            place = slice(block * self._width, (block + 1) * self._width)
            level = top - self._least[block]
            best = level.max(axis=1)
            best[np.isneginf(best)] = 0.0
            below = level - best[:, None]
            factors = np.exp(np.where(below >= _NOTHING, below, -np.inf))
            used = np.flatnonzero(factors.any(axis=0))
            first, last = (int(used[0]), int(used[-1]) + 1) if used.size else (0, 1)
            near = slice(first * self._width, last * self._width)
            np.multiply(shares[:, first:last], factors[:, first:last, None], out=scaled[:, first:last])
            kernel = self._kernel[near, place]
            if priced:
                kernel = kernel * self._cost[near, place]
            with np.errstate(divide="ignore"):
                result[:, place] = np.log(scaled.reshape(m, total)[:, near] @ kernel) + best[:, None]
        return np.ascontiguousarray(result[:, : self._size])
