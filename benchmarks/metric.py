"""Metric privacy: a histogram of ten million items from private reports; the time to solve the shuffle accounting."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.measurement import PRODUCT, Measurement, product, times
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.frequency import estimate_frequencies
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.items import ItemMechanism, counts_of
from dpot_core.mechanisms.metric.shuffling import item_rate

USERS, ITEMS = 100_000, 100
SPACE = ClusteredSpace(32, 32, 0.1)
#: Items that the reference draws one by one; its time is scaled to all items.
SAMPLED = 4000


def measure() -> Iterator[Measurement]:
    """10^7 items in k = 1024 points: every report drawn and decoded; the dense decoder; the accounting."""
    k = len(SPACE)
    items = np.random.default_rng(0).integers(k, size=(USERS, ITEMS), dtype=np.int64)
    for name, mechanism in {"GKRR": Gkrr(SPACE, 1.0), "Hadamard response": HadamardResponse(k, 1.0)}.items():
        ours = _seconds(lambda mechanism=mechanism: _estimate(mechanism, items))
        what = f"{name}: {USERS:,} users x {ITEMS} items, k = {k}"
        one_by_one = _seconds(lambda mechanism=mechanism: _draw_one_by_one(mechanism, items.ravel()[:SAMPLED]))
        scaled = one_by_one * items.size / SAMPLED
        yield Measurement(what, ours, f"rng.choice per item, {SAMPLED:,} scaled", scaled, 1 / 20)

    mechanism = Gkrr(SPACE, 1.0)
    counts = counts_of(items, k)
    reports = mechanism.release_counts(counts, np.random.default_rng(1)) / items.size
    found: dict[str, np.ndarray] = {}

    def closed_form() -> None:
        found["ours"] = mechanism.decode(reports)

    def dense() -> None:
        found["dense"] = np.linalg.solve(mechanism.matrix().T, reports)

    ours, reference = times(closed_form, dense)
    differ = np.abs(found["ours"] - found["dense"]).max()
    what = f"GKRR: decoding k = {k} in closed form"
    yield Measurement(what, ours, "numpy.linalg.solve", reference, 1 / 20, f"differs by {differ:.0e}")

    solving = min(_seconds(lambda: item_rate(25.0, 1e-12, 1000, 100_000)) for _ in range(5))
    yield Measurement("shuffle accounting solved for (alpha, delta)", solving, PRODUCT, product(), 1.0)


def _estimate(mechanism: ItemMechanism, items: np.ndarray) -> None:
    reports = mechanism.release(items, np.random.default_rng(1))
    estimate_frequencies(mechanism, counts_of(reports, mechanism.symbols), SPACE)


def _draw_one_by_one(mechanism: ItemMechanism, items: np.ndarray) -> None:
    rng, matrix = np.random.default_rng(1), mechanism.matrix()
    for item in items:
        rng.choice(mechanism.symbols, p=matrix[item])


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
