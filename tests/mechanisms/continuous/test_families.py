"""Families of densities: constants, worst cases, members, what is refused."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import dpot_core as dpot
from tests.data import load

NAMES = (("kl", "kl"), ("tv", "tv"), ("hellinger", "squared_hellinger"))


def test_constants_and_worst_cases_equal_the_reference() -> None:
    family = dpot.gaussian_mixture_family()
    rows = load("continuous_sampling.json")["minimax_constants"]
    assert len(rows) == 5
    for row in rows:
        assert family.mass == pytest.approx(row["h_mass"], abs=1e-9)
        for name, key in NAMES:
            assert family.worst_case(name, row["epsilon"]) == pytest.approx(row["minimax"][key], abs=1e-9)


def test_the_ring_has_both_envelopes() -> None:
    rows = {row["envelope_denominator"]: row["h_mass"] for row in load("continuous_sampling.json")["ring"]}
    assert dpot.gaussian_ring_family().mass == pytest.approx(rows[1.0], abs=1e-9)
    assert dpot.gaussian_ring_family(envelope="authors").mass == pytest.approx(rows[2**0.5], abs=1e-9)


def test_normalising_leaves_the_family_as_it_is() -> None:
    one = dpot.DensityFamily(0.5, 2.0, np.ones_like, (0.0, 1.0))
    other = dpot.DensityFamily(0.05, 0.2, lambda x: np.full(x.shape, 10.0), (0.0, 1.0))
    assert (one.c1, one.c2, one.mass) == pytest.approx((0.5, 2.0, 1.0))
    assert (other.c1, other.c2, other.mass) == pytest.approx((0.5, 2.0, 10.0))
    np.testing.assert_allclose(one.h([0.2, 2.0]), [1.0, 0.0])
    np.testing.assert_allclose(other.h(np.array([[0.2], [-1.0]])), [[1.0], [0.0]])


@pytest.mark.parametrize(
    ("c1", "c2", "epsilon"), [(0.0, 3.0, 1.0), (0.3, 4.0, 0.7), (0.9, 50.0, 2.0), (0.0, 1.01, 5.0)]
)
def test_constants_are_those_of_the_theorem(c1: float, c2: float, epsilon: float) -> None:
    family = dpot.DensityFamily(c1, c2, np.ones_like, (0.0, 1.0))
    b = (c2 - c1) / ((math.exp(epsilon) - 1) * (1 - c1) + c2 - c1)
    r1, r2 = c1 / b, c2 / (b * math.exp(epsilon))
    assert family.ratios(epsilon) == pytest.approx((r1, r2), rel=1e-12)
    assert family.level(epsilon) * math.exp(-epsilon / 2) == pytest.approx(b, rel=1e-12)
    f = lambda x: x * math.log(x) if x > 0 else 0.0  # noqa: E731
    expected = (1 - r1) / (r2 - r1) * f(r2) + (r2 - 1) / (r2 - r1) * f(r1)
    assert family.worst_case("kl", epsilon) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("c1", "c2", "epsilon", "trivial"),
    [
        (0.5, 1.2, 1.0, True),
        (0.5, 1.5, 1.0, False),
        (1.0, 7.0, 0.1, True),
        (0.0, 1.0, 0.1, True),
        (0.0, 1.1, 9.0, False),
    ],
)
def test_trivial_families_are_recognised(c1: float, c2: float, epsilon: float, trivial: bool) -> None:
    family = dpot.DensityFamily(c1, c2, np.ones_like, (0.0, 1.0))
    assert family.is_trivial(epsilon) is trivial
    assert (family.worst_case("tv", epsilon) == 0.0) is trivial


def test_worst_cases_fall_with_epsilon_and_stay_finite() -> None:
    family = dpot.gaussian_mixture_family()
    for name in dpot.DIVERGENCES:
        curve = [family.worst_case(name, epsilon) for epsilon in (1e-9, 0.05, 0.5, 2.0, 10.0, 100.0, 700.0)]
        assert (np.diff(curve) <= 1e-15).all()
        assert np.isfinite(curve).all()
        assert curve[-1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("c1", "c2", "message"),
    [
        (-0.1, 2.0, "c1 <= c2"),
        (2.0, 1.0, "c1 <= c2"),
        (0.0, math.inf, "finite"),
        (math.nan, 2.0, "c1 <= c2"),
        (1.5, 2.0, "empty"),
        (0.0, 0.5, "empty"),
    ],
)
def test_bounds_that_hold_no_density_are_refused(c1: float, c2: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dpot.DensityFamily(c1, c2, np.ones_like, (0.0, 1.0))


def test_h_must_be_a_function() -> None:
    with pytest.raises(ValueError, match="h must be a function"):
        dpot.DensityFamily(0.0, 2.0, 1.0, (0.0, 1.0))  # type: ignore[arg-type]


# --- Gaussian families ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variance", "radius", "domain"),
    [(1.0, 1.0, (-4, 4)), (0.01, 2.0, (-4, 4)), (9.0, 0.5, (-2, 5)), (1.0, 6.0, (-4, 4))],
)
def test_every_mixture_is_a_density_below_the_envelope(variance, radius, domain) -> None:
    family = dpot.gaussian_mixture_family(variance, radius, domain)
    x = np.linspace(*domain, 2001)
    rng = np.random.default_rng(0)
    for count in (1, 2, 7):
        p = family.mixture(rng.uniform(-radius, radius, count), rng.dirichlet(np.ones(count)))
        assert integrate.simpson(p(x), x=x) == pytest.approx(1.0, abs=1e-5)
        assert (p(x) <= family.c2 * family.h(x) * (1 + 1e-12)).all()
    edge = family.mixture([radius])
    expected = stats.truncnorm(
        (domain[0] - radius) / variance**0.5, (domain[1] - radius) / variance**0.5, radius, variance**0.5
    )
    np.testing.assert_allclose(edge(x), expected.pdf(x), rtol=1e-9, atol=1e-300)


def test_mixtures_in_the_plane_are_below_both_envelopes() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(0, 2, (5000, 2))
    for envelope in ("paper", "authors"):
        family = dpot.gaussian_ring_family(5, 0.3, 1.5, envelope)
        p = family.ring()
        assert len(p.means) == 5
        assert (p(x) <= family.c2 * family.h(x) * (1 + 1e-12)).all()
        expected = np.mean([stats.multivariate_normal(mean, 0.3 * np.eye(2)).pdf(x) for mean in p.means], axis=0)
        np.testing.assert_allclose(p(x), expected, rtol=1e-10, atol=1e-300)
    with pytest.raises(ValueError, match="plane"):
        dpot.gaussian_mixture_family().ring(3)


def test_a_mean_outside_the_family_is_named_with_the_radius_that_would_hold_it() -> None:
    family = dpot.gaussian_mixture_family()
    with pytest.raises(ValueError, match=r"mean 1 \(-1.4\).*radius 1.4 would hold it"):
        family.mixture([0.5, -1.4])
    assert len(dpot.gaussian_mixture_family(radius=1.4).mixture([0.5, -1.4]).weights) == 2
    with pytest.raises(ValueError, match=r"mean 0 \(1, 1\).*radius 1.415 would hold it"):
        dpot.gaussian_ring_family().mixture([[1.0, 1.0]])


@pytest.mark.parametrize(
    ("means", "weights", "message"),
    [
        ([0.0, 0.5], [0.5, 0.6], "sum to 1; they sum to 1.1"),
        ([0.0, 0.5], [1.5, -0.5], "negative"),
        ([0.0, 0.5], [1.0], "2 means need as many weights; got 1"),
        ([0.0], [0.0], "zero everywhere"),
        ([math.nan], [1.0], "finite"),
        ([], [], "shape"),
        ([[0.0, 0.1]], [1.0], "shape"),
    ],
)
def test_mixtures_that_are_none_are_refused(means, weights, message) -> None:
    with pytest.raises(ValueError, match=message):
        dpot.gaussian_mixture_family().mixture(means, weights)


@pytest.mark.parametrize("variance", [0.0, -1.0, math.nan, math.inf, "x"])
def test_a_variance_must_be_positive(variance) -> None:
    for build in (
        dpot.gaussian_mixture_family,
        lambda v: dpot.gaussian_ring_family(3, v),
        lambda v: dpot.gaussian_mixture_family(v, dimension=2),
        dpot.continuous.gaussian_reference,
    ):
        with pytest.raises(ValueError, match="variance"):
            build(variance)


def test_other_bad_families_are_refused() -> None:
    for build, message in (
        (lambda: dpot.gaussian_mixture_family(radius=0.0), "radius"),
        (lambda: dpot.gaussian_mixture_family(radius=50.0), "leaves no mass"),
        (lambda: dpot.gaussian_mixture_family(domain=(-math.inf, math.inf)), "bounded interval"),
        (lambda: dpot.gaussian_mixture_family(domain=(1.0, 4.0)), "must hold 0"),
        (lambda: dpot.gaussian_mixture_family(dimension=3), "dimension"),
        (lambda: dpot.gaussian_ring_family(modes=0), "modes"),
        (lambda: dpot.gaussian_ring_family(envelope="mine"), "envelope"),
        (lambda: dpot.gaussian_ring_family(variance=2.0, envelope="authors"), "no bound"),
        (lambda: dpot.gaussian_ring_family().mixture([0.1]), "shape"),
    ):
        with pytest.raises(ValueError, match=message):
            build()


# --- exact draws ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "family",
    [
        dpot.gaussian_mixture_family(),
        dpot.gaussian_mixture_family(0.04, 0.5, (-0.6, 3.0)),
        dpot.gaussian_mixture_family(4.0, 6.0, (-4.0, 4.0)),
        dpot.DensityFamily(0.0, 9.0, lambda x: np.exp(-3 * x), (0.0, 2.0)),
    ],
)
def test_draws_from_h_follow_h(family) -> None:
    low, high = family.domain.bounds[0]
    x = np.linspace(low, high, 20001)
    cdf = integrate.cumulative_trapezoid(family.h(x), x, initial=0.0)
    draws = family.envelope.sample(20_000, np.random.default_rng(3))
    assert draws.shape == (20_000,) and (draws >= low).all() and (draws <= high).all()
    assert stats.kstest(draws, lambda t: np.interp(t, x, cdf)).pvalue > 1e-3


@pytest.mark.parametrize("envelope", ["paper", "authors"])
def test_draws_from_h_in_the_plane_follow_h(envelope: str) -> None:
    family = dpot.gaussian_ring_family(3, 0.2, 0.7, envelope)
    draws = family.envelope.sample(20_000, np.random.default_rng(4))
    radius = np.linspace(0.0, 7.0, 20001)
    density = 2 * np.pi * radius * family.h(np.column_stack([radius, 0 * radius]))
    cdf = integrate.cumulative_trapezoid(density, radius, initial=0.0)
    assert stats.kstest(np.hypot(*draws.T), lambda t: np.interp(t, radius, cdf)).pvalue > 1e-3
    angle = np.arctan2(draws[:, 1], draws[:, 0])
    assert stats.kstest(angle, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 1e-3


def test_draws_from_a_mixture_follow_it() -> None:
    p = dpot.gaussian_mixture_family().mixture([-1.0, 0.9], [0.3, 0.7])
    x = np.linspace(-4, 4, 20001)
    cdf = integrate.cumulative_trapezoid(p(x), x, initial=0.0)
    assert stats.kstest(p.sample(20_000, np.random.default_rng(5)), lambda t: np.interp(t, x, cdf)).pvalue > 1e-3
    assert dpot.gaussian_ring_family().ring().sample(7, np.random.default_rng(0)).shape == (7, 2)
    assert p.sample(0, np.random.default_rng(0)).shape == (0,)


def test_without_a_sampler_draws_need_a_bounded_domain() -> None:
    family = dpot.DensityFamily(0.0, 2.0, lambda x: np.exp(-(x**2)), (-math.inf, math.inf))
    with pytest.raises(ValueError, match="sampler"):
        family.envelope.sample(1, np.random.default_rng(0))
    box = dpot.DensityFamily(0.0, 2.0, lambda z: 1 + z[:, 0], ((0, 1), (0, 1)))
    draws = box.envelope.sample(20_000, np.random.default_rng(0))
    assert stats.kstest(draws[:, 0], lambda t: (t + t**2 / 2) / 1.5).pvalue > 1e-3
    assert stats.kstest(draws[:, 1], "uniform").pvalue > 1e-3
