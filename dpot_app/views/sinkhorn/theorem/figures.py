from dpot_app.figures.panels import POWERS, axis, log_axis
from dpot_app.figures.style import Figure, new_figure
from dpot_app.figures.traces import line
from dpot_app.views.sinkhorn.theorem.results import Counterexample
from dpot_app.views.sinkhorn.units import look
from dpot_core.privacy.numerals import number

#: Smaller changes stand at the edge of the chart.
_LEAST = 1e-6


def counterexample_figure(walk: Counterexample) -> Figure:
    hover = "n = %{x}: %{y:.3~g} |c|"
    own, others = (values.clip(_LEAST) for values in (walk.own, walk.others))
    return new_figure(
        f"One point moves to {walk.place:g}: its own potential moves by {number(walk.own[-1])} |c| at n = "
        f"{walk.n[-1]:g}; more points do not help (simulated)",
        400,
        [
            line(walk.n, own, "potential of the point that moves", hover=hover, **look("paper", dash="solid")),
            line(walk.n, others, "largest change of any other", hover=hover, **look("exact", dash="dot")),
        ],
        xaxis=axis("points n of each set (no noise)", type="log", tickvals=walk.n),
        # Wherever the point walks to.
        yaxis=log_axis("change of the potential (of |c|)", _LEAST / 1.5, 1.5, **POWERS),
    )
