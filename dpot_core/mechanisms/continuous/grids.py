"""Public nodes on a domain, tents around them, and each tent's share of a public density h.

A density is released as q = s h, where s is linear between the nodes (in the plane in each coordinate) and constant
beyond the last ones: s = sum_i s_i tent_i with tents that are not negative and sum to 1. Then the integral of q is
sum_i s_i M_i with M_i = integral of tent_i h, a finite sum of public numbers and values at nodes. Whatever happens
between the nodes of the input is never read, so that no input can make the integral another one than was computed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.mechanisms.continuous.quadrature import Function, evaluate

#: Cells on the line; in the plane along rays and around, or along each side.
LINE_CELLS = 8192
PLANE_CELLS = (512, 768)
# Cells in each panel of the public density at least: panels are narrow where it changes.
_LEAST = {1: 8, 2: 4}
# Gauss's rule in each cell: this many points along the line and rays, fewer around.
_ALONG, _ACROSS = 4, 2
# Values of h that are computed in one array.
_AT_ONCE = 2_000_000
# Tries to draw a point from one tent.
_TRIES = 10_000


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes and tents; public, the same for every input.

    On the line and along rays the masses of a Gaussian h are those of the integrals to 1e-15: cells are at most an
    eighth of a standard deviation wide, where Gauss's rule with 4 points leaves a relative remainder of
    w^8 max|f^(8)| (4!)^4 / (9 (8!)^3) < 1e-15; where h has its bulk they are much narrower.

    Attributes:
        axes: increasing nodes: (t,) on the line, (x, y) in a rectangle, (distance, angle) in the whole plane.
        polar: whether the axes are distance and angle.
        masses: M_i, (n,) or (n, m), summing to 1.
        error: relative difference between the sum of the masses before they were divided by it, and the integral of h
            by the quadrature; public.
    """

    axes: tuple[Array, ...]
    polar: bool
    masses: Array
    error: float
    h: Function = field(repr=False)

    @cached_property
    def heights(self) -> Array:
        """h at the nodes, in the shape of the masses."""
        return evaluate(self.h, self.points()).reshape(self.masses.shape)

    def points(self) -> Array:
        """The nodes, (n,) or (n m, 2)."""
        return _points(self.axes, self.polar)

    def between(self, values: Array, points: Array) -> Array:
        """Linear between values at the nodes, at points (n,) or (n, 2); constant beyond the last nodes.

        Args:
            values: in the shape of the masses.
            points: any.
        """
        if len(self.axes) == 1:
            return np.interp(points, self.axes[0], values)
        first, second = points[:, 0], points[:, 1]
        if self.polar:
            first, second = np.hypot(first, second), np.mod(np.arctan2(second, first), 2.0 * np.pi)
        i, u = _cell(self.axes[0], first)
        angles = len(self.axes[1])
        if self.polar:
            step = second * (angles / (2.0 * np.pi))
            j = np.minimum(step.astype(np.intp), angles - 1)
            v, after = np.clip(step - j, 0.0, 1.0), (j + 1) % angles
        else:
            j, v = _cell(self.axes[1], second)
            after = j + 1
        near = values[i, j] * (1.0 - v) + values[i, after] * v
        far = values[i + 1, j] * (1.0 - v) + values[i + 1, after] * v
        return near * (1.0 - u) + far * u

    def bends(self, values: Array) -> Array:
        """How far values at the nodes lie from the straight line between their neighbours, summed over the axes.

        What a function with these values does between the nodes shows here: v is off by |v''| w^2/12 on average over a
        cell of width w that is linear instead, and bends by |v''| w^2/2; a kink of slope J costs the cell in which it
        is J w/8 on average at most, and bends its two nodes by J w/2 together. The end of an axis bends as its
        neighbour.

        Args:
            values: in the shape of the masses.
        """
        total = np.zeros_like(values)
        for axis, nodes in enumerate(self.axes):
            along = np.moveaxis(values, axis, -1)
            if self.polar and axis:
                found = np.abs(along - (np.roll(along, 1, -1) + np.roll(along, -1, -1)) / 2)
            else:
                share = (nodes[1:-1] - nodes[:-2]) / (nodes[2:] - nodes[:-2])
                inside = np.abs(along[..., 1:-1] - along[..., :-2] * (1.0 - share) - along[..., 2:] * share)
                found = np.concatenate([inside[..., :1], inside, inside[..., -1:]], axis=-1)
            total += np.moveaxis(found, -1, axis)
        return total

    def draw(self, node: int, rng: np.random.Generator) -> float:
        """A point on the line from tent_i h / M_i, by rejection: a public density, whatever the input was.

        Args:
            node: i.
            rng: source of randomness.
        """
        t = self.axes[0]
        left, middle, right = t[max(node - 1, 0)], t[node], t[min(node + 1, len(t) - 1)]
        top = 1.5 * float(evaluate(self.h, np.linspace(left, right, 17)).max())
        for _ in range(_TRIES):
            place = float(rng.triangular(left, middle, right))
            if rng.random() * top <= float(evaluate(self.h, np.array([place]))[0]):
                return place
        return float(middle)


def build_grid(h: Function, mass: float, edges: tuple[Array, ...], polar: bool) -> Grid:
    """Nodes that are dense where h has its mass, and their tents' shares of h.

    Args:
        h: public density, of any integral.
        mass: its integral.
        edges: increasing ends of panels along each axis, narrow where h changes; one axis in the whole plane.
        polar: whether the domain is the whole plane.
    """
    along, across = PLANE_CELLS if polar or len(edges) == 2 else (LINE_CELLS, 1)
    dimension = 2 if polar or len(edges) == 2 else 1
    axes: tuple[Array, ...] = (_nodes(h, edges[0], along, dimension, polar),)
    if polar:
        axes = (*axes, 2.0 * np.pi * np.arange(across) / across)
    elif dimension == 2:
        axes = (*axes, np.linspace(edges[1][0], edges[1][-1], across + 1))
    masses = _masses(h, axes, polar)
    total = float(masses.sum())
    return Grid(axes, polar, masses / total, abs(total / mass - 1.0), h)


def _nodes(h: Function, edges: Array, cells: int, dimension: int, polar: bool) -> Array:
    """Panels cut into equal cells: their share is that which makes the linear interpolation's error least."""
    width = np.diff(edges)
    if dimension == 2 and not polar:
        return np.linspace(edges[0], edges[-1], cells + 1)
    middle = (edges[1:] + edges[:-1]) / 2
    values = evaluate(h, np.column_stack([middle, 0 * middle]) if polar else middle)
    weight = np.cbrt(values * width * (middle if polar else 1.0)) * np.cbrt(width) ** 2
    count = np.maximum(np.ceil(cells * weight / weight.sum()), _LEAST[dimension]).astype(np.intp)
    pieces = [np.linspace(low, high, n + 1)[:-1] for low, high, n in zip(edges[:-1], edges[1:], count, strict=True)]
    return np.unique(np.concatenate([*pieces, edges[-1:]]))


def _masses(h: Function, axes: tuple[Array, ...], polar: bool) -> Array:
    """Integrals of tent times h for every node, by Gauss's rule in every cell."""
    t, rise, weight = _gauss(axes[0], _ALONG)
    if len(axes) == 1:
        return _gathered(evaluate(h, t.ravel()).reshape(t.shape) * weight, rise)
    if polar:
        step = 2.0 * np.pi / len(axes[1])
        s, up, other = _gauss(np.append(axes[1], axes[1][-1] + step), _ACROSS)
        weight = weight * t
    else:
        s, up, other = _gauss(axes[1], _ACROSS)
    rows = max(_AT_ONCE // (s.size * _ALONG), 1)
    found = []
    for start in range(0, len(t), rows):
        part = slice(start, start + rows)
        values = evaluate(h, _points((t[part].ravel(), s.ravel()), polar)).reshape(*t[part].shape, *s.shape)
        found.append(np.stack([(values * other * share).sum(axis=-1) for share in (1.0 - up, up)]))
    # (2, cells along, points along, cells across): first to nodes across, then to nodes along.
    before, after = np.concatenate(found, axis=1)
    if polar:
        cells = before + np.roll(after, 1, axis=-1)
    else:
        cells = np.zeros((*before.shape[:2], before.shape[2] + 1))
        cells[..., :-1] += before
        cells[..., 1:] += after
    return _gathered(cells * weight[..., None], rise[..., None])


def _gauss(nodes: Array, count: int) -> tuple[Array, Array, Array]:
    """Places of Gauss's rule in every cell, (cells, count), how far into the cell, and the weights."""
    x, w = np.polynomial.legendre.leggauss(count)
    half = np.diff(nodes)[:, None] / 2
    rise = np.broadcast_to((x + 1.0) / 2, (len(half), count))
    return nodes[:-1, None] + half * (x + 1.0), rise, half * w


def _gathered(values: Array, rise: Array) -> Array:
    """Weighted values at places in cells (cells, count, ...) shared out to the nodes at both ends of each cell."""
    total = np.zeros((len(values) + 1, *values.shape[2:]))
    total[:-1] += (values * (1.0 - rise)).sum(axis=1)
    total[1:] += (values * rise).sum(axis=1)
    return total


def _points(axes: tuple[Array, ...], polar: bool) -> Array:
    if len(axes) == 1:
        return axes[0]
    first, second = axes
    # One coordinate after the other in memory: densities work on whole columns.
    columns = np.empty((2, first.size * second.size))
    for column, (a, b) in zip(
        columns,
        ((first, np.cos(second)), (first, np.sin(second)))
        if polar
        else ((first, np.ones_like(second)), (np.ones_like(first), second)),
        strict=True,
    ):
        np.multiply.outer(a, b, out=column.reshape(first.size, second.size))
    return columns.T


def _cell(nodes: Array, places: Array) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.intp]], Array]:
    """Index of the cell of each place, and how far into it, in [0, 1]."""
    index = np.clip(np.searchsorted(nodes, places, side="right") - 1, 0, len(nodes) - 2)
    share = (places - nodes[index]) / (nodes[index + 1] - nodes[index])
    return index, np.clip(share, 0.0, 1.0)


def fitted(ratios: Array, masses: Array, low: float, high: float) -> tuple[float, Array]:
    """(x, s) with s = clip(x ratios, low, high) and sum(s masses) = 1, for any ratios whatsoever.

    Where no x is enough because too many ratios are 0, s is ``high`` at all others and what is missing is added in
    proportion to the room that is left: the nearest in KL. The last step, which also takes the rounding away, keeps
    every s within the bounds and never fails, since sum(low masses) <= 1 <= sum(high masses).

    Args:
        ratios: not negative and finite, the shape of the masses.
        masses: not negative, summing to 1.
        low: at most 1.
        high: at least 1.
    """
    x = _gain(ratios, masses, low, high)
    s = np.clip(x * ratios, low, high)
    missing = 1.0 - float((s * masses).sum())
    room = high - s if missing > 0 else s - low
    whole = float((room * masses).sum())
    if whole > 0.0:
        s = np.clip(s + room * (missing / whole), low, high)
    return x, s


def _gain(ratios: Array, masses: Array, low: float, high: float) -> float:
    """The x at which sum(clip(x ratios, low, high) masses) = 1, or the one from which on it grows no more."""
    some = ratios > 0
    if not some.any() or high <= low:
        return 1.0
    left, right = low / float(ratios[some].max()), high / float(ratios[some].min())
    x = min(max(1.0, left), right)
    scaled, clipped = np.empty_like(ratios), np.empty_like(ratios)
    for step in range(200):
        np.multiply(ratios, x, out=scaled)
        np.clip(scaled, low, high, out=clipped)
        excess = float(np.vdot(clipped, masses)) - 1.0
        if abs(excess) <= 1e-14 or right <= left * (1 + 1e-15):
            break
        left, right = (x, right) if excess < 0.0 else (left, x)
        slope = float(np.vdot(ratios * (scaled == clipped), masses))
        # Newton's step on a piecewise linear function; every fourth time the middle, so that it always ends.
        newton = x - excess / slope if slope > 0.0 and step % 4 < 3 else math.nan
        x = newton if left < newton < right else math.sqrt(left) * math.sqrt(right)
    return x
