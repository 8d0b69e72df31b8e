"""Inputs and outputs that a cost matrix cannot tell apart, and why an optimal base is the same on all that are alike.

Inputs are put into classes I and outputs into classes J such that, for every value c of the cost, n(I, J, c) =
#{j in J : C_ij = c} is the same for all i in I, and #{i in I : C_ij = c} for all j in J (an equitable partition). Then
some optimal base measure is constant on the classes, and value and certificate of the small problem are those of the
whole problem. Distances that differ by rounding are one cost, at an error delta that is counted.

Proofs: ``docs/proofs/symmetric_base_measures.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpot_core.arguments import Array

_Labels = np.ndarray[tuple[int], np.dtype[np.intp]]
_Colours = np.ndarray[tuple[int, ...], np.dtype[np.signedinteger]]
_Words = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]

#: Costs nearer than this share of the largest one are one value, if no group of them gets wider: rounding of distances.
ROUNDING = 5e-14


@dataclass(frozen=True)
class Symmetry:
    """An equitable partition of a cost matrix.

    Attributes:
        cost: C' of the first input of every class, to all outputs, (number of input classes, k_v).
        inputs: class of every input, numbered by their first members, (k,).
        outputs: class of every output, likewise, (k_v,).
        delta: largest difference between a cost and C'.
    """

    cost: Array
    inputs: _Labels
    outputs: _Labels
    delta: float


def find_symmetry(cost: Array) -> Symmetry | None:
    """The coarsest equitable partition of a cost matrix (k, k_v), by colour refinement; None if all are by themselves.

    Rows and columns are hashed by what stands in them (sums modulo 2^64 of random words, one for each value), then by
    the classes in which it stands, until no class falls apart. What comes out is then counted exactly, without hashes:
    a partition is equitable, or it is not used.
    """
    values, delta = _distinct(cost)
    if 2 * delta > ROUNDING * cost.max():
        return None
    # Half the memory where pairs of a colour and a class fit, as they do wherever there is much symmetry.
    kind = np.dtype(np.int32 if values.size * max(cost.shape) < 2**31 else np.int64)
    colours: _Colours = np.searchsorted(0.5 * (values[1:] + values[:-1]), cost).astype(kind)
    rng = np.random.default_rng(0)
    hashed = _words(rng, values.size)[colours]
    inputs, outputs = np.zeros(len(cost), dtype=np.intp), np.zeros(cost.shape[1], dtype=np.intp)
    counts = (1, 1)
    while True:
        inputs = _split(inputs, hashed @ _words(rng, counts[1])[outputs], rng)
        # einsum walks along the rows; a product from the left would jump from row to row.
        outputs = _split(outputs, np.einsum("i,ij->j", _words(rng, int(inputs.max()) + 1)[inputs], hashed), rng)
        before, counts = counts, (int(inputs.max()) + 1, int(outputs.max()) + 1)
        if counts == cost.shape:
            return None
        if counts == before:
            break
    if not (_alike(colours, inputs, outputs) and _alike(np.ascontiguousarray(colours.T), outputs, inputs)):
        return None
    first = np.unique(inputs, return_index=True)[1]
    return Symmetry(values[colours[first]], inputs, outputs, delta)


def _distinct(cost: Array) -> tuple[Array, float]:
    """The middles of the groups of values, ascending, and the largest distance of a value from its middle."""
    ordered = np.sort(cost, axis=None)
    starts = np.append(0, np.flatnonzero(np.diff(ordered) > ROUNDING * ordered[-1]) + 1)
    lowest, highest = ordered[starts], ordered[np.append(starts[1:], ordered.size) - 1]
    middles = 0.5 * (lowest + highest)
    return middles, float(np.maximum(highest - middles, middles - lowest).max())


def _words(rng: np.random.Generator, size: int) -> _Words:
    return rng.integers(2**64, size=size, dtype=np.uint64)


def _split(classes: _Labels, hashes: _Words, rng: np.random.Generator) -> _Labels:
    """Classes of equal old class and equal hash, numbered by their first members."""
    mixed = hashes + _words(rng, int(classes.max()) + 1)[classes]
    _, first, labels = np.unique(mixed, return_index=True, return_inverse=True)
    number = np.empty(first.size, dtype=np.intp)
    number[np.argsort(first)] = np.arange(first.size)
    return number[labels]


def _alike(colours: _Colours, rows: _Labels, columns: _Labels) -> bool:
    """Whether all rows of a class have equally many entries of each colour in each class of columns, by counting."""
    pairs = np.sort(colours * colours.dtype.type(columns.max() + 1) + columns.astype(colours.dtype), axis=1)
    first = np.unique(rows, return_index=True)[1]
    return bool((pairs == pairs[first][rows]).all())
