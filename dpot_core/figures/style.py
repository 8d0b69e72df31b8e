"""How every figure looks: one colour and one marker per thing, one template, readable on light and dark."""

from __future__ import annotations

import math

import plotly.graph_objects as go

#: Okabe-Ito colours, one per thing through the whole app.
COLOURS: dict[str, str] = {
    "input": "#4D4D4D",
    "wpm": "#0072B2",
    "kpm": "#D55E00",
    "em": "#009E73",
    "krr": "#CC79A7",
    "mollifier": "#E69F00",
    "non-private": "#999999",
    "coreset": "#56B4E9",
}

# On Streamlit's dark ground #4D4D4D has a contrast of 2.2 to 1, too little to see; the others keep 3 to 1.
_ON_DARK: dict[str, str] = {"input": "#C9C9C9"}

#: Never colour alone: each thing has its own marker too.
MARKERS: dict[str, str] = {
    "input": "square",
    "wpm": "circle",
    "kpm": "diamond",
    "em": "triangle-up",
    "krr": "x",
    "mollifier": "triangle-down",
    "non-private": "line-ew",
    "coreset": "star",
}

#: Densities on the sequential scale, differences on the diverging one, centred at 0.
SEQUENTIAL = "Viridis"
DIVERGING = "RdBu"

#: A grey that keeps 4 to 1 on white and on the dark ground alike: bands, marks of the current value.
GUIDE = "#7F7F7F"
_GRID = "rgba(127,127,127,0.22)"


def colour(name: str, dark: bool = False) -> str:
    """The colour of a thing (a key of ``COLOURS``) on a light or a dark ground."""
    return _ON_DARK.get(name, COLOURS[name]) if dark else COLOURS[name]


def see_through(hex_colour: str, alpha: float) -> str:
    """``#RRGGBB`` with an opacity, as CSS ``rgba()``."""
    red, green, blue = (int(hex_colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def _template() -> go.layout.Template:
    axis = {"gridcolor": _GRID, "zerolinecolor": _GRID, "linecolor": _GRID, "automargin": True}
    return go.layout.Template(
        layout={
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "xaxis": axis,
            "yaxis": axis,
            "margin": {"l": 8, "r": 8, "t": 48, "b": 8},
            "title": {"x": 0, "xanchor": "left", "font": {"size": 16}},
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
            "hoverlabel": {"namelength": -1},
            "modebar": {"bgcolor": "rgba(0,0,0,0)"},
        }
    )


TEMPLATE = _template()


def new_figure(title: str, height: int) -> go.Figure:
    """An empty figure with the app's look.

    Args:
        title: what the picture shows, in words (plain text: HTML is escaped).
        height: pixels.
    """
    return go.Figure(layout={"template": TEMPLATE, "height": height, "title": {"text": plain(title)}})


def plain(label: str) -> str:
    """A label that Plotly shows as it is: the characters that start HTML there are escaped."""
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mark_value(figure: go.Figure, x: float, text: str, **where: int) -> None:
    """Mark the current value on a logarithmic x axis by a dotted line with a label.

    Args:
        figure: changed in place.
        x: the value itself, positive.
        text: the label.
        **where: ``row`` and ``col`` of a subplot.
    """
    figure.add_vline(x=x, line={"color": GUIDE, "width": 1.5, "dash": "dot"}, **where)
    # Plotly wants the value for a line on a log axis, but the logarithm for an annotation.
    figure.add_annotation(
        x=math.log10(x), y=1.0, yref="y domain", yanchor="bottom", text=plain(text), showarrow=False, **where
    )


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
    return str(for_export(figure).to_html(include_plotlyjs=True, full_html=True, config={"displaylogo": False}))
