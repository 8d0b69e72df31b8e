"""Weights of the groups in a barycenter's objective: exact small cases, and equal ones change nothing."""

from fractions import Fraction

import numpy as np
import pytest

from dpot_core.mechanisms.central.barycenter import barycenter
from dpot_core.transport.barycenters import barycenter_cost, free_support
from dpot_core.transport.group_shares import check_shares

LEFT, RIGHT = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[10.0], [11.0], [14.0], [15.0]])


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def test_on_the_line_atoms_are_weighted_means_of_quantiles_in_exact_rationals() -> None:
    """Two atoms: the halves' means of each group are (1/2, 5/2) and (21/2, 29/2); weights 3 and 1."""
    found = free_support([LEFT, RIGHT], 2, rng(), weights=[3.0, 1.0])
    halves = [(Fraction(1, 2), Fraction(5, 2)), (Fraction(21, 2), Fraction(29, 2))]
    wanted = [(3 * one + other) / 4 for one, other in zip(*halves, strict=True)]
    assert np.sort(found.atoms[:, 0]) == pytest.approx([float(atom) for atom in wanted], abs=1e-9)
    cost = Fraction(0)
    for beta, points in ((Fraction(3, 4), LEFT), (Fraction(1, 4), RIGHT)):
        for index, point in enumerate(points[:, 0]):
            cost += beta * (Fraction(float(point)) - wanted[index // 2]) ** 2 / 4
    assert found.cost == pytest.approx(float(cost), rel=1e-12)
    assert barycenter_cost([LEFT, RIGHT], found.atoms, weights=[6, 2]) == pytest.approx(found.cost, rel=1e-12)


def test_one_atom_for_other_orders_is_the_weighted_power_mean() -> None:
    """One point each, at 0 and 1: the median goes where more weight is; p = 3 has beta y^2 = (1 - beta)(1 - y)^2."""
    groups = [np.zeros((1, 1)), np.ones((1, 1))]
    assert free_support(groups, 1, rng(), p=1, weights=[1, 2]).atoms[0, 0] == pytest.approx(1.0, abs=1e-6)
    ratio = 2.0**0.5
    assert free_support(groups, 1, rng(), p=3, weights=[1, 2]).atoms[0, 0] == pytest.approx(
        ratio / (1 + ratio), abs=1e-6
    )


def test_entropic_atoms_follow_the_weights_too() -> None:
    found = free_support([LEFT, RIGHT], 1, rng(), weights=[3, 1], method="entropic", reg=0.01, max_iter=200)
    assert found.atoms[0, 0] == pytest.approx(0.75 * 1.5 + 0.25 * 12.5, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("p", [2.0, 1.5])
def test_equal_weights_are_the_plain_mean_to_the_last_bit_and_whole_ones_are_repeated_groups(p: float) -> None:
    draw = rng()
    groups = [draw.normal(size=(30, 2)), draw.normal(size=(40, 2)) + 1]
    plain = barycenter(groups, 3, rng=rng(), p=p)
    equal = barycenter(groups, 3, rng=rng(), p=p, weights=[0.3, 0.3])
    assert (equal.atoms == plain.atoms).all() and equal.cost() == plain.cost() and equal.weights is None
    given = barycenter(groups, 3, rng=rng(), p=p, weights=[2, 1])
    assert given.cost() == pytest.approx(barycenter_cost([groups[0], groups[0], groups[1]], given.atoms, p), rel=1e-12)
    assert given.cost(groups) == pytest.approx(given.cost(), rel=1e-12)
    assert given.cost() <= barycenter_cost(groups, plain.atoms, p, [2, 1]) * (1 + 1e-9)


@pytest.mark.parametrize("weights", [[1.0], [1.0, 0.0], [1.0, -1.0], [1.0, np.nan], [[1.0, 2.0]]])
def test_weights_that_do_not_fit_are_refused(weights) -> None:
    with pytest.raises(ValueError, match="weights"):
        check_shares(weights, 2)


def test_large_weights_do_not_overflow() -> None:
    shares = check_shares([1e308, 1e308, 5e307], 3)
    assert shares is not None and shares == pytest.approx([0.4, 0.4, 0.2])
