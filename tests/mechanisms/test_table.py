"""Laws that every mechanism of the table obeys: privacy with exact rationals, shapes, batches, extreme budgets."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests import oracles
from tests.strategies import bases, distances, distributions, epsilons

NAMES = [*dpot.MECHANISMS]


@st.composite
def settings_and_inputs(draw, name: str):
    """A setting with k_v != k (then snapped to the nearest output), all point inputs and a few others."""
    k, k_v = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    epsilon = draw(epsilons)
    apart = draw(distances(k, k_v))
    p = draw(st.sampled_from([1.0, 2.0]))
    base = draw(bases(k_v, epsilon))
    if name == "mollifier":
        # The reference needs mass everywhere (otherwise the mechanism reports that it is infeasible) and sums to 1.
        base = dpot.normalise(np.maximum(base, 1e-12))
    public = dpot.Public(
        cost=apart**p,
        distances=apart,
        epsilon=epsilon,
        base=base,
        reg=draw(st.sampled_from([None, 0.01, 1.0])),
        max_iter=draw(st.sampled_from([1, 40])),
        snap=np.argmin(apart, axis=1),
        prior=draw(st.one_of(st.none(), distributions(k_v))) if name == "kpm-prior" else None,
        gamma=draw(st.sampled_from([1.0, 3.0, math.inf])),
    )
    inputs = np.vstack([np.eye(k), *[draw(distributions(k)) for _ in range(3)]])
    return public, inputs


def test_every_mechanism_has_a_label_and_a_title():
    assert {"wpm", "kpm", "em", "krr", "mollifier", "kpm-prior"} <= set(NAMES)
    for builder in dpot.MECHANISMS.values():
        assert builder.label
        assert builder.title
    assert dpot.MECHANISMS["wpm"].label == "WPM"
    assert dpot.MECHANISMS["wpm"].title == "Wasserstein projection"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_every_pair_of_inputs_stays_within_e_to_the_epsilon(name, data):
    """Output by output, the largest over the smallest probability as exact rationals against e^epsilon."""
    public, inputs = data.draw(settings_and_inputs(name))
    outputs = dpot.MECHANISMS[name](public)(inputs)
    assert outputs.shape == (len(inputs), public.cost.shape[1])
    assert (outputs >= 0).all()
    for row in outputs:
        assert oracles.sum_error_in_ulps(row) <= row.size
    assert oracles.ratio_violations(outputs, public.epsilon) == []
    assert dpot.certify(outputs).holds(public.epsilon)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("epsilon", [1e-9, 1e-6, 1.0, 100.0, 700.0])
def test_the_ratio_holds_on_a_line_much_longer_than_a_step(name, epsilon):
    """Far outputs have probabilities that leave float64; rounding them to 0 for one input only would be fatal."""
    inputs = np.vstack([np.eye(6), np.full((1, 6), 1 / 6), [[0.5, 0.5, 0, 0, 0, 0]]])
    points, targets = np.arange(6.0), np.array([0.0, 5.0, 60.0, 100.0])
    apart = np.abs(points[:, None] - targets)
    public = dpot.Public(
        cost=apart, distances=apart, epsilon=epsilon, base=np.full(4, 0.25), snap=np.argmin(apart, axis=1)
    )
    outputs = dpot.MECHANISMS[name](public)(inputs)
    np.testing.assert_allclose(outputs.sum(axis=1), 1, atol=1e-14)
    assert oracles.ratio_violations(outputs, epsilon) == []


@pytest.mark.parametrize("name", NAMES)
def test_one_input_alone_is_treated_like_one_of_many(name):
    rng = np.random.default_rng(1)
    space = dpot.ring(9)
    public = dpot.Public(
        cost=dpot.cost_matrix(space, p=2), distances=space.distances(), epsilon=1.5, base=dpot.uniform_base(9)
    )
    mechanism = dpot.MECHANISMS[name](public)
    rows = dpot.dirichlet(9, 0.2, rng, size=4)
    together = mechanism(rows)
    for row, expected in zip(rows, together, strict=True):
        alone = mechanism(row)
        assert alone.shape == (9,)
        np.testing.assert_allclose(alone, expected, atol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_a_tiny_budget_says_nothing_about_the_input(name):
    space = dpot.ring(5)
    public = dpot.Public(
        cost=dpot.cost_matrix(space, p=2), distances=space.distances(), epsilon=1e-9, base=dpot.uniform_base(5)
    )
    outputs = dpot.MECHANISMS[name](public)(np.eye(5))
    assert np.ptp(outputs, axis=0).max() <= 1e-9


@pytest.mark.parametrize("name", ["wpm", "kpm", "krr", "mollifier", "kpm-prior"])
def test_a_huge_budget_returns_the_input(name):
    space = dpot.ring(5)
    mu = np.array([0.4, 0.3, 0.2, 0.1, 0.0])
    public = dpot.Public(
        cost=dpot.cost_matrix(space, p=2), distances=space.distances(), epsilon=100.0, base=dpot.uniform_base(5)
    )
    np.testing.assert_allclose(dpot.MECHANISMS[name](public)(mu), mu, atol=1e-12)


@pytest.mark.parametrize("name", ["kpm", "krr", "mollifier", "kpm-prior"])
def test_snap_moves_the_input_before_the_mechanism_sees_it(name):
    snap = np.array([0, 0, 1, 1, 2])
    apart = np.abs(np.arange(5.0)[:, None] - np.array([0.5, 2.5, 4.0]))
    far = dpot.Public(cost=apart, distances=apart, epsilon=1.0, base=np.full(3, 1 / 3), snap=snap)
    inside = np.abs(np.arange(3.0)[:, None] - np.arange(3.0))
    near = dpot.Public(cost=inside, distances=inside, epsilon=1.0, base=np.full(3, 1 / 3))
    mu = np.array([0.1, 0.3, 0.2, 0.2, 0.2])
    moved = np.array([0.4, 0.4, 0.2])
    np.testing.assert_allclose(dpot.MECHANISMS[name](far)(mu), dpot.MECHANISMS[name](near)(moved), atol=1e-14)


def test_a_support_mismatch_without_snap_is_refused():
    """Three inputs, two outputs: nothing says where KPM, k-RR and the mollifier should look for the input's mass."""
    for snap in (None, [0, 1], [0, 1, 2], [0, 1, -1]):
        with pytest.raises(ValueError, match="snap"):
            dpot.Public(cost=np.ones((3, 2)), distances=np.ones((3, 2)), epsilon=1.0, base=np.full(2, 0.5), snap=snap)
    with pytest.raises(ValueError, match="distances"):
        dpot.Public(cost=np.ones((3, 3)), distances=np.ones((3, 2)), epsilon=1.0, base=np.full(3, 0.3))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "mu", [[0.5, 0.6], [math.nan, 1.0], [math.inf, 0.0], [-0.5, 1.5], [0.0, 0.0], [1.0], [[0.5, 0.5, 0.0]]]
)
def test_bad_inputs_are_refused(name, mu):
    apart = np.array([[0.0, 1.0], [1.0, 0.0]])
    mechanism = dpot.MECHANISMS[name](dpot.Public(cost=apart, distances=apart, epsilon=1.0, base=np.full(2, 0.5)))
    with pytest.raises(ValueError, match="mu"):
        mechanism(mu)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("epsilon", [0, -1.0, 1e6, math.nan])
def test_bad_budgets_are_refused(name, epsilon):
    apart = np.array([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="epsilon"):
        dpot.MECHANISMS[name](dpot.Public(cost=apart, distances=apart, epsilon=epsilon, base=np.full(2, 0.5)))(
            [0.5, 0.5]
        )


@pytest.mark.parametrize("name", NAMES)
def test_one_place_only(name):
    public = dpot.Public(cost=np.zeros((1, 1)), distances=np.zeros((1, 1)), epsilon=1.0, base=np.ones(1))
    assert dpot.MECHANISMS[name](public)([1.0]).tolist() == [1.0]
