"""Frequency estimation: from private reports, or from a noisy histogram, to a distribution near the true one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_distributions, check_finite, check_number
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.items import ItemMechanism


@dataclass(frozen=True, eq=False)
class FrequencyEstimate:
    """A decoded histogram.

    Attributes:
        raw: unbiased estimate, (k,); entries may be negative.
        histogram: `raw` moved to the nearest distribution, level by level (`ClusteredSpace.project`), (k,).
        items: how many reports it was made from.
    """

    raw: Array = field(repr=False)
    histogram: Array = field(repr=False)
    items: int

    def error(self, truth: ArrayLike, space: ClusteredSpace) -> float:
        """Earth mover's distance to the true histogram, where 1 is the distance between clusters.

        Args:
            truth: distribution, (k,).
            space: the clustered space.
        """
        return float(space.earth_movers(truth, self.histogram))


def k_rr(k: int, epsilon: float) -> Gkrr:
    """k-ary randomized response on items: `Gkrr` where all points are equally far from each other.

    Args:
        k: number of items, at least 2.
        epsilon: privacy parameter of one item, nats.

    Source:
        Kairouz, Bonawitz, Ramage 2016.
    """
    return Gkrr(ClusteredSpace(1, check_count(k, "k", 2), 1.0), epsilon)


def estimate_frequencies(mechanism: ItemMechanism, counts: ArrayLike, space: ClusteredSpace) -> FrequencyEstimate:
    r"""The distribution behind reports: ``counts B / number of reports``, then the nearest distribution.

    Every user reports on the same number of items, so the mean of the users' histograms is the histogram of all.

    Args:
        mechanism: made the reports.
        counts: how often each report was made by all users together, (mechanism.symbols,).
        space: where the items live; the projection is nearest level by level.

    Returns:
        The estimate, raw and projected.

    Raises:
        ValueError: if there is no report, or the shape does not fit.

    Source:
        metric_dp_emd, Algorithm 4; the projection is ours.
    """
    reports = check_finite(counts, "counts")
    if reports.shape != (mechanism.symbols,):
        raise ValueError(f"counts must have shape ({mechanism.symbols},); got {reports.shape}")
    total = float(reports.sum())
    if total < 1.0:
        raise ValueError("counts must hold at least one report")
    raw = mechanism.decode(reports / total)
    return FrequencyEstimate(raw, space.project(raw), int(total))


def laplace_scale(users: int, epsilon: float) -> float:
    r"""Scale of the Laplace noise on each entry of the mean of the users' histograms: ``2/(n epsilon)``.

    Replacing one user's history moves up to ``1/n`` of mass out of some entries and into others: ``2/n`` in the 1-norm.

    The paper's Lemma 6.7 prints ``1/(n epsilon)``, which gives 2 epsilon under its own Definition 2.2.

    Args:
        users: number of users n.
        epsilon: privacy parameter in nats, for replacing one user's whole history.

    Returns:
        Scale b of ``Lap(b)``, density proportional to ``exp(-|x|/b)``.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, section 6.2.2, corrected.
    """
    return 2.0 / (check_count(users, "users") * check_number(epsilon, "epsilon", 1e-9, 1e12))


def metric_laplace_scale(users: int, alpha: float, space: ClusteredSpace) -> float:
    r"""Scale of the Laplace noise on the histogram for rate ``alpha``: ``2/(n alpha d_min)``.

    The histogram is a linear query with ``f(x) = e_x``: in the 1-norm two columns differ by 2, over a distance of at
    least ``d_min``, which is r (1 where clusters have one point). Theorem 4.1 gives the sensitivity ``2/d_min``.

    Args:
        users: number of users n.
        alpha: rate, privacy parameter per unit of earth mover's distance between two histories of one user, nats.
        space: the clustered space.

    Returns:
        Scale b of ``Lap(b)``.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Theorem 4.1 and Lemma 4.2.
    """
    nearest = space.r if space.size > 1 else 1.0
    return laplace_scale(users, check_number(alpha, "alpha", 1e-9, 1e12) * nearest)


def laplace_histogram(
    histogram: ArrayLike, scale: float, space: ClusteredSpace, rng: np.random.Generator
) -> FrequencyEstimate:
    """The mean of the users' histograms with Laplace noise on each entry, then the nearest distribution.

    Float64 noise: a demonstration. `secure_laplace_counts` adds whole-number noise to counts for a release.

    Args:
        histogram: mean of the users' histograms, (k,).
        scale: of the noise, from `laplace_scale` or `metric_laplace_scale`.
        space: where the items live.
        rng: source of randomness; a seed makes a demonstration, not a release.

    Returns:
        The estimate, raw and projected; ``items`` is 0, there are no reports.

    Raises:
        ValueError: if the histogram is no distribution or the scale is not positive.

    Source:
        metric_dp_emd, section 6.2.2; the projection instead of its normalisation is ours.
    """
    rows, _ = check_distributions(histogram, "histogram", len(space))
    noise = rng.laplace(0.0, check_number(scale, "scale", 1e-300, 1e300), rows.shape[1])
    raw = rows[0] + noise
    return FrequencyEstimate(raw, space.project(raw), 0)
