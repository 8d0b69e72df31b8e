"""The people of the page US population: embedded, downloaded or brought along; and their barycenter."""

from __future__ import annotations

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets import Population
from dpot_core.experiments import population as experiment
from pages import _shell as shell
from pages._population.controls import Choice


def make_people(controls: shell.Controls, choice: Choice) -> tuple[Population, experiment.People] | None:
    """Everybody and the people drawn, or None while data are missing or cannot be used (the screen says why)."""
    config, table = choice.config, choice.table
    try:
        if config.source != "csv":
            population = experiment.load_population(config)
            return population, _people(population, config.n, config.seed)
        if table is not None:
            everybody = _read(table.digest, config.columns, config.outside, config.box, table.content)
            if config.groups == "everybody":
                everybody = everybody.everybody()
            for note in everybody.notes:
                st.warning(shell.as_text(note))
            return everybody, _people(everybody, config.n, config.seed)
        st.info(
            "Bring a CSV file on the left: one row for each point with the columns lon and lat (degrees) or x and y, "
            "and, if you like, weight (people there, whole numbers) and group. The file stays in the memory of the "
            "app; it is not written to disk, and not part of the link."
        )
    except datasets.GroupsMissing as missing:
        st.info(shell.as_text(str(missing)) + ". Choose other groups on the left.")
    except datasets.DatasetMissing:
        shell.offer_download(controls, datasets.POPULATIONS[config.source])
    except datasets.ColumnsError as problem:
        st.error(f"{shell.as_text(str(problem))}. Choose the columns on the left.")
    except ValueError as problem:
        st.error(f"These data cannot be used: {shell.as_text(str(problem))}.")
    return None


@st.cache_resource(max_entries=2, show_spinner="Reading the file …")
def _read(
    digest: str,
    columns: shell.Columns,
    outside: str,
    box: tuple[float, float, float, float] | None,
    _content: bytes,
) -> Population:
    outline = datasets.us_outline() if box is None else datasets.box_outline(*box)
    return datasets.read_population_csv(_content, outline, dict(columns) or None, outside)


@st.cache_resource(
    max_entries=10, show_spinner="Drawing people …", hash_funcs={Population: lambda population: population.digest}
)
def _people(population: Population, n: int, seed: int) -> experiment.People:
    return experiment.draw_people(population, n, seed)
