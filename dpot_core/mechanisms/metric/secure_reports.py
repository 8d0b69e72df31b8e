r"""Real releases of items and of histograms of items: whole numbers, drawn with the operating system's entropy.

- `secure_reports`: a report is drawn with probability weight/sum by `secrets.randbelow`, from whole-number weights
  whose ratios are at most the mechanism's: exactly ``(alpha_0, 0)``-d-private. What takes a numpy Generator is a
  demonstration.
- `secure_laplace_counts`: whole-number Laplace noise (OpenDP, exact) of scale ``2 m/epsilon`` or
  ``2 m/(alpha d_min)`` on counts: exactly epsilon-DP, or exactly alpha d_EM-private, with delta 0.

Everything else of the metric mechanisms draws in float64: no release for real is offered. Proofs, and why there is
none: ``docs/proofs/secure_reports.md``.
"""

from __future__ import annotations

import secrets
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpot_core.arguments import check_count, check_epsilon
from dpot_core.mechanisms.central.noise import discrete_laplace, scale_for
from dpot_core.mechanisms.metric.clustered import ClusteredSpace
from dpot_core.mechanisms.metric.gkrr import Gkrr
from dpot_core.mechanisms.metric.hadamard import HadamardResponse
from dpot_core.mechanisms.metric.items import Items, check_counts, check_items
from dpot_core.mechanisms.metric.protection import check_rate
from dpot_core.privacy.guarantees import Guarantee

#: Weights count in units of 2^-_BITS of the smallest one.
_BITS = 96


def secure_reports(mechanism: Gkrr | HadamardResponse, items: ArrayLike) -> Items:
    """One report for each item for a real release, each user's row in random order; exactly (alpha_0, 0)-d-private.

    It cannot be seeded. Reports decode as those of ``release`` do: the probabilities agree to 1e-14.

    Args:
        mechanism: GKRR (k-ary randomized response among them) or Hadamard response, public.
        items: indices of points, (m,) of one user or (n, m) of n users.

    Returns:
        Reports of the same shape.

    Raises:
        ValueError: if an index is out of range.
    """
    k = len(mechanism.space) if isinstance(mechanism, Gkrr) else mechanism.k
    points = check_items(items, k)
    weights = report_weights(mechanism)

    def report(item: int) -> int:
        if isinstance(mechanism, Gkrr):
            return _gkrr_report(mechanism, weights, item)
        return _hadamard_report(mechanism, weights, item)

    rows = []
    for row in np.atleast_2d(points):
        reports = [report(item) for item in row.tolist()]
        secrets.SystemRandom().shuffle(reports)
        rows.append(reports)
    return np.array(rows, dtype=np.int64).reshape(points.shape)


def report_weights(mechanism: Gkrr | HadamardResponse) -> tuple[int, ...]:
    """The whole numbers in whose proportion reports are drawn.

    Args:
        mechanism: GKRR: (the item itself, another point of its cluster, a point outside). Hadamard response: (a report
            of the item's half, one of the other half).

    Returns:
        Weights of single reports, the largest first.
    """
    if isinstance(mechanism, HadamardResponse):
        return _power(Fraction(mechanism.epsilon)), 1 << _BITS
    rate, r = Fraction(mechanism.alpha_0), Fraction(mechanism.space.r)
    near = _power((1 - r) * rate)
    return near * _power(r * rate) >> _BITS, near, 1 << _BITS


def secure_laplace_counts(
    counts: ArrayLike,
    items: int,
    *,
    epsilon: float | None = None,
    alpha: float | None = None,
    space: ClusteredSpace | None = None,
) -> NDArray[np.int64]:
    r"""Counts of all users' items with whole-number Laplace noise for a real release; delta is 0, exactly.

    With ``epsilon``: epsilon-DP for replacing one user's whole history. With ``alpha`` and ``space``: alpha
    d_EM-private for a change of one user's history. The proof is the module's.

    Args:
        counts: how many items there are of each kind, of all users together (of one in the local model), (k,).
        items: m, of each user; public.
        epsilon: nats, or None.
        alpha: nats per distance between clusters, or None.
        space: where the items live, with ``alpha``.

    Returns:
        Noisy counts, (k,), which may be negative.

    Raises:
        ValueError: if not exactly one of the two promises is asked for, or the counts are not those of whole users.
    """
    m = check_count(items, "items")
    if epsilon is not None and alpha is None and space is None:
        given, budget = check_counts(counts, np.size(counts)), Fraction(check_epsilon(epsilon))
        promise = Guarantee(epsilon, neighbours="replace")
    elif epsilon is None and alpha is not None and space is not None:
        nearest = Fraction(space.r if space.size > 1 else 1.0)
        given, budget = check_counts(counts, len(space)), Fraction(check_rate(alpha)) * nearest
        promise = Guarantee(alpha, neighbours="metric", unit="earth mover's distance 1 between two histories")
    else:
        raise ValueError("give epsilon, or alpha and space: one of the two promises")
    if given.ndim != 1 or int(given.sum()) % m:
        raise ValueError(f"counts must be those of users with {m:,} items each; they sum to {int(given.sum()):,}")
    unused = np.random.default_rng(0)
    return discrete_laplace(given, scale_for(2 * m, budget), unused, secure=promise)


def _power(exponent: Fraction) -> int:
    """A whole number, at most ``2^_BITS e^exponent`` and less than 1e-20 of it below, for an exponent of at least 0.

    Every term of the series is rounded down.
    """
    term, total, i = 1 << (_BITS + 32), 0, 0
    while term:
        total, i = total + term, i + 1
        term = term * exponent.numerator // (exponent.denominator * i)
    return total >> 32


def _gkrr_report(mechanism: Gkrr, weights: tuple[int, ...], item: int) -> int:
    same, near, far = weights
    t, k = mechanism.space.size, len(mechanism.space)
    drawn = secrets.randbelow(same + (t - 1) * near + (k - t) * far)
    if drawn < same:
        return item
    first = item // t * t
    drawn -= same
    if drawn < (t - 1) * near:
        other = first + drawn // near
        return other + (other >= item)
    other = (drawn - (t - 1) * near) // far
    return other if other < first else other + t


def _hadamard_report(mechanism: HadamardResponse, weights: tuple[int, ...], item: int) -> int:
    right = secrets.randbelow(sum(weights)) < weights[0]
    row, report = item + 1, secrets.randbelow(mechanism.symbols)
    in_half = (row & report).bit_count() % 2 == 0
    # The lowest common bit leads one to one from one half into the other.
    return report if in_half == right else report ^ (row & -row)
