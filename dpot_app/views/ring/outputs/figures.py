from collections.abc import Sequence
from typing import Any

import numpy as np

from dpot_app.figures.findings import best_two, labels_of, reads_alike
from dpot_app.figures.panels import panels
from dpot_app.figures.style import GUIDE, TITLE_HEIGHT, Figure, colour, new_figure, plain, see_through
from dpot_app.figures.traces import Trace, bars, line
from dpot_app.views.ring.outputs.results import Result
from dpot_app.views.ring.settings import Indices, Ring
from dpot_app.views.ring.units import bar_width, order, steps, unrolled
from dpot_core.arguments import Array
from dpot_core.mechanisms import LABELS, MECHANISMS
from dpot_core.privacy.numerals import number, rounded_up

_ROW, _LOW = 190, 160
# Room in the middle of the ring seen from above, as a share of its radius.
_HOLE = 0.55
_HOVER = "point %{x}: %{y:.3~g}"


def outputs_figure(result: Result) -> Figure:
    """Small panels on the same axes: the input alone, then each output over the input's outline."""
    names = list(result.outputs)
    points = np.arange(len(result.mu))
    data = [bars(points, result.mu, "input", colour=colour("input"), hover=_HOVER)]
    for panel, name in enumerate(names, start=1):
        data += _output(result, name, panel)
    titles = ["Input", *(f"{MECHANISMS[name].label}: {steps(result.distances[name])}" for name in names)]
    return _side_by_side(headline(result), titles, 2, data, result.config.ring, _top(result))


def epsilons_figure(results: Sequence[Result]) -> Figure:
    """A row for each mechanism: its outputs at several values of epsilon over the input's outline, on the same axes."""
    first, data, titles = results[0], list[Trace](), list[str]()
    for name in first.outputs:
        for result in results:
            titles.append(f"{MECHANISMS[name].label}, ε = {result.config.epsilon:g}")
            data += _output(result, name, len(titles) - 1)
    name = next(iter(first.outputs))
    said = (f"{steps(result.distances[name])} at ε = {result.config.epsilon:g}" for result in results)
    title = f"{MECHANISMS[name].label} moves the input by {order(first.config.ring.p)} = " + ", ".join(said)
    return _side_by_side(title, titles, len(results), data, first.config.ring, max(map(_top, results)), _LOW)


def _output(result: Result, name: str, panel: int) -> list[Trace]:
    look = {"colour": colour(name), "hover": _HOVER, "panel": panel, "width": bar_width(result.config.ring)}
    return [
        *([_band(result, name, panel)] if name in result.bands else []),
        bars(result.targets, result.outputs[name], MECHANISMS[name].label, **look),
        _outline(np.arange(len(result.mu)), result.mu, panel),
    ]


def _side_by_side(
    title: str, titles: list[str], columns: int, data: list[Trace], ring: Ring, top: float, row: int = _ROW
) -> Figure:
    rows = -(-len(titles) // columns)
    layout = panels(
        titles,
        columns,
        # Three long titles side by side meet on a phone.
        x={"title_text": "point" if columns > 2 else "point on the ring", "showgrid": False}
        | {"range": unrolled(ring), "nticks": 8},
        y={"range": [0, 1.06 * rounded_up(top)], "nticks": 5, "tickformat": "~g", "title_text": "probability"},
        gap=(0.03, 0.24 / rows),
    )
    look = {"showlegend": False, "barmode": "overlay", "bargap": 0.2, "margin": {"t": TITLE_HEIGHT + 28}}
    return new_figure(title, row * rows + TITLE_HEIGHT + 40, data, **look, **layout)


def _outline(points: Indices, mu: Array, panel: int) -> Trace:
    """Steps around the bars of the input, from the left edge of the first to the right edge of the last."""
    x, y = [-0.5, *points, len(points) - 0.5], [mu[0], *mu, mu[-1]]
    return line(x, y, colour=colour("input"), width=1.5, line={"shape": "hvh"}, panel=panel)


def _band(result: Result, name: str, panel: int) -> Trace:
    """The box [lower, upper] of every output as one closed outline."""
    lower, upper = result.bands[name]
    half = result.config.ring.every / 2
    edges = np.column_stack([result.targets - half, result.targets + half]).ravel()
    across = np.concatenate([edges, edges[::-1]])
    around: Array = np.concatenate([np.repeat(upper, 2), np.repeat(lower, 2)[::-1]])
    fill = {"fill": "toself", "fillcolor": see_through(GUIDE, 0.16)}
    return line(across, around, "allowed by privacy", colour=GUIDE, width=1, dash="dot", panel=panel, **fill)


def _top(result: Result) -> float:
    """The highest bar at any epsilon: that of the input, or of the input on the outputs; bounds may go out of sight."""
    ring = result.config.ring
    moved = result.mu if ring.snap is None else np.bincount(ring.snap, result.mu)
    # A base measure can heap up more than the input has: then, and only then, the axis follows.
    return max(float(result.mu.max()), float(moved.max()), *(float(nu.max()) for nu in result.outputs.values()))


def headline(result: Result) -> str:
    """The mechanism that moves the input least and the next one, in words."""
    name = order(result.config.ring.p)
    if not result.distances:
        return "The input; choose a mechanism to compare"
    best, other = best_two(result.distances)
    first, *others = labels_of((best, other), result.distances, LABELS)
    far = steps(result.distances[best])
    epsilon = f"At ε = {result.config.epsilon:g}"
    if other is not None and reads_alike((best, other), result.distances, steps):
        return f"{epsilon} {first} and {others[0]} move the input by {name} = {far}"
    text = f"{epsilon} {first} moves the input by {name} = {far}"
    return text if other is None else text + f", {others[0]} by {steps(result.distances[other])}"


#: What mechanisms do, in words for everybody.
IN_WORDS = {"wpm": "near the truth", "kpm": "anywhere"}


def miniature_figure(result: Result, shown: Sequence[str] = ("wpm", "kpm"), other: Result | None = None) -> Figure:
    """One dial for each mechanism of a result whose input is one point and p = 1: bars outwards are probabilities.

    They are as long as the square root, so that one scale, up to certainty (the outer circle), does for every epsilon.

    Args:
        shown: mechanisms that have their bars; the dials of all are there.
        other: the same with another input, shown as open marks where its bars would end.
    """
    top = 1.0
    turn = 360.0 / len(result.mu)
    data: list[Trace] = []
    layout: dict[str, Any] = {"annotations": []}
    for place, (name, nu) in enumerate(result.outputs.items()):
        dial, label = f"polar{place + 1 if place else ''}", MECHANISMS[name].label
        left, right = place / len(result.outputs), (place + 1) / len(result.outputs)
        said = [f"point {point}: {number(mass)}" for point, mass in zip(result.targets, nu, strict=True)]
        lengths = np.sqrt(nu) if name in shown else np.zeros(len(nu))
        release = {"r": lengths, "theta": turn * result.targets, "width": 0.85 * turn, "customdata": said}
        hover = {"hovertemplate": "%{customdata}<extra>%{fullData.name}</extra>"}
        look: Trace = {"type": "barpolar", "subplot": dial, "name": label, "marker": {"color": colour(name)}}
        data.append(look | release | hover)
        # A short spoke inside the ring, at the truth.
        inside = {"type": "scatterpolar", "subplot": dial, "cliponaxis": False, "mode": "markers"}
        data.append(inside | _spoke(result, top) | {"name": "the truth", "hovertemplate": "the truth<extra></extra>"})
        if other is not None:
            open_ = {"symbol": "circle-open", "size": 6, "color": colour("input"), "line": {"width": 1.5}}
            there = {"r": np.sqrt(other.outputs[name]), "theta": turn * other.targets, "marker": open_}
            data.append(inside | there | {"name": "had the truth been there", "hoverinfo": "skip"})
            spoke = _spoke(other, top)
            spoke["marker"] |= {"symbol": "diamond-open", "line": {"width": 2}}
            data.append(inside | spoke | {"name": "another truth", "hovertemplate": "another truth<extra></extra>"})
        turned = {"direction": "clockwise", "rotation": 90, "showticklabels": False, "ticks": "", "showgrid": False}
        layout[dial] = {
            "domain": {"x": [left + 0.01, right - 0.01], "y": [0.0, 1.0]},
            "bgcolor": "rgba(0,0,0,0)",
            "radialaxis": {"range": [-_HOLE / (1 - _HOLE) * top, top], "visible": False},
            "angularaxis": turned | {"linecolor": see_through(GUIDE, 0.4)},
        }
        where = {"x": (left + right) / 2, "y": 0.5, "xref": "paper", "yref": "paper", "yanchor": "middle"}
        words = "<br>".join(f"<b>{part}</b>" for part in IN_WORDS[name].split(" ", 1))
        text = {"text": f"{words}<br>{plain(label)}", "xanchor": "center", **where, "showarrow": False}
        layout["annotations"].append(text | {"font": {"size": 14}})
    # Twice as wide as high, also on a phone.
    look = {"showlegend": False, "margin": {"t": TITLE_HEIGHT + 4}, "meta": {"fit": [0.5, 12]}}
    return new_figure(_landing(result, shown), 460 + TITLE_HEIGHT, data, **look, **layout)


def _spoke(result: Result, top: float) -> Trace:
    marker = {"symbol": "diamond", "size": 11, "color": colour("input")}
    return {"r": [-0.29 * top], "theta": [360.0 / len(result.mu) * int(np.argmax(result.mu))], "marker": marker}


def _landing(result: Result, shown: Sequence[str]) -> str:
    """How far from the truth reports land, in words; who is nearer stands first, and who is not is said, too."""
    distances = {name: far for name, far in result.distances.items() if name in shown}
    # Those that read alike in the table's order, not in that of rounding.
    alike = {
        name: min(other for other in distances.values() if steps(other) == steps(far))
        for name, far in distances.items()
    }
    ranked = sorted(distances, key=alike.__getitem__)
    if not ranked:
        return f"A person is at one of {len(result.mu)} places on a ring, ◆; nothing is reported yet"
    near, *others = ranked
    said = {name: f"“{IN_WORDS[name]}” ({MECHANISMS[name].label})" for name in ranked}
    text = f"At ε = {result.config.epsilon:g} a report lands {steps(result.distances[near])} from the truth on average "
    text += "(W₁) "
    if [other for other in others if steps(result.distances[other]) == steps(result.distances[near])]:
        return f"{text}by {' and by '.join(said.values())} alike"
    return f"{text}by {said[near]}" + "".join(f", {steps(result.distances[name])} by {said[name]}" for name in others)
