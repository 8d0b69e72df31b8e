"""Worst cases over mixtures on the line: brackets hold for random members, are attained, and equal linear programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.arguments import Array
from dpot_core.mechanisms.continuous.worst_mixtures import (
    Chords,
    MovedRight,
    Projections,
    band_bound,
    best_scale,
    kept_bound,
    largest_in_band,
)
from dpot_core.privacy.polytopes import Polytope
from dpot_core.transport.line import line_cost, project_line
from tests.marks import every_by_day

ORDERS = (1.0, 1.5, 2.0, 3.0, 4.0)
CELLS = 40


def gaussians(variance: float, low: float, high: float, cells: int = CELLS) -> MovedRight:
    edges = np.linspace(-4.0, 4.0, cells + 1)
    x = (edges[1:] + edges[:-1]) / 2

    def member(mean: float) -> Array:
        values = np.exp(-((x - mean) ** 2) / (2 * variance))
        return values / values.sum()

    return MovedRight(x, member, low, high)


def mixtures(family: MovedRight, count: int, rng: np.random.Generator) -> list[Array]:
    """By the paper's rule, and with means at the edges, where the worst ones are."""
    found = []
    for number in range(count):
        modes = min(int(rng.poisson(2)) + 1, 10)
        means = rng.uniform(family.low, family.high, modes)
        if number % 2:
            means = rng.choice([family.low, family.high], modes)
        found.append(rng.dirichlet(np.ones(modes)) @ np.stack([family.member(float(m)) for m in means]))
    return found


def around(variance: float, epsilon: float, cells: int = CELLS) -> tuple[Array, float, float]:
    """h of the family with radius 1 on cells, its level, and c2 there."""
    known = dpot.gaussian_mixture_family(variance, 1.0, (-4.0, 4.0))
    family = gaussians(variance, -1.0, 1.0, cells)
    h = known.envelope.density(family.points)
    h = h / h.sum()
    return h, known.level(epsilon), float((family.members(65) / h).max())


@pytest.mark.slow
@pytest.mark.parametrize("p", [pytest.param(p, marks=[pytest.mark.nightly] * (p != 1.0)) for p in ORDERS])
@pytest.mark.parametrize("epsilon", [1.0, *(pytest.param(one, marks=pytest.mark.nightly) for one in (0.1, 4.0))])
def test_a_thousand_random_members_lie_below_the_bracket_of_wpm(p: float, epsilon: float) -> None:
    family = gaussians(0.5, -1.0, 1.0)
    x, rng = family.points, np.random.default_rng(7)
    h, level, _ = around(0.5, epsilon)
    for base in (level * h, np.full(CELLS, 1.0 / CELLS)):
        Q = Polytope(base, epsilon)
        found = Projections(family, Q, p).bracket(2e-3, most=16)
        far = [
            line_cost(mu, x, project_line(mu, x, x, p, Q.lower, Q.upper), x, p) ** (1 / p)
            for mu in mixtures(family, 1000 // 6, rng)
        ]
        assert max(far) <= found.at_most * (1 + 1e-9)
        # Attained by a single member, and no grid of members finds more than the upper bound.
        grid = [
            line_cost(mu, x, project_line(mu, x, x, p, Q.lower, Q.upper), x, p) ** (1 / p) for mu in family.members(101)
        ]
        assert found.at_least <= max(grid) + 1e-9 and max(grid) <= found.at_most * (1 + 1e-9)
        assert found.at_most - found.at_least <= 0.05


@pytest.mark.parametrize("p", ORDERS)
def test_on_few_cells_it_is_the_linear_program(p: float) -> None:
    family = gaussians(0.5, 0.0, 1.0, 12)
    h, level, _ = around(0.5, 1.0, 12)
    Q = Polytope(level * h, 1.0)
    projected = Projections(family, Q, p)
    found = projected.bracket(1e-3)
    cost = np.abs(family.points[:, None] - family.points) ** p
    values = {
        m: float(dpot.exact_projection_lp(mu, cost, Q).value) ** (1 / p) for m, (mu, _, _) in projected.known.items()
    }
    for m, (_, _, value) in projected.known.items():
        assert value == pytest.approx(values[m], abs=1e-6)
    assert found.at_least == pytest.approx(max(values.values()), abs=1e-6)


def test_mirror_images_are_as_hard() -> None:
    h, level, _ = around(0.5, 1.0)
    Q = Polytope(level * h, 1.0)
    half, whole = (Projections(gaussians(0.5, low, 1.0), Q, 2.0).bracket(1e-3, most=30) for low in (0.0, -1.0))
    assert half.at_least == pytest.approx(whole.at_least, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("p", [pytest.param(p, marks=[pytest.mark.nightly] * (p != 1.0)) for p in ORDERS])
def test_between_two_means_nothing_is_farther_from_the_chord_than_is_said(p: float) -> None:
    family = gaussians(0.3, 0.0, 1.0)
    x, said = family.points, Chords(family, p)
    for a, b in ((0.0, 1.0), (0.5, 0.75)):
        ends = family.member(a), family.member(b)
        for s in np.linspace(0, 1, 41):
            mu = family.member((1 - s) * a + s * b)
            # The chord may be left at any share: the bound is for one of them.
            far = min(
                line_cost(mu, x, (1 - t) * ends[0] + t * ends[1], x, p) ** (1 / p) for t in np.linspace(0, 1, 201)
            )
            assert far <= said(a, b) + 1e-9
    assert said(0.875, 1.0) < said(0.5, 1.0)


@pytest.mark.slow
@given(st.sampled_from(ORDERS), st.floats(0.05, 8.0), st.integers(0, 2**32))
def test_members_of_a_band_lie_below_its_bounds(p: float, epsilon: float, seed: int) -> None:
    family, rng = gaussians(0.5, -1.0, 1.0), np.random.default_rng(seed)
    x = family.points
    h, level, largest = around(0.5, epsilon)
    Q = Polytope(level * h, epsilon)
    bound = band_bound(family, Q.lower, Q.upper, p)
    kept = kept_bound(family, largest / (level * np.exp(epsilon / 2)), Q.upper, p)
    for mu in mixtures(family, 8, rng):
        inside = Q.project_kl(rng.dirichlet(np.full(CELLS, 0.2)) + 1e-12)
        kpm = Q.project_kl(mu)
        for nu in (inside, kpm, Q.lower + (1 - Q.lower.sum()) * (Q.upper - Q.lower) / (Q.upper - Q.lower).sum()):
            assert line_cost(mu, x, nu, x, p) ** (1 / p) <= bound * (1 + 1e-9)
        assert line_cost(mu, x, kpm, x, p) ** (1 / p) <= kept * (1 + 1e-9)
        assert (kpm * largest / (level * np.exp(epsilon / 2)) >= mu * (1 - 1e-9)).all()
        for name, divergence in dpot.DIVERGENCES.items():
            most = largest_in_band(name, family.members(33), Q.lower, Q.upper)
            assert divergence(mu, inside) <= most * (1 + 1e-2) + 1e-9, name


def test_the_largest_divergence_in_a_band_is_that_of_two_cells_by_hand() -> None:
    mu, lower, upper = np.array([[0.75, 0.25]]), np.array([0.2, 0.3]), np.array([0.6, 0.9])
    # nu is (t, 1 - t) with t from 0.2 to 0.6; the divergence is convex in t, so that an end is the largest.
    for name in ("kl", "tv", "hellinger", "chi2"):
        most = max(dpot.DIVERGENCES[name](mu[0], np.array([t, 1 - t])) for t in (0.2, 0.6))
        assert most <= largest_in_band(name, mu, lower, upper) * (1 + 1e-9)
    # Without room to leave out, the chord is the function.
    t = np.array([0.2, 0.8])
    assert largest_in_band("kl", mu, t, t) == pytest.approx(dpot.kl(mu[0], t))


@pytest.mark.parametrize("p", [1.0, 1.5, 3.0])
@pytest.mark.parametrize("epsilon", every_by_day(2, [0.3, 2.0]))
def test_no_other_scale_is_better(p: float, epsilon: float) -> None:
    family = gaussians(0.5, 0.0, 1.0)
    x = family.points
    shape, _, _ = around(0.5, epsilon)
    scale = best_scale(family, shape, epsilon, p)

    def worst(one: float) -> float:
        Q = Polytope(one * shape, epsilon)
        return max(line_cost(mu, x, project_line(mu, x, x, p, Q.lower, Q.upper), x, p) for mu in family.members(2))

    others = np.exp(np.linspace(-epsilon / 2, epsilon / 2, 41))
    assert worst(scale) <= min(map(worst, others)) * (1 + 1e-3) + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kl", "tv", "hellinger"])
def test_a_projection_is_no_worse_for_a_mixture_than_for_its_modes(name: str) -> None:
    """KPM and the mollifier clip: the nearest in the band for every f-divergence, so that its cost is convex."""
    family, rng = gaussians(0.5, -1.0, 1.0), np.random.default_rng(3)
    divergence = dpot.DIVERGENCES[name]
    h, level, _ = around(0.5, 1.0)
    for Q in (Polytope(level * h, 1.0), Polytope(gaussians(1.0, 0.0, 1.0).member(0.0), 1.0)):
        rows = family.members(65)
        worst = float(divergence(rows, Q.project_kl(rows)).max())
        inputs = np.stack(mixtures(family, 1000, rng))
        assert float(divergence(inputs, Q.project_kl(inputs)).max()) <= worst * (1 + 1e-6)
        for mu in inputs[:20]:  # nearest: none of the band is nearer
            rivals = Q.project_kl(rng.dirichlet(np.full(CELLS, 0.5), 50) + 1e-9)
            mixed = 0.9 * Q.project_kl(mu) + 0.1 * rivals
            assert (divergence(mu, mixed) >= divergence(mu, Q.project_kl(mu)) - 1e-12).all()
