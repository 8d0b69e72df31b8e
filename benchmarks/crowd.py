"""A crowd of 500: each person on the rows of their own cells, against the kernel of all; whole crowds; one person."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import dpot_core as dpot
from benchmarks.measurement import PRODUCT, Measurement, product, times
from dpot_app.cities.city import ITERATIONS, City, make_city
from dpot_app.cities.crowd import crowd_at
from dpot_app.cities.place import CROWD_SIDE, MAX_SIDE, USUAL_SIDE, Place
from dpot_app.kit.blocks import pictures
from dpot_app.live.frames import text
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.table import VIEWS
from dpot_core.datasets import simulated_city
from dpot_core.transport.entropic import boxed_entropic
from dpot_core.transport.few_places import entropic_of_places

EPSILON, REG = 2.0, 0.01


def measure() -> Iterator[Measurement]:
    """Simulated people, epsilon = 2, best uniform base; a crowd, its four estimates and W_1: processor time."""
    yield _own_rows()
    for side, at_most in ((USUAL_SIDE, 200.0), (CROWD_SIDE, 1200.0)):
        city = make_city(simulated_city(), Place(n=side))
        for reg in (REG, None):
            yield _whole(city, reg, at_most)
    yield _another_epsilon()


def _another_epsilon() -> Measurement:
    """One person at 256 x 256 cells: numbers, pictures and what is sent of them, where only epsilon is another one."""
    view, taken = VIEWS["geolocation.person"], []
    for epsilon in (1.0, 2.0, 4.0, 8.0):
        start = time.process_time()
        found = view.run(replace(view.example, place=Place(n=MAX_SIDE), epsilon=epsilon))
        sent = [text(picture.draw().to_dict()) for picture in pictures(view.show(found.config, *found.parts))]
        taken.append(time.process_time() - start)
    what = f"one person, {MAX_SIDE} x {MAX_SIDE}, another epsilon"
    more = f"{taken[0]:.2f} s the first time; {sum(map(len, sent)) / 1e6:.1f} MB are sent"
    return Measurement(what, statistics.median(taken[1:]), PRODUCT, product(time.process_time), 20.0, more)


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
        1 / 3,
        f"{difference:.0e} apart",
    )


def _whole(city: City, reg: float | None, at_most: float) -> Measurement:
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
    return Measurement(what, taken, PRODUCT, product(time.process_time), at_most, f"{steps} steps counted")
