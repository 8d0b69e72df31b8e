"""Where distributions come from: check-ins of people in a city, and the grid or zones that they fall into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.check_ins_csv import read_checkins_csv, sniff_columns
from dpot_core.datasets.city_grid import CityGrid, city_grid
from dpot_core.datasets.csv_tables import ColumnsError, CsvColumns
from dpot_core.datasets.downloads import DatasetMissing, DownloadError
from dpot_core.datasets.gowalla import (
    PUBLISHER,
    PUBLISHER_MEGABYTES,
    cached_gowalla,
    download_gowalla,
    load_gowalla_austin,
)
from dpot_core.datasets.simulated import simulated_city
from dpot_core.datasets.zones import Zones, read_zones_geojson


@dataclass(frozen=True)
class Dataset:
    """A source of check-ins that needs no upload.

    Attributes:
        title: its name on screen.
        description: one or two sentences: what it is, who is in it, what it costs to get.
        load: reads it; `DatasetMissing` if it has to be downloaded first.
        simulated: whether the people are invented.
        download_megabytes: what has to be downloaded once; 0 if nothing.
    """

    title: str
    description: str
    load: Callable[[], CheckIns]
    simulated: bool
    download_megabytes: int = 0


#: Label (as in links and on the command line) -> data set.
DATASETS: dict[str, Dataset] = {
    "simulated": Dataset(
        title="Simulated city",
        description=(
            "500 invented people in an invented city: homes, workplaces and favourite places, made by a seeded "
            "generator. No real people."
        ),
        load=simulated_city,
        simulated=True,
    ),
    "gowalla-austin": Dataset(
        title="Gowalla, Austin",
        description=(
            "Check-ins of real people in Austin, Texas, 2009 to 2010, from the social network Gowalla (Cho, Myers, "
            f"Leskovec, KDD 2011; SNAP states no licence). About {PUBLISHER_MEGABYTES} MB are downloaded once from "
            "snap.stanford.edu; only the counts for Austin are kept on this machine."
        ),
        load=load_gowalla_austin,
        simulated=False,
        download_megabytes=PUBLISHER_MEGABYTES,
    ),
}

__all__ = [
    "DATASETS",
    "PUBLISHER",
    "PUBLISHER_MEGABYTES",
    "CheckIns",
    "CityGrid",
    "ColumnsError",
    "CsvColumns",
    "Dataset",
    "DatasetMissing",
    "DownloadError",
    "Zones",
    "cached_gowalla",
    "city_grid",
    "download_gowalla",
    "load_gowalla_austin",
    "read_checkins_csv",
    "read_zones_geojson",
    "simulated_city",
    "sniff_columns",
]
