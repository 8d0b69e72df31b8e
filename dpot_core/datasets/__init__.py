"""Where distributions come from: check-ins in a city, ratings of films, where people of a country live."""

from __future__ import annotations

from dpot_core.datasets.check_ins import CheckIns
from dpot_core.datasets.check_ins_csv import read_checkins_csv, sniff_columns
from dpot_core.datasets.city_grid import Box, CityGrid, city_grid, square_around
from dpot_core.datasets.countries import COUNTRIES_LICENCE, COUNTRIES_SOURCE, countries, country_outline, load_country
from dpot_core.datasets.csv_headers import ColumnsError, CsvColumns
from dpot_core.datasets.dataset import Dataset, digests, downloaded, loaded
from dpot_core.datasets.downloads import DatasetDamaged, DatasetMissing, DownloadError, GroupsMissing
from dpot_core.datasets.drawn import drawn_weights
from dpot_core.datasets.gowalla import (
    AUSTIN_BOX,
    GOWALLA_LICENCE,
    PUBLISHER,
    PUBLISHER_MEGABYTES,
    cached_gowalla,
    download_gowalla,
    load_gowalla_austin,
)
from dpot_core.datasets.movielens import (
    MOVIELENS_LICENCE,
    MOVIELENS_MEGABYTES,
    MOVIELENS_PUBLISHER,
    cached_movielens,
    download_movielens,
    load_movielens,
)
from dpot_core.datasets.outlines import Outline, box_outline, us_outline
from dpot_core.datasets.point_pairs import (
    PAIR_ROLES,
    SIMULATED_PAIRS,
    PointPair,
    check_in_pair,
    check_rectangle,
    read_pair_csv,
    simulated_pair,
    sniff_pair,
)
from dpot_core.datasets.population import Population
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.ratings import Ratings
from dpot_core.datasets.ratings_csv import read_ratings_csv, sniff_ratings
from dpot_core.datasets.simulated import simulated_city
from dpot_core.datasets.simulated_films import simulated_films
from dpot_core.datasets.uploads import UnusableFile, reading
from dpot_core.datasets.us_places import PLACES_GROUPS, PLACES_LICENCE, PLACES_SOURCE, load_places
from dpot_core.datasets.us_tracts import (
    TRACTS_GROUPS,
    TRACTS_LICENCE,
    TRACTS_MEGABYTES,
    TRACTS_SOURCE,
    cached_tracts,
    download_tracts,
    load_tracts,
    tracts_know_race,
)
from dpot_core.datasets.zones import Zones, read_zones_geojson

#: Check-ins: label (as in links and on the command line) -> data set. A data set more is its loader and its row.
DATASETS: dict[str, Dataset[CheckIns]] = {
    "simulated": Dataset(
        title="Simulated city",
        description=(
            "500 invented people in an invented city: homes, workplaces and favourite places, made by a seeded "
            "generator. No real people."
        ),
        load=simulated_city,
        simulated=True,
        licence="Everybody in it is invented: free to use.",
        source="A seeded generator.",
    ),
    "gowalla-austin": Dataset(
        title="Gowalla, Austin",
        description=(
            "Check-ins of real people in Austin, Texas, 2009 to 2010, from the social network Gowalla. "
            f"About {PUBLISHER_MEGABYTES} MB are downloaded once from "
            "snap.stanford.edu; only the counts for Austin are kept on this machine."
        ),
        load=load_gowalla_austin,
        simulated=False,
        licence=GOWALLA_LICENCE,
        source=PUBLISHER,
        download=lambda progress: download_gowalla(progress=progress),
        download_megabytes=PUBLISHER_MEGABYTES,
        box=AUSTIN_BOX,
        note="Histories are those of the published extract: it has no visit outside Austin.",
    ),
}

#: Maps that were fixed before the data were looked at, by label.
BOXES: dict[str, Box] = {key: row.box for key, row in DATASETS.items() if row.box is not None}

#: Ratings of films: label -> data set.
FILM_DATASETS: dict[str, Dataset[Ratings]] = {
    "simulated": Dataset(
        title="Simulated catalogue",
        description="400 invented users and their ratings of 600 invented films, made by a seeded generator.",
        load=simulated_films,
        simulated=True,
        licence="Everybody in it is invented: free to use.",
        source="A seeded generator.",
    ),
    "movielens-100k": Dataset(
        title="MovieLens 100K",
        description=(
            "100,000 ratings of 1,682 films by 943 real people, 1997 to 1998, from GroupLens. About "
            f"{MOVIELENS_MEGABYTES} MB are downloaded once from files.grouplens.org into your own cache folder."
        ),
        load=load_movielens,
        simulated=False,
        licence=MOVIELENS_LICENCE,
        source=MOVIELENS_PUBLISHER,
        download=lambda progress: download_movielens(progress=progress),
        download_megabytes=MOVIELENS_MEGABYTES,
    ),
}

#: Where people live: label -> data set; loaders also take the groups to tell apart, `load_country` the country.
POPULATIONS: dict[str, Dataset[Population]] = {
    "places": Dataset(
        title="US places",
        description=(
            "2,998 places of 15,000 people or more in the contiguous United States, 188 million people, from GeoNames "
            "(CC BY 4.0). Real and embedded: nothing is downloaded."
        ),
        load=load_places,
        simulated=False,
        licence=PLACES_LICENCE,
        source=PLACES_SOURCE,
        groups=tuple(PLACES_GROUPS),
    ),
    "tracts": Dataset(
        title="US Census tracts 2010",
        description=(
            "307 million people at the centres of 72,043 Census tracts of the contiguous United States. About "
            f"{TRACTS_MEGABYTES} MB are downloaded once from census.gov into your own cache folder."
        ),
        load=load_tracts,
        simulated=False,
        licence=TRACTS_LICENCE,
        source=TRACTS_SOURCE,
        groups=tuple(TRACTS_GROUPS),
        download=lambda progress: download_tracts(progress=progress),
        download_megabytes=TRACTS_MEGABYTES,
    ),
    "country": Dataset(
        title="Another country",
        description=(
            "Cities of 50,000 people or more of one of a hundred countries, from GeoNames (CC BY 4.0), in its outline "
            "from Natural Earth. Real and embedded: nothing is downloaded."
        ),
        load=load_country,
        simulated=False,
        licence=COUNTRIES_LICENCE,
        source=COUNTRIES_SOURCE,
        groups=("everybody",),
    ),
}

__all__ = [
    "AUSTIN_BOX",
    "BOXES",
    "DATASETS",
    "FILM_DATASETS",
    "MOVIELENS_LICENCE",
    "MOVIELENS_MEGABYTES",
    "PAIR_ROLES",
    "POPULATIONS",
    "PUBLISHER",
    "PUBLISHER_MEGABYTES",
    "SIMULATED_PAIRS",
    "TRACTS_MEGABYTES",
    "CheckIns",
    "CityGrid",
    "ColumnsError",
    "CsvColumns",
    "Dataset",
    "DatasetDamaged",
    "DatasetMissing",
    "DownloadError",
    "GroupsMissing",
    "Outline",
    "PointPair",
    "Population",
    "Ratings",
    "UnusableFile",
    "Zones",
    "box_outline",
    "cached_gowalla",
    "cached_movielens",
    "cached_tracts",
    "check_in_pair",
    "check_rectangle",
    "city_grid",
    "countries",
    "country_outline",
    "digests",
    "download_gowalla",
    "download_movielens",
    "download_tracts",
    "downloaded",
    "drawn_weights",
    "load_country",
    "load_gowalla_austin",
    "load_movielens",
    "load_places",
    "load_tracts",
    "loaded",
    "read_checkins_csv",
    "read_pair_csv",
    "read_population_csv",
    "read_ratings_csv",
    "read_zones_geojson",
    "reading",
    "simulated_city",
    "simulated_films",
    "simulated_pair",
    "sniff_columns",
    "sniff_pair",
    "sniff_population",
    "sniff_ratings",
    "square_around",
    "tracts_know_race",
    "us_outline",
]
