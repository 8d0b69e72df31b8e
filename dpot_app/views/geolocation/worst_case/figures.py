from collections.abc import Sequence

import numpy as np

from dpot_app.figures.city_maps import place_lines, single_map
from dpot_app.figures.findings import best_two, labels_of, reads_alike
from dpot_app.figures.map_writing import IN_DARK, shadow
from dpot_app.figures.panels import at_epsilon, axis
from dpot_app.figures.style import Figure, colour, km_at_most, new_figure, simulated
from dpot_app.figures.traces import Trace, line, marks, star
from dpot_app.views.geolocation.base import MinimaxPoint
from dpot_app.views.geolocation.worst_case.results import WorstCases, WorstCells
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import at_most, number, percent_at_most

BASES = {"best-uniform": "best uniform base", "minimax": "minimax base", "prior": "prior as base"}
_DASHES = {"best-uniform": "solid", "prior": "dashdot"}
_HOVER = "ε = %{x:.3~g}: %{y:.3~g} km"


def worst_case_figure(worst: WorstCases, minimax: Sequence[MinimaxPoint], current: WorstCells) -> Figure:
    """U against epsilon for each base measure, and for the other mechanisms of which it is known exactly."""
    wpm = colour("wpm")
    data = [
        line(worst.epsilon, curve, label, colour=colour(thing), dash=dash, width=2.5, hover=_HOVER)
        for name, curve in worst.kilometres.items()
        for label, thing, dash in [_look(name)]
    ]
    if minimax:
        look: Trace = {"colour": colour("coreset"), "dash": "dot", "hover": _HOVER, "mode": "lines+markers"}
        look["marker"] = {"symbol": "diamond", "size": 9, "color": wpm}
        at, kilometres = [point.epsilon for point in minimax], [point.kilometres for point in minimax]
        data.append(line(at, kilometres, f"WPM, {BASES['minimax']}{above_text(*(p.above for p in minimax))}", **look))
    look = {"hover": _HOVER, "color": wpm, "size": 15}
    data.append(star([current.epsilon], [float(current.worst)], "base in use at this ε", **look))
    highest = max(float(current.worst), *(float(curve.max()) for curve in worst.kilometres.values()))
    labels = {"wpm": f"exact WPM ({_named(current)})"} | {name: MECHANISMS[name].label for name in current.others}
    distances = {"wpm": float(current.worst), **current.others}
    best, other = best_two(distances)
    assert other is not None
    first, second = labels_of((best, other), distances, labels, at_most)
    if reads_alike((best, other), distances, km_at_most):
        alike, rival = f" or {second}", ""
    else:
        alike, rival = "", f", with {second} at most {km_at_most(distances[other])}"
    return new_figure(
        # W_1 bounds the mean distance to the nearest of one's places; single releases land farther.
        f"At ε = {current.epsilon:g} everyone's release with {first}{alike} lands on average at most "
        f"{km_at_most(distances[best])} from their places{rival}{simulated(worst.map.simulated)}",
        440,
        data,
        yaxis=axis("worst-case W₁ (km)", range=[0.0, 1.06 * highest]),
        **at_epsilon(current.epsilon, range=[-1.32, 1.02]),
    )


def above_text(*shares: float) -> str:
    """What is said of bases that are near the minimax one: nothing where that was solved for, else how near.

    >>> above_text(0.0), above_text(0.0012, 0.0203)
    ('', ' to within 2.03%')
    """
    return f" to within {percent_at_most(max(shares))}" if max(shares) > 0 else ""


def _named(current: WorstCells) -> str:
    return BASES[current.base] + above_text(current.above)


def _look(curve: str) -> tuple[str, str, str]:
    """Name on screen, thing whose colour it has, and dash of a curve."""
    if curve in BASES:
        return f"WPM, {BASES[curve]}", "wpm", _DASHES[curve]
    return MECHANISMS[curve].label, curve, MECHANISMS[curve].dash


def worst_cells_figure(worst_cases: WorstCases, cells: WorstCells) -> Figure:
    """For each cell: how far WPM moves a person who was only ever there, on average; the worst cells are marked.

    The colours reach to what the smallest epsilon of the curves costs.
    """
    worst, city = cells.worst, cells.map
    # Of cells that differ by rounding none is worst alone.
    east, north = city.points[np.isclose(worst.per_input, float(worst), rtol=1e-9, atol=0.0)].T
    where = f"at {number(east[0])} km east, {number(north[0])} km north"
    if len(east) > 1:
        where = f"people in {len(east):,} cells alike, ringed"
    title = f"Moved most, by {km_at_most(float(worst))} on average: {where}{simulated(city.simulated)}"
    # The minimax base has no curve; its worst case is below that of the best uniform one.
    curve = worst_cases.kilometres.get(cells.base, worst_cases.kilometres["best-uniform"])
    # To nine digits: the curve and the map come to the same number by ways that round differently.
    top = float(f"{max(float(curve.max()), float(worst)):.9g}")
    figure = single_map(city, worst.per_input, title, "W₁ (km)", "%{z:.3~g} km", top)
    mark: Trace = {
        "mode": "markers+text",
        "symbol": "circle-open",
        "size": 18,
        "color": "#E69F00",
        "line": {"width": 3},
    }
    # Towards the middle: on fine grids the worst cell is hardly away from two edges.
    down, left = north[0] > city.height / 2, east[0] > city.width / 2
    side = f"{'bottom' if down else 'top'} {'left' if left else 'right'}"
    words = ["worst cell" if len(east) == 1 else "worst cells", *[""] * (len(east) - 1)]
    text = {"text": words, "textposition": side, "textfont": {"color": IN_DARK, "shadow": shadow(IN_DARK)}}
    return figure.add_traces([*place_lines(city), marks(east, north, **mark) | text])
