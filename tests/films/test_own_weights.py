"""The reader's own public weights of genres: what is read, what is refused, and the base measure that they make."""

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.films.catalogue import Films, Split, make_films
from dpot_app.films.own_weights import genre_weights, weights_of
from dpot_app.films.releases import make_base, rule_mass
from dpot_app.kit.values import ScenarioError
from dpot_app.views.movies import PAGE
from dpot_app.views.movies.data import with_own_base
from dpot_app.views.movies.disclosed import guarantee
from dpot_app.views.movies.settings import Config
from dpot_core.datasets import simulated_films

SPLIT = Split(dimensions=8)


@pytest.fixture(scope="module")
def films() -> Films:
    return make_films(simulated_films(100, 120), SPLIT)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "No genre has a weight yet"),
        (" ; \n", "No genre has a weight yet"),
        ("Comedy", "Entry 1 needs a genre and a weight"),
        ("9", "Entry 1 needs a genre and a weight"),
        ("Comedy 9; Drama x", "Entry 2 needs a genre and a weight"),
        *((f"Comedy {bad}", "above 0") for bad in ("0", "-1", "nan", "inf", "1e7")),
    ],
)
def test_an_entry_without_a_weight_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        genre_weights(text)


def test_names_of_genres_may_have_blanks_and_any_case_and_weights_of_one_genre_add_up() -> None:
    assert weights_of("film NOIR .5\ncomedy 2; Comedy 1", ("Comedy", "Film noir", "War")) == (3.0, 0.5, 0.0)
    with pytest.raises(ValueError, match=r"There is no genre “Western” here\. The genres are: Comedy, War\."):
        weights_of("Western 1", ("Comedy", "War"))


def test_the_base_measure_has_one_for_each_film_and_the_weights_of_its_genres(films: Films) -> None:
    own = films.with_own("Comedy 9; Drama 2")
    base = make_base(own, "own", 2.0)
    weights = [
        1 + 9 * ("Comedy" in genres) + 2 * ("Drama" in genres)
        for genres in (films.ratings.genres_of(film).split(", ") for film in films.candidates)
    ]
    assert {1, 3, 10} <= {*weights}
    np.testing.assert_allclose(base / base.sum(), np.array(weights) / sum(weights))
    assert base.sum() == pytest.approx(rule_mass(2.0))
    assert own.key != films.key and own.key != films.with_own("Comedy 8").key


def test_settings_name_the_weights_and_another_base_does_not_look_at_them(films: Films) -> None:
    with pytest.raises(ScenarioError, match="own: There is no genre"):
        with_own_base(films, Config(base="own", own="Kommödie 1"))
    assert with_own_base(films, Config(own="Kommödie 1")) is films
    assert PAGE.view("movies.user").parameters(Config(base="own", own="Comedy 9"))["own"] == "Comedy 9"
    assert "own" not in PAGE.view("movies.user").parameters(Config(own="Comedy 9"))


def test_the_promise_names_the_weights_as_public_and_the_worst_case_is_that_of_theorem_3_5() -> None:
    config = Config(base="own", own="Comedy 9", split=SPLIT, epsilon=1.5)
    (worst,) = PAGE.view(PAGE.curves).run(config).parts
    polytope = dpot.Polytope(make_base(worst.films, "own", 1.5), 1.5)
    cost = worst.films.cost[worst.films.placed]
    by_hand = max(float(dpot.project_exact(np.ones(1), row[None, :], polytope).value) for row in cost)
    assert worst.bases["own"] == pytest.approx(by_hand, rel=1e-9)
    assert worst.bases["minimax-placed"] <= worst.bases["own"] * (1 + 1e-2)
    assert "your own base measure" in " ".join(guarantee(config, worst.films).public)
    assert "your own base measure" not in " ".join(guarantee(Config(), worst.films).public)
