import math
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpot_app.figures.map_scales import flat_bar
from dpot_app.figures.map_writing import IN_DARK, IN_LIGHT, place_names, scale_bar
from dpot_app.figures.panels import axis, panels
from dpot_app.figures.style import GUIDE, MARKERS, SEQUENTIAL, TITLE_HEIGHT, Figure, colour, new_figure, simulated
from dpot_app.figures.traces import Trace, heat, line, marks
from dpot_app.views.population.map.results import MapResult, room_for_scale
from dpot_app.views.population.people import Backdrop, fine_borders, gapped, scale_ratio
from dpot_app.views.population.settings import BARYCENTERS, MECHANISMS
from dpot_app.views.population.units import moved
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import number, percent

#: Grey that grows with the logarithm of the number of people; see-through, for both themes.
CELLS = [[0.0, "rgba(127,127,127,0.10)"], [1.0, "rgba(127,127,127,0.85)"]]

# Milliseconds in which atoms go from one value of a slider to the next. Noise is another one at every epsilon: what
# goes where can be followed only if they glide.
_GLIDING: dict[str, Any] = {"transition": {"duration": 150}}
# Pixels of a large map's width on a wide screen, of a small one's height, and of the name over either.
_LARGE, _SMALL, _NAME = 640, 170, 24
_LINE = "rgba(160,170,180,0.75)"
_RIM = ", ".join([f"0 0 2px {IN_LIGHT}"] * 5)
# The marks of `MARKERS`, in words.
_SIGNS = {"coreset": "★", "perturbation": "✚", "kmeans": "⋈"}

_PLACE = "%{x:.2f}, %{y:.2f}"


def reference_map(result: MapResult, areas: bool = True) -> Figure:
    """The people and the non-private barycenter, over the whole width.

    Args:
        areas: whether the atoms' areas of influence are drawn.
    """
    truth = result.reference
    p = truth.objective.p
    away = number(truth.typical) if truth.km is None else f"{number(truth.km)} km"
    mean = "on average" if p == 1.0 else f"({'root mean square' if p == 2.0 else f'root of the mean power {p:g}'})"
    title = f"Without privacy: people are {away} from their point {mean}"
    drawn = areas and result.has_areas("non-private")
    name = f"○ the best atoms known{' and their areas' if drawn else ''}"
    over = [*_areas(result, "non-private", drawn), atoms_trace(truth.atoms, "non-private")]
    return _large(result, title, name, over)


def release_map(result: MapResult, mechanism: str, areas: bool = True) -> Figure:
    """The people and one private barycenter, with the way from the non-private one; further draws are small marks."""
    draws = result.draws[mechanism]
    hue = colour(mechanism, dark=True)
    over, drawn = [], areas and result.has_areas(mechanism)
    shares, label = result.shares(mechanism), BARYCENTERS[mechanism]
    search = moved(shares.search, result.reference.km is not None)
    # One draw at a larger epsilon may have more noise than one at a smaller.
    one = "in this draw " if len(draws) == 1 else ""
    said = ("noise raises the cost", "the search moves")
    if mechanism not in MECHANISMS:
        # A fixed number of rounds ends before the minimum, noise or not.
        what = "raise" if shares.extra >= 0.0 else "lower"
        said = (f"noise and few rounds {what} the cost to the nearest point", "another aim moves")
    text = f"{label}: {one}{said[0]} by {percent(abs(shares.extra))}, {said[1]} the points by {search}"
    name = f"{_SIGNS[mechanism]} {BARYCENTERS[mechanism]}{' and its areas' if drawn else ''}, moved from ○"
    if len(draws) > 1:
        others = np.concatenate([draw.atoms for draw in draws[1:]])
        look = {"symbol": MARKERS[mechanism], "size": 7, "color": hue, "opacity": 0.6}
        over.append(points(others, f"{len(draws) - 1} other possible releases", hover=_PLACE, **look))
        text += f", on average of {len(draws)} releases"
        name += f"; small: {len(draws) - 1} other possible releases"
    over = [*_areas(result, mechanism, drawn), *over, *_moved(result, mechanism)]
    return _large(result, text, name, over)


def small_map(result: MapResult, mechanism: str) -> Figure:
    """A thumbnail of a private barycenter: its name, where its atoms are and where they come from."""
    behind = result.backdrop
    name = f"{BARYCENTERS[mechanism]}: {percent(result.shares(mechanism).extra, sign=True)} cost by noise"
    data = [people_cells(behind) | {"hoverinfo": "skip"}, *_moved(result, mechanism, size=7)]
    for trace in data:
        trace.pop("hovertemplate", None)
        trace.pop("customdata", None)
    layout = panels([name], 1, x={"visible": False}, y={"visible": False})
    height = TITLE_HEIGHT + _NAME + _SMALL
    axes = {side: layout[side] | look for side, look in map_axes(behind, bare=True).items()}
    margin = {"t": TITLE_HEIGHT + _NAME, "l": 0, "r": 0, "b": 4}
    # For a file of its own: on the page the name has to do.
    title = f"{BARYCENTERS[mechanism]}, moved from the non-private barycenter{simulated(behind.simulated)}"
    return new_figure(title, height, data, showlegend=False, margin=margin, **_GLIDING, **layout | axes)


def _large(result: MapResult, title: str, name: str, over: Sequence[Trace]) -> Figure:
    """People, borders of states and names of places, and what is drawn over them."""
    behind = result.backdrop
    (west, south, east, _), people = behind.outline.bounds, float(behind.people.max())
    look = {"text": "people drawn, by cell  ", "side": "right"}
    cells = people_cells(behind) | {"showscale": True, "colorbar": flat_bar("") | {"title": look} | count_ticks(people)}
    data = [cells, path(fine_borders(behind.outline), colour=_LINE, width=0.8)]
    data += [_haloed(names) for names in place_names(result.places, west, east, IN_DARK)]
    layout = panels([name], 1, x={}, y={})
    axes = map_axes(behind, bare=behind.geographic)
    under = 46
    if behind.geographic:
        # Where no map is, the ground is the page's, light or dark.
        middle = (south + behind.outline.bounds[3]) / 2
        degree = 111.32 * math.cos(math.radians(middle))
        corner, words = (
            (west, south - room_for_scale(behind.outline)),
            f", {abs(middle):.0f}° {'N' if middle >= 0 else 'S'}",
        )
        axes["yaxis"]["range"][0] = min(axes["yaxis"]["range"][0], corner[1])
        # Of four maps in a row each has 236 pixels: longer words stand in Texas.
        data += scale_bar(corner, east - west, GUIDE, km=1 / degree, words=words, size=10)
    else:
        under += 50
    across, up = (axes[side]["range"] for side in ("xaxis", "yaxis"))
    ratio = (up[1] - up[0]) * scale_ratio(behind.outline) / (across[1] - across[0])
    # A long, narrow region is no reason for a page of its own.
    ratio = min(max(ratio, 0.3), 1.2)
    return new_figure(
        title + simulated(behind.simulated),
        TITLE_HEIGHT + _NAME + round(_LARGE * ratio) + under,
        [*data, *over],
        showlegend=False,
        margin={"t": TITLE_HEIGHT + _NAME, "l": 0, "r": 0, "b": under},
        meta={"fit": [ratio, _NAME + under]},
        **_GLIDING,
        **layout | {side: layout[side] | look for side, look in axes.items()},
    )


def _haloed(names: Trace) -> Trace:
    """Names with a dark rim, thick enough to be read where they reach beyond the dark cells."""
    return names | {"textfont": names["textfont"] | {"shadow": _RIM}}


def _areas(result: MapResult, barycenter: str, drawn: bool) -> list[Trace]:
    """Where the areas of influence of atoms meet, as one line."""
    if not drawn:
        return []
    borders = result.areas(barycenter)
    lines = np.full((3 * len(borders.ends), 2), np.nan, dtype=np.float32)
    lines[0::3], lines[1::3] = borders.ends[:, 0], borders.ends[:, 1]
    # They glide where the same atoms meet, and are others where not.
    same = f"{zlib.crc32(borders.pairs.astype('<i8').tobytes()):08x}"
    ink = IN_DARK if barycenter == "non-private" else colour(barycenter, dark=True)
    return [path(lines, "areas", colour=ink, width=1.2, dash="dot") | {"uid": f"areas-{same}"}]


def _moved(result: MapResult, mechanism: str, size: int = 11) -> list[Trace]:
    """The atoms of a release, and lines to them from the non-private ones."""
    truth, first = result.reference.atoms, result.draws[mechanism][0]
    moves = np.full((3 * len(truth), 2), np.nan)
    moves[0::3], moves[1::3] = truth, first.matched
    lines = path(moves, "moved by", colour=colour(mechanism, dark=True), width=1.5)
    return [lines, atoms_trace(truth, "non-private", size), atoms_trace(first.matched, mechanism, size)]


def atoms_trace(atoms: Array, barycenter: str, size: int = 11, dark: bool = True) -> Trace:
    """Atoms, on the dark ground of a map of people or on a light one."""
    ink = IN_DARK if dark else colour("input")
    look: dict[str, Any] = {"symbol": "circle-open", "color": ink, "line": {"width": 2}}
    if dark:  # at a coast a white ring alone would end where the page is white, too
        look = {"symbol": "circle", "color": "rgba(68,1,84,0.5)", "line": {"width": 2, "color": ink}}
    if barycenter != "non-private":
        rim: dict[str, Any] = {"line": {"width": 1, "color": IN_DARK}} if dark else {}
        look = {"symbol": MARKERS[barycenter], "color": colour(barycenter, dark=dark)} | rim
    return points(atoms, BARYCENTERS[barycenter], hover=f"atom %{{pointNumber}}: {_PLACE}", size=size, **look)


def people_cells(behind: Backdrop) -> Trace:
    """People by cell on the sequential scale, which goes with the logarithm; nothing outside of the region.

    In as few bytes as the display needs.
    """
    most = int(behind.people.max())
    logs = np.where(behind.inside, np.log10(behind.people + 1.0), np.nan).astype(np.float32)
    look: Trace = {
        "customdata": behind.people.astype(np.min_scalar_type(most)),
        "colorscale": SEQUENTIAL,
        "zmin": 0.0,
        "zmax": math.log10(most + 1.0),
        "showscale": False,
        "hoverongaps": False,
    }
    x, y = (side.astype(np.float32) for side in (behind.x, behind.y))
    return heat(x, y, logs, hover="%{customdata:,.0f} of the people drawn", **look)


def count_ticks(top: float) -> dict[str, Any]:
    """Ticks of a colour bar of counts whose colours go with log10(count + 1), up to the largest count."""
    ticks = [value for value in (0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000) if value <= top]
    return {"tickvals": [math.log10(value + 1) for value in ticks], "ticktext": [f"{value:,}" for value in ticks]}


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
    outline = gapped([ring for _, rings in behind.outline.areas for ring in rings])
    return [cells, path(outline, colour=GUIDE, width=0.7)]


def points(places: Array, name: str, *, hover: str = "", **look: Any) -> Trace:
    return marks(places[:, 0], places[:, 1], name, hover=hover, **look)


def path(places: Array | NDArray[np.float32], name: str = "", **look: Any) -> Trace:
    return line(places[:, 0], places[:, 1], name, **look)


def map_axes(behind: Backdrop, bare: bool = False) -> dict[str, Any]:
    """Axes on which a kilometre is as long to the east as to the north, around the region: no atom leaves it.

    Args:
        bare: whether nothing is seen of them.
    """
    west, south, east, north = behind.outline.bounds
    low, high = (np.array(corner) for corner in ((west, south), (east, north)))
    edge = 0.02 * (high - low)
    ranges = np.stack([low - edge, high + edge], axis=1).tolist()
    names = ("degrees east", "degrees north") if behind.geographic else ("x", "y")
    look = {"visible": False, "constrain": "domain"} if bare else PLAIN_AXIS
    across, up = (axis(name, range=both, **look) for name, both in zip(names, ranges, strict=True))
    square = {"scaleanchor": "x", "scaleratio": scale_ratio(behind.outline), "constraintoward": "top"}
    return {"xaxis": across, "yaxis": {**up, **square}}


#: An axis of positions, whose scale is fixed by that of the other one.
PLAIN_AXIS: dict[str, Any] = {"showgrid": False, "zeroline": False, "constrain": "domain", "nticks": 7}


def square_axes(largest: float, unit: str = "") -> dict[str, Any]:
    """Axes from -largest to largest; without a unit they have no title."""
    side = {**PLAIN_AXIS, "range": [-largest, largest], "nticks": 5}
    across, up = (axis(f"{name} ({unit})", **side) if unit else side for name in "xy")
    return {"xaxis": across, "yaxis": {**up, "scaleanchor": "x"}}
