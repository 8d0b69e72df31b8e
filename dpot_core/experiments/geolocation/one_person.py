"""One person: the true distribution, and what each mechanism would draw the released location from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.geolocation.city import City, make_setting
from dpot_core.experiments.geolocation.settings import MECHANISMS, Config
from dpot_core.mechanisms import MECHANISMS as TABLE
from dpot_core.mechanisms.wasserstein_projection import project_exact
from dpot_core.polytopes import Polytope


@dataclass(frozen=True)
class OnePerson:
    """Input and outputs of one person.

    Attributes:
        config: the settings.
        city: the city.
        person: their place in the city's list (from 0).
        mu: true distribution on the cells, (k,).
        outputs: output distribution of each mechanism, (k_v,).
        kilometres: W_1 between the truth and each output, km.
        exact_kilometres: the same for the exact projection: no output of WPM's polytope is nearer.
    """

    config: Config
    city: City
    person: int
    mu: Array
    outputs: Mapping[str, Array]
    kilometres: Mapping[str, float]
    exact_kilometres: float

    @property
    def name(self) -> str:
        """The person's label, as given: plain text that nobody has checked."""
        return self.city.check_ins.labels[self.person]

    @property
    def n_check_ins(self) -> float:
        """How many check-ins the distribution is made of."""
        return float(self.city.check_ins.totals[self.person])

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        return outputs_tables("person", self.city, self.mu, self.outputs, self.kilometres)


def one_person(city: City, config: Config, base: Array) -> OnePerson:
    """Send one person's distribution through every mechanism.

    Args:
        city: the city.
        config: the settings; `config.person` counts from 1, the most active first.
        base: base measure of WPM, (k_v,).
    """
    person = int(city.by_activity[min(config.person, city.check_ins.n_users) - 1])
    mu = city.histograms[person]
    setting = make_setting(city, base, config.epsilon, config.reg)
    outputs = {name: TABLE[name](setting)(mu) for name in MECHANISMS}
    exact = project_exact(mu, city.distances, Polytope(base, config.epsilon))
    return OnePerson(
        config=config,
        city=city,
        person=person,
        mu=mu,
        outputs=outputs,
        kilometres={name: city.kilometres(mu, nu) for name, nu in outputs.items()},
        exact_kilometres=float(exact.value),
    )


def outputs_tables(
    prefix: str, city: City, mu: Array, outputs: Mapping[str, Array], kilometres: Mapping[str, float]
) -> dict[str, pd.DataFrame]:
    """Truth and outputs by cell (and by zone), and distances: as drawn on the maps."""
    lonlat, km = city.grid.centres_lonlat, city.grid.space.points
    cells = pd.DataFrame(
        {
            "cell": np.arange(len(mu)),
            "lon": lonlat[:, 0],
            "lat": lonlat[:, 1],
            "east km": km[:, 0],
            "north km": km[:, 1],
            "truth": mu,
        }
    )
    tables = {f"{prefix}-cells": cells}
    drawn = cells
    if city.zones is not None:
        drawn = pd.DataFrame({"zone": city.zones.names, "truth, nearest zone": city.onto_outputs(mu)})
        tables[f"{prefix}-zones"] = drawn
    for name, nu in outputs.items():
        drawn[name] = nu
    distances = {"estimate": list(kilometres), "W1 km": list(kilometres.values())}
    tables[f"{prefix}-distances"] = pd.DataFrame(distances)
    for table in tables.values():
        table.insert(0, "simulated", city.check_ins.simulated)
    return tables
