"""Which setting moves the answer most: each number is varied alone, by a stated step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import pandas as pd

from dpot_app.batch.scenarios.comparison import allowed_of
from dpot_app.batch.scenarios.scenario import Scenario
from dpot_app.kit.links import is_asked
from dpot_app.kit.values import ScenarioError, leaves, put


@dataclass(frozen=True)
class Variation:
    name: str
    label: str
    side: int  # -1 or +1
    value: float
    scenario: Scenario


@dataclass(frozen=True)
class Bar:
    name: str
    label: str
    values: tuple[float | None, float | None]  # below and above; None where the setting cannot move to that side
    answers: tuple[float | None, float | None]  # the number with these values; None where there is none

    def reach(self, answer: float) -> float:
        return max((abs(moved - answer) for moved in self.answers if moved is not None), default=0.0)


@dataclass(frozen=True)
class Sensitivity:
    """All settings, the one that moves the answer most first."""

    scenario: Scenario
    headline: str  # the number that is watched, with its unit
    answer: float
    bars: tuple[Bar, ...]  # one for each setting

    def tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {
                "setting": bar.label,
                "below": bar.values[0],
                "above": bar.values[1],
                f"{self.headline}, below": bar.answers[0],
                f"{self.headline}, above": bar.answers[1],
            }
            for bar in self.bars
        ]
        return {"sensitivity": pd.DataFrame(rows)}


def variations(scenario: Scenario) -> list[Variation]:
    """Every number of the settings that decides something moved by its step, down and up, all else as it is.

    Seeds decide nothing, nor does what no page asks for at these settings.
    """
    moves = []
    for name, value in leaves(scenario.config):
        allowed = allowed_of(scenario, name)
        if allowed.step is None or value is None or not is_asked(scenario.config, name, allowed):
            continue
        for side in (-1, 1):
            moved = value * allowed.step**side if allowed.factor else value + side * allowed.step
            moved = max(moved, -inf if allowed.low is None else allowed.low)
            moved = min(moved, inf if allowed.high is None else allowed.high)
            if isinstance(value, int):
                moved = round(moved) if round(moved) != value else value + side
            if moved == value:
                continue
            try:
                changed = replace(scenario, config=put(scenario.config, name, moved))
            except ScenarioError:
                continue  # the settings do not fit together on that side
            moves.append(Variation(name, allowed.label, side, moved, changed))
    return moves


def sensitivity(
    scenario: Scenario,
    headline: str,
    answer: float,
    moved: Sequence[tuple[Variation, Mapping[str, float] | None]],
) -> Sensitivity:
    """Put beside each other what the variations give; None where it could not be computed."""
    bars = []
    for name, label in {variation.name: variation.label for variation, _ in moved}.items():
        sides = {
            one.side: (one.value, None if numbers is None else numbers.get(headline))
            for one, numbers in moved
            if one.name == name
        }
        (below, low), (above, high) = (sides.get(side, (None, None)) for side in (-1, 1))
        bars.append(Bar(name, label, (below, above), (low, high)))
    bars.sort(key=lambda bar: -bar.reach(answer))
    return Sensitivity(scenario, headline, answer, tuple(bars))
