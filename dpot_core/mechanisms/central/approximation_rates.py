"""Costs of smoothing, thinning and sampling in Wasserstein distance: the paper's rates, with their constants.

None of this is used for a release; the utility theorems of dp_barycenters rest on it.
"""

from __future__ import annotations

import math

from dpot_core.arguments import check_count, check_number, check_order


def smoothing_bound(sigma: float, d: int, p: float) -> tuple[float, float]:
    r"""Bounds of W_p(mu, mu * N(0, sigma^2 I)): ``sigma (E|Z|^p)^(1/p)``, and the paper's ``sigma (sqrt d + sqrt 2p)``.

    Moving every point by its own noise is one plan, so the moment is a bound for every mu. The paper's form, which it
    states up to a constant, has the constant 1: ``|Z|`` exceeds its mean, at most sqrt d, like a Gaussian.

    Args:
        sigma: standard deviation of each coordinate, unit of the coordinates.
        d: dimension.
        p: order of the distance.

    Returns:
        Both, unit of the coordinates; the first is never more than the second.

    Source:
        dp_barycenters, Lemma C.7.
    """
    scale, count, order = check_number(sigma, "sigma", 0.0, 1e300), check_count(d, "d"), check_order(p)
    # E|Z|^p = 2^(p/2) Gamma((d + p)/2)/Gamma(d/2).
    log = 0.5 * math.log(2.0) + (math.lgamma((count + order) / 2) - math.lgamma(count / 2)) / order
    return scale * math.exp(log), scale * (math.sqrt(count) + math.sqrt(2.0 * order))


def thinning_bound(n: int, m: int, diameter: float, p: float) -> float:
    """W_p between n points and any m of them, equal masses: at most ``D (1 - m/n)^(1/p)``.

    Both share the mass m/n on the points that are kept; the rest travels the diameter at most.

    Args:
        n: number of points.
        m: number of points that are kept, at most n.
        diameter: D, unit of the coordinates.
        p: order of the distance.

    Returns:
        The bound, unit of the coordinates.

    Raises:
        ValueError: if more points are kept than there are.

    Source:
        dp_barycenters, Proposition E.5 and Corollary E.6.
    """
    total, kept = check_count(n, "n"), check_count(m, "m")
    if kept > total:
        raise ValueError(f"m must be at most n = {total}; got {kept}")
    return check_number(diameter, "diameter", 0.0, 1e300) * (1.0 - kept / total) ** (1.0 / check_order(p))


def clustered_bound(n: int, m: int, radius: float, outside: float, p: float, failure: float) -> float:
    r"""W_p^p between a clusterable law of diameter 1 and n draws of it, but for a probability of failure.

    ``(1 - c) ((9^p + 3) sqrt(m/((1 - c - r) n)) + sqrt(log(4/xi)/(2 (1 - c - r) n))) + c + r`` with
    ``r = sqrt(log(4/xi)/(2 n))``, for n at most ``m (2 radius)^(-2p)``.

    **CAUTION** The paper counts a share c of the *support* outside the balls, and uses it as a probability: c is the
    mass outside here.

    Args:
        n: number of draws.
        m: number of balls.
        radius: of the balls, Delta, where the law has diameter 1.
        outside: c, mass outside the balls.
        p: order of the distance.
        failure: xi, in (0, 1).

    Returns:
        The bound, which says nothing where it is 1 or more; inf where ``c + r >= 1`` or n is too large.

    Source:
        dp_barycenters, Proposition E.8 (informally 5.3), after Weed and Bach 2019.
    """
    draws, balls, order = check_count(n, "n"), check_count(m, "m"), check_order(p)
    share = check_number(outside, "outside", 0.0, 1.0)
    log = math.log(4.0 / check_number(failure, "failure", 1e-300, 1.0))
    rest = math.sqrt(log / (2.0 * draws))
    inside = (1.0 - share - rest) * draws
    if inside <= 0.0 or draws > balls * (2.0 * check_number(radius, "radius", 1e-300, 1.0)) ** (-2.0 * order):
        return math.inf
    spread = (9.0**order + 3.0) * math.sqrt(balls / inside) + math.sqrt(log / (2.0 * inside))
    return (1.0 - share) * spread + share + rest
