import math
from typing import Any

import numpy as np

from dpot_core.figures.panels import guide, panels
from dpot_core.figures.style import EPSILON_TICKS, EPSILON_TITLE, MARKERS, TITLE_HEIGHT, Figure, colour, new_figure
from dpot_core.figures.traces import Trace, line, star
from dpot_core.numerals import at_most
from dpot_core.studies.decide.results import Answer, Searches, in_words

SIDES = {"worst": "Worst case", "data": "Data at hand"}
WHERE = {"worst": "in the worst case", "data": "for the data at hand"}
# Rows of names that a picture of 430 pixels has room for.
_ROWS = 6
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def needs_figure(answer: Answer, words: str = "") -> Figure:
    """One panel for each side: every evaluation, the target as a line, a star where it is reached for good.

    Args:
        words: instead of the title, and of the stars, while values are still being tried.
    """
    sides, least = list(answer.sides), _least(answer)
    data: list[Trace] = []
    named: set[str] = set()
    for panel, side in enumerate(sides):
        for place, trace in enumerate(_traces(answer.sides[side], panel, least, starred=not words)):
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
        y={"nticks": 6, "title_text": answer.need.unit},
        share_y=False,
        gap=(0.13, 0.1),
    )
    for panel, side in enumerate(sides):
        layout[f"yaxis{panel + 1 if panel else ''}"]["range"] = _heights(answer, answer.sides[side], least)
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


def _heights(answer: Answer, searched: Searches, least: float) -> tuple[float, float]:
    """From the lowest to the highest value at any target of the slider; targets beyond twice that are out of sight."""
    values = [value for points in searched.common.values() for epsilon, value in points if epsilon >= 0.9 * least]
    values = values or [value for points in searched.common.values() for _, value in points]
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
            parts.append(f"ε {relation} {epsilon_text(searched.said)} {where} ({names})")
        # What is searched is the promise towards a population, where people are sampled; the other one is weaker.
        promised = answer.guarantee(side)
        if promised is not None and promised.sampled is not None:
            parts.append(f"ε = {at_most(promised.sampled.epsilon)} towards a person known to be in the sample")
    need = answer.need
    relation = "at least" if need.at_least else "at most"
    return f"{relation.capitalize()} {need.write(answer.config.target)}: {', '.join(parts)}"


def epsilon_text(epsilon: float) -> str:
    """An epsilon that reaches a target, rounded up so that it still does.

    >>> epsilon_text(7.41889977), epsilon_text(4.0), epsilon_text(0.01)
    ('7.42', '4', '0.01')
    """
    return f"{in_words(epsilon):g}"


def _traces(searched: Searches, panel: int, least: float, starred: bool) -> list[Trace]:
    traces: list[Trace] = []
    for place, (name, search) in enumerate(searched.searches.items()):
        thing, label = searched.side.colours.get(name, name), searched.side.labels[name]
        points = np.array(search.points)
        there = points[:, 0] >= 0.9 * least
        shown = points[there] if there.any() else points
        # What is made of another one's releases has its colour and its mark, open.
        symbol = MARKERS[thing] + ("-open" if name.endswith("-decoded") else "")
        look: dict[str, Any] = {"color": colour(thing), "symbol": symbol, "size": 5}
        # Both sides of a mechanism have one name in the legend.
        both = {"legendgroup": label, "mode": "lines" if search.method == "bisection" else "lines+markers"}
        dash, hover = _DASHES[place % len(_DASHES)], "ε = %{x:.3~g}: %{y:.3~g}"
        style = {"colour": colour(thing), "dash": dash, "width": 2.2, "hover": hover, "marker": look, "panel": panel}
        traces.append(line(shown[:, 0], shown[:, 1], label, **style, **both))
        good = search.good if starred else None
        x, y = ([], []) if good is None else ([good[0]], [good[1]])
        reached = star(x, y, f"{label}: for good from here", hover="at", panel=panel, **{**look, "size": 14})
        said = "" if good is None else f"reached for good from ε = {epsilon_text(good[0])}"
        traces.append(reached | {"hovertemplate": f"{said}<extra>{label}</extra>", "legendgroup": label})
    return traces
