"""Algorithm 1 on a grid whose outputs are all its points, without the cost matrix; knows nothing of privacy.

The iteration is that of `entropic`; only the kernel is another one (`grid_kernels`). Costs with one term per axis
(squared Euclidean, Manhattan) are computed in plain numbers for all inputs at once where the kernel keeps its entries,
and in logarithms, input by input, where reg is smaller. All other costs, as the Euclidean distance, are computed in
plain numbers only, so that their reg has a lower end. Their terms are taken one by one, but for the Euclidean distance
where that takes longer than Fourier transforms of tiles, with a relative error below 1e-9 of every product
(`tilted_kernels`): where one tile is the whole grid (reg at least 0.08 of the diagonal), or beyond `DIRECT` points
where reg is at least about 3 steps of the grid.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from dpot_core.arguments import Array
from dpot_core.spaces import GridCost
from dpot_core.transport import capped_simplex
from dpot_core.transport.entropic import AT_ONCE, EntropicTransport
from dpot_core.transport.grid_kernels import SeparableKernel, SeparableLogKernel, ShiftKernel
from dpot_core.transport.kernels import Kernel
from dpot_core.transport.scalings import annealed, scale, scale_in_logarithms
from dpot_core.transport.tilted_kernels import TiltedKernel, tile_of, tiles_serve

#: In plain numbers costs are at most so many reg: e^(-600) and its inverse, up to which scalings grow, are ordinary
#: numbers of float64.
LARGEST_RANGE = 600.0
#: Points of a grid up to which sums of all terms take less time than several tiles do. Milliseconds of a product, all
#: terms and tiles, for reg from 0.02 to 0.07 of the diagonal: 64 x 64 cells 0.7 and 1.4 to 1.9, 96 x 96 cells 3 and 3
#: to 3.6, 104 x 104 cells 4.6 and 4, 128 x 128 cells 10 and 5.5. One tile takes 0.1 at 40 x 40, 0.7 at 128 x 128 cells.
DIRECT = 96 * 96


def boxed_entropic_on_grid(
    mu: Array, cost: GridCost, lower: Array, upper: Array, reg: float, max_iter: int, tol: float
) -> EntropicTransport:
    """Run Algorithm 1 for inputs mu (n, k) until the row sums are within tol (L1) or max_iter is reached.

    Raises:
        ValueError: if reg is too small: for a cost that is no sum over axes below 1/600 of the largest cost; for the
            others where neighbouring points of an axis of more than 128 points differ by too many reg (`LogAxis`).
        RuntimeError: if scalings left float64 for an input whose kernel has no form in logarithms.

    Source: wpm_2605.10015, Algorithm 1.
    """
    largest, n = cost.max(), len(mu)
    plain = largest <= LARGEST_RANGE * reg
    if not (plain or cost.separable):
        raise ValueError(
            f"reg must be at least {largest / LARGEST_RANGE:.4g} on this grid (the largest cost over "
            f"{LARGEST_RANGE:g}); got {reg:g}"
        )
    alone, iterations, together = np.arange(n), 0, partial(np.full, n, np.nan)
    output, plan_cost, error = np.empty((n, upper.size)), np.full(n, np.nan), np.full(n, np.inf)
    if max_iter == 0:
        output[:] = capped_simplex.project_kl(np.zeros((1, upper.size)), lower, upper)[0]
        alone = alone[:0]
    elif plain:
        kernel = _plain(cost, reg)
        done = scale(mu, kernel, lower, upper, max_iter, tol)
        output, error, iterations = done.q, done.error, done.iterations
        together = partial(kernel.plan_costs, done.u, done.v)
        alone = np.flatnonzero(~np.isfinite(error) | ~np.isfinite(output).all(axis=1))
        if alone.size and not cost.separable:
            raise RuntimeError(f"scalings left float64 for input {alone[0]} at reg = {reg:g}; use a larger reg")
    for i in alone:
        stages = [reg] if max_iter <= AT_ONCE else annealed(largest, reg)
        make = partial(SeparableLogKernel, *_axis_costs(cost))
        found = scale_in_logarithms(mu[i], make, stages, lower, upper, max_iter, tol)
        output[i], plan_cost[i], error[i] = found.q, found.plan_cost, found.error
        iterations = max(iterations, found.iterations)
    output = capped_simplex.repair(output, lower, upper)

    def priced() -> Array:
        return np.where(np.isin(np.arange(n), alone), plan_cost, together())

    return EntropicTransport(output, priced, error, iterations, error <= tol)


def _plain(cost: GridCost, reg: float) -> Kernel:
    if cost.separable:
        return SeparableKernel(*_axis_costs(cost), reg)
    if tiles_serve(cost, reg):
        whole = tile_of(cost, reg) == tuple(axis.size for axis in reversed(cost.axes))
        if whole or len(cost.space) > DIRECT:
            return TiltedKernel(cost, reg)
    return ShiftKernel(cost.offsets, reg)


def _axis_costs(cost: GridCost) -> tuple[Array, Array]:
    """Costs along x (nx, nx) and along y (ny, ny), of which a separable cost is the sum."""
    xs, ys = cost.axes
    return np.abs(xs[:, None] - xs) ** cost.p, np.abs(ys[:, None] - ys) ** cost.p
