"""KPM around a public prior: a sampler for inputs within a factor of a distribution that everybody knows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import EPSILON_RANGE, Array, check_epsilon, check_number, check_weights
from dpot_core.distributions.divergences import DIVERGENCES, two_point_divergence
from dpot_core.mechanisms.kl_projection import kl_projection
from dpot_core.privacy.gaussian_promises import certify_gaussian
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import Bracket

#: Shares of mass that differ by less count as equal.
_ROUNDING = 1e-12


def kl_projection_near_prior(mu: ArrayLike, prior: ArrayLike, epsilon: float, gamma: float = math.inf) -> Array:
    """argmin of KL(P || nu) over {b P0 <= nu <= b e^epsilon P0}: clip(P / r, ...), made for P0/gamma <= P <= gamma P0.

    Where points can be parted into sets of equal mass a, no epsilon-LDP mechanism has a smaller largest D_f over these
    inputs, for any f. Where a few points hold most of P0, it is not so: around (.5, .3, .2) with gamma = 4 and
    epsilon = 1 KPM with its uniform base is nearer in the worst case. `worst_case_near_prior` says how near this is.

    b = 1 / (a e^epsilon + 1 - a), where a is the mass of P0 that an input can raise to its limit while all else is at
    its lowest: see `minimax_base_near_prior`. Private for every input, near the prior or not, because all outputs lie
    in one `Polytope`. gamma says what it is made for: an input farther away is released less faithfully. Mass of an
    input where the prior has none is lost.

    Around the uniform prior with gamma >= k - 1 this is KPM with its minimax base. With gamma <= e^(epsilon/2) it is
    the relative mollifier, and every input within that factor is its own output.

    Args:
        mu: inputs, (k,) or (n, k).
        prior: P0, (k,), public weights.
        epsilon: privacy parameter in nats.
        gamma: the factor, at least 1; infinite for all inputs.

    Returns:
        Output distributions, the shape of mu.

    Source: Ghoukasian, Lee and Asoodeh 2025 (arXiv 2510.09485), the pure sampler; masses that no set of points has,
        and gamma that is no whole number, are our own.
    """
    return kl_projection(mu, Polytope(minimax_base_near_prior(prior, epsilon, gamma), epsilon))


def minimax_base_near_prior(prior: ArrayLike, epsilon: float, gamma: float = math.inf) -> Array:
    """Base measure e^(epsilon/2) P0 / (a e^epsilon + 1 - a), a = max(min P0, 1 / (max(gamma, e^(epsilon/2)) + 1)).

    **Upper bound.** Inputs have c1 P0 <= P <= c2 P0 with c1 = 1/gamma and c2 = c1 + (1 - c1) / a: the least likely
    point has min P0, and its input at most 1 - c1 (1 - min P0). The mixture g P + (1 - g) P0 with g = (e^epsilon - 1) /
    (e^epsilon - 1 + 1/a) / (1 - c1) lies between the bounds (where g > 1, all inputs do), and the ratio of P to it is
    at least r1 = c1 / b and at most r2 = c2 / (b e^epsilon). As f is convex, D_f <= R(r1, r2), the two-point value; the
    projection on the polytope is at least as near for every f.

    **No mechanism does better** where a random set A of points has mass P0(A) = a for sure and holds each point with
    probability a. Outputs of an epsilon-LDP mechanism lie in [l, e^epsilon l] for some measure l; its output for the
    input that is raised on A has at A at most min(e^epsilon l(A), 1 - l(A^c)), on average over A at most
    min(a e^epsilon L, 1 - (1 - a) L) <= a e^epsilon b, for any mass L of l. So some A has no more, and D_f of the two
    masses, A and its complement, is at least R. Such sets exist for the uniform prior if a k is a whole number, and
    wherever points can be parted into sets of equal mass a. On other finite spaces the value is at most R, and another
    base may be better; on a continuum they always exist.

    Args:
        prior: P0, (k,), public weights.
        epsilon: privacy parameter in nats.
        gamma: the factor, at least 1; infinite for all inputs.

    Returns:
        (k,), proportional to the prior.

    Source: Ghoukasian, Lee and Asoodeh 2025 (arXiv 2510.09485); minimax_ldp_sampling, Theorem 3.3, whose proof the
        bounds follow with h = P0, c1 = 1/gamma, c2 = gamma.
    """
    shape, epsilon, share = _shape(prior, epsilon, gamma)
    # Divided by e^epsilon, so that no power leaves float64.
    return shape * (math.exp(-epsilon / 2) / (share + (1.0 - share) * math.exp(-epsilon)))


def worst_case_near_prior(name: str, prior: ArrayLike, epsilon: float, gamma: float = math.inf) -> Bracket:
    """The largest D_f(P || nu) of `kl_projection_near_prior` over all P with P0 / gamma <= P <= gamma P0.

    At most R(r1, r2) with r1 = b^-1 / gamma and r2 = (1/gamma + (1 - 1/gamma) / a) / (b e^epsilon), 0 if r1 >= 1; the
    proof is in `minimax_base_near_prior`. That is the value if some points have mass a together. Otherwise the lower
    end is what an input attains that raises points whose mass is nearly a. For the uniform prior and a whole number
    gamma + 1 that divides k: r1 = (e^epsilon + gamma) / (gamma (gamma + 1)), r2 = r1 gamma^2 / e^epsilon.

    Args:
        name: "kl" (nats), "tv", "hellinger" (squared, 1 - sum sqrt(pq)) or "chi2".
        prior: P0, (k,), public weights.
        epsilon: privacy parameter in nats.
        gamma: the factor, at least 1; infinite for all inputs.

    Returns:
        (at_least, at_most), in the divergence's unit; both are the same where the value is known.

    Source: Ghoukasian, Lee and Asoodeh 2025 (arXiv 2510.09485), whose figures for finite spaces use this value.
    """
    shape, epsilon, share = _shape(prior, epsilon, gamma)
    least = 1.0 / gamma
    inverse = share + (1.0 - share) * math.exp(-epsilon)  # 1 / (b e^epsilon)
    lowest = least * (share * math.exp(epsilon) + 1.0 - share)
    if lowest >= 1.0:
        return Bracket(0.0, 0.0)
    at_most = two_point_divergence(name, lowest, max((least + (1.0 - least) / share) * inverse, 1.0))
    fitted, left = _fitted(shape, gamma)
    if left <= _ROUNDING or not fitted:  # not one fits: then the least likely point is raised alone, as far as it can
        return Bracket(at_most, at_most)
    inputs = corners_near_prior(shape, gamma)
    attained = DIVERGENCES[name](inputs, kl_projection_near_prior(inputs, shape, epsilon, gamma))
    return Bracket(min(float(np.max(attained)), at_most), at_most)


def gaussian_epsilon_near_prior(mu: float, prior: ArrayLike, gamma: float = math.inf) -> float:
    """The largest epsilon for which all outputs of `kl_projection_near_prior` are mu-Gaussian-private, on that side.

    The corner of its polytope (`certify_gaussian`) has hits x = a e^epsilon b and false alarms y = a b; both move apart
    as epsilon grows, so that halving finds it. No mu-GDP mechanism has a smaller worst case near the prior, where it
    can be parted into sets of equal mass a: of the input that is raised on one of n = 1/a sets, that set has at most x
    and each other one (1 - x) / (n - 1) on average over all orders of the sets, which is y.

    Args:
        mu: of N(0, 1) and N(mu, 1), positive.
        prior: P0, (k,), public weights.
        gamma: the factor, at least 1; infinite for all inputs.

    Raises:
        ValueError: if even the least epsilon, 1e-9, is too much.

    Source: Ghoukasian, Lee and Asoodeh 2025 (arXiv 2510.09485), whose linear sampler has the same worst case, and no
        smaller divergence of any input; Dong, Roth and Su 2022 for mu-GDP.
    """
    mu = check_number(mu, "mu", 0.0, math.inf)

    def kept(epsilon: float) -> bool:
        return certify_gaussian(Polytope(minimax_base_near_prior(prior, epsilon, gamma), epsilon)) <= mu

    low, high = EPSILON_RANGE
    if not kept(low):
        raise ValueError(f"mu must be larger: mu = {mu:g} is not kept at the least epsilon, {low:g}")
    if kept(high):
        return high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low


def corners_near_prior(prior: ArrayLike, gamma: float) -> Array:
    """Three inputs at corners of {P0 / gamma <= P <= gamma P0}: at most one point lies between its limits, (3, k).

    The worst case of a convex loss is at a corner. Here points are raised that fit together, the likeliest, and the
    least likely.

    Args:
        prior: P0, (k,), public weights.
        gamma: the factor, at least 1; infinite for all inputs.
    """
    shape, _, _ = _shape(prior, 1.0, gamma)
    least = 1.0 / gamma
    falling = np.argsort(-shape, kind="stable")[: np.count_nonzero(shape)]
    fitted, _ = _fitted(shape, gamma)
    others = falling[~np.isin(falling, fitted)][::-1]
    inputs = np.tile(least * shape, (3, 1))
    for row, order in zip(inputs, (np.array([*fitted, *others], dtype=np.intp), falling, falling[::-1]), strict=True):
        room = (gamma - least) * shape[order]
        before = np.concatenate([[0.0], np.cumsum(room)[:-1]])
        row[order] += np.clip(1.0 - least - before, 0.0, room)
    return np.asarray(inputs / inputs.sum(axis=1, keepdims=True))


def _shape(prior: ArrayLike, epsilon: float, gamma: float) -> tuple[Array, float, float]:
    """The prior as a distribution, epsilon, and the mass a."""
    weights, epsilon = check_weights(prior, "prior"), check_epsilon(epsilon)
    shape = weights / weights.max()
    shape = shape / shape.sum()
    factor = max(check_number(gamma, "gamma", 1.0, math.inf), math.exp(epsilon / 2))
    return shape, epsilon, max(float(shape[shape > 0].min()), 1.0 / (factor + 1.0))


def _fitted(shape: Array, gamma: float) -> tuple[list[int], float]:
    """Points that can be raised to gamma together, large ones first, and what is left to raise others with."""
    least = 1.0 / gamma
    fitted, left = [], 1.0 - least
    for point in np.argsort(-shape, kind="stable").tolist():
        room = (gamma - least) * shape[point] if shape[point] > 0 else math.inf
        if room <= left * (1 + _ROUNDING):
            fitted.append(point)
            left = max(left - room, 0.0)
    return fitted, left
