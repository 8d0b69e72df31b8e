"""The tool for fixed noise: honest releases agree to the byte, whatever reads the data again does not."""

import numpy as np
import pytest

from dpot_core.mechanisms.central.noise import discrete_laplace, gaussian
from dpot_core.privacy import streams
from dpot_core.privacy.guarantees import Guarantee
from tests.noise import Fixed

PROVEN = Guarantee(1.0, neighbours="replace")
COUNTS, OTHER = np.array([3, 0, 9, 4]), np.array([3, 1, 9, 3])


def added(data, rng):
    return data + 0.5 * rng.laplace(size=4)


def twice(data, rng):
    shares = data / data.size + np.float64(2.0) * rng.standard_normal(4).reshape(4)
    return np.append(shares, 1.5 * rng.normal() + data[0])


def integers(data, rng):
    return data + rng.geometric(0.3, 4) - rng.geometric(0.3, 4)


def by_function(data, rng):
    return discrete_laplace(data, 2.0, rng) + gaussian(data / 2, 1.0, rng)


def with_opendp(data, rng):
    return discrete_laplace(data, 2.0, rng, secure=PROVEN)


def with_its_own_generator(data, rng):
    return data + np.random.default_rng(3).normal(size=4), data - streams.stream(3, "name").laplace(size=4)


@pytest.mark.parametrize("release", [added, twice, integers, by_function, with_opendp, with_its_own_generator])
def test_a_release_of_noisy_values_only_is_the_same(release):
    fixed = Fixed()

    def published(data):
        return np.stack(release(data, fixed.generator(1))).tobytes()

    assert fixed.record(published, COUNTS) == fixed.replay(published, OTHER)


def test_a_second_look_at_the_data_is_found():
    fixed = Fixed()

    def centred(data):
        noisy = added(data, fixed.generator(1))
        return (noisy - noisy @ data / data.sum()).tobytes()

    assert fixed.record(centred, COUNTS) != fixed.replay(centred, OTHER)


def test_how_many_values_get_noise_may_not_depend_on_the_data():
    fixed = Fixed()

    def occupied(data):
        return gaussian(data[data > 0].astype(float), 1.0, fixed.generator(1))

    fixed.record(occupied, COUNTS)
    with pytest.raises(AssertionError, match="shape"):
        fixed.replay(occupied, OTHER)

    def each(data):
        return [gaussian(np.ones(1), 1.0, fixed.generator(1)) for _ in range(data[1])]

    fixed.record(each, OTHER)
    with pytest.raises(AssertionError, match="0 noisy values, recorded were 1"):
        fixed.replay(each, COUNTS)


def test_without_noise_there_is_nothing_to_test():
    fixed = Fixed()
    with pytest.raises(AssertionError, match="no noise was drawn"):
        fixed.record(lambda: fixed.generator(1).random(3))


def test_the_generator_draws_what_it_would_draw():
    """Recording changes no number."""
    plain = np.random.Generator(np.random.PCG64([1]))
    fixed = Fixed()
    for release in (added, twice, integers, by_function):
        np.testing.assert_array_equal(
            fixed.record(release, COUNTS, fixed.generator(1)),
            release(COUNTS, np.random.Generator(np.random.PCG64([1]))),
        )
    assert np.random.default_rng(1).random() == np.random.Generator(np.random.PCG64(1)).random()
    assert fixed.generator(1).random() == plain.random()
