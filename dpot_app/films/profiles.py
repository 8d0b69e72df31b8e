"""Profiles made from the best known films of a genre, for who has no ratings at hand: invented, and said to be."""

from __future__ import annotations

import re

import numpy as np

from dpot_app.films.catalogue import Films
from dpot_core.arguments import Array
from dpot_core.datasets.ratings import NO_GENRE, Codes, Ratings

#: How many profiles there are at most, and how many films of a genre each has: among the inputs, among the candidates.
COUNT, INPUTS, CANDIDATES = 3, 10, 10
#: Below this many input films, or one candidate, a genre makes no profile.
LEAST = 5
_PLAIN = re.compile(r"[^\W_]+(?:[ '-][^\W_]+)*")
#: Name of a profile in settings, with its genre.
READY = re.compile(r"Fan of (.+) \(ready-made\)")


def fan_name(genre: str) -> str:
    """How settings name the profile of a genre."""
    return f"Fan of {genre} (ready-made)"


def fan_genres(films: Films) -> dict[str, str]:
    """The genres of the ready-made profiles by their names: those that most films have that make inputs.

    Genres whose names are more than words make none: the names stand on controls and in links.
    """
    ratings = films.ratings
    inputs, candidates = (ratings.genres[part].sum(axis=0) for part in (films.inputs, films.candidates))
    order = [int(place) for place in np.argsort(-inputs, kind="stable")]
    enough = [place for place in order if inputs[place] >= LEAST and candidates[place] >= 1]
    names = [ratings.genre_names[place] for place in enough]
    plain = [name for name in names if name != NO_GENRE and _PLAIN.fullmatch(name)]
    return {fan_name(name): name for name in plain[:COUNT]}


def fan(ratings: Ratings, genre: str, inputs: Codes, candidates: Codes, n_ratings: Array) -> Array:
    """Stars of all films, (n_films,): 5 for the films of a genre that most people rated, 0 for the others.

    Args:
        ratings: of everybody.
        genre: its name in the data.
        inputs: films that make inputs.
        candidates: films that can be released.
        n_ratings: how many of the validation users rated each film, (n_films,).
    """
    of_genre = ratings.genres[:, ratings.genre_names.index(genre)]
    stars = np.zeros(ratings.n_films)
    for part, count in ((inputs, INPUTS), (candidates, CANDIDATES)):
        own = part[of_genre[part]]
        stars[own[np.argsort(-n_ratings[own], kind="stable")][:count]] = 5.0
    return stars


def fan_stars(films: Films, name: str) -> Array:
    """The stars of a ready-made profile, (n_films,)."""
    n_ratings = (films.ratings.matrix[films.validation] > 0).sum(axis=0)
    return fan(films.ratings, fan_genres(films)[name], films.inputs, films.candidates, n_ratings)
