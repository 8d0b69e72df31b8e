"""How every figure looks: one colour and one marker per thing, one template, readable on light and dark."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale

from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.oracles import ORACLES
from dpot_core.privacy.numerals import at_most, number

#: What every figure is.
Figure = go.Figure

# Colour (Okabe-Ito, and a purple) and marker of every thing through the whole app: never colour alone.
_LOOKS = {
    "input": ("#4D4D4D", "square"),
    **{name: (row.colour, row.marker) for name, row in MECHANISMS.items()},
    **{name: (oracle.colour, oracle.marker) for name, oracle in ORACLES.items()},
    "mbde": ("#8B5FBF", "pentagon"),
    "non-private": ("#999999", "line-ew"),
    "coreset": ("#56B4E9", "star"),
    "metric": ("#A0522D", "hexagon"),
    "user-level": ("#6080BF", "triangle-left"),
    "perturbation": ("#A3195B", "cross"),
    "kmeans": ("#B8860B", "bowtie"),
    "noisy-sinkhorn": ("#332288", "circle-dot"),
    "private-histograms": ("#8A8A2B", "square-dot"),
    "direct-laplace": ("#1B8A7A", "triangle-right"),
    "algorithm-1": ("#CC6677", "x-dot"),
    "two-stage": ("#7A2A1E", "diamond-tall"),
}
COLOURS: dict[str, str] = {name: colour for name, (colour, _) in _LOOKS.items()}
MARKERS: dict[str, str] = {name: marker for name, (_, marker) in _LOOKS.items()}

# On Streamlit's dark ground these have a contrast below 3 to 1, too little to see.
_ON_DARK: dict[str, str] = {
    "input": "#C9C9C9",
    "perturbation": "#F0679E",
    "noisy-sinkhorn": "#9A8FE3",
    "two-stage": "#F2C4A8",
}

#: Densities on the sequential scale, differences on the diverging one, centred at 0.
SEQUENTIAL = get_colorscale("Viridis")
DIVERGING = get_colorscale("RdBu")

# A page's ground, light and dark.
_PAPER, _DARK_PAPER = "#FEFEFE", "#14181D"
#: The shadow of letters that may lie over lines and bars: an edge in the colour of the page.
EDGE = f"{_PAPER} 0 0 3px, {_PAPER} 0 0 2px, {_PAPER} 0 0 1px"

#: A grey that keeps 4 to 1 on white and on the dark ground alike: bands, marks of the current value.
GUIDE = "#7F7F7F"
#: Pixels at the top of a figure that belong to its title (on a page the title is text above the figure).
TITLE_HEIGHT = 36
_GRID = "rgba(127,127,127,0.22)"

#: The axis of the privacy parameter: its name, its ticks, and both together.
EPSILON_TITLE = "privacy parameter ε (nats)"
EPSILON_TICKS: dict[str, Any] = {
    "type": "log",
    "tickvals": [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    "ticktext": ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10"],
}
EPSILON_AXIS: dict[str, Any] = {**EPSILON_TICKS, "title": {"text": EPSILON_TITLE}}


def colour(name: str, dark: bool = False) -> str:
    """The colour of a thing (a key of ``COLOURS``) on a light or a dark ground."""
    return _ON_DARK.get(name, COLOURS[name]) if dark else COLOURS[name]


def see_through(hex_colour: str, alpha: float) -> str:
    """``#RRGGBB`` with an opacity, as CSS ``rgba()``."""
    red, green, blue = (int(hex_colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


# As hexadecimal digits, and as rgba() without its opacity.
_BRIGHTER = [(COLOURS[name], dark) for name, dark in _ON_DARK.items()] + [(_PAPER, _DARK_PAPER)]
_BRIGHTER += [(see_through(light, 1)[:-2], see_through(dark, 1)[:-2]) for light, dark in _BRIGHTER]


def _template() -> go.layout.Template:
    axis = {"gridcolor": _GRID, "zerolinecolor": _GRID, "linecolor": _GRID, "automargin": True}
    axis |= {"exponentformat": "none", "separatethousands": True}  # numbers in full, as in every text
    return go.layout.Template(
        layout={
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "xaxis": axis,
            "yaxis": axis,
            "margin": {"l": 8, "r": 8, "t": TITLE_HEIGHT + 12, "b": 8},
            "title": {"x": 0, "xanchor": "left", "font": {"size": 16}},
            # Under everything, where it may take as many rows as a narrow screen needs.
            "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
            "hoverlabel": {"namelength": -1},
            "modebar": {"bgcolor": "rgba(0,0,0,0)"},
        }
    )


TEMPLATE = _template()


def new_figure(title: str, height: int, data: Sequence[dict[str, Any]] = (), **layout: Any) -> go.Figure:
    """A figure with the app's look, from plain dictionaries (ten times faster than adding to a figure).

    Plotly does not look at what it is given, which would take three times as long: the tests let it.

    Args:
        title: what the picture shows, in words (plain text: HTML is escaped).
        height: pixels, with the title.
        data: traces as dictionaries with ``type``.
        **layout: further layout entries.
    """
    look = {"template": TEMPLATE, "height": height, "title": {"text": plain(title)}}
    return go.Figure(data=list(data), layout={**look, **layout}, _validate=False)


def simulated(invented: bool) -> str:
    """The remark of every title about invented people, points and films."""
    return " (simulated)" if invented else ""


def on_dark_ground(spec: Any) -> Any:
    """A figure's plain dictionaries with the colours that a dark ground needs.

    Args:
        spec: of a figure on a light ground, or a part of one; it is not changed.
    """
    if isinstance(spec, dict):
        # Colours of a scale say how much: only those of single things are changed.
        return {name: value if name == "colorscale" else on_dark_ground(value) for name, value in spec.items()}
    if isinstance(spec, list | tuple):
        return [on_dark_ground(value) for value in spec]
    if isinstance(spec, str) and spec.startswith(("#", "rgba(")):
        for light, dark in _BRIGHTER:
            spec = spec.replace(light, dark)
    if isinstance(spec, str) and spec.startswith("rgb("):
        return _lighter(spec)
    return spec


def _lighter(shade: str) -> str:
    """A shade of the sequential scale, ``rgb(r, g, b)``, mixed with white where it would not be seen on dark."""
    channels = [int(part) for part in shade[4:-1].split(",")]
    if np.dot(channels, (0.2126, 0.7152, 0.0722)) >= 0.36 * 255:
        return shade
    return f"rgb({', '.join(str(round(0.6 * channel + 0.4 * 255)) for channel in channels)})"


def from_plotly(label: str) -> str:
    """Undo `plain`."""
    return label.replace("<br>", " ").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def title_apart(spec: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The title of a figure's plain dictionaries as text, and the rest without it and its room."""
    layout = spec["layout"]
    margin = layout.get("margin", {}).get("t", TEMPLATE.layout.margin.t)
    rest = {
        "title": {"text": ""},
        "height": layout["height"] - TITLE_HEIGHT,
        "margin": {**layout.get("margin", {}), "t": margin - TITLE_HEIGHT},
    }
    return from_plotly(layout["title"]["text"]), {**spec, "layout": {**layout, **rest}}


def plain(label: str) -> str:
    """A label that Plotly shows as it is: the characters that start HTML there are escaped."""
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def for_export(figure: go.Figure) -> go.Figure:
    """A copy for a file of its own: dark text on white, whatever theme the screen has."""
    copy = go.Figure(figure)
    copy.update_layout(
        template=TEMPLATE,
        paper_bgcolor="white",
        plot_bgcolor="white",
        font={"family": "sans-serif", "color": "#262730"},
        margin={"l": 24, "r": 24, "t": 64, "b": 24},
    )
    return copy


def to_html(figure: go.Figure) -> str:
    """The figure as one HTML document that opens without a network (plotly.js is inside, about 5 MB)."""
    # Plotly's button “Share chart” would send the data to another machine.
    config = {"displaylogo": False, "showSendToCloud": False}
    return str(for_export(figure).to_html(include_plotlyjs=True, full_html=True, config=config))


def km(distance: float) -> str:
    """A distance: ``1.93 km``, ``0.24 km``."""
    return f"{number(distance)} km"


def km_at_most(bound: float) -> str:
    """A bound, rounded up so that it stays one.

    >>> km_at_most(12.01), km_at_most(0.241), km_at_most(12.0)
    ('12.1 km', '0.241 km', '12 km')
    """
    return f"{at_most(bound)} km"
