"""The candidates on a plane, coloured by how likely they are to be released."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.movies import MECHANISMS, OneUser
from dpot_core.figures.movies.words import percent
from dpot_core.figures.style import SEQUENTIAL, colour, new_figure, plain, simulated

#: The mechanisms that are drawn side by side.
SHOWN = ("wpm", "kpm", "em")


def film_map(result: OneUser, name: str, dark: bool = False) -> go.Figure:
    """Candidates on the plane of the embedding, coloured by their probability under one mechanism.

    All mechanisms share one logarithmic scale; larger dots are likelier; diamonds are films that the user likes.

    Args:
        result: the user.
        name: the mechanism, one of `SHOWN`.
        dark: for a dark ground.
    """
    films, ratings = result.films, result.films.ratings
    nu = result.outputs[name]
    low, high = _range(result)
    logs = np.log10(np.maximum(nu, low))
    relative = (logs - np.log10(low)) / max(np.log10(high / low), 1e-9)
    rated = films.inputs[result.mu > 0]
    x, y = films.positions[rated].T
    grey = colour("input", dark)
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": x,
            "y": y,
            "mode": "markers",
            "marker": {"symbol": "cross-thin", "size": 5, "line": {"width": 1, "color": grey}, "opacity": 0.7},
            "name": "rated by the user",
            "text": [plain(f"{ratings.films[i]} ({result.stars[i]:g} stars)") for i in rated],
            "hovertemplate": "%{text}<extra></extra>",
        }
    ]
    order = np.argsort(nu, kind="stable")  # the likeliest on top
    for liked, symbol, label in ((False, "circle", "can be released"), (True, "diamond", "liked by the user")):
        part = order[result.liked[order] == liked]
        x, y = films.positions[films.candidates[part]].T
        texts = [
            plain(f"{ratings.films[i]} ({ratings.genres_of(int(i))})") + f"<br>{percent(p)}"
            for i, p in zip(films.candidates[part], nu[part], strict=True)
        ]
        data.append(
            {
                "type": "scatter",
                "x": x,
                "y": y,
                "mode": "markers",
                "marker": {
                    "symbol": symbol,
                    "size": 6 + 10 * relative[part],
                    "color": logs[part],
                    "coloraxis": "coloraxis",
                    "line": {"width": 1.5 if liked else 0.5, "color": grey},
                },
                "name": label,
                "text": texts,
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    finding = f"{percent(result.hits[name])} liked" if result.liked.any() else "no likes are known"
    title = f"{MECHANISMS[name]}: {finding}{simulated(films.simulated)}"
    axis = {"showticklabels": False, "zeroline": False, "showgrid": False, "ticks": ""}
    return new_figure(
        title,
        430,
        data,
        xaxis={**axis, "range": _span(films.positions[:, 0])},
        yaxis={**axis, "range": _span(films.positions[:, 1])},
        coloraxis={
            "colorscale": SEQUENTIAL,
            "cmin": float(np.log10(low)),
            "cmax": float(np.log10(high)),
            "colorbar": _bar(low, high),
        },
        legend={"orientation": "h", "itemsizing": "constant"},
    )


def _range(result: OneUser) -> tuple[float, float]:
    """Smallest and largest probability that the maps show; at least a factor of two."""
    outputs = np.array([result.outputs[name] for name in SHOWN])
    high = float(outputs.max())
    return min(max(float(outputs[outputs > 0].min()), high / 1e4), high / 2), high


def _span(positions: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float]:
    low, high = float(positions.min()), float(positions.max())
    room = 0.06 * max(high - low, 1e-9)
    return [low - room, high + room]


def _bar(low: float, high: float) -> dict[str, Any]:
    ticks = np.linspace(np.log10(low), np.log10(high), 4)
    return {
        "orientation": "h",
        "thickness": 8,
        "len": 1,
        "y": 0,
        "yanchor": "top",
        "ypad": 6,
        "tickvals": ticks,
        "ticktext": [percent(10**tick) for tick in ticks],
    }
