"""All noisy values replaced by given numbers: what is published must then be the same, for any people.

A mechanism may look at people through its noisy values only. So if these are given numbers, two neighbours, or any two
data sets with the same public facts, must give byte-identical results. The same spies note what was asked, and how
much of it one person changes.
"""

from __future__ import annotations

import hashlib
import itertools
import pickle
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

from dpot_core.mechanisms.central import (
    cells,
    chunks,
    coreset_barycenter,
    paper_barycenter,
    perturbed_barycenter,
    private_kmeans,
    private_measure,
)
from dpot_core.mechanisms.central.ball_region import BallRegion
from dpot_core.mechanisms.central.partition import SENSITIVITY
from dpot_core.mechanisms.central.regions import BoxRegion
from tests.marks import every_by_day

MEASURE, CORESET, PERTURBED, PAPER = private_measure, coreset_barycenter, perturbed_barycenter, paper_barycenter
KMEANS = private_kmeans
BOX = ([0.0, -1.0], [2.0, 1.0])
DEPTH = 7

#: Where the person sits that neighbours differ in: inside, at corners, far outside of the region.
PLACES = ([0.3, 0.2], [2.0, 1.0], [0.0, -1.0], [1e9, -1e9], [-50.0, 0.0])


class Spy:
    """Stands for all noise: notes what was asked and answers with numbers that do not depend on it."""

    def __init__(self) -> None:
        self.counts: list[np.ndarray] = []
        self.sums: list[np.ndarray] = []
        self.secure: list[bool] = []

    def laplace(self, counts: np.ndarray, scale: float, rng: Any, *, secure: bool = False) -> np.ndarray:
        self.counts.append(counts.copy())
        self.secure.append(secure)
        given = np.random.default_rng([len(self.counts), counts.size])
        # The root's count is about what it is, so that add-remove has a measure of some size.
        return given.integers(-9, 10, counts.shape) + (60 if len(self.counts) == 1 and counts.size == 1 else 0)

    def gaussian(self, values: np.ndarray, noise: float, rng: Any, *, secure: bool = False) -> np.ndarray:
        self.sums.append(values.copy())
        self.secure.append(secure)
        return np.random.default_rng([len(self.sums), 7]).normal(0.5, 0.2, values.shape) * 20


@pytest.fixture
def spied(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], tuple[Any, Spy]]:
    """Runs a mechanism with given numbers for its noise, and the same generators every time."""

    def run(mechanism: Callable[[], Any]) -> tuple[Any, Spy]:
        spy, seeds = Spy(), itertools.count()
        monkeypatch.setattr(MEASURE, "discrete_laplace", spy.laplace)
        for module in (cells, PERTURBED, PAPER, KMEANS):
            monkeypatch.setattr(module, "gaussian", spy.gaussian)
        for module in (MEASURE, CORESET, PERTURBED, PAPER, KMEANS):
            monkeypatch.setattr(module, "generator", lambda rng, secure: np.random.default_rng(next(seeds)))
        return mechanism(), spy

    return run


def published(result: Any) -> str:
    """A digest of everything that a result holds; a region is public and the same object for both."""

    def parts(value: Any) -> Iterator[Any]:
        if isinstance(value, BoxRegion | BallRegion):
            return
        if is_dataclass(value):
            for field in fields(value):
                yield field.name
                yield from parts(getattr(value, field.name))
        elif isinstance(value, tuple | list):
            for item in value:
                yield from parts(item)
        else:
            yield value.tobytes() if isinstance(value, np.ndarray) else value

    return hashlib.sha256(pickle.dumps(list(parts(result)))).hexdigest()


def people(place: list[float] | None) -> list[np.ndarray]:
    """Two groups; one person of the first is somewhere, or nowhere."""
    rng = np.random.default_rng(1)
    first, second = (np.array([0.0, -1.0]) + 2 * rng.random((n, 2)) for n in (50, 40))
    return [first if place is None else np.vstack([first, [place]]), second]


def neighbours(adjacency: str, places: int = len(PLACES)) -> list[list[list[np.ndarray]]]:
    if adjacency == "add-remove":
        return [[people(None), people(place)] for place in PLACES[:places]]
    return [[people(one), people(other)] for one, other in itertools.combinations(PLACES[-places:], 2)]


def mechanisms(adjacency: str) -> dict[str, Callable[[list[np.ndarray], BoxRegion], Any]]:
    common = {"adjacency": adjacency, "depth": DEPTH, "secure": True}
    steps = {
        "cells": {},
        "uniform": {"start": "uniform"},
        "chunks": {"method": "chunks", "chunks": 5},
        "projected": {"projection": 1},
        "chunks-projected": {"method": "chunks", "chunks": 5, "projection": 1},
        "order-1": {"p": 1.0},
        "order-5-projected": {"p": 5.0, "projection": 1, "start": "uniform"},
    }
    return {
        "measure": lambda groups, region: MEASURE.private_measure(groups[0], 1.0, region=region, **common),
        "coreset": lambda groups, region: CORESET.coreset_barycenter(groups, 3, 1.0, region=region, **common),
        **{
            name: lambda groups, region, given=given: PERTURBED.perturbed_barycenter(
                groups, 3, 1.0, 1e-5, region=region, steps=2, **common, **given
            )
            for name, given in steps.items()
        },
        "kmeans": lambda groups, region: KMEANS.private_kmeans(
            groups, 3, 1.0, 1e-5, region=region, adjacency=adjacency, secure=True, rounds=2, weights=[5.0, 1.0]
        ),
    }


@pytest.mark.slow
@pytest.mark.parametrize("places", [3, pytest.param(len(PLACES), marks=pytest.mark.nightly)])
@pytest.mark.parametrize("adjacency", sorted(SENSITIVITY))
@pytest.mark.parametrize("name", mechanisms("replace"))
def test_neighbours_whose_noisy_values_agree_are_published_alike(
    name: str, adjacency: str, places: int, spied: Any
) -> None:
    mechanism, region, differs = mechanisms(adjacency)[name], BoxRegion(*BOX), False
    for pair in neighbours(adjacency, places):
        results = [spied(lambda groups=groups: mechanism(groups, region)) for groups in pair]
        (first, one), (second, other) = results
        assert published(first) == published(second)
        assert all(one.secure) and one.secure == other.secure and one.secure
        # What was asked differs, by no more than one person may change it.
        changed = [a.astype(float) - b for a, b in zip(one.counts, other.counts, strict=True)]
        moved = [np.abs(change).sum() for change in changed]
        assert all(size <= SENSITIVITY[adjacency] for size in moved)
        sums = [a - b for a, b in zip(one.sums, other.sums, strict=True)]
        differs |= any(moved) or any(bool(change.any()) for change in sums)
        if name in ("cells", "uniform", "projected", "order-1", "order-5-projected"):
            bound = cells.sensitivity(region, adjacency)
            together = np.array(sums).reshape(2, len(pair[0]), *sums[0].shape)
            assert all(np.linalg.norm(step) <= bound * (1 + 1e-12) for step in together)
        if name.startswith(("chunks", "kmeans")):
            assert all(np.linalg.norm(change) <= first.sensitivity for change in sums)
    assert differs


@pytest.mark.parametrize("name", mechanisms("replace"))
def test_published_results_follow_from_noisy_values_and_public_facts_only(name: str, spied: Any) -> None:
    """Not only neighbours: all people may be others, and everything that is published stays the same."""
    mechanism, region = mechanisms("replace")[name], BoxRegion(*BOX)
    rng = np.random.default_rng(9)
    crowds = [[rng.random((n, 2)) ** power for n in (51, 40)] for power in (1, 6)]
    results = [published(spied(lambda groups=groups: mechanism(groups, region))[0]) for groups in crowds]
    assert results[0] == results[1]


@pytest.mark.parametrize("name", ["cells", "chunks", "coreset", "measure"])
def test_a_release_leaves_the_callers_generator_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks and positions used to come from it, or to follow it: what is published could be wound back."""
    seeds: list[int] = []
    real = chunks.split

    def watched(groups: Any, number: int, adjacency: str, rng: np.random.Generator, shares: Any) -> Any:
        seeds.append(rng.bit_generator.state["state"]["state"])
        return real(groups, number, adjacency, rng, shares)

    monkeypatch.setattr(PERTURBED, "split", watched)
    crowd = people(PLACES[0])
    rng = np.random.default_rng(3)
    before = rng.bit_generator.state
    options = {"region": BoxRegion(*BOX), "rng": rng, "secure": True, "depth": DEPTH}
    for _ in range(2):
        if name == "measure":
            MEASURE.private_measure(crowd[0], 1.0, **options)
        elif name == "coreset":
            CORESET.coreset_barycenter(crowd, 3, 1.0, **options)
        else:
            given = {"method": "chunks", "chunks": 5} if name == "chunks" else {}
            PERTURBED.perturbed_barycenter(crowd, 3, 1.0, 1e-5, steps=1, **options, **given)
    assert rng.bit_generator.state == before
    assert len(set(seeds)) == len(seeds) == (2 if name == "chunks" else 0)


# ---------------------------------------------------------------- weights of the groups in the objective

BETA = [5.0, 1.0]


def weighted(name: str, adjacency: str = "replace", weights: list[float] | None = BETA) -> Callable[..., Any]:
    common = {"adjacency": adjacency, "depth": DEPTH, "weights": weights, "secure": True}
    if name == "coreset":
        return lambda groups, region: CORESET.coreset_barycenter(groups, 3, 1.0, region=region, **common)
    if name == "paper":
        return lambda groups, region: PAPER.paper_barycenter(
            groups, 3, 1.0, 1e-5, region=region, chunks=5, weights=weights, rng=np.random.default_rng(0)
        )
    given = {"method": "chunks", "chunks": 5} if name == "chunks" else {}
    return lambda groups, region: PERTURBED.perturbed_barycenter(
        groups, 3, 1.0, 1e-5, region=region, steps=1, **common, **given
    )


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", sorted(SENSITIVITY))
@pytest.mark.parametrize("name", ["coreset", "cells", "chunks"])
def test_with_weights_neighbours_are_published_alike_and_asked_within_the_sensitivity(
    name: str, adjacency: str, spied: Any
) -> None:
    """In the group that weighs most, which is where more is changed than with equal weights."""
    mechanism, region, largest = weighted(name, adjacency), BoxRegion(*BOX), 0.0
    for pair in neighbours(adjacency)[:4]:
        (first, one), (second, other) = (spied(lambda groups=groups: mechanism(groups, region)) for groups in pair)
        assert published(first) == published(second)
        for a, b in zip(one.counts, other.counts, strict=True):
            assert np.abs(a.astype(float) - b).sum() <= SENSITIVITY[adjacency]
        if name != "coreset":
            moved = np.linalg.norm([a - b for a, b in zip(one.sums, other.sums, strict=True)])
            assert moved <= first.sensitivity * (1 + 1e-12)
            largest = max(largest, float(moved))
    if name == "chunks":
        equal, _ = spied(lambda: weighted(name, adjacency, None)(people(PLACES[0]), region))
        assert first.sensitivity == pytest.approx(equal.sensitivity * 5 / 3, rel=0.05)


def test_chunks_of_one_person_move_by_more_than_equal_weights_would_allow(spied: Any) -> None:
    """One atom, a chunk a person: the mean moves by beta_i D/n_i exactly, and noise for 1/k would be too little."""
    region = BoxRegion(*BOX)
    ends = [
        [np.array([[0.0, -1.0], corner]), np.array([[1.0, 0.0], [1.0, 0.5]])] for corner in ([0.0, -1.0], [2.0, 1.0])
    ]

    def run(groups: Any, weights: Any) -> Any:
        given = {"method": "chunks", "chunks": 2, "start": [[1.0, 0.0]], "steps": 1, "weights": weights}
        return spied(lambda: PERTURBED.perturbed_barycenter(groups, 1, 1.0, 1e-5, region=region, **given))

    (result, one), (_, other) = (run(groups, BETA) for groups in ends)
    moved = float(np.linalg.norm(one.sums[0] - other.sums[0]))
    assert moved == pytest.approx(5 / 6 * region.diameter / 2, rel=1e-6)
    assert run(ends[0], None)[0].sensitivity < moved <= result.sensitivity


@pytest.mark.parametrize("name", ["coreset", "cells", "chunks", "paper"])
def test_equal_weights_publish_what_no_weights_publish(name: str, spied: Any) -> None:
    groups, region = people(PLACES[0]), BoxRegion(*BOX)
    results = [spied(lambda w=w: weighted(name, weights=w)(groups, region))[0] for w in (None, [7.0, 7.0], BETA)]
    assert published(results[0]) == published(results[1])
    if name in ("coreset", "cells"):
        assert (results[2].atoms != results[0].atoms).any()
    else:  # The given noise is so loud that all atoms lie in a corner: more of it is what differs.
        assert results[2].sensitivity == pytest.approx(results[0].sensitivity * 5 / 3, rel=0.05)
    assert results[2].weights == pytest.approx([5 / 6, 1 / 6])
    assert results[2].guarantee.epsilon == results[0].guarantee.epsilon
    with pytest.raises(ValueError, match="weights must have one number per group"):
        results[2].cost(groups[:1])


# ---------------------------------------------------------------- the papers' domain: a ball

BALL = BallRegion([0.5, -0.25], 1.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("adjacency", "name"),
    every_by_day(2, [*itertools.product(sorted(SENSITIVITY), ("coreset", "cells", "chunks"))]),
)
def test_in_a_ball_neighbours_are_published_alike_and_asked_within_the_sensitivity(
    name: str, adjacency: str, spied: Any
) -> None:
    mechanism = weighted(name, adjacency, None)
    for pair in neighbours(adjacency)[1:5]:
        (first, one), (second, other) = (spied(lambda groups=groups: mechanism(groups, BALL)) for groups in pair)
        assert published(first) == published(second)
        assert BALL.contains(first.atoms).all()
        for a, b in zip(one.counts, other.counts, strict=True):
            assert np.abs(a.astype(float) - b).sum() <= SENSITIVITY[adjacency]
        if name != "coreset":
            moved = np.linalg.norm([a - b for a, b in zip(one.sums, other.sums, strict=True)])
            assert moved <= first.sensitivity * (1 + 1e-12)


def test_from_end_to_end_of_a_ball_a_mean_moves_by_its_diameter(spied: Any) -> None:
    """One person in one chunk with one atom, far outside on either side: all of the sensitivity is used."""
    given = {"method": "chunks", "chunks": 1, "start": [BALL.centre], "steps": 1}
    ends = [[np.array([[far, BALL.centre[1]]])] for far in (-1e9, 1e9)]
    (result, one), (_, other) = (
        spied(lambda groups=groups: PERTURBED.perturbed_barycenter(groups, 1, 1.0, 1e-5, region=BALL, **given))
        for groups in ends
    )
    moved = float(np.linalg.norm(one.sums[0] - other.sums[0]))
    assert moved == pytest.approx(3.0, rel=1e-9) and moved <= result.sensitivity <= 3.0 * 1.00001
