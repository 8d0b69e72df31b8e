"""What one report may cost against the number of reports: shuffled, by the closed forms, composed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.checks import Array
from dpot_core.experiments.metric.budgets import Budgets
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.style import MARKERS, TITLE_HEIGHT, colour, new_figure


def budgets_figure(budgets: Budgets, dark: bool = False) -> go.Figure:
    """Cost of one report on logarithmic axes, the current number of reports marked.

    Args:
        budgets: the curves.
        dark: whether the ground is dark.
    """
    hue, grey = colour("metric", dark), colour("non-private", dark)
    equation = "(7)" if budgets.config.who == "central" else "(6)"
    data = [
        _line(budgets, budgets.shuffled, "shuffled: Theorem 4.4, solved", {"width": 3, "color": hue}),
        _line(budgets, budgets.composed, "composed: α/m", {"width": 2, "color": hue, "dash": "dot"}),
        _line(budgets, budgets.closed_form, f"closed form {equation}", {"width": 2, "color": grey, "dash": "dash"}),
    ]
    visits = budgets.config.visits
    counted: dict[str, Any] = {"x": [visits], "y": [budgets.counted], "mode": "markers", "name": "shuffled: counted"}
    counted["hovertemplate"] = "m = %{x:,}: β = %{y:.3g}<extra>%{fullData.name}</extra>"
    data.append({"type": "scatter", **counted, "marker": {"symbol": MARKERS["metric"], "size": 10, "color": hue}})
    first = budgets.pays_from
    if first is None:
        most = f"{budgets.reports[-1]:,} reports of each person"
        title = f"By Theorem 4.4 shuffling nowhere lets a report say more than composition does (up to {most})"
    elif first == budgets.reports[0]:
        title = "By Theorem 4.4 shuffling lets a report say more than composition does, whatever the number of reports"
    else:
        title = f"By Theorem 4.4 shuffling lets a report say more than composition from about m = {first:,} on"
    shown = np.concatenate([budgets.shuffled, budgets.composed, [budgets.counted]])
    shown = shown[np.isfinite(shown)]
    return new_figure(
        title,
        380,
        data,
        xaxis={
            "title": {"text": "reports of each person m"},
            "type": "log",
            "tickvals": [10**power for power in range(6)],
            "ticktext": [f"{10**power:,}" for power in range(6)],
        },
        yaxis={
            "title": {"text": "β of a report (nats)"},
            "type": "log",
            "range": [math.log10(shown.min()) - 0.1, math.log10(shown.max()) + 0.1],
            "dtick": 1,
            "exponentformat": "power",
        },
        shapes=[guide(0, x=visits)],
        annotations=[guide_label(0, visits, f"m = {visits:,}")],
        margin={"t": TITLE_HEIGHT + 28},
    )


def _line(budgets: Budgets, values: Array, name: str, look: dict[str, Any]) -> dict[str, Any]:
    known = np.where(np.isfinite(values), values, np.nan)
    return {
        "type": "scatter",
        "x": budgets.reports,
        "y": known,
        "mode": "lines",
        "line": look,
        "name": name,
        "hovertemplate": "m = %{x:,}: β = %{y:.3g}<extra>%{fullData.name}</extra>",
    }
