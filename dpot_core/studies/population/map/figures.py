from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpot_core.checks import Array
from dpot_core.figures.panels import axis
from dpot_core.figures.style import GUIDE, MARKERS, TITLE_HEIGHT, Figure, colour, new_figure, simulated
from dpot_core.figures.traces import Trace, heat, line, marks
from dpot_core.studies.population.map.results import MapResult
from dpot_core.studies.population.people import Backdrop
from dpot_core.studies.population.settings import BARYCENTERS
from dpot_core.studies.population.units import far

#: Grey that grows with the logarithm of the number of people; see-through, for both themes.
CELLS = [[0.0, "rgba(127,127,127,0.10)"], [1.0, "rgba(127,127,127,0.85)"]]

#: Milliseconds in which atoms go from one value of a slider to the next.
GLIDE = 150

_PLACE = "%{x:.2f}, %{y:.2f}"


def release_map(result: MapResult, mechanism: str) -> Figure:
    """One private barycenter beside the non-private one; further draws become small marks."""
    draws = result.draws[mechanism]
    first, behind, hue = draws[0], result.backdrop, colour(mechanism)
    truth = result.reference.atoms
    moves = np.full((3 * len(truth), 2), np.nan)
    moves[0::3], moves[1::3] = truth, first.matched
    data = backdrop_traces(behind)
    text = f"{BARYCENTERS[mechanism]}: {far(first.distance, first.distance_km, behind.geographic)} from the truth"
    if len(draws) > 1:
        others = np.concatenate([draw.atoms for draw in draws[1:]])
        look = {"symbol": MARKERS[mechanism], "size": 7, "color": hue, "opacity": 0.6}
        data.append(points(others, f"{len(draws) - 1} other possible releases", hover=_PLACE, **look))
        mean = float(np.mean([draw.distance for draw in draws]))
        km = None if first.distance_km is None else float(np.mean([draw.distance_km for draw in draws]))
        text = f"{BARYCENTERS[mechanism]}: {len(draws)} releases, on average {far(mean, km, behind.geographic)} off"
    data += [
        path(moves, "moved by", colour=hue, width=1.5, showlegend=False),
        atoms_trace(truth, "non-private"),
        atoms_trace(first.matched, mechanism),
    ]
    return new_figure(
        text + simulated(behind.simulated),
        370,
        data,
        **map_axes(behind),
        # Noise is another one at every epsilon: what goes where can be followed only if atoms glide.
        transition={"duration": GLIDE},
        margin={"t": TITLE_HEIGHT + 4, "l": 8, "r": 8, "b": 56},
    )


def atoms_trace(atoms: Array, barycenter: str) -> Trace:
    look: dict[str, Any] = {"symbol": "circle-open", "color": colour("input"), "line": {"width": 2}}
    if barycenter != "non-private":
        look = {"symbol": MARKERS[barycenter], "color": colour(barycenter)}
    return points(atoms, BARYCENTERS[barycenter], hover=f"atom %{{pointNumber}}: {_PLACE}", size=10, **look)


def backdrop_traces(behind: Backdrop) -> list[Trace]:
    with np.errstate(divide="ignore"):
        logs = np.where(behind.people > 0, np.log10(behind.people), np.nan).astype(np.float32)
    # In half the bytes: they are sent with every picture.
    look: Trace = {
        "customdata": behind.people.astype(np.int32),
        "colorscale": CELLS,
        "showscale": False,
        "hoverongaps": False,
    }
    cells = heat(behind.x, behind.y, logs, hover="%{customdata:,.0f} of the people drawn", **look)
    gap = np.full((1, 2), np.nan)
    outline = np.concatenate([part for _, rings in behind.outline.areas for ring in rings for part in (ring, gap)])
    return [cells, path(outline, colour=GUIDE, width=0.7)]


def points(places: Array, name: str, *, hover: str = "", **look: Any) -> Trace:
    return marks(places[:, 0], places[:, 1], name, hover=hover, **look)


def path(places: Array, name: str = "", **look: Any) -> Trace:
    return line(places[:, 0], places[:, 1], name, **look)


def map_axes(behind: Backdrop) -> dict[str, Any]:
    """Axes on which a kilometre is as long to the east as to the north, around the region: no atom leaves it."""
    west, south, east, north = behind.outline.bounds
    low, high = (np.array(corner) for corner in ((west, south), (east, north)))
    edge = 0.02 * (high - low)
    ranges = np.stack([low - edge, high + edge], axis=1).tolist()
    ratio = 1.0 / math.cos(math.radians((south + north) / 2)) if behind.geographic else 1.0
    names = ("degrees east", "degrees north") if behind.geographic else ("x", "y")
    across, up = (axis(name, range=both, **PLAIN_AXIS) for name, both in zip(names, ranges, strict=True))
    return {"xaxis": across, "yaxis": {**up, "scaleanchor": "x", "scaleratio": ratio, "constraintoward": "top"}}


#: An axis of positions, whose scale is fixed by that of the other one.
PLAIN_AXIS: dict[str, Any] = {"showgrid": False, "zeroline": False, "constrain": "domain", "nticks": 7}


def square_axes(largest: float) -> dict[str, Any]:
    """Axes from -largest to largest, without units."""
    side = {**PLAIN_AXIS, "range": [-largest, largest], "nticks": 5}
    return {"xaxis": side, "yaxis": {**side, "scaleanchor": "x"}}
