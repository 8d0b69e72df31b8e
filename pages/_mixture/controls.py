"""The sidebar of the mixture page: what is common to the line and the plane, and modes."""

from __future__ import annotations

import math

import streamlit as st

from dpot_core.experiments import mixture as experiment
from dpot_core.experiments.mixture import Family, Modes
from pages import _shell as shell
from pages._mixture.modes import link_part, modes_input

VARIANCES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
RADII = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
DRAWS = (0.0, 100.0, 1000.0, 10_000.0, 100_000.0)
LINE_CELLS = (100.0, 200.0, 400.0, 700.0, 1000.0)
PLANE_CELLS = (12.0, 16.0, 20.0, 24.0, 28.0)
# These words stand in people's links: add, but do not reword.
LINE_MODES = {
    "two": "Two modes",
    "one": "One mode",
    "ten": "Ten random",
    "paper": "Fig. 4 of the paper",
    "own": "My own",
}
PLANE_MODES = {"ring": "Ring", "ten": "Ten random", "own": "My own"}
ENVELOPES = {"paper": "Paper", "authors": "Authors' program"}

FAMILY_HELP = (
    "Public: the input is known to be a mixture with means this close to 0. The mechanism is private for these inputs "
    "and for all others; its worst case is best possible for inputs between 0 and c₂ h."
)
ENVELOPE_HELP = (
    "h in the paper falls like a Gaussian with the variance of the modes; the authors' program divides by "
    "2 sqrt(variance), which is looser and costs more."
)
MECHANISM_HELP = (
    "Mollifier: the nearest density around a fixed Gaussian. γP + (1−γ)h: draw from the input or from h. "
    "WPM: nearest in Wasserstein distance, on cells, in the band of KPM."
)
TRAINED_HELP = (
    " MBDE: an approximation of the mollifier by small networks, trained on points of the input; another seed gives "
    "another output."
)


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


def mechanisms(controls: shell.Controls, name: str, trained: bool = False) -> tuple[str, ...]:
    """Which mechanisms to draw, also of those that have to be trained."""
    values = experiment.NAMES if trained else experiment.MECHANISMS
    text = MECHANISM_HELP + TRAINED_HELP if trained else MECHANISM_HELP
    return controls.several(name, "Mechanisms", values, ("kpm", "mollifier", "wpm"), help=text)


def radius(controls: shell.Controls, name: str) -> float:
    """How far from 0 means may lie: what is public about the input."""
    return controls.steps(name, "Largest distance of a mean from 0", RADII, 1.0, help=FAMILY_HELP)


def offer_radius(controls: shell.Controls, name: str, modes: Modes, family: Family) -> None:
    """Offer to enlarge the family where a mean lies outside."""
    distances = [math.hypot(*mean) if isinstance(mean, tuple) else abs(mean) for mean in modes.means]
    enough = [radius for radius in RADII if radius >= max(distances)]
    if max(distances) <= family.radius:
        return
    if not enough:
        st.info(f"The page goes up to a radius of {RADII[-1]:g}.")
        return
    st.button(
        f"Enlarge the family to radius {enough[0]:g}",
        key=f"{controls.page}_{name}_enlarge",
        on_click=st.session_state.__setitem__,
        args=(f"{controls.page}_{name}", enough[0]),
    )
