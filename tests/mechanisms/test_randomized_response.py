"""k-ary randomized response: closed form, decoding, sums."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from tests.strategies import distributions, epsilons

inputs = st.integers(1, 20).flatmap(distributions)


@given(inputs, epsilons)
def test_randomized_response_is_the_closed_form(mu, epsilon):
    """Keep the drawn point with probability e^eps / (e^eps + k - 1), otherwise any other one."""
    k = len(mu)
    keep, move = math.exp(epsilon) / (math.exp(epsilon) + k - 1), 1 / (math.exp(epsilon) + k - 1)
    expected = mu * keep + (1 - mu) * move
    np.testing.assert_allclose(dpot.randomized_response(mu, epsilon), expected, rtol=1e-9, atol=1e-14)


def test_two_answers_are_warners_coin():
    truth = dpot.randomized_response([[1.0, 0.0], [0.0, 1.0]], math.log(3))
    np.testing.assert_allclose(truth, [[0.75, 0.25], [0.25, 0.75]])


@given(inputs, epsilons)
def test_randomized_response_lies_in_the_polytope_of_kpm(mu, epsilon):
    Q = dpot.Polytope(dpot.minimax_base_kl(len(mu), epsilon), epsilon)
    assert Q.contains(dpot.randomized_response(mu, epsilon))


@given(st.integers(2, 12).flatmap(distributions), st.floats(0.05, 12))
def test_decoding_undoes_it(mu, epsilon):
    from dpot_core.mechanisms.randomized_response import decode_randomized_response

    decoded = decode_randomized_response(dpot.randomized_response(mu, epsilon), epsilon)
    np.testing.assert_allclose(decoded, mu, atol=1e-11)


def test_decoding_gives_a_distribution_whatever_was_counted():
    from dpot_core.mechanisms.randomized_response import decode_randomized_response

    counts = np.random.default_rng(0).multinomial(30, np.full(10, 0.1), size=50) / 30
    decoded = decode_randomized_response(counts, 0.5)
    assert (decoded >= 0).all()
    np.testing.assert_allclose(decoded.sum(axis=1), 1, atol=1e-12)


def test_the_projection_on_the_simplex_is_the_nearest_point():
    from dpot_core.mechanisms.randomized_response import project_simplex

    rng = np.random.default_rng(1)
    values = rng.normal(size=(20, 6))
    nearest = project_simplex(values)
    others = rng.dirichlet(np.full(6, 0.5), 200)
    for row, best in zip(values, nearest, strict=True):
        assert ((others - row) ** 2).sum(axis=1).min() >= ((best - row) ** 2).sum() - 1e-12
    np.testing.assert_allclose(project_simplex([[0.7, 0.5]]), [[0.6, 0.4]])


@pytest.mark.parametrize("mu", [[0.5, 0.6], [-1.0, 2.0], [math.nan, 1.0], []])
def test_bad_input_is_refused(mu):
    with pytest.raises(ValueError, match="mu"):
        dpot.randomized_response(mu, 1.0)
