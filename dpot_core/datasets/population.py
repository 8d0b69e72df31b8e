"""A population: how many people of each group live at each of many points of the plane."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_count, check_finite
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.contents import Content
from dpot_core.datasets.entropy import sample_counts
from dpot_core.datasets.outlines import Outline

#: More groups than this are refused.
MAX_GROUPS = 12

#: NumPy's multivariate hypergeometric draws from fewer people than this.
MAX_PEOPLE = 999_999_999

#: The name of the only group when people are not told apart.
EVERYBODY = "everybody"


@dataclass(frozen=True, eq=False)
class Population(Content):
    """People of one or several groups at weighted points.

    Two objects are equal, and hash alike, when their content (`digest`) is the same.

    Attributes:
        lon: degrees east (or x) of each point, (N,).
        lat: degrees north (or y) of each point, (N,).
        weights: people (or any weight) of each group at each point, (G, N); every group has some.
        group_names: name of each group: unchecked text, escape it before it enters HTML.
        title: what the data are, in a few words for the screen.
        simulated: whether the people are invented.
        outline: the public region in which all points lie.
        source: where the numbers come from.
        licence: what may be done with them.
        names: a name of each point (a city), or empty.
        notes: what a reader of the data should know (points that were moved or left out).
    """

    lon: Array
    lat: Array
    weights: Array
    group_names: tuple[str, ...]
    title: str
    simulated: bool
    outline: Outline
    source: str
    licence: str
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    _words = ("title", "simulated", "group_names", "names", "outline")
    _arrays = ("lon", "lat", "weights")

    def __post_init__(self) -> None:
        lon = check_finite(self.lon, "lon", non_negative=False)
        lat = check_finite(self.lat, "lat", non_negative=False)
        weights = check_finite(self.weights, "weights")
        if lon.ndim != 1 or lon.size == 0 or lat.shape != lon.shape:
            raise ValueError(f"lon and lat must be vectors of one length, not empty; got {lon.shape}, {lat.shape}")
        if weights.shape != (len(self.group_names), lon.size):
            raise ValueError(f"weights must have shape {(len(self.group_names), lon.size)}; got {weights.shape}")
        if not 1 <= len(self.group_names) <= MAX_GROUPS:
            raise ValueError(f"group_names must hold 1 to {MAX_GROUPS} names; got {len(self.group_names)}")
        for name, total in zip(self.group_names, weights.sum(axis=1), strict=True):
            if not total > 0:
                raise ValueError(f"group {name!r} has a weight of 0; every group needs some people")
        if self.names and len(self.names) != lon.size:
            raise ValueError(f"names must be empty or one for each of {lon.size} points; got {len(self.names)}")
        if outside := int((~self.outline.contains(np.column_stack([lon, lat]))).sum()):
            raise ValueError(f"all points must lie in the region ({self.outline.name}); {outside:,} do not")
        self._keep(lon, lat, weights)

    def __len__(self) -> int:
        return len(self.lon)

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.group_names)

    @cached_property
    def points(self) -> Array:
        """Positions as lon, lat, (N, 2)."""
        points = np.column_stack([self.lon, self.lat])
        points.setflags(write=False)
        return points

    @cached_property
    def totals(self) -> Array:
        """The weight of each group, (G,)."""
        return np.asarray(self.weights.sum(axis=1))

    @cached_property
    def groups(self) -> tuple[tuple[Array, Array], ...]:
        """For each group its points (n, 2) and their weights (n,), those of weight 0 left out."""
        return tuple((self.points[row > 0], row[row > 0]) for row in self.weights)

    def everybody(self) -> Population:
        """The same people as one group."""
        return replace(self, weights=self.weights.sum(axis=0, keepdims=True), group_names=(EVERYBODY,))

    def sample(self, n: int, rng: np.random.Generator | None) -> Population:
        """n people of each group, drawn without replacement, every set of n alike: weights become counts.

        The share n / N of a group of N people is what amplification by sampling may use.

        Args:
            n: people drawn from each group.
            rng: source of randomness of a demonstration; None draws from the operating system's entropy, for a
                release: it cannot be repeated, and no generator is left to be wound back.

        Raises:
            ValueError: if weights are not whole numbers, or a group has fewer than n people or too many to draw from.
        """
        size = check_count(n, "n")
        whole = np.round(self.weights).astype(np.int64)
        if (whole != self.weights).any():
            raise ValueError("weights must be whole numbers of people to draw a sample from them")
        counts = np.empty_like(whole)
        for row, (name, people) in enumerate(zip(self.group_names, whole, strict=True)):
            total = int(people.sum())
            if not size <= total <= MAX_PEOPLE:
                raise ValueError(
                    f"n must be at most the {total:,} people of group {name!r} (and they at most {MAX_PEOPLE:,}); "
                    f"got {size:,}"
                )
            if rng is None:
                counts[row] = sample_counts(people, size)
            else:
                counts[row] = rng.multivariate_hypergeometric(people, size, method="marginals")
        seen = counts.sum(axis=0) > 0
        return replace(
            self,
            lon=self.lon[seen],
            lat=self.lat[seen],
            weights=counts[:, seen].astype(np.float64),
            names=tuple(name for name, kept in zip(self.names, seen, strict=True) if kept) if self.names else (),
        )


def by_code(codes: ArrayLike, weight: Array, groups: int) -> Array:
    """Weights (G, N) of points each of which has people of one group only.

    Args:
        codes: group of each point, (N,), in 0..groups-1.
        weight: people at each point, (N,).
        groups: number of groups.
    """
    rows = np.asarray(codes, dtype=np.intp)
    weights = np.zeros((groups, weight.size))
    weights[rows, np.arange(weight.size)] = weight
    return weights
