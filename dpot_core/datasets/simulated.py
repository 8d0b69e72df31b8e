"""A simulated city: invented people, with the shape of real check-ins."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_core.arguments import Array, check_count
from dpot_core.datasets.check_ins import CheckIns, merged

#: The middle of the invented city (lat, lon): open Atlantic, where no one lives.
CENTRE = (43.0, -38.0)

_KM_PER_DEGREE = 111.2
_N_PLACES = 900
_MAX_FAVOURITES = 70

# Districts, in km east and north of the centre: position, spread, share of the homes, share of the places.
_DISTRICTS = np.array(
    [
        [0.0, 0.5, 1.1, 0.07, 0.34],  # old town
        [2.6, 3.4, 1.3, 0.10, 0.16],  # offices
        [-2.2, 3.9, 0.8, 0.04, 0.10],  # university
        [-5.5, -3.8, 1.9, 0.18, 0.09],
        [6.2, -2.8, 1.7, 0.15, 0.09],
        [-7.8, 5.8, 2.0, 0.15, 0.06],
        [8.8, 6.9, 1.8, 0.14, 0.06],
        [0.8, -8.2, 2.1, 0.14, 0.05],
        [11.2, -8.9, 0.5, 0.03, 0.05],  # airport
    ]
)


def simulated_city(n_users: int = 500, seed: int = 1) -> CheckIns:
    """Check-ins of invented people in an invented city of about 26 by 26 km.

    Everyone has a home, a workplace and favourite places that are popular and near either of the two; the
    number of visits is heavy-tailed (at least 10), and most of them fall on a few places. A river without
    places divides the city. The coordinates lie in the open Atlantic.

    Args:
        n_users: number of people, 1 to 5,000.
        seed: of the generator; the same seed gives the same city.

    Returns:
        Check-ins marked `simulated`, with the river and the motorway as `outlines`.

    Raises:
        ValueError: if n_users or seed is out of range.
    """
    n = check_count(n_users, "n_users", 1, 5000)
    rng = np.random.default_rng(check_count(seed, "seed", 0, 2**63))
    places = _off_the_river(_in_districts(_N_PLACES, _DISTRICTS[:, 4], rng))
    popularity = rng.pareto(1.1, _N_PLACES) + 0.05
    homes = _off_the_river(_in_districts(n, _DISTRICTS[:, 3], rng))
    works = places[rng.choice(_N_PLACES, n, p=_central(places))] + rng.normal(0, 0.05, (n, 2))
    person, spots, counts = visits(homes, works, places, popularity, rng)
    lat, lon = _to_degrees(spots)
    return merged(
        pd.DataFrame({"user": [f"person {i + 1}" for i in person], "lat": lat, "lon": lon, "count": counts}),
        title="Simulated city (no real people)",
        simulated=True,
        source=f"dpot_core.datasets.simulated_city(n_users={n}, seed={seed})",
        licence="Invented data, no restrictions.",
        notes=("People, places and the city are invented; the coordinates lie in the open Atlantic.",),
        outlines=(("River", _outline(_river())), ("Motorway", _outline(_motorway()))),
    )


def visits(
    homes: Array, works: Array, places: Array, popularity: Array, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Array, Array]:
    """Invented visits of people who live, work and go out: to popular places that are near either of the two.

    Args:
        homes: of each person, km, (n, 2).
        works: likewise, (n, 2).
        places: where people go, km, (m, 2), at least 71.
        popularity: of each place, positive, (m,).
        rng: decides.

    Returns:
        For each person and place that they visit: the person's number, where it is (km, (r, 2)), and how often. Numbers
        of visits are heavy-tailed (at least 10 a person), and most of them fall on a few places.
    """
    n = len(homes)
    # Attraction of place j for person i: its popularity, times how near it is to home or to work.
    near_home = np.exp(-_distances(homes, places) / 1.8)
    near_work = np.exp(-_distances(works, places) / 1.0)
    attraction = popularity * (near_home + near_work + 0.004)
    # The best of log-weight + Gumbel noise are draws without replacement in proportion to the weights.
    keys = np.log(attraction) + rng.gumbel(size=attraction.shape)
    favourites = np.argpartition(-keys, _MAX_FAVOURITES, axis=1)[:, :_MAX_FAVOURITES]
    order = np.argsort(-np.take_along_axis(keys, favourites, axis=1), axis=1)
    favourites = np.take_along_axis(favourites, order, axis=1)

    made = 10 + np.floor(rng.lognormal(3.2, 1.15, n)).clip(max=1500).astype(np.intp)
    n_favourites = np.minimum(3 + np.floor(0.9 * made**0.75), _MAX_FAVOURITES)
    ranks = np.arange(1, _MAX_FAVOURITES + 1)
    shares = ranks ** -rng.uniform(0.6, 1.2, n)[:, None] * (ranks <= n_favourites[:, None])
    # Some people check in at home and at work most of the time, others never do.
    anchors = rng.gamma(0.7, 1.4, (n, 2)) * shares.max(axis=1, keepdims=True)
    shares = np.hstack([anchors, shares])
    counts = rng.multinomial(made, shares / shares.sum(axis=1, keepdims=True))

    person, slot = np.nonzero(counts)
    spots = np.concatenate([homes[:, None], works[:, None], places[favourites]], axis=1)[person, slot]
    return person, spots, counts[person, slot].astype(np.float64)


def _in_districts(n: int, shares: Array, rng: np.random.Generator) -> Array:
    which = _DISTRICTS[rng.choice(len(_DISTRICTS), n, p=shares / shares.sum())]
    return which[:, :2] + which[:, 2:3] * rng.normal(size=(n, 2)).clip(-2.4, 2.4)


def _central(places: Array) -> Array:
    # Offices gather in the old town and in the office district.
    pull = np.exp(-_distances(places, _DISTRICTS[:2, :2]) / 1.5).sum(axis=1) + 0.04
    return np.asarray(pull / pull.sum(), dtype=np.float64)


def _distances(a: Array, b: Array) -> Array:
    # Through the matrix product: several times faster than the differences, and exact enough for weights.
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * (a @ b.T)
    return np.asarray(np.sqrt(np.maximum(squares, 0)), dtype=np.float64)


def _river_north(east: Array) -> Array:
    return -1.8 + 1.3 * np.sin(east / 3.4) + 0.08 * east


def _river() -> Array:
    east = np.linspace(-14, 14, 113)
    return np.column_stack([east, _river_north(east)])


def _motorway() -> Array:
    turn = np.linspace(0, 2 * np.pi, 97)
    return np.column_stack([0.4 + 5.6 * np.cos(turn), 0.3 + 5.2 * np.sin(turn)])


def _off_the_river(points: Array) -> Array:
    # The river is 0.7 km wide: what falls into it moves to its bank, on the side where it is.
    above = points[:, 1] - _river_north(points[:, 0])
    moved = np.where(above >= 0, np.maximum(above, 0.35), np.minimum(above, -0.35))
    return np.column_stack([points[:, 0], points[:, 1] + moved - above])


def _to_degrees(points: Array) -> tuple[Array, Array]:
    lat = CENTRE[0] + points[:, 1] / _KM_PER_DEGREE
    lon = CENTRE[1] + points[:, 0] / (_KM_PER_DEGREE * np.cos(np.radians(CENTRE[0])))
    return lat, lon


def _outline(points: Array) -> Array:
    lat, lon = _to_degrees(points)
    return np.column_stack([lon, lat])
