from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from dpot_app.cities.city import City, make_public
from dpot_app.cities.city_map import CityMap
from dpot_app.kit.cache import cached
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.settings import Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, parts
from dpot_core.mechanisms import LABELS, MECHANISMS
from dpot_core.mechanisms.metric.optimal import optimal_geo_indistinguishability
from dpot_core.mechanisms.metric.remapping import bayesian_remap
from dpot_core.mechanisms.planar_laplace import planar_laplace_kernel

#: Cells per side on which the linear program is solved: at each epsilon within seconds.
SIDE = 8

#: Values of epsilon of the curves.
EPSILONS = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)

#: Mechanisms whose promise is less between near places, and how they are called.
BY_DISTANCE = {"optimal": "Optimal kernel", "laplace": "Planar Laplace"}


class Moved(NamedTuple):
    """How far a mechanism releases one place from where it is, W_p in km: under the prior, and at the worst place."""

    average: float
    worst: float
    remapped: float  # the average once outputs are replaced by the best guesses under the prior
    remapped_worst: float


class Optimum(NamedTuple):
    """The optimal kernel's moves, certified rate and gap."""

    moved: Moved
    spent: float  # the rate that it is certified to keep, nats per km
    gap: float  # by what share of its expected loss it may be above the smallest


@dataclass(frozen=True)
class OnePlace:
    """Mechanisms that are given one place, at one epsilon between the two places that are farthest apart."""

    map: CityMap
    config: Config
    farthest: float  # the largest distance between two cells, km
    prior: Array  # where the person is, as far as is public, (k,)
    now: dict[str, Moved]  # at the present epsilon, by mechanism: `BY_DISTANCE`, then those of the settings
    optimum: Optimum  # at the present epsilon
    epsilons: Array  # values of the curves, (T,)
    curves: dict[str, list[Moved]]  # by mechanism, at `epsilons`

    @property
    def rate(self) -> float:
        """Privacy parameter of what is private by distance, nats per km."""
        return self.config.epsilon / self.farthest

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {"simulated": self.map.simulated, "mechanism": name, "by distance": name in BY_DISTANCE, **_named(moved)}
            for name, moved in self.now.items()
        ]
        curves: dict[str, Array] = {"epsilon": self.epsilons}
        for name, curve in self.curves.items():
            for place, column in enumerate(_named(curve[0])):
                curves[f"{name}, {column}"] = np.array([moved[place] for moved in curve])
        certificate = {"epsilon": self.config.epsilon, "farthest km": self.farthest, "nats per km": self.rate}
        certificate |= {"certified nats per km": self.optimum.spent, "gap": self.optimum.gap}
        return {
            "one-place": pd.DataFrame(rows),
            "one-place-against-epsilon": pd.DataFrame(curves),
            "one-place-optimum": pd.DataFrame([certificate]),
            "one-place-prior": self.map.cells({"prior": self.prior}),
        }


def _named(moved: Moved) -> dict[str, float]:
    return {f"{field.replace('_', ' ')} km": value for field, value in moved._asdict().items()}


def label(name: str) -> str:
    return BY_DISTANCE.get(name) or LABELS[name]


def one_place(city: City, config: Config, progress: Progress | None = None) -> OnePlace:
    """Compute how far a place is moved at the present epsilon and along the curves."""
    believed, named = config.base == "prior", [name for name in config.mechanisms if _feasible(city, config, name)]
    every = (config.epsilon, *EPSILONS)
    optima = [_optimum(city, believed, epsilon, part) for epsilon, part in parts(every, progress)]
    found = {"optimal": [optimum.moved for optimum in optima]}
    found["laplace"] = [_laplace(city, believed, epsilon) for epsilon in every]
    for name in named:
        reg = config.reg if name == "wpm" else None
        found[name] = [_released(city, config.base, epsilon, name, reg) for epsilon in every]
    return OnePlace(
        map=city.map,
        config=config,
        farthest=city.diameter,
        prior=_prior(city, believed),
        now={name: curve[0] for name, curve in found.items()},
        optimum=optima[0],
        epsilons=np.array(EPSILONS),
        curves={name: curve[1:] for name, curve in found.items()},
    )


def _prior(city: City, believed: bool) -> Array:
    """The crowd of the people set aside where that is the public prior; else nothing is known of the place."""
    if believed and city.held_out is not None:
        return city.held_out
    return np.full(len(city.grid), 1.0 / len(city.grid))


def _feasible(city: City, config: Config, name: str) -> bool:
    """Whether the mechanism has an output for every place: the mollifier's reference may miss some."""
    everywhere = np.full(len(city.grid), 1.0 / len(city.grid))
    bases = (make_base(city, config.base, epsilon) for epsilon in (config.epsilon, *EPSILONS))
    return all(MECHANISMS[name].feasible(make_public(city, base, 1.0, None), everywhere) for base in bases)


@cached
def _optimum(city: City, believed: bool, epsilon: float, progress: Progress | None = None) -> Optimum:
    prior, loss = _prior(city, believed), city.distances**city.p
    found = optimal_geo_indistinguishability(city.distances, epsilon / city.diameter, prior, loss, progress=progress)
    return Optimum(_moved(city, prior, found.kernel), found.spent, found.gap)


@cached
def _laplace(city: City, believed: bool, epsilon: float) -> Moved:
    axes = city.grid.space.axes
    assert axes is not None
    return _moved(city, _prior(city, believed), planar_laplace_kernel(*axes, epsilon / city.diameter))


@cached
def _released(city: City, base: str, epsilon: float, name: str, reg: float | None) -> Moved:
    public = make_public(city, make_base(city, base, epsilon), epsilon, reg)
    kernel = MECHANISMS[name](public)(np.eye(len(city.grid)))
    return _moved(city, _prior(city, base == "prior"), kernel)


def _moved(city: City, prior: Array, kernel: Array) -> Moved:
    loss = city.distances**city.p
    after = bayesian_remap(kernel, prior, city.distances, city.p).kernel
    plain, remapped = ((one * loss).sum(axis=1) for one in (kernel, after))
    means = (prior @ plain, plain.max(), prior @ remapped, remapped.max())
    return Moved(*(float(mean ** (1.0 / city.p)) for mean in means))
