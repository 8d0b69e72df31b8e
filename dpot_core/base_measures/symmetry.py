"""Inputs and outputs that a cost matrix cannot tell apart, and why an optimal base is the same on all that are alike.

**Equitable partition.** Inputs are put into classes I and outputs into classes J such that, for every value c of the
cost, n(I, J, c) = #{j in J : C_ij = c} is the same for all i in I, and #{i in I : C_ij = c} is the same for all j in
J. The orbits of any group of permutations of inputs and outputs that leave the cost as it is are such classes: those
of the symmetries of a square grid (8), of a rectangular one (4), of the rotations and reflections of a ring with every
n-th output. Counts are all that the proofs need, so counts are what is computed and checked here, not the group.

**An optimal base is constant on classes.** f(m) <= t if and only if there is a mechanism q (its outputs on the Diracs)
with alpha m_j <= q_ij <= beta m_j, sum_j q_ij = 1 and sum_j C_ij q_ij <= t for all i. Let m' be the mean of m over
each class J, and q'_ij the mean of q over those pairs of I x J that have the cost c = C_ij, where i is in I, j in J.
Every output of J is in equally many of these pairs, so the mean of m_j over them is m'_j, and the bounds hold for q'
and m'. There are |I| n(I, J, c) such pairs, and in a row of I n(I, J, c), so a sum over a row of q' is the mean of
that sum over all rows of I: the sum of probabilities is 1, and the cost is a mean of costs that are at most t. The
mass of m' is that of m. Hence f(m') <= f(m), for every base measure m.

**A certificate of the small problem is one of the whole problem.** Where m is constant on classes, phi_i(m), tau_i(m)
and the sum of the bracket g_i(m) over each J (see `Objective`) are made of m and the counts, so they depend on the
class of i only. Hence f(m) is the largest of the phi of one input per class: the value is that of the whole problem.
And the mean over i in I of the cuts phi_i(m') >= tau_i + g_i.m' is a mixture of cuts of the whole problem. Its
coefficients are constant on each J, because equally many inputs of I have the cost c to each of its outputs; so they
are (1 / |J|) sum_(j in J) g_ij for any one i in I. A mixture of summed cuts thus has the same least value over all
base measures as the mixture of all cuts that gives the inputs of I equal shares of the weight of I, and that is a
lower bound on min f.

**Rounding.** Distances that are equal on paper differ in the last places. So costs are collected into groups of values
that lie within rounding of each other, and the partition is exactly equitable for C', which has the middle of its
group for every cost. |C - C'| <= delta everywhere, so phi_i, a mean of costs, and f change by at most delta, whatever
the base measure: what is proven for C' holds for C once delta is added to the value and taken from the lower bound.
Where equal distances are equal numbers, delta is 0.
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
