"""The smoothed dual of transport to a capped simplex: derivatives, what it tends to, how near the maximum it ends."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.transport import boxed_dual
from dpot_core.transport.exact import boxed_transport_simplex


def case(r: int = 5, count: int = 300, epsilon: float = 1.0) -> tuple[np.ndarray, np.ndarray, dpot.Polytope]:
    rng = np.random.default_rng(r)
    cost = np.linalg.norm(rng.random((r, 1, 2)) - rng.random((1, count, 2)), axis=2)
    return rng.dirichlet(np.ones(r)), cost / cost.max(), dpot.Polytope(rng.dirichlet(np.ones(count)), epsilon)


def dual(mu, cost, Q, f) -> float:
    """(3), term by term."""
    g = (cost - f[:, None]).min(axis=0)
    return float(mu @ f + Q.lower @ g + (Q.upper - Q.lower) @ np.minimum(g, 0.0))


@pytest.mark.parametrize("r", [5, 40])
def test_row_sums_and_curvature_are_the_derivatives(r):
    """Also with so many rows that those out of reach of a block are left out."""
    _, cost, Q = case(r)
    rng = np.random.default_rng(1)
    f, step, h, t = 0.1 * rng.normal(size=r) + 0.3, rng.normal(size=r), 1e-5, 0.01

    def soft(at):
        return boxed_dual._soft(cost, Q.lower, Q.upper - Q.lower, at, t, boxed_dual._SMALL)

    here, ahead, behind = soft(f), soft(f + h * step), soft(f - h * step)
    assert (ahead.value - behind.value) / (2 * h) == pytest.approx(-here.mass @ step, rel=1e-6)
    np.testing.assert_allclose((ahead.mass - behind.mass) / (2 * h), here.curvature @ step, rtol=1e-4, atol=1e-6)
    assert (np.linalg.eigvalsh(here.curvature) >= -1e-9).all()


def test_without_temperature_it_is_the_dual():
    mu, cost, Q = case()
    f = np.linspace(-0.2, 0.4, 5)
    for t in (1e-2, 1e-3, 1e-4):
        smooth = mu @ f + boxed_dual._soft(cost, Q.lower, Q.upper - Q.lower, f, t, boxed_dual._SMALL).value
        assert abs(smooth - dual(mu, cost, Q, f)) <= t * np.log(6) * Q.upper.sum()


@pytest.mark.parametrize("epsilon", [0.1, 2.0, 10.0])
def test_potentials_end_near_the_maximum(epsilon, monkeypatch):
    """Weak duality above, and no farther below than their temperature."""
    monkeypatch.setattr(boxed_dual, "_WHOLE", 100)
    monkeypatch.setattr(boxed_dual, "_LEAST", 100)
    monkeypatch.setattr(boxed_dual, "_SAMPLE_PER_ROW", 1)
    mu, cost, Q = case(count=3000, epsilon=epsilon)
    f, t = boxed_dual.smoothed_potentials(mu, cost, Q.lower, Q.upper - Q.lower)
    best = boxed_transport_simplex(mu, cost, Q.lower, Q.upper).value
    assert t <= 0.02
    assert best - 5 * t <= dual(mu, cost, Q, f) <= best + 1e-12


def test_the_threshold_balances_the_box_program():
    _, cost, Q = case()
    best = cost.min(axis=0)
    shifted = best - boxed_dual.threshold_at_zero(best, Q.lower, Q.upper - Q.lower)
    assert Q.upper[shifted < 0].sum() + Q.lower[shifted >= 0].sum() <= 1
    assert Q.upper[shifted <= 0].sum() + Q.lower[shifted > 0].sum() >= 1
