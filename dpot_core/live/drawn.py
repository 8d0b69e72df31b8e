"""Which figures the pages' own JavaScript draws as Plotly would: what a file of its own has to know beforehand."""

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

Part = Mapping[str, Any]

# The farthest corner of the box: from nearer by, parts of it would be behind the reader.
_CORNER = math.sqrt(0.75)
_IN_SPACE = ("surface", "scatter3d")


def can(spec: Part) -> bool:
    """Whether all of a figure's dictionary (`data`, `layout`) is drawn without Plotly.

    As `can` in static/spec.js, by the same table; tests/browser/test_drawn.py holds the two against each other.
    """
    layout = spec.get("layout") or {}
    traces = spec.get("data") or ()
    known = _table()
    return (
        all(_drawable(trace) and (trace.get("type") not in _IN_SPACE or _visible(trace, layout)) for trace in traces)
        and all(_plain_dial(dial) for dial in _numbered(layout, "polar"))
        and all(
            axis.get("type") in known["axes"] and "side" not in axis and not axis.get("overlaying")
            for letter in "xy"
            for axis in _numbered(layout, f"{letter}axis")
        )
        and all((shape.get("type") or "rect") in known["shapes"] for shape in layout.get("shapes") or ())
        and all(isinstance(scale.get("cmax"), int | float) for scale in _numbered(layout, "coloraxis"))
        and not any(layout.get(name) for name in ("updatemenus", "sliders", "images"))
        and layout.get("barmode") in known["bars"]
    )


@cache
def _table() -> dict[str, Any]:
    """What is drawn, from the module that says so in the browser."""
    held = (resources.files("dpot_core.live") / "static" / "drawn.js").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(held.split("export default ")[1].rstrip(";\n"))
    return table


def _numbered(layout: Part, name: str) -> Iterator[Part]:
    """Parts of a layout of one kind: xaxis, xaxis2, ..."""
    for key, part in layout.items():
        if key.startswith(name) and (key == name or key[len(name) :].isdigit()):
            yield part


def _plain_dial(dial: Part) -> bool:
    return (
        dial.get("radialaxis", {}).get("visible") is False
        and dial.get("angularaxis", {}).get("showticklabels") is False
        and not dial.get("sector")
    )


def _drawable(trace: Part) -> bool:
    known, marker = _table(), trace.get("marker") or {}
    kind = trace.get("type") or "scatter"
    if kind not in known["traces"] or trace.get("orientation") == "h":
        return False
    if any(trace.get(name) is not None for name in ("error_x", "error_y")) or trace.get("stackgroup"):
        return False
    if trace.get("fill") not in known["fills"] or (trace.get("line") or {}).get("shape") not in known["lines"]:
        return False
    if kind == "contour" and (trace.get("contours") or {}).get("coloring") != "none":
        return False
    symbols = marker.get("symbol") or "circle"
    if not all(
        _symbol(name) in known["symbols"] for name in ([symbols] if isinstance(symbols, str) else _list(symbols))
    ):
        return False
    if kind == "scattergl" and trace.get("mode") != "markers":
        return False
    scales = (holder.get("colorscale") for holder in (trace, marker))
    if any(isinstance(scale, str) and scale.removesuffix("_r") not in known["scales"] for scale in scales):
        return False
    numbers = (trace.get(name) for name in ("x", "y", "r", "theta"))
    return not any(isinstance(one, str) for held in numbers if isinstance(held, list | tuple) for one in held)


def _symbol(name: object) -> object:
    """The base of a mark's name; numbers are no names."""
    return name.removesuffix("-dot").removesuffix("-open") if isinstance(name, str) else None


def _visible(trace: Part, layout: Part) -> bool:
    """Whether a trace can be seen in space as Plotly shows it; numbers beside it are not drawn."""
    scene = layout.get(trace.get("scene") or "scene") or {}
    camera = scene.get("camera") or {}
    eye = {"x": 1.25, "y": 1.25, "z": 1.25, **(camera.get("eye") or {})}
    axes = [scene.get(f"{letter}axis") or {} for letter in "xyz"]
    return (
        _only(trace["type"], trace)
        and trace.get("hoverinfo") in ("skip", "none")
        and _only("scene", scene)
        and scene.get("aspectmode") == "cube"
        and all(
            _only("axis", axis) and axis.get("visible") is False and _whole(axis.get("range", [None])) for axis in axes
        )
        and _only("camera", camera)
        and (
            (camera.get("projection") or {}).get("type") == "orthographic"
            or math.hypot(eye["x"], eye["y"], eye["z"]) > _CORNER
        )
        and (_is_grid(trace) if trace["type"] == "surface" else _is_cloud(trace))
    )


def _only(kind: str, held: Part) -> bool:
    return held.keys() <= {*_table()["space"][kind]}


def _is_grid(trace: Part) -> bool:
    tables = [trace.get(name) for name in ("x", "y", "z")]
    if "surfacecolor" in trace:
        tables.append(trace["surfacecolor"])
    shapes = {_shape(table) for table in tables}
    if len(shapes) > 1:
        return False
    (shape,) = shapes
    return (
        trace.get("showscale") is False
        and len(shape) == 2
        and min(shape) > 1
        and all(_whole(table) for table in tables)
        and _only("lighting", trace.get("lighting") or {})
    )


def _is_cloud(trace: Part) -> bool:
    marker = trace.get("marker") or {}
    colours = marker.get("color", "")
    return (
        trace.get("mode") == "markers"
        and _only("marker", marker)
        and (isinstance(colours, str) or all(isinstance(colour, str) for colour in _list(colours)))
        and all(len(_shape(trace.get(letter))) == 1 and _whole(trace.get(letter)) for letter in "xyz")
    )


def _shape(held: Any) -> tuple[int, ...]:
    """Rows and columns of numbers as a figure has them: lists, arrays, or Plotly's encoded arrays."""
    if isinstance(held, Mapping):
        return tuple(int(size) for size in str(held["shape"]).split(",")) if "shape" in held else (1,)
    try:
        return np.shape(held)
    except ValueError:  # rows of different lengths
        return ()


def _whole(held: Any) -> bool:
    """Whether all entries are numbers; what is encoded is drawn as it is."""
    if isinstance(held, Mapping):
        return True
    try:
        return bool(np.isfinite(np.asarray(held, dtype=float)).all())
    except (TypeError, ValueError):
        return False


def _list(held: Any) -> list[Any]:
    return list(held) if isinstance(held, list | tuple | np.ndarray) else [None]
