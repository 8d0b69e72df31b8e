import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.figures.findings import best_two, labels_of, reads_alike, where
from dpot_app.figures.map_writing import GIVES_WAY
from dpot_app.figures.panels import at_epsilon, axis, panels, ticks
from dpot_app.figures.style import (
    EDGE,
    MARKERS,
    SEQUENTIAL,
    TITLE_HEIGHT,
    Figure,
    colour,
    new_figure,
    plain,
    simulated,
)
from dpot_app.figures.traces import Trace, line, marks
from dpot_app.figures.worst_curves import HEIGHT
from dpot_app.films.releases import MECHANISMS, REFERENCES
from dpot_app.views.movies.user.results import LikedCurve, OneUser
from dpot_core.arguments import Array
from dpot_core.datasets.ratings import Codes
from dpot_core.privacy.numerals import counted, enumeration, percent

#: The mechanisms whose probabilities the shared scale always holds, so that it stays when others are chosen.
SHOWN = ("wpm", "kpm", "em")
#: Height of the maps side by side, without their titles.
_SMALL = 170

_TEXT = "%{text}"
#: Hundreds of marks that change with every epsilon: on a canvas they keep to a frame's time.
_MANY: Trace = {"type": "scattergl"}
#: Of how many likeliest films the titles are written, where they are this far apart as shares of the map's width and
#: height; letters of a title; and from which share of the width to the right end they stand on the left of their film.
_MOST_NAMED, _WIDE, _HIGH, _LONGEST, _TURNED = 8, 0.25, 0.05, 28, 0.3
#: Fewest round numbers along the colour bar.
_LEAST_TICKS = 4
#: Line style of each reference; what is close together must not look alike.
_DASHES = {"nearest": "solid", "popular": "dash", "uniform": "dot"}


def film_map(result: OneUser, name: str, curve: LikedCurve, epsilon: float, draw: int | None = None) -> Figure:
    """Candidates on the plane of the embedding, coloured by their probability under one mechanism.

    All mechanisms and all epsilon share one logarithmic scale; larger dots are likelier; diamonds are films that the
    user likes. Films nearest to the input lie on top, at every epsilon: so marks stay who they are.

    Args:
        draw: seed of a demonstration whose film has a star; None for none.
    """
    data = [_rated(result), *_released(result, curve, name)]
    layout = _plane(result, curve, f"What {MECHANISMS[name]} releases at ε = {epsilon:g}")
    layout["coloraxis"] |= {"showscale": True, "colorbar": _colour_bar(*shared_scale(result, curve))}
    layout["legend"] = {"orientation": "h", "itemsizing": "constant"}
    star = [] if draw is None else [_drawn(result, name, draw)]
    return new_figure(_title(result, name), 490, [*data, _likeliest(result, name, draw), *star], **layout)


def _rated(result: OneUser) -> Trace:
    """The films that make the user's input."""
    films = result.films
    rated = films.inputs[result.mu > 0]
    stroke = {"width": 1, "color": colour("input")}
    thin: dict[str, Any] = {"symbol": "cross-thin", "size": 5, "line": stroke, "opacity": 0.7}
    texts = [plain(f"{films.ratings.films[i]} ({result.stars[i]:g} stars)") for i in rated]
    x, y = films.positions[rated].T
    return marks(x, y, "rated by the user", hover=_TEXT, **thin) | _texts(texts) | _MANY


def _released(result: OneUser, curve: LikedCurve, name: str, size: float = 1.0) -> list[Trace]:
    """The candidates as a mechanism releases them; those that the user likes are diamonds."""
    films, ratings, nu = result.films, result.films.ratings, result.outputs[name]
    data = []
    for liked, symbol, label in ((False, "circle", "can be released"), (True, "diamond", "liked by the user")):
        part = _upwards(result)[result.liked[_upwards(result)] == liked]
        texts = [
            plain(f"{ratings.films[i]} ({ratings.genres_of(int(i))})") + f"<br>{percent(p)}"
            for i, p in zip(films.candidates[part], nu[part], strict=True)
        ]
        dots = _candidates(result, curve, name, part, label, size=size, hover=_TEXT)
        dots["marker"] |= {"symbol": symbol, "line": {"width": 1.5 if liked else 0.5, "color": colour("input")}}
        data.append(dots | _texts(texts))
    return data


def _drawn(result: OneUser, name: str, draw: int) -> Trace:
    """The film that a seed draws, with its odds."""
    film = result.drawn(draw)[name]
    x, y = map(float, result.films.positions[film])
    (west, east), (south, north) = (_span(axis) for axis in result.films.positions.T)
    title = f"{plain(_short(result.films.ratings.films[film]))}<br>drawn with {percent(result.odds(name, film))}"
    side = "left" if x > (west + east) / 2 else "right"
    up = "bottom" if y > south + 0.15 * (north - south) else "top"
    mark = marks([x], [y], "drawn", color="#F0E442", size=24, symbol="star", line={"width": 1.5, "color": "#262730"})
    over = {"textposition": f"{up} {side}", "textfont": {"shadow": EDGE}}
    said = {"mode": "markers+text", "text": [title], **over}
    # Another film is another: the star jumps.
    return mark | said | {"hoverinfo": "skip", "uid": f"drawn-{film}"}


def small_film_map(result: OneUser, name: str, curve: LikedCurve, draw: int | None = None) -> Figure:
    """The same, small: what one mechanism releases, with how often the user likes it, beside the others."""
    liked = f"{percent(result.hits[name])} liked" if result.liked.any() else "no likes are known"
    star = [] if draw is None else [_drawn(result, name, draw) | {"mode": "markers"}]
    for trace in star:
        trace["marker"] = trace["marker"] | {"size": 16}
    return _small(result, curve, f"{MECHANISMS[name]}: {liked}", [*_released(result, curve, name, 0.5), *star])


def profile_map(result: OneUser, curve: LikedCurve) -> Figure:
    """The truth beside them, of the same size: the films that make the input, and the candidates that are liked."""
    x, y = result.films.positions[result.films.candidates[result.liked]].T
    look: dict[str, Any] = {"size": 6, "symbol": "diamond-open", "color": colour("input")}
    texts = [plain(result.films.ratings.films[i]) for i in result.films.candidates[result.liked]]
    liked = marks(x, y, "liked by the user", hover=_TEXT, **look) | _texts(texts) | _MANY
    rated = int((result.stars > 0).sum())
    title = f"Profile: {int((result.mu > 0).sum())} train films of {counted(rated, 'film', 'films')} rated"
    return _small(result, curve, title, [_rated(result), liked])


def _small(result: OneUser, curve: LikedCurve, title: str, data: list[Trace]) -> Figure:
    layout = _plane(result, curve)
    margin = {"t": TITLE_HEIGHT, "l": 0, "r": 0, "b": 4}
    said = f"{title}{simulated(result.films.simulated)}"
    return new_figure(said, TITLE_HEIGHT + _SMALL, data, showlegend=False, margin=margin, **layout)


def _title(result: OneUser, large: str) -> str:
    """How often those that are shown recommend a liked film."""
    hits = {name: hit for name, hit in result.hits.items() if name in (*result.config.mechanisms, large)}
    best, other = best_two(hits, largest=True)
    first, *others = labels_of((best, other), hits, MECHANISMS, percent)
    likes, title = f"a film the user likes {percent(hits[best])} of the time", "No likes of this user are known"
    if result.liked.any():
        title = f"{first} recommends {likes}"
        if other is not None and reads_alike((best, other), hits, percent):
            title = f"{first} and {others[0]} recommend {likes}"
        elif other is not None:
            title += f", {others[0]} {percent(hits[other])}"
    return f"{title}{simulated(result.films.simulated)}"


def _upwards(result: OneUser) -> Codes:
    """Candidates in the order in which they are drawn: those nearest to the input last."""
    return np.argsort(result.nearness, kind="stable")


def _candidates(
    result: OneUser, curve: LikedCurve, name: str, part: Codes, label: str = "", *, size: float = 1.0, hover: str = ""
) -> Trace:
    low, high = shared_scale(result, curve)
    logs = np.log10(np.maximum(result.outputs[name][part], low))
    relative = (logs - np.log10(low)) / max(np.log10(high / low), 1e-9)
    x, y = result.films.positions[result.films.candidates[part]].T
    look: dict[str, Any] = {"size": size * (6 + 10 * relative), "color": logs, "coloraxis": "coloraxis"}
    return marks(x, y, label, hover=hover, **look) | _MANY


def _short(title: str) -> str:
    if len(title) > _LONGEST:  # half a year says nothing
        title = re.sub(r" \(\d{4}\)$", "", title)
    return title if len(title) <= _LONGEST else f"{title[:_LONGEST].rstrip()}…"


def _likeliest(result: OneUser, name: str, draw: int | None = None) -> Trace:
    """Titles of the likeliest films, where they have room beside that of the film that is drawn."""
    films, positions = result.films, result.films.positions
    (west, east), (south, north) = (_span(axis) for axis in positions.T)
    # The drawn film's own words take the first place.
    taken: list[tuple[float, float, float]] = []
    if draw is not None:
        x, y = map(float, positions[result.drawn(draw)[name]])
        taken.append((x, y, 2.0))
    names: list[str] = []
    for candidate in np.argsort(-result.outputs[name], kind="stable")[:_MOST_NAMED]:
        film = int(films.candidates[candidate])
        x, y = map(float, positions[film])
        wide, high = _WIDE * (east - west), _HIGH * (north - south)
        if all(abs(x - a) > room * wide or abs(y - b) > room * high for a, b, room in taken):
            names.append(_short(films.ratings.films[film]))
            taken.append((x, y, 1.0))
    across, up, _ = np.reshape(taken[len(taken) - len(names) :], (-1, 3)).T
    sides = ["middle left" if x > east - _TURNED * (east - west) else "middle right" for x in across]
    texts = {"text": [plain(name) for name in names], "textposition": sides, "textfont": {"size": 12, "shadow": EDGE}}
    # Other films are others: their names do not glide.
    others = {"uid": "|".join(map(plain, names)), "meta": GIVES_WAY}
    return marks(across, up, mode="markers+text", size=18, opacity=0.0) | texts | others


def _plane(result: OneUser, curve: LikedCurve, name: str = "") -> dict[str, Any]:
    """The plane without axes, with a name above it, and the scale of all epsilon."""
    bare = {"showticklabels": False, "zeroline": False, "showgrid": False, "ticks": ""}
    x, y = (bare | {"range": _span(axis)} for axis in result.films.positions.T)
    low, high = np.log10(shared_scale(result, curve))
    scale = {"colorscale": SEQUENTIAL, "cmin": float(low), "cmax": float(high), "showscale": False}
    layout = panels([name], 1, x=x, y=y)
    layout["xaxis"]["showticklabels"] = False
    return layout | {"coloraxis": scale}


def _texts(texts: Sequence[str]) -> Trace:
    """The text under the mouse, without the name of the trace."""
    return {"text": texts, "hovertemplate": f"{_TEXT}<extra></extra>"}


def shared_scale(result: OneUser, curve: LikedCurve) -> tuple[float, float]:
    """Smallest and largest probability that the maps show at any epsilon; at least a factor of two."""
    names = dict.fromkeys((*SHOWN, *result.config.mechanisms))
    outputs = np.array([result.outputs[name] for name in names])
    high = max(float(outputs.max()), *(curve.reach[name][1] for name in names))
    least = min(float(outputs[outputs > 0].min()), *(curve.reach[name][0] for name in names))
    return min(max(least, high / 1e4), high / 2), high


def _span(positions: Array) -> list[float]:
    low, high = float(positions.min()), float(positions.max())
    room = 0.06 * max(high - low, 1e-9)
    return [low - room, high + room]


def _colour_bar(low: float, high: float) -> dict[str, Any]:
    for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)):
        every = [step * 10.0**power for power in range(-9, 1) for step in steps]
        marked = [value for value in every if low <= value <= high]
        if len(marked) >= _LEAST_TICKS:
            break
    below = {"orientation": "h", "thickness": 8, "len": 1, "y": 0, "yanchor": "top", "ypad": 6}
    below["title"] = {"text": "probability of release (log)", "side": "bottom"}
    return below | ticks({math.log10(value): percent(value) for value in marked})


def liked_curve_figure(curve: LikedCurve, epsilon: float, names: Sequence[str] = tuple(MECHANISMS)) -> Figure:
    """Probability of a liked film against epsilon for one user: exact, nothing is drawn.

    Args:
        names: of the mechanisms that are shown.
    """
    names = [name for name in MECHANISMS if name in names]
    data = by_mechanism(curve.epsilon, curve.hits[names], "%{y:.3~p}")
    # The two others are 0 or 1 for one user: the page says which in words.
    chance = curve.references["uniform"]
    data += reference_lines({"uniform": chance}, [float(curve.epsilon[0]), float(curve.epsilon[-1])])
    # A title speaks of what is drawn: of WPM, or of the first that is shown without it.
    ours = "wpm" if "wpm" in names or not names else names[0]
    found = where(curve.epsilon.tolist(), (curve.hits[ours] >= 2 * chance).tolist())
    if chance == 0:
        title = "This user likes no film that can be recommended"
    elif found:
        title = f"{MECHANISMS[ours]} recommends liked films at least twice as often as chance {found}"
    else:
        title = f"{MECHANISMS[ours]} never recommends liked films twice as often as chance"
    title += _losses(curve, names, ours) + simulated(curve.simulated)
    return rates_figure(title, data, "probability of a film the user likes", epsilon, HEIGHT, (-1.05, 1.05))


def _losses(curve: LikedCurve, names: Sequence[str], ours: str) -> str:
    """Where others recommend a film that the user likes more often than ours, by as much as percents show."""
    usual = curve.hits[ours].tolist()
    lost: dict[str, list[str]] = {}
    for name in names:
        beats = [one > own and percent(one) != percent(own) for one, own in zip(curve.hits[name], usual, strict=True)]
        lost.setdefault(where(curve.epsilon.tolist(), beats), []).append(MECHANISMS[name])
    said = [f"{enumeration(names)} {found}" for found, names in lost.items() if found]
    return f"; {', '.join(said)} more often than {MECHANISMS[ours]}" if said else ""


def by_mechanism(at: Array, curves: pd.DataFrame, value: str) -> list[Trace]:
    """Curves over epsilon, whose ``value`` the mouse shows."""
    looks = {name: {"colour": colour(name), "symbol": MARKERS[name], "size": 7} for name in MECHANISMS}
    return [
        line(at, curves[name].to_numpy(), MECHANISMS[name], hover=f"ε = %{{x:g}}: {value}", **looks[name])
        for name in map(str, curves)
    ]


def reference_lines(values: Mapping[str, float], ends: Sequence[float]) -> list[Trace]:
    """Lines of the references, which are the same for all epsilon."""
    grey, hover = colour("non-private"), "%{y:.3~p}"
    return [
        line(ends, [values[name]] * 2, label, colour=grey, dash=_DASHES[name], hover=hover)
        for name, label in REFERENCES.items()
        if name in values
    ]


def rates_figure(title: str, data: list[Trace], y: str, epsilon: float, height: int, span: Sequence[float]) -> Figure:
    """Shares against epsilon, whose present value is marked; ``span`` is the range of its logarithm."""
    y_axis = axis(y, rangemode="tozero", tickformat=".0%")
    return new_figure(title, height, data, yaxis=y_axis, **at_epsilon(epsilon, range=span))
