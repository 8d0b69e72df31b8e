"""What leaves the population page: releases apart from what is not private, composed as one sample's, and for real."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from dpot_app.kit.blocks import FOR_REAL, Code, Note, for_real
from dpot_app.views import population
from dpot_app.views.population import details, releases
from dpot_app.views.population.disclosed import released
from dpot_app.views.population.map.results import DRAWS, MapResult, draw_map
from dpot_app.views.population.people import People, Reference, backdrop
from dpot_app.views.table import VIEWS
from dpot_core.datasets import load_places
from dpot_core.privacy.accounting import sample_epsilon
from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.guarantees import Guarantee, Sampled

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


def default_promises(draws: int) -> list[tuple[str, Guarantee]]:
    """Of the page's defaults, whose sampling rate is 10,000 of everybody in the places."""
    rate = 10_000 / float(load_places("everybody").totals[0])
    inner = sample_epsilon(1.0, rate)
    layers = {"Coreset": Sampled(inner, 0.0, rate), "Perturbation": Sampled(inner, 1e-9 / rate, rate)}
    one = [(name, Guarantee(1.0, rate * x.delta, "replace", sampled=x)) for name, x in layers.items()]
    return [promise for promise in one for _ in range(draws)]


def test_an_export_is_composed_before_it_is_amplified():
    both = released(default_promises(1), 0).guarantee
    # Not 1 and not 2: twice 10.38 towards the people drawn, amplified.
    assert both.sampled.epsilon == pytest.approx(2 * 10.38, abs=0.01)
    assert both.epsilon == pytest.approx(10.92, abs=0.01)
    many = released(default_promises(DRAWS), 0)
    assert many.guarantee.epsilon == pytest.approx(405, abs=1)
    assert many.guarantee.delta == pytest.approx(20e-9)
    assert [name for name, _ in many.parts] == ["Coreset, 20 releases", "Perturbation, 20 releases"]
    assert many.parts[0][1].sampled.epsilon == pytest.approx(20 * 10.38, abs=0.1)
    words = " ".join(many.sentences())
    assert "Demonstration, not a release" in words and "known seed" in words and "415" in words


def test_the_map_says_what_all_its_releases_promise_together(result):
    told = VIEWS["population.map"].disclosure(CONFIG, result)
    assert told.status == "demonstration" and told.guarantee.epsilon > 2 * CONFIG.epsilon
    singles = [draw.sample_guarantee.epsilon for draws in result.draws.values() for draw in draws]
    assert told.guarantee.sampled.epsilon == pytest.approx(sum(singles))
    assert released(result.releases[:1], 0).guarantee == result.releases[0][1]


@pytest.mark.parametrize("view", ["curve-n", "curve-epsilon", "sensitivity", "gaussians-n"])
def test_demonstrations_have_no_guarantee(view):
    told = VIEWS[f"population.{view}"].disclosure(CONFIG, None)
    assert told.status == "analysis" and told.guarantee is None and told.parts == ()


def test_a_view_that_holds_released_atoms_says_what_they_promise(result):
    """Atoms without a mark, and "no guarantee covers these numbers" beside them, would contradict each other."""
    told = VIEWS["population.guaranteed"].disclosure(CONFIG, result, None)
    assert told == VIEWS["population.map"].disclosure(CONFIG, result)


def test_columns_that_are_not_private_say_so(people, truth, result):
    tables = VIEWS["population.map"].disclosure(CONFIG, result).mark(result.tables())
    assert not any("not private" in name for name in tables["atoms"].columns)
    assert set(tables["atoms"]["barycenter"]) == {"coreset", "perturbation"}
    assert {"lon or x (not private)", "lat or y (not private)"} <= set(tables["atoms-not-private"].columns)
    assert "cost (squared units) (not private)" in tables["costs"].columns
    moved = population.replace_people(people, truth, CONFIG)
    coordinates = VIEWS["population.sensitivity"].disclosure(CONFIG).mark(moved.tables())["replaced-people"].columns
    assert "from lon or x" not in coordinates and "from lon or x (not private)" in coordinates
    levels = population.inside(people, CONFIG)
    told = VIEWS["population.inside"].disclosure(population.InsideConfig(base=CONFIG), levels)
    cells = told.mark(levels.tables())["cells"]
    assert "true (not private)" in cells.columns and {"noisy", "private"} <= set(cells.columns)
    assert "true" not in cells.columns


@pytest.mark.parametrize("mechanism", population.MECHANISMS)
def test_the_order_of_released_atoms_does_not_look_at_the_truth(people, truth, mechanism):
    turned = replace(truth, key="turned", atoms=truth.atoms[::-1])
    one, other = (population.release(people, each, CONFIG, mechanism) for each in (truth, turned))
    assert (one.atoms == other.atoms).all() and (np.diff(one.atoms[:, 0]) >= 0).all()
    assert (one.matched != other.matched).any()
    # Nor do their areas, whose potentials stand in the same order.
    assert one.potentials is not None and (one.potentials == other.potentials).all()
    for each in (one, other):
        for psi, drawn in zip(each.potentials, each.potentials_as_matched, strict=True):
            known = {tuple(atom): value for atom, value in zip(each.atoms.tolist(), psi, strict=True)}
            assert [known[tuple(atom)] for atom in each.matched.tolist()] == drawn.tolist()
    drawn = MapResult(backdrop(people), truth, {mechanism: (one,)}).tables()["atoms"]
    assert (drawn[["lon or x", "lat or y"]].to_numpy() == one.atoms).all()


@pytest.mark.parametrize("mechanism", population.MECHANISMS)
def test_areas_of_a_release_are_those_of_its_private_copies(people, truth, mechanism):
    one = population.release(people, truth, CONFIG, mechanism)
    found = releases.run_mechanism(people, CONFIG, mechanism, releases.noise_stream(people, CONFIG, mechanism))
    own = {tuple(atom): psi for atom, psi in zip(found.atoms.tolist(), found.potentials().T.tolist(), strict=True)}
    assert [own[tuple(atom)] for atom in one.atoms.tolist()] == one.potentials.T.tolist()


@pytest.mark.parametrize("mechanism", population.MECHANISMS)
def test_no_two_settings_share_noise(people, mechanism):
    """From two releases with one noise at two scales the data can be solved for."""
    changes = [{}, {"epsilon": 2.0}, {"m": 5}, {"adjacency": "add-remove"}, {"seed": 2}]
    own = [{"delta": 1e-8}, {"steps": 3}, {"method": "chunks"}, {"guarantee": "paper"}, {"chunks": 7}]
    configs = [replace(CONFIG, **change) for change in changes + (own if mechanism == "perturbation" else [])]
    first = [releases.noise_stream(people, config, mechanism).random() for config in configs]
    first += [releases.noise_stream(people, CONFIG, mechanism, 1).random()]
    first += [
        releases.noise_stream(people, CONFIG, name).random() for name in population.MECHANISMS if name != mechanism
    ]
    other = population.draw_people(load_places("regions"), CONFIG.n + 1, CONFIG.seed)
    first += [releases.noise_stream(other, CONFIG, mechanism).random()]
    assert len(set(first)) == len(first)
    if mechanism == "coreset":
        # What does not change the release does not change its noise.
        same = [releases.noise_stream(people, replace(CONFIG, **change), mechanism).random() for change in own]
        assert set(same) == {first[0]}


@pytest.mark.parametrize("mechanism", population.MECHANISMS)
def test_where_sizes_are_secret_the_n_that_was_asked_for_decides_the_noise(mechanism):
    """Then depth and scales follow from n alone; two n beyond the smallest group draw the same people."""
    few = population.draw_people(load_places("regions"), 10**9, CONFIG.seed)
    configs = [replace(CONFIG, n=n, adjacency="add-remove") for n in (10**6, 10**7)]
    one, other = (releases.noise_stream(few, config, mechanism).random() for config in configs)
    assert one != other
    # Where they are public the people decide, not how many were asked for.
    public = [replace(CONFIG, n=n) for n in (10**6, 10**7)]
    one, other = (releases.noise_stream(few, config, mechanism).random() for config in public)
    assert one == other


def parts_of(value: object) -> list[object]:
    if is_dataclass(value):
        return [value, *(part for field in fields(value) for part in parts_of(getattr(value, field.name)))]
    if isinstance(value, dict):
        return [part for item in value.values() for part in parts_of(item)]
    if isinstance(value, tuple | list):
        return [part for item in value for part in parts_of(item)]
    return [value]


@pytest.mark.parametrize("mechanism", population.MECHANISMS)
def test_a_release_for_real_holds_what_it_pays_for_and_leaves_no_seed(mechanism, monkeypatch):
    asked: list[bool] = []
    for name in ("private_measure.discrete_laplace", "cells.gaussian"):
        module, function = name.split(".")
        real = getattr(__import__(f"dpot_core.mechanisms.central.{module}", fromlist=[function]), function)

        def watched(*args, real=real, **options):
            asked.append(options["secure"])
            return real(*args, **options)

        monkeypatch.setattr(f"dpot_core.mechanisms.central.{name}", watched)
    samples: list[np.ndarray] = []

    def kept(*args, **options):
        found = people_of(*args, **options)
        samples.append(np.hstack([found.sample.points, found.sample.weights.T]))
        return found

    people_of = releases.sampled
    monkeypatch.setattr(releases, "sampled", kept)
    places = load_places("regions")
    # Where the search starts is public and repeatable: found before, whatever another test has left in its cache.
    starts = releases.public_starts(places.outline, CONFIG.m)
    monkeypatch.setattr(releases, "public_starts", lambda *_: starts)
    fresh = np.random.default_rng

    def unseeded(*seed):
        asked.append(True)
        assert seed == (), f"a generator of a release was seeded with {seed}"
        return fresh()

    monkeypatch.setattr(np.random, "default_rng", unseeded)
    first, second = (population.publish(places, CONFIG, mechanism) for _ in range(2))
    assert samples[0].shape != samples[1].shape or (samples[0] != samples[1]).any()
    assert (first.atoms != second.atoms).all() and asked and all(asked)
    assert (np.diff(first.atoms[:, 0]) >= 0).all()
    assert (first.guarantee.epsilon, first.guarantee.neighbours) == (CONFIG.epsilon, "replace")
    assert first.guarantee.delta == (0.0 if mechanism == "coreset" else CONFIG.delta)
    layer = first.sample_guarantee
    assert math.log1p(first.guarantee.sampled.rate * math.expm1(layer.epsilon)) <= CONFIG.epsilon
    # Atoms, potentials of their areas, promises and public numbers: no measure, no seed, no level, no generator.
    named = {"mechanism", "atoms", "potentials", "guarantee", "sample_guarantee", "facts"}
    assert {field.name for field in fields(first)} == named
    kinds = {type(part) for part in parts_of(first)}
    assert kinds <= {releases.Published, Guarantee, Sampled, np.ndarray, float, str, bool, type(None)}
    assert [part for part in parts_of(first) if isinstance(part, np.ndarray)] == [first.atoms, first.potentials]
    assert first.potentials is not None and first.potentials.shape == (len(places.group_names), CONFIG.m)
    assert {name: value for name, value in first.facts.items()} == dict(second.facts)


def test_claimed_mechanisms_are_neither_released_nor_offered(people) -> None:
    """In words: `publish`, the block under the views, the Python in it, what the command line and the report say."""
    claimed = replace(CONFIG, guarantee="paper")
    with pytest.raises(ValueError, match="not proven is not released"):
        population.publish(load_places("regions"), claimed, "perturbation")
    assert population.publish(load_places("regions"), claimed, "coreset").guarantee.proven
    for config in (CONFIG, claimed):
        promises = details.alone("map", config, people)
        *_, block = details.folded(load_places("regions"), people, config, promises)
        offered = any(isinstance(part, Code) for part in block.blocks)
        assert block.label == FOR_REAL and offered == (config.guarantee == "proven")
        said = " ".join(released(list(promises.items()), 1).sentences())
        assert ("nothing is released for real under it" in said) == ("is claimed, not proven" in said) == (not offered)


def test_people_of_ones_own_are_released_by_the_command_from_a_ledger(people) -> None:
    config = replace(CONFIG, source="csv", groups="file")
    *_, block = details.folded(load_places("regions"), people, config, details.alone("map", CONFIG, people))
    (said,) = block.blocks
    assert isinstance(said, Note) and "the ledger refuses more" in said.text
    assert "dpot release scenario.yaml --data people.csv --total 1.0 --delta 1e-09 --out released.csv" in said.text


def test_a_release_block_asks_the_promise_and_a_release_states_a_proven_one() -> None:
    for proven in (True, False):
        promise = Guarantee(1.0, 1e-6, "replace", proven=proven)
        assert any(isinstance(part, Code) for part in for_real(promise, Code("")).blocks) == proven
    with pytest.raises(ValueError, match="not proven is not released"):
        Disclosure("release", (("one", promise),), promise)
