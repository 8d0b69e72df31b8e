"""Settings away from their defaults, several for every kind, small enough to run in tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpot_core.experiments import geolocation, meaning, mixture, movies, needs, ring

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
]
_LINE = [
    mixture.Config(mixture.Modes((-1.0, 1.0), (0.9, 0.1)), draws=50, cells=60),
    mixture.Config(
        mixture.random_modes(7, 4, 2.0),
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
    mixture.Config(mixture.ring_modes(3), mixture.Family(0.5, 1.0, 2), 0.5, ("kpm", "wpm"), cells=10, draws=5),
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
    movies.Config(split=movies.Split(candidates=40, dimensions=8)),
    movies.Config(
        "simulated",
        movies.Split(3, 16, True, 30),
        "prior",
        0.5,
        0.03,
        movies.OWN,
        "",
        ((3, 4.5), (200, 1.0), (310, 5.0)),
        (("film", "item"),),
    ),
]

#: Kind -> settings, by the page's part of the key where all its kinds take the same.
SETTINGS: dict[str, list[Any]] = {
    "ring": _RING,
    "geolocation": _CITY,
    "mixture.line": _LINE,
    "mixture.plane": _PLANE,
    "mixture.sphere": [
        mixture.SphereConfig(draws=3),
        mixture.SphereConfig(7, 2.2, (1.5, 16.0), 0, 5),
    ],
    "movies": _FILMS,
    "decide": [
        needs.Config("ring-tv", 0.3, 12, 1),
        needs.Config("sphere", 0.9, 9, 4, 3, 7),
        needs.Config("ring", 2.5, 10, 2, 2, 5),
    ],
    "explain.release": [meaning.Config(0.1, 1 / 3)],
    "explain.distance": [meaning.DistanceConfig(0.3, 4.5, 0.2, 10.0)],
    "explain.releases": [meaning.ReleasesConfig(("0.1", "1/3", "2"), 0.9)],
    "explain.rounds": [meaning.RoundsConfig(0.2, 1e-7, 12)],
}


def settings_of(key: str) -> list[Any]:
    """Settings of one kind."""
    found = SETTINGS.get(key) or SETTINGS[key.split(".")[0]]
    if key == "movies.sweep":
        return [replace(config, split=movies.Split(candidates=12, dimensions=4)) for config in found[:1]]
    return found
