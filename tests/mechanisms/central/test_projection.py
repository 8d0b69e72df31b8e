"""Cells and plans found in a random projection: the same sensitivity, noise and promise, and atoms in R^d."""

from functools import partial

import numpy as np
import pytest

from dpot_core.mechanisms.central import cells, chunks
from dpot_core.mechanisms.central import perturbed_barycenter as perturbed
from dpot_core.mechanisms.central.ball_region import BallRegion
from dpot_core.mechanisms.central.noise import gaussian
from dpot_core.mechanisms.central.paper_barycenter import paper_barycenter
from dpot_core.mechanisms.central.projection import Projection, drawn_matrix, gaussian_matrix
from dpot_core.mechanisms.central.regions import BoxRegion
from dpot_core.privacy.accounting import gaussian_noise
from dpot_core.privacy.audits import audit
from dpot_core.transport.barycenters import barycenter_cost
from tests.marks import every_by_day

D = 6
BOX = BoxRegion(np.full(D, -0.5), np.full(D, 0.5))
DELTA = 1e-5


def clouds(n: int, seed: int = 0) -> np.ndarray:
    """Two tight clouds in R^6, half of the points each, at +-.3 in the first two coordinates."""
    rng = np.random.default_rng(seed)
    points = 0.01 * rng.standard_normal((n, D))
    points[:, :2] += 0.3 * np.where(np.arange(n) % 2, 1.0, -1.0)[:, None]
    return points


def run(groups, epsilon=1.0, m=2, seed=1, region=BOX, mechanism=perturbed.perturbed_barycenter, delta=DELTA, **given):
    return mechanism(groups, m, epsilon, delta, region=region, rng=np.random.default_rng(seed), **given)


def test_an_image_follows_from_its_point_alone_to_the_last_bit() -> None:
    """Or another person would change cells with the one who comes; a matrix product rounds a row as its place wants."""
    rng = np.random.default_rng(0)
    for n, d, target in ((2, 10, 5), (7, 6, 1), (333, 50, 8)):
        project = Projection(gaussian_matrix(d, target, rng), rng.random(d))
        points = rng.random((n, d))
        whole = project(points)
        assert whole == pytest.approx((points - project.centre) @ project.matrix, abs=1e-12)
        assert (whole == np.vstack([project(one[None]) for one in points])).all()
        assert (whole[::-1] == project(points[::-1])).all()
        assert (whole[: n // 2] == project(points[: n // 2])).all()
    assert project(points[:0]).shape == (0, 8)


def test_lengths_are_kept_in_expectation() -> None:
    rng = np.random.default_rng(0)
    for target in (1, 4):
        found = [float(((np.ones(10) @ gaussian_matrix(10, target, rng)) ** 2).sum()) for _ in range(4000)]
        assert np.mean(found) == pytest.approx(10.0, rel=0.1)


@pytest.mark.parametrize("given", [{}, {"method": "chunks"}, {"start": "uniform"}], ids=str)
def test_a_projection_to_all_dimensions_is_none(given) -> None:
    """d' = d leaves nothing out: the numbers are those without a projection, bit for bit."""
    groups = [clouds(300), clouds(200, 1)]
    none, all_, fewer = (run(groups, projection=target, **given) for target in (None, D, 2))
    assert (none.trace == all_.trace).all() and none.guarantee == all_.guarantee
    assert none.projection is None and all_.projection is None and fewer.projection.shape == (D, 2)
    assert (none.trace != fewer.trace).any()


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("given", [{}, {"method": "chunks", "chunks": 20}, {"start": "uniform"}], ids=str)
def test_noise_and_promise_are_those_of_no_projection(given, adjacency: str) -> None:
    groups = [clouds(300), clouds(200, 1)]
    common = {"adjacency": adjacency, "depth": 6, **given}
    none, one = (run(groups, projection=target, **common) for target in (None, 1))
    assert (one.noise, one.sensitivity, one.steps) == (none.noise, none.sensitivity, none.steps)
    assert (one.guarantee.epsilon, one.guarantee.delta, one.guarantee.neighbours) == (1.0, DELTA, adjacency)
    assert one.guarantee.proven and one.guarantee.gaussian == none.guarantee.gaussian
    assert set(one.guarantee.public) - set(none.guarantee.public) == {"dimension of the projection"}
    if given.get("start") == "uniform":
        assert one.noise == gaussian_noise(1.0, DELTA, cells.sensitivity(BOX, adjacency), one.steps)


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_cells_in_a_projection_move_by_no_more_than_proven_and_by_that_much(adjacency: str) -> None:
    rng = np.random.default_rng(0)
    bound, worst = cells.sensitivity(BOX, adjacency), 0.0
    for trial in range(300):
        # Cells in a projection are slabs and wedges of R^d.
        stand_in = cells.StandIn(
            clouds(4), np.full(4, 0.25), projection=Projection(gaussian_matrix(D, 2, rng), BOX.centre)
        )
        atoms, psi = rng.random((3, D)) - 0.5, 0.3 * rng.standard_normal(3)
        pool = np.where(rng.random((4, D)) < 0.5, -0.5, 0.5) if trial % 2 else rng.random((4, D)) - 0.5
        if trial % 2:
            pool[1] = -pool[0]
        points = pool[rng.integers(0, 4, 5)]
        other = np.vstack([points[:-1], pool[rng.integers(0, 4)]]) if adjacency == "replace" else points[:-1]
        first, second = (
            cells.cell_sums(x, np.ones(len(x), dtype=np.int64), stand_in.labels(x, atoms, psi), 3, BOX)
            for x in (points, other)
        )
        worst = max(worst, float(np.linalg.norm(first - second)))
    assert bound * (1 - 1e-5) <= worst <= bound * (1 + 1e-12)


def test_means_of_chunks_in_a_projection_move_by_no_more_than_proven() -> None:
    rng = np.random.default_rng(0)
    step, worst = chunks.grid_step(BOX.radius), 0.0
    for _ in range(100):
        project = Projection(gaussian_matrix(D, int(rng.integers(1, D)), rng), BOX.centre)
        points = np.where(rng.random((9, D)) < 0.5, -0.5, 0.5)
        other = np.vstack([points[:-1], -points[-1:]])
        # Atoms in one place make ties, where plans jump.
        atoms = np.zeros((3, D)) if rng.random() < 0.5 else rng.random((3, D)) - 0.5
        both = [np.array_split(x, 3) for x in (points, other)]
        parts = [[(part, 1 / 3) for part in each] for each in both]
        bound = chunks.sensitivity_of_means(parts[0], 3, BOX.diameter, BOX.radius, D)
        one, two = (chunks.average_means(each, atoms, BOX.centre, step, project) for each in parts)
        worst = max(worst, float(np.linalg.norm(one - two)) / bound)
        assert (np.abs(one) <= 0.5).all()
    assert 0.3 < worst <= 1.0


@pytest.mark.parametrize("given", [{}, {"method": "chunks", "chunks": 40}], ids=str)
@pytest.mark.parametrize("target", [1, 3])
def test_two_clouds_are_found_from_any_side(given, target: int) -> None:
    """Known answer: the clouds' means, in R^6; of the projection they are means too, so its atoms are these images."""
    points = clouds(4000)
    expected = np.array([points[::2].mean(axis=0), points[1::2].mean(axis=0)])
    found = run([points], 80.0, projection=target, **given)
    atoms = found.atoms[np.argsort(found.atoms[:, 0])]
    # Chunks do not have the shares of their group: a bias that stays, with and without a projection.
    assert atoms == pytest.approx(expected, abs=0.12 if given else 0.01)
    cost = barycenter_cost([(points, None)], expected)
    assert cost <= found.cost([(points, None)]) <= (0.03 if given else 1.05 * cost)


@pytest.mark.slow
def test_the_published_variant_finds_its_barycenter_in_the_projection_too() -> None:
    points = clouds(2000)
    expected = np.array([points[::2].mean(axis=0), points[1::2].mean(axis=0)])
    for weights in (None, [3.0, 1.0]):
        found = run([points, points], 1e2, projection=1, mechanism=paper_barycenter, weights=weights, chunks=1)
        assert found.unperturbed[np.argsort(found.unperturbed[:, 0])] == pytest.approx(expected, abs=1e-6)
        assert found.projection.shape == (D, 1) and not found.guarantee.proven
    none, all_ = (run([points], mechanism=paper_barycenter, projection=target) for target in (None, D))
    assert (none.atoms == all_.atoms).all() and all_.projection is None


@pytest.mark.parametrize("region", [BOX, BallRegion(np.full(D, 3e5), 0.75)], ids=["box", "far ball"])
@pytest.mark.parametrize("given", [{}, {"method": "chunks"}, {"p": 1.0}, {"p": 12.0}], ids=str)
def test_atoms_stay_in_the_region_however_loud_the_noise(region, given) -> None:
    groups = [clouds(200) + region.centre]
    for epsilon in (1e-4, 1e2):
        assert region.contains(np.vstack(run(groups, epsilon, region=region, projection=2, **given).trace)).all()


def test_far_from_the_origin_the_cells_are_the_same() -> None:
    points = clouds(2000)
    here, there = (
        run([points + offset], 50.0, region=BoxRegion(BOX.lower + offset, BOX.upper + offset), projection=1)
        for offset in (0.0, 2.0**30)
    )
    assert there.atoms - 2.0**30 == pytest.approx(here.atoms, abs=1e-3)


@pytest.mark.parametrize("target", [0, D + 1, 1.5])
def test_bad_projections(target) -> None:
    for given in ({}, {"start": "uniform"}, {"mechanism": paper_barycenter}):
        with pytest.raises(ValueError, match="projection must"):
            run([clouds(50)], projection=target, **given)
    assert drawn_matrix(BOX, None, np.random.default_rng(0)) is None


@pytest.mark.slow
@pytest.mark.parametrize("given", every_by_day(2, [{}, {"p": 1.0}, {"p": 4.0}, {"method": "chunks"}]), ids=str)
def test_an_attacker_finds_half_the_noise_in_a_projection_and_not_all_of_it(given, monkeypatch) -> None:
    """What a step asks of people at opposite corners, with the step's own noise: the attacker sees these values."""
    square, epsilon, delta = BoxRegion([0.0, 0.0], [1.0, 1.0]), 1.0, 0.01
    people = np.zeros((3, 2)), np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    asked: list[tuple[np.ndarray, float]] = []

    def heard(values, noise, rng, *, secure=False):
        asked.append((values.copy(), noise))
        return values

    for module in (cells, perturbed):
        monkeypatch.setattr(module, "gaussian", heard)
    # Everybody in a group of one chunk, so that the one who differs weighs all that the noise is for.
    given = given | ({"chunks": 1} if given.get("method") else {})

    def released(points: np.ndarray, n: int, rng: np.random.Generator, part: float = 1.0) -> np.ndarray:
        run([points[2:]], epsilon, 1, region=square, delta=delta, start=[[0.5, 0.5]], steps=1, projection=1, **given)
        values, noise = asked[-1]
        return gaussian(np.tile(values, (n, 1, 1)), part * noise, rng).reshape(n, -1)

    def found(mechanism) -> float:
        return audit(mechanism, [people], 40_000, np.random.default_rng(0), delta=delta)

    assert 0.6 * epsilon <= found(released) <= epsilon
    assert found(partial(released, part=0.5)) > epsilon
