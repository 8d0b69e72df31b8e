"""KPM for densities, and its baselines: the relative mollifier and the mixture mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.checks import Array, check_count, check_epsilon, check_number
from dpot_core.divergences import DIVERGENCES, GENERATORS
from dpot_core.mechanisms.continuous.envelopes import Envelope
from dpot_core.mechanisms.continuous.families import DensityFamily, on_points
from dpot_core.mechanisms.continuous.projection import Nodes, Solution, cut, laid_out, solve, too_coarse
from dpot_core.mechanisms.continuous.quadrature import Function, evaluate
from dpot_core.polytopes import inward_bounds

#: Error of the quadrature that mechanisms are calibrated for, by dimension.
TOLERANCES = {1: 1e-9, 2: 2e-7}
# A member of a family may leave its bounds by rounding: by this much, relatively, or where numbers underflow.
_OUTSIDE = 1e-9
_UNDERFLOW = 1e-290


@dataclass(frozen=True, eq=False)
class PrivateDensity:
    """An output density q = clip(p / r + rest h, b h, b e^epsilon' h) and how it was found.

    The bounds are the same floats for every input and rounded inward: q(x) and q'(x) of two inputs never differ by more
    than e^epsilon', at any float x. What is drawn has the density q / (integral of q), and every integral lies within
    the tolerance of 1 (checked), which spends the rest, epsilon - epsilon'.

    Attributes:
        epsilon: privacy parameter of the draws, in nats.
        epsilon_used: epsilon' = epsilon - log((1 + d) / (1 - d)) for the tolerance d.
        tolerance: d, fixed before the input is seen.
        error: the quadrature's error for this input, as far as its coarser rules show; at most d.
        r: what p is divided by.
        rest: share of h that is added: 0 for a projection, 1 - gamma for the mixture mechanism.
        b: lower bound as a multiple of the normalised h.
        upper: upper bound as a multiple of the normalised h: b e^epsilon'; c2 in a trivial case.
        trivial: whether the output is P itself, because all of the family is within e^epsilon anyway.
    """

    epsilon: float
    epsilon_used: float
    tolerance: float
    error: float
    r: float
    rest: float
    level: float = field(repr=False)
    width: float = field(repr=False)
    trivial: bool
    p: Function = field(repr=False)
    envelope: Envelope = field(repr=False)
    nodes: Nodes = field(repr=False)

    @property
    def b(self) -> float:
        """Lower bound as a multiple of the normalised h."""
        return self.level * math.exp(-self.width / 2)

    @property
    def upper(self) -> float:
        """Upper bound as a multiple of the normalised h."""
        return self.level * math.exp(self.width / 2)

    @property
    def acceptance(self) -> float:
        """Share of draws from h that `sample` accepts: 1 / upper within the tolerance, for every input."""
        return 1.0 / self.upper

    @property
    def tv_lipschitz(self) -> float:
        """2 / r: TV(Q(P), Q(P')) is at most this times TV(P, P'), whatever P' is.

        Source: minimax_ldp_sampling, Proposition 4.1.
        """
        return 2.0 / self.r

    def density(self, x: ArrayLike) -> Any:
        """q at points: any shape on the line, (..., 2) in the plane; 0 outside the domain."""
        return on_points(lambda points: self._between(points)[0], x, self.envelope.domain.dimension)

    def band(self, x: ArrayLike) -> tuple[Any, Any]:
        """The bounds of every output at points, as floats: b h and b e^epsilon' h."""
        dimension = self.envelope.domain.dimension
        return (
            on_points(lambda points: self._between(points)[1], x, dimension),
            on_points(lambda points: self._between(points)[2], x, dimension),
        )

    def divergences(self) -> dict[str, float]:
        """D_f(P || Q) for every name of `DIVERGENCES`, by the quadrature that found Q."""
        p, h = self.nodes.p, self.nodes.h
        q = np.clip(p / self.r + self.rest * h, self.b * h, self.upper * h)
        ratio = np.divide(p, q, out=np.ones_like(p), where=q > 0)
        return {name: max(self.nodes.integral(q * GENERATORS[name](ratio)), 0.0) for name in DIVERGENCES}

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n points from q by rejection from h: (n,) on the line, (n, 2) in the plane.

        How many draws are rejected does not depend on the input (see `acceptance`), so it reveals nothing about it.
        """
        missing = check_count(n, "n", 0, 10**9)
        kept: list[Array] = []
        while missing > 0:
            points = self.envelope.sample(int(1.1 * missing * self.upper) + 16, rng)
            q, _, upper = self._between(points)
            kept.append(points[rng.random(len(points)) * upper < q][:missing])
            missing -= len(kept[-1])
        return np.concatenate(kept) if kept else self.envelope.sample(1, rng)[:0]

    def _between(self, points: Array) -> tuple[Array, Array, Array]:
        """The output and its bounds at points (n,) or (n, 2)."""
        h = self.envelope.density(points)
        lower, upper = inward_bounds(self.level * h, math.exp(-self.width / 2), math.exp(self.width / 2))
        return np.clip(self._input(points) / self.r + self.rest * h, lower, upper), lower, upper

    def _input(self, points: Array) -> Array:
        """p, 0 outside the domain."""
        inside = self.envelope.domain.contains(points)
        if inside.all():
            return evaluate(self.p, points)
        values = np.zeros(len(points))
        values[inside] = evaluate(self.p, points[inside])
        return values


def kl_projection_density(
    p: Callable[[Array], Array], family: DensityFamily, epsilon: float, tolerance: float | None = None
) -> PrivateDensity:
    """KPM: the density q = clip(p / r, b h, b e^epsilon h), nearest to p in KL among those between the two bounds.

    b = (c2 - c1) / ((e^epsilon - 1)(1 - c1) + c2 - c1); minimax optimal over the family for every f-divergence. If all
    of the family is within e^epsilon (c2 <= c1 e^epsilon, or one member only), the output is p itself.

    Args:
        p: density of the input: a function of points (n,) or (n, 2) to values (n,), with integral 1.
        family: what is publicly known about p.
        epsilon: privacy parameter in nats, of the draws.
        tolerance: error of integrals that is allowed for; 1e-9 on the line and 2e-7 in the plane when None.

    Returns:
        `PrivateDensity` with `.density(x)`, `.r`, `.b`, `.divergences()`, `.sample(n, rng)`.

    Raises:
        ValueError: if p is no member of the family (says where), or epsilon is not above what the tolerance spends.
        RuntimeError: if p cannot be integrated within the tolerance.

    Source: minimax_ldp_sampling, Theorem 3.3 and section 4.1.
    """
    epsilon, used, allowed = _budget(epsilon, tolerance, family.envelope)
    level, width, trivial = _bounds(family, used)
    low, high = level * math.exp(-width / 2), level * math.exp(width / 2)
    if trivial:
        nodes = _as_it_is(p, family.envelope, (), allowed)
        _check_member(nodes, family)
        return PrivateDensity(
            epsilon, used, allowed, nodes.error, 1.0, 0.0, level, width, True, p, family.envelope, nodes
        )
    solution = solve(p, family.envelope, low, high, allowed)
    _check_member(solution.nodes, family)
    return _private(p, family.envelope, epsilon, used, allowed, level, width, solution)


def relative_mollifier_density(
    p: Callable[[Array], Array], reference: DensityFamily | Envelope, epsilon: float, tolerance: float | None = None
) -> PrivateDensity:
    """The density q with e^(-epsilon/2) q0 <= q <= e^(epsilon/2) q0 that is nearest to p in KL: clip(p / r, ..., ...).

    Args:
        p: density of the input.
        reference: q0, public: the normalised h of a family.
        epsilon: privacy parameter in nats.
        tolerance: as for `kl_projection_density`.

    Raises:
        ValueError: if no multiple of p can be clipped to a density: too much of q0 lies where p has no mass.

    Source: minimax_ldp_sampling, section 2.3 (baseline of Husain et al. 2020, which MBDE approximates).
    """
    shape = reference.envelope if isinstance(reference, DensityFamily) else reference
    epsilon, used, allowed = _budget(epsilon, tolerance, shape)
    solution = solve(p, shape, math.exp(-used / 2), math.exp(used / 2), allowed)
    return _private(p, shape, epsilon, used, allowed, 1.0, used, solution)


def mixture_density(
    p: Callable[[Array], Array], family: DensityFamily, epsilon: float, tolerance: float | None = None
) -> PrivateDensity:
    """gamma p + (1 - gamma) h with gamma = (e^epsilon - 1) / ((e^epsilon - 1)(1 - c1) + c2 - c1), in the band of KPM.

    In the worst case it is as good as KPM; for other inputs it is not.

    Args:
        p: density of the input, a member of the family.
        family: what is publicly known about p.
        epsilon: privacy parameter in nats.
        tolerance: as for `kl_projection_density`.

    Source: minimax_ldp_sampling, proof of Theorem 3.3.
    """
    epsilon, used, allowed = _budget(epsilon, tolerance, family.envelope)
    level, width, trivial = _bounds(family, used)
    gain = 1.0
    if not trivial:
        half = used / 2
        spread = 2.0 * math.sinh(half)
        gain = spread / (spread * (1.0 - family.c1) + (family.c2 - family.c1) * math.exp(-half))
    nodes = _as_it_is(p, family.envelope, (1.0,), allowed)
    _check_member(nodes, family)
    return PrivateDensity(
        epsilon, used, allowed, nodes.error, 1.0 / gain, 1.0 - gain, level, width, trivial, p, family.envelope, nodes
    )


def _budget(epsilon: float, tolerance: float | None, shape: Envelope) -> tuple[float, float, float]:
    """(epsilon, epsilon', tolerance)."""
    epsilon = check_epsilon(epsilon)
    allowed = TOLERANCES[shape.domain.dimension] if tolerance is None else tolerance
    allowed = check_number(allowed, "tolerance", 1e-13, 0.1)
    # Rounded up by more than the functions can err.
    spent = (math.log1p(allowed) - math.log1p(-allowed)) * (1 + 1e-15)
    used = math.nextafter(epsilon - spent, 0.0)
    if used <= 0.0:
        raise ValueError(f"epsilon = {epsilon:g} is no more than the tolerance {allowed:g} spends ({spent:g})")
    return epsilon, used, allowed


def _bounds(family: DensityFamily, epsilon: float) -> tuple[float, float, bool]:
    """Middle multiple of h, log of the ratio of the bounds, whether trivial."""
    if not family.is_trivial(epsilon):
        return family.level(epsilon), epsilon, False
    if family.c1 <= 0.0 or math.log(family.c2 / family.c1) > epsilon:
        return 1.0, 0.0, True  # the only member is h
    return math.sqrt(family.c1 * family.c2), math.log(family.c2 / family.c1), True


def _as_it_is(p: Function, shape: Envelope, levels: tuple[float, ...], tolerance: float) -> Nodes:
    """p and h on panels that integrate both within the tolerance, cut where p crosses multiples of h."""
    error = math.inf
    for nodes in laid_out(p, shape, tolerance):
        error = nodes.error
        if error <= tolerance:
            return cut(p, shape, nodes, levels)
    raise too_coarse(error, tolerance)


def _private(
    p: Function,
    shape: Envelope,
    epsilon: float,
    used: float,
    tolerance: float,
    level: float,
    width: float,
    solution: Solution,
) -> PrivateDensity:
    nodes = solution.nodes
    return PrivateDensity(
        epsilon, used, tolerance, nodes.error, 1.0 / solution.gain, 0.0, level, width, False, p, shape, nodes
    )


def _check_member(nodes: Nodes, family: DensityFamily) -> None:
    """Refuse a p that leaves [c1 h, c2 h] at a node."""
    p, h = nodes.p, nodes.h
    for bound, outside, word in (
        (family.c2, p > family.c2 * h * (1 + _OUTSIDE) + _UNDERFLOW, "above c2 h"),
        (family.c1, p < family.c1 * h * (1 - _OUTSIDE) - _UNDERFLOW, "below c1 h"),
    ):
        if outside.any():
            excess = np.where(outside, np.abs(p - bound * h), 0.0)
            place = np.unravel_index(int(np.argmax(excess)), p.shape)
            panels = nodes.panels
            unit = float(panels.t[place]) if panels.lines.power else 1.0
            point = panels.lines.points(panels.line[place[0] : place[0] + 1], panels.t[place].reshape(1, 1))[0]
            raise ValueError(
                f"p is not in the family: at x = {np.round(point, 6)} it is {p[place] / unit:.6g}, "
                f"{word} = {bound * h[place] / unit:.6g}; enlarge h or the bounds c1, c2 to hold it"
            )
