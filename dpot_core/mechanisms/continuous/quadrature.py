"""Integrals of densities on the line and in the plane, along straight lines cut into panels, each with its error.

An integral in the plane is a weighted sum of integrals along lines: rays from a centre, or parallels. On every panel of
a line stand the 15 nodes of Kronrod's rule; the 7-point Gauss rule inside it gives the error along the line, a coarser
set of lines the error across. Panels may end where an integrand has a kink, so that no panel has one inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property

Function = Callable[[Array], Array]
Indices = NDArray[np.intp]

# Nodes and weights of QUADPACK's 15-point rule (Piessens et al. 1983); Gauss's 7 nodes are every other one.
_NODES = (
    *(0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926),
    *(0.741531185599394439863864773280788, 0.586087235467691130294144691693013, 0.405845151377397166906606412076961),
    0.207784955007898467600689403773245,
)
_KRONROD = (
    *(0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518),
    *(0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014),
    *(0.204432940075298892414161999234649, 0.209482141084727828012999174891714),
)
_GAUSS = (
    *(0.129484966168869693270611432679082, 0.279705391489276667901467771423780),
    *(0.381830050505118944950369775488975, 0.417959183673469387755102040816327),
)
NODES: Array = np.array([*(-node for node in _NODES), 0.0, *_NODES[::-1]])
KRONROD: Array = np.array([*_KRONROD, *_KRONROD[-2::-1]])
GAUSS: Array = np.zeros(15)
GAUSS[1::2] = [*_GAUSS, *_GAUSS[-2::-1]]

# Panels narrower than this fraction of their place, and of the narrowest first panel, are not halved again.
_NARROWEST = 2.0**-48
_MOST_PANELS = 200_000


@dataclass(frozen=True, eq=False)
class Lines:
    """Straight lines that cover a domain; the point at t on line i is origin_i + t direction_i.

    Attributes:
        dimension: 1 or 2.
        origin: (L, dimension).
        direction: (L, dimension), of length 1.
        weight: (L,), of each line in the integral across.
        coarse: (J, L), the same for J coarser rules that use some of the lines each.
        power: 1 for rays (area grows as t), 0 otherwise.
    """

    dimension: int
    origin: Array
    direction: Array
    weight: Array
    coarse: Array
    power: int = 0

    def points(self, line: Indices, t: Array) -> Array:
        """Points at t (n, m) of the lines (n,), as the functions take them: (n m,) or (n m, 2)."""
        if self.dimension == 1:
            return t.ravel()
        # One coordinate after the other in memory: densities work on whole columns.
        columns = np.empty((2, t.size))
        for axis in (0, 1):
            along = columns[axis].reshape(t.shape)
            np.multiply(t, self.direction[line, axis][:, None], out=along)
            along += self.origin[line, axis][:, None]
        return columns.T


def one_line() -> Lines:
    """The line itself."""
    one = np.ones(1)
    return Lines(1, np.zeros((1, 1)), np.ones((1, 1)), one, one[None, :])


def rays(count: int) -> Lines:
    """Rays from the origin at equal angles, a multiple of 4: accurate for smooth functions of the angle."""
    angle = 2.0 * np.pi * np.arange(count) / count
    weight = np.full(count, 2.0 * np.pi / count)
    # Four rules of every fourth ray. Two of every other ray would not do: where a symmetry of the function maps one on
    # the other, they agree and show no error at all.
    coarse = np.where(np.arange(count) % 4 == np.arange(4)[:, None], 4.0 * weight, 0.0)
    return Lines(2, np.zeros((count, 2)), np.column_stack([np.cos(angle), np.sin(angle)]), weight, coarse, 1)


def parallels(low: float, high: float, panels: int) -> Lines:
    """Parallels to the x axis at the nodes of equal panels of y in [low, high]."""
    half = (high - low) / (2 * panels)
    middle = low + half * (2 * np.arange(panels) + 1)
    height = (middle[:, None] + half * NODES).ravel()
    count = height.size
    direction = np.tile([1.0, 0.0], (count, 1))
    weight, coarse = np.tile(half * KRONROD, panels), np.tile(half * GAUSS, panels)[None, :]
    return Lines(2, np.column_stack([np.zeros(count), height]), direction, weight, coarse)


@dataclass(frozen=True, eq=False)
class Panels:
    """Intervals [low, high] of lines, sorted by line and place, with the nodes in them.

    Attributes:
        lines: the lines.
        line: (M,), index of the line of each panel.
        low: (M,).
        high: (M,).
    """

    lines: Lines
    line: Indices
    low: Array
    high: Array

    @cached_property
    def t(self) -> Array:
        """Places of the nodes along their lines, (M, 15)."""
        half = (self.high - self.low)[:, None] / 2
        return (self.low + self.high)[:, None] / 2 + half * NODES

    @cached_property
    def points(self) -> Array:
        """The nodes, (15 M,) or (15 M, 2)."""
        return self.lines.points(self.line, self.t)

    def values(self, function: Function) -> Array:
        """A function at the nodes, (M, 15), times what a unit of the line stands for (t for rays)."""
        values = evaluate(function, self.points).reshape(-1, 15)
        return values * self.t if self.lines.power else values

    @property
    def halves(self) -> Array:
        """Half the widths, (M,)."""
        return (self.high - self.low) / 2


def panels_on(lines: Lines, edges: Array) -> Panels:
    """The same panels on every line, between increasing edges."""
    count, each = len(lines.weight), len(edges) - 1
    return Panels(lines, np.repeat(np.arange(count), each), np.tile(edges[:-1], count), np.tile(edges[1:], count))


def chosen(panels: Panels, which: NDArray[np.bool_]) -> Panels:
    """Some of the panels."""
    return Panels(panels.lines, panels.line[which], panels.low[which], panels.high[which])


def evaluate(function: Function, points: Array) -> Array:
    """A density at points, checked: one number per point, finite and not negative."""
    with np.errstate(all="ignore"):  # what overflows or is undefined is refused below, by its place
        values = np.asarray(function(points), dtype=np.float64)
    if values.shape != points.shape[:1]:
        raise ValueError(f"a density must give one number per point, shape {points.shape[:1]}; got {values.shape}")
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        place = int(np.argmax(bad))
        raise ValueError(f"a density must be finite and not negative; at {points[place]} it is {values[place]}")
    return values


def integral(panels: Panels, values: Array) -> tuple[float, float]:
    """The integral of node values (M, 15), and a bound of its error from the coarser rules.

    The bound is the sum over panels of |Kronrod - Gauss|, plus the largest change by a coarse set of lines.
    Kronrod's rule is much more accurate than its difference from Gauss's, so on smooth panels this is far from tight.
    """
    lines = panels.lines
    along = panels.halves * (values @ KRONROD)
    inner = np.abs(along - panels.halves * (values @ GAUSS))
    by_line = np.bincount(panels.line, along, len(lines.weight))
    total = float(lines.weight @ by_line)
    across = float(np.abs(lines.coarse @ by_line - total).max())
    return total, float(lines.weight[panels.line] @ inner) + across


def refined(panels: Panels, function: Function, tolerance: float) -> tuple[Panels, Array]:
    """Panels halved until the function's error along the lines is below the tolerance, or no halving helps.

    Args:
        panels: to begin with.
        function: a density.
        tolerance: of the integral, absolute.

    Returns:
        The panels, and the function's values at their nodes as `Panels.values` gives them.

    Raises:
        ValueError: if the function needs more panels than memory should hold.
    """
    pending, done = panels, []
    least = float(panels.halves.min())
    while len(pending.line):
        values = pending.values(function)
        inner = np.abs(pending.halves * (values @ (KRONROD - GAUSS))) * pending.lines.weight[pending.line]
        rough = inner > tolerance / max(len(panels.line), 64)
        rough &= pending.halves > _NARROWEST * np.maximum(least, np.maximum(np.abs(pending.low), np.abs(pending.high)))
        if not rough.any():
            done.append((pending, values))
            break
        done.append((chosen(pending, ~rough), values[~rough]))
        pending = _halved(chosen(pending, rough))
        if sum(len(part.line) for part, _ in done) + len(pending.line) > max(_MOST_PANELS, 4 * len(panels.line)):
            raise ValueError("a density is too rough to be integrated: it still changes within the narrowest panels")
    if len(done) == 1:
        return done[0]
    joint = [np.concatenate([getattr(part, name) for part, _ in done]) for name in ("line", "low", "high")]
    order = np.lexsort((joint[1], joint[0]))
    return Panels(panels.lines, *(part[order] for part in joint)), np.concatenate([part for _, part in done])[order]


def owners(panels: Panels, line: Indices, place: Array) -> Indices:
    """Index of the panel in which each place (n,) of a line (n,) lies; panels are sorted."""
    count = len(panels.line)
    # Sorted together, the panel that begins last before a place owns it; where both are equal, panels come first.
    order = np.lexsort((np.concatenate([panels.low, place]), np.concatenate([panels.line, line])))
    latest = np.maximum.accumulate(np.where(order < count, order, 0))
    found = np.empty(len(order), dtype=np.intp)
    found[order] = latest
    return found[count:]


def split(panels: Panels, line: Indices, place: Array) -> Panels:
    """Panels cut at places (n,) of lines (n,)."""
    lines = np.concatenate([panels.line, line])
    order = np.lexsort((np.concatenate([panels.low, place]), lines))
    starts = np.concatenate([panels.low, place])[order]
    # A piece ends where the next one starts; the last piece of a panel ends with the panel.
    owner = np.maximum.accumulate(np.concatenate([np.arange(len(panels.low)), np.full(len(place), -1)])[order])
    ends = np.minimum(np.append(starts[1:], np.inf), panels.high[owner])
    last = np.append(lines[order][1:] != lines[order][:-1], True)
    ends[last] = panels.high[owner[last]]
    kept = ends > starts
    return Panels(panels.lines, lines[order][kept], starts[kept], ends[kept])


def _halved(panels: Panels) -> Panels:
    middle = (panels.low + panels.high) / 2
    line = np.repeat(panels.line, 2)
    low = np.column_stack([panels.low, middle]).ravel()
    return Panels(panels.lines, line, low, np.column_stack([middle, panels.high]).ravel())
