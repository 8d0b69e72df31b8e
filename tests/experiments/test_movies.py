"""The movies experiment: laws, exactness, what may be learned from whom, the reading notes' numbers on MovieLens."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpot_core as dpot
from dpot_core.datasets import Ratings, load_movielens, simulated_films
from dpot_core.experiments import movies as experiment
from dpot_core.experiments.movies.everyone import mass_grid
from dpot_core.experiments.movies.scores import (
    LIST,
    hit_rate,
    hit_rate_of_list,
    mean_and_error,
    ndcg_of_list,
)
from dpot_core.exports import to_json
from tests.scenarios.outcomes import few_masses

SPLIT = experiment.Split(dimensions=16)
CONFIG = experiment.Config(split=SPLIT)


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    return simulated_films(120, 150)


@pytest.fixture(scope="module")
def films(ratings: Ratings) -> experiment.Films:
    return experiment.make_films(ratings, SPLIT)


@pytest.fixture(scope="module")
def point(films: experiment.Films) -> experiment.Point:
    return experiment.everyone_at(films, 2.0, 0.01)


def with_stars(ratings: Ratings, matrix: np.ndarray) -> Ratings:
    user, film = np.nonzero(matrix)
    return replace(ratings, user=user, film=film, stars=matrix[user, film])


# --- the split and the embedding ------------------------------------------------------------------------


def test_the_split_has_the_paper_s_shares(films: experiment.Films, ratings: Ratings) -> None:
    assert films.inputs.size == 120 and films.validation.size == 96 and films.test.size == 24
    assert not set(films.inputs) & set(films.candidates)
    assert not set(films.validation) & set(films.test)
    rated = (ratings.matrix[films.validation] > 0).sum(axis=0)
    others = np.setdiff1d(np.arange(150), films.inputs)
    few = experiment.make_films(ratings, replace(SPLIT, candidates=10)).candidates
    assert rated[few].min() >= np.sort(rated[others])[-10]


def test_nothing_public_depends_on_a_test_user(films: experiment.Films, ratings: Ratings) -> None:
    matrix = ratings.matrix.copy()
    rng = np.random.default_rng(0)
    matrix[films.test] = np.where(rng.random((films.test.size, 150)) < 0.3, rng.integers(1, 6, (24, 150)), 0)
    matrix[films.test, films.inputs[0]] = 3  # everybody still has an input
    changed = experiment.make_films(with_stars(ratings, matrix), SPLIT)
    for name in ("embedding", "distances", "candidates", "likes", "positions", "inputs", "validation"):
        np.testing.assert_array_equal(getattr(changed, name), getattr(films, name), err_msg=name)
    for base in experiment.BASES:
        np.testing.assert_array_equal(
            experiment.make_base(changed, base, 1.0), experiment.make_base(films, base, 1.0), err_msg=base
        )
    masses = experiment.everyone_at(changed, 1.0, 0.01).mass
    assert masses == experiment.everyone_at(films, 1.0, 0.01).mass
    matrix = ratings.matrix.copy()
    matrix[films.validation[:5]] = 6 - np.maximum(matrix[films.validation[:5]], 1)
    assert not np.allclose(experiment.make_films(with_stars(ratings, matrix), SPLIT).distances, films.distances)


def test_the_embedding_is_that_of_the_singular_value_decomposition(films: experiment.Films, ratings: Ratings) -> None:
    for centred in (False, True):
        made = experiment.make_films(ratings, replace(SPLIT, centred=centred))
        known = ratings.matrix[films.validation]
        _, s, components = np.linalg.svd(known - known.mean(axis=0) * centred)
        plain = (s[:16, None] * components[:16]).T
        units = plain / np.linalg.norm(plain, axis=1, keepdims=True)
        expected = 1 - units[made.inputs] @ units[made.candidates].T
        np.testing.assert_allclose(made.distances, np.maximum(expected, 0), atol=1e-9)


@pytest.mark.parametrize(("n_users", "n_films"), [(60, 150), (300, 60)])
def test_more_users_than_films_or_fewer(n_users: int, n_films: int) -> None:
    made = experiment.make_films(simulated_films(n_users, n_films), experiment.Split(dimensions=400))
    known = made.ratings.matrix[made.validation]
    units = known / np.maximum(np.linalg.norm(known, axis=0), 1e-300)
    cosine = units[:, made.inputs].T @ units[:, made.candidates]  # all components: the angles of the ratings themselves
    rated = known[:, made.inputs].any(axis=0)
    np.testing.assert_allclose(made.distances[rated], (1 - cosine)[rated], atol=1e-9)


def test_a_film_that_no_validation_user_rated_is_at_distance_one(films: experiment.Films, ratings: Ratings) -> None:
    matrix = ratings.matrix.copy()
    matrix[films.validation, films.inputs[3]] = 0
    made = experiment.make_films(with_stars(ratings, matrix), SPLIT)
    np.testing.assert_allclose(made.distances[3], 1.0)


def test_a_test_user_without_a_train_film_is_left_out(films: experiment.Films, ratings: Ratings) -> None:
    matrix = ratings.matrix.copy()
    matrix[np.ix_(films.test[:2], films.inputs)] = 0
    matrix[films.test[:2], films.candidates[0]] = 5
    made = experiment.make_films(with_stars(ratings, matrix), SPLIT)
    assert made.left_out == 2 and made.test.size == films.test.size - 2
    assert np.isfinite(made.inputs_of(made.test)).all()
    assert np.isfinite(experiment.everyone_at(made, 1.0, 0.01).hits["wpm"]).all()


def test_too_little_data_are_refused_with_a_sentence() -> None:
    tiny = simulated_films(10, 50)
    made = experiment.make_films(tiny, SPLIT)
    matrix = tiny.matrix.copy()
    matrix[np.ix_(made.validation, made.candidates[1:])] = 0
    with pytest.raises(ValueError, match=r"only 1 of the 10 films .* two are needed"):
        experiment.make_films(with_stars(tiny, matrix), SPLIT)
    matrix = tiny.matrix.copy()
    matrix[np.ix_(made.test[1:], made.inputs)] = 0
    matrix[made.test[1:], made.candidates[0]] = 3
    with pytest.raises(ValueError, match=r"8 validation users and 1 test users .* two of each"):
        experiment.make_films(with_stars(tiny, matrix), SPLIT)


# --- the mechanisms -------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", experiment.BASES)
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 8.0])
def test_every_output_of_every_mechanism_is_certified(films: experiment.Films, base: str, epsilon: float) -> None:
    everybody = np.vstack([films.inputs_of(films.test), np.eye(films.inputs.size)])
    kernels = experiment.make_releases(films, experiment.make_base(films, base, epsilon), epsilon, 0.01)
    assert kernels.keys() == experiment.MECHANISMS.keys()
    for name, kernel in kernels.items():
        outputs = kernel(everybody)
        np.testing.assert_allclose(outputs.sum(axis=1), 1, atol=1e-12)
        assert dpot.certify(outputs).holds(epsilon), name


def test_one_user_alone_gets_the_same_output_as_in_the_batch(films: experiment.Films) -> None:
    mu = films.inputs_of(films.test)
    kernels = experiment.make_releases(films, experiment.make_base(films, "rule", 2.0), 2.0, 0.01)
    for name, kernel in kernels.items():
        np.testing.assert_allclose(kernel(mu[3:4])[0], kernel(mu)[3], atol=1e-12, err_msg=name)


def test_genre_kpm_draws_a_genre_and_then_a_film_of_it(films: experiment.Films) -> None:
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
    output = experiment.make_releases(films, experiment.make_base(films, "rule", 2.0), 2.0, 0.01)["kpm"](mu)[0]
    np.testing.assert_allclose(output, expected, atol=1e-12)


def test_randomized_response_moves_films_to_their_nearest_candidate(films: experiment.Films) -> None:
    base = experiment.make_base(films, "rule", 2.0)
    outputs = experiment.make_releases(films, base, 2.0, None)["krr"](np.eye(films.inputs.size))
    np.testing.assert_array_equal(outputs.argmax(axis=1), films.distances.argmin(axis=1))


def test_exact_wpm_is_at_least_as_near_as_forty_iterations(films: experiment.Films) -> None:
    mu, base = films.inputs_of(films.test[:3]), experiment.make_base(films, "rule", 2.0)
    exact, entropic = (experiment.make_releases(films, base, 2.0, reg)["wpm"](mu) for reg in (None, 0.01))
    for row, best, other in zip(mu, exact, entropic, strict=True):
        assert dpot.wasserstein(row, best, films.distances, 1) <= dpot.wasserstein(row, other, films.distances, 1)


# --- scores ---------------------------------------------------------------------------------------------


def test_hit_rates_are_the_frequencies_of_a_million_draws(films: experiment.Films) -> None:
    n, rng = 10**6, np.random.default_rng(5)
    mu, liked = films.inputs_of(films.test), films.liked_by(films.test)
    kernels = experiment.make_releases(films, experiment.make_base(films, "rule", 2.0), 2.0, 0.01)
    for name, kernel in kernels.items():
        nu, likes = kernel(mu[:1])[0], liked[0]
        exact = float(hit_rate(nu[None], likes[None])[0])
        draws = np.minimum(np.searchsorted(nu.cumsum(), rng.random(n), side="right"), len(nu) - 1)
        assert abs(likes[draws].mean() - exact) < 4.5 * np.sqrt(exact * (1 - exact) / n), name


def test_scores_of_ten_releases_are_means_of_draws(films: experiment.Films) -> None:
    n, rng = 40_000, np.random.default_rng(6)
    liked = films.liked_by(films.test)[:1]
    nu = experiment.make_releases(films, experiment.make_base(films, "rule", 6.0), 6.0, 0.01)["wpm"](
        films.inputs_of(films.test[:1])
    )
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


# --- everyone -------------------------------------------------------------------------------------------


def test_masses_lie_in_the_feasible_interval() -> None:
    for epsilon in experiment.EPSILONS:
        masses = mass_grid(epsilon)
        assert len(masses) == experiment.SCALES
        for mass in masses:
            dpot.Polytope(np.full(7, mass / 7), epsilon)


def test_the_mass_chosen_is_the_best_on_validation_users(films: experiment.Films, point: experiment.Point) -> None:
    for name, table in point.tried.items():
        assert point.mass[name] == table[table[:, 1].argmax(), 0]
    mu, liked = films.inputs_of(films.learning), films.liked_by(films.learning)
    mass, mean = point.tried["wpm"][6]
    Q = dpot.Polytope(dpot.uniform_base(len(films.candidates), mass), 2.0)
    outputs = dpot.wasserstein_projection(mu, films.distances, Q, 0.01, 40)
    assert (outputs * liked).sum(axis=1).mean() == pytest.approx(mean, abs=1e-12)


def test_parts_do_not_change_the_answer(
    films: experiment.Films, point: experiment.Point, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[experiment.Point.__module__], "_PART", 17)
    steps: list[tuple[int, int]] = []
    again = experiment.everyone_at(films, 2.0, 0.01, lambda done, total: steps.append((done, total)))
    for name, hits in point.hits.items():
        np.testing.assert_allclose(again.hits[name], hits, atol=1e-12)
    assert [done for done, _ in steps] == list(range(1, steps[-1][1] + 1))


def test_work_on_everyone_can_be_abandoned(films: experiment.Films) -> None:
    class Abandoned(BaseException):
        pass

    def stop(done: int, total: int) -> None:
        raise Abandoned

    with pytest.raises(Abandoned):
        experiment.everyone_at(films, 1.0, None, stop)


def test_references_and_tables(films: experiment.Films, point: experiment.Point) -> None:
    result = experiment.everyone(films, [point])
    liked = films.liked_by(films.test)
    np.testing.assert_allclose(result.references["uniform"], liked.mean(axis=1))
    assert result.references["nearest"].mean() > result.references["popular"].mean() > 0
    tables = result.tables() | experiment.lists(films, "rule", 2.0, 0.01).tables()
    for table in tables.values():
        assert isinstance(table, pd.DataFrame) and table["simulated"].all()
    hit = tables["hit-rate"].set_index("release")["Hit Rate@1"]
    assert hit["WPM"] == pytest.approx(point.hits["wpm"].mean())
    json.loads(to_json(tables, CONFIG))


def test_ten_releases_cost_ten_times(films: experiment.Films) -> None:
    for name, each, total, score in experiment.lists(films, "rule", 2.0, 0.01).scores:
        assert name in experiment.MECHANISMS.values()
        assert total == pytest.approx(each if score == "Hit Rate@1" else LIST * each)
        assert total in (2.0, 20.0)


# --- one user, two users --------------------------------------------------------------------------------


def test_one_user_s_numbers_agree_with_each_other(films: experiment.Films) -> None:
    config = replace(CONFIG, user=films.names[4], epsilon=1.0)
    result, curve = experiment.one_user(films, config), experiment.liked_curve(films, config)
    at = list(curve.epsilon).index(1.0)
    for name, hit in result.hits.items():
        assert curve.hits[name][at] == pytest.approx(hit, abs=1e-12)
    rated = result.rated()
    assert (rated["stars"].to_numpy()[:-1] >= rated["stars"].to_numpy()[1:]).all()
    assert set(rated["role"]) <= {"input", "candidate", "not used"}
    assert (
        result.exact_distance
        <= result.distance
        == pytest.approx(dpot.wasserstein(result.mu, result.outputs["wpm"], films.distances, 1))
    )
    likely = result.likely("wpm")
    assert likely["probability"].iloc[0] == result.outputs["wpm"].max()
    assert set(result.drawn(1).values()) <= set(films.candidates.tolist())
    assert result.drawn(1) == result.drawn(1)


def test_a_profile_of_one_s_own(films: experiment.Films) -> None:
    profile = ((int(films.inputs[0]), 5.0), (int(films.inputs[7]), 2.5), (int(films.candidates[1]), 4.0))
    result = experiment.one_user(films, replace(CONFIG, user=experiment.OWN, profile=profile))
    assert result.mu[0] == pytest.approx(2 / 3) and result.mu[7] == pytest.approx(1 / 3)
    assert result.liked.tolist() == [i == 1 for i in range(len(films.candidates))]
    with pytest.raises(ValueError, match="rated no film"):
        experiment.one_user(films, replace(CONFIG, user=experiment.OWN, profile=profile[2:]))


@pytest.mark.parametrize("base", experiment.BASES)
def test_no_film_tells_two_users_apart_by_more_than_epsilon(films: experiment.Films, base: str) -> None:
    config = replace(CONFIG, base=base, user=films.names[0], other=films.names[5])
    result, curve = experiment.two_users(films, config), experiment.largest_ratio(films, config)
    for name, largest in result.largest().items():
        assert largest <= config.epsilon + 1e-12
        assert curve.largest[name][list(curve.epsilon).index(2.0)] == pytest.approx(largest, abs=1e-12)
        assert (curve.largest[name] <= curve.epsilon + 1e-12).all()
    same = experiment.two_users(films, replace(config, other=config.user))
    assert max(same.largest().values()) == 0


def test_the_promise_names_what_is_public_and_who_is_not_covered(films: experiment.Films) -> None:
    promise = experiment.guarantee(CONFIG, films)
    assert promise.neighbours == "local" and promise.epsilon == CONFIG.epsilon
    assert "learned from 96 other users" in " ".join(promise.public)
    assert "validation users" in promise.note and "ten releases cost 10 ε" in promise.note


# --- the snippet ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"base": "prior", "split": replace(SPLIT, centred=True, seed=3)},
        {"base": "minimax", "reg": None, "epsilon": 0.5},
        {"user": experiment.OWN},
    ],
    ids=str,
)
def test_the_snippet_computes_the_same_numbers(
    films: experiment.Films, ratings: Ratings, change: dict[str, object]
) -> None:
    if change.get("user") == experiment.OWN:
        change = change | {"profile": ((int(films.inputs[2]), 3.0), (int(films.candidates[0]), 5.0))}
    config = replace(CONFIG, **change)
    code = experiment.snippet(config)
    loaded = "datasets.FILM_DATASETS['simulated'].load()"
    assert loaded in code
    names: dict[str, object] = {}
    exec(code.replace(loaded, "datasets.simulated_films(120, 150)"), names)
    made = experiment.make_films(ratings, config.split)
    result = experiment.one_user(made, config)
    # The minimax base is solved to a gap of 1%: another rounding of the distances may end at another such base.
    near = 0.01 if config.base == "minimax" else 1e-8
    for name, nu in result.outputs.items():
        np.testing.assert_allclose(names["outputs"][name], nu, atol=near, err_msg=name)
    if config.reg is not None:
        point = experiment.everyone_at(made, config.epsilon, config.reg)
        for name in ("wpm", "kpm", "em", "krr"):
            computed, expected = np.sort(names["hit_rates"][name]), np.sort(point.hits[name])
            np.testing.assert_allclose(computed, expected, atol=1e-8, err_msg=name)


def test_the_snippet_for_files_of_one_s_own_reads_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = simulated_films(40, 60)
    rows = [f"{u},{f},{s:g}" for u, f, s in zip(ratings.user, ratings.film, ratings.stars, strict=True)]
    (tmp_path / "ratings.csv").write_text("\n".join(["user,item,rating", *rows]))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(
        experiment.snippet(
            replace(CONFIG, source="csv", columns=(("user", "user"), ("film", "item"), ("rating", "rating")))
        ),
        names,
    )
    assert names["outputs"]["wpm"].sum() == pytest.approx(1)


# --- MovieLens ------------------------------------------------------------------------------------------

#: Reading notes, part A: one split of another program, Hit Rate@1 at epsilon = 0.5, 1, 2, 4.
NOTES = {
    0.5: {"wpm": 0.063, "kpm": 0.061, "em": 0.051},
    1.0: {"wpm": 0.081, "kpm": 0.063, "em": 0.052},
    2.0: {"wpm": 0.120, "kpm": 0.066, "em": 0.055},
    4.0: {"wpm": 0.19, "kpm": 0.067, "em": 0.060},
}


def test_movielens_has_the_numbers_of_the_reading_notes(
    real_data: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    real_data("ml-100k/u.data")
    few_masses(monkeypatch, 3)  # of nine: the choice between more changes far less than the notes' standard error
    films = experiment.make_films(load_movielens(), experiment.Split())
    assert films.distances.shape == (1346, 250) and films.test.size == 189 and films.validation.size == 754
    leads = []
    for epsilon, numbers in NOTES.items():
        point = experiment.everyone_at(films, epsilon, 0.01)
        for name, noted in numbers.items():
            mean, error = mean_and_error(point.hits[name])
            assert abs(mean - noted) < 2 * np.hypot(error, error), (epsilon, name, mean)
        gaps = [mean_and_error(point.hits["wpm"] - point.hits[other]) for other in ("kpm", "em")]
        if epsilon >= 1:
            assert all(mean > 2 * error for mean, error in gaps), (epsilon, gaps)
        leads.append([mean for mean, _ in gaps])
    assert (np.diff(leads, axis=0) > 0).all()
    uniform = experiment.everyone(films, [point]).references["uniform"]
    assert abs(uniform.mean() - 0.049) < 2 * mean_and_error(uniform)[1]
