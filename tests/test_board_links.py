"""From the settings of a scenario to the page that shows it, and what a page has no place for (AppTest)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

import pytest

from dpot_app.batch.scenarios import Scenario
from dpot_app.films.catalogue import Split
from dpot_app.kit.cache import CACHE
from dpot_app.shell.board.links import link_of
from dpot_app.shell.pins import Pin
from dpot_app.views import population
from dpot_app.views.explain import settings as explain
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.metric import settings as metric
from dpot_app.views.mixture import settings as mixture
from dpot_app.views.mixture.sphere.settings import SphereConfig
from dpot_app.views.movies import settings as movies
from dpot_app.views.population.curves import results as curves
from dpot_app.views.population.gaussians import results as gaussians
from dpot_app.views.ring import settings as ring
from dpot_app.views.sinkhorn import settings as sinkhorn
from tests.apps import open_page, pin, pinned
from tests.batch.scenarios.outcomes import few_masses

PEOPLE_FEW = population.Config(
    source="places",
    groups="regions",
    n=500,
    m=2,
    chunks=10,
    epsilon=0.5,
    delta=1e-6,
    adjacency="add-remove",
    guarantee="proven",
    method="chunks",
    steps=2,
    reg=0.01,
    seed=7,
)
PLACES = metric.Config(
    place=geolocation.Place(n=6, least=12), changes=((0.5, 2.0), (1 / 365, 0.1), (0.001, 50.0)), epsilon=0.7, delta=1e-4
)
PAIR = sinkhorn.Config(
    data=sinkhorn.Data(source="rings", n=200, seed=5, cells=4, p=1),
    eta=0.5,
    epsilon=0.7,
    delta=1e-7,
    steps=2,
    share=0.3,
    floor=0.05,
    people="both",
    guarantee="paper",
    constants="printed",
    draw=4,
)
LINKED = [
    (
        "ring.outputs",
        ring.Config(
            ring=ring.Ring(k=12, every=3, p=1), base=ring.Base(kind="uniform", scale=0.5), reg=0.01, mechanisms=("wpm",)
        ),
    ),
    (
        "ring.outputs",
        ring.Config(
            ring=ring.Ring(k=9), base=ring.Base(kind="minimax"), source=ring.Source(kind="dirac", point=4), epsilon=0.5
        ),
    ),
    ("geolocation.person", geolocation.Config(place=geolocation.Place(n=9), epsilon=3.0, reg=None, person=4)),
    ("geolocation.worst-case", geolocation.Config(place=geolocation.Place(n=6), base="minimax")),
    (
        "movies.everyone",
        movies.Config(split=Split(seed=3, dimensions=8, centred=True, candidates=20), epsilon=0.5, reg=None),
    ),
    (
        "mixture.line",
        mixture.Config(modes=mixture.Modes(means=(-0.5, 0.25), weights=(0.25, 0.75)), mechanisms=("kpm",), draws=100),
    ),
    (
        "mixture.plane",
        mixture.Config(
            modes=mixture.Modes(means=((0.5, 0.0), (0.0, 0.25)), weights=(0.5, 0.5)),
            family=mixture.Family(variance=0.5, radius=1.0, dimension=2, envelope="authors"),
            epsilon=0.5,
            mechanisms=("kpm",),
            cells=12,
        ),
    ),
    ("mixture.sphere", SphereConfig(d=3, epsilon=2.0, orders=(1.0, 8.0), seed=4)),
    ("explain.release", explain.Config(epsilon=3.0, prior=0.29)),
    ("explain.distance", explain.DistanceConfig(alpha=0.2, distance=10.0, prior=0.57)),
    ("explain.releases", explain.ReleasesConfig(epsilons=("0.1", "1/3"), prior=0.07)),
    ("explain.rounds", explain.RoundsConfig(epsilon=1.0, delta=1e-7, rounds=12)),
    ("population.map", PEOPLE_FEW),
    ("population.curve-n", replace(PEOPLE_FEW, groups="everybody", m=1, steps=1)),
    ("population.curve-epsilon", population.Config(n=500, m=1, steps=1)),
    ("population.inside", population.InsideConfig(base=PEOPLE_FEW, group=3)),
    ("population.inside", population.InsideConfig(base=population.Config(n=500, m=2))),
    ("population.sensitivity", population.Config(n=500, m=2, chunks=3, guarantee="paper", seed=3)),
    ("population.gaussians-n", population.SyntheticConfig(n=60, m=2, epsilon=0.5, projection=3, seed=4)),
    ("population.gaussians-epsilon", population.SyntheticConfig(n=50, m=1, epsilon=2.0, projection=1)),
    ("population.gaussians-projection", population.SyntheticConfig(n=50, m=1, epsilon=2.0, projection=2, seed=9)),
    ("population.digits", population.SyntheticConfig(epsilon=3.0, digit=7, pictures=1, digit_atoms=3, seed=2)),
    ("metric.protect", metric.ProtectConfig(base=PLACES, example="paper")),
    (
        "metric.ask",
        metric.AskConfig(base=PLACES, query="region", east=30, north=60, radius=5.0, edge=0.5, kind="gaussian"),
    ),
    ("metric.ask", metric.AskConfig(base=PLACES, query="distance", east=10, north=90)),
    ("metric.ask", metric.AskConfig(base=PLACES, query="position")),
    ("metric.crowd", metric.CrowdConfig(base=PLACES, visits=10, who="local")),
    (
        "metric.pays",
        metric.PaysConfig(
            model="central", users=10_000, items=100, clusters=4, size=2, r=0.5, epsilon=0.7, ratio=20.0, delta=1e-4
        ),
    ),
    (
        "metric.linear",
        metric.LinearConfig(items="orthonormal", model="central", d=8, users=1000, epsilon=0.7, ratio=20.0, delta=1e-4),
    ),
    ("metric.linear", metric.LinearConfig(items="graph")),
    ("sinkhorn.release", PAIR),
    ("sinkhorn.cost", replace(PAIR, guarantee="proven")),
    ("sinkhorn.convergence", replace(PAIR, data=sinkhorn.Data(source="simulated", n=200, seed=0, cells=4))),
    ("sinkhorn.theorem", sinkhorn.TheoremConfig(base=PAIR, place=0.35)),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("key", "config"), LINKED, ids=lambda value: value if isinstance(value, str) else "")
def test_settings_that_the_page_can_show_open_there(key: str, config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Curves of one point will do: their settings are tested here.
    for table in (gaussians.VALUES, curves.VALUES):
        for axis, values in table.items():
            monkeypatch.setitem(table, axis, values[:1])
    monkeypatch.setattr("dpot_app.views.sinkhorn.cost.results.EPSILONS", (1.0,))
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
        ("ring.outputs", ring.Config(ring=ring.Ring(k=30, every=20)), "every n-th point only = 20"),
        ("ring.outputs", ring.Config(reg=0.02), "λ = 0.02"),
        ("geolocation.person", geolocation.Config(place=geolocation.Place(within=5.0)), "the grid"),
        ("movies.user", movies.Config(user="user 7"), "a user by name"),
        ("mixture.sphere", SphereConfig(orders=(5.0,)), "orders 5"),
        ("explain.release", explain.Config(prior=0.125), "a belief of 0.125"),
        ("explain.distance", explain.DistanceConfig(farthest=7.0), "end of the curve (km) = 7"),
        ("population.map", population.Config(n=400), "People drawn from each group, n = 400"),
        ("population.map", population.Config(outside="reject"), "points outside the region = reject"),
        ("population.map", population.Config(columns=(("lon", "x"),)), "files of your own"),
        ("population.inside", population.InsideConfig(base=population.Config(), group=2), "group of everybody = 2"),
        ("population.gaussians-n", population.SyntheticConfig(digit=5), "Digit = 5"),
        ("population.digits", population.SyntheticConfig(points=300), "Points of each picture = 300"),
        ("metric.protect", metric.ProtectConfig(base=metric.Config(changes=((0.3, 2.0),))), "share of the data = 0.3"),
        ("metric.protect", metric.ProtectConfig(base=metric.Config(place=geolocation.Place(within=5.0))), "the grid"),
        ("metric.ask", metric.AskConfig(radius=5.0), "a region that the question has not"),
        ("metric.crowd", metric.CrowdConfig(visits=20), "Random visits that each person reports = 20"),
        ("metric.pays", metric.PaysConfig(users=500), "Users n = 500"),
        ("metric.linear", metric.LinearConfig(d=6), "Directions d = 6"),
        ("sinkhorn.release", sinkhorn.Config(eta=0.25), "η / |c| = 0.25"),
        ("sinkhorn.release", sinkhorn.Config(data=sinkhorn.Data(p=3)), "power of the distance = 3"),
        ("sinkhorn.release", sinkhorn.Config(data=sinkhorn.Data(columns=(("x", "east"),))), "files of your own"),
    ],
    ids=str,
)
def test_settings_that_the_page_cannot_show_are_named(key: str, config: Any, words: str) -> None:
    said = link_of(Pin(1, Scenario(key, "x", config), None))
    assert isinstance(said, str) and words in said
