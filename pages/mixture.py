"""Gaussian mixture: private draws from densities on the line, in the plane and on the sphere."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpot_app import shell
from dpot_app.kit.blocks import Code, for_real
from dpot_app.kit.fields import DISTANCE, WORST_IN
from dpot_app.kit.setting import Declared, number_text
from dpot_app.kit.view import Tab, View
from dpot_app.shell.mixture.asked import Asked
from dpot_app.views.mixture import PAGE, ManyConfig
from dpot_app.views.mixture import settings as known
from dpot_app.views.mixture.inputs import LineInput, PlaneInput
from dpot_app.views.mixture.line.text import ALSO, CURVES, EVERY, NUMBERS, SIDE, WORST, release_script
from dpot_app.views.mixture.sphere.settings import ORDERS, SIDEBAR
from dpot_app.views.mixture.views import followed
from dpot_core.privacy.guarantees import Guarantee

Values = Mapping[str, Any]
#: Settings -> what draws the page's own pieces of a view.
Slots = Callable[[known.Config], Mapping[str, Callable[..., Any]]]

#: What a room asks for.
PRESETS: Mapping[str, Values] = {**shell.usual(whole=True), "Uniform base": {"base": "uniform"}}

asked = Asked()


def orders(controls: shell.Controls, _values: Values) -> tuple[float, ...]:
    chosen = controls.ask(Declared("Orders p of the distance", "pills", "orders", ORDERS, many=True), ("1", "2", "4"))
    if not chosen:
        raise shell.Waiting("Choose an order p in the controls.")
    return tuple(map(float, chosen))


def with_training(controls: shell.Controls, view: View, config: known.Config, slots: Slots) -> tuple[Any, known.Config]:
    """The look of the page and the settings that it shows: where training was given up, the rest stands."""
    hero, closed = shell.shown(controls, view, config, slots=slots(config)), config.closed_forms
    if hero is None and closed != config.mechanisms and shell.abandoned(controls, view, config):
        return with_training(controls, view, replace(config, mechanisms=closed), slots)
    return hero, config


def curves(controls: shell.Controls, loss: str, config: known.Config) -> Mapping[str, Callable[..., Any]]:
    """The worst cases beside the picture, in a loss."""

    def draw(*_: Any) -> None:
        view = followed(PAGE.view(CURVES.key), config)
        shell.shown(controls, replace(view, show=partial(view.show, loss=loss)), config, Tab("curves", ""))

    return {"curves": draw}


def line(controls: shell.Controls, view: View, config: known.Config) -> list[shell.Shown | None]:
    """One mixture on the line, a release for real, details."""
    shell.presets(controls, PRESETS)
    asked.offer_radius(controls, "radius", config.family.radius)
    look, loss = line_look(controls, view, config)
    view = replace(followed(view, config), show=look)
    hero, config = with_training(controls, view, config, partial(curves, controls, loss))
    if hero is None:
        return []
    asked.tell_bases(config)
    words = (
        "KPM draws one number in whole-number arithmetic from the operating system's entropy. It is exactly ε-LDP for "
        "every input, whatever its density. Run it where the data are; the page itself only demonstrates. The other "
        "mechanisms have no release for real here."
    )
    shell.show([for_real(Guarantee(config.epsilon), words, Code(release_script(config)))], "mix_real")
    opened, boxes = controls.tabs("details", known.DETAILS)
    with boxes[opened]:
        if opened == "many":
            below = shell.shown(controls, PAGE.view("mixture.many"), many(controls, config))
        else:
            below = shell.shown(controls, view, config, {"numbers": NUMBERS, "worst": WORST}[opened])
    return [hero, below]


def line_look(controls: shell.Controls, view: View, config: known.Config) -> tuple[Any, str]:
    """Which output stands over the input, and what behind them; and in which loss worst cases stand beside them."""
    options = SIDE | {name: known.NAMES[name] for name in known.SHOWN if name in config.mechanisms} | EVERY
    with st.container(horizontal=True, vertical_alignment="bottom"):
        output = shell.ask_among(controls, Declared("Output", "segments", "output", options))
        also = controls.ask(Declared("Show also", "pills", "also", ALSO, many=True), ())
        loss = controls.ask(WORST_IN, DISTANCE)
    return partial(view.show, output=output, also=also), loss


def many(controls: shell.Controls, config: known.Config) -> ManyConfig:
    """Which mixtures; their family and the mechanisms are those of the line."""
    chosen: dict[str, Any] = {"family": config.family, "reference": config.reference, "p": config.p}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen["source"] = shell.ask(controls, ManyConfig, "source")
        if chosen["source"] == "random":
            chosen |= {name: shell.ask(controls, ManyConfig, name, width=140) for name in ("count", "seed")}
    return ManyConfig(**chosen)


def plane(controls: shell.Controls, view: View, config: known.Config) -> list[shell.Shown | None]:
    """Maps of the input, one output and their difference; numbers."""
    asked.offer_radius(controls, "plane_radius", config.family.radius)
    look = view.show
    if config.mechanisms:
        chosen = {name: known.NAMES[name] for name in config.mechanisms}
        outputs = Declared("Output, large", "segments", "compare", chosen)
        look = partial(look, compare=shell.ask_among(controls, outputs, known.NAMES))
    return [with_training(controls, replace(followed(view, config), show=look), config, lambda _: {})[0]]


#: Where the session keeps the open tab with its epsilon.
LAST_EPSILON = "mixture_last_epsilon"


def one_epsilon(controls: shell.Controls, tab: str) -> None:
    """Another tab takes epsilon along; what a link says of a tab holds when it is first opened."""
    last, epsilon = st.session_state.get(LAST_EPSILON, (tab, None))
    own = {"line": "epsilon", "plane": "plane_epsilon", "sphere": "sphere_epsilon"}[tab]
    key = f"{controls.page}_{own}"
    stands = key in st.session_state
    if last == tab or (not stands and key in st.query_params):
        return
    if not stands:
        # A control that does not stand yet does not put its number into the address.
        st.query_params[key] = number_text(epsilon)
    st.session_state[key] = epsilon


LINE_MODES = {
    "modes": asked.modes(LineInput(), "own", ("mean", "weight")),
    "base": asked.base,
    "mechanisms": asked.mechanisms,
}
PLANE_MODES = {
    "modes": asked.modes(PlaneInput(), "plane_own", ("x", "y", "weight")),
    "mechanisms": asked.mechanisms,
}
#: By tab: what draws it, and what the sidebar asks for, with which pieces and declarations of its own.
TABS: dict[str, tuple[Any, ...]] = {
    "line": (line, known.LINE_SIDEBAR, LINE_MODES),
    "plane": (plane, known.PLANE_SIDEBAR, PLANE_MODES, known.in_plane()),
    "sphere": (lambda controls, view, config: [shell.shown(controls, view, config)], SIDEBAR, {"orders": orders}),
}

controls = shell.Controls(PAGE.prefix)
shell.arrive(PAGE)
notice = st.container()
shell.opened(controls.page)
title = st.container()
view, tab, place = shell.open_tab(controls, PAGE)
with place:
    draw, *sidebar = TABS[tab.key]
    one_epsilon(controls, tab.key)
    with st.sidebar:
        config = shell.sidebar(controls, view.example, *sidebar)
        shell.again(controls, PAGE, view.example)
    with title:
        told = shell.heading(PAGE)
    if config is None:
        shell.waiting(controls)
    else:
        st.session_state[LAST_EPSILON] = tab.key, config.epsilon
    views = [] if config is None else [one for one in draw(controls, view, config) if one is not None]
told()
if views:
    shell.below(controls, views)
with st.sidebar:
    controls.live.follow()
with notice:
    controls.notices()
