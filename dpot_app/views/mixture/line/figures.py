from collections.abc import Collection, Mapping
from typing import Any

from dpot_app.figures.panels import EPSILON_PANELS, axes, axis, guide, panels
from dpot_app.figures.style import GUIDE, TITLE_HEIGHT, Figure, colour, new_figure, see_through
from dpot_app.figures.traces import Trace, band, bars, line
from dpot_app.views.mixture.line.results import Result
from dpot_app.views.mixture.looks import DASHES, THINGS, cost_text, epsilon_range, points
from dpot_app.views.mixture.settings import DOMAIN, NAMES, SHOWN
from dpot_app.views.mixture.worst_case import WorstCases, WorstNow
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.privacy.numerals import at_most, number, subscript

#: What can stand behind the curves.
DRAWS, CLIPS = "draws", "clips"
# Distances that are roots of what sums round.
_CRUMBS = 1e-6
_HOVER = "x = %{x:.2f}: %{y:.3~g}"
# Over a panel, of which a phone has three side by side.
_SHORT = {"mbde": "MBDE", "kpm-prior": "Near prior"}


def line_figure(result: Result, worst: WorstNow, output: str = "all", also: Collection[str] = (DRAWS, CLIPS)) -> Figure:
    """Densities over the band of KPM; shaded columns where KPM is clipped; bars for draws.

    Args:
        output: the mechanism whose density is drawn, or "all".
        also: what stands behind them: `DRAWS`, `CLIPS`.
    """
    data: list[Trace] = []
    centres, heights = result.histogram
    if len(centres) and DRAWS in also:
        name = f"{result.config.draws:,} draws from KPM"
        data.append(bars(centres, heights, name, colour=see_through(colour("kpm"), 0.3)))
    own = output if output in result.bands else "kpm"
    allowed = _allowed(result.x, result.bands.get(own, result.band))
    data.append(allowed | {"name": f"allowed for {NAMES[own]}", "showlegend": True})
    data.append(line(result.x, result.p, "input P", colour=colour("input"), hover=_HOVER))
    for key in result.densities:
        if output in ("all", key):
            data.append(_density(result, key))
    shapes = [_column(ends, GUIDE) for ends in result.raised] + [_column(ends, colour("kpm")) for ends in result.cut]
    shapes = shapes if CLIPS in also else []
    return new_figure(
        _title(result, worst.divergences["kl"]),
        470,
        data,
        bargap=0.0,
        shapes=shapes,
        xaxis=axis("x", range=list(DOMAIN)),
        yaxis=axis("density", range=[0.0, 1.06 * result.top]),
    )


def side_by_side_figure(result: Result, worst: WorstNow, also: Collection[str] = ()) -> Figure:
    """One panel a mechanism on the same axes: the input, the output, and the band that the output may not leave."""
    names = [name for name in SHOWN if name in result.densities]
    data: list[Trace] = []
    shapes: list[dict[str, Any]] = []
    for panel, name in enumerate(names):
        centres, heights = result.histogram
        if name == "kpm" and len(centres) and DRAWS in also:
            drawn = f"{result.config.draws:,} draws from KPM"
            data.append(bars(centres, heights, drawn, colour=see_through(colour("kpm"), 0.3), panel=panel))
        if name == "kpm" and CLIPS in also:
            shapes += [_column(ends, GUIDE, panel) for ends in result.raised]
            shapes += [_column(ends, colour("kpm"), panel) for ends in result.cut]
        first = {"showlegend": panel == 0}
        data.append(_allowed(result.x, result.bands[name], panel) | {"name": "allowed", **first})
        truth = line(result.x, result.p, "input P", colour=colour("input"), hover=_HOVER, panel=panel)
        data += [truth | first, _density(result, name, panel)]
    far = f"W{subscript(result.config.p)}"
    layout = panels(
        [f"{_SHORT.get(name, NAMES[name])}: {far} {_distance(result, name)}" for name in names],
        len(names),
        x={"title_text": "x", "range": list(DOMAIN), "tickvals": [-2, 0, 2]},  # none at the ends: there two axes meet
        y={"title_text": "density", "range": [0.0, 1.06 * result.top], "nticks": 5},
    )
    title = _title(result, worst.divergences["kl"])
    return new_figure(title, 330, data, bargap=0.0, shapes=shapes, margin={"t": TITLE_HEIGHT + 28}, **layout)


def _distance(result: Result, name: str) -> str:
    far = result.numbers[name].loss or 0.0
    return number(far if far > _CRUMBS else 0.0)


def _allowed(x: Any, bounds: tuple[Any, Any], panel: int = 0) -> Trace:
    edge = {"color": GUIDE, "dash": "dot", "width": 1}
    return band(x, *bounds, colour=GUIDE, opacity=0.16, panel=panel) | {"line": edge}


def _density(result: Result, key: str, panel: int = 0) -> Trace:
    name = f"{NAMES[key]} on {result.config.cells} cells" if key == "wpm" else NAMES[key]
    look = {"colour": colour(THINGS[key]), "dash": DASHES[key], "width": 2.5, "hover": _HOVER, "panel": panel}
    return line(result.x, result.densities[key], name, **look)


def _column(ends: tuple[float, float], fill: str, panel: int = 0) -> dict[str, Any]:
    names = axes(panel)
    place = {"type": "rect", "x0": ends[0], "x1": ends[1], "y0": 0, "y1": 1, "layer": "below"}
    place |= {"xref": names["xaxis"], "yref": f"{names['yaxis']} domain"}
    return place | {"line": {"width": 0}, "fillcolor": see_through(fill, 0.09)}


def _title(result: Result, worst: float) -> str:
    if result.trivial:
        return f"At ε = {result.config.epsilon:g} the input itself may be drawn from: nothing has to be hidden"
    costs = {name: entry.divergences["kl"] for name, entry in result.numbers.items()}
    text = cost_text(result.config.epsilon, costs)
    return f"{text}; for no member of the family does KPM cost more than {at_most(worst)}"


def bound_line(worst: WorstCases, divergence: str, panel: int) -> Trace:
    """R against epsilon; named in the first panel's legend."""
    name, values = "R: worst case of KPM over the whole family", worst.divergences[divergence]
    curve = line(worst.epsilon, values, name, colour=colour("kpm"), hover="-", panel=panel, showlegend=panel == 0)
    return curve | {"hovertemplate": "ε = %{x:.3~g}: %{y:.3~g}<extra>R</extra>"}


def worst_case_figure(result: Result, worst: WorstCases, now: WorstNow, largest: Mapping[str, float]) -> Figure:
    """R for each divergence against epsilon, with the current input's divergences as points.

    Args:
        largest: the largest of each divergence that such a point has at any epsilon.
    """
    data: list[Trace] = []
    for panel, name in enumerate(DIVERGENCES):
        data.append(bound_line(worst, name, panel))
        for key, entry in result.numbers.items():
            label, values = f"{NAMES[key]}, this input", [entry.divergences[name]]
            data.append(points([now.epsilon], values, label, THINGS[key], panel, size=10) | {"legendgroup": key})
    layout = panels([row.axis for row in DIVERGENCES.values()], 2, **EPSILON_PANELS, gap=(0.1, 0.12))
    for panel, name in enumerate(DIVERGENCES):
        names = axes(panel)
        top = max(largest[name], float(worst.divergences[name].max()))
        layout[f"yaxis{names['yaxis'][1:]}"]["range"] = [0.0, 1.08 * top]
        layout[f"xaxis{names['xaxis'][1:]}"]["range"] = epsilon_range(now.epsilon)
    reached = f"a KL of {at_most(now.divergences['kl'])} nats at ε = {now.epsilon:g}; KPM reaches it"
    return new_figure(
        f"No ε-LDP mechanism has a worst case below R: {reached}",
        560,
        data,
        shapes=[guide(panel, x=now.epsilon) for panel in range(len(DIVERGENCES))],
        margin={"t": TITLE_HEIGHT + 28},
        **layout,
    )
