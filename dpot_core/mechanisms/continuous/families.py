"""Families of densities that lie between two multiples of a public one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, Rows, as_floats, check_epsilon, check_number
from dpot_core.distributions.divergences import two_point_divergence
from dpot_core.mechanisms.continuous.envelopes import Domain, Envelope, Sampler, build_envelope

# Below this relative distance c1 or c2 counts as 1: the family has one member.
_SINGLE = 1e-12


@dataclass(frozen=True, eq=False, init=False)
class DensityFamily:
    """All densities p with c1 h <= p <= c2 h on a domain, on the line or in the plane.

    Any h with a finite integral H is divided by it, and c1, c2 multiplied, which leaves the family as it is.

    All of it is public, and the caller who gives h answers for its integral: h has to be smooth over the panels of the
    quadrature. Privacy does not ask that an input is a member (see `PrivateDensity`); how useful the output is does.

    Args:
        c1: lower multiple, not negative.
        c2: upper multiple.
        h: function of points, (n,) on the line or (n, 2) in the plane, to values (n,), finite and not negative; or an
            `Envelope`, which has domain, sampler and edges of its own.
        domain: (low, high), infinite ends allowed; ((x0, x1), (y0, y1)); or a plane with four infinite ends.
        sampler: sampler(n, rng) draws from h / H exactly. Without one, bounded domains are drawn by rejection from the
            uniform distribution.
        edges: places along the line (from the origin outwards in the whole plane) where panels of the quadrature begin
            and end; panels are halved as needed.

    Attributes:
        c1: lower multiple of the normalised h, at most 1.
        c2: upper multiple of the normalised h, at least 1.
        mass: H, the integral of h as it was given.

    Raises:
        ValueError: if h cannot be integrated, or no density fits between c1 h and c2 h.

    Source: minimax_ldp_sampling, equations (9) and (10).
    """

    c1: float
    c2: float
    envelope: Envelope

    def __init__(
        self,
        c1: float,
        c2: float,
        h: Callable[[Array], Array] | Envelope,
        domain: Domain | Sequence[Any],
        *,
        sampler: Sampler | None = None,
        edges: ArrayLike | None = None,
    ) -> None:
        low, high = (float(as_floats(value, name)) for value, name in ((c1, "c1"), (c2, "c2")))
        if not 0.0 <= low <= high < math.inf:
            raise ValueError(f"0 <= c1 <= c2 is required, both finite; got c1 = {low:g}, c2 = {high:g}")
        if not (isinstance(h, Envelope) or callable(h)):
            raise ValueError(f"h must be a function of points; got {h!r}")
        shape = h if isinstance(h, Envelope) else build_envelope(h, domain, sampler, edges)
        low, high = low * shape.mass, high * shape.mass
        if low > 1.0 + _SINGLE or high < 1.0 - _SINGLE:
            raise ValueError(
                f"the family is empty: densities have integral 1, but c1 h has {low:.6g} and c2 h has {high:.6g}"
            )
        for name, value in (("c1", min(low, 1.0)), ("c2", max(high, 1.0)), ("envelope", shape)):
            object.__setattr__(self, name, value)

    @property
    def domain(self) -> Domain:
        """Where the densities live."""
        return self.envelope.domain

    @property
    def mass(self) -> float:
        """Integral of h as it was given."""
        return self.envelope.mass

    @overload
    def h(self, points: float) -> float: ...
    @overload
    def h(self, points: Rows) -> Array: ...
    @overload
    def h(self, points: ArrayLike) -> float | Array: ...
    def h(self, points: ArrayLike) -> float | Array:
        """The normalised h at points: any shape on the line, (..., 2) in the plane."""
        return on_points(self.envelope.density, points, self.domain.dimension)

    def is_trivial(self, epsilon: float) -> bool:
        """Whether releasing a draw from P itself is epsilon-LDP: one member only, or c2 <= c1 e^epsilon."""
        single = self.c1 >= 1.0 - _SINGLE or self.c2 <= 1.0 + _SINGLE
        return single or (self.c1 > 0.0 and math.log(self.c2 / self.c1) <= check_epsilon(epsilon))

    def level(self, epsilon: float) -> float:
        """b e^(epsilon/2): outputs lie between e^(-epsilon/2) and e^(epsilon/2) times this multiple of h."""
        half = check_epsilon(epsilon) / 2
        width = self.c2 - self.c1
        # Numerator and denominator of b multiplied by e^(epsilon/2), in a form that loses no digits.
        return width / (2.0 * math.sinh(half) * (1.0 - self.c1) + width * math.exp(-half))

    def ratios(self, epsilon: float) -> tuple[float, float]:
        """(r1, r2) = (c1/b, c2/(b e^epsilon)): p/q lies between them in the worst case; (1, 1) if trivial."""
        if self.is_trivial(epsilon):
            return 1.0, 1.0
        level, half = self.level(epsilon), epsilon / 2
        return self.c1 / (level * math.exp(-half)), self.c2 / level * math.exp(-half)

    def worst_case(self, name: str, epsilon: float) -> float:
        """R: the largest D_f(P || Q) of the best epsilon-LDP mechanism over the family; 0 if trivial.

        Args:
            name: "kl" (nats), "tv", "hellinger" (squared, 1 - integral sqrt(pq)) or "chi2".
            epsilon: privacy parameter in nats.

        Source: minimax_ldp_sampling, Theorem 3.3.
        """
        lowest, largest = self.ratios(epsilon)
        return two_point_divergence(name, min(lowest, 1.0), max(largest, 1.0))


def prior_family(
    prior: Callable[[Array], Array] | Envelope,
    gamma: float,
    domain: Domain | Sequence[Any],
    *,
    sampler: Sampler | None = None,
    edges: ArrayLike | None = None,
) -> DensityFamily:
    """All densities p within a factor of a public one: P0 / gamma <= p <= gamma P0, a family with c1 = 1/gamma.

    KPM is then between b P0 and b e^epsilon P0 with b = (gamma + 1) / (gamma + e^epsilon), the best for every
    f-divergence; inputs are released as they are if gamma <= e^(epsilon/2). Where gamma + 1 is no whole number this
    needs no rounding: a density has sets of any mass.

    Args:
        prior: P0, a function of points as h of `DensityFamily`; it is divided by its integral.
        gamma: the factor, at least 1. Mixtures of Laplace densities of scale s with centres within r (in 1-norm) of
            that of the prior have e^(r/s).
        domain: see `DensityFamily`.
        sampler: see there.
        edges: see there.

    Raises:
        ValueError: if the prior cannot be integrated, or gamma is less than 1.

    Source: Ghoukasian, Lee and Asoodeh 2025 (arXiv 2510.09485); minimax_ldp_sampling, Theorem 3.3.
    """
    gamma = check_number(gamma, "gamma", 1.0, 1e300)
    mass = DensityFamily(0.0, 1e300, prior, domain, sampler=sampler, edges=edges).mass
    return DensityFamily(1.0 / (gamma * mass), gamma / mass, prior, domain, sampler=sampler, edges=edges)


def on_points(function: Callable[[Array], Array], points: ArrayLike, dimension: int) -> float | Array:
    """Call a function of (n,) or (n, 2) points with points of any leading shape; a single point gives a float."""
    x = as_floats(points, "x")
    if dimension == 2 and (x.ndim == 0 or x.shape[-1] != 2):
        raise ValueError(f"points in the plane have shape (..., 2); got {x.shape}")
    shape = x.shape if dimension == 1 else x.shape[:-1]
    values = function(x.ravel() if dimension == 1 else x.reshape(-1, 2))
    return float(values[0]) if shape == () else np.asarray(values).reshape(shape)
