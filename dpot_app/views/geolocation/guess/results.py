from dataclasses import dataclass

import numpy as np

from dpot_app.cities.city import City, make_public
from dpot_app.cities.city_map import CityMap
from dpot_app.cities.worst_case import outputs_of_cells
from dpot_app.kit.best_guess import Attacked, Guesses, attacked
from dpot_app.kit.cache import cached
from dpot_app.views.geolocation.base import base_of_curve, make_base
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.worst_case.results import curve_epsilons
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, parts
from dpot_core.distributions import normalise
from dpot_core.mechanisms import MECHANISMS


@dataclass(frozen=True)
class CellGuesses(Guesses):
    """The same for a cell of a city; distances in km."""

    map: CityMap


def cell_guesses(city: City, config: Config, progress: Progress | None = None) -> CellGuesses:
    """Compute chances and distances at the present epsilon and along the curves."""
    prior, reg = believed(city, config), {"wpm": config.reg}
    curves, now = dict[str, list[Attacked]](), dict[str, Attacked]()
    for name, part in parts(config.mechanisms, progress):
        curve = _curve(city, config.base, name, reg.get(name), tuple(prior.tolist()), part)
        here = _attacked(city, make_base(city, config.base, config.epsilon), name, config.epsilon, reg.get(name), prior)
        if here is not None and all(point is not None for point in curve):
            curves[name], now[name] = [point for point in curve if point is not None], here
    return CellGuesses(
        place="cell",
        loss=city.map.loss,
        unit="km",
        prior=prior,
        epsilon=np.asarray(curve_epsilons(city, config.base)),
        curves=curves,
        at=config.epsilon,
        now=now,
        map=city.map,
    )


def believed(city: City, config: Config) -> Array:
    """Where a person is, as far as it is known before a release, (k,): alike in all cells, or as those set aside."""
    if config.base == "prior" and config.belief == "crowd" and city.held_out is not None:
        return normalise(city.held_out)
    return np.full(len(city.grid), 1.0 / len(city.grid))


@cached
def _curve(
    city: City, base: str, name: str, reg: float | None, prior: tuple[float, ...], progress: Progress | None = None
) -> list[Attacked | None]:
    """The curve at `curve_epsilons`."""
    return [
        _attacked(city, base_of_curve(city, base, epsilon), name, epsilon, reg, np.array(prior))
        for epsilon in counted(curve_epsilons(city, base), progress)
    ]


def _attacked(city: City, base: Array, name: str, epsilon: float, reg: float | None, prior: Array) -> Attacked | None:
    """One mechanism; None where it has no output for some cell."""
    public = make_public(city, base, epsilon, reg)
    if not MECHANISMS[name].feasible(public, np.full(len(city.grid), 1.0 / len(city.grid))):
        return None
    rows = outputs_of_cells(city, MECHANISMS[name](public), public, np.arange(len(city.grid)))
    return attacked(city.distances**city.p, rows, city.p, prior)
