"""One place each: every person of a file releases one cell, or zone, of a map that is public."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_app.batch.release.prepared import mechanism_of, published, read_own
from dpot_app.batch.scenarios import Scenario, ScenarioError
from dpot_app.cities.city import City, make_city, make_public, of_order
from dpot_app.cities.loading import ZONES, load_check_ins
from dpot_app.cities.place import USUAL_SIDE
from dpot_app.cities.public import public_map
from dpot_app.kit.view import Files
from dpot_app.views.geolocation.base import make_base, with_own
from dpot_app.views.geolocation.disclosed import guarantee
from dpot_app.views.geolocation.settings import Config
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.datasets.check_ins import CheckIns
from dpot_core.mechanisms import MECHANISMS, WITHOUT_PRIOR
from dpot_core.mechanisms.knowledge import Private, Public
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.polytopes import Polytope
from dpot_core.privacy.releases import release

#: Of the invented people of a dry run: how many, visits of each, the seed.
DRY_PEOPLE, DRY_VISITS, DRY_SEED = 300, 12, 1
_LABELS = {name: one.label for name, one in WITHOUT_PRIOR.items()}
# People whose outputs are computed together; on fine grids one by one, since their cells have distances of their own.
_TOGETHER = 20


@dataclass(frozen=True)
class OnePlaceEach:
    """Releases of the people of a file, before anything is drawn.

    Attributes:
        scenario: settings of the page Geolocation.
        city: the public map, and all people of the file.
        public: all that the mechanism knows of more than one person.
        mechanism: a key of `MECHANISMS`.
        promise: of one release, to each person.
    """

    scenario: Scenario
    city: City
    public: Public
    mechanism: str
    promise: Guarantee

    thing = ("place", "places")

    @property
    def people(self) -> tuple[str, ...]:
        """Names of the people in the file."""
        return self.city.check_ins.labels

    @property
    def charged(self) -> tuple[str, ...]:
        """The same people."""
        return self.people

    @property
    def what(self) -> str:
        """The release, in words."""
        return f"one place each by {MECHANISMS[self.mechanism].label}"

    def drawn(self, named: bool, progress: Progress | None = None) -> pd.DataFrame:
        """One place of each person: see `Prepared.drawn`."""
        places = []
        for number, (polytope, nu) in enumerate(outputs(self.city, self.public, self.mechanism), start=1):
            places.append(release(nu, polytope))
            if progress is not None:
                progress(number, len(self.people))
        return published(_described(self.city, np.array(places, dtype=np.intp)), self.people, named)


def one_place_each(scenario: Scenario, files: Files, *, dry: bool = False) -> OnePlaceEach:
    """Prepare a release of one place each.

    Args:
        scenario: of the page Geolocation, with a file of one's own.
        files: contents by role.
        dry: whether people are invented, and the file is not read.

    Raises:
        ScenarioError: if the map, or the base measure, is not public, or some input has no output: the
            message says what to set.
        ValueError: if the file does not suit the settings.
    """
    config: Config = scenario.config
    read_own(config.source, ("source",))
    if not public_map(config.laid):
        words = (
            "the map must be public. Give its box without a look at the file: --set place.box='[west, south, east, "
            "north]' in degrees, and --set place.within=0"
        )
        raise ScenarioError(words, ("place", "box"))
    config = replace(config, drawn="", person=1, mechanisms=(mechanism := mechanism_of(scenario, _LABELS),))
    if config.base == "prior" or mechanism not in _LABELS:
        setting = "base" if config.base == "prior" else "mechanisms"
        raise ScenarioError("a prior made of people in the file costs their privacy; choose another one", (setting,))
    check_ins = invented(config) if dry else load_check_ins("csv", files, config.columns)
    # Visits off the map count at its nearest point: left out, they would tell who was elsewhere.
    city = make_city(check_ins, config.laid, files[ZONES] if config.zones else None, True, check_ins.n_users)
    city = of_order(city, config.p)
    if config.base == "own":
        city = with_own(city, config.own)
    public = make_public(city, make_base(city, config.base, config.epsilon), config.epsilon, config.reg)
    # Asked of an input with mass everywhere, not of those in the file: that there is no release tells nothing of them.
    if not MECHANISMS[mechanism].feasible(public, np.full(len(city.grid), 1.0 / len(city.grid))):
        words = f"{MECHANISMS[mechanism].label} has no output for some inputs with this base measure; choose another"
        raise ScenarioError(words, ("base",))
    # Before anything is charged: a fine grid has no room for one who was in so many cells.
    visits = np.unique(city.check_ins.user * len(city.grid) + city.visited)
    if city.fine and (visited := int(np.bincount(visits // len(city.grid)).max())) > USUAL_SIDE**2:
        raise ScenarioError(f"one person was in {visited:,} cells; take fewer cells per side", ("place", "n"))
    promise = guarantee(config, city.map).released()
    return OnePlaceEach(replace(scenario, config=config), city, public, mechanism, promise)


def outputs(city: City, public: Public, mechanism: str) -> Iterator[tuple[Polytope, Array]]:
    """The polytope, and the output distribution in it, of each person: nothing is drawn."""
    polytope, kernel = MECHANISMS[mechanism].polytope(public), MECHANISMS[mechanism](public)
    check_ins, k = city.check_ins, len(city.grid)
    order = np.argsort(check_ins.user, kind="stable")
    ends = np.searchsorted(check_ins.user[order], np.arange(check_ins.n_users + 1))
    together = 1 if city.fine else _TOGETHER
    for start in range(0, check_ins.n_users, together):
        stop = min(start + together, check_ins.n_users)
        rows = order[ends[start] : ends[stop]]
        users = check_ins.user[rows]
        weights = check_ins.count[rows] / check_ins.totals[users]
        at = (users - start) * k + city.visited[rows]
        histograms = np.asarray(np.bincount(at, weights, (stop - start) * k).reshape(-1, k), dtype=np.float64)
        near = city.places(histograms)
        for nu in kernel(Private.of(public, histograms.take(near.cells, axis=1), near)):
            yield polytope, nu


def invented(config: Config) -> CheckIns:
    """People of a dry run: each has a home somewhere on the map and visits places around it, from a known seed."""
    if config.place.box is None:
        raise ScenarioError("the map must be public: give its box", ("place", "box"))
    west, south, east, north = config.place.box
    rng = np.random.default_rng(DRY_SEED)
    size = np.array([east - west, north - south])
    homes = np.array([west, south]) + size * rng.random((DRY_PEOPLE, 1, 2))
    visits = homes + size * rng.normal(0.0, 0.05, (DRY_PEOPLE, DRY_VISITS, 2))
    lon, lat = np.clip(visits, (west, south), (east, north)).reshape(-1, 2).T
    return CheckIns(
        user=np.repeat(np.arange(DRY_PEOPLE), DRY_VISITS),
        lat=lat,
        lon=lon,
        count=np.ones(lat.size),
        labels=tuple(f"simulated {number}" for number in range(1, DRY_PEOPLE + 1)),
        title="simulated people",
        simulated=True,
        source="a dry run",
        licence="none needed",
    )


def _described(city: City, places: NDArray[np.intp]) -> pd.DataFrame:
    if city.zones is not None:
        lon, lat = city.grid.to_lonlat(city.zones.points).T
        which: dict[str, list[object]] = {"zone": [city.zones.names[place] for place in places]}
    else:
        lon, lat = city.grid.centres_lonlat.T
        which = {"cell": [int(place) for place in places]}
    return pd.DataFrame({**which, "lat": lat[places].round(6), "lon": lon[places].round(6)})
