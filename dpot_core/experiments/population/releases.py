"""Private barycenters of the people: what would be published, how much it costs, how far it is from the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.population.mechanism import (
    in_order,
    noise_stream,
    public_facts,
    public_region,
    run_mechanism,
)
from dpot_core.experiments.population.people import (
    Ground,
    People,
    Reference,
    between,
    between_km,
    both_costs,
    make_ground,
    matched,
)
from dpot_core.experiments.population.settings import MECHANISMS, Config
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.central.barycenter_results import PerturbedBarycenter


@dataclass(frozen=True)
class Release:
    """One draw of one mechanism. Its distances to the truth are not private: a demonstration shows them.

    Attributes:
        mechanism: a key of `MECHANISMS`.
        atoms: what would be published, (m, 2), from west to east.
        matched: the same in the order of the non-private atoms that the optimal plan matches them to, (m, 2): for
            drawing only, because the order is not private.
        cost: mean squared distance of the people to their atom, squared units of the coordinates.
        distance: W_2 to the non-private barycenter, unit of the coordinates.
        cost_km: root of the mean squared distance, km, or None.
        distance_km: W_2 in km, or None.
        guarantee: what is promised, towards the population where a sample was drawn.
        sample_guarantee: what is promised to those who were drawn.
        facts: further numbers of the mechanism, by name with unit.
    """

    mechanism: str
    atoms: Array
    matched: Array
    cost: float
    distance: float
    cost_km: float | None
    distance_km: float | None
    guarantee: Guarantee
    sample_guarantee: Guarantee
    facts: dict[str, float]


@dataclass(frozen=True)
class MapResult:
    """What the map shows: the non-private barycenter and one or several draws of each private one.

    Attributes:
        config: the settings.
        ground: region and people, for the picture.
        sizes: people drawn from each group.
        reference: without privacy.
        draws: for each mechanism its draws, the first one with the seed of the settings.
    """

    config: Config
    ground: Ground
    sizes: tuple[int, ...]
    reference: Reference
    draws: Mapping[str, tuple[Release, ...]]

    @property
    def promises(self) -> tuple[tuple[str, Guarantee], ...]:
        """The promise of each release in the tables: name, promise of that one alone."""
        return tuple((MECHANISMS[name], draw.guarantee) for name, draws in self.draws.items() for draw in draws)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn.

        Released atoms stand in an order that does not look at the truth, and apart from what no release would show.
        """
        released, costs = [], []
        for name, draws in self.draws.items():
            released += [_positions(draw.atoms, barycenter=name, draw=number) for number, draw in enumerate(draws)]
        truth = self.reference
        zero = None if truth.km is None else 0.0
        costs.append({"barycenter": "non-private", "draw": 0, **_numbers(truth.cost, 0.0, truth.km, zero)})
        for name, draws in self.draws.items():
            for number, draw in enumerate(draws):
                values = _numbers(draw.cost, draw.distance, draw.cost_km, draw.distance_km)
                costs.append({"barycenter": name, "draw": number, **values})
        mark = {"simulated": self.ground.simulated}
        return {
            "atoms": pd.concat(released).assign(**mark),
            "atoms-not-private": _positions(self.reference.atoms).assign(**mark),
            "costs": pd.DataFrame(costs).assign(**mark),
        }


def _positions(atoms: Array, **place: object) -> pd.DataFrame:
    return pd.DataFrame({**place, "atom": range(len(atoms)), "lon or x": atoms[:, 0], "lat or y": atoms[:, 1]})


def headlines(result: MapResult) -> dict[str, float]:
    """The numbers that a person would compare: costs and distances of the first draw."""
    numbers = {"cost, non-private (squared units)": result.reference.cost}
    for name, draws in result.draws.items():
        numbers[f"cost, {name} (squared units)"] = draws[0].cost
        numbers[f"W2 to the non-private one, {name} (units)"] = draws[0].distance
    return numbers


def release(people: People, truth: Reference, config: Config, mechanism: str, draw: int = 0) -> Release:
    """Draw one private barycenter.

    Args:
        people: the sample.
        truth: its barycenter without privacy.
        config: the settings.
        mechanism: a key of `MECHANISMS`.
        draw: number of the draw; with the seed and the other settings it determines the noise (`noise_stream`).

    Raises:
        ValueError: if the settings do not fit together.
    """
    found = run_mechanism(people, config, mechanism, noise_stream(people, config, mechanism, draw))
    facts = public_facts(found)
    if isinstance(found, PerturbedBarycenter):
        facts["noise of an atom (units)"] = found.noise if found.chunks else _noise_of_mean(found, people, config.m)
    atoms = in_order(found.atoms)
    aligned = matched(truth.atoms, atoms)
    cost, cost_km = both_costs(people, truth, aligned)
    return Release(
        mechanism=mechanism,
        atoms=atoms,
        matched=aligned,
        cost=cost,
        distance=between(truth.atoms, atoms),
        cost_km=cost_km,
        distance_km=between_km(people.outline, truth.atoms, atoms),
        guarantee=found.guarantee,
        sample_guarantee=found.sample_guarantee,
        facts=facts,
    )


def _noise_of_mean(found: PerturbedBarycenter, people: People, m: int) -> float:
    """Standard deviation of a coordinate of an atom that is the mean over groups of noisy means of cells of n/m people.

    The count's noise, R times that of the sum, moves the mean by its own distance from the centre.
    """
    region = public_region(people.outline)
    of_means = m * math.sqrt(sum(1.0 / n**2 for n in people.sizes)) / len(people.sizes)
    counts = float(((found.atoms - region.centre) ** 2).mean()) / region.radius**2
    return found.noise * of_means * math.sqrt(1.0 + counts)


def map_result(people: People, truth: Reference, config: Config, draws: Mapping[str, tuple[Release, ...]]) -> MapResult:
    """Put together what the map shows."""
    return MapResult(config, make_ground(people), people.sizes, truth, draws)


def _numbers(cost: float, distance: float, cost_km: float | None, distance_km: float | None) -> dict[str, float | None]:
    return {
        "cost (squared units)": cost,
        "W2 to non-private (units)": distance,
        "root mean squared distance km": cost_km,
        "W2 to non-private km": distance_km,
    }
