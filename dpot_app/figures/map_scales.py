"""The colour scales of the maps: one for probabilities, one for differences, both stretched near zero."""

from typing import Any

import numpy as np

from dpot_app.figures.style import DIVERGING, SEQUENTIAL
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import percent

#: Values that a colour bar may be marked with.
_MARKS = np.array([1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0])


def stretched(values: Array) -> Array:
    """Where a probability lies on the scale: its cube root.

    A person's distribution has cells of 30% and outputs have cells of 0.3%: on a linear scale one colour would
    have to do for all of the latter.
    """
    return np.asarray(np.cbrt(values))


def stretched_difference(values: Array) -> Array:
    """Where a difference lies on the scale: its square root, with its sign."""
    return np.asarray(np.sign(values) * np.sqrt(np.abs(values)))


def colour_axes(top: float, bar: bool, differences: bool, cut: bool = False) -> dict[str, Any]:
    """Layout entries ``coloraxis`` (probabilities) and, if there are such maps, ``coloraxis2`` (differences).

    Args:
        top: end of both scales, which several figures may share: no difference is larger than both probabilities.
        bar: whether probabilities have their colour bar here.
        cut: whether some probabilities lie beyond the end, which then says so.
    """
    marks = _below(0.7 * top if cut else top, 3)
    ends = {"cmin": 0.0, "cmax": float(stretched(np.array(top))), "showscale": bar}
    values, texts = [0.0, *marks], ["0", *map(percent, marks)]
    if cut:
        values, texts = [*values, top], [*texts, f"≥ {percent(top)}"]
    named = {"tickvals": stretched(np.array(values)), "ticktext": texts}
    layout: dict[str, Any] = {
        "coloraxis": {
            "colorscale": SEQUENTIAL,
            **ends,
            "colorbar": {**flat_bar("probability (cube-root scale)"), **named},
        }
    }
    if differences:
        marks = _below(top, 1)
        ticks = np.concatenate([-marks[::-1], [0.0], marks])
        texts = [*(f"−{percent(mark)}" for mark in marks[::-1]), "0", *(f"+{percent(mark)}" for mark in marks)]
        layout["coloraxis2"] = {
            "colorscale": DIVERGING,
            "reversescale": True,
            "cmin": -float(np.sqrt(top)),
            "cmax": float(np.sqrt(top)),
            "colorbar": {
                **flat_bar("change (square-root scale)"),
                "tickvals": stretched_difference(ticks),
                "ticktext": texts,
            },
        }
    return layout


def _below(end: float, count: int) -> Array:
    return _MARKS[end >= _MARKS][-count:]


def flat_bar(title: str) -> dict[str, Any]:
    """A colour bar under the maps, so that on a narrow screen the maps have the whole width."""
    return {
        "title": {"text": f"{title}  ", "side": "right"},
        "tickfont": {"size": 11},
        "tickangle": 0,
        "orientation": "h",
        "yref": "container",
        "y": 0.0,
        "yanchor": "bottom",
        "thickness": 10,
        "len": 0.85,
        "outlinewidth": 0,
    }
