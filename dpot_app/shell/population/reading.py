"""The people of the page, and the names of their groups, which a file of one's own gives when it has been read."""

from collections.abc import Sequence

import streamlit as st

from dpot_app.kit.markdown import as_text
from dpot_app.shell.controls import Controls
from dpot_app.shell.views import watched
from dpot_app.views.population import Config, details
from dpot_app.views.population.people import People, draw_people, load_population
from dpot_core import datasets
from dpot_core.arguments.progress import Progress

#: Where the session keeps the names of the groups of a file, with the files that they are of.
GROUP_NAMES = "pop_group_names"


def data(controls: Controls, config: Config) -> tuple[datasets.Population, People] | None:
    """Everybody and the people drawn, or None while data are missing or cannot be used (the screen says why)."""
    if config.source == "csv" and not controls.files:
        st.info(details.BRING_A_FILE)
        return None

    def load(progress: Progress) -> tuple[datasets.Population, People]:
        population = load_population(config, {role: file.content for role, file in controls.files.items()}, progress)
        return population, draw_people(population, config.n, config.seed)

    of = config, *(file.tag for file in controls.files.values())
    with st.spinner("Reading the data …"):
        loaded = watched(controls, "people", of, load, "Reading the data")
    for note in loaded[0].notes if loaded is not None and config.source == "csv" else ():
        st.warning(as_text(note))
    if loaded is not None:
        _remember_groups(controls, config, loaded[0].group_names)
    return loaded


def tags(controls: Controls) -> tuple[str, ...]:
    """The identity of the files that the reader has brought."""
    return tuple(str(file.tag) for file in controls.files.values())


def _remember_groups(controls: Controls, config: Config, names: Sequence[str]) -> None:
    """Once a file is read its groups are known: the sidebar asks for their weights."""
    if config.source != "csv" or config.groups != "file":
        return
    known = tags(controls), tuple(names)
    if st.session_state.get(GROUP_NAMES) != known:
        st.session_state[GROUP_NAMES] = known
        if len(names) > 1:
            st.rerun()
