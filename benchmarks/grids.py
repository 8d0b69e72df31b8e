"""Algorithm 1 on grids: without the cost matrix against with it, and what a cell costs as the grid grows.

On a quiet machine, processor time of 40 iterations. p = 2: 1.1 us a cell at 32 x 32, 1.3 at 100 x 100, 4.1 at
316 x 316, 7.7 at 1000 x 1000 (7.7 s, 350 MB). p = 1: 12 us a cell at 32 x 32, 16 at 64 x 64, 54 at 128 x 128 (0.9 s),
50 at 256 x 256, 66 at 1000 x 1000 (66 s, 599 MB).
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import dpot_core as dpot
from benchmarks.measurement import Measurement, times

ITERATIONS, EPSILON, REG = 40, 2.0, 0.01
#: Cells on an axis of the largest grid that both can do in a moment, and of the curves.
BOTH = 56
CURVES = {2: (32, 100, 316, 1000), 1: (32, 128, 1000)}


def measure() -> Iterator[Measurement]:
    """Against the matrix, then the cost of a cell from 10^3 cells on, each in a process of its own."""
    for p in (2, 1):
        yield _against_the_matrix(p)
    for p, sizes in CURVES.items():
        seconds, _ = _alone(sizes[0], p)
        smallest = seconds / sizes[0] ** 2
        for n in sizes[1:]:
            seconds, megabytes = _alone(n, p)
            # With p = 2 a cell takes 4 n multiplications an iteration, with p = 1 up to 2 n^2; beyond 128 x 128 cells
            # it takes transforms of tiles, whose cost a cell hardly grows.
            yield Measurement(
                f"a cell of {n} x {n}, p = {p}, {ITERATIONS} iterations",
                seconds / n**2 * 1e6,
                f"a million times; of {sizes[0]} x {sizes[0]}",
                smallest * 1e6,
                (min(n, 128) / sizes[0]) ** 2 if p == 1 else n / sizes[0],
                f"{seconds:.1f} s of processor time in all, {megabytes:.0f} MB",
            )
            most = 1500.0 if p == 1 and n == 1000 else 600.0
            if megabytes > most:
                raise MemoryError(f"{n} x {n}, p = {p}: {megabytes:.0f} MB, over {most:.0f}")


def _against_the_matrix(p: int) -> Measurement:
    space = dpot.grid(BOTH, BOTH)
    mu = dpot.dirichlet(len(space), 0.1, np.random.default_rng(0))
    grid = dpot.grid_cost(space, p)
    Q = dpot.Polytope(dpot.best_uniform_base(grid, EPSILON), EPSILON)
    outputs = {}

    def bare() -> None:
        outputs["bare"] = dpot.project_entropic(mu, grid, Q, REG * grid.max(), ITERATIONS, tol=0.0).output

    def dense() -> None:
        cost = dpot.cost_matrix(space, p=p)
        outputs["dense"] = dpot.project_entropic(mu, cost, Q, REG * grid.max(), ITERATIONS, tol=0.0).output

    ours, theirs = times(bare, dense, repeats=3)
    difference = float(np.abs(outputs["bare"] - outputs["dense"]).max())
    if difference > 1e-9 / len(space):
        raise ArithmeticError(f"outputs differ by {difference:.1e}")
    return Measurement(
        f"Algorithm 1 without a matrix, {BOTH} x {BOTH}, p = {p}",
        ours,
        "with the matrix",
        theirs,
        1 / 20 if p == 2 else 1 / 4,
        f"outputs differ by {difference:.0e}",
    )


def _alone(n: int, p: int) -> tuple[float, float]:
    """Seconds of processor time and the most megabytes of a process that projects one input on n x n cells."""
    done = subprocess.run([sys.executable, "-m", __name__, str(n), str(p)], capture_output=True, text=True, check=True)
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)


def _project(n: int, p: int) -> None:
    cost = dpot.grid_cost(dpot.grid(n, n), p)
    mu = dpot.dirichlet(n * n, 0.1, np.random.default_rng(0))
    start = time.process_time()
    Q = dpot.Polytope(dpot.best_uniform_base(cost, EPSILON), EPSILON)
    repeats = max(1, 10_000 // (n * n))
    for _ in range(repeats):
        found = dpot.project_entropic(mu, cost, Q, REG * cost.max(), ITERATIONS, tol=0.0)
    seconds = (time.process_time() - start) / repeats
    if found.iterations != ITERATIONS or not Q.contains(found.output):
        raise ArithmeticError(f"{found.iterations} iterations, or an output outside the polytope")
    print(seconds, _most_memory())


def _most_memory() -> float:
    """Megabytes that this process had at most. `resource` would count those of the process that started it, too."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return float(line.split()[1]) / 1e3


if __name__ == "__main__":
    _project(int(sys.argv[1]), int(sys.argv[2]))
