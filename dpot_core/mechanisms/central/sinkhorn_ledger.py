r"""The budget of noisy Sinkhorn: one privacy budget split over several Gaussian releases.

Releases with noise ``ratio_t`` times their sensitivity compose exactly like one release with
``1/ratio^2 = sum of 1/ratio_t^2`` (adaptively too: the privacy loss of each, given the past, is Gaussian with the same
law whatever the past, or less). So the budget is the number ``1/z^2``, where one release with ratio ``z`` is
(epsilon, delta)-DP, and shares of it add up: a part with share ``s`` and ``m`` equal releases has ratio
``z sqrt(m/s)``.

Source: Dong, Roth, Su 2022, Corollary 2; Balle and Wang 2018, Theorem 8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dpot_core.privacy.accounting import gaussian_epsilon, gaussian_noise


@dataclass(frozen=True)
class Entry:
    """One line of the ledger.

    Attributes:
        what: what is released.
        data: which data pay: "first", "second" or "both".
        releases: how many releases.
        share: of the budget of the data set that pays, in (0, 1]; the shares of one data set add up to 1.
        sigma: standard deviation of the noise over the sensitivity, of each release (Laplace: scale over sensitivity).
        epsilon: of this line alone, at the delta of this line, nats.
        delta: additive slack at which epsilon is stated.
    """

    what: str
    data: str
    releases: int
    share: float
    sigma: float
    epsilon: float
    delta: float


def gaussian_ledger(
    parts: Sequence[tuple[str, str, int, float]], epsilon: float, delta: float, together: bool = False
) -> tuple[Entry, ...]:
    """Split one budget over parts (what, data, releases, share); lines with share 0 are left out.

    Args:
        parts: (what, data, releases, share). "both" counts for both data sets.
        epsilon: of all releases together, nats.
        delta: of all releases together.
        together: one person is in both data sets, so that the lines of both add up; shares are halved.

    Raises:
        ValueError: if the shares of a data set do not add up to 1, or epsilon or delta is out of range.
    """
    for data in ("first", "second"):
        total = math.fsum(share for _, whose, _, share in parts if whose in (data, "both"))
        if abs(total - 1.0) > 1e-12:
            raise ValueError(f"shares of the budget must add up to 1; those of the {data} data set give {total:.12g}")
    return _split(tuple(parts), epsilon, delta, together)


@lru_cache(maxsize=512)
def _split(
    parts: tuple[tuple[str, str, int, float], ...], epsilon: float, delta: float, together: bool
) -> tuple[Entry, ...]:
    """The lines; kept, because finding the noise takes longer than a small transport problem."""
    whole = gaussian_noise(epsilon, delta)
    entries = []
    for what, whose, releases, share in parts:
        if share <= 0.0:
            continue
        # A person in both data sets pays a line about "both" once, and the lines about one data set twice.
        part = share if not together or whose == "both" else share / 2.0
        ratio = whole * math.sqrt(releases / part)
        entries.append(Entry(what, whose, releases, part, ratio, gaussian_epsilon(ratio, delta, 1.0, releases), delta))
    return tuple(entries)


def gaussian_parameter(entries: Sequence[Entry], together: bool = False) -> float:
    """mu for which all Gaussian lines that one person pays for are mu-Gaussian-private: ``sqrt(sum of m/ratio^2)``.

    Args:
        entries: the lines, all of them Gaussian.
        together: whether one person pays for the lines of both data sets; otherwise the data set that pays most counts.

    Source: Dong, Roth, Su 2022, Theorem 2.7 and Corollary 2.
    """
    payers = ("first", "second")
    return math.sqrt(
        max(
            math.fsum(entry.releases / entry.sigma**2 for entry in entries if together or entry.data in (payer, "both"))
            for payer in payers
        )
    )


def spent(entries: Sequence[Entry], data: str, together: bool = False) -> tuple[float, float]:
    """Share of the budget and epsilon that Gaussian lines cost one data set (together: both), by exact composition."""
    own = [entry for entry in entries if together or entry.data in (data, "both")]
    if not own:
        return 0.0, 0.0
    precision = math.fsum(entry.releases / entry.sigma**2 for entry in own)
    return math.fsum(entry.share for entry in own), gaussian_epsilon(1.0 / math.sqrt(precision), own[0].delta)
