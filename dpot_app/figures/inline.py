"""Figures as light JSON, and inside a document that opens without a network."""

import base64
import json
import math
from typing import Any

import numpy as np
from plotly.offline import get_plotlyjs

from dpot_app.figures.style import from_plotly
from dpot_core.arguments import Array

#: Pixels that fit between the margins of an A4 page.
PAGE_WIDTH = 680

#: Cells per side of a map beyond which a small picture shows no more.
MOST_CELLS = 61


def plotly_js() -> str:
    """The program that draws figures, about 5 MB."""
    return str(get_plotlyjs())


def lighter(spec: str, most: int = MOST_CELLS) -> str:
    """A figure's JSON with numbers in seven digits and maps of at most so many cells per side.

    Args:
        most: cells per side; only maps that name the places of their cells are thinned.
    """
    figure = json.loads(spec)
    for trace in figure["data"]:
        packed = [name for name, value in trace.items() if isinstance(value, dict) and "bdata" in value]
        arrays = {name: _decoded(trace[name]) for name in packed}
        z = arrays.get("z")
        if z is not None and z.ndim == 2 and {"x", "y"} <= arrays.keys():
            across, up = (math.ceil(max(size - 1, 1) / max(most - 1, 1)) for size in (z.shape[1], z.shape[0]))
            arrays |= {"z": z[::up, ::across], "x": arrays["x"][::across], "y": arrays["y"][::up]}
        trace |= {name: _encoded(values) for name, values in arrays.items()}
    return json.dumps(figure)


def for_page(spec: str) -> dict[str, Any]:
    """A figure's JSON as it stands in a document: dark on white, as wide as the page, without what only a mouse shows.

    Returns:
        ``data``, ``layout`` and the ``title`` as plain text.
    """
    figure = json.loads(spec)
    layout = figure["layout"]
    title = from_plotly(layout["title"]["text"])
    for trace in figure["data"]:
        for name in ("customdata", "hovertemplate", "hovertext"):
            trace.pop(name, None)
    layout |= {
        "title": {"text": ""},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "font": {"family": "sans-serif", "color": "#262730", "size": 12},
        "width": PAGE_WIDTH,
        "margin": {"l": 8, "r": 8, "b": 8, **layout.get("margin", {}), "t": 28},
    }
    return {"data": figure["data"], "layout": layout, "title": title}


def _decoded(value: dict[str, Any]) -> Array:
    """An array from Plotly's JSON."""
    flat = np.frombuffer(base64.b64decode(value["bdata"]), dtype=np.dtype(value["dtype"]))
    shape = value.get("shape")
    return flat if shape is None else flat.reshape([int(size) for size in str(shape).split(",")])


def _encoded(values: Array) -> dict[str, Any]:
    """An array as Plotly's JSON; floating point in seven digits."""
    small = values.astype(np.float32) if values.dtype.kind == "f" else values
    found = {"dtype": small.dtype.str.lstrip("<|=>"), "bdata": base64.b64encode(small.tobytes()).decode()}
    return found if small.ndim == 1 else {**found, "shape": ", ".join(map(str, small.shape))}
