from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpot_app.cities.city import City
from dpot_app.cities.crowd import OF_PLACES, RUNS, crowd_at
from dpot_app.cities.loading import BRING_CHECK_INS, CHECK_INS, load_city
from dpot_app.cities.place import SOURCES, Place
from dpot_app.cities.worst_case import largest_of_points
from dpot_app.kit.cache import cached
from dpot_app.kit.need import NO_FILES, Need, Own, Side
from dpot_app.kit.view import Files
from dpot_app.views.geolocation.settings import Config
from dpot_core import datasets
from dpot_core.arguments import Array
from dpot_core.base_measures import best_uniform_base
from dpot_core.datasets import DATASETS
from dpot_core.datasets.check_ins_csv import ROLES
from dpot_core.mechanisms import rivals
from dpot_core.privacy.numerals import at_most
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import worst_case_wasserstein

Indices = NDArray[np.intp]

#: Values of epsilon that are tried for the crowd: each takes half a second.
GRID = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)

#: Entropic weight of WPM, as the geolocation page begins with.
REG = 0.01


def _place(config: Any) -> Place:
    """The grid and the people, but for how far from the busiest spot they count: of other data than a file all do."""
    return Place(n=config.cells, least=config.least) if config.source == "csv" else Place()


def _city(config: Any, files: Files) -> City:
    return load_city(config.source, replace(_place(config), within=config.within), files, config.columns)


# Whose own data are in a city is known by its key: all that is kept of it goes with the file.
@cached
def _corners(city: City) -> Indices:
    """Cells of which none has the same distances as another: of those that a square maps on each other, one."""
    distances = np.sort(city.distances, axis=1)
    return np.asarray(np.unique(np.round(distances, 9), axis=0, return_index=True)[1])


@cached
def _base(city: City, epsilon: float) -> Array:
    return best_uniform_base(city.cost[_corners(city)], epsilon)


@cached
def _means(city: City, epsilon: float) -> dict[str, float]:
    return crowd_at(city, _base(city, epsilon), epsilon, REG).means()


def _worst(config: Any, files: Files = NO_FILES) -> Side:
    city = _city(config, files)
    others = rivals("exact")

    def evaluate(name: str, epsilon: float) -> float:
        base = _base(city, epsilon)
        if name == "wpm":
            # A uniform base measure treats cells with the same distances alike.
            distances = city.distances[_corners(city)]
            return float(worst_case_wasserstein(distances, Polytope(base, epsilon), 1))
        return largest_of_points(city, name, base, epsilon)

    return Side(
        what="how far a person's own map is moved at most, whatever their history (W_1)",
        labels={"wpm": "WPM, best uniform base"} | {name: row.label for name, row in others.items()},
        colours={name: name for name in ("wpm", *others)},
        evaluate=evaluate,
        because={
            "wpm": "The best mass for a smaller ε stays possible for a larger one.",
            **{name: row.improves for name, row in others.items() if row.improves},
        },
        note=(
            f"Exact projection on a grid of {city.grid.n} × {city.grid.n} cells. The same limit holds for "
            "the crowd's map, averaged over noise; it is usually much nearer to the true one."
        ),
    )


def _data(config: Any, files: Files = NO_FILES) -> Side:
    city = _city(config, files)
    title = DATASETS[config.source].title if config.source in DATASETS else _OWN.source
    people = city.check_ins.n_users
    return Side(
        what=f"how far the crowd's estimated map is from the true one (W_1), {people} people, mean of {RUNS} runs",
        labels=OF_PLACES,
        colours={name: name.removesuffix("-decoded") for name in OF_PLACES},
        evaluate=lambda name, epsilon: _means(city, epsilon)[name],
        note=f"Drawn with fixed seeds. WPM is computed by 40 iterations of Algorithm 1, with λ = {REG:g}. {title}.",
        simulated=city.check_ins.simulated,
        grid=GRID,
    )


_OWN = Own(
    role=CHECK_INS,
    source=SOURCES["csv"],
    label="File: user, lat, lon and, optionally, count",
    missing=BRING_CHECK_INS,
    sniff=datasets.sniff_columns,
    roles=ROLES,
    without={"count": "(every row is one visit)"},
)

NEED = Need(
    key="geolocation",
    title="Kilometres in a city",
    question="the map is at most {} from the true one",
    unit="W₁ (km)",
    write=lambda value: f"{at_most(value)} km",
    targets=(0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0),
    default=2.0,
    heavy=True,
    worst=_worst,
    data=_data,
    shows=lambda config, side: (
        f"geolocation.{'worst-case' if side == 'worst' else 'crowd'}",
        Config(source=config.source, place=_place(config)),
    ),
    own=_OWN,
    sets=DATASETS,
)
