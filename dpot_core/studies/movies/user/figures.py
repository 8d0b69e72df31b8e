from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.figures.panels import at_epsilon, axis
from dpot_core.figures.style import MARKERS, SEQUENTIAL, Figure, colour, new_figure, plain, simulated
from dpot_core.figures.traces import Trace, line, marks
from dpot_core.films.releases import MECHANISMS, REFERENCES
from dpot_core.studies.movies.user.results import LikedCurve, OneUser

#: The mechanisms that are drawn side by side.
SHOWN = ("wpm", "kpm", "em")

_TEXT = "%{text}"
#: Line style of each reference; what is close together must not look alike.
_DASHES = {"nearest": "solid", "popular": "dash", "uniform": "dot"}


def percent(probability: float) -> str:
    """A probability: ``26%``, ``6.1%``, ``0.42%``."""
    hundred = 100 * probability
    return f"{hundred:.0f}%" if hundred >= 9.95 else f"{hundred:.1f}%" if hundred >= 0.995 else f"{hundred:.2g}%"


def film_map(result: OneUser, curve: LikedCurve, name: str) -> Figure:
    """Candidates on the plane of the embedding, coloured by their probability under one mechanism of `SHOWN`.

    All mechanisms and all epsilon share one logarithmic scale; larger dots are likelier; diamonds are films that the
    user likes. Films nearest to the input lie on top, at every epsilon: so marks stay who they are.
    """
    films, ratings, nu = result.films, result.films.ratings, result.outputs[name]
    low, high = _range(result, curve)
    logs = np.log10(np.maximum(nu, low))
    relative = (logs - np.log10(low)) / max(np.log10(high / low), 1e-9)
    rated = films.inputs[result.mu > 0]
    stroke = {"width": 1, "color": colour("input")}
    thin: dict[str, Any] = {"symbol": "cross-thin", "size": 5, "line": stroke, "opacity": 0.7}
    x, y = films.positions.T
    texts = [plain(f"{ratings.films[i]} ({result.stars[i]:g} stars)") for i in rated]
    data = [marks(x[rated], y[rated], "rated by the user", hover=_TEXT, **thin) | _texts(texts)]
    order = np.argsort(result.nearness, kind="stable")
    for liked, symbol, label in ((False, "circle", "can be released"), (True, "diamond", "liked by the user")):
        part = order[result.liked[order] == liked]
        candidates = films.candidates[part]
        look: dict[str, Any] = {
            "symbol": symbol,
            "size": 6 + 10 * relative[part],
            "color": logs[part],
            "coloraxis": "coloraxis",
            "line": {"width": 1.5 if liked else 0.5, "color": colour("input")},
        }
        texts = [
            plain(f"{ratings.films[i]} ({ratings.genres_of(int(i))})") + f"<br>{percent(p)}"
            for i, p in zip(candidates, nu[part], strict=True)
        ]
        data.append(marks(x[candidates], y[candidates], label, hover=_TEXT, **look) | _texts(texts))
    finding = f"{percent(result.hits[name])} liked" if result.liked.any() else "no likes are known"
    bare = {"showticklabels": False, "zeroline": False, "showgrid": False, "ticks": ""}
    limits = {"cmin": float(np.log10(low)), "cmax": float(np.log10(high))}
    return new_figure(
        f"{MECHANISMS[name]}: {finding}{simulated(films.simulated)}",
        430,
        data,
        xaxis=bare | {"range": _span(films.positions[:, 0])},
        yaxis=bare | {"range": _span(films.positions[:, 1])},
        coloraxis={"colorscale": SEQUENTIAL, "colorbar": _colour_bar(low, high), **limits},
        legend={"orientation": "h", "itemsizing": "constant"},
    )


def _texts(texts: Sequence[str]) -> Trace:
    """What the mouse shows, without the name of the trace."""
    return {"text": texts, "hovertemplate": f"{_TEXT}<extra></extra>"}


def _range(result: OneUser, curve: LikedCurve) -> tuple[float, float]:
    """Smallest and largest probability that the maps show at any epsilon; at least a factor of two."""
    outputs = np.array([result.outputs[name] for name in SHOWN])
    high = max(float(outputs.max()), *(curve.reach[name][1] for name in SHOWN))
    least = min(float(outputs[outputs > 0].min()), *(curve.reach[name][0] for name in SHOWN))
    return min(max(least, high / 1e4), high / 2), high


def _span(positions: Array) -> list[float]:
    low, high = float(positions.min()), float(positions.max())
    room = 0.06 * max(high - low, 1e-9)
    return [low - room, high + room]


def _colour_bar(low: float, high: float) -> dict[str, Any]:
    ticks = np.linspace(np.log10(low), np.log10(high), 4)
    below = {"orientation": "h", "thickness": 8, "len": 1, "y": 0, "yanchor": "top", "ypad": 6}
    return below | {"tickvals": ticks, "ticktext": [percent(10**tick) for tick in ticks]}


def liked_curve_figure(curve: LikedCurve, epsilon: float) -> Figure:
    """Probability of a liked film against epsilon for one user: exact, nothing is drawn."""
    data = by_mechanism(curve.epsilon, curve.hits, "%{y:.1%}")
    # The two others are 0 or 1 for one user: the page says which in words.
    chance = curve.references["uniform"]
    data += reference_lines({"uniform": chance}, [float(curve.epsilon[0]), float(curve.epsilon[-1])])
    above = curve.epsilon[curve.hits["wpm"] >= 2 * chance]
    if chance == 0:
        title = "This user likes no film that can be released"
    elif above.size:
        title = f"WPM releases a liked film twice as often as chance from ε = {above[0]:g} on"
    else:
        title = "WPM never releases a liked film twice as often as chance"
    title += simulated(curve.simulated)
    return rates_figure(title, data, "probability of a liked film", epsilon, 400, (-1.05, 1.05))


def by_mechanism(at: Array, curves: pd.DataFrame, value: str) -> list[Trace]:
    """Curves over epsilon, whose ``value`` the mouse shows."""
    looks = {name: {"colour": colour(name), "symbol": MARKERS[name], "size": 7} for name in MECHANISMS}
    return [
        line(at, curves[name].to_numpy(), MECHANISMS[name], hover=f"ε = %{{x:g}}: {value}", **looks[name])
        for name in map(str, curves)
    ]


def reference_lines(values: Mapping[str, float], ends: Sequence[float]) -> list[Trace]:
    """What is the same for all epsilon, from the first to the last of them."""
    grey, hover = colour("non-private"), "%{y:.1%}"
    return [
        line(ends, [values[name]] * 2, label, colour=grey, dash=_DASHES[name], hover=hover)
        for name, label in REFERENCES.items()
        if name in values
    ]


def rates_figure(title: str, data: list[Trace], y: str, epsilon: float, height: int, span: Sequence[float]) -> Figure:
    """Shares against epsilon, whose present value is marked; ``span`` is the range of its logarithm."""
    y_axis = axis(y, rangemode="tozero", tickformat=".0%")
    return new_figure(title, height, data, yaxis=y_axis, **at_epsilon(epsilon, range=span))
