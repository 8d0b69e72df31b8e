from functools import partial

from dpot_app.kit.view import Blocks, Columns, Picture, Tab, View, means
from dpot_app.views.population.curves.figures import cost_figure, distance_figure
from dpot_app.views.population.curves.results import RUNS, Curve, whole_curve
from dpot_app.views.population.people import load_population
from dpot_app.views.population.settings import AXES, BARYCENTERS, SIGNS, TABS, Config, link
from dpot_app.views.population.units import at_order, order
from dpot_app.views.population.views import people_view
from dpot_core.arguments import Array

#: Of curves that are computed anew for every epsilon.
WAITS = " Each ε takes runs of its own, so the curves follow when its slider is let go."


def show(_config: Config, curve: Curve) -> Blocks:
    alt = f"Barycenters against {curve.axis}: cost, or how far noise moves the atoms"
    draw = {"cost": cost_figure, "distance": distance_figure}
    yield Columns([Picture(f"{name}-against-{curve.axis}", alt, make, curve) for name, make in draw.items()])
    distance = order(curve.config.p)
    yield (
        f"Lines: mean of {RUNS} runs, each with new people and new noise. Bands: smallest to largest of the runs. A "
        "search for a barycenter ends in a local minimum, with noise or without. A search without noise starts at a "
        f"release's atoms and ends in such a minimum. {distance} is measured from the release to this minimum, so only "
        f"noise separates the two. The files also have {distance} to the best one. A search from a release may end in "
        "a cheaper minimum than the best known. That one then counts as the best. The paper draws cost and W₂ against "
        "n at p = 2 (Fig. 4, ε = 1; Fig. 8, ε = 5). A demonstration with seeds."
        + ("" if curve.axis == "epsilon" else WAITS)
    )


def runs(curve: Curve) -> dict[str, Array]:
    """Runs at the end of the curve."""
    last = curve.points[-1]
    costs = {
        f"Cost of {name.lower()}, mean at the largest {SIGNS[curve.axis]} (squared units)": last.cost[key]
        for key, name in BARYCENTERS.items()
        if key in last.cost
    }
    found = costs | {
        f"W₂ of {BARYCENTERS[key].lower()}, mean there (units)": values for key, values in last.distance.items()
    }
    return {at_order(name, curve.config.p): values for name, values in found.items()}


def _view(axis: str) -> View:
    return people_view(
        key=f"population.curve-{axis}",
        title=f"Cost against {SIGNS[axis]}",
        compute=lambda config, files, progress: (whole_curve(axis, config, load_population(config, files), progress),),
        show=show,
        tabs=(Tab("curves", TABS["curves"]),),
        headlines=lambda curve: means(runs(curve)),
        runs=runs,
        parameters=partial(link, "curves", axis=axis),
        # Against n every epsilon takes runs of its own.
        scrub=("epsilon",) if axis == "epsilon" else (),
    )


VIEWS = tuple(map(_view, AXES))
