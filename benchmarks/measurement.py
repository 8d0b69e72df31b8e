"""One line of the table: our time against a reference's time, both taken in the same run."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measurement:
    """Our time over the reference's time, and what it may be at most.

    Attributes:
        what: what was done, with its size.
        seconds: our time.
        reference: what it is compared with.
        reference_seconds: its time.
        at_most: largest ratio ``seconds / reference_seconds`` that meets the aim: 1/12 for "12 times faster".
        note: what else was checked in passing, such as the difference of the two values.
    """

    what: str
    seconds: float
    reference: str
    reference_seconds: float
    at_most: float
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.seconds / self.reference_seconds

    @property
    def met(self) -> bool:
        return self.ratio <= self.at_most


def times(ours: Callable[[], object], reference: Callable[[], object], repeats: int = 5) -> tuple[float, float]:
    """Seconds of both in the round whose ratio is the median one.

    The two take turns, because a busy machine slows neighbours alike; the best time of each would favour the shorter
    run, which fits more easily into a quiet moment.
    """
    rounds = [(_seconds(ours), _seconds(reference)) for _ in range(repeats)]
    return sorted(rounds, key=lambda pair: pair[0] / pair[1])[repeats // 2]


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
