import numpy as np

from dpot_app.figures.findings import best_two, labels_of
from dpot_app.figures.panels import Axis, at_epsilon, axis, guide, guide_label, log_axis, log_ticks, ticks
from dpot_app.figures.style import GUIDE, TITLE_HEIGHT, Figure, colour, new_figure, see_through
from dpot_app.figures.traces import line, star
from dpot_app.views.ring.guess.results import Guesses
from dpot_app.views.ring.units import at_most, order
from dpot_core.mechanisms import LABELS, MECHANISMS
from dpot_core.privacy.numerals import percent, percent_at_most

_HEIGHT = 400
_NAME = "chance that the best guess is right"


def chance_figure(found: Guesses) -> Figure:
    """How often the best guess is right against epsilon, between what is so without a release and what is allowed."""
    hover, epsilon = "ε = %{x:.3~g}: %{y:.3~p}", found.config.epsilon
    ends = [found.epsilon[0], found.epsilon[-1]]
    wide = {"colour": see_through(GUIDE, 0.35), "width": 8}
    data = [
        line(found.epsilon, found.allowed, "most that ε allows", hover=hover, **wide),
        line(ends, [found.without] * 2, "without a release", colour=GUIDE, dash="dot", hover=hover),
    ]
    for name, curve in found.curves.items():
        right = [point.right for point in curve]
        data.append(line(found.epsilon, right, **_look(name), hover=hover))
    for name, now in found.now.items():
        data.append(star([epsilon], [now.right], hover=hover, color=colour(name), size=12))
    return new_figure(title(found), _HEIGHT, data, yaxis=_chances(found), **at_epsilon(epsilon))


def error_figure(found: Guesses) -> Figure:
    """Distance against the chance, a curve over epsilon for each mechanism, with a star at the present one."""
    hover = "ε = %{customdata:.3~g}: %{x:.3~p}, %{y:.3~g} steps"
    data = []
    for name, curve in found.curves.items():
        right, far = np.array(curve).T
        data.append(line(right, far, **_look(name), hover=hover, customdata=found.epsilon))
    for name, now in found.now.items():
        mark = star([now.right], [now.distance], hover=hover, color=colour(name), size=12)
        data.append(mark | {"customdata": [found.config.epsilon]})
    farthest = [point.distance for name, curve in found.curves.items() for point in (*curve, found.now[name])]
    return new_figure(
        error_title(found),
        _HEIGHT,
        data,
        xaxis=_chances(found),
        yaxis=axis(
            f"{order(found.config.ring.p)} of the worst point (steps)", range=[0.0, 1.06 * max(farthest, default=1.0)]
        ),
        shapes=[guide(0, x=found.without)],
        annotations=[guide_label(0, found.without, "no release") | {"xanchor": "left"}],
        margin={"t": TITLE_HEIGHT + 28},
    )


def _look(name: str) -> dict[str, str]:
    return {"name": LABELS[name], "colour": colour(name), "dash": MECHANISMS[name].dash}


def _chances(found: Guesses) -> Axis:
    """A logarithmic axis of chances, from that without a release on."""
    low = found.without / 1.1
    return log_axis(_NAME, low, 1.1, **ticks({value: percent(value) for value in log_ticks(low, 1.0)["tickvals"]}))


def title(found: Guesses) -> str:
    """After which mechanism the best guess is right least often, beside it WPM or the next, and where most often."""
    without = share(found.without)
    if not found.now:
        return f"The best guess of the point is right {without} of the time; choose a mechanism to compare"
    right = {name: now.right for name, now in found.now.items()}
    texts = {name: share(chance) for name, chance in right.items()}
    best, other = best_two(right)
    first, *others = labels_of((best, other), right, LABELS, share)
    said = f"{texts[best]} of the time after {first}"
    if other is not None:
        said += f", {texts[other]} after {others[0]}"
        most, _ = best_two(right, largest=True)
        if texts[most] not in (texts[best], texts[other]):
            said += f", up to {texts[most]} after {labels_of([most], right, LABELS, share)[0]}"
    return f"At ε = {found.config.epsilon:g} the best guess of the point is right {said}; {without} without a release"


def error_title(found: Guesses) -> str:
    """Which mechanism moves a point least, and how often the guess is right then; beside it WPM or the next."""
    if not found.now:
        return "Choose a mechanism to compare"
    far = {name: now.distance for name, now in found.now.items()}
    right = {name: share(now.right) for name, now in found.now.items()}
    best, other = best_two(far)
    first, *others = labels_of((best, other), far, LABELS, at_most)
    distance = f"{order(found.config.ring.p)} ≤ {at_most(far[best])}"
    said = f"{first} moves a point by {distance}, and the guess is right {right[best]} of the time"
    if other is not None:
        said += f"; {others[0]}: {at_most(far[other])} and {right[other]}"
    return f"At ε = {found.config.epsilon:g} {said}"


def share(chance: float) -> str:
    """A chance to the nearest, but never rounded to certainty."""
    return percent(chance) if chance <= 0.9 else percent_at_most(chance)
