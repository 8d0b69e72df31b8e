"""W_1 on many points as a certified interval: a feasible flow above, a 1-Lipschitz potential below.

Only mu - nu matters (Kantorovich duality), so what both have at a point stays there. By duality, too,

    sum_i phi(x_i) (mu_i - nu_i)  <=  W_1(mu, nu)  <=  sum_a m_a |x_a - y_a|

for every phi with |phi(x) - phi(y)| <= |x - y| and for every flow of masses m_a from x_a to y_a that leaves mu - nu:
by the triangle inequality it need not go straight. Neither side has to be optimal to be true. We come near by levels:

- points are joined to boxes (`levels`), few at first, and one point stands for what its box has;
- at the coarsest level the network simplex solves the problem whole;
- the potentials found are extended to all points as min_j |x - y_j| + h_j, which is 1-Lipschitz whatever h is. On the
  next level few pairs of points have little slack there: a network simplex on these (`hub_flow`) gives the next ones;
- a level is repeated with pairs of negative reduced cost (column generation) until its own interval is small.

At every level the flow between boxes and what its points move within give a feasible flow for all points, so there is
an interval from the coarsest level on, and it only shrinks.

Source: ours; the parts are the duality theorem (Villani 2009, Theorem 5.10 and particular case 5.16), column generation
    (Dantzig and Wolfe 1960) and transport by levels (Schmitzer 2016, SIAM J. Imaging Sci. 9).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions, check_number
from dpot_core.arguments.progress import Progress
from dpot_core.spaces import Space
from dpot_core.transport.duality_bounds import EPS, ROUNDINGS, around, ends_on_all_pairs
from dpot_core.transport.hub_flow import sums
from dpot_core.transport.interval_by_levels import Watch, interval_by_levels
from dpot_core.transport.line_distance import line_distance

#: Up to so many pairs of surplus and shortage the network simplex takes all of them: some tenths of a second.
ALL_PAIRS = 500_000
#: Along an axis; beyond it distances leave float64.
_FARTHEST = 1e300


@dataclass(frozen=True)
class WassersteinInterval:
    """Where W_1 lies, for certain.

    Attributes:
        lower: W_1 is at least this, in units of the metric; rounding is allowed for.
        upper: W_1 is at most this.
        stopped: why it was not refined further: "exact" (what is left is rounding of the largest distance), "tolerance"
            or "time".
    """

    lower: float
    upper: float
    stopped: Literal["exact", "tolerance", "time"]

    @property
    def middle(self) -> float:
        """The middle of the interval, off by half its width at most."""
        return self.lower + (self.upper - self.lower) / 2

    @property
    def width(self) -> float:
        """(upper - lower) / upper: how much of the upper end is not certain; 0 if both are 0."""
        return (self.upper - self.lower) / self.upper if self.upper > 0 else 0.0


def wasserstein_interval(
    mu: ArrayLike,
    nu: ArrayLike,
    space: Space,
    *,
    tolerance: float = 0.005,
    seconds: float = 60.0,
    progress: Progress | None = None,
) -> WassersteinInterval:
    """An interval that holds W_1(mu, nu) for certain: max over 1-Lipschitz phi <= W_1 <= cost of any feasible flow.

    Between distributions that differ in few places, on rings and on lines the interval is exact up to rounding. No
    distances are stored, so that 65,536 points and more take little memory. For distributions on different points, take
    the space of all of them and put zeros.

    Args:
        mu: distribution on the points, (k,).
        nu: distribution on the points, (k,).
        space: the points; its distance must obey the triangle inequality, which the cosine distance does not.
        tolerance: refine until (upper - lower) / upper is at most this; 0 for what float64 allows.
        seconds: refine no longer than this, by the clock; what is being solved then is waited for only as long as an
            estimate said that it would take. The coarsest level is always finished, so there is always an interval.
        progress: called with (steps done, steps in all); what it raises abandons the work.

    Raises:
        ValueError: if shapes or masses do not fit, or the space is no metric space.
        RuntimeError: if the network simplex does not reach an optimum.

    >>> import dpot_core as dpot
    >>> space = dpot.grid(3, 1, extent=(0, 2, 0, 0))
    >>> found = wasserstein_interval([1, 0, 0], [0.5, 0, 0.5], space)
    >>> round(found.lower, 12), round(found.upper, 12), found.stopped
    (1.0, 1.0, 'exact')
    """
    if space.metric == "cosine":
        raise ValueError("space must be a metric space: the cosine distance breaks the triangle inequality")
    tolerance = check_number(tolerance, "tolerance", 0.0, 1.0)
    seconds = check_number(seconds, "seconds", 0.0, math.inf)
    (first, _), (second, _) = (check_distributions(given, name, len(space)) for given, name in ((mu, "mu"), (nu, "nu")))
    if len(first) != 1 or len(second) != 1:
        raise ValueError("wasserstein_interval compares two distributions; loop over rows for several")
    if (first == second).all():
        return WassersteinInterval(0.0, 0.0, "exact")
    surplus = first[0] - second[0]
    if space.metric == "matrix":
        given = space.distances()
        ends = ends_on_all_pairs(surplus, lambda rows, columns: given[np.ix_(rows, columns)], space.diameter)
        return WassersteinInterval(*ends, "exact")
    if space.metric == "ring":
        length = float(len(space))
        value = line_distance(space.points[:, 0] % length, surplus, length)
        return WassersteinInterval(*around(value, length, ROUNDINGS + 2 * surplus.size), "exact")
    return _euclidean(space.points, surplus, tolerance, Watch(seconds, progress))


def _euclidean(points: Array, surplus: Array, tolerance: float, watch: Watch) -> WassersteinInterval:
    """The same for points of Euclidean space and mu - nu."""
    used = np.flatnonzero(surplus)
    low, high = points[used].min(axis=0), points[used].max(axis=0)
    if not (high / 2 - low / 2).max() <= _FARTHEST / 2:
        raise ValueError(f"points must not lie farther apart than {_FARTHEST:g}")
    scale = float((high - low).max())
    if scale == 0.0:
        return WassersteinInterval(0.0, 0.0, "exact")
    # Within a box of side 1; points at the same place become one.
    places, number, times = np.unique((points[used] - low) / scale, axis=0, return_inverse=True, return_counts=True)
    surplus = sums(number.ravel(), surplus[used], len(places))
    places, surplus = places[surplus != 0], surplus[surplus != 0]
    reach = math.sqrt(points.shape[1])
    spare = reach * EPS * (int(times.max()) + 4 * points.shape[1])

    def found(lower: float, upper: float, stopped: Literal["exact", "tolerance", "time"]) -> WassersteinInterval:
        return WassersteinInterval(max((lower - spare) * scale, 0.0), (upper + spare) * scale, stopped)

    wide = np.flatnonzero(np.ptp(places, axis=0)) if surplus.size else np.zeros(0, dtype=np.intp)
    if wide.size <= 1:
        value = line_distance(places[:, wide[0]], surplus) if wide.size else 0.0
        return found(*around(value, reach, ROUNDINGS + 2 * surplus.size), "exact")
    if np.count_nonzero(surplus > 0) * np.count_nonzero(surplus < 0) <= ALL_PAIRS:
        ends = ends_on_all_pairs(
            surplus, lambda rows, columns: scipy.spatial.distance.cdist(places[rows], places[columns]), reach
        )
        return found(*ends, "exact")
    lower, upper, late = interval_by_levels(places, surplus, tolerance, watch)
    if late:
        return found(lower, upper, "time")
    return found(lower, upper, "tolerance" if upper - lower <= tolerance * upper else "exact")
