"""The sidebar of the geolocation page: widgets in, settings out."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import geolocation as experiment
from pages import _shell as shell

REGS = (0.0, 1e-3, 3e-3, 0.01, 0.03, 0.1)
# These words stand in people's links: add, but do not reword.
BASES = {"best-uniform": "Best uniform", "minimax": "Minimax", "prior": "Crowd of others"}


def choose(controls: shell.Controls) -> experiment.Config:
    """Draw the controls."""
    epsilon = controls.epsilon(2.0)
    n = controls.integer("n", "Cells per side of the grid", 5, 40, 20)
    base = controls.choice("base", "Base measure of WPM", BASES, "best-uniform")
    with st.expander("People, solver"):
        least = controls.integer("least", "Only people with at least so many check-ins", 1, 100, 10)
        reg = controls.steps("lambda", "Entropic weight λ", REGS, 0.01, show=_reg)
    place = experiment.Place(n, least, held_out=base == "prior")
    return experiment.Config(place=place, base=base, epsilon=epsilon, reg=reg or None)


def _reg(value: float) -> str:
    return "exact" if value == 0.0 else f"{value:g}"
