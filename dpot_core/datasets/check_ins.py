"""Check-ins: how often each user was seen at which place."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import Array, check_finite
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.contents import Content
from dpot_core.privacy.numerals import counted

Codes = NDArray[np.intp]

#: Counts above this lose whole numbers when they are summed in float64.
MAX_COUNT = 1e12


@dataclass(frozen=True, eq=False)
class CheckIns(Content):
    """Visits of users to places, one row for each (user, place).

    Two objects are equal, and hash alike, when their content (`digest`) is the same.

    Attributes:
        user: code of the user of each row, shape (n,), in 0..n_users-1; every user has at least one row.
        lat: latitude of each row, degrees north (WGS84), shape (n,).
        lon: longitude of each row, degrees east (WGS84), shape (n,).
        count: number of visits (or any positive weight) of each row, shape (n,).
        labels: name of each user, plain text, unchecked: escape it before it enters HTML.
        title: what the data are, in a few words for the screen.
        simulated: whether the people are invented.
        source: where the rows come from.
        licence: what may be done with them.
        notes: what a reader of the data should know (how a file was decoded, rows that were left out).
        outlines: lines that help to find one's way on the map: (name, points (m, 2) as lon, lat).
        own: whether they are private, and not public.
    """

    user: Codes
    lat: Array
    lon: Array
    count: Array
    labels: tuple[str, ...]
    title: str
    simulated: bool
    source: str
    licence: str
    notes: tuple[str, ...] = ()
    outlines: tuple[tuple[str, Array], ...] = ()
    own: bool = False

    _words = ("title", "simulated", "labels")
    _arrays = ("user", "lat", "lon", "count")

    def __post_init__(self) -> None:
        user = np.asarray(self.user, dtype=np.intp)
        lat = check_finite(self.lat, "lat", non_negative=False)
        lon = check_finite(self.lon, "lon", non_negative=False)
        count = check_finite(self.count, "count")
        if user.ndim != 1 or user.size == 0 or not user.shape == lat.shape == lon.shape == count.shape:
            shapes = ", ".join(str(a.shape) for a in (user, lat, lon, count))
            raise ValueError(f"user, lat, lon and count must be vectors of one length, not empty; got {shapes}")
        if np.abs(lat).max() > 90 or np.abs(lon).max() > 180:
            raise ValueError("lat must lie in [-90, 90] and lon in [-180, 180] degrees")
        if not (count.min() > 0 and count.max() <= MAX_COUNT):
            raise ValueError(f"count must lie in (0, {MAX_COUNT:g}]; got {count.min():g} to {count.max():g}")
        if user.min() < 0 or not np.bincount(user, minlength=len(self.labels)).all() or user.max() >= len(self.labels):
            raise ValueError(f"user must hold every code 0..{len(self.labels) - 1} (one for each label) and no other")
        self._keep(user, lat, lon, count)

    def __len__(self) -> int:
        return len(self.user)

    @property
    def n_users(self) -> int:
        """The number of users."""
        return len(self.labels)

    @cached_property
    def totals(self) -> Array:
        """The number of check-ins of each user, shape (n_users,)."""
        return np.asarray(np.bincount(self.user, self.count, self.n_users), dtype=np.float64)

    @property
    def noise_key(self) -> dict[str, str]:
        """Names of a stream of noise beside its settings (`streams.stream`): no two private files share any."""
        return {"data": self.digest} if self.own else {}

    def select(self, users: ArrayLike) -> CheckIns:
        """The rows of some users only, renumbered 0, 1, ... in the order given.

        Args:
            users: codes (m,) of different users, whole numbers.

        Raises:
            ValueError: if there are none, one is repeated or one does not exist.
        """
        chosen = check_finite(users, "users", non_negative=False)
        if chosen.size and not (chosen.min() >= 0 and chosen.max() < self.n_users):
            raise ValueError(f"users must lie in 0..{self.n_users - 1}; got {chosen.min():g} to {chosen.max():g}")
        codes = chosen.astype(np.intp)
        if codes.ndim != 1 or codes.size == 0 or (codes != chosen).any() or len(np.unique(codes)) != codes.size:
            raise ValueError("users must be different whole numbers, at least one")
        new = np.full(self.n_users, -1, dtype=np.intp)
        new[codes] = np.arange(codes.size)
        return self._rows(new[self.user], tuple(self.labels[i] for i in codes))

    def with_at_least(self, n: float) -> CheckIns:
        """The rows of the users who have n check-ins or more.

        Raises:
            ValueError: if no user has; the message gives the largest number.
        """
        users = np.flatnonzero(self.totals >= n)
        if users.size == 0:
            raise ValueError(f"no user has {n:g} check-ins or more; the largest number is {self.totals.max():g}")
        return self.select(users)

    def near(self, lat: float, lon: float, km: float) -> CheckIns:
        """The rows within a number of kilometres of a point; users without such a row drop out.

        Raises:
            ValueError: if no row is that near.
        """
        inside = great_circle_km(self.lat, self.lon, lat, lon) <= km
        if not inside.any():
            raise ValueError(f"no check-in lies within {km:g} km of lat {lat:g}, lon {lon:g}")
        kept = np.unique(self.user[inside])
        new = np.full(self.n_users, -1, dtype=np.intp)
        new[kept] = np.arange(kept.size)
        part = self._rows(np.where(inside, new[self.user], -1), tuple(self.labels[i] for i in kept))
        left_out = len(self) - len(part)
        rows, were = counted(left_out, "row", "rows"), "was" if left_out == 1 else "were"
        note = f"{rows} farther than {km:g} km from lat {lat:.3f}, lon {lon:.3f} {were} left out."
        return replace(part, notes=(*self.notes, note)) if left_out else part

    def busiest_point(self) -> tuple[float, float]:
        """(lat, lon) of the middle of the quarter-degree square with the most check-ins."""
        squares = np.floor(np.column_stack([self.lat, self.lon]) * 4)
        _, which = np.unique(squares, axis=0, return_inverse=True)
        best = which == np.argmax(np.bincount(which, weights=self.count))
        return (
            float(np.average(self.lat[best], weights=self.count[best])),
            float(np.average(self.lon[best], weights=self.count[best])),
        )

    def _rows(self, codes: Codes, labels: tuple[str, ...]) -> CheckIns:
        keep = codes >= 0
        return replace(
            self, user=codes[keep], lat=self.lat[keep], lon=self.lon[keep], count=self.count[keep], labels=labels
        )


def merged(
    rows: pd.DataFrame,
    *,
    title: str,
    simulated: bool,
    source: str,
    licence: str,
    notes: tuple[str, ...] = (),
    outlines: tuple[tuple[str, Array], ...] = (),
    own: bool = False,
) -> CheckIns:
    """Check-ins from rows (user's label, lat, lon, count) in any order; rows of one user and place add up.

    Users are numbered in the order in which they first appear.
    """
    codes, names = pd.factorize(rows["user"].astype(object))
    rows = rows.assign(user=codes).groupby(["user", "lat", "lon"], as_index=False, sort=True).agg({"count": "sum"})
    return CheckIns(
        user=rows["user"].to_numpy(np.intp),
        lat=rows["lat"].to_numpy(np.float64),
        lon=rows["lon"].to_numpy(np.float64),
        count=rows["count"].to_numpy(np.float64),
        labels=tuple(str(name) for name in names),
        title=title,
        simulated=simulated,
        source=source,
        licence=licence,
        notes=notes,
        outlines=outlines,
        own=own,
    )


def great_circle_km(lat: ArrayLike, lon: ArrayLike, to_lat: float, to_lon: float) -> Array:
    """Distance on a sphere of radius 6371 km (haversine; within 0.6% of the ellipsoid), same shape as `lat`."""
    a, b, c, d = (np.radians(np.asarray(v, dtype=np.float64)) for v in (lat, lon, to_lat, to_lon))
    h = np.sin((a - c) / 2) ** 2 + np.cos(a) * np.cos(c) * np.sin((b - d) / 2) ** 2
    return np.asarray(2 * 6371.0 * np.arcsin(np.sqrt(np.minimum(h, 1.0))), dtype=np.float64)
