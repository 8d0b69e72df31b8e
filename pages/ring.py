"""Finite ring: one distribution on k points, what each mechanism makes of it, and what that costs."""

from collections.abc import Mapping
from typing import Any

from dpot_core.studies._kit.setting import declared
from dpot_core.studies.ring import PAGE
from dpot_core.studies.ring.settings import Config, Ring, Source, make_input
from pages import _shell as shell

Values = Mapping[str, Any]


def every(controls: shell.Controls, values: Values) -> int:
    """At least two outputs."""
    return min(int(shell.ask(controls, Ring, "every")), values["ring.k"] - 1)


def weights(name: str) -> shell.Special:
    """What asks for one weight of each point."""

    def own(controls: shell.Controls, values: Values) -> tuple[float, ...]:
        example = [round(float(mass), 4) for mass in make_input(Source("two-bumps"), values["ring.k"])]
        return shell.numbers_input(controls, name.rpartition(".")[2], declared(Config)[name].label, example)

    return own


own_numbers = {name: weights(name) for name in ("source.numbers", "base.prior")}
shell.show_page(PAGE, {"ring.every": every, **own_numbers})
