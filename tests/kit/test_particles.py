"""Particles: exact draws through the inverse distribution function, which walk while the distribution changes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dpot_app.kit.particles import columns, fallen, uniforms

POINTS = np.array([[x, y] for y in (0.5, 1.5, 2.5) for x in (0.5, 1.5, 2.5, 3.5)])
COLUMNS = columns(POINTS)
MASSES = hnp.arrays(np.float64, len(POINTS), elements=st.sampled_from([0.0, 1e-300, 0.1, 1.0, 3.0])).filter(
    lambda nu: nu.sum() > 0
)


def fine(count: int) -> np.ndarray:
    """Every pair of the middles of so many steps of [0, 1)."""
    one = (np.arange(count) + 0.5) / count
    return np.stack(np.meshgrid(one, one), axis=-1).reshape(-1, 2)


@given(MASSES)
def test_every_output_is_drawn_as_often_as_it_is_likely(nu: np.ndarray) -> None:
    count = 200
    outputs, places = fallen(nu, COLUMNS, fine(count), (1.0, 1.0))
    shares = np.bincount(outputs, minlength=len(nu)) / count**2
    # The ends of the steps are met to one part of each side.
    np.testing.assert_allclose(shares, nu / nu.sum(), atol=2.0 / count)
    assert not (shares[nu == 0] > 0).any(), "what has no mass is never drawn"
    assert (np.abs(places - POINTS[outputs]) <= 0.5 + 1e-12).all(), "each lies in its own cell"


@given(MASSES, st.integers(0, 100))
def test_particles_are_the_inverse_along_x_and_then_along_y(nu: np.ndarray, seed: int) -> None:
    random = np.random.default_rng(seed).random((20, 2))
    outputs, _ = fallen(nu, COLUMNS, random, (1.0, 1.0))
    for (u, v), output in zip(random, outputs, strict=True):
        masses = nu.reshape(3, 4)
        across = int(np.searchsorted(np.cumsum(masses.sum(axis=0)), u * nu.sum(), side="right"))
        up = int(np.searchsorted(np.cumsum(masses[:, across]), v * masses[:, across].sum(), side="right"))
        assert output == 4 * up + across


@pytest.mark.nightly
@pytest.mark.slow
@settings(max_examples=20)
@given(MASSES, MASSES)
def test_particles_of_a_column_walk_and_do_not_jump(one: np.ndarray, other: np.ndarray) -> None:
    """Along x, where the mass is positive everywhere, a small change of the masses is a small step."""
    random = uniforms("test", 50, 2)
    at = [fallen(0.1 + one + share * (other - one), COLUMNS, random, (1.0, 1.0))[1] for share in np.linspace(0, 1, 400)]
    assert np.abs(np.diff([places[:, 0] for places in at], axis=0)).max() < 0.2


def test_each_particle_may_have_a_distribution_of_its_own() -> None:
    nu = np.eye(len(POINTS))[[3, 0, 7]]
    assert fallen(nu, COLUMNS, np.full((3, 2), 0.999), (1.0, 1.0))[0].tolist() == [3, 0, 7]


@pytest.mark.parametrize("mass", [0.1, 5e-324])
def test_the_last_uniform_has_a_step_with_mass(mass: float) -> None:
    """Where masses are the least floats there are, rounding takes the aim to the very end."""
    nu = np.array([mass] + [0.0] * 11)
    assert fallen(nu, COLUMNS, np.array([[1 - 2**-53, 1 - 2**-53]]), (1.0, 1.0))[0].tolist() == [0]


def test_the_first_uniform_has_a_step_with_mass() -> None:
    nu = np.array([0.0, 0.0, 0.5, 0.0] * 2 + [0.0, 0.0, 0.5, 0.0])
    nu[2] = 0.0
    assert fallen(nu, COLUMNS, np.zeros((1, 2)), (1.0, 1.0))[0].tolist() == [6]


@pytest.mark.parametrize("mass", [0.25, 1.0, 30.0])
def test_particles_of_a_cell_are_spread_evenly_over_it(mass: float) -> None:
    nu = np.zeros(len(POINTS))
    nu[[1, 6]] = mass, 3 * mass
    outputs, places = fallen(nu, COLUMNS, fine(80), (1.0, 1.0))
    for cell in (1, 6):
        inside = np.sort(places[outputs == cell] - POINTS[cell], axis=0)
        np.testing.assert_allclose(inside, np.linspace(-0.5, 0.5, len(inside))[:, None] * [1, 1], atol=0.03)


def test_without_mass_nothing_falls() -> None:
    with pytest.raises(ValueError, match="some mass"):
        fallen(np.zeros(len(POINTS)), COLUMNS, uniforms("test", 2, 2), (1.0, 1.0))


def test_uniforms_are_known_and_those_of_another_name_are_others() -> None:
    assert (uniforms("one", 5, 2) == uniforms("one", 5, 2)).all()
    assert (uniforms("one", 5, 2) != uniforms("other", 5, 2)).all()
