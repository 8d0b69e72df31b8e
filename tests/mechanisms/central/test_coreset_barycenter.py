"""Barycenter of private copies: close to the real one when noise is small, in any dimension, with its promise."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpot_core.mechanisms.central.cells import power_labels
from dpot_core.mechanisms.central.coreset_barycenter import coreset_barycenter
from dpot_core.transport.barycenters import barycenter_cost, free_support

CENTRES = np.array([[-0.25, -0.25], [-0.25, 0.25], [0.25, -0.25], [0.25, 0.25]])
SQUARE = ([-0.5, -0.5], [0.5, 0.5])


def four(n: int, rng: np.random.Generator, d: int = 2) -> np.ndarray:
    """Four narrow clouds in the unit cube around 0, as in the paper's synthetic experiment."""
    centres = np.zeros((4, d))
    centres[:, :2] = CENTRES
    return np.clip(centres[rng.integers(0, 4, n)] + 0.03 * rng.standard_normal((n, d)), -0.5, 0.5)


@pytest.mark.slow
def test_the_cost_nears_the_non_private_one_as_epsilon_grows() -> None:
    rng = np.random.default_rng(0)
    groups = [four(2000, rng), four(1500, rng)]
    pairs = [(points, None) for points in groups]
    plain = free_support(pairs, 4, rng).cost
    costs = []
    for epsilon in (0.02, 0.3, 20.0):
        result = coreset_barycenter(groups, 4, epsilon, region=SQUARE, rng=rng)
        costs.append(result.cost(pairs))
        assert result.cost(pairs) == pytest.approx(barycenter_cost(pairs, result.atoms))
        assert result.guarantee.epsilon == epsilon and result.guarantee.delta == 0.0
    assert costs[0] > costs[1] > 0.9 * plain
    assert costs[2] == pytest.approx(plain, rel=0.1)


def test_groups_compose_in_parallel_and_every_copy_spends_epsilon() -> None:
    rng = np.random.default_rng(0)
    groups = [four(300, rng), four(200, rng), four(100, rng)]
    result = coreset_barycenter(groups, 4, 0.7, region=SQUARE, rng=rng)
    assert [measure.guarantee.epsilon for measure in result.measures] == [0.7] * 3
    assert [len(measure.points) for measure in result.measures] == [300, 200, 100]
    assert "group of each person and sizes of the groups" in result.guarantee.public


@pytest.mark.parametrize("sizes", [(300,), (300, 200)])
@pytest.mark.parametrize("population", [None, 30_000])
def test_every_copy_spends_exactly_what_is_promised_to_those_drawn(sizes: tuple[int, ...], population: int) -> None:
    """Sampling helps once: the noise of each copy is for the sample's epsilon, whether or not it is amplified."""
    rng = np.random.default_rng(0)
    groups = [four(n, rng) for n in sizes]
    result = coreset_barycenter(groups, 4, 0.7, region=SQUARE, rng=rng, population=population)
    promised = result.sample_guarantee.epsilon
    assert promised == 0.7 if population is None else promised > 4.0
    # The rate is made of the populations' sizes, which are public then.
    assert ("sizes of the populations" in result.guarantee.public) == (population is not None)
    for measure in result.measures:
        spent = sum((level.budget for level in measure.levels), Fraction(0))
        assert spent == Fraction(promised) and measure.sample_guarantee.epsilon == promised
        assert sum(2 / Fraction(level.scale) for level in measure.levels if level.scale) <= spent


def test_areas_split_the_private_copies_evenly_and_follow_from_them() -> None:
    rng = np.random.default_rng(0)
    result = coreset_barycenter([four(900, rng), four(700, rng)], 5, 2.0, region=SQUARE, rng=rng, subsample=300)
    potentials = result.potentials()
    assert potentials.shape == (2, 5)
    for copy, psi in zip(result.copies, potentials, strict=True):
        held = np.bincount(power_labels(copy, result.atoms, psi), minlength=5) / len(copy)
        # Points on borders are split: few of them.
        assert held == pytest.approx(np.full(5, 0.2), abs=5 / 300)
    # An observer with the copies and the atoms has all that they come from.
    again = replace(result, measures=(), projected_atoms=np.empty((0, 0)))
    assert (again.potentials() == potentials).all()
    assert {len(copy) for copy in result.copies} == {300}


def test_projection_keeps_the_atoms_in_the_original_space() -> None:
    rng = np.random.default_rng(0)
    d = 10
    cube = (np.full(d, -0.5), np.full(d, 0.5))
    result = coreset_barycenter([four(1000, rng, d)], 8, 50.0, region=cube, rng=rng, projection=5, subsample=400)
    assert result.projection is not None and result.projection.shape == (d, 5)
    assert result.projected_atoms.shape == (8, 5)
    assert result.atoms.shape == (8, d)
    assert (np.abs(result.atoms) <= 0.5).all()


def test_determinism_population_and_counts() -> None:
    points = four(60, np.random.default_rng(0))
    times = np.full(60, 5)
    runs = [
        coreset_barycenter([(points, times)], 4, 1.0, region=SQUARE, rng=np.random.default_rng(2), population=3000)
        for _ in range(2)
    ]
    assert (runs[0].atoms == runs[1].atoms).all()
    assert runs[0].sample_guarantee.epsilon == pytest.approx(np.log1p(np.expm1(1.0) * 10), rel=1e-8)
    assert runs[0].guarantee.epsilon == 1.0


def test_secret_sizes() -> None:
    rng = np.random.default_rng(0)
    result = coreset_barycenter([four(500, rng)], 4, 2.0, region=SQUARE, rng=rng, adjacency="add-remove", depth=8)
    assert result.guarantee.neighbours == "add-remove"
    assert "number of points n" not in result.guarantee.public
    assert result.measures[0].error_bound is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"groups": np.zeros((5, 2))}, r"pass \[points\]"),
        ({"groups": []}, "at least one group"),
        ({"groups": [np.zeros((3, 2))]}, "m must not exceed .* m = 4 atoms for 3 points"),
        ({"groups": [np.zeros((9, 2)), (np.zeros((9, 2)), np.zeros(9))]}, "group 1: counts must not be 0 everywhere"),
        ({"groups": [np.full((9, 2), 3.0)], "outside": "refuse"}, r"group 0: points must lie in the region \("),
        ({"projection": 3}, "projection"),
        ({"subsample": 3}, "subsample"),
        ({"population": [100, 100]}, "population must have one size per group"),
        ({"p": 0.5}, "p must lie"),
    ],
)
def test_bad_input(change: dict, message: str) -> None:
    given = {"groups": [np.zeros((9, 2))], "region": SQUARE, "rng": np.random.default_rng(0), **change}
    with pytest.raises(ValueError, match=message):
        coreset_barycenter(given.pop("groups"), 4, 1.0, **given)
