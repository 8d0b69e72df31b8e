"""The worst of many mixtures."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dpot_core.figures.panels import panels
from dpot_core.figures.style import MARKERS, TITLE_HEIGHT, colour, new_figure
from dpot_core.figures.traces import Trace, marks
from dpot_core.studies.mixture.line.figures import bound_line
from dpot_core.studies.mixture.looks import LOOKS, number
from dpot_core.studies.mixture.many.results import Many
from dpot_core.studies.mixture.published import published_worst
from dpot_core.studies.mixture.settings import MECHANISMS


def many_figure(many: Many) -> go.Figure:
    """Markers of ours, open markers of the paper's, R as a line."""
    data: list[Trace] = []
    table, published = many.worst, published_worst()
    for panel, name in enumerate(("kl", "tv", "hellinger")):
        data.append(bound_line(many.bound, name, panel))
        for key in MECHANISMS:
            label, thing, _ = LOOKS[key]
            rows = table[table["mechanism"] == key]
            data.append(_points(rows["epsilon"], rows[name], label, thing, panel))
        for key, label, thing in (("kpm", "KPM in the paper", "kpm"), ("mbde", "MBDE in the paper", "mollifier")):
            values = [getattr(entry, key)[name] for entry in published.values()]
            data.append(_points(published, values, label, thing, panel, ours=False))
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
    whose = f"the paper's {count} mixtures" if many.config.source == "published" else f"{count} random mixtures"
    last = max(MECHANISMS, key=lambda key: one[key])
    costs = f"a KL of {number(one['kpm'])} with KPM, {number(one[last])} with {LOOKS[last].label}"
    return new_figure(f"Worst of {whose} at ε = 1: {costs}", 430, data, margin={"t": TITLE_HEIGHT + 28}, **layout)


def _points(x: Any, y: Any, label: str, thing: str, panel: int, ours: bool = True) -> Trace:
    look: dict[str, Any] = {"color": colour(thing), "symbol": MARKERS[thing], "size": 9}
    if not ours:
        look |= {"symbol": f"{MARKERS[thing]}-open", "size": 13, "line": {"width": 2}}
    points = marks(list(x), list(y), label, hover="ε = %{x:.3g}: %{y:.4g}", panel=panel, **look)
    return points | {"showlegend": panel == 0}
