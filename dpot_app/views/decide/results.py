from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd

from dpot_app.kit.cache import cached
from dpot_app.kit.need import NO_FILES, Need, Side
from dpot_app.kit.view import Files
from dpot_app.kit.workers.jobs import Job, are_open, elsewhere
from dpot_app.views.decide.curves import Curve, shipped
from dpot_app.views.decide.searched import Searches, in_words
from dpot_app.views.decide.searches import Search, first_tries, smallest, smallest_on_grid, so_far
from dpot_app.views.decide.settings import HIGHEST, LOWEST, NEEDS, START, TOLERANCE, Config
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import digests
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import enumeration


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
        """The promise at the smallest epsilon of a side, or None if no mechanism reaches the target."""
        searched = self.sides.get(side)
        if searched is None or searched.best is None:
            return None
        name, guarantee = searched.best[0], searched.promise(in_words(searched.best[1]))
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
        rows, tried, halves = [], [], []
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
            halves += [
                {
                    "simulated": searched.side.simulated,
                    "side": side,
                    "mechanism": searched.side.labels[one.mechanism],
                    "epsilon": one.epsilon,
                    "value": one.value,
                    "guess of two right at most": one.promise.weakest.posterior(0.5),
                    "a belief of 10% becomes at most": None
                    if one.promise.weakest.delta
                    else one.promise.weakest.posterior(0.1),
                }
                for one in searched.multiples
            ]
        tables = {"smallest-epsilon": pd.DataFrame(rows), "evaluations": pd.DataFrame(tried)}
        return tables | ({"why-not-half": pd.DataFrame(halves)} if halves else {})


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
    """The state of `run` while it is at work: of every mechanism the values tried so far; None while there are none."""
    need, (sides, missing) = NEEDS[config.need], _sides(config, files)
    found = {}
    for name, side in sides.items():
        tried = {m: side.evaluate.known(m) for m in side.labels if isinstance(side.evaluate, Curve)}
        searches = {m: so_far(points, config.target, at_least=need.at_least) for m, points in tried.items() if points}
        if searches:
            found[name] = Searches(side, searches)
    return Answer(config, found, missing) if found else None


def _first(sides: Mapping[str, Side]) -> Iterator[tuple[Side, str, float]]:
    """Epsilons that are tried whatever the target is, from the smallest to the largest."""
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
    _ = found.multiples
    return found


def _search(side: Side, need: Need, mechanism: str, target: float) -> Search:
    def utility(epsilon: float) -> float:
        return side.evaluate(mechanism, epsilon)

    if mechanism in side.because:
        search = smallest(utility, target, LOWEST, HIGHEST, at_least=need.at_least, tol=TOLERANCE, start=START)
        if search.monotone:
            return search
    return smallest_on_grid(utility, target, side.grid, at_least=need.at_least)
