from functools import partial

from dpot_app.cities.crowd import ESTIMATES, RUNS, Crowd
from dpot_app.cities.place import CROWD_SIDE, USUAL_SIDE
from dpot_app.figures.city_maps import lines_text
from dpot_app.kit.view import Blocks, Columns, Picture, Tab, means, thumbnails
from dpot_app.views.geolocation.crowd.boxes import Box, people_in
from dpot_app.views.geolocation.crowd.figures import (
    crowd_curve_figure,
    crowd_estimate_map,
    crowd_maps,
    crowd_thumbnail,
    crowd_truth_map,
    nearest,
)
from dpot_app.views.geolocation.crowd.results import EPSILONS, CrowdCurve, crowd_curve
from dpot_app.views.geolocation.settings import Config, requirements
from dpot_app.views.geolocation.views import city_view
from dpot_core.arguments import Array
from dpot_core.privacy.numerals import number

_ALT = "The true crowd and the estimate from each mechanism on maps"
_ORACLES = (
    "OUE (optimised unary encoding), OLH (optimal local hashing) and subset selection are frequency oracles. They "
    "estimate the crowd and release no place. Each person draws one of their places and reports on it, with the same "
    "ε. The estimate is projected as for k-RR."
)


def show(_config: Config, crowd: Crowd, _curve: CrowdCurve) -> Blocks:
    yield Picture("crowd", _ALT, crowd_maps, crowd)


def show_side_by_side(
    _config: Config,
    crowd: Crowd,
    _curve: CrowdCurve,
    run: int | None = 0,
    compare: str = "wpm",
    box: Box | None = None,
) -> Blocks:
    """The truth beside one estimate, large; the others small: one of the runs, or the expectation.

    Args:
        run: which run the maps show; None for the expectation over all runs.
        compare: the estimate whose map is large.
        box: on the map, in which people are counted.
    """
    draws = None if crowd.map.zones else ("box", "box")
    truth = Picture("crowd-truth", "The true crowd on a map", crowd_truth_map, crowd, box, draws=draws)
    alt = f"The estimate of the crowd from {ESTIMATES[compare]} on a map"
    estimate = Picture("crowd-estimate", alt, crowd_estimate_map, crowd, compare, run, box)
    yield Columns((truth, estimate), swipe=True)
    if box is not None:
        yield people_in(crowd, box)
    elif draws:
        yield "Drag a box over the true crowd: how many people are in it, in truth and by every estimate?"
    yield thumbnails(ESTIMATES, compare, "large", "crowd", crowd_thumbnail, crowd, run)
    yield (
        f"A demonstration: {RUNS} runs with a fixed seed. {_shown(run)} ±: standard deviation over the runs. k-RR "
        "decoded: its known noise is taken out of the releases; the nearest distribution is shown. Such "
        "post-processing costs no privacy. Spikes beyond the end of the scale have its last colour; a tap or the mouse "
        "shows their height." + lines_text(crowd.map)
    )
    yield _ORACLES


def _shown(run: int | None) -> str:
    """The run that the maps show, and the one that downloads hold."""
    if run is None:
        return "The maps show the mean over all draws."
    return f"The maps show run {run + 1}." + (" Downloads hold the first one." if run else "")


def show_curve(config: Config, crowd: Crowd, curve: CrowdCurve) -> Blocks:
    alt = "Distance of each estimate from the true crowd against epsilon"
    yield Picture("crowd-against-epsilon", alt, crowd_curve_figure, curve, config.epsilon)
    yield f"Nearest to the truth, or within one paired standard error of the nearest: {nearest(curve)}."
    if config.reg is not None:
        yield f"WPM with λ = {config.reg:g}, as chosen: its entropy can move people farther than the exact projection."
    if curve.prior is not None:
        yield (
            f"Dashed: the prior alone is {number(curve.prior)} km from the true crowd, before any "
            f"release. WPM at ε = {config.epsilon:g}: {number(crowd.means()['wpm'])} km."
        )


def runs(crowd: Crowd, curve: CrowdCurve) -> dict[str, Array]:
    distances = {
        f"Crowd's {crowd.map.loss} of {ESTIMATES[name]} (km)": values for name, values in crowd.kilometres.items()
    }
    return distances | {f"Crowd's {crowd.map.loss} without privacy (km)": curve.no_privacy}


def headlines(crowd: Crowd, curve: CrowdCurve) -> dict[str, float]:
    return means(runs(crowd, curve))


def frames_of_crowds(config: Config) -> tuple[float, ...]:
    """Values of epsilon at which crowds are made in advance: none on grids where one of them takes many seconds."""
    return EPSILONS if config.place.n <= USUAL_SIDE else ()


of_crowds = partial(requirements, side=CROWD_SIDE, every_order=False)

VIEWS = (
    city_view(
        "crowd",
        "crowd",
        lambda city, config, progress: crowd_curve(city, config, (), progress),
        title="The crowd",
        show=show,
        tabs=(Tab("crowd", "The crowd", show_side_by_side, idle=("mechanisms",)),),
        worst_case="geolocation.worst-case",
        frames_at=frames_of_crowds,
        heavy=lambda config: True,
        requirements=of_crowds,
        headlines=headlines,
        runs=runs,
    ),
    city_view(
        "crowd-curve",
        "crowd",
        lambda city, config, progress: crowd_curve(city, config, EPSILONS, progress),
        title="The crowd against ε",
        frames_at=frames_of_crowds,
        heavy=lambda config: True,
        requirements=of_crowds,
        show=show_curve,
        headlines=headlines,
        runs=runs,
    ),
)
