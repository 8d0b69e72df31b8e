import math
from typing import Any

import numpy as np
from plotly.colors import sample_colorscale

from dpot_app.figures.panels import axis, log_axis, log_ticks, panels, ticks
from dpot_app.figures.style import GUIDE, TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import line, marks, star
from dpot_app.views.ring.convergence.results import MAX_ITER, Convergence, EntropicRun
from dpot_app.views.ring.settings import REGS as SLIDER
from dpot_app.views.ring.units import order, steps
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import number

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def convergence_figure(result: Convergence) -> Figure:
    """Left: distance by iteration for each weight. Right: where it ends, and what Proposition 4.1 allows."""
    shades = sample_colorscale("Viridis", np.linspace(0.15, 0.8, len(result.reg)))
    hover = "after %{x} iterations: %{y:.3~g} steps"
    data = [
        line(
            *_to_the_end(run),
            f"λ = {run.reg:g}",
            colour=shades[place],
            dash=_DASHES[place % len(_DASHES)],
            hover=hover,
            symbol="circle",
            size=5,
        )
        for place, run in enumerate(result.runs)
    ]
    chosen = {"colour": colour("wpm"), "width": 4, "opacity": 0.55}
    if result.in_use is None:
        data.append(line([1, MAX_ITER], [result.exact] * 2, "in use", hover="exact: %{y:.3~g} steps", **chosen))
    else:
        data.append(line(*_to_the_end(result.in_use), "in use", hover=hover, **chosen))
    low, high, top = _heights(result)
    weights = sorted({*result.reg, SLIDER[1], SLIDER[-1]})
    dashed: Any = {"colour": GUIDE, "dash": "dash", "width": 1.5}
    exact = np.full(2, result.exact)
    data.append(line([1, MAX_ITER], exact, "exact projection", **dashed))
    data.append(line([weights[0], weights[-1]], _above(low, exact), panel=1, **dashed))
    hover = "λ = %{x:g}: %{y:.3~g} steps"
    at = [] if result.in_use is None else [result.in_use.reg]
    ends: Any = [] if result.in_use is None else _above(low, result.in_use.distance[-1:])
    data.append(star(at, ends, hover=hover, panel=1, color=colour("wpm"), size=16))
    hollow = ["circle" if run.converged else "circle-open" for run in result.runs]
    look = {"color": shades, "size": 10, "symbol": hollow, "line": {"width": 2, "color": shades}}
    data.append(marks(result.reg, _above(low, result.final), hover=hover, panel=1, **look))
    bound = {"hover": "λ = %{x:g}: at most %{y:.3~g} steps", "panel": 1}
    data.append(line(result.reg, result.bound, "bound (Prop. 4.1)", colour=GUIDE, **bound))
    layout = panels(
        ["By iteration", "At the end (steps)"],
        2,
        x={"type": "log"},
        y={"nticks": 6, "tickformat": "~g", "title_text": f"{order(result.ring.p)} to the input (steps)"},
        share_y=False,
        gap=(0.12, 0.0),
        widths=(0.6, 0.4),
    )
    layout["xaxis"] |= log_axis("iterations", 0.87, 1.15 * MAX_ITER)
    layout["xaxis2"] |= axis("λ", **ticks({reg: f"{reg:g}" for reg in weights}))
    layout["xaxis2"] |= {"range": [math.log10(0.7 * weights[0]), math.log10(weights[-1] / 0.7)]}
    layout["yaxis"] |= {"range": [0.0, top]}
    layout["yaxis2"] |= {"type": "log", "range": [math.log10(low), math.log10(high)], **log_ticks(low, high)}
    return new_figure(_title(result), 460, data, margin={"t": TITLE_HEIGHT + 28}, **layout)


def _above(low: float, distances: Array) -> Array:
    """Distances that have a place on a logarithmic axis."""
    return np.where(distances < low, np.nan, distances)


def _to_the_end(run: EntropicRun) -> tuple[list[int], list[float]]:
    """A converged run stays where it is, so its line goes on to the right."""
    return [*run.iterations, MAX_ITER], [*run.distance, run.distance[-1]]


def _heights(result: Convergence) -> tuple[float, float, float]:
    """Ends of the right axis, and the upper end of the left one, which do not depend on epsilon and lambda."""
    reach, ring = result.reach, result.ring
    used = 0.0 if result.in_use is None else float(result.in_use.distance.max())
    top = 1.06 * max(reach.farthest, reach.most, used)
    slack = float(result.reg.max()) * ring.space.diameter**ring.p * np.log(ring.cost.size)
    high = 1.1 * max(top, (reach.most**ring.p + slack) ** (1.0 / ring.p))
    return max(0.8 * reach.least, 1e-4 * top), high, top


def _title(result: Convergence) -> str:
    run = min(result.runs, key=lambda run: run.reg)
    excess = max(float(run.distance[-1]) - result.exact, 0.0)
    above = "there too" if excess <= 1e-9 * (1.0 + result.exact) else f"{number(excess)} steps above it"
    text = (
        f"The exact projection is {order(result.ring.p)} = {steps(result.exact)} away; "
        f"with λ = {run.reg:g} Algorithm 1 ends {above}"
    )
    return text if run.converged else text + f", not yet converged after {run.iterations[-1]:,} iterations"
