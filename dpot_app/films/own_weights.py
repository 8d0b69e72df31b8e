"""The reader's own public weights of genres, as text that fits every catalogue with these genres."""

import math
from collections.abc import Sequence

#: A text to start from.
START = "Comedy 9"
_LARGEST = 1e6


def genre_weights(text: str) -> tuple[tuple[str, float], ...]:
    """(genre, weight) of each entry; entries stand between semicolons or on lines of their own.

    Raises:
        ValueError: with a sentence for the screen.

    >>> genre_weights("Comedy 9; Film noir 0.5")
    (('Comedy', 9.0), ('Film noir', 0.5))
    """
    entries = [entry.split() for entry in text.replace("\n", ";").split(";") if entry.strip()]
    if not entries:
        raise ValueError(f"No genre has a weight yet: give one as “genre weight”, such as {START}.")
    return tuple(_entry(words, place) for place, words in enumerate(entries, start=1))


def _entry(words: Sequence[str], place: int) -> tuple[str, float]:
    try:
        weight = float(words[-1])
    except ValueError:
        weight = math.nan
    if len(words) < 2 or not 0 < weight <= _LARGEST:
        raise ValueError(f"Entry {place} needs a genre and a weight above 0, at most {_LARGEST:,.0f}.")
    return " ".join(words[:-1]), weight


def weights_of(text: str, genres: Sequence[str]) -> tuple[float, ...]:
    """The weight of each genre of a catalogue; 0 where none is given.

    Raises:
        ValueError: with a sentence for the screen; also for a genre that the catalogue does not have.

    >>> weights_of("drama 2", ("Comedy", "Drama"))
    (0.0, 2.0)
    """
    known, weights = {genre.casefold(): place for place, genre in enumerate(genres)}, [0.0] * len(genres)
    for genre, weight in genre_weights(text):
        if genre.casefold() not in known:
            raise ValueError(f"There is no genre “{genre[:40]}” here. The genres are: {', '.join(genres)}.")
        weights[known[genre.casefold()]] += weight
    return tuple(weights)
