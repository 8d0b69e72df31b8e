"""A city as maps need it: small, so that results can keep it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpot_app.cities.base_map import BaseMap, base_map
from dpot_app.cities.zone_raster import ZoneRaster, zone_raster
from dpot_core.arguments import Array
from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.city_grid import CityGrid
from dpot_core.datasets.zones import Zones
from dpot_core.privacy.numerals import subscript


@dataclass(frozen=True)
class CityMap:
    """Cells, zones and lines; kilometres east and north of the south-west corner."""

    n: int  # cells per side
    width: float  # extent to the east, km
    height: float  # extent to the north, km
    points: Array  # centres of the cells, (k, 2), km
    lonlat: Array  # the same in degrees, (k, 2)
    lines: tuple[tuple[str, Array], ...]  # rivers and roads to find one's way by: name, points (m, 2)
    zones: tuple[str, ...]  # names of the outputs if they are zones: plain text, unchecked
    raster: ZoneRaster | None  # the zones as a picture
    simulated: bool  # whether the people are invented
    base: BaseMap  # borders and names under the cells; empty where the city is invented
    p: float = 1.0  # order of the loss W_p that results measure

    @property
    def loss(self) -> str:
        """The name of the distance that results measure: ``W₁``, ``W_1.5``."""
        return f"W{subscript(self.p)}"

    @property
    def cell_metres(self) -> tuple[float, float]:
        """Width and height of a cell, m."""
        return 1000 * self.width / self.n, 1000 * self.height / self.n

    def cells(self, columns: dict[str, Array]) -> pd.DataFrame:
        """A table with one row per cell."""
        place = {
            "simulated": self.simulated,
            "cell": np.arange(len(self.points)),
            "lon": self.lonlat[:, 0],
            "lat": self.lonlat[:, 1],
            "east km": self.points[:, 0],
            "north km": self.points[:, 1],
        }
        return pd.DataFrame(place | columns)

    def outputs(self, prefix: str, mu: Array, moved: Array, outputs: dict[str, Array]) -> dict[str, pd.DataFrame]:
        """Truth (k,) and outputs (k_v,) as drawn on maps: by cell, and by zone if outputs are zones.

        ``moved`` is the truth moved to the nearest outputs, (k_v,); names of tables begin with ``prefix``.
        """
        if not self.zones:
            return {f"{prefix}-cells": self.cells({"truth": mu, **outputs})}
        by_zone = {"simulated": self.simulated, "zone": self.zones, "truth at nearest zone": moved, **outputs}
        return {f"{prefix}-cells": self.cells({"truth": mu}), f"{prefix}-zones": pd.DataFrame(by_zone)}


def make_map(check_ins: CheckIns, grid: CityGrid, zones: Zones | None) -> CityMap:
    """Project what is drawn into the frame of the grid."""
    return CityMap(
        n=grid.n,
        width=grid.width,
        height=grid.height,
        points=grid.space.points,
        lonlat=grid.centres_lonlat,
        lines=tuple((name, grid.to_km(line[:, 1], line[:, 0])) for name, line in check_ins.outlines),
        zones=() if zones is None else zones.names,
        raster=None if zones is None else zone_raster(zones, grid),
        simulated=check_ins.simulated,
        # The invented city has lines of its own, and nothing lies under it.
        base=BaseMap() if check_ins.simulated and check_ins.outlines else base_map(grid),
    )
