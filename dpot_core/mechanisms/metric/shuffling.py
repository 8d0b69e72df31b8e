r"""The budget of shuffled items: amplification by shuffling for the earth mover's distance.

Every item of a history goes through an (alpha_0, 0)-d-private mechanism, and the outputs come in random order:
N outputs, of which one person's m items differ between neighbours (N = m locally, N = m n centrally). With
``K = 8 sqrt(exp(alpha_0) L/N) + 8 exp(alpha_0)/N`` and ``L = log(4 m/delta)`` all together are (alpha,
delta')-d_EM-private, ``alpha = m alpha_0 K/2``. Proof (Theorem 4.4): ``docs/proofs/shuffling.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import scipy

from dpot_core.arguments import check_count, check_number
from dpot_core.mechanisms.metric.protection import check_rate

#: Solved values are moved to the private side by this much.
_SAFETY = 1e-9

# Smaller alpha_0 are not looked for.
_LEAST = 1e-300

#: What a wanted delta is taken for. "theorem": delta' = delta exp(h(1)), as Theorem 4.4 says. "coarse": delta' =
#: delta exp(alpha), which is larger, as in (6) and (7). "inside": the delta in the theorem's logarithm.
SLACKS = ("theorem", "coarse", "inside")


@dataclass(frozen=True)
class ShuffledPromise:
    """The promise of the release of all items.

    Attributes:
        item_rate: alpha_0 of one item, nats per largest distance.
        alpha: of one person's whole history, nats per largest earth mover's distance.
        delta: delta', the slack that is promised.
        delta_inside: the theorem's delta, which is smaller.
        limit: the largest alpha_0 for which the theorem speaks.
        by: "shuffling", or "composition" (alpha = m alpha_0 and no slack at all).
        limited: whether the theorem's limit on alpha_0, and not alpha, decided.
    """

    item_rate: float
    alpha: float
    delta: float
    delta_inside: float
    limit: float
    by: str
    limited: bool = False


def largest_item_rate(delta: float, items: int, users: int = 1) -> float:
    """The theorem's limit on alpha_0: ``log(N/(16 log(4 m/delta)))``; negative where it says nothing at all.

    Args:
        delta: the theorem's delta, in (0, 1).
        items: m, items per person.
        users: n whose items are shuffled together; 1 in the local model.

    Returns:
        Nats per largest distance.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Theorem 4.3, and its proof for N outputs of which m differ.
    """
    m, n = check_count(items, "items"), check_count(users, "users")
    return _limit(_log_term(_check_slack(delta), m), m * n)


def shuffled_promise(item_rate: float, delta: float, items: int, users: int = 1) -> ShuffledPromise:
    r"""alpha and delta' of items that go through an alpha_0-private mechanism and are shuffled.

    ``alpha = m alpha_0 K/2`` and ``delta' = delta (1 + tanh(alpha_0/2) K)^m``, see the module.

    Args:
        item_rate: alpha_0 of one item, nats per largest distance.
        delta: the theorem's delta, in (0, 1).
        items: m, items per person.
        users: n whose items are shuffled together; 1 in the local model.

    Returns:
        The promise; its ``delta`` is delta' and may exceed 1, where it promises nothing.

    Raises:
        ValueError: if an argument is out of range, or alpha_0 exceeds the theorem's limit: says which one.

    Source:
        metric_dp_emd, Theorem 4.4.
    """
    m, n = check_count(items, "items"), check_count(users, "users")
    slack, rate = _check_slack(delta), check_rate(item_rate, "item_rate")
    log_term = _log_term(slack, m)
    limit = _limit(log_term, m * n)
    if rate >= limit:
        raise ValueError(
            f"item_rate must stay below the theorem's limit log(N/(16 log(4 m/delta))) = {limit:.4g} with "
            f"N = {m * n:,} shuffled outputs, m = {m:,} items and delta = {slack:g}; got {rate:g}"
            + (": so few outputs hide nothing" if limit <= 0.0 else "")
        )
    spent = _spent(rate, log_term, m, m * n)
    inside = slack * math.exp(min(spent, 700.0))
    return ShuffledPromise(rate, _slope(rate, log_term, m, m * n), inside, slack, limit, "shuffling")


def item_rate(alpha: float, delta: float, items: int, users: int = 1, *, slack: str = "theorem") -> ShuffledPromise:
    r"""The largest alpha_0 for which shuffled items are (alpha, delta)-d_EM-private.

    For each alpha_0 the theorem's delta is solved from ``delta exp(h(1)) = delta'``: with ``L = log(4 m/delta)``,
    ``L - h(1; L)`` is convex in L, at most the target at L = target, and grows beyond, so one root lies above. Then
    alpha rises in alpha_0. Roots are taken on the private side.

    Args:
        alpha: wanted, nats per largest earth mover's distance.
        delta: wanted slack delta', in (0, 1).
        items: m, items per person.
        users: n whose items are shuffled together; 1 in the local model.
        slack: a key of ``SLACKS``. With "inside" ``delta`` is taken as the theorem's own; the promise then has the
            delta' that follows, which is larger.

    Returns:
        The promise by shuffling.

    Raises:
        ValueError: if an argument is out of range, or no alpha_0 above 0 satisfies the theorem's limit.

    Source:
        metric_dp_emd, Theorem 4.4 (solved where (6) and (7) give closed forms).
    """
    m, n = check_count(items, "items"), check_count(users, "users")
    wanted, small = check_rate(alpha), _check_slack(delta)
    if slack not in SLACKS:
        raise ValueError(f"slack must be one of {', '.join(SLACKS)}; got {slack!r}")
    total = m * n
    target = _log_term(small, m) + (wanted if slack == "coarse" else 0.0)
    if _limit(target, total) <= 0.0:
        raise ValueError(
            f"no alpha_0 satisfies the theorem's limit log(N/(16 log(4 m/delta))): {total:,} shuffled outputs with "
            f"m = {m:,} and delta = {small:g} are too few (more than {16.0 * target:.0f} are needed); use composition"
        )

    def solved(rate: float) -> float:
        return _solve_log_term(rate, target, m, total) if slack == "theorem" else target

    def room(rate: float) -> float:
        return _limit(solved(rate), total) - rate

    def excess(rate: float) -> float:
        return _slope(rate, solved(rate), m, total) - wanted

    # Room falls and excess rises in alpha_0; near 0 h(1) vanishes, L is at its target and there is room.
    top = _limit(target, total)
    limit = float(scipy.optimize.brentq(room, _LEAST, top, xtol=_LEAST)) if room(top) < 0.0 else top
    limit *= 1.0 - _SAFETY
    limited = excess(limit) <= 0.0
    rate = limit if limited else float(scipy.optimize.brentq(excess, _LEAST, limit, xtol=_LEAST)) * (1.0 - _SAFETY)
    log_term = solved(rate)
    theirs = 4.0 * m * math.exp(-log_term)
    promised = theirs * math.exp(min(_spent(rate, log_term, m, total), 700.0)) if slack == "inside" else small
    return ShuffledPromise(
        rate, _slope(rate, log_term, m, total), promised, theirs, _limit(log_term, total), "shuffling", limited
    )


def composition_rate(alpha: float, items: int) -> ShuffledPromise:
    """Plain composition: ``alpha_0 = alpha/m``, no slack, no need to shuffle, the same locally and centrally.

    The items of two histories, matched optimally, are ``m d_EM`` apart in all.

    Args:
        alpha: wanted, nats per largest earth mover's distance.
        items: m, items per person.

    Returns:
        The promise, with delta 0.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, section 4.2, "Comparison with Composition"; Fernandes, Dras, McIver 2019.
    """
    m, wanted = check_count(items, "items"), check_rate(alpha)
    return ShuffledPromise(wanted / m, wanted, 0.0, 0.0, math.inf, "composition")


def best_item_rate(alpha: float, delta: float, items: int, users: int = 1) -> ShuffledPromise:
    """The larger alpha_0 of shuffling and composition. Which one wins is public, so nothing is spent on choosing.

    Args:
        alpha: wanted, nats per largest earth mover's distance.
        delta: wanted slack delta', in (0, 1).
        items: m, items per person.
        users: n whose items are shuffled together; 1 in the local model.

    Returns:
        The promise; composition where shuffling says nothing.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Theorem 4.4 and section 4.2.
    """
    composed = composition_rate(alpha, items)
    if largest_item_rate(delta, items, users) <= 0.0:
        return composed
    shuffled = item_rate(alpha, delta, items, users)
    return shuffled if shuffled.item_rate > composed.item_rate else composed


def closed_form_rate(alpha: float, delta: float, items: int, users: int = 1) -> float:
    r"""alpha_0 by the paper's closed forms, for comparison only.

    With ``R = sqrt(m log(4 m exp(alpha)/delta))`` and ``a = alpha sqrt(n)``: ``a/(32 R)`` if ``a <= 32 R``, else
    ``2 log(a/(16 R))``. The second branch bounds ``tanh(alpha_0 w/2)/w`` by 1, but its supremum is alpha_0/2: beyond
    alpha_0 of about 4 it spends more than alpha, so a release takes ``item_rate``.

    Args:
        alpha: wanted, nats per largest earth mover's distance.
        delta: wanted slack, in (0, 1).
        items: m, items per person.
        users: n whose items are shuffled together; 1 in the local model.

    Returns:
        alpha_0; nan where the paper gives none (alpha at least m).

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, equations (6) and (7).
    """
    m, n = check_count(items, "items"), check_count(users, "users")
    wanted, slack = check_rate(alpha), _check_slack(delta)
    if wanted >= m:
        return math.nan
    root = math.sqrt(m * (math.log(4.0 * m) + wanted - math.log(slack)))
    size = wanted * math.sqrt(n)
    return size / (32.0 * root) if size <= 32.0 * root else 2.0 * math.log(size / (16.0 * root))


def _check_slack(delta: float) -> float:
    number = check_number(delta, "delta", 0.0, 1.0)
    if not 1e-300 <= number < 1.0:
        raise ValueError(f"delta must lie strictly between 0 and 1; got {number:g}")
    return number


def _log_term(delta: float, m: int) -> float:
    return math.log(4.0 * m) - math.log(delta)


def _limit(log_term: float, total: int) -> float:
    return math.log(total / (16.0 * log_term))


def _factor(rate: float, log_term: float, total: int) -> float:
    """K."""
    return 8.0 * math.sqrt(math.exp(rate) * log_term / total) + 8.0 * math.exp(rate) / total


def _spent(rate: float, log_term: float, m: int, total: int) -> float:
    """h(1): what moving a whole history by the largest distance costs."""
    return m * math.log1p(math.tanh(rate / 2.0) * _factor(rate, log_term, total))


def _slope(rate: float, log_term: float, m: int, total: int) -> float:
    """h'(0) = alpha."""
    return m * rate / 2.0 * _factor(rate, log_term, total)


def _solve_log_term(rate: float, target: float, m: int, total: int) -> float:
    """L with ``L - h(1; L) = target``: then ``delta exp(h(1)) = delta'``."""

    def slack(log_term: float) -> float:
        return log_term - _spent(rate, log_term, m, total) - target

    high = 2.0 * target
    while slack(high) < 0.0:
        high *= 2.0
    root = float(scipy.optimize.brentq(slack, target, high, xtol=1e-12)) * (1.0 + _SAFETY)
    return root
