"""Item mechanisms on finite spaces: exact certificate of the rate, and the metric exponential mechanism."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_distributions, check_finite
from dpot_core.mechanisms.metric.protection import check_rate, check_unit_distances
from dpot_core.mechanisms.metric.spanners import check_distances

# Numbers that are held at once while pairs of inputs are compared.
_CHUNK = 4_000_000

# exp(-600) is still a normal float64: every output keeps a probability above 0.
_LARGEST_RATE = 600.0

# What rounding may add to a difference of logarithms of probabilities, and how far from 1 their sums may be.
_LOG_ERROR, _SUMS = 4e-12, 1e-12


def achieved_rate(kernel: ArrayLike, distances: ArrayLike) -> float:
    r"""Exact rate of a finite mechanism: ``max over x, x', y of |log K(y|x) - log K(y|x')| / d(x, x')``.

    The mechanism is (alpha_0, 0)-d-private exactly for alpha_0 at least this number.

    Args:
        kernel: K(y|x), rows sum to 1, (k, k_v).
        distances: between inputs, over the largest one, (k, k).

    Returns:
        alpha_0 in nats per largest distance; inf if an output is possible from one input and not from another, or if
        inputs at distance 0 have different outputs.

    Raises:
        ValueError: if shapes do not fit.

    Source:
        metric_dp_emd, Definition 2.3.
    """
    rows, _ = check_distributions(kernel, "kernel")
    matrix = check_unit_distances(distances)
    k = len(rows)
    if matrix.shape != (k, k):
        raise ValueError(f"distances must be those between the kernel's {k} inputs; got shape {matrix.shape}")
    return _largest_rate(rows, matrix, 0.0)


def certified_rate(kernel: ArrayLike, distances: ArrayLike) -> float:
    r"""A number that the rate of a kernel of floats is proven not to exceed: the rate, rounded outwards.

    It holds for the rows as they are and for the rows divided by their exact sums, from which a sampler may draw.

    Proof. A logarithm of a float is at most 745 and errs by less than four units of its last place, 5e-13; two of them,
    and two rows' sums that are within 1e-12 of 1, move a difference of logarithms by less than 4e-12, which is added to
    it. Division and product round by less than 1e-15 of the quotient, which is added, too.

    Args:
        kernel: K(y|x), rows sum to 1 within 1e-12, (k, k_v).
        distances: between inputs, in any unit of length, (k, k).

    Returns:
        Nats per unit of length; inf where `achieved_rate` is.

    Raises:
        ValueError: if shapes do not fit, or a row's sum is farther from 1.
    """
    rows, matrix = check_finite(kernel, "kernel"), check_distances(distances)
    if rows.ndim != 2 or len(rows) != len(matrix):
        raise ValueError(f"kernel must have one row for each of {len(matrix)} places; got shape {rows.shape}")
    if (off := float(np.abs(rows.sum(axis=1) - 1.0).max())) > _SUMS:
        raise ValueError(f"kernel must have rows that sum to 1 within {_SUMS:g}; one is off by {off:.3g}")
    return _largest_rate(rows, matrix, _LOG_ERROR) * (1.0 + 1e-15)


def _largest_rate(rows: Array, distances: Array, error: float) -> float:
    """The largest difference of logarithms, and an error of it, over the distance."""
    possible = rows > 0.0
    if (possible != possible[0]).any():
        return math.inf
    logs = np.log(rows[:, possible[0]])
    best = 0.0
    step = max(1, _CHUNK // logs.size)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        change = np.abs(logs[part, None, :] - logs[None, :, :]).max(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (change + error) / distances[part]
        best = max(best, float(np.where((change == 0.0) & (distances[part] == 0.0), 0.0, ratio).max()))
    return best


def metric_exponential(
    distances: ArrayLike, item_rate: float, targets: ArrayLike | None = None, *, calibrated: bool = True
) -> Array:
    r"""``K(y|x) = exp(-c d(x, y)) / Z(x)`` with ``c = alpha_0/2``, or the largest c that the certificate allows.

    Proof. ``-c d(x, y)`` changes by at most ``c d(x, x')`` (triangle inequality), and so does ``log Z``; together
    ``2 c d(x, x')``: c = alpha_0/2 always works. What is really spent is at most
    ``c + max |log Z(x) - log Z(x')|/d(x, x')``, which is often nearer to c; with ``calibrated`` c is raised in
    [alpha_0/2, alpha_0] by bisection as long as that number stays within alpha_0.

    Args:
        distances: between inputs, over the largest one, (k, k).
        item_rate: alpha_0, nats per largest distance, at most 600.
        targets: d(x, y) between inputs and outputs in the same unit, (k, k_v); None: outputs are the inputs.
        calibrated: whether to use up what the general proof leaves.

    Returns:
        K(y|x), (k, k_v).

    Raises:
        ValueError: if an argument is out of range.

    Source:
        metric_dp_emd, section 7; McSherry and Talwar 2007.
    """
    matrix = check_unit_distances(distances)
    outputs = matrix if targets is None else check_unit_distances(targets)
    if matrix.shape[0] != matrix.shape[1] or len(outputs) != len(matrix):
        raise ValueError(f"distances {matrix.shape} must be square, with one row of targets {outputs.shape} per input")
    rate = check_rate(item_rate, "item_rate")
    if rate > _LARGEST_RATE:
        raise ValueError(f"item_rate must be at most {_LARGEST_RATE:g}; got {rate:g}")
    low, high = rate / 2.0, rate
    if calibrated:
        for _ in range(30):
            middle = (low + high) / 2.0
            low, high = (middle, high) if _spent(matrix, outputs, middle) <= rate else (low, middle)
    weights = np.exp(-low * outputs)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _spent(distances: Array, outputs: Array, c: float) -> float:
    """``c + Lip(log Z)``, an upper bound on the achieved rate; exact where every input is an output too."""
    log_z = np.log(np.exp(-c * outputs).sum(axis=1))
    change = np.abs(log_z[:, None] - log_z[None, :])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(change <= 1e-15, 0.0, change / distances)
    return c + float(ratio.max())
