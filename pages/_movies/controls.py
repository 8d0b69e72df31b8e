"""The sidebar of the movies page: widgets in, settings out."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets.ratings_csv import RATING_ROLES
from dpot_core.experiments import movies as experiment
from pages import _shell as shell

REGS = (0.0, 3e-3, 0.01, 0.03, 0.1)
CSV = ("csv", "txt")
# These words stand in people's links: add, but do not reword.
SOURCES = {**{key: row.title for key, row in datasets.FILM_DATASETS.items()}, "csv": "My CSV files"}
BASES = {"rule": "Uniform", "minimax": "Minimax", "prior": "Public prior"}

BASE_HELP = (
    "WPM puts between e^(-ε/2) and e^(ε/2) times this measure on each film. Uniform: mass e^(ε/4), which needs no data "
    "(Everyone chooses the mass on validation users, as the paper does). Minimax: the smallest worst case. Public "
    "prior: how many validation users like each film, mass e^(ε/4)."
)
REG_HELP = (
    f"Weight of the entropy in Algorithm 1 ({experiment.ITERATIONS} iterations), in units of the cosine distance, "
    "which lies in [0, 2]: λ means nothing without that scale. Exact takes longer."
)


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
    source = controls.choice("data", "Data", SOURCES, "simulated")
    ratings = films = None
    columns: shell.Columns = ()
    if source == "csv":
        ratings = shell.upload(controls, "ratings", "Ratings: user, film, rating (0.5 to 5)", CSV)
        if ratings is not None:
            columns = shell.columns_of(controls, ratings, datasets.sniff_ratings, RATING_ROLES)
        films = shell.upload(controls, "films", "Optional: film, title, genres (with | between)", CSV)
    epsilon = controls.epsilon(2.0)
    base = controls.choice("base", "Base measure of WPM", BASES, "rule", help=BASE_HELP)
    with st.expander("Split, embedding, solver"):
        split = experiment.Split(
            seed=controls.integer("split", "Seed of the split", 0, 99, 0),
            dimensions=controls.integer("dimensions", "Principal components", 2, 128, 64),
            candidates=controls.integer("candidates", "Films that can be released", 10, 500, 250),
            centred=controls.toggle("centred", "Centre the ratings of each film first", False),
        )
        reg = controls.steps("lambda", "Entropic weight λ", REGS, 0.01, show=_reg, help=REG_HELP)
    return Choice(experiment.Config(source, split, base, epsilon, reg or None, columns=columns), ratings, films)


def _reg(value: float) -> str:
    return "exact" if value == 0.0 else f"{value:g}"
