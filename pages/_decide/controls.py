"""The sidebar: what is needed, how much of it, and where."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpot_core.experiments import needs as experiment
from dpot_core.studies._kit.setting import declared
from pages import _shell as shell
from pages._shell.asking import ask


def choose(controls: shell.Controls) -> experiment.Config:
    """Draw the controls."""
    name = ask(controls, experiment.Config, "need")
    need = experiment.NEEDS[name]
    key = name.replace("-", "_")
    limit = "at least" if need.at_least else "at most"
    target = controls.steps(f"{key}_target", f"How good: {limit}", need.targets, need.default)
    st.caption(need.question.format(f"**{need.write(target)}**").capitalize() + ".")
    config = experiment.Config(name, target)
    if need.sets is not None:
        titles = {key: row.title for key, row in need.sets.items()}
        label = declared(experiment.Config)["source"].label
        source = controls.choice("films" if name == "movies" else "city", label, titles, "simulated")
        config = replace(config, source=source)
    elif name == "population":
        asked = experiment.PEOPLE
        st.caption(
            f"{asked.n:,} people drawn from the US places, {asked.m} atoms, {experiment.PEOPLE_RUNS} draws of people "
            "and noise each."
        )
    for setting in ("d", "k", "seed", "p"):
        if declared(experiment.Config)[setting].shown(config):
            config = replace(config, **{setting: ask(controls, experiment.Config, setting)})
    return config
