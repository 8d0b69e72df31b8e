"""The ratings of the movies page: files that a reader brings, downloads, and the films made ready."""

from __future__ import annotations

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets import Ratings
from dpot_core.experiments import movies as experiment
from pages import _shell as shell
from pages._movies.controls import Choice


def make_films(controls: shell.Controls, choice: Choice) -> experiment.Films | None:
    """The films, or None while the data are missing or cannot be used (the screen says why)."""
    ratings = _ratings(controls, choice)
    if ratings is None:
        return None
    try:
        return _films(ratings, choice.config.split)
    except ValueError as problem:
        st.error(f"These data and settings do not fit together: {shell.as_text(str(problem))}.")
        return None


def _ratings(controls: shell.Controls, choice: Choice) -> Ratings | None:
    source, table = choice.config.source, choice.ratings
    try:
        if source != "csv":
            with st.spinner("Reading the data …"):
                return datasets.loaded(datasets.FILM_DATASETS[source])
        if table is not None:
            films = choice.films
            digest, content = ("", None) if films is None else (films.digest, films.content)
            return _read(table.digest, digest, choice.config.columns, table.content, content)
        st.info(
            "Bring a CSV file on the left: one row for each rating with the columns user, film and rating (0.5 to 5 "
            "stars) and, if you like, a second file with titles and genres. The files stay in the memory of the app; "
            "they are not written to disk, and not part of the link."
        )
    except datasets.DatasetMissing:
        shell.offer_download(controls, datasets.FILM_DATASETS[source])
    except datasets.ColumnsError as problem:
        st.error(f"{shell.as_text(str(problem))}. Choose the columns on the left.")
    except ValueError as problem:
        st.error(f"These data cannot be used: {shell.as_text(str(problem))}.")
    return None


@st.cache_resource(max_entries=2, show_spinner="Reading the files …")
def _read(ratings: str, films: str, columns: shell.Columns, _ratings: bytes, _films: bytes | None) -> Ratings:
    return datasets.read_ratings_csv(_ratings, _films, dict(columns) or None)


@st.cache_resource(max_entries=4, show_spinner="Embedding the films …", hash_funcs={Ratings: lambda data: data.digest})
def _films(ratings: Ratings, split: experiment.Split) -> experiment.Films:
    return experiment.make_films(ratings, split)
