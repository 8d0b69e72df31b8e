"""A city made ready: who releases, their distributions over the cells, and how far every output is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpot_app.cities.city_map import CityMap, make_map
from dpot_app.cities.place import MAX_PEOPLE, USUAL_SIDE, Place
from dpot_app.cities.visited_cells import VisitedCells
from dpot_app.kit.cache import Cache
from dpot_app.kit.particles import Columns, columns
from dpot_app.kit.reading import read_once
from dpot_core.arguments import Array
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.city_grid import MAX_SIDE_KM, CityGrid, city_grid, histograms_on, square_around
from dpot_core.datasets.zones import Zones, read_zones_geojson
from dpot_core.mechanisms.knowledge import Public
from dpot_core.spaces import GridCost, Space, grid_cost, nearest_target
from dpot_core.transport.few_sources import interval_by_boxes
from dpot_core.transport.wasserstein import wasserstein

#: Of the draw of the people who release.
SEED = 0

#: Iterations of Algorithm 1, as in the paper's experiments.
ITERATIONS = 40

#: Distances of visited cells, 256 MB: those of 512 places on 256 x 256 cells.
_MOST_DISTANCES = 2**25
#: People of a crowd are worked on together, so many or more.
FEWEST = 20

# Up to so many distances all rows are used.
_SMALL = 200_000
# Up to so many distances transport is solved exactly; beyond, it is known to within a share.
_MANY, _WIDTH = 200_000, 0.005


@dataclass(frozen=True, eq=False)
class City:
    """Distributions of people over the cells of a grid, and the outputs that may be released."""

    key: str  # what all this was made from; equal keys, equal cities
    place: Place
    check_ins: CheckIns  # of the people who release
    grid: CityGrid  # cells and UTM zone
    zones: Zones | None  # outputs other than the cells
    visited: NDArray[np.intp]  # cell of each row of the check-ins
    held_out: Array | None  # mean distribution of the people set aside, (k,)
    snap: NDArray[np.intp] | None  # nearest output of each cell, (k,); None where outputs are the cells
    map: CityMap  # what maps need; results keep this and not the city, which is large
    noise_key: Mapping[str, str]  # `CheckIns.noise_key` of everybody, also of those who are set aside or left out
    p: float = 1.0  # order of the loss W_p, by which costs are distances to the power p
    usual_share: float = 1.0  # half of the people set aside have so much of their crowd at their places, or less
    own: Array | None = None  # weights of the cells that the reader gives and knows to be public, (k,)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, City) and self.key == other.key

    @cached_property
    def histograms(self) -> Array:
        """Distribution of each person on the cells, (people, k): 260 MB at 256 x 256 cells."""
        return histograms_on(self.visited, self.check_ins, len(self.grid))

    def histogram(self, person: int) -> Array:
        """Distribution of one person on the cells, (k,), without those of all others."""
        return histograms_on(self.visited, self.check_ins, len(self.grid), person)[0]

    @cached_property
    def truth(self) -> Array:
        """The crowd: mean of the people's distributions, (k,)."""
        return np.asarray(self.histograms.mean(axis=0))

    @cached_property
    def positions(self) -> Array:
        """Where each row of the check-ins is, km; moved to the nearest point of the map where it lies outside."""
        return self.grid.nearest_km(self.check_ins.lat, self.check_ins.lon)

    @cached_property
    def diameter(self) -> float:
        """The largest distance between two cells, km: that of two corners."""
        return Space(self.grid.space.points[_corners(self.grid.n)]).diameter

    @property
    def n_outputs(self) -> int:
        """Number of outputs, k_v."""
        return len(self.grid) if self.zones is None else len(self.zones)

    def between(self, cells: NDArray[np.intp], outputs: NDArray[np.intp] | None = None) -> Array:
        """Distances from some cells to some outputs, or to all of them, km: of large grids some rows are enough."""
        points = self.grid.space.points
        onto = points if self.zones is None else self.zones.points
        return Space(points[cells]).distances(onto if outputs is None else onto[outputs])

    @cached_property
    def distances(self) -> Array:
        """From each cell's centre to each output's point, (k, k_v), km: 2 GB at 128 x 128 cells."""
        return self.grid.space.distances(None if self.zones is None else self.zones.points)

    @cached_property
    def cost(self) -> Array:
        """Distances scaled by the diameter, to the power p, (k, k_v): lambda counts in this unit."""
        return np.asarray((self.distances / self.diameter) ** self.p)

    @cached_property
    def farthest_first(self) -> NDArray[np.intp]:
        """For each cell the outputs, those that are farthest first, (k, k_v): whatever p is."""
        return np.argsort(-self.distances, axis=1)

    @property
    def fine(self) -> bool:
        """Whether there are so many cells, all of them outputs, that no matrix of their distances is made."""
        return self.zones is None and self.grid.n > USUAL_SIDE

    @property
    def worst_costs(self) -> Array:
        """Rows of the cost of which one is worst off with any uniform base measure, (., k_v).

        On a grid whose outputs are all its cells that is a corner's (`best_uniform_base` has the proof).
        """
        if self.zones is not None:
            return self.cost
        return np.asarray((self.between(np.zeros(1, dtype=np.intp)) / self.diameter) ** self.p)

    @cached_property
    def by_activity(self) -> NDArray[np.intp]:
        """The people, those with the most check-ins first."""
        return np.argsort(-self.check_ins.totals, kind="stable")

    @property
    def outputs_km(self) -> Array:
        """Points of the outputs, cells' centres or points in zones, (k_v, 2), km."""
        return self.grid.space.points if self.zones is None else self.zones.points

    @cached_property
    def columns(self) -> Columns:
        """The same for draws from many distributions."""
        return columns(self.outputs_km)

    def onto_outputs(self, mu: Array) -> Array:
        """A distribution on the cells moved to the nearest outputs, (k_v,)."""
        if self.snap is None:
            return mu
        return np.asarray(np.bincount(self.snap, mu, self.n_outputs), dtype=np.float64)

    def kilometres(self, mu: Array, nu: Array) -> float:
        """W_p between mu on the cells (k,) and nu on the outputs (k_v,), km.

        On one and the same set of points W_1 depends on mu - nu only (Kantorovich duality), so the mass that both
        have is taken out first: the problem gets two to four times faster. For p > 1 mass may have to make way.
        """
        if self.snap is not None or self.p != 1.0:
            return self._wasserstein(mu, nu)
        surplus = np.maximum(mu - nu, 0.0)
        moved = float(surplus.sum())
        if moved <= 1e-15:
            return 0.0
        missing = np.maximum(nu - mu, 0.0)
        return moved * self._wasserstein(surplus / moved, missing / missing.sum())

    def _wasserstein(self, mu: Array, nu: Array) -> float:
        cells, outputs = np.flatnonzero(mu), np.flatnonzero(nu)
        return wasserstein(mu[cells], nu[outputs], self.between(cells, outputs) ** self.p, self.p)

    def kilometres_within(
        self, mu: Array, nu: Array, places: VisitedCells | None = None, alive: Callable[[], object] | None = None
    ) -> tuple[float, float]:
        """The same for few places mu on a large grid: an interval that holds it, of at most `_WIDTH` of its end, km.

        Args:
            mu: on the cells, (k,).
            nu: on the outputs, (k_v,).
            places: those of mu, where they are known for several nu.
            alive: called now and then; what it raises abandons the work.
        """
        if self.snap is not None or self.grid.n <= USUAL_SIDE:
            return (self.kilometres(mu, nu),) * 2
        surplus, missing = np.maximum(mu - nu, 0.0), np.maximum(nu - mu, 0.0)
        if self.p != 1.0:
            surplus, missing = mu, nu
        moved, cells = float(surplus.sum()), np.flatnonzero(surplus)
        if cells.size * self.n_outputs <= _MANY or moved <= 1e-15:
            return (self.kilometres(mu, nu),) * 2
        rows = (self.between(cells) if places is None else places.distances_of(cells)) ** self.p
        low, high = interval_by_boxes(surplus[cells] / moved, rows, missing / missing.sum(), _WIDTH, alive)
        return float((moved * low) ** (1 / self.p)), float((moved * high) ** (1 / self.p))

    def places(self, histograms: Array) -> VisitedCells:
        """The cells whose rows are needed for some people (n, k): all of a small grid, else those that they visit.

        Raises:
            ValueError: if there are too many cells for a grid so fine.
        """
        # Of a large grid a few people visit few cells. On a small one all cells cost as little.
        k = len(self.grid)
        cells = np.arange(k) if k * self.n_outputs <= _SMALL else np.flatnonzero(histograms.any(axis=0))
        most = _MOST_DISTANCES // self.n_outputs
        if cells.size > max(most, USUAL_SIDE**2):
            raise ValueError(
                f"{cells.size:,} different cells were visited, by one person or by {FEWEST} together; with "
                f"{self.n_outputs:,} outputs at most {most:,} can be. Take fewer cells per side, or another person"
            )
        return VisitedCells(cells, self.between(cells), self.diameter, self.p)


_read_zones = read_once(Cache(4), read_zones_geojson)


# A fine grid takes tens of megabytes.
@Cache(6).keep
def make_city(
    check_ins: CheckIns, place: Place, zones: bytes | None = None, clamp: bool = False, most: int = MAX_PEOPLE
) -> City:
    """Choose the people, lay the grid and measure distances.

    At most ``most`` people with enough check-ins release, drawn with a fixed seed; for a prior, at least as many
    others are set aside.

    Args:
        check_ins: of everybody.
        place: the settings.
        zones: bytes of a GeoJSON file whose polygons are the outputs; None for the cells.
        clamp: whether visits off the map are moved to its nearest point. Otherwise they are left out (`place.within`)
            or refused (`place.box`), which is no matter where any two histories are protected alike, but is no
            Lipschitz step: a guarantee by distance needs the first. Then who takes part does not depend on the map.
        most: people that release; all of them for a release for real.

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
    some = min(most, active.n_users // 2 if place.held_out else active.n_users)
    people = active.select(np.sort(order[:some]))
    held_out, share = None, 1.0
    if place.held_out:
        apart = active.select(order[some:])
        held_out = grid.crowd(apart)
        seen = np.unique(apart.user * len(grid) + grid.cells_of(apart))
        share = float(np.median(np.bincount(seen // len(grid), held_out[seen % len(grid)], apart.n_users)))
    outputs = None if zones is None else _read_zones(zones, grid)
    zoned = None if zones is None else hashlib.sha256(zones).hexdigest()
    return City(
        key=f"{check_ins.digest} {place!r} {zoned} {clamp} {most}",
        place=place,
        check_ins=people,
        grid=grid,
        zones=outputs,
        visited=grid.cells_of(people, clamp),
        held_out=held_out,
        snap=None if outputs is None else nearest_target(grid.space, outputs.points),
        map=make_map(check_ins, grid, outputs),
        noise_key=check_ins.noise_key,
        usual_share=share,
    )


@Cache(6).keep
def _of_order(city: City, p: float) -> City:
    return replace(city, p=p, map=replace(city.map, p=p), key=f"{city.key} p={p!r}")


def of_order(city: City, p: float) -> City:
    """The same city with another order of the loss: of costs, distances between distributions, worst cases."""
    return city if p == city.p else _of_order(city, p)


def make_public(city: City, base: Array, epsilon: float, reg: float | None) -> Public:
    """Public knowledge for the mechanisms of the table: of all cells, without a matrix of them.

    The prior is the crowd of the people set aside, if there are any. No factor of it holds histories, which leave out
    most places of a crowd. What counts for them is which share s of the crowd is at their places: KPM around prior
    gives these the most it can, ``s e^epsilon / (s e^epsilon + 1 - s)``, where gamma is 1/s - 1. It is made for the
    median of the people set aside.
    """
    cost: Array | GridCost
    distances: Array | GridCost
    if city.zones is None:
        cost, distances = grid_cost(_in_diameters(city), city.p), grid_cost(city.grid.space, 1)
    else:
        cost, distances = city.cost, city.distances
    prior = None if city.held_out is None else city.onto_outputs(city.held_out)
    gamma = max(1.0 / city.usual_share - 1.0, 1.0)
    return Public(cost, distances, epsilon, base, reg, ITERATIONS, city.snap, prior, gamma)


def _in_diameters(city: City) -> Space:
    """The cells with the city's diameter as the unit of length."""
    xs, ys = grid_cost(city.grid.space).axes
    return Space(city.grid.space.points / city.diameter, axes=(xs / city.diameter, ys / city.diameter))


def _corners(n: int) -> NDArray[np.intp]:
    return np.array([0, n - 1, n * n - n, n * n - 1])
