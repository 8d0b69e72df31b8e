from functools import partial

from dpot_app.kit.view import Blocks, Picture, View, means
from dpot_app.views.population.curves.text import WAITS
from dpot_app.views.population.disclosed import analysis
from dpot_app.views.population.gaussians.figures import synthetic_figure
from dpot_app.views.population.gaussians.results import (
    RUNS,
    SyntheticCurve,
    synthetic_guarantee,
    whole_curve,
)
from dpot_app.views.population.settings import SIGNS, SYNTHETIC
from dpot_app.views.population.synthetic import SERIES, SYNTHETIC_AXES, SyntheticConfig, link
from dpot_app.views.population.views import synthetic_view
from dpot_core.arguments import Array
from dpot_core.mechanisms.central.four_gaussians import WIDTH


def show(_config: SyntheticConfig, curve: SyntheticCurve) -> Blocks:
    alt = f"Cost of barycenters of Gaussians against {curve.axis}"
    yield Picture(f"gaussians-against-{curve.axis}", alt, synthetic_figure, curve)
    yield (
        "Simulated: an equal mixture of four Gaussians at (±0.25, ±0.25, 0, …, 0) in ten dimensions. The public box "
        "goes from −0.5 to 0.5. Projected: points are mapped to d′ dimensions at random before noise is added. The "
        f"Gaussians' standard deviation is {WIDTH:g} (ours; the paper gives none). Lines: mean of {RUNS} runs. Bands: "
        "one standard error. Fig. 2 of the paper has 30 runs, a ball of diameter 1 and an entropic solver. Neighbours "
        "differ in one of the n points. Of the settings in the sidebar, only ε and the seed count here."
        + ("" if curve.axis == "epsilon" else WAITS)
    )


def runs(curve: SyntheticCurve) -> dict[str, Array]:
    """Runs at the end of the curve."""
    last = curve.points[-1]
    return {
        f"Cost of {SERIES[name].lower()}, mean at {SIGNS[curve.axis]} = {last.value:g}": costs
        for name, costs in last.cost.items()
    }


def _view(axis: str) -> View:
    return synthetic_view(
        key=f"population.gaussians-{axis}",
        title=f"Four Gaussians against {SIGNS[axis]} (simulated)",
        compute=lambda config, files, progress: (whole_curve(axis, config, progress),),
        show=show,
        tabs=(SYNTHETIC,),
        disclosure=lambda config, curve: analysis(),
        otherwise=lambda config, curve: synthetic_guarantee(config),
        headlines=lambda curve: means(runs(curve)),
        runs=runs,
        parameters=partial(link, "gaussians", synthetic_axis=axis),
        # Against the others every epsilon takes runs of its own.
        scrub=("epsilon",) if axis == "epsilon" else (),
    )


VIEWS = tuple(map(_view, SYNTHETIC_AXES))
