from dpot_app.kit.view import Blocks, Picture, Tab, Table
from dpot_app.views.ring.base.figures import base_figure
from dpot_app.views.ring.base.results import BaseReport, base_report
from dpot_app.views.ring.settings import Config
from dpot_app.views.ring.units import order
from dpot_app.views.ring.views import ring_view
from dpot_core.privacy.numerals import at_most, number

BASES = {
    "yours": "in use",
    "uniform": "uniform, mass 1",
    "best-uniform": "uniform, best mass",
    "minimax": "minimax",
}

# Gaps in steps that are rounding.
_CRUMBS = 1e-9


def show(_config: Config, report: BaseReport) -> Blocks:
    alt = "The base measure in use and the minimax one along the ring"
    yield Picture("base-measure", alt, base_figure, report)
    yield Table(
        ["Base measure", "Mass", f"Worst-case {order(report.ring.p)} (steps)"],
        [[BASES[key], number(report.mass[key]), at_most(value)] for key, value in report.worst.items()],
    )
    below = f"more than {at_most(report.gap)} steps " if report.gap > _CRUMBS else ""
    many, points = len(report.worst_inputs), report.ring.k
    some = f"{many} of the" if many < points else "All"
    worst = f"{some} {points} input points are moved equally far with this base, and the farthest."
    if many == 1:
        worst = "Vertical line: the input point where the base in use does worst."
    yield (
        f"Certificate (cutting planes, rounds: {report.iterations}): no base measure has a worst case {below}below "
        f"that of the minimax one{'' if below else ', up to rounding'}. {worst}"
        + ("" if report.highest is not None else " This mass grows with ε without end, so the axis follows ε.")
    )


def headlines(report: BaseReport) -> dict[str, float]:
    far = f"Worst-case {order(report.ring.p)}"
    return {
        f"{far}, base in use (steps)": report.worst["yours"],
        f"{far}, minimax base (steps)": report.worst["minimax"],
        f"{far}, lower bound of every base measure (steps)": report.lower_bound,
    }


VIEW = ring_view(
    "base",
    title="Base measures",
    compute=lambda config, files, progress: (base_report(config.ring, config.base, config.epsilon),),
    show=show,
    tabs=(Tab("base", "Base measure"),),
    headlines=headlines,
)
