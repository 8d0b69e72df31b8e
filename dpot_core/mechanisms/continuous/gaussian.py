"""Mixtures of Gaussians of one variance whose means lie in an interval or a disc: densities, envelopes, exact draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import SUM_TOLERANCE, Array, check_count, check_finite, check_number, check_weights
from dpot_core.mechanisms.continuous.envelopes import Domain, Envelope, as_domain, build_envelope
from dpot_core.mechanisms.continuous.families import DensityFamily
from dpot_core.mechanisms.continuous.flat_tops import draw_in_plane, draw_on_line

_PLANE = Domain(((-math.inf, math.inf), (-math.inf, math.inf)))
# Beyond this many standard deviations a Gaussian is below 1e-22 of its peak.
_REACH = 10.0
# Points times components that are evaluated in one array.
_AT_ONCE = 100_000
_MOST_DEVIATIONS = 60.0


@dataclass(frozen=True, eq=False)
class GaussianMixture:
    """The density sum_i w_i N(mean_i, variance I), cut to a domain and normalised there.

    Attributes:
        means: (m,) on the line, (m, 2) in the plane.
        weights: (m,), summing to 1.
        variance: of every component, in each coordinate.
        domain: interval, or the whole plane.
        inside: mass of the mixture in the domain before it is cut.
    """

    means: Array
    weights: Array
    variance: float
    domain: Domain
    inside: float

    def __call__(self, points: ArrayLike) -> Array:
        """Values at points (n,) or (n, 2)."""
        x = np.asarray(points, dtype=np.float64)
        scale = -0.5 / self.variance
        weights = self.weights * ((2.0 * math.pi * self.variance) ** (-self.domain.dimension / 2) / self.inside)
        if self.domain.dimension == 2:
            total = np.zeros(len(x))
            first, second = np.ascontiguousarray(x[:, 0]), np.ascontiguousarray(x[:, 1])
            for (a, b), weight in zip(self.means, weights, strict=True):
                total += weight * np.exp(((first - a) ** 2 + (second - b) ** 2) * scale)
            return total
        (low, high) = self.domain.bounds[0]
        if len(x) * len(weights) <= _AT_ONCE:
            total = np.exp((x[:, None] - self.means) ** 2 * scale) @ weights
        else:
            total = np.zeros(len(x))
            for mean, weight in zip(self.means, weights, strict=True):
                total += weight * np.exp((x - mean) ** 2 * scale)
        return np.where((x >= low) & (x <= high), total, 0.0)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n points: a component by weight, a Gaussian, again if it falls outside the domain."""
        kept: list[Array] = []
        missing = n
        while missing > 0:
            component = rng.choice(len(self.weights), int(1.1 * missing / self.inside) + 16, p=self.weights)
            means = self.means[component]
            points = means + math.sqrt(self.variance) * rng.standard_normal(means.shape)
            kept.append(points[self.domain.contains(points)][:missing])
            missing -= len(kept[-1])
        return np.concatenate(kept) if kept else self.means[:0]


@dataclass(frozen=True, eq=False, init=False)
class GaussianFamily(DensityFamily):
    """All mixtures of Gaussians of one variance whose means lie within a radius of 0.

    On top of what a `DensityFamily` has:

    Attributes:
        variance: of every component, in each coordinate.
        radius: largest distance of a mean from 0.
        modes: how many modes `ring()` has.
    """

    variance: float
    radius: float
    modes: int

    def mixture(self, means: ArrayLike, weights: ArrayLike | None = None) -> GaussianMixture:
        """A member of the family.

        Args:
            means: (m,) on the line, (m, 2) in the plane, each within the radius.
            weights: (m,), summing to 1; equal when None.

        Raises:
            ValueError: if a mean lies outside the radius (the message says which and how large the radius would have
                to be), or the weights are no distribution. This builds an input where the data are and is no part of
                a mechanism: whether it raised is not to be published.
        """
        places = check_finite(means, "means", non_negative=False)
        flat = self.domain.dimension == 1
        if places.ndim != (1 if flat else 2) or not len(places) or (not flat and places.shape[1] != 2):
            raise ValueError(f"means must have shape {'(m,)' if flat else '(m, 2)'}; got {places.shape}")
        shares = check_weights(np.full(len(places), 1.0 / len(places)) if weights is None else weights, "weights")
        if len(shares) != len(places):
            raise ValueError(f"{len(places)} means need as many weights; got {len(shares)}")
        if abs(shares.sum() - 1.0) > SUM_TOLERANCE:
            raise ValueError(f"weights must sum to 1; they sum to {shares.sum():.12g}")
        distance = np.abs(places) if flat else np.hypot(places[:, 0], places[:, 1])
        if distance.max() > self.radius * (1 + 1e-12):
            worst = int(np.argmax(distance))
            raise ValueError(
                f"mean {worst} ({_place(places[worst])}) is {distance[worst]:.6g} from 0, but the family holds means "
                f"within {self.radius:g} only: a family of radius {_up(distance[worst]):g} would hold it"
            )
        shares = shares / shares.sum()
        inside = 1.0
        if flat:
            inside = float(shares @ _mass_inside(places, math.sqrt(self.variance), self.domain))
        return GaussianMixture(places, shares, self.variance, self.domain, inside)

    def ring(self, modes: int | None = None) -> GaussianMixture:
        """Equal weights at equally spaced means on the circle of the family's radius, one of them at (radius, 0).

        Args:
            modes: how many; the family's own number when None.
        """
        if self.domain.dimension == 1:
            raise ValueError("a ring needs a family in the plane")
        count = self.modes if modes is None else check_count(modes, "modes", 1, 100_000)
        angle = 2.0 * np.pi * np.arange(count) / count
        # A hair inside, so that rounding of cosines does not leave the family.
        return self.mixture(self.radius * (1 - 1e-15) * np.column_stack([np.cos(angle), np.sin(angle)]))


def gaussian_mixture_family(
    variance: float = 1.0,
    radius: float = 1.0,
    domain: Sequence[float] = (-4.0, 4.0),
    dimension: int = 1,
) -> GaussianFamily:
    """Mixtures of Gaussians with means within a radius of 0: on an interval, cut and normalised, or in the whole plane.

    c1 = 0, c2 h(x) = exp(-max(|x| - radius, 0)^2 / (2 variance)) / (largest normaliser of a component): on the line
    sqrt(2 pi variance) times the least mass of a component inside the domain, in the plane 2 pi variance.

    Args:
        variance: of every component, in each coordinate; positive.
        radius: largest distance of a mean from 0; positive.
        domain: the interval, for dimension 1; the plane has none.
        dimension: 1 or 2.

    Source: minimax_ldp_sampling, equation (211) and appendix F.3; the defaults are those of Fig. 4.
    """
    variance, radius = check_number(variance, "variance", 1e-8, 1e8), check_number(radius, "radius", 1e-8, 1e8)
    if check_count(dimension, "dimension", 1, 2) == 2:
        return _planar(variance, radius, variance, modes=1)
    interval = _interval(domain)
    deviation = math.sqrt(variance)
    least = float(_mass_inside(np.array([-radius, radius]), deviation, interval).min())
    if least < 1e-12:
        raise ValueError(f"a mean {radius:g} from 0 leaves no mass on the domain {interval.bounds[0]}")
    height = 1.0 / (math.sqrt(2.0 * math.pi * variance) * least)
    (low, high) = interval.bounds[0]

    def h(x: Array) -> Array:
        return height * np.exp(np.maximum(np.abs(x) - radius, 0.0) ** 2 * (-0.5 / variance))

    def sampler(n: int, rng: np.random.Generator) -> Array:
        return draw_on_line(n, rng, radius, deviation, (low, high))

    inner = (max(low, -radius - _REACH * deviation), min(high, radius + _REACH * deviation))
    ends = [end for end in (-radius, radius) if inner[0] < end < inner[1]]
    edges = _steps([low, inner[0], *ends, inner[1], high], deviation / 2)
    return _family(h, interval, sampler, edges, variance, radius)


def gaussian_ring_family(
    modes: int = 3, variance: float = 0.5, radius: float = 1.0, envelope: str = "paper"
) -> GaussianFamily:
    """The family of the Gaussian ring: all mixtures in the plane with means in a disc; `ring()` is the ring itself.

    c1 = 0, c2 h(x) = exp(-max(||x|| - radius, 0)^2 / (2 variance)) / (2 pi variance).

    Args:
        modes: of the ring, at equal angles on the circle.
        variance: of every component, in each coordinate; positive.
        radius: of the disc and of the circle.
        envelope: "paper" for the formula above; "authors" for what their program computes: 2 sqrt(variance) in place
            of 2 variance, which is looser, and valid for a variance of at most 1.

    Source: minimax_ldp_sampling, Fig. 1 and appendix F.3.
    """
    modes = check_count(modes, "modes", 1, 100_000)
    variance, radius = check_number(variance, "variance", 1e-8, 1e8), check_number(radius, "radius", 1e-8, 1e8)
    if envelope not in ("paper", "authors"):
        raise ValueError(f"envelope must be 'paper' or 'authors'; got {envelope!r}")
    if envelope == "authors" and variance > 1.0:
        raise ValueError(f"the authors' envelope is no bound for a variance above 1; got {variance:g}")
    return _planar(variance, radius, variance if envelope == "paper" else math.sqrt(variance), modes)


def gaussian_reference(variance: float = 1.0, domain: Sequence[float] = (-4.0, 4.0), dimension: int = 1) -> Envelope:
    """The density of N(0, variance I), cut to an interval or in the whole plane: a reference for the mollifier.

    Args:
        variance: in each coordinate; positive.
        domain: the interval, for dimension 1; the plane has none.
        dimension: 1 or 2.

    Source: minimax_ldp_sampling, equation (212): the defaults.
    """
    variance = check_number(variance, "variance", 1e-8, 1e8)
    deviation, scale = math.sqrt(variance), -0.5 / variance
    if check_count(dimension, "dimension", 1, 2) == 2:
        return build_envelope(
            lambda x: np.exp((x[:, 0] ** 2 + x[:, 1] ** 2) * scale),
            _PLANE,
            lambda n, rng: draw_in_plane(n, rng, 0.0, deviation),
            _steps([0.0, _REACH * deviation], deviation),
        )
    interval = _interval(domain)
    (low, high) = interval.bounds[0]
    inner = (max(low, -_REACH * deviation), min(high, _REACH * deviation))
    return build_envelope(
        lambda x: np.exp(x**2 * scale),
        interval,
        lambda n, rng: draw_on_line(n, rng, 0.0, deviation, (low, high)),
        _steps([low, *inner, high], deviation / 2),
    )


def _interval(domain: Domain | Sequence[float]) -> Domain:
    interval = as_domain(domain)
    if interval.dimension != 1 or not interval.is_bounded:
        raise ValueError(f"domain must be a bounded interval (low, high); got {domain!r}")
    if not interval.bounds[0][0] < 0.0 < interval.bounds[0][1]:
        raise ValueError(f"domain must hold 0, around which the means lie; got {domain!r}")
    return interval


def _planar(variance: float, radius: float, spread: float, modes: int) -> GaussianFamily:
    """The plane's family with an envelope whose tails have the variance ``spread``."""
    deviation = math.sqrt(spread)
    if radius > _MOST_DEVIATIONS * min(deviation, math.sqrt(variance)):
        raise ValueError(
            f"in the plane the radius may be at most {_MOST_DEVIATIONS:g} standard deviations, so that the quadrature "
            f"sees every component; got radius {radius:g} and variance {variance:g}"
        )

    def h(x: Array) -> Array:
        distance = np.sqrt(x[:, 0] ** 2 + x[:, 1] ** 2)
        return np.exp(np.maximum(distance - radius, 0.0) ** 2 * (-0.5 / spread)) / (2.0 * math.pi * variance)

    def sampler(n: int, rng: np.random.Generator) -> Array:
        return draw_in_plane(n, rng, radius, deviation)

    width = min(math.sqrt(variance), deviation)
    edges = _steps([0.0, radius, radius + _REACH * deviation], width)
    return _family(h, _PLANE, sampler, edges, variance, radius, modes)


def _family(
    h: Any, domain: Domain, sampler: Any, edges: Array, variance: float, radius: float, modes: int = 1
) -> GaussianFamily:
    family = GaussianFamily(0.0, 1.0, h, domain, sampler=sampler, edges=edges)
    for name, value in (("variance", variance), ("radius", radius), ("modes", modes)):
        object.__setattr__(family, name, value)
    return family


def _mass_inside(means: Array, deviation: float, domain: Domain) -> Array:
    low, high = domain.bounds[0]
    return np.asarray(scipy.special.ndtr((high - means) / deviation) - scipy.special.ndtr((low - means) / deviation))


def _steps(ends: list[float], width: float) -> Array:
    """Edges from end to end, steps of at most this width, at most a few thousand between two ends."""
    edges = [np.array([ends[0]])]
    for start, end in pairwise(ends):
        if end > start:
            count = min(math.ceil((end - start) / width), 4000)
            edges.append(np.linspace(start, end, count + 1)[1:])
    return np.concatenate(edges)


def _place(place: Any) -> str:
    return ", ".join(f"{value:.6g}" for value in np.atleast_1d(place))


def _up(value: float) -> float:
    """A radius with few digits that is not below the value, which may be as large as floats are."""
    if not value < 1e12:
        return value
    return math.ceil(value * 1e3 - 1e-9) / 1e3
