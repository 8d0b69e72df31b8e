"""KL projections on capped simplices, each begun where the last one ended; knows nothing of privacy."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpot_core.arguments import Array
from dpot_core.transport import capped_simplex

#: How often a multiplier is tried, from the last projection's on, before the projection is solved from scratch.
_STEPS = 3
#: Sums of more than 8 times so many coordinates are right to fewer digits.
_PER_ULP = 4096
_EPS = float(np.finfo(np.float64).eps)


class Simplices:
    """Capped simplices, one a row, with the multipliers of the last projection."""

    def __init__(self, lower: Array, upper: Array) -> None:
        self._lower, self._upper = lower, upper
        with np.errstate(divide="ignore"):
            self._low, self._high = np.log(lower), np.log(upper)
        self._theta = np.full(len(lower), np.nan)  # not known yet

    def project(self, log_s: Array) -> tuple[Array, Array]:
        """The KL projections of the rows of s, and their logarithms: q = clip(e^theta s), the sum being 1.

        Theta by Newton steps from the last one: what is free rarely changes from one iteration to the next. Rows of
        which that is not true, or in which nothing is free, are solved from scratch.
        """
        theta = self._theta
        for step in range(_STEPS):
            level = log_s + theta[:, None]
            log_q = np.minimum(np.maximum(level, self._low), self._high)
            q = np.exp(log_q)
            missing = 1.0 - q.sum(axis=1)
            # Far from zero theta itself is known to fewer digits.
            rounding = _EPS * (max(8.0, log_s.shape[1] / _PER_ULP) + np.abs(theta))
            hard = ~(np.isfinite(theta) & (np.abs(missing) <= rounding))
            if not hard.any() or step == _STEPS - 1:
                break
            free = np.einsum("ij,ij->i", q, level == log_q)
            with np.errstate(divide="ignore", invalid="ignore"):
                theta = theta + np.where(hard, np.log1p(missing / free), 0.0)
        rows = np.flatnonzero(hard)
        if rows.size:
            q[rows], theta[rows] = capped_simplex.project_kl(log_s[rows], self._lower[rows], self._upper[rows])
            with np.errstate(divide="ignore"):  # outputs of upper bound 0
                log_q[rows] = np.log(q[rows])
        self._theta = theta
        return q, log_q

    def keep(self, rows: Any) -> None:
        """Go on with some of them."""
        self._lower, self._upper, self._low, self._high = (
            part[rows] for part in (self._lower, self._upper, self._low, self._high)
        )
        self._theta = self._theta[rows]


def project_warm(s: Array, x: Array, lower: Array, upper: Array, q: Array, scaled: Array) -> Array:
    """q = clip(x s, lower, upper) with sum 1, by Newton steps on the multiplier x from the last iteration's."""
    for _ in range(6):
        np.multiply(s, x[:, None], out=scaled)
        np.maximum(scaled, lower, out=q)
        np.minimum(q, upper, out=q)
        missing = 1.0 - q.sum(axis=1)
        if (np.abs(missing) <= 1e-13).all():
            return x
        free = np.einsum("ij,ij->i", q, q == scaled)
        with np.errstate(divide="ignore", invalid="ignore"):
            x = x * (1.0 + missing / free)
    # Newton cycles or has no free coordinate on some rows: solve those exactly.
    hard = ~(np.abs(missing) <= 1e-13)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(s[hard])
    usable = np.isfinite(logs).all(axis=1)
    q[hard], x[hard] = np.nan, np.nan
    rows = np.flatnonzero(hard)[usable]
    if rows.size:
        q[rows], theta = capped_simplex.project_kl(logs[usable], lower, upper)
        x[rows] = np.exp(theta)
    return x
