"""Panels on which two densities are smooth, cut where one crosses a multiple of the other: for numbers to show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array
from dpot_core.mechanisms.continuous.envelopes import LEVELS, Envelope
from dpot_core.mechanisms.continuous.quadrature import (
    Function,
    Indices,
    Panels,
    chosen,
    evaluate,
    integral,
    owners,
    refined,
    split,
)

# Steps of Ridders' method, each of which about squares the relative error of a crossing, or halves it at a jump.
_RIDDERS = 2
# A density may miss the integral 1 by this much.
_UNNORMALISED = 1e-6


@dataclass(frozen=True, eq=False)
class Nodes:
    """Densities at the nodes of panels.

    Attributes:
        panels: the panels.
        p: the input there, (M, 15), times what a unit of the line stands for.
        h: the public density there, the same.
        error: bound of the quadrature's error in the mass of the output.
    """

    panels: Panels
    p: Array
    h: Array
    error: float

    def integral(self, values: Array) -> float:
        """The integral of values at the nodes, (M, 15)."""
        return integral(self.panels, values)[0]


def laid_out(p: Function, envelope: Envelope, tolerance: float) -> Iterator[Nodes]:
    """p and h on panels that are smooth enough for both; in the plane on more and more lines.

    Raises:
        ValueError: if p does not have integral 1, even on the last of them.
    """
    mass = error = math.nan
    for level in LEVELS if envelope.domain.dimension == 2 else LEVELS[:1]:
        panels, h = envelope.panels(level)
        panels, values = refined(panels, p, tolerance / 100)
        h = h if h.shape[0] == len(panels.line) else panels.values(envelope.h) / envelope.mass
        mass, error = integral(panels, values)
        if abs(mass - 1.0) <= max(_UNNORMALISED, 10 * error):
            yield Nodes(panels, values, h, error + abs(mass - 1.0))
    if abs(mass - 1.0) > max(_UNNORMALISED, 10 * error):
        raise ValueError(f"p must have integral 1 on its domain; got {mass:.9g} (error at most {error:.1e})")


def cut(p: Function, envelope: Envelope, base: Nodes, levels: tuple[float, ...]) -> Nodes:
    """Panels cut where p crosses a multiple of h, so that clips and absolute values are smooth on each.

    Args:
        p: density at points.
        envelope: h.
        base: panels on which p and h are smooth.
        levels: the multiples.
    """
    line, place = _crossings(p, envelope, base, levels) if levels else (np.zeros(0, dtype=np.intp), np.zeros(0))
    if not line.size:
        return base
    panels = base.panels
    touched = np.zeros(len(panels.line), dtype=bool)
    touched[owners(panels, line, place)] = True
    pieces = split(chosen(panels, touched), line, place)
    parts = (chosen(panels, ~touched), pieces)
    joint = Panels(panels.lines, *(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS))
    h = pieces.values(envelope.h) / envelope.mass
    return Nodes(
        joint,
        np.concatenate([base.p[~touched], pieces.values(p)]),
        np.concatenate([base.h[~touched], h]),
        base.error,
    )


_FIELDS = ("line", "low", "high")


def _crossings(p: Function, envelope: Envelope, base: Nodes, levels: tuple[float, ...]) -> tuple[Indices, Array]:
    """Lines and places where p - level h changes sign between neighbouring nodes."""
    panels = base.panels
    t = panels.t.ravel()
    line = np.repeat(panels.line, 15)
    same = line[1:] == line[:-1]
    p_there, h_there = base.p.ravel(), base.h.ravel()
    found: list[tuple[Indices, Array]] = []
    for level in levels:
        above = p_there > level * h_there
        at = np.flatnonzero((above[1:] != above[:-1]) & same)
        found.append((at, np.full(at.size, level)))
    at, level_of = (np.concatenate(parts) for parts in zip(*found, strict=True))
    if not at.size:
        return line[at], t[at]
    starts, ends = (_balance(p_there[i], level_of * h_there[i]) for i in (at, at + 1))

    def balance(place: Array) -> Array:
        points = panels.lines.points(line[at], place[:, None])
        return _balance(evaluate(p, points), level_of * (evaluate(envelope.h, points) / envelope.mass))

    return line[at], _ridders(balance, t[at], t[at + 1], starts, ends)


def _balance(one: Array, other: Array) -> Array:
    """(one - other) / (one + other), in [-1, 1]: bounded, and smooth where both are."""
    total = one + other
    return np.divide(one - other, total, out=np.zeros_like(total), where=total > 0)


def _ridders(sign: Function, start: Array, end: Array, at_start: Array, at_end: Array) -> Array:
    """Zeros of a function between start and end, one each, from its values there."""
    for _ in range(_RIDDERS):
        middle = (start + end) / 2
        at_middle = sign(middle)
        root = np.sqrt(np.maximum(at_middle**2 - at_start * at_end, 0.0))
        step = np.divide(at_middle, root, out=np.zeros_like(root), where=root > 0)
        guess = np.clip(middle + (middle - start) * np.sign(at_start - at_end) * step, start, end)
        at_guess = sign(guess)
        for t, value in ((middle, at_middle), (guess, at_guess)):
            inside = (t > start) & (t < end)
            up = inside & (value * at_start > 0)
            start, at_start = np.where(up, t, start), np.where(up, value, at_start)
            down = inside & ~up
            end, at_end = np.where(down, t, end), np.where(down, value, at_end)
    gap = at_start - at_end
    share = np.divide(at_start, gap, out=np.full_like(gap, 0.5), where=gap != 0)
    return start + np.clip(share, 0.0, 1.0) * (end - start)
