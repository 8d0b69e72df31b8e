"""Private k-means beside the barycenters: chosen on the page, measured by both costs, promised and released alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from dpot_app.views import population
from dpot_app.views.population.details import alone
from dpot_app.views.population.guaranteed import results as guaranteed
from dpot_app.views.population.map.figures import release_map
from dpot_app.views.population.map.results import MapResult, draw_map
from dpot_app.views.population.map.text import LOOK, against_kmeans, cost_table, headlines, looks
from dpot_app.views.population.people import People
from dpot_app.views.population.releases import noise_stream, run_mechanism
from dpot_app.views.population.settings import BARYCENTERS, COMPARED
from dpot_app.views.table import VIEWS
from dpot_core.datasets import load_places
from dpot_core.transport.barycenters import barycenter_cost

PLAIN = population.Config(n=400, m=4)
CONFIG = replace(PLAIN, compared="kmeans")


@pytest.fixture(scope="module")
def people() -> People:
    return population.draw_people(load_places("everybody"), CONFIG.n, CONFIG.seed)


@pytest.fixture(scope="module")
def result() -> MapResult:
    return draw_map(CONFIG, load_places("everybody"))


def test_k_means_stands_beside_the_barycenters_and_changes_none_of_their_numbers(result: MapResult) -> None:
    without = draw_map(PLAIN, load_places("everybody"))
    assert list(without.draws) == list(population.MECHANISMS) and list(result.draws) == [*without.draws, "kmeans"]
    assert result.reference == without.reference
    for name, draws in without.draws.items():
        assert [one.cost for one in result.draws[name]] == [one.cost for one in draws]
    assert headlines(without).items() <= headlines(result).items()
    assert "cost, kmeans (squared units)" in headlines(result)
    assert cost_table(without).heads == cost_table(result).heads[:-1]
    assert len(cost_table(result).rows) == 4 and "to the nearest" in cost_table(result).heads[-1]
    costs = result.tables()["costs"].set_index("barycenter")
    assert (costs["cost to the nearest atom (squared units)"] <= costs["cost (squared units)"] * (1 + 1e-9)).all()


def test_its_promise_is_that_of_the_perturbation_and_adds_up_with_the_others(result: MapResult, people: People) -> None:
    promises = dict(result.releases)
    one = promises["Private k-means"]
    assert (one.epsilon, one.delta, one.neighbours, one.proven) == (1.0, CONFIG.delta, "replace", True)
    told = VIEWS["population.map"].disclosure(CONFIG, result)
    assert told.guarantee is not None and told.guarantee.sampled is not None
    inner = [each.sampled.epsilon for each in promises.values() if each.sampled is not None]
    assert len(inner) == 3 and told.guarantee.sampled.epsilon == pytest.approx(sum(inner))
    assert list(alone("map", CONFIG, people)) == list(promises)
    assert result.profiles([1.0])["kmeans"][0] == pytest.approx(CONFIG.delta, rel=1e-6)
    marked = told.mark(result.tables())["costs"].columns
    assert "cost to the nearest atom (squared units) (not private)" in marked


def test_noise_is_told_apart_by_what_k_means_aims_at(result: MapResult, people: People) -> None:
    (one,) = result.draws["kmeans"]
    (points, counts) = people.groups[0]

    def to_nearest(atoms: np.ndarray) -> float:
        return float(np.average(cdist(points, atoms).min(axis=1) ** 2, weights=counts))

    assert one.nearest == pytest.approx(to_nearest(one.atoms))
    assert one.settled_nearest == pytest.approx(to_nearest(one.settled)) and one.settled_nearest <= one.nearest
    assert one.cost == pytest.approx(barycenter_cost(people.groups, one.atoms), rel=1e-6)
    assert one.settled_cost == pytest.approx(barycenter_cost(people.groups, one.settled), rel=1e-6)
    assert result.shares("kmeans").extra == pytest.approx(one.nearest / one.settled_nearest - 1)
    assert result.nearest == pytest.approx(to_nearest(result.reference.atoms))
    # Its areas are those of the nearest atom.
    assert one.potentials is not None and not one.potentials.any() and result.has_areas("kmeans")
    title = release_map(result, "kmeans").layout.title.text.replace("<br>", " ")
    assert (
        "noise and few rounds raise the cost to the nearest point by " in title
        and "another aim moves the points by" in title
    )


@pytest.mark.parametrize(
    ("cost", "nearest", "words"),
    [
        (1.1, 0.8, "wins by one cost of two.** With equal shares it costs 10% more than the coreset. "),
        (1.1, 1.0, "wins by neither cost.**"),
        (0.9, 0.8, "wins by both costs.** With equal shares it costs 10% less than the coreset. "),
    ],
)
def test_the_page_says_when_it_wins(result: MapResult, cost: float, nearest: float, words: str) -> None:
    costs = {"coreset": (1.0, 1.0), "perturbation": (2.0, 0.9), "kmeans": (cost, nearest)}
    draws = {name: (replace(result.draws[name][0], cost=one, nearest=other),) for name, (one, other) in costs.items()}
    said = against_kmeans(replace(result, draws=draws))
    assert words in said
    share = {0.8: "11.1% less", 1.0: "11.1% more"}[nearest]
    assert f"With every person at the nearest point it costs {share} than the perturbation." in said
    assert not against_kmeans(replace(result, draws={name: draws[name] for name in population.MECHANISMS}))


def test_its_noise_is_its_own_and_follows_all_that_decides_its_scale(people: People) -> None:
    changes = [{}, {"epsilon": 2.0}, {"m": 5}, {"adjacency": "add-remove"}, {"seed": 2}, {"delta": 1e-8}]
    first = [noise_stream(people, replace(CONFIG, **change), "kmeans").random() for change in changes]
    first += [noise_stream(people, CONFIG, name).random() for name in population.MECHANISMS]
    assert len(set(first)) == len(first)
    same = [{"steps": 3}, {"method": "chunks"}, {"chunks": 7}, {"compared": "barycenters"}]
    assert {noise_stream(people, replace(CONFIG, **change), "kmeans").random() for change in same} == {first[0]}


@pytest.mark.parametrize(
    "change", [{"p": 1.0}, {"groups": "regions", "weights": (0.7, 0.1, 0.1, 0.1)}, {"adjacency": "add-remove"}], ids=str
)
def test_k_means_has_every_order_weight_and_kind_of_neighbours(change: dict[str, object]) -> None:
    config = replace(CONFIG, **change)
    everybody = load_places(config.groups)
    found = draw_map(config, everybody)
    (one,) = found.draws["kmeans"]
    assert one.nearest <= one.cost and one.guarantee.neighbours == config.adjacency
    assert "k-means" in against_kmeans(found)
    drawn = population.draw_people(everybody, config.n, config.seed)
    result = run_mechanism(drawn, config, "kmeans", noise_stream(drawn, config, "kmeans"))
    assert one.facts["rounds"] == result.rounds
    if config.weights:
        assert result.weights == pytest.approx(np.array([1.0, 9 / 64, 9 / 64, 9 / 64]))


def test_a_release_for_real_is_made_like_the_others() -> None:
    found = population.publish(load_places("everybody"), PLAIN, "kmeans")
    assert found.guarantee.delta == PLAIN.delta and found.guarantee.proven and found.atoms.shape == (4, 2)
    other = population.publish(load_places("everybody"), PLAIN, "kmeans")
    assert (other.atoms != found.atoms).any()


def test_the_curve_that_comes_with_the_page_is_used_and_k_means_is_measured_beside_it(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guaranteed, "EPSILONS", (1.0, 10.0))
    monkeypatch.setattr(guaranteed, "DRAWS", 2)
    without, found = (guaranteed.guaranteed(people, config) for config in (PLAIN, CONFIG))
    assert list(found.measured) == [*without.measured, "kmeans"] and found.best == without.best
    assert all((found.measured[name] == values).all() for name, values in without.measured.items())
    here = replace(CONFIG, epsilon=10.0)
    result = run_mechanism(people, here, "kmeans", noise_stream(people, here, "kmeans", 1))
    assert found.measured["kmeans"][1, 1] == pytest.approx(barycenter_cost(people.groups, result.atoms) ** 0.5)
    assert "kmeans, mean (share)" in found.tables()["farther-than-need-be"].columns
    assert guaranteed.made_of("x", CONFIG, (1.0,), 2) == guaranteed.made_of("x", PLAIN, (1.0,), 2)


def test_curves_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpot_app.views.population.curves.results.RUNS", 2)
    point = population.curve_point(load_places("everybody"), replace(CONFIG, m=2), "epsilon", 2.0)
    assert list(point.cost) == list(BARYCENTERS) and list(point.noise) == [*population.MECHANISMS, "kmeans"]


def test_its_map_can_be_chosen_where_it_is_drawn() -> None:
    assert looks(PLAIN) is LOOK
    large, none = looks(CONFIG)["large"]
    assert list(large.options or {}) == ["none", *population.MECHANISMS, "kmeans"] and none == "none"
    assert set(COMPARED) == {"barycenters", "kmeans"} and PLAIN.mechanisms == tuple(population.MECHANISMS)
