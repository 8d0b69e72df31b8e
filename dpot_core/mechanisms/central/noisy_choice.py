r"""A choice among a few options by private scores, as report noisy max makes it, for a release: exact, unseeded.

Scores are whole numbers, and replacing one person's data moves each of them by at most the sensitivity S. The option
with the largest score plus noise is reported, with exponential noise of mean 2 S / epsilon on each score. That is
epsilon-DP, and has the law of permute-and-flip: options come by in random order, and option r is taken with probability
``p_r = exp(epsilon (q_r - q*) / (2 S))``, where q* is the largest score. Here it is drawn in the second way, with exact
coins from the operating system's entropy.

Together with a release whose epsilon is the option r that was chosen, the two cost at most epsilon + epsilon_r: for
every outcome (r, y) the two factors multiply.

Source: McKenna and Sheldon 2020, Permute-and-flip (Algorithm 1; private, and never worse than the exponential
    mechanism); Ding et al. 2021, The permute-and-flip mechanism is identical to report-noisy-max with exponential
    noise; the coins: Canonne, Kamath and Steinke 2020, Algorithm 1.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpot_core.arguments import Array, check_epsilon

_NODES = 200


def noisy_choice(scores: Sequence[int], epsilon: float, sensitivity: int = 1) -> int:
    r"""The index of an option, for a release: epsilon-DP towards data sets that differ in one person.

    Args:
        scores: q_r of each option, whole numbers: the larger the better.
        epsilon: privacy parameter of the choice in nats.
        sensitivity: S, how far replacing one person's data moves a score at most.

    Raises:
        ValueError: if there is no option, or a score or the sensitivity is no whole number.
    """
    known, rate = _checked(scores, sensitivity), Fraction(check_epsilon(epsilon)) / (2 * sensitivity)
    order, best = list(range(len(known))), max(known)
    secrets.SystemRandom().shuffle(order)
    return next(option for option in order if _survives(rate * (best - known[option])))


def chances_of_choice(scores: Sequence[int], epsilon: float, sensitivity: int = 1) -> Array:
    r"""The probability of each option of `noisy_choice`, (r,): ``p_r \int_0^1 \prod_{i \neq r} (1 - p_i t) dt``.

    An option that is taken comes at a uniform time t, before all others that would be: i comes earlier with probability
    t, and would be taken with p_i. The integral of a polynomial is exact by Gauss's rule, up to rounding.

    Args:
        scores: as in `noisy_choice`.
        epsilon: as there.
        sensitivity: as there.

    >>> chances_of_choice([0, 0], 1.0)
    array([0.5, 0.5])
    """
    known = np.array(_checked(scores, sensitivity), dtype=np.float64)
    taken = np.exp(check_epsilon(epsilon) * (known - known.max()) / (2.0 * sensitivity))
    nodes, weights = np.polynomial.legendre.leggauss(min(len(known) // 2 + 1, _NODES))
    misses = 1.0 - taken[:, None] * (nodes[None, :] + 1.0) / 2.0  # (r, nodes)
    others = [np.delete(misses, option, axis=0).prod(axis=0) for option in range(len(known))]
    return np.asarray(taken * (np.array(others) @ weights) / 2.0)


def choice_error(options: int, epsilon: float, failure: float, sensitivity: int = 1) -> float:
    r"""A bound on how far the chosen score is below the largest: ``(2 S / epsilon) log(r / failure)``.

    Args:
        options: how many there are, r.
        epsilon: privacy parameter of the choice in nats.
        failure: how often the bound is exceeded at most, in (0, 1).
        sensitivity: S.
    """
    if not 0.0 < failure < 1.0:
        raise ValueError(f"failure must lie in (0, 1); got {failure!r}")
    return 2.0 * sensitivity / check_epsilon(epsilon) * math.log(options / failure)


def _checked(scores: Sequence[int], sensitivity: int) -> list[int]:
    known = [int(score) for score in scores]
    if not known or any(a != b for a, b in zip(known, scores, strict=True)):
        raise ValueError("scores must be whole numbers, one at least")
    if int(sensitivity) != sensitivity or sensitivity < 1:
        raise ValueError(f"sensitivity must be a whole number, 1 at least; got {sensitivity!r}")
    return known


def _survives(loss: Fraction) -> bool:
    """A coin that is true with probability e^-loss, exactly."""
    return all(_below_one(Fraction(1)) for _ in range(math.floor(loss))) and _below_one(loss - math.floor(loss))


def _below_one(loss: Fraction) -> bool:
    """The same for a loss in [0, 1]: 1 - loss (1 - loss/2 (1 - loss/3 (...))) is the series of e^-loss."""
    count = 1
    while secrets.randbelow(loss.denominator * count) < loss.numerator:
        count += 1
    return count % 2 == 1
