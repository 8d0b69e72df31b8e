"""A scenario: settings of one kind with a title and the data they need; and what running it gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from dpot_app.batch.tags import FOREIGN, is_foreign, is_tag, tag_of
from dpot_app.kit.values import ScenarioError
from dpot_app.kit.view import Files, Results, View
from dpot_app.views.table import VIEWS
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import DatasetMissing
from dpot_core.privacy.disclosures import Disclosure, short_name

LONGEST_TITLE = 200
#: Of the question.
LONGEST_QUESTION = 300
#: Of why a scenario was chosen, in characters.
LONGEST_REASON = 2000


@dataclass(frozen=True)
class Scenario:
    """Something that can be run, kept and sent to other people.

    Raises:
        ScenarioError: if the kind is unknown, the settings do not suit it, or data are not named.
    """

    kind: str  # a key of `VIEWS`
    title: str
    config: Any
    # (role, tag) of people's own files, (key, digest) of public data sets that are not made on the spot
    data: tuple[tuple[str, str], ...] = ()
    chosen: str | None = None  # why it was chosen among others, "" without a reason; None if it was not
    mechanism: str = ""  # short name of the one that is released with, where several are compared; "" for the first
    question: str = ""  # what has to be possible, in the words of those who decide; "" for none

    def __post_init__(self) -> None:
        if self.kind not in VIEWS:
            raise ScenarioError(f"unknown kind {self.kind!r}; the kinds are {', '.join(VIEWS)}", ("kind",))
        if len(self.title) > LONGEST_TITLE:
            raise ScenarioError(f"must have at most {LONGEST_TITLE} characters; got {len(self.title)}", ("title",))
        if self.chosen is not None and len(self.chosen) > LONGEST_REASON:
            raise ScenarioError(f"must have at most {LONGEST_REASON} characters; got {len(self.chosen)}", ("chosen",))
        try:
            self.view.check(self.config)
        except ScenarioError as problem:
            raise problem.under("config") from problem
        if len(self.mechanism) > LONGEST_TITLE:
            raise ScenarioError(
                f"must have at most {LONGEST_TITLE} characters; got {len(self.mechanism)}", ("mechanism",)
            )
        if len(self.question) > LONGEST_QUESTION:
            what = f"must have at most {LONGEST_QUESTION} characters; got {len(self.question)}"
            raise ScenarioError(what, ("question",))
        roles = self.view.files(self.config)
        named = dict(self.data)
        for role, needed in roles.items():
            if needed and role not in named:
                what = f"missing: the tag of the file that these settings read, as `data: {{{role}: TAG}}`"
                raise ScenarioError(what, ("data", role))
        for role, known in named.items():
            if role not in roles and role not in self.view.data_sets:
                raise ScenarioError("these settings read no such file or data set", ("data", role))
            if role in roles and not is_tag(known):
                raise ScenarioError("must be a tag: a plain digest tells what is in a file", ("data", role))

    @property
    def view(self) -> View:
        return VIEWS[self.kind]

    @property
    def same(self) -> tuple[Any, ...]:
        """The identity of a scenario: everything but the title, and whether it was chosen."""
        return self.kind, self.config, self.data, self.mechanism

    def releasing(self, name: str) -> "Scenario":
        """The same, released with the mechanism of that name."""
        return replace(self, mechanism=short_name(name))


@dataclass(frozen=True)
class Outcome:
    scenario: Scenario
    results: Results
    headlines: Mapping[str, float]  # the numbers that people compare: name with unit -> value

    @property
    def disclosure(self) -> Disclosure:
        return self.results.disclosure

    def tables(self) -> dict[str, pd.DataFrame]:
        return self.results.tables()

    def marked(self) -> dict[str, pd.DataFrame]:
        """The tables as they are written: columns that no guarantee covers say so."""
        return self.disclosure.mark(self.tables())


def describe_data(kind: View, config: Any, uploads: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The data of a scenario; ``uploads``: tags of people's own files, by role."""
    roles = kind.files(config)
    digests = {role: uploads[role] for role in roles if role in uploads} | dict(kind.digests(config))
    return tuple(digests.items())


def missing(scenario: Scenario, files: Files) -> dict[str, str]:
    """Files that the scenario needs and that are not there: role -> tag."""
    roles = scenario.view.files(scenario.config)
    return {role: tag for role, tag in scenario.data if role in roles and tag not in files}


def not_here(tag: str) -> str:
    """The complaint about a file that is not there."""
    return f"the file is not here: its tag is {tag}" + (f", {FOREIGN}" if is_foreign(tag) else "")


def by_tag(contents: Sequence[bytes]) -> dict[str, bytes]:
    return {tag_of(content): content for content in contents}


def run(scenario: Scenario, files: Files | None = None, progress: Progress | None = None) -> Outcome:
    """Run a scenario.

    ``files``: contents of people's own files by their tag.

    Raises:
        ScenarioError: if data are absent or not those that the scenario was made with.
        ValueError: if the settings do not fit together.
        RuntimeError: if a solver fails.
    """
    kind, contents = scenario.view, dict(files or {})
    for role, tag in missing(scenario, contents).items():
        raise ScenarioError(not_here(tag), ("data", role))
    own = {role: contents[tag] for role, tag in scenario.data if tag in contents}
    try:
        present = kind.digests(scenario.config)
    except DatasetMissing as problem:
        raise ScenarioError(f"the data set is not on this machine: {problem}", ("data",)) from problem
    named = dict(scenario.data)
    for key in named:
        if key in kind.data_sets and key not in present:
            what = "with these settings no such data set is read on this machine: leave its line out, or bring it here"
            raise ScenarioError(what, ("data", key))
    for key, digest in present.items():
        if named.get(key) != digest:
            line = f"if this is the one that you mean, write `data: {{{key}: {digest}}}` into the scenario"
            said = f"the scenario names {named[key]}" if key in named else "the scenario names none"
            raise ScenarioError(f"the data set on this machine has the digest {digest}; {said}; {line}", ("data", key))
    return outcome(scenario, kind.run(scenario.config, own, progress))


def spread(results: Results, view: View) -> dict[str, tuple[float | None, int]]:
    """Spread of headline numbers that are means: the standard error, if there is one, and how many runs or people."""
    runs = view.runs(*results.parts)
    return {
        name: (float(values.std(ddof=1)) / values.size**0.5 if values.size > 1 else None, values.size)
        for name, values in runs.items()
    }


def outcome(scenario: Scenario, results: Results) -> Outcome:
    """A scenario's results for the mechanism that it releases with.

    Raises:
        ScenarioError: if its results compare no such mechanism.
    """
    try:
        results = replace(results, disclosure=results.disclosure.releasing(scenario.mechanism))
    except ValueError as problem:
        raise ScenarioError(str(problem), ("mechanism",)) from problem
    return Outcome(scenario, results, dict(scenario.view.headlines(*results.parts)))
