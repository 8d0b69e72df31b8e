"""What all views of the ring have in common."""

from __future__ import annotations

from functools import partial

from dpot_core.studies._kit.view import View
from dpot_core.studies.ring.reproduce import snippet
from dpot_core.studies.ring.settings import TITLE, Config, link, requirements

ring_view = partial(
    View,
    page=TITLE,
    example=Config(),
    snippet=snippet,
    personal=lambda config: config.source.kind == "numbers",
    requirements=requirements,
    parameters=link,
)
