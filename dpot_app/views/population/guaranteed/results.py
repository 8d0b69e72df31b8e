"""Guaranteed against measured distance: how far people are from the released atoms, over epsilon."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.views.population.distances import excess
from dpot_app.views.population.guaranteed.shipped import made_of, shipped
from dpot_app.views.population.people import People, Reference, reference, takes_long
from dpot_app.views.population.releases import noise_stream, run_mechanism
from dpot_app.views.population.settings import MECHANISMS, Config, Objective
from dpot_app.views.population.starts import public_region
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms.central.coreset_barycenter import CoresetBarycenter
from dpot_core.transport.barycenters import barycenter_cost

#: Where it is measured, and how often; more coarsely where one draw takes long.
EPSILONS, LONG_EPSILONS = (0.1, 0.3, 1.0, 3.0, 10.0), (0.1, 1.0, 10.0)
DRAWS, LONG_DRAWS = 20, 6

#: So many private copies say how far their own points are from the atoms: it hardly varies.
COPIES = 3

#: What most of the draws lie between, where there are enough for that: of fewer all.
BAND, ENOUGH = (0.05, 0.95), 20

#: The farthest of the people, as a share.
FARTHEST = 0.1


@dataclass(frozen=True)
class Far:
    """How far people are from the best atoms of one order."""

    p: float
    mean: float  # km, or units where coordinates are not degrees
    farthest: float  # so far or farther is the farthest tenth


@dataclass(frozen=True)
class Guaranteed:
    """Typical distances of the people to released atoms, the p-th roots of costs, in units of the coordinates.

    One sample of the people, noise drawn anew; everything is measured against the best atoms known.
    """

    p: float
    best: float  # typical distance to the best atoms known
    epsilons: Array  # (T,)
    measured: dict[str, Array]  # of each mechanism (T, draws)
    # Proven for the coreset whatever the people and the search are: on average over noise no more than this; None
    # where nothing is proved.
    bound: Array | None
    diameter: float  # of the region: no atoms in it are farther from a person
    far: tuple[Far, Far]  # at p, and at another order
    geographic: bool
    simulated: bool

    @property
    def draws(self) -> int:
        return int(next(iter(self.measured.values())).shape[1])

    @property
    def band(self) -> tuple[float, float]:
        """Shares of the draws that the band begins and ends at."""
        return BAND if self.draws >= ENOUGH else (0.0, 1.0)

    def excess(self, typical: Array | float) -> Array:
        """The share by which a typical distance is more than that to the best atoms known."""
        return excess(typical, self.best)

    @property
    def vacuous(self) -> bool:
        """Whether the bound says nothing at any epsilon shown that the size of the region does not."""
        return self.bound is not None and bool(self.bound.min() >= self.diameter)

    def tables(self) -> dict[str, pd.DataFrame]:
        mark = {"simulated": self.simulated}
        rows = [
            {"epsilon": epsilon, "barycenter": name, "draw": draw, "typical distance (units)": value}
            for name, each in self.measured.items()
            for epsilon, values in zip(self.epsilons, each, strict=True)
            for draw, value in enumerate(values)
        ]
        table = pd.DataFrame(rows)
        if self.bound is not None:
            known = dict(zip(self.epsilons.tolist(), self.bound.tolist(), strict=True))
            bounds = [
                known[e] if name == "coreset" else None for e, name in zip(table.epsilon, table.barycenter, strict=True)
            ]
            table["proven bound on its mean (units)"] = bounds
        table["to the best atoms known (units)"] = self.best
        unit = "km" if self.geographic else "units"
        people = [
            {"p": one.p, f"mean distance ({unit})": one.mean, f"farthest tenth ({unit} or more)": one.farthest}
            for one in self.far
        ]
        return {
            "guaranteed-and-measured": table.assign(**mark),
            "farther-than-need-be": pd.DataFrame(self._shares()).assign(**mark),
            "how-far-people-are": pd.DataFrame(people).assign(**mark),
        }

    def _shares(self) -> dict[str, Array]:
        """The drawn table: by which share people are farther than need be, on average and in most draws."""
        columns = {"epsilon": self.epsilons}
        for name, typical in self.measured.items():
            low, high = np.quantile(typical, self.band, axis=1)
            at = {"mean": typical.mean(axis=1), "from": low, "to": high}
            columns |= {f"{name}, {what} (share)": self.excess(each) for what, each in at.items()}
        if self.bound is not None:
            columns["coreset, proven on average (share)"] = self.excess(self.bound)
        return columns


def guaranteed(people: People, config: Config, progress: Progress | None = None) -> Guaranteed:
    """Measured at the same values, whatever the settings' epsilon is."""
    unseen = ("epsilon", "country", "columns", "region", "outside", "box", "compared")
    usual, beside = Config(), config.mechanisms[len(MECHANISMS) :]
    config = replace(config, **{name: getattr(usual, name) for name in unseen})
    long = takes_long(people, config.m) or config.p != 2
    epsilons, draws = (LONG_EPSILONS, LONG_DRAWS) if long else (EPSILONS, DRAWS)
    found = _guaranteed(people, config, epsilons, draws, progress)
    if not beside:
        return found
    return replace(found, measured=found.measured | _costs(people, config, epsilons, draws, beside, progress))


@cached
def _costs(
    people: People,
    config: Config,
    epsilons: tuple[float, ...],
    draws: int,
    names: tuple[str, ...],
    progress: Progress | None,
) -> dict[str, Array]:
    """Typical distances of mechanisms, (T, draws) each."""
    costs = {name: np.zeros((len(epsilons), draws)) for name in names}
    runs = [(at, draw, name) for at in range(len(epsilons)) for draw in range(draws) for name in names]
    for at, draw, name in counted(runs, progress):
        here = replace(config, epsilon=epsilons[at])
        result = run_mechanism(people, here, name, noise_stream(people, here, name, draw))
        costs[name][at, draw] = barycenter_cost(people.groups, result.atoms, config.p, config.objective.known)
    return {name: each ** (1 / config.p) for name, each in costs.items()}


@cached
def _guaranteed(
    people: People, config: Config, epsilons: tuple[float, ...], draws: int, progress: Progress | None
) -> Guaranteed:
    values = shipped(made_of(people.key, config, epsilons, draws))
    if values is None:
        return measured(people, config, epsilons, draws, progress)
    return Guaranteed(**values | {"far": tuple(Far(**one) for one in values["far"])})


def measured(
    people: People, config: Config, epsilons: tuple[float, ...], draws: int, progress: Progress | None
) -> Guaranteed:
    """Releases at each epsilon, so many of each mechanism, and what they cost."""
    aim, p = config.objective, config.p
    truth = reference(people, config.m, config.seed, config.reg, None, aim)
    costs = {name: np.zeros((len(epsilons), draws)) for name in MECHANISMS}
    copies = np.full((len(epsilons), min(COPIES, draws)), np.nan)
    runs = [(at, draw, name) for at in range(len(epsilons)) for draw in range(draws) for name in MECHANISMS]
    for at, draw, name in counted(runs, progress):
        here = replace(config, epsilon=epsilons[at])
        result = run_mechanism(people, here, name, noise_stream(people, here, name, draw))
        costs[name][at, draw] = barycenter_cost(people.groups, result.atoms, p, aim.known)
        if isinstance(result, CoresetBarycenter) and draw < COPIES and result.distance_bound is not None:
            copies[at, draw] = result.copy_distance() + result.distance_bound
    best = min(truth.cost, *(float(each.min()) for each in costs.values()))
    other = Objective(1.0 if p == 2 else 2.0, config.weights)
    return Guaranteed(
        p=p,
        best=best ** (1 / p),
        epsilons=np.array(epsilons),
        measured={name: each ** (1 / p) for name, each in costs.items()},
        bound=None if np.isnan(copies).any() else copies.mean(axis=1),
        diameter=public_region(people.outline).diameter,
        far=(how_far(people, truth), how_far(people, reference(people, config.m, config.seed, 0.0, None, other))),
        geographic=people.outline.geographic,
        simulated=people.sample.simulated,
    )


def how_far(people: People, truth: Reference) -> Far:
    """Distances of the people to their atoms under the optimal plan; of a person who is split, to the nearest part."""
    place = people.outline.to_km if people.outline.geographic else np.asarray
    atoms, distances, masses = place(truth.atoms), [], []
    shares = truth.objective.weights or (1.0,) * len(people.groups)
    for (points, _), plan, share in zip(people.groups, truth.plans, shares, strict=True):
        distances.append(np.linalg.norm(place(points) - atoms[plan.labels], axis=1))
        masses.append(plan.weights * share / sum(shares))
    away, mass = np.concatenate(distances), np.concatenate(masses)
    order = np.argsort(away)
    reached = np.cumsum(mass[order])
    last = order[min(int(np.searchsorted(reached, (1.0 - FARTHEST) * reached[-1])), len(order) - 1)]
    return Far(truth.objective.p, float(mass @ away / mass.sum()), float(away[last]))
