"""Geolocation: where people are in a city, what each mechanism releases, and how many kilometres that costs."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.cities.city import City
from dpot_app.cities.crowd import ESTIMATES, RUNS
from dpot_app.cities.loading import ZONES
from dpot_app.kit.markdown import as_text
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.view import Tab, View
from dpot_app.views.geolocation import PAGE
from dpot_app.views.geolocation.crowd.boxes import Box, checked_box, read_box
from dpot_app.views.geolocation.details import details
from dpot_app.views.geolocation.person.figures import on_streets
from dpot_app.views.geolocation.person.text import COMPARE, UNDER, seen
from dpot_app.views.geolocation.settings import FIRST, OUTPUTS, WHO, Config
from dpot_app.views.geolocation.views import city_of
from dpot_app.views.geolocation.worst_case.text import ALONG, IN_USE
from dpot_core.datasets.drawn import START, checked_drawing

SHOWN = {"run": "One run", "expected": "Expectation"}
#: One whole released map after another, so that they are not seen as one.
FLIP = Declared("Run", "segments", "run", {str(run): str(run) for run in range(1, RUNS + 1)})
IN_USE_TAB = Tab("curves", "")
DRAWN = {"output": "Output", "difference": "Minus truth"}
#: What a room asks for.
PRESETS = {
    **shell.usual(),
    "Minimax base": {"base": "minimax"},
    "Exact": {"lambda": 0.0},
    "λ = 0.1": {"lambda": 0.1},
}
#: A base measure to start from: ten times as likely in the middle as elsewhere.
OWN_START = "0.5 0.5 9"
#: The same of one person's data.
PLACES = {
    "One place": {"who": "hand", "drawn_text": START},
    "Half here, half there": {"who": "hand", "drawn_text": "0.3 0.35 1; 0.7 0.65 1"},
}
MINIMAX = Declared(
    "Add the minimax base: no mechanism with this ε has a smaller worst case", widget="toggle", link="minimax"
)


def zones(controls: shell.Controls, _values: Mapping[str, Any]) -> bool:
    own = controls.ask(Declared("Released locations", "segments", "outputs", OUTPUTS), "cells") == "zones"
    if own:
        shell.own_zones(controls)
    return own


def drawing(controls: shell.Controls) -> tuple[str, float]:
    """The reader's drawing ("" while it cannot be used; the screen says why), and the weight of the brush."""
    key = shell.text_key(controls, "drawn", declared(Config)["drawn"].label, checked_drawing, START)
    weight = st.number_input("Weight of the brush", 1, 1000, 1, key=f"{key}_brush", width=170)
    with st.popover("As numbers"):
        help_ = "One place after the other between semicolons: east, north (shares of the map, 0 to 1), weight."
        text = st.text_area("Places: east north weight; …", key=key, persist_state="session", help=help_)
        st.button("Begin anew", on_click=lambda: st.session_state.update({key: START}))
        base = {f"{controls.page}_base": "own", f"{controls.page}_own_text": text}
        st.button(
            "Use as base measure", on_click=st.session_state.update, args=(base,), help=declared(Config)["own"].help
        )
    try:
        return checked_drawing(text), float(weight)
    except ValueError as problem:
        st.error(as_text(str(problem)))
        return "", float(weight)


def own_base(controls: shell.Controls, _values: Mapping[str, Any]) -> str:
    """The reader's own weights as they are typed, or taken from a person drawn by hand."""
    return shell.typed_text(controls, "own", declared(Config)["own"], checked_drawing, OWN_START)


def counted_box(controls: shell.Controls) -> Box | None:
    """The box in which people are counted, drawn by hand or as numbers; None without one."""
    key = shell.text_key(controls, "box", "Box on the map", checked_box, "")
    with st.popover("Count in a box"):
        help_ = "West, south, east, north, in shares of the map from 0 to 1; or drag over the true crowd."
        text = st.text_input("Box on the map", key=key, persist_state="session", help=help_)
        st.button("No box", on_click=lambda: st.session_state.update({key: ""}))
    if not text:
        return None
    try:
        box = read_box(text)
    except ValueError as problem:
        st.error(as_text(str(problem)))
        return None
    controls.carried["box"] = text
    return box


def views(controls: shell.Controls, view: View, tab: Tab, config: Config, city: City) -> list[shell.Shown | None]:
    """The content of the open tab, with the controls inside it; the first view is what can be pinned."""
    look, slots = tab.show or view.show, dict[str, Any]()
    below: AbstractContextManager[Any] = nullcontext()
    beside: list[shell.Shown | None] = []
    shell.presets(controls, PLACES | PRESETS if tab.key == "person" else PRESETS)
    if tab.key == "person":
        # The small maps stand above all controls, and the worst cases beside these: nothing is below the fold.
        maps = st.container(key="swipe_geo_person")
        left, right = st.columns(UNDER)
        below = st.container()
        slots["maps"] = lambda _, person: maps.columns(1 + len(seen(person)), vertical_alignment="bottom")
        slots["under"] = lambda *_: (left, right)
        with right, st.container(horizontal=True, vertical_alignment="bottom"):
            by_hand = controls.ask(Declared("Whose history", "segments", "who", WHO), "data") == "hand"
            if by_hand:
                drawn_by_hand, brush = drawing(controls)
                if not drawn_by_hand:
                    return []
                config, look = replace(config, drawn=drawn_by_hand), partial(look, brush=brush)
            else:
                config = replace(config, person=shell.ask(controls, Config, "person", width=260))
            compare = controls.ask(Declared("Large map", "segments", "compare", COMPARE), "wpm")
            drawn = controls.ask(Declared("It shows", "segments", "map", DRAWN), "output")
        look = partial(look, compare=compare, difference=drawn == "difference")
        slots["curves"] = lambda *_: beside.append(shell.shown(controls, IN_USE, config, IN_USE_TAB))
    elif tab.key == "gets":
        # What is asked for the choice of epsilon stands under the pictures, with how it is made.
        above, below, under = st.container(horizontal=True), st.container(), st.container(horizontal=True)
        asked: dict[str, Any] = {}
        for where, names in ((above, ("person", "beyond")), (under, ("enough", "spent"))):
            with where:
                asked |= {name: shell.ask(controls, Config, name, width=260) for name in names}
        config = replace(config, **asked)
    elif tab.key == "crowd":
        with st.container(horizontal=True, vertical_alignment="bottom"):
            shows = controls.ask(Declared("Maps show", "segments", "show", SHOWN), "run")
            # Each run of a private file is a release: the strip has one.
            flips = shows == "run" and config.source != "csv"
            run = int(controls.ask(FLIP, "1")) - 1 if flips else None if shows == "expected" else 0
            compare = controls.ask(Declared("Large map", "segments", "large", ESTIMATES), "wpm")
            box = None if config.zones else counted_box(controls)
        look = partial(look, run=run, compare=compare, box=box)
    along = None
    if tab.key == "worst" and controls.ask(MINIMAX, False):
        along = shell.computed(controls, ALONG, replace(config, epsilon=Config().epsilon))
        look = partial(look, points=along.parts[0].points if along else ())
    with below:
        first = shell.shown(controls, view, config, replace(tab, show=look), slots)
    if first and tab.key == "person":
        alt = f"What {COMPARE[compare]} releases of one person's data, on a street map"
        person = first.results.parts[0]
        shell.street_map(controls, city, lambda tiles: on_streets(person, compare, city.grid, tiles), alt)
    if first and tab.key == "crowd":
        return [first, shell.shown(controls, PAGE.view("geolocation.crowd-curve"), config)]
    return [first, *beside, shell.Shown(ALONG, along, ()) if first and along else None]


def more(controls: shell.Controls, config: Config, city: City) -> None:
    with st.expander("Data, distances, settings"):
        st.markdown(details(city, controls.files[ZONES].name if config.zones else ""))


SPECIAL: dict[str, shell.Special] = {
    **shell.city_pieces(declared(Config)["place.within"], FIRST.place.city),
    "place.held_out": lambda _, values: values["base"] == "prior",
    "zones": zones,
    "own": own_base,
}
shell.show_data_page(PAGE, Config(), city_of, views, more, SPECIAL)
