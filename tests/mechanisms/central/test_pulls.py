"""Noisy steps for costs of other orders than 2: gradients of bounded length, and where they lead."""

import numpy as np
import pytest

from dpot_core.mechanisms.central import cells, pulls
from dpot_core.mechanisms.central.perturbed_barycenter import perturbed_barycenter
from dpot_core.mechanisms.central.projection import Projection, gaussian_matrix
from dpot_core.mechanisms.central.regions import BoxRegion
from dpot_core.privacy.accounting import gaussian_noise
from dpot_core.transport.barycenters import free_support

SQUARE = BoxRegion([-0.5, -0.5], [0.5, 0.5])
CENTRES = np.array([[-0.25, -0.25], [-0.25, 0.25], [0.25, -0.25], [0.25, 0.25]])
ORDERS = [1.0, 1.5, 2.0, 3.0, 12.0]


def skew(*sizes: int, seed: int = 0) -> list[np.ndarray]:
    """Four clouds with a tail, so that the best atoms for different orders differ."""
    rng = np.random.default_rng(seed)
    drawn = (CENTRES[rng.integers(0, 4, n)] + 0.03 * rng.standard_exponential((n, 2)) for n in sizes)
    return [np.clip(points, -0.5, 0.5) for points in drawn]


def run(groups, epsilon=1.0, m=4, seed=1, **given):
    return perturbed_barycenter(groups, m, epsilon, 1e-5, region=SQUARE, rng=np.random.default_rng(seed), **given)


def once(points: np.ndarray) -> np.ndarray:
    return np.ones(len(points), dtype=np.int64)


@pytest.mark.parametrize("p", ORDERS)
def test_a_pull_is_minus_the_gradient_of_the_cost_and_never_longer_than_its_reach(p: float) -> None:
    rng = np.random.default_rng(0)
    points, goals, reach = rng.random((50, 3)), rng.random((50, 3)), np.full(50, 2.0)
    found = pulls.pulls(points, goals, p, reach)
    for axis in range(3):
        ahead, back = (goals + sign * 1e-6 * np.eye(3)[axis] for sign in (1, -1))
        slope = np.diff([np.linalg.norm(points - y, axis=1) ** p / p for y in (back, ahead)], axis=0)[0] / 2e-6
        assert found[:, axis] * reach ** (p - 2) == pytest.approx(-slope, abs=1e-6)
    short = np.full(50, 0.3)
    cut = np.linalg.norm(pulls.pulls(points, goals, p, short), axis=1)
    assert cut.max() <= 0.3 * (1 + 1e-12) and cut.max() == pytest.approx(0.3)
    assert (pulls.pulls(points, points, p, reach) == 0).all()


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("p", [1.0, 4.0, 12.0])
def test_cell_pulls_move_by_no_more_than_proven_and_by_that_much(p: float, adjacency: str) -> None:
    rng = np.random.default_rng(0)
    bound, worst = cells.sensitivity(SQUARE, adjacency), 0.0
    corners = np.array([[-0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [0.5, -0.5]])
    for trial in range(300):
        atoms, psi = rng.random((3, 2)) - 0.5, 0.1 * rng.standard_normal(3)
        # Any reach will do: what is beyond counts as at it.
        reach = 10.0 ** rng.uniform(-3, 0, 3)
        pool = corners if trial % 2 else rng.random((4, 2)) - 0.5
        points = pool[rng.integers(0, 4, 5)]
        other = np.vstack([points[:-1], pool[rng.integers(0, 4)]]) if adjacency == "replace" else points[:-1]
        first, second = (
            pulls.cell_pulls(x, once(x), cells.power_labels(x, atoms, psi, p), atoms, reach, p, SQUARE)
            for x in (points, other)
        )
        worst = max(worst, float(np.linalg.norm(first - second)))
    assert bound * (1 - 1e-4) <= worst <= bound * (1 + 1e-12)


def test_a_person_counts_the_same_to_the_last_bit_beside_any_others() -> None:
    rng = np.random.default_rng(0)
    points, atoms, reach = rng.random((500, 2)) - 0.5, CENTRES, np.full(4, 0.4)
    for p in (1.0, 1.7, 5.0):
        label = cells.power_labels(points, atoms, np.zeros(4), p)
        whole = pulls.cell_pulls(points, once(points), label, atoms, reach, p, SQUARE)
        alone = pulls.cell_pulls(points[:1], once(points[:1]), label[:1], atoms, reach, p, SQUARE)
        rest = pulls.cell_pulls(points[1:], once(points[1:]), label[1:], atoms, reach, p, SQUARE)
        assert (whole - rest == alone).all()


@pytest.mark.parametrize("projected", [False, True])
def test_for_p_2_the_step_of_descent_is_that_of_the_cells(projected: bool, monkeypatch) -> None:
    """Not what is run for p = 2: a law, where no person is beyond the reach."""
    monkeypatch.setattr(pulls, "cell_reach", lambda *given: np.full(4, 9.0))
    rng = np.random.default_rng(0)
    people = [(points, once(points)) for points in skew(80, 60)]
    projection = Projection(gaussian_matrix(2, 1, rng), SQUARE.centre) if projected else None
    atoms = CENTRES * 0.8 + 0.02 * rng.standard_normal((4, 2))
    stand_ins = [
        cells.StandIn(points, np.full(len(points), 1 / len(points)), share=share, projection=projection)
        for (points, _), share in zip(people, (0.7, 0.3), strict=True)
    ]
    common = (people, stand_ins, atoms, 0.0, SQUARE, rng)
    one, other = (step(*common, secure=None, sizes=[80, 60]) for step in (cells.noisy_step, pulls.noisy_descent))
    assert one[0] == pytest.approx(other[0], abs=1e-4)
    for mine, theirs in zip(one[1], other[1], strict=True):
        assert mine.weights == pytest.approx(theirs.weights)


def test_with_p_1_and_much_epsilon_one_atom_is_the_geometric_median() -> None:
    """Known answer: of a majority in one place and the rest anywhere, the median is that place; the mean is not."""
    place = np.array([0.2, -0.1])
    points = np.vstack([np.tile(place, (6_000, 1)), SQUARE.lower + np.random.default_rng(0).random((4_000, 2))])
    found = run([points], 100.0, 1, p=1.0, steps=12)
    assert found.atoms[0] == pytest.approx(place, abs=0.01)
    assert np.linalg.norm(points.mean(axis=0) - place) > 0.08


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "seeds"), [*(pytest.param(p, 3, marks=pytest.mark.nightly) for p in (1.0, 4.0, 6.0)), (6.0, 1)]
)
def test_steps_reach_the_barycenter_of_their_order_and_cost_less_than_those_of_order_2(p: float, seeds: int) -> None:
    for seed in range(seeds):
        groups = skew(6_000, 4_000, seed=seed)
        pairs = [(points, None) for points in groups]
        plain = free_support(pairs, 4, np.random.default_rng(0), p).cost ** (1 / p)
        near, other = (
            run(groups, 100.0, p=order, steps=6, begin=[CENTRES]).cost(pairs, p) ** (1 / p) for order in (p, 2.0)
        )
        assert near <= 1.02 * plain and other > 1.02 * near


@pytest.mark.slow
@pytest.mark.parametrize("p", [1.0, pytest.param(4.0, marks=pytest.mark.nightly)])
def test_noise_and_promise_are_those_of_order_2(p: float) -> None:
    groups = skew(400, 300)
    for given in ({}, {"start": "uniform", "projection": 1}, {"adjacency": "add-remove", "depth": 6}):
        one, two = (run(groups, p=order, **given) for order in (p, 2.0))
        assert (one.noise, one.sensitivity, one.guarantee) == (two.noise, two.sensitivity, two.guarantee)
        assert one.p == p and (one.atoms != two.atoms).any()
        assert SQUARE.contains(np.vstack(one.trace)).all()
        potentials = one.potentials()
        assert potentials is not None
        for stand_in, psi in zip(one.stand_ins, potentials, strict=True):
            held = np.bincount(stand_in.labels(stand_in.points, one.atoms, psi), stand_in.weights, minlength=4)
            # On a line, at p = 1, everybody beyond two atoms is as far behind the one as behind the other: they tie.
            assert held == pytest.approx(np.full(4, 0.25), abs=0.1 if p == 1.0 and "projection" in given else 0.03)
    public = run(groups, p=p, start=CENTRES)
    assert public.noise == gaussian_noise(1.0, 1e-5, cells.sensitivity(SQUARE, "replace"), public.steps)


def test_p_2_is_what_it_was_by_default() -> None:
    groups = skew(400, 300)
    assert (run(groups).trace == run(groups, p=2).trace).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"p": 0.5}, "p must lie"),
        ({"p": 13.0}, "p must lie"),
        ({"p": 1.0, "method": "chunks"}, "p must be 2 for method"),
    ],
)
def test_bad_orders(given, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(skew(50), m=2, **given)


def test_no_people_at_all_are_no_error_where_sizes_are_secret() -> None:
    found = run([np.empty((0, 2))], p=3.0, adjacency="add-remove", start=CENTRES, projection=1)
    assert found.atoms.shape == (4, 2)
