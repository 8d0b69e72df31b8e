"""Where every search for a barycenter starts, with privacy or without: atoms that no data have influenced."""

from functools import lru_cache

import numpy as np

from dpot_core.arguments import Array
from dpot_core.datasets.outlines import Outline
from dpot_core.mechanisms.central.region_draws import uniform_points
from dpot_core.mechanisms.central.regions import Region, as_region
from dpot_core.privacy.streams import stream
from dpot_core.transport.barycenters import free_support

#: Several, because a search ends in a local minimum.
STARTS = 3

#: Uniform points of the region for each atom of a start.
_POINTS = 80


@lru_cache(maxsize=4)
def public_region(outline: Outline) -> Region:
    """The public region, prepared once for all releases."""
    return as_region(outline.region)


@lru_cache(maxsize=16)
def public_starts(outline: Outline, m: int) -> Array:
    """Atoms to start with, (s, m, d): barycenters of uniform points of the public region, with a seed that all know.

    Searches that start alike end alike, where only noise is between their data: what noise does is then seen apart from
    where a search happens to end. They cost no privacy, because no person's data decide them.
    """
    rng = stream(0, "population starts", m=m)
    starts = []
    for _ in range(STARTS):
        points = uniform_points(public_region(outline), _POINTS * m, rng)
        starts.append(free_support([(points, None)], m, rng, starts=1).atoms)
    return np.stack(starts)
