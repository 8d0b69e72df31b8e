"""MBDE: its band for any network at all, integrals, exact draws, seeds, what training achieves, bad input."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import dpot_core as dpot
from dpot_core.mechanisms.continuous.mbde import CAP, Classifier, combined, step_weights

LINE = dpot.gaussian_mixture_family()
REFERENCE = dpot.continuous.gaussian_reference()
SHIFTED = LINE.mixture([0.9])
TWO = LINE.mixture([-1.0, 1.0], [0.9, 0.1])
PLACES = np.concatenate([np.linspace(-4, 4, 4001), [-4.0, 4.0, 1e-300, 0.0]])
EPSILONS = (0.05, 0.5, 1.0, 3.0, 10.0)
#: Laws that hold for any networks: by day for some that were trained a little, by night for those that are released.
LITTLE = {"rounds": 3, "steps": 60}
EVERY = pytest.mark.parametrize(
    ("epsilon", "much"),
    [(3.0, False), (10.0, False), *(pytest.param(epsilon, True, marks=pytest.mark.nightly) for epsilon in EPSILONS)],
)


def train(epsilon: float = 1.0, seed: int = 1, p=SHIFTED, **options) -> dpot.continuous.BoostedDensity:
    return dpot.boosted_density(p, REFERENCE, epsilon, np.random.default_rng(seed), **options)


@cache
def trained(epsilon: float, seed: int, p, much: bool = True) -> dpot.continuous.BoostedDensity:
    """Once for all the laws that are tested on it."""
    return train(epsilon, seed, p, **({} if much else LITTLE))


def step_at(place: float, sign: float = 1.0) -> Classifier:
    """log 2 on one side of a place, -log 2 on the other: as far as a classifier can go."""
    return Classifier(np.array([1e9]), np.array([-1e9 * place]), np.array([1e3 * sign]), 0.0)


def integral(density: dpot.continuous.BoostedDensity, *kinks: float) -> float:
    """By Gauss' rule on so many panels that half of them give the same."""
    half, whole = (panelled(density, kinks, panels) for panels in (800, 1600))
    assert half == pytest.approx(whole, abs=1e-12)
    return whole


def panelled(density: dpot.continuous.BoostedDensity, kinks: tuple[float, ...], panels: int) -> float:
    edges = np.unique([*kinks, *np.linspace(-4, 4, panels + 1)])
    places, weights = np.polynomial.legendre.leggauss(12)
    middle, reach = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
    values = np.asarray(density.density(middle[:, None] + reach[:, None] * places))
    return math.fsum(((values @ weights) * reach).tolist())


def check_band(output: dpot.continuous.BoostedDensity, epsilon: float) -> None:
    q, q0 = output.density(PLACES), REFERENCE.density(PLACES)
    lower, upper = output.band(PLACES)
    assert (q >= lower).all() and (q <= upper).all()
    assert (lower >= math.exp(-epsilon / 2) * q0).all() and (upper <= math.exp(epsilon / 2) * q0).all()
    assert (upper <= math.exp(epsilon) * lower).all()


# --- the guarantee ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [1e-6, *EPSILONS, 20.0])
def test_the_weights_spend_a_quarter_of_epsilon_on_either_side(epsilon: float) -> None:
    assert CAP * math.fsum(step_weights(epsilon, 10_000)) == pytest.approx(epsilon / 4, rel=1e-9)
    for rounds in (1, 3, 10):
        spent = 4 * CAP * math.fsum(step_weights(epsilon, rounds))
        assert spent <= epsilon
        output = combined(SHIFTED, REFERENCE, epsilon, [step_at(0.0)] * rounds)
        assert output.epsilon_used == pytest.approx(spent, rel=1e-12)
        assert output.epsilon_used < epsilon


@pytest.mark.slow
@EVERY
def test_trained_outputs_stay_in_the_band_and_integrate_to_one(epsilon: float, much: bool) -> None:
    for p in (SHIFTED, TWO):
        output = trained(epsilon, 1, p, much)
        check_band(output, epsilon)
        assert integral(output) == pytest.approx(1.0, abs=1e-9)
        assert output.error <= 1e-9


numbers = st.one_of(st.sampled_from([0.0, 1e9, -1e9, math.inf, -math.inf, math.nan]), st.floats(-50, 50))


@st.composite
def classifiers(draw) -> Classifier:
    units = draw(st.integers(1, 3))
    slopes, offsets, outer = (np.array(draw(st.lists(numbers, min_size=units, max_size=units))) for _ in range(3))
    return Classifier(slopes, offsets, outer, draw(numbers))


@given(st.lists(classifiers(), min_size=1, max_size=4), st.sampled_from(EPSILONS))
def test_no_network_whatever_leaves_the_band(found: list[Classifier], epsilon: float) -> None:
    assert all((np.abs(one(PLACES)) <= CAP).all() for one in found)
    output = combined(SHIFTED, REFERENCE, epsilon, found)
    check_band(output, epsilon)
    assert output.error <= 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(
    "place", [-3.9, *(pytest.param(place, marks=pytest.mark.nightly) for place in (-1.0, 0.0, 2.5))]
)
def test_the_worst_networks_use_the_band_and_stay_normalised(epsilon: float, place: float) -> None:
    rounds = 40
    one, other = (combined(SHIFTED, REFERENCE, epsilon, [step_at(place, sign)] * rounds) for sign in (1.0, -1.0))
    for output in (one, other):
        check_band(output, epsilon)
        assert integral(output, place) == pytest.approx(1.0, abs=1e-9)
    ratio = one.density(PLACES) / other.density(PLACES)
    largest = max(float(ratio.max()), float((1 / ratio).max()))
    assert largest <= math.exp(epsilon) * (1 + 1e-12)
    if place == -3.9:  # nearly all of q0 on one side: one bound of the band is as good as reached
        assert one.density(-4.0) / REFERENCE.density(np.array([-4.0]))[0] == pytest.approx(
            math.exp(-epsilon / 2), rel=1e-2
        )


@pytest.mark.slow
@EVERY
def test_outputs_of_any_two_inputs_differ_by_at_most_e_epsilon(epsilon: float, much: bool) -> None:
    """Also of one input with other seeds."""
    outputs = [trained(epsilon, seed, p, much) for seed, p in ((1, SHIFTED), (2, SHIFTED), (1, TWO))]
    values = np.array([output.density(PLACES) for output in outputs])
    assert (values.max(axis=0) <= math.exp(epsilon) * values.min(axis=0)).all()


# --- draws ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "much"),
    [(10.0, False), *(pytest.param(epsilon, True, marks=pytest.mark.nightly) for epsilon in (0.5, 10.0))],
)
def test_draws_have_the_density(epsilon: float, much: bool) -> None:
    output = trained(epsilon, 1, TWO, much)
    grid = np.linspace(-4, 4, 20_001)
    cumulative = integrate.cumulative_trapezoid(output.density(grid), grid, initial=0.0)
    draws = output.sample(20_000, np.random.default_rng(3))
    assert draws.shape == (20_000,) and np.abs(draws).max() <= 4.0
    assert stats.kstest(draws, lambda x: np.interp(x, grid, cumulative)).pvalue > 0.001
    assert stats.kstest(draws, lambda x: stats.norm.cdf(x)).pvalue < 1e-6, "it would notice the reference"


@pytest.mark.nightly
@pytest.mark.slow
def test_the_rate_of_acceptance_tells_nothing_about_the_input() -> None:
    for p in (SHIFTED, TWO):
        output = trained(3.0, 1, p)
        points = REFERENCE.sample(200_000, np.random.default_rng(5))
        rate = float((output.density(points) / REFERENCE.density(points) / output.upper).mean())
        assert rate == pytest.approx(output.acceptance, rel=0.02)
    assert output.acceptance == pytest.approx(math.exp(-output.epsilon_used / 2))


def test_no_draws_and_points_of_any_shape() -> None:
    output = train(rounds=2, steps=20)
    assert output.sample(0, np.random.default_rng(1)).shape == (0,)
    assert isinstance(output.density(0.3), float)
    assert output.density(np.zeros((2, 3))).shape == (2, 3)
    assert output.density([-5.0, 4.5]).tolist() == [0.0, 0.0]


# --- training ---------------------------------------------------------------------------------------------


def test_the_seed_decides() -> None:
    one, other, same = (train(seed=seed, rounds=2, steps=20).density(PLACES) for seed in (1, 2, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [pytest.param(e, marks=[pytest.mark.nightly] * (e < 10.0)) for e in EPSILONS])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_training_comes_nearer_but_not_nearer_than_the_mollifier(epsilon: float, seed: int) -> None:
    untrained = combined(SHIFTED, REFERENCE, epsilon, [])
    found, nearest = (
        trained(epsilon, seed, SHIFTED),
        dpot.continuous.relative_mollifier_density(SHIFTED, REFERENCE, epsilon),
    )
    assert nearest.divergences()["kl"] <= found.divergences()["kl"] < untrained.divergences()["kl"]
    gained = untrained.divergences()["kl"] - found.divergences()["kl"]
    possible = untrained.divergences()["kl"] - nearest.divergences()["kl"]
    assert gained > 0.4 * possible


def test_without_classifiers_the_output_is_the_reference() -> None:
    output = combined(SHIFTED, REFERENCE, 1.0, [])
    np.testing.assert_allclose(output.density(PLACES), REFERENCE.density(PLACES), rtol=1e-9)
    assert output.epsilon_used == 0.0 and output.b == output.upper == 1.0


@pytest.mark.slow
def test_divergences_are_those_of_the_densities() -> None:
    outputs = trained(3.0, 1, SHIFTED, much=False), combined(SHIFTED, REFERENCE, 2.0, [step_at(-3.0), step_at(0.5)])
    for output in outputs:
        x = np.linspace(-4, 4, 400_001)
        p, q = SHIFTED(x), output.density(x)
        terms = {
            "kl": p * np.log(p / q),
            "tv": np.abs(p - q) / 2,
            "hellinger": (np.sqrt(p) - np.sqrt(q)) ** 2 / 2,
            "chi2": (p - q) ** 2 / q,
        }
        for name, value in output.divergences().items():
            assert value == pytest.approx(float(integrate.trapezoid(terms[name], x)), abs=2e-5)


def test_a_family_gives_the_reference_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    output = dpot.boosted_density(
        SHIFTED, LINE, 1.0, np.random.default_rng(1), rounds=2, steps=50, progress=lambda *done: told.append(done)
    )
    assert told == [(0, 100), (25, 100), (50, 100), (75, 100)]
    assert (output.density(PLACES) <= math.exp(0.5) * LINE.h(PLACES)).all()


def test_a_training_that_is_abandoned_leaves_by_the_exception() -> None:
    class Abandoned(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Abandoned

    with pytest.raises(Abandoned):
        train(progress=stop)


# --- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": math.nan}, "epsilon"),
        ({"epsilon": 21.0}, "epsilon"),
        ({"rounds": 0}, "rounds"),
        ({"samples": 0}, "samples"),
        ({"hidden": 1.5}, "hidden"),
        ({"steps": -1}, "steps"),
    ],
)
def test_arguments_out_of_range_are_named(options, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        train(**options)


def test_an_unbounded_line_is_refused() -> None:
    family = dpot.DensityFamily(0.0, 2.0, lambda x: np.exp(-(x**2) / 2), (-math.inf, math.inf))
    with pytest.raises(ValueError, match="bounded intervals"):
        dpot.boosted_density(SHIFTED, family, 1.0, np.random.default_rng(1))


# --- the plane --------------------------------------------------------------------------------------------

RING = dpot.gaussian_ring_family().ring()
AROUND = dpot.continuous.gaussian_reference(dimension=2)
SQUARE = np.stack(np.meshgrid(*2 * [np.linspace(-8, 8, 401)]), axis=-1)


@pytest.mark.nightly
@pytest.mark.slow
def test_draws_in_the_plane_follow_the_density_and_any_two_outputs_stay_within_e_epsilon() -> None:
    outputs = [dpot.boosted_density(RING, AROUND, 2.0, np.random.default_rng(seed), **LITTLE) for seed in (1, 2)]
    edge = Classifier(np.array([[1e9], [1e9]]), np.array([-6e9]), np.array([1e3]), 0.0)
    other = Classifier(edge.slopes, edge.offsets, -edge.outer, 0.0)
    outputs += [combined(RING, AROUND, 2.0, [one] * 40) for one in (edge, other)]
    values, q0 = np.array([output.density(SQUARE) for output in outputs]), AROUND.density(SQUARE.reshape(-1, 2))
    assert (values.max(axis=0) <= math.exp(2.0) * values.min(axis=0)).all()
    assert (values.max(axis=0).ravel() <= math.exp(1.0) * q0).all()
    # Nearly all of q0 lies on one side of the last two's edge: beyond it they differ by as much as is promised.
    assert (values[2] / values[3]).max() > math.exp(2.0) * (1 - 1e-3)
    for output, value in zip(outputs[:2], values, strict=False):
        assert value.sum() * 0.04**2 == pytest.approx(1.0, abs=1e-6) and output.error < 1e-5
        terms = RING(SQUARE.reshape(-1, 2)).reshape(value.shape)
        kl = np.where(terms > 0, terms * np.log(np.maximum(terms, 1e-300) / value), 0.0).sum() * 0.04**2
        assert output.divergences()["kl"] == pytest.approx(kl, abs=1e-5)
    draws = outputs[0].sample(20_000, np.random.default_rng(3))
    assert draws.shape == (20_000, 2) and outputs[0].sample(0, np.random.default_rng(3)).shape == (0, 2)
    for axis in (0, 1):
        mean = (values[0] * SQUARE[..., axis]).sum() * 0.04**2
        spread = (values[0] * SQUARE[..., axis] ** 2).sum() * 0.04**2 - mean**2
        assert draws[:, axis].mean() == pytest.approx(mean, abs=5 * math.sqrt(spread / 20_000))


@pytest.mark.nightly
def test_training_in_the_plane_comes_nearer_but_not_nearer_than_the_mollifier() -> None:
    untrained = combined(RING, AROUND, 2.0, []).divergences()["kl"]
    found = dpot.boosted_density(RING, AROUND, 2.0, np.random.default_rng(1)).divergences()["kl"]
    assert dpot.continuous.relative_mollifier_density(RING, AROUND, 2.0).divergences()["kl"] < found < 0.6 * untrained
