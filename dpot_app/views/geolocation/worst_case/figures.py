from collections.abc import Sequence

import numpy as np

from dpot_app.figures.city_maps import place_lines, single_map
from dpot_app.figures.findings import best_two, labels_of, reads_alike
from dpot_app.figures.map_writing import IN_DARK, shadow
from dpot_app.figures.panels import at_epsilon, axis
from dpot_app.figures.style import Figure, colour, km_at_most, new_figure, simulated
from dpot_app.figures.traces import Trace, line, marks, star
from dpot_app.figures.worst_curves import WorstCurve, worst_curves_figure
from dpot_app.views.geolocation.base import MinimaxPoint
from dpot_app.views.geolocation.worst_case.results import Here, InUse, WorstCases, WorstCells
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import at_least, at_most, number, percent_at_most
from dpot_core.worst_case import Bracket

BASES = {"best-uniform": "best uniform base", "minimax": "minimax base", "prior": "prior as base", "own": "own base"}
_DASHES = {"best-uniform": "solid", "prior": "dashdot", "own": "longdash"}
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
    # W_1 bounds the mean distance to the nearest of one's places; single releases land farther.
    most, loss = km_at_most(distances[best]), worst.map.loss
    said = f"each person's releases with {first}{alike} land on average at most {most} from their places"
    if worst.map.p != 1.0:
        said = f"{first}{alike} moves no history farther than {loss} = {most}"
    return new_figure(
        f"At ε = {current.epsilon:g} {said}{rival}{simulated(worst.map.simulated)}",
        440,
        data,
        yaxis=axis(f"worst-case {loss} (km)", range=[0.0, 1.06 * highest]),
        **at_epsilon(current.epsilon, range=[-1.32, 1.02]),
    )


def in_use_figure(worst: InUse, here: Here) -> Figure:
    """The worst case of the mechanisms that are shown against epsilon, and how far the present person is moved.

    Of WPM with an entropic weight it is not known; then the exact projection's is drawn, too, which is.
    """
    config, drawn, said = worst.config, list[WorstCurve](), list[str]()
    for name, curve in worst.curves.items():
        label, dash = MECHANISMS[name].label, MECHANISMS[name].dash
        most, here_too = None if curve.known else curve.at_most, here.kilometres.get(name)
        if name == "wpm" and worst.exact is not None:
            exact = worst.exact
            drawn.append(WorstCurve(name, f"{label}, exact", exact.at_least, exact.now.at_least, dash=dash))
            said.append(f"exact {label} {_between(exact.now)}")
            label, dash, most = f"{label}, λ = {config.reg:g}, one-cell histories", "dot", None
        else:
            said.append(f"{label} {_between(curve.now)}")
        drawn.append(WorstCurve(name, label, curve.at_least, curve.now.at_least, most, here_too, dash))
    title = f"Worst case over all histories at ε = {config.epsilon:g}: {', '.join(said)} km"
    return worst_curves_figure(
        (title if said else "Choose mechanisms to see their worst cases") + simulated(worst.map.simulated),
        np.asarray(worst.epsilons),
        drawn,
        config.epsilon,
        f"worst-case {worst.map.loss} (km)",
    )


def _between(found: Bracket) -> str:
    """A worst case in words: one number, rounded up, where it is known."""
    low, high = at_least(found.at_least), at_most(found.at_most)
    return high if found.at_least == found.at_most or low == high else f"{low} to {high}"


def above_text(*shares: float) -> str:
    """The gap of bases near the minimax one, in words; nothing where the minimax one was solved for.

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
    """For each cell: how far WPM moves a person who was only ever there; the worst cells are marked.

    The colours reach to what the smallest epsilon of the curves costs.
    """
    worst, city = cells.worst, cells.map
    # Of cells that differ by rounding none is worst alone.
    east, north = city.points[np.isclose(worst.per_input, float(worst), rtol=1e-9, atol=0.0)].T
    where = f"from {number(east[0])} km east, {number(north[0])} km north"
    if len(east) > 1:
        where = f"from each of the {len(east):,} ringed cells"
    far = km_at_most(float(worst))
    far += " on average" if city.p == 1.0 else f" ({city.loss})"
    title = f"People are moved most, by {far}, {where}{simulated(city.simulated)}"
    # The minimax base has no curve; its worst case is below that of the best uniform one.
    curve = worst_cases.kilometres.get(cells.base, worst_cases.kilometres["best-uniform"])
    # To nine digits: the curve and the map come to the same number by ways that round differently.
    top = float(f"{max(float(curve.max()), float(worst)):.9g}")
    figure = single_map(city, worst.per_input, title, f"{city.loss} (km)", "%{z:.3~g} km", top)
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
    return figure.add_traces([*place_lines(city), marks(east, north, **mark) | text | {"cliponaxis": False}])
