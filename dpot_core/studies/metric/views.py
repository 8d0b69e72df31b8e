from typing import Any

from dpot_core import datasets
from dpot_core.cities.loading import CHECK_INS
from dpot_core.studies._kit.view import View
from dpot_core.studies.metric.settings import TABS, link, requirements


def city_view(tab: str, **declared: Any) -> View:
    """A view about a city; ``tab`` shows it, which links name."""
    return View(
        files=lambda config: {CHECK_INS: True} if config.base.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=lambda config: datasets.digests(datasets.DATASETS, config.base.source),
        requirements=requirements,
        parameters=lambda config: link(config) | {"view": TABS[tab]},
        scrub=("base.epsilon",),
        **declared,
    )
