from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from dpot_app.cities.city import City
from dpot_app.cities.city_map import CityMap
from dpot_app.cities.crowd import Crowd, crowd_at, no_privacy_ends
from dpot_app.cities.distance_to_truth import distance_to_truth, known_within
from dpot_app.kit.cache import cached
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.settings import Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, parts

#: Values of epsilon at which the crowd is simulated.
EPSILONS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)


@dataclass(frozen=True)
class CrowdCurve:
    points: tuple[Crowd, ...]  # one for each epsilon, ascending
    no_privacy: Array  # W_p when everybody releases a draw from their true distribution, (RUNS,), km
    prior: float | None  # W_p of the crowd that was set aside, km: known before any release; None if none was
    no_privacy_ends: Array | None = None  # intervals that hold these, (RUNS, 2), km; None where all are exact
    prior_ends: Array | None = None  # likewise, (1, 2)

    @property
    def known_within(self) -> float:
        """The largest share of a distance that is not certain."""
        alone = [ends for ends in (self.no_privacy_ends, self.prior_ends) if ends is not None]
        return max(known_within(*alone) if alone else 0.0, *(point.known_within for point in self.points))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn: mean and standard deviation (n - 1) over the runs, km.

        Where W_p is known as an interval, its middle is drawn, and both ends stand beside it. One epsilon alone is no
        curve and has another name: the page shows it beside the curve.
        """
        rows = [
            {
                "simulated": point.map.simulated,
                "epsilon": point.epsilon,
                "estimate": name,
                f"{_loss(point.map)}, mean": float(distances.mean()),
                f"{_loss(point.map)}, s.d.": float(distances.std(ddof=1)),
                "runs": len(distances),
                **_ends(ends, f"{_loss(point.map)}, mean"),
            }
            for point in self.points
            for name, distances, ends in (
                *((name, runs, point.ends[name]) for name, runs in point.kilometres.items()),
                ("no privacy", self.no_privacy, self.no_privacy_ends),
            )
        ]
        tables = {"crowd-distances" if len(self.points) == 1 else "crowd-against-epsilon": pd.DataFrame(rows)}
        if self.prior is not None:
            loss = _loss(self.points[0].map)
            tables["crowd-prior-alone"] = pd.DataFrame({loss: [self.prior], **_ends(self.prior_ends, loss)})
        return tables


def _loss(city: CityMap) -> str:
    """Head of a column: ``W1 km``."""
    return f"W{city.p:g} km"


def _ends(ends: Array | None, what: str) -> dict[str, float]:
    """Both ends in the columns of a table; no columns where the distances are exact."""
    if ends is None or known_within(ends) == 0.0:
        return {}
    lower, upper = ends.mean(axis=0)
    return {f"{what}, at least": float(lower), f"{what}, at most": float(upper)}


_sampled = cached(no_privacy_ends)


@cached
def crowd(city: City, base: str, epsilon: float, reg: float | None, progress: Progress | None = None) -> Crowd:
    return crowd_at(city, make_base(city, base, epsilon, progress), epsilon, reg, progress)


def crowd_curve(
    city: City, config: Config, epsilons: Sequence[float], progress: Progress | None = None
) -> tuple[Crowd, CrowdCurve]:
    """The crowd at the settings' epsilon, and beside those at others what sampling alone costs."""
    every = sorted({*epsilons, config.epsilon})
    points = {at: crowd(city, config.base, at, config.reg, part) for at, part in parts(every, progress)}
    sampled, prior = _sampled(city), None
    if city.held_out is not None:
        prior = distance_to_truth(city, [city.onto_outputs(city.held_out)])
    alone = None if prior is None else float(prior.mean())
    return points[config.epsilon], CrowdCurve(tuple(points.values()), sampled.mean(axis=1), alone, sampled, prior)
