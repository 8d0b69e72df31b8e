"""Geolocation: where people are in a city, what each mechanism releases, and how many kilometres that costs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from dpot_core.cities.city import City
from dpot_core.cities.loading import ZONES
from dpot_core.datasets import BOXES
from dpot_core.studies._kit.view import Tab, View
from dpot_core.studies.geolocation import PAGE
from dpot_core.studies.geolocation.details import details
from dpot_core.studies.geolocation.person.text import COMPARE
from dpot_core.studies.geolocation.settings import OUTPUTS, Config
from dpot_core.studies.geolocation.views import city_of
from dpot_core.studies.geolocation.worst_case.results import MINIMAX_EPSILONS, minimax
from pages import _shell as shell

# These words stand in people's links: add, but do not reword.
SHOWN = {"run": "One run", "expected": "Expectation"}
MINIMAX = "Add the minimax base: no mechanism with this ε has a smaller worst case"

controls = shell.Controls(PAGE.prefix)


def zones(controls: shell.Controls, _: object) -> bool:
    own = controls.choice("outputs", "Released locations", OUTPUTS, "cells", kind="segments") == "zones"
    if own:
        shell.own_zones(controls)
    return own


SPECIAL: dict[str, shell.Special] = {
    "columns": shell.own_check_ins,
    "place.within": lambda _, values: shell.ask(controls, Config, "place.within") if values["source"] == "csv" else 0.0,
    "place.box": lambda _, values: BOXES.get(values["source"]),
    "place.held_out": lambda _, values: values["base"] == "prior",
    "zones": zones,
}


def views(city: City, view: View, tab: Tab, config: Config) -> list[shell.Shown | None]:
    """What the open tab shows, with the controls that stand inside it; the first is what can be pinned."""
    look = tab.show or view.show
    if tab.key == "person":
        with st.container(horizontal=True, vertical_alignment="bottom"):
            config = replace(config, person=shell.ask(controls, Config, "person", width=260))
            look = partial(look, compare=controls.choice("compare", "Difference map", COMPARE, "wpm", kind="segments"))
    elif tab.key == "crowd":
        look = partial(look, expected=controls.choice("show", "Maps show", SHOWN, "run", kind="segments") == "expected")
    best = None
    if tab.key == "worst" and controls.toggle("minimax", MINIMAX, False):
        best = shell.watched(controls, "minimax", config, partial(minimax, city, MINIMAX_EPSILONS))
        look = partial(look, points=best.points if best else ())
    first = shell.shown(controls, view, config, replace(tab, show=look))
    if first and tab.key == "crowd":
        return [first, shell.shown(controls, PAGE.view("geolocation.crowd-curve"), config)]
    return [first, shell.Shown(view, replace(first.results, parts=(best,)), ()) if first and best else None]


def draw(config: Config) -> bool:
    """The open tab, the guarantee, the details; whether there are data to draw them from."""
    city = shell.loaded(controls, lambda: city_of(config, {role: own.content for role, own in controls.files.items()}))
    if city is None:
        return False
    view, tab, place = shell.open_tab(controls, PAGE)
    with place:
        first, *others = views(city, view, tab, config)
        if first is not None:
            shell.strip(first)
            with st.expander("Data, distances, settings"):
                st.markdown(details(city, controls.files[ZONES].name if config.zones else ""))
            shell.below(controls, [first, *(one for one in others if one is not None)])
    return True


notice = st.container()
with st.sidebar:
    asked = shell.sidebar(controls, Config(), PAGE.sidebar, SPECIAL)
shell.heading(PAGE)
if asked is None:
    shell.waiting(controls)
complete = asked is not None and draw(asked)
with notice:
    controls.notices(complete=complete)
