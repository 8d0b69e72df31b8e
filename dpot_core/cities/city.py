"""A city made ready: who releases, their distributions over the cells, and how far every output is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpot_core.checks import Array
from dpot_core.cities.city_map import CityMap, make_map
from dpot_core.cities.place import MAX_PEOPLE, Place
from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.city_grid import MAX_SIDE_KM, CityGrid, city_grid, square_around
from dpot_core.datasets.zones import Zones, read_zones_geojson
from dpot_core.mechanisms import MECHANISMS, Setting
from dpot_core.spaces import nearest_target
from dpot_core.studies._kit.cache import Cache
from dpot_core.transport.wasserstein import wasserstein

#: Of the draw of the people who release.
SEED = 0

#: Iterations of Algorithm 1, as in the paper's experiments.
ITERATIONS = 40


@dataclass(frozen=True, eq=False)
class City:
    """Distributions of people over the cells of a grid, and the outputs that may be released."""

    key: str  # what all this was made from; equal keys, equal cities
    place: Place
    check_ins: CheckIns  # of the people who release
    grid: CityGrid  # cells and UTM zone
    zones: Zones | None  # outputs other than the cells
    histograms: Array  # distribution of each person, (people, k)
    held_out: Array | None  # mean distribution of the people set aside, (k,)
    distances: Array  # from each cell's centre to each output's point, (k, k_v), km
    snap: NDArray[np.intp] | None  # nearest output of each cell, (k,); None where outputs are the cells
    map: CityMap  # what maps need; results keep this and not the city, which is large

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, City) and self.key == other.key

    @cached_property
    def truth(self) -> Array:
        """The crowd: mean of the people's distributions, (k,)."""
        return np.asarray(self.histograms.mean(axis=0))

    @cached_property
    def positions(self) -> Array:
        """Where each row of the check-ins is, km; moved to the nearest point of the map where it lies outside."""
        return self.grid.nearest_km(self.check_ins.lat, self.check_ins.lon)

    @property
    def diameter(self) -> float:
        """The largest distance between two cells, km."""
        return self.grid.space.diameter

    @cached_property
    def cost(self) -> Array:
        """Distances scaled by the diameter, (k, k_v): lambda counts in this unit."""
        return np.asarray(self.distances / self.diameter)

    @cached_property
    def by_activity(self) -> NDArray[np.intp]:
        """The people, those with the most check-ins first."""
        return np.argsort(-self.check_ins.totals, kind="stable")

    @property
    def outputs_km(self) -> Array:
        """Points of the outputs, cells' centres or points in zones, (k_v, 2), km."""
        return self.grid.space.points if self.zones is None else self.zones.points

    def onto_outputs(self, mu: Array) -> Array:
        """A distribution on the cells moved to the nearest outputs, (k_v,)."""
        if self.snap is None:
            return mu
        return np.asarray(np.bincount(self.snap, mu, self.distances.shape[1]), dtype=np.float64)

    def kilometres(self, mu: Array, nu: Array) -> float:
        """W_1 between mu on the cells (k,) and nu on the outputs (k_v,), km.

        On one and the same set of points W_1 depends on mu - nu only (Kantorovich duality), so the mass that both
        have is taken out first: the problem gets two to four times faster.
        """
        if self.snap is not None:
            return wasserstein(mu, nu, self.distances, 1)
        surplus = np.maximum(mu - nu, 0.0)
        moved = float(surplus.sum())
        if moved <= 1e-15:
            return 0.0
        missing = np.maximum(nu - mu, 0.0)
        return moved * wasserstein(surplus / moved, missing / missing.sum(), self.distances, 1)


# A fine grid takes tens of megabytes.
@Cache(6).keep
def make_city(check_ins: CheckIns, place: Place, zones: bytes | None = None, clamp: bool = False) -> City:
    """Choose the people, lay the grid and measure distances.

    At most `MAX_PEOPLE` people with enough check-ins release, drawn with a fixed seed; for a prior, at least as many
    others are set aside.

    Args:
        check_ins: of everybody.
        place: the settings.
        zones: bytes of a GeoJSON file whose polygons are the outputs; None for the cells.
        clamp: whether visits off the map are moved to its nearest point. Otherwise they are left out (`place.within`)
            or refused (`place.box`), which is no matter where any two histories are protected alike, but is no
            Lipschitz step: a guarantee by distance needs the first. Then who takes part does not depend on the map.

    The last few cities are kept, for everybody in this process.

    Raises:
        ValueError: says what does not fit.
    """
    everybody, where = check_ins, place.box
    if place.within > 0:
        spot = check_ins.busiest_point()
        if not clamp:
            everybody = check_ins.near(*spot, place.within)
        elif where is None:
            where = square_around(*spot, min(place.within, 0.48 * MAX_SIDE_KM))
    active = everybody.with_at_least(place.least)
    if place.held_out and active.n_users < 2:
        raise ValueError("a prior needs two people or more: one half is set aside to make it")
    grid = city_grid(where or everybody, place.n)
    order = np.random.default_rng(SEED).permutation(active.n_users)
    most = active.n_users // 2 if place.held_out else active.n_users
    some = min(MAX_PEOPLE, most)
    people = active.select(np.sort(order[:some]))
    held_out = grid.crowd(active.select(order[some:])) if place.held_out else None
    outputs = None if zones is None else read_zones_geojson(zones, grid)
    return City(
        key=f"{check_ins.digest} {place!r} {None if zones is None else hashlib.sha256(zones).hexdigest()} {clamp}",
        place=place,
        check_ins=people,
        grid=grid,
        zones=outputs,
        histograms=grid.histograms(people, clamp),
        held_out=held_out,
        distances=grid.space.distances(None if outputs is None else outputs.points),
        snap=None if outputs is None else nearest_target(grid.space, outputs.points),
        map=make_map(check_ins, grid, outputs),
    )


def make_setting(city: City, base: Array, epsilon: float, reg: float | None) -> Setting:
    """What the mechanisms of the table need to know."""
    return Setting(
        cost=city.cost,
        distances=city.distances,
        epsilon=epsilon,
        base=base,
        reg=reg,
        max_iter=ITERATIONS,
        snap=city.snap,
    )


def largest_of_points(city: City, mechanism: str, base: Array, epsilon: float) -> float:
    """The largest W_1 between a history at one cell and what a mechanism of `MECHANISMS` makes of it, km."""
    setting = Setting(city.cost, city.distances, epsilon, base, snap=city.snap)
    outputs = MECHANISMS[mechanism](setting)(np.eye(len(city.distances)))
    return float((outputs * city.distances).sum(axis=1).max())
