"""Finite ring: one distribution on k points, what each mechanism makes of it, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpot_core.studies.ring import PAGE
from dpot_core.studies.ring.settings import Ring, Source, make_input
from pages import _shell as shell

Values = Mapping[str, Any]


def every(controls: shell.Controls, values: Values) -> int:
    """At least two outputs."""
    return min(int(shell.ask(controls, Ring, "every")), values["ring.k"] - 1)


def numbers(controls: shell.Controls, values: Values) -> tuple[float, ...]:
    """Weights of the points."""
    return _weights(controls, "numbers", "Weights of the points", values["ring.k"])


def prior(controls: shell.Controls, values: Values) -> tuple[float, ...]:
    """Public weights of the points."""
    return _weights(controls, "prior", "Public weights of the points", values["ring.k"])


def _weights(controls: shell.Controls, name: str, label: str, k: int) -> tuple[float, ...]:
    example = [round(float(mass), 4) for mass in make_input(Source("two-bumps"), k)]
    given = shell.numbers_input(controls, name, label, example)
    if given is None:
        raise shell.Waiting
    return given


shell.show_page(PAGE, {"ring.every": every, "source.numbers": numbers, "base.prior": prior})
