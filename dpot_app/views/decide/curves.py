"""Values that were evaluated before: in this process, or when the package was made (``curves.json``)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from importlib import resources
from typing import Any

from dpot_app.kit.need import Side
from dpot_app.views.decide.settings import HIGHEST, LOWEST, OWN, START, TOLERANCE, Config

#: Number of the way in which curves are computed: raise it, and make them anew, when mechanisms give other numbers.
VERSION = 1

#: The needs whose first visit would wait: their curves at the settings that the page begins with come with the package.
SHIPPED = ("geolocation", "movies", "population", "two-sets")

FILE = resources.files(__package__).joinpath("curves.json")


class Curve:
    """A side's utility that evaluates nothing twice.

    Args:
        evaluate: utility of a mechanism at an epsilon.
        values: what is known before, by mechanism and epsilon.
    """

    def __init__(self, evaluate: Callable[[str, float], float], values: Mapping[tuple[str, float], float]) -> None:
        self._evaluate, self.values = evaluate, dict(values)

    def __call__(self, mechanism: str, epsilon: float) -> float:
        if (mechanism, epsilon) not in self.values:
            self.values[mechanism, epsilon] = self._evaluate(mechanism, epsilon)
        return self.values[mechanism, epsilon]

    def known(self, mechanism: str) -> dict[float, float]:
        """Value by epsilon of a mechanism, as far as it was evaluated."""
        return {epsilon: value for (name, epsilon), value in list(self.values.items()) if name == mechanism}


def made_of(config: Config, data: tuple[tuple[str, str], ...], side: Side) -> dict[str, Any]:
    """All that a side's values depend on, as JSON has it: values made of anything else are not used.

    What is measured and how (people, runs, seeds, weights) stands in the side's words.
    """
    settings = {name: value for name, value in asdict(config).items() if name not in ("target", *OWN)}
    made: dict[str, Any] = {"version": VERSION, "settings": settings, "data": dict(data), "what": side.what}
    made |= {"note": side.note, "labels": dict(side.labels), "grid": list(side.grid), "improves": sorted(side.because)}
    made["tries"] = {"lowest": LOWEST, "highest": HIGHEST, "start": START, "tolerance": TOLERANCE}
    plain: dict[str, Any] = json.loads(json.dumps(made))
    return plain


def shipped(config: Config, data: tuple[tuple[str, str], ...], name: str, side: Side) -> dict[tuple[str, float], float]:
    """The values that came with the package, by mechanism and epsilon; none if they were made of anything else.

    Args:
        data: digests of the data sets, by key.
        name: "worst" or "data".
    """
    kept = _content().get(f"{config.need}.{name}")
    if kept is None or config.source == "csv" or kept["of"] != made_of(config, data, side):
        return {}
    return {(m, epsilon): value for m, points in kept["values"].items() for epsilon, value in points}


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content
