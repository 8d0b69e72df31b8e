"""Population at any order of the cost and with weights of groups, against linear programs and brute force."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

from dpot_app.kit.fields import ORDERS
from dpot_app.kit.links import CannotShowError
from dpot_app.kit.values import ScenarioError
from dpot_app.shell.population.people import balanced, in_percent
from dpot_app.views import population
from dpot_app.views.population.distances import between
from dpot_app.views.population.guaranteed.figures import guaranteed_figure, known_at, now, profile_figure
from dpot_app.views.population.guaranteed.results import LONG_EPSILONS, Far, guaranteed
from dpot_app.views.population.guaranteed.text import what_p_changes
from dpot_app.views.population.map.results import draw_map
from dpot_app.views.population.people import People, fall
from dpot_app.views.population.releases import noise_stream
from dpot_app.views.population.settings import Objective, link, requirements
from dpot_core.datasets import box_outline, load_places
from dpot_core.datasets.population import Population
from dpot_core.privacy.numerals import number, percent


def cost_by_program(points, counts, atoms, p: float) -> float:
    """W_p^p from weighted points to equally weighted atoms by a linear program."""
    cost, (n, m) = cdist(points, atoms) ** p, (len(points), len(atoms))
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    sums = np.concatenate([counts / counts.sum(), np.full(m, 1.0 / m)])
    found = linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=sums, method="highs")
    assert found.status == 0
    return float(found.fun)


def crowd(groups: int = 2, size: int = 14) -> Population:
    rng = np.random.default_rng(7)
    cloud = rng.random((size, 2)) * [2, 1]
    return Population(
        lon=cloud[:, 0],
        lat=cloud[:, 1],
        weights=rng.integers(1, 5, (groups, size)).astype(float),
        group_names=tuple("abc"[:groups]),
        title="T",
        simulated=False,
        outline=box_outline(0, 0, 2, 1),
        source="S",
        licence="L",
    )


@pytest.fixture(scope="module")
def people() -> People:
    return population.draw_people(crowd(), 1000, 1)


@pytest.mark.parametrize(
    "weights", [pytest.param((), id="alike", marks=pytest.mark.nightly), pytest.param((0.8, 0.2), id="weighted")]
)
@pytest.mark.parametrize("p", [p if p in (1.0, 4.0) else pytest.param(p, marks=pytest.mark.nightly) for p in ORDERS])
def test_costs_are_those_of_a_linear_program_and_no_nearby_atoms_cost_less(people, p, weights) -> None:
    config = population.Config(n=1000, m=3, p=p, weights=weights, groups="file", source="csv", epsilon=3.0)
    aim = config.objective
    truth = population.reference(people, 3, 1, 0.0, None, aim)
    beta = np.array(weights or (0.5, 0.5))

    def cost(atoms) -> float:
        return float(beta @ [cost_by_program(x, counts, atoms, p) for x, counts in people.groups])

    assert truth.cost == pytest.approx(cost(truth.atoms), rel=1e-8)
    rng = np.random.default_rng(0)
    for _ in range(15):
        assert cost(truth.atoms + rng.normal(0, 0.03, truth.atoms.shape)) >= truth.cost * (1 - 1e-4)
    for name in population.MECHANISMS:
        one = population.release(people, truth, config, name)
        assert one.cost == pytest.approx(cost(one.atoms), rel=1e-8)
        assert one.settled_cost == pytest.approx(cost(one.settled), rel=1e-6) and one.settled_cost <= one.cost
        assert one.guarantee.epsilon == 3.0 and one.profile is not None
        assert float(one.profile.delta([3.0])[0]) <= one.guarantee.delta


@pytest.mark.parametrize("p", ORDERS)
def test_atoms_are_matched_by_the_best_permutation(p) -> None:
    from itertools import permutations

    rng = np.random.default_rng(3)
    one, other = rng.random((5, 2)), rng.random((5, 2))
    away = cdist(one, other) ** p
    best = min(np.mean([away[i, j] for i, j in enumerate(order)]) for order in permutations(range(5)))
    assert between(one, other, p) == pytest.approx(best ** (1 / p), rel=1e-12)


def test_an_order_that_no_proof_covers_is_refused_in_words() -> None:
    usual = population.Config(p=3.0)
    requirements(usual)
    for more in ({"guarantee": "paper"}, {"method": "chunks"}, {"reg": 0.01}):
        with pytest.raises(ScenarioError, match="2"):
            requirements(replace(usual, **more))
    with pytest.raises(ScenarioError, match="more than 0"):
        requirements(population.Config(weights=(1.0, 0.0)))
    with pytest.raises(ScenarioError, match="more than 0"):
        requirements(population.Config(weights=(1.0, -1.0)))


def test_the_noised_sums_decide_the_noise(people) -> None:
    """Two perturbations of other costs with one noise would give the data away; a coreset's copies are the same."""

    def first(config, mechanism) -> float:
        return float(noise_stream(people, config, mechanism).random())

    one = population.Config()
    for other in (replace(one, p=3.0), replace(one, weights=(0.7, 0.3))):
        assert first(one, "perturbation") != first(other, "perturbation")
        assert first(one, "coreset") == first(other, "coreset")


def test_weights_are_tenths_of_a_percent_that_add_up() -> None:
    rng = np.random.default_rng(0)
    for size in (2, 3, 5, 12):
        for values in rng.dirichlet(np.full(size, 0.3), 50):
            shown = in_percent(values + 1e-9)
            assert sum(round(10 * one) for one in shown) == 1000 and min(shown) >= 0.1
            place, wanted = int(rng.integers(size)), float(round(rng.uniform(0.1, 100.0), 1))
            now_ = balanced([*shown[:place], wanted, *shown[place + 1 :]], place)
            assert sum(round(10 * one) for one in now_) == 1000 and min(now_) >= 0.1
            assert now_[place] == pytest.approx(min(wanted, 100 - 0.1 * (size - 1)))
    config = population.Config(groups="regions", weights=(0.7, 0.1, 0.1, 0.1))
    assert link("map", config)["weight_1"] == "70.0"
    assert "weight_1" not in link("map", population.Config())
    with pytest.raises(CannotShowError):
        link("map", replace(config, weights=(1.0, 1.0, 1.0)))


@pytest.mark.parametrize("p", [p if p == 2.0 else pytest.param(p, marks=pytest.mark.nightly) for p in ORDERS])
def test_the_guarantee_is_never_below_the_measurement(p) -> None:
    config = population.Config(n=300, m=3, p=p)
    drawn = population.draw_people(load_places("everybody"), config.n, config.seed)
    result = draw_map(config, load_places("everybody"))
    found = guaranteed(drawn, config)
    assert guaranteed(drawn, replace(config, epsilon=5.0)) is found, "computed once for all of the slider"
    assert found.bound is not None and (found.bound >= found.measured["coreset"].max(axis=1)).all()
    assert all((found.excess(each) >= -1e-12).all() for each in found.measured.values())
    if p != 2:
        assert tuple(found.epsilons) == LONG_EPSILONS
    # The first draw is the release on the map.
    at = found.epsilons.tolist().index(1.0)
    typical = result.draws["coreset"][0].cost ** (1 / p)
    assert found.measured["coreset"][at, 0] == pytest.approx(typical, rel=1e-9)
    title = guaranteed_figure(result, found, 1.0).layout.title.text.replace("<br>", " ")
    assert percent(now(result, found)["coreset"]) in title
    assert known_at(found, 1.0) == pytest.approx(found.bound[at] / found.best - 1) and known_at(found, 0.05) is None
    tables = found.tables()
    assert len(tables["guaranteed-and-measured"]) == 2 * found.measured["coreset"].size
    assert number(found.far[0].mean) in what_p_changes(found)


def test_where_people_join_no_bound_is_said_to_be_proved() -> None:
    config = population.Config(n=300, m=2, adjacency="add-remove")
    drawn = population.draw_people(load_places("everybody"), config.n, config.seed)
    found = guaranteed(drawn, config)
    assert found.bound is None and not found.vacuous
    assert (
        "guaranteed" not in guaranteed_figure(draw_map(config, load_places("everybody")), found, 1.0).layout.title.text
    )


def test_a_paper_run_has_no_profile() -> None:
    config = population.Config(n=300, m=2, guarantee="paper")
    result = draw_map(config, load_places("everybody"))
    assert set(result.profiles()) == {"coreset"}
    figure = profile_figure(result, 1.0)
    assert "perturbation" not in figure.layout.title.text


def test_people_are_as_far_as_they_are(people) -> None:
    """One atom: everybody's distance to it, by hand."""
    from dpot_app.views.population.guaranteed.results import how_far

    truth = population.reference(people, 1, 1)
    points, counts = (np.concatenate(each) for each in zip(*people.shares, strict=True))
    away = np.linalg.norm(points - truth.atoms[0], axis=1)
    far = how_far(people, truth)
    assert far == Far(2.0, pytest.approx(float(counts @ away / 2)), far.farthest)
    assert counts[away >= far.farthest].sum() / 2 >= 0.1 - 1e-12
    assert counts[away > far.farthest].sum() / 2 <= 0.1 + 1e-12


def test_a_fall_ends_where_the_weighted_cost_is_least(people) -> None:
    aim = Objective(3.0, (0.9, 0.1))
    truth = population.reference(people, 3, 1, 0.0, None, aim)
    rng = np.random.default_rng(2)
    found = fall(people, truth, truth.atoms + rng.normal(0, 0.02, truth.atoms.shape))
    assert found.cost <= found.before and found.cost >= truth.cost * (1 - 1e-3)
