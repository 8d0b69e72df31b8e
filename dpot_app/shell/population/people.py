"""The settings of people on a map that need more than their declaration: files, groups, and when they do not count."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from dpot_app.kit.setting import Declared
from dpot_app.shell.asking import ask
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import Columns, Rectangle, columns_of, rectangle, upload
from dpot_app.shell.sidebar import Special
from dpot_app.views.population import Config, details
from dpot_app.views.population.settings import GROUPS, GROUPS_OF, REGION_HELP, REGIONS, TABS
from dpot_core import datasets
from dpot_core.datasets.population_csv import POPULATION_ROLES

_COUNTING = "Examples have data of their own: of the settings here, ε and the seed count."
_OF_THE_PEOPLE = ("outside", "n", "m", "adjacency", "guarantee", "delta", "method", "chunks", "steps", "reg")


def people_pieces() -> dict[str, Special]:
    """What asks for settings of the people; examples, which have none, disable them."""
    rest = {name: partial(_ask, name) for name in _OF_THE_PEOPLE}
    return {"source": _source, "columns": _columns, "box": _box, "groups": _groups, **rest}


def _idle() -> bool:
    """Whether examples are on the screen."""
    # Before its first run the page has the words of the link only.
    return st.session_state.get("pop_view", st.query_params.get("pop_view")) in ("synthetic", TABS["synthetic"])


def _ask(name: str, controls: Controls, _values: Mapping[str, Any]) -> Any:
    return ask(controls, Config, name, disabled=_idle())


def _source(controls: Controls, values: Mapping[str, Any]) -> Any:
    """The first of the sidebar, under the reason why most of it is disabled, where it is."""
    if _idle():
        st.caption(_COUNTING)
    return _ask("source", controls, values)


def _columns(controls: Controls, _values: Mapping[str, Any]) -> Columns:
    table = upload(controls, "population", details.FILE, ("csv", "txt"))
    if table is None:
        return ()
    return columns_of(controls, table, datasets.sniff_population, POPULATION_ROLES, details.WITHOUT)


def _box(controls: Controls, _values: Mapping[str, Any]) -> Rectangle | None:
    known = Declared("Public region", "list", "region", REGIONS, help=REGION_HELP)
    region = controls.ask(known, "us", disabled=_idle())
    return rectangle(controls) if region == "box" else None


def _groups(controls: Controls, values: Mapping[str, Any]) -> str:
    """One of the ways in which the source tells people apart."""
    ways = {key: GROUPS[key] for key in GROUPS_OF[values["source"]]}
    known = Declared("Groups", "list", f"{values['source']}_groups", ways)
    return str(controls.ask(known, next(iter(ways)), disabled=_idle()))
