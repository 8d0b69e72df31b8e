from typing import Any

from dpot_app.figures.style import GUIDE, MARKERS, TITLE_HEIGHT, Figure, colour, new_figure, simulated
from dpot_app.figures.traces import Trace
from dpot_app.views.population.digit_pictures.results import DigitResult
from dpot_app.views.population.map.figures import points, square_axes
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import counted, number

#: The three pictures of a digit: key -> words.
PARTS = {"picture": "One picture (sensitive)", "copy": "Its private copy", "barycenter": "Barycenter"}


def digit_figure(result: DigitResult, part: str) -> Figure:
    """A picture's points, their private copy, or the barycenter of all pictures with and without privacy."""
    config, costs, title = result.config, result.costs, PARTS[part]
    if part == "picture":
        traces = [_cloud(result.cloud, "points of the first picture", GUIDE)]
    elif part == "copy":
        title += f", ε = {config.epsilon:g}"
        traces = [_cloud(result.copy, "points of its private copy", colour("coreset"))]
    else:
        several = counted(config.pictures, "picture", "pictures")
        title += f" of {several}: cost {number(costs['plain'])} with privacy, {number(costs['non-private'])} without"
        open_circle: dict[str, Any] = {"symbol": "circle-open", "color": colour("input"), "line": {"width": 2}}
        traces = [
            points(result.atoms, "non-private", size=9, **open_circle),
            points(result.private_atoms, "coreset", size=9, symbol=MARKERS["coreset"], color=colour("coreset")),
        ]
    return new_figure(
        title + simulated(result.simulated),
        TITLE_HEIGHT + 330,
        [trace | {"showlegend": True} for trace in traces],
        **square_axes(0.52),
    )


def _cloud(places: Array, name: str, colour: str) -> Trace:
    """Points that are too many to be drawn one by one while a slider moves."""
    return points(places, name, color=colour, size=3, opacity=0.6) | {"type": "scattergl"}
