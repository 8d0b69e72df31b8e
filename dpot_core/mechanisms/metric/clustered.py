"""The clustered space B x C: points in clusters, near inside a cluster, far across; its earth mover's distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_finite, check_number
from dpot_core.arguments.lazy import cached_property
from dpot_core.spaces import Space, metric_space

#: Above this many points the distance matrix (k, k) is not built; nothing in this package needs it.
MAX_MATRIX = 4096


@dataclass(frozen=True)
class ClusteredSpace:
    r"""``clusters * size`` points: distance ``r`` inside a cluster, 1 across; point ``b * size + c`` is item c of b.

    A metric for every ``r <= 2`` (a detour over another cluster is 2 long); normalised, as metric privacy at user level
    needs it (no distance above 1), for ``r <= 1``. With ``r = 1`` all points are equally far from each other.

    Args:
        clusters: number of clusters s.
        size: points in each cluster t.
        r: distance inside a cluster, in (0, 1], where 1 is the distance between clusters.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, section 6.2.
    """

    clusters: int
    size: int
    r: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "clusters", check_count(self.clusters, "clusters"))
        object.__setattr__(self, "size", check_count(self.size, "size"))
        object.__setattr__(self, "r", check_number(self.r, "r", 0.0, 1.0))
        if self.r == 0.0:
            raise ValueError("r must lie in (0, 1], where 1 is the distance between clusters; got 0")
        if len(self) < 2:
            raise ValueError("clusters * size must be at least 2: a single point leaves nothing to protect; got 1")

    def __len__(self) -> int:
        return self.clusters * self.size

    @cached_property
    def space(self) -> Space:
        """The same as a `Space` given by its distances.

        Raises:
            ValueError: if there are more than `MAX_MATRIX` points.
        """
        k = len(self)
        if k > MAX_MATRIX:
            raise ValueError(f"a matrix of distances is built for at most {MAX_MATRIX} points; got {k}")
        cluster = np.arange(k) // self.size
        distances = np.where(cluster[:, None] == cluster, self.r, 1.0)
        np.fill_diagonal(distances, 0.0)
        return metric_space(distances)

    def cluster_sums(self, values: ArrayLike) -> Array:
        """Sum of the values of each cluster, (..., k) to (..., s).

        Args:
            values: one number for each point, (..., k).
        """
        table = np.asarray(values, dtype=np.float64)
        return np.asarray(table.reshape(*table.shape[:-1], self.clusters, self.size).sum(axis=-1))

    def spread(self, values: ArrayLike) -> Array:
        """The value of each cluster for each of its points, (..., s) to (..., k).

        Args:
            values: one number for each cluster, (..., s).
        """
        return np.repeat(np.asarray(values, dtype=np.float64), self.size, axis=-1)

    def earth_movers(self, mu: ArrayLike, nu: ArrayLike) -> Array:
        r"""Earth mover's distance, exact, in O(k): the space is a tree with two levels.

        ``d_EM(mu, nu) = (r/2) sum_x |mu_x - nu_x| + ((1 - r)/2) sum_b |mu_b - nu_b|`` with ``mu_b`` the mass of
        cluster b. Put each point at the end of an edge of length ``r/2`` that starts at its cluster's centre, and each
        centre at the end of an edge of length ``(1 - r)/2`` that starts at the root: this gives the distances r and
        1, and on a tree an edge carries the difference of the masses beyond it.

        Args:
            mu: masses, (..., k), not necessarily non-negative.
            nu: masses with the same total, (..., k).

        Returns:
            Distances, (...), where 1 is the distance between clusters.

        Raises:
            ValueError: if the shapes do not fit.

        Source:
            Evans and Matsen 2012, equation 5 (Kantorovich-Rubinstein distance on a tree).
        """
        difference = self._checked(mu, "mu") - self._checked(nu, "nu")
        inside = np.abs(difference).sum(axis=-1)
        across = np.abs(self.cluster_sums(difference)).sum(axis=-1)
        return np.asarray(0.5 * self.r * inside + 0.5 * (1.0 - self.r) * across)

    def project(self, estimate: ArrayLike) -> Array:
        r"""A distribution near an unbiased estimate, level by level: first the clusters, then the points of each.

        The masses of the clusters are projected on the simplex, then the points of each cluster on
        ``{x >= 0, sum x = mass of the cluster}``, both in the Euclidean distance. Such a projection is also nearest in
        the 1-norm, so against any distribution ``h`` and with ``e = estimate - h`` the result ``q`` obeys
        ``d_EM(q, h) <= r ||e||_1 + sum_b |e_b|``: the quantity that the proof of Theorem 6.5 bounds for the estimate
        itself. (A projection of all points at once lets noise inside clusters leak into their masses.)

        Proof. 1-norm: if the projection lowers what is positive, every negative entry rises to 0, as it must; if it
        raises what is positive, all entries rise, and their sum is given. Clusters: ``||q_B - h_B||_1 <= 2 ||e_B||_1``
        by the triangle inequality. Points of b: some non-negative ``h'`` of mass ``q_b`` is at 1-norm distance
        ``|q_b - h_b|`` from h, so ``||q - h||_1 <= 2 ||e||_1 + ||q_B - h_B||_1``. Put both into the formula of
        `earth_movers`.

        Args:
            estimate: numbers (..., k), which may be negative and need not sum to 1.

        Returns:
            Distributions, (..., k).

        Raises:
            ValueError: if the shape does not fit or a number is not finite.
        """
        values = self._checked(estimate, "estimate")
        rows = values.reshape(-1, len(self))
        masses = _project(self.cluster_sums(rows), np.ones(len(rows)))
        inside = rows.reshape(-1, self.size)
        return np.asarray(_project(inside, masses.ravel()).reshape(values.shape))

    def _checked(self, values: ArrayLike, name: str) -> Array:
        array = check_finite(values, name, non_negative=False)
        if array.ndim == 0 or array.shape[-1] != len(self):
            raise ValueError(f"{name} must have {len(self)} entries in its last axis; got shape {array.shape}")
        return array


def _project(rows: Array, totals: Array) -> Array:
    """Euclidean projection of each row (n, t) on {x >= 0, sum x = its total (n,)}; a total may be 0."""
    descending = -np.sort(-rows, axis=1)
    excess = np.cumsum(descending, axis=1) - totals[:, None]
    kept = np.maximum((descending * np.arange(1, rows.shape[1] + 1) > excess).sum(axis=1), 1)
    line = np.arange(len(rows))
    projected = np.maximum(rows - (excess[line, kept - 1] / kept)[:, None], 0.0)
    # What rounding took or gave, where there is room for it.
    largest = projected.argmax(axis=1)
    projected[line, largest] = np.maximum(projected[line, largest] + totals - projected.sum(axis=1), 0.0)
    return projected
