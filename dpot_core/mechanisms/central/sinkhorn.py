"""Noisy Sinkhorn: private potentials and a private plan between two sensitive data sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import check_epsilon, check_number
from dpot_core.arguments.options import by_name, formerly
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.mechanisms.central.sinkhorn_ledger import Entry, gaussian_ledger, gaussian_parameter
from dpot_core.mechanisms.central.sinkhorn_paper import paper_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_proven import (
    HISTOGRAM,
    PEOPLE,
    POTENTIALS,
    Grids,
    PairProtection,
    Rounds,
    check_eta,
    check_grids,
    proven,
)
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn
from dpot_core.privacy.accounting import check_delta, check_steps
from dpot_core.privacy.guarantees import Guarantee

#: What a promise says of noise that could be taken off again.
FLOATS = (
    "the promise holds for exact noise from a secret source; noise in floating point, or from a known seed, is a "
    "demonstration"
)


@formerly("guarantee", paper=paper_sinkhorn)
@by_name(rounds=Rounds, protection=PairProtection)
def noisy_sinkhorn(
    cost: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    epsilon: float,
    delta: float,
    rounds: Rounds,
    rng: np.random.Generator | None = None,
    protection: PairProtection = PairProtection(),
) -> NoisySinkhorn:
    r"""Potentials and plan of ``min over couplings of <c, pi> + eta KL(pi | mu x nu)`` with noise in every round.

    Two public finite grids; the data enter only as counts a, b of points in their cells. Round k:

        phi = clip(-eta log sum_j b_j exp((psi_j - c_ij)/eta) + z Delta_phi N(0, I))
        psi = clip(-eta log sum_i a_i exp((phi_i - c_ij)/eta) + z Delta_psi N(0, I))

    All potentials of all rounds (and the private histograms behind the plan) are together (epsilon, delta)-DP for
    neighbours who replace one point of one data set (people = "one": "replace") or one point in each (people = "both":
    "replace-in-both"), and ``guarantee.gaussian``-Gaussian-private. Proof: ``docs/proofs/noisy_sinkhorn.md``.

    ``secure=False`` adds floating-point noise from ``rng``: a demonstration. ``secure=True`` is for a release.

    Args:
        cost: (k, l), between the public grids. Finite, non-negative.
        a: counts of the first data set, (k,), whole numbers.
        b: counts of the second data set, (l,).
        epsilon: privacy parameter of everything that is released, nats.
        delta: additive slack, in (0, 1).
        rounds: the rounds; fields may be given by name (eta, steps, plan_share, floor).
        rng: source of the noise of a demonstration; not used where ``secure``.
        protection: whom the promise protects; fields may be given by name (people, secure).

    Returns:
        Potentials, plan, marginals, guarantee, ledger and trace. ``.vacuous`` says when the noise covers everything.

    Raises:
        ValueError: if an argument is out of range, shapes do not fit, or a data set has fewer than 2 points.

    Source:
        the proof is ours; the paper's own algorithm is ``paper_sinkhorn``.
    """
    people = check_people(protection.people)
    steps, share = check_steps(rounds.steps), check_number(rounds.plan_share, "plan_share", 0.0, 1.0)
    budget, slack = check_epsilon(epsilon), check_delta(delta)
    grids = check_grids(cost, a, b)
    ledger = gaussian_ledger(
        [
            (POTENTIALS, "first", steps, 1.0 - share),
            (HISTOGRAM, "first", 1, share),
            (POTENTIALS, "second", steps, 1.0 - share),
            (HISTOGRAM, "second", 1, share),
        ],
        budget,
        slack,
        people == "both",
    )
    setting = Rounds(check_eta(rounds.eta, float(grids.cost.max())), steps, share, check_floor(rounds.floor))
    given = promise(grids, budget, slack, people, ledger, protection.secure)
    secure = given.released() if protection.secure else None
    return proven(grids, setting, ledger, given, generator(rng, secure), secure)


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
        "η and the number of rounds",
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
