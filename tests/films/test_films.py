"""Films: who is set aside, what may be learned from whom, every release inside its bound, exact scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.films.catalogue import Films, Split, make_films
from dpot_app.films.releases import MECHANISMS, make_base, make_releases
from dpot_app.films.scores import LIST, hit_rate, hit_rate_of_list, mean_and_error, ndcg_of_list
from dpot_core.datasets import Ratings, simulated_films

SPLIT = Split(dimensions=16)
BASES = ("rule", "minimax", "prior")


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return simulated_films(120, 150)


@pytest.fixture(scope="module")
def films(ratings: Ratings) -> Films:
    return make_films(ratings, SPLIT)


def with_stars(ratings: Ratings, matrix: np.ndarray) -> Ratings:
    user, film = np.nonzero(matrix)
    return replace(ratings, user=user, film=film, stars=matrix[user, film])


# --- the split and the embedding ------------------------------------------------------------------------


def test_the_split_has_the_paper_s_shares(films: Films, ratings: Ratings) -> None:
    assert films.inputs.size == 120 and films.validation.size == 96 and films.test.size == 24
    assert not set(films.inputs) & set(films.candidates)
    assert not set(films.validation) & set(films.test)
    rated = (ratings.matrix[films.validation] > 0).sum(axis=0)
    others = np.setdiff1d(np.arange(150), films.inputs)
    few = make_films(ratings, replace(SPLIT, candidates=10)).candidates
    assert rated[few].min() >= np.sort(rated[others])[-10]


def test_nothing_public_depends_on_a_test_user(films: Films, ratings: Ratings) -> None:
    matrix = ratings.matrix.copy()
    rng = np.random.default_rng(0)
    matrix[films.test] = np.where(rng.random((films.test.size, 150)) < 0.3, rng.integers(1, 6, (24, 150)), 0)
    matrix[films.test, films.inputs[0]] = 3  # everybody still has an input
    changed = make_films(with_stars(ratings, matrix), SPLIT)
    for name in ("embedding", "distances", "candidates", "likes", "positions", "inputs", "validation"):
        np.testing.assert_array_equal(getattr(changed, name), getattr(films, name), err_msg=name)
    for base in BASES:
        np.testing.assert_array_equal(make_base(changed, base, 1.0), make_base(films, base, 1.0), err_msg=base)
    matrix = ratings.matrix.copy()
    matrix[films.validation[:5]] = 6 - np.maximum(matrix[films.validation[:5]], 1)
    assert not np.allclose(make_films(with_stars(ratings, matrix), SPLIT).distances, films.distances)


def test_the_embedding_is_that_of_the_singular_value_decomposition(films: Films, ratings: Ratings) -> None:
    for centred in (False, True):
        made = make_films(ratings, replace(SPLIT, centred=centred))
        known = ratings.matrix[films.validation]
        _, s, components = np.linalg.svd(known - known.mean(axis=0) * centred)
        plain = (s[:16, None] * components[:16]).T
        units = plain / np.linalg.norm(plain, axis=1, keepdims=True)
        expected = 1 - units[made.inputs] @ units[made.candidates].T
        np.testing.assert_allclose(made.distances, np.maximum(expected, 0), atol=1e-9)


@pytest.mark.parametrize(("n_users", "n_films"), [(60, 150), (300, 60)])
def test_more_users_than_films_or_fewer(n_users: int, n_films: int) -> None:
    made = make_films(simulated_films(n_users, n_films), Split(dimensions=400))
    known = made.ratings.matrix[made.validation]
    units = known / np.maximum(np.linalg.norm(known, axis=0), 1e-300)
    cosine = units[:, made.inputs].T @ units[:, made.candidates]  # all components: the angles of the ratings themselves
    rated = known[:, made.inputs].any(axis=0)
    np.testing.assert_allclose(made.distances[rated], (1 - cosine)[rated], atol=1e-9)


def test_a_film_that_no_validation_user_rated_is_at_distance_one(films: Films, ratings: Ratings) -> None:
    matrix = ratings.matrix.copy()
    matrix[films.validation, films.inputs[3]] = 0
    made = make_films(with_stars(ratings, matrix), SPLIT)
    np.testing.assert_allclose(made.distances[3], 1.0)


def test_a_test_user_without_a_train_film_is_left_out(films: Films, ratings: Ratings) -> None:
    matrix = ratings.matrix.copy()
    matrix[np.ix_(films.test[:2], films.inputs)] = 0
    matrix[films.test[:2], films.candidates[0]] = 5
    made = make_films(with_stars(ratings, matrix), SPLIT)
    assert made.left_out == 2 and made.test.size == films.test.size - 2
    assert np.isfinite(made.inputs_of(made.test)).all()


def test_too_little_data_are_refused_with_a_sentence() -> None:
    tiny = simulated_films(10, 50)
    made = make_films(tiny, SPLIT)
    matrix = tiny.matrix.copy()
    matrix[np.ix_(made.validation, made.candidates[1:])] = 0
    with pytest.raises(ValueError, match=r"only 1 of the 10 films .* two are needed"):
        make_films(with_stars(tiny, matrix), SPLIT)
    matrix = tiny.matrix.copy()
    matrix[np.ix_(made.test[1:], made.inputs)] = 0
    matrix[made.test[1:], made.candidates[0]] = 3
    with pytest.raises(ValueError, match=r"8 validation users and 1 test users .* two of each"):
        make_films(with_stars(tiny, matrix), SPLIT)


# --- the mechanisms -------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 8.0])
def test_every_output_of_every_mechanism_is_certified(films: Films, base: str, epsilon: float) -> None:
    everybody = np.vstack([films.inputs_of(films.test), np.eye(films.inputs.size)])
    kernels = make_releases(films, make_base(films, base, epsilon), epsilon, 0.01)
    assert kernels.keys() == MECHANISMS.keys()
    for name, kernel in kernels.items():
        outputs = kernel(everybody)
        np.testing.assert_allclose(outputs.sum(axis=1), 1, atol=1e-12)
        assert dpot.certify(outputs).holds(epsilon), name


def test_one_user_alone_gets_the_same_output_as_in_the_batch(films: Films) -> None:
    mu = films.inputs_of(films.test)
    kernels = make_releases(films, make_base(films, "rule", 2.0), 2.0, 0.01)
    for name, kernel in kernels.items():
        np.testing.assert_allclose(kernel(mu[3:4])[0], kernel(mu)[3], atol=1e-12, err_msg=name)


def test_genre_kpm_draws_a_genre_and_then_a_film_of_it(films: Films) -> None:
    mu = films.inputs_of(films.test[:1])
    flags = films.ratings.genres
    shares = np.zeros(flags.shape[1])
    for film, mass in zip(films.inputs, mu[0], strict=True):
        shares[flags[film]] += mass / flags[film].sum()
    genres = dpot.kl_projection(shares, dpot.Polytope(dpot.minimax_base_kl(len(shares), 2.0), 2.0))
    expected = np.zeros(len(films.candidates))
    for genre, mass in enumerate(genres):
        members = flags[films.candidates, genre]
        expected += mass * (members / members.sum() if members.any() else np.full(members.size, 1 / members.size))
    output = make_releases(films, make_base(films, "rule", 2.0), 2.0, 0.01)["kpm"](mu)[0]
    np.testing.assert_allclose(output, expected, atol=1e-12)


def test_randomized_response_moves_films_to_their_nearest_candidate(films: Films) -> None:
    base = make_base(films, "rule", 2.0)
    outputs = make_releases(films, base, 2.0, None)["krr"](np.eye(films.inputs.size))
    np.testing.assert_array_equal(outputs.argmax(axis=1), films.distances.argmin(axis=1))


def test_exact_wpm_is_at_least_as_near_as_forty_iterations(films: Films) -> None:
    mu, base = films.inputs_of(films.test[:3]), make_base(films, "rule", 2.0)
    exact, entropic = (make_releases(films, base, 2.0, reg)["wpm"](mu) for reg in (None, 0.01))
    for row, best, other in zip(mu, exact, entropic, strict=True):
        assert dpot.wasserstein(row, best, films.distances, 1) <= dpot.wasserstein(row, other, films.distances, 1)


# --- scores ---------------------------------------------------------------------------------------------


def test_hit_rates_are_the_frequencies_of_a_million_draws(films: Films) -> None:
    n, rng = 10**6, np.random.default_rng(5)
    mu, liked = films.inputs_of(films.test), films.liked_by(films.test)
    kernels = make_releases(films, make_base(films, "rule", 2.0), 2.0, 0.01)
    for name, kernel in kernels.items():
        nu, likes = kernel(mu[:1])[0], liked[0]
        exact = float(hit_rate(nu[None], likes[None])[0])
        draws = np.minimum(np.searchsorted(nu.cumsum(), rng.random(n), side="right"), len(nu) - 1)
        assert abs(likes[draws].mean() - exact) < 4.5 * np.sqrt(exact * (1 - exact) / n), name


@pytest.mark.nightly
def test_scores_of_ten_releases_are_means_of_draws(films: Films) -> None:
    n, rng = 40_000, np.random.default_rng(6)
    liked = films.liked_by(films.test)[:1]
    nu = make_releases(films, make_base(films, "rule", 6.0), 6.0, 0.01)["wpm"](films.inputs_of(films.test[:1]))
    draws = np.minimum(np.searchsorted(nu[0].cumsum(), rng.random((n, LIST)), side="right"), nu.shape[1] - 1)
    hits = liked[0][draws]
    seen = np.array([[rank > 0 and draw in row[:rank] for rank, draw in enumerate(row)] for row in draws.tolist()])
    discounts = 1 / np.log2(np.arange(2, LIST + 2))
    ndcg = (hits & ~seen) @ discounts / discounts[: min(LIST, int(liked.sum()))].sum()
    for drawn, exact in ((hits.any(axis=1), hit_rate_of_list(nu, liked)), (ndcg, ndcg_of_list(nu, liked))):
        assert abs(drawn.mean() - exact[0]) < 4.5 * drawn.std() / np.sqrt(n)


def test_a_user_who_likes_nothing_scores_zero() -> None:
    nu, liked = np.full((1, 4), 0.25), np.zeros((1, 4), dtype=bool)
    assert hit_rate(nu, liked) == hit_rate_of_list(nu, liked) == ndcg_of_list(nu, liked) == 0


def test_the_standard_error_is_that_of_a_mean() -> None:
    assert mean_and_error(np.array([1.0, 2.0, 4.0])) == (
        pytest.approx(7 / 3),
        pytest.approx(np.sqrt(np.var([1, 2, 4], ddof=1) / 3)),
    )
