import math
from collections.abc import Mapping
from itertools import cycle
from typing import Any

import numpy as np

from dpot_app.figures.panels import guide, panels
from dpot_app.figures.style import EPSILON_TICKS, EPSILON_TITLE, MARKERS, TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import Trace, line, star
from dpot_app.views.decide.results import Answer
from dpot_app.views.decide.searched import Searches, in_words
from dpot_core.privacy.numerals import at_most, enumeration

SIDES = {"worst": "Worst case", "data": "Data at hand"}
WHERE = {"worst": "in the worst case", "data": "for the data at hand"}
# Rows of names that a picture of 430 pixels has room for.
_ROWS = 6
# Pixels of a star; stars at epsilons that are nearer than this, as logarithms, hide one another.
_STAR, _NEAR = 14, 0.1
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def needs_figure(answer: Answer, words: str = "") -> Figure:
    """One panel for each side: every evaluation, the target as a line, a star where it is reached for good.

    Args:
        words: instead of the title, and of the stars, while values are still being tried.
    """
    sides, least = list(answer.sides), _least(answer)
    data: list[Trace] = []
    named: set[str] = set()
    # By mechanism, so that one name is one look in both panels: the legend shows it once.
    every = dict.fromkeys(name for searched in answer.sides.values() for name in searched.side.labels)
    dashes = dict(zip(every, cycle(_DASHES)))
    for panel, side in enumerate(sides):
        for place, trace in enumerate(_traces(answer.sides[side], panel, least, dashes, starred=not words)):
            trace["showlegend"] = place % 2 == 0 and trace["name"] not in named
            named.add(trace["name"])
            data.append(trace)
    # Short, because two panels share the width of a telephone.
    titles = ["Simulated data" if answer.sides[side].side.simulated else SIDES[side] for side in sides]
    # Below the usual values the usual ticks would leave an axis without numbers.
    ticks = EPSILON_TICKS if least >= 0.05 else {"type": "log", "dtick": 1}
    layout = panels(
        titles,
        len(sides),
        x={**ticks, "title_text": EPSILON_TITLE, "range": [math.log10(0.9 * least), math.log10(22)]},
        # Both panels measure in one unit.
        y={"nticks": 6, "title_text": answer.need.unit, "range": _heights(answer, least)},
        gap=(0.05, 0.1),
    )
    return new_figure(
        words or title(answer),
        # On a phone a name is a row: they take none of the curves' room.
        430 + 18 * max(0, len(named) // 2 - _ROWS),
        data,
        shapes=[guide(panel, y=answer.config.target, dash="dash") for panel in range(len(sides))],
        margin={"t": TITLE_HEIGHT + 28},
        **layout,
    )


def _least(answer: Answer) -> float:
    """The smallest epsilon that is worth a place on the axis: 0.1, or less if any target of the slider needs less."""
    targets = (*answer.need.targets, answer.config.target)
    easiest = min(targets) if answer.need.at_least else max(targets)
    least = 0.1
    for searched in answer.sides.values():
        for points in searched.common.values():
            before = 0.7 * points[0][0]
            for epsilon, value in points:
                if value >= easiest if answer.need.at_least else value <= easiest:
                    # The answer lies between this one and the one before; where nothing lies between, it is this one.
                    least = min(least, before)
                    break
                before = epsilon
    return least


def _heights(answer: Answer, least: float) -> tuple[float, float]:
    """From the lowest to the highest value at any target of the slider; targets beyond twice that are out of sight."""
    tried = [point for one in answer.sides.values() for points in one.common.values() for point in points]
    values = [value for epsilon, value in tried if epsilon >= 0.9 * least] or [value for _, value in tried]
    targets = [target for target in (*answer.need.targets, answer.config.target) if target <= 2 * max(values)]
    low, high = min(0.0, *values), max(0.0, *values, *targets)
    return low - (0.04 * (high - low) if low < 0 else 0.0), high + 0.04 * (high - low)


def title(answer: Answer) -> str:
    parts = []
    for side, searched in answer.sides.items():
        where = WHERE[side]
        if searched.best is None or searched.said is None:
            met = any(one.found is not None for m, one in searched.searches.items() if m not in searched.side.bounds)
            parts.append(f"not reached {'for good ' if met else ''}{where}")
        else:
            name = searched.best[0]
            relation = "=" if searched.searches[name].missed is not None else "≤"
            names = " and ".join(searched.side.labels[tied] for tied in searched.tied)
            parts.append(f"ε {relation} {epsilon_text(searched.said)} {where} ({names}{_rival(searched)})")
        # What is searched is the promise towards a population, where people are sampled; the other one is weaker.
        promised = answer.guarantee(side)
        if promised is not None and promised.sampled is not None:
            parts.append(f"ε = {at_most(promised.sampled.epsilon)} towards a person known to be in the sample")
    need = answer.need
    relation = "at least" if need.at_least else "at most"
    return f"{relation.capitalize()} {need.write(answer.config.target)}: {', '.join(parts)}"


def _rival(searched: Searches) -> str:
    """The need of the next best mechanism, in words; "" where no other one reaches the target for good."""
    ours = {name.partition("-")[0] for name in searched.tied}
    needed: dict[float, list[str]] = {}
    for name, search in searched.searches.items():
        if search.good is not None and name not in searched.side.bounds and name.partition("-")[0] not in ours:
            needed.setdefault(in_words(search.good[0]), []).append(searched.side.labels[name])
    if not needed:
        return ""
    least = min(needed)
    return f"; {enumeration(needed[least])} need{'s' if len(needed[least]) == 1 else ''} {epsilon_text(least)}"


def epsilon_text(epsilon: float) -> str:
    """An epsilon that reaches a target, rounded up so that it still does.

    >>> epsilon_text(7.41889977), epsilon_text(4.0), epsilon_text(0.01)
    ('7.42', '4', '0.01')
    """
    return f"{in_words(epsilon):g}"


def _star_sizes(searched: Searches) -> dict[str, int]:
    """Sizes of stars at one place: those drawn first are larger and look out from under the others."""
    sizes: dict[str, int] = {}
    after: list[float] = []
    for name, search in reversed(list(searched.searches.items())):
        if search.good is not None:
            here = math.log(search.good[0])
            sizes[name] = _STAR + 6 * sum(abs(here - there) < _NEAR for there in after)
            after.append(here)
    return sizes


def _traces(searched: Searches, panel: int, least: float, dashes: Mapping[str, str], starred: bool) -> list[Trace]:
    traces: list[Trace] = []
    sizes = _star_sizes(searched)
    for name, search in searched.searches.items():
        thing, label = searched.side.colours.get(name, name), searched.side.labels[name]
        points = np.array(search.points)
        there = points[:, 0] >= 0.9 * least
        shown = points[there] if there.any() else points
        # What is made of another one's releases has its colour and its mark, open.
        symbol = MARKERS[thing] + ("-open" if name.endswith("-decoded") else "")
        look: dict[str, Any] = {"color": colour(thing), "symbol": symbol, "size": 5}
        # Both sides of a mechanism have one name in the legend.
        both = {"legendgroup": label, "mode": "lines+markers"}
        style = {"colour": colour(thing), "dash": dashes[name], "width": 2.2, "marker": look, "panel": panel}
        hover = "ε = %{x:.3~g}: %{y:.3~g}"
        traces.append(line(shown[:, 0], shown[:, 1], label, hover=hover, **style, **both))
        good = search.good if starred else None
        x, y = ([], []) if good is None else ([good[0]], [good[1]])
        size = sizes.get(name, _STAR)
        reached = star(x, y, f"{label}: for good from here", hover="at", panel=panel, **{**look, "size": size})
        said = "" if good is None else f"reached for good from ε = {epsilon_text(good[0])}"
        traces.append(reached | {"hovertemplate": f"{said}<extra>{label}</extra>", "legendgroup": label})
    return traces
