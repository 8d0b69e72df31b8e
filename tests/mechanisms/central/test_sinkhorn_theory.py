"""The paper's formulas against values computed by hand, as printed and as corrected."""

import math

import numpy as np
import pytest

from dpot_core.mechanisms.central import sinkhorn_theory as theory
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.privacy.accounting import RENYI_ORDERS, renyi_epsilon

# With |c| = ln(2)/6 and eta = 1 the exponentials are powers of two: exp(6 |c|/eta) = 2, exp(24 |c|/eta) = 16.
BOUND, ETA, N = math.log(2) / 6, 1.0, 4


def test_theorem_2_by_hand():
    # 4 eta |c|/n = ln(2)/6 = 0.11552453; times 2: 0.23104906; Delta = log(1.23104906) = 0.20786671
    assert theory.iteration_sensitivity(ETA, BOUND, N) == pytest.approx(0.20786671, abs=5e-8)
    # printed: C = Delta/2 = 0.10393335; K C/M = 5 * 0.10393335/0.5 = 1.0393335
    # epsilon = 1.0393335 + sqrt(1.0393335 * 4) = 1.0393335 + 2.0389541
    printed = theory.claimed_epsilon(5, 0.5, ETA, BOUND, N, math.exp(-4), "printed")
    assert printed == pytest.approx(3.0782876, abs=5e-7)
    # corrected: C = Delta^2/2 = 0.02160428; K C/M = 0.21604284; epsilon = 0.21604284 + 2 sqrt(0.86417138) = + 1.8592164
    corrected = theory.claimed_epsilon(5, 0.5, ETA, BOUND, N, math.exp(-4), "corrected")
    assert corrected == pytest.approx(2.0752593, abs=5e-7)


def test_the_corrected_conversion_has_the_factor_2_and_the_squared_sensitivity():
    rate, log = 0.3, 7.0
    best = min(alpha * rate + log / (alpha - 1) for alpha in np.linspace(1.001, 40, 400_000))
    assert best == pytest.approx(rate + 2 * math.sqrt(rate * log), rel=1e-7)
    size = theory.iteration_sensitivity(ETA, BOUND, N)
    assert theory.renyi_constant(ETA, BOUND, N, "printed") == size / 2
    assert theory.renyi_constant(ETA, BOUND, N, "corrected") == size**2 / 2
    # The corrected epsilon covers what exact accounting says about these Gaussians; the printed factor 1 would not.
    rate = 10 * size**2 / 2 / 0.05
    exact = renyi_epsilon([alpha * rate for alpha in RENYI_ORDERS], 1e-6)
    assert exact <= theory.claimed_epsilon(10, 0.05, ETA, BOUND, N, 1e-6, "corrected")
    assert exact > rate + math.sqrt(rate * math.log(1e6))


@pytest.mark.parametrize("constants", theory.CONSTANTS)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 30.0])
def test_the_floor_is_the_inverse_of_theorem_2(constants: str, epsilon: float):
    floor = theory.noise_floor(epsilon, 1e-5, 7, 0.5, 1.0, 100, constants)
    assert theory.claimed_epsilon(7, floor, 0.5, 1.0, 100, 1e-5, constants) == pytest.approx(epsilon, rel=1e-10)
    assert theory.claimed_epsilon(7, 0.0, 0.5, 1.0, 100, 1e-5, constants) == math.inf


def test_theorem_1_by_hand():
    # rho = (1/8)/16 = 1/128, tau = (1/2)/2 = 1/4, M = 1/2: tau M/(2 rho) = (1/8) * 64 = 8
    assert theory.noise_neighbourhood(ETA, BOUND, 0.5) == pytest.approx(8.0)
    # (127/128)^10 = 0.92456513; 0.92456513 * (0.1 - 8) + 8 = 0.69593543
    assert theory.convergence_bound(10, ETA, BOUND, 0.1, 0.5) == pytest.approx(0.6959354, abs=5e-7)
    assert theory.convergence_bound(0, ETA, BOUND, 0.1, 0.5) == 0.1
    # sigma^2 = 1/2 halves rho and doubles the neighbourhood.
    assert theory.noise_neighbourhood(ETA, BOUND, 0.5, math.sqrt(0.5)) == pytest.approx(16.0)
    assert theory.convergence_bound(10**6, ETA, BOUND, 0.1, 0.5, math.sqrt(0.5)) == pytest.approx(16.0)


def test_noise_raises_the_objective_by_more_than_theorem_1_counts():
    """From the best potentials one noisy round ends above the bound, which allows tau M/2 only."""
    rng, eta, floor, n = np.random.default_rng(0), 1.0, 0.25, 20
    cost = np.abs(np.subtract.outer(rng.random(n), rng.random(n)))
    start, _ = algorithm_1(cost, eta, 200, 0.0, 0.0, rng)
    rises = []
    for _ in range(4000):
        phi, psi = (values[-1] + math.sqrt(floor) * rng.standard_normal(n) for values in (start.phi, start.psi))
        kernel = np.exp((phi[:, None] + psi - cost) / eta).mean()
        rises.append(eta * kernel - phi.mean() - psi.mean() - (eta - start.phi[-1].mean() - start.psi[-1].mean()))
    rise = theory.noise_increase(eta, floor)
    assert rise == pytest.approx(math.exp(0.25) - 1)
    assert np.mean(rises) == pytest.approx(rise, rel=0.05)
    assert rise > 10 * theory.convergence_bound(1, eta, float(cost.max()), 0.0, floor)


def test_corollary_1_by_hand():
    # L = 4, epsilon = 8: (alpha - 1)^2 = alpha/2 has the root alpha = 2? 1 = 2/2: (2 - 1)^2 = 2 * 4/8. Yes.
    epsilon, delta = 8.0, math.exp(-4)
    assert theory.renyi_order(epsilon, delta) == pytest.approx(2.0)
    assert theory.least_epsilon(epsilon, delta) == pytest.approx(4.0)
    # C_eta = 32 * 2^8 * ln(2)/(3 * 4) = 473.18807; over 4: 118.29702; 10 - log(118.29702) = 5.2268019
    assert theory.tradeoff(epsilon, delta, ETA, BOUND, N, 10.0) == pytest.approx(618.3151, abs=1e-3)
    assert theory.tradeoff(epsilon, delta, ETA, BOUND, N, 1.0) == math.inf  # negative as printed: bounds nothing


def test_lemma_5_and_theorem_3_by_hand():
    # n = 2: 2/2 + min(ln 2, 1, e/2) = 1 + 0.69314718; n = 200: 2/200 + min(5.3, 1, e/20) = 0.01 + 0.13591409
    assert theory.linear_sensitivity(1.0, 1.0, 2) == pytest.approx(1.69314718)
    assert theory.linear_sensitivity(1.0, 1.0, 200) == pytest.approx(0.14591409)
    # exp(-1/0.5 + 1 + ln 2) = 2/e = 0.73575888; 4 sqrt(2)/2 = 2.82842712
    first, _ = theory.two_stage_bounds(1.0, 1e-5, 0.5, 1.0, 2, 1.0, 1.0)
    assert first == pytest.approx(3.564186)
    # C' = 4 * (ln(2)/6) * sqrt(8 * 2^1.5) = 2.1981223; times sqrt(618.3151) = 24.865942
    _, second = theory.two_stage_bounds(8.0, math.exp(-4), ETA, BOUND, N, 1.0, 10.0)
    assert second == pytest.approx(2.1981223 * 24.865942, rel=1e-5)


def test_13_by_hand_and_its_minimum():
    # C1 exp(-1) = 4, C2 = 0.46209812, C3 = 1/4, nu^11 = 2048, 10 + 8 log(2 * 4) = 26.635532
    # sqrt(2048 * 4 * 26.635532) = 467.11702; 8 * 0.46209812 * 467.11702 = 1726.8311
    value = theory.log_eta_objective(ETA, 8.0, math.exp(-4), BOUND, N, 1.0, 10.0)
    assert math.exp(value) == pytest.approx(1730.831, rel=1e-4)
    settings = (8.0, math.exp(-4), BOUND, N, 1.0, 10.0)
    _, least = theory.paper_eta(*settings)
    tried = [theory.log_eta_objective(eta, *settings) for eta in np.geomspace(BOUND / 1000, BOUND * 1000, 777)]
    assert least <= min(tried) + 1e-3


@pytest.mark.parametrize("eta", [1e-6, 1e-3])
def test_tiny_eta_overflows_nothing_and_promises_nothing(eta: float):
    # log(1 + x exp(6/eta)) is 6/eta + log x: the claimed sensitivity is about 6 |c|, twice the box of Lemma 1.
    assert theory.iteration_sensitivity(eta, 1.0, 1000) == pytest.approx(6.0, rel=0.05)
    assert theory.noise_neighbourhood(eta, 1.0, 1.0) == math.inf
    assert theory.convergence_bound(100, eta, 1.0, 0.5, 1.0) == pytest.approx(0.5)  # rho = 0: no progress at all
    assert theory.tradeoff(1.0, 1e-5, eta, 1.0, 1000, 0.5) == math.inf
    assert theory.linear_sensitivity(eta, 1.0, 1000) < 0.01


def test_bad_constants():
    with pytest.raises(ValueError, match="printed, corrected; got 'best'"):
        theory.claimed_epsilon(5, 0.5, ETA, BOUND, N, 1e-5, "best")
    with pytest.raises(ValueError, match="delta"):
        theory.noise_floor(1.0, 0.0, 5, ETA, BOUND, N)
    with pytest.raises(ValueError, match="steps"):
        theory.claimed_epsilon(0, 0.5, ETA, BOUND, N, 1e-5)
