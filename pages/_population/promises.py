"""What one release of each mechanism alone would promise: it stands under the tabs and follows epsilon with them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from dpot_core.guarantees import Guarantee
from dpot_core.studies._kit.view import Blocks, Results
from dpot_core.studies.population import details
from dpot_core.studies.population.people import People
from pages import _shell as shell


def screen(tab: str, people: People, results: Results) -> Mapping[str, Any]:
    """The promises of a tab at the settings of its results, by their names on the screen."""
    promises = details.alone(tab, results.config, people)
    return {f"words_{_key(name)}": _html(name, guarantee) for name, guarantee in promises.items()}


def draw(promises: Mapping[str, Guarantee], part: shell.Part) -> None:
    """Draw promises by mechanism, with the frames that they belong to."""
    for name, guarantee in promises.items():
        shell.words(_html(name, guarantee), key=_key(name), part=part)


def _key(name: str) -> str:
    return f"pop_promised_{name}"


def _html(name: str, guarantee: Guarantee) -> str:
    about = f"<p><strong>{escape(name)}</strong>: what one release of it alone would promise</p>"
    return about + shell.guarantee_strip(guarantee)


def nothing(_config: object, *_results: object) -> Blocks:
    """Of a tab whose pictures do not depend on epsilon: only these promises follow it."""
    return ()
