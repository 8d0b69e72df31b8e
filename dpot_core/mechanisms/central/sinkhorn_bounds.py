r"""Choices and promises of the paper's bounds beyond `sinkhorn_theory`: best K and M, the split, Theorems 4 and 6.

As printed and as its proofs have it: the best M of Corollary 1 has lost a0, and Theorem 6 its factor n |c|. None of
this is used for a release.
"""

from __future__ import annotations

import math

import numpy as np

from dpot_core.arguments import check_count, check_epsilon, check_number
from dpot_core.mechanisms.central import sinkhorn_theory as theory

#: Splits of epsilon that are tried.
_SPLITS = 999


def best_noise(
    epsilon: float, delta: float, eta: float, bound: float, n: int, start_gap: float
) -> tuple[float, float, float]:
    r"""The K and M that make Theorem 1's bound least at the epsilon of Theorem 2, both as printed and sigma = 0.

    With ``s = (epsilon - e0)/(alpha C)`` privacy allows K = s M rounds, and the bound is
    ``u(M) = (a0 - v M) q^(s M) + v M`` for ``q = 1 - rho``, ``v = tau/(2 rho)``. The paper minimises
    ``a0 q^(s M) + v M`` (without what v M takes off), whose derivative vanishes at
    ``q^(s M) = -v/(a0 s log q)``: printed without a0. Where that is 1 or more the best is K = 0, no round at all.

    Args:
        epsilon: privacy parameter in nats.
        delta: additive slack.
        eta: entropic weight.
        bound: largest cost.
        n: points per sample.
        start_gap: a0, more than 0.

    Returns:
        (K, M, bound of the error); K not rounded. (0, 0, a0) where noise costs more than rounds gain.

    Source:
        dp_sinkhorn, Corollary 1 and section V-C.
    """
    gap = check_number(start_gap, "start_gap", 1e-300, 1e300)
    rho = math.exp(-math.log(8.0) - 24.0 * bound / eta)
    slope, log_q = theory.noise_neighbourhood(eta, bound, 1.0), math.log1p(-rho)
    spare = check_epsilon(epsilon) - theory.least_epsilon(epsilon, delta)
    rate = spare / (theory.renyi_order(epsilon, delta) * theory.renyi_constant(eta, bound, n, "printed"))
    # log_q is 0 where rho is below float64: then rounds gain nothing.
    reached = slope / (-gap * rate * log_q) if log_q else math.inf
    if not reached < 1.0:
        return 0.0, 0.0, gap
    floor = math.log(reached) / (rate * log_q)
    return rate * floor, floor, gap * reached + slope * floor


def best_split(
    epsilon: float, delta: float, eta: float, bound: float, n: int, gap: float, start_gap: float
) -> tuple[float, float]:
    """(12) at one eta: the first stage's share of epsilon for which u1 + u2 is least, and that sum.

    Args:
        epsilon: privacy parameter in nats, of both stages.
        delta: additive slack.
        eta: entropic weight.
        bound: largest cost.
        n: points per sample.
        gap: from the best to the second best vertex.
        start_gap: a0.

    Returns:
        (epsilon_1/epsilon, u1 + u2); (nan, inf) where no split has a bound.

    Source:
        dp_sinkhorn, Corollary 2, (12); epsilon_1 is that of the Laplace noise.
    """
    best = (math.nan, math.inf)
    for share in np.arange(1, _SPLITS + 1) / (_SPLITS + 1):
        first, _ = theory.two_stage_bounds(epsilon * float(share), delta, eta, bound, n, gap, start_gap)
        _, second = theory.two_stage_bounds(epsilon * float(1.0 - share), delta, eta, bound, n, gap, start_gap)
        if first + second < best[1]:
            best = float(share), first + second
    return best


def entropic_bias(eta: float, n: int, gap: float) -> float:
    r"""Theorem 4: how much dearer the entropic plan is than the best, ``gap exp(-gap/eta + 1 + log n)`` at most.

    Args:
        eta: entropic weight, at most ``gap/(1 + log n)``.
        n: points per sample.
        gap: from the best to the second best vertex, more than 0.

    Returns:
        The bound, unit of the cost.

    Raises:
        ValueError: if eta is larger: nothing is proven there.

    Source:
        dp_sinkhorn, Theorem 4, after Weed 2018.
    """
    count, distance = check_count(n, "n"), check_number(gap, "gap", 1e-300, 1e300)
    spread = 1.0 + math.log(count)
    weight = check_number(eta, "eta", 1e-300, distance / spread)
    return distance * math.exp(spread - distance / weight)


def noisy_plan_bound(
    steps: int, eta: float, bound: float, n: int, start_gap: float, floor: float, printed: bool = False
) -> float:
    r"""Theorem 6: how much dearer the noisy plan is than pi_eta, ``A sqrt(2 a0 (1 - rho)^k/tau + M/rho)`` on average.

    By the proof ``A = n |c| (sqrt 2/eta) exp(6 |c|/eta)`` and rho as in Theorem 1; printed are ``A = (8/eta)
    exp(6 |c|/eta)`` and ``rho = exp(-24 |c|)/sqrt(2 n |c|)``. Both rest on Theorem 1, which counts noise too low
    (`sinkhorn_theory.noise_increase`).

    Args:
        steps: k.
        eta: entropic weight.
        bound: largest cost.
        n: points per sample.
        start_gap: a0.
        floor: M, with sigma = 0.
        printed: whether the printed constants are taken.

    Returns:
        The bound, unit of the cost; inf beyond float64.

    Source:
        dp_sinkhorn, Theorem 6 and its proof.
    """
    count = check_count(n, "n")
    log_rho = -24.0 * bound - 0.5 * math.log(2.0 * count * bound) if printed else -math.log(8.0) - 24.0 * bound / eta
    left = check_count(steps, "steps") * math.log1p(-math.exp(log_rho))
    # tau = exp(-6 |c|/eta)/(2 eta).
    parts = [math.log(4.0 * eta * start_gap) + 6.0 * bound / eta + left] if start_gap else []
    parts += [math.log(floor) - log_rho] if floor else []
    if not parts:
        return 0.0
    constant = math.log(8.0) if printed else 0.5 * math.log(2.0) + math.log(count * bound)
    log = constant - math.log(eta) + 6.0 * bound / eta + 0.5 * float(np.logaddexp.reduce(parts))
    return math.exp(log) if log < 700.0 else math.inf
