"""From a scenario to the page that shows it: the page's file and the parameters of its controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs

from dpot_core.studies._kit.links import CannotShowError
from dpot_core.studies.table import PAGES
from pages._shell.pins import Pin


@dataclass(frozen=True)
class Target:
    file: str  # of the page, from the root of the project
    parameters: Mapping[str, str | list[str]]  # of its controls, as they stand in a link


def link_of(pin: Pin) -> Target | str:
    """The page at these settings, or why its controls cannot show them."""
    page = PAGES[pin.scenario.kind.split(".")[0]]
    file = f"pages/{page.key}.py"
    if pin.link:
        return Target(file, dict(parse_qs(pin.link, keep_blank_values=True)))
    if pin.scenario.view.parameters is None:
        return "Only what was pinned on its page as it stands can be opened there."
    try:
        return Target(file, page.link(pin.scenario.kind, pin.scenario.config))
    except CannotShowError as problem:
        return f"The page's controls have no place for {problem}; the board and the command line can use it."
