"""The exact projection on the line: the same as the network simplex and the linear program, for any convex cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import distributions, epsilons


@st.composite
def places(draw, count: int):
    """Increasing places: an even grid, or uneven gaps over six orders of magnitude."""
    if draw(st.booleans()):
        return np.arange(count, dtype=float)
    gaps = draw(st.lists(st.floats(1e-4, 10.0), min_size=count, max_size=count))
    return np.cumsum(gaps)


@given(st.data(), st.integers(1, 12), st.integers(1, 12), st.sampled_from([1.0, 1.5, 2.0, 3.0]), epsilons)
def test_the_value_is_the_linear_programs(data, k, k_v, p, epsilon) -> None:
    x, y = data.draw(places(k)), data.draw(places(k_v))
    mu = data.draw(distributions(k))
    base = data.draw(distributions(k_v)) * float(np.exp(min(epsilon, 20) / 2 * data.draw(st.floats(-0.95, 0.95))))
    Q = dpot.Polytope(base, epsilon)
    found = dpot.wasserstein_projection_line(mu, x, Q, p, y)
    cost = np.abs(x[:, None] - y) ** p
    assert Q.contains(found.output)
    expected, _ = oracles.projection_lp(mu, cost, Q.lower, Q.upper)
    scale = max(float(cost.max()), 1e-300)
    assert found.value == pytest.approx(expected, abs=2e-8 * scale)
    assert found.value == pytest.approx(oracles.transport_lp(mu, found.output, cost), abs=2e-8 * scale)


@pytest.mark.parametrize("p", [1.0, 2.0, 4.0])
def test_a_fine_grid_agrees_with_the_network_simplex(p: float) -> None:
    x = np.linspace(-4, 4, 250)
    mu = dpot.normalise(np.exp(-((x - 0.5) ** 2) / 2) + 0.3 * np.exp(-((x + 0.8) ** 2) / 0.1))
    Q = dpot.Polytope(np.full(250, 1 / 250), 1.0)
    found = dpot.wasserstein_projection_line(mu, x, Q, p)
    cost = np.abs(x[:, None] - x) ** p
    exact = dpot.project_exact(mu, cost, Q)
    assert found.value == pytest.approx(exact.value, rel=1e-10)
    assert found.value ** (1 / p) == pytest.approx(dpot.wasserstein(mu, found.output, cost, p), rel=1e-9)
    if p > 1:  # strictly convex: one solution only
        np.testing.assert_allclose(found.output, exact.output, atol=1e-10)


def test_inputs_in_the_polytope_stay() -> None:
    x = np.linspace(0, 1, 50)
    Q = dpot.Polytope(np.full(50, 1 / 50), 1.0)
    mu = dpot.normalise(1 + 0.3 * np.sin(9 * x))
    found = dpot.wasserstein_projection_line(mu, x, Q)
    assert found.value == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(found.output, mu, atol=1e-14)


def test_a_batch_is_its_rows() -> None:
    x = np.linspace(0, 1, 20)
    Q = dpot.Polytope(np.full(20, 1 / 20), 1.0)
    mu = dpot.dirichlet(20, 0.2, np.random.default_rng(0), 3)
    batch = dpot.wasserstein_projection_line(mu, x, Q)
    assert batch.output.shape == (3, 20) and batch.value.shape == (3,)
    for row, output, value in zip(mu, batch.output, batch.value, strict=True):
        single = dpot.wasserstein_projection_line(row, x, Q)
        np.testing.assert_array_equal(single.output, output)
        assert single.value == value


@pytest.mark.parametrize(
    ("points", "targets", "p", "message"),
    [
        ([0.0, 0.0, 1.0], None, 2.0, "points must be a vector of increasing"),
        ([0.0, 2.0, 1.0], None, 2.0, "points must be a vector of increasing"),
        ([0.0, 1.0, 2.0], [0.0, 1.0], 2.0, "2 output places, but the polytope has 3"),
        ([0.0, 1.0, 2.0], None, 0.5, "p must lie"),
        ([0.0, 1.0, np.nan], None, 2.0, "finite"),
        ([0.0, 1.0], [0.0, 1.0, 2.0], 2.0, "length 2"),
    ],
)
def test_unfitting_arguments_are_refused(points, targets, p, message) -> None:
    Q = dpot.Polytope(np.full(3, 1 / 3), 1.0)
    with pytest.raises(ValueError, match=message):
        dpot.wasserstein_projection_line(np.full(3, 1 / 3), points, Q, p, targets)
