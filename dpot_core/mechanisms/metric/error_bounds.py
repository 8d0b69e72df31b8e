"""Bounds on the expected earth mover's distance of frequency estimates on a clustered space."""

from __future__ import annotations

import math

from dpot_core.arguments import EPSILON_RANGE, check_count, check_epsilon, check_number
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.hadamard import HadamardResponse


def unbiased_bound(space: ClusteredSpace, points: float, clusters: float, items: int) -> float:
    r"""``r sqrt(k points/N) + sqrt(s clusters/N)``: error of any unbiased decoder of N independent reports.

    ``points`` and ``clusters`` bound the variance that one report brings, summed over the points and over the
    clusters. Holds for the estimate and for its projection `ClusteredSpace.project`: for both the distance is at most
    ``r ||e||_1 + sum_b |e_b|``, and ``E ||e||_1 <= sqrt(k E ||e||_2^2)``.

    Args:
        space: the clustered space.
        points: variance from one report, summed over points: ``||B||^2 - 1``.
        clusters: the same, summed over clusters: ``||B P||^2 - 1``.
        items: number of reports N.

    Returns:
        A bound on the expected distance, where 1 is the distance between clusters.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Theorem 6.5, equation 8.
    """
    n = check_count(items, "items")
    points, clusters = (check_number(v, name, 0.0, 1e300) for v, name in ((points, "points"), (clusters, "clusters")))
    return space.r * math.sqrt(len(space) * points / n) + math.sqrt(space.clusters * clusters / n)


def gkrr_bound(space: ClusteredSpace, alpha_0: float, items: int) -> float:
    r"""Equation 9, for N reports of `Gkrr` (N = m n users' items).

    ``r sqrt(s t^3/N) (e^a + s)/(e^a - e^((1-r)a)) + sqrt(s^2 t^2/N) sqrt(s + 2(e^a - 1))/(e^a + (t-1) e^((1-r)a) - t)``
    with a = alpha_0.

    Checked: ``||B||^2 - 1 <= (1/a')^2 - 1`` holds; the next line of appendix D.3 is false for ``e^a > t``, but its
    conclusion is true: with ``f = e^((1-r)a)``, ``(f+s-1)^2 + 2 (f+s-1)(e^a-f)/t <= (e^a+s-1)^2``.

    The asymptotic form after Theorem 6.6 rests on ``(e^a + s)/(e^a - e^((1-r)a)) <= s/(r a)``, which is false (it is
    about ``(1 + s)/(r a)`` for small a); it shows the order, not a bound, and is not offered here.

    Args:
        space: the clustered space.
        alpha_0: privacy parameter of one item, nats.
        items: number of reports N.

    Returns:
        A bound on the expected distance, where 1 is the distance between clusters.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Theorem 6.6, equation 9.
    """
    a, n = check_number(alpha_0, "alpha_0", *EPSILON_RANGE), check_count(items, "items")
    s, t, r = space.clusters, space.size, space.r
    # Numerators and denominators divided by e^a, so that no power leaves float64.
    small, near = math.exp(-a), math.exp(-r * a)
    inside = (1.0 + s * small) / -math.expm1(-r * a)
    # (1 - e^-a) + (t-1) (e^(-ra) - e^-a), by expm1.
    across = -math.expm1(-a) + (t - 1) * near * -math.expm1(-(1.0 - r) * a)
    root = math.sqrt(s * small + 2.0 * -math.expm1(-a)) * math.sqrt(small)
    return r * math.sqrt(s * t**3 / n) * inside + s * t / math.sqrt(n) * root / across


def hadamard_bound(space: ClusteredSpace, epsilon_0: float, items: int) -> float:
    r"""Lemma 6.4 with constants: ``r sqrt(k (k C^2 - 1)/N) + sqrt(s (k C (C + 1) - 1)/N)``, C = 1/advantage.

    Points: every entry of the decoder is plus or minus C. Clusters: the report about x has the distribution
    ``(1 + H_(x+1)/C)/K``, so two different entries of one cluster have mean product ``C^2/C`` if their rows multiply to
    row x + 1 and 0 otherwise; each entry has at most one such partner: ``C^2 (t + t/C)`` for each cluster.

    Args:
        space: the clustered space.
        epsilon_0: privacy parameter of one item, nats.
        items: number of reports N.

    Returns:
        A bound on the expected distance, where 1 is the distance between clusters.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Lemma 6.4, where the constants are not given; proven above.
    """
    k = len(space)
    c = 1.0 / HadamardResponse(k, check_epsilon(epsilon_0)).advantage
    return unbiased_bound(space, k * c * c - 1.0, k * c * (c + 1.0) - 1.0, items)


def laplace_bound(space: ClusteredSpace, scale: float) -> float:
    r"""Lemma 6.7 with constants: ``r k b + min(k, s sqrt(2 t)) b`` for Laplace noise of scale b on each entry.

    The distance is at most ``r ||e||_1 + sum_b |e_b|``; ``E |e_x| = b``, and the sum over a cluster has the standard
    deviation ``sqrt(2 t) b``.

    Args:
        space: the clustered space.
        scale: b, as from `laplace_scale`.

    Returns:
        A bound on the expected distance, where 1 is the distance between clusters.

    Raises:
        ValueError: if the scale is out of range.

    Source:
        metric_dp_emd, Lemma 6.7, whose proof uses the 1-norm; proven above.
    """
    b = check_number(scale, "scale", 0.0, 1e300)
    return (space.r * len(space) + min(len(space), space.clusters * math.sqrt(2.0 * space.size))) * b


def sampling_bound(space: ClusteredSpace, users: int) -> float:
    r"""Expected distance between the histogram of one random item per user and that of all items.

    ``(r/2) sqrt(k/n) + ((1 - r)/2) sqrt(s/n)``: entry x has variance at most ``h_x/n``, and the square roots of a
    distribution's entries sum to at most ``sqrt(k)``. Add it to the bound for one report per user.

    Args:
        space: the clustered space.
        users: number of users n.

    Returns:
        A bound, where 1 is the distance between clusters.

    Raises:
        ValueError: if ``users`` is out of range.
    """
    n = check_count(users, "users")
    inside, across = math.sqrt(len(space) / n), math.sqrt(space.clusters / n)
    return 0.5 * space.r * inside + 0.5 * (1.0 - space.r) * across


def crossover_order(k: int, epsilon: float, m: int, delta: float, central: bool = False) -> float:
    r"""The alpha from which the paper expects metric privacy to pay, as an order: its constants are not known.

    Local: ``epsilon sqrt(k)`` if ``epsilon < ln(m/delta)/sqrt(k)``, else ``epsilon^2 k/ln(m/delta)``.
    Central: ``epsilon sqrt(k ln(m/delta))`` if ``epsilon <= sqrt(ln(m/delta)/k)``, else ``epsilon^2 k``.

    Args:
        k: number of points.
        epsilon: user-level privacy parameter, nats.
        m: items of a user.
        delta: additive slack, in (0, 1).
        central: whether one party holds all data.

    Returns:
        Alpha per unit of earth mover's distance.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, remarks on Theorem 6.6 and on Corollary 6.8.
    """
    k, m, epsilon = check_count(k, "k", 2), check_count(m, "m"), check_epsilon(epsilon)
    log = math.log(m / check_number(delta, "delta", 1e-300, 1.0 - 1e-12))
    if central:
        return epsilon * math.sqrt(k * log) if epsilon <= math.sqrt(log / k) else epsilon**2 * k
    return epsilon * math.sqrt(k) if epsilon < log / math.sqrt(k) else epsilon**2 * k / log
