"""Measurements that Population begins with, made with the package (``guaranteed.json``): 200 releases.

``python -m dpot_app.views.population.guaranteed.make``, or `make curves`, makes it anew.
"""

import json
from dataclasses import asdict
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from dpot_app.views.population.settings import Config

#: Number of the way in which it is measured: raise it, and make the file anew, when mechanisms give other numbers.
VERSION = 1

FILE = resources.files(__package__).joinpath("guaranteed.json")


def made_of(people: str, config: Config, epsilons: tuple[float, ...], draws: int) -> dict[str, Any]:
    """All that the numbers depend on, as JSON has it: numbers made of anything else are not used.

    Args:
        people: key of the people drawn, which holds the digest of their data.
    """
    # What stands beside them is measured by itself.
    settings = {name: value for name, value in asdict(config).items() if name != "compared"}
    made = {"version": VERSION, "people": people, "settings": settings, "epsilons": epsilons, "draws": draws}
    plain: dict[str, Any] = json.loads(json.dumps(made))
    return plain


def shipped(of: dict[str, Any]) -> dict[str, Any] | None:
    """The fields of `Guaranteed` that came with the package; None if they were made of anything else."""
    content = _content()
    if content["of"] != of:
        return None
    values = dict(content["values"])
    for name in ("epsilons", "bound"):
        values[name] = np.array(values[name])
    return values | {"measured": {name: np.array(each) for name, each in values["measured"].items()}}


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content
