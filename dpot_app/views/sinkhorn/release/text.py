from dpot_app.kit.markdown import as_text
from dpot_app.kit.particles import SEED
from dpot_app.kit.view import Blocks, Columns, Picture, Tab
from dpot_app.views.sinkhorn.disclosed import disclosure
from dpot_app.views.sinkhorn.point_grid import grid_of
from dpot_app.views.sinkhorn.release.figures import (
    plan_figure,
    potential_map,
    potential_noise,
    shares_figure,
    walk_figure,
)
from dpot_app.views.sinkhorn.release.results import PARTICLES, Result, run
from dpot_app.views.sinkhorn.settings import CLAIMED, Config
from dpot_app.views.sinkhorn.units import cost_text, in_brackets, percent
from dpot_app.views.sinkhorn.views import pair_view
from dpot_core.privacy.numerals import number

_PLANS = ("exact", "entropic", "sinkhorn", "histograms")
#: Along which plans particles can walk beside the exact one.
ALONG = {"entropic": "Entropic, not private", "sinkhorn": "Noisy Sinkhorn", "histograms": "Histograms first"}
_POTENTIALS = ("true", "sinkhorn", "histograms")


def show(config: Config, result: Result, along: str = "sinkhorn") -> Blocks:
    """Four plans: two that stay private, two that are released; particles walk along the exact one and ``along``."""
    alt = "Particles of two data sets in two colours, and lines along which the plan moves the first to the second"
    walks = {"walk-exact": "exact", "walk-along": along}
    yield Columns([Picture(name, alt, walk_figure, result, plan) for name, plan in walks.items()])
    alt = "Arrows from each cell of the first data set to where its mass goes on average; shaded: second set"
    yield Columns([Picture(f"plan-{name}", alt, plan_figure, result, name) for name in _PLANS])
    alt = "Cost of the private plans in three parts: exact, added by regularisation, added by privacy"
    yield Picture("plan-shares", alt, shares_figure, result)
    yield _dear(result)
    first, second = (as_text(name) for name in result.grid.pair.names)
    few = f" Algorithm 1 runs on the first {len(result.grid.sample_cost)} points of each set."
    yield (
        f"Particles: {PARTICLES} exact draws from each plan, a demonstration with the known seed {SEED}. All plans use "
        "the same random numbers at every ε. A private plan moves noisy counts of both sets. Grey arrows: not "
        "private. Each of the two other plans spends ε; publishing both would spend 2 ε. Arrows start at cells of the "
        f"first set ({first}) and end where their mass goes on average. Shaded: the second set ({second}), or the "
        "plan's version of it. The scale ends at the true set's fullest cell. Entropic plan: without noise, blurred "
        "by η. “Differs”: the share of a plan that lies elsewhere than in the entropic plan at the same η (total "
        "variation). Noisy Sinkhorn: the search for the plan, with noise in each round. Histograms first: spends the "
        "whole budget on private histograms, then searches with no more noise. Its noise is the same at any η."
        + (few if config.guarantee == "paper" else "")
        + _vacuous(result)
    )


def show_potentials(config: Config, result: Result) -> Blocks:
    alt = "The potential of the first data set on the grid"
    yield Columns([Picture(f"potential-{name}", alt, potential_map, result, name) for name in _POTENTIALS])
    alt = "The released potentials against the one without noise"
    yield Picture("potential-noise", alt, potential_noise, result)
    several = " Noisy Sinkhorn: mean over the points in a cell; bars are the noise of one point."
    yield (
        "A potential says what one more unit of mass in a cell would add to the cost. Only its differences count, so "
        "its mean over the cells is taken out. Off by: the typical error (root mean square) over the first set's "
        "points, divided by the potential's typical size there. The scale is the same at every ε: the potential "
        "without noise sets it. Values beyond them are drawn at their edge."
        + (
            several
            if config.guarantee in CLAIMED
            else " Noisy Sinkhorn cuts its potentials to a public range, which bounds their errors."
        )
        + _vacuous(result)
    )


def _dear(result: Result) -> str:
    """Which of the two costs more, and what can be done about it."""
    added, private = result.shares("sinkhorn")
    eta = f"η = {result.config.eta:g} |c|"
    if added <= abs(private):
        lost = cost_text(result.independent - result.grid.exact_cost, result.grid)
        return (
            f"Privacy moves the cost more than regularisation (the blur by {eta}) does. For comparison: a plan that "
            f"ignores distance costs {lost} more than the exact one. A larger ε needs less noise; so does a larger η, "
            "which blurs more."
        )
    times = (
        f"{percent(added / result.grid.exact_cost)} of the exact cost" if result.grid.exact_cost > 0 else "all of it"
    )
    return (
        f"**Most of the extra cost is due to regularisation, not to privacy**: {eta} blurs the plan, which adds "
        f"{times}. Privacy changes the plan all the same: {percent(result.elsewhere['sinkhorn'])} of it differs from "
        "the entropic plan. A smaller η blurs less. Noisy Sinkhorn then needs more noise on its potentials; "
        "Histograms first does not."
    )


def _vacuous(result: Result) -> str:
    if not result.released.vacuous:
        return ""
    claimed = result.config.guarantee in CLAIMED
    remedy = "Larger η or ε" if claimed else "Larger η, n or ε, or a uniform share,"
    return (
        f" **The noise on a potential is up to {number(result.released.noise_ratio)} times the range of the cost: the "
        f"released potentials say nothing.** {remedy} would help."
    )


def headlines(result: Result) -> dict[str, float]:
    unit = in_brackets(result.grid.cost_unit)
    return {
        f"exact cost{unit}": result.grid.exact_cost,
        f"cost of the private plan{unit}": result.plan_costs["sinkhorn"],
        "share of the plan that differs, noisy Sinkhorn": result.elsewhere["sinkhorn"],
        "share of the plan that differs, histograms first": result.elsewhere["histograms"],
        "error of the potential over its spread": result.potential_errors["sinkhorn"],
    }


VIEW = pair_view(
    key="sinkhorn.release",
    title="Plan and potentials",
    compute=lambda config, files, progress: (run(config, grid_of(config.data, files)),),
    show=show,
    picture="plan-sinkhorn",
    tabs=(Tab("plan", "Plan"), Tab("potentials", "Potentials", show_potentials)),
    disclosure=lambda config, result: disclosure(result),
    headlines=headlines,
    scrub=("epsilon",),
)
