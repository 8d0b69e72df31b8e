"""Worst cases: R of the family against epsilon, and the worst of many mixtures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from dpot_core.divergences import DIVERGENCES
from dpot_core.experiments.mixture import MECHANISMS, Many, Numbers, Published, WorstCases
from dpot_core.figures.mixture.words import LOOKS, number
from dpot_core.figures.panels import axes, guide, panels
from dpot_core.figures.style import EPSILON_TICKS, EPSILON_TITLE, MARKERS, TITLE_HEIGHT, at_most, colour, new_figure


def worst_case_figure(
    worst: WorstCases, now: Mapping[str, float], numbers: Mapping[str, Numbers], epsilon: float, dark: bool = False
) -> go.Figure:
    """R for each divergence against epsilon, with the current input's divergences as points.

    Args:
        worst: from `worst_cases`.
        now: R at the current epsilon.
        numbers: each mechanism on the current input.
        epsilon: current value.
        dark: whether the ground is dark.
    """
    data: list[dict[str, Any]] = []
    for panel, name in enumerate(DIVERGENCES):
        data.append(_bound(worst, name, dark) | {"showlegend": panel == 0} | axes(panel))
        for key, entry in numbers.items():
            label, thing, _ = LOOKS[key]
            point = {"x": [epsilon], "y": [entry.divergences[name]], "mode": "markers", "name": f"{label}, this input"}
            marker = {"color": colour(thing, dark), "symbol": MARKERS[thing], "size": 10}
            look = {"marker": marker, "showlegend": panel == 0, "legendgroup": key}
            hover = {"hovertemplate": "ε = %{x:.3g}: %{y:.4g}<extra>%{fullData.name}</extra>"}
            data.append({"type": "scatter", **point, **look, **hover, **axes(panel)})
    return new_figure(
        f"No ε-LDP mechanism has a worst case below R: a KL of {at_most(now['kl'])} at ε = {epsilon:g}; KPM reaches it",
        560,
        data,
        shapes=[guide(panel, x=epsilon) for panel in range(len(DIVERGENCES))],
        margin={"t": TITLE_HEIGHT + 28},
        **panels(
            [row.axis for row in DIVERGENCES.values()],
            2,
            x={**EPSILON_TICKS, "title_text": EPSILON_TITLE},
            y={"rangemode": "tozero", "nticks": 5},
            share_y=False,
            gap=(0.1, 0.12),
        ),
    )


def many_figure(
    many: Many, worst: WorstCases | None, published: Mapping[float, Published], dark: bool = False
) -> go.Figure:
    """The worst of many mixtures: markers of ours, open markers of the paper's, R as a line.

    Args:
        many: from `worst_of_many`.
        worst: R of the family, or None.
        published: the paper's maxima by epsilon.
        dark: whether the ground is dark.
    """
    names = ("kl", "tv", "hellinger")
    data: list[dict[str, Any]] = []
    table = many.worst
    for panel, name in enumerate(names):
        shown = {"showlegend": panel == 0, **axes(panel)}
        if worst is not None:
            data.append(_bound(worst, name, dark) | shown)
        for key in MECHANISMS:
            label, thing, _ = LOOKS[key]
            rows = table[table["mechanism"] == key]
            look = {"color": colour(thing, dark), "symbol": MARKERS[thing], "size": 9}
            data.append(_points(rows["epsilon"], rows[name], label, look) | shown)
        for key, label, thing in (("kpm", "KPM in the paper", "kpm"), ("mbde", "MBDE in the paper", "mollifier")):
            values = [getattr(entry, key)[name] for entry in published.values()]
            look = {"color": colour(thing, dark), "symbol": f"{MARKERS[thing]}-open", "size": 13}
            data.append(_points(list(published), values, label, look) | shown)
    layout = panels(
        ["KL (nats)", "Total variation", "Sq. Hellinger"],
        3,
        # Three panels share a phone's width: short titles, upright numbers.
        x={"type": "log", "tickvals": list(published), "range": [-1.15, 0.85], "tickangle": 0, "title_text": "ε"},
        y={"rangemode": "tozero", "nticks": 5},
        share_y=False,
        gap=(0.06, 0.1),
    )
    one = table[table["epsilon"] == 1.0].set_index("mechanism")["kl"]
    count = int(many.values["mixture"].max())
    whose = f"the paper's {count} mixtures" if many.source == "published" else f"{count} random mixtures"
    last = max(MECHANISMS, key=lambda key: one[key])
    return new_figure(
        f"Worst of {whose} at ε = 1: a KL of {number(one['kpm'])} with KPM, {number(one[last])} with {LOOKS[last][0]}",
        430,
        data,
        margin={"t": TITLE_HEIGHT + 28},
        **layout,
    )


def _points(x: Any, y: Any, label: str, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": list(x),
        "y": list(y),
        "mode": "markers",
        "name": label,
        "marker": {**marker, "line": {"width": 2}} if str(marker["symbol"]).endswith("open") else marker,
        "hovertemplate": "ε = %{x:.3g}: %{y:.4g}<extra>%{fullData.name}</extra>",
    }


def _bound(worst: WorstCases, name: str, dark: bool) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": worst.epsilon,
        "y": worst.divergences[name],
        "mode": "lines",
        "name": "R: worst case of KPM over the whole family",
        "line": {"color": colour("kpm", dark), "width": 2},
        "hovertemplate": "ε = %{x:.3g}: %{y:.4g}<extra>R</extra>",
    }
