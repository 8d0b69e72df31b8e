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

from dpot_core.arguments import check_epsilon


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
    if not scores or not all(float(score).is_integer() for score in scores):
        raise ValueError("scores must be whole numbers, one at least")
    if int(sensitivity) != sensitivity or sensitivity < 1:
        raise ValueError(f"sensitivity must be a whole number, 1 at least; got {sensitivity!r}")
    return [int(score) for score in scores]


def _survives(loss: Fraction) -> bool:
    """A coin that is true with probability e^-loss, exactly."""
    return all(_below_one(Fraction(1)) for _ in range(math.floor(loss))) and _below_one(loss - math.floor(loss))


def _below_one(loss: Fraction) -> bool:
    """The same for a loss in [0, 1]: 1 - loss (1 - loss/2 (1 - loss/3 (...))) is the series of e^-loss."""
    count = 1
    while secrets.randbelow(loss.denominator * count) < loss.numerator:
        count += 1
    return count % 2 == 1
