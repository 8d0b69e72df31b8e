r"""The paper's constants and curves, as printed and as corrected.

Printed: ``epsilon = K C/M + sqrt(K C log(1/delta)/M)`` with ``C = Delta/2``. Corrected: the conversion of a Renyi
guarantee ``(alpha, alpha r)``, ``r = K C/M``, to (epsilon, delta) is
``min over alpha of alpha r + log(1/delta)/(alpha - 1) = r + 2 sqrt(r log(1/delta))``, and the Gaussian mechanism has
``r = K Delta^2/(2 M)``, the sensitivity squared. Neither makes Theorem 2 true: its sensitivity holds the points fixed.
(The argument ``4 eta |c|/n`` of its logarithm has a unit; ``4 |c|/(eta n)`` is probably meant. It is kept as printed.)
All in log space; a bound beyond float64 is inf.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from dpot_core.arguments import check_count, check_epsilon, check_number
from dpot_core.privacy.accounting import check_delta, check_steps

CONSTANTS = ("printed", "corrected")


def check_constants(constants: str) -> str:
    """Return the name of the constants, "printed" or "corrected"."""
    if constants not in CONSTANTS:
        raise ValueError(f"constants must be one of {', '.join(CONSTANTS)}; got {constants!r}")
    return constants


def iteration_sensitivity(eta: float, bound: float, n: int) -> float:
    r"""Theorem 2's sensitivity of a round: ``eta log(1 + (4 eta |c|/n) exp(6 |c|/eta))``.

    Args:
        eta: entropic weight, unit of the cost.
        bound: largest cost ``|c|``.
        n: points per sample.

    Returns:
        Delta, unit of the cost; never more than a few |c| for small eta, because the logarithm undoes the exponential.

    Source:
        dp_sinkhorn, Theorem 2 and its proof.
    """
    if bound == 0.0:
        return 0.0
    return eta * float(np.logaddexp(0.0, math.log(4.0 * eta) + math.log(bound) - math.log(n) + 6.0 * bound / eta))


def renyi_constant(eta: float, bound: float, n: int, constants: str = "corrected") -> float:
    """C of Theorem 2: half the sensitivity as printed, half its square as corrected."""
    size = iteration_sensitivity(eta, bound, n)
    return 0.5 * (size if check_constants(constants) == "printed" else size**2)


def claimed_epsilon(
    steps: int, floor: float, eta: float, bound: float, n: int, delta: float, constants: str = "corrected"
) -> float:
    r"""Epsilon that Theorem 2 claims: ``K C/M + f sqrt(K C log(1/delta)/M)``, f = 1 as printed, 2 as corrected.

    Args:
        steps: K, number of rounds.
        floor: M, least variance of the noise.
        eta: entropic weight.
        bound: largest cost.
        n: points per sample.
        delta: additive slack.
        constants: "printed" or "corrected".

    Returns:
        Epsilon in nats; inf without noise.

    Source:
        dp_sinkhorn, Theorem 2; Mironov 2017, Proposition 3 (the conversion).
    """
    constant = check_steps(steps) * renyi_constant(eta, bound, n, constants)
    if check_number(floor, "floor", 0.0, math.inf) == 0.0:
        return math.inf
    rate = constant / floor
    return rate + _factor(constants) * math.sqrt(rate * math.log(1.0 / check_delta(delta)))


def noise_floor(
    epsilon: float, delta: float, steps: int, eta: float, bound: float, n: int, constants: str = "corrected"
) -> float:
    r"""The M for which Theorem 2 claims (epsilon, delta): ``M = K C/r`` with ``r + f sqrt(r log(1/delta)) = epsilon``.

    Args:
        epsilon: privacy parameter in nats.
        delta: additive slack, in (0, 1).
        steps: K.
        eta: entropic weight.
        bound: largest cost.
        n: points per sample.
        constants: "printed" or "corrected".

    Returns:
        M, unit of the cost squared.

    Source:
        dp_sinkhorn, Theorem 2 solved for M.
    """
    tail = _factor(constants) * math.sqrt(math.log(1.0 / check_delta(delta)))
    # The positive root of s^2 + tail s - epsilon, written without a difference of nearly equal numbers.
    root = 2.0 * check_epsilon(epsilon) / (tail + math.sqrt(tail**2 + 4.0 * epsilon))
    return check_steps(steps) * renyi_constant(eta, bound, n, constants) / root**2


def convergence_bound(
    steps: int, eta: float, bound: float, start_gap: float, floor: float, adaptive: float = 0.0
) -> float:
    r"""Theorem 1: ``(1 - rho)^k (a0 - tau M/(2 rho)) + tau M/(2 rho)``.

    ``rho = (1 - sigma^2)/8 exp(-24 |c|/eta)``, ``tau = exp(-6 |c|/eta)/(2 eta)``.

    Args:
        steps: k.
        eta: entropic weight.
        bound: largest cost.
        start_gap: a0 = F(theta_0) - F*.
        floor: M.
        adaptive: sigma, in [0, 1).

    Returns:
        Bound of ``|OT_eta + E F - eta|``, unit of the cost.

    Source:
        dp_sinkhorn, Theorem 1, (6).
    """
    log_rho = math.log1p(-(check_number(adaptive, "adaptive", 0.0, 1.0 - 1e-12) ** 2)) - math.log(8.0)
    log_rho -= 24.0 * bound / eta
    rho = math.exp(log_rho)
    # (1 - (1 - rho)^k)/rho, a sum of k powers, each nearly 1 where rho is tiny.
    powers = -math.expm1(steps * math.log1p(-rho)) / rho if rho > 1e-12 else float(steps)
    rise = 0.25 * floor / eta * math.exp(-6.0 * bound / eta)
    return (1.0 - rho) ** steps * start_gap + powers * rise


def noise_neighbourhood(eta: float, bound: float, floor: float, adaptive: float = 0.0) -> float:
    """``tau M/(2 rho) = 2 M exp(18 |c|/eta)/((1 - sigma^2) eta)``: where Theorem 1 ends; inf beyond float64."""
    if floor == 0.0:
        return 0.0
    log = math.log(2.0 * floor / eta) - math.log1p(-(adaptive**2)) + 18.0 * bound / eta
    return math.exp(log) if log < 709.0 else math.inf


def noise_increase(eta: float, floor: float) -> float:
    r"""The mean rise of F by noise of variance M on all potentials: ``eta (e^(M/eta^2) - 1)``.

    After exact half steps the plan has mass 1, the noise has mean 0, and ``E exp((Z1 + Z2)/eta) = exp(M/eta^2)``.
    Theorem 1 counts ``tau M/2`` instead: its Lemma 4 takes strong convexity, a lower bound of the increase, for an
    upper bound.

    Args:
        eta: entropic weight.
        floor: M.

    Returns:
        The increase, unit of the cost; inf beyond float64.

    Source:
        Own; compare dp_sinkhorn, Lemma 4.
    """
    exponent = floor / eta**2
    return eta * math.expm1(exponent) if exponent < 700.0 else math.inf


def renyi_order(epsilon: float, delta: float) -> float:
    """The alpha > 1 with ``(alpha - 1)^2 = alpha log(1/delta)/epsilon`` (Corollary 1)."""
    ratio = math.log(1.0 / check_delta(delta)) / check_epsilon(epsilon)
    return 1.0 + 0.5 * (ratio + math.sqrt(ratio**2 + 4.0 * ratio))


def least_epsilon(epsilon: float, delta: float) -> float:
    """``log(1/delta)/(alpha - 1)``: the part of epsilon that the conversion takes (Corollary 1)."""
    return math.log(1.0 / delta) / (renyi_order(epsilon, delta) - 1.0)


def tradeoff(epsilon: float, delta: float, eta: float, bound: float, n: int, start_gap: float) -> float:
    r"""Corollary 1: ``C_eta/(epsilon - e0) (a0 - log(C_eta/(epsilon - e0)))``.

    ``C_eta = 32 eta nu^(8/eta) ln nu/(3 n)``, ``nu = exp(6 |c|)`` and ``e0 = log(1/delta)/(alpha - 1)``.

    Args:
        epsilon: privacy parameter in nats.
        delta: additive slack.
        eta: entropic weight.
        bound: largest cost.
        n: points per sample.
        start_gap: a0.

    Returns:
        The expression as printed; where it is negative or beyond float64 it bounds nothing, and inf is returned.

    Source:
        dp_sinkhorn, Corollary 1, (7).
    """
    log = _log_tradeoff(epsilon, delta, eta, bound, n)
    value = start_gap - log
    return math.exp(log) * value if log < 700.0 and value > 0.0 else math.inf


def _log_tradeoff(epsilon: float, delta: float, eta: float, bound: float, n: int) -> float:
    """log(C_eta/(epsilon - e0))."""
    constant = math.log(32.0 * eta * 6.0 * bound / (3.0 * n)) + 48.0 * bound / eta
    return constant - math.log(epsilon - least_epsilon(epsilon, delta))


def linear_sensitivity(eta: float, bound: float, n: int) -> float:
    r"""Lemma 5, sensitivity of ``<c, pi_eta>``: ``2|c|/n + min(eta log n, |c|, |c|^(3/2) exp(|c|/eta)/sqrt(2 n eta))``.

    Args:
        eta: entropic weight.
        bound: largest cost.
        n: points per sample.

    Returns:
        The bound, unit of the cost.

    Source:
        dp_sinkhorn, Lemma 5.
    """
    if bound == 0.0:
        return 0.0
    log = 1.5 * math.log(bound) + bound / eta - 0.5 * math.log(2.0 * n * eta)
    third = math.exp(log) if log < 700.0 else math.inf
    return 2.0 * bound / n + min(eta * math.log(n), bound, third)


def two_stage_bounds(
    epsilon: float, delta: float, eta: float, bound: float, n: int, gap: float, start_gap: float
) -> tuple[float, float]:
    r"""Theorem 3: the two parts of the error of two-stage DP-OT, each at its own epsilon.

    ``u1 = gap exp(-gap/eta + 1 + log n) + 4 sqrt(2) |c|/(n epsilon)`` and ``u2 = C' sqrt(tradeoff)`` with
    ``C' = n |c| sqrt((8/eta) nu^(3/(2 eta)))``.

    Args:
        epsilon: privacy parameter of the part, nats.
        delta: additive slack.
        eta: entropic weight; the theorem asks for at most ``min(gap/(1 + log n), 2 |c|/(n log n))``.
        bound: largest cost.
        n: points per sample.
        gap: distance from the best to the second best vertex of the transport polytope.
        start_gap: a0.

    Returns:
        (u1, u2), unit of the cost; inf where a bound leaves float64.

    Source:
        dp_sinkhorn, Theorem 3, (10) and (11).
    """
    log = math.log(gap) - gap / eta + 1.0 + math.log(n) if gap > 0.0 else -math.inf
    first = (math.exp(log) if log < 700.0 else math.inf) + 4.0 * math.sqrt(2.0) * bound / (n * check_epsilon(epsilon))
    inner = start_gap - _log_tradeoff(epsilon, delta, eta, bound, n)
    if inner <= 0.0:
        return first, math.inf
    half = 0.5 * (_log_tradeoff(epsilon, delta, eta, bound, n) + math.log(inner))
    log = math.log(n * bound) + 0.5 * (math.log(8.0 / eta) + 9.0 * bound / eta) + half
    return first, math.exp(log) if log < 700.0 else math.inf


def log_eta_objective(
    eta: float, epsilon: float, delta: float, bound: float, n: int, gap: float, start_gap: float
) -> float:
    r"""Logarithm of (13): ``C1 exp(-gap/eta) + 8 C2 sqrt(nu^(11/eta)/(C3 eta) (a0 + (8/eta) log(eta nu/C3)))``.

    ``C1 = n gap e``, ``C2 = n |c|``, ``C3 = 1/(epsilon - e0)``, ``nu = exp(6 |c|)``; epsilon is the first stage's.
    The bracket can be negative, where the expression is no bound: inf.

    Source: dp_sinkhorn, (13).
    """
    log_c3 = -math.log(epsilon - least_epsilon(epsilon, delta))
    inner = start_gap + 8.0 / eta * (math.log(eta) + 6.0 * bound - log_c3)
    if inner <= 0.0:
        return math.inf
    second = math.log(8.0 * n * bound) + 0.5 * (66.0 * bound / eta - log_c3 - math.log(eta) + math.log(inner))
    first = math.log(n * gap) + 1.0 - gap / eta if gap > 0.0 else -math.inf
    return float(np.logaddexp(first, second))


#: In which eta is looked for by (13), over the largest cost; as much below it.
LARGEST_ETA = 1000.0


def paper_eta(epsilon: float, delta: float, bound: float, n: int, gap: float, start_gap: float) -> tuple[float, float]:
    """Minimise (13) over eta between |c| over `LARGEST_ETA` and |c| times that.

    Its second term falls in eta without end and its first is bounded, so unless the gap is large the minimum is at the
    largest eta: where the plan is nearly a product and its cost nearly independent of the transport problem.

    Args:
        epsilon: privacy parameter of the first stage, nats.
        delta: additive slack.
        bound: largest cost, more than 0.
        n: points per sample.
        gap: distance from the best to the second best vertex, at least 0.
        start_gap: a0, at least 0.

    Returns:
        (eta, log of (13) there). Where the logarithm is large, (13) says nothing about the error.

    Source:
        dp_sinkhorn, (13).
    """
    size = check_number(bound, "bound", 1e-300, 1e300)
    count = check_count(n, "n", 2)

    def objective(log_eta: float) -> float:
        return log_eta_objective(math.exp(log_eta), epsilon, delta, size, count, gap, start_gap)

    grid = np.linspace(math.log(size / LARGEST_ETA), math.log(size * LARGEST_ETA), 200)
    best = int(np.argmin([objective(float(x)) for x in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    found = scipy.optimize.minimize_scalar(objective, bounds=(low, high), method="bounded")
    return math.exp(float(found.x)), float(found.fun)


def _factor(constants: str) -> float:
    return 1.0 if check_constants(constants) == "printed" else 2.0
