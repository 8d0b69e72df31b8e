"""Make ``guaranteed.json`` anew: python -m dpot_app.views.population.guaranteed.make, or `make curves`."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from dpot_app.views.population.guaranteed.results import DRAWS, EPSILONS, Guaranteed, measured
from dpot_app.views.population.guaranteed.shipped import FILE, made_of
from dpot_app.views.population.people import People, draw_people
from dpot_app.views.population.settings import Config
from dpot_core.datasets import load_places
from dpot_core.datasets.writing import write

#: The settings that the page begins with.
CONFIG = Config()


def first_people() -> People:
    """The settings that the page begins with."""
    return draw_people(load_places(CONFIG.groups), CONFIG.n, CONFIG.seed)


def plain(found: Guaranteed) -> dict[str, Any]:
    """The fields as JSON has them."""
    values: dict[str, Any] = json.loads(json.dumps(asdict(found), default=np.ndarray.tolist))
    return values


if __name__ == "__main__":
    people = first_people()
    content = {
        "of": made_of(people.key, CONFIG, EPSILONS, DRAWS),
        "values": plain(measured(people, CONFIG, EPSILONS, DRAWS, None)),
    }
    path = Path(str(FILE))
    # A line for each epsilon, so that a change shows where it is.
    text = json.dumps(content, separators=(",", ":")).replace("],[", "],\n[")
    write(path.parent, {path.name: (text + "\n").encode()})
    sys.stdout.write(f"wrote {FILE}\n")
