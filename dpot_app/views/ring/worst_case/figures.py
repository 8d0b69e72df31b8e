import math

import numpy as np

from dpot_app.figures.findings import best_two, labels_of, reads_alike
from dpot_app.figures.panels import EPSILON_PANELS, at_epsilon, axis, guide, panels
from dpot_app.figures.style import TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import line, star
from dpot_app.figures.worst_curves import WorstCurve, worst_curves_figure
from dpot_app.kit.fields import CURVE_EPSILONS, DISTANCE, LOSSES
from dpot_app.views.ring.outputs.results import Result
from dpot_app.views.ring.units import at_most, order
from dpot_app.views.ring.worst_case.results import Curves, WorstCases, WorstNow
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms import MECHANISMS, rivals
from dpot_core.privacy import numerals
from dpot_core.worst_case import Bracket

_WPM = {
    "wpm": ("WPM, best uniform base", "wpm", "solid"),
    "wpm-uniform": ("WPM, uniform base of mass 1", "wpm", "dot"),
}
_MECHANISMS = (
    ("minimax", "KPM with its best base: no mechanism does better", "kpm", "solid"),
    ("mollifier", "relative mollifier", "mollifier", "dash"),
)
# The picture ends so many times as high as the highest line, where proven bounds may lie far above.
_ROOM = 1.5
_HOVER = "ε = %{x:.3~g}: %{y:.3~g} steps"


def curves_figure(curves: Curves, here: Result, loss: str = DISTANCE) -> Figure:
    """The worst case of every mechanism of the settings against epsilon, and what the present input costs."""
    config, along = curves.config, curves.losses[loss]
    distance = loss == DISTANCE
    costs = here.distances if distance else {name: one[loss] for name, one in here.divergences.items()}
    # A mechanism that never releases some point has infinite divergences: no line.
    finite = [name for name in along.now if math.isfinite(along.at_least[name].max() + along.now[name].at_least)]
    # Bounds that say little may leave the picture.
    known = [value for name in finite for value in (along.at_least[name].max(), along.now[name].at_least)]
    edge = math.inf if distance else _ROOM * float(max(known, default=1.0))
    drawn = [
        WorstCurve(
            name,
            MECHANISMS[name].label,
            along.at_least[name].to_numpy(),
            along.now[name].at_least,
            None
            if (along.at_least[name] == along.at_most[name]).all()
            else np.minimum(along.at_most[name].to_numpy(), 2.0 * edge),
            costs[name] if name in costs and math.isfinite(costs[name]) else None,
            MECHANISMS[name].dash,
        )
        for name in finite
    ]
    said = [f"{MECHANISMS[name].label} {_between(found)}" for name, found in along.now.items()]
    unit = "steps" if distance else {"kl": "nats of KL"}.get(loss, f"in {LOSSES[loss].lower()}")
    return worst_curves_figure(
        f"Worst case over all inputs at ε = {config.epsilon:g}: {', '.join(said)} {unit}",
        np.asarray(CURVE_EPSILONS),
        drawn,
        config.epsilon,
        f"{order(config.ring.p)} (steps)" if distance else DIVERGENCES[loss].axis,
        edge=edge,
    )


def _between(found: Bracket) -> str:
    """A worst case in words: one number where it is known."""
    if math.isinf(found.at_least):
        return "infinite"
    low, high = numerals.at_least(found.at_least), numerals.at_most(found.at_most)
    return high if found.at_least == found.at_most or low == high else f"{low} to {high}"


def worst_case_figure(worst: WorstCases, now: WorstNow) -> Figure:
    """W_p in the worst case against epsilon; WPM with the base measure in use as a point at the current epsilon."""
    ring, epsilon = worst.ring, now.epsilon
    curves = worst.wasserstein
    shown = _WPM | _rivals()
    top = 1.06 * max(now.most, *(float(curves[name].max()) for name in shown))
    data = [
        line(worst.epsilon, curves[name].to_numpy(), label, colour=colour(thing), dash=dash, width=2.5, hover=_HOVER)
        for name, (label, thing, dash) in shown.items()
    ]
    data.append(star([epsilon], [now.in_use], "WPM, base in use", hover=_HOVER, color=colour("wpm"), size=14))
    exact = rivals("exact")
    distances = {"wpm": now.in_use, **{name: now.wasserstein[name] for name in exact}}
    labels = {"wpm": "exact WPM", **{name: row.label for name, row in exact.items()}}
    best, other = best_two(distances)
    assert other is not None
    first, second = labels_of((best, other), distances, labels, at_most)
    alike = reads_alike((best, other), distances, at_most)
    rival = f"and so does {second}" if alike else f"{second} by up to {at_most(distances[other])}"
    return new_figure(
        f"Whatever the input, {first} moves it by {order(ring.p)} ≤ {at_most(distances[best])} at "
        f"ε = {epsilon:g}, {rival}",
        440,
        data,
        yaxis=axis(f"worst-case {order(ring.p)} (steps)", range=[0.0, top]),
        **at_epsilon(epsilon),
    )


def _rivals() -> dict[str, tuple[str, str, str]]:
    """Name on screen, colour and dash of the other mechanisms; one that is known at one-point inputs only says so."""
    known = {"exact": "", "lower bound": ", one-point inputs"}
    return {name: (row.label + known[row.worst_distance or "exact"], name, row.dash) for name, row in rivals().items()}


def divergences_figure(worst: WorstCases, now: WorstNow) -> Figure:
    """Worst-case f-divergences against epsilon: the optimal mechanism and the relative mollifier."""
    epsilon, kl = now.epsilon, now.divergences["kl"]
    data = [
        line(
            worst.epsilon,
            worst.divergences[name][column].to_numpy(),
            label,
            colour=colour(thing),
            dash=dash,
            width=2.5,
            hover="ε = %{x:.3~g}: %{y:.3~g}",
            panel=panel,
            showlegend=panel == 0,
        )
        for panel, name in enumerate(DIVERGENCES)
        for column, label, thing, dash in _MECHANISMS
    ]
    return new_figure(
        f"In f-divergence nothing beats KPM: worst-case KL {numerals.number(kl['minimax'])} at ε = {epsilon:g}, "
        f"relative mollifier {numerals.at_most(kl['mollifier'])}",
        560,
        data,
        shapes=[guide(panel, x=epsilon) for panel in range(len(DIVERGENCES))],
        margin={"t": TITLE_HEIGHT + 28},
        **panels([row.axis for row in DIVERGENCES.values()], 2, **EPSILON_PANELS, gap=(0.1, 0.12)),
    )
