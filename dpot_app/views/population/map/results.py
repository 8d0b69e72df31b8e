from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import shapely

from dpot_app.cities.base_map import largest_apart, name_of
from dpot_app.kit.cache import cached
from dpot_app.kit.fields import CURVE_EPSILONS
from dpot_app.views.population.distances import excess
from dpot_app.views.population.kmeans import to_nearest
from dpot_app.views.population.people import Backdrop, Reference, backdrop, draw_people, reference, scale_ratio
from dpot_app.views.population.releases import Release, release, settle
from dpot_app.views.population.settings import BARYCENTERS, BASELINES, MECHANISMS, Config
from dpot_app.views.population.units import at_order
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, counted
from dpot_core.datasets import Outline, Population, load_places, us_outline
from dpot_core.datasets.world import cities_in
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.transport.power_cells import PowerBorders, power_borders, power_cells

#: Draws of the button that shows how releases vary.
DRAWS = 20

#: Noise that raises the cost by less does not matter much.
HARDLY = 0.01

#: Columns of the raster of people.
FINE = 232


@dataclass(frozen=True)
class Shares:
    """Two reasons why releases are not the best barycenter known, apart."""

    noise: float  # W_p that noise moves the atoms from a local minimum for the people, km, or units where none are
    search: float  # W_p from that minimum to the best one, likewise
    extra: float  # by which noise raises the cost, of k-means that to the nearest, over that minimum's, a share


@dataclass(frozen=True)
class MapResult:
    """The data of the map; of each mechanism the first draw is the one with the seed of the settings."""

    backdrop: Backdrop
    reference: Reference
    draws: Mapping[str, tuple[Release, ...]]
    places: tuple[tuple[str, float, float], ...] = ()  # names of the largest places, with their coordinates
    nearest: float | None = None  # without privacy: mean distance to the power p to the nearest atom, see `Release`

    @property
    def releases(self) -> tuple[tuple[str, Guarantee], ...]:
        """Each release in the tables: name, guarantee of that one alone."""
        return tuple((BARYCENTERS[name], draw.guarantee) for name, draws in self.draws.items() for draw in draws)

    def has_areas(self, barycenter: str) -> bool:
        """Whether areas of influence are drawn: of one release, where they are known and groups have none of their own.

        They come from atoms and potentials alone, so that those of a release are as private as it is.
        """
        _, potentials = self._first(barycenter)
        return potentials is not None and len(potentials) == 1 and len(self.draws.get(barycenter, ("itself",))) == 1

    def areas(self, barycenter: str) -> PowerBorders:
        """Where the areas of influence of a barycenter's atoms meet, those of a release in the order of `matched`."""
        atoms, potentials = self._first(barycenter)
        if potentials is None or not self.has_areas(barycenter):
            raise ValueError(f"barycenter must be one whose areas are drawn; got {barycenter!r}")
        if barycenter == "non-private":
            return _reference_areas(self.reference, self.backdrop.outline)
        return _areas(atoms, potentials, self.backdrop.outline)

    def _first(self, barycenter: str) -> tuple[Array, Array | None]:
        if barycenter == "non-private":
            return self.reference.atoms, self.reference.potentials
        first = self.draws[barycenter][0]
        return first.matched, first.potentials_as_matched

    def shares(self, mechanism: str) -> Shares:
        """Shares of noise and search in a mechanism's distance to the best barycenter known, on average."""
        draws, km = self.draws[mechanism], self.reference.km is not None
        noise, search = (
            float(np.mean([getattr(one, f"{what}_km" if km else what) for one in draws]))
            for what in ("noise", "search")
        )
        terms = [
            (one.nearest, one.settled_nearest) if mechanism in BASELINES else (one.cost, one.settled_cost)
            for one in draws
        ]
        costs = np.array(terms).mean(axis=0)
        return Shares(noise, search, float(excess(costs[0], costs[1])))

    @property
    def hardly(self) -> bool:
        """Whether a larger epsilon would hardly lower the cost of any of the releases."""
        return max(self.shares(name).extra for name in MECHANISMS) < HARDLY

    def mean_costs(self, mechanism: str) -> tuple[float, float]:
        """Mean over the releases of a mechanism: cost, every atom with an equal share, and cost to the nearest atom."""
        draws = self.draws[mechanism]
        return float(np.mean([one.cost for one in draws])), float(np.mean([one.nearest for one in draws]))

    def profiles(self, at: Sequence[float] = CURVE_EPSILONS) -> dict[str, Array]:
        """delta of one release of each mechanism at given epsilons, (T,); none where nothing is proven."""
        known = {name: draws[0].profile for name, draws in self.draws.items()}
        return {name: profile.delta(at) for name, profile in known.items() if profile is not None}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number drawn.

        Released atoms stand in an order that does not look at the truth, and apart from what no release would show.
        """
        truth = self.reference
        zero = None if truth.km is None else 0.0
        own: dict[str, float | None] = dict(zip(_OWN, (0.0, 0.0, zero, zero), strict=True))
        outline = self.backdrop.outline
        own |= {_SETTLED: truth.cost, _NEAREST: self.nearest}
        released, costs = [], [_costs("non-private", 0, (truth.cost, 0.0, truth.km, zero)) | own]
        for name, draws in self.draws.items():
            for number, draw in enumerate(draws):
                areas = area_columns(draw.atoms, draw.potentials, outline)
                released.append(_positions(draw.atoms, areas, barycenter=name, draw=number))
                own = dict(zip(_OWN, (draw.noise, draw.search, draw.noise_km, draw.search_km), strict=True))
                own |= {_SETTLED: draw.settled_cost, _NEAREST: draw.nearest}
                costs.append(_costs(name, number, (draw.cost, draw.distance, draw.cost_km, draw.distance_km)) | own)
        p = truth.objective.p
        tables = {
            "atoms": pd.concat(released),
            "atoms-not-private": _positions(truth.atoms, area_columns(truth.atoms, truth.potentials, outline)),
            "costs": pd.DataFrame(costs).rename(columns=lambda name: at_order(name, p)),
            "privacy-profile": pd.DataFrame({"epsilon": CURVE_EPSILONS, **self.profiles()}),
        }
        # Beside many releases of one mechanism a page shows what is made of one release of each.
        many = "many-" if any(len(draws) > 1 for draws in self.draws.values()) else ""
        return {many + name: table.assign(simulated=self.backdrop.simulated) for name, table in tables.items()}


def _positions(atoms: Array, more: Mapping[str, object], **place: object) -> pd.DataFrame:
    where = {"atom": range(len(atoms)), "lon or x": atoms[:, 0], "lat or y": atoms[:, 1]}
    return pd.DataFrame({**place, **where, **more})


def area_columns(atoms: Array, potentials: Array | None, outline: Outline) -> dict[str, object]:
    """Potentials of the atoms' power cells, and how large these are; nothing where there is not one group."""
    names = ("potential (squared units)", f"area (square{' km' if outline.geographic else 'd units'})")
    if potentials is None or len(potentials) > 1:
        return dict.fromkeys(names, np.nan)
    cells = power_cells(atoms, potentials[0], outline.region)
    if outline.geographic:
        # Lines that are straight in degrees are bent on the equal-area map.
        cells = shapely.transform(shapely.segmentize(cells, 0.25), outline.to_km)
    return dict(zip(names, (potentials[0], shapely.area(cells)), strict=True))


def _areas(atoms: Array, potentials: Array, outline: Outline) -> PowerBorders:
    return power_borders(atoms, potentials[0], outline.region)


@cached
def _reference_areas(truth: Reference, outline: Outline) -> PowerBorders:
    """Areas of the atoms without privacy, which no epsilon changes."""
    if truth.potentials is None:
        raise ValueError("the barycenter must be one of order 2")
    return _areas(truth.atoms, truth.potentials, outline)


@lru_cache(maxsize=4)
def names_on(outline: Outline) -> tuple[tuple[str, float, float], ...]:
    """Names of the largest places in a region, with their coordinates; none where nothing is embedded."""
    if not outline.geographic:
        return ()
    west, south, east, north = outline.bounds
    if outline.name == us_outline().name:
        places = load_places("everybody")
        names, people = [name_of(places, place) for place in range(len(places))], places.weights.sum(axis=0)
        points = places.points
    else:
        cities = cities_in(outline.bounds)
        names, people = [city.name for city in cities], np.array([float(city.population) for city in cities])
        points = np.array([(city.lon, city.lat) for city in cities]).reshape(-1, 2)
    at = (points - (west, south)) * (1.0, scale_ratio(outline))
    size = (east - west, (north - south) * scale_ratio(outline))
    chosen = largest_apart(names, people, at, size, outline.contains(points), most=10)
    return tuple((names[place], *points[place].tolist()) for place in chosen)


@lru_cache(maxsize=4)
def room_for_scale(outline: Outline) -> float:
    """How far below a region its scale has to stand: nowhere if the lower left corner of the map is free."""
    west, south, east, _ = outline.bounds
    width = east - west
    wide, high = 0.36 * width, 0.04 * width + 0.045 * width / scale_ratio(outline)
    return high if outline.region.intersects(shapely.box(west, south, west + wide, south + high)) else 0.0


_UNITS = ("cost (squared units)", "W2 to non-private (units)", "root mean squared distance km", "W2 to non-private km")

_OWN = ("W2 by noise (units)", "W2 by search (units)", "W2 by noise km", "W2 by search km")
_SETTLED, _NEAREST = "cost without noise (squared units)", "cost to the nearest atom (squared units)"


def _costs(name: str, draw: int, values: tuple[float | None, ...]) -> dict[str, object]:
    return {"barycenter": name, "draw": draw, **dict(zip(_UNITS, values, strict=True))}


def draw_map(
    config: Config, population: Population, draws: int = 1, progress: Progress | None = None, many: str | None = None
) -> MapResult:
    """The people, their barycenter, and private ones.

    Args:
        many: the mechanism that is drawn so often, the other ones once; None for all.
    """
    people = draw_people(population, config.n, config.seed)
    truth = reference(people, config.m, config.seed, config.reg, progress, config.objective)
    names = tuple(dict.fromkeys((*config.mechanisms, *([] if many is None else [many]))))
    drawn = [(name, draw) for name in names for draw in range(draws if many in (None, name) else 1)]
    releases: dict[str, tuple[Release, ...]] = dict.fromkeys(names, ())
    for name, draw in counted(drawn, progress):
        releases[name] += (release(people, truth, config, name, draw),)
    truth, releases = settle(people, truth, config, releases)
    nearest = to_nearest(people, truth.atoms, truth.objective)
    return MapResult(backdrop(people, FINE), truth, releases, names_on(people.outline), nearest)
