"""Transport between whole numbers: exact against a linear program, whatever the float solver proposes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from dpot_core.transport import integer_cost
from dpot_core.transport.integer_cost import integer_transport


def reference(supply: np.ndarray, demand: np.ndarray, cost: np.ndarray) -> int:
    k, columns = cost.shape
    rows = [np.kron(np.eye(k)[i], np.ones(columns)) for i in range(k)]
    rows += [np.kron(np.ones(k), np.eye(columns)[j]) for j in range(columns)]
    return round(linprog(cost.ravel(), A_eq=np.array(rows), b_eq=np.r_[supply, demand]).fun)


def no_plan(*_: object) -> None:
    raise RuntimeError("no plan")


def a_bad_plan(supply: np.ndarray, demand: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return integer_cost._corner(supply.astype(np.int64), demand.astype(np.int64)) + 0.3, np.ones(supply.size)


@pytest.mark.parametrize("solver", [None, no_plan, a_bad_plan], ids=["floats", "no floats", "bad floats"])
def test_the_integer_cost_is_the_optimum_whatever_floats_propose(solver, monkeypatch: pytest.MonkeyPatch) -> None:
    if solver is not None:
        monkeypatch.setattr(integer_cost, "network_simplex", solver)
    rng = np.random.default_rng(0)
    for _ in range(60):
        k, columns = rng.integers(1, 7, 2)
        supply = rng.integers(0, 9, k)
        supply[0] += 1
        demand = rng.multinomial(supply.sum(), np.full(columns, 1 / columns))
        cost = rng.integers(0, 20, (k, columns))
        assert integer_transport(supply, demand, cost) == reference(supply, demand, cost)


@pytest.mark.slow
def test_large_numbers_are_exact_to_the_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    k = 24
    supply, demand = (rng.multinomial(10**10, np.full(k, 1 / k)) for _ in range(2))
    cost = rng.integers(0, 2**28, (k, k))
    value = integer_transport(supply, demand, cost)
    monkeypatch.setattr(integer_cost, "network_simplex", no_plan)
    assert integer_transport(supply, demand, cost) == value > 2**53
    moved = demand.copy()  # one unit elsewhere changes the value by at most the largest cost: exactly, not about
    moved[np.flatnonzero(moved)[0]] -= 1
    moved[-1] += 1
    assert abs(integer_transport(supply, moved, cost) - value) <= cost.max()


def test_costs_beyond_64_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="same sum"):
        integer_transport(np.array([1]), np.array([2]), np.array([[1]]))
    with pytest.raises(ValueError, match="2\\^62"):
        integer_transport(np.array([2**40]), np.array([2**40]), np.array([[2**30]]))
    assert integer_transport(np.array([0]), np.array([0]), np.array([[1]])) == 0
