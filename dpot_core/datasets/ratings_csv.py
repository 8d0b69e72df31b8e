"""A user's own ratings, from the bytes of CSV files. Nothing here touches the disk."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpot_core.datasets.csv_headers import CsvColumns, Layout
from dpot_core.datasets.csv_tables import read_header, read_rows
from dpot_core.datasets.ratings import HIGHEST, LOWEST, Ratings, flagged
from dpot_core.datasets.uploads import plain_text
from dpot_core.privacy.numerals import counted

_RATINGS = Layout(
    {
        "user": ("user", "user_id", "userid", "user id", "uid", "person"),
        "film": ("film", "item", "movie", "item_id", "itemid", "movie_id", "movieid", "film_id", "movie id", "title"),
        "rating": ("rating", "stars", "score", "value"),
    },
    required=("user", "film", "rating"),
    what="ratings file",
    numeric=("rating",),
    by_position=("user", "film", "rating"),
)
_FILMS = Layout(
    {
        "film": ("film", "item", "movie", "item_id", "itemid", "movie_id", "movieid", "film_id", "movie id", "id"),
        "title": ("title", "name", "movie_title"),
        "genres": ("genres", "genre"),
    },
    required=("film",),
    what="film file",
    by_position=("film", "title", "genres"),
)

#: The columns of the ratings file.
RATING_ROLES = tuple(_RATINGS.aliases)

#: What holds where the film file has no such column.
_OTHERWISE = {
    "title": "films are called by their identifiers",
    "genres": "genre KPM then releases films uniformly",
}

_GENRES_IN_A_CELL = re.compile(r"[|,;]")
_NO_GENRES = {"", "(no genres listed)"}


def sniff_ratings(data: bytes) -> CsvColumns:
    """The header of a ratings file, and which columns look like user, film and rating.

    Raises:
        ValueError: if the file is empty, too large or no text, or a name stands twice in its header.
    """
    return read_header(data, _RATINGS)


def read_ratings_csv(
    data: bytes,
    films: bytes | None = None,
    mapping: Mapping[str, str] | None = None,
    title: str = "Your ratings",
) -> Ratings:
    """Ratings from a CSV file with one row for each (user, film), and titles and genres from a second one.

    If a user has rated a film more than once, the last row counts. A film that the second file does not know keeps
    its identifier as title and has no genre.

    Args:
        data: the ratings file: user, film, rating from 0.5 to 5.
        films: the film file: film (as in the ratings file), title and genres (separated by "|", "," or ";"), the
            last two optional; None if there is none.
        mapping: the ratings file's column for each of "user", "film" and "rating"; None to recognise them.
        title: what the data are, for the screen.

    Returns:
        Ratings; `.notes` says what was assumed or left out.

    Raises:
        ColumnsError: if a column is missing; it carries the columns found.
        ValueError: names the row, the column, the value and what is required.
    """
    rows = read_rows(data, _RATINGS, mapping)
    notes = list(rows.notes)
    stars = rows.numbers("rating", LOWEST, HIGHEST, f"a number in [{LOWEST:g}, {HIGHEST:g}]")
    table = pd.DataFrame(
        {"user": rows.labels("user", notes), "film": rows.labels("film", notes), "stars": stars}
    ).drop_duplicates(["user", "film"], keep="last")
    if repeated := len(stars) - len(table):
        were = counted(repeated, "rating was", "ratings were")
        notes.append(f"{were} given again later by the same user; the last one counts.")
    user, users = pd.factorize(table["user"])
    film, identifiers = pd.factorize(table["film"])
    known = {} if films is None else _catalogue(films, notes)
    if films is not None and (unknown := sum(name not in known for name in identifiers)):
        notes.append(f"{unknown:,} of {len(identifiers):,} films are not in the film file: no genre, no title.")
    if films is None:
        notes.append("There are no genres: genre KPM then releases films uniformly.")
    about = [known.get(str(name), (str(name), [])) for name in identifiers]
    genres, genre_names = flagged([names for _, names in about])
    return Ratings(
        user=np.asarray(user, dtype=np.intp),
        film=np.asarray(film, dtype=np.intp),
        stars=table["stars"].to_numpy(np.float64),
        users=tuple(str(name) for name in users),
        films=tuple(name for name, _ in about),
        genres=genres,
        genre_names=genre_names,
        title=plain_text(title),
        simulated=False,
        source="files given by the user",
        licence="As their owner says; they stay in memory and are never written to disk.",
        notes=tuple(notes),
    )


def _catalogue(films: bytes, notes: list[str]) -> dict[str, tuple[str, list[str]]]:
    rows = read_rows(films, _FILMS)
    notes += rows.notes
    identifiers = rows.labels("film", notes)
    for role, otherwise in _OTHERWISE.items():
        if role not in rows.chosen:
            names = ", ".join(_FILMS.aliases[role])
            notes.append(f"The film file has no column of {role} under a known name ({names}): {otherwise}.")
    titles = [plain_text(str(text)) for text in rows.column("title")] if "title" in rows.chosen else identifiers
    cells = [str(cell) for cell in rows.column("genres")] if "genres" in rows.chosen else [""] * len(titles)
    genres = [
        list(dict.fromkeys(name for part in _GENRES_IN_A_CELL.split(cell) if (name := plain_text(part))))
        if cell.strip() not in _NO_GENRES
        else []
        for cell in cells
    ]
    films_by_name = {
        identifier: (title or identifier, names)
        for identifier, title, names in zip(identifiers, titles, genres, strict=True)
    }
    if twice := len(identifiers) - len(films_by_name):
        name = counted(twice, "row of the film file names", "rows of the film file name")
        notes.append(f"{name} a film that another row names, too; the last row counts.")
    return films_by_name
