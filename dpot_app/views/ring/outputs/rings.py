"""The ring seen from above: outputs as bars outwards, the input as an outline, arcs inside for the mass that moves."""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpot_app.figures.panels import axis
from dpot_app.figures.style import EDGE, GUIDE, TITLE_HEIGHT, Figure, colour, new_figure, see_through
from dpot_app.figures.traces import Trace, marks
from dpot_app.views.ring.outputs.figures import headline
from dpot_app.views.ring.outputs.results import Moves, Result
from dpot_app.views.ring.units import order, steps
from dpot_core.arguments import Array
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import number, percent

# Bars are as long as the square root of the probability, so that one scale, up to certainty, does for every epsilon and
# every input: circles at some probabilities say how long that is.
_CIRCLES = (0.1, 0.5, 1.0)
_TOP = 1.16
# Depth of the room in the middle, in lengths of the longest bar.
_HOLE = 0.92
# The truth stands inside the ring, over the ends of the arcs.
_TRUTH, _ARCS = -0.08, 0.02
# Width of an arc in pixels by the least mass that it carries.
_WIDTHS = ((0.1, 7.0), (0.03, 4.0), (0.01, 2.2), (0.0, 1.1))
#: Heaviest moves that are drawn.
MOST_ARCS = 150
_DETAIL = 12  # points of an arc
_QUIET: Trace = {"hoverinfo": "skip", "showlegend": False}


def ring_figure(result: Result, moves: Moves, names: Sequence[str], title: str = "", height: int = 600) -> Figure:
    """One ring: the outputs of some mechanisms side by side at each point; the arcs are the first one's.

    Args:
        names: of the mechanisms; none for the input alone.
        title: headline of the picture; "" for who moves the input least.
    """
    k = len(result.mu)
    turn = 360.0 / k
    data = _circles()
    data += _arcs(moves, names[0], turn) if names else []
    for place, name in enumerate(names):
        wide = 0.9 * turn * result.config.ring.closest / len(names)
        said = [
            f"point {point}: {number(mass)}" for point, mass in zip(result.targets, result.outputs[name], strict=True)
        ]
        middle = turn * result.targets + (place - (len(names) - 1) / 2) * wide
        bars = {"r": np.sqrt(result.outputs[name]), "theta": middle, "width": wide, "customdata": said}
        hover = {"hovertemplate": "%{customdata}<extra>%{fullData.name}</extra>"}
        look = {"name": MECHANISMS[name].label, "marker": {"color": colour(name)}, **_turns(result)}
        data.append({"type": "barpolar", **bars, **hover, **look})
    data += [_outline(result), *_shares(result), *_handles(result), _scale(k), _numbers(k)]
    turned = {"direction": "clockwise", "rotation": 90, "showticklabels": False, "ticks": "", "showgrid": False}
    dial = {
        "bgcolor": "rgba(0,0,0,0)",
        "radialaxis": {"range": [-_HOLE, _TOP], "visible": False},
        "angularaxis": turned | {"linecolor": "rgba(0,0,0,0)"},
    }
    legend = {"margin": {"t": TITLE_HEIGHT + 4}, "showlegend": len(names) != 1}
    # No taller than it is wide, with room for the legend.
    fit = {"meta": {"fit": [1.0, 40]}}
    return new_figure(title or headline(result), height + TITLE_HEIGHT, data, polar=dial, **legend, **fit)


def distances_figure(result: Result) -> Figure:
    """How far each mechanism moves the input, on an axis as long as the ring allows."""
    name, names = order(result.config.ring.p), list(result.outputs)
    farthest = len(result.mu) // 2
    data: list[Trace] = []
    for place, key in enumerate(names):
        distance = result.distances[key]
        mark = marks(
            [distance], [-place], color=colour(key), size=13, symbol=MECHANISMS[key].marker, mode="markers+text"
        )
        side = "top left" if distance > 0.55 * farthest else "middle right"
        said = {"text": [f"{MECHANISMS[key].label} {steps(distance)}"], "textposition": side}
        data.append({**mark, **said, "hoverinfo": "skip", "cliponaxis": False})
        stem = {"x": [0, distance], "y": [-place, -place], "line": {"color": colour(key), "width": 3}}
        data.append({"type": "scatter", "mode": "lines", **stem, **_QUIET})
    return new_figure(
        f"How far the mass is moved, {name}",
        46 * len(names) + 44 + TITLE_HEIGHT,
        data,
        xaxis=axis("steps along the ring", range=[0, 1.02 * farthest], nticks=6),
        yaxis={"range": [0.6 - len(names), 0.6], "visible": False},
        margin={"l": 14},  # half a mark at 0
    )


def _turns(result: Result) -> Trace:
    """Whether another input point gives the same picture, turned: then it turns while the point is dragged."""
    ring, base, source = result.config.ring, result.config.base, result.config.source
    return {"meta": "turns"} if source.kind == "dirac" and ring.every == 1 and base.kind != "prior" else {}


def _circles() -> list[Trace]:
    around = np.linspace(0, 360, 121)
    faint = {"color": see_through(GUIDE, 0.3), "width": 1}
    circle: Trace = {"type": "scatterpolar", "mode": "lines", "theta": around, **_QUIET}
    data = [
        circle | {"r": np.full(around.shape, np.sqrt(share)), "line": {**faint, "dash": "dot"}} for share in _CIRCLES
    ]
    ground = circle | {"r": np.zeros(around.shape), "line": {"color": GUIDE, "width": 1.5}}
    return [*data, ground]


def _scale(k: int) -> Trace:
    """Labels of the circles, over the bars, in the middle between the last number around the ring and the first."""
    where = {"r": np.sqrt(_CIRCLES), "theta": np.full(len(_CIRCLES), 360.0 - 180.0 / k * _every(k))}
    words = {"text": [f"{100 * share:g}%" for share in _CIRCLES]}
    over = {"textfont": {"shadow": EDGE}}
    return {"type": "scatterpolar", "mode": "text", **where, **words, **over, **_QUIET}


def _every(k: int) -> int:
    """How many points there are from one number around the ring to the next."""
    return next(step for step in (1, 2, 5, 10, 20) if k <= 12 * step)


def _numbers(k: int) -> Trace:
    every = _every(k)
    at = np.arange(0, k - every // 2, every)
    where = {"r": np.full(at.shape, 1.09), "theta": 360.0 / k * at, "text": list(map(str, at.tolist()))}
    return {"type": "scatterpolar", "mode": "text", **where, **_QUIET}


def _outline(result: Result) -> Trace:
    """Steps around what bars of the input would be, with arcs of circles on top."""
    k = len(result.mu)
    turn = 360.0 / k
    fine = max(2, int(np.ceil(turn / 3)) + 1)
    across = turn * np.linspace(-0.5, 0.5, fine)
    theta = (turn * np.arange(k)[:, None] + across).ravel()
    length = np.repeat(np.sqrt(result.mu), fine)
    line = {"line": {"color": colour("input"), "width": 1.5}, "hoverinfo": "skip", **_turns(result)}
    ends = {"r": np.append(length, length[0]), "theta": np.append(theta, theta[0] + 360.0)}
    return {"type": "scatterpolar", "mode": "lines", "name": "input", **ends, **line}


def _handles(result: Result) -> list[Trace]:
    """The markers on the ring that can be dragged: the truth at one point, or at two; else one shows in a drag."""
    source, k = result.config.source, len(result.mu)
    known = {"dirac": (source.point,), "two-places": (source.point, source.other)}.get(source.kind, ())
    mark = {"symbol": "diamond", "size": 18, "color": colour("input"), "opacity": 1 if known else 0}
    hover = {"hovertemplate": "the truth: drag it<extra></extra>"} if known else {"hoverinfo": "skip"}
    look: Trace = {"type": "scatterpolar", "mode": "markers", "r": [_TRUTH], "marker": mark, **hover}
    look |= {"cliponaxis": False, "showlegend": False, "meta": "handle"}
    return [look | {"theta": [360.0 / k * (point % k)]} for point in known or (0,)]


def _shares(result: Result) -> list[Trace]:
    """Where the truth is one of two points: the share of each."""
    if result.config.source.kind != "two-places":
        return []
    places = np.flatnonzero(result.mu)
    there = {"r": np.full(places.shape, _TRUTH - 0.26), "theta": 360.0 / len(result.mu) * places, "cliponaxis": False}
    words = {"text": [percent(share) for share in result.mu[places]], "textfont": {"shadow": EDGE}}
    return [{"type": "scatterpolar", "mode": "text", **there, **words, **_QUIET}]


def _arcs(moves: Moves, name: str, turn: float) -> list[Trace]:
    """The heaviest moves as bows inside the ring, as wide as they are heavy."""
    plan = moves.plans[name]
    away = plan.copy()
    away[moves.targets, np.arange(len(moves.targets))] = 0.0
    rows, columns = np.nonzero(away)
    heaviest = np.argsort(-away[rows, columns], kind="stable")[:MOST_ARCS]
    starts, ends, masses = rows[heaviest], moves.targets[columns[heaviest]], away[rows, columns][heaviest]
    data, most = [], np.inf
    for least, width in _WIDTHS:
        chosen = (masses >= least) & (masses < most)
        r, theta = _bows(turn * starts[chosen], turn * ends[chosen])
        # Other moves are other arcs: nothing glides from one to another.
        same = zlib.crc32(np.stack([starts[chosen], ends[chosen]]).tobytes())
        line = {"color": see_through(colour(name), 0.8), "width": width}
        data.append({"type": "scatterpolar", "mode": "lines", "r": r, "theta": theta, "line": line, **_QUIET})
        data[-1] |= {"uid": f"{name}-{width:g}-{same:08x}"}
        most = least
    return data


def _bows(starts: Any, ends: Any) -> tuple[list[Any], list[Any]]:
    """Quadratic curves between angles in degrees, with gaps: along the ring to near points, across it to far ones."""
    along = (ends - starts + 180.0) % 360.0 - 180.0
    inner = _HOLE - _ARCS
    share = np.linspace(0.0, 1.0, _DETAIL)[:, None]

    def place(angle: Array, radius: Array | float) -> Array:
        return np.asarray(radius * np.exp(1j * np.radians(angle)))

    middle = place(starts + along / 2, 0.85 * inner * (1 - np.abs(along) / 180.0))
    curve = (1 - share) ** 2 * place(starts, inner) + 2 * share * (1 - share) * middle + share**2 * place(ends, inner)
    gap = np.full((1, len(starts)), np.nan)
    r = np.vstack([np.abs(curve) - _HOLE, gap]).T.ravel()
    theta = np.vstack([np.degrees(np.angle(curve)), gap]).T.ravel()
    return _rounded(r, 4), _rounded(theta, 2)


def _rounded(numbers: Array, digits: int) -> list[float | None]:
    """Numbers as a figure writes them, None for NaN."""
    return [None if one != one else round(one, digits) for one in numbers.tolist()]
