from collections.abc import Callable, Mapping

import numpy as np

from dpot_app.figures.findings import BY_ERRORS, clearly_below, where
from dpot_app.figures.panels import Axis, at_value, axis, log_axis, ticks
from dpot_app.figures.style import EPSILON_TITLE, MARKERS, TITLE_HEIGHT, Figure, colour, new_figure, simulated
from dpot_app.figures.traces import Trace, band, line
from dpot_app.views.population.curves.results import Curve
from dpot_app.views.population.distances import excess
from dpot_app.views.population.settings import BARYCENTERS, MECHANISMS, SIGNS
from dpot_app.views.population.units import order, power_unit, unit
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import percent

#: Shares of a cost below this are left by the solver.
_CRUMBS = 1e-8
_DASH = {"non-private": "dot", "coreset": "solid", "perturbation": "dash", "kmeans": "longdash"}
_HOVER = "%{x:,g}: %{y:.3~g} (%{customdata[0]:.3~g} to %{customdata[1]:.3~g})"


def cost_figure(curve: Curve) -> Figure:
    """Cost of the three barycenters: mean, and smallest to largest of the runs."""
    runs = {name: np.array([point.cost[name] for point in curve.points]) for name in curve.points[0].cost}
    noise, search = (_of_both(curve, share) for share in (by_noise, by_search))
    title = f"On average over {SIGNS[curve.axis]}, noise raises the cost by {noise}; where the search ends, by {search}"
    return _figure(curve, runs, title, axis(f"cost ({power_unit(curve.points[0].geographic, curve.config.p)})"))


def by_noise(curve: Curve, mechanism: str) -> float:
    """The share by which noise raises the cost over that of the local minima to which the people lead the releases."""
    runs = [(point.cost[mechanism].mean(), point.settled[mechanism].mean()) for point in curve.points]
    return max(float(excess(sum(cost for cost, _ in runs), sum(settled for _, settled in runs))), 0.0)


def by_search(curve: Curve, mechanism: str) -> float:
    """The share by which these minima cost more than the best ones known; below 0 beside an entropic one."""
    runs = [(point.settled[mechanism].mean(), point.cost["non-private"].mean()) for point in curve.points]
    return float(excess(sum(settled for settled, _ in runs), sum(best for _, best in runs)))


def _of_both(curve: Curve, share_of: Callable[[Curve, str], float]) -> str:
    """A share of each mechanism, in percent; what a solver leaves is none."""
    shares = {name: share_of(curve, name) for name in MECHANISMS}
    texts = {name: percent(share if abs(share) >= _CRUMBS else 0.0) for name, share in shares.items()}
    return " and ".join(f"{text.replace('-', '−')} ({name})" for name, text in texts.items())


def distance_figure(curve: Curve) -> Figure:
    """W_p by noise, from releases to the minima to which the people lead them: mean, smallest to largest run."""
    runs = {name: np.array([point.noise[name] for point in curve.points]) for name in curve.points[0].noise}
    words = f"{order(curve.config.p)} that noise moves the atoms ({unit(curve.points[0].geographic)})"
    y = axis(words, rangemode="tozero")
    return _figure(curve, runs, _finding(curve), y)


def _figure(curve: Curve, runs: Mapping[str, Array], title: str, y: Axis) -> Figure:
    at = np.array([point.value for point in curve.points])
    now = float(getattr(curve.config, curve.axis))
    words = "people drawn from each group, n" if curve.axis == "n" else EPSILON_TITLE
    x = log_axis(words, at.min() / 1.2, at.max() * 1.2, **ticks({value: f"{value:,g}" for value in at}))
    return new_figure(
        title + simulated(curve.points[0].simulated),
        TITLE_HEIGHT + 340,
        [trace for name, values in runs.items() for trace in _traces(at, values, name)],
        yaxis=y,
        **at_value(now, f"{SIGNS[curve.axis]} = {now:,g}", x),
    )


def _traces(at: Array, values: Array, name: str) -> list[Trace]:
    public = name == "non-private"
    hue, low, high = colour("input" if public else name), values.min(axis=1), values.max(axis=1)
    look = {"colour": hue, "dash": _DASH[name], "symbol": "circle-open" if public else MARKERS[name]}
    ends = np.column_stack([low, high])
    mean = line(at, values.mean(axis=1), BARYCENTERS[name], hover=_HOVER, customdata=ends, legendgroup=name, **look)
    return [band(at, low, high, colour=hue, opacity=0.16, legendgroup=name), mean]


def _finding(curve: Curve) -> str:
    """Which of the two noise moves less, where the runs leave no doubt."""
    word, at = SIGNS[curve.axis], [point.value for point in curve.points]
    said: list[str] = []
    for one, other in (("coreset", "perturbation"), ("perturbation", "coreset")):
        less = where(at, [clearly_below(point.noise[one], point.noise[other]) for point in curve.points], word)
        if less:
            said.append(f"the {one} less {'' if said else f'than the {other} '}{less}")
    if not said:
        return f"Noise moves the two by as much, within 2 paired s.e., at every {word} shown"
    return f"Noise moves {', '.join(said)} ({BY_ERRORS})"
