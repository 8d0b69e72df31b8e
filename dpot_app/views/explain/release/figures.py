from collections.abc import Mapping

import numpy as np

from dpot_app.figures.panels import panels
from dpot_app.figures.style import COLOURS, GUIDE, TITLE_HEIGHT, Figure, new_figure, see_through
from dpot_app.figures.traces import Trace, marks
from dpot_app.views.explain.beliefs import of_people
from dpot_app.views.explain.release.results import Result
from dpot_core.privacy.numerals import percent

# People in a picture, and in a row of it.
_PEOPLE, _SIDE = 100, 10
_HEIGHT = 330


def beliefs_figure(result: Result) -> Figure:
    """Of 100 people in the same situation: of how many one believes it, before and after the worst outputs."""
    prior = result.config.prior
    before, most, least = of_people(prior), of_people(result.most), of_people(result.least, up=False)
    shares = {f"Before: {before}": prior, f"After, at most: {most}": result.most}
    shares[f"After, at least: {least}"] = result.least
    turned = f"no output turns a belief of {before} into more than {most}, or less than {least}"
    return _crowds(f"At ε = {result.config.epsilon:g} {turned}", shares)


def deniability_figure(result: Result) -> Figure:
    """Of 100 releases: how many say so if it is true, and how many say so if it is not."""
    same = of_people(result.deniable, up=False)
    shares = {
        f"If it is true: {of_people(result.truthful)} say so": result.truthful,
        f"If it is false: {same} say so": result.deniable,
    }
    epsilon = f"Plausible deniability at ε = {result.config.epsilon:g}"
    if result.others == 0:
        return _crowds(f"{epsilon}: hardly any of 100 others would give the same answer", shares)
    return _crowds(f"{epsilon}: {same} others would give the same answer", shares)


def _crowds(title: str, shares: Mapping[str, float]) -> Figure:
    data = [trace for panel, value in enumerate(shares.values()) for trace in _crowd(panel, value)]
    x, y = ({"visible": False, "fixedrange": True, "range": [low, _SIDE - 0.1]} for low in (-0.9, -0.75))
    layout = panels(list(shares), len(shares), x=x, y=y, gap=(0.05, 0.1))
    for note in layout["annotations"]:
        # Narrow screens break the line rather than lay one title over the next.
        note["text"] = note["text"].replace(": ", ":<br>", 1)
    margin = {"t": TITLE_HEIGHT + 48}
    return new_figure(title, _HEIGHT + TITLE_HEIGHT, data, showlegend=False, margin=margin, **layout)


def _crowd(panel: int, probability: float) -> list[Trace]:
    """Heads and bodies, filled row by row from the top left; the last one may be filled in part (paler)."""
    place = np.arange(_PEOPLE)
    # Without the crumbs of rounding, which would begin another person.
    filled = np.clip(np.round(probability * _PEOPLE, 9) - place, 0.0, 1.0)
    x, y = place % _SIDE, _SIDE - 1 - place // _SIDE
    strong = [see_through(COLOURS["input"], 0.5 + 0.5 * value) for value in filled.tolist()]
    colours = [see_through(GUIDE, 0.45) if value == 0 else shade for value, shade in zip(filled, strong, strict=True)]
    state = ["yes" if value == 1 else "no" if value == 0 else f"in part ({percent(value)})" for value in filled]
    parts = ((y + 0.3, "circle", 7), (y - 0.12, "triangle-up", 12))
    return [
        marks(x, at, hover="%{customdata}", panel=panel, color=colours, symbol=symbol, size=size, line={"width": 0})
        | {"customdata": state}
        for at, symbol, size in parts
    ]
