"""Theorem 4.3 of metric_dp_emd against shuffled randomized response, whose counts are binomial: exact epsilons."""

import math

import numpy as np
from scipy.stats import binom

from dpot_app.views.papers.row import Number, Numbers
from dpot_core.arguments import Array
from dpot_core.mechanisms.metric.shuffling import shuffled_promise

_DELTA = 1e-6
#: Items per person, and the rate of each: their product with the square root of m is the same.
_CASES = ((10_000, 1e-3), (1_000_000, 1e-4))


def theorem_4_3() -> Numbers:
    """alpha over alpha_0; and for two items at distance 1 the exact epsilon of the counts at the theorem's delta."""
    numbers = {
        f"α/α₀ at α₀ = 0.001, m = {m:,}": Number(shuffled_promise(1e-3, _DELTA, m).alpha / 1e-3) for m, _ in _CASES
    }
    for m, rate in _CASES:
        promised = _promised(m, rate, m, float(m))
        near, far = (binom.pmf(np.arange(m + 1), m, _share(rate, x)) for x in (0.0, 1.0))
        words = f"α₀ = {rate:g}, m = {m:,}, all items move by 1"
        numbers[f"ε by the theorem, {words}"] = Number(promised)
        numbers[f"ε exactly, {words}"] = Number(exact_epsilon(near, far, _DELTA * math.exp(promised)))
    m, rate = _CASES[0]
    ratios = []
    # Histories of items at 0, of which a share moves, by 1 or half of it: the theorem knows the sum of the moves.
    for share, move in ((0.01, 1.0), (0.1, 1.0), (1.0, 0.5), (1.0, 1.0)):
        moved = round(share * m)
        promised = _promised(m, rate, moved, moved * move)
        before = binom.pmf(np.arange(m + 1), m, _share(rate, 0.0))
        after = np.convolve(
            binom.pmf(np.arange(m - moved + 1), m - moved, _share(rate, 0.0)),
            binom.pmf(np.arange(moved + 1), moved, _share(rate, move)),
        )
        ratios.append(exact_epsilon(before, after, _DELTA * math.exp(promised)) / promised)
    return numbers | {"largest exact ε over the theorem's, four moves": Number(max(ratios))}


def exact_epsilon(p: Array, q: Array, delta: float) -> float:
    """The least epsilon at which p and q are (epsilon, delta)-indistinguishable, both ways, by bisection."""
    least, largest = 0.0, 50.0
    for _ in range(60):
        middle = (least + largest) / 2
        excess = max(float(np.maximum(one - math.exp(middle) * two, 0.0).sum()) for one, two in ((p, q), (q, p)))
        if excess > delta:
            least = middle
        else:
            largest = middle
    return largest


def _share(rate: float, x: float) -> float:
    """The chance of reporting 1 for an item at x in [0, 1]: log-ratios are below rate times the distance."""
    return 1.0 / (1.0 + math.exp(-rate * (x - 0.5)))


def _promised(m: int, rate: float, moved: int, total: float) -> float:
    """The theorem's alpha where so many of m items move, in total by so much, as the paper prints it."""
    amplified = 8.0 * math.sqrt(math.exp(rate) * math.log(4 * moved / _DELTA) / m) + 8.0 * math.exp(rate) / m
    return moved * math.log1p(math.tanh(rate * total / moved / 2) * amplified)
