"""Theorem C.4: R is attained, and by linear programming no mechanism does better, where the reference decomposes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linprog

from dpot_core.arguments import Array
from dpot_core.distributions.divergences import DIVERGENCES
from dpot_core.mechanisms.finite_reference import packing, reference_base, worst_case_between
from dpot_core.mechanisms.kl_projection import kl_projection, minimax_base_kl
from dpot_core.privacy.audits.certificates import certify
from dpot_core.privacy.polytopes import Polytope
from dpot_core.worst_case import worst_case_divergence

#: Reference, c1, c2: sets of mass (1 - c1)/(c2 - c1) cover the first three evenly, and cannot cover the others.
DECOMPOSED = [((0.5, 0.25, 0.25), 0.0, 2.0), ((0.25, 0.25, 0.25, 0.25), 0.5, 1.5), ((0.2,) * 5, 0.0, 2.5)]
NOT_DECOMPOSED = [((0.7, 0.2, 0.1), 0.0, 2.0), ((0.6, 0.25, 0.15), 0.2, 2.2)]


def extreme_inputs(reference: tuple[float, ...], c1: float, c2: float) -> Array:
    """All points of {c1 reference <= P <= c2 reference} with at most one entry between its bounds."""
    low, high = c1 * np.array(reference), c2 * np.array(reference)
    found = []
    for order in permutations(range(len(reference))):
        p, left = low.copy(), 1.0 - low.sum()
        for point in order:
            more = min(high[point] - low[point], left)
            p[point] += more
            left -= more
        found.append(p)
    return np.unique(np.round(found, 12), axis=0)


def least_worst_tv(inputs: Array, epsilon: float) -> float:
    """The least largest total variation of any epsilon-LDP mechanism on these inputs, a linear program."""
    n, k = inputs.shape
    size = 2 * n * k + 1  # outputs, what they miss, and the largest distance
    rows, right = [], []
    for i in range(n):
        total = np.zeros(size)
        total[n * k + i * k : n * k + (i + 1) * k], total[-1] = 1.0, -1.0
        rows.append(total)
        right.append(0.0)
        for x in range(k):
            missed = np.zeros(size)
            missed[i * k + x], missed[n * k + i * k + x] = -1.0, -1.0
            rows.append(missed)
            right.append(-inputs[i, x])
            for j in range(n):
                if j != i:
                    ratio = np.zeros(size)
                    ratio[i * k + x], ratio[j * k + x] = 1.0, -np.exp(epsilon)
                    rows.append(ratio)
                    right.append(0.0)
    sums = np.zeros((n, size))
    for i in range(n):
        sums[i, i * k : (i + 1) * k] = 1.0
    aim = np.zeros(size)
    aim[-1] = 1.0
    found = linprog(aim, np.array(rows), right, sums, np.ones(n))
    assert found.success
    return float(found.fun)


@pytest.mark.parametrize(("reference", "c1", "c2"), DECOMPOSED)
@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_where_the_reference_decomposes_r_is_attained_and_the_least(
    reference: tuple[float, ...], c1: float, c2: float, epsilon: float
) -> None:
    assert packing(reference, c1, c2) == pytest.approx(1.0, abs=1e-9)
    inputs = extreme_inputs(reference, c1, c2)
    Q = Polytope(reference_base(reference, c1, c2, epsilon), epsilon)
    outputs = kl_projection(inputs, Q)
    assert certify(Q) <= epsilon
    for name in DIVERGENCES:
        worst = np.asarray(DIVERGENCES[name](inputs, outputs)).max()
        assert worst == pytest.approx(worst_case_between(name, c1, c2, epsilon), abs=1e-9)
    assert least_worst_tv(inputs, epsilon) == pytest.approx(worst_case_between("tv", c1, c2, epsilon), abs=1e-7)


@pytest.mark.parametrize(("reference", "c1", "c2"), NOT_DECOMPOSED)
def test_where_it_does_not_r_is_a_bound_that_another_mechanism_beats(
    reference: tuple[float, ...], c1: float, c2: float
) -> None:
    assert packing(reference, c1, c2) < 0.99
    inputs = extreme_inputs(reference, c1, c2)
    bound = worst_case_between("tv", c1, c2, 1.0)
    outputs = kl_projection(inputs, Polytope(reference_base(reference, c1, c2, 1.0), 1.0))
    assert np.asarray(DIVERGENCES["tv"](inputs, outputs)).max() <= bound + 1e-9
    assert least_worst_tv(inputs, 1.0) < bound - 0.01


def test_the_uniform_reference_is_theorem_3_1() -> None:
    np.testing.assert_allclose(reference_base(np.full(7, 1 / 7), 0.0, 7.0, 1.3), minimax_base_kl(7, 1.3), rtol=1e-14)
    for name in DIVERGENCES:
        assert worst_case_between(name, 0.0, 7.0, 1.3) == pytest.approx(worst_case_divergence(name, 7, 1.3), rel=1e-13)
    assert packing(np.full(7, 1 / 7), 0.0, 7.0) == pytest.approx(1.0)


def test_half_of_the_mass_needs_two_copies() -> None:
    """Of three equal points any two have mass 2/3: three pairs cover two copies of the points."""
    assert packing(np.full(3, 1 / 3), 0.0, 1.5) == pytest.approx(1.0)
    assert packing([0.5, 0.5], 0.0, 3.0) == 0.0


def test_arguments_are_checked() -> None:
    for c1, c2 in ((0.5, 0.9), (0.9, 1.1), (1.0, 2.0)):
        with pytest.raises(ValueError, match=r"c[12]"):
            reference_base([0.5, 0.5], c1, c2, 1.0)
    with pytest.raises(ValueError, match="at most 16 points"):
        packing(np.full(17, 1 / 17), 0.0, 2.0)
    with pytest.raises(ValueError, match="0 <= c1 < 1 < c2"):
        packing([0.5, 0.5], 0.5, 0.9)
