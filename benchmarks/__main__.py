"""Speed, as ratios in one run: ``make bench``. Ends with an error when an aim is missed.

Every other module of this folder that has a function ``measure()`` takes part; it yields ``Measurement`` objects.
Names on the command line choose modules: ``python -m benchmarks exact_projection``.
"""

import importlib
import pkgutil
import sys
import traceback
from collections.abc import Iterator

import benchmarks
from benchmarks.measurement import Measurement
from dpot_app.machine import one_thread_each

ROW = "{:<58}{:>9}  {:<34}{:>9}  {:>9}  {:>9}  {:<6} {}"


def factor(ratio: float) -> str:
    """A ratio of times: 1.40x the time, or 1/16.2 of it."""
    return f"{ratio:.2f}x" if ratio >= 1 else f"1/{1 / ratio:.1f}"


def row(measured: Measurement) -> str:
    return ROW.format(
        measured.what,
        f"{measured.seconds:.3f} s",
        measured.reference,
        f"{measured.reference_seconds:.3f} s",
        factor(measured.ratio),
        factor(measured.at_most),
        "yes" if measured.met else "NO",
        measured.note,
    )


def measurements(chosen: list[str]) -> Iterator[Measurement | None]:
    """What every module measures; None where one fails, which leaves the others as they are."""
    names = chosen or [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    for name in names:
        module = importlib.import_module(f"benchmarks.{name}")
        if chosen or hasattr(module, "measure"):
            try:
                yield from module.measure()
            except Exception:
                traceback.print_exc()
                yield None


def main() -> None:
    one_thread_each()  # as the app has it: a thread that waits for another one takes processor time, too
    print(ROW.format("ours", "time", "reference", "time", "ratio", "at most", "met", ""))
    met = []
    for measured in measurements(sys.argv[1:]):
        if measured is not None:
            print(row(measured), flush=True)
        met.append(measured is not None and measured.met)
    print(f"{met.count(True)} passed, {met.count(False)} failed")
    if not met or not all(met):
        sys.exit(1)


if __name__ == "__main__":
    main()
