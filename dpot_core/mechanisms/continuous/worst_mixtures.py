"""Worst cases over all mixtures of distributions on the line that a parameter moves to the right, as brackets.

A family here is the convex hull of mu_m, low <= m <= high, whose quantile functions increase with m (Gaussians of one
variance, cut to an interval, on cells of it). Three facts carry all of it:

* W_p^p and every f-divergence are jointly convex, and a polytope is convex. Hence the distance of mu to a polytope
  (WPM in W_p, KPM and the mollifier in every f-divergence) and the divergence of mu and an affine image of mu are
  convex in mu: no mixture is worse than the worst of its parts, and the worst case is a search over m alone.
* For one fixed output nu the same holds of any mechanism, so that sup over nu of a band bounds what keeps to the band.
* Between two values a < b quantiles of mu_m lie between those of mu_a and mu_b, so that a convex cost of a quantile is
  at most the larger of the costs at both: numbers at a and b bound all that lies between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpot_core.arguments import Array
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.privacy.polytopes import Polytope
from dpot_core.transport.capped_simplex import minimise_linear
from dpot_core.transport.line import LineCosts, line_cost, project_line
from dpot_core.worst_case import Bracket

# Steps of golden section: the last interval is 1e-3 of the first. (Brent's method asks as often, and links that people
# have would give other numbers in the fifth digit.)
_HALVINGS = 14
_GOLDEN = (5**0.5 - 1) / 2
# Pieces of an interval on which its chord is compared with the family.
_PIECES = 32


@dataclass(frozen=True, eq=False)
class MovedRight:
    """The distributions mu_m, low <= m <= high, with quantile functions that increase with m; and their mixtures.

    Attributes:
        points: increasing places, (k,).
        member: m -> mu_m, (k,).
        low: smallest m.
        high: largest m.
    """

    points: Array
    member: Callable[[float], Array]
    low: float
    high: float

    def members(self, count: int) -> Array:
        """mu_m at evenly spaced m from low to high, (count, k)."""
        return np.stack([self.member(float(m)) for m in np.linspace(self.low, self.high, count)])


class Chords:
    """For intervals [a, b] how far mu_m lies, at most, from the chord between mu_a and mu_b: W_p, kept.

    For m = (1 - s) a + s b the chord's distribution is (1 - s) mu_a + s mu_b.
    """

    def __init__(self, family: MovedRight, p: float) -> None:
        self._family, self._p = family, p
        self._known: dict[tuple[float, float], float] = {}

    def __call__(self, a: float, b: float) -> float:
        """The largest such distance of a <= m <= b, from above."""
        if (a, b) not in self._known:
            ends = np.cumsum(self._family.member(a)), np.cumsum(self._family.member(b))
            inner = [np.cumsum(self._family.member(float(m))) for m in np.linspace(a, b, _PIECES + 1)]
            worst = 0.0
            for piece, (left, right) in enumerate(pairwise(inner)):
                s = (piece + 0.5) / _PIECES
                chord = (1 - s) * ends[0] + s * ends[1]
                worst = max(worst, _farthest(self._family.points, (left, right), (chord,), self._p))
            self._known[a, b] = worst ** (1.0 / self._p)
        return self._known[a, b]


class Projections:
    """WPM of single members mu_m, each projected once.

    Args:
        family: its mixtures are the inputs.
        Q: polytope on the same points.
        p: order of the loss, at least 1.
        costs: of the family's points and p, kept from one Q to the next.
    """

    def __init__(self, family: MovedRight, Q: Polytope, p: float, costs: LineCosts | None = None) -> None:
        self.family, self.Q, self.p = family, Q, p
        self._costs = costs or LineCosts(family.points, family.points, p)
        self.known: dict[float, tuple[Array, Array, float]] = {}  # m -> mu_m, its output, and their W_p

    def __call__(self, m: float) -> tuple[Array, Array, float]:
        """mu_m, WPM[mu_m] and W_p between them."""
        if m not in self.known:
            mu, x = self.family.member(m), self.family.points
            nu = self.Q.repair(project_line(mu, x, x, self.p, self.Q.lower, self.Q.upper, self._costs))
            self.known[m] = mu, nu, line_cost(mu, x, nu, x, self.p) ** (1.0 / self.p)
        return self.known[m]

    def bracket(self, within: float, chords: Chords | None = None, most: int = 12) -> Bracket:
        """Bounds of sup over all mixtures mu of W_p(mu, WPM[mu]) = min over nu in Q of W_p(mu, nu).

        From below: the largest at some mu_m. From above, by branch and bound, for each interval [a, b] of m the least
        of: the cost of quantiles of mu_a and mu_b, whichever is larger, to one output of them; the triangle inequality
        from both ends, (V_a + V_b)/2 + 2^(-1/p) W_p(mu_a, mu_b); max(V_a, V_b) + the distance to the chord, since V^p
        is convex.

        Args:
            within: stops when the bounds are so near, in units of the line.
            chords: of the same family and p, kept from one Q to the next.
            most: so many projections at most.
        """
        near, low, high = chords or Chords(self.family, self.p), self.family.low, self.family.high
        intervals = [(self._above(low, high, within, near), low, high)]
        while True:
            bound, a, b = max(intervals)
            reached = max(value for *_, value in self.known.values())
            if bound <= reached + within or len(self.known) >= most:
                return Bracket(reached, max(bound, reached))
            intervals.remove((bound, a, b))
            middle = (a + b) / 2
            halves = ((a, middle), (middle, b))
            intervals += [(min(bound, self._above(*half, within, near)), *half) for half in halves]

    def _above(self, a: float, b: float, within: float, near: Chords) -> float:
        """No mu_m with a <= m <= b is farther from Q."""
        (mu_a, nu_a, here), (mu_b, nu_b, there) = self(a), self(b)
        x, p, ends = self.family.points, self.p, (np.cumsum(mu_a), np.cumsum(mu_b))
        fixed = min(_farthest(x, ends, (np.cumsum(nu),), p) for nu in (nu_a, nu_b)) ** (1.0 / p)
        apart = _farthest(x, ends[:1], ends[1:], p) ** (1.0 / p)
        bound = min(fixed, (here + there) / 2 + 2.0 ** (-1.0 / p) * apart)
        if bound <= max(here, there) + within:
            return bound
        return min(bound, max(here, there) + near(a, b))


def band_bound(family: MovedRight, lower: Array, upper: Array, p: float, parts: int = 8) -> float:
    """sup over mixtures mu and over lower <= nu <= upper of W_p(mu, nu), from above: for what keeps to that band.

    The running sums of all such nu lie between two, hence their quantile functions, too, and W_p^p(mu, nu) is at most
    the integral of the larger p-th power of the distances of mu's quantile to both, for every part of a mixture.

    Args:
        family: its mixtures are the inputs.
        lower: (k,), of sum at most 1.
        upper: (k,), of sum at least 1.
        p: order.
        parts: intervals of m that are bounded one by one.
    """
    sums = [np.cumsum(mu) for mu in family.members(parts + 1)]
    slow = np.maximum(np.cumsum(lower), 1.0 - (upper.sum() - np.cumsum(upper)))
    fast = np.minimum(np.cumsum(upper), 1.0 - (lower.sum() - np.cumsum(lower)))
    return max(_farthest(family.points, pair, (slow, fast), p) for pair in pairwise(sums)) ** (1.0 / p)


def kept_bound(family: MovedRight, ratio: float, upper: Array, p: float) -> float:
    """The same for outputs nu >= mu / ratio, nu <= upper: all but a share 1 - 1/ratio of mu stays where it is.

    nu = mu / ratio + (1 - 1/ratio) s with s <= upper / (1 - 1/ratio), hence W_p^p(mu, nu) <= (1 - 1/ratio)
    W_p^p(mu, s). KPM has ratio = r2 = c2 / (b e^epsilon) on the family of all densities between 0 and c2 h: p/q is r
    where nothing is clipped, below it where p is raised, at most r2 where it is cut, and r <= r2.

    Args:
        family: its mixtures are the inputs.
        ratio: no mu is more than this multiple of its output, above 1.
        upper: (k,).
        p: order.

    Source: minimax_ldp_sampling, Theorem 3.3 for r2; the bound is our own.
    """
    share = 1.0 - 1.0 / ratio
    return share ** (1.0 / p) * band_bound(family, np.zeros_like(upper), upper / share, p)


def largest_in_band(name: str, mu: Array, lower: Array, upper: Array) -> float:
    """sup over lower <= nu <= upper, sum nu = 1, and over mixtures of the rows of mu, of D_f(mu || nu), from above.

    nu f(mu / nu) is convex in nu: it lies below its chord between the bounds, and the largest sum of chords is a
    fractional knapsack.

    Args:
        name: of a divergence.
        mu: (n, k).
        lower: positive, (k,).
        upper: (k,).
    """
    f = DIVERGENCES[name].generator
    at_lower, at_upper = lower * f(mu / lower), upper * f(mu / upper)
    width = upper - lower
    slope = np.divide(at_upper - at_lower, width, out=np.zeros_like(at_lower), where=width > 0)
    least, _ = minimise_linear(-slope, np.argsort(-slope, axis=1), lower, upper)
    return float(((at_lower - slope * lower).sum(axis=1) - least).max())


def best_scale(family: MovedRight, shape: Array, epsilon: float, p: float, members: int = 2) -> float:
    """The scale a for which WPM with the base measure a times a shape has the smallest worst case, by golden section.

    {(a, nu): e^(-epsilon/2) a m <= nu <= e^(epsilon/2) a m} is convex, hence min over nu of W_p^p(mu, nu) in a, too,
    and the largest of several. Any scale is private; this one depends on what is public only.

    Args:
        family: whose inputs are meant.
        shape: a distribution on the points, (k,).
        epsilon: privacy parameter in nats.
        p: order.
        members: so many mu_m are looked at.
    """
    rows, x = family.members(members), family.points
    costs = LineCosts(x, x, p)

    def worst(log_scale: float) -> float:
        Q = Polytope(np.exp(log_scale) * shape, epsilon)
        return max(line_cost(mu, x, project_line(mu, x, x, p, Q.lower, Q.upper, costs), x, p) for mu in rows)

    low, high = -epsilon / 2, epsilon / 2
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    values = [worst(one) for one in inner]
    for _ in range(_HALVINGS):
        if values[0] <= values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - _GOLDEN * (high - low)
            values[0] = worst(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + _GOLDEN * (high - low)
            values[1] = worst(inner[1])
    return float(np.exp(inner[int(values[1] < values[0])]))


def _farthest(x: Array, ones: Sequence[Array], others: Sequence[Array], p: float) -> float:
    """Integral over t of the largest |F^-1(t) - G^-1(t)|^p, F among some running sums on x and G among others."""
    sums = [np.minimum(one, 1.0) for one in (*ones, *others)]
    ends = np.append(np.sort(np.concatenate([one[:-1] for one in sums])), 1.0)
    widths = np.diff(ends, prepend=0.0)
    middles = ends - widths / 2
    places = [x[np.minimum(np.searchsorted(one, middles), len(x) - 1)] for one in sums]
    apart = [np.abs(one - other) for one in places[: len(ones)] for other in places[len(ones) :]]
    return float(widths @ np.maximum.reduce(apart) ** p)
