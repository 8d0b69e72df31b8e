"""A view and a page, each declared once: what is computed, what is shown of it, and what may leave the machine.

Pages, the what-if board, reports, the command line and the tests all run a view's `compute` and show what its `show`
says; adding a view to its page's list is enough for all of them.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Protocol

import pandas as pd

from dpot_app.kit.blocks import Blocks, Columns, Folded, Note, Picture, Slot, Table, pictures, thumbnails
from dpot_app.kit.cache import CACHE, file_digest, from_files, identity
from dpot_app.kit.failures import computing
from dpot_app.kit.links import Parameters
from dpot_app.kit.requester import current_requester
from dpot_app.kit.script import script
from dpot_app.kit.setting import Declared, declared
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.workers import pickling
from dpot_app.kit.workers.jobs import Job, are_open, elsewhere
from dpot_core.arguments import Array
from dpot_core.arguments.progress import Progress, unwatched
from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.guarantees import Guarantee

#: Contents of people's own files, by their role.
Files = Mapping[str, bytes]

#: By view, names of what its last computation by a worker found on the way, such as a curve that depends on no epsilon.
#: It goes to the next one with the job: that may be another process, or the first may have had to be ended.
_ON_THE_WAY: dict[str, tuple[Hashable, ...]] = {}
#: What is larger, in bytes, is worked out again, and so is what came before that many others.
_SMALL, _MOST = 20_000, 20


class HasTables(Protocol):
    """The result of a computation."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number, by the name of the table."""


@dataclass(frozen=True)
class Results:
    """The outcome of running a view."""

    config: Any  # the settings
    parts: tuple[Any, ...]  # what was computed; each has tables
    disclosure: Disclosure  # what is released in it, and what is promised

    def releasing(self, mechanism: str) -> "Results":
        """The same for a reader who releases with a mechanism; unchanged where that is none of those compared."""
        try:
            return replace(self, disclosure=self.disclosure.releasing(mechanism))
        except ValueError:
            return self

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of all parts."""
        tables: dict[str, pd.DataFrame] = {}
        for part in self.parts:
            more = part.tables()
            if tables.keys() & more.keys():
                raise RuntimeError(f"two results have a table of one name: {sorted(tables.keys() & more.keys())}")
            tables |= more
        return tables


@dataclass(frozen=True)
class Tab:
    """A tab of a page, which shows a view or a part of it."""

    key: str  # its short name, in links
    label: str  # on the tab
    show: Callable[..., Blocks] | None = None  # what is seen there; None for all that the view shows
    pinned: str = ""  # key of the view that the board keeps instead, and computes itself; "" where it keeps this one
    idle: tuple[str, ...] = ()  # settings of the sidebar that do not count there, by dotted name: disabled
    why: str = ""  # said above the sidebar: why they do not count


@dataclass(frozen=True, kw_only=True)
class View:
    """One thing that can be computed and looked at."""

    key: str  # its name in files: ``page.view``
    title: str  # what it computes
    example: Any  # settings to begin with; their class is what it takes
    compute: Callable[[Any, Files, Progress], tuple[HasTables, ...]]  # (settings, files, progress) -> the results
    # (settings, *results) -> what is seen; the first picture, or the one that ``picture`` names, stands on the board
    show: Callable[..., Blocks]
    # (settings, *results) -> what is released in the numbers, and what is promised
    disclosure: Callable[..., Disclosure]
    # (*results) -> the one to five numbers that people compare: name with unit -> value
    headlines: Callable[..., Mapping[str, float]]
    # (*results) -> what headline numbers are means of, one value for each run or person
    runs: Callable[..., Mapping[str, Array]] = lambda *results: {}
    tabs: tuple[Tab, ...] = ()  # the tabs under which the page shows it; none for what stands above them
    # dotted names of the settings that move its pictures while their sliders are dragged: it is computed at every
    # value of the slider, in the background
    scrub: tuple[str, ...] = ()
    # settings -> the only values of these sliders at which it is computed so; None for all of them
    frames_at: Callable[[Any], Collection[Any] | None] = lambda config: None
    # (settings, *results) -> what one release at these settings would promise, where nothing is released
    otherwise: Callable[..., Guarantee | None] = lambda config, *results: None
    # whether it may take over a second at these settings: then workers compute it, where there are any
    heavy: Callable[[Any], bool] = lambda config: False
    # whether what is heavy usually takes half a second: who waits for it gets it sooner from this process
    brief: Callable[[Any], bool] = lambda config: False
    # whether no worker computes it: it asks workers itself, or its results cannot go between processes
    here: bool = False
    picture: str = ""  # name of the picture for the board and the report; "" for the first
    worst_case: str = ""  # key of the view that has worst cases for the same settings; "" for none
    # roles of people's own files that the settings read -> whether they cannot do without
    files: Callable[[Any], Mapping[str, bool]] = lambda config: {}
    data_sets: tuple[str, ...] = ()  # keys of the data sets that settings may name and that are not made on the spot
    # those that the settings do name, with the digest of what is used
    digests: Callable[[Any], Mapping[str, str]] = lambda config: {}
    # complains (ScenarioError) about settings that do not fit together, or belong to another view
    requirements: Callable[[Any], None] = lambda config: None
    # what tells settings apart in a title; "" for nothing beside epsilon
    subtitle: Callable[[Any], str] = lambda config: ""
    # what a link to the page carries for the settings, after the page's prefix; raises CannotShowError where the page's
    # controls have no place for a value. None: only a link made on the page itself opens it
    parameters: Callable[[Any], Parameters] | None = None

    @property
    def page(self) -> str:
        """Title of its page."""
        return str(import_module(f"dpot_app.views.{self.key.partition('.')[0]}").PAGE.title)

    @property
    def settings(self) -> type[Any]:
        return type(self.example)

    @property
    def declared(self) -> Mapping[str, Declared]:
        """The declaration of every setting, by its dotted name."""
        return declared(self.settings)

    def tab(self, key: str) -> Tab:
        """Its tab of that key.

        Raises:
            StopIteration: if it has none.
        """
        return next(tab for tab in self.tabs if tab.key == key)

    def personal(self, config: Any) -> bool:
        """Whether the settings hold a reader's own data: they have a property that says so."""
        return bool(getattr(config, "personal", False))

    def check(self, config: Any) -> None:
        """Complain about settings that this view does not take.

        Raises:
            ScenarioError: names the field.
        """
        if type(config) is not self.settings:
            name = f"{self.settings.__module__}.{self.settings.__name__}"
            raise ScenarioError(f"{self.key} takes {name}; got {config!r}"[:200])
        self.requirements(config)

    def run(self, config: Any, files: Files | None = None, progress: Progress | None = None) -> Results:
        """Compute the view, or take from memory what was computed before; a reader's own numbers are not kept.

        Args:
            files: contents of people's own files by their role.
            progress: called with (done, in all); what it raises abandons the work.

        Raises:
            ValueError: if the settings and the data do not fit together.
            ComputationFailed: if a solver fails; says what to change.
        """
        given, report = files or {}, progress or unwatched
        own = bool(given) or self.personal(config)
        sooner = self.brief(config) and not current_requester().in_advance

        def compute() -> Results:
            if self.here or sooner or not self.heavy(config) or not are_open():
                return self._results(config, given, report)
            known = {} if own else CACHE.known(_ON_THE_WAY.get(self.key, ()))
            results: Results
            # What was worked out on the way comes along: the page may ask for it.
            results, noted = elsewhere(Job(_by_worker, (self.key, config, given, known), alone=own), report)
            CACHE.bring(noted)
            if not own:
                small = [key for key, found in noted.items() if len(pickling.dumps(found)) <= _SMALL]
                _ON_THE_WAY[self.key] = tuple(small[-_MOST:])
            return results

        brought = {role: file_digest(content) for role, content in sorted(given.items())}
        with from_files(brought.values()):
            if self.personal(config):
                return compute()
            key = (self.key, config, tuple(brought.items()), identity(self.digests(config)))
            return CACHE.get(key, compute, progress, sooner=sooner)

    def _results(self, config: Any, files: Files, progress: Progress) -> Results:
        with computing(config, self.example):
            parts = self.compute(config, files, progress)
            return Results(config, parts, self.disclosure(config, *parts))

    def python(self, config: Any, *others: "tuple[View, Any]") -> str:
        """Python that computes the same numbers: the settings, and this view.

        Args:
            *others: views that are shown beside it, with their settings.
        """
        return script([(self, config), *others])

    def board_picture(self, results: Results) -> Any:
        """The figure for the board and the report, on a light ground; None where the view shows none."""
        shown = {picture.name: picture for picture in pictures(self.show(results.config, *results.parts))}
        if not shown:
            return None
        return shown[self.picture or next(iter(shown))].draw()


def means(runs: Mapping[str, Array]) -> dict[str, float]:
    """Headline numbers of runs."""
    return {name: float(values.mean()) for name, values in runs.items()}


def _by_worker(
    key: str, config: Any, files: Files, known: Mapping[Hashable, Any], progress: Progress
) -> tuple[Results, Mapping[Any, Any]]:
    """The results of a view of a page, and what was kept on the way; what is known already is not computed again."""
    view: View = import_module(f"dpot_app.views.{key.partition('.')[0]}").PAGE.view(key)
    CACHE.bring(known)
    with CACHE.noting() as noted:
        return view._results(config, files, progress), noted
