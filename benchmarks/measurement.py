"""One line of the table: our time against a reference's time, both taken in the same run."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

#: The peer of what has no rival to be compared with.
PRODUCT = "a NumPy product, 1,000 x 1,000"


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


def product(clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds that NumPy takes here and now for the product of two matrices, 1,000 x 1,000: the median of nine."""
    one, other = np.random.default_rng(0).random((2, 1000, 1000))
    return statistics.median(_seconds(lambda: one @ other, clock) for _ in range(9))


def _seconds(run: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    run()
    return clock() - start
