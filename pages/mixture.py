"""Gaussian mixture: private draws from densities on the line, in the plane and on the sphere."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_core.studies._kit.setting import Declared, declared
from dpot_core.studies._kit.view import View
from dpot_core.studies.mixture import PAGE, ManyConfig
from dpot_core.studies.mixture import settings as known
from dpot_core.studies.mixture.inputs import LineInput, PlaneInput
from dpot_core.studies.mixture.line.text import NUMBERS, WORST
from dpot_core.studies.mixture.plane.text import show_difference, show_maps, show_numbers
from dpot_core.studies.mixture.reproduce import release_snippet
from dpot_core.studies.mixture.sphere.settings import ORDERS, SIDEBAR
from pages import _shell as shell

Values = Mapping[str, Any]

#: Modes of this run that the family does not hold.
outside: list[known.Modes] = []


def modes(begin: LineInput | PlaneInput, own_name: str, heads: Sequence[str]) -> shell.Special:
    def own(controls: shell.Controls, _values: Values) -> tuple[tuple[float, ...], ...]:
        return tuple(shell.rows_input(controls, own_name, "Modes", heads, list(begin.own), "mode"))

    def piece(controls: shell.Controls, values: Values) -> known.Modes:
        inputs = shell.sidebar(controls, begin, tuple(declared(type(begin))), {"own": own})
        if inputs is None:
            raise shell.Waiting("The picture appears as soon as the modes on the left can be used.")
        radius = values["family.radius"]
        asked = inputs.modes(radius)
        if asked.farthest <= radius * (1.0 + 1e-9):  # what stands on the edge may be a rounding error outside
            return asked
        outside.append(asked)
        # No slider has led there, and none leads back: the view says why it cannot be.
        return asked.within(radius) if asked.farthest <= known.RADII[-1] else asked

    return piece


def orders(controls: shell.Controls, _values: Values) -> tuple[float, ...]:
    chosen = controls.ask(Declared("Orders p of the distance", "pills", "orders", ORDERS, many=True), ("1", "2", "4"))
    if not chosen:
        raise shell.Waiting("Choose an order p on the left.")
    return tuple(map(float, chosen))


def offer_radius(controls: shell.Controls, name: str, radius: float) -> None:
    """Say that means lie outside the family, which hold still at its edge, and offer to enlarge it."""
    for asked in outside:
        enough = next((radius for radius in known.RADII if radius >= asked.farthest), None)
        if enough is None:
            st.info(f"The page goes up to a radius of {known.RADII[-1]:g}.")
            return
        many = sum(math.hypot(*place) > radius for *place, _ in asked.rows)
        means = "One mean lies" if many == 1 else f"{many} means lie"
        st.warning(
            f"{means} farther than {radius:g} from 0, the farthest {asked.farthest:.3g}: drawn at the family's edge."
        )
        key = f"{controls.page}_{name}"
        enlarge = st.session_state.__setitem__
        label = f"Enlarge the family to radius {enough:g}"
        st.button(label, key=f"{key}_enlarge", on_click=enlarge, args=(key, enough))


def line(controls: shell.Controls, view: View, config: known.Config) -> list[shell.Shown | None]:
    """One mixture on the line, a release for real, details."""
    if "mbde" in config.mechanisms:
        view = replace(view, scrub=())  # it is trained for each epsilon, for seconds
    offer_radius(controls, "radius", config.family.radius)
    hero = shell.shown(controls, view, config)
    if hero is None and "mbde" in config.mechanisms and shell.abandoned(controls, view, config):
        # Without what was to be trained the rest stands.
        config = replace(config, mechanisms=tuple(name for name in config.mechanisms if name != "mbde"))
        hero = shell.shown(controls, view, config)
    if hero is None:
        return []
    with st.expander("Release for real"):
        st.caption(
            "One number, drawn by KPM from the operating system's entropy in whole numbers: exactly ε-LDP for every "
            "input, whatever its density is. Run it where the data are; the page itself only demonstrates. "
            "The other mechanisms have no release for real here."
        )
        st.code(release_snippet(config), language="python")
    opened, boxes = controls.tabs("details", known.DETAILS)
    with boxes[opened]:
        if opened == "many":
            below = shell.shown(controls, PAGE.view("mixture.many"), many(controls, config))
        else:
            below = shell.shown(controls, view, config, {"numbers": NUMBERS, "worst": WORST}[opened])
    return [hero, below]


def many(controls: shell.Controls, config: known.Config) -> ManyConfig:
    """Which mixtures; their family and the mechanisms are those of the line."""
    chosen: dict[str, Any] = {"family": config.family, "reference": config.reference, "p": config.p}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen["source"] = shell.ask(controls, ManyConfig, "source")
        if chosen["source"] == "random":
            chosen |= {name: shell.ask(controls, ManyConfig, name, width=140) for name in ("count", "seed")}
    return ManyConfig(**chosen)


def plane(controls: shell.Controls, view: View, config: known.Config) -> list[shell.Shown | None]:
    """Maps, one of them as a difference, numbers."""
    offer_radius(controls, "plane_radius", config.family.radius)
    results = shell.computed(controls, view, config)
    if results is None:
        return []
    left, right = st.columns([1.5, 1])
    with left:
        pieces = [shell.drawn(controls, view, results, "plane", show_maps)]
    with right:
        if config.mechanisms:
            name = controls.ask(Declared("Output minus input", "segments", "compare", known.MECHANISMS), "kpm")
            minus = partial(show_difference, name=name)
            pieces.append(shell.drawn(controls, view, results, "difference", minus))
    return [*pieces, shell.drawn(controls, view, results, "numbers", show_numbers)]


LINE_MODES = {"modes": modes(LineInput(), "own", ("mean", "weight"))}
PLANE_MODES = {"modes": modes(PlaneInput(), "plane_own", ("x", "y", "weight"))}
#: By tab: what draws it, and what the sidebar asks for, with which pieces and declarations of its own.
TABS: dict[str, tuple[Any, ...]] = {
    "line": (line, known.LINE_SIDEBAR, LINE_MODES),
    "plane": (plane, known.PLANE_SIDEBAR, PLANE_MODES, known.in_plane()),
    "sphere": (lambda controls, view, config: [shell.shown(controls, view, config)], SIDEBAR, {"orders": orders}),
}

controls = shell.Controls(PAGE.prefix)
notice = st.container()
shell.heading(PAGE)
view, tab, place = shell.open_tab(controls, PAGE)
with place:
    draw, *sidebar = TABS[tab.key]
    with st.sidebar:
        config = shell.sidebar(controls, view.example, *sidebar)
    if config is None:
        shell.waiting(controls)
    views = [] if config is None else [one for one in draw(controls, view, config) if one is not None]
if views:
    shell.below(controls, views)
with st.sidebar:
    controls.live.follow()
with notice:
    controls.notices()
