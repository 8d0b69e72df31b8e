"""Metric privacy: which changes of a person's history are protected, and what answers cost then."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.cities.city import City
from dpot_app.cities.place import USUAL_SIDE
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.view import Tab, View
from dpot_app.views.metric import PAGE
from dpot_app.views.metric import settings as known
from dpot_app.views.metric.ask import text as ask
from dpot_app.views.metric.crowd import text as crowd
from dpot_app.views.metric.details import details
from dpot_app.views.metric.protected import load

CHANGE = Declared("Change of a history, on average (km)", "steps", "change", grid=crowd.CHANGES)
PAPER = "The paper's example has its own ε, changes and distances: what is set here does not count for it."
side_by_side = partial(st.container, horizontal=True, vertical_alignment="bottom")


def first(controls: shell.Controls, _: Any) -> float:
    """Epsilon, the first of the sidebar, under the reason why all of it is disabled, where the tab's choice says so."""
    # Before its first run the page has the words of the link only.
    chosen = st.session_state.get("metric_example", st.query_params.get("metric_example"))
    if chosen in ("paper", known.EXAMPLES["paper"]) and controls.opening("view", PAGE.labels) == "protect":
        controls.idle = ("changes", *declared(known.Config))
        st.caption(PAPER)
    epsilon: float = shell.ask(controls, known.Config, "epsilon", disabled="epsilon" in controls.idle)
    return epsilon


def changes(controls: shell.Controls, _: Any) -> tuple[tuple[float, float], ...]:
    """One to three kinds of protected changes: a share of the visits, and a distance."""
    kinds = Declared("Kinds of changes that are protected", "segments", "count", known.COUNTS)
    count = int(controls.ask(kinds, "2", disabled="changes" in controls.idle))
    return tuple(_change(controls, place) for place in range(count))


def _change(controls: shell.Controls, place: int) -> tuple[float, float]:
    name, (share, km) = ("First", "Second", "Third")[place], known.CHANGES[place]
    label, words = f"{name}: protect this share of a person's visits", known.SHARES
    look: dict[str, Any] = {"grid": tuple(words), "show": words.__getitem__}
    shares = Declared(label, "steps", f"share{place + 1}", **look)
    within = Declared(f"{name}: moved up to (km)", "steps", f"km{place + 1}", grid=known.KILOMETRES)
    off = "changes" in controls.idle
    return controls.ask(shares, share, disabled=off), controls.ask(within, km, disabled=off)


def cells(controls: shell.Controls, _: Any) -> int:
    """Cells per side: privacy by distance takes coarser grids than one person's release elsewhere."""
    declared_ = declared(known.Config)["place.n"]
    coarse = replace(declared_, grid=tuple(n for n in declared_.grid or () if n <= USUAL_SIDE))
    side: int = shell.ask(controls, known.Config, "place.n", coarse, disabled="place.n" in controls.idle)
    return side


def views(controls: shell.Controls, view: View, tab: Tab, base: known.Config, _: City) -> list[shell.Shown | None]:
    """The content of the open tab, with the settings that it asks for."""
    several = partial(shell.ask_several, controls)
    if tab.key == "protect":
        example = shell.ask(controls, known.ProtectConfig, "example", label_visibility="collapsed")
        return [shell.shown(controls, view, known.ProtectConfig(base=base, example=example), tab)]
    if tab.key == "crowd":
        with side_by_side():
            reports = several(known.CrowdConfig(base=base, visits=300), {"visits": "stretch", "who": "content"})
        return _crowd(controls, view, tab, reports)
    if tab.key == "ask":
        with side_by_side():
            question = several(known.AskConfig(base=base), {"query": 280})
            model = controls.ask(Declared("Noise is added by", "segments", "model", ask.WHO), "local")
            question = several(question, {"kind": "content"})
        with side_by_side():
            question = several(question, dict.fromkeys(("east", "north", "radius", "edge"), 212))
        return [shell.shown(controls, view, question, replace(tab, show=partial(ask.show, model=model)))]
    if tab.key == "linear":
        with side_by_side():
            asked = known.LinearConfig(epsilon=base.epsilon, delta=base.delta)
            asked = several(asked, {"items": 200, "model": "content", "users": 160, "d": 160, "ratio": 160})
        return [shell.shown(controls, view, asked, tab)]
    items = known.PaysConfig(epsilon=base.epsilon, delta=base.delta)
    with side_by_side():
        items = several(items, {"model": "content", "users": 200, "items": 200, "ratio": 220})
    with st.expander("The space: clusters of points"), side_by_side():
        items = several(items, {"clusters": 220, "size": 220, "r": 300})
    return [shell.shown(controls, view, items, tab)]


def _crowd(controls: shell.Controls, view: View, tab: Tab, config: known.CrowdConfig) -> list[shell.Shown | None]:
    """The crowd's map, and beside it the curves, which take longer."""
    left, right = st.columns([1.2, 1])
    with left:
        release = shell.shown(controls, view, config, tab)
    if release is None:
        return []
    with right:
        curve = shell.shown(controls, PAGE.view("metric.crowd-curve"), config)
    shell.show(crowd.show_numbers(release.results.parts[0]), "metric_numbers")
    with st.expander("Histories of different lengths: what the paper promises, and what is proven here"):
        km = controls.ask(CHANGE, 2.0)
        shell.show(crowd.show_lengths(release.results.parts[0], km), "metric_lengths")
    return [release, curve]


def proven(_controls: shell.Controls, base: known.Config, city: City) -> None:
    with st.expander("Data, distances, what is proven"):
        st.markdown(details(base, city))


special = {"epsilon": first, "changes": changes, "place.n": cells, **shell.city_pieces(known.WITHIN)}
shell.show_data_page(PAGE, known.Config(), load, views, proven, special)
