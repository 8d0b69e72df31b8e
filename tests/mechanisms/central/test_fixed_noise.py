"""All noisy values replaced by given numbers: what is published must then be the same, whoever the people are.

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
    private_measure,
)
from dpot_core.mechanisms.central.partition import SENSITIVITY
from dpot_core.mechanisms.central.regions import BoxRegion

MEASURE, CORESET, PERTURBED, PAPER = private_measure, coreset_barycenter, perturbed_barycenter, paper_barycenter
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
        for module in (cells, PERTURBED, PAPER):
            monkeypatch.setattr(module, "gaussian", spy.gaussian)
        for module in (MEASURE, CORESET, PERTURBED, PAPER):
            monkeypatch.setattr(module, "generator", lambda rng, secure: np.random.default_rng(next(seeds)))
        return mechanism(), spy

    return run


def published(result: Any) -> str:
    """A digest of everything that a result holds; a region is public and the same object for both."""

    def parts(value: Any) -> Iterator[Any]:
        if isinstance(value, BoxRegion):
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


def neighbours(adjacency: str) -> list[list[list[np.ndarray]]]:
    if adjacency == "add-remove":
        return [[people(None), people(place)] for place in PLACES]
    return [[people(one), people(other)] for one, other in itertools.combinations(PLACES, 2)]


def mechanisms(adjacency: str) -> dict[str, Callable[[list[np.ndarray], BoxRegion], Any]]:
    common = {"adjacency": adjacency, "depth": DEPTH, "secure": True}
    steps = {"cells": {}, "uniform": {"start": "uniform"}, "chunks": {"method": "chunks", "chunks": 5}}
    return {
        "measure": lambda groups, region: MEASURE.private_measure(groups[0], 1.0, region=region, **common),
        "coreset": lambda groups, region: CORESET.coreset_barycenter(groups, 3, 1.0, region=region, **common),
        "paper": lambda groups, region: PAPER.paper_barycenter(
            groups, 3, 1.0, 1e-5, region=region, chunks=5, secure=True
        ),
        **{
            name: lambda groups, region, given=given: PERTURBED.perturbed_barycenter(
                groups, 3, 1.0, 1e-5, region=region, steps=2, **common, **given
            )
            for name, given in steps.items()
        },
    }


@pytest.mark.slow
@pytest.mark.parametrize("adjacency", sorted(SENSITIVITY))
@pytest.mark.parametrize("name", ["measure", "coreset", "cells", "uniform", "chunks", "paper"])
def test_neighbours_whose_noisy_values_agree_are_published_alike(name: str, adjacency: str, spied: Any) -> None:
    if name == "paper" and adjacency == "add-remove":
        return
    mechanism, region, differs = mechanisms(adjacency)[name], BoxRegion(*BOX), False
    for pair in neighbours(adjacency):
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
        if name in ("cells", "uniform"):
            bound = cells.sensitivity(region, adjacency)
            together = np.array(sums).reshape(2, len(pair[0]), *sums[0].shape)
            assert all(np.linalg.norm(step) <= bound * (1 + 1e-12) for step in together)
        if name == "chunks":
            assert all(np.linalg.norm(change) <= first.sensitivity for change in sums)
    assert differs


@pytest.mark.parametrize("name", ["measure", "coreset", "cells", "uniform", "chunks", "paper"])
def test_what_is_published_follows_from_noisy_values_and_public_facts_only(name: str, spied: Any) -> None:
    """Not only neighbours: everybody may be somebody else, and everything that is published stays the same."""
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

    def watched(groups: Any, number: int, adjacency: str, rng: np.random.Generator) -> Any:
        seeds.append(rng.bit_generator.state["state"]["state"])
        return real(groups, number, adjacency, rng)

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
