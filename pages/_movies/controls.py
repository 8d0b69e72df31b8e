"""The sidebar of the movies page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets.ratings_csv import RATING_ROLES
from dpot_core.experiments import movies as experiment
from pages import _shell as shell
from pages._shell.asking import ask

CSV = ("csv", "txt")


@dataclass(frozen=True)
class Choice:
    """What the sidebar says.

    Attributes:
        config: the settings.
        ratings: the ratings file, if there is one.
        films: the file of titles and genres, if there is one.
    """

    config: experiment.Config
    ratings: shell.Upload | None
    films: shell.Upload | None


def choose(controls: shell.Controls) -> Choice:
    """Draw the controls."""
    source = ask(controls, experiment.Config, "source")
    ratings = films = None
    columns: shell.Columns = ()
    if source == "csv":
        ratings = shell.upload(controls, "ratings", "Ratings: user, film, rating (0.5 to 5)", CSV)
        if ratings is not None:
            columns = shell.columns_of(controls, ratings, datasets.sniff_ratings, RATING_ROLES)
        films = shell.upload(controls, "films", "Optional: film, title, genres (with | between)", CSV)
    epsilon = ask(controls, experiment.Config, "epsilon")
    base = ask(controls, experiment.Config, "base")
    with st.expander("Split, embedding, solver"):
        split = experiment.Split(
            seed=ask(controls, experiment.Split, "seed"),
            dimensions=ask(controls, experiment.Split, "dimensions"),
            candidates=ask(controls, experiment.Split, "candidates"),
            centred=ask(controls, experiment.Split, "centred"),
        )
        reg = ask(controls, experiment.Config, "reg")
    return Choice(experiment.Config(source, split, base, epsilon, reg, columns=columns), ratings, films)
