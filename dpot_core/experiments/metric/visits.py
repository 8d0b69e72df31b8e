"""Visits on the cells of the map: each shared among the four nearest centres, and some of each person's drawn."""

from __future__ import annotations

import numpy as np

from dpot_core.checks import Array, check_count
from dpot_core.experiments.geolocation import City
from dpot_core.mechanisms.metric.sharing import share_among_cells

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
    cells, shares = share_among_cells(grid.to_km(data.lat, data.lon), centres[: grid.n, 0], centres[:: grid.n, 1])
    weights = (data.count / data.totals[data.user])[:, None] * shares
    index = data.user[:, None] * len(grid) + cells
    flat = np.bincount(index.ravel(), weights.ravel(), data.n_users * len(grid))
    return np.asarray(flat.reshape(data.n_users, len(grid)))


def draw_visits(city: City, visits: int) -> Array:
    """m visits of each person with replacement, counted by cell over all people, (RUNS, k): Algorithm 3.

    Args:
        city: people and grid.
        visits: of each person, m.

    Raises:
        ValueError: if ``visits`` is out of range.
    """
    m = check_count(visits, "visits", 1, 1_000_000)
    histograms, rng = shared_histograms(city), np.random.default_rng(SEED)
    return np.stack([rng.multinomial(m, histograms).sum(axis=0) for _ in range(RUNS)]).astype(np.float64)
