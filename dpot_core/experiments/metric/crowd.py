"""Release the crowd: reports about random visits of everybody, and the map that can be made of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.cities.city import City
from dpot_core.cities.city_map import CityMap
from dpot_core.experiments.metric.baselines import BASELINES, whole_user_estimates
from dpot_core.experiments.metric.settings import Config, diameter, load_city, promise, rate
from dpot_core.experiments.metric.visits import RUNS, draw_visits, shared_histograms, visit_stream
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.metric.likely import likely_histogram
from dpot_core.mechanisms.metric.random_items import exponential_history_items
from dpot_core.mechanisms.metric.sharing import STRETCH
from dpot_core.mechanisms.metric.shuffling import ShuffledPromise, composition_rate, item_rate, largest_item_rate
from dpot_core.mechanisms.metric.shuffling_accountant import accounted_draws
from dpot_core.progress import Progress
from dpot_core.studies._kit.setting import choice, group, settings, whole

#: How one person's reports add up, with names on screen.
HOW = {"shuffling": "shuffled", "composition": "composed"}

#: Values of epsilon of the curve.
EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)

# These words stand in people's links: add, but do not reword.
WHO = {"central": "One shuffler for everybody", "local": "Everybody alone"}


@settings
class CrowdConfig:
    """Settings of the view.

    Attributes:
        base: data and protected changes.
        visits: random visits that each person reports on, m.
        who: "central": one shuffler mixes everybody's reports; "local": everybody mixes their own.
    """

    base: Config = group(Config)
    visits: int = whole(
        "Random visits that each person reports",
        100,
        low=1,
        high=1_000_000,
        step=2.0,
        factor=True,
        grid=(1.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0),
        widget="steps",
        link="visits",
        help="Each person draws so many of their own check-ins at random, with replacement, and reports a noisy cell "
        "for each. The number is public; how many check-ins a person has is not.",
    )
    who: str = choice("Who mixes the reports?", "central", WHO, widget="segments", link="shuffler")


@dataclass(frozen=True, eq=False)
class CrowdRelease:
    """What the collector gets at one value of epsilon.

    Attributes:
        config: the settings.
        ground: for maps.
        people: how many report.
        largest: largest distance, km.
        alpha: nats per largest distance between positions.
        truth: mean of the people's distributions, each visit shared among the four nearest cells, (k,).
        drawn: histogram of the visits drawn in the first run, before any noise, (k,), by way.
        promises: for histories on cells, at ``alpha/STRETCH``, by way of adding up (a key of ``HOW``); shuffling,
            counted numerically, is missing where it gains nothing over composition.
        theorem: what Theorem 4.4 would allow a shuffled report, for comparison; None where it says nothing.
        item_rates: alpha_0 of a report about a known visit, nats per largest distance between positions, by way.
        reports: histogram of the reports, (RUNS, k), by way.
        estimates: likely histogram, (RUNS, k), by way.
        kilometres: earth mover's distance of the estimates to the truth, (RUNS,), km, by way.
        baselines: the same for the user-level baselines, by name.
        unseen: the same for an even spread over the map, km: what one knows without any report.
    """

    config: CrowdConfig
    ground: CityMap
    people: int
    largest: float
    alpha: float
    truth: Array
    drawn: dict[str, Array]
    promises: dict[str, ShuffledPromise]
    theorem: ShuffledPromise | None
    item_rates: dict[str, float]
    reports: dict[str, Array]
    estimates: dict[str, Array]
    kilometres: dict[str, Array]
    baselines: dict[str, Array]
    unseen: float

    @property
    def simulated(self) -> bool:
        """Whether the people are invented."""
        return self.ground.simulated

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
    def guarantee(self) -> Guarantee:
        """Of one release by the better of the two ways."""
        return self.promise(self.better)

    def promise(self, how: str) -> Guarantee:
        """Of one release by one way.

        Args:
            how: a key of ``promises``.
        """
        found = self.promises[how]
        note = f"For one release of {self.config.visits:,} reports about random visits, for histories of any lengths"
        if found.by != "composition" and self.config.who == "central":
            note += "; one shuffler sees all reports: the order of the reports must not be seen by anybody else"
        public = ("the number of visits reported on", "the grid")
        return promise(self.config.base, self.largest, found.delta, public, note + ".")

    @property
    def better(self) -> str:
        """The way whose reports have less noise; public, so that choosing costs nothing."""
        return max(self.promises, key=lambda how: self.item_rates[how])

    def numbers(self) -> pd.DataFrame:
        """One row for each way and each baseline."""
        rows = []
        for how, found in self.promises.items():
            rows.append(
                {
                    "release": f"{HOW[how]}, estimates",
                    "neighbours": "earth-mover",
                    "beta of a report on a random visit": found.item_rate * STRETCH,
                    "beta by Theorem 4.4": self.by_theorem if how == "shuffling" else math.nan,
                    "alpha_0 of a report on a known visit": self.item_rates[how],
                    "alpha": self.spent(how),
                    "delta": found.delta,
                    **self._row(self.kilometres[how]),
                }
            )
        for name, runs in self.baselines.items():
            neighbours = "replace" if name == "laplace" else "local"
            rows.append({"release": BASELINES[name], "neighbours": neighbours, **self._row(runs)})
        table = pd.DataFrame(rows)
        table.insert(0, "simulated", self.simulated)
        table.insert(1, "epsilon", self.config.base.epsilon)
        return table

    def _row(self, runs: Array) -> dict[str, float]:
        return {
            "error km": float(runs.mean()),
            "s.d. km": float(runs.std(ddof=1)),
            "error d_EM": float(runs.mean()) / self.largest,
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn on the maps."""
        cells = {"truth": self.truth}
        for how in self.promises:
            cells[f"visits drawn, {HOW[how]}"] = self.drawn[how]
            cells |= {f"reports, {HOW[how]}": self.reports[how][0], f"estimate, {HOW[how]}": self.estimates[how][0]}
        return {"crowd-cells": self.ground.cells(cells), "crowd-errors": self.numbers()}

    def headlines(self) -> dict[str, float]:
        """The numbers that a person would compare."""
        found = {f"alpha_0, {HOW[how]} (nats per largest distance)": value for how, value in self.item_rates.items()}
        return found | {f"error of the estimate, {HOW[how]} (km)": self.mean(how) for how in self.promises}


def release_crowd(config: CrowdConfig, city: City, progress: Progress | None = None) -> CrowdRelease:
    r"""Draw visits, report on them, and make a map of the reports.

    Three steps of the proof: sharing visits among cells lets distances between histories grow by at most
    ``STRETCH = sqrt 2`` (`sharing`); a report on a random visit is beta-private for histories on cells
    (`random_items`); m reports add up to ``alpha/STRETCH`` by shuffling (`shuffling_accountant`) or by
    composition. Visits and noise of each way, and of each setting, are independent, so that releases add up.

    Args:
        config: the settings.
        city: the city.
        progress: called with (steps done, steps in all).

    Raises:
        ValueError: if a setting is out of range.
    """
    base, largest = config.base, diameter(city)
    alpha, people = rate(base, largest), city.check_ins.n_users
    histograms = shared_histograms(city)
    truth, on_cells = np.asarray(histograms.mean(axis=0)), alpha / STRETCH
    users = people if config.who == "central" else 1
    promises, theorem = {}, None
    if largest_item_rate(base.delta, config.visits, users) > 0.0:
        theorem = item_rate(on_cells, base.delta, config.visits, users)
    counted = accounted_draws(on_cells, base.delta, config.visits, users)
    if counted.by != "composition":
        promises["shuffling"] = counted
    promises["composition"] = composition_rate(on_cells, config.visits)
    unit = city.grid.space.distances() / largest
    # Steps: each way's noise, its runs and their distances; the distances of the baselines.
    done, total = 0, len(promises) * (1 + 2 * RUNS) + len(BASELINES) * RUNS

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    if progress is not None:
        progress(0, total)
    item_rates: dict[str, float] = {}
    drawn: dict[str, Array] = {}
    reports: dict[str, Array] = {}
    estimates: dict[str, Array] = {}
    for how, found in promises.items():
        made = exponential_history_items(unit, found.item_rate)
        item_rates[how] = made.item_rate * STRETCH
        rng = visit_stream(how, found.item_rate, config.visits, people, largest, len(truth))
        visited = draw_visits(histograms, config.visits, rng)
        drawn[how] = np.asarray(visited[0] / visited[0].sum())
        counts, likely = [], []
        step()
        for row in visited:
            made_of_it = made.mechanism.release_counts(row, rng)
            counts.append(made_of_it / row.sum())
            likely.append(likely_histogram(made.mechanism.kernel, made_of_it))
            step()
        reports[how], estimates[how] = np.array(counts), np.array(likely)

    def far(runs: Array) -> Array:
        found = []
        for run in runs:
            found.append(city.kilometres(truth, run))
            step()
        return np.array(found)

    even = np.full(len(truth), 1.0 / len(truth))
    return CrowdRelease(
        config=config,
        ground=city.map,
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
        baselines={name: far(runs) for name, runs in whole_user_estimates(base.epsilon, histograms).items()},
        unseen=float(city.kilometres(truth, even)),
    )


@dataclass(frozen=True, eq=False)
class CrowdErrors:
    """Releases at several values of epsilon, ascending.

    Attributes:
        points: one for each epsilon.
    """

    points: tuple[CrowdRelease, ...]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number of the curve."""
        return {"crowd-against-epsilon": pd.concat([point.numbers() for point in self.points], ignore_index=True)}


def crowd_errors(points: Iterable[CrowdRelease]) -> CrowdErrors:
    """Put releases at several values of epsilon beside each other.

    Args:
        points: with different values of epsilon.
    """
    return CrowdErrors(tuple(sorted(points, key=lambda point: point.config.base.epsilon)))


def at_epsilon(config: CrowdConfig, epsilon: float) -> CrowdConfig:
    """The same settings with another epsilon for the protected changes; alpha is in proportion.

    Args:
        config: the settings.
        epsilon: nats.
    """
    return replace(config, base=replace(config.base, epsilon=epsilon))


def run(config: CrowdConfig) -> CrowdRelease:
    """Load the data and compute the view at one epsilon.

    Args:
        config: the settings.

    Raises:
        ValueError: if a setting is out of range.
    """
    return release_crowd(config, load_city(config.base))
