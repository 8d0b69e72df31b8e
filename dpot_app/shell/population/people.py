"""The settings of people on a map that need more than their declaration: files, groups, weights."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpot_app.kit.fields import SOLVER
from dpot_app.kit.markdown import as_text
from dpot_app.kit.setting import Declared, declared
from dpot_app.shell.asking import ask
from dpot_app.shell.controls import Controls
from dpot_app.shell.files import Columns, Rectangle, columns_of, rectangle, upload
from dpot_app.shell.population.reading import GROUP_NAMES, tags
from dpot_app.shell.sidebar import Special
from dpot_app.views.population import Config, details
from dpot_app.views.population.settings import (
    COUNTRIES,
    GROUPS,
    GROUPS_OF,
    LEAST,
    ONLY_SQUARED,
    REGIONS,
    WHOLE,
)
from dpot_core import datasets
from dpot_core.datasets.formats import TABLE_ENDINGS
from dpot_core.datasets.population_csv import POPULATION_ROLES


def people_pieces() -> dict[str, Special]:
    """Controls for settings of the people."""
    return {"columns": _columns, "region": _region, "box": _box, "groups": _groups, "weights": _weights, "reg": _reg}


def _columns(controls: Controls, _values: Mapping[str, Any]) -> Columns:
    table = upload(controls, "population", details.FILE, TABLE_ENDINGS)
    if table is None:
        return ()
    return columns_of(controls, table, datasets.sniff_population, POPULATION_ROLES, details.WITHOUT)


def _region(controls: Controls, _values: Mapping[str, Any]) -> str:
    """A country; where a box is chosen in its place, `_box` asks for it."""
    known = replace(declared(Config)["region"], options={**REGIONS, **COUNTRIES})
    region = str(controls.ask(known, "us", disabled="region" in controls.idle))
    return "us" if region == "box" else region


def _box(controls: Controls, _values: Mapping[str, Any]) -> Rectangle | None:
    boxed = st.session_state.get(f"{controls.page}_region") in ("box", REGIONS["box"])
    return rectangle(controls) if boxed else None


def _groups(controls: Controls, values: Mapping[str, Any]) -> str:
    """One of the ways in which the source tells people apart."""
    ways = {key: GROUPS[key] for key in GROUPS_OF[values["source"]]}
    known = Declared("Groups", "list", f"{values['source']}_groups", ways)
    return str(controls.ask(known, next(iter(ways)), disabled="groups" in controls.idle))


def _reg(controls: Controls, values: Mapping[str, Any]) -> float:
    """The weight of the entropic search, or why there is none."""
    if values["p"] == Config().p:
        return float(ask(controls, Config, "reg", disabled="reg" in controls.idle))
    st.caption(f":gray[{SOLVER}: {ONLY_SQUARED}]")
    return Config().reg


def _weights(controls: Controls, values: Mapping[str, Any]) -> tuple[float, ...]:
    """One slider for each group, in percent; whichever is moved, the others share what is left as they did."""
    names = _group_names(controls, values)
    if len(names) < 2:
        return ()
    first, known = in_percent([1.0] * len(names)), declared(Config)["weights"]
    links = [f"weight_{number}" for number in range(1, len(names) + 1)]
    keys = [f"{controls.page}_{link}" for link in links]

    def share(moved: str) -> None:
        now = [float(st.session_state[key]) for key in keys]
        for key, value in zip(keys, balanced(now, keys.index(moved)), strict=True):
            st.session_state[key] = value

    asked = []
    with st.expander(known.label):
        st.caption(known.help or "")
        for name, link, key, start in zip(names, links, keys, first, strict=True):
            slider = Declared(as_text(name), "slider", link, low=LEAST, high=WHOLE, every=LEAST)
            more: dict[str, Any] = {"format": "%.1f%%", "on_change": share, "args": (key,)}
            asked.append(float(controls.ask(slider, start, disabled="weights" in controls.idle, **more)))
    return () if asked == first else tuple(value / WHOLE for value in in_percent(asked))


def in_percent(weights: Sequence[float]) -> list[float]:
    """Weights as tenths of a percent that add up to all, each at least one of them; the last of equals gets the rest.

    >>> in_percent([1, 1, 1]), in_percent([3, 1]), in_percent([1e6, 1])
    ([33.3, 33.3, 33.4], [75.0, 25.0], [99.9, 0.1])
    """
    parts = round(WHOLE / LEAST)
    tenths = [max(round(parts * one / sum(weights)), 1) for one in weights]
    largest = max(range(len(tenths)), key=lambda place: (tenths[place], place))
    tenths[largest] += parts - sum(tenths)
    return [tenth / (parts / WHOLE) for tenth in tenths]


def balanced(values: Sequence[float], moved: int) -> list[float]:
    """Percents of which one was moved: the others keep their shares of what it leaves, and all add up.

    >>> balanced([50.0, 25.0, 50.0], 0), balanced([100.0, 25.0, 25.0], 0)
    ([50.0, 16.7, 33.3], [99.8, 0.1, 0.1])
    """
    others = len(values) - 1
    kept = min(values[moved], WHOLE - LEAST * others)
    rest = sum(values) - values[moved]
    shares = [kept if place == moved else value / rest * (WHOLE - kept) for place, value in enumerate(values)]
    tenths = [max(round(share / LEAST), 1) for share in shares]
    free = [place for place in range(len(values)) if place != moved]
    largest = max(free, key=lambda place: (tenths[place], place))
    tenths[largest] += round(WHOLE / LEAST) - sum(tenths)
    return [tenth / round(1 / LEAST) for tenth in tenths]


def _group_names(controls: Controls, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the groups, as far as they are known before the data are drawn."""
    if values["groups"] == "everybody":
        return ()
    if values["source"] == "csv":
        of, names = st.session_state.get(GROUP_NAMES, ((), ()))
        return tuple(names) if values["groups"] == "file" and of == tags(controls) else ()
    try:
        return datasets.loaded(datasets.POPULATIONS[values["source"]], values["groups"]).group_names
    except datasets.DatasetMissing:
        return ()  # the page says so
