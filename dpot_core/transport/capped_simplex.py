"""The capped simplex {q : sum q = 1, lower <= q <= upper}: projection, repair in floating point, linear programs.

Knows nothing of privacy; `polytopes` gives the bounds their meaning. Callers guarantee sum(lower) <= 1 <= sum(upper)
and 0 <= lower <= upper. Batches are rows, shape (n, k).
"""

from __future__ import annotations

import numpy as np

from dpot_core.arguments import Array

_Order = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


def repair(rows: Array, lower: Array, upper: Array) -> Array:
    """A point of the capped simplex near each row, exact in floating point: bounds hold as float comparisons.

    Clips, then spreads what is missing (or too much) over the coordinates in proportion to the room that they
    have left, until the sum is within k/2 units of the last place of 1.
    """
    inside = np.clip(rows, lower, upper)
    enough = 0.5 * lower.size * np.finfo(np.float64).eps
    for _ in range(8):
        missing = 1.0 - inside.sum(axis=1, keepdims=True)
        if (np.abs(missing) <= enough).all():
            break
        room = np.where(missing > 0, upper - inside, inside - lower)
        total = room.sum(axis=1, keepdims=True)
        share = np.divide(np.abs(missing), total, out=np.zeros_like(total), where=total > 0)
        inside = np.clip(inside + np.sign(missing) * np.minimum(share, 1.0) * room, lower, upper)
    return inside


def project_kl(log_rows: Array, lower: Array, upper: Array) -> tuple[Array, Array]:
    """KL projection of positive vectors s (given as log s, so that no range is too wide), and its log-multiplier.

    argmin_q KL(q || s) = clip(e^theta s, lower, upper), with theta such that the sum is 1. The sum is monotone in
    theta with breakpoints log lower - log s and log upper - log s; a binary search over the sorted breakpoints finds
    the piece, on which theta has a closed form. Where s = 0 the limit s + t * sqrt(lower * upper), t -> 0, is taken:
    these coordinates stay at `lower` unless all others are full.

    Bounds are (k,), or (n, k) with a box for every row, all of them with the same coordinates of upper bound 0.

    Source: wpm_2605.10015, Lemma 4.2 (which uses bisection).

    Returns:
        (q, theta), shapes (n, k) and (n,). The sum of q is 1 up to rounding; `repair` makes it hold exactly.
    """
    if np.isneginf(log_rows).any():
        log_rows = _lift_zeros(log_rows, lower, upper)
    with np.errstate(divide="ignore"):
        log_lower, log_upper = np.log(lower), np.log(upper)
    used = upper[0] > 0 if upper.ndim == 2 else upper > 0
    log_rows, log_lower, log_upper = log_rows[:, used], log_lower[..., used], log_upper[..., used]
    # A bound of 0 is a breakpoint at -inf: it is never the end of a piece that matters.
    knots = np.sort(np.concatenate([log_lower - log_rows, log_upper - log_rows], axis=1), axis=1)
    first, last = np.zeros(len(knots), dtype=np.intp), np.full(len(knots), knots.shape[1] - 1)
    rows = np.arange(len(knots))
    while (last - first > 1).any():
        middle = (first + last) // 2
        reached = np.exp(np.clip(log_rows + knots[rows, middle, None], log_lower, log_upper)).sum(axis=1) >= 1.0
        last, first = np.where(reached, middle, last), np.where(reached, first, middle)
    inner = knots[rows, last, None]
    # On the piece that ends at `last` a coordinate is free if its own breakpoints enclose the piece.
    free = (log_lower - log_rows < inner) & (log_upper - log_rows >= inner)
    at_upper = log_upper - log_rows < inner
    fixed = np.where(at_upper, upper[..., used], np.where(free, 0.0, lower[..., used])).sum(axis=1)
    at_end = np.exp(np.where(free, log_rows + inner, -np.inf)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.log(np.maximum(1.0 - fixed, 0.0)) - np.log(at_end)
    theta = inner[:, 0] + np.where(np.isfinite(step), np.minimum(step, 0.0), 0.0)
    theta = np.maximum(theta, knots[rows, first])
    projected = np.zeros((len(knots), used.size))
    projected[:, used] = np.exp(np.clip(log_rows + theta[:, None], log_lower, log_upper))
    return projected, theta


def _lift_zeros(log_rows: Array, lower: Array, upper: Array) -> Array:
    """Replace log 0 by a level so low that these coordinates move only when all others are full."""
    with np.errstate(divide="ignore"):
        shape = 0.5 * (np.log(np.maximum(lower, np.finfo(np.float64).tiny)) + np.log(upper))
        spread = np.log(upper[upper > 0]) - np.log(np.maximum(lower[upper > 0], np.finfo(np.float64).tiny))
    finite = np.where(np.isneginf(log_rows), np.inf, log_rows)
    floor = np.minimum(finite.min(axis=1, keepdims=True), 0.0)
    floor = np.where(np.isfinite(floor), floor, 0.0)
    level = floor - spread.max() - 2.0 * np.abs(shape[upper > 0]).max() - 100.0
    return np.where(np.isneginf(log_rows), level + shape, log_rows)


def minimise_linear(cost: Array, order: _Order, lower: Array, upper: Array) -> tuple[Array, Array]:
    """Smallest sum_j C_ij q_j over the capped simplex for every row i, and the marginal cost tau_i.

    A fractional knapsack: start from `lower` and fill the cheapest coordinates first. `order` is
    `argsort(cost, axis=1)`, kept by the caller because it outlives many bounds.

    Returns:
        (value, tau), both (n,): tau_i is the cost of the last coordinate that was filled, and
        value_i = tau_i + sum_j (lower_j (C_ij - tau_i)_+ - upper_j (tau_i - C_ij)_+).

    Source: wpm_2605.10015, Theorem 3.5 and appendix F.
    """
    room = (upper - lower)[order]
    filled = np.cumsum(room, axis=1)
    missing = 1.0 - lower.sum()
    # Rounding may leave the last coordinate a few units short: it is then the last one that has room.
    position = np.minimum((filled < missing).sum(axis=1), cost.shape[1] - 1)
    rows = np.arange(len(cost))
    tau = cost[rows, order[rows, position]]
    excess = cost - tau[:, None]
    value = tau + np.maximum(excess, 0.0) @ lower - np.maximum(-excess, 0.0) @ upper
    return value, tau
