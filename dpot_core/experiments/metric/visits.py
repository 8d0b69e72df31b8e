"""Visits on the cells of the map: each shared among the four nearest centres, and some of each person's drawn."""

from __future__ import annotations

import numpy as np

from dpot_core.checks import Array, check_count
from dpot_core.cities.city import City
from dpot_core.mechanisms.metric.sharing import share_among_cells
from dpot_core.streams import stream

#: Repeated runs, and the seed of their draws: this is a demonstration, not a release.
RUNS = 5
SEED = 3


def shared_histograms(city: City) -> Array:
    """The distribution of each person over the centres of the cells, (people, k); see `share_among_cells`.

    Args:
        city: people and grid.
    """
    data, grid = city.check_ins, city.grid
    centres = grid.space.points
    cells, shares = share_among_cells(city.positions, centres[: grid.n, 0], centres[:: grid.n, 1])
    weights = (data.count / data.totals[data.user])[:, None] * shares
    index = data.user[:, None] * len(grid) + cells
    flat = np.bincount(index.ravel(), weights.ravel(), data.n_users * len(grid))
    return np.asarray(flat.reshape(data.n_users, len(grid)))


def draw_visits(histograms: Array, visits: int, rng: np.random.Generator) -> Array:
    """m visits of each person with replacement, counted by cell over all people, (RUNS, k): Algorithm 3.

    Every release draws its own: two releases about the same draws would not add up.

    Args:
        histograms: of each person, (people, k).
        visits: of each person, m.
        rng: source of randomness.

    Raises:
        ValueError: if ``visits`` is out of range.
    """
    m = check_count(visits, "visits")
    return np.stack([rng.multinomial(m, histograms).sum(axis=0) for _ in range(RUNS)]).astype(np.float64)


def visit_stream(how: str, beta: float, visits: int, people: int, largest: float, cells: int) -> np.random.Generator:
    """The randomness of one release of the crowd: independent of that of every other way and setting.

    Args:
        how: reports add up.
        beta: of a report, nats per largest distance.
        visits: of each person.
        people: how many report.
        largest: largest distance, km.
        cells: how many there are.
    """
    settings = {"how": how, "beta": beta, "visits": visits, "people": people, "largest": largest, "cells": cells}
    return stream(SEED, "metric.crowd", **settings)
