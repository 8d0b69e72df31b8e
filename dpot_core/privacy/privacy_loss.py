"""How far neighbours' outputs can be apart: Gaussian noise exactly, and Laplace counts of a tree beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array

#: Below this mu a trapezoid is more accurate than a difference of two Mills ratios.
NARROW = 1e-4

#: Beyond this the slope of the Mills ratio follows from its asymptotic series.
FAR = 100.0

#: Relative error that the evaluations below may have, with room to spare; it is added to every delta.
ROUNDING = 1e-9

#: Losses of a tree are rounded up to multiples of its epsilon over this.
STEPS = 2**12

#: Where the search for mu begins and ends: at mu = 100 every delta is missed, at epsilon/80 every one is kept.
LARGEST_MU, SMALLEST_SHARE = 100.0, 80.0


def log_gaussian_delta(epsilon: ArrayLike, mu: float) -> Array:
    r"""Logarithm of the smallest delta of Gaussian noise at given epsilons, never below the true one.

    ``delta = Phi(-t) - e^epsilon Phi(-t - mu)`` with ``t = epsilon/mu - mu/2``. Because ``e^epsilon phi(t + mu) =
    phi(t)`` this is ``phi(t) (R(t) - R(t + mu))``, R the Mills ratio ``Phi(-x)/phi(x)``, in which nothing cancels but
    two neighbouring values of R. For small mu their difference is the integral of ``-R' = 1 - x R``, which is convex,
    so that a trapezoid is not below it.

    Args:
        epsilon: privacy parameters, nats, any shape.
        mu: sensitivity over standard deviation, more than 0.

    Returns:
        log(delta), the same shape; inf where float64 cannot hold the Mills ratio (delta is nearly 1 there).

    Source:
        Balle and Wang 2018, Theorem 8.
    """
    t = np.asarray(epsilon, dtype=np.float64) / mu - mu / 2
    with np.errstate(over="ignore"):
        gap = mu * (_slope(t) + _slope(t + mu)) / 2 if mu < NARROW else _mills(t) - _mills(t + mu)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(gap) - t * t / 2 - 0.5 * math.log(2 * math.pi) + ROUNDING)


def _mills(x: Array) -> Array:
    return np.asarray(math.sqrt(math.pi / 2) * scipy.special.erfcx(x / math.sqrt(2.0)))


def _slope(x: Array) -> Array:
    """1 - x R(x), not below it where the series is used: it alternates."""
    square = np.maximum(x, FAR) ** 2
    return np.where(x > FAR, (1 - 3 / square + 15 / square**2) / square, 1 - x * _mills(np.minimum(x, FAR)))


@lru_cache(1024)  # every release of a demonstration asks for the same one
def largest_mu(epsilon: float, delta: float) -> float:
    """The largest mu, but for rounding, at which Gaussian noise is (epsilon, delta)-private; on the private side.

    Args:
        epsilon: privacy parameter, nats, in `checks.EPSILON_RANGE`.
        delta: slack, in [1e-300, 1).
    """
    return _largest(epsilon, lambda mu: float(log_gaussian_delta(epsilon, mu)) <= math.log(delta))


def smallest_epsilon(mu: float, delta: float) -> float:
    """The smallest epsilon, but for rounding, of Gaussian noise with this mu at delta; on the private side.

    Args:
        mu: sensitivity over standard deviation, more than 0.
        delta: slack, in [1e-300, 1).

    Returns:
        Epsilon in nats; inf beyond float64.
    """
    if float(log_gaussian_delta(0.0, mu)) <= math.log(delta):
        return 0.0
    low, high = 0.0, mu * (mu / 2 + SMALLEST_SHARE)
    while math.isfinite(high) and high - low > 1e-12 * high:
        middle = (low + high) / 2
        kept = float(log_gaussian_delta(middle, mu)) <= math.log(delta)
        low, high = (low, middle) if kept else (middle, high)
    return high


@lru_cache(maxsize=512)
def largest_mu_beside_tree(epsilon: float, delta: float, scales: tuple[float, ...], adjacency: str) -> float:
    r"""The largest mu at which a tree of Laplace counts and Gaussian noise together are (epsilon, delta)-private.

    For a product of mechanisms ``delta(epsilon) = E[delta_Gauss(epsilon - L)]``, L the loss of the first one, exactly:
    so the tree's loss is composed once, on a grid, rounded up, and only the Gaussian's mu is searched for. All terms
    are positive and nothing is transformed, so that a delta of 1e-300 is as sure as one of 0.1. The Gaussian releases
    may depend on the tree's counts and on each other (dominating pairs compose adaptively).

    Args:
        epsilon: privacy parameter of all together, nats, more than the tree's own.
        delta: slack, in [1e-300, 1).
        scales: scale of the noise of each level, the root's first; 0 for a level without noise.
        adjacency: "replace" or "add-remove"; see `tree_losses`.

    Raises:
        ValueError: if the tree alone spends epsilon or more.

    Source:
        Zhu, Dong, Wang 2022, Theorem 10 (dominating pairs compose); Balle and Wang 2018, Theorem 8.
    """
    values, chances = tree_losses(scales, adjacency)
    if values[-1] >= epsilon:
        raise ValueError(f"epsilon must be more than the counts of the tree spend, {values[-1]:.6g}; got {epsilon:.6g}")

    def excess(log_mu: float) -> float:
        logs = log_gaussian_delta(epsilon - values, math.exp(log_mu)) - math.log(delta)
        return math.log(float((chances @ np.exp(logs)).max()))

    # With epsilons added up it is private; with all of epsilon for the Gaussian noise it is not, or hardly.
    low, high = (math.log(largest_mu(left, delta)) for left in (epsilon - values[-1], epsilon))
    if excess(high) <= 0.0:
        return math.exp(high)
    if excess(low) >= 0.0:
        return math.exp(low)
    root = float(scipy.optimize.brentq(excess, low, high, xtol=1e-10))
    while root > low and excess(root) > 0.0:
        root -= 1e-10
    return math.exp(max(root, low))


def tree_delta(epsilon: ArrayLike, mu: float | None, scales: tuple[float, ...], adjacency: str) -> Array:
    r"""The smallest delta, but for rounding up, of a tree of Laplace counts and Gaussian noise at given epsilons.

    ``delta(epsilon) = max over the worst cases of E[delta_Gauss(epsilon - L)]``, L the tree's loss (`tree_losses`);
    without Gaussian noise ``E[max(1 - e^(epsilon - L), 0)]``, the hockey-stick divergence.

    Args:
        epsilon: privacy parameters, nats, (T,).
        mu: of the Gaussian noise, sensitivity over standard deviation; None for none.
        scales: as in `largest_mu_beside_tree`.
        adjacency: "replace" or "add-remove".

    Returns:
        delta, (T,), at most 1.

    Source:
        Zhu, Dong, Wang 2022, Theorem 10; Balle and Wang 2018, Theorem 8.
    """
    values, chances = tree_losses(scales, adjacency)
    left = np.asarray(epsilon, dtype=np.float64)[:, None] - values
    if mu is None:
        once = np.maximum(-np.expm1(np.minimum(left, 0.0)), 0.0)
    else:
        once = np.exp(np.minimum(log_gaussian_delta(left, mu), 0.0))
    return np.asarray(np.minimum((once @ chances.T).max(axis=1), 1.0))


def tree_losses(scales: tuple[float, ...], adjacency: str) -> tuple[Array, Array]:
    r"""Privacy loss of the noisy counts of a binary tree between neighbours, level by level, in the worst cases.

    Noise is discrete Laplace, ``P(z) ~ q^|z|``, ``q = e^(-1/b)``, on one difference of two siblings for each parent.
    Shifting it by 2 has the loss 2/b, 0, -2/b with probability 1, (1 - q) q, q^2, each over 1 + q; by 1 the loss 1/b,
    -1/b with probability 1, q over 1 + q.

    "replace": above the last common cell of the two points nothing changes; at the level where they part, one
    difference changes by 2; below, two by 1 each. One row for each level where they may part. "add-remove": every
    level, the root's count included, changes by 1 in one place: one row.

    A difference that changes less (a cell without noise on the way) is dominated: for log-concave noise thresholds are
    the best tests of every shift, so that the trade-off function of a shift by a + b is that of a after that of b, and
    (by the same chain of two) no product of shifts a, b is easier to tell apart.

    Args:
        scales: as in `largest_mu_beside_tree`.
        adjacency: "replace" or "add-remove".

    Returns:
        Losses, ascending, (l,), rounded up to a grid, and their probabilities, (cases, l).
    """
    noisy = [b for b in scales if b > 0.0]
    unit = 2.0 if adjacency == "replace" else 1.0
    step = sum(unit / b for b in noisy) / STEPS
    up = [math.ceil(unit / b / step * (1 + 1e-12)) for b in noisy]
    down = [math.floor(unit / b / step * (1 - 1e-12)) for b in noisy]
    centre = sum(up)
    tail = np.zeros(2 * centre + 1)
    tail[centre] = 1.0
    rows = []
    for b, rise, fall in reversed(list(zip(noisy, up, down, strict=True))):
        q, rest = math.exp(-1.0 / b), -math.expm1(-1.0 / b)
        once = (1 / (1 + q), rest * q / (1 + q), q * q / (1 + q))
        if adjacency == "replace":
            rows.append(_convolved(tail, rise, fall, once))
            tail = _convolved(tail, rise, fall, (1 / (1 + q) ** 2, 2 * q / (1 + q) ** 2, (q / (1 + q)) ** 2))
        else:
            tail = _convolved(tail, rise, fall, (1 / (1 + q), 0.0, q / (1 + q)))
    # What float64 rounds the steps to is counted by rounding them up.
    values = np.asarray(np.arange(-centre, centre + 1) * step + STEPS * step * 1e-12, dtype=np.float64)
    return values, np.stack(rows if adjacency == "replace" else [tail])


def _convolved(chances: Array, rise: int, fall: int, parts: tuple[float, float, float]) -> Array:
    """The distribution of a loss plus one that is rise, 0 or -fall steps; no mass is at the ends that are cut off."""
    more, same, less = parts
    found = same * chances
    found[rise:] += more * chances[: chances.size - rise]
    found[: chances.size - fall] += less * chances[fall:]
    return np.asarray(found)


def _largest(epsilon: float, kept: Callable[[float], bool]) -> float:
    """The largest mu for which a condition holds that fails from some mu on; the condition was checked at it."""
    low, high = math.log(epsilon / SMALLEST_SHARE), math.log(LARGEST_MU)
    best = math.exp(low)
    while high - low > 1e-12:
        middle = (low + high) / 2
        if kept(math.exp(middle)):
            low, best = middle, math.exp(middle)
        else:
            high = middle
    return best
