"""KPM for densities and its baselines: known answers, laws, the guarantee float by float, exact draws, bad input."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.optimize import brentq

import dpot_core as dpot
from tests import oracles
from tests.data import load

NAMES = (("kl", "kl"), ("tv", "tv"), ("hellinger", "squared_hellinger"))
LINE = dpot.gaussian_mixture_family()
UNIT = dpot.DensityFamily(0.25, 3.0, lambda x: 2 * x, (0.0, 1.0))
REFERENCE = dpot.continuous.gaussian_reference()
PLANE = ((-math.inf, math.inf), (-math.inf, math.inf))


@st.composite
def mixtures(draw):
    """A mixture of up to ten modes, some of them on the edge of the family."""
    count = draw(st.integers(1, 10))
    means = draw(
        st.lists(st.one_of(st.sampled_from([-1.0, 0.0, 1.0]), st.floats(-1, 1)), min_size=count, max_size=count)
    )
    weights = draw(st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1.0)), min_size=count, max_size=count))
    weights = np.array(weights) + (not any(weights))
    return LINE.mixture(means, weights / weights.sum())


def extreme(family: dpot.DensityFamily, split: float, side: str):
    """c2 h left of a place and c1 h right of it, or the other way round, with integral 1; h = 2x on [0, 1]."""
    share = (1 - family.c1) / (family.c2 - family.c1)
    start = split * (1 - share)  # mass of h before the high part
    low, high = math.sqrt(start), math.sqrt(start + share)

    def p(x):
        inside = (x >= low) & (x < high)
        return np.where(inside, family.c2, family.c1) * 2 * x

    return p


# --- known answers ----------------------------------------------------------------------------------------


def test_mixtures_equal_the_reference() -> None:
    rows = load("continuous_sampling.json")["mixtures"]
    assert len(rows) == 25
    for row in rows:
        out = dpot.kl_projection_density(LINE.mixture(row["means"], row["weights"]), LINE, row["epsilon"])
        assert out.r == pytest.approx(row["r"], abs=1e-6)
        for name, key in NAMES:
            assert out.divergences()[name] == pytest.approx(row[key], abs=1e-6), (row, name)


@pytest.mark.slow
def test_the_ring_equals_the_reference_with_both_envelopes() -> None:
    for envelope, row in zip(("authors", "paper"), load("continuous_sampling.json")["ring"], strict=True):
        family = dpot.gaussian_ring_family(envelope=envelope)
        out = dpot.kl_projection_density(family.ring(), family, 0.5)
        assert out.r == pytest.approx(row["r"], abs=1e-6)
        for name, key in NAMES:
            assert out.divergences()[name] == pytest.approx(row[key], abs=1e-6)


def test_extreme_inputs_attain_the_worst_case() -> None:
    """Theorem 3.3: no mechanism does better than R, and p in {c1 h, c2 h} makes KPM as bad as that."""
    for epsilon in (0.3, 1.0, 2.0):
        for split in (0.0, 0.4, 1.0):
            p = extreme(UNIT, split, "left")
            for build in (dpot.kl_projection_density, dpot.continuous.mixture_density):
                out = build(p, UNIT, epsilon)
                assert not out.trivial
                # The step lies between two of 8,192 nodes.
                for name, value in out.divergences().items():
                    assert value == pytest.approx(UNIT.worst_case(name, epsilon), abs=1e-3)


# --- laws -------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(mixtures(), st.sampled_from([0.05, 0.3, 1.0, 3.0, 8.0]))
def test_the_output_is_the_clipped_input_of_integral_one(p, epsilon: float) -> None:
    """r and the integral against a dense grid and bisection that share nothing with the quadrature."""
    out = dpot.kl_projection_density(p, LINE, epsilon)
    x = np.linspace(-4, 4, 40_001)
    h, values = LINE.h(x), p(x)
    low, high = out.b * h, out.b * math.exp(out.epsilon_used) * h

    def excess(r: float) -> float:
        return float(integrate.simpson(np.clip(values / r, low, high), x=x)) - 1.0

    q = out.density(x)
    # Linear between nodes: nearly exact, but less so in the few cells in which the clipped input has a kink.
    away = np.abs(q / np.clip(values / out.r, low, high) - 1.0)
    assert away.max() < 5e-3 and np.quantile(away, 0.99) < 1e-5
    assert abs(excess(out.r)) < 1e-7
    unclipped = (values / out.r > low * 1.001) & (values / out.r < high * 0.999)
    if unclipped.mean() > 0.05:
        assert out.r == pytest.approx(brentq(excess, out.r * 0.9, out.r * 1.1), rel=2e-6)
    lowest, largest = LINE.ratios(out.epsilon_used)
    assert lowest <= out.r <= largest * (1 + 1e-12)
    assert out.error <= out.tolerance


@pytest.mark.slow
@settings(max_examples=25)
@given(mixtures(), st.sampled_from([0.05, 0.3, 1.0, 3.0, 8.0]))
def test_divergences_are_those_of_the_densities_and_below_the_worst_case(p, epsilon: float) -> None:
    out = dpot.kl_projection_density(p, LINE, epsilon)
    x = np.linspace(-4, 4, 40_001)
    values, q = p(x), out.density(x)
    found = out.divergences()
    terms = {
        "kl": values * np.log(values / q),
        "tv": np.abs(values - q) / 2,
        "hellinger": (np.sqrt(values) - np.sqrt(q)) ** 2 / 2,
        "chi2": (values - q) ** 2 / q,
    }
    for name, term in terms.items():
        assert found[name] == pytest.approx(float(integrate.simpson(term, x=x)), abs=2e-7)
        assert found[name] <= LINE.worst_case(name, out.epsilon_used) + 1e-9
    # Nearest in KL among what the band allows: the mixture mechanism stays in the band too.
    assert found["kl"] <= dpot.continuous.mixture_density(p, LINE, epsilon).divergences()["kl"] + 1e-9


@given(mixtures())
@settings(max_examples=15)
def test_more_epsilon_never_hurts(p) -> None:
    values = [dpot.kl_projection_density(p, LINE, e).divergences()["kl"] for e in (0.1, 0.5, 1.0, 2.0, 5.0)]
    assert (np.diff(values) <= 1e-9).all()


@pytest.mark.slow
@settings(max_examples=25)
@given(mixtures(), mixtures(), st.sampled_from([0.1, 1.0, 3.0]))
def test_outputs_move_no_more_than_the_lipschitz_bound(one, other, epsilon: float) -> None:
    """Proposition 4.1."""
    x = np.linspace(-4, 4, 20_001)
    outs = [dpot.kl_projection_density(p, LINE, epsilon) for p in (one, other)]
    moved = integrate.simpson(np.abs(outs[0].density(x) - outs[1].density(x)), x=x) / 2
    apart = integrate.simpson(np.abs(one(x) - other(x)), x=x) / 2
    assert moved <= min(2.0 / out.r for out in outs) * apart + 1e-7


@pytest.mark.slow
def test_other_quadratures_agree_on_the_line_and_in_the_plane() -> None:
    p = LINE.mixture([-0.9, 0.2, 1.0], [0.5, 0.1, 0.4])
    out = dpot.kl_projection_density(p, LINE, 0.5)
    # In pieces that have no kink inside: between nodes, by Gauss' rules of two orders.
    nodes = LINE.envelope.grid.points()
    middle, reach = (nodes[1:] + nodes[:-1])[:, None] / 2, np.diff(nodes)[:, None] / 2
    for order in (8, 21):
        x, w = np.polynomial.legendre.leggauss(order)
        assert math.fsum((out.density(middle + reach * x) * w * reach).ravel()) == pytest.approx(1.0, abs=1e-11)
    family = dpot.gaussian_mixture_family(0.3, 1.0, dimension=2)
    p = family.mixture([[0.9, 0.1], [-0.4, -0.7]], [0.8, 0.2])
    out = dpot.kl_projection_density(p, family, 0.7)

    # Along rays in the middle between the nodes' angles, each cell by itself.
    radius, angles = family.envelope.grid.axes
    ray = angles + np.pi / len(angles)
    x, w = np.polynomial.legendre.leggauss(5)
    half = np.diff(radius)[:, None] / 2
    places = (radius[:-1, None] + half * (x + 1)).ravel()
    points = places[:, None, None] * np.stack([np.cos(ray), np.sin(ray)], axis=-1)
    means = np.concatenate([out.density(part).mean(axis=1) for part in np.array_split(points, 20)])
    assert 2 * np.pi * float((means * places) @ (half * w).ravel()) == pytest.approx(1.0, abs=2e-7)


@pytest.mark.slow
def test_families_on_unbounded_domains_without_any_hint_of_scale() -> None:
    top = lambda x: np.exp(-(np.maximum(np.abs(x) - 1, 0) ** 2) / 2)  # noqa: E731
    p = stats.norm(0.3).pdf
    unbounded = dpot.kl_projection_density(p, dpot.DensityFamily(0.0, 4.0, top, (-math.inf, math.inf)), 1.0)
    wide = dpot.kl_projection_density(p, dpot.DensityFamily(0.0, 4.0, top, (-30.0, 30.0)), 1.0)
    assert unbounded.r == pytest.approx(wide.r, abs=1e-6)
    assert unbounded.divergences() == pytest.approx(wide.divergences(), abs=1e-6)

    half = dpot.DensityFamily(0.0, 0.08, lambda x: np.exp(-x / 50), (0.0, math.inf))
    out = dpot.kl_projection_density(lambda x: np.exp(-x / 45) / 45, half, 0.1)
    x = np.linspace(0, 4000, 400_001)
    assert integrate.simpson(out.density(x), x=x) == pytest.approx(1.0, abs=1e-8)

    ring = dpot.gaussian_ring_family()
    plane = dpot.DensityFamily(0.0, 1.0, lambda z: ring.mass * ring.h(z), PLANE)
    expected = dpot.kl_projection_density(ring.ring(), ring, 0.5)
    found = dpot.kl_projection_density(ring.ring(), plane, 0.5)
    assert found.r == pytest.approx(expected.r, abs=1e-6)
    assert found.divergences() == pytest.approx(expected.divergences(), abs=1e-6)

    box = dpot.DensityFamily(0.2, 3.0, lambda z: np.ones(len(z)), ((0, 1), (0, 1)))
    line = dpot.DensityFamily(0.2, 3.0, np.ones_like, (0, 1))
    flat = dpot.kl_projection_density(lambda z: 0.3 + 1.4 * z[:, 0], box, 0.5)
    assert flat.r == pytest.approx(dpot.kl_projection_density(lambda x: 0.3 + 1.4 * x, line, 0.5).r, abs=1e-6)


# --- privacy ----------------------------------------------------------------------------------------------


def worst_ratio(outputs: np.ndarray, epsilon: float) -> list:
    return oracles.ratio_violations(outputs, epsilon)


@pytest.mark.slow
@settings(max_examples=10)
@given(st.lists(mixtures(), min_size=2, max_size=4), st.sampled_from([0.05, 1.0, 5.0]))
def test_no_two_outputs_differ_by_more_than_epsilon_anywhere(inputs, epsilon: float) -> None:
    x = np.concatenate([np.linspace(-4, 4, 301), [1.0, -1.0, np.nextafter(1, 2)]])
    for build, family in (
        (dpot.kl_projection_density, LINE),
        (dpot.continuous.mixture_density, LINE),
        (dpot.continuous.relative_mollifier_density, REFERENCE),
    ):
        outs = [build(p, family, epsilon) for p in inputs]
        assert len({(out.b, out.upper, out.epsilon_used) for out in outs}) == 1
        assert not worst_ratio(np.array([out.density(x) for out in outs]), outs[0].epsilon_used)
        assert all(abs(float(out.multiples @ out.grid.masses) - 1.0) <= 1e-13 for out in outs)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_extreme_inputs_reach_the_ratio_and_do_not_pass_it(epsilon: float) -> None:
    x = np.linspace(0.001, 1.0, 997)
    outs = [dpot.kl_projection_density(extreme(UNIT, split, "left"), UNIT, epsilon) for split in (0.0, 0.5, 1.0)]
    outputs = np.array([out.density(x) for out in outs])
    assert not worst_ratio(outputs, outs[0].epsilon_used)
    assert (outputs.max(axis=0) / outputs.min(axis=0)).max() == pytest.approx(math.exp(epsilon), rel=2e-3)


@pytest.mark.slow
def test_extreme_inputs_in_the_plane() -> None:
    """c2 h inside or outside a circle, nothing elsewhere."""
    family = dpot.gaussian_ring_family()
    radius = np.linspace(0, 8, 400_001)
    inside = integrate.cumulative_simpson(
        2 * np.pi * radius * family.h(np.column_stack([radius, 0 * radius])), x=radius, initial=0.0
    )
    near = float(np.interp(1 / family.c2, inside, radius))
    far = float(np.interp(1 - 1 / family.c2, inside, radius))
    inputs = [
        lambda z: family.c2 * family.h(z) * (np.hypot(*z.T) < near),
        lambda z: family.c2 * family.h(z) * (np.hypot(*z.T) > far),
    ]
    x = np.random.default_rng(0).normal(0, 1.5, (500, 2))
    for epsilon in (0.5, 2.0):
        outs = [dpot.kl_projection_density(p, family, epsilon, 1e-5) for p in inputs]
        outputs = np.array([out.density(x) for out in outs])
        assert not worst_ratio(outputs, outs[0].epsilon_used)
        assert (outputs.max(axis=0) / outputs.min(axis=0)).max() == pytest.approx(math.exp(epsilon), rel=2e-2)
        for out in outs:
            assert out.divergences()["tv"] == pytest.approx(family.worst_case("tv", epsilon), abs=2e-3)


def test_the_tolerance_is_taken_off_epsilon() -> None:
    p = LINE.mixture([0.3])
    for tolerance in (1e-9, 1e-4, 0.01):
        out = dpot.kl_projection_density(p, LINE, 1.0, tolerance)
        expected = 1.0 - math.log((1 + tolerance) / (1 - tolerance))
        assert out.epsilon_used == pytest.approx(expected, abs=1e-15)
        assert out.epsilon_used <= 1.0 - 2 * tolerance
        assert out.b == pytest.approx(LINE.level(out.epsilon_used) * math.exp(-out.epsilon_used / 2))
    with pytest.raises(ValueError, match="tolerance"):
        dpot.kl_projection_density(p, LINE, 1e-3, 0.01)


def test_bounds_hold_where_densities_underflow() -> None:
    family = dpot.gaussian_mixture_family(0.005, 1.0)
    x = np.linspace(-4, 4, 4001)
    outs = [dpot.kl_projection_density(family.mixture([m]), family, 2.0) for m in (-1.0, 0.0, 1.0)]
    outputs = np.array([out.density(x) for out in outs])
    assert (family.h(x) == 0).any() and ((family.h(x) > 0) & (family.h(x) < 1e-300)).any()
    assert not worst_ratio(outputs, outs[0].epsilon_used)
    assert (outputs[:, family.h(x) == 0] == 0).all()


# --- draws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("build", [dpot.kl_projection_density, dpot.continuous.mixture_density])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_draws_follow_the_output(build, epsilon: float) -> None:
    p = LINE.mixture([-1.0, 0.8], [0.7, 0.3])
    out = build(p, LINE, epsilon)
    x = np.linspace(-4, 4, 40_001)
    cdf = integrate.cumulative_trapezoid(out.density(x), x, initial=0.0)
    draws = out.sample(30_000, np.random.default_rng(1))
    assert draws.shape == (30_000,)
    assert stats.kstest(draws, lambda t: np.interp(t, x, cdf)).pvalue > 1e-3
    # The test can tell the output from the input where they differ.
    raw = integrate.cumulative_trapezoid(p(x), x, initial=0.0)
    if epsilon < 1:
        assert stats.kstest(draws, lambda t: np.interp(t, x, raw)).pvalue < 1e-6


def test_draws_of_the_mollifier_and_without_a_sampler() -> None:
    out = dpot.continuous.relative_mollifier_density(LINE.mixture([0.9]), REFERENCE, 1.0)
    x = np.linspace(-4, 4, 40_001)
    cdf = integrate.cumulative_trapezoid(out.density(x), x, initial=0.0)
    assert stats.kstest(out.sample(20_000, np.random.default_rng(2)), lambda t: np.interp(t, x, cdf)).pvalue > 1e-3
    out = dpot.kl_projection_density(extreme(UNIT, 0.5, "left"), UNIT, 1.0)
    x = np.linspace(0, 1, 40_001)
    cdf = integrate.cumulative_trapezoid(out.density(x), x, initial=0.0)
    assert stats.kstest(out.sample(20_000, np.random.default_rng(2)), lambda t: np.interp(t, x, cdf)).pvalue > 1e-3


@pytest.mark.slow
def test_draws_in_the_plane_follow_the_output() -> None:
    family = dpot.gaussian_ring_family(variance=0.2)
    out = dpot.kl_projection_density(family.ring(), family, 1.0)
    draws = out.sample(30_000, np.random.default_rng(3))
    axis = np.linspace(-5, 5, 1001)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1)
    density = out.density(grid)
    for coordinate in (0, 1):
        marginal = integrate.simpson(density, x=axis, axis=1 - coordinate)
        cdf = integrate.cumulative_trapezoid(marginal, axis, initial=0.0)
        assert stats.kstest(draws[:, coordinate], lambda t, cdf=cdf: np.interp(t, axis, cdf)).pvalue > 1e-3
    assert out.acceptance == pytest.approx(1 / (out.b * math.exp(out.epsilon_used)))


def test_the_acceptance_rate_is_the_same_for_every_input() -> None:
    rates = []
    for means in ([0.0], [1.0], [-1.0, 1.0]):
        out = dpot.kl_projection_density(LINE.mixture(means), LINE, 1.0)
        points = LINE.envelope.sample(40_000, np.random.default_rng(4))
        accepted = np.random.default_rng(5).random(40_000) * out.band(points)[1] < out.density(points)
        rates.append(accepted.mean())
        assert out.acceptance == pytest.approx(rates[-1], abs=0.01)
    assert out.sample(0, np.random.default_rng(0)).shape == (0,)


# --- trivial cases and bad input --------------------------------------------------------------------------


def test_trivial_cases_return_the_input_and_say_so() -> None:
    narrow = dpot.DensityFamily(0.8, 1.5, np.ones_like, (0.0, 1.0))
    p = lambda x: 0.9 + 0.2 * x  # noqa: E731
    x = np.linspace(0, 1, 101)
    for build in (dpot.kl_projection_density, dpot.continuous.mixture_density):
        out = build(p, narrow, 1.0)
        assert out.trivial and out.r == 1.0
        np.testing.assert_allclose(out.density(x), p(x), rtol=1e-14)
        assert out.divergences() == pytest.approx(dict.fromkeys(dpot.DIVERGENCES, 0.0), abs=1e-15)
        assert stats.kstest(out.sample(20_000, np.random.default_rng(0)), lambda t: 0.9 * t + 0.1 * t**2).pvalue > 1e-3
        assert not build(p, narrow, 0.5).trivial
    alone = dpot.DensityFamily(0.0, 1.0, np.ones_like, (0.0, 1.0))
    out = dpot.kl_projection_density(np.ones_like, alone, 0.1)
    assert out.trivial
    np.testing.assert_array_equal(out.density(x), 1.0)


def test_shapes_of_points() -> None:
    out = dpot.kl_projection_density(LINE.mixture([0.0]), LINE, 1.0)
    assert isinstance(out.density(0.3), float)
    assert out.density(np.zeros((2, 3))).shape == (2, 3)
    assert out.density([-5.0, 5.0]).tolist() == [0.0, 0.0]
    family = dpot.gaussian_ring_family()
    plane = dpot.kl_projection_density(family.ring(), family, 1.0)
    assert isinstance(plane.density([0.1, 0.2]), float)
    assert plane.density(np.zeros((4, 5, 2))).shape == (4, 5)
    with pytest.raises(ValueError, match="shape"):
        plane.density([0.1, 0.2, 0.3])


def test_a_thousand_modes() -> None:
    rng = np.random.default_rng(0)
    p = LINE.mixture(rng.uniform(-1, 1, 1000), rng.dirichlet(np.ones(1000)))
    out = dpot.kl_projection_density(p, LINE, 1.0)
    assert 0 < out.divergences()["kl"] < LINE.worst_case("kl", 1.0)


def test_an_input_outside_the_family_counts_as_its_bounds_there() -> None:
    outside = dpot.gaussian_mixture_family(radius=2.0).mixture([1.8])
    out = dpot.kl_projection_density(outside, LINE, 1.0)
    x = np.linspace(-4, 4, 101)
    cut = dpot.kl_projection_density(lambda x: np.minimum(outside(x), LINE.c2 * LINE.h(x)), LINE, 1.0)
    np.testing.assert_allclose(out.density(x), cut.density(x), rtol=1e-12)
    assert "Enlarge h" in out.problem and "at x = 4.0 it is 14.57" in out.problem
    low = dpot.kl_projection_density(lambda x: 3 * x**2, UNIT, 1.0)
    assert "not in the family" in low.problem
    wide = dpot.gaussian_mixture_family(0.5, 2.0, dimension=2).mixture([[1.8, 0.0]])
    assert "not in the family: at x = [" in dpot.kl_projection_density(wide, dpot.gaussian_ring_family(), 1.0).problem


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.nan, 1e-10, 800.0, "x"])
def test_epsilon_must_be_a_budget(epsilon) -> None:
    for build, family in ((dpot.kl_projection_density, LINE), (dpot.continuous.relative_mollifier_density, REFERENCE)):
        with pytest.raises(ValueError, match="epsilon"):
            build(LINE.mixture([0.0]), family, epsilon)


def test_a_huge_epsilon_gives_the_input() -> None:
    p = LINE.mixture([0.4, -1.0])
    out = dpot.kl_projection_density(p, LINE, 600.0)
    x = np.linspace(-4, 4, 101)
    np.testing.assert_allclose(out.density(x), p(x), rtol=2e-6)


def test_the_mollifier_where_no_multiple_fits() -> None:
    """The nearest density is as high as allowed where p is, and level elsewhere."""
    uniform = dpot.DensityFamily(0.0, 9.0, np.ones_like, (0.0, 1.0))
    out = dpot.continuous.relative_mollifier_density(lambda x: 10.0 * (x < 0.1), uniform, 1.0)
    x = np.linspace(0, 1, 10_001)
    q = out.density(x)
    np.testing.assert_allclose(q[x < 0.0999], math.exp(0.5), rtol=1e-7)
    np.testing.assert_allclose(q[x > 0.1001], (1 - 0.1 * math.exp(0.5)) / 0.9, rtol=1e-3)
    assert np.ptp(q[x > 0.1001]) < 1e-12
    out = dpot.continuous.relative_mollifier_density(lambda x: 2 * x, uniform, 1.0)
    assert integrate.simpson(out.density(x), x=x) == pytest.approx(1.0, abs=1e-7)
    assert (out.density(x) >= math.exp(-0.5) * 0.999999).all()


def test_kpm_beats_the_mollifier_in_the_worst_of_many() -> None:
    rng = np.random.default_rng(0)
    worst = {"kpm": 0.0, "mollifier": 0.0}
    for _ in range(20):
        p = LINE.mixture(rng.uniform(-1, 1, 2), rng.dirichlet(np.ones(2)))
        worst["kpm"] = max(worst["kpm"], dpot.kl_projection_density(p, LINE, 1.0).divergences()["kl"])
        moved = dpot.continuous.relative_mollifier_density(p, REFERENCE, 1.0)
        worst["mollifier"] = max(worst["mollifier"], moved.divergences()["kl"])
    assert worst["kpm"] < worst["mollifier"]
