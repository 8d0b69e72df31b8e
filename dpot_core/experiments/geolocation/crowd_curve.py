"""The crowd against epsilon."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from dpot_core.checks import Array
from dpot_core.cities.city import City
from dpot_core.cities.crowd import Crowd

#: Values of epsilon at which the crowd is simulated.
EPSILONS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)


@dataclass(frozen=True)
class CrowdCurve:
    """The crowd against epsilon.

    Attributes:
        points: one crowd for each epsilon, ascending.
        no_privacy: W_1 when everybody releases a draw from their true distribution, (RUNS,), km.
        prior: W_1 between the true crowd and the crowd that was set aside, km: what is known before anybody
            releases anything; None if nobody was set aside.
    """

    points: tuple[Crowd, ...]
    no_privacy: Array
    prior: float | None

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn: mean and standard deviation (n - 1) over the runs, km."""
        rows = [
            {
                "simulated": point.map.simulated,
                "epsilon": point.epsilon,
                "estimate": name,
                "W1 km, mean": float(distances.mean()),
                "W1 km, s.d.": float(distances.std(ddof=1)),
                "runs": len(distances),
            }
            for point in self.points
            for name, distances in (*point.kilometres.items(), ("no privacy", self.no_privacy))
        ]
        tables = {"crowd-against-epsilon": pd.DataFrame(rows)}
        if self.prior is not None:
            tables["crowd-prior-alone"] = pd.DataFrame({"W1 km": [self.prior]})
        return tables


def crowd_curve(city: City, points: Iterable[Crowd], sampled: Array) -> CrowdCurve:
    """Put the crowds at several values of epsilon beside what sampling alone costs (`no_privacy`)."""
    prior = None
    if city.held_out is not None:
        prior = city.kilometres(city.truth, city.onto_outputs(city.held_out))
    return CrowdCurve(tuple(sorted(points, key=lambda point: point.epsilon)), sampled, prior)
