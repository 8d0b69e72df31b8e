"""Settings away from their defaults, several for every kind, small enough to run in tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dpot_app.cities.place import USUAL_SIDE
from dpot_app.films.catalogue import Split
from dpot_app.kit.setting import Declared
from dpot_app.kit.values import get, put
from dpot_app.kit.view import View
from dpot_app.views import population
from dpot_app.views.decide import settings as decide
from dpot_app.views.explain import settings as explain
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.metric import settings as metric
from dpot_app.views.mixture import settings as mixture
from dpot_app.views.mixture.densities import random_modes, ring_modes
from dpot_app.views.mixture.many.settings import ManyConfig
from dpot_app.views.mixture.sphere.settings import SphereConfig
from dpot_app.views.movies import settings as movies
from dpot_app.views.ring import settings as ring
from dpot_app.views.sinkhorn import settings as sinkhorn
from dpot_app.views.table import VIEWS

_RING = [
    ring.Config(),
    ring.Config(
        ring=ring.Ring(k=12, every=3, p=1),
        base=ring.Base(kind="minimax"),
        source=ring.Source(kind="dirichlet", concentration=0.7, seed=12),
        epsilon=0.1 + 0.2,
        reg=None,
        mechanisms=("wpm", "kpm", "em", "krr", "mollifier", "kpm-prior"),
        belief="base",
    ),
    ring.Config(
        ring=ring.Ring(k=11, every=2, p=3),
        base=ring.Base(kind="uniform", scale=1 / 3),
        source=ring.Source(kind="dirac", point=7),
        epsilon=5.0,
        reg=0.03,
    ),
    ring.Config(
        ring=ring.Ring(k=4, every=1, p=2),
        base=ring.Base(kind="prior", prior=(0.1, 0.2, 0.3, 0.4), gamma=2.5),
        source=ring.Source(kind="numbers", numbers=(1e-300, 1.0, 5e-324, 2.5)),
        epsilon=1.0,
    ),
    ring.Config(ring=ring.Ring(k=9), source=ring.Source(kind="two-places", point=2, other=15, share=0.3), epsilon=0.7),
]
_CITY = [
    geolocation.Config(place=geolocation.Place(n=8)),
    geolocation.Config(
        source="simulated",
        place=geolocation.Place(n=7, least=12, held_out=True, box=(-38.2, 42.8, -37.8, 43.15), within=30.0),
        base="prior",
        epsilon=0.7,
        reg=None,
        person=3,
        zones=False,
        columns=(("user", "who: he\u2019s #1"), ("lat", "y")),
        belief="crowd",
    ),
    geolocation.Config(place=geolocation.Place(n=5), base="minimax", epsilon=3.3),
    geolocation.Config(place=geolocation.Place(n=44, least=110), epsilon=3.0),
    geolocation.Config(place=geolocation.Place(n=5), drawn="0.5 0.25 3; 0.1 0.9 1"),
    geolocation.Config(place=geolocation.Place(n=5), base="own", own="0.2 0.3 9; 0.8 0.4 2", reg=None),
    geolocation.Config(place=geolocation.Place(n=6), p=2.0, epsilon=1.2, mechanisms=("wpm", "em", "krr", "mollifier")),
    geolocation.Config(place=geolocation.Place(n=6, held_out=True), base="prior", mechanisms=("kpm", "kpm-prior")),
    geolocation.Config(place=geolocation.Place(n=6, city="Osaka, JP"), epsilon=1.5),
]
_LINE = [
    mixture.Config(modes=mixture.Modes(means=(-1.0, 1.0), weights=(0.9, 0.1)), draws=50, cells=60),
    mixture.Config(
        modes=random_modes(7, 4, 2.0),
        family=mixture.Family(variance=0.5, radius=2.0),
        epsilon=0.3,
        mechanisms=("mollifier", "blend", "wpm", "kpm-prior"),
        reference=2.0,
        gamma=4.5,
        cells=50,
        p=1,
        base="best-h",
        draws=7,
        seed=3,
        training=9,
    ),
]
_PLANE = [
    mixture.Config(
        modes=ring_modes(3),
        family=mixture.Family(variance=0.5, radius=1.0, dimension=2),
        epsilon=0.5,
        mechanisms=("kpm", "wpm"),
        cells=10,
        draws=5,
    ),
    mixture.Config(
        modes=mixture.Modes(means=((0.1, -0.2), (0.0, 1 / 3)), weights=(0.25, 0.75)),
        family=mixture.Family(variance=1.0, radius=1.5, dimension=2, envelope="authors"),
        epsilon=1.0,
        mechanisms=("blend", "mollifier", "kpm-prior"),
        reference=0.7,
        gamma=2.2,
        cells=12,
        p=3,
        base="uniform",
        draws=0,
        seed=4,
        training=8,
    ),
]
_FILMS = [
    movies.Config(split=Split(candidates=40, dimensions=8)),
    movies.Config(
        source="simulated",
        split=Split(seed=3, dimensions=16, centred=True, candidates=30),
        base="prior",
        epsilon=0.5,
        p=1.5,
        reg=0.03,
        mechanisms=("kpm", "em"),
        user=movies.OWN,
        other="",
        profile=((3, 4.5), (200, 1.0), (310, 5.0)),
        columns=(("film", "item"),),
        belief="rated",
    ),
    movies.Config(split=Split(candidates=30, dimensions=8), base="own", own="Comedy 9; War 0.5", epsilon=1.2),
]
_PEOPLE = [
    population.Config(n=400, m=3),
    population.Config(
        source="places",
        groups="regions",
        n=300,
        m=2,
        chunks=20,
        epsilon=0.1 + 0.2,
        delta=1e-6,
        adjacency="add-remove",
        guarantee="proven",
        method="chunks",
        steps=3,
        reg=0.01,
        seed=7,
        columns=(("lon", "x: east"),),
        outside="reject",
    ),
    population.Config(n=300, m=2, guarantee="paper"),
    population.Config(groups="regions", n=300, m=2, compared="kmeans", weights=(0.4, 0.3, 0.2, 0.1)),
    population.Config(groups="regions", n=300, m=2, p=3.0, weights=(0.1, 0.2, 0.3, 0.4)),
]
_SYNTHETIC = [
    population.SyntheticConfig(n=60, m=2, points=300, digit_atoms=3),
    population.SyntheticConfig(
        n=50, m=3, epsilon=0.7, projection=2, digit=5, pictures=2, points=200, digit_atoms=4, seed=9
    ),
]
_PLACES = [
    metric.Config(place=geolocation.Place(n=6, city="Lima, PE")),
    metric.Config(
        source="simulated",
        place=geolocation.Place(n=7, least=12, held_out=False, box=(-38.2, 42.8, -37.8, 43.15), within=30.0),
        columns=(("user", "who"),),
        changes=((0.5, 2.0), (1.0, 1 / 3), (0.001, 50.0)),
        epsilon=0.7,
        delta=1e-4,
    ),
]
_PAIRS = [
    sinkhorn.Config(data=sinkhorn.Data(n=150, cells=4)),
    sinkhorn.Config(
        data=sinkhorn.Data(source="rings", n=300, seed=5, cells=3, p=1, columns=(("x", "east"),)),
        eta=0.1 + 0.2,
        epsilon=0.7,
        delta=1e-7,
        steps=2,
        share=1 / 3,
        floor=0.05,
        people="both",
        guarantee="proven",
        constants="printed",
        draw=4,
    ),
    sinkhorn.Config(data=sinkhorn.Data(n=150, cells=3), eta=0.5, guarantee="paper"),
]

#: Kind -> settings, by the page's part of the key where all its kinds take the same.
SETTINGS: dict[str, list[Any]] = {
    "ring": _RING,
    "geolocation": _CITY,
    "geolocation.gets": [config for config in _CITY if config.place.n <= USUAL_SIDE],
    "geolocation.guess": [config for config in _CITY if config.place.n <= USUAL_SIDE],
    "mixture.line": _LINE,
    "mixture.plane": _PLANE,
    "mixture.sphere": [
        SphereConfig(draws=3),
        SphereConfig(d=7, epsilon=2.2, orders=(1.5, 16.0), draws=0, seed=5),
    ],
    "mixture.many": [
        ManyConfig(source="random", count=2, seed=3),
        ManyConfig(
            source="random", count=1, seed=4, family=mixture.Family(variance=0.5, radius=2.0), reference=2.0, p=1
        ),
    ],
    "movies": _FILMS,
    "population": _PEOPLE,
    "population.inside": [
        population.InsideConfig(base=_PEOPLE[1], group=2),
        *(population.InsideConfig(base=base) for base in _PEOPLE[2:]),
    ],
    **{f"population.gaussians-{axis}": _SYNTHETIC for axis in ("n", "epsilon", "projection")},
    "population.digits": _SYNTHETIC,
    "metric.protect": [metric.ProtectConfig(base=_PLACES[0], example="paper"), metric.ProtectConfig(base=_PLACES[1])],
    "metric.ask": [
        metric.AskConfig(base=_PLACES[0]),
        metric.AskConfig(base=_PLACES[1], query="region", east=30, north=60, radius=2.5, edge=1.5, kind="gaussian"),
    ],
    "metric.crowd": [
        metric.CrowdConfig(base=_PLACES[0], visits=20),
        metric.CrowdConfig(base=_PLACES[1], visits=7, who="local"),
    ],
    "metric.crowd-curve": [
        metric.CrowdConfig(base=_PLACES[0], visits=20),
        metric.CrowdConfig(base=_PLACES[1], visits=7, who="local"),
    ],
    "metric.pays": [
        metric.PaysConfig(users=500, items=10, clusters=2, size=2),
        metric.PaysConfig(
            model="central", users=300, items=5, clusters=3, size=3, r=0.3, epsilon=0.7, ratio=7.0, delta=1e-4
        ),
    ],
    "metric.linear": [
        metric.LinearConfig(),
        metric.LinearConfig(items="orthonormal", model="central", d=6, users=300, epsilon=0.7, ratio=7.0, delta=1e-4),
        *(
            metric.LinearConfig(items=items, model=model, users=50)
            for items in ("text", "graph")
            for model in metric.TRUST
        ),
    ],
    "sinkhorn": _PAIRS,
    "sinkhorn.theorem": [sinkhorn.TheoremConfig(base=config, place=1 / 3) for config in _PAIRS],
    "decide": [
        decide.Config(need="ring-tv", target=0.3, k=12, p=1),
        decide.Config(need="sphere", target=0.9, k=9, p=4, d=3, seed=7),
        decide.Config(
            need="ring", target=2.5, k=10, p=2, d=2, seed=5, cells=7, least=2, within=5.0, columns=(("user", "who"),)
        ),
    ],
    "explain.release": [explain.Config(epsilon=0.1, prior=1 / 3)],
    "explain.distance": [explain.DistanceConfig(alpha=0.3, distance=4.5, prior=0.2, farthest=10.0)],
    "explain.releases": [explain.ReleasesConfig(epsilons=("0.1", "1/3", "2"), prior=0.9)],
    "explain.rounds": [explain.RoundsConfig(epsilon=0.2, delta=1e-7, rounds=12)],
}


#: Fields that a kind takes one value of, or that need a file of one's own.
CONSTANT = {
    "family.dimension",
    "family.envelope",
    "source",
    "zones",
    "other",
    "place.around",
    "base.place.around",
    "box",
    "region",
    "base.source",
    "base.box",
    "data.box",
    "base.data.box",
    "base.place.held_out",
}


def settings_of(key: str) -> list[Any]:
    """Settings of one kind: those above, and one with what they all leave at its default."""
    found = SETTINGS.get(key) or SETTINGS.get(key.split(".")[0], [])
    if key == "movies.sweep":
        return [replace(config, split=Split(candidates=12, dimensions=4)) for config in found[:1]]
    return [*found, *_moved(VIEWS[key], found)]


def _moved(view: View, found: list[Any]) -> list[Any]:
    """The last settings with another value of each number and option that stands at its default in all of them."""
    start = changed = found[-1] if found else view.example
    for name, known in view.declared.items():
        value = get(start, name)
        if name not in CONSTANT and all(get(config, name) == value for config in (view.example, *found)):
            with suppress(StopIteration):
                changed = put(changed, name, next(other for other in _others(known, value) if other != value))
    view.check(changed)
    return [] if changed == start else [changed]


def _others(known: Declared, value: Any) -> Iterator[Any]:
    """Values of a setting that its declaration allows."""
    if known.options is not None:
        yield from ((option,) if known.many else option for option in known.options)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float) and known.low is not None and known.high is not None:
        yield from (known.grid or (min(value + 1, known.high), known.low))
