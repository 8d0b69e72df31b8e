"""A curve over epsilon that a reader has drawn, and the true one over it."""

from collections.abc import Sequence

import numpy as np

from dpot_app.figures.panels import axis
from dpot_app.figures.style import EPSILON_AXIS, GUIDE, Figure, colour, new_figure
from dpot_app.figures.traces import line
from dpot_core.privacy.numerals import number

#: Values of epsilon at which the true curve is computed.
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
_LOW, _HIGH = float(np.log10(EPSILONS[0])), float(np.log10(EPSILONS[-1]))
#: Room above the largest value.
_ROOM = 1.2

Points = Sequence[tuple[float, float]]


def _across(epsilon: float) -> float:
    """Where an epsilon lies on the axis, as a share of it."""
    return float((np.log10(epsilon) - _LOW) / (_HIGH - _LOW))


def read_sketch(text: str) -> Points:
    """Points of a curve, from left to right, in shares of the picture.

    Raises:
        ValueError: if the text holds anything else.

    >>> read_sketch("0 0.9; 0.5 0.4")
    [(0.0, 0.9), (0.5, 0.4)]
    """
    points = [tuple(map(float, one.split())) for one in text.split(";") if one.strip()]
    if not all(len(one) == 2 and min(one) >= 0.0 and max(one) <= 1.0 for one in points):
        raise ValueError("a sketch has two shares of the picture for each point")
    return sorted((x, y) for x, y in points)


def shares(text: str, values: Sequence[float]) -> str:
    """A sketch that was typed, "epsilon value; epsilon value", as `read_sketch` takes it.

    Raises:
        ValueError: if a point is no pair of numbers, or lies beyond the picture.
    """
    top = _ROOM * float(np.max(values))
    try:
        points = [tuple(map(float, one.split())) for one in text.split(";") if one.strip()]
        placed = [
            ((np.log10(epsilon) - _LOW) / (_HIGH - _LOW), value / top) for epsilon, value in points if epsilon > 0
        ]
    except ValueError:
        raise ValueError('a sketch is typed as "ε value; ε value", such as "0.1 5; 1 3; 10 1"') from None
    if not placed or not all(0.0 <= share <= 1.0 for point in placed for share in point):
        raise ValueError(f"ε must lie from {EPSILONS[0]:g} to {EPSILONS[-1]:g}, and values from 0 to {number(top)}")
    return "; ".join(f"{round(x, 4)} {round(y, 4)}" for x, y in placed)


def drawn_at(points: Points, epsilon: float, values: Sequence[float]) -> float | None:
    """The sketch's value at an epsilon; None beside its ends."""
    x, y = np.array(points).T
    at = _across(epsilon)
    return float(np.interp(at, x, y) * _ROOM * np.max(values)) if x[0] - 0.02 <= at <= x[-1] + 0.02 else None


def sketch_figure(points: Points, values: Sequence[float], name: str, title: str, unit: str) -> Figure:
    """Empty until something is drawn; then the sketch, and the true curve of a mechanism over it.

    Args:
        values: of the mechanism, at `EPSILONS`.
        name: of the mechanism.
        title: what is drawn, with its unit.
        unit: of the values.
    """
    top = _ROOM * float(np.max(values))
    # Without anything on them a picture has no axes to draw over.
    corners = line([EPSILONS[0], EPSILONS[-1]], [0.0, top], colour="rgba(0,0,0,0)", showlegend=False)
    data, said = [corners], f"Drag from left to right: what does {name} reach at every ε?"
    if points:
        x, y = np.array(points).T
        data.append(line(10 ** (_LOW + x * (_HIGH - _LOW)), y * top, "drawn", colour=GUIDE, dash="dot", width=3))
        hover = f"ε = %{{x:.3~g}}: %{{y:.3~g}} {unit}"
        look = {"colour": colour("wpm") if name == "WPM" else GUIDE, "symbol": "circle"}
        data.append(line(EPSILONS, values, name, hover=hover, **look))
        said = _compared(points, values, name, unit)
    shown = {**EPSILON_AXIS, "range": [_LOW, _HIGH]}
    return new_figure(said, 360, data, xaxis=shown, yaxis=axis(title, range=[0.0, top]))


def _compared(points: Points, values: Sequence[float], name: str, unit: str) -> str:
    """Where the sketch is farthest from the truth."""
    pairs = zip(EPSILONS, values, strict=True)
    drawn = [(drawn_at(points, epsilon, values), true, epsilon) for epsilon, true in pairs]
    known = [(abs(sketched - true), sketched, true, at) for sketched, true, at in drawn if sketched is not None]
    if not known:
        return f"{name}, computed; the sketch reaches none of its points"
    _, sketched, true, at = max(known)
    return f"Farthest apart at ε = {at:g}: drawn {number(sketched)} {unit}, and {name} reaches {number(true)} {unit}"
