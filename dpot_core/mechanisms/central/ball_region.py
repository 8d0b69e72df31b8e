"""The ball as a public region: the domain of dp_barycenters."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_finite, check_number
from dpot_core.mechanisms.central.regions import EXTENT, check_extent
from dpot_core.spaces.polygons import Booleans

#: Halvings of the way from a point of the ball to one outside until it lies in the ball.
HALVINGS = 60


class BallRegion:
    r"""The ball ``B_c(r) = {x: |x - c| <= r}``, the closed one, in any dimension.

    A point is in it if its computed distance is at most r; ``d`` roundings of this distance cannot hide more than the
    share ``(d + 8) 2^-52`` of it. `radius` is larger by that share and `diameter` twice that, so that they bound what
    `contains` lets in, and not only what it should: a sensitivity that uses them holds for computed points.

    Args:
        centre: c, (d,), any unit.
        radius: r, more than 0.

    Raises:
        ValueError: if they do not make a ball whose squares stay in float64.

    Source:
        dp_barycenters, Assumption 1: the ball of radius 1/2 about 0.
    """

    exact = True

    def __init__(self, centre: ArrayLike, radius: float) -> None:
        self.centre = check_finite(centre, "centre", non_negative=False)
        if self.centre.ndim != 1 or not self.centre.size:
            raise ValueError(f"centre must be a point (d,); got shape {self.centre.shape}")
        self._within = check_number(radius, "radius", *EXTENT)
        self.lower, self.upper = self.centre - self._within, self.centre + self._within
        check_extent(self.lower, self.upper)
        self.radius = self._within * (1.0 + (self.centre.size + 8) * 2.0**-52)
        self.diameter = 2.0 * self.radius

    def contains(self, points: Array) -> Booleans:
        """Which points (n, d) lie in the ball."""
        return np.asarray(_lengths(points - self.centre) <= self._within)

    def clip(self, points: Array) -> Array:
        """The nearest points of the ball, (n, d), a hair inside it; points in it stay what they are."""
        clipped = points.copy()
        left = np.flatnonzero(~self.contains(clipped))
        # The hair is wider each time, up to the whole radius: the centre is always in the ball.
        for bits in (50, 46, 40, 32, 24, 16, 8, 0):
            away = points[left] - self.centre
            # Divided by the largest coordinate first: squares of far points would overflow.
            away /= np.abs(away).max(axis=1, keepdims=True)
            away /= _lengths(away)[:, None]
            clipped[left] = self.centre + away * (self._within * (1.0 - 2.0**-bits))
            left = left[~self.contains(clipped[left])]
            if not left.size:
                break
        return clipped

    into_hull = clip

    def intersects(self, lower: Array, upper: Array) -> Booleans:
        """Which boxes meet the ball: those whose nearest point to the centre lies in it."""
        return self.contains(np.clip(self.centre, lower, upper))

    def representatives(self, lower: Array, upper: Array) -> Array:
        """The boxes' centres where they lie in the ball, else points on the way there from the box's nearest point."""
        return self.towards((lower + upper) / 2, lower, upper)

    def towards(self, goals: Array, lower: Array, upper: Array) -> Array:
        """Points of boxes (n, d) that meet the ball, and of the ball, on the way to goals in those boxes.

        The common part is convex: from the box's point that is nearest to the centre, the way to a goal is left once.
        """
        near = np.clip(self.centre, lower, upper)
        points, left, share = goals.copy(), np.flatnonzero(~self.contains(goals)), 1.0
        for _ in range(HALVINGS):
            if not left.size:
                return points
            share /= 2
            way = near[left] + share * (goals[left] - near[left])
            points[left] = np.clip(way, lower[left], upper[left])
            left = left[~self.contains(points[left])]
        points[left] = self.clip(near[left])
        return points

    def uniform(self, n: int, rng: np.random.Generator) -> Array:
        """n points drawn uniformly in the ball, (n, d)."""
        away = rng.standard_normal((n, self.centre.size))
        length = self._within * rng.random(n) ** (1.0 / self.centre.size)
        return self.clip(self.centre + away * (length / _lengths(away))[:, None])


def _lengths(vectors: Array) -> Array:
    # A square beyond float64 is infinite, and so is the length: outside.
    with np.errstate(over="ignore"):
        return np.asarray(np.sqrt((np.ascontiguousarray(vectors) ** 2).sum(axis=1)))
