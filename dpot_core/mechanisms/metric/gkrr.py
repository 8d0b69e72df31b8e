"""Generalised k-ary randomized response on a clustered space: report the point, one of its cluster, or any."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import EPSILON_RANGE, Array, check_finite, check_number
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.items import Items, check_counts, check_items, rare_counts, toss

#: Rounding of a weight is at most 3 units of 2^-53; rarer reports are made likelier by more than that.
_PRIVATE_SIDE = 2.0**-50


@dataclass(frozen=True)
class Gkrr:
    r"""``P[report y | item x]`` proportional to ``e^alpha_0`` (y = x), ``e^((1-r) alpha_0)`` (same cluster), 1 (other).

    The weights depend on the distance only, so every row of the matrix has the same sum, and the probabilities of one
    report under two items differ by the ratio of two weights: at most ``e^(r alpha_0)`` inside a cluster and
    ``e^alpha_0`` across. That is alpha_0 d-privacy, reached exactly by the report that equals one of the items.

    Args:
        space: the clustered space; with ``r = 1`` this is k-ary randomized response with epsilon = alpha_0.
        alpha_0: privacy parameter of one item per unit of distance, nats (1 = distance between clusters).

    Raises:
        ValueError: if ``alpha_0`` lies outside [1e-9, 700]: at 0 a report says nothing and cannot be decoded.

    Source:
        metric_dp_emd, section 6.2.1.
    """

    space: ClusteredSpace
    alpha_0: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha_0", check_number(self.alpha_0, "alpha_0", *EPSILON_RANGE))

    @property
    def symbols(self) -> int:
        """How many different reports there are: k."""
        return len(self.space)

    @property
    def weights(self) -> tuple[float, float, float]:
        """Probability of the item itself, of one other point of its cluster, of one point outside.

        In floating point on the private side: the ratios of the three stay below ``e^(r alpha_0)`` and
        ``e^((1-r) alpha_0)``, by less than 1e-14.
        """
        same = 1.0
        near = math.exp(-self.space.r * self.alpha_0) * (1.0 + _PRIVATE_SIDE)
        far = math.exp(-self.alpha_0) * (1.0 + 2.0 * _PRIVATE_SIDE)
        t = self.space.size
        total = same + (t - 1) * near + (len(self.space) - t) * far
        return same / total, near / total, far / total

    @property
    def shares(self) -> tuple[float, float, float]:
        """The same as a mixture: keep the item, draw from its cluster, draw from the space (uniform); sums to 1."""
        same, near, far = self.weights
        # same - near by expm1: the plain difference would lose all digits for small r alpha_0.
        keep = same * -math.expm1(-self.space.r * self.alpha_0)
        inside = near * -math.expm1(-(1.0 - self.space.r) * self.alpha_0) * self.space.size
        return keep, inside, far * len(self.space)

    def matrix(self) -> Array:
        """Transition probabilities, (k, k): row x is the distribution of the report about item x."""
        same, near, far = self.weights
        cluster = np.arange(len(self.space)) // self.space.size
        table = np.where(cluster[:, None] == cluster, near, far)
        np.fill_diagonal(table, same)
        return table

    def decode(self, frequencies: ArrayLike) -> Array:
        r"""Unbiased estimate of the histogram of the items, ``frequencies B`` with ``B`` the inverse of the matrix.

        In O(k) by the two levels: ``H_b = (v_b - t c V)/(a + t b)`` and ``H_x = (v_x - b H_b - c V)/a`` with v the
        frequencies, V their sum, v_b their sum in cluster b, ``matrix = a I + (b I_B + c 1_B) x 1_C``.

        Args:
            frequencies: of reports, (..., k), any scale.

        Returns:
            Estimates (..., k) on the same scale: the total is kept, entries may be negative (`ClusteredSpace.project`).

        Raises:
            ValueError: if the shape does not fit.

        Source:
            metric_dp_emd, appendix D.3 (there as a matrix).
        """
        reported = check_finite(frequencies, "frequencies", non_negative=False)
        if reported.ndim == 0 or reported.shape[-1] != len(self.space):
            raise ValueError(f"frequencies must have {len(self.space)} entries; got shape {reported.shape}")
        keep, inside, anywhere = self.shares
        total = reported.sum(axis=-1, keepdims=True)
        t, s = self.space.size, self.space.clusters
        clusters = (self.space.cluster_sums(reported) - anywhere / s * total) / (keep + inside)
        expected = self.space.spread(inside / t * clusters) + anywhere / len(self.space) * total
        return np.asarray((reported - expected) / keep)

    def release(self, items: ArrayLike, rng: np.random.Generator) -> Items:
        """One report for each item, independent of each other; each user's row is in random order.

        Args:
            items: indices of points, (m,) of one user or (n, m) of n users.
            rng: source of randomness. This is a demonstration: a release takes `secure_reports`.

        Returns:
            Indices of the same shape.

        Raises:
            ValueError: if an index is out of range.
        """
        points = check_items(items, len(self.space))
        _, inside, anywhere = self.shares
        reports = np.array(points)
        t = self.space.size
        # By the small probabilities, each from its own formula: 1 - keep would round to 0 from alpha_0 = 37 on.
        lost = toss(min(inside + anywhere, 1.0), points.shape, rng)
        far = lost & toss(anywhere / (inside + anywhere), points.shape, rng)
        near = lost & ~far
        reports[near] = points[near] // t * t + rng.integers(t, size=int(near.sum()))
        reports[far] = rng.integers(len(self.space), size=int(far.sum()))
        return rng.permuted(reports, axis=-1)

    def release_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """How often each report is made about so many items of each kind: distributed like counting `release`.

        Items are independent, so those of one kind split into kept, cluster and anywhere like one multinomial draw,
        and what is drawn from a cluster or from the space spreads like one more: O(k) work for any number of items.

        Args:
            counts: how many items there are of each kind, (k,) or (n, k), whole numbers.
            rng: source of randomness.

        Returns:
            Counts of reports, the same shape, the same total in each row.

        Raises:
            ValueError: if a count is negative or not whole.
        """
        given = check_counts(counts, len(self.space))
        _, inside, anywhere = self.shares
        t, k = self.space.size, len(self.space)
        lost = rare_counts(given, min(inside + anywhere, 1.0), rng)
        away = rare_counts(lost, anywhere / (inside + anywhere), rng)
        pools = (lost - away).reshape(*given.shape[:-1], self.space.clusters, t).sum(axis=-1)
        near = rng.multinomial(pools, np.full(t, 1.0 / t)).reshape(given.shape)
        far = rng.multinomial(away.sum(axis=-1), np.full(k, 1.0 / k))
        return np.asarray(given - lost + near + far, dtype=np.int64)

    def spreads(self) -> tuple[float, float]:
        r"""Largest squared length of what one report adds, minus 1: by points and by clusters.

        ``||B_y||^2 - 1`` and ``||(B P)_y||^2 - 1`` (the same for all y) in Theorem 6.5: at most so much is the variance
        of the estimate from one report, summed over points and over clusters.
        """
        keep, inside, anywhere = self.shares
        s, t = self.space.clusters, self.space.size
        # B = a' I - (near I_B + far 1_B) x 1_C with a' = 1 + t near + s t far: squares without cancellation.
        near = inside / t / (keep * (keep + inside))
        far = anywhere / (s * t) / (keep + inside)
        above = (t - 1) * near + (s * t - 1) * far
        points = 2.0 * above + above**2 + (t - 1) * (near + far) ** 2 + (s - 1) * t * far**2
        others = (s - 1) * t * far
        return points, 2.0 * others + others**2 + (s - 1) * (t * far) ** 2


def one_item_rate(alpha_0: float, r: float) -> float:
    r"""The rate alpha of releasing GKRR's report about one random item of a history: ``(e^a - e^((1-r) a))/r``.

    The report about an item drawn uniformly from the history K has ``P[y | K] = sum_x K(x) P[y | x]``. Along the line
    from K to K' the derivative of its logarithm is ``sum_x (K' - K)(x) P[y | x] / P[y | K_t]``, at most
    ``d_EM(K, K') Lip(P[y | .]) / min_x P[y | x]`` (Kantorovich and Rubinstein). For GKRR, ``P[y | x]`` falls from
    ``e^a`` over ``e^((1-r) a)`` to 1 in units of its minimum, and its steepest step is ``(e^a - e^((1-r) a))/r`` (the
    other, ``e^a - 1`` over distance 1, is not steeper, because ``(1 - e^(-r a))/r`` falls in r). So the report is
    ``(alpha, 0)`` private for histories of any two lengths, also in the local model, and no shuffling is needed.

    Args:
        alpha_0: a, privacy parameter of one item per unit of distance, nats.
        r: distance inside a cluster, in (0, 1].

    Returns:
        Alpha per unit of earth mover's distance, nats.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        Proven above; the baseline "one item per user" of metric_dp_emd, carried over to its metric.
    """
    alpha_0 = check_number(alpha_0, "alpha_0", *EPSILON_RANGE)
    r = check_number(r, "r", 1e-9, 1.0)
    return math.exp(alpha_0) * -math.expm1(-r * alpha_0) / r


def one_item_budget(alpha: float, r: float) -> float:
    """The largest alpha_0 with ``one_item_rate(alpha_0, r) <= alpha``.

    Args:
        alpha: wanted rate per unit of earth mover's distance, nats.
        r: distance inside a cluster, in (0, 1].

    Returns:
        alpha_0 of the one item, nats, on the private side of the root.

    Raises:
        ValueError: if an argument is out of range.
    """
    alpha = check_number(alpha, "alpha", 1e-6, 1e300)
    # (1 - e^(-r a))/r falls in r, so the rate is at least e^a - 1: its root is an upper end.
    high = math.log1p(alpha) * (1.0 + 1e-9)
    check_number(r, "r", 1e-9, 1.0)
    root = float(
        scipy.optimize.brentq(lambda a: math.log(one_item_rate(a, r) / alpha), 1e-8, high, xtol=1e-15, rtol=1e-14)
    )
    return root * (1.0 - 1e-12)
