"""Differentially private Sinkhorn: dp_sinkhorn."""

import math
from itertools import permutations

import numpy as np

from dpot_app.views.papers.row import Number, Numbers, exact, mean_of
from dpot_core.arguments import Array
from dpot_core.mechanisms.central import sinkhorn_bounds as bounds
from dpot_core.mechanisms.central import sinkhorn_theory as theory
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.privacy.accounting import RENYI_ORDERS, renyi_epsilon
from dpot_core.privacy.privacy_loss import smallest_epsilon

_ETA, _BOUND, _N, _DELTA = 0.3, 1.0, 500, 1e-5


def privacy() -> Numbers:
    """Theorem 2 against the K Gaussians of its proof: by their Renyi guarantee, and exactly.

    K Gaussians of sensitivity Δ and variance M compose to one of ``mu = Δ sqrt(K/M)``, whose epsilon is exact.
    """
    eta, steps, floor = 4.0, 5, 1.0
    size = theory.iteration_sensitivity(eta, _BOUND, _N)
    rate = steps * size**2 / (2 * floor)
    # The conversion's factor is the paper's 1 or the 2 that it needs; the constant is half of Δ or of its square.
    return {
        "ε as printed": Number(theory.claimed_epsilon(steps, floor, eta, _BOUND, _N, _DELTA, "printed")),
        "ε as corrected": Number(theory.claimed_epsilon(steps, floor, eta, _BOUND, _N, _DELTA, "corrected")),
        "ε by Rényi accounting": Number(renyi_epsilon([order * rate for order in RENYI_ORDERS], _DELTA)),
        "exact ε of its Gaussians": Number(smallest_epsilon(math.sqrt(2 * rate), _DELTA)),
    }


def rate() -> Numbers:
    """rho = exp(-24 |c|/eta)/8 of Theorem 1."""
    numbers = {f"ρ at η = {eta:,g} |c|": Number(math.exp(-24 / eta) / 8) for eta in (0.3, 1.0, 10.0)}
    return numbers | {
        "neighbourhood at η = 0.3 |c|, M = 0.01, over |c|": Number(theory.noise_neighbourhood(0.3, 1.0, 0.01)),
        "the same at η = 10 |c|": Number(theory.noise_neighbourhood(10.0, 1.0, 0.01)),
    }


def tradeoff() -> Numbers:
    """(7) at four entropic weights; and (17), which (7) is to simplify upwards, where both bound something."""
    numbers = {}
    for eta in (1.0, 10.0, 100.0, 1000.0):
        value = theory.tradeoff(1.0, _DELTA, eta, _BOUND, 10**6, 1.0)
        numbers[f"(7) over |c|, η = {eta:,g} |c|, n = 10⁶"] = Number(value)
    eta, epsilon = 100.0, 4.0
    numbers["(7) over |c|, η = 100 |c|, n = 10⁶, ε = 4"] = Number(
        theory.tradeoff(epsilon, _DELTA, eta, _BOUND, 10**6, 1.0)
    )
    # (17) is what the proof of Corollary 1 finds: the bound of Theorem 1 at the best M.
    numbers["(17) over |c| there"] = Number(bounds.best_noise(epsilon, _DELTA, eta, _BOUND, 10**6, 1.0)[2])
    return numbers | {"α of (17) that (7) has lost": Number(theory.renyi_order(epsilon, _DELTA))}


def two_stages() -> Numbers:
    """Theorem 3 at its largest allowed eta and where its second part is smallest, against direct Laplace noise."""
    n, gap = 1000, 0.01
    largest = min(gap / (1 + math.log(n)), 2 / (n * math.log(n)))
    first, second = theory.two_stage_bounds(0.5, _DELTA, largest, _BOUND, n, gap, 1.0)
    return exact(largest_η=largest, first_part=first, second_part=second, direct_Laplace_noise_at_ε_1=1 / n)


def least_bound() -> Numbers:
    """Corollary 1's K, M and bound as it derives them; and what the printed M*, without a0, costs at a0 = 10 |c|."""
    numbers: dict[str, Number] = {}
    for eta, epsilon in ((1.0, 100.0), (10.0, 1.0), (10.0, 100.0), (100.0, 2.0), (100.0, 4.0), (100.0, 100.0)):
        rounds, floor, value = bounds.best_noise(epsilon, _DELTA, eta, _BOUND, 10**6, 1.0)
        for what, one in (("K", rounds), ("M over |c|²", floor), ("bound over |c|", value)):
            numbers[f"{what}, η = {eta:,g} |c|, ε = {epsilon:g}"] = Number(one)
    # The printed equation for M* is that of a0 = 1. With K rounds and M the bound is a0 (1 - ρ)^K + M τ/(2 ρ).
    eta, start = 10.0, 10.0
    rounds, floor, _ = bounds.best_noise(100.0, _DELTA, eta, _BOUND, 10**6, 1.0)
    printed = start * (1.0 - math.exp(-24.0 / eta) / 8.0) ** rounds + theory.noise_neighbourhood(eta, _BOUND, floor)
    return numbers | {
        "bound at the printed M*, η = 10 |c|, ε = 100, a0 = 10 |c|": Number(printed),
        "least bound there": Number(bounds.best_noise(100.0, _DELTA, eta, _BOUND, 10**6, start)[2]),
    }


def split() -> Numbers:
    """(13) over eta, and (12) over the split where the theorem allows eta, and far beyond."""
    eta, log = theory.paper_eta(1.0, _DELTA, _BOUND, _N, 0.01, 1.0)
    numbers = {"best η over |c|, tried up to 1,000": Number(eta), "log of (13) there": Number(log)}
    n = 10**6
    largest = min(0.01 / (1 + math.log(n)), 2 / (n * math.log(n)))
    for weight, words in ((largest, "the largest allowed η"), (100.0, "η = 100 |c|"), (1000.0, "η = 1,000 |c|")):
        share, value = bounds.best_split(1.0, _DELTA, weight, _BOUND, n, 0.01, 1.0)
        numbers[f"(12) over |c| at the best split, n = 10⁶, {words}"] = Number(value)
        if math.isfinite(share):
            numbers[f"best ε₁, n = 10⁶, {words}"] = Number(share)
    return numbers


def entropic_excess() -> Numbers:
    """Theorem 4 on 20 assignments of 5 points, all 120 vertices listed: excess of the entropic plan over its bound."""
    rng, n, shares = np.random.default_rng(7), 5, []
    orders = np.array(list(permutations(range(n))))
    for _ in range(20):
        cost = rng.uniform(0, 1, (n, n))
        values = np.sort(cost[np.arange(n), orders].mean(axis=1))
        gap = float(values[1] - values[0])
        eta = gap / (1 + math.log(n))
        phi, psi = exact_potentials(cost, eta, 4_000)
        plan = np.exp((phi[:, None] + psi - cost) / eta) / n**2
        excess = float((plan * cost).sum() - values[0])
        shares.append(excess / bounds.entropic_bias(eta, n, gap))
    size = theory.linear_sensitivity(0.01, _BOUND, _N)
    return {
        "excess over its bound, largest": Number(max(shares)),
        "excess over its bound": mean_of(shares),
        "√2 b at ε = 1, n = 500, η = 0.01 |c|, over |c|": Number(math.sqrt(2) * size),
        "standard deviation of direct Laplace noise": Number(math.sqrt(2) / _N),
    }


def noisy_plan() -> Numbers:
    """Theorem 6 at eta = 10 |c|, M = 1e-4 |c|^2, 5 rounds, n = 100: what 40 runs give, and both forms of its bound."""
    cost, eta, floor, steps = costs(100), 10.0, 1e-4, 5
    phi, psi = exact_potentials(cost, eta, 50)
    start_gap = objective(np.zeros(100), np.zeros(100), cost, eta) - objective(phi, psi, cost, eta)
    best = float((np.exp((phi[:, None] + psi - cost) / eta) * cost).mean())
    excess = []
    for seed in range(40):
        trace, _ = algorithm_1(cost, eta, steps, floor, 0.0, np.random.default_rng(seed))
        plan = np.exp((trace.phi[-1][:, None] + trace.psi[-1] - cost) / eta)
        excess.append(float((plan * cost).mean()) - best)
    forms = {"as printed": True, "by its proof": False}
    return {"⟨c, π_k − π_η⟩ over |c|": mean_of(excess)} | {
        f"bound {words}, over |c|": Number(
            bounds.noisy_plan_bound(steps, eta, _BOUND, 100, start_gap, floor, printed=printed)
        )
        for words, printed in forms.items()
    }


def adaptive() -> Numbers:
    """Remark 3: five rounds at eta = 10 |c| and M = 0.01 |c|^2 on 500 points, 20 runs at four sigma."""
    cost, eta, floor, steps = costs(_N), 10.0, 0.01, 5
    least = objective(*exact_potentials(cost, eta, 50), cost, eta)
    numbers: dict[str, Number] = {}
    for sigma in (0.0, 0.01, 0.03, 0.1):
        excess, levels = [], []
        for seed in range(20):
            trace, level = algorithm_1(cost, eta, steps, floor, sigma, np.random.default_rng(seed))
            excess.append(objective(trace.phi[-1], trace.psi[-1], cost, eta) - least)
            levels.append(float(level[-1]) / math.sqrt(floor))
        if sigma < 0.1:  # beyond, the objective's exponentials are of no size that is worth a number
            numbers[f"F(θ_K) − F* over |c|, σ = {sigma:g}"] = mean_of(excess)
        numbers[f"last noise over √M, σ = {sigma:g}"] = mean_of(levels)
    return numbers


def credit() -> Numbers:
    """Remark 2: how fast the steps of rounds without noise shrink, and what sigma^2 p^K then adds to M."""
    numbers: dict[str, Number] = {}
    for eta in (0.3, 10.0):
        cost = costs(_N)
        trace, _ = algorithm_1(cost, eta, 6, 0.0, 0.0, np.random.default_rng(0))
        size = np.sqrt((np.diff(trace.phi, axis=0) ** 2 + np.diff(trace.psi, axis=0) ** 2).sum(axis=1))
        p = float(size[1] / size[0])
        numbers[f"p, η = {eta:,g} |c|"] = Number(p)
        numbers[f"σ² p^K over |c|², σ = 0.9, K = 5, η = {eta:,g} |c|"] = Number(0.81 * p**5)
        numbers[f"M over |c|² that Theorem 2 asks for at ε = 1, η = {eta:,g} |c|"] = Number(
            theory.noise_floor(1.0, _DELTA, 5, eta, _BOUND, _N, "printed")
        )
    return numbers


def costs(n: int) -> Array:
    """Squared distances, over their largest, between n points each of two Gaussians in the plane."""
    rng = np.random.default_rng(5)
    one, other = rng.normal(0, 1, (n, 2)), rng.normal(1, 1, (n, 2))
    cost = ((one[:, None] - other[None]) ** 2).sum(axis=2)
    return np.asarray(cost / cost.max())


def exact_potentials(cost: Array, eta: float, rounds: int) -> tuple[Array, Array]:
    """Sinkhorn's potentials without noise, phi centred, for equal weights."""
    phi, psi = np.zeros(len(cost)), np.zeros(cost.shape[1])
    for _ in range(rounds):
        phi = -eta * _log_means((psi - cost) / eta)
        phi -= phi.mean()
        psi = -eta * _log_means((phi[:, None] - cost).T / eta)
    return phi, psi


def _log_means(values: Array) -> Array:
    top = values.max(axis=1)
    return np.asarray(top + np.log(np.exp(values - top[:, None]).mean(axis=1)))


def objective(phi: Array, psi: Array, cost: Array, eta: float) -> float:
    """F of the paper, the negative dual plus eta."""
    return float(-phi.mean() - psi.mean() + eta * np.exp((phi[:, None] + psi - cost) / eta).mean())
