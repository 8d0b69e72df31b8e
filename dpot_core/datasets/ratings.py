"""Ratings: which user gave which film how many stars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpot_core.arguments import Array, check_finite
from dpot_core.arguments.lazy import cached_property
from dpot_core.datasets.contents import Content

Codes = NDArray[np.intp]
Flags = NDArray[np.bool_]

#: The scale of the ratings, in stars.
LOWEST, HIGHEST = 0.5, 5.0

#: At most so many pairs (user, film): the matrix of all of them is kept in memory.
MAX_PAIRS = 10_000_000

#: The genre of a film that has none.
NO_GENRE = "no genre"


@dataclass(frozen=True, eq=False)
class Ratings(Content):
    """Stars that users gave to films, one row for each (user, film).

    Two objects are equal, and hash alike, when their content (`digest`) is the same.

    Attributes:
        user: code of the user of each row, (n,), in 0..n_users-1; every user has at least one row.
        film: code of the film of each row, (n,), in 0..n_films-1.
        stars: the rating of each row, (n,), in [0.5, 5].
        users: name of each user; films: title of each film: unchecked plain text, escape it before
            it enters HTML.
        genres: which genres each film has, (n_films, n_genres), at least one each.
        genre_names: name of each genre.
        title: what the data are, in a few words for the screen.
        simulated: whether users and films are invented.
        source: where the rows come from.
        licence: what may be done with them.
        notes: what a reader of the data should know.
    """

    user: Codes
    film: Codes
    stars: Array
    users: tuple[str, ...]
    films: tuple[str, ...]
    genres: Flags
    genre_names: tuple[str, ...]
    title: str
    simulated: bool
    source: str
    licence: str
    notes: tuple[str, ...] = ()

    _words = ("title", "simulated", "users", "films", "genre_names")
    _arrays = ("user", "film", "stars", "genres")

    def __post_init__(self) -> None:
        user, film = (np.asarray(codes, dtype=np.intp) for codes in (self.user, self.film))
        stars = check_finite(self.stars, "stars")
        if user.ndim != 1 or user.size == 0 or not user.shape == film.shape == stars.shape:
            raise ValueError("user, film and stars must be vectors of one length, not empty")
        if user.min() < 0 or not np.bincount(user, minlength=self.n_users).all() or user.max() >= self.n_users:
            raise ValueError(f"user must hold every code 0..{self.n_users - 1} and no other")
        if film.min() < 0 or film.max() >= self.n_films:
            raise ValueError(f"film must lie in 0..{self.n_films - 1}")
        if stars.min() < LOWEST or stars.max() > HIGHEST:
            raise ValueError(f"stars must lie in [{LOWEST:g}, {HIGHEST:g}]; got {stars.min():g} to {stars.max():g}")
        if self.n_users * self.n_films > MAX_PAIRS:
            raise ValueError(
                f"{self.n_users:,} users times {self.n_films:,} films are more than {MAX_PAIRS:,} pairs, "
                "the most that are accepted"
            )
        if len(np.unique(user * self.n_films + film)) < user.size:
            raise ValueError("a user has rated a film twice")
        genres = np.asarray(self.genres, dtype=bool)
        if genres.shape != (self.n_films, len(self.genre_names)) or not genres.any(axis=1).all():
            raise ValueError("genres must have a row for each film, with at least one genre in it")
        self._keep(user, film, stars, genres)

    def __len__(self) -> int:
        return len(self.user)

    @property
    def n_users(self) -> int:
        """The number of users."""
        return len(self.users)

    @property
    def n_films(self) -> int:
        """The number of films."""
        return len(self.films)

    @cached_property
    def matrix(self) -> Array:
        """Stars of each user for each film, (n_users, n_films); 0 where there is no rating."""
        matrix = np.zeros((self.n_users, self.n_films))
        matrix[self.user, self.film] = self.stars
        matrix.setflags(write=False)
        return matrix

    def genres_of(self, film: int) -> str:
        """The genres of a film, in words."""
        return ", ".join(name for name, has in zip(self.genre_names, self.genres[film], strict=True) if has)


def flagged(genres: Sequence[Sequence[str]]) -> tuple[Flags, tuple[str, ...]]:
    """Flags and names of genres from a list of genres for each film; a film without any gets `NO_GENRE`."""
    filled = [list(names) or [NO_GENRE] for names in genres]
    flat = pd.Series([name for names in filled for name in names], dtype=object)
    codes, unique = pd.factorize(flat, sort=True)
    flags = np.zeros((len(filled), len(unique)), dtype=bool)
    flags[np.repeat(np.arange(len(filled)), [len(names) for names in filled]), codes] = True
    return flags, tuple(str(name) for name in unique)
