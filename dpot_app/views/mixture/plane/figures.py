from typing import Any

import numpy as np

from dpot_app.figures.panels import axes, axis, panels
from dpot_app.figures.style import DIVERGING, SEQUENTIAL, TITLE_HEIGHT, Figure, new_figure
from dpot_app.figures.traces import Trace, heat
from dpot_app.views.mixture.looks import cost_text
from dpot_app.views.mixture.plane.results import Plane
from dpot_app.views.mixture.settings import NAMES
from dpot_core.privacy.numerals import at_most, number, percent


def plane_figure(result: Plane, name: str = "") -> Figure:
    """Heat maps of the input and of one output, the same scale; lines where KPM is clipped.

    Args:
        name: the mechanism; "" for the input alone.
    """
    shown = {"Input P": result.p, **({_label(result, name): result.densities[name]} if name else {})}
    data: list[Trace] = []
    for panel, (label, values) in enumerate(shown.items()):
        data.append(_heat(result, values, label, panel=panel, coloraxis="coloraxis"))
        if label == NAMES["kpm"]:
            data.append(_clips(result, panel))
    x, y = ({"title_text": name, "showgrid": False, "zeroline": False, "nticks": 7} for name in ("x", "y"))
    layout = panels(list(shown), 2, x=x, y=y, share_y=False, gap=(0.08, 0.1))
    costs = {name: entry.divergences["kl"] for name, entry in result.numbers.items()}
    return new_figure(
        f"{cost_text(result.config.epsilon, costs)}; "
        f"for no member of the family does KPM cost more than {at_most(result.worst['kl'])}",
        300 + TITLE_HEIGHT + 100,
        data,
        coloraxis={
            "colorscale": SEQUENTIAL,
            "cmin": 0.0,
            "cmax": result.top,
            # Under the maps: beside them it would take a third of a phone's width.
            "colorbar": _bar("density") | {"orientation": "h", "y": -0.2, "yanchor": "top"},
        },
        margin={"t": TITLE_HEIGHT + 28},
        meta={"fit": [0.5, 110]},
        **_square(layout, len(shown)),
    )


def small_plane_figure(result: Plane, name: str) -> Figure:
    """Another output, small, on the same scale."""
    cost = f"{_label(result, name)}: KL {number(result.numbers[name].divergences['kl'])} nats"
    bare = {"visible": False}
    layout = panels([cost], 1, x=bare, y=bare)
    scale = {"colorscale": SEQUENTIAL, "cmin": 0.0, "cmax": result.top, "showscale": False}
    heat_map = _heat(result, result.densities[name], "", coloraxis="coloraxis") | {"hoverinfo": "skip"}
    look = {"coloraxis": scale, "margin": {"t": TITLE_HEIGHT + 24, "l": 0, "r": 0, "b": 4}}
    return new_figure(cost, TITLE_HEIGHT + 24 + 150, [heat_map], **look, **_square(layout, 1))


def difference_figure(result: Plane, name: str, largest: float) -> Figure:
    """Output minus input on a scale centred at 0.

    Args:
        largest: difference at any epsilon, up or down.
    """
    difference = result.densities[name] - result.p
    most, moved = largest or 1.0, result.numbers[name].divergences["tv"]
    scale = {"colorscale": DIVERGING, "reversescale": True, "zmin": -most, "zmax": most}
    scale["colorbar"] = _bar("output minus input") | {"orientation": "h", "y": -0.2, "yanchor": "top"}
    return new_figure(
        # Below a millionth it is the rounding of sums over the map.
        f"{NAMES[name]} moves " + (f"{percent(moved)} of the mass: from blue to red" if moved > 1e-6 else "no mass"),
        300 + TITLE_HEIGHT + 100,
        [_heat(result, difference, "difference", **scale)],
        xaxis=axis("x", showgrid=False, constrain="domain", nticks=7),
        yaxis=axis("y", showgrid=False, scaleanchor="x", constrain="domain", constraintoward="top", nticks=7),
        margin={"t": TITLE_HEIGHT + 28},
        meta={"fit": [1.0, 70]},
    )


def _label(result: Plane, name: str) -> str:
    cells = f", {result.config.cells} × {result.config.cells} cells" if name == "wpm" else ""
    return NAMES[name] + cells


def _bar(what: str) -> dict[str, Any]:
    return {"title": {"text": what}, "thickness": 10}


def _heat(result: Plane, values: Any, label: str, **more: Any) -> Trace:
    # Six digits: what cannot be seen need not travel to the browser.
    return heat(result.axis, result.axis, np.round(values, 6), label, hover="(%{x:.2f}, %{y:.2f}): %{z:.3~g}", **more)


def _clips(result: Plane, panel: int) -> Trace:
    """Borders of where KPM clips."""
    return heat(result.axis, result.axis, result.clipped, panel=panel) | {
        "type": "contour",
        "contours": {"start": -0.5, "end": 0.5, "size": 1.0, "coloring": "none"},
        "line": {"color": "#FFFFFF", "width": 1.5, "dash": "dot"},
        "showscale": False,
    }


def _square(layout: dict[str, Any], count: int) -> dict[str, Any]:
    """The same length on both axes of every panel."""
    for panel in range(count):
        names = axes(panel)
        key = "yaxis" + names["yaxis"][1:]
        layout[key] |= {"scaleanchor": names["xaxis"], "constrain": "domain", "constraintoward": "top"}
        layout[key]["showticklabels"] = panel % 2 == 0 and layout[key].get("visible", True)
        layout["xaxis" + names["xaxis"][1:]] |= {"constrain": "domain"}
    return layout
