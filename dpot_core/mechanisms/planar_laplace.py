"""Planar Laplace noise: geo-indistinguishability of one location.

In float64: the promise is that of real numbers, and a release for real is not offered (Andres et al., section 4.2,
bound what rounding on a grid costs; here nothing is rounded on one).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, as_floats, check_finite, check_number

# From here on 1 - (1 + r) exp(-r) is 1 in float64.
_FAR = 50.0


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
    branch = scipy.special.lambertw((np.maximum(probability, 1e-9) - 1.0) / math.e, k=-1).real
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


def planar_laplace_kernel(xs: ArrayLike, ys: ArrayLike, rate: float) -> Array:
    r"""Probabilities with which planar Laplace noise ends nearest to each point of a grid, from each point of it.

    Its nearest point is found along each axis alone, so that cells are rectangles, those at the edge without an end.
    Over a rectangle from the origin to (a, b) the density has, with ``G(r) = 1 - (1 + rate r) exp(-rate r)`` and the
    angle ``phi = atan(b / a)`` of its corner, the mass

    ``F(a, b) = (int_0^phi G(a / cos t) dt + int_0^(pi/2 - phi) G(b / cos t) dt) / (2 pi)``,

    by Gauss's rule with 192 points. Choosing the nearest point is post-processing: the promise is that of the noise.

    Args:
        xs: ascending, (n,).
        ys: ascending, (m,).
        rate: nats per unit of length.

    Returns:
        Row by row as of `grid`, x first, (n m, n m). Rounding and quadrature err by less than 1e-9.

    Raises:
        ValueError: if an axis does not ascend or the rate is out of range.

    Source:
        Andres, Bordenabe, Chatzikokolakis, Palamidessi 2013, sections 4 and 5.
    """
    alpha = check_number(rate, "rate", 1e-12, 1e12)
    east, north = _to_edges(xs, "xs"), _to_edges(ys, "ys")
    (a, column), (b, row) = (np.unique(np.abs(side), return_inverse=True) for side in (east, north))
    corners = np.array([_quadrant(alpha * one, alpha * b) for one in a])
    signed = corners[column][:, :, row] * (np.sign(east)[:, :, None, None] * np.sign(north))
    mass = np.diff(np.diff(signed, axis=1), axis=3)  # from x to x', from y to y', (n, n, m, m)
    k = east.shape[0] * north.shape[0]
    kernel = np.maximum(mass.transpose(2, 0, 3, 1).reshape(k, k), 0.0)
    return np.asarray(kernel / kernel.sum(axis=1, keepdims=True))


def _to_edges(axis: ArrayLike, name: str) -> Array:
    """From each point of an axis to the edges of all cells: half way between points, and without end, (n, n + 1)."""
    points = check_finite(axis, name, non_negative=False)
    if points.ndim != 1 or points.size == 0 or (np.diff(points) <= 0.0).any():
        raise ValueError(f"{name} must be ascending, (n,); got {points}")
    return np.concatenate([[-np.inf], 0.5 * (points[1:] + points[:-1]), [np.inf]]) - points[:, None]


def _quadrant(a: float, b: Array) -> Array:
    """F for the rate 1 and for sides b, (n,)."""
    angle = np.arctan2(b, a)
    return (_under(a, angle) + _under(b, 0.5 * math.pi - angle)) / (2.0 * math.pi)


@cache
def _gauss_legendre() -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(192)
    return nodes, weights


def _under(side: float | Array, angle: Array) -> Array:
    """``int_0^angle G(side / cos t) dt``, (n,), by ``1 / cos t = cosh s``: near a right angle that spreads it out."""
    end = np.arcsinh(np.tan(angle))
    nodes, weights = _gauss_legendre()
    stretch = np.cosh(0.5 * end[:, None] * (nodes + 1.0))
    radius = np.minimum(np.broadcast_to(side, angle.shape)[:, None] * stretch, _FAR)
    return np.asarray(0.5 * end * (((1.0 - (1.0 + radius) * np.exp(-radius)) / stretch) @ weights))
