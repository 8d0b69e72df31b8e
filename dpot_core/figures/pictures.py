"""The one picture of every kind of scenario, for the board and the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import plotly.graph_objects as go

from dpot_core.figures import needs
from dpot_core.figures.style import COLOURS, TITLE_HEIGHT, new_figure, plain
from dpot_core.studies._kit.view import Results
from dpot_core.studies.table import VIEWS

#: Key of a kind -> figure of its results, on a light ground. Kinds that are not here get bars of their headlines.
PICTURES: dict[str, Callable[..., go.Figure]] = {
    "decide.epsilon": needs.needs_figure,
}


def picture(kind: str, results: Results, headlines: Mapping[str, float], title: str) -> go.Figure:
    """The picture of one scenario, on a light ground.

    Args:
        kind: key of its kind.
        results: of running it.
        headlines: its numbers: name with unit -> value.
        title: what it is, for pictures that do not say so themselves.
    """
    make = PICTURES.get(kind)
    figure = VIEWS[kind].board_picture(results) if kind in VIEWS else make(*results.parts) if make else None
    return figure or headlines_figure(headlines, title)


def headlines_figure(headlines: Mapping[str, float], title: str) -> go.Figure:
    """Bars of a few numbers.

    Args:
        headlines: name with unit -> value.
        title: what the picture shows.
    """
    names = list(headlines)
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [plain(name) for name in names],
        "x": [headlines[name] for name in names],
        "text": [f"{headlines[name]:.4g}" for name in names],
        "marker": {"color": COLOURS["wpm"]},
        "hovertemplate": "%{y}: %{x:.6g}<extra></extra>",
    }
    height = TITLE_HEIGHT + 60 + 36 * len(names)
    return new_figure(title, height, [bars], yaxis={"autorange": "reversed"}, xaxis={"rangemode": "tozero"})
