"""Every kind of scenario, run once in a process at small settings: several tests look at the same outcome."""

from __future__ import annotations

import contextlib
import functools
import io
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Outcome, Scenario
from dpot_app.kit.cache import CACHE
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.views.movies.everyone import results as everyone
from dpot_app.views.movies.everyone import text as movies
from dpot_app.views.population.curves import results as curves
from dpot_core.mechanisms.central import four_gaussians
from tests.batch.scenarios.settings import settings_of

#: Views that take long to compute and to draw: by day the others of their pages stand for them.
LONG = {
    *(
        "geolocation.crowd-curve",
        "geolocation.gets",
        "geolocation.guess",
        "geolocation.minimax",
        "geolocation.one-place",
    ),
    *("metric.crowd-curve", "metric.pays", "metric.protect"),
    *("mixture.many", "mixture.plane", "mixture.sphere"),
    *("movies.adversary", "movies.everyone", "movies.guess", "movies.sweep", "movies.worst"),
    *("population.curve-epsilon", "population.curve-n", "population.digits", "population.guaranteed"),
    *("population.gaussians-epsilon", "population.gaussians-n", "population.gaussians-projection"),
    *("population.inside", "population.sensitivity"),
    *("ring.base", "ring.convergence", "ring.guess", "ring.plan"),
    *("sinkhorn.convergence", "sinkhorn.cost", "sinkhorn.theorem"),
}


def by_day(keys: Iterable[str]) -> list[ParameterSet]:
    """Views as parameters of a test, some by night only."""
    return [pytest.param(key, id=key, marks=[pytest.mark.nightly] * (key in LONG)) for key in keys]


def scenario_of(key: str) -> Scenario:
    """The first of the small settings of a kind, named "one"."""
    config = settings_of(key)[0]
    return Scenario(key, "one", config, scenarios.describe_data(VIEWS[key], config, {}))


def shorten_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps of one point, short curves, and a memory of results of their own."""
    short_curves(monkeypatch)
    monkeypatch.setattr(movies, "EPSILONS", (0.5,))
    monkeypatch.setitem(curves.VALUES, "n", (300,))
    monkeypatch.setitem(curves.VALUES, "epsilon", (0.5,))
    monkeypatch.setattr("dpot_app.views.sinkhorn.cost.results.EPSILONS", (0.5,))
    for axis in four_gaussians.VALUES:
        monkeypatch.setitem(four_gaussians.VALUES, axis, (30,) if axis == "n" else (3,))


def short_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Curves of few values behind pages, from few draws, and a memory of results of their own."""
    monkeypatch.setattr(CACHE, "_memories", {False: OrderedDict(), True: OrderedDict()})
    for module in ("worst_case.results", "worst_case.figures", "guess.results"):
        monkeypatch.setattr(f"dpot_app.views.ring.{module}.CURVE_EPSILONS", CURVE_EPSILONS[::6])
    for name in ("EPSILONS", "CURVE_EPSILONS"):
        monkeypatch.setattr(f"dpot_app.views.geolocation.worst_case.results.{name}", CURVE_EPSILONS[::6])
    monkeypatch.setattr("dpot_app.views.geolocation.crowd.text.EPSILONS", (0.5, 2.0, 8.0))
    monkeypatch.setattr("dpot_app.views.geolocation.one_place.results.EPSILONS", (1.0, 8.0))
    monkeypatch.setattr("dpot_app.views.sinkhorn.cost.results.EPSILONS", (0.5, 2.0))
    monkeypatch.setattr("dpot_app.views.sinkhorn.cost.results.DRAWS", 4)


@contextlib.contextmanager
def with_short_curves() -> Iterator[None]:
    """For all tests of a page's file, which share what they compute."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        short_curves(monkeypatch)
        yield


def few_masses(monkeypatch: pytest.MonkeyPatch, number: int = 2) -> None:
    """So many masses of the uniform base are tried for Hit Rate@1, with a memory of results of their own."""
    monkeypatch.setattr(CACHE, "_memories", {False: OrderedDict(), True: OrderedDict()})
    monkeypatch.setattr(everyone, "SCALES", number)


@functools.cache
def outcome_of(key: str) -> Outcome:
    """What a kind gives at those settings, sweeps of one point. Frozen; a reader changes nothing."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        shorten_sweeps(monkeypatch)
        return scenarios.run(scenario_of(key))


@functools.cache
def names_of(code: str) -> dict[str, Any]:
    """What exported Python computes, by name; the views of a page share much of it."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)
    return names
