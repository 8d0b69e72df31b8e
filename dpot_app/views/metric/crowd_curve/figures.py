import math
from typing import Any

import numpy as np

from dpot_app.figures.findings import BY_ERRORS, clearly_below, where
from dpot_app.figures.panels import POWERS, at_epsilon, axis, guide, guide_label, log_axis, ticks
from dpot_app.figures.style import (
    MARKERS,
    TITLE_HEIGHT,
    Figure,
    colour,
    new_figure,
    simulated,
)
from dpot_app.figures.traces import Trace, line, marks
from dpot_app.kit.fields import EPSILONS as SLIDER
from dpot_app.views.metric.crowd.results import BASELINES, EPSILONS, HOW, RUNS
from dpot_app.views.metric.crowd_curve.results import Budgets, CrowdErrors
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import plus_minus

_COST = "m = %{x:,}: β = %{y:.3~g}"


def crowd_errors_figure(errors: CrowdErrors, epsilon: float) -> Figure:
    """Distance of each estimate to the truth against epsilon, the current one marked."""
    at = np.array([point.config.base.epsilon for point in errors.points])
    data: list[Trace] = []
    for shift, how in enumerate(HOW):
        runs = {point.config.base.epsilon: point.kilometres[how] for point in errors.points if how in point.promises}
        if runs:
            data.append(_series(runs, shift, "metric", f"by distance: {HOW[how]}", how == "composition"))
    for shift, (name, label) in enumerate(BASELINES.items(), 2):
        runs = {point.config.base.epsilon: point.baselines[name] for point in errors.points}
        data.append(_series(runs, shift, "user-level", label, name == "one-visit"))
    # Room for every epsilon of the slider, whether or not the curve has it now.
    low, high = min(float(at.min()), SLIDER[0]) / 1.12, max(float(at.max()), SLIDER[-1]) * 1.12
    unseen = errors.points[0].unseen
    look = {"colour": colour("non-private"), "dash": "dash", "hover": "%{y:.3~g} km"}
    data.append(line([low, high], [unseen, unseen], "no report: an even spread", **look))
    return new_figure(
        _errors_title(errors) + simulated(errors.points[0].map.simulated),
        430,
        data,
        yaxis=axis(f"error of the crowd (km), mean ± s.d., {RUNS} runs", range=[0.0, _highest(errors)]),
        **at_epsilon(epsilon, range=[math.log10(low), math.log10(high)]),
    )


def _series(runs: dict[float, Array], shift: int, thing: str, name: str, hollow: bool) -> Trace:
    at, hue = np.array(list(runs)), colour(thing)
    mean = np.array([values.mean() for values in runs.values()])
    spread = np.array([values.std(ddof=1) for values in runs.values()])
    # Side by side, or they would cover each other.
    beside = at * 1.015 ** (shift - 1.5)
    symbol, around = MARKERS[thing] + "-open" * hollow, {"array": spread, "color": hue, "thickness": 1.5, "width": 3}
    look = {"dash": "dot", "width": 1, "symbol": symbol, "hover": "%{customdata} km", "error_y": around}
    said = [f"ε = {one:g}: {plus_minus(*run)}" for one, *run in zip(at, mean, spread, strict=True)]
    return line(beside, mean, name, colour=hue, customdata=said, **look)


def _highest(errors: CrowdErrors) -> float:
    """End of the axis: above all error bars at the curve's own values of epsilon, and what the present one adds."""
    reach = {
        point.config.base.epsilon: max(
            float(runs.mean() + runs.std(ddof=1))
            for runs in (*point.baselines.values(), *(point.kilometres[how] for how in point.promises))
        )
        for point in errors.points
    }
    own = max((reach[epsilon] for epsilon in EPSILONS if epsilon in reach), default=0.0)
    return max(1.1 * own, 1.02 * max(*reach.values(), errors.points[0].unseen))


def _errors_title(errors: CrowdErrors) -> str:
    """Where reports say more than none do, and where a curator is better, by more than the runs differ anyway.

    At the curve's own values of epsilon: where the slider stands changes no claim about all of them.
    """
    points = [point for point in errors.points if point.config.base.epsilon in EPSILONS] or errors.points
    how = "shuffling" if any("shuffling" in point.promises for point in points) else "composition"
    name, at = HOW[how].capitalize() + " reports", [point.config.base.epsilon for point in points]
    beat = [how in point.promises and clearly_below(point.kilometres[how], point.unseen) for point in points]
    curator = [
        all(clearly_below(point.baselines["laplace"], point.kilometres[way]) for way in point.promises)
        for point in points
    ]
    text = f"{name} beat an even spread {where(at, beat) or 'nowhere'} ({BY_ERRORS})"
    return text + (
        f"; noise added by a curator, who sees everything, is better {where(at, curator)}" if any(curator) else ""
    )


def budgets_figure(budgets: Budgets) -> Figure:
    hue, visits = colour("metric"), budgets.config.visits
    equation = "(7)" if budgets.config.who == "central" else "(6)"
    curves = (
        (budgets.shuffled, "shuffled: Theorem 4.4, solved", hue, {"width": 3}),
        (budgets.composed, "composed: α/m", hue, {"dash": "dot"}),
        (budgets.closed_form, f"closed form {equation}", colour("non-private"), {"dash": "dash"}),
    )
    data = [
        line(budgets.reports, np.where(np.isfinite(values), values, np.nan), name, colour=shade, hover=_COST, **look)
        for values, name, shade, look in curves
    ]
    mark: dict[str, Any] = {"symbol": MARKERS["metric"], "size": 10, "color": hue}
    data.append(marks([visits], [budgets.counted], "shuffled: counted", hover=_COST, **mark))
    shown = np.concatenate([budgets.shuffled, budgets.composed, [budgets.counted]])
    # Composition is in proportion to epsilon: so much less, and so much more, it is at the ends of the slider.
    epsilon = budgets.config.base.epsilon
    low = min(SLIDER[0] / epsilon * budgets.composed.min(), np.nanmin(shown))
    high = max(SLIDER[-1] / epsilon * budgets.composed.max(), np.nanmax(shown))
    return new_figure(
        _budgets_title(budgets),
        380,
        data,
        xaxis=axis("reports of each person m", type="log", **ticks({10**n: f"{10**n:,}" for n in range(6)})),
        yaxis=log_axis("β of a report (nats)", low / 1.26, high * 1.26, **POWERS),
        shapes=[guide(0, x=visits)],
        annotations=[guide_label(0, visits, f"m = {visits:,}")],
        margin={"t": TITLE_HEIGHT + 28},
    )


def _budgets_title(budgets: Budgets) -> str:
    first = budgets.pays_from
    if first is None:
        most = f"{budgets.reports[-1]:,} reports of each person"
        return f"By Theorem 4.4 shuffling nowhere lets a report say more than composition does (up to {most})"
    if first == budgets.reports[0]:
        return "By Theorem 4.4 shuffling lets a report say more than composition does, whatever the number of reports"
    return f"By Theorem 4.4 shuffling lets a report say more than composition from about m = {first:,} on"
