from __future__ import annotations

import numpy as np
from plotly.colors import sample_colorscale

from dpot_core.figures.panels import axis, guide, panels, ticks
from dpot_core.figures.style import GUIDE, TITLE_HEIGHT, Figure, new_figure
from dpot_core.figures.traces import line, marks
from dpot_core.studies.ring.convergence.results import Convergence
from dpot_core.studies.ring.units import order, steps

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def convergence_figure(result: Convergence) -> Figure:
    """Left: distance by iteration for each weight. Right: where it ends, and what Proposition 4.1 allows."""
    shades = sample_colorscale("Viridis", np.linspace(0.15, 0.8, len(result.reg)))
    last = max(int(run.iterations[-1]) for run in result.runs)
    data = [
        line(
            # What has converged stays where it is, so its line goes on to the right.
            [*run.iterations, last],
            [*run.distance, run.distance[-1]],
            f"λ = {run.reg:g}",
            colour=shades[place],
            dash=_DASHES[place % len(_DASHES)],
            hover="after %{x} iterations: %{y:.4g} steps",
            symbol="circle",
            size=5,
        )
        for place, run in enumerate(result.runs)
    ]
    hollow = ["circle" if run.converged else "circle-open" for run in result.runs]
    look = {"color": shades, "size": 10, "symbol": hollow, "line": {"width": 2, "color": shades}}
    data.append(marks(result.reg, result.final, hover="λ = %{x:g}: %{y:.4g} steps", panel=1, **look))
    bound = {"hover": "λ = %{x:g}: at most %{y:.4g} steps", "panel": 1}
    data.append(line(result.reg, result.bound, "bound (Prop. 4.1)", colour=GUIDE, **bound))
    layout = panels(
        ["By iteration", "At the end"],
        2,
        x={"type": "log"},
        y={"nticks": 6, "tickformat": "~g", "title_text": f"{order(result.ring.p)} to the input (steps)"},
        share_y=False,
        gap=(0.12, 0.0),
        widths=(0.6, 0.4),
    )
    layout["xaxis"] |= axis("iterations", dtick=1)
    layout["xaxis2"] |= axis("λ", **ticks({reg: f"{reg:g}" for reg in result.reg}))
    layout["yaxis"] |= {"rangemode": "tozero"}
    layout["yaxis2"] |= {"type": "log"}
    shapes = [guide(panel, y=result.exact, dash="dash") for panel in (0, 1)]
    return new_figure(_title(result), 460, data, shapes=shapes, margin={"t": TITLE_HEIGHT + 28}, **layout)


def _title(result: Convergence) -> str:
    run = min(result.runs, key=lambda run: run.reg)
    excess = max(float(run.distance[-1]) - result.exact, 0.0)
    above = "there too" if excess <= 1e-9 * (1.0 + result.exact) else f"{excess:.2g} steps above it"
    text = (
        f"The exact projection is {order(result.ring.p)} = {steps(result.exact)} away; "
        f"with λ = {run.reg:g} Algorithm 1 ends {above}"
    )
    return text if run.converged else text + f", not yet converged after {run.iterations[-1]} iterations"
