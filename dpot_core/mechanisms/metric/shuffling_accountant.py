r"""The budget of shuffled reports, counted numerically instead of bounded by a formula (Theorem 4.4 is loose).

c reports from P or from P', which are within ``e^a`` of each other, shuffled with o others of at least ``e^-b P`` and
``e^-b P'``, tell no more than ``(S + A, c - S + C - A)``: ``S ~ Bin(c, e^a/(1 + e^a))`` for P and
``Bin(c, 1/(1 + e^a))`` for P', ``C ~ Bin(o, e^-b)``, ``A ~ Bin(C, 1/2)``. Its slack is summed exactly, on finitely many
intervals that cover all distances (`_covered`), for random and for known items.

Proof: ``docs/proofs/shuffling.md``.

Source: the lemma is the clones of Feldman, McMillan and Talwar 2021, Theorem 3.2, and 2023, with two losses a and b
and with c reports instead of one; intervals and steps are ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from dpot_core.arguments import Array, check_count, check_number
from dpot_core.mechanisms.metric.protection import check_rate
from dpot_core.mechanisms.metric.shuffling import ShuffledPromise, composition_rate

#: Share of delta that is spent on there being few clones.
_FEW = 1e-3

#: Relative errors of SciPy's binomial tails are below 1e-11.
_SAFETY = 1e-9

#: Clones beyond this many are not counted, which is on the private side.
_MOST = 10**12

#: S is looked at within so many sqrt(c) of its mean; what lies beyond is added to the slack (Hoeffding).
_WIDE = 8.0
_BEYOND = 2.0 * math.exp(-2.0 * _WIDE**2)

#: Lower ends of an interval of distances over its upper end.
_STEPS = (0.5, 0.7, 0.8, 0.87, 0.91, 0.94, 0.96, 0.975, 0.985, 0.992, 0.996, 0.998)

#: Distances that are looked at before all are.
_LOOKED_AT = (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4)


def shuffled_slack(loss: float, epsilon: float, changed: int, clones: int = 0) -> float:
    r"""Slack at ``epsilon`` of telling ``Bin(c, p) + Bin(k, 1/2)`` from ``Bin(c, 1 - p) + Bin(k, 1/2)``.

    ``p = 1/(1 + e^-a)``; rounding is on the private side.

    Args:
        loss: a, of one changed report, nats.
        epsilon: at which the slack is asked for, nats.
        changed: c, reports that change together.
        clones: k, other reports that are fair coins.

    Returns:
        Delta, in [0, 1].

    Raises:
        ValueError: if an argument is out of range.

    Source:
        The module's lemma; for k = 0 Kairouz, Oh and Viswanath 2015, Theorem 3.3.
    """
    a = check_number(loss, "loss", 0.0, 700.0)
    e = check_number(epsilon, "epsilon", 0.0, 1e12)
    c, k = check_count(changed, "changed"), check_count(clones, "clones", 0)
    if c * a <= e:
        return 0.0
    p = 1.0 / (1.0 + math.exp(-a))
    q = math.exp(-a) * p
    # The counts S that matter, for P and for P' at once.
    spread = _WIDE * math.sqrt(c)
    low, high = max(0, math.floor(c * q - spread)), min(c, math.ceil(c * p + spread))
    counts = np.arange(low, high + 1)
    likely, rare = scipy.stats.binom.pmf(counts, c, p), scipy.stats.binom.pmf(counts, c, q)
    if k == 0:
        first = math.floor((e / a + c) / 2.0) + 1
    else:
        first = _crossing(_Ratio(counts, likely, rare, k, c, e), c * math.tanh(a / 2.0), c * p * q + k / 4.0)
    tail = scipy.stats.binom.sf(first - 1 - counts, k, 0.5) if k else (counts >= first).astype(np.float64)
    hit, alarm = float(likely @ tail), float(rare @ tail)
    more = hit - math.exp(min(e + math.log(alarm), 700.0)) if alarm > 0.0 else hit
    return min(max(more, 0.0) + (_SAFETY + c * 2.0**-50) * hit + _BEYOND, 1.0)


@lru_cache(maxsize=256)
def accounted_draws(alpha: float, delta: float, items: int, users: int = 1) -> ShuffledPromise:
    """The largest beta for which m shuffled reports on random items are (alpha, delta)-d_EM-private, by counting.

    Args:
        alpha: wanted, nats per largest earth mover's distance.
        delta: wanted slack, in (0, 1).
        items: m, reports of each person on random items of their own.
        users: n whose reports are shuffled together; 1 in the local model.

    Returns:
        The promise; its ``item_rate`` is beta, of `random_items.random_item_rate`. At least plain composition's.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        The module's proof.
    """
    m, n = check_count(items, "items"), check_count(users, "users")
    return _solved(alpha, delta, m, m, m * (n - 1), check_rate(alpha), _slack(delta))


@lru_cache(maxsize=256)
def accounted_items(alpha: float, delta: float, items: int, users: int = 1) -> ShuffledPromise:
    """The largest alpha_0 for which all m items of a history, shuffled, are (alpha, delta)-d_EM-private, by counting.

    The setting of Theorem 4.4: reports on known items, one each, of histories of m items.

    Args:
        alpha: wanted, nats per largest earth mover's distance.
        delta: wanted slack, in (0, 1).
        items: m, items per person.
        users: n whose items are shuffled together; 1 in the local model.

    Returns:
        The promise; at least plain composition's alpha_0.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        The module's proof.
    """
    m, n = check_count(items, "items"), check_count(users, "users")
    rate, small = check_rate(alpha), _slack(delta)
    # log of the sum of e^(alpha i/m) over i < m
    steps = rate * np.arange(m) / m
    log_sum = float(steps[-1] + np.log(np.exp(steps - steps[-1]).sum()))
    one = math.exp(max(math.log(small) - log_sum, -745.0))
    return _solved(alpha, delta, m, 1, m * n - 1, rate / m, one)


def _slack(delta: float) -> float:
    number = check_number(delta, "delta", 0.0, 1.0)
    if not 1e-300 <= number < 1.0:
        raise ValueError(f"delta must lie strictly between 0 and 1; got {number:g}")
    return number


def _solved(
    alpha: float, delta: float, items: int, changed: int, others: int, rate: float, slack: float
) -> ShuffledPromise:
    """The largest loss per distance with slack at ``rate`` per distance, at least that of composition."""
    composed = composition_rate(alpha, items)
    if slack < 1e3 * _BEYOND:
        return composed
    low, high = composed.item_rate, min(2.0 * composed.item_rate, 600.0)
    looked = tuple(w for w in _LOOKED_AT if w * high * changed > slack)
    while high < 600.0 and all(_slack_within(high, rate, slack, changed, others, 0.99 * w, w) for w in looked):
        low, high = high, min(2.0 * high, 600.0)
    while high / low > 1.002:
        middle = math.sqrt(low * high)
        fits = all(_slack_within(middle, rate, slack, changed, others, 0.99 * w, w) for w in looked)
        low, high = (middle, high) if fits else (low, middle)
    while low > composed.item_rate and not _covered(low, rate, slack, changed, others):
        low *= 0.99
    if low <= composed.item_rate:
        return composed
    return ShuffledPromise(low, alpha, delta, slack, math.inf, "accountant")


def _covered(loss: float, rate: float, slack: float, changed: int, others: int) -> bool:
    """Whether intervals on which the slack suffices reach from 1 down to where the total variation does."""

    def fits(place: int) -> bool:
        return _slack_within(loss, rate, slack, changed, others, upper * _STEPS[place], upper)

    upper, at = 1.0, 0
    while changed * math.tanh(loss * upper / 2.0) > slack:
        # The farther a step goes, the more slack it needs; neighbouring intervals take about the same one.
        if fits(at):
            while at > 0 and fits(at - 1):
                at -= 1
        else:
            at = next((shorter for shorter in range(at + 1, len(_STEPS)) if fits(shorter)), -1)
            if at < 0:
                return False
        upper *= _STEPS[at]
    return True


def _slack_within(
    loss: float, rate: float, slack: float, changed: int, others: int, lower: float, upper: float
) -> bool:
    """Whether the slack suffices for all distances in (lower, upper]."""
    clones = 0
    if others:
        clones = int(scipy.stats.binom.ppf(_FEW * slack, min(others, _MOST), math.exp(-loss)))
    return shuffled_slack(loss * upper, rate * lower, changed, clones) <= (1.0 - 2.0 * _FEW) * slack


@dataclass(frozen=True)
class _Ratio:
    """Whether the likelihood ratio ``P[X = t]/P'[X = t]`` is above ``e^epsilon``."""

    counts: NDArray[np.intp]
    likely: Array
    rare: Array
    clones: int
    changed: int
    epsilon: float

    def __call__(self, t: int) -> bool:
        coins = scipy.stats.binom.pmf(t - self.counts, self.clones, 0.5)
        one, other = float(self.likely @ coins), float(self.rare @ coins)
        if one <= 0.0 or other <= 0.0:
            # So far out that float64 holds nothing of it: above on the right, below on the left.
            return t > (self.changed + self.clones) / 2.0
        return math.log(one) - math.log(other) > self.epsilon


def _crossing(above: _Ratio, shift: float, variance: float) -> int:
    """The smallest t whose likelihood ratio is above, which it is from there on; ``c + k + 1`` if none is."""
    most = above.changed + above.clones
    # Start where a normal approximation has it, and look in doubling steps: the ratio is monotone.
    at = round(min(max(most / 2.0 + above.epsilon * variance / shift, 0.0), float(most)))
    step = max(1, round(0.01 * math.sqrt(variance)))
    if above(at):
        high = at
        while high > 0 and above(max(high - step, 0)):
            high, step = max(high - step, 0), 2 * step
        low = max(high - step, -1)
    else:
        low = at
        while low < most and not above(min(low + step, most)):
            low, step = min(low + step, most), 2 * step
        high = min(low + step, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if above(middle) else (middle, high)
    return high
