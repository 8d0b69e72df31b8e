from collections.abc import Mapping, Sequence

import numpy as np

from dpot_app.cities.crowd import ESTIMATES, RUNS, Crowd
from dpot_app.cities.distance_to_truth import known_within_text
from dpot_app.figures.city_maps import Panel, cells_text, large_map, maps, small_map, truth_name
from dpot_app.figures.findings import BY_ERRORS, best_two, clearly_below, labels_of, where
from dpot_app.figures.panels import at_epsilon, axis
from dpot_app.figures.style import MARKERS, Figure, colour, new_figure, simulated
from dpot_app.figures.traces import Trace, band, line
from dpot_app.kit.fields import EPSILONS as SLIDER
from dpot_app.views.geolocation.crowd.boxes import Box, outline
from dpot_app.views.geolocation.crowd.results import EPSILONS, CrowdCurve
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import counted, enumeration, number, plus_minus


def crowd_truth_map(crowd: Crowd, box: Box | None = None) -> Figure:
    """Where the people were, with a box; probabilities on the scale of `crowd_estimate_map`."""
    title = counted(crowd.people, "person", "people") + simulated(crowd.map.simulated)
    panel = Panel(f"{truth_name(crowd.map, 'True crowd')}{cells_text(crowd.map)}", crowd.moved)
    return large_map(crowd.map, panel, title, _top(crowd), _boxes(crowd, box), cut=True)


def crowd_estimate_map(crowd: Crowd, name: str = "wpm", run: int | None = 0, box: Box | None = None) -> Figure:
    """One estimate, large, with a box: one of the runs, or with None the expectation over all of them."""
    panel = Panel(_label(crowd, name).replace("\n", ": "), _estimates(crowd, run)[name])
    return large_map(crowd.map, panel, _estimates_title(crowd), _top(crowd), _boxes(crowd, box), cut=True)


def _boxes(crowd: Crowd, box: Box | None) -> list[Trace]:
    return [] if box is None else [outline(crowd.map, box)]


def crowd_thumbnail(crowd: Crowd, name: str, run: int | None = 0) -> Figure:
    """Another estimate, small."""
    title = f"The collector's map from {ESTIMATES[name]}{simulated(crowd.map.simulated)}"
    return small_map(crowd.map, _estimates(crowd, run)[name], _label(crowd, name), title, _top(crowd))


def crowd_maps(crowd: Crowd) -> Figure:
    """The true crowd and the first run's estimate from every mechanism, on one scale."""
    estimates = _estimates(crowd, 0)
    truth = Panel(f"True crowd\n{counted(crowd.people, 'person', 'people')}", crowd.moved)
    panels = [truth, *(Panel(_label(crowd, name), estimates[name]) for name in ESTIMATES)]
    return maps(crowd.map, panels, 3, _estimates_title(crowd), _top(crowd))


def crowd_curve_figure(curve: CrowdCurve, epsilon: float) -> Figure:
    """W_p of the crowd against epsilon: mean over the runs, error bars of one standard deviation."""
    at = np.array([point.epsilon for point in curve.points])
    data = [_estimate(curve, at, shift, name) for shift, name in enumerate(ESTIMATES)]
    # Room for every epsilon of the slider, whether or not the curve has it now.
    edges = [min(at.min(), SLIDER[0]) / 1.12, max(at.max(), SLIDER[-1]) * 1.12]
    data += _no_privacy(curve.no_privacy, edges)
    if curve.prior is not None:
        name, look = "the prior alone, nothing released", {"colour": colour("input"), "dash": "dash"}
        data.append(line(edges, [curve.prior] * 2, name, hover="%{y:.3~g} km", **look))
    return new_figure(
        _finding(curve)
        + known_within_text(curve.known_within, curve.points[0].map.loss)
        + simulated(curve.points[0].map.simulated),
        430,
        data,
        yaxis=axis(
            f"{curve.points[0].map.loss} (km), mean ± s.d., {len(curve.no_privacy)} runs", range=[0.0, _highest(curve)]
        ),
        **at_epsilon(epsilon, range=[float(np.log10(edge)) for edge in edges]),
    )


def nearest(curve: CrowdCurve) -> str:
    """Which estimates are nearest to the truth where, each named that is within one standard error of the nearest."""
    points = _own(curve)
    at, spans = [point.epsilon for point in points], dict[str, list[str]]()
    level = [_level(point) for point in points]
    for name, label in ESTIMATES.items():
        if span := where(at, [name in names for names in level]):
            spans.setdefault(span, []).append(label)
    return "; ".join(f"{enumeration(labels)} {'each ' * (len(labels) > 1)}{span}" for span, labels in spans.items())


def _level(crowd: Crowd) -> list[str]:
    """The estimates whose mean is not above the least by more than one standard error of their differences."""
    means = crowd.means()
    least = crowd.ends[min(means, key=means.__getitem__)][:, 1]
    return [name for name, ends in crowd.ends.items() if not clearly_below(least, ends[:, 0], 1.0)]


def _estimate(curve: CrowdCurve, at: Array, shift: int, name: str) -> Trace:
    runs = np.array([point.kilometres[name] for point in curve.points])
    spread = runs.std(axis=1, ddof=1)
    said = zip(at, runs.mean(axis=1), spread, strict=True)
    thing = name.removesuffix("-decoded")
    return line(
        at * 1.015 ** (shift - (len(ESTIMATES) - 1) / 2),  # side by side, or they would cover each other
        runs.mean(axis=1),
        ESTIMATES[name],
        colour=colour(thing),
        dash="dot",
        width=1,
        hover="%{customdata} km",
        symbol=MARKERS[thing] + ("-open" if name.endswith("-decoded") else ""),
        customdata=[f"ε = {one:g}: {plus_minus(*run)}" for one, *run in said],
        error_y={"array": spread, "color": colour(thing), "thickness": 1.5, "width": 3},
    )


def _estimates_title(crowd: Crowd) -> str:
    means = crowd.means()
    best, other = best_two(means)
    assert other is not None
    first, second = labels_of((best, other), means, ESTIMATES)
    title = f"At ε = {crowd.epsilon:g} the collector's map is off by {crowd.map.loss} = {number(means[best])} km"
    title += f" with {first}, {number(means[other])} km with {second}"
    return title + known_within_text(crowd.known_within, crowd.map.loss) + simulated(crowd.map.simulated)


def _no_privacy(runs: Array, edges: list[float]) -> list[Trace]:
    mean, spread = float(runs.mean()), float(runs.std(ddof=1))
    grey = colour("non-private")
    return [
        band(np.array(edges), np.full(2, mean - spread), np.full(2, mean + spread), colour=grey, opacity=0.3),
        line(edges, [mean] * 2, "no privacy, sampling alone", colour=grey, hover="%{y:.3~g} km"),
    ]


def _finding(curve: CrowdCurve) -> str:
    """Where WPM is nearest to the truth by more than the runs differ anyway, and whether the prior alone is nearer.

    At the curve's own values of epsilon: where the slider stands changes no claim about all of them.
    """
    points = _own(curve)
    # Where W_p is known as an interval, what is claimed holds wherever it lies in it.
    wins = [
        all(clearly_below(point.ends["wpm"][:, 1], ends[:, 0]) for name, ends in point.ends.items() if name != "wpm")
        for point in points
    ]
    at = [point.epsilon for point in points]
    text = f"WPM's crowd is nearest to the true one {where(at, wins) or 'at no ε shown'} ({BY_ERRORS}, {RUNS} runs)"
    if curve.prior is None:
        return text
    prior = curve.prior if curve.prior_ends is None else float(curve.prior_ends.max())
    nearer = [clearly_below(-point.ends["wpm"][:, 0], -prior) for point in points]
    return text + (f", but the prior alone is nearer than WPM {where(at, nearer)}" if any(nearer) else "")


def _own(curve: CrowdCurve) -> Sequence[Crowd]:
    """The curve at its own values of epsilon, or at the only one that there is."""
    return [point for point in curve.points if point.epsilon in EPSILONS] or curve.points


def _highest(curve: CrowdCurve) -> float:
    """End of the axis: above all error bars at the curve's own values of epsilon, and what the present one adds."""
    reach = {
        point.epsilon: max(float(runs.mean() + runs.std(ddof=1)) for runs in point.kilometres.values())
        for point in curve.points
    }
    own = [reach[epsilon] for epsilon in EPSILONS if epsilon in reach]
    rest = [*reach.values(), *([] if curve.prior is None else [curve.prior])]
    return max(1.1 * max(own, default=0.0), 1.02 * max(rest))


def _estimates(crowd: Crowd, run: int | None) -> Mapping[str, Array]:
    return crowd.expected if run is None else {name: runs[run] for name, runs in crowd.estimates.items()}


def _top(crowd: Crowd) -> float:
    """End of the colour scale, the same at every epsilon: half as much again as the truth has anywhere.

    Estimates have spikes beyond, of any height at small epsilon, which would darken everything else. Where so few
    people share so many places that chance alone makes spikes, it is what four of them report.
    """
    return float(max(1.5 * crowd.moved.max(), 4.0 / crowd.people))


def _label(crowd: Crowd, name: str) -> str:
    runs = crowd.kilometres[name]
    return f"{ESTIMATES[name]}\n{plus_minus(runs.mean(), runs.std(ddof=1))} km"
