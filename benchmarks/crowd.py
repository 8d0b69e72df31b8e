"""A crowd of 500: each person on the rows of their own cells, against the kernel of all cells; whole crowds."""

import time
from collections.abc import Iterator

import numpy as np

import dpot_core as dpot
from benchmarks.measurement import Measurement, times
from dpot_core.cities.city import ITERATIONS, City, make_city
from dpot_core.cities.crowd import crowd_at
from dpot_core.cities.place import CROWD_SIDE, USUAL_SIDE, Place
from dpot_core.datasets import simulated_city
from dpot_core.studies.geolocation.base import make_base
from dpot_core.transport.entropic import boxed_entropic
from dpot_core.transport.few_places import entropic_of_places

EPSILON, REG = 2.0, 0.01


def measure() -> Iterator[Measurement]:
    """Simulated people, epsilon = 2, best uniform base; what is asked for is one crowd, its four estimates and W_1."""
    yield _own_rows()
    for side, seconds in ((USUAL_SIDE, 5.0), (CROWD_SIDE, 30.0)):
        city = make_city(simulated_city(), Place(n=side))
        for reg in (REG, None):
            yield _whole(city, reg, seconds)


def _own_rows() -> Measurement:
    """Algorithm 1 for 100 people at 40 x 40 cells."""
    city = make_city(simulated_city(), Place(n=USUAL_SIDE))
    mu = city.histograms[:100]
    Q = dpot.Polytope(make_base(city, "best-uniform", EPSILON), EPSILON)
    outputs = {}

    def solve(name: str, way) -> None:
        outputs[name] = way(mu, city.cost, Q.lower, Q.upper, REG, ITERATIONS, 1e-9).output

    ours, theirs = times(lambda: solve("ours", entropic_of_places), lambda: solve("theirs", boxed_entropic), 3)
    difference = float(np.abs(outputs["ours"] - outputs["theirs"]).max())
    if difference > 1e-12:
        raise ArithmeticError(f"outputs differ by {difference:.1e}")
    return Measurement(
        f"Algorithm 1, {len(mu)} people, 40 x 40",
        ours,
        "the kernel of all cells",
        theirs,
        1 / 4,
        f"{difference:.0e} apart",
    )


def _whole(city: City, reg: float | None, seconds: float) -> Measurement:
    base = make_base(city, "best-uniform", EPSILON)
    steps = 0

    def count(_done: int, total: int) -> None:
        nonlocal steps
        steps = total

    start = time.process_time()
    result = crowd_at(city, base, EPSILON, reg, count)
    taken = time.process_time() - start
    n, how = city.grid.n, "exact" if reg is None else f"λ = {reg:g}"
    what = f"crowd of {result.people}, {n} x {n}, {how}"
    return Measurement(what, taken, "asked for (processor time)", seconds, 1.0, f"{steps} steps counted")
