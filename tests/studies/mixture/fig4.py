"""The hundred mixtures of the paper's Fig. 4, computed once for the tests of the numbers and those of the page."""

from __future__ import annotations

import functools

from dpot_core.studies._kit.cache import CACHE
from dpot_core.studies.mixture import ManyConfig, many_mixtures
from dpot_core.studies.mixture.many.results import Many


@functools.cache
def fig4_and_what_it_tells() -> tuple[Many, tuple[tuple[int, int], ...]]:
    """The result, and each (done, in all) that was told while it was computed from nothing."""
    CACHE.clear()
    told: list[tuple[int, int]] = []
    many = many_mixtures(ManyConfig(), lambda *done: told.append(done))
    return many, tuple(told)
