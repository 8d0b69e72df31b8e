from collections.abc import Callable
from functools import partial
from typing import Any

from dpot_app.cities.city import City, of_order
from dpot_app.cities.loading import CHECK_INS, ZONES, load_city
from dpot_app.cities.place import USUAL_SIDE
from dpot_app.kit.view import Files, HasTables, View
from dpot_app.views.geolocation.base import with_own
from dpot_app.views.geolocation.crowd.results import EPSILONS
from dpot_app.views.geolocation.disclosed import disclosure, guarantee
from dpot_app.views.geolocation.settings import Config, link, requirements
from dpot_core import datasets
from dpot_core.arguments.progress import Progress

# Cells per side up to which one person at one epsilon takes less than a tenth of a second.
_QUICK = 24


def city_of(config: Config, files: Files) -> City:
    city = load_city(config.source, config.place, files, config.columns, config.zones)
    city = of_order(city, config.p)
    return with_own(city, config.own) if config.base == "own" else city


def city_view(
    key: str, tab: str, compute: Callable[[City, Config, Progress], tuple[HasTables, ...]], **more: Any
) -> View:
    """A view of the page; the first of its results holds the map, ``tab`` is the key of the tab that shows it.

    ``laid``: the settings with the grid that it works on, where that is another one.
    """
    fits: Callable[[Config], None] = more.get("requirements", requirements)
    laid: Callable[[Config], Config] = more.pop("laid", lambda config: config)

    promised = {"otherwise": lambda config, result, *others: guarantee(config, result.map)}

    def on_city(config: Config, files: Files, progress: Progress) -> tuple[HasTables, ...]:
        fits(config)  # one slider stands beside all tabs, and some take finer grids than others
        return compute(city_of(laid(config), files), config, progress)

    return View(
        key=f"geolocation.{key}",
        example=Config(),
        compute=on_city,
        disclosure=lambda config, result, *others: disclosure(config, result.map, key),
        files=lambda config: dict.fromkeys([CHECK_INS] * (config.source == "csv") + [ZONES] * config.zones, True),
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=lambda config: datasets.digests(datasets.DATASETS, config.source),
        parameters=partial(link, tab),
        **{"scrub": ("epsilon",), "frames_at": frames_at, "heavy": slow, "requirements": fits, **promised, **more},
    )


def slow(config: Config) -> bool:
    """Whether one person may take over a second."""
    return config.base == "minimax" or config.place.n > _QUICK


def frames_at(config: Config) -> tuple[float, ...] | None:
    """Values of epsilon at which pictures are made in advance: fewer where they take long."""
    # A minimax base takes 0.03 s on 20 x 20 cells, and up to 5 s on 40 x 40.
    if config.place.n > (_QUICK if config.base == "minimax" else USUAL_SIDE):
        return ()
    return None if config.place.n <= _QUICK else EPSILONS
