"""W_1 from a distribution on few places to one on a large grid, as a certified interval: by blocks of the grid.

Let b(j) be the block of output j. The outputs of a block are drawn together, at their mean row of costs, and transport
from mu to the blocks is solved exactly: an optimal plan P (r, B) and potentials f of the rows. Back on all outputs

- the plan pi_ij = nu_j P_i,b(j) / nu_b(j) has the row sums mu and the column sums nu, so that its cost is at least W_1;
- for any f, sum_i mu_i f_i + sum_j nu_j min_i (C_ij - f_i) is at most W_1 (weak duality).

Both ends are near W_1 to second order: a block that goes whole to one row costs what it must, and on the border between
two rows neither is much cheaper. No triangle inequality is used, so that any cost will do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpot_core.checks import Array
from dpot_core.transport.wasserstein import network_simplex

#: What sums of so many terms may be rounded by, relative to the largest cost.
_ROUNDING = 1e-12


def interval_by_blocks(mu: Array, cost: Array, nu: Array, block: NDArray[np.intp]) -> tuple[float, float]:
    """Lower and upper bound of min <C, pi> over couplings of mu and nu.

    Args:
        mu: masses of the rows, (r,), positive, of sum 1.
        cost: C_ij, (r, k_v), non-negative.
        nu: masses of the columns, (k_v,), of sum 1.
        block: number of the block of each column, (k_v,), from 0.
    """
    count = int(block.max()) + 1
    mass = np.bincount(block, nu, count)
    used = mass > 0
    total = np.where(used, mass, 1.0)
    together = np.stack([np.bincount(block, row * nu, count) for row in cost]) / total
    plan, f = network_simplex(mu, mass[used] / mass[used].sum(), together[:, used])
    # What is shared out of each block is one whole, whatever the simplex makes of hardly any mass.
    plan += 1e-300
    share = np.zeros_like(together)
    share[:, used] = plan / plan.sum(axis=0)
    upper = float((share[:, block] * cost).sum(axis=0) @ nu)
    lower = float(mu @ f + (cost - f[:, None]).min(axis=0) @ nu)
    slack = _ROUNDING * float(cost.max())
    return max(0.0, min(lower, upper) - slack), upper + slack
