"""The modes of an input, which may lie outside the family, and the base measure with the worst case of each."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpot_app.kit.setting import declared
from dpot_app.shell.controls import Controls
from dpot_app.shell.rows import rows_input
from dpot_app.shell.sidebar import Special, Waiting, sidebar
from dpot_app.views.mixture.curves.figures import between
from dpot_app.views.mixture.curves.results import worst_of_bases
from dpot_app.views.mixture.inputs import LineInput, PlaneInput
from dpot_app.views.mixture.settings import BASES, NAMES, RADII, SHORT_BASES, SHOWN, Config, Modes
from dpot_core.privacy.numerals import counted, number, subscript

Values = Mapping[str, Any]


class Asked:
    """Questions of one run of the page, and its remarks on the answers when all settings are known."""

    def __init__(self) -> None:
        self._outside: list[Modes] = []  # modes that the family does not hold
        self._under_base: Any = None  # where the worst case of each base measure is said

    def modes(self, begin: LineInput | PlaneInput, own_name: str, heads: Sequence[str]) -> Special:
        """The control that asks for the modes."""

        def own(controls: Controls, _values: Values) -> tuple[tuple[float, ...], ...]:
            return tuple(rows_input(controls, own_name, "Modes", heads, list(begin.own), "mode"))

        def piece(controls: Controls, values: Values) -> Modes:
            inputs = sidebar(controls, begin, tuple(declared(type(begin))), {"own": own})
            if inputs is None:
                raise Waiting("The picture appears as soon as the modes in the controls can be used.")
            radius = values["family.radius"]
            asked = inputs.modes(radius)
            if asked.farthest <= radius * (1.0 + 1e-9):  # what stands on the edge may be a rounding error outside
                return asked
            self._outside.append(asked)
            # No slider has led there, and none leads back: the view says why it cannot be.
            return asked.within(radius) if asked.farthest <= RADII[-1] else asked

        return piece

    def mechanisms(self, controls: Controls, _values: Values) -> tuple[str, ...]:
        """Ask for mechanisms in the order of the other pages; scenarios have them in one of their own."""
        known = controls.instead.get("mechanisms", declared(Config)["mechanisms"])
        options = {name: NAMES[name] for name in SHOWN}
        chosen = controls.ask(replace(known, options=options), ("wpm", "kpm", "mollifier"))
        return tuple(name for name in NAMES if name in chosen)

    def base(self, controls: Controls, _values: Values) -> str:
        """Ask for the base measure of the line."""
        chosen = str(controls.ask(declared(Config)["base"], Config.base))
        self._under_base = st.empty()
        return chosen

    def tell_bases(self, config: Config) -> None:
        """WPM's worst case with every base measure, under their list."""
        worst = worst_of_bases(config)
        said = ", ".join(f"{SHORT_BASES[name]} {between(worst[name])}" for name in BASES)
        self._under_base.caption(f"WPM's worst W{subscript(config.p)} (units of x) by base measure: {said}.")

    def offer_radius(self, controls: Controls, name: str, radius: float) -> None:
        """Say that means lie outside the family, which hold still at its edge, and offer to enlarge it."""
        for asked in self._outside:
            enough = next((radius for radius in RADII if radius >= asked.farthest), None)
            if enough is None:
                st.info(f"The page goes up to a radius of {RADII[-1]:g}.")
                return
            many = sum(math.hypot(*place) > radius for *place, _ in asked.rows)
            means = counted(many, "mean lies", "means lie")
            far = number(asked.farthest)
            st.warning(f"{means} farther than {radius:g} from 0, the farthest {far}: drawn at its edge.")
            key = f"{controls.page}_{name}"
            enlarge = st.session_state.__setitem__
            label = f"Enlarge the family to radius {enough:g}"
            st.button(label, key=f"{key}_enlarge", on_click=enlarge, args=(key, enough))
