"""Worst cases against epsilon, drawn alike on every page: one curve a mechanism, where it stands, the data at hand."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpot_app.figures.panels import at_epsilon, axis
from dpot_app.figures.style import Figure, colour, new_figure
from dpot_app.figures.traces import Trace, band, line, marks, star
from dpot_core.arguments import Array

#: Height of the picture beside or under the outputs.
HEIGHT = 340


@dataclass(frozen=True)
class WorstCurve:
    """The worst case of one mechanism over epsilon.

    Attributes:
        name: of the mechanism, whose colour it has.
        label: in the legend.
        values: the worst case, or where it is not known what an input attains, (T,).
        now: the same at the present epsilon.
        at_most: an upper bound where the worst case is not known, (T,): the band up to it is shaded; None where it is.
        here: the value for the data at hand at the present epsilon; None for none.
        dash: Plotly's name of the line's pattern.
    """

    name: str
    label: str
    values: Array
    now: float
    at_most: Array | None = None
    here: float | None = None
    dash: str = "solid"


def worst_curves_figure(
    title: str,
    epsilons: Array,
    curves: Sequence[WorstCurve],
    epsilon: float,
    unit: str,
    target: float | None = None,
    edge: float = math.inf,
) -> Figure:
    """Curves of the worst case, a star at the present epsilon, an open circle for the data at hand.

    Args:
        title: what the curves say.
        epsilons: at which they are known, (T,).
        curves: one a mechanism.
        epsilon: the present one.
        unit: title of the vertical axis, with its unit.
        target: what was asked for, in the same unit; None for nothing.
        edge: the most that the vertical axis shows; what is shaded may leave the picture.
    """
    hover = "ε = %{x:.3~g}: %{y:.3~g}"
    data = []
    for one in curves:
        if one.at_most is not None:
            data.append(band(epsilons, one.values, one.at_most, colour=colour(one.name), opacity=0.12))
    for one in curves:
        data.append(line(epsilons, one.values, one.label, colour=colour(one.name), dash=one.dash, hover=hover))
    for one in curves:
        data.append(star([epsilon], [one.now], hover=hover, color=colour(one.name), size=12))
        if one.here is not None:
            look: Trace = {"symbol": "circle-open", "size": 9, "color": colour(one.name), "line": {"width": 2}}
            mark = marks([epsilon], [one.here], hover=f"data at hand, {hover}", **look)
            data.append(mark | {"cliponaxis": False})
    reached = (max(float(one.values.max()), one.now, one.here or 0.0) for one in curves)
    bounded = (float(one.at_most.max()) for one in curves if one.at_most is not None)
    top = min(1.06 * max((*reached, *bounded, 0.0)), edge) or 1.0
    layout = at_epsilon(epsilon)
    if target is not None and target <= top:
        layout["shapes"] = [
            *layout["shapes"],
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": target, "y1": target, "line": {"dash": "dot"}},
        ]
    return new_figure(title, HEIGHT, data, yaxis=axis(unit, range=[0.0, top]), **layout)
