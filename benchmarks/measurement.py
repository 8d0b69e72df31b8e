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


def best_times(*runs: Callable[[], object], repeats: int = 3) -> list[float]:
    """Shortest time of each run in seconds: what else the machine does can only add to it.

    The runs take turns, so that a busy moment hits all of them and not only one side of a ratio.
    """
    times = [float("inf")] * len(runs)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            start = time.perf_counter()
            run()
            times[i] = min(times[i], time.perf_counter() - start)
    return times
