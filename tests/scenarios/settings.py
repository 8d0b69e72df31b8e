"""Settings away from their defaults, several for every kind, small enough to run in tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpot_core.films.catalogue import Split
from dpot_core.studies import population
from dpot_core.studies.decide import settings as decide
from dpot_core.studies.explain import settings as explain
from dpot_core.studies.geolocation import settings as geolocation
from dpot_core.studies.metric import settings as metric
from dpot_core.studies.mixture import settings as mixture
from dpot_core.studies.mixture.densities import random_modes, ring_modes
from dpot_core.studies.mixture.many.settings import ManyConfig
from dpot_core.studies.mixture.sphere.settings import SphereConfig
from dpot_core.studies.movies import settings as movies
from dpot_core.studies.ring import settings as ring
from dpot_core.studies.sinkhorn import settings as sinkhorn

_RING = [
    ring.Config(),
    ring.Config(
        ring.Ring(12, 3, 1),
        ring.Base("minimax"),
        ring.Source("dirichlet", 0.7, 12),
        0.1 + 0.2,
        None,
        ("wpm", "kpm", "em", "krr", "mollifier"),
    ),
    ring.Config(ring.Ring(11, 2, 3), ring.Base("uniform", 1 / 3), ring.Source("dirac", point=7), 5.0, 0.03),
    ring.Config(
        ring.Ring(4, 1, 2),
        ring.Base("prior", prior=(0.1, 0.2, 0.3, 0.4)),
        ring.Source("numbers", numbers=(1e-300, 1.0, 5e-324, 2.5)),
        1.0,
    ),
]
_CITY = [
    geolocation.Config(place=geolocation.Place(n=8)),
    geolocation.Config(
        "simulated",
        geolocation.Place(7, 12, True, (-38.2, 42.8, -37.8, 43.15), 30.0),
        "prior",
        0.7,
        None,
        3,
        False,
        (("user", "who: he\u2019s #1"), ("lat", "y")),
    ),
    geolocation.Config(place=geolocation.Place(n=5), base="minimax", epsilon=3.3),
    geolocation.Config(place=geolocation.Place(n=44, least=110), epsilon=3.0),
    geolocation.Config(place=geolocation.Place(n=5), drawn="0.5 0.25 3; 0.1 0.9 1"),
]
_LINE = [
    mixture.Config(mixture.Modes((-1.0, 1.0), (0.9, 0.1)), draws=50, cells=60),
    mixture.Config(
        random_modes(7, 4, 2.0),
        mixture.Family(0.5, 2.0),
        0.3,
        ("mollifier", "blend", "wpm"),
        2.0,
        50,
        1,
        7,
        3,
        9,
    ),
]
_PLANE = [
    mixture.Config(ring_modes(3), mixture.Family(0.5, 1.0, 2), 0.5, ("kpm", "wpm"), cells=10, draws=5),
    mixture.Config(
        mixture.Modes(((0.1, -0.2), (0.0, 1 / 3)), (0.25, 0.75)),
        mixture.Family(1.0, 1.5, 2, "authors"),
        1.0,
        ("blend", "mollifier"),
        0.7,
        12,
        3,
        0,
        4,
        8,
    ),
]
_FILMS = [
    movies.Config(split=Split(candidates=40, dimensions=8)),
    movies.Config(
        "simulated",
        Split(3, 16, True, 30),
        "prior",
        0.5,
        0.03,
        movies.OWN,
        "",
        ((3, 4.5), (200, 1.0), (310, 5.0)),
        (("film", "item"),),
    ),
]
_PEOPLE = [
    population.Config(n=400, m=3),
    population.Config(
        "places",
        "regions",
        300,
        2,
        20,
        0.1 + 0.2,
        1e-6,
        "add-remove",
        "proven",
        "chunks",
        3,
        0.01,
        7,
        (("lon", "x: east"),),
        "reject",
    ),
    population.Config(n=300, m=2, guarantee="paper"),
]
_SYNTHETIC = [
    population.SyntheticConfig(n=60, m=2, points=300, digit_atoms=3),
    population.SyntheticConfig(50, 3, 0.7, 2, 5, 2, 200, 4, 9),
]
_PLACES = [
    metric.Config(place=geolocation.Place(n=6)),
    metric.Config(
        "simulated",
        geolocation.Place(7, 12, False, (-38.2, 42.8, -37.8, 43.15), 30.0),
        (("user", "who"),),
        ((0.5, 2.0), (1.0, 1 / 3), (0.001, 50.0)),
        0.7,
        1e-4,
    ),
]
_PAIRS = [
    sinkhorn.Config(sinkhorn.Data(n=150, cells=4)),
    sinkhorn.Config(
        sinkhorn.Data("rings", 300, 5, 3, 1, (("x", "east"),)),
        0.1 + 0.2,
        0.7,
        1e-7,
        2,
        1 / 3,
        0.05,
        "both",
        "proven",
        "printed",
        4,
    ),
    sinkhorn.Config(sinkhorn.Data(n=150, cells=3), eta=0.5, guarantee="paper"),
]

#: Kind -> settings, by the page's part of the key where all its kinds take the same.
SETTINGS: dict[str, list[Any]] = {
    "ring": _RING,
    "geolocation": _CITY,
    "mixture.line": _LINE,
    "mixture.plane": _PLANE,
    "mixture.sphere": [
        SphereConfig(draws=3),
        SphereConfig(7, 2.2, (1.5, 16.0), 0, 5),
    ],
    "mixture.many": [ManyConfig("random", 2, 3), ManyConfig("random", 1, 4, mixture.Family(0.5, 2.0), 2.0, 1)],
    "movies": _FILMS,
    "population": _PEOPLE,
    "population.inside": [population.InsideConfig(_PEOPLE[1], 2), population.InsideConfig(_PEOPLE[2])],
    **{f"population.gaussians-{axis}": _SYNTHETIC for axis in ("n", "epsilon", "projection")},
    "population.digits": _SYNTHETIC,
    "metric.protect": [metric.ProtectConfig(_PLACES[0], "paper"), metric.ProtectConfig(_PLACES[1])],
    "metric.ask": [
        metric.AskConfig(_PLACES[0]),
        metric.AskConfig(_PLACES[1], "region", 30, 60, 2.5, 1.5, "gaussian"),
    ],
    "metric.crowd": [metric.CrowdConfig(_PLACES[0], 20), metric.CrowdConfig(_PLACES[1], 7, "local")],
    "metric.crowd-curve": [metric.CrowdConfig(_PLACES[0], 20), metric.CrowdConfig(_PLACES[1], 7, "local")],
    "metric.pays": [
        metric.PaysConfig(users=500, items=10, clusters=2, size=2),
        metric.PaysConfig("central", 300, 5, 3, 3, 0.3, 0.7, 7.0, 1e-4),
    ],
    "metric.linear": [
        metric.LinearConfig(),
        metric.LinearConfig("orthonormal", "central", 6, 300, 0.7, 7.0, 1e-4),
        *(metric.LinearConfig(items, model, users=50) for items in ("text", "graph") for model in metric.TRUST),
    ],
    "sinkhorn": _PAIRS,
    "sinkhorn.theorem": [sinkhorn.TheoremConfig(config, 1 / 3) for config in _PAIRS],
    "decide": [
        decide.Config("ring-tv", 0.3, 12, 1),
        decide.Config("sphere", 0.9, 9, 4, 3, 7),
        decide.Config("ring", 2.5, 10, 2, 2, 5),
    ],
    "explain.release": [explain.Config(0.1, 1 / 3)],
    "explain.distance": [explain.DistanceConfig(0.3, 4.5, 0.2, 10.0)],
    "explain.releases": [explain.ReleasesConfig(("0.1", "1/3", "2"), 0.9)],
    "explain.rounds": [explain.RoundsConfig(0.2, 1e-7, 12)],
}


def settings_of(key: str) -> list[Any]:
    """Settings of one kind."""
    found = SETTINGS.get(key) or SETTINGS[key.split(".")[0]]
    if key == "movies.sweep":
        return [replace(config, split=Split(candidates=12, dimensions=4)) for config in found[:1]]
    return found
