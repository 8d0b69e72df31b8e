"""What one of m reports may cost: by shuffling, by the paper's closed forms, by plain composition."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_core.checks import Array
from dpot_core.experiments.metric.crowd import CrowdConfig
from dpot_core.experiments.metric.settings import rate
from dpot_core.mechanisms.metric.sharing import STRETCH
from dpot_core.mechanisms.metric.shuffling import (
    closed_form_rate,
    composition_rate,
    item_rate,
    largest_item_rate,
)

#: Numbers of reports of each person.
REPORTS = tuple(int(number) for number in np.unique(np.round(np.geomspace(1, 100_000, 61))))


@dataclass(frozen=True, eq=False)
class Budgets:
    """beta of one report, nats per largest distance between positions, against the number of reports.

    Attributes:
        config: the settings.
        reports: m, ascending.
        shuffled: Theorem 4.4, solved; nan where it says nothing.
        closed_form: equation 6 (local) or 7 (central), for comparison only; nan where there is none.
        composed: alpha/m.
    """

    config: CrowdConfig
    reports: Array
    shuffled: Array
    closed_form: Array
    composed: Array

    @property
    def pays_from(self) -> int | None:
        """The smallest m shown from which on shuffling allows more than composition; None if there is none."""
        worse = np.flatnonzero(~(np.nan_to_num(self.shuffled) > self.composed))
        first = int(worse[-1]) + 1 if worse.size else 0
        return int(self.reports[first]) if first < len(self.reports) else None

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn."""
        columns = {
            "reports m": self.reports,
            "beta, shuffled (Theorem 4.4)": self.shuffled,
            "beta, closed form (6)/(7)": self.closed_form,
            "beta, composed": self.composed,
        }
        return {"cost-of-a-report": pd.DataFrame(columns)}


def budgets(config: CrowdConfig, largest: float, people: int) -> Budgets:
    """What one report may cost against the number of reports of each person.

    Args:
        config: the settings; its number of visits does not enter.
        largest: largest distance in the city, km.
        people: how many report.

    Raises:
        ValueError: if a setting is out of range.
    """
    delta, on_cells = config.base.delta, rate(config.base, largest) / STRETCH
    users = people if config.who == "central" else 1
    shuffled, closed, composed = [], [], []
    for m in REPORTS:
        speaks = largest_item_rate(delta, m, users) > 0.0
        shuffled.append(item_rate(on_cells, delta, m, users).item_rate if speaks else math.nan)
        closed.append(closed_form_rate(on_cells, delta, m, users))
        composed.append(composition_rate(on_cells, m).item_rate)
    return Budgets(config, np.array(REPORTS), *(np.array(line) * STRETCH for line in (shuffled, closed, composed)))
