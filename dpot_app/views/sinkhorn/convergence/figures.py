from typing import Any

import numpy as np

from dpot_app.figures.panels import axis, guide, ticks
from dpot_app.figures.style import Figure, new_figure, simulated
from dpot_app.figures.traces import Trace, line
from dpot_app.views.sinkhorn.convergence.results import Convergence
from dpot_app.views.sinkhorn.units import look, number, power_of_ten
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import counted

#: Gaps outside of these limits stand at the edge of the chart.
_LOW, _HIGH = 1e-8, 1e6


def convergence_figure(result: Convergence) -> Figure:
    """Gaps by round; what leaves the chart is said in words."""
    data = [
        _line(result, result.quiet, "without noise", look("entropic", "solid")),
        _line(result, result.proven, "noisy, proven", look("proven")),
        _line(result, result.paper, f"Algorithm 1, not proven ({result.points} points)", look("paper")),
        _line(result, result.theorem, "Theorem 1 says at most", look("paper", "solid") | {"symbol": ""}),
    ]
    shapes = [guide(0, y=result.neighbourhood, dash="dash")] if _LOW < result.neighbourhood < _HIGH else []
    height = float(np.log10(result.neighbourhood))
    place = {"x": 1, "xref": "paper", "xanchor": "right", "y": height, "yanchor": "bottom"}
    powers = {10.0**power: power_of_ten(10.0**power) for power in range(-8, 7, 2)}
    # What lies beyond stands at the ends, which say so.
    powers |= {_LOW: f"≤ {powers[_LOW]}", _HIGH: f"≥ {powers[_HIGH]}"}
    reach = {"range": [np.log10(_LOW) - 0.3, np.log10(_HIGH) + 0.3]}
    return new_figure(
        _title(result) + simulated(result.simulated),
        430,
        data,
        xaxis=axis("rounds", dtick=max(1, round(float(result.rounds[-1]) / 10))),
        yaxis=axis("gap to the best potentials (of the largest cost)", type="log", **ticks(powers), **reach),
        shapes=shapes,
        annotations=[{"text": "noisy neighbourhood of Theorem 1", "showarrow": False, **place}] if shapes else [],
    )


def _title(result: Convergence) -> str:
    proven, paper = float(result.proven[-1]), float(result.paper[-1])
    last = f"{number(paper)} |c|" if paper < _HIGH else f"{power_of_ten(paper)} |c|"
    rounds = counted(float(result.rounds[-1]), "round", "rounds")
    return f"Gap after {rounds}: proven variant {number(proven)} |c|, Algorithm 1 of the paper, not proven, {last}"


def _line(result: Convergence, gaps: Array, label: str, looks: dict[str, Any]) -> Trace:
    said = [number(gap) if gap < _HIGH else power_of_ten(float(gap)) for gap in gaps]
    hover = "round %{x}: %{customdata}"
    return line(result.rounds, np.clip(gaps, _LOW, _HIGH), label, hover=hover, customdata=said, **looks)
