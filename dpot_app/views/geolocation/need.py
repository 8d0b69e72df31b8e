from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpot_app.cities.city import City
from dpot_app.cities.crowd import ESTIMATES, RUNS, crowd_at
from dpot_app.cities.loading import load_city
from dpot_app.cities.place import Place
from dpot_app.cities.worst_place import largest_of_points
from dpot_app.kit.need import Need, Side
from dpot_app.views.geolocation.settings import Config
from dpot_core.arguments import Array
from dpot_core.base_measures import best_uniform_base
from dpot_core.datasets import DATASETS
from dpot_core.mechanisms import rivals
from dpot_core.privacy.numerals import at_most
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import worst_case_wasserstein

Indices = NDArray[np.intp]

#: Values of epsilon that are tried for the crowd: each takes half a second.
GRID = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0)

#: Entropic weight of WPM, as the geolocation page begins with.
REG = 0.01


def _city(source: str) -> City:
    return load_city(source, Place(), {})


@lru_cache(maxsize=32)
def _corners(source: str) -> Indices:
    """Cells of which none has the same distances as another: of those that a square maps on each other, one."""
    distances = np.sort(_city(source).distances, axis=1)
    return np.asarray(np.unique(np.round(distances, 9), axis=0, return_index=True)[1])


@lru_cache(maxsize=512)
def _base(source: str, epsilon: float) -> Array:
    return best_uniform_base(_city(source).cost[_corners(source)], epsilon)


@lru_cache(maxsize=256)
def _means(source: str, epsilon: float) -> dict[str, float]:
    return crowd_at(_city(source), _base(source, epsilon), epsilon, REG).means()


def _worst(config: Any) -> Side:
    city = _city(config.source)
    others = rivals("exact")

    def evaluate(name: str, epsilon: float) -> float:
        base = _base(config.source, epsilon)
        if name == "wpm":
            # A uniform base measure treats cells with the same distances alike.
            distances = city.distances[_corners(config.source)]
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
        note=f"Exact projection on a grid of {city.grid.n} × {city.grid.n} cells. The map that the crowd's releases "
        "give on average is never farther than this, usually much nearer.",
    )


def _data(config: Any) -> Side:
    city = _city(config.source)
    people = city.check_ins.n_users
    return Side(
        what=f"how far the crowd's estimated map is from the true one (W_1), {people} people, mean of {RUNS} runs",
        labels=ESTIMATES,
        colours={name: name.removesuffix("-decoded") for name in ESTIMATES},
        evaluate=lambda name, epsilon: _means(config.source, epsilon)[name],
        note=f"Draws with fixed seeds; WPM after 40 iterations with λ = {REG:g}. {DATASETS[config.source].title}.",
        simulated=city.check_ins.simulated,
        grid=GRID,
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
        Config(source=config.source),
    ),
    sets=DATASETS,
)
