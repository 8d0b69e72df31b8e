"""From a scenario to the page that shows it: the page's file and the parameters of its controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from dpot_core.experiments import mixture, movies
from dpot_core.studies._kit.links import CannotShowError, Parameters, parameters
from dpot_core.studies._kit.setting import number_text
from dpot_core.studies.table import PAGES, VIEWS
from pages._board.fields import named
from pages._mixture import controls as mix
from pages._mixture import sphere as mix_sphere
from pages._mixture.modes import link_part as modes_part
from pages._movies.views import VIEWS as FILM_VIEWS
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
    if page not in _WRITERS and (view is None or view.parameters is None):
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
    page = kind.split(".")[0]
    view = VIEWS.get(kind)
    if view is not None and view.parameters is not None:
        return named(PAGES[page].prefix, view.parameters(config))
    return _WRITERS[page](kind, config)


def _mixture(kind: str, config: Any) -> Parameters:
    view = kind.split(".")[1]
    if view == "sphere":
        return _sphere(config)
    plane = view == "plane"
    found = parameters(config, mixture.in_plane() if plane else None)
    prefix, words = ("plane_", mix.PLANE_MODES) if plane else ("", mix.LINE_MODES)
    found |= {f"{prefix}modes": words["own"], f"{prefix}own": modes_part(config.modes), "view": view.capitalize()}
    return named("mix", found)


def _sphere(config: mixture.SphereConfig) -> Parameters:
    orders = [number_text(order) for order in config.orders]
    if not set(orders) <= set(mix_sphere.ORDERS.values()) or config.draws != mixture.SphereConfig().draws:
        raise CannotShowError(f"orders {', '.join(orders)} with {config.draws} draws")
    return named("mix", parameters(config) | {"orders": list(orders), "view": "Sphere"})


def _movies(kind: str, config: movies.Config) -> Parameters:
    if config.source == "csv" or config.profile or config.user or config.other:
        raise CannotShowError("your own files or a user by name in a link")
    view = {"user": "user", "adversary": "adversary"}.get(kind.split(".")[1], "everyone")
    users = {"user": {"user": "1"}, "adversary": {"user": "1", "other": "2"}}.get(view, {})
    return named("movies", parameters(config) | users | {"view": FILM_VIEWS[view]})


_WRITERS: dict[str, Callable[[str, Any], Parameters]] = {
    "mixture": _mixture,
    "movies": _movies,
}
