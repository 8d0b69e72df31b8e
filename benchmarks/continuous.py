"""Continuous sampling: the Gaussian ring against nested adaptive quadrature, and many mixtures on the line."""

import math
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.integrate import nquad

import dpot_core as dpot
from benchmarks.measurement import PRODUCT, Measurement, product, times

EPSILON = 0.5
#: Of the reference, as in the authors' program; ours is accurate to 2e-7.
COARSE = 1e-5
LINE_EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0)


def measure() -> Iterator[Measurement]:
    """The ring of the paper's Fig. 1 with its density on 400 x 400 places; 100 mixtures at 5 values of epsilon."""
    family = dpot.gaussian_ring_family(3, 0.5)
    axis = np.linspace(-3.5, 3.5, 400)
    places = np.stack(np.meshgrid(axis, axis), axis=-1)
    found = {}

    def project() -> None:
        found["ours"] = dpot.kl_projection_density(family.ring(), family, EPSILON)

    def ring() -> None:
        project()
        found["ours"].density(places)

    ring()
    yield Measurement("ring at epsilon 0.5, density on 400 x 400 places", _median(ring), PRODUCT, product(), 4.0)

    start = time.perf_counter()
    r = nested(family)
    reference = time.perf_counter() - start
    yield Measurement(
        "ring at epsilon 0.5, the output alone",
        _median(project),
        f"nquad and bisection, to {COARSE:g}",
        reference,
        1 / 300,
        f"r differs by {abs(r - found['ours'].r):.0e}",
    )

    line, rng = dpot.gaussian_mixture_family(), np.random.default_rng(0)
    counts = np.minimum(rng.poisson(2, 100) + 1, 10)
    mixtures = [line.mixture(rng.uniform(-1, 1, count), rng.dirichlet(np.ones(count))) for count in counts]

    def many() -> None:
        for p in mixtures:
            for epsilon in LINE_EPSILONS:
                dpot.kl_projection_density(p, line, epsilon).divergences()

    yield Measurement("100 mixtures on the line, 5 values of epsilon", _median(many, 3), PRODUCT, product(), 40.0)


def nested(family: dpot.continuous.GaussianFamily) -> float:
    """R by bisection on the integral of the clipped density, as the authors do it but to a coarser tolerance."""
    means = [(math.cos(2 * math.pi * i / 3), math.sin(2 * math.pi * i / 3)) for i in range(3)]
    low = family.level(EPSILON) * math.exp(-EPSILON / 2)
    high, mass = low * math.exp(EPSILON), family.mass

    def clipped(x: float, y: float, r: float) -> float:
        p = sum(math.exp(-((x - a) ** 2) - (y - b) ** 2) for a, b in means) / (3 * math.pi)
        h = math.exp(-(max(math.hypot(x, y) - 1.0, 0.0) ** 2)) / (math.pi * mass)
        return min(max(p / r, low * h), high * h)

    left, right = family.ratios(EPSILON)
    while True:
        r = (left + right) / 2
        total, _ = nquad(clipped, [(-math.inf, math.inf)] * 2, args=(r,), opts={"epsabs": COARSE / 10, "epsrel": 0})
        if abs(total - 1.0) <= COARSE:
            return r
        left, right = (r, right) if total > 1.0 else (left, r)


def _median(run: Callable[[], object], repeats: int = 7) -> float:
    return times(run, lambda: time.sleep(1e-3), repeats)[0]
