from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from dpot_app.cities.city import City, make_public, of_order
from dpot_app.cities.city_map import CityMap
from dpot_app.cities.crowd import MECHANISMS
from dpot_app.cities.distance_to_truth import known_within
from dpot_app.cities.place import USUAL_SIDE
from dpot_app.cities.visited_cells import VisitedCells
from dpot_app.kit.cache import Cache, cached
from dpot_app.kit.fields import EPSILONS
from dpot_app.kit.moved import Moved, other_order
from dpot_app.kit.moved import moved as moved_by_plan
from dpot_app.kit.particles import fallen, uniforms
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.settings import Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted, part_of, parts
from dpot_core.datasets.drawn import drawn_weights
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.mechanisms.knowledge import Private
from dpot_core.mechanisms.wasserstein_projection import project_exact
from dpot_core.privacy.polytopes import Polytope
from dpot_core.transport.wasserstein import network_simplex

#: Possible releases that rain on the map.
DROPS = 200


@dataclass(frozen=True)
class Spread:
    """How far from where the person is most often a release lands; lengths in km."""

    mean: float  # distance, on average
    half: float  # smallest distance within which half of the releases land
    most: float  # 90 % of them


@dataclass(frozen=True)
class Truth:
    """One person's data, and the scale on which they are drawn: the same at every epsilon."""

    key: str  # what all this was made from; equal keys, equal data: from workers, too, it is one object
    map: CityMap
    name: str  # the person's place by activity, and as the data call them: plain text that is not checked
    n_check_ins: float
    mu: Array  # true distribution on the cells, (k,)
    moved: Array  # the same with every cell moved to its nearest output, (k_v,)
    home: Array  # middle of the most visited cell, km east and north, (2,)
    highest: float  # probability at the end of the colour scale
    cut: bool  # whether some probabilities lie beyond it

    @property
    def alone(self) -> bool:
        """Whether the person was ever in one cell only."""
        return np.count_nonzero(self.mu) == 1

    @property
    def usual(self) -> float:
        """Mean distance of the person's own places from the most visited one, km: what a draw without privacy has."""
        return float(self.mu @ _away(self.map.points, self.home))

    def tables(self) -> dict[str, pd.DataFrame]:
        return self.map.outputs("person", self.mu, self.moved, {})


@dataclass(frozen=True)
class OnePerson:
    config: Config
    truth: Truth
    people: int  # how many there are
    outputs: dict[str, Array]  # output distribution of each mechanism, (k_v,)
    ends: dict[str, tuple[float, float]]  # W_p between the truth and each output, km: an interval that holds it
    # the same for the exact projection: no output of WPM's polytope is nearer; None where it would take long
    exact_kilometres: float | None
    spreads: dict[str, Spread]  # of the releases of each mechanism
    # possible releases of each mechanism, (DROPS, 2) km: exact draws, by the same known uniforms everywhere
    drops: dict[str, Array]
    # WPM at this order of the loss, and at another one: 1, or 2 where this is 1; None where it would take long
    moved: tuple[Moved, Moved] | None

    @property
    def map(self) -> CityMap:
        return self.truth.map

    @property
    def kilometres(self) -> dict[str, float]:
        """W_p between the truth and each output, km: middles of the intervals, which have no width on usual grids."""
        return {name: (low + high) / 2 for name, (low, high) in self.ends.items()}

    @property
    def known_within(self) -> float:
        """The largest share of a distance that is not certain."""
        return known_within(np.array(list(self.ends.values())))

    def tables(self) -> dict[str, pd.DataFrame]:
        distances = {"simulated": self.map.simulated, "mechanism": list(self.kilometres)}
        loss = f"W{self.map.p:g} km"
        distances |= {loss: list(self.kilometres.values())}
        if self.known_within > 0:
            lows, highs = zip(*self.ends.values(), strict=True)
            distances |= {f"{loss}, at least": list(lows), f"{loss}, at most": list(highs)}
        spreads = [self.spreads[name] for name in self.kilometres]
        distances |= {
            "mean distance from the most visited cell, km": [spread.mean for spread in spreads],
            "half of the releases within km": [spread.half for spread in spreads],
            "90 % of the releases within km": [spread.most for spread in spreads],
        }
        tables = self.map.outputs("person", self.truth.mu, self.truth.moved, self.outputs)
        return tables | {"person-distances": pd.DataFrame(distances)}


@cached
def one_person(city: City, config: Config, progress: Progress | None = None) -> OnePerson:
    """Send one person's distribution through every mechanism; who is beyond the last is the last."""
    truth = _truth(city, config.person, config.drawn, config.base)
    mu = truth.mu
    base = make_base(city, config.base, config.epsilon, progress)
    half = partial(part_of, progress, count=2)
    places = _places_of(city, mu, config)
    public = make_public(city, base, config.epsilon, config.reg)
    history = Private.of(public, mu[places.cells], places)
    # Those that are compared in any case: downloads and older files have them.
    more = [name for name in config.mechanisms if name not in MECHANISMS and TABLE[name].feasible(public, mu)]
    names = (*MECHANISMS, *more)
    outputs = {name: TABLE[name](public)(history) for name in counted(names, half(0))}
    exact = None
    if config.reg is None or config.place.n <= USUAL_SIDE:
        costs = places.distances**city.p
        exact = float(project_exact(mu[places.cells], costs, Polytope(base, config.epsilon)).value) ** (1 / city.p)
    return OnePerson(
        config=config,
        truth=truth,
        people=city.check_ins.n_users,
        outputs=outputs,
        ends={
            name: city.kilometres_within(mu, outputs[name], places, partial(listener, 0, 1) if listener else None)
            for name, listener in parts(names, half(1))
        },
        exact_kilometres=exact,
        spreads={name: spread(nu, city.outputs_km, truth.home) for name, nu in outputs.items()},
        drops={name: _drops(city, nu) for name, nu in outputs.items()},
        moved=_moved(city, mu, outputs["wpm"], config),
    )


def _places_of(city: City, mu: Array, config: Config) -> VisitedCells:
    few = np.count_nonzero(mu) * city.n_outputs <= _MOST_KEPT
    return (_kept_places if few else _places)(city, config.person, config.drawn)


def _moved(city: City, mu: Array, nu: Array, config: Config) -> tuple[Moved, Moved] | None:
    """How far WPM's output nu (k_v,) moves a person mu (k,), and how far it would at another order of the loss."""
    slow = config.base == "minimax" and config.place.n > _QUICK
    if slow or np.count_nonzero(mu) * city.n_outputs > _MOST_PLANNED:
        return None
    other = of_order(city, other_order(city.p))
    public = make_public(other, make_base(other, config.base, config.epsilon), config.epsilon, config.reg)
    places = _places_of(other, mu, config)
    another = TABLE["wpm"](public)(Private.of(public, mu[places.cells], places))
    return moved(city, mu, nu), moved(other, mu, another)


def moved(city: City, mu: Array, nu: Array) -> Moved:
    """How far a person's mass is moved by a plan from mu (k,) to nu (k_v,) that is optimal for the city's W_p."""
    cells, outputs = np.flatnonzero(mu), np.flatnonzero(nu)
    away = city.between(cells, outputs)
    plan, _ = network_simplex(mu[cells] / mu[cells].sum(), nu[outputs] / nu[outputs].sum(), away**city.p)
    return moved_by_plan(city.p, plan, away)


def _chosen(city: City, person: int, drawn: str) -> tuple[Array, str, float]:
    """The distribution of a person on the cells, their name, and how many check-ins there are of them."""
    if drawn:
        weights = drawn_weights(drawn, city.grid)
        return weights / weights.sum(), "Drawn by hand", float(weights.sum())
    rank = min(person, city.check_ins.n_users)
    number = int(city.by_activity[rank - 1])
    name = f"Person {rank:,} (in the data: {city.check_ins.labels[number]})"
    return city.histogram(number), name, float(city.check_ins.totals[number])


def _places(city: City, person: int, drawn: str) -> VisitedCells:
    return city.places(_chosen(city, person, drawn)[0][None, :])


#: Cells per side up to which a minimax base is found quickly, and pairs of places and outputs of a plan: .1 s.
_QUICK, _MOST_PLANNED = 24, 60_000
#: Distances and kernel of the people who were looked at last, for all values of epsilon: up to 192 MB a person.
_kept_places = Cache(2).keep(_places)
_MOST_KEPT = 2**23


def _drops(city: City, nu: Array) -> Array:
    """Possible releases: each lies anywhere in its cell, or about the point of its zone, so that none hides another."""
    size = np.array([city.map.width, city.map.height])
    around = size / city.map.n if city.zones is None else 0.03 * size
    _, places = fallen(nu, city.columns, uniforms("geolocation.rain", DROPS, 2), tuple(around))
    return np.clip(places, 0.0, size)


def spread(nu: Array, points: Array, home: Array) -> Spread:
    """How far from home (2,) draws from a distribution nu (k_v,) land.

    Args:
        points: of the outputs, (k_v, 2), km.
    """
    away = _away(points, home)
    order = np.argsort(away)
    mass = np.cumsum(nu[order])
    # Rounding must not ask for the farthest point.
    half, most = (float(away[order[np.searchsorted(mass, share * mass[-1] - 1e-12)]]) for share in (0.5, 0.9))
    return Spread(float(nu @ away), half, most)


def _away(points: Array, home: Array) -> Array:
    return np.hypot(*(points - home).T)


@cached
def _truth(city: City, person: int, drawn: str, base: str) -> Truth:
    mu, name, check_ins = _chosen(city, person, drawn)
    moved = city.onto_outputs(mu)
    highest = max(float(moved.max()), _gathered(city, mu, base))
    # On a fine grid no output is as likely as a visited place: the scale ends where outputs of WPM can end,
    # which is e^(epsilon/2) times its base measure.
    shown = np.exp(EPSILONS[-1] / 2) / city.n_outputs if base == "best-uniform" else np.inf
    return Truth(
        key=f"{city.key} {person} {drawn} {base}",
        map=city.map,
        name=name,
        n_check_ins=check_ins,
        mu=mu,
        moved=moved,
        home=city.map.points[int(np.argmax(mu))],
        highest=float(min(highest, shown)),
        cut=bool(shown < highest),
    )


def _gathered(city: City, mu: Array, base: str) -> float:
    """The highest probability that outputs have where they do not have the truth's, mu.

    With growing epsilon WPM, KPM and k-RR go from the base measure to the truth, and the exponential mechanism gathers
    around the cell that is nearest to everything.
    """
    low, high = EPSILONS[0], EPSILONS[-1]
    measure = make_base(city, base, low)
    places = city.places(mu[None, :])
    public = make_public(city, measure, high, None)
    gathered = TABLE["em"](public)(Private.of(public, mu[places.cells], places))
    return float(max((measure / measure.sum()).max(), gathered.max()))
