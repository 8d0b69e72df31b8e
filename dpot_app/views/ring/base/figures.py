from dpot_app.figures.panels import axis, guide
from dpot_app.figures.style import TITLE_HEIGHT, Figure, colour, new_figure
from dpot_app.figures.traces import bars, line
from dpot_app.views.ring.base.results import BaseReport
from dpot_app.views.ring.units import at_most, bar_width, order, unrolled
from dpot_core.privacy.numerals import percent, rounded_up

_ABOVE = {"y": 1.0, "yref": "y domain", "yanchor": "bottom", "showarrow": False}
_HOVER = "point %{x}: %{y:.3~g}"


def base_figure(report: BaseReport) -> Figure:
    """Bars: the base measure in use; line: the minimax one."""
    worst, best = report.worst["yours"], report.worst["minimax"]
    if worst <= best * (1 + 1e-5):
        tail = "no base measure does better"
    else:
        tail = f"the best possible is {at_most(best)}, {percent(1 - best / worst)} less"
    here = float(max(report.polytope.base.max(), report.minimax.max()))
    # Room for those few per cent by which masses at other values of epsilon exceed what is known of them.
    top = 1.06 * here if report.highest is None else max(1.06 * here, 1.12 * rounded_up(report.highest))
    # One of several that are as bad would be a wrong answer.
    worst_input = report.worst_inputs.tolist() if len(report.worst_inputs) == 1 else []
    width = bar_width(report.ring)
    look = {"colour": colour("input"), "width": 2, "line": {"shape": "hvh"}, "symbol": "diamond", "size": 5}
    return new_figure(
        f"Worst-case {order(report.ring.p)} with this base measure ≤ {at_most(worst)}; {tail}",
        360,
        [
            bars(report.targets, report.polytope.base, "in use", colour=colour("wpm"), width=width, hover=_HOVER),
            line(report.targets, report.minimax, "minimax", hover=_HOVER, **look),
        ],
        xaxis=axis("output point", range=unrolled(report.ring), showgrid=False),
        yaxis=axis("base measure", range=[0.0, top]),
        shapes=[guide(0, x=point) for point in worst_input],
        annotations=[{"x": point, "text": "worst input"} | _ABOVE for point in worst_input],
        margin={"t": TITLE_HEIGHT + 24},
    )
