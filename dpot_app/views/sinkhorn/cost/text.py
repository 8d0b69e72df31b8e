import math

from dpot_app.kit.view import Blocks, Picture, Tab
from dpot_app.views.sinkhorn.cost.figures import cost_figure
from dpot_app.views.sinkhorn.cost.results import Costs, costs
from dpot_app.views.sinkhorn.point_grid import grid_of
from dpot_app.views.sinkhorn.release.results import run
from dpot_app.views.sinkhorn.settings import COSTS, DRAWS, EPSILONS, Config
from dpot_app.views.sinkhorn.units import in_brackets
from dpot_app.views.sinkhorn.views import pair_view
from dpot_core.privacy.numerals import percent


def show(config: Config, result: Costs, errors: bool = True) -> Blocks:
    alt = "The released cost of five ways against epsilon, with bands"
    yield Picture("costs", alt, cost_figure, result, errors)
    yield (
        f"Lines: medians. Bands: 90% of {DRAWS} draws of the noise. Each way spends ε for itself. δ = "
        f"{config.delta:g}; Direct Laplace needs none. Direct Laplace: the exact cost plus noise. Histograms first: "
        f"the exact cost between private histograms. Noisy Sinkhorn spends {percent(1 - config.share)} of the budget "
        f"on potentials, the rest on the cost. The paper's ways run on the first {len(result.grid.sample_cost)} points "
        "of each set and are compared with their exact cost. Their guarantee is claimed, not proven. Values beyond "
        "the chart are drawn at its edge."
    )


def headlines(result: Costs) -> dict[str, float]:
    """Without the paper's ways where their noise leaves float64; the table says so."""
    unit = in_brackets(result.grid.cost_unit)
    errors = {f"Median error of the cost, {name}{unit}": result.now.typical(way) for way, name in COSTS.items()}
    return {name: error for name, error in errors.items() if math.isfinite(error)}


VIEW = pair_view(
    key="sinkhorn.cost",
    heavy=lambda config: True,
    title="The cost alone against ε",
    compute=lambda config, files, progress: (costs(config, grid_of(config.data, files), progress),),
    show=show,
    tabs=(Tab("cost", "Cost alone"),),
    otherwise=lambda config, result: run(config, result.grid).guarantee,
    headlines=headlines,
    scrub=("epsilon",),
    # Of which the curves are made; any other value takes a hundred draws of its own.
    frames_at=lambda config: EPSILONS,
)
