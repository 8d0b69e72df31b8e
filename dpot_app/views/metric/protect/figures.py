import numpy as np

from dpot_app.figures.map_scales import flat_bar
from dpot_app.figures.panels import log_axis, ticks
from dpot_app.figures.style import SEQUENTIAL, TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import Trace, heat, line, marks
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.metric.protect.results import Protect
from dpot_app.views.metric.settings import SHARES
from dpot_core.privacy.numerals import at_most, number

_TICKS = (0.02, 0.1, 0.5, 2, 10, 50, 200, 1000, 5000)
# Pixels under the map, for numbers and name of the axis and for the colour bar.
_UNDER = 96


def protection_figure(result: Protect) -> Figure:
    """epsilon of a change of a fraction tau by a distance, with the protected changes marked."""
    # tau q = epsilon/alpha: straight on logarithmic axes.
    reach = result.epsilon / result.alpha
    at = np.geomspace(max(reach, 1e-3), 1.0, 40)
    limit = [
        line(at * result.largest, reach / at, colour=hue, width=width)
        for hue, width in (("#FFFFFF", 5), (colour("metric"), 3))
    ]
    nearest = result.largest * 1e-3
    distances = ticks({tick: f"{tick:,g}" for tick in _TICKS if nearest <= tick <= result.largest})
    # Where a protected change reaches across the map, all changes are below its line.
    changes = "Changes below the line cost" if reach < 1.0 - 1e-9 else "Every change costs"
    return new_figure(
        f"{changes} at most ε = {at_most(result.epsilon)}; "
        f"moving all of the data by {number(result.largest)} {result.unit} costs ε = α = {at_most(result.alpha)}",
        480,
        [_surface(result, *_ends(result)), *limit, _changes(result)],
        xaxis=log_axis(f"moved up to ({result.unit})", nearest, result.largest, **distances),
        yaxis=log_axis("share of one person's data", min(SHARES), 1.07, **ticks(SHARES)),
        margin={"t": TITLE_HEIGHT + 12, "r": 12, "b": _UNDER},
    )


def _ends(result: Protect) -> tuple[float, float]:
    """Least and largest logarithm of a cost over the slider of epsilon, to which all costs are in proportion."""
    epsilon, costs = result.epsilon, np.log10([result.surface.min(), result.surface.max()])
    if result.config.example == "paper":
        return float(costs[0]), float(costs[1])
    ends = np.log10([min(EPSILONS[0], epsilon) / epsilon, max(EPSILONS[-1], epsilon) / epsilon])
    return float(costs[0] + ends[0]), float(costs[1] + ends[1])


def _surface(result: Protect, low: float, high: float) -> Trace:
    powers = {power: f"{10.0**power:.9f}".rstrip("0").rstrip(".") for power in range(-9, 10, 2) if low <= power <= high}
    return heat(
        result.distances,
        result.taus,
        np.log10(result.surface),
        hover=f"%{{y:.3~p}} of the data by %{{x:.3~g}} {result.unit}: ε = %{{customdata:.3~g}}",
        # Numbers as text: tables of arrays go to the browser in steps of their range, and these span many decades.
        customdata=[[float(f"{cost:.3g}") for cost in row] for row in result.surface.tolist()],
        zmin=low,
        zmax=high,
        colorscale=SEQUENTIAL,
        reversescale=True,
        colorbar={**flat_bar("ε of the change"), **ticks(powers)},
    )


def _beside(share: float) -> str:
    """On which side of a mark its words stand: the smallest and the largest share lie on the surface's edges."""
    return {min(SHARES): "top", max(SHARES): "bottom"}.get(share, "middle")


def _changes(result: Protect) -> Trace:
    tau, q = np.array(result.changes).T
    return marks(
        q * result.largest,
        tau,
        "protected",
        hover="%{hovertext}: ε = %{customdata:.3~g}",
        mode="markers+text",
        symbol="star",
        size=17,
        color=colour("metric"),
        line={"width": 1.5, "color": "#FFFFFF"},
    ) | {
        "text": [f"<b>ε = {at_most(cost)}</b>" for cost in result.costs],
        # White letters stay on the surface.
        "textposition": [f"{_beside(share)} {'left' if far > 0.005 else 'right'}" for share, far in result.changes],
        "textfont": {"color": "#FFFFFF", "size": 13, "shadow": "0 0 3px #000000, 0 0 3px #000000"},
        "hovertext": result.words,
        "customdata": result.costs,
        "showlegend": False,
        "cliponaxis": False,
    }
