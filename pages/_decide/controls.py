"""The sidebar: what is needed, how much of it, and where."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import needs as experiment
from pages import _shell as shell

# These words stand in people's links: add, but do not reword.
NEEDS = {name: need.title for name, need in experiment.NEEDS.items()}


def choose(controls: shell.Controls) -> experiment.Config:
    """Draw the controls."""
    name = controls.choice("need", "What must be possible", NEEDS, "geolocation")
    need = experiment.NEEDS[name]
    key = name.replace("-", "_")
    limit = "at least" if need.at_least else "at most"
    target = controls.steps(f"{key}_target", f"How good: {limit}", need.targets, need.default, show=_plain)
    st.caption(need.question.format(f"**{need.write(target)}**").capitalize() + ".")
    k, p, d, seed, source = 30, 2, 2, 1, "simulated"
    if need.sets is not None:
        titles = {key: row.title for key, row in need.sets.items()}
        source = controls.choice("films" if name == "movies" else "city", "Data at hand", titles, "simulated")
    elif name == "population":
        asked = experiment.PEOPLE
        st.caption(
            f"{asked.n:,} people drawn from the US places, {asked.m} atoms, {experiment.PEOPLE_RUNS} draws of people "
            "and noise each."
        )
    elif name == "sphere":
        d = controls.integer("d", "Dimension of the sphere", 1, 50, 2)
    else:
        k = controls.integer("k", "Points (k)", 3, 100, 30)
        seed = controls.integer("seed", "Seed of the input at hand", 0, 9999, 1, kind="number")
    if name in ("ring", "sphere"):
        p = controls.integer("p", "Order p of the distance W_p", 1, 4, 2)
    return experiment.Config(name, target, k, p, d, seed, source)


def _plain(value: float) -> str:
    return f"{value:g}"
