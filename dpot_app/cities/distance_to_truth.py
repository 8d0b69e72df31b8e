"""How far distributions are from the truth, in kilometres: exactly, or as an interval where the grid is large."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpot_app.cities.city import City
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.numerals import percent_at_most
from dpot_core.transport.wasserstein_interval import wasserstein_interval

#: Up to so many pairs of cells with too much and cells with too little, exact transport takes some tenths of a second.
EXACT_PAIRS = 1_000_000
#: How wide an interval may be, as a share of its upper end.
TOLERANCE = 0.005


def distance_to_truth(city: City, estimates: Sequence[Array] | Array, progress: Progress | None = None) -> Array:
    """W_p between the true crowd and each estimate: (lower, upper) in km, (n, 2); equal where it is exact.

    It is exact where the outputs are zones, on grids of up to 44 x 44 cells whatever the estimates are, and for p > 1,
    of which there is no interval: on fine grids that takes long.

    Args:
        city: the city.
        estimates: distributions on the outputs, (k_v,) each.
        progress: called with (steps done, steps in all) of each interval; what it raises abandons the work.
    """
    return np.array([_ends(city, estimate, progress) for estimate in estimates])


def known_within(*ends: Array) -> float:
    """The largest share of an upper end that is not certain, of any intervals (n, 2); 0 where all is exact."""
    return max(float(((each[:, 1] - each[:, 0]) / np.where(each[:, 1] > 0, each[:, 1], 1.0)).max()) for each in ends)


def known_within_text(share: float, loss: str = "W₁") -> str:
    """The width of intervals in words, rounded up; nothing where they are exact.

    >>> known_within_text(0.0), known_within_text(0.0032)
    ('', ', W₁ known to within 0.32%')
    """
    return f", {loss} known to within {percent_at_most(share)}" if share > 0 else ""


def _ends(city: City, estimate: Array, progress: Progress | None) -> tuple[float, float]:
    truth = city.truth
    exact = city.snap is not None or city.p != 1.0
    pairs = 0 if exact else np.count_nonzero(truth > estimate) * np.count_nonzero(truth < estimate)
    if pairs <= EXACT_PAIRS:
        value = city.kilometres(truth, estimate)
        return value, value
    found = wasserstein_interval(truth, estimate, city.grid.space, tolerance=TOLERANCE, progress=progress)
    return found.lower, found.upper
