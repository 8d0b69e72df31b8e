from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import pandas as pd

from dpot_core.datasets import digests
from dpot_core.guarantees import Guarantee
from dpot_core.progress import Progress
from dpot_core.searches import Search, first_tries, smallest, smallest_on_grid
from dpot_core.studies._kit.cache import cached
from dpot_core.studies._kit.need import Need, Side
from dpot_core.studies.decide.settings import HIGHEST, LOWEST, NEEDS, START, TOLERANCE, Config


@dataclass(frozen=True)
class Searches:
    side: Side
    searches: Mapping[str, Search]

    @property
    def common(self) -> Mapping[str, tuple[tuple[float, float], ...]]:
        """(epsilon, value) of what is tried whatever the target is, by mechanism."""
        first = {*first_tries(LOWEST, HIGHEST, START), *self.side.grid}
        return {
            name: tuple(point for point in search.points if point[0] in first) for name, search in self.searches.items()
        }

    @property
    def best(self) -> tuple[str, float] | None:
        """The mechanism with the smallest epsilon, and it; None if none is known to reach the target."""
        reached = [
            (*search.high, name)
            for name, search in self.searches.items()
            if search.high is not None and name not in self.side.bounds
        ]
        if not reached:
            return None
        # Of several at one epsilon, the one with the better utility.
        sign = -1.0 if next(iter(self.searches.values())).at_least else 1.0
        epsilon, _, name = min(reached, key=lambda point: (point[0], sign * point[1]))
        return name, epsilon


@dataclass(frozen=True)
class Answer:
    """The smallest epsilon of every mechanism."""

    config: Config
    sides: Mapping[str, Searches]  # "worst" and "data", as far as they exist
    missing: Mapping[str, str]  # why a side does not exist

    @property
    def need(self) -> Need:
        return NEEDS[self.config.need]

    def guarantee(self, side: str) -> Guarantee | None:
        """What is promised at the smallest epsilon of a side, or None if no mechanism reaches the target."""
        searched = self.sides.get(side)
        if searched is None or searched.best is None:
            return None
        name, epsilon = searched.best
        if searched.side.guarantee is not None:
            guarantee = searched.side.guarantee(name, epsilon)
        else:
            public = ("the method and its settings", "epsilon")
            guarantee = Guarantee(epsilon, neighbours="local", public=public, note="For one release by each person.")
        note = f"{searched.side.labels[name]}. {guarantee.note.rstrip('.')}."
        if side == "data":
            looked = "what was learned by choosing epsilon on the data at hand"
            note += " Not covered: choosing epsilon by looking at private data. Use public, simulated or old data."
            return replace(guarantee, public=(*guarantee.public, looked), note=note)
        return replace(guarantee, note=note)

    def tables(self) -> dict[str, pd.DataFrame]:
        rows, tried = [], []
        for side, searched in self.sides.items():
            for name, search in searched.searches.items():
                where = {"simulated": searched.side.simulated, "side": side, "mechanism": searched.side.labels[name]}
                low, high = search.low or (None, None), search.high or (None, None)
                rows.append(
                    {
                        **where,
                        "target": search.target,
                        "smallest epsilon": search.found,
                        "bracket from": low[0],
                        "value there": low[1],
                        "value at the smallest epsilon": high[1],
                        "best value": search.best[1],
                        "epsilon of the best value": search.best[0],
                        "evaluations": len(search.points),
                        "method": search.method,
                        "monotone": search.monotone,
                    }
                )
                tried += [{**where, "epsilon": epsilon, "value": value} for epsilon, value in search.points]
        return {"smallest-epsilon": pd.DataFrame(rows), "evaluations": pd.DataFrame(tried)}


def run(config: Config, progress: Progress | None = None) -> Answer:
    """Find the smallest epsilon of every mechanism, in the worst case and for the data at hand.

    Where theory says that utility improves with epsilon, the search brackets the answer to `TOLERANCE`; if the values
    tried contradict it, or nothing is known, the side's grid is searched. What is stated reaches the target.

    Raises:
        DatasetMissing: if the data at hand have to be downloaded first.
    """
    need = NEEDS[config.need]
    sets = {} if need.sets is None else digests(need.sets, config.source)
    made = _sides(replace(config, target=need.default), tuple(sorted(sets.items())))
    sides = {name: side for name, side in made.items() if isinstance(side, Side)}
    work = [
        (side, mechanism, epsilon)
        for side in sides.values()
        for epsilon in side.grid
        for mechanism in side.labels
        if mechanism not in side.because
    ]
    for done, (side, mechanism, epsilon) in enumerate(work):
        # Kept by the side, so that the searches below find it done.
        side.evaluate(mechanism, epsilon)
        if progress is not None:
            progress(done + 1, len(work))
    return Answer(
        config=config,
        sides={
            name: Searches(side, {m: _search(side, need, m, config.target) for m in side.labels})
            for name, side in sides.items()
        },
        missing={name: side for name, side in made.items() if isinstance(side, str)},
    )


@cached
def _sides(config: Config, data: tuple[tuple[str, str], ...]) -> dict[str, Side | str]:
    """The worst case and the data at hand, whatever the target; what was evaluated once is kept with them.

    Args:
        data: digests of the data sets, by key.
    """
    need = NEEDS[config.need]
    made = {"worst": need.worst(config), "data": need.data(config)}
    return {
        name: replace(side, evaluate=lru_cache(maxsize=None)(side.evaluate)) if isinstance(side, Side) else side
        for name, side in made.items()
    }


def _search(side: Side, need: Need, mechanism: str, target: float) -> Search:
    def utility(epsilon: float) -> float:
        return side.evaluate(mechanism, epsilon)

    if mechanism in side.because:
        search = smallest(utility, target, LOWEST, HIGHEST, at_least=need.at_least, tol=TOLERANCE, start=START)
        if search.monotone:
            return search
    return smallest_on_grid(utility, target, side.grid, at_least=need.at_least)
