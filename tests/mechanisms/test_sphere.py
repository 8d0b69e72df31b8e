"""The sphere's closed form: against quadrature, a discretised circle, other scales, and PrivUnit's best cap."""

import math

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.optimize import minimize_scalar

import dpot_core as dpot
from tests.marks import every_by_day

CASES = [(d, epsilon, p) for d in (1, 2, 3, 10) for epsilon in (0.1, 1.0, 4.0) for p in (1.0, 2.0, 4.0)]


def height_density(d: int):
    """f_d: density of the cosine between a fixed and a uniform unit vector."""
    constant = math.gamma((d + 1) / 2) / (math.sqrt(math.pi) * math.gamma(d / 2))
    return lambda u: constant * (1 - u * u) ** ((d - 2) / 2)


@pytest.mark.parametrize(("d", "epsilon", "p"), CASES)
def test_the_closed_form_solves_the_propositions_equation(d: int, epsilon: float, p: float) -> None:
    base = dpot.sphere_base(d, epsilon, p)
    alpha, beta = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    density, t = height_density(d), base.threshold

    def share(low: float, power: float) -> float:
        # u = cos(angle): no singular ends.
        angle = math.acos(low)
        term = lambda a: (2 - 2 * math.cos(a)) ** (power / 2) * density(math.cos(a)) * math.sin(a)  # noqa: E731
        return integrate.quad(term, 1e-12, angle - (1e-12 if low == -1 else 0), epsabs=1e-12)[0]

    cap, cost, whole = share(t, 0), share(t, p), share(-1.0, p)
    assert base.scale == pytest.approx(1 / (alpha + (beta - alpha) * cap), rel=1e-7)
    left, right = (beta - alpha) * cost + alpha * whole, (2 - 2 * t) ** (p / 2) * (alpha + (beta - alpha) * cap)
    assert left == pytest.approx(right, rel=1e-7)
    assert base.value**p == pytest.approx(base.scale * left, rel=1e-7)
    assert base.value == pytest.approx(math.sqrt(2 - 2 * t), rel=1e-9)
    assert base.angle == pytest.approx(math.acos(t), abs=1e-7)
    assert base.cap_mass == pytest.approx(base.scale * beta * cap, rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("d", "epsilon", "p"), every_by_day(5, CASES))
def test_no_other_scale_is_better(d: int, epsilon: float, p: float) -> None:
    best = dpot.sphere_base(d, epsilon, p)
    ends = math.exp(-epsilon / 2), math.exp(epsilon / 2)
    for scale in np.geomspace(*ends, 41)[1:-1]:
        other = dpot.continuous.sphere_mechanism(d, epsilon, p, float(scale))
        assert other.value >= best.value * (1 - 1e-12)
        assert other.scale * (ends[1] * _cap(other) + ends[0] * (1 - _cap(other))) == pytest.approx(1.0)
    found = minimize_scalar(
        lambda s: dpot.continuous.sphere_mechanism(d, epsilon, p, s).value,
        bounds=ends,
        method="bounded",
        options={"xatol": 1e-9},
    )
    assert found.fun == pytest.approx(best.value, rel=1e-8)


def _cap(base: dpot.continuous.SphereBase) -> float:
    return float(stats.beta(base.d / 2, base.d / 2).cdf(base.edge))


@pytest.mark.parametrize(("epsilon", "p"), [(0.5, 1.0), (1.0, 2.0), (2.0, 1.0), (4.0, 2.0)])
def test_a_discretised_circle_has_the_same_optimum(epsilon: float, p: float) -> None:
    """No symmetry is put in: the minimax base measure over all measures on 200 points of the circle."""
    angle = 2 * np.pi * np.arange(200) / 200
    space = dpot.point_cloud(np.column_stack([np.cos(angle), np.sin(angle)]))
    numerical = dpot.minimax_base(dpot.cost_matrix(space, p=p), epsilon, tol=1e-5)
    closed = dpot.sphere_base(1, epsilon, p)
    assert numerical.value ** (1 / p) == pytest.approx(closed.value, abs=1e-3)
    # One point more or less in the cap changes the scale by a step of 1/200.
    assert numerical.base.sum() == pytest.approx(closed.scale, rel=0.03)


def test_the_scale_falls_with_p_and_the_value_with_epsilon() -> None:
    for d in (1, 2, 20):
        scales = [dpot.sphere_base(d, 1.0, p).scale for p in (1, 1.5, 2, 4, 16, 64)]
        assert (np.diff(scales) < 0).all()
        values = [dpot.sphere_base(d, epsilon, 2).value for epsilon in (1e-9, 0.1, 1, 5, 20, 100)]
        assert (np.diff(values) < 0).all()


@pytest.mark.parametrize("d", [1, 2, 9])
def test_for_p_2_the_cap_is_privunits_best(d: int) -> None:
    """PrivUnit's best cap makes E<x, y> largest, and E||y - x||^2 = 2 - 2 E<x, y>."""
    epsilon, density = 1.5, height_density(d)

    def mean(threshold: float) -> float:
        angle = math.acos(threshold)
        cap = integrate.quad(lambda a: density(math.cos(a)) * math.sin(a), 0, angle)[0]
        first = integrate.quad(lambda a: math.cos(a) * density(math.cos(a)) * math.sin(a), 0, angle)[0]
        return -(math.exp(epsilon) - 1) * first / (1 + (math.exp(epsilon) - 1) * cap)

    best = minimize_scalar(mean, bounds=(-0.99, 0.99), method="bounded", options={"xatol": 1e-10})
    assert dpot.sphere_base(d, epsilon, 2).threshold == pytest.approx(best.x, abs=1e-5)
    assert dpot.sphere_base(d, epsilon, 1).threshold > best.x + 0.01


@pytest.mark.parametrize("d", [1, 2, 5, 200])
def test_draws_have_the_heights_of_the_density_and_no_direction(d: int) -> None:
    base = dpot.sphere_base(d, 1.0, 2)
    rng = np.random.default_rng(d)
    x = rng.standard_normal(d + 1)
    x /= np.linalg.norm(x)
    y = base.sample(x, rng, 20_000)
    assert np.allclose(np.linalg.norm(y, axis=1), 1.0, atol=1e-12)
    heights = stats.beta(d / 2, d / 2)
    low, high = base.density(-1.0), base.density(1.0)
    assert high / low == pytest.approx(math.e)

    def cdf(v):
        return np.where(
            v <= base.edge, high * heights.cdf(v), base.cap_mass + low * (heights.cdf(v) - heights.cdf(base.edge))
        )

    assert stats.kstest((1 - y @ x) / 2, cdf).pvalue > 1e-3
    if d > 1:
        around = y - (y @ x)[:, None] * x
        across = rng.standard_normal(d + 1)
        across -= (across @ x) * x
        across /= np.linalg.norm(across)
        share = (1 - around @ across / np.linalg.norm(around, axis=1)) / 2
        assert stats.kstest(share, stats.beta((d - 1) / 2, (d - 1) / 2).cdf).pvalue > 1e-3


def test_shapes_of_draws() -> None:
    base, rng = dpot.sphere_base(2, 1.0), np.random.default_rng(0)
    assert base.sample([0.0, 0.0, 1.0], rng).shape == (3,)
    assert base.sample([0.0, 0.0, 1.0], rng, 5).shape == (5, 3)
    assert base.sample(np.eye(3), rng).shape == (3, 3)
    assert isinstance(base.density(0.3), float)
    assert base.density(np.zeros((2, 2))).shape == (2, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dpot.sphere_base(0, 1.0, 2), "d must lie"),
        (lambda: dpot.sphere_base(1.5, 1.0, 2), "d must be a whole number"),  # type: ignore[arg-type]
        (lambda: dpot.sphere_base(2, 0.0, 2), "epsilon"),
        (lambda: dpot.sphere_base(2, 1.0, 0.5), "p must lie"),
        (lambda: dpot.continuous.sphere_mechanism(2, 1.0, 2, 5.0), "scale"),
        (lambda: dpot.sphere_base(2, 1.0).sample([1.0, 0.0], np.random.default_rng(0)), "shape"),
        (lambda: dpot.sphere_base(1, 1.0).sample(np.eye(2), np.random.default_rng(0), 3), "single input"),
    ],
)
def test_unfitting_arguments_are_refused(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_extreme_settings_stay_finite() -> None:
    for d in (1, 2, 10_000):
        for epsilon in (1e-9, 700.0):
            for p in (1.0, 64.0):
                base = dpot.sphere_base(d, epsilon, p)
                assert math.isfinite(base.value) and 0 <= base.value <= 2
                assert math.isfinite(base.scale) and base.scale > 0


def test_an_input_without_a_direction_is_not_refused() -> None:
    """A refusal would tell something about the person; what has no direction counts as the first axis."""
    base = dpot.sphere_base(2, 5.0)
    hostile = np.array([[0.0, 0, 0], [np.nan, 1, 0], [np.inf, 0, 0], [1e308, 1e308, 0], [5e-324, 0, 0], [3.0, 0, 4]])
    out = base.sample(np.repeat(hostile, 500, axis=0), np.random.default_rng(0)).reshape(6, 500, 3)
    np.testing.assert_allclose(np.linalg.norm(out, axis=2), 1.0)
    aims = np.array([[1.0, 0, 0], [1, 0, 0], [1, 0, 0], [0.5**0.5, 0.5**0.5, 0], [1, 0, 0], [0.6, 0, 0.8]])
    inside = ((out * aims[:, None]).sum(axis=2) >= base.threshold).mean(axis=1)
    np.testing.assert_allclose(inside, base.cap_mass, atol=0.05)


@pytest.mark.parametrize("epsilon", [20.0, 60.0, 300.0, 700.0])
def test_outside_the_cap_keeps_its_probability_at_large_epsilon(epsilon: float) -> None:
    """Its complement rounds to 1: what a neighbour releases would be impossible here."""
    base = dpot.sphere_base(2, epsilon)
    high, low = math.log(base.scale) + epsilon / 2, math.log(base.scale) - epsilon / 2
    assert high - low == pytest.approx(epsilon)
    # The loss between the cap of one input and the outside of another, from the probabilities that are drawn.
    cap = stats.beta(1, 1).cdf(base.edge)
    loss = math.log(base.cap_mass / cap) - math.log(base.outside_mass / (1 - cap))
    assert loss <= epsilon * (1 + 1e-12) + 1e-12
    assert loss == pytest.approx(epsilon, rel=1e-9)


def test_audit_of_the_worst_pair() -> None:
    """Opposite inputs: the audit comes near epsilon and does not pass it."""
    base = dpot.sphere_base(2, 1.5)
    north, south = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0])

    def mechanism(x, n, rng):
        height = base.sample(x, rng, n)[:, 2]
        return (height >= base.threshold).astype(int) + 2 * (height <= -base.threshold)

    assert base.threshold > 0
    found = dpot.audit(mechanism, [(north, south)], 40_000, np.random.default_rng(0))
    assert 0.85 * 1.5 < found <= 1.5


@pytest.mark.parametrize(("d", "epsilon"), [(1, 0.5), (2, 1.0), (5, 4.0), (2, 1e-3)])
def test_the_unbiased_estimate_is_that_of_privunit(d: int, epsilon: float) -> None:
    """c = E <x, Y> by quadrature; of all caps the one for p = 2 has the least 1/c^2 - 1, and W_2^2 = 2 - 2 c."""
    best = dpot.sphere_base(d, epsilon, 2.0)
    for base in (best, dpot.sphere_base(d, epsilon, 1.0)):
        density = height_density(d)

        def term(angle: float) -> float:
            return math.cos(angle) * density(math.cos(angle)) * math.sin(angle)  # noqa: B023

        cap = integrate.quad(term, 1e-12, base.angle, epsabs=1e-13)[0]
        # Over the sphere the cosine has mean 0, so that only what the cap has more counts.
        mean = base.scale * (math.exp(epsilon / 2) - math.exp(-epsilon / 2)) * cap
        assert base.mean_cosine == pytest.approx(mean, rel=1e-6)
        assert base.unbiased_error == pytest.approx(1 / mean**2 - 1, rel=1e-5)
    assert best.value**2 == pytest.approx(2 - 2 * best.mean_cosine, rel=1e-12)
    for scale in np.geomspace(math.exp(-epsilon / 2), math.exp(epsilon / 2), 23)[1:-1]:
        other = dpot.continuous.sphere_mechanism(d, epsilon, 2.0, float(scale))
        assert other.unbiased_error >= best.unbiased_error * (1 - 1e-9)


@pytest.mark.slow
def test_draws_made_unbiased_have_the_inputs_mean() -> None:
    base, x = dpot.sphere_base(3, 2.0, 2.0), np.array([0.0, 0.6, 0.0, 0.8])
    drawn = base.sample(x, np.random.default_rng(4), 100_000) / base.mean_cosine
    np.testing.assert_allclose(drawn.mean(axis=0), x, atol=5 * math.sqrt(base.unbiased_error / 100_000))
    assert ((drawn - x) ** 2).sum(axis=1).mean() == pytest.approx(base.unbiased_error, rel=0.02)
