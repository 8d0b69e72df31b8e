"""Noisy Sinkhorn on public grids, where the data enter only as histograms: the variant with a proof."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpot_core.arguments import Array, check_cost, check_finite, check_number
from dpot_core.mechanisms.central.noise import gaussian
from dpot_core.mechanisms.central.sinkhorn_half_step import HalfStep, half_step
from dpot_core.mechanisms.central.sinkhorn_ledger import Entry
from dpot_core.mechanisms.central.sinkhorn_results import NoisySinkhorn, Trace, coupling
from dpot_core.privacy.guarantees import Guarantee

#: Where one person's points are: in one of the two data sets or in both -> key of `guarantees.NEIGHBOURS`.
PEOPLE = {"one": "replace", "both": "replace-in-both"}
POTENTIALS, HISTOGRAM = "potentials", "histogram"


@dataclass(frozen=True)
class Rounds:
    """The rounds of noisy Sinkhorn, and what they have of the budget.

    Attributes:
        eta: entropic weight, unit of the cost.
        steps: K, number of rounds.
        plan_share: share of the budget for private histograms, in [0, 1]. With 0 there is no plan; with 1 the rounds
            run without noise on the private histograms, which is post-processing.
        floor: share of the uniform distribution that is mixed into both histograms inside the half steps, in [0, 0.99].
            Biases the potentials, and lets eta be smaller for the same noise (``sinkhorn_half_step``).
    """

    eta: float
    steps: int
    plan_share: float = 0.5
    floor: float = 0.0


@dataclass(frozen=True)
class PairProtection:
    """Whom a promise about two data sets protects.

    Attributes:
        people: "one": neighbours replace one point of one data set; "both": one point in each.
        secure: whether the noise is for a release, by OpenDP.
    """

    people: str = "one"
    secure: bool = False


@dataclass(frozen=True)
class Grids:
    """Two data sets on public grids.

    Attributes:
        cost: (k, l), non-negative, finite. Public.
        first: counts on the rows, (k,).
        second: counts on the columns, (l,).
        n: number of points of each. Public.
    """

    cost: Array
    first: Array
    second: Array
    n: tuple[int, int]

    @property
    def weights(self) -> tuple[Array, Array]:
        """The two histograms, each of mass 1."""
        return self.first / self.n[0], self.second / self.n[1]

    @property
    def range(self) -> float:
        """Largest minus smallest cost, at least a positive float."""
        return max(float(self.cost.max() - self.cost.min()), 1e-300)


def check_grids(cost: ArrayLike, first: ArrayLike | None, second: ArrayLike | None, least: int = 2) -> Grids:
    """Check a cost and two histograms of counts.

    Raises:
        ValueError: if the cost is negative or not finite, shapes differ, counts are not whole numbers, or a data set
            has fewer than `least` points.
    """
    matrix = check_cost(cost)
    if first is None or second is None:
        raise ValueError("a and b must be given: counts of points in the cells of the public grids")
    counts = []
    for values, name, length in ((first, "a", matrix.shape[0]), (second, "b", matrix.shape[1])):
        vector = check_finite(values, name)
        if vector.shape != (length,):
            raise ValueError(f"{name} must have one count per {length} cells of the cost; got shape {vector.shape}")
        if (vector != np.round(vector)).any():
            raise ValueError(f"{name} must hold counts of points (whole numbers), not shares")
        if vector.sum() < least:
            raise ValueError(f"{name} must count at least {least} points; got {vector.sum():g}")
        counts.append(vector)
    return Grids(matrix, counts[0], counts[1], (int(counts[0].sum()), int(counts[1].sum())))


def check_eta(eta: float, bound: float) -> float:
    """Return the entropic weight as a float; beyond 1e-100 and 1e100 times the largest cost its powers overflow."""
    largest = bound or 1.0
    return check_number(eta, "eta", max(1e-100 * largest, 1e-300), min(1e100 * largest, 1e300))


def rounds(
    grids: Grids,
    weights: tuple[Array, Array],
    setting: Rounds,
    ratios: tuple[float, float],
    rng: np.random.Generator,
    exact: bool | None = None,
    secure: Guarantee | None = None,
) -> Trace:
    """K rounds of noisy half steps: phi from the second data set, then psi from the first.

    Args:
        grids: cost and numbers of points.
        weights: the two histograms.
        setting: entropic weight, K and floor.
        ratios: noise over sensitivity of the half steps that use the (first, second) data set; 0 for none.
        rng: source of the noise.
        exact: see `half_step`.
        secure: for a release (`rounded`, then OpenDP): what it promises, which must be proven.
    """
    cost, transposed = grids.cost, np.ascontiguousarray(grids.cost.T)
    (first, second), (n_first, n_second) = weights, grids.n
    span = grids.range
    psi = np.zeros(len(second))
    kept: dict[str, list[Array]] = {"phi": [], "psi": [], "phi_raw": [], "psi_raw": []}
    sizes: dict[str, list[float]] = {"phi": [], "psi": []}
    for _ in range(setting.steps):
        for name, given, matrix, data, n, ratio in (
            ("phi", psi, transposed, second, n_second, ratios[1]),
            ("psi", None, cost, first, n_first, ratios[0]),
        ):
            start = kept["phi"][-1] if given is None else given
            step = half_step(start, matrix, data, setting.eta, n if ratio > 0.0 else 0, setting.floor, exact)
            value, size = rounded(step) if secure is not None and ratio > 0.0 else (step.value, step.sensitivity)
            raw = gaussian(value, ratio * size, rng, secure=secure) if ratio > 0.0 else value
            kept[f"{name}_raw"].append(raw)
            kept[name].append(_clipped(raw, step.low, step.high, span))
            sizes[name].append(size)
        psi = kept["psi"][-1]
    phi_sizes, psi_sizes = np.array(sizes["phi"]), np.array(sizes["psi"])
    arrays = {name: np.array(values) for name, values in kept.items()}
    return Trace(
        **arrays,
        phi_noise=ratios[1] * phi_sizes,
        psi_noise=ratios[0] * psi_sizes,
        phi_sensitivity=phi_sizes,
        psi_sensitivity=psi_sizes,
    )


def rounded(step: HalfStep) -> tuple[Array, float]:
    r"""A half step on a public grid of numbers, for a release, and the sensitivity of what stands there.

    The grid's width g is the least power of two that is at least ``2 error`` and 2^-20 times the sensitivity over
    ``sqrt(l)``: public. A computed entry is within ``error`` of the true one, its multiple of g within ``g/2`` of that,
    so within g of the truth. Hence multiples of neighbours differ by at most ``Delta + 2 g sqrt(l)`` in the 2-norm;
    dividing by a power of two, rounding and multiplying again are exact.

    Args:
        step: with sensitivity and error.

    Returns:
        The entries as multiples of g, (l,), and ``Delta + 2 g sqrt(l)``.
    """
    root = math.sqrt(step.value.size)
    width = power_of_two(max(2.0 * step.error, 2.0**-20 * step.sensitivity / root, 2.0**-1000))
    return np.rint(step.value / width) * width, step.sensitivity + 2.0 * width * root


def power_of_two(least: float) -> float:
    """The least power of two that is at least `least` (a positive float)."""
    mantissa, exponent = math.frexp(least)
    return math.ldexp(1.0, exponent - 1 if mantissa == 0.5 else exponent)


def _clipped(raw: Array, low: Array, high: Array, span: float) -> Array:
    """Into the public box; and no further from the mean than any noiseless potential can be, the range of the cost."""
    boxed = np.clip(raw, low, high)
    middle = boxed.mean()
    return np.asarray(np.clip(boxed, middle - span, middle + span))


def private_histogram(
    counts: Array, n: int, ratio: float, rng: np.random.Generator, *, secure: Guarantee | None = None
) -> Array:
    """Gaussian noise on counts (replacing one of n points moves them by sqrt(2)), over n, projected to the simplex.

    Counts are whole numbers, so that nothing is rounded before the noise.
    """
    return to_simplex(gaussian(counts, ratio * math.sqrt(2.0), rng, secure=secure) / n)


def to_simplex(values: Array) -> Array:
    """Nearest distribution in the 2-norm: ``max(values - t, 0)`` with the threshold that makes the sum 1."""
    ordered = np.sort(values)[::-1]
    thresholds = (np.cumsum(ordered) - 1.0) / np.arange(1, values.size + 1)
    last = int(np.flatnonzero(ordered > thresholds)[-1])
    kept = np.maximum(values - thresholds[last], 0.0)
    return np.asarray(kept / kept.sum())


def proven(
    grids: Grids,
    setting: Rounds,
    ledger: tuple[Entry, ...],
    guarantee: Guarantee,
    rng: np.random.Generator,
    secure: Guarantee | None = None,
) -> NoisySinkhorn:
    """Run the mechanism with the noise that the ledger says."""
    ratio = {(entry.what, entry.data): entry.sigma for entry in ledger}
    marginals = None
    if (HISTOGRAM, "first") in ratio:
        one, two = (
            private_histogram(counts, n, ratio[HISTOGRAM, data], rng, secure=secure)
            for counts, n, data in zip((grids.first, grids.second), grids.n, ("first", "second"), strict=True)
        )
        marginals = (one, two)
    noise = (ratio.get((POTENTIALS, "first"), 0.0), ratio.get((POTENTIALS, "second"), 0.0))
    # Without a share for potentials the rounds see the private histograms only.
    weights = grids.weights if marginals is None or noise[0] > 0.0 else marginals
    trace = rounds(grids, weights, setting, noise, rng, secure=secure)
    phi, psi = trace.phi[-1], trace.psi[-1]
    plan = None if marginals is None else coupling(phi, psi, *marginals, grids.cost, setting.eta)
    largest = max(float(trace.phi_noise[-1]), float(trace.psi_noise[-1]))
    return NoisySinkhorn((phi, psi), plan, marginals, guarantee, ledger, trace, setting.eta, largest / grids.range)
