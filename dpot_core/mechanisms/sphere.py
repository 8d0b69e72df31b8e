"""The optimal mechanism on the sphere: a cap around the input with more probability, the rest with less."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import overload

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import (
    Array,
    Rows,
    as_floats,
    check_count,
    check_epsilon,
    check_number,
    check_order,
)
from dpot_core.mechanisms.exact_bernoulli import happens


@dataclass(frozen=True)
class SphereBase:
    """A uniform base measure a sigma on the sphere S^d and the mechanism that it makes, epsilon-LDP for every a.

    For an input x the output has density a e^(epsilon/2) on the cap {y : <x, y> >= threshold} and a e^(-epsilon/2)
    elsewhere, with respect to the uniform distribution sigma.

    Attributes:
        d: dimension of the sphere; it lies in R^(d+1).
        epsilon: privacy parameter in nats.
        p: order of the Wasserstein distance.
        scale: a.
        edge: (1 - t) / 2, a quarter of the squared distance from the input to the cap's edge.
        value: worst-case W_p, the same for every point input; unit radius, straight-line distance.
    """

    d: int
    epsilon: float
    p: float
    scale: float
    edge: float
    value: float

    @property
    def threshold(self) -> float:
        """t, the cosine of the angle between the input and the edge of the cap."""
        return 1.0 - 2.0 * self.edge

    @property
    def angle(self) -> float:
        """Angle between the input and the edge of the cap, radians."""
        return 2.0 * math.asin(math.sqrt(self.edge))

    @property
    def cap_mass(self) -> float:
        """Probability that the output falls into the cap; 1 minus `outside_mass`, which may be less than 1e-16."""
        return 1.0 - self.outside_mass

    @property
    def outside_mass(self) -> float:
        """Probability that the output falls outside the cap: a e^(-epsilon/2) times the share of the sphere there."""
        outside = float(scipy.special.betaincc(self.d / 2, self.d / 2, self.edge))
        return min(self.scale * math.exp(-self.epsilon / 2) * outside, 1.0)

    @property
    def mean_cosine(self) -> float:
        """c = E <x, Y>: the output's mean is c x, so Y/c is an unbiased estimate of x, as PrivUnit releases it."""
        half, v = self.d / 2, self.edge
        # The cap's share of <x, y> is an incomplete Beta integral minus the next one: a single power.
        log = half * (math.log(v) + math.log1p(-v)) - scipy.special.betaln(half, half) - math.log(half)
        return self.scale * 2.0 * math.sinh(self.epsilon / 2) * math.exp(log)

    @property
    def unbiased_error(self) -> float:
        """E |Y/c - x|^2 = 1/c^2 - 1 of the unbiased estimate; of all caps the one for p = 2 has the least.

        At p = 2 the mechanism is PrivUnit's best cap, divided by c or not: ``W_2^2 = E |Y - x|^2 = 2 - 2 c``.

        Source: Asi, Feldman, Talwar 2022 (PrivUnit); wpm_2605.10015, appendix A and H.
        """
        return 1.0 / self.mean_cosine**2 - 1.0

    @overload
    def density(self, cosine: float) -> float: ...
    @overload
    def density(self, cosine: Rows) -> Array: ...
    @overload
    def density(self, cosine: ArrayLike) -> float | Array: ...
    def density(self, cosine: ArrayLike) -> float | Array:
        """Density with respect to sigma at outputs whose cosine with the input is given, any shape."""
        inside = as_floats(cosine, "cosine") >= self.threshold
        values = self.scale * np.where(inside, math.exp(self.epsilon / 2), math.exp(-self.epsilon / 2))
        return float(values) if values.ndim == 0 else values

    def sample(self, x: ArrayLike, rng: np.random.Generator, n: int | None = None) -> Array:
        """One output for each input, or n outputs for one input, for demonstrations.

        Outside the cap has its own probability, however small it is (`outside_mass`), so that it stays possible at
        every epsilon. n outputs for one input spend n epsilon. Draws are floats: which floats are near the sphere
        depends on the input in their last digits, so the promise is that of real numbers, and no release for real is
        offered here.

        Args:
            x: directions, (n, d + 1), or one (d + 1,); divided by their length. What has none, or is not finite,
                counts as the direction of the first axis: nothing is refused because of what an input says.
            rng: source of randomness.
            n: outputs for a single input; None for one.

        Returns:
            Unit vectors, (n, d + 1); (d + 1,) for a single input without n.
        """
        inputs = as_floats(x, "x")
        single = inputs.ndim == 1
        if inputs.ndim not in (1, 2) or inputs.shape[-1] != self.d + 1:
            raise ValueError(f"x must have shape ({self.d + 1},) or (n, {self.d + 1}); got {inputs.shape}")
        if n is not None and not single:
            raise ValueError("n outputs can be drawn for a single input only")
        rows = _directions(np.atleast_2d(inputs))
        if n is not None:
            rows = np.repeat(rows, check_count(n, "n", 0, 10**8), axis=0)
        outputs = self._around(rows, rng)
        return outputs[0] if single and n is None else outputs

    def _around(self, rows: Array, rng: np.random.Generator) -> Array:
        """Height from a Beta distribution cut at the cap's edge, then a uniform direction around the input."""
        half, count, edge = self.d / 2, len(rows), self.edge
        cap = float(scipy.special.betainc(half, half, edge))
        inside = ~happens(np.full(count, self.outside_mass), rng)
        uniform = rng.random(count)
        # v = (1 - cosine) / 2 is Beta(d/2, d/2); small v is near the input.
        near = scipy.special.betaincinv(half, half, uniform * cap)
        far = scipy.special.betainccinv(half, half, uniform * float(scipy.special.betaincc(half, half, edge)))
        v = np.where(inside, np.minimum(near, edge), np.clip(far, edge, 1.0))
        across = rng.standard_normal(rows.shape)
        across -= (across * rows).sum(axis=1, keepdims=True) * rows
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        outputs = (1.0 - 2.0 * v)[:, None] * rows + 2.0 * np.sqrt(v * (1.0 - v))[:, None] * across
        return outputs / np.linalg.norm(outputs, axis=1, keepdims=True)


def _directions(rows: Array) -> Array:
    """Rows of length 1; the first axis where a row has no direction."""
    largest = np.abs(rows).max(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        # First by the largest entry, so that squares neither overflow nor vanish.
        units = rows / largest
        units = units / np.linalg.norm(units, axis=1, keepdims=True)
    lost = ~np.isfinite(units).all(axis=1)
    units[lost] = 0.0
    units[lost, 0] = 1.0
    return np.asarray(units)


def sphere_base(d: int, epsilon: float, p: float = 2.0) -> SphereBase:
    """The optimal base measure a* sigma on the sphere S^d with the straight-line distance.

    a* = 1 / (alpha + (beta - alpha) S(t*)), where t* solves
    (beta - alpha) U(t) + alpha H = g(t) (alpha + (beta - alpha) S(t)),
    with alpha, beta = e^(-+epsilon/2), g(u) = (2 - 2u)^(p/2), S(t) the share of the cap {<x, y> >= t}, U(t) the
    integral of g over it and H over the sphere. Then the worst-case W_p is the distance from the input to the
    cap's edge, sqrt(2 - 2 t*).

    Args:
        d: dimension of the sphere, at least 1 (the circle).
        epsilon: privacy parameter in nats.
        p: order of the Wasserstein distance, at least 1.

    Returns:
        `SphereBase` with `.scale`, `.threshold`, `.value`.

    Source: wpm_2605.10015, Proposition H.1.
    """
    d, epsilon, p = check_count(d, "d", 1, 10_000), check_epsilon(epsilon), check_order(p)
    # In v = (1 - t) / 2, divided by e^(epsilon/2) and by 2^p; both sides grow with v, the right one faster.
    low, gap = math.exp(-epsilon), -math.expm1(-epsilon)
    half, moment = d / 2, math.exp(scipy.special.betaln(d / 2 + p / 2, d / 2) - scipy.special.betaln(d / 2, d / 2))

    def excess(log_v: float) -> float:
        v = math.exp(log_v)
        left = moment * (gap * float(scipy.special.betainc(half + p / 2, half, v)) + low)
        return v ** (p / 2) * (low + gap * float(scipy.special.betainc(half, half, v))) - left

    # Left of this the right side is smaller: it is at most v^(p/2), the left one at least moment low.
    start = (math.log(moment) - epsilon) * 2 / p - 1.0
    v = math.exp(scipy.optimize.brentq(excess, start, 0.0, xtol=1e-14, rtol=1e-14))
    return _with_edge(d, epsilon, p, v)


def sphere_mechanism(d: int, epsilon: float, p: float, scale: float) -> SphereBase:
    """The cap mechanism of the base measure scale sigma, whatever the scale: t follows from the total mass 1.

    Args:
        d: dimension of the sphere.
        epsilon: privacy parameter in nats.
        p: order of the Wasserstein distance.
        scale: mass of the base measure, in (e^(-epsilon/2), e^(epsilon/2)).
    """
    d, epsilon, p = check_count(d, "d", 1, 10_000), check_epsilon(epsilon), check_order(p)
    alpha, beta = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    scale = check_number(scale, "scale", alpha, beta)
    share = min(max((1.0 / scale - alpha) / (beta - alpha), 0.0), 1.0)
    return _with_edge(d, epsilon, p, float(scipy.special.betaincinv(d / 2, d / 2, share)), scale)


def _with_edge(d: int, epsilon: float, p: float, v: float, scale: float | None = None) -> SphereBase:
    """The mechanism whose cap ends at v = (1 - t) / 2."""
    half = d / 2
    alpha, beta = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    if scale is None:
        scale = 1.0 / (alpha + (beta - alpha) * float(scipy.special.betainc(half, half, v)))
    log_moment = scipy.special.betaln(half + p / 2, half) - scipy.special.betaln(half, half)
    share = alpha + (beta - alpha) * float(scipy.special.betainc(half + p / 2, half, v))
    value = 2.0 * math.exp((math.log(scale) + log_moment + math.log(share)) / p)
    return SphereBase(d, epsilon, p, scale, v, value)
