from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from dpot_core.checks import Array
from dpot_core.datasets import Population
from dpot_core.guarantees import Guarantee
from dpot_core.progress import Progress, counted
from dpot_core.studies.population.people import Backdrop, Reference, backdrop, draw_people, reference
from dpot_core.studies.population.releases import Release, release
from dpot_core.studies.population.settings import MECHANISMS, Config

#: Draws of the button that shows how releases vary.
DRAWS = 20


@dataclass(frozen=True)
class MapResult:
    """What the map shows; of each mechanism the first draw is the one with the seed of the settings."""

    backdrop: Backdrop
    reference: Reference
    draws: Mapping[str, tuple[Release, ...]]

    @property
    def releases(self) -> tuple[tuple[str, Guarantee], ...]:
        """Each release in the tables: name, guarantee of that one alone."""
        return tuple((MECHANISMS[name], draw.guarantee) for name, draws in self.draws.items() for draw in draws)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn.

        Released atoms stand in an order that does not look at the truth, and apart from what no release would show.
        """
        truth = self.reference
        zero = None if truth.km is None else 0.0
        released, costs = [], [_costs("non-private", 0, (truth.cost, 0.0, truth.km, zero))]
        for name, draws in self.draws.items():
            for number, draw in enumerate(draws):
                released.append(_positions(draw.atoms, barycenter=name, draw=number))
                costs.append(_costs(name, number, (draw.cost, draw.distance, draw.cost_km, draw.distance_km)))
        tables = {
            "atoms": pd.concat(released),
            "atoms-not-private": _positions(truth.atoms),
            "costs": pd.DataFrame(costs),
        }
        return {name: table.assign(simulated=self.backdrop.simulated) for name, table in tables.items()}


def _positions(atoms: Array, **place: object) -> pd.DataFrame:
    return pd.DataFrame({**place, "atom": range(len(atoms)), "lon or x": atoms[:, 0], "lat or y": atoms[:, 1]})


_UNITS = ("cost (squared units)", "W2 to non-private (units)", "root mean squared distance km", "W2 to non-private km")


def _costs(name: str, draw: int, values: tuple[float | None, ...]) -> dict[str, object]:
    return {"barycenter": name, "draw": draw, **dict(zip(_UNITS, values, strict=True))}


def draw_map(config: Config, population: Population, draws: int = 1, progress: Progress | None = None) -> MapResult:
    people = draw_people(population, config.n, config.seed)
    truth = reference(people, config.m, config.seed, config.reg, progress)
    releases: dict[str, tuple[Release, ...]] = dict.fromkeys(MECHANISMS, ())
    for name, draw in counted([(name, draw) for name in MECHANISMS for draw in range(draws)], progress):
        releases[name] += (release(people, truth, config, name, draw),)
    return MapResult(backdrop(people), truth, releases)
