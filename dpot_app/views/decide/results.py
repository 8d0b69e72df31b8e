from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial
from typing import Any

import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.need import NO_FILES, Need, Side
from dpot_app.kit.view import Files
from dpot_app.kit.workers.asking import Job, are_open, elsewhere
from dpot_app.views.decide.curves import Curve, shipped
from dpot_app.views.decide.searches import Search, first_tries, smallest, smallest_on_grid, so_far
from dpot_app.views.decide.settings import HIGHEST, LOWEST, NEEDS, START, TOLERANCE, Config
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import digests
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import enumeration


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
        """The mechanism with the smallest epsilon, and it; None if none is known to reach the target for good.

        A target that is met, missed and met again counts from where it is met for good: a reader who takes a
        little more epsilon than is said must not lose what was asked for.
        """
        reached = [
            (*search.good, name)
            for name, search in self.searches.items()
            if search.good is not None and name not in self.side.bounds
        ]
        if not reached:
            return None
        # Of several at one epsilon, the one with the better utility.
        sign = -1.0 if next(iter(self.searches.values())).at_least else 1.0
        epsilon, _, name = min(reached, key=lambda point: (point[0], sign * point[1]))
        return name, epsilon

    @property
    def tied(self) -> tuple[str, ...]:
        """All mechanisms that reach the target for good at the epsilon that is said, the best first."""
        if self.best is None:
            return ()
        others = {
            name: search.good[0]
            for name, search in self.searches.items()
            if search.good is not None and name not in self.side.bounds and name != self.best[0]
        }
        return (self.best[0], *(name for name, epsilon in others.items() if in_words(epsilon) == self.said))

    @property
    def said(self) -> float | None:
        """The smallest epsilon of all in the digits that are said everywhere: see `in_words`."""
        return None if self.best is None else in_words(self.best[1])

    def around(self, name: str) -> tuple[tuple[float, float], tuple[float, float] | None] | None:
        """What is said of a mechanism: its smallest epsilon with the value there, and the next smaller one that misses.

        Where utility improves with epsilon, these are the two neighbours in the digits that are said. None if the
        target is not reached for good.
        """
        search = self.searches[name]
        if search.good is None:
            return None
        if search.method == "grid" or search.missed is None:
            return search.good, search.missed
        said, below = in_words(search.good[0]), in_words(search.missed[0], up=False)
        return (said, self.side.evaluate(name, said)), (below, self.side.evaluate(name, below))


@dataclass(frozen=True)
class Answer:
    """The smallest epsilon of every mechanism."""

    config: Config
    sides: Mapping[str, Searches]  # "worst" and "data", as far as they exist
    missing: Mapping[str, str]  # why a side does not exist

    @property
    def need(self) -> Need:
        return NEEDS[self.config.need]

    def public(self, side: str) -> bool:
        """Whether a side reads no person's data: a worst case, unless its map is drawn around real people."""
        if self.config.own is not None:
            return False
        data = self.sides.get("data")
        return side == "worst" and (self.need.sets is None or (data is not None and data.side.simulated))

    def guarantee(self, side: str) -> Guarantee | None:
        """What is promised at the smallest epsilon of a side, or None if no mechanism reaches the target."""
        searched = self.sides.get(side)
        if searched is None or searched.best is None:
            return None
        name, epsilon = searched.best[0], in_words(searched.best[1])
        if searched.side.guarantee is not None:
            guarantee = searched.side.guarantee(name, epsilon)
        else:
            public = ("the method and its settings", "ε")
            guarantee = Guarantee(epsilon, neighbours="local", public=public, note="For one release by each person.")
        tied = [searched.side.labels[other] for other in searched.tied if other != name]
        same = f" ({enumeration(tied)} reach the target at the same ε)" if tied else ""
        notes = (searched.side.labels[name] + same, guarantee.note[:1].upper() + guarantee.note[1:].rstrip("."))
        note = " ".join(f"{words}." for words in notes if words)
        if side == "data":
            looked = "what was learned by choosing ε on the data at hand"
            note += " Not covered: choosing ε by looking at private data. Use public, simulated or old data."
            return replace(guarantee, public=(*guarantee.public, looked), note=note)
        return replace(guarantee, note=note)

    def tables(self) -> dict[str, pd.DataFrame]:
        rows, tried = [], []
        for side, searched in self.sides.items():
            for name, search in searched.searches.items():
                where = {"simulated": searched.side.simulated, "side": side, "mechanism": searched.side.labels[name]}
                low, high = search.low or (None, None), search.high or (None, None)
                good = search.good or (None, None)
                rows.append(
                    {
                        **where,
                        "target": search.target,
                        "smallest epsilon": search.found,
                        "bracket from": low[0],
                        "value there": low[1],
                        "value at the smallest epsilon": high[1],
                        "reached for good from": good[0],
                        "value for good": good[1],
                        "best value": search.best[1],
                        "epsilon of the best value": search.best[0],
                        "evaluations": len(search.points),
                        "method": search.method,
                        "monotone": search.monotone,
                    }
                )
                tried += [{**where, "epsilon": epsilon, "value": value} for epsilon, value in search.points]
        return {"smallest-epsilon": pd.DataFrame(rows), "evaluations": pd.DataFrame(tried)}


def in_words(epsilon: float, up: bool = True) -> float:
    """An epsilon in the three significant digits that are said: up, it still reaches what the longer one reaches.

    >>> in_words(7.41889977), in_words(7.41889977, up=False), in_words(4.0), in_words(0.1), in_words(10.04)
    (7.42, 7.41, 4.0, 0.1, 10.1)
    """
    exact = Decimal(repr(float(epsilon)))
    unit = Decimal(1).scaleb(exact.adjusted() - 2)
    return float(exact.quantize(unit, ROUND_CEILING if up else ROUND_FLOOR)) if exact else 0.0


def run(config: Config, progress: Progress | None = None, files: Files = NO_FILES) -> Answer:
    """Find the smallest epsilon of every mechanism, in the worst case and for the data at hand.

    Where theory says that utility improves with epsilon, the search brackets the answer to `TOLERANCE`; if the values
    tried contradict it, or nothing is known, the side's grid is searched. What is stated reaches the target.

    Raises:
        DatasetMissing: if the data at hand have to be downloaded first.
    """
    need, (sides, missing) = NEEDS[config.need], _sides(config, files)
    work = list(_first(sides))
    for done, (side, mechanism, epsilon) in enumerate(work):
        # Kept by the side, so that the searches below find it done.
        side.evaluate(mechanism, epsilon)
        if progress is not None:
            progress(done + 1, len(work))
    return Answer(config, {name: searched(side, need, config.target) for name, side in sides.items()}, missing)


def unfinished(config: Config, files: Files = NO_FILES) -> Answer | None:
    """What is known while `run` is at work: of every mechanism the values tried so far; None while there are none."""
    need, (sides, missing) = NEEDS[config.need], _sides(config, files)
    found = {}
    for name, side in sides.items():
        tried = {m: side.evaluate.known(m) for m in side.labels if isinstance(side.evaluate, Curve)}
        searches = {m: so_far(points, config.target, at_least=need.at_least) for m, points in tried.items() if points}
        if searches:
            found[name] = Searches(side, searches)
    return Answer(config, found, missing) if found else None


def _first(sides: Mapping[str, Side]) -> Iterator[tuple[Side, str, float]]:
    """What is tried whatever the target is, from the smallest epsilon to the largest."""
    for side in sides.values():
        tries = {m: first_tries(LOWEST, HIGHEST, START) if m in side.because else side.grid for m in side.labels}
        yield from sorted(((side, m, e) for m, epsilons in tries.items() for e in epsilons), key=lambda one: one[2])


def _sides(config: Config, files: Files) -> tuple[Mapping[str, Side], Mapping[str, str]]:
    """The worst case and the data at hand, and why one of them does not exist."""
    need = NEEDS[config.need]
    made = _made(replace(config, target=need.default), tuple(sorted(digests_of(config).items())), files)
    sides = {name: side for name, side in made.items() if isinstance(side, Side)}
    return sides, {name: side for name, side in made.items() if isinstance(side, str)}


def digests_of(config: Config) -> Mapping[str, str]:
    """Digests of the data sets that the settings name, by key; of a file of the reader's own there is none."""
    sets = NEEDS[config.need].sets
    return {} if sets is None or config.own else digests(sets, config.source)


@cached
def _made(config: Config, data: tuple[tuple[str, str], ...], files: Files = NO_FILES) -> dict[str, Side | str]:
    """Both sides, whatever the target; what was evaluated once, or came with the package, is kept with them.

    Args:
        data: digests of the data sets, by key.
        files: contents of the reader's own files, by role.
    """
    need = NEEDS[config.need]
    given: tuple[Any, ...] = (config,) if need.own is None else (config, files)
    made = {"worst": need.worst(*given), "data": need.data(*given)}
    by_worker = partial(_by_worker, config, data)
    return {
        name: replace(
            side,
            evaluate=Curve(
                partial(by_worker, name, side.evaluate) if need.heavy and not files else side.evaluate,
                shipped(config, data, name, side),
            ),
        )
        if isinstance(side, Side)
        else side
        for name, side in made.items()
    }


def _by_worker(
    config: Config,
    data: tuple[tuple[str, str], ...],
    side: str,
    here: Callable[[str, float], float],
    mechanism: str,
    epsilon: float,
) -> float:
    if not are_open():
        return here(mechanism, epsilon)
    return float(elsewhere(Job(_value, (config, data, side, mechanism, epsilon))))


def _value(
    config: Config, data: tuple[tuple[str, str], ...], side: str, mechanism: str, epsilon: float, progress: Progress
) -> float:
    """Utility of a mechanism at an epsilon, in a worker."""
    progress(0, 1)
    made = _made(config, data)[side]
    if isinstance(made, str):
        raise ValueError(made)
    return made.evaluate(mechanism, epsilon)


def searched(side: Side, need: Need, target: float) -> Searches:
    """Every mechanism of a side searched for a target, and evaluated at what is said of it."""
    found = Searches(side, {mechanism: _search(side, need, mechanism, target) for mechanism in side.labels})
    for mechanism in side.labels:
        found.around(mechanism)
    return found


def _search(side: Side, need: Need, mechanism: str, target: float) -> Search:
    def utility(epsilon: float) -> float:
        return side.evaluate(mechanism, epsilon)

    if mechanism in side.because:
        search = smallest(utility, target, LOWEST, HIGHEST, at_least=need.at_least, tol=TOLERANCE, start=START)
        if search.monotone:
            return search
    return smallest_on_grid(utility, target, side.grid, at_least=need.at_least)
