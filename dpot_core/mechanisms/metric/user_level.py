"""User-level baselines: what one item may spend when a whole history of m items has (epsilon, delta)."""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import NDArray

from dpot_core.arguments import check_count, check_epsilon, check_number
from dpot_core.mechanisms.metric.items import Items, check_items
from dpot_core.privacy.accounting import check_delta


def composed_delta(epsilon_0: float, m: int, epsilon: float) -> float:
    r"""The delta of m releases that are ``epsilon_0``-DP each, at ``epsilon``: exact for the worst of them.

    ``sum_l C(m, l) [p^l (1-p)^(m-l) - e^epsilon p^(m-l) (1-p)^l]_+`` with ``p = e^epsilon_0/(1 + e^epsilon_0)``: two
    binomial distributions, because no epsilon_0-DP release tells more than randomized response does.

    Args:
        epsilon_0: privacy parameter of one release, nats.
        m: number of releases.
        epsilon: privacy parameter of all together, nats.

    Returns:
        Delta, in [0, 1].

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Kairouz, Oh, Viswanath 2015, Theorem 3.3.
    """
    epsilon_0, m = check_epsilon(epsilon_0), check_count(m, "m")
    epsilon = check_number(epsilon, "epsilon", 0.0, 700.0)
    # Outcomes l with (2 l - m) epsilon_0 > epsilon; those with equality add 0.
    first = math.floor((epsilon / epsilon_0 + m) / 2.0) + 1
    likely = 1.0 / (1.0 + math.exp(-epsilon_0))
    hit = float(scipy.stats.binom.sf(first - 1, m, likely))
    log_alarm = float(scipy.stats.binom.logsf(first - 1, m, 1.0 / (1.0 + math.exp(epsilon_0))))
    return max(0.0, hit - math.exp(min(epsilon + log_alarm, 700.0)))


def item_epsilon(epsilon: float, m: int, delta: float = 0.0) -> float:
    r"""The largest epsilon_0 so that m items released with it are (epsilon, delta)-DP together.

    With ``delta = 0``: ``epsilon/m``. Otherwise the largest epsilon_0 with ``composed_delta(...) <= delta``, which is
    at least that; order ``epsilon/sqrt(m log(1/delta))``.

    Args:
        epsilon: privacy parameter of a whole history, nats.
        m: items of a history.
        delta: additive slack of a whole history, in [0, 1).

    Returns:
        epsilon_0 in nats, on the private side of the root.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, remarks on Lemma 6.4 (order); Kairouz, Oh, Viswanath 2015 (number).
    """
    epsilon, m = check_epsilon(epsilon), check_count(m, "m")
    low = epsilon / m
    if delta == 0.0 or m == 1:
        return low
    check_delta(delta)
    if low < 1e-9:
        raise ValueError(f"epsilon/m must be at least 1e-09; got {low:g}")
    high = epsilon + 60.0
    # composed_delta rises with epsilon_0, but not smoothly: halve, and keep the private end.
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if composed_delta(middle, m, epsilon) <= delta * (1 - 1e-9) else (low, middle)
        if high / low - 1.0 < 1e-12:
            break
    return low


def sample_one(items: Items, rng: np.random.Generator) -> NDArray[np.int64]:
    """One item of each user, drawn uniformly: ``(n, m)`` to ``(n, 1)``.

    A report on it that is epsilon-LDP is epsilon-DP for the whole history, of whatever length.

    Args:
        items: indices of points, one row for each user.
        rng: source of randomness.

    Raises:
        ValueError: if there is no item.
    """
    rows = np.atleast_2d(check_items(items, int(np.max(items, initial=0)) + 1))
    chosen = rng.integers(rows.shape[1], size=(len(rows), 1))
    return np.take_along_axis(rows, chosen, axis=1)
