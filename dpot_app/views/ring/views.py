from typing import Any

from dpot_app.kit.view import View
from dpot_app.views.ring.disclosed import disclosure
from dpot_app.views.ring.settings import Config, link, requirements


def ring_view(key: str, **more: Any) -> View:
    """A view of the page; its key goes on after the page's."""
    return View(
        key=f"ring.{key}",
        example=Config(),
        disclosure=lambda config, *results: disclosure(config, key),
        requirements=requirements,
        parameters=link,
        **{"scrub": ("epsilon",), **more},
    )
