import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.cities.city import City
from dpot_app.views.metric.crowd.results import EPSILONS, CrowdRelease, release_crowd
from dpot_app.views.metric.protected import at_epsilon, rate
from dpot_app.views.metric.settings import CrowdConfig
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, parts
from dpot_core.mechanisms.metric.sharing import STRETCH
from dpot_core.mechanisms.metric.shuffling import closed_form_rate, composition_rate, item_rate, largest_item_rate
from dpot_core.mechanisms.metric.shuffling_accountant import accounted_draws

#: Numbers of reports of each person.
REPORTS = tuple(int(number) for number in np.unique(np.round(np.geomspace(1, 100_000, 61))))


@dataclass(frozen=True, eq=False)
class CrowdErrors:
    """Releases at several values of epsilon, ascending."""

    points: tuple[CrowdRelease, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        return {"crowd-against-epsilon": pd.concat([point.numbers() for point in self.points], ignore_index=True)}


@dataclass(frozen=True, eq=False)
class Budgets:
    """beta of one report, nats per largest distance between positions, against the number of reports."""

    config: CrowdConfig
    reports: Array  # m, ascending
    shuffled: Array  # Theorem 4.4, solved; nan where it says nothing
    closed_form: Array  # equation 6 (local) or 7 (central), for comparison only; nan where there is none
    composed: Array  # alpha/m
    counted: float  # by the numerical accountant, at the chosen number of reports only

    @property
    def pays_from(self) -> int | None:
        """The smallest m shown from which on Theorem 4.4 allows more than composition; None if there is none."""
        worse = np.flatnonzero(~(np.nan_to_num(self.shuffled) > self.composed))
        first = int(worse[-1]) + 1 if worse.size else 0
        return int(self.reports[first]) if first < len(self.reports) else None

    def tables(self) -> dict[str, pd.DataFrame]:
        columns = {
            "reports m": self.reports,
            "beta, shuffled (Theorem 4.4)": self.shuffled,
            "beta, closed form (6)/(7)": self.closed_form,
            "beta, composed": self.composed,
        }
        chosen = {"reports m": [self.config.visits], "beta, shuffled (counted)": [self.counted]}
        return {"cost-of-a-report": pd.DataFrame(columns), "cost-of-a-report-counted": pd.DataFrame(chosen)}


def crowd_errors(points: Iterable[CrowdRelease]) -> CrowdErrors:
    """Put releases at different values of epsilon beside each other."""
    return CrowdErrors(tuple(sorted(points, key=lambda point: point.config.base.epsilon)))


def budgets(config: CrowdConfig, largest: float, people: int) -> Budgets:
    """The cost of one report against the number of reports of each person; ``largest`` distance in km."""
    delta, on_cells = config.base.delta, rate(config.base, largest) / STRETCH
    users = people if config.who == "central" else 1
    shuffled, closed, composed = [], [], []
    for m in REPORTS:
        speaks = largest_item_rate(delta, m, users) > 0.0
        shuffled.append(item_rate(on_cells, delta, m, users).item_rate if speaks else math.nan)
        closed.append(closed_form_rate(on_cells, delta, m, users))
        composed.append(composition_rate(on_cells, m).item_rate)
    counted = accounted_draws(on_cells, delta, config.visits, users).item_rate * STRETCH
    shuffled_line, closed_line, composed_line = (np.array(line) * STRETCH for line in (shuffled, closed, composed))
    return Budgets(config, np.array(REPORTS), shuffled_line, closed_line, composed_line, counted)


def curve(config: CrowdConfig, city: City, progress: Progress) -> tuple[CrowdRelease, CrowdErrors, Budgets]:
    epsilons = sorted({*EPSILONS, config.base.epsilon})
    points = [release_crowd(at_epsilon(config, each), city, part) for each, part in parts(epsilons, progress)]
    now = next(point for point in points if point.config == config)
    return now, crowd_errors(points), budgets(config, now.largest, now.people)
