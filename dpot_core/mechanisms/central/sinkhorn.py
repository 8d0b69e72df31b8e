"""Noisy Sinkhorn: private potentials and a private plan between two sensitive data sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.accounting import check_delta, check_steps
from dpot_core.checks import check_epsilon, check_number
from dpot_core.guarantees import Guarantee
from dpot_core.mechanisms.central.chance import generator
from dpot_core.mechanisms.central.sinkhorn_ledger import Entry, gaussian_ledger, gaussian_parameter
from dpot_core.mechanisms.central.sinkhorn_paper import check_samples, paper
from dpot_core.mechanisms.central.sinkhorn_proven import (
    HISTOGRAM,
    PEOPLE,
    POTENTIALS,
    Grids,
    check_eta,
    check_grids,
    proven,
)
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn
from dpot_core.mechanisms.central.sinkhorn_theory import check_constants

GUARANTEES = ("proven", "paper")

#: What a promise says of noise that could be taken off again.
FLOATS = "as drawn here a demonstration: noise in floating point, from a generator that the caller has"


def noisy_sinkhorn(
    cost: ArrayLike,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    *,
    eta: float,
    epsilon: float,
    delta: float,
    steps: int,
    rng: np.random.Generator | None = None,
    guarantee: str = "proven",
    plan_share: float = 0.5,
    floor: float = 0.0,
    people: str = "one",
    bound: float | None = None,
    adaptive: float = 0.0,
    constants: str = "corrected",
    secure: bool = False,
) -> NoisySinkhorn:
    r"""Potentials and plan of ``min over couplings of <c, pi> + eta KL(pi | mu x nu)`` with noise in every round.

    **"proven"**: two public finite grids; the data enter only as counts a, b of points in their cells. Round k:

        phi = clip(-eta log sum_j b_j exp((psi_j - c_ij)/eta) + z Delta_phi N(0, I))
        psi = clip(-eta log sum_i a_i exp((phi_i - c_ij)/eta) + z Delta_psi N(0, I))

    *Theorem.* With z from ``gaussian_ledger`` all potentials of all rounds (and the private histograms behind the plan)
    are together (epsilon, delta)-DP for neighbours who replace one point of one data set (people = "one": "replace") or
    one point in each (people = "both": "replace-in-both"), and ``guarantee.gaussian``-Gaussian-private.
    *Proof.* (1) A half step that makes psi uses a, and phi only as released before, so given the past it is a function
    of a whose 2-norm sensitivity is at most Delta_psi, which depends on public things only
    (``sinkhorn_half_step`` proves it). (2) So each half step is a Gaussian mechanism with noise z times its
    sensitivity, given every past: K of them, adaptively, are dominated by one with ratio z/sqrt(K). (3) Clipping, and
    the plan from potentials and private histograms, are post-processing; the box is public. (4) If one point of the
    first data set changes, the other half steps see it only through released values, so they cost nothing: each data
    set has its own ledger. If one person has a point in both, both ledgers add up. (5) The histograms are Gaussian
    mechanisms with sensitivity sqrt(2)/n and compose likewise. QED.
    The proof is in real numbers. ``secure=False`` adds floating-point noise from ``rng``: a demonstration.
    ``secure=True`` is for a release: counts are whole numbers; a half step is rounded to multiples of a public power of
    two that is at least twice what floating point can have moved it, and that width is counted in the sensitivity
    (``sinkhorn_proven.rounded``); the noise is OpenDP's (``noise.gaussian``), and all else post-processes it.

    **"paper"**: Algorithm 1 exactly, on two samples of n points with cost c between them: both potentials per *point*,
    phi centred, noise of variance ``sigma^2 |step|^2 + M`` on each entry, M the least for which Theorem 2 claims
    (epsilon, delta). The claim is *not proven*: ``.guarantee.proven`` is False.

    Args:
        cost: (k, l), between the public grids; for "paper" (n, n), between the two samples. Finite, non-negative.
        a: counts of the first data set, (k,), whole numbers; None for "paper".
        b: counts of the second data set, (l,); None for "paper".
        eta: entropic weight, unit of the cost.
        epsilon: privacy parameter of everything that is released, nats.
        delta: additive slack, in (0, 1).
        steps: K, number of rounds.
        rng: source of the noise of a demonstration; not used where ``secure``.
        guarantee: "proven" or "paper".
        plan_share: "proven": share of the budget for private histograms, in [0, 1]. With 0 there is no plan; with 1 the
            rounds run without noise on the private histograms, which is post-processing.
        floor: "proven": share of the uniform distribution that is mixed into both histograms inside the half steps, in
            [0, 0.99]. Biases the potentials, and lets eta be smaller for the same noise (``sinkhorn_half_step``).
        people: "proven": "one" or "both", see above.
        bound: "paper": public bound of the cost, to which larger costs are cut down; None takes the largest cost, which
            is as private as the data.
        adaptive: "paper": sigma, in [0, 1).
        constants: "paper": of Theorem 2, "printed" or "corrected" (the factor 2, the squared sensitivity).
        secure: whether the noise is for a release; "proven" only.

    Returns:
        Potentials, plan, marginals, guarantee, ledger and trace. ``.vacuous`` says when the noise covers everything.

    Raises:
        ValueError: if an argument is out of range, shapes do not fit, or a data set has fewer than 2 points.

    Source:
        dp_sinkhorn, Algorithm 1 and Theorem 2 ("paper"); the proof above ("proven").
    """
    chance = generator(rng, secure)
    rounds = check_steps(steps)
    budget, slack = check_epsilon(epsilon), check_delta(delta)
    if guarantee == "paper":
        if a is not None or b is not None:
            raise ValueError("guarantee='paper' takes the cost between two samples; a and b must be None")
        if secure:
            raise ValueError("secure must be False for guarantee='paper': what is not proven is not released")
        matrix, largest = check_samples(cost, bound)
        sigma = check_number(adaptive, "adaptive", 0.0, 1.0 - 1e-12)
        weight = check_eta(eta, largest)
        which = check_constants(constants)
        return paper(matrix, largest, weight, rounds, budget, slack, which, sigma, chance, bound is not None)
    if guarantee != "proven":
        raise ValueError(f"guarantee must be one of {', '.join(GUARANTEES)}; got {guarantee!r}")
    share = check_number(plan_share, "plan_share", 0.0, 1.0)
    grids = check_grids(cost, a, b)
    weight = check_eta(eta, float(grids.cost.max()))
    ledger = gaussian_ledger(
        [
            (POTENTIALS, "first", rounds, 1.0 - share),
            (HISTOGRAM, "first", 1, share),
            (POTENTIALS, "second", rounds, 1.0 - share),
            (HISTOGRAM, "second", 1, share),
        ],
        budget,
        slack,
        check_people(people) == "both",
    )
    given = promise(grids, budget, slack, people, ledger, secure)
    return proven(grids, weight, rounds, ledger, given, chance, check_floor(floor), secure)


def check_floor(floor: float) -> float:
    """Return the share of the uniform distribution as a float in [0, 0.99]."""
    return check_number(floor, "floor", 0.0, 0.99)


def check_people(people: str) -> str:
    """Return where one person's points are, a key of ``PEOPLE``."""
    if people not in PEOPLE:
        raise ValueError(f"people must be one of {', '.join(PEOPLE)}; got {people!r}")
    return people


def promise(
    grids: Grids, epsilon: float, delta: float, people: str, ledger: tuple[Entry, ...], secure: bool
) -> Guarantee:
    """The promise of Gaussian releases from counts on public grids, with the noise that the ledger says."""
    public = (
        "both grids and the cost between them",
        f"{grids.n[0]:,} points in the first and {grids.n[1]:,} in the second data set",
        "eta and the number of rounds",
    )
    return Guarantee(
        epsilon,
        delta,
        PEOPLE[people],
        public,
        "" if secure else FLOATS,
        record="point",
        gaussian=gaussian_parameter(ledger, people == "both"),
    )
