from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dpot_core import datasets
from dpot_core.cities.city import City
from dpot_core.cities.loading import CHECK_INS, ZONES, load_city
from dpot_core.progress import Progress
from dpot_core.studies._kit.view import Files, HasTables, View
from dpot_core.studies.geolocation.disclosed import disclosure, guarantee
from dpot_core.studies.geolocation.reproduce import snippet
from dpot_core.studies.geolocation.settings import TITLE, Config, link, requirements


def city_of(config: Config, files: Files) -> City:
    return load_city(config.source, config.place, files, config.columns, config.zones)


def city_view(
    key: str, tab: str, compute: Callable[[City, Config, Progress], tuple[HasTables, ...]], **more: Any
) -> View:
    """A view of the page; the first of its results holds the map, ``tab`` stands on the tab that shows it."""
    return View(
        key=f"geolocation.{key}",
        page=TITLE,
        example=Config(),
        compute=lambda config, files, progress: compute(city_of(config, files), config, progress),
        disclosure=lambda config, result, *others: disclosure(config, result.map, key),
        otherwise=lambda config, result, *others: guarantee(config, result.map),
        snippet=snippet,
        files=lambda config: dict.fromkeys([CHECK_INS] * (config.source == "csv") + [ZONES] * config.zones, True),
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=lambda config: datasets.digests(datasets.DATASETS, config.source),
        requirements=requirements,
        parameters=partial(link, tab),
        **more,
    )
