"""The sidebar of the mixture page: what is common to the line and the plane, and modes."""

from __future__ import annotations

import math

import streamlit as st

from dpot_core.experiments import mixture as experiment
from dpot_core.experiments.mixture import Family, Modes
from pages import _shell as shell
from pages._mixture.modes import link_part, modes_input

# These words stand in people's links: add, but do not reword.
LINE_MODES = {
    "two": "Two modes",
    "one": "One mode",
    "ten": "Ten random",
    "paper": "Fig. 4 of the paper",
    "own": "My own",
}
PLANE_MODES = {"ring": "Ring", "ten": "Ten random", "own": "My own"}


def line_modes(controls: shell.Controls, radius: float) -> tuple[Modes | None, dict[str, str]]:
    """The input on the line, and what a link has to carry beside the controls."""
    kind = controls.choice("modes", "Input mixture", LINE_MODES, "two")
    if kind == "one":
        return Modes((controls.number("mean", "Mean", -3.0, 3.0, 0.5, 0.05),), (1.0,)), {}
    if kind == "two":
        return Modes((-1.0, 1.0), (0.9, 0.1)), {}
    if kind == "ten":
        seed = controls.integer("modes_seed", "Seed of the random modes", 0, 9999, 1, kind="number")
        return experiment.random_modes(10, seed, radius), {}
    if kind == "paper":
        published = experiment.published_modes()
        number = controls.integer("paper", "Number of the mixture", 1, len(published), 1, kind="number")
        return published[number - 1], {}
    return _own(controls, "own", Modes((-1.0, 0.0, 1.0), (0.2, 0.5, 0.3)))


def plane_modes(controls: shell.Controls, radius: float) -> tuple[Modes | None, dict[str, str]]:
    """The input in the plane, and what a link has to carry beside the controls."""
    kind = controls.choice("plane_modes", "Input mixture", PLANE_MODES, "ring")
    if kind == "ring":
        count = controls.integer("ring", "Modes on the ring", 1, 12, 3)
        return experiment.ring_modes(count, radius), {}
    if kind == "ten":
        seed = controls.integer("plane_seed", "Seed of the random modes", 0, 9999, 1, kind="number")
        return experiment.random_modes_in_disc(10, seed, radius), {}
    return _own(controls, "plane_own", Modes(((-0.8, 0.0), (0.5, 0.5), (0.5, -0.5)), (0.5, 0.3, 0.2)))


def _own(controls: shell.Controls, name: str, start: Modes) -> tuple[Modes | None, dict[str, str]]:
    modes = modes_input(controls, name, "Modes", start)
    return modes, {} if modes is None else {name: link_part(modes)}


def offer_radius(controls: shell.Controls, name: str, modes: Modes, family: Family) -> None:
    """Offer to enlarge the family where a mean lies outside."""
    distances = [math.hypot(*mean) if isinstance(mean, tuple) else abs(mean) for mean in modes.means]
    enough = [radius for radius in experiment.RADII if radius >= max(distances)]
    if max(distances) <= family.radius:
        return
    if not enough:
        st.info(f"The page goes up to a radius of {experiment.RADII[-1]:g}.")
        return
    st.button(
        f"Enlarge the family to radius {enough[0]:g}",
        key=f"{controls.page}_{name}_enlarge",
        on_click=st.session_state.__setitem__,
        args=(f"{controls.page}_{name}", enough[0]),
    )
