"""Known deployments and the reader's epsilon on one axis: what they protect and where, without judging them."""

import math
from collections.abc import Sequence
from typing import Any

from dpot_app.figures.panels import guide, guide_label
from dpot_app.figures.style import COLOURS, EDGE, EPSILON_TITLE, TITLE_HEIGHT, Figure, new_figure, plain, see_through
from dpot_app.figures.traces import Trace, line, marks
from dpot_core.datasets.deployments import MODELS, Deployment

#: For how long, or for what, an epsilon is: from the shortest to once and for all. Further ones stand at the end.
PERIODS = {
    "day": "ε for one day of a person or a device",
    "week": "ε for one week of a person",
    "month": "ε for one month of a member",
    "training of a model": "ε for all that a device gives to one model",
    "once": "ε once and for all, for one record",
}
#: Mark by where noise is added.
SHAPES = dict(zip(MODELS, ("circle", "square", "diamond"), strict=True))
WHERE = {
    "local": "local: noise on each device",
    "central": "central: the holder of the data adds it",
    "federated": "federated: a server that sees sums only",
}
#: From below the smallest value of the slider to above every deployment.
_ENDS = (-1.4, 1.75)
_TICKS = {"tickvals": [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50]}
#: Pixels of a row, of two lines of usual and of large letters.
ROW, LARGE_ROW = 29, 44
#: Longer names of what is released are cut: the table has them in full.
_LETTERS = 30
#: From here on a name stands on the left of its mark.
_FAR = 1.5


def groups(rows: Sequence[Deployment]) -> dict[str, list[Deployment]]:
    """Deployments by what their epsilon is for, each group from the smallest epsilon to the largest."""
    periods = [*PERIODS, *sorted({row.period for row in rows} - {*PERIODS})]
    found = {period: sorted((r for r in rows if r.period == period), key=lambda r: r.epsilon) for period in periods}
    return {period: group for period, group in found.items() if group}


def here_figure(rows: Sequence[Deployment], epsilon: float, row_height: int = ROW) -> Figure:
    """One axis of epsilon: a row for each deployment, grouped by unit, shaped by model; a line where the reader is."""
    notes: list[dict[str, Any]] = []
    places: dict[Deployment, float] = {}
    heads: dict[str, float] = {}
    at = 0.0
    for period, group in groups(rows).items():
        heads[PERIODS.get(period, f"ε for one {period}")] = at
        for row in group:
            at -= 1
            places[row] = at
        at -= 1.3
    data = [trace for model in MODELS for trace in _model(model, rows, places)]
    for row, height in places.items():
        left = row.epsilon > _FAR
        beyond = min(row.epsilon, row.epsilon_low or row.epsilon) if left else row.epsilon
        notes.append(_name(row, beyond, height, left))
    notes += [_head(words, height) for words, height in heads.items()]
    notes.append(guide_label(0, epsilon, f"you are here: ε = {epsilon:g}"))
    # Under the names, which it crosses.
    you = {"layer": "below", "line": {"color": see_through(COLOURS["wpm"], 0.55), "width": 3, "dash": "solid"}}
    smallest, largest = min(row.epsilon_low or row.epsilon for row in rows), max(row.epsilon for row in rows)
    ticks = {**_TICKS, "ticktext": [f"{tick:g}" for tick in _TICKS["tickvals"]]}
    return new_figure(
        f"You are at ε = {epsilon:g}; {len(rows)} known deployments lie between {smallest:g} and {largest:g}, each "
        "with its own unit",
        int(row_height * -at) + TITLE_HEIGHT + 110,
        data,
        xaxis={"type": "log", "range": list(_ENDS), "title": {"text": EPSILON_TITLE}, **ticks},
        yaxis={"visible": False, "range": [at + 0.8, 0.9]},
        shapes=[guide(0, x=epsilon) | you],
        annotations=notes,
        margin={"t": TITLE_HEIGHT + 28},
    )


def _model(model: str, rows: Sequence[Deployment], places: dict[Deployment, float]) -> list[Trace]:
    """The marks of a model, one colour for all; a line from the smallest to the largest of several epsilons."""
    own = [row for row in rows if row.model == model]
    said = [
        f"{plain(row.organisation)}, {plain(row.product)} ({row.year})<br>ε = {row.epsilon_text}, δ: {row.delta_text}"
        f"<br>protected: {plain(row.unit)}"
        for row in own
    ]
    look: dict[str, Any] = {"symbol": SHAPES[model], "size": 11, "color": COLOURS["input"], "line": {"width": 0}}
    shown = marks([row.epsilon for row in own], [places[row] for row in own], WHERE[model], hover="at", **look)
    spans = [
        line([row.epsilon_low, row.epsilon], [places[row]] * 2, colour=COLOURS["input"], width=2)
        for row in own
        if row.epsilon_low is not None
    ]
    return [*spans, shown | {"customdata": said, "hovertemplate": "%{customdata}<extra></extra>"}]


def _name(row: Deployment, epsilon: float, height: float, left: bool) -> dict[str, Any]:
    """The deployment's name and subject, in two lines beside the mark."""
    product = row.product.partition(" (")[0].partition(", ")[0]
    product = product if len(product) <= _LETTERS else f"{product[: _LETTERS - 1].rstrip()}…"
    return {
        "text": f"{plain(row.organisation)}<br>{plain(product)}",
        "x": math.log10(epsilon),
        "y": height,
        "xref": "x",
        "yref": "y",
        "xanchor": "right" if left else "left",
        "yanchor": "middle",
        "align": "right" if left else "left",
        "xshift": -9 if left else 9,
        "font": {"size": 11, "shadow": EDGE},
        "showarrow": False,
    }


def _head(words: str, height: float) -> dict[str, Any]:
    where = {"x": 0, "y": height, "xref": "paper", "yref": "y", "xanchor": "left", "yanchor": "middle"}
    return {"text": f"<b>{plain(words)}</b>", **where, "font": {"size": 12}, "showarrow": False}
