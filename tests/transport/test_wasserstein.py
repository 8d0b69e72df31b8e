"""Exact Wasserstein distance between two given distributions: closed forms, an LP, laws of a metric, bad input."""

import math

import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import dpot_core as dpot
from dpot_core.datasets import load_places
from dpot_core.transport import wasserstein
from dpot_core.transport.wasserstein import network_simplex
from tests import oracles
from tests.strategies import Problem, distributions, problems


def on_a_line(mu, nu, positions, p):
    """W_p on the line: couple the quantiles."""
    left, right = list(mu), list(nu)
    i = j = 0
    total = 0.0
    while i < len(left) and j < len(right):
        moved = min(left[i], right[j])
        total += moved * abs(positions[i] - positions[j]) ** p
        left[i] -= moved
        right[j] -= moved
        if left[i] <= right[j]:
            i += 1
        else:
            j += 1
    return total ** (1 / p)


def test_between_two_points_it_is_their_distance():
    cost = dpot.cost_matrix(dpot.ring(30), p=3)
    assert dpot.wasserstein(dpot.dirac(30, 4), dpot.dirac(30, 10), cost, 3) == pytest.approx(6)


@given(st.integers(1, 9).flatmap(lambda k: st.tuples(distributions(k), distributions(k))), st.sampled_from([1, 2, 3]))
def test_on_a_line_it_is_the_quantile_coupling(pair, p):
    mu, nu = pair
    positions = np.arange(len(mu)) ** 1.5
    cost = np.abs(positions[:, None] - positions) ** p
    expected = on_a_line(mu, nu, positions, p)
    assert dpot.wasserstein(mu, nu, cost, p) == pytest.approx(expected, rel=1e-6, abs=1e-4)
    assert dpot.wasserstein(mu, nu, cost, p) ** p == pytest.approx(expected**p, rel=1e-9, abs=1e-11)


@given(st.data(), problems())
def test_wasserstein_equals_the_linear_program(data, problem: Problem):
    nu = data.draw(distributions(len(problem.base)))
    value = dpot.wasserstein(problem.mu, nu, problem.cost, problem.p) ** problem.p
    expected = oracles.transport_lp(problem.mu, nu, problem.cost)
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-9 * max(problem.cost.max(), 1e-300))


@given(st.integers(1, 7).flatmap(lambda k: st.tuples(distributions(k), distributions(k), distributions(k))))
def test_wasserstein_is_a_metric(three):
    a, b, c = three
    space = dpot.grid(len(a), 1, extent=(0, 3, 0, 1))
    for p in (1.0, 2.0):
        cost = dpot.cost_matrix(space, p=p)
        ab, ba, bc, ac = (dpot.wasserstein(x, y, cost, p) for x, y in ((a, b), (b, a), (b, c), (a, c)))
        assert dpot.wasserstein(a, a, cost, p) == pytest.approx(0, abs=1e-6)
        assert ab == pytest.approx(ba, abs=1e-6)
        assert ac <= ab + bc + 1e-6


def test_masses_of_1e_minus_300_change_nothing():
    cost = dpot.cost_matrix(dpot.ring(4), p=1)
    tiny = np.array([1.0, 1e-300, 0.0, 0.0])
    assert dpot.wasserstein(tiny, dpot.dirac(4, 1), cost, 1) == pytest.approx(1)
    assert dpot.wasserstein(dpot.dirac(4, 1), tiny, cost, 1) == pytest.approx(1)


def test_a_large_problem_is_solved_to_the_end():
    """POT's default pivot limit stops early on problems like this one, with a wrong value and only a warning."""
    rng = np.random.default_rng(0)
    points = np.sort(rng.uniform(0, 1, 800))
    cost = np.abs(points[:, None] - points)
    mu, nu = rng.dirichlet(np.ones(800), 2)
    assert dpot.wasserstein(mu, nu, cost, 1) == pytest.approx(on_a_line(mu, nu, points, 1), rel=1e-9)


@pytest.mark.parametrize(
    ("mu", "nu", "cost", "p", "word"),
    [
        ([1.0], [0.5, 0.5], np.ones((2, 2)), 1, "mu"),
        ([0.5, 0.5], [1.0], np.ones((2, 2)), 1, "nu"),
        ([0.5, 0.6], [0.5, 0.5], np.ones((2, 2)), 1, "normalise"),
        ([0.5, 0.5], [0.5, math.nan], np.ones((2, 2)), 1, "nu"),
        ([0.5, 0.5], [0.5, 0.5], [[0, -1], [1, 0]], 1, "cost"),
        ([0.5, 0.5], [0.5, 0.5], [[0, math.inf], [1, 0]], 1, "cost"),
        ([0.5, 0.5], [0.5, 0.5], [0.0, 1.0], 1, "cost"),
        ([0.5, 0.5], [0.5, 0.5], np.ones((2, 2)), 0.5, "p"),
    ],
)
def test_bad_input_is_refused_by_name(mu, nu, cost, p, word):
    with pytest.raises(ValueError, match=word):
        dpot.wasserstein(mu, nu, cost, p)


@pytest.mark.slow
def test_pivots_that_rounding_keeps_going_come_to_an_end():
    """494 people of equal mass and two atoms: 247 each, so that every plan on the way is degenerate."""
    rng, places = np.random.default_rng(8), load_places("regions")
    share = places.weights[0] / places.weights[0].sum()
    people = places.points[rng.choice(share.size, 494, p=share)]
    atoms = people.mean(axis=0) + rng.normal(size=(2, 2)) * [8, 3]
    centre = np.array([-98, 38])
    cost = cdist(people - centre, atoms - centre, "sqeuclidean")
    supply, demand = np.full(494, 1 / 494), np.full(2, 0.5)
    with pytest.warns(UserWarning, match="numItermax"):
        _, log = ot.emd(supply, demand, cost, numItermax=1_000_000, log=True)
    assert log["result_code"] != 1, "the solver alone finishes by now: find another example"
    plan, rows = network_simplex(supply, demand, cost)
    assert np.allclose(plan.sum(axis=1), supply, atol=1e-15) and np.allclose(plan.sum(axis=0), demand, atol=1e-12)
    value = float((plan * cost).sum())
    # Half of the people go to the first atom: those for whom it is the cheapest, compared with the second.
    ordered = np.sort(cost[:, 0] - cost[:, 1])
    assert value == pytest.approx((cost[:, 1].sum() + ordered[:247].sum()) / 494, rel=1e-12)
    bound = supply @ rows + demand @ (cost - rows[:, None]).min(axis=0)
    assert value - bound <= 1e-11 * value


def test_a_plan_is_improved_beside_its_own_potentials(monkeypatch):
    """The solver leaves a rounding of the largest cost in use; 24,065 places and 47 atoms once missed 1e-9 by that."""
    monkeypatch.setattr(wasserstein, "GAP_TOLERANCE", 1e-13)
    rng = np.random.default_rng(3)
    cost = cdist(rng.standard_t(1.5, (600, 2)), rng.normal(size=(40, 2)), "sqeuclidean")
    supply, demand = (masses / masses.sum() for masses in (rng.exponential(size=600), rng.exponential(size=40)))
    plan, rows = network_simplex(supply, demand, cost)
    value = float((plan * cost).sum())
    assert value - (supply @ rows + demand @ (cost - rows[:, None]).min(axis=0)) <= 1e-13 * value
    assert np.allclose(plan.sum(axis=1), supply, atol=1e-15) and np.allclose(plan.sum(axis=0), demand, atol=1e-15)


# ---------------------------------------------------------------- distances have no natural size


@pytest.mark.parametrize("p", [1, 4, 12])
@settings(max_examples=12)
@given(st.data())
def test_the_distance_scales_with_the_unit(p, data):
    """Solvers' tolerances are absolute; points a few metres apart in degrees have costs of 1e-20 at p = 4."""
    k, unit = data.draw(st.integers(2, 12)), 10.0 ** data.draw(st.floats(-12, 12))
    mu, nu = data.draw(distributions(k)), data.draw(distributions(k))
    points = np.random.default_rng(data.draw(st.integers(0, 99))).uniform(size=(k, 2))
    apart = cdist(points, points)
    expected = dpot.wasserstein(mu, nu, apart**p, p)
    # Masses are known up to rounding, and the p-th root makes much of little.
    noise = 8 * k * np.finfo(float).eps * apart.max() ** p
    assert dpot.wasserstein(mu, nu, (apart * unit) ** p, p) ** p / unit**p == pytest.approx(
        expected**p, rel=1e-9, abs=noise
    )


@pytest.mark.parametrize("unit", [1e-12, 1e-4, 1.0, 1e12])
@pytest.mark.parametrize("p", [1, 4, 12])
def test_small_distances_equal_the_closed_form_on_a_line(unit, p):
    rng = np.random.default_rng(p)
    positions = np.sort(rng.uniform(size=30))
    mu, nu = rng.dirichlet(np.ones(30), 2)
    cost = np.abs(positions[:, None] * unit - positions * unit) ** p
    assert dpot.wasserstein(mu, nu, cost, p) == pytest.approx(on_a_line(mu, nu, positions, p) * unit, rel=1e-9)


@pytest.mark.parametrize("far", [1e8, 1e12, 1e16, 1e100, 1e300])
@pytest.mark.parametrize("masses", [(1, 1, 1, 1, 4), (1, 1, 1, 1 / 3, 4)])
def test_forbidden_cells_change_nothing(far, masses):
    """Costs so large that they say "never", from PythonOT/POT#229: a proof relative to the largest cost is none."""
    cost = [[5, 7, 40, far, 0.002], [4, 6, 38, far, 0.1], [3.5, 6, 37, far, 2], [far] * 3 + [5, far], [1, 2, 6, far, 0]]
    mu = dpot.normalise(masses)
    # The fourth place keeps what it has.
    others = oracles.transport_lp(mu[[0, 1, 2, 4]], mu[[0, 1, 2, 4]], np.delete(np.delete(cost, 3, 0), 3, 1))
    assert dpot.wasserstein(mu, mu, cost, 1) == pytest.approx(5 * mu[3] + others, rel=1e-9)
    if masses[3] == 1:
        assert dpot.wasserstein(mu, mu, cost, 1) == pytest.approx(2.01275, rel=1e-12)


@pytest.mark.parametrize("case", range(20))
def test_costs_of_many_sizes_leave_no_gap(case):
    rng = np.random.default_rng(case)
    cost = rng.uniform(0, 10, (6, 7))
    cost[rng.uniform(size=cost.shape) < 0.3] = 10.0 ** rng.integers(2, 20)
    mu, nu = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(7))
    value = dpot.wasserstein(mu, nu, cost, 1)
    # Costs from far above the value on may be cut: no plan that pays them is the best.
    cut = np.minimum(cost, 1e3 * value)
    assert value == pytest.approx(oracles.transport_lp(mu, nu, cut), rel=1e-7)


def test_costs_are_cut_tighter_where_digits_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver with potentials that are off by 2^-32 of the largest cost proves a value only beside near costs."""
    rng = np.random.default_rng(0)
    cost = rng.random((40, 6)) * 2.0**-8
    cost[0] = 1.0 - 2.0**-10 * rng.random(6)
    cost[0, 0] = 2.0**-9
    supply, demand = np.full(40, 1 / 40), rng.dirichlet(np.full(6, 5.0))
    exact, solved, cuts = network_simplex(supply, demand, cost), wasserstein._solved, []

    def inexact(supply, demand, cost, start=None):
        plan, rows = solved(supply, demand, cost, start)
        cuts.append(float(cost.max()))
        return plan, rows + 2.0**-32 * np.cos(np.arange(rows.size))

    monkeypatch.setattr(wasserstein, "_solved", inexact)
    plan, _ = network_simplex(supply, demand, cost)
    assert float((plan * cost).sum()) == pytest.approx(float((exact[0] * cost).sum()), rel=1e-9)
    assert len(cuts) == 3, "all costs, sixteen times those in use, twice those in use"
