r"""Reports about random items of a history: private for histories of any lengths, without a radius.

Draw m items from a history K with replacement and report on each with a mechanism A that is alpha_0 d-private. Every
report has the distribution ``R(K) = sum_x K(x) A(x)``, and R itself is a private mechanism on histories:

    ``R(K)(y) <= exp(beta d_EM(K, K')) R(K')(y)``  with  ``beta = alpha_0 max over y of max_x A(x)(y)/min_x A(x)(y)``.

The m reports compose to ``(m beta, 0)``, or are shuffled as in Theorem 4.3. Proof: ``docs/proofs/random_items.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions
from dpot_core.mechanisms.metric.item_wise import FiniteItems
from dpot_core.mechanisms.metric.protection import check_rate, check_unit_distances

# exp(-600) is still a normal float64: every report keeps a probability above 0.
_LARGEST_RATE = 600.0

#: Rates are aimed at from below by this much, far more than rounding can add.
_SAFETY = 1e-9


@dataclass(frozen=True, eq=False)
class HistoryItems:
    """An item mechanism and what it costs to report on a random item with it.

    Attributes:
        mechanism: makes the reports.
        item_rate: alpha_0, of a report on a known item, nats per largest distance.
        history_rate: beta, of a report on a random item of a history, nats per largest earth mover's distance.
    """

    mechanism: FiniteItems
    item_rate: float
    history_rate: float


def random_item_rate(kernel: ArrayLike, item_rate: float) -> float:
    """beta of the module's proof for a finite mechanism: ``alpha_0 max over y of max_x K(y|x)/min_x K(y|x)``.

    Args:
        kernel: K(y|x), rows sum to 1, all entries positive, (k, symbols).
        item_rate: alpha_0 of the kernel, nats per largest distance (`achieved_rate` computes the smallest).

    Returns:
        Nats per largest earth mover's distance.

    Raises:
        ValueError: if a report is impossible for some item, or an argument is out of range.

    Source:
        Proven in the module.
    """
    rows, _ = check_distributions(kernel, "kernel")
    smallest = rows.min(axis=0)
    if (smallest <= 0.0).any():
        raise ValueError(f"kernel must make every report possible for every item; report {int(np.argmin(smallest))}")
    return check_rate(item_rate, "item_rate") * float((rows.max(axis=0) / smallest).max())


def random_item_budget(rate: float) -> float:
    """The alpha_0 that suffices for every mechanism: ``alpha_0 exp(alpha_0) = beta`` (Lambert's W).

    Args:
        rate: beta, wanted for a report on a random item, nats per largest earth mover's distance.

    Returns:
        alpha_0 in nats per largest distance, on the private side.

    Raises:
        ValueError: if ``rate`` is out of range.

    Source:
        Proven in the module.
    """
    return float(scipy.special.lambertw(check_rate(rate, "rate")).real) * (1.0 - 1e-12)


def exponential_history_items(distances: ArrayLike, rate: float) -> HistoryItems:
    r"""The metric exponential mechanism with the least noise that keeps beta: ``K(y|x) = exp(-c d(x, y))/Z(x)``.

    Its alpha_0 is at most ``c + max |log Z(x) - log Z(x')|/d(x, x')``; the largest such c is solved for.

    Args:
        distances: between the points, over the largest one, (k, k).
        rate: beta, wanted for a report on a random item, nats per largest earth mover's distance.

    Returns:
        The mechanism, its alpha_0 and its beta, which is at most ``rate``.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        McSherry and Talwar 2007; the rate is proven in the module.
    """
    matrix = check_unit_distances(distances)
    wanted = check_rate(rate, "rate") * (1.0 - _SAFETY)
    # c = alpha_0/2 is private for alpha_0; c above beta is not.
    low, high = 0.5 * random_item_budget(wanted), min(wanted, _LARGEST_RATE)
    at, made = high, _made(matrix, high)
    if made[2] > wanted:

        def excess(c: float) -> float:
            return math.log(_made(matrix, c)[2] / wanted)

        at = float(scipy.optimize.brentq(excess, low, high, xtol=1e-300, rtol=1e-6))
        while (made := _made(matrix, at))[2] > wanted:
            at = max(at * (1.0 - 1e-6), low)
    kernel, item_rate, _ = made
    return HistoryItems(FiniteItems(kernel), item_rate, random_item_rate(kernel, item_rate))


def _made(distances: Array, c: float) -> tuple[Array, float, float]:
    """The kernel, its alpha_0 and its beta."""
    weights = np.exp(-c * distances)
    total = weights.sum(axis=1)
    log_total = np.log(total)
    change = np.abs(log_total[:, None] - log_total)
    change[change <= 1e-15] = 0.0
    slope = float(np.divide(change, distances, out=change, where=distances > 0.0).max())
    kernel = weights / total[:, None]
    spread = float((kernel.max(axis=0) / kernel.min(axis=0)).max())
    return kernel, c + slope, (c + slope) * spread
