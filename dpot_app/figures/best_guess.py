"""The best guess from one release: how often it is right against epsilon, and against how far a place is moved."""

from collections.abc import Iterable

import numpy as np

from dpot_app.figures.findings import best_two, labels_of
from dpot_app.figures.panels import Axis, at_epsilon, axis, guide, guide_label, log_axis, log_ticks, ticks
from dpot_app.figures.style import GUIDE, TITLE_HEIGHT, Figure, colour, new_figure, see_through, simulated
from dpot_app.figures.traces import line, star
from dpot_app.kit.best_guess import Guesses
from dpot_app.kit.blocks import Block, Columns, Picture
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.numerals import enumeration, number, percent, percent_at_most, rounded_up

_HEIGHT = 400
_NAME = "chance that the best guess is right"


def blocks(found: Guesses, mechanisms: Iterable[str], prior: str) -> Iterable[Block]:
    """Both pictures with what they show.

    Args:
        mechanisms: those that were asked for.
        prior: which prior it is, in words.
    """
    chance = f"The chance that the best guess of the {found.place} is right against epsilon, for each mechanism"
    error = (
        f"How far each mechanism moves a {found.place} at most against the chance that the best guess of it is right"
    )
    yield Columns(
        (
            Picture("best-guess", chance, chance_figure, found),
            Picture("best-guess-error", error, error_figure, found),
        )
    )
    left_out = [found.labels[name] for name in mechanisms if name not in found.now]
    yield (
        f"{found.said.format(place=found.place)}, drawn from the prior. The guess is the likeliest {found.place}, "
        f"given prior, mechanism and release. How often it is right is the Bayes vulnerability; a {found.place} beside "
        f"the right one counts as wrong. Prior: {prior}. Wide grey line: no guess is right more often than this. ★: "
        f"now. Distances are for the {found.place} that is moved farthest. Lines join {len(found.epsilon)} values of ε."
        + (f" Left out, because some {found.place} has no output: {enumeration(left_out)}." if left_out else "")
    )


def headlines(found: Guesses) -> dict[str, float]:
    """The chances now, by their names."""
    right = {f"Best guess right after {found.labels[name]} (share)": now.right for name, now in found.now.items()}
    return right | {"Best guess right without a release (share)": found.without}


def chance_figure(found: Guesses) -> Figure:
    """How often the best guess is right against epsilon, between what is so without a release and what is allowed."""
    hover, epsilon = "ε = %{x:.3~g}: %{y:.3~p}", found.at
    ends = [found.epsilon[0], found.epsilon[-1]]
    wide = {"colour": see_through(GUIDE, 0.35), "width": 8}
    data = [
        line(found.epsilon, found.allowed, "most that ε allows", hover=hover, **wide),
        line(ends, [found.without] * 2, "without a release", colour=GUIDE, dash="dot", hover=hover),
    ]
    for name, curve in found.curves.items():
        right = [point.right for point in curve]
        data.append(line(found.epsilon, right, **_look(found, name), hover=hover))
    for name, now in found.now.items():
        data.append(star([epsilon], [now.right], hover=hover, color=colour(name), size=12))
    return new_figure(title(found), _HEIGHT, data, yaxis=_chances(found), **at_epsilon(epsilon))


def error_figure(found: Guesses) -> Figure:
    """Distance against the chance, a curve over epsilon for each mechanism, with a star at the present one."""
    hover = f"ε = %{{customdata:.3~g}}: %{{x:.3~p}}, %{{y:.3~g}} {found.unit}"
    data = []
    for name, curve in found.curves.items():
        right, far = np.array(curve).T
        data.append(line(right, far, **_look(found, name), hover=hover, customdata=found.epsilon))
    for name, now in found.now.items():
        mark = star([now.right], [now.distance], hover=hover, color=colour(name), size=12)
        data.append(mark | {"customdata": [found.at]})
    farthest = [point.distance for name, curve in found.curves.items() for point in (*curve, found.now[name])]
    return new_figure(
        error_title(found),
        _HEIGHT,
        data,
        xaxis=_chances(found),
        yaxis=axis(
            f"{found.loss} of the worst {found.place} ({found.unit})", range=[0.0, 1.06 * max(farthest, default=1.0)]
        ),
        shapes=[guide(0, x=found.without)],
        annotations=[guide_label(0, found.without, "no release") | {"xanchor": "left"}],
        margin={"t": TITLE_HEIGHT + 28},
    )


def _look(found: Guesses, name: str) -> dict[str, str]:
    return {"name": found.labels[name], "colour": colour(name), "dash": MECHANISMS[name].dash}


def _chances(found: Guesses) -> Axis:
    """A logarithmic axis of chances, from that without a release on."""
    low = found.without / 1.1
    return log_axis(
        _NAME,
        low,
        1.1,
        **ticks({value: percent(value) for value in log_ticks(low, 1.0)["tickvals"]}),
    )


def title(found: Guesses) -> str:
    """After which mechanism the best guess is right least often, beside it WPM or the next, and where most often."""
    without = share(found.without)
    if not found.now:
        said = f"The best guess of the {found.place} is right {without} of the time; choose a mechanism to compare"
        return said + simulated(found.simulated)
    right = {name: now.right for name, now in found.now.items()}
    texts = {name: share(chance) for name, chance in right.items()}
    best, other = best_two(right)
    first, *others = labels_of((best, other), right, found.labels, share)
    said = f"{texts[best]} of the time after {first}"
    if other is not None:
        said += f", {texts[other]} after {others[0]}"
        most, _ = best_two(right, largest=True)
        if texts[most] not in (texts[best], texts[other]):
            said += f", up to {texts[most]} after {labels_of([most], right, found.labels, share)[0]}"
    said = f"At ε = {found.at:g} the best guess of the {found.place} is right {said}; {without} without a release"
    return said + simulated(found.simulated)


def error_title(found: Guesses) -> str:
    """Which mechanism moves a point least, and how often the guess is right then; beside it WPM or the next."""
    if not found.now:
        return "Choose a mechanism to compare"
    far = {name: now.distance for name, now in found.now.items()}
    unit = found.unit

    def write(distance: float) -> str:
        """An upper bound, rounded up so that it stays one."""
        text = number(rounded_up(distance))
        return f"{text} {unit.removesuffix('s') if text == '1' else unit}"

    right = {name: share(now.right) for name, now in found.now.items()}
    best, other = best_two(far)
    first, *others = labels_of((best, other), far, found.labels, write)
    distance = f"{found.loss} ≤ {write(far[best])}"
    said = f"{first} moves a {found.place} by {distance}, and the guess is right {right[best]} of the time"
    if other is not None:
        said += f"; {others[0]}: {write(far[other])} and {right[other]}"
    return f"At ε = {found.at:g} {said}{simulated(found.simulated)}"


def share(chance: float) -> str:
    """A chance to the nearest, but never rounded to certainty."""
    return percent(chance) if chance <= 0.9 else percent_at_most(chance)
