"""A public density on a domain of the line or of the plane: what all outputs lie between multiples of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, as_floats
from dpot_core.arguments.lazy import cached_property
from dpot_core.mechanisms.continuous.grids import Grid, build_grid
from dpot_core.mechanisms.continuous.quadrature import (
    Function,
    Lines,
    Panels,
    evaluate,
    integral,
    one_line,
    panels_on,
    parallels,
    rays,
    refined,
)

Sampler = Callable[[int, np.random.Generator], Array]

#: Coarsest and finest set of lines in the plane, as powers of two.
LEVELS = range(8, 13)
# Panels at infinite ends: each is twice as wide as the one before, out to here.
_FAR = 60
# The last panel of an infinite end may hold this much of the mass: heavier tails cannot be integrated.
_TAIL = 1e-12
# A density without a sampler of its own is drawn by rejection from the uniform one, below this multiple of its largest
# value at the quadrature's nodes.
_HEADROOM = 1.5
_MOST_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class Domain:
    """Where densities live: an interval, a rectangle, or the whole plane.

    Attributes:
        bounds: (low, high) of each coordinate.
    """

    bounds: tuple[tuple[float, float], ...]

    @property
    def dimension(self) -> int:
        """1 or 2."""
        return len(self.bounds)

    @property
    def is_bounded(self) -> bool:
        """Whether all bounds are finite."""
        return bool(np.isfinite(self.bounds).all())

    def contains(self, points: Array) -> Any:
        """Whether points (n,) or (n, 2) lie inside, the edge included."""
        columns = points[:, None] if self.dimension == 1 else points
        low, high = np.transpose(self.bounds)
        return ((columns >= low) & (columns <= high)).all(axis=1)

    def lines(self, level: int) -> Lines:
        """Lines that cover it; in the plane about 2^level of them."""
        if self.dimension == 1:
            return one_line()
        if not self.is_bounded:
            return rays(2**level)
        return parallels(*self.bounds[1], panels=2 ** (level - 4))

    def edges(self) -> Array:
        """First panels along every line, to be refined."""
        low, high = self.bounds[0]
        if self.dimension == 2 and not self.is_bounded:
            low = 0.0
        if math.isfinite(low) and math.isfinite(high):
            return np.linspace(low, high, 17)
        growing = np.concatenate([[0.0], np.exp2(np.arange(-4, _FAR))])
        if math.isfinite(low):
            return low + growing
        if math.isfinite(high):
            return high - growing[::-1]
        return np.concatenate([-growing[:0:-1], growing])


def as_domain(domain: Domain | Sequence[Any]) -> Domain:
    """Read (low, high), ((x0, x1), (y0, y1)), or a plane with all four bounds infinite.

    Raises:
        ValueError: if it is none of these.
    """
    if isinstance(domain, Domain):
        return domain
    bounds = as_floats(cast("ArrayLike", domain), "domain")
    bounds = bounds[None, :] if bounds.shape == (2,) else bounds
    if bounds.shape not in ((1, 2), (2, 2)) or np.isnan(bounds).any() or not (bounds[:, 0] < bounds[:, 1]).all():
        raise ValueError(f"domain must be (low, high) or ((x0, x1), (y0, y1)), low below high; got {domain!r}")
    if len(bounds) == 2 and np.isfinite(bounds).any() and not np.isfinite(bounds).all():
        raise ValueError("a domain in the plane must be a rectangle or the whole plane")
    return Domain(tuple((float(low), float(high)) for low, high in bounds))


@dataclass(frozen=True, eq=False)
class Envelope:
    """A density h on a domain, with the panels on which it is integrated and a way to draw from it.

    Attributes:
        h: values at points (n,) or (n, 2), finite, not negative, of any finite positive integral.
        domain: where it lives; it counts as 0 outside.
        mass: its integral.
        sampler: draws points (n,) or (n, 2) from h / mass exactly; None for rejection from a uniform density.
    """

    h: Function = field(repr=False)
    domain: Domain
    mass: float
    sampler: Sampler | None = field(repr=False)
    _edges: Array = field(repr=False)
    _panels: dict[int, tuple[Panels, Array]] = field(repr=False, default_factory=dict)

    def density(self, points: Array) -> Array:
        """h / mass at points (n,) or (n, 2), 0 outside the domain."""
        inside = self.domain.contains(points)
        if inside.all():
            return evaluate(self.h, points) / self.mass
        values = np.zeros(len(points))
        values[inside] = evaluate(self.h, points[inside]) / self.mass
        return values

    def panels(self, level: int) -> tuple[Panels, Array]:
        """Panels on which h is integrated to rounding, and the values of `density` at their nodes."""
        if self.domain.dimension == 1:
            level = LEVELS[0]
        if level not in self._panels:
            panels, values = refined(panels_on(self.domain.lines(level), self._edges), self.h, 1e-13 * self.mass)
            self._panels[level] = panels, values / self.mass
        return self._panels[level]

    @cached_property
    def grid(self) -> Grid:
        """Public nodes between which outputs are linear multiples of h."""
        if self.domain.dimension == 1:
            panels = self.panels(LEVELS[0])[0]
            edges: tuple[Array, ...] = (np.append(panels.low, panels.high[-1]),)
        elif self.domain.is_bounded:
            edges = (np.asarray(self.domain.bounds[0]), np.asarray(self.domain.bounds[1]))
        else:
            edges = (self._edges,)
        polar = self.domain.dimension == 2 and not self.domain.is_bounded
        return build_grid(self.h, self.mass, edges, polar)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n points from h / mass.

        Raises:
            ValueError: if the domain is unbounded and there is no sampler.
            RuntimeError: if the density turns out to be larger than a smooth one could be.
        """
        if self.sampler is not None:
            return self.sampler(n, rng)
        if not self.domain.is_bounded:
            raise ValueError("to draw from a density on an unbounded domain, give its family a sampler of h")
        panels, values = self.panels(LEVELS[0])
        if panels.lines.power:
            values = values / panels.t
        top = _HEADROOM * float(values.max())
        low, high = np.transpose(self.domain.bounds)
        kept: list[Array] = []
        missing = n
        while missing > 0:
            tries = min(int(1.2 * missing * top * float(np.prod(high - low))) + 16, _MOST_AT_ONCE)
            points = rng.uniform(low, high, (tries, len(low)))
            points = points[:, 0] if len(low) == 1 else points
            height = self.density(points)
            if (height > top).any():
                raise RuntimeError("h has a peak that its quadrature did not see: give the family a sampler of h")
            kept.append(points[rng.random(len(points)) * top < height][:missing])
            missing -= len(kept[-1])
        return np.concatenate(kept) if kept else np.zeros((0, 2))[:, 0]


def build_envelope(
    h: Function, domain: Domain | Sequence[Any], sampler: Sampler | None = None, edges: ArrayLike | None = None
) -> Envelope:
    """Integrate h and keep the result.

    Args:
        h: values at points (n,) or (n, 2).
        domain: see `as_domain`.
        sampler: draws from h / integral exactly.
        edges: places along every line where panels should begin and end; a good guess of the widths of h.

    Raises:
        ValueError: if h is not a finite, non-negative function with a finite positive integral.
    """
    where = as_domain(domain)
    first = where.edges() if edges is None else np.asarray(edges, dtype=np.float64)
    lines = where.lines(LEVELS[0])
    rough = panels_on(lines, first)
    mass, _ = integral(rough, rough.values(h))
    if not 0.0 < mass < math.inf:
        raise ValueError(f"h must have a finite positive integral; got {mass:g}")
    panels, values = refined(rough, h, 1e-13 * mass)
    mass, error = integral(panels, values)
    tail = _tail(panels, values, where) / mass
    if not (math.isfinite(mass) and tail <= _TAIL):
        raise ValueError(
            "h is not integrable, or its tail is too heavy for numbers of this size: "
            f"{tail:.1e} of its mass lies beyond 2^{_FAR - 2}"
        )
    if error > 1e-4 * mass:
        raise ValueError(f"h is too rough to be integrated: its integral {mass:g} is known to {error:.1e} only")
    return Envelope(h, where, mass, sampler, first, {LEVELS[0]: (panels, values / mass)})


def _tail(panels: Panels, values: Array, domain: Domain) -> float:
    if domain.is_bounded:
        return 0.0
    far = np.maximum(np.abs(panels.low), np.abs(panels.high)) > 2.0 ** (_FAR - 2)
    weight = panels.lines.weight[panels.line[far]]
    return float(weight @ (panels.halves[far] * values[far].sum(axis=1) / 7.5))
