import numpy as np

from dpot_app.figures.findings import BY_ERRORS, clearly_below
from dpot_app.figures.panels import at_value, axis, log_axis, ticks
from dpot_app.figures.style import EPSILON_TITLE, MARKERS, TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import Trace, band, line
from dpot_app.views.population.gaussians.results import SyntheticCurve
from dpot_app.views.population.settings import SIGNS
from dpot_app.views.population.synthetic import SERIES

_AXES = {
    "n": "points n",
    "epsilon": EPSILON_TITLE,
    "projection": "dimensions d′ after the projection (of 10)",
}
_LOOKS = {
    "non-private": ("input", "circle-open", "dot"),
    "projected": ("coreset", MARKERS["coreset"], "solid"),
    "plain": ("coreset", MARKERS["coreset"] + "-open", "dash"),
}


def synthetic_figure(curve: SyntheticCurve) -> Figure:
    """Cost against n, epsilon or d': mean of the runs, with bands of one standard error."""
    at = np.array([point.value for point in curve.points])
    data: list[Trace] = []
    for name, label in SERIES.items():
        runs = np.array([point.cost[name] for point in curve.points])
        mean, error = runs.mean(axis=1), runs.std(axis=1, ddof=1) / np.sqrt(runs.shape[1])
        thing, symbol, dash = _LOOKS[name]
        look = {"colour": colour(thing), "symbol": symbol, "dash": dash}
        data.append(band(at, mean + error, mean - error, colour=colour(thing), opacity=0.2))
        data.append(line(at, mean, label, hover="%{x:g}: %{y:.3~g} ± %{customdata:.3~g}", customdata=error, **look))
    marked = ticks({value: f"{value:,g}" for value in at})
    x = log_axis(_AXES[curve.axis], at.min() / 1.2, at.max() * 1.2, **marked)
    if curve.axis == "projection":
        x = axis(_AXES[curve.axis], range=[at.min() - 0.5, at.max() + 0.5], **marked)
    gains = [clearly_below(point.cost["projected"], point.cost["plain"]) for point in curve.points]
    now = getattr(curve.config, curve.axis)
    return new_figure(
        f"Projecting the points first lowers the cost {BY_ERRORS} at {sum(gains)} of {len(at)} values of "
        f"{SIGNS[curve.axis]} (simulated Gaussians)",
        TITLE_HEIGHT + 330,
        data,
        yaxis=axis("cost (squared units)", rangemode="tozero"),
        **at_value(now, f"{SIGNS[curve.axis]} = {now:,g}", x),
    )
