"""Calibration, composition and amplification for mechanisms that see many people's data.

Everything is rounded to the private side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import as_floats, check_epsilon, check_number
from dpot_core.privacy.guarantees import Guarantee, Sampled
from dpot_core.privacy.privacy_loss import largest_mu, largest_mu_beside_tree, smallest_epsilon
from dpot_core.privacy.rounding import rounded_up

#: So much is added to the private side of a result, for the rounding of its last operations.
SAFETY = 1.0 + 1e-9

#: Relative error of a formula of a few operations, with room to spare.
ROUNDING = 1e-13

#: Orders at which a Renyi guarantee is turned into (epsilon, delta): dense near 1, where large epsilons need it.
RENYI_ORDERS = tuple(
    np.unique(np.concatenate([1.0 + np.geomspace(1e-3, 1.0, 60), np.geomspace(2.0, 1e7, 240)])).tolist()
)


def check_delta(delta: float) -> float:
    """Return delta as a float; the Gaussian mechanism needs it strictly between 0 and 1.

    Args:
        delta: additive slack of a guarantee.

    Returns:
        ``delta`` as a float.

    Raises:
        ValueError: if it does not lie in [1e-300, 1), with the reason.
    """
    number = check_number(delta, "delta", 0.0, 1.0)
    if not 1e-300 <= number < 1.0:
        reason = "no Gaussian noise achieves 0" if number < 1e-300 else "1 promises nothing"
        raise ValueError(f"delta must lie strictly between 0 and 1 ({reason}); got {number:g}")
    return number


def check_steps(steps: int) -> int:
    """Return a number of releases as an int of at least 1.

    Args:
        steps: number of releases that compose.

    Returns:
        ``steps``.

    Raises:
        ValueError: if it is not a whole number of at least 1.
    """
    if int(steps) != steps or steps < 1:
        raise ValueError(f"steps must be a whole number of at least 1; got {steps!r}")
    return int(steps)


def gaussian_noise(epsilon: float, delta: float, sensitivity: float = 1.0, steps: int = 1) -> float:
    r"""Standard deviation of Gaussian noise for ``steps`` adaptive releases that together are (epsilon, delta)-DP.

    The smallest sigma with ``Phi(1/(2 z) - epsilon z) - e^epsilon Phi(-1/(2 z) - epsilon z) <= delta``,
    ``z = sigma/(sensitivity sqrt(steps))``: releases with the same ratio of noise to sensitivity compose exactly
    like one release with ``sqrt(steps)`` times the sensitivity, also when each depends on the ones before. Valid for
    every epsilon, unlike the classical ``sqrt(2 log(1.25/delta))/epsilon``.

    Args:
        epsilon: privacy parameter of all releases together, nats.
        delta: additive slack of all releases together, in (0, 1).
        sensitivity: largest change of one release in the 2-norm between neighbours, at least 0.
        steps: number of releases.

    Returns:
        Sigma, in the unit of ``sensitivity``, on the private side of the root.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Balle and Wang 2018, Theorem 8 (analytic Gaussian); Dong, Roth, Su 2022, Corollary 2 (composition).
    """
    size = check_number(sensitivity, "sensitivity", 0.0, 1e300) * math.sqrt(check_steps(steps))
    return size / largest_mu(check_epsilon(epsilon), check_delta(delta)) * SAFETY


def gaussian_noise_beside_tree(
    epsilon: float,
    delta: float,
    sensitivity: float,
    steps: int,
    trees: Iterable[tuple[float, ...]],
    adjacency: str,
) -> float:
    """As `gaussian_noise`, where noisy counts of a tree are published as well: all together are (epsilon, delta)-DP.

    The levels' privacy losses are composed with the Gaussian's (`privacy_loss.largest_mu_beside_tree`) and not added
    up as epsilons, which takes about 1.4 times the noise.

    Args:
        epsilon: privacy parameter of everything together, nats.
        delta: likewise, the slack, in (0, 1).
        sensitivity: largest change of one Gaussian release in the 2-norm between neighbours, at least 0.
        steps: number of Gaussian releases; each may depend on the trees and on the ones before.
        trees: for each group the scales of its levels, as in `privacy_loss.tree_losses`. Neighbours differ in one
            group, so that the worst tree counts.
        adjacency: "replace" or "add-remove".

    Returns:
        Sigma, in the unit of ``sensitivity``, on the private side of the root.

    Raises:
        ValueError: if an argument is out of range, or a tree alone spends epsilon or more.
    """
    size = check_number(sensitivity, "sensitivity", 0.0, 1e300) * math.sqrt(check_steps(steps))
    given = check_epsilon(epsilon), check_delta(delta)
    return size / min(largest_mu_beside_tree(*given, scales, adjacency) for scales in set(trees)) * SAFETY


def gaussian_epsilon(noise: float, delta: float, sensitivity: float = 1.0, steps: int = 1) -> float:
    """Epsilon of ``steps`` adaptive Gaussian releases with standard deviation ``noise`` each, at ``delta``.

    Args:
        noise: standard deviation, in the unit of ``sensitivity``, more than 0.
        delta: additive slack, in (0, 1).
        sensitivity: largest change of one release in the 2-norm between neighbours.
        steps: number of releases.

    Returns:
        Epsilon in nats, rounded up; inf where float64 cannot hold it.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        As ``gaussian_noise``.
    """
    size = check_number(sensitivity, "sensitivity", 0.0, 1e300) * math.sqrt(check_steps(steps))
    if size == 0.0:
        return 0.0
    mu = size / check_number(noise, "noise", 1e-300, 1e300)
    return smallest_epsilon(mu, check_delta(delta)) * SAFETY if mu > 0.0 else 0.0


def amplified_epsilon(epsilon: float, rate: float) -> float:
    r"""Epsilon towards the population when the mechanism sees a uniform sample of it.

    ``log(1 + rate (e^epsilon - 1))``; delta becomes ``rate delta``. The sample has a fixed size, is drawn without
    replacement and is not published; neighbours replace one person of the population.

    Args:
        epsilon: privacy parameter towards the sample, nats.
        rate: size of the sample over size of the population, in (0, 1].

    Returns:
        The smaller epsilon, rounded up.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Balle, Barthe, Gaboardi 2018, Theorem 9.
    """
    return _amplified(check_epsilon(epsilon), check_number(rate, "rate", 1e-300, 1.0))


def _amplified(epsilon: float, rate: float) -> float:
    """As `amplified_epsilon`, also for sums beyond the range of a single epsilon."""
    if epsilon > 600.0:
        exact = float(np.logaddexp(epsilon + math.log(rate), math.log1p(-rate))) if rate < 1.0 else epsilon
    else:
        exact = math.log1p(rate * math.expm1(epsilon))
    return exact * (1.0 + ROUNDING)


def sample_epsilon(epsilon: float, rate: float) -> float:
    r"""Epsilon that a mechanism may spend on a sample so that the population keeps ``epsilon``.

    The inverse of ``amplified_epsilon``: ``log(1 + (e^epsilon - 1)/rate)``; the mechanism may spend ``delta/rate``.

    Args:
        epsilon: privacy parameter towards the population, nats.
        rate: size of the sample over size of the population, in (0, 1].

    Returns:
        The larger epsilon, rounded down.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Balle, Barthe, Gaboardi 2018, Theorem 9.
    """
    share = check_number(rate, "rate", 1e-300, 1.0)
    value = check_epsilon(epsilon)
    inner = value - math.log(share) if value > 600.0 else math.log1p(math.expm1(value) / share)
    return inner / SAFETY


def from_one_sample(guarantees: Sequence[Guarantee]) -> Guarantee:
    r"""The promise of several releases that were all computed from one sample of a population.

    Nothing is amplified twice: the promises to the people in the sample add up, and their sum is amplified,
    ``log(1 + q (e^(sum of eps_i) - 1))`` and ``q sum of delta_i``. Adding up the amplified promises would be right
    only if each release drew a sample of its own.

    Args:
        guarantees: of the releases, each with its `Guarantee.sampled`; if none has one, no sample was drawn and they
            add up.

    Returns:
        The promise of all of them; the rate is the largest.

    Raises:
        ValueError: if there is none, if they do not add up, or if only some are from a sample.

    Source:
        Dwork and Roth 2014, Theorem 3.16; Balle, Barthe, Gaboardi 2018, Theorem 9.
    """
    if not guarantees:
        raise ValueError("guarantees must hold at least one promise; got none")
    together = reduce(Guarantee.compose, (one.weakest for one in guarantees))
    rates = [one.sampled.rate for one in guarantees if one.sampled is not None]
    if not rates:
        return together
    if len(rates) < len(guarantees):
        raise ValueError("guarantees must all be from a sample, or none of them")
    rate = max(rates)
    public = reduce(Guarantee.compose, guarantees).public if len(guarantees) > 1 else guarantees[0].public
    inner = Sampled(together.epsilon, together.delta, rate)
    epsilon = _amplified(together.epsilon, rate)
    delta = rounded_up(Fraction(rate) * Fraction(together.delta))
    return replace(together, epsilon=epsilon, delta=delta, sampled=inner, public=public, gaussian=None)


def renyi_epsilon(divergences: ArrayLike, delta: float, orders: Sequence[float] = RENYI_ORDERS) -> float:
    """Epsilon at ``delta`` of a mechanism whose neighbours differ by Renyi divergences ``divergences`` at ``orders``.

    Args:
        divergences: (len(orders),) Renyi divergence of order ``a`` between neighbours' outputs, nats.
        delta: additive slack, in (0, 1).
        orders: Renyi orders, more than 1.

    Returns:
        Epsilon in nats, the smallest over the orders.

    Raises:
        ValueError: if an argument is out of range or the lengths differ.

    Source:
        Canonne, Kamath, Steinke 2020, Proposition 12, in dp-accounting.
    """
    values = as_floats(divergences, "divergences")
    if values.shape != (len(orders),):
        raise ValueError(f"divergences must have one entry per order, {len(orders)}; got shape {values.shape}")
    if np.isnan(values).any() or (values < 0).any():
        raise ValueError("divergences must not be negative")
    from dp_accounting.rdp import compute_epsilon  # half a second, of which few have need

    epsilon, _ = compute_epsilon(list(orders), values.tolist(), check_delta(delta))
    return float(epsilon)


def composed_epsilon(promises: Sequence[Guarantee], delta: float) -> float:
    """Epsilon at ``delta`` of several releases together, each of which may depend on those before.

    Gaussian mechanisms compose exactly: the root of the sum of the squares of their mu. Where another promise is among
    them, privacy loss distributions are composed, discretised to the private side; of a promise of which only epsilon
    and delta are known, the worst mechanism that keeps it is taken.

    Args:
        promises: about the same neighbours, one at least.
        delta: additive slack of all releases together, in (0, 1).

    Returns:
        Epsilon in nats, rounded up; inf where no epsilon holds at this delta.

    Raises:
        ValueError: if there is no promise, or they are about unlike neighbours.

    Source:
        Dong, Roth, Su 2022, Corollary 2; Koskela, Jaelkoe, Honkela 2020, in dp-accounting; Kairouz, Oh, Viswanath
        2015.
    """
    reduce(Guarantee.compose, [replace(promise, delta=0.0) for promise in promises])
    mu = [promise.gaussian for promise in promises if promise.gaussian is not None]
    if len(mu) == len(promises):
        return gaussian_epsilon(1.0, delta, math.hypot(*mu))
    from dp_accounting import pld

    losses = [
        pld.privacy_loss_distribution.from_gaussian_mechanism(1.0 / promise.gaussian)
        if promise.gaussian is not None
        else pld.privacy_loss_distribution.from_privacy_parameters(
            pld.common.DifferentialPrivacyParameters(promise.epsilon, promise.delta)
        )
        for promise in promises
    ]
    composed = reduce(lambda one, other: one.compose(other), losses)
    return float(composed.get_epsilon_for_delta(check_delta(delta)))
