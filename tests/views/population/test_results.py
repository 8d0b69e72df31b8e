"""The experiment behind the page Population: samples, releases, curves, inside, sensitivity, synthetic examples."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpot_app.views import population
from dpot_app.views.population.curves.results import RUNS
from dpot_app.views.population.distances import between, between_km, matched
from dpot_app.views.population.map.results import HARDLY, MapResult, draw_map
from dpot_app.views.population.map.text import hardly, headlines
from dpot_app.views.population.people import People, Reference, as_reference, cost_km, fall
from dpot_app.views.population.releases import chunks_of, settle
from dpot_app.views.population.starts import public_starts
from dpot_core.datasets import box_outline, load_places, read_population_csv
from dpot_core.mechanisms.central.cells import noisy_step, stand_in
from dpot_core.mechanisms.central.regions import as_region
from dpot_core.transport.barycenters import barycenter_cost, free_support

CONFIG = population.Config(n=600, m=4, groups="regions")


@pytest.fixture(scope="module")
def people() -> People:
    return population.draw_people(load_places("regions"), CONFIG.n, CONFIG.seed)


@pytest.fixture(scope="module")
def truth(people) -> Reference:
    return population.reference(people, CONFIG.m, CONFIG.seed)


@pytest.fixture(scope="module")
def result() -> MapResult:
    return draw_map(CONFIG, load_places("regions"))


def test_people_are_a_sample_with_its_rate(people):
    places = load_places("regions")
    assert people.sizes == (600,) * 4
    assert people.totals == tuple(int(total) for total in places.totals)
    assert people.rate == pytest.approx(600 / places.totals.min())
    assert not people.everybody
    assert population.draw_people(places, 600, 1) == people
    assert population.draw_people(places, 600, 2) != people


def test_all_people_are_drawn_where_n_is_large():
    few = replace(load_places("everybody").sample(50, np.random.default_rng(0)), title="few")
    drawn = population.draw_people(few, 1000, 1)
    assert drawn.everybody and drawn.sizes == (50,)
    truth = population.reference(drawn, 2, 1)
    release = population.release(drawn, truth, population.Config(n=1000, m=2), "coreset")
    assert release.guarantee == release.sample_guarantee
    assert release.guarantee.epsilon == 1.0


def test_the_reference_is_a_barycenter(people, truth):
    assert truth.cost == pytest.approx(barycenter_cost(people.groups, truth.atoms))
    worse = truth.atoms + np.random.default_rng(0).normal(0, 0.3, truth.atoms.shape)
    assert barycenter_cost(people.groups, worse) > truth.cost
    # A degree is 111 km to the north and less to the east.
    assert 70 * math.sqrt(truth.cost) < truth.km < 112 * math.sqrt(truth.cost)
    with pytest.raises(ValueError, match="smallest group, 600; got 700"):
        population.reference(people, 700, 1)


@pytest.mark.parametrize("far", [0.0, 0.3, 20.0])
def test_costs_are_exact_wherever_the_atoms_are(people, truth, far):
    atoms = truth.atoms + np.random.default_rng(0).normal(scale=far, size=truth.atoms.shape)
    cost, km = fall(people, truth, atoms).before, cost_km(people, truth, atoms)
    assert cost == pytest.approx(barycenter_cost(people.groups, atoms), rel=1e-8)
    there = people.outline.to_km(atoms)
    assert km**2 == pytest.approx(barycenter_cost(people.groups_km, there), rel=1e-8)
    if far == 0.0:
        assert (cost, km) == pytest.approx((truth.cost, truth.km), rel=1e-8)


@pytest.mark.nightly
def test_a_search_that_takes_long_is_counted():
    few = population.draw_people(load_places("everybody"), 60, 1)
    counts: list[tuple[int, int]] = []
    population.reference(few, 24, 1, progress=lambda done, total: counts.append((done, total)))
    assert counts == [(0, 3), (1, 3), (2, 3)]


def test_three_people_in_one_place():
    outline = box_outline(0.0, 0.0, 1.0, 1.0)
    one = read_population_csv(b"x,y\n0.5,0.5\n0.5,0.5\n0.5,0.5\n", outline)
    few = population.draw_people(one, 500, 1)
    config = population.Config(source="csv", m=2, n=500)
    truth = population.reference(few, 2, 1)
    assert truth.cost == pytest.approx(0.0, abs=1e-12) and truth.km is None
    for mechanism in population.MECHANISMS:
        drawn = population.release(few, truth, config, mechanism)
        assert np.isfinite(drawn.atoms).all() and drawn.guarantee.epsilon == 1.0 and drawn.distance_km is None
    assert len(population.replace_people(few, truth, config).replacements) == 3
    assert population.inside(few, config).n == 3


def test_distances_between_atoms_do_not_depend_on_their_order(people):
    rng = np.random.default_rng(1)
    atoms = people.sample.points[rng.choice(len(people.sample), 6, replace=False)]
    moved = atoms + np.array([0.0, 0.01])
    assert (matched(atoms, moved[rng.permutation(6)]) == moved).all()
    assert between(atoms, moved[::-1]) == pytest.approx(0.01)
    assert between_km(people.outline, atoms, moved) == pytest.approx(1.11, rel=0.02)


@pytest.mark.parametrize("mechanism", population.MECHANISMS)
def test_a_release_promises_what_was_asked_for(people, truth, mechanism):
    release = population.release(people, truth, CONFIG, mechanism)
    outer, inner = release.guarantee, release.sample_guarantee
    assert (outer.epsilon, outer.neighbours) == (CONFIG.epsilon, "replace")
    assert outer.delta == (0.0 if mechanism == "coreset" else CONFIG.delta)
    # Amplification by sampling without replacement, Balle, Barthe, Gaboardi 2018.
    assert math.log1p(people.rate * math.expm1(inner.epsilon)) <= CONFIG.epsilon * (1 + 1e-12)
    assert inner.delta * people.rate <= outer.delta
    assert release.cost >= 0.99 * truth.cost
    assert release.distance == pytest.approx(between(truth.atoms, release.atoms))
    again = population.release(people, truth, CONFIG, mechanism)
    other = population.release(people, truth, CONFIG, mechanism, 1)
    assert (again.atoms == release.atoms).all() and (other.atoms != release.atoms).any()


def test_atoms_are_published_inside_the_hull_of_the_region(people, truth):
    tiny = replace(CONFIG, epsilon=0.05)
    hull = people.outline.region.convex_hull.buffer(1e-6)
    for mechanism in population.MECHANISMS:
        atoms = population.release(people, truth, tiny, mechanism).atoms
        assert all(hull.covers(point) for point in _points(atoms))


@pytest.mark.nightly
@pytest.mark.parametrize(("groups", "n", "m"), [("everybody", 10_000, 12), ("regions", 1_000, 8)])
def test_noise_and_search_are_told_apart_and_less_noise_moves_less(groups, n, m):
    """Where a search happens to end hid what epsilon does: 12 km off at .05, 193 km at 10."""
    config = population.Config(n=n, m=m, groups=groups)
    everybody = load_places(groups)
    noise = []
    for epsilon in (0.05, 10.0):
        # Single draws differ by 10 km: means of six do not tell 15 km from 10.
        found = draw_map(replace(config, epsilon=epsilon), everybody, 24 if groups == "everybody" else 6)
        people = population.draw_people(everybody, config.n, config.seed)
        for name, draws in found.draws.items():
            for one in draws:
                # No private start leads to a better place than the one without privacy.
                assert found.reference.cost <= one.settled_cost * (1 + 1e-12) <= one.cost * (1 + 1e-9)
                assert barycenter_cost(people.groups, one.settled) == pytest.approx(one.settled_cost, rel=1e-6)
                assert one.noise == pytest.approx(between(one.settled, one.atoms))
                assert one.distance <= (one.noise + one.search) * (1 + 1e-9)
                assert abs(one.noise - one.search) <= one.distance * (1 + 1e-9)
            assert found.shares(name).extra >= 0
        noise.append({name: found.shares(name).noise for name in population.MECHANISMS})
    assert noise[1]["coreset"] < noise[0]["coreset"]
    # With 1,000 people a region the stand-ins' cells, not the noise, keep the perturbation's atoms from their minimum.
    assert noise[1]["perturbation"] < noise[0]["perturbation"] * (1.0 if groups == "everybody" else 1.1)


@pytest.mark.nightly
def test_where_a_private_search_ends_better_the_other_one_goes_on_from_there(people):
    config = replace(CONFIG, reg=0.0)
    best = population.reference(people, CONFIG.m, CONFIG.seed)
    poor = as_reference(people, best.atoms + np.random.default_rng(0).normal(size=best.atoms.shape), "poor")
    draws = {name: [population.release(people, poor, config, name)] for name in population.MECHANISMS}
    found, measured = settle(people, poor, config, draws)
    assert found.cost == pytest.approx(min(one.settled_cost for (one,) in draws.values()), rel=1e-9)
    assert found.cost < poor.cost
    for name, (one,) in measured.items():
        assert one.distance == pytest.approx(between(found.atoms, one.atoms)) and one.cost >= found.cost
        assert (one.atoms == draws[name][0].atoms).all() and one.noise == draws[name][0].noise
    # An entropic one, as in the paper, is not the best there is, and stays.
    assert settle(people, poor, replace(config, reg=0.01), draws)[0] is poor


def test_private_searches_start_from_atoms_that_no_data_have_influenced(people):
    """Their own generator is not touched, and other people have the same starts."""
    starts = public_starts(people.outline, 5)
    others = population.draw_people(load_places("everybody"), 300, 9)
    assert starts.shape == (3, 5, 2) and (public_starts(others.outline, 5) == starts).all()
    public_starts.cache_clear()
    np.random.seed(1)
    assert (public_starts(people.outline, 5) == starts).all()
    for mechanism in population.MECHANISMS:
        searches = []

        def kept(groups, m, rng, p=2.0, starts=3, searches=searches, **more):
            searches.append(starts)
            return free_support(groups, m, rng, p, starts=starts, **more)

        with pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.setattr("dpot_core.mechanisms.central.coreset_barycenter.free_support", kept)
            population.publish(load_places("everybody"), population.Config(n=300, m=5), mechanism)
        assert searches and all((begin == starts).all() for begin in searches)


def test_the_page_says_when_epsilon_hardly_matters(people):
    usual = draw_map(population.Config(), load_places("everybody"), 1)
    assert "ε hardly matters at this n" in hardly(usual)
    few = draw_map(population.Config(n=500, m=4, epsilon=0.05), load_places("everybody"), 6)
    extra = {name: few.shares(name).extra for name in population.MECHANISMS}
    more = max(extra, key=lambda name: extra[name])
    assert extra[more] > HARDLY
    assert "hardly" not in hardly(few)
    assert not replace(usual, draws={**usual.draws, more: few.draws[more]}).hardly, "of all of them"


@pytest.mark.nightly
def test_more_budget_brings_the_atoms_nearer(people, truth):
    for mechanism in population.MECHANISMS:
        means = [
            np.mean(
                [population.release(people, truth, replace(CONFIG, epsilon=e), mechanism, d).cost for d in range(4)]
            )
            for e in (0.05, 8.0)
        ]
        assert means[1] < means[0]


@pytest.mark.nightly
def test_the_paper_is_labelled_and_add_remove_is_towards_the_sample(people, truth):
    paper = population.release(people, truth, replace(CONFIG, guarantee="paper"), "perturbation")
    assert not paper.guarantee.proven and not paper.sample_guarantee.proven
    for mechanism in population.MECHANISMS:
        one = population.release(people, truth, replace(CONFIG, adjacency="add-remove"), mechanism)
        assert one.guarantee == one.sample_guarantee
        assert (one.guarantee.epsilon, one.guarantee.neighbours) == (1.0, "add-remove")


def test_a_release_of_a_sample_is_not_made_for_people_who_join_or_leave():
    with pytest.raises(ValueError, match="adjacency must be 'replace' for a release"):
        population.publish(load_places("regions"), replace(CONFIG, adjacency="add-remove"), "coreset")
    with pytest.raises(ValueError, match="mechanism must be one of coreset, perturbation, kmeans; got 'laplace'"):
        population.publish(load_places("regions"), CONFIG, "laplace")


def test_the_number_of_chunks(people):
    assert chunks_of(people, CONFIG) is None
    chunks = replace(CONFIG, method="chunks")
    assert chunks_of(people, chunks) == round(600 / 16)
    assert chunks_of(people, replace(chunks, chunks=10)) == 10
    assert chunks_of(people, replace(chunks, chunks=10_000)) == 150


def test_tables_and_headlines(result):
    tables = result.tables()
    assert set(tables) == {"atoms", "atoms-not-private", "costs", "privacy-profile"}
    assert len(tables["atoms"]) == 8 and len(tables["atoms-not-private"]) == 4 and len(tables["costs"]) == 3
    assert not tables["costs"]["simulated"].any()
    assert headlines(result)["cost, non-private (squared units)"] == result.reference.cost
    assert [promise.delta for _, promise in result.releases] == [0.0, CONFIG.delta]
    assert hash(CONFIG) == hash(replace(CONFIG))


@pytest.mark.nightly
@pytest.mark.parametrize("groups", ["everybody", pytest.param("regions", marks=pytest.mark.nightly)])
def test_the_noise_of_an_atom_is_what_is_said(groups):
    config = population.Config(groups=groups, n=5000, m=4, epsilon=5.0, steps=1)
    people = population.draw_people(load_places(groups), config.n, 1)
    truth = population.reference(people, config.m, 1)
    found = population.release(people, truth, config, "perturbation")
    rng = np.random.default_rng(0)
    everybody = [(points, counts.astype(np.int64)) for points, counts in people.groups]
    stand_ins = [
        stand_in(points[rng.choice(len(points), 400, p=counts / counts.sum())]) for points, counts in everybody
    ]
    noise, region = found.facts["standard deviation of the noise of a step"], as_region(people.outline.region)
    steps = [
        noisy_step(everybody, stand_ins, truth.atoms, noise, region, rng, secure=None, sizes=people.sizes)[0]
        for _ in range(150)
    ]
    spread = np.sqrt(np.var(steps, axis=0, ddof=1).mean())
    assert 0.7 * spread < found.facts["noise of an atom (units)"] < 1.3 * spread


def test_the_backdrop_counts_all_people(people, result):
    assert result.backdrop.people.sum() == sum(people.sizes)
    assert result.backdrop.geographic


@pytest.mark.nightly
def test_a_curve_has_runs_that_differ():
    point = population.curve_point(load_places("everybody"), replace(CONFIG, m=2), "n", 400)
    assert list(point.cost) == ["non-private", *population.MECHANISMS]
    assert {values.shape for values in point.cost.values()} == {(RUNS,)}
    assert len(set(point.distance["coreset"])) == RUNS
    curve = population.curve("n", CONFIG, [point, replace(point, value=200.0)])
    assert [one.value for one in curve.points] == [200.0, 400.0]
    assert len(curve.tables()["against-n"]) == 2 * 3 * RUNS


def test_inside_the_levels_add_up(people):
    inside = population.inside(people, CONFIG, 2)
    assert inside.group == "South"
    budgets = [Fraction(text) for text in inside.levels["budget share"]]
    assert sum(budgets) == Fraction(inside.sample_guarantee.epsilon)
    for level in inside.maps:
        # People in cells under one that is empty privately are not looked at.
        assert 0.8 * 600 < np.nansum(level.counts["true"]) <= 600
        assert np.nansum(level.counts["private"]) == 600
        assert np.nanmin(level.counts["private"]) >= 0
    assert len(inside.points) == 600 and people.outline.contains(inside.points).all()
    assert set(inside.tables()) == {"levels", "cells"}


def test_one_point_turns_the_circle_whatever_the_number_of_chunks():
    turns = population.circle().turns
    for turn in turns:
        assert (turn.points[0] != turn.points[1]).any(axis=1).sum() == 1  # neighbours: one point replaced
        assert np.linalg.norm(turn.points, axis=2).max() <= 0.5 + 1e-12
        assert turn.moved > 0.3
    assert turns[-1].moved > 50 * turns[-1].assumed


@pytest.mark.parametrize("number", [0, 1])
def test_the_circles_barycenter_is_one(number):
    turn = population.circle().turns[2]
    even = turn.points[0].copy()
    even[0], even[4] = [0.5, 0.0], [0.0, 0.5]
    groups = [(turn.points[number], None), *[(even, None)] * (turn.chunks - 1)]
    cost = barycenter_cost(groups, turn.atoms[number])
    assert cost < barycenter_cost(groups, turn.atoms[1 - number])
    for angle in np.linspace(0.1, 3.1, 16):
        turned = turn.atoms[number] @ [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        assert cost <= barycenter_cost(groups, turned) + 1e-12


def test_the_proven_bound_holds_for_every_replaced_person(people, truth):
    found = population.replace_people(people, truth, CONFIG)
    assert len(found.replacements) == 8
    for one in found.replacements:
        assert 0 < one.sums_moved <= found.proven
        assert (one.before != one.after).any()
    assert found.assumed == pytest.approx(found.assumed_atom * math.sqrt(CONFIG.m))


def _points(atoms):
    from shapely import points

    return points(atoms)
