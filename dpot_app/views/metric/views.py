from typing import Any

from dpot_app.cities.loading import CHECK_INS
from dpot_app.kit.view import View
from dpot_app.views.metric.settings import link, requirements
from dpot_core import datasets


def city_view(tab: str, **declared: Any) -> View:
    """A view about a city; ``tab`` shows it, which links name."""
    return View(
        files=lambda config: {CHECK_INS: True} if config.base.source == "csv" else {},
        data_sets=datasets.downloaded(datasets.DATASETS),
        digests=lambda config: datasets.digests(datasets.DATASETS, config.base.source),
        requirements=requirements,
        parameters=lambda config: link(config) | {"view": tab},
        scrub=("base.epsilon",),
        **declared,
    )
