"""Item-wise release: every item of a history on its own, in random order.

Reports are drawn in float64 with a numpy Generator: a demonstration. `secure_reports` draws GKRR and Hadamard response
for real; for other kernels, whose probabilities are rounded numbers, no release for real is offered.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_distributions, check_finite
from dpot_core.arguments.lazy import cached_property
from dpot_core.mechanisms.metric.finite_kernels import achieved_rate, metric_exponential
from dpot_core.mechanisms.metric.items import Items, check_counts, check_items
from dpot_core.mechanisms.planar_laplace import clamp_to_box, planar_laplace


@dataclass(frozen=True, eq=False)
class FiniteItems:
    """Any item mechanism on a finite space, given by its transition probabilities.

    The rate that it achieves is computed, not believed: see ``achieved_rate``.

    Attributes:
        kernel: K(y|x), rows sum to 1, (k, symbols).
    """

    kernel: Array

    def __post_init__(self) -> None:
        rows, _ = check_distributions(self.kernel, "kernel")
        object.__setattr__(self, "kernel", rows)

    @property
    def symbols(self) -> int:
        """How many different reports there are."""
        return self.kernel.shape[1]

    def matrix(self) -> Array:
        """Transition probabilities, (k, symbols)."""
        return self.kernel

    def rate(self, distances: ArrayLike) -> float:
        """The exact alpha_0 for distances over the largest one, (k, k)."""
        return achieved_rate(self.kernel, distances)

    def decode(self, frequencies: ArrayLike) -> Array:
        """Unbiased estimate of the histogram from frequencies of reports, (..., symbols) to (..., k).

        Raises:
            ValueError: if different histograms give the same reports, so that none can be told.
        """
        return np.asarray(check_finite(frequencies, "frequencies", non_negative=False) @ self._right_inverse)

    @cached_property
    def _right_inverse(self) -> Array:
        k = len(self.kernel)
        inverse = np.linalg.pinv(self.kernel)
        if np.abs(self.kernel @ inverse - np.eye(k)).max() > 1e-6:
            raise ValueError(
                f"kernel must have full row rank {k} to be decoded: too little is reported about each item"
            )
        return np.asarray(inverse)

    def release(self, items: ArrayLike, rng: np.random.Generator) -> Items:
        """One report for each item, (m,) or (n, m), each row in random order."""
        array = check_items(items, len(self.kernel))
        cumulative = self.kernel.cumsum(axis=1)
        # A last sum of 1 - 1 ulp must not let through what has probability 0.
        last = self.symbols - 1 - np.argmax(self.kernel[:, ::-1] > 0, axis=1)
        cumulative[np.arange(self.symbols) >= last[:, None]] = np.inf
        reports = np.empty(array.size, dtype=np.int64)
        uniform = rng.random(array.size)
        flat = array.ravel()
        for item in np.unique(flat):
            where = flat == item
            reports[where] = np.searchsorted(cumulative[item], uniform[where], side="right")
        return rng.permuted(reports.reshape(array.shape), axis=-1)

    def release_counts(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """Counts of reports about so many items of each kind, distributed like counting ``release``."""
        array = check_counts(counts, len(self.kernel))
        drawn = [rng.multinomial(row, self.kernel).sum(axis=0) for row in np.atleast_2d(array)]
        return np.asarray(drawn[0] if array.ndim == 1 else drawn, dtype=np.int64)


def exponential_items(distances: ArrayLike, item_rate: float) -> FiniteItems:
    """The metric exponential mechanism as an item mechanism, see ``metric_exponential``.

    Args:
        distances: over the largest one, (k, k).
        item_rate: alpha_0, nats per largest distance.

    Returns:
        The mechanism; reports are points of the space.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Algorithm 2.
    """
    return FiniteItems(metric_exponential(distances, item_rate))


def release_locations(
    points: ArrayLike,
    item_rate: float,
    diameter: float,
    rng: np.random.Generator,
    box: tuple[float, float, float, float] | None = None,
) -> Array:
    """Locations of one person (or of everybody) moved by planar Laplace noise, in random order.

    Args:
        points: (m, 2), in a unit of length.
        item_rate: alpha_0, nats per largest distance.
        diameter: the largest distance, in that unit; public.
        rng: source of randomness.
        box: public region to which outputs are moved back, (x_first, x_last, y_first, y_last); None: anywhere.

    Returns:
        (m, 2), shuffled.

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, Algorithm 2, with the item mechanism of Andres et al. 2013.
    """
    if not diameter > 0.0:
        raise ValueError(f"diameter must be more than 0; got {diameter:g}")
    moved = planar_laplace(points, item_rate / diameter, rng)
    return np.asarray(rng.permutation(moved if box is None else clamp_to_box(moved, box)))
