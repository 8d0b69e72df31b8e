"""Ratings: the simulated catalogue, and files of one's own."""

import numpy as np
import pytest

from dpot_core.datasets import ColumnsError, Ratings, read_ratings_csv, simulated_films, sniff_ratings
from dpot_core.datasets.csv_bounds import MAX_ROWS
from dpot_core.datasets.ratings import MAX_PAIRS, NO_GENRE

NASTY = "<img src=x onerror=alert(1)>"
ROWS = b"user,film,rating\nann,1,4\nann,2,3.5\nbob,1,5\n"


def test_the_simulated_catalogue_is_the_same_for_the_same_seed():
    assert simulated_films(50, 60, 3) == simulated_films(50, 60, 3)
    assert simulated_films(50, 60, 3) != simulated_films(50, 60, 4)


def test_the_simulated_catalogue_looks_like_ratings():
    ratings = simulated_films()
    assert ratings.simulated and "no real" in ratings.title
    assert (ratings.n_users, ratings.n_films) == (400, 600)
    assert len(set(ratings.films)) == 600
    assert np.bincount(ratings.user).min() >= 20
    assert 0.4 < (ratings.stars >= 4).mean() < 0.7
    by_film = np.sort(np.bincount(ratings.film, minlength=600))
    assert by_film[-60:].sum() > 3 * by_film[:60].sum()


@pytest.mark.parametrize("arguments", [(9, 60), (50, 49), (50, 1201), (3001, 60), (50.5, 60), (50, 60, -1)])
def test_a_catalogue_out_of_range_is_refused(arguments):
    with pytest.raises(ValueError, match=r"n_users|n_films|seed"):
        simulated_films(*arguments)


def test_a_file_of_ones_own():
    films = "item,title,genres\n1,Ünder <i>,Drama|War\n2,Two,\n9,Nine,War\n".encode()
    ratings = read_ratings_csv(ROWS, films)
    assert ratings.users == ("ann", "bob")
    assert ratings.films == ("Ünder <i>", "Two")
    assert ratings.matrix.tolist() == [[4, 3.5], [5, 0]]
    assert [ratings.genres_of(i) for i in range(2)] == ["Drama, War", NO_GENRE]
    assert not ratings.simulated
    assert not ratings.notes


def test_without_a_film_file_identifiers_are_titles():
    ratings = read_ratings_csv(ROWS)
    assert ratings.films == ("1", "2") and ratings.genre_names == (NO_GENRE,)
    assert any("no genres" in note for note in ratings.notes)


def test_a_film_that_the_film_file_does_not_know_is_said():
    ratings = read_ratings_csv(ROWS, b"film,title\n1,One\n")
    assert ratings.films == ("One", "2")
    assert any("1 of 2 films are not in the film file" in note for note in ratings.notes)


def test_columns_of_the_film_file_that_are_not_recognised_are_said():
    """The page has no choice of its columns: the note says which names are known."""
    ratings = read_ratings_csv(ROWS, b"film,Titel,Kategorie\n1,One,War\n2,Two,Drama\n")
    assert ratings.films == ("1", "2") and ratings.genre_names == (NO_GENRE,)
    for words in (
        "title under a known name (title, name, movie_title): films",
        "genres under a known name (genres, gen",
    ):
        assert any(words in note for note in ratings.notes)
    assert not any("known name" in note for note in read_ratings_csv(ROWS, b"film,name,genre\n1,One,War\n").notes)


def test_the_last_of_repeated_ratings_counts():
    ratings = read_ratings_csv(ROWS + b"ann,1,2\n")
    assert ratings.matrix[ratings.users.index("ann"), ratings.films.index("1")] == 2
    assert len(ratings) == 3
    assert any("1 rating was given again" in note for note in ratings.notes)


def test_titles_that_are_no_utf8_are_read_and_said():
    ratings = read_ratings_csv(ROWS, "film,title\n1,Café\n2,Two\n".encode("latin-1"))
    assert ratings.films[0] == "Café"
    assert any("Windows-1252" in note for note in ratings.notes)


def test_markup_in_titles_stays_text():
    assert read_ratings_csv(ROWS, f"film,title\n1,{NASTY}\n".encode()).films[0] == NASTY


def test_columns_of_other_names_can_be_matched():
    data = b"wer,was,sterne\na,1,4\n"
    assert not sniff_ratings(data).complete
    with pytest.raises(ColumnsError, match="no column for user, film, rating"):
        read_ratings_csv(data)
    assert read_ratings_csv(data, mapping={"user": "wer", "film": "was", "rating": "sterne"}).n_users == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"user,film,rating\n", "no rows"),
        (b"user,film,rating\na,1,6\n", r"row 2, column 'rating': rating must be a number in \[0.5, 5\]; got '6'"),
        (b"user,film,rating\na,1,0\n", r"\[0.5, 5\]"),
        (b"user,film,rating\na,1,nan\n", "every row of the ratings file lacks a number in column 'rating'"),
        (b"user,film,rating\na,1,five\nb,1,six\n", "1 more row is wrong too"),
        (b"user,film,rating\n,1,4\n", "the user's name is empty"),
        (b"user,film,rating\na,,4\n", "the film's name is empty"),
        (b"PK\x03\x04....", "the archive cannot be unpacked"),
    ],
)
def test_a_file_that_cannot_be_used_gets_a_sentence(data, message):
    with pytest.raises(ValueError, match=message):
        read_ratings_csv(data)


@pytest.mark.nightly
@pytest.mark.slow
def test_a_million_rows_are_read_and_one_more_is_refused():
    n_films = 10_000
    rows = [f"{i // n_films},{i % n_films},4" for i in range(MAX_ROWS)]
    ratings = read_ratings_csv("\n".join(["user,film,rating", *rows]).encode())
    assert len(ratings) == MAX_ROWS
    with pytest.raises(ValueError, match=r"more than 1,000,000 rows"):
        read_ratings_csv("\n".join(["user,film,rating", *rows, "x,1,4", "y,1,4"]).encode())


def test_too_many_pairs_are_refused():
    rows = "\n".join(["user,film,rating", *(f"u{i},f{i},4" for i in range(3300))])
    with pytest.raises(ValueError, match=rf"more than {MAX_PAIRS:,} pairs"):
        read_ratings_csv(rows.encode())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"user": [0, 0]}, "every code"),
        ({"film": [0, 2]}, "film must lie"),
        ({"stars": [4, 5.5]}, "stars must lie"),
        ({"user": [0, 1], "genres": [[True], [False]]}, "at least one genre"),
    ],
)
def test_ratings_that_make_no_sense_are_refused(change, message):
    good = {"user": [0, 1], "film": [0, 1], "stars": [4, 5], "genres": [[True], [True]]}
    with pytest.raises(ValueError, match=message):
        Ratings(
            **{name: np.array(values) for name, values in (good | change).items()},
            users=("a", "b"),
            films=("x", "y"),
            genre_names=("g",),
            title="",
            simulated=True,
            source="",
            licence="",
        )
