"""Planar Laplace noise: geo-indistinguishability of one location.

In float64: the promise is that of real numbers, and a release for real is not offered (Andres et al., section 4.2,
bound what rounding on a grid costs; here nothing is rounded on one).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import lambertw

from dpot_core.arguments import Array, as_floats, check_finite, check_number


def planar_laplace_radius(p: ArrayLike, rate: float) -> Array:
    r"""Quantiles of how far planar Laplace noise moves a point: ``r = -(W_{-1}((p - 1)/e) + 1)/rate``.

    The radius has the law ``P[r <= t] = 1 - (1 + rate t) exp(-rate t)``, which is Gamma(2, 1/rate).

    Args:
        p: probabilities in [0, 1).
        rate: nats per unit of length.

    Returns:
        Radii in that unit of length, in the shape of p.

    Raises:
        ValueError: if a probability or the rate is out of range.

    Source:
        Andres, Bordenabe, Chatzikokolakis, Palamidessi 2013, section 4.
    """
    probability = as_floats(p, "p")
    if not ((probability >= 0.0) & (probability < 1.0)).all():
        raise ValueError("p must lie in [0, 1)")
    alpha = check_number(rate, "rate", 1e-12, 1e12)
    # At p = 0 is the branch point of W, where digits are lost; there p = r^2/2 - r^3/3 + ... is turned round.
    first = np.sqrt(2.0 * probability)
    series = first * (1.0 + first / 3.0)
    branch = lambertw((np.maximum(probability, 1e-9) - 1.0) / math.e, k=-1).real
    return np.asarray(np.where(probability < 1e-8, series, -(branch + 1.0)) / alpha)


def planar_laplace(points: ArrayLike, rate: float, rng: np.random.Generator) -> Array:
    r"""Move each point by noise with density ``rate^2/(2 pi) exp(-rate |z|)``.

    Two points at distance d have outputs whose densities differ by ``exp(rate d)`` at most, by the triangle inequality:
    (rate, 0)-d-privacy for the Euclidean distance. The angle is uniform and the radius exact.

    Args:
        points: (n, 2).
        rate: alpha_0, nats per unit of length of the points.
        rng: source of randomness.

    Returns:
        (n, 2), anywhere in the plane: bring them back with ``clamp_to_box``, which costs no privacy.

    Raises:
        ValueError: if points are not in the plane or the rate is out of range.

    Source:
        Andres, Bordenabe, Chatzikokolakis, Palamidessi 2013, Theorem 4.1.
    """
    array = check_finite(points, "points", non_negative=False)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"points must have shape (n, 2); got {array.shape}")
    radius = planar_laplace_radius(rng.random(len(array)), rate)
    angle = rng.uniform(0.0, 2.0 * math.pi, len(array))
    return np.asarray(array + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


def planar_laplace_log_density(z: ArrayLike, rate: float) -> Array:
    """Natural logarithm of the density of the noise.

    Args:
        z: displacements (n, 2).
        rate: nats per unit of length.

    Returns:
        (n,).

    Raises:
        ValueError: if the rate is out of range.

    Source:
        Andres, Bordenabe, Chatzikokolakis, Palamidessi 2013, equation (1).
    """
    alpha = check_number(rate, "rate", 1e-12, 1e12)
    length = np.linalg.norm(as_floats(z, "z"), axis=-1)
    return np.asarray(2.0 * math.log(alpha) - math.log(2.0 * math.pi) - alpha * length)


def clamp_to_box(points: ArrayLike, box: tuple[float, float, float, float]) -> Array:
    """Move points to the nearest point of a public box. Depends on outputs only, so privacy stays as it was.

    Args:
        points: (n, 2).
        box: (x_first, x_last, y_first, y_last), chosen without looking at the data.

    Returns:
        (n, 2), inside the box.

    Raises:
        ValueError: if an interval runs backwards.

    Source:
        Post-processing: Dwork and Roth 2014, Proposition 2.1.
    """
    x0, x1, y0, y1 = check_finite(box, "box", non_negative=False)
    if x1 < x0 or y1 < y0:
        raise ValueError(f"box must be (x_first, x_last, y_first, y_last), ascending; got {box}")
    return np.asarray(np.clip(check_finite(points, "points", non_negative=False), [x0, y0], [x1, y1]))
