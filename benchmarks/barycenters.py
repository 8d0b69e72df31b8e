"""Population: barycenters of the Census tracts with 48 atoms, and the transport beneath them.

On the 72,043 populated tracts of 2010 if DPOT_DATA or the cache holds them, otherwise on the embedded places. Exact
Lloyd takes about eleven rounds; `LLOYD_RUN` of them are run and the time is scaled up, as the row says. Their exact
transports are compared with ours at the same atoms in passing.
"""

import time
from collections.abc import Iterator

import numpy as np
import ot

import dpot_core as dpot
from benchmarks.measurement import Measurement
from dpot_core.datasets import DatasetMissing, Population, load_places, load_tracts
from dpot_core.mechanisms.central.private_measure import private_measure
from dpot_core.transport.annealed_atoms import spread_atoms
from dpot_core.transport.barycenters import free_support
from dpot_core.transport.semidiscrete import transport
from dpot_core.transport.smoothed_dual import systematic_sample
from dpot_core.transport.support_points import support_points

M = 48
SEEDS = (0, 1, 2)
#: Squared degrees: what exact Lloyd reaches (2.37 to 2.41).
LARGEST_COST = 2.40
LLOYD_ROUNDS, LLOYD_RUN = 11, 2
#: Points on which POT's network simplex ends in seconds without a hint. It takes several times as long where atoms are
#: badly placed (where a search starts); on a few thousand points it is about as fast as ours.
COLD = 24_000
#: People drawn for the private measure.
PEOPLE = 200_000
#: As in the paper: 50 rounds of 100 Sinkhorn iterations, diameter 1.
REG, ENTROPIC_ROUNDS = 0.001, 50


def _people() -> tuple[Population, bool]:
    """Everybody, in one group, and whether the points are the tracts."""
    try:
        return load_tracts(), True
    except DatasetMissing:
        return load_places("everybody"), False


def _timed(work):
    """What the work returns, and its seconds of wall time."""
    start = time.perf_counter()
    return work(), time.perf_counter() - start


def _network_simplex(mass, equal, cost, columns):
    """POT's exact plan from potentials of the atoms, and the potentials that it ends with."""
    start = ((cost - columns).min(axis=1), columns)
    plan, log = ot.emd(mass, equal, cost, numItermax=10**9, log=True, potentials_init=start)
    return plan, log["v"]


def _sampled_potentials(points, mass, atoms):
    """Potentials of the atoms from an exact plan of a sample: without them POT takes a minute for the first round."""
    rows, share = systematic_sample(mass, 4000)
    cost = ((points[rows][:, None] - atoms) ** 2).sum(axis=-1)
    return ot.emd(share, np.full(M, 1 / M), cost, numItermax=10**9, log=True)[1]["v"]


def measure() -> Iterator[Measurement]:
    """The slowest of three seeds against Lloyd and the entropic peer; exact transport against POT's."""
    people, tracts = _people()
    kept = people.weights.sum(axis=0) > 0
    points, weights = np.column_stack([people.lon, people.lat])[kept], people.weights.sum(axis=0)[kept]
    size = f"{len(points):,} points to {M} atoms"
    runs = [
        _timed(lambda seed=seed: dpot.barycenter([(points, weights)], M, rng=np.random.default_rng(seed)))
        for seed in SEEDS
    ]
    costs = [found.cost() for found, _ in runs]
    slowest = max(seconds for _, seconds in runs)
    if tracts and max(costs) > LARGEST_COST:
        raise ArithmeticError(f"costs {costs} squared degrees, more than {LARGEST_COST}")
    said = "costs " + ", ".join(f"{cost:.4f}" for cost in costs) + " deg^2"

    mass = weights / weights.sum()
    start = atoms = spread_atoms([(points, mass)], M, np.random.default_rng(0))
    equal, gaps, exact, lloyd = np.full(M, 1 / M), [], 0.0, []
    guess = _sampled_potentials(points, mass, atoms)
    for _ in range(LLOYD_RUN):
        cost = ((points[:, None] - atoms) ** 2).sum(axis=-1)
        (plan, guess), seconds = _timed(lambda cost=cost, guess=guess: _network_simplex(mass, equal, cost, guess))
        ours, ours_seconds = _timed(lambda atoms=atoms: transport(points, weights, atoms))
        gaps.append(abs(ours.cost / float((plan * cost).sum()) - 1))
        exact += ours_seconds
        lloyd.append(seconds)
        atoms = support_points([points], [plan])
    if max(gaps) > 1e-6:
        raise ArithmeticError(f"exact transport differs from POT's by {max(gaps):.1e}")
    yield Measurement(
        f"exact transport, {size}, {LLOYD_RUN} times",
        exact,
        "POT, started from good potentials",
        sum(lloyd),
        1.0,
        f"values differ by {max(gaps):.0e}",
    )
    yield Measurement(
        f"barycenter, {size}, slowest of 3",
        slowest,
        f"exact Lloyd, {LLOYD_ROUNDS} rounds ({LLOYD_RUN} run)",
        sum(lloyd) * LLOYD_ROUNDS / LLOYD_RUN,
        1 / 10,
        f"{said}; Lloyd after {LLOYD_RUN}: {transport(points, weights, atoms).cost:.3f}",
    )

    for place, where, count, at_most in (("spread", start, COLD, 1 / 4), ("well placed", atoms, 2 * COLD, 1 / 2)):
        rows, share = systematic_sample(mass, count)
        costs_cold = ((points[rows][:, None] - where) ** 2).sum(axis=-1)
        cold, cold_seconds = _timed(lambda share=share, cost=costs_cold: ot.emd2(share, equal, cost, numItermax=10**8))
        plan, seconds = _timed(lambda rows=rows, share=share, where=where: transport(points[rows], share, where))
        gap = abs(plan.cost / float(cold) - 1)
        if gap > 1e-6:
            raise ArithmeticError(f"exact transport of {len(rows):,} points differs from POT's by {gap:.1e}")
        yield Measurement(
            f"exact transport, {len(rows):,} points, {M} atoms {place}",
            seconds,
            "ot.emd2, from nothing",
            cold_seconds,
            at_most,
            f"values differ by {gap:.0e}",
        )

    def entropic() -> float:
        generator = np.random.default_rng(0)
        found = free_support([(points, weights)], M, generator, method="entropic", reg=REG, max_iter=ENTROPIC_ROUNDS)
        return found.cost

    cost, seconds = _timed(entropic)
    if cost < max(costs):
        raise ArithmeticError(f"the entropic barycenter costs {cost:.4f}, less than ours")
    yield Measurement("the same barycenter", slowest, f"POT, entropic, reg {REG}", seconds, 1.5, f"its cost {cost:.3f}")

    counts = np.random.default_rng(1).multinomial(PEOPLE, weights / weights.sum())
    region = people.outline.region
    measure_seconds = _timed(
        # With its points, which are drawn when they are first asked for.
        lambda: (
            private_measure(
                points, 1.0, region=region, rng=np.random.default_rng(0), counts=counts, outside="clip"
            ).points
        )
    )[1]
    yield Measurement(
        f"private measure of {PEOPLE:,} people in the US", measure_seconds, "that barycenter, not private", slowest, 1.0
    )
