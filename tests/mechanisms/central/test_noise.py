"""Noise: its distribution, the private side of every rounding, and the route for a release."""

from fractions import Fraction

import numpy as np
import pytest

from dpot_core.mechanisms.central.noise import discrete_laplace, expected_size, gaussian, scale_for
from dpot_core.mechanisms.central.public_randomness import generator
from dpot_core.privacy.guarantees import Guarantee

PROVEN = Guarantee(1.0, neighbours="replace")


@pytest.mark.parametrize("budget", [Fraction(1, 3), Fraction(7, 10**9), Fraction(0.1) * 3, Fraction(100)])
@pytest.mark.parametrize("sensitivity", [1, 2])
def test_the_scale_is_on_the_private_side_and_close(sensitivity: int, budget: Fraction) -> None:
    scale = Fraction(scale_for(sensitivity, budget))
    assert sensitivity / scale <= budget
    assert sensitivity / scale >= budget * (1 - Fraction(1, 2**51))


def test_a_scale_beyond_64_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="epsilon must leave noise below"):
        scale_for(2, Fraction(1, 10**18))


def pmf(scale: float, z: np.ndarray) -> np.ndarray:
    q = np.exp(-1.0 / scale)
    return (1 - q) / (1 + q) * q ** np.abs(z)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("secure", [None, PROVEN], ids=["demonstration", "release"])
def test_noise_is_discrete_laplace(scale: float, secure: Guarantee | None) -> None:
    n = 20_000
    drawn = discrete_laplace(np.zeros(n, dtype=np.int64), scale, np.random.default_rng(1), secure=secure)
    values = np.arange(-6, 7)
    seen = np.array([(drawn == z).mean() for z in values])
    expected = pmf(scale, values)
    # Seven standard errors: a release cannot be seeded, so the bound must practically never be missed.
    assert (np.abs(seen - expected) <= 7 * np.sqrt(expected * (1 - expected) / n) + 3 / n).all()


@pytest.mark.parametrize("scale", [0.2, 1.0, 3.0, 40.0])
def test_expected_size_is_the_mean_size_of_a_draw(scale: float) -> None:
    z = np.arange(-2000, 2001)
    assert expected_size(scale) == pytest.approx((pmf(scale, z) * np.abs(z)).sum(), rel=1e-9)
    assert expected_size(1e-6) == 0.0


def test_a_release_takes_no_chance_from_the_callers_generator() -> None:
    rng = np.random.default_rng(3)
    assert generator(rng, None) is rng
    before = rng.bit_generator.state
    one, other = (generator(rng, PROVEN) for _ in range(2))
    assert rng.bit_generator.state == before and one is not rng
    assert one.random() != other.random()
    with pytest.raises(ValueError, match="rng must be a numpy"):
        generator(None, None)


def test_gaussian_has_its_deviation_on_both_routes() -> None:
    values = np.full((2000, 2), 3.0)
    for secure in (None, PROVEN):
        noisy = gaussian(values, 0.5, np.random.default_rng(0), secure=secure)
        assert noisy.shape == values.shape
        assert noisy.std() == pytest.approx(0.5, rel=0.1)
        assert noisy.mean() == pytest.approx(3.0, abs=0.05)
    assert (gaussian(values, 0.0, np.random.default_rng(0)) == values).all()


def test_a_release_cannot_be_repeated_and_an_exploration_can() -> None:
    counts = np.arange(50)
    first, second = (discrete_laplace(counts, 5.0, np.random.default_rng(7)) for _ in range(2))
    assert (first == second).all()
    secure = [discrete_laplace(counts, 5.0, np.random.default_rng(7), secure=PROVEN) for _ in range(2)]
    assert (secure[0] != secure[1]).any()
    values = np.arange(50.0)
    first, second = (gaussian(values, 5.0, np.random.default_rng(7)) for _ in range(2))
    assert (first == second).all()
    secure = [gaussian(values, 5.0, np.random.default_rng(7), secure=PROVEN) for _ in range(2)]
    assert (secure[0] != secure[1]).any()


def test_nothing_unproven_draws_for_a_release() -> None:
    """Whatever mechanism asks: generator and both noises take the promise, and refuse one that is claimed only."""
    claimed, rng = Guarantee(1.0, 1e-6, "replace", proven=False), np.random.default_rng(0)
    with pytest.raises(ValueError, match="not proven is not released"):
        generator(None, claimed)
    with pytest.raises(ValueError, match="not proven is not released"):
        discrete_laplace(np.zeros(1, dtype=np.int64), 1.0, rng, secure=claimed)
    with pytest.raises(ValueError, match="not proven is not released"):
        gaussian(np.zeros(1), 1.0, rng, secure=claimed)
