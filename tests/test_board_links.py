"""From the settings of a scenario to the page that shows it, and what a page has no place for (AppTest)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

import pytest

from dpot_core.films.catalogue import Split
from dpot_core.scenarios import Scenario
from dpot_core.studies import population
from dpot_core.studies._kit.cache import CACHE
from dpot_core.studies.explain import settings as explain
from dpot_core.studies.geolocation import settings as geolocation
from dpot_core.studies.metric import settings as metric
from dpot_core.studies.mixture import settings as mixture
from dpot_core.studies.mixture.sphere.settings import SphereConfig
from dpot_core.studies.movies import settings as movies
from dpot_core.studies.population.curves import results as curves
from dpot_core.studies.population.gaussians import results as gaussians
from dpot_core.studies.ring import settings as ring
from dpot_core.studies.sinkhorn import settings as sinkhorn
from pages._board.links import link_of
from pages._shell.pins import Pin
from tests.apps import open_page, pin, pinned
from tests.scenarios.outcomes import few_masses

PEOPLE_FEW = population.Config("places", "regions", 500, 2, 10, 0.5, 1e-6, "add-remove", "proven", "chunks", 2, 0.01, 7)
PLACES = metric.Config(
    place=geolocation.Place(6, 12), changes=((0.5, 2.0), (1 / 365, 0.1), (0.001, 50.0)), epsilon=0.7, delta=1e-4
)
PAIR = sinkhorn.Config(
    sinkhorn.Data("rings", 200, 5, 4, 1), 0.5, 0.7, 1e-7, 2, 0.3, 0.05, "both", "paper", "printed", 4
)
LINKED = [
    ("ring.outputs", ring.Config(ring.Ring(12, 3, 1), ring.Base("uniform", 0.5), reg=0.01, mechanisms=("wpm",))),
    ("ring.outputs", ring.Config(ring.Ring(9), ring.Base("minimax"), ring.Source("dirac", point=4), 0.5)),
    ("geolocation.person", geolocation.Config(place=geolocation.Place(n=9), epsilon=3.0, reg=None, person=4)),
    ("geolocation.worst-case", geolocation.Config(place=geolocation.Place(n=6), base="minimax")),
    ("movies.everyone", movies.Config(split=Split(3, 8, True, 20), epsilon=0.5, reg=None)),
    ("mixture.line", mixture.Config(mixture.Modes((-0.5, 0.25), (0.25, 0.75)), mechanisms=("kpm",), draws=100)),
    (
        "mixture.plane",
        mixture.Config(
            mixture.Modes(((0.5, 0.0), (0.0, 0.25)), (0.5, 0.5)),
            mixture.Family(0.5, 1.0, 2, "authors"),
            0.5,
            ("kpm",),
            cells=12,
        ),
    ),
    ("mixture.sphere", SphereConfig(3, 2.0, (1.0, 8.0), seed=4)),
    ("explain.release", explain.Config(3.0, 0.29)),
    ("explain.distance", explain.DistanceConfig(0.2, 10.0, 0.57)),
    ("explain.releases", explain.ReleasesConfig(("0.1", "1/3"), 0.07)),
    ("explain.rounds", explain.RoundsConfig(1.0, 1e-7, 12)),
    ("population.map", PEOPLE_FEW),
    ("population.curve-n", replace(PEOPLE_FEW, groups="everybody", m=1, steps=1)),
    ("population.curve-epsilon", population.Config(n=500, m=1, steps=1)),
    ("population.inside", population.InsideConfig(PEOPLE_FEW, 3)),
    ("population.inside", population.InsideConfig(population.Config(n=500, m=2))),
    ("population.sensitivity", population.Config(n=500, m=2, chunks=3, guarantee="paper", seed=3)),
    ("population.gaussians-n", population.SyntheticConfig(60, 2, 0.5, 3, seed=4)),
    ("population.gaussians-epsilon", population.SyntheticConfig(50, 1, 2.0, 1)),
    ("population.gaussians-projection", population.SyntheticConfig(50, 1, 2.0, 2, seed=9)),
    ("population.digits", population.SyntheticConfig(epsilon=3.0, digit=7, pictures=1, digit_atoms=3, seed=2)),
    ("metric.protect", metric.ProtectConfig(PLACES, "paper")),
    ("metric.ask", metric.AskConfig(PLACES, "region", 30, 60, 5.0, 0.5, "gaussian")),
    ("metric.ask", metric.AskConfig(PLACES, "distance", 10, 90)),
    ("metric.ask", metric.AskConfig(PLACES, "position")),
    ("metric.crowd", metric.CrowdConfig(PLACES, 10, "local")),
    ("metric.pays", metric.PaysConfig("central", 10_000, 100, 4, 2, 0.5, 0.7, 20.0, 1e-4)),
    ("metric.linear", metric.LinearConfig("orthonormal", "central", 8, 1000, 0.7, 20.0, 1e-4)),
    ("metric.linear", metric.LinearConfig("graph")),
    ("sinkhorn.release", PAIR),
    ("sinkhorn.cost", replace(PAIR, guarantee="proven")),
    ("sinkhorn.convergence", replace(PAIR, data=sinkhorn.Data("simulated", 200, 0, 4))),
    ("sinkhorn.theorem", sinkhorn.TheoremConfig(PAIR, 0.35)),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("key", "config"), LINKED, ids=lambda value: value if isinstance(value, str) else "")
def test_settings_that_the_page_can_show_open_there(key: str, config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Curves of one point will do: their settings are tested here.
    for table in (gaussians.VALUES, curves.VALUES):
        for axis, values in table.items():
            monkeypatch.setitem(table, axis, values[:1])
    monkeypatch.setattr("dpot_core.studies.sinkhorn.cost.results.EPSILONS", (1.0,))
    monkeypatch.setattr(CACHE, "_memories", {False: OrderedDict(), True: OrderedDict()})
    few_masses(monkeypatch, 1)
    link = link_of(Pin(1, Scenario(key, "x", config), None))
    assert not isinstance(link, str)
    page = key.split(".")[0]
    app = open_page(page, dict(link))
    assert not [entry.value for entry in app.warning if "link" in entry.value]
    pin(app, {"geolocation": "geo", "mixture": "mix", "population": "pop"}.get(page, page))
    (kept,) = pinned(app)
    assert kept.scenario.kind == key and kept.scenario.config == config


@pytest.mark.parametrize(
    ("key", "config", "words"),
    [
        ("ring.outputs", ring.Config(epsilon=2.1), "ε (nats) = 2.1"),
        ("ring.outputs", ring.Config(ring.Ring(30, 20)), "every n-th point only = 20"),
        ("ring.outputs", ring.Config(reg=0.02), "λ = 0.02"),
        ("geolocation.person", geolocation.Config(place=geolocation.Place(within=5.0)), "the grid"),
        ("movies.user", movies.Config(user="user 7"), "a user by name"),
        ("mixture.sphere", SphereConfig(orders=(5.0,)), "orders 5"),
        ("explain.release", explain.Config(prior=0.125), "a belief of 0.125"),
        ("explain.distance", explain.DistanceConfig(farthest=7.0), "end of the curve (km) = 7"),
        ("population.map", population.Config(n=400), "People drawn from each group, n = 400"),
        ("population.map", population.Config(outside="reject"), "points outside the region = reject"),
        ("population.map", population.Config(columns=(("lon", "x"),)), "files of your own"),
        ("population.inside", population.InsideConfig(population.Config(), 2), "group of everybody = 2"),
        ("population.gaussians-n", population.SyntheticConfig(digit=5), "Digit = 5"),
        ("population.digits", population.SyntheticConfig(points=300), "Points of each picture = 300"),
        ("metric.protect", metric.ProtectConfig(metric.Config(changes=((0.3, 2.0),))), "share of the data = 0.3"),
        ("metric.protect", metric.ProtectConfig(metric.Config(place=geolocation.Place(within=5.0))), "the grid"),
        ("metric.ask", metric.AskConfig(radius=5.0), "a region that the question has not"),
        ("metric.crowd", metric.CrowdConfig(visits=20), "Random visits that each person reports = 20"),
        ("metric.pays", metric.PaysConfig(users=500), "Users n = 500"),
        ("metric.linear", metric.LinearConfig(d=6), "Directions d = 6"),
        ("sinkhorn.release", sinkhorn.Config(eta=0.25), "η / |c| = 0.25"),
        ("sinkhorn.release", sinkhorn.Config(sinkhorn.Data(p=3)), "power of the distance = 3"),
        ("sinkhorn.release", sinkhorn.Config(sinkhorn.Data(columns=(("x", "east"),))), "files of your own"),
        (
            "sinkhorn.theorem",
            sinkhorn.TheoremConfig(place=1 / 3),
            "moves to (it starts near 0) = 0.333333",
        ),
    ],
    ids=str,
)
def test_settings_that_the_page_cannot_show_are_named(key: str, config: Any, words: str) -> None:
    said = link_of(Pin(1, Scenario(key, "x", config), None))
    assert isinstance(said, str) and words in said
