"""Linear queries: sensitivity, densities, cone measures, exact errors, and the refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

import dpot_core as dpot
from dpot_core.mechanisms.metric.linear import release_linear, release_user_level
from dpot_core.mechanisms.metric.lipschitz import NORMS
from dpot_core.mechanisms.metric.noise import (
    MetricNoise,
    cone_directions,
    gaussian_slack,
    metric_noise,
    user_level_noise,
)
from dpot_core.mechanisms.metric.protection import earth_movers_distance, unit_distances
from dpot_core.mechanisms.metric.queries import (
    LinearQuery,
    average_distance,
    embedding_similarity,
    hard_region,
    linear_query,
    mean_position,
    smoothed_region,
)

CITY = dpot.grid(6, 6, extent=(0.0, 20.0, 0.0, 12.0))  # km
DISTANCES = unit_distances(CITY)
REGION = np.asarray(CITY.points[:, 0] > 10.0)
READY = {
    "position": mean_position(CITY, "km"),
    "distance": average_distance(CITY, [3.0, 4.0], "km"),
    "region": smoothed_region(CITY, REGION, 5.0),
    "similarity": embedding_similarity(CITY.points, [[0.6, 0.8], [1.0, 0.0]])[1],
    "2 numbers, 1-norm": linear_query(CITY, CITY.points, norm="1-norm"),
    "2 numbers, inf-norm": linear_query(CITY, CITY.points, norm="inf-norm"),
}


def histories(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two random histories, near each other or far."""
    rng = np.random.default_rng(seed)
    first, other = rng.dirichlet(np.full(36, 0.2), size=2)
    share = rng.random() ** 3
    return first, (1 - share) * first + share * other


def test_constants_of_the_ready_queries() -> None:
    assert READY["position"].slope.constant == pytest.approx(CITY.diameter)
    assert READY["distance"].slope.constant <= CITY.diameter * (1 + 1e-12)
    assert READY["region"].slope.constant <= CITY.diameter / 5.0 * (1 + 1e-12)
    norm = np.linalg.norm([[0.6, 0.8], [1.0, 0.0]], ord=2)
    assert READY["similarity"].slope.constant <= norm * CITY.diameter * (1 + 1e-12)
    corner = average_distance(CITY, 0)
    assert corner.slope.constant == pytest.approx(CITY.diameter)  # from the corner to any point of the grid
    assert corner.values[0, 0] == 0.0


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize("seed", range(6))
def test_log_likelihood_ratio_stays_within_alpha_times_the_earth_movers_distance(name: str, seed: int) -> None:
    query, alpha, users = READY[name], 25.0, 1 + 99 * (seed % 2)
    mu, nu = histories(seed)
    noise = metric_noise(query, alpha, users)
    outputs = query(mu) + noise.sample(400, np.random.default_rng(seed)) * np.geomspace(0.1, 50.0, 400)[:, None]
    # Centrally, one of the users changes: the mean moves by 1/users of the change.
    ratio = noise.log_density(outputs - query(mu) / users) - noise.log_density(outputs - query(nu) / users)
    bound = alpha * earth_movers_distance(mu, nu, DISTANCES)
    assert np.abs(ratio).max() <= bound * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("name", READY)
def test_the_bound_is_reached_by_two_points(name: str) -> None:
    query = READY[name]
    i, j = query.slope.pair
    noise = metric_noise(query, 3.0)
    far = query.values[i] + 1e3 * (query.values[i] - query.values[j])
    ratio = noise.log_density(far - query.values[i]) - noise.log_density(far - query.values[j])
    assert ratio == pytest.approx(3.0 * DISTANCES[i, j], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("norm", NORMS)
def test_density_integrates_to_one(norm: str) -> None:
    noise = MetricNoise("k-norm", 0.7, 2, norm)
    total = integrate.dblquad(lambda y, x: math.exp(noise.log_density(np.array([x, y]))), 0, 20, 0, 20, epsabs=1e-6)[0]
    assert 4 * total == pytest.approx(1.0, abs=1e-5)
    flat = MetricNoise("k-norm", 0.7, 1, norm)
    x = np.linspace(-2, 2, 9)
    np.testing.assert_allclose(flat.log_density(x[:, None]), stats.laplace.logpdf(x, scale=0.7), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("d", [2, 4])
def test_cone_measure_against_uniform_points_of_the_ball(norm: str, d: int) -> None:
    rng = np.random.default_rng(7)
    cube = rng.uniform(-1, 1, (60_000 * (8 if d == 4 else 2), d))
    size = np.linalg.norm(cube, ord=NORMS[norm], axis=1)
    ball = cube[size <= 1.0]
    expected = ball / np.linalg.norm(ball, ord=NORMS[norm], axis=1, keepdims=True)
    found = cone_directions(len(expected), d, norm, rng)
    np.testing.assert_allclose(np.linalg.norm(found, ord=NORMS[norm], axis=1), 1.0, rtol=1e-12)
    for look in (lambda u: u[:, 0], lambda u: np.abs(u).max(axis=1), lambda u: u[:, 0] * u[:, 1], lambda u: u.sum(1)):
        assert stats.ks_2samp(look(found).round(9), look(expected).round(9)).pvalue > 1e-4


def test_another_direction_would_be_found_out() -> None:
    """Normalising a Gaussian by the 1-norm is not the cone measure: the test above can tell."""
    rng = np.random.default_rng(7)
    wrong = rng.normal(size=(60_000, 4))
    wrong /= np.abs(wrong).sum(axis=1, keepdims=True)
    right = cone_directions(60_000, 4, "1-norm", rng)
    assert stats.ks_2samp(np.abs(wrong).max(axis=1), np.abs(right).max(axis=1)).pvalue < 1e-12


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("d", [1, 3])
def test_length_of_the_noise_is_gamma(norm: str, d: int) -> None:
    noise = MetricNoise("k-norm", 0.3, d, norm)
    length = np.linalg.norm(noise.sample(20_000, np.random.default_rng(1)), ord=NORMS[norm], axis=1)
    assert stats.kstest(length, stats.gamma(d, scale=0.3).cdf).pvalue > 1e-4


def test_one_norm_noise_is_independent_laplace() -> None:
    draws = MetricNoise("k-norm", 0.3, 3, "1-norm").sample(20_000, np.random.default_rng(2))
    for column in draws.T:
        assert stats.kstest(column, stats.laplace(scale=0.3).cdf).pvalue > 1e-4
    assert abs(np.corrcoef(np.abs(draws).T)[0, 1]) < 0.03


@pytest.mark.parametrize("kind", ["k-norm", "gaussian"])
@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 3, 40])
def test_exact_errors_against_simulation(kind: str, d: int, n: int) -> None:
    noise = MetricNoise(kind, 0.5, d)
    draws = noise.sample(20_000 * n, np.random.default_rng(3)).reshape(20_000, n, d).mean(axis=1)
    length = np.linalg.norm(draws, axis=1)
    assert noise.mean_error(n) == pytest.approx(length.mean(), rel=0.02)
    assert noise.rms_error(n) == pytest.approx(math.sqrt((length**2).mean()), rel=0.03)


@pytest.mark.parametrize("norm", NORMS)
def test_second_moment_in_every_norm(norm: str) -> None:
    noise = MetricNoise("k-norm", 0.5, 3, norm)
    draws = noise.sample(60_000, np.random.default_rng(4))
    assert noise.rms_error() == pytest.approx(math.sqrt((draws**2).sum(axis=1).mean()), rel=0.02)


def test_the_example_of_the_paper() -> None:
    """Average distance to a city, alpha = 25, n = 1e5: 0.04 per person; 0.04/sqrt(n) = 1.26e-4 = 1.6 miles."""
    ends = dpot.point_cloud([[0.0], [0.3], [1.0]])
    noise = metric_noise(average_distance(ends, 0), 25.0)
    assert noise.mean_error() == pytest.approx(0.04)
    assert noise.scale / math.sqrt(1e5) == pytest.approx(1.26e-4, rel=5e-3)
    assert noise.scale / math.sqrt(1e5) * 12_500 == pytest.approx(1.6, abs=0.05)
    # The paper divides by sqrt(n). Exactly, the mean of n Laplace draws is off by 2 C(2n, n)/4^n times the scale.
    assert MetricNoise("k-norm", 1.0).mean_error(3) == pytest.approx(2 * math.comb(6, 3) / 4**3, rel=1e-12)
    assert noise.mean_error(10**5) == pytest.approx(0.04 * 2 / math.sqrt(math.pi * 1e5), rel=1e-5)
    assert noise.mean_error(10**5) * 12_500 == pytest.approx(1.78, abs=0.01)


@pytest.mark.parametrize("alpha", [0.5, 5.0, 25.0])
def test_gaussian_slack_is_delta_at_the_largest_distance_and_less_nearer(alpha: float) -> None:
    query, delta = READY["distance"], 1e-6
    noise = metric_noise(query, alpha, kind="gaussian", delta=delta)
    z = noise.scale / query.slope.constant
    at = [gaussian_slack(z, alpha, d) for d in np.linspace(0.0, 1.0, 51)]
    assert at[-1] == pytest.approx(delta, rel=1e-3) and at[-1] <= delta
    assert (np.diff(at) >= 0).all() and at[0] == 0.0
    # The formula against the integral of the positive part.
    d = 0.6

    def excess(x: float) -> float:
        return max(stats.norm.pdf(x, 0, z) - math.exp(alpha * d) * stats.norm.pdf(x, d, z), 0.0)

    integral = integrate.quad(excess, -40 * z, 10 * z, points=[0.3 - alpha * z * z], epsabs=0.0, limit=500)[0]
    assert gaussian_slack(z, alpha, d) == pytest.approx(integral, rel=1e-4, abs=1e-18)


def test_the_papers_gaussian_width_is_too_small() -> None:
    """metric_dp_emd, section 4.1: width sqrt(1.25 log(1/delta))/alpha. Ours is wider, and has the slack it says."""
    delta, alpha = 1e-12, 25.0
    paper = math.sqrt(1.25 * math.log(1 / delta)) / alpha
    assert gaussian_slack(paper, alpha, 1.0) == pytest.approx(4.5e-5, rel=0.01)
    query = READY["distance"]
    ours = metric_noise(query, alpha, kind="gaussian", delta=delta).scale / query.slope.constant
    assert ours > 1.4 * paper and gaussian_slack(ours, alpha, 1.0) <= delta


def test_a_query_that_jumps_is_refused_and_smoothing_is_offered() -> None:
    query = hard_region(CITY, REGION)
    assert query.slope.constant == pytest.approx(CITY.diameter / 4.0)  # 1 over the gap between two columns, 4 km
    finer = dpot.grid(21, 6, extent=(0.0, 20.0, 0.0, 12.0))
    assert hard_region(finer, finer.points[:, 0] > 10.0).slope.constant == pytest.approx(CITY.diameter / 1.0)
    with pytest.raises(ValueError, match=r"not Lipschitz.*smoothed_region"):
        metric_noise(query, 25.0)
    with pytest.raises(ValueError, match=r"width must be more than 0.*smoothed_region"):
        smoothed_region(CITY, REGION, 0.0)
    assert user_level_noise(query, 1.0).scale == 1.0  # hides any change: the jump does not matter


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda q: metric_noise(q, 0.0), "alpha must lie"),
        (lambda q: metric_noise(q, 25.0, users=0), "users must lie"),
        (lambda q: metric_noise(q, 25.0, kind="gaussian"), "delta must be more than 0 for Gaussian"),
        (lambda q: metric_noise(q, 25.0, kind="gaussian", delta=1.0), "delta must lie"),
        (lambda q: metric_noise(q, 900.0, kind="gaussian", delta=1e-6), "at most 700"),
        (lambda q: metric_noise(q, 25.0, delta=1e-6), "delta must be 0"),
        (lambda q: metric_noise(q, 25.0, kind="cauchy"), "kind must be one of"),
        (lambda q: smoothed_region(CITY, np.zeros(36, dtype=bool), 1.0), "region is empty"),
        (lambda q: smoothed_region(CITY, np.zeros(3, dtype=bool), 1.0), "36 truth values"),
        (lambda q: mean_position(dpot.ring(5)), "Euclidean"),
        (lambda q: embedding_similarity(np.ones((3, 2)), np.ones(5)), "2 columns"),
        (lambda q: linear_query(CITY, np.full(36, math.inf)), "finite"),
        (lambda q: MetricNoise("k-norm", 1.0, 3, "1-norm").mean_error(), "use rms_error"),
    ],
)
def test_bad_input_is_named(call, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        call(READY["position"])


@pytest.mark.parametrize("model", ["local", "central"])
def test_releases_scatter_as_the_noise_says(model: str) -> None:
    rng = np.random.default_rng(5)
    people = rng.dirichlet(np.full(36, 0.2), size=30)
    query: LinearQuery = READY["position"]
    release = release_linear(query, people, 25.0, rng, model, repeats=4000)
    np.testing.assert_allclose(release.truth, (people @ CITY.points).mean(axis=0))
    assert math.sqrt((release.errors**2).mean()) == pytest.approx(release.rms_error, rel=0.05)
    assert release.noise.scale == pytest.approx(CITY.diameter / 25.0 / (1 if model == "local" else 30))
    # At alpha = epsilon both promises need the same noise here: the two farthest points are farthest in the query too.
    baseline = release_user_level(query, people, 25.0, rng, model)
    assert baseline.noise.scale == pytest.approx(release.noise.scale)
    with pytest.raises(ValueError, match="model must be"):
        release_linear(query, people, 25.0, rng, "shuffled")
