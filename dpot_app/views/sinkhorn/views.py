from typing import Any

from dpot_app.kit.view import Tab, View
from dpot_app.views.sinkhorn.disclosed import unprotected
from dpot_app.views.sinkhorn.settings import Config, base_of, link, requirements
from dpot_core.datasets import DATASETS, digests, downloaded


def pair_view(*, tabs: tuple[Tab, ...], **known: Any) -> View:
    """A view of two data sets; links open its first tab."""
    return View(
        tabs=tabs,
        requirements=requirements,
        files=lambda config: {"points": True} if base_of(config).data.source == "csv" else {},
        data_sets=downloaded(DATASETS),
        digests=lambda config: digests(DATASETS, base_of(config).data.source),
        parameters=lambda config: link(config) | {"view": tabs[0].key},
        **{"example": Config(), "disclosure": lambda config, *results: unprotected(), **known},
    )
