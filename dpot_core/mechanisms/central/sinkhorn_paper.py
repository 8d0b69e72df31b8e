"""Algorithm 1 of the paper on samples, with the promise that the paper claims for it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_epsilon, check_number
from dpot_core.arguments.options import by_name
from dpot_core.mechanisms.central.sinkhorn_half_step import half_step
from dpot_core.mechanisms.central.sinkhorn_ledger import Entry
from dpot_core.mechanisms.central.sinkhorn_proven import check_eta
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn, Trace
from dpot_core.mechanisms.central.sinkhorn_theory import check_constants, iteration_sensitivity, noise_floor
from dpot_core.privacy.accounting import check_delta, check_steps
from dpot_core.privacy.guarantees import Guarantee

OWN_BOUND = "the largest cost, taken from the data and treated as public"
NOT_PROVEN = (
    "claimed by the paper, not proven: its proof holds the points fixed, but the potential of the point that changes "
    "moves by up to the largest cost for every n. Potentials with noise leave the box that the proof needs"
)


def check_samples(cost: ArrayLike, bound: float | None) -> tuple[Array, float]:
    """Check the cost between two samples of equal size, and the public bound of the cost, to which it is cut down.

    A larger cost is not refused: the refusal, and any word about it, would tell something of private points.

    Raises:
        ValueError: if the cost is negative or not finite, or the samples differ in size or have fewer than 2 points.
    """
    matrix = check_cost(cost)
    n, other = matrix.shape
    if n != other:
        raise ValueError(f"Algorithm 1 needs two samples of the same size; got {n} and {other} points")
    if n < 2:
        raise ValueError("n must be at least 2: with one point each the centred potential is 0 and says nothing")
    largest = float(matrix.max())
    if bound is None:
        return matrix, largest
    number = check_number(bound, "bound", 0.0, 1e300)
    return np.minimum(matrix, number), number


def algorithm_1(
    cost: Array, eta: float, steps: int, floor: float, adaptive: float, rng: np.random.Generator
) -> tuple[Trace, Array]:
    """Algorithm 1, unchecked: K rounds from zero potentials; the trace, and the noise s_k of each round (K,).

    Args:
        cost: between samples, (n, n).
        eta: entropic weight.
        steps: K.
        floor: M, least variance of the noise, unit of the cost squared.
        adaptive: sigma, noise in proportion to the step.
        rng: source of the noise.
    """
    n = len(cost)
    weights, transposed = np.full(n, 1.0 / n), np.ascontiguousarray(cost.T)
    phi, psi = np.zeros(n), np.zeros(n)
    phis, psis, noise = [], [], []
    for _ in range(steps):
        new_phi = half_step(psi, transposed, weights, eta, 0).value
        new_phi -= new_phi.mean()
        new_psi = half_step(new_phi, cost, weights, eta, 0).value
        step = float(((new_phi - phi) ** 2).sum() + ((new_psi - psi) ** 2).sum())
        scale = math.sqrt(adaptive**2 * step + floor)
        phi = new_phi + scale * rng.standard_normal(n)
        psi = new_psi + scale * rng.standard_normal(n)
        phis.append(phi)
        psis.append(psi)
        noise.append(scale)
    levels = np.array(noise)
    zero = np.zeros(steps)
    return Trace(np.array(phis), np.array(psis), levels, levels, np.array(phis), np.array(psis), zero, zero), levels


@dataclass(frozen=True)
class Claim:
    """Settings on which the paper's claimed promise depends.

    Attributes:
        bound: public bound of the cost, to which larger costs are cut down; None takes the largest cost, which is as
            private as the data, and the promise says so.
        adaptive: sigma, noise in proportion to the step, in [0, 1).
        constants: of Theorem 2, "printed" or "corrected" (the factor 2, the squared sensitivity).
    """

    bound: float | None = None
    adaptive: float = 0.0
    constants: str = "corrected"


@by_name(claim=Claim)
def paper_sinkhorn(
    cost: ArrayLike,
    *,
    eta: float,
    epsilon: float,
    delta: float,
    steps: int,
    rng: np.random.Generator,
    claim: Claim = Claim(),
) -> NoisySinkhorn:
    """Algorithm 1 of the paper exactly, with the least noise for which Theorem 2 claims (epsilon, delta).

    On two samples of n points with cost c between them: both potentials per *point*, phi centred, noise of variance
    ``sigma^2 |step|^2 + M`` on each entry, M the least of the theorem. The claim is *not proven*:
    ``.guarantee.proven`` is False, and there is no release for real. Proven is ``noisy_sinkhorn``.

    Args:
        cost: (n, n), between the two samples. Finite, non-negative.
        eta: entropic weight, unit of the cost.
        epsilon: claimed privacy parameter of everything that is published, nats.
        delta: additive slack, in (0, 1).
        steps: K, number of rounds.
        rng: source of the noise.
        claim: bound of the cost and constants; fields may be given by name (bound, adaptive, constants).

    Returns:
        Potentials, plan, guarantee, ledger and trace.

    Raises:
        ValueError: if an argument is out of range, or the samples differ in size or have fewer than 2 points.

    Source:
        dp_sinkhorn, Algorithm 1 and Theorem 2.
    """
    rounds, epsilon, delta = check_steps(steps), check_epsilon(epsilon), check_delta(delta)
    matrix, bound = check_samples(cost, claim.bound)
    adaptive = check_number(claim.adaptive, "adaptive", 0.0, 1.0 - 1e-12)
    weight, n = check_eta(eta, bound), len(matrix)
    floor = noise_floor(epsilon, delta, rounds, weight, bound, n, check_constants(claim.constants))
    trace, levels = algorithm_1(matrix, weight, rounds, floor, adaptive, rng)
    size = iteration_sensitivity(weight, bound, n)
    claimed = np.full(rounds, size)
    trace = Trace(trace.phi, trace.psi, levels, levels, trace.phi, trace.psi, claimed, claimed)
    phi, psi = trace.phi[-1], trace.psi[-1]
    with np.errstate(over="ignore"):
        plan = np.exp((phi[:, None] + psi[None, :] - matrix) / weight - 2.0 * math.log(n))
    ratio = math.sqrt(floor) / size if size > 0.0 else math.inf
    ledger = (Entry("potentials", "both", rounds, 1.0, ratio, epsilon, delta),)
    known = OWN_BOUND if claim.bound is None else f"a bound of the cost, {bound:g}"
    public = (f"{n:,} points in each data set", known, "eta")
    guarantee = Guarantee(epsilon, delta, "replace", public, NOT_PROVEN, record="point", proven=False)
    vacuous = float(levels[-1]) / max(bound, 1e-300)
    return NoisySinkhorn((phi, psi), plan, None, guarantee, ledger, trace, weight, vacuous)
