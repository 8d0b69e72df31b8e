import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.cities.city import City
from dpot_app.cities.city_map import CityMap
from dpot_app.kit.cache import cached
from dpot_app.views.metric.protected import diameter, guarantee, rate
from dpot_app.views.metric.settings import CrowdConfig
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.mechanisms.metric.frequency import laplace_scale
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.likely import likely_histogram
from dpot_core.mechanisms.metric.random_items import exponential_history_items
from dpot_core.mechanisms.metric.sharing import STRETCH, shared_histograms
from dpot_core.mechanisms.metric.shuffling import ShuffledPromise, composition_rate, item_rate, largest_item_rate
from dpot_core.mechanisms.metric.shuffling_accountant import accounted_draws
from dpot_core.mechanisms.randomized_response import project_simplex
from dpot_core.privacy import numerals
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.streams import stream

#: How one person's reports add up, with names on screen.
HOW = {"shuffling": "shuffled", "composition": "composed"}

#: User-level baselines at the same epsilon, with names on screen.
BASELINES = {
    "laplace": "whole user: Laplace noise by a curator",
    "one-visit": "whole user: one visit each, Hadamard response",
}

#: Values of epsilon at which the crowd is released in advance, and drawn as a curve.
EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)

#: Repeated runs, and the seed of their draws: this is a demonstration, not a release.
RUNS = 5
SEED = 3


@dataclass(frozen=True, eq=False)
class CrowdRelease:
    """The collector's results at one value of epsilon; dictionaries are by way, a key of ``HOW``."""

    config: CrowdConfig
    map: CityMap
    people: int
    largest: float  # distance, km
    alpha: float  # nats per largest distance between positions
    truth: Array  # mean of the people's distributions, each visit shared among the four nearest cells, (k,)
    drawn: dict[str, Array]  # histogram of the visits drawn in the first run, before any noise, (k,)
    # For histories on cells, at ``alpha/STRETCH``; shuffling, counted numerically, is missing where it gains nothing.
    promises: dict[str, ShuffledPromise]
    theorem: ShuffledPromise | None  # what Theorem 4.4 would allow a shuffled report; None where it says nothing
    item_rates: dict[str, float]  # alpha_0 of a report about a known visit, nats per largest distance between positions
    reports: dict[str, Array]  # histogram of the reports, (RUNS, k)
    estimates: dict[str, Array]  # likely histogram, (RUNS, k)
    kilometres: dict[str, Array]  # earth mover's distance of the estimates to the truth, (RUNS,), km
    baselines: dict[str, Array]  # the same for the user-level baselines, by name
    unseen: float  # the same for an even spread over the map, km: what one knows without any report

    def spent(self, how: str) -> float:
        """The alpha that a way really promises, nats per largest distance between positions."""
        return self.promises[how].alpha * STRETCH

    @property
    def by_theorem(self) -> float:
        """beta of a shuffled report by Theorem 4.4, nats per largest distance between positions; nan if it has none."""
        return math.nan if self.theorem is None else self.theorem.item_rate * STRETCH

    def mean(self, how: str) -> float:
        """Mean distance of the estimates to the truth, km."""
        return float(self.kilometres[how].mean())

    @property
    def better(self) -> str:
        """The way whose reports have less noise; public, so that choosing costs nothing."""
        return max(self.promises, key=lambda how: self.item_rates[how])

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of one release by the better of the two ways."""
        return self.guarantee_of(self.better)

    def guarantee_of(self, how: str) -> Guarantee:
        promise = self.promises[how]
        visits = numerals.counted(self.config.visits, "report about a random visit", "reports about random visits")
        note = f"For one release of {visits}, for histories of any lengths"
        if promise.by != "composition" and self.config.who == "central":
            note += "; one shuffler sees all reports: the order of the reports must not be seen by others"
        public = ("the number of visits reported on", "the grid")
        return guarantee(self.config.base, self.largest, promise.delta, public, note + ".")

    def numbers(self) -> pd.DataFrame:
        """One row for each way and each baseline."""
        rows: list[dict[str, object]] = [
            {
                "release": f"{HOW[how]}, estimates",
                "neighbours": "earth-mover",
                "beta of a report on a random visit": promise.item_rate * STRETCH,
                "beta by Theorem 4.4": self.by_theorem if how == "shuffling" else math.nan,
                "alpha_0 of a report on a known visit": self.item_rates[how],
                "alpha": self.spent(how),
                "delta": promise.delta,
            }
            for how, promise in self.promises.items()
        ]
        for name in self.baselines:
            rows.append({"release": BASELINES[name], "neighbours": "replace" if name == "laplace" else "local"})
        runs = np.array([*(self.kilometres[how] for how in self.promises), *self.baselines.values()])
        table = pd.DataFrame(rows)
        table.insert(0, "simulated", self.map.simulated)
        table.insert(1, "epsilon", self.config.base.epsilon)
        table["error km"], table["s.d. km"] = runs.mean(axis=1), runs.std(axis=1, ddof=1)
        table["error d_EM"] = table["error km"] / self.largest
        return table

    def tables(self) -> dict[str, pd.DataFrame]:
        cells = {"truth": self.truth}
        for how in self.promises:
            cells[f"visits drawn, {HOW[how]}"] = self.drawn[how]
            cells |= {f"reports, {HOW[how]}": self.reports[how][0], f"estimate, {HOW[how]}": self.estimates[how][0]}
        return {"crowd-cells": self.map.cells(cells), "crowd-errors": self.numbers()}


@cached
def release_crowd(config: CrowdConfig, city: City, progress: Progress | None = None) -> CrowdRelease:
    r"""Draw visits, report on them, and make a map of the reports.

    Three steps of the proof: sharing visits among cells lets distances between histories grow by at most
    ``STRETCH = sqrt 2`` (`sharing`); a report on a random visit is beta-private for histories on cells
    (`random_items`); m reports add up to ``alpha/STRETCH`` by shuffling (`shuffling_accountant`) or by
    composition. Visits and noise of each way, and of each setting, are independent, so that releases add up.
    """
    largest, people, visits = diameter(city), city.check_ins.n_users, config.visits
    alpha, histograms = rate(config.base, largest), city_histograms(city)
    truth = np.asarray(histograms.mean(axis=0))
    promises, theorem = _promises(config, alpha / STRETCH, people)
    unit, own = city.grid.space.distances() / largest, city.noise_key
    # Each way's noise, its runs and their distances; the distances of the baselines.
    steps = counted(range(len(promises) * (1 + 2 * RUNS) + len(BASELINES) * RUNS), progress)
    item_rates: dict[str, float] = {}
    drawn, reports, estimates = dict[str, Array](), dict[str, Array](), dict[str, Array]()
    for how, promise in promises.items():
        next(steps)
        items = exponential_history_items(unit, promise.item_rate)
        item_rates[how] = items.item_rate * STRETCH
        # Independent of every other way and setting, and of any other private file's.
        beta, k = promise.item_rate, len(truth)
        settings = {"how": how, "beta": beta, "visits": visits, "people": people, "largest": largest, "cells": k}
        rng = stream(SEED, "metric.crowd", **settings, **own)
        # Every release draws its own visits, with replacement (Algorithm 3): two about the same would not add up.
        visited = np.stack([rng.multinomial(visits, histograms).sum(axis=0) for _ in range(RUNS)]).astype(np.float64)
        drawn[how] = np.asarray(visited[0] / visited[0].sum())
        frequencies, likely = [], []
        for row in visited:
            next(steps)
            counts = items.mechanism.release_counts(row, rng)
            frequencies.append(counts / row.sum())
            likely.append(likely_histogram(items.mechanism.kernel, counts))
        reports[how], estimates[how] = np.array(frequencies), np.array(likely)

    def far(runs: Array) -> Array:
        return np.array([city.kilometres(truth, run) for run, _ in zip(runs, steps, strict=False)])

    return CrowdRelease(
        config=config,
        map=city.map,
        people=people,
        largest=largest,
        alpha=alpha,
        truth=truth,
        drawn=drawn,
        promises=promises,
        theorem=theorem,
        item_rates=item_rates,
        reports=reports,
        estimates=estimates,
        kilometres={how: far(estimates[how]) for how in promises},
        baselines={
            name: far(runs) for name, runs in whole_user_estimates(config.base.epsilon, histograms, own).items()
        },
        unseen=float(city.kilometres(truth, np.full(len(truth), 1.0 / len(truth)))),
    )


def city_histograms(city: City) -> Array:
    """The distribution of each person over the centres of the cells, (people, k); visits are shared among four."""
    data, centres, n = city.check_ins, city.grid.space.points, city.grid.n
    weights = data.count / data.totals[data.user]
    return shared_histograms(city.positions, data.user, weights, centres[:n, 0], centres[::n, 1])


def _promises(
    config: CrowdConfig, on_cells: float, people: int
) -> tuple[dict[str, ShuffledPromise], ShuffledPromise | None]:
    """The sum of m reports, by way, and by Theorem 4.4 where it says something."""
    delta, visits, users = config.base.delta, config.visits, people if config.who == "central" else 1
    promises, theorem = {}, None
    if largest_item_rate(delta, visits, users) > 0.0:
        theorem = item_rate(on_cells, delta, visits, users)
    shuffled = accounted_draws(on_cells, delta, visits, users)
    if shuffled.by != "composition":
        promises["shuffling"] = shuffled
    return promises | {"composition": composition_rate(on_cells, visits)}, theorem


def whole_user_estimates(epsilon: float, histograms: Array, own: Mapping[str, str]) -> dict[str, Array]:
    """Estimates of the crowd with user-level privacy, (RUNS, k), by name: for any change of a whole history.

    ``own``: the `CheckIns.noise_key` of the people.
    """
    people, k = histograms.shape
    rng = stream(SEED, "metric.crowd, whole user", epsilon=epsilon, people=people, cells=k, **own)
    noise = rng.laplace(0.0, laplace_scale(people, epsilon), (RUNS, k))
    response = HadamardResponse(k, epsilon)
    one = np.stack([rng.multinomial(1, histograms).sum(axis=0) for _ in range(RUNS)])
    decoded = response.decode(response.release_counts(one, rng) / people)
    return {"laplace": project_simplex(histograms.mean(axis=0) + noise), "one-visit": project_simplex(decoded)}
