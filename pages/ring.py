"""Finite ring: one distribution on k points, what each mechanism makes of it, and what that costs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dpot_app import shell
from dpot_app.kit.fields import DISTANCE, WORST_IN
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.view import View
from dpot_app.views.ring import PAGE
from dpot_app.views.ring.outputs.text import PICTURES
from dpot_app.views.ring.settings import Config, Ring
from dpot_app.views.ring.source import Source

Values = Mapping[str, Any]


def every(controls: shell.Controls, values: Values) -> int:
    """At least two outputs."""
    return min(int(shell.ask(controls, Ring, "every")), values["ring.k"] - 1)


def weights(name: str) -> shell.Special:
    """The control that asks for one weight of each point."""

    def own(controls: shell.Controls, values: Values) -> tuple[float, ...]:
        example = [round(float(mass), 4) for mass in Source(kind="two-bumps").distribution(values["ring.k"])]
        return shell.numbers_input(controls, name.rpartition(".")[2], declared(Config)[name].label, example)

    return own


#: What a room asks for: an input that is easy to think about, another base, the solver's blur, and the usual.
PRESETS: Mapping[str, Values] = {
    "One place": {"input": "dirac"},
    "Half here, half there": {"input": "two-places", "share": 0.5},
    **shell.usual(),
    "Public prior": {"base": "prior"},
    "Exact": {"lambda": 0.0},
    "λ = 0.1": {"lambda": 0.1},
}


def look(controls: shell.Controls, hero: View) -> Callable[..., Any]:
    """The outputs around the ring, or unrolled."""
    return partial(hero.show, picture=controls.ask(Declared("Picture", "segments", "picture", PICTURES), "ring"))


def beside(controls: shell.Controls) -> Values:
    """In which loss the worst cases beside the outputs are told."""
    return {"loss": controls.ask(WORST_IN, DISTANCE)}


own_numbers = {name: weights(name) for name in ("source.numbers", "base.prior")}
shell.show_page(PAGE, {"ring.every": every, **own_numbers}, look, beside, PRESETS)
