"""The transport cost alone, released in five ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_epsilon, check_number
from dpot_core.arguments.options import by_name
from dpot_core.mechanisms.central.noise import gaussian
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.mechanisms.central.sinkhorn import (
    FLOATS,
    check_floor,
    check_people,
    promise,
)
from dpot_core.mechanisms.central.sinkhorn_exact import exact_dual, exact_laplace
from dpot_core.mechanisms.central.sinkhorn_ledger import Entry, gaussian_ledger
from dpot_core.mechanisms.central.sinkhorn_paper import Claim, paper_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_proven import (
    HISTOGRAM,
    PEOPLE,
    POTENTIALS,
    Rounds,
    check_eta,
    check_grids,
    private_histogram,
    proven,
)
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn, Trace
from dpot_core.mechanisms.central.sinkhorn_theory import linear_sensitivity
from dpot_core.mechanisms.central.sinkhorn_values import dual_sensitivity, feasible_potentials, linear_cost
from dpot_core.privacy.accounting import check_steps
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.transport.wasserstein import transport_cost

COST = "cost"


@dataclass(frozen=True)
class PrivateCost:
    """A transport cost with noise.

    Attributes:
        value: the release, unit of the cost; not clipped (it may be negative). inf where "paper" leaves float64.
        noise: scale of the Laplace noise, or standard deviation of the Gaussian noise, on the value itself.
        guarantee: the promise.
        ledger: who pays for what.
        potentials: released on the way, or None.
        plan: released on the way, or None.
        trace: of noisy Sinkhorn, or None.
    """

    value: float
    noise: float
    guarantee: Guarantee
    ledger: tuple[Entry, ...]
    potentials: tuple[Array, Array] | None = None
    plan: Array | None = None
    trace: Trace | None = None


@dataclass(frozen=True)
class CostOptions:
    """How the cost is released, beyond the way itself.

    Attributes:
        eta: entropic weight of noisy Sinkhorn, unit of the cost.
        steps: rounds of noisy Sinkhorn.
        share: of the budget for the potentials, in (0, 1): "proven", "two-stage".
        floor: share of the uniform distribution in the half steps, see ``Rounds``: "proven".
        people: "one": neighbours replace one point of one data set; "both": one point in each.
        bound: public bound of the cost, to which larger costs are cut down. "laplace": None takes the largest entry,
            for grids only; samples need it. "paper", "two-stage": None takes the largest, and the promise says so.
        constants: of Theorem 2, "printed" or "corrected": "paper", "two-stage".
        secure: whether the noise is for a release: "laplace", "proven", "histograms".
    """

    eta: float = 1.0
    steps: int = 3
    share: float = 0.5
    floor: float = 0.0
    people: str = "one"
    bound: float | None = None
    constants: str = "corrected"
    secure: bool = False


@dataclass(frozen=True)
class _Task:
    """Inputs of every way of releasing the cost, checked as far as all need it."""

    cost: ArrayLike
    a: ArrayLike | None
    b: ArrayLike | None
    epsilon: float
    delta: float
    rng: np.random.Generator | None
    options: CostOptions

    def secure(self, promise: Guarantee) -> Guarantee | None:
        """The promise of a release, which must be proven; None for a demonstration."""
        return promise.released() if self.options.secure else None


@by_name(options=CostOptions)
def private_transport_cost(
    cost: ArrayLike,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    *,
    epsilon: float,
    delta: float = 0.0,
    rng: np.random.Generator | None = None,
    method: str = "laplace",
    options: CostOptions = CostOptions(),
) -> PrivateCost:
    r"""The cost ``min over couplings of <c, pi>`` between two data sets, released privately.

    - "laplace": ``OT + Lap(|c|/(n epsilon))``, epsilon-DP with delta = 0; n is the smaller size, and one person in both
      data sets gives the sensitivity ``|c|/n_1 + |c|/n_2``.
    - "proven": noisy Sinkhorn on public grids, then the dual value at feasible potentials made from the released ones,
      with Gaussian noise.
    - "histograms": Gaussian noise on both histograms, projected to the simplex, then the exact cost between these.
    - "paper": ``<c, pi>`` with the plan of Algorithm 1; "two-stage": the same at share times epsilon plus
      ``Lap(Delta/((1 - share) epsilon))``, Delta from Lemma 5. Both only claimed: ``.guarantee.proven`` is False.

    ``secure=False`` computes and adds noise in floating point, from ``rng``: a demonstration. ``secure=True`` is for a
    release, in whole numbers. Proofs: ``docs/proofs/private_transport_cost.md``.

    Args:
        cost: (k, l) between public grids with counts a, b; or (n, m) between two samples, one row per point.
        a: counts of the first data set, (k,); None for samples.
        b: counts of the second data set, (l,); None for samples.
        epsilon: privacy parameter of everything that is released, nats.
        delta: additive slack; "laplace" needs none, the others need it in (0, 1).
        rng: source of the noise of a demonstration; not used where ``secure``.
        method: a key of ``COST_METHODS``.
        options: what a way needs; fields may be given by name (eta, steps, share, floor, people, bound, constants,
            secure).

    Returns:
        The value with its promise and ledger.

    Raises:
        ValueError: if an argument is out of range or shapes do not fit.

    Source:
        dp_sinkhorn, (8) and Lemma 5 ("two-stage"); the proofs are ours.
    """
    if method not in COST_METHODS:
        raise ValueError(f"method must be one of {', '.join(COST_METHODS)}; got {method!r}")
    checked = replace(
        options,
        share=check_number(options.share, "share", 1e-6, 1.0 - 1e-6),
        floor=check_floor(options.floor),
        people=check_people(options.people),
    )
    return COST_METHODS[method](_Task(cost, a, b, check_epsilon(epsilon), delta, rng, checked))


def cost_sensitivity(bound: float, n: tuple[int, int], people: str = "one") -> float:
    """Largest change of the exact cost when one point (or one in each data set) is replaced: ``|c|/n``.

    Args:
        bound: |c|, the largest cost that any two points can have.
        n: number of points of the two data sets.
        people: "one" or "both".

    Returns:
        The sensitivity, unit of the cost.

    Source:
        the proof in ``private_transport_cost``.
    """
    parts = [bound / size for size in n]
    return sum(parts) if check_people(people) == "both" else max(parts)


def _laplace(task: _Task) -> PrivateCost:
    samples = task.a is None and task.b is None
    if samples:
        matrix = check_cost(task.cost)
        n = (matrix.shape[0], matrix.shape[1])
        counts = (np.ones(n[0]), np.ones(n[1]))
        if task.options.bound is None:
            raise ValueError("bound must be given for samples: the largest cost among private points is private, too")
    else:
        grids = check_grids(task.cost, task.a, task.b, least=1)
        matrix, n, counts = grids.cost, grids.n, (grids.first, grids.second)
    bound = float(matrix.max()) if task.options.bound is None else check_number(task.options.bound, "bound", 0.0, 1e300)
    # Cut down, not refused: whether and by how much private points are beyond the bound must not be seen.
    matrix = np.minimum(matrix, bound)
    public = (f"a bound of the cost, {bound:g}", f"{n[0]:,} and {n[1]:,} points")
    note = "" if task.options.secure else FLOATS
    guarantee = Guarantee(task.epsilon, 0.0, PEOPLE[task.options.people], public, note, record="point")
    secure = task.secure(guarantee)
    chance = generator(task.rng, secure)
    if secure is not None:
        value, scale = exact_laplace(matrix, bound, counts, secure, task.options.people == "both", samples)
    else:
        scale = cost_sensitivity(bound, n, task.options.people) / task.epsilon
        value = float(transport_cost(counts[0] / n[0], counts[1] / n[1], matrix) + scale * chance.laplace())
    return PrivateCost(value, scale, guarantee, (Entry(COST, "both", 1, 1.0, 1.0 / task.epsilon, task.epsilon, 0.0),))


def _proven(task: _Task) -> PrivateCost:
    options, together = task.options, task.options.people == "both"
    grids, steps = check_grids(task.cost, task.a, task.b), check_steps(options.steps)
    setting = Rounds(check_eta(options.eta, float(grids.cost.max())), steps, floor=options.floor)
    parts = [
        (POTENTIALS, "first", steps, options.share),
        (POTENTIALS, "second", steps, options.share),
        (COST, "both", 1, 1.0 - options.share),
    ]
    ledger = gaussian_ledger(parts, task.epsilon, task.delta, together)
    guarantee = promise(grids, task.epsilon, task.delta, options.people, ledger, options.secure)
    secure = task.secure(guarantee)
    chance = generator(task.rng, secure)
    released = proven(grids, setting, ledger, guarantee, chance, secure)
    phi, psi = feasible_potentials(released.potentials[1], grids.cost)
    ratio = next(entry.sigma for entry in ledger if entry.what == COST)
    if secure is not None:
        exact, size = exact_dual((phi, psi), (grids.first, grids.second), together)
    else:
        exact = float(grids.weights[0] @ phi + grids.weights[1] @ psi)
        size = dual_sensitivity((phi, psi), grids.n, together)
    value = float(gaussian(np.array([exact]), ratio * size, chance, secure=secure)[0])
    return PrivateCost(value, ratio * size, guarantee, ledger, (phi, psi), None, released.trace)


def _histograms(task: _Task) -> PrivateCost:
    grids = check_grids(task.cost, task.a, task.b)
    parts = [(HISTOGRAM, data, 1, 1.0) for data in ("first", "second")]
    ledger = gaussian_ledger(parts, task.epsilon, task.delta, task.options.people == "both")
    guarantee = promise(grids, task.epsilon, task.delta, task.options.people, ledger, task.options.secure)
    secure = task.secure(guarantee)
    chance = generator(task.rng, secure)
    rows, columns = (
        private_histogram(counts, n, entry.sigma, chance, secure=secure)
        for counts, n, entry in zip((grids.first, grids.second), grids.n, ledger, strict=True)
    )
    return PrivateCost(transport_cost(rows, columns, grids.cost), 0.0, guarantee, ledger)


def _paper(task: _Task) -> PrivateCost:
    released = _algorithm(task, task.epsilon, _chance(task))
    value = linear_cost(released, _bounded(task))
    return PrivateCost(
        value, 0.0, released.guarantee, released.ledger, released.potentials, released.plan, released.trace
    )


def _two_stage(task: _Task) -> PrivateCost:
    first = task.options.share * task.epsilon
    second = task.epsilon - first
    chance = _chance(task)
    released = _algorithm(task, first, chance)
    matrix = _bounded(task)
    bound = float(matrix.max()) if task.options.bound is None else float(task.options.bound)
    size = linear_sensitivity(released.eta, bound, len(matrix))
    scale = size / second
    value = float(linear_cost(released, matrix) + scale * chance.laplace())
    (potentials,) = released.ledger
    ledger = (
        Entry(POTENTIALS, "both", potentials.releases, task.options.share, potentials.sigma, first, task.delta),
        Entry(COST, "both", 1, 1.0 - task.options.share, 1.0 / second, second, 0.0),
    )
    guarantee = replace(released.guarantee, epsilon=task.epsilon)
    return PrivateCost(value, scale, guarantee, ledger, released.potentials, released.plan, released.trace)


def _bounded(task: _Task) -> Array:
    matrix = check_cost(task.cost)
    return matrix if task.options.bound is None else np.minimum(matrix, task.options.bound)


def _chance(task: _Task) -> np.random.Generator:
    """The noise of Algorithm 1, whose promise is a claim: of a demonstration only."""
    return generator(task.rng, task.secure(Guarantee(task.epsilon, task.delta, "replace", proven=False)))


def _algorithm(task: _Task, epsilon: float, chance: np.random.Generator) -> NoisySinkhorn:
    options = task.options
    if task.a is not None or task.b is not None:
        raise ValueError("Algorithm 1 takes the cost between two samples; a and b must be None")
    return paper_sinkhorn(
        task.cost,
        eta=options.eta,
        epsilon=epsilon,
        delta=task.delta,
        steps=options.steps,
        rng=chance,
        claim=Claim(options.bound, constants=options.constants),
    )


#: Ways to release the cost: name -> function.
COST_METHODS: Mapping[str, Callable[[_Task], PrivateCost]] = {
    "laplace": _laplace,
    "proven": _proven,
    "histograms": _histograms,
    "two-stage": _two_stage,
    "paper": _paper,
}
