"""KL projection of a density on the band between two multiples of a public one, solved on a quadrature."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpot_core.checks import Array
from dpot_core.mechanisms.continuous.envelopes import LEVELS, Envelope
from dpot_core.mechanisms.continuous.quadrature import (
    KRONROD,
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

# How often the panels are cut again where the solution is clipped. Each time the error of r is about squared: once it
# moves by no more than this, relatively, the next step would be lost in rounding.
_ROUNDS = 8
_SETTLED = 1e-6
# Steps of Ridders' method, each of which about squares the relative error of a crossing, or halves it at a jump.
_RIDDERS = 2
# r is found so that the integral on the quadrature is 1 within this.
_CLOSE = 1e-13
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


@dataclass(frozen=True, eq=False)
class Solution:
    """q = clip(gain p, low h, high h) of integral 1 within `nodes.error`."""

    gain: float
    nodes: Nodes


def solve(p: Function, envelope: Envelope, low: float, high: float, tolerance: float) -> Solution:
    """Find r = 1/gain with the integral of clip(p / r, low h, high h) equal to 1.

    Kinks of the clipped density are found along each line and panels cut there, so that every panel is smooth inside;
    in the plane lines are doubled until the error is below the tolerance.

    Args:
        p: density at points.
        envelope: h.
        low: lower bound as a multiple of h, at most 1.
        high: upper bound as a multiple of h, at least 1.
        tolerance: largest accepted error of the integral.

    Raises:
        ValueError: if p is no density, or no multiple of it fits between the bounds.
        RuntimeError: if the quadrature stays above the tolerance.
    """
    error = math.inf
    for base in laid_out(p, envelope, tolerance):
        solution = _on_lines(p, envelope, base, low, high)
        error = solution.nodes.error
        if error <= tolerance:
            return solution
    raise too_coarse(error, tolerance)


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


def too_coarse(error: float, tolerance: float) -> RuntimeError:
    """What to say when the finest quadrature is not good enough."""
    return RuntimeError(
        f"the quadrature's error is {error:.1e}, above the tolerance {tolerance:.1e}: "
        "a larger tolerance gives a smaller epsilon' and stays private"
    )


def _on_lines(p: Function, envelope: Envelope, base: Nodes, low: float, high: float) -> Solution:
    nodes, gain = base, _gain(base, low, high, 1.0)
    for _ in range(_ROUNDS):
        levels = (low / gain, high / gain, low, high)
        nodes = cut(p, envelope, base, levels)
        before, gain = gain, _gain(nodes, low, high, gain)
        if abs(gain - before) <= _SETTLED * gain:
            break
    clipped = np.clip(gain * nodes.p, low * nodes.h, high * nodes.h)
    total, error = integral(nodes.panels, clipped)
    return Solution(gain, Nodes(nodes.panels, nodes.p, nodes.h, error + abs(total - 1.0)))


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


def _gain(nodes: Nodes, low: float, high: float, start: float) -> float:
    """The x for which the integral of clip(x p, low h, high h) is 1: Newton steps on a piecewise linear function."""
    panels = nodes.panels
    weight = ((panels.lines.weight[panels.line] * panels.halves)[:, None] * KRONROD).ravel()
    p, h = weight * nodes.p.ravel(), weight * nodes.h.ravel()
    lower, upper = low * h, high * h
    x, left, right = start, 0.0, math.inf
    raised, clipped = np.empty_like(p), np.empty_like(p)
    for _ in range(200):
        np.multiply(p, x, out=raised)
        total = float(np.clip(raised, lower, upper, out=clipped).sum())
        if abs(total - 1.0) <= _CLOSE or right <= left * (1 + 1e-15):
            break
        left, right = (x, right) if total < 1.0 else (left, x)
        slope = float(p @ (raised == clipped))
        x = x + (1.0 - total) / slope if slope > 0 else 0.0
        if not left < x < right:
            if left == 0.0 or right == math.inf:
                left, right = _all_gains(p, lower, upper, left, right)
            x = float(np.sqrt(left) * np.sqrt(right))
    return x


def _all_gains(p: Array, lower: Array, upper: Array, left: float, right: float) -> tuple[float, float]:
    """Narrow (left, right) to the x between which clip(x p, lower, upper) changes at all.

    Raises:
        ValueError: if its sum never reaches 1.
    """
    positive = p > 0
    most = float(upper[positive].sum() + lower[~positive].sum())
    if most < 1.0 - 1e-6:
        raise ValueError(
            f"infeasible: clipped multiples of the input have integrals up to {most:.6g} only, because it has no mass "
            "in too large a part of the domain"
        )
    with np.errstate(over="ignore"):
        ends = float((lower[positive] / p[positive]).min()), float((upper[positive] / p[positive]).max())
    return max(left, ends[0] * (1 - 1e-12), 1e-300), min(right, ends[1] * (1 + 1e-12), 1e300)
