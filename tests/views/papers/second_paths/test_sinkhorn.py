"""DP Sinkhorn: recorded numbers by a second path, a few lines against the formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from scipy import optimize, stats

from tests.views.papers.recorded import value


def sinkhorn_delta(eta: float, n: int) -> float:
    """Theorem 2's sensitivity, |c| = 1."""
    return eta * math.log1p(4 * eta / n * math.exp(6 / eta))


def test_theorem_2_by_the_paper_by_renyi_and_exactly() -> None:
    """Printed formula; the best order of the conversion by a search; exact by a composed privacy loss distribution."""
    size, steps, delta = sinkhorn_delta(4.0, 500), 5, 1e-5
    for name, constant, factor in (("printed", size / 2, 1), ("corrected", size**2 / 2, 2)):
        epsilon = steps * constant + factor * math.sqrt(steps * constant * math.log(1 / delta))
        assert value("sinkhorn-theorem2", f"ε as {name}") == pytest.approx(epsilon)

    def converted(log_order: float) -> float:
        order = 1.0 + math.exp(log_order)
        rest = (math.log(1 / delta) - math.log(order)) / (order - 1) + math.log1p(-1 / order)
        return order * steps * size**2 / 2 + rest

    by_order = optimize.minimize_scalar(converted, bounds=(-5, 5), method="bounded").fun
    assert value("sinkhorn-theorem2", "ε by Rényi accounting") == pytest.approx(by_order, rel=2e-3)
    one = privacy_loss_distribution.from_gaussian_mechanism(1.0, sensitivity=size, value_discretization_interval=1e-4)
    exact = one.self_compose(steps).get_epsilon_for_delta(delta)
    assert value("sinkhorn-theorem2", "exact ε of its Gaussians") == pytest.approx(exact, abs=2e-3)


def test_two_neighbours_of_algorithm_1_lose_more_than_theorem_2_says() -> None:
    """One round by hand: all costs 0 leave all potentials 0; with the first row 1 it moves by 1 - 1/n."""
    n, eta, delta = 500, 4.0, 1e-5
    phi = np.full(n, -1 / n)
    phi[0] += 1.0
    cost = np.zeros((n, n))
    cost[0] = 1.0
    psi = -eta * np.log(np.exp((phi[:, None] - cost) / eta).mean(axis=0))
    far = math.sqrt((phi**2).sum() + (psi**2).sum())
    assert value("sinkhorn-algorithm1", "both potentials move, over |c|") == pytest.approx(far)
    assert value("sinkhorn-algorithm1", "sensitivity of Theorem 2, over |c|") == pytest.approx(sinkhorn_delta(eta, n))
    # r + 2 sqrt(r log(1/delta)) = 1 for r = Δ²/(2 M).
    rate = (math.sqrt(math.log(1 / delta) + 1) - math.sqrt(math.log(1 / delta))) ** 2
    mu = far / math.sqrt(sinkhorn_delta(eta, n) ** 2 / 2 / rate)
    epsilon = optimize.brentq(
        lambda e: stats.norm.cdf(mu / 2 - e / mu) - math.exp(e) * stats.norm.cdf(-mu / 2 - e / mu) - delta, 0.1, 10
    )
    assert value("sinkhorn-algorithm1", "ε that two neighbours lose, one round") == pytest.approx(epsilon)


def test_noise_raises_the_objective_by_more_than_theorem_1_and_lemma_4_say() -> None:
    """F at the optimum with noise, averaged over 40,000 draws of two points each; the bound by its formula."""
    eta, floor, rng = 10.0, 0.01, np.random.default_rng(3)
    # All costs 0: the plan is the product, F = -mean phi - mean psi + eta mean exp((phi + psi)/eta), least at 0.
    phi, psi = rng.normal(0.0, math.sqrt(floor), (2, 40_000, 2))
    rise = (
        -phi.mean(axis=1)
        - psi.mean(axis=1)
        + eta * (np.exp((phi[:, :, None] + psi[:, None]) / eta).mean(axis=(1, 2)) - 1)
    )
    name = "F rises in one round from its optimum, η = 10 |c|, M = 0.01, over |c|"
    found = value("sinkhorn-theorem1", name)
    assert abs(rise.mean() - found) < 4 * rise.std() / math.sqrt(len(rise))
    assert value("sinkhorn-lemma4", "E F rises, η = 10 |c|, M = 0.01, over |c|") == found
    allowed = math.exp(-6 / eta) / (2 * eta) * floor / 2
    assert value("sinkhorn-theorem1", "Theorem 1 there") == pytest.approx(allowed)
    assert value("sinkhorn-lemma4", "Lemma 4 allows") == pytest.approx(allowed)


def test_corollary_1_has_lost_alpha_and_a0() -> None:
    eta, epsilon, delta, n = 100.0, 4.0, 1e-5, 10**6
    ratio = math.log(1 / delta) / epsilon
    alpha = optimize.brentq(lambda a: (a - 1) ** 2 - ratio * a, 1.0, 100.0)
    spare = epsilon - math.log(1 / delta) / (alpha - 1)
    nu = math.exp(6 / eta)  # ν^(1/η) for |c| = 1
    seven = 32 * eta * nu**8 * 6 / (3 * n) / spare
    assert value("sinkhorn-cor1", "α of (17) that (7) has lost") == pytest.approx(alpha)
    assert value("sinkhorn-cor1", "(7) over |c|, η = 100 |c|, n = 10⁶, ε = 4") == pytest.approx(
        seven * (1 - math.log(seven))
    )

    # (17) is the least of Theorem 1's bound over M, K = spare M/(α C), whatever its simplified constant.
    def bound(log_m: float, eta: float, alpha: float, spare: float, start: float) -> float:
        rho, m = math.exp(-24 / eta) / 8, math.exp(log_m)
        rounds = spare * m / (alpha * sinkhorn_delta(eta, n) / 2)
        return start * (1 - rho) ** rounds + m * math.exp(-6 / eta) / (2 * eta) / (2 * rho)

    least = optimize.minimize_scalar(bound, bounds=(-9, 9), args=(eta, alpha, spare, 1.0), method="bounded").fun
    assert value("sinkhorn-cor1", "(17) over |c| there") == pytest.approx(least, rel=1e-6)
    ratio = math.log(1 / delta) / 100.0
    alpha = optimize.brentq(lambda a: (a - 1) ** 2 - ratio * a, 1.0, 100.0)
    at = (10.0, alpha, 100.0 - math.log(1 / delta) / (alpha - 1))
    chosen = optimize.minimize_scalar(
        bound, bounds=(-15, 0), args=(*at, 1.0), method="bounded", options={"xatol": 1e-10}
    )
    best = optimize.minimize_scalar(bound, bounds=(-15, 0), args=(*at, 10.0), method="bounded").fun
    name = "bound at the printed M*, η = 10 |c|, ε = 100, a0 = 10 |c|"
    assert value("sinkhorn-cor1-optimal", name) == pytest.approx(bound(chosen.x, *at, 10.0), rel=1e-4)
    assert value("sinkhorn-cor1-optimal", "least bound there") == pytest.approx(best, rel=1e-6)


def test_lemmas_1_to_3_where_all_costs_are_zero_and_by_second_differences() -> None:
    """At the product plan F's second derivative on centred phi is 1/(η n), n times less in the mean over points."""
    least = "least eigenvalue times |c|, ‖·‖ Euclidean"
    # exp(-c/η) at η = 10 |c| is within e^(±1/10) of 1, and so is the plan of the product.
    assert value("sinkhorn-lemma2", least) == pytest.approx(1 / (10 * 60), rel=0.01)
    assert value("sinkhorn-lemma2", "largest eigenvalue in a block times |c|, ‖·‖ Euclidean") == pytest.approx(1 / 600)
    assert value("sinkhorn-lemma2", "τ times |c|") == pytest.approx(math.exp(-0.6) / 20)
    assert value("sinkhorn-lemma2", "L times |c|") == pytest.approx(math.exp(0.6) / 20)
    assert value("sinkhorn-lemma2", "largest eigenvalue in a block times |c|, ‖·‖² a mean") > math.exp(0.6) / 20

    # Two rounds of Sinkhorn on the row's costs, F by its definition.
    rng, eta, n = np.random.default_rng(5), 10.0, 100
    one, other = rng.normal(0, 1, (n, 2)), rng.normal(1, 1, (n, 2))
    cost = ((one[:, None] - other) ** 2).sum(axis=2)
    cost /= cost.max()
    phi, psi, values, steps = np.zeros(n), np.zeros(n), [], []
    for _ in range(3):
        values.append(-phi.mean() - psi.mean() + eta * np.exp((phi[:, None] + psi - cost) / eta).mean())
        new = -eta * np.log(np.exp((psi - cost) / eta).mean(axis=1))
        new -= new.mean()
        then = -eta * np.log(np.exp((new[:, None] - cost) / eta).mean(axis=0))
        steps.append(((new - phi) ** 2).sum() + ((then - psi) ** 2).sum())
        phi, psi = new, then
    worst = max(math.exp(-0.6) / 40 * steps[k] / (values[k] - values[k + 1]) for k in (0, 1))
    name = "(ii): bound over the descent, η = 10 |c|, "
    assert value("sinkhorn-lemma3", f"{name}Euclidean") == pytest.approx(worst, rel=1e-3)
    assert value("sinkhorn-lemma3", f"{name}‖·‖² a mean") == pytest.approx(worst / n, rel=1e-3) and worst / n < 1

    for floor in ("0", "1", "100"):
        assert value("sinkhorn-lemma1", f"largest φ' before noise, over |c|, M = {floor}") <= 2
        assert value("sinkhorn-lemma1", f"largest ψ' before noise, over |c|, M = {floor}") <= 3
    assert value("sinkhorn-lemma1", "largest φ with noise, over |c|, M = 100") > 2
