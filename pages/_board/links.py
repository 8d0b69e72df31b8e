"""From a scenario to the page that shows it: the page's file and the parameters of its controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from dpot_core.studies._kit.links import CannotShowError, Parameters
from dpot_core.studies.table import PAGES, VIEWS
from pages._shell.pins import Pin


@dataclass(frozen=True)
class Target:
    """A page at a prepared state.

    Attributes:
        file: of the page, from the root of the project.
        parameters: of its controls, as they stand in a link.
    """

    file: str
    parameters: Mapping[str, str | list[str]]


def link_of(pin: Pin) -> Target | str:
    """The page at these settings, or why its controls cannot show them."""
    page = pin.scenario.kind.split(".")[0]
    file = f"pages/{page}.py"
    if pin.link:
        return Target(file, dict(parse_qs(pin.link, keep_blank_values=True)))
    view = VIEWS.get(pin.scenario.kind)
    if view is None or view.parameters is None:
        return "Only what was pinned on its page as it stands can be opened there."
    try:
        return Target(file, link_parameters(pin.scenario.kind, pin.scenario.config))
    except CannotShowError as problem:
        return f"The page's controls have no place for {problem}; the board and the command line can use it."


def link_parameters(kind: str, config: Any) -> Parameters:
    """Parameters of the page that shows a kind of scenario.

    Args:
        kind: key of a kind whose page can be prepared.
        config: the settings.

    Raises:
        CannotShowError: if the page's controls have no place for a setting.
    """
    view, prefix = VIEWS[kind], PAGES[kind.split(".")[0]].prefix
    if view.parameters is None:
        raise CannotShowError("what was not pinned there")
    return {f"{prefix}_{name}": value for name, value in view.parameters(config).items()}
