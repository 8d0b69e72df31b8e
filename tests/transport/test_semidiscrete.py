"""Exact transport to a few atoms: against POT and linear programs, ties, tiny masses, symmetries, bad input."""

import numpy as np
import ot
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from dpot_core.datasets import load_tracts
from dpot_core.transport import semidiscrete
from dpot_core.transport.semidiscrete import transport
from tests import oracles


def exact_cost(points, weights, atoms, p=2.0, atom_weights=None):
    """POT's network simplex on the whole cost matrix."""
    b = np.ones(len(atoms)) if atom_weights is None else atom_weights
    return ot.emd2(weights / weights.sum(), b / b.sum(), cdist(points, atoms) ** p, numItermax=10**8)


def check(points, weights, atoms, p=2.0, atom_weights=None):
    """Everything that a result promises, from its parts; returns the result."""
    result = transport(points, weights, atoms, p, atom_weights=atom_weights)
    w = np.ones(len(points)) if weights is None else weights
    w = w / w.sum()
    b = np.ones(len(atoms)) if atom_weights is None else atom_weights
    b = b / b.sum()
    cost = cdist(points, atoms) ** p
    plan = result.plan().toarray()
    assert (plan >= 0).all()
    np.testing.assert_allclose(plan.sum(axis=1), w, atol=1e-15)
    np.testing.assert_allclose(plan.sum(axis=0), b, atol=1e-12)
    np.testing.assert_allclose(result.cell_mass, b, atol=1e-12)
    np.testing.assert_allclose(result.cell_means * b[:, None], plan.T @ points, atol=1e-9 * np.abs(points).max())
    assert (plan * cost).sum() == pytest.approx(result.cost, rel=1e-11, abs=1e-15 * cost.max())
    bound = b @ result.potentials + w @ (cost - result.potentials).min(axis=1)
    assert result.cost - bound <= 1e-9 * max(result.cost, 1e-5 * cost.max())
    assert b @ result.potentials == pytest.approx(0, abs=1e-13 * max(np.abs(result.potentials).max(), cost.max()))
    whole = np.setdiff1d(np.flatnonzero(w > 0), result.split)
    np.testing.assert_array_equal(plan[whole].argmax(axis=1), result.labels[whole])
    return result


CLOUDS = {
    "plane": lambda rng: (rng.normal(size=(6000, 2)), rng.random(6000), rng.normal(size=(24, 2))),
    "line": lambda rng: (rng.normal(size=(5000, 1)), None, rng.normal(size=(20, 1))),
    "collinear": lambda rng: (np.outer(rng.normal(size=5000), [1.0, 2.0]), None, rng.normal(size=(20, 2))),
    "fifty dimensions": lambda rng: (rng.normal(size=(3000, 50)), None, rng.normal(size=(20, 50))),
    "twelve orders": lambda rng: (
        rng.normal(size=(5000, 2)),
        10.0 ** rng.uniform(-12, 0, 5000),
        rng.normal(size=(20, 2)),
    ),
    "far atoms": lambda rng: (rng.normal(size=(4000, 2)), None, rng.normal(size=(20, 2)) + 100.0),
    "tight clusters": lambda rng: (
        np.repeat(rng.normal(size=(20, 2)), 300, axis=0) + 1e-4 * rng.normal(size=(6000, 2)),
        None,
        rng.normal(size=(20, 2)),
    ),
    "duplicates": lambda rng: (np.repeat(rng.normal(size=(300, 2)), 20, axis=0), None, rng.normal(size=(20, 2))),
    "coinciding atoms": lambda rng: (
        rng.normal(size=(4000, 2)),
        None,
        np.repeat(rng.normal(size=(8, 2)), [1, 2, 3, 4, 1, 2, 3, 4], axis=0),
    ),
    "one place for all atoms": lambda rng: (rng.normal(size=(4000, 2)), rng.random(4000), np.zeros((20, 2))),
    "fewer points than atoms": lambda rng: (rng.normal(size=(7, 3)), None, rng.normal(size=(20, 3))),
    "one point": lambda rng: (rng.normal(size=(1, 2)), None, rng.normal(size=(5, 2))),
    "one atom": lambda rng: (rng.normal(size=(5000, 2)), rng.random(5000), rng.normal(size=(1, 2))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLOUDS)
def test_agrees_with_the_network_simplex_on_everything(name: str):
    points, weights, atoms = CLOUDS[name](np.random.default_rng(3))
    result = check(points, weights, atoms)
    w = np.ones(len(points)) if weights is None else weights
    assert result.cost == pytest.approx(exact_cost(points, w, atoms), rel=1e-9)
    if name not in ("duplicates", "fewer points than atoms", "one point", "coinciding atoms"):
        assert len(result.split) < len(atoms), "a vertex of the polytope of plans splits fewer points than atoms"


@pytest.mark.parametrize("p", [1.0, 1.5, 3.0])
def test_other_orders_agree_too(p: float):
    rng = np.random.default_rng(5)
    points, weights, atoms = rng.normal(size=(4000, 2)), rng.random(4000), rng.normal(size=(16, 2))
    assert check(points, weights, atoms, p).cost == pytest.approx(exact_cost(points, weights, atoms, p), rel=1e-9)


def test_eight_thousand_points_to_48_atoms():
    rng = np.random.default_rng(1)
    centres = rng.uniform(0, 30, size=(60, 2))
    points = centres[rng.integers(60, size=8000)] + rng.normal(size=(8000, 2))
    weights, atoms = rng.pareto(2.0, size=8000) + 0.1, rng.uniform(0, 30, size=(48, 2))
    result = check(points, weights, atoms)
    assert result.cost == pytest.approx(exact_cost(points, weights, atoms), rel=1e-9)
    assert len(result.split) <= 47


def test_atoms_of_unequal_mass():
    rng = np.random.default_rng(6)
    points, atoms = rng.normal(size=(4000, 2)), rng.normal(size=(20, 2))
    b = 10.0 ** rng.uniform(-4, 0, 20)
    cost = check(points, None, atoms, atom_weights=b).cost
    assert cost == pytest.approx(exact_cost(points, np.ones(4000), atoms, atom_weights=b), rel=1e-9)


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_massive_ties_of_a_lattice(p: float):
    """Atoms on a lattice of points: whole rows of points lie exactly between two atoms."""
    points = np.stack(np.meshgrid(np.arange(60.0), np.arange(40.0)), axis=-1).reshape(-1, 2)
    atoms = np.stack(np.meshgrid(np.arange(6) * 10.0 + 4, np.arange(4) * 10.0 + 4), axis=-1).reshape(-1, 2)
    result = check(points, None, atoms, p)
    assert result.cost == pytest.approx(exact_cost(points, np.ones(2400), atoms, p), rel=1e-9)


@given(
    st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 5), st.integers(1, 3), st.sampled_from([1.0, 2.0, 3.0])
)
def test_tiny_problems_agree_with_a_linear_program(seed: int, count: int, m: int, d: int, p: float):
    rng = np.random.default_rng(seed)
    # Whole coordinates: coinciding points, points on atoms and ties are common.
    points, atoms = rng.integers(-2, 3, size=(count, d)) * 1.0, rng.integers(-2, 3, size=(m, d)) * 1.0
    weights = rng.random(count) + 1e-3
    result = check(points, weights, atoms, p)
    expected = oracles.transport_lp(weights / weights.sum(), np.full(m, 1 / m), cdist(points, atoms) ** p)
    assert result.cost == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_large_method_is_exact_on_small_problems_too(monkeypatch):
    """The smoothed dual and the exact finish, which small problems skip, against the network simplex."""
    monkeypatch.setattr(semidiscrete, "_SMALL", 0)
    monkeypatch.setattr(semidiscrete, "_UNDECIDED_PER_ATOM", 1)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        points, weights, atoms = rng.normal(size=(200, 2)), rng.random(200) ** 4, rng.normal(size=(12, 2))
        assert check(points, weights, atoms).cost == pytest.approx(exact_cost(points, weights, atoms), rel=1e-9)


def test_known_answers():
    square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    assert transport(square, None, square).cost == 0
    assert transport(square, None, [[0.0, 0.5], [1.0, 0.5]]).cost == pytest.approx(0.25, rel=1e-12)
    assert transport(square, None, [[0.5, 0.5]]).cost == pytest.approx(0.5, rel=1e-12)
    # Mass 1/2 at 0 and at 1 to three atoms: the middle one takes a sixth from both sides.
    halves = transport([[0.0], [1.0]], None, [[0.0], [0.5], [1.0]])
    assert halves.cost == pytest.approx(1 / 12, rel=1e-12)
    np.testing.assert_allclose(halves.plan().toarray(), [[1 / 3, 1 / 6, 0], [0, 1 / 6, 1 / 3]], atol=1e-15)


def test_laws_of_motion_and_of_scale():
    rng = np.random.default_rng(8)
    points, weights, atoms = rng.normal(size=(3000, 2)), rng.random(3000), rng.normal(size=(16, 2))
    cost = transport(points, weights, atoms).cost
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    assert transport(points + 1e4, weights, atoms + 1e4).cost == pytest.approx(cost, rel=1e-9)
    assert transport(points @ turn, weights, atoms @ turn).cost == pytest.approx(cost, rel=1e-9)
    assert transport(points * 1e-6, weights, atoms * 1e-6).cost == pytest.approx(cost * 1e-12, rel=1e-9)
    assert transport(points * 1e6, 7 * weights, atoms * 1e6).cost == pytest.approx(cost * 1e12, rel=1e-9)


@pytest.mark.slow
def test_same_result_twice_and_from_any_start():
    rng = np.random.default_rng(9)
    points, weights, atoms = rng.normal(size=(5000, 2)), rng.random(5000), rng.normal(size=(24, 2))
    first, again = transport(points, weights, atoms), transport(points, weights, atoms)
    np.testing.assert_array_equal(first.labels, again.labels)
    np.testing.assert_array_equal(first.potentials, again.potentials)
    assert first.cost == again.cost
    for start in (first.potentials, rng.normal(size=24), np.zeros(24), 1e3 * rng.normal(size=24)):
        assert transport(points, weights, atoms, start=start).cost == pytest.approx(first.cost, rel=1e-9)


def test_points_that_coincide_share_in_proportion():
    points = np.array([[0.0], [0.0], [1.0]])
    result = transport(points, [1.0, 3.0, 2.0], [[0.0], [0.4], [1.0]])
    plan = result.plan().toarray()
    np.testing.assert_allclose(plan[0] / plan[0].sum(), plan[1] / plan[1].sum(), atol=1e-12)
    np.testing.assert_allclose(plan.sum(axis=0), 1 / 3, atol=1e-15)


def test_points_without_mass_change_nothing():
    rng = np.random.default_rng(10)
    points, weights, atoms = rng.normal(size=(3000, 2)), rng.random(3000), rng.normal(size=(20, 2))
    more = transport(np.vstack([points, 1e6 * np.ones((5, 2))]), np.append(weights, np.zeros(5)), atoms)
    assert more.cost == transport(points, weights, atoms).cost
    assert more.plan().shape == (3005, 20)
    assert more.plan()[3000:].sum() == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": np.zeros(3)}, r"points must be a non-empty matrix \(N, d\)"),
        ({"points": np.zeros((0, 2))}, "points must be a non-empty matrix"),
        ({"points": np.array([[0.0, np.nan]])}, "points must be finite"),
        ({"weights": [1.0, -1.0]}, "weights must not be negative"),
        ({"weights": [0.0, 0.0]}, "weights must not be zero everywhere"),
        ({"weights": [1.0]}, "weights must have length 2"),
        ({"atoms": np.zeros((2, 3))}, "atoms must have the points' dimension 2; got 3"),
        ({"atoms": np.zeros((0, 2))}, "atoms must be a non-empty matrix"),
        ({"p": 0.5}, r"p must lie in \[1"),
        ({"start": [1.0]}, r"start must have shape \(2,\)"),
        ({"atom_weights": [1.0, 0.0]}, "atom_weights must be positive"),
    ],
)
def test_bad_input_is_named(change, message: str):
    arguments = {"points": np.eye(2), "weights": None, "atoms": np.eye(2)} | change
    with pytest.raises(ValueError, match=message):
        transport(**arguments)


def test_a_gap_that_stays_is_an_error(monkeypatch):
    monkeypatch.setattr(semidiscrete, "GAP_TOLERANCE", -1.0)
    with pytest.raises(RuntimeError, match="duality gap"):
        transport(np.eye(3), None, np.array([[1.0] * 3, [2.0] * 3]))


def test_atoms_are_at_no_distance_from_themselves():
    rng = np.random.default_rng(0)
    for _ in range(40):
        atoms = rng.uniform([-125, 25], [-67, 49], size=(48, 2))
        assert transport(atoms, None, atoms).cost == pytest.approx(0, abs=1e-9)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_real_tracts_cost_what_pot_finds(real_data, monkeypatch):
    monkeypatch.setenv("DPOT_DATA", str(real_data("us/tracts_census2010.csv.gz").parents[1]))
    people = load_tracts()
    points, weights = people.groups[0]
    assert len(points) == 72_043
    rng = np.random.default_rng(0)
    atoms = points[rng.choice(len(points), 48, p=weights / weights.sum())] + 0.1 * rng.normal(size=(48, 2))
    result = check(points, weights, atoms)
    # From any other start POT takes a minute here. Started at the answer it still has to prove it by its own pivots.
    cost = cdist(points, atoms) ** 2
    start = ((cost - result.potentials).min(axis=1), result.potentials)
    plan, log = ot.emd(
        weights / weights.sum(), np.full(48, 1 / 48), cost, numItermax=10**6, log=True, potentials_init=start
    )
    assert log["warning"] is None
    assert (plan * cost).sum() == pytest.approx(result.cost, rel=1e-9)
