"""Batches of exact projections: row by row as the network simplex has them, equal rows alike."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.transport import exact
from dpot_core.transport.boxed_dual import first_of, leads
from tests.transport.test_priced_arcs import random_case


@pytest.mark.slow
@pytest.mark.parametrize("cases", [60, pytest.param(250, marks=pytest.mark.nightly)])
def test_batches_with_duplicates_equal_the_network_simplex(cases: int, monkeypatch):
    """A thousand inputs by night: on few arcs wherever that closes the gap, whatever their size."""
    monkeypatch.setattr(exact, "PRICED_SIZE", 0)
    count = 0
    for seed in range(cases):
        mu, cost, Q = random_case(seed)
        rng = np.random.default_rng(seed)
        rows = np.stack([mu, *rng.dirichlet(np.full(mu.size, 0.3), 2)])
        rows = np.concatenate([rows, rows[:1]])
        largest = float(cost.max())
        found = dpot.project_exact(rows / rows.sum(axis=1, keepdims=True), cost, Q)
        np.testing.assert_array_equal(found.output[0], found.output[-1])
        assert Q.contains(found.output).all()
        assert (np.abs(found.gap) <= 1e-9 * max(largest, 1e-300)).all()
        shares = rows / rows.sum(axis=1, keepdims=True)
        slow = [exact.boxed_transport_simplex(row, cost, Q.lower, Q.upper).value for row in shares[:-1]]
        for value, expected in zip(found.value, [*slow, slow[0]], strict=True):
            assert value == pytest.approx(expected, rel=1e-10, abs=1e-11 * largest)
            count += 1
    assert count == 4 * cases


@pytest.mark.parametrize("r", [1, 2, 30, 255, 256, 300])
def test_the_first_row_that_is_marked(r):
    marked = np.random.default_rng(r).random((r, 50)) < 0.02
    marked[-1] = True
    np.testing.assert_array_equal(first_of(marked), marked.argmax(axis=0))


@pytest.mark.parametrize("r", [1, 2, 40])
def test_leads_are_the_least_and_the_second_least(r):
    """Also where costs tie: then the lead is 0."""
    rng = np.random.default_rng(r)
    cost, f = rng.integers(0, 5, (r, 3000)).astype(float), rng.integers(0, 2, r).astype(float)
    reduced = np.sort(cost - f[:, None], axis=0)
    lead = leads(cost, f)
    np.testing.assert_array_equal(lead.best, reduced[0])
    np.testing.assert_array_equal(lead.label, (cost - f[:, None]).argmin(axis=0))
    np.testing.assert_array_equal(lead.margin, reduced[1] - reduced[0] if r > 1 else np.full(3000, np.inf))
