"""A page, declared once: a question, the settings that are asked for, the views that answer."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from dpot_app.kit.lesson import Lesson
from dpot_app.kit.links import CannotShowError, Parameters
from dpot_app.kit.need import Need
from dpot_app.kit.view import Tab, View


@dataclass(frozen=True)
class Expander:
    """Settings that stand folded away in the sidebar."""

    label: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Beside:
    """Settings that stand side by side in the sidebar: what is low leaves room for what is below."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Absent:
    """A control that makes no sense on a page: a greyed line with the reason stands in its place."""

    label: str
    reason: str


#: What stands in a sidebar.
Entry = str | Expander | Beside | Absent


def block(
    *data: Entry,
    loss: Entry,
    solver: Entry,
    base: Entry | tuple[Entry, ...],
    mechanisms: Entry,
    folded: Expander,
    epsilon: str = "epsilon",
) -> tuple[Entry, ...]:
    """The sidebar of every page, in one order: data, epsilon, loss, solver, base measure, mechanisms, and the rest.

    Args:
        *data: dotted names of what says which data.
        loss: of the order p, or why there is none.
        solver: of lambda, or why there is none.
        base: of the base measure and of what belongs to it, or why there is none.
        mechanisms: of those that are shown, or why there is no choice.
        folded: seeds, rounds, sizes.
        epsilon: of the privacy parameter.
    """
    return (*data, epsilon, loss, solver, *(base if isinstance(base, tuple) else (base,)), mechanisms, folded)


@dataclass(frozen=True, kw_only=True)
class Page:
    key: str  # its address, its file in ``pages/`` and the first part of its views' keys
    prefix: str  # of its parameters in links
    title: str  # over the page
    question: str  # one or two sentences under the title
    views: tuple[View, ...]  # everything that can be run, in the order of lists
    aside: tuple[View, ...] = ()  # views that only the page itself shows
    terms: tuple[str, ...] = ()  # keys of the field's words that stand on it: see `glossary`
    hero: str = ""  # key of the view that is shown above the tabs; "" where the tabs come first
    curves: str = ""  # key of the view of worst cases that stands in the first one's slot "curves"; "" for none
    order: tuple[str, ...] = ()  # keys of the tabs that come first; the others follow in the order of the views
    # dotted names of the settings that the sidebar asks for, in order; a group stands for all in it
    sidebar: tuple[Entry, ...] = ()
    seed: str = ""  # dotted name of the seed that "Draw again" changes; "" for none
    # what it begins with, where that is not its settings' defaults: these are what older links mean by silence
    first: Any = None
    lesson: Lesson | None = None  # formulas and exercises for teaching, if there are any
    needs: tuple[Need, ...] = ()  # what may be needed of its numbers, for the page that finds the smallest epsilon

    @property
    def tabs(self) -> dict[str, tuple[View, Tab]]:
        """Every tab with its view, by its key."""
        every = {tab.key: (view, tab) for view in self.views for tab in view.tabs}
        return {key: every[key] for key in (*self.order, *(key for key in every if key not in self.order))}

    @property
    def labels(self) -> dict[str, str]:
        """Labels of the tabs, by key."""
        return {key: tab.label for key, (_, tab) in self.tabs.items()}

    def link(self, key: str, config: Any) -> Parameters:
        """The parameters of a link that opens a view at these settings.

        Raises:
            CannotShowError: if the page's controls have no place for a value.
        """
        write = self.view(key).parameters
        if write is None:
            raise CannotShowError("what was not pinned there as it stands")
        return {f"{self.prefix}_{name}": text for name, text in write(config).items()}

    def view(self, key: str) -> View:
        """The view of a key, which is the whole of it: ``page.view``."""
        return next(view for view in (*self.views, *self.aside) if view.key == key)


def views_in(package: str, *first: str) -> tuple[View, ...]:
    """The views that the folders of a page declare, ``VIEW`` or ``VIEWS`` of each ``text.py``.

    Args:
        *first: names of the folders that come first; the others follow by name.
    """
    folders = {path.parent.name for place in import_module(package).__path__ for path in Path(place).glob("*/text.py")}
    views: list[View] = []
    for name in (*first, *sorted(folders - {*first})):
        text = import_module(f"{package}.{name}.text")
        views += getattr(text, "VIEWS", ()) or (text.VIEW,)
    return tuple(views)


def page_of(key: str) -> Page:
    """A page by its key, or by that of one of its views: for studies that compose others.

    Args:
        key: ``page`` or ``page.view``.
    """
    page: Page = import_module(f"dpot_app.views.{key.partition('.')[0]}").PAGE
    return page
