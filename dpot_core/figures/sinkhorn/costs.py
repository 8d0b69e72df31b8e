"""The cost alone against epsilon: estimates or errors, with bands over draws of the noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpot_core.experiments.sinkhorn import CLAIMED, COSTS, DRAWS, CostPoint, Ground
from dpot_core.experiments.sinkhorn.advice import number
from dpot_core.figures.panels import guide, guide_label
from dpot_core.figures.sinkhorn.words import COLOUR, DASH, LOG_AXIS, SYMBOL, cost_text
from dpot_core.figures.style import EPSILON_AXIS, TITLE_HEIGHT, colour, new_figure, see_through, simulated

_LOW, _MIDDLE, _HIGH = 0.05, 0.5, 0.95


def cost_figure(
    points: Sequence[CostPoint], ground: Ground, epsilon: float, errors: bool = True, dark: bool = False
) -> go.Figure:
    """Median and 90% interval of what each way releases, or of its absolute error.

    Args:
        points: estimates at each epsilon.
        ground: the data, for the exact cost and the limits of the chart.
        epsilon: the value in use.
        errors: absolute errors on a logarithmic axis; else estimates.
        dark: whether the ground is dark.
    """
    at = [point.epsilon for point in points]
    low, high = _limits(points, ground, errors)
    data: list[dict[str, Any]] = []
    for name, label in COSTS.items():
        values = [point.errors(name) if errors else point.estimates[name] for point in points]
        bands = np.array([np.quantile(part, (_LOW, _MIDDLE, _HIGH), method="inverted_cdf") for part in values])
        shown = np.clip(bands, low, high)
        hue = colour(COLOUR[name], dark)
        if (bands[:, 0] <= high).any():
            data.append(
                {
                    "type": "scatter",
                    "x": [*at, *at[::-1]],
                    "y": [*shown[:, 0], *shown[::-1, 2]],
                    "mode": "lines",
                    "fill": "toself",
                    "fillcolor": see_through(hue, 0.15),
                    "line": {"width": 0},
                    "hoverinfo": "skip",
                    "showlegend": False,
                    "legendgroup": name,
                }
            )
        data.append(
            {
                "type": "scatter",
                "x": at,
                "y": shown[:, 1],
                "customdata": [_text(value) for value in bands[:, 1]],
                "mode": "lines+markers",
                "name": label + (" (not proven)" if name in CLAIMED else ""),
                "legendgroup": name,
                "line": {"width": 2, "dash": DASH[name], "color": hue},
                "marker": {"symbol": SYMBOL[name], "size": 8, "color": hue},
                "hovertemplate": "ε = %{x:g}: %{customdata}<extra>%{fullData.name}</extra>",
            }
        )
    unit = f" ({ground.cost_unit})" if ground.cost_unit else ""
    what = f"absolute error of the cost{unit}" if errors else f"released cost{unit}"
    y: dict[str, Any] = {"title": {"text": f"{what}: median, 90% of {DRAWS} draws"}}
    if errors:
        y |= {**LOG_AXIS, "range": [float(np.log10(low)), float(np.log10(high)) + 0.2]}
    else:
        y |= {"range": [low - 0.03 * (high - low), high + 0.03 * (high - low)]}
    shapes = [guide(0, x=epsilon)] + ([] if errors else [guide(0, y=ground.exact_cost, dash="dash")])
    return new_figure(
        _title(points, ground) + simulated(ground.simulated),
        500,
        data,
        xaxis={**EPSILON_AXIS, "range": [float(np.log10(at[0] / 1.2)), float(np.log10(at[-1] * 1.2))]},
        yaxis=y,
        shapes=shapes,
        annotations=[guide_label(0, epsilon, f"ε = {epsilon:g}")],
        margin={"t": TITLE_HEIGHT + 28},
    )


def _limits(points: Sequence[CostPoint], ground: Ground, errors: bool) -> tuple[float, float]:
    if not errors:
        proven = np.concatenate([point.estimates["proven"] for point in points])
        high = min(max(2.5 * ground.exact_cost, float(np.quantile(proven, _HIGH))), ground.largest)
        return max(min(0.0, float(np.quantile(proven, _LOW))), -ground.largest), high or 1.0
    least = min(point.typical(name) for point in points for name in ("laplace", "histograms", "proven"))
    return max(least, 1e-9 * ground.largest) / 3.0, 10.0 * ground.largest


def _text(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1e6 else number(abs(value))


def _title(points: Sequence[CostPoint], ground: Ground) -> str:
    ahead = [point.epsilon for point in points if point.typical("laplace") <= point.typical("proven")]
    start = f"The cost alone (exactly {cost_text(ground.exact_cost, ground)}): "
    if len(ahead) == len(points):
        return f"{start}direct Laplace beats noisy Sinkhorn at every ε"
    if ahead:
        return f"{start}direct Laplace beats noisy Sinkhorn at {len(ahead)} of {len(points)} values of ε"
    return f"{start}noisy Sinkhorn beats direct Laplace at every ε"
