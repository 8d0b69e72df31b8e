"""Lemmas 1 to 4 of dp_sinkhorn, and neighbours that its Theorem 2 does not protect."""

import math

import numpy as np

from dpot_app.views.papers.numbers.sinkhorn import costs, exact_potentials, objective
from dpot_app.views.papers.row import Number, Numbers
from dpot_core.arguments import Array
from dpot_core.mechanisms.central import sinkhorn_theory as theory
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.privacy.privacy_loss import smallest_epsilon

_N, _ETA = 500, 10.0


def smoothness(eta: float, sign: int) -> float:
    """L (sign 1) and tau (sign -1) of section V-A: ``exp(± 6 |c|/eta)/(2 eta)``, with |c| = 1."""
    return math.exp(sign * 6.0 / eta) / (2.0 * eta)


def neighbours() -> Numbers:
    """One round of Algorithm 1 from 0 at eta = 4 |c|, for n points at cost 0 and with the first of them at cost |c|.

    The output is a Gaussian of covariance M about the exact half steps, so that two of them are told apart exactly as
    their means are far apart, in standard deviations.
    """
    eta, delta = 4.0, 1e-5
    cost = np.zeros((_N, _N))
    moved = cost.copy()
    moved[0] = 1.0
    means = [
        np.concatenate([trace.phi[-1], trace.psi[-1]])
        for trace, _ in (algorithm_1(one, eta, 1, 0.0, 0.0, np.random.default_rng(0)) for one in (cost, moved))
    ]
    far = float(np.linalg.norm(means[0] - means[1]))
    floor = theory.noise_floor(1.0, delta, 1, eta, 1.0, _N, "corrected")
    return {
        "both potentials move, over |c|": Number(far),
        "sensitivity of Theorem 2, over |c|": Number(theory.iteration_sensitivity(eta, 1.0, _N)),
        "ε that two neighbours lose, one round": Number(smallest_epsilon(far / math.sqrt(floor), delta)),
        "ε that Theorem 2, corrected, promises": Number(1.0),
    }


def increase() -> Numbers:
    """Theorem 1 from the optimum, one round: a0 = 0, so that its bound is tau M/2; the rise is that of the noise."""
    floor = 0.01
    return {
        "F rises in one round from its optimum, η = 10 |c|, M = 0.01, over |c|": Number(
            theory.noise_increase(_ETA, floor)
        ),
        "Theorem 1 there": Number(theory.convergence_bound(1, _ETA, 1.0, 0.0, floor)),
    }


def bounded() -> Numbers:
    """Lemma 1: the largest potentials of 20 rounds before their noise, and after it, at three sizes of noise."""
    cost, eta = costs(100), 0.3
    numbers: dict[str, Number] = {}
    for floor in (0.0, 1.0, 100.0):
        trace, _ = algorithm_1(cost, eta, 20, floor, 0.0, np.random.default_rng(1))
        starts = np.vstack([np.zeros(100), trace.psi[:-1]])
        exact = [_half_steps(cost, psi, eta) for psi in starts]
        for name, found in (("φ'", [one for one, _ in exact]), ("ψ'", [other for _, other in exact])):
            numbers[f"largest {name} before noise, over |c|, M = {floor:g}"] = Number(float(np.abs(found).max()))
        numbers[f"largest φ with noise, over |c|, M = {floor:g}"] = Number(float(np.abs(trace.phi).max()))
    return numbers


def curvature() -> Numbers:
    """Lemma 2 at the optimum of 60 points each, eta = 10 |c|: eigenvalues of F's second derivative on centred phi."""
    n = 60
    cost = costs(n)
    phi, psi = exact_potentials(cost, _ETA, 200)
    values = np.linalg.eigvalsh(_second_derivative(phi, psi, cost, _ETA))
    within = values[1:]  # the first belongs to (1, -1), along which F does not change and which is not centred
    return {
        "least eigenvalue times |c|, ‖·‖ Euclidean": Number(float(within[0])),
        "least eigenvalue times |c|, ‖·‖² a mean": Number(float(within[0]) * n),
        "τ times |c|": Number(smoothness(_ETA, -1)),
        "largest eigenvalue in a block times |c|, ‖·‖ Euclidean": Number(_block(phi, psi, cost, _ETA)),
        "largest eigenvalue in a block times |c|, ‖·‖² a mean": Number(_block(phi, psi, cost, _ETA) * n),
        "L times |c|": Number(smoothness(_ETA, 1)),
    }


def descent() -> Numbers:
    """Lemma 3 on Sinkhorn without noise at eta = |c| and 10 |c|: both sides of (i) and (ii) over each other, worst."""
    numbers: dict[str, Number] = {}
    n = 100
    cost = costs(n)
    for eta in (1.0, _ETA):
        trace, _ = algorithm_1(cost, eta, 4, 0.0, 0.0, np.random.default_rng(0))
        phis, psis = (np.vstack([np.zeros(n), found]) for found in (trace.phi, trace.psi))
        values = np.array([objective(phi, psi, cost, eta) for phi, psi in zip(phis, psis, strict=True)])
        least = objective(*exact_potentials(cost, eta, 100), cost, eta)
        steps = (np.diff(phis, axis=0) ** 2).sum(axis=1) + (np.diff(psis, axis=0) ** 2).sum(axis=1)
        tau, smooth = smoothness(eta, -1), smoothness(eta, 1)
        # Two steps: later ones are of the size of rounding.
        for words, sizes in (("Euclidean", steps[:2]), ("‖·‖² a mean", steps[:2] / n)):
            gap = (values[:2] - least) / (4 * smooth**2 / tau * sizes)
            fall = tau / 2 * sizes / -np.diff(values)[:2]
            numbers[f"(i): gap over its bound, η = {eta:g} |c|, {words}"] = Number(float(gap.max()))
            numbers[f"(ii): bound over the descent, η = {eta:g} |c|, {words}"] = Number(float(fall.max()))
    return numbers


def noisy_descent() -> Numbers:
    """Lemma 4 from the optimum at sigma = 0: F cannot fall, the noise alone moves it, and its mean rise is exact."""
    floor = 0.01
    return {
        "E F rises, η = 10 |c|, M = 0.01, over |c|": Number(theory.noise_increase(_ETA, floor)),
        "Lemma 4 allows": Number(smoothness(_ETA, -1) * floor / 2),
    }


def _half_steps(cost: Array, psi: Array, eta: float) -> tuple[Array, Array]:
    """Lines 3 to 5 of Algorithm 1: centred phi, and psi from it."""
    phi = -eta * np.log(np.exp((psi - cost) / eta).mean(axis=1))
    phi = phi - phi.mean()
    return phi, -eta * np.log(np.exp((phi[:, None] - cost) / eta).mean(axis=0))


def _second_derivative(phi: Array, psi: Array, cost: Array, eta: float) -> Array:
    """The second derivative of F, (2n, 2n); along (1, -1), which centring excludes, its eigenvalue 0."""
    n = len(phi)
    plan = np.exp((phi[:, None] + psi - cost) / eta) / n**2
    return np.asarray(np.block([[np.diag(plan.sum(axis=1)), plan], [plan.T, np.diag(plan.sum(axis=0))]]) / eta)


def _block(phi: Array, psi: Array, cost: Array, eta: float) -> float:
    """The largest eigenvalue of one block of the second derivative, which is diagonal."""
    n = len(phi)
    return float((np.exp((phi[:, None] + psi - cost) / eta).sum(axis=0) / n**2 / eta).max())
