"""A release that was prepared: what will be drawn of each person, and what is promised, before anything is charged."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Protocol

import pandas as pd

from dpot_app.batch.scenarios import Scenario, ScenarioError
from dpot_core.arguments.progress import Progress
from dpot_core.privacy.disclosures import short_name
from dpot_core.privacy.guarantees import Guarantee


class Prepared(Protocol):
    """Releases of the people of a file, prepared."""

    @property
    def scenario(self) -> Scenario:
        """The settings, without what a release does not read."""
        ...

    @property
    def promise(self) -> Guarantee:
        """The promise of one release, to each person."""
        ...

    @property
    def people(self) -> tuple[str, ...]:
        """Names of the people who release something each; none where all release one thing together."""
        ...

    @property
    def charged(self) -> tuple[str, ...]:
        """Names of the people who pay; none where the file names no one, and everyone does."""
        ...

    @property
    def thing(self) -> tuple[str, str]:
        """The names of one person's release, or of one for all, singular and plural."""
        ...

    @property
    def what(self) -> str:
        """The release, in words."""
        ...

    def drawn(self, named: bool, progress: Progress | None = None) -> pd.DataFrame:
        """Draw each person's release from the operating system's entropy by exact arithmetic (`release`).

        Args:
            named: whether the names of the file stand beside it, in its order; else neither is there.
            progress: called with (people done, people in all).
        """
        ...


def published(table: pd.DataFrame, people: Sequence[str], named: bool) -> pd.DataFrame:
    """A table with a row for each person, with their names, or without them and in a random order."""
    if named:
        return pd.concat([pd.DataFrame({"person": people}), table], axis=1)
    order = list(range(len(table)))
    secrets.SystemRandom().shuffle(order)
    return table.iloc[order]


def read_own(source: str, path: tuple[str, ...]) -> None:
    """Complain where settings, whose source of data has this key, read no file of one's own."""
    if source != "csv":
        raise ScenarioError("a release for real is made of a file of your own; these settings read none", path)


def mechanism_of(scenario: Scenario, labels: Mapping[str, str]) -> str:
    """The key of the mechanism that is released with: that of the scenario, or the only one shown, or the first.

    Args:
        scenario: with the mechanisms that are shown among its settings.
        labels: name on screen of each mechanism that may be released with.

    Raises:
        ScenarioError: if the scenario names another one.
    """
    shown: tuple[str, ...] = getattr(scenario.config, "mechanisms", ())
    if not scenario.mechanism:
        return shown[0] if len(shown) == 1 else next(iter(labels))
    named = {short_name(label): key for key, label in labels.items()}
    if scenario.mechanism not in named:
        raise ScenarioError(f"must be one of {', '.join(named)}; got {scenario.mechanism!r}", ("mechanism",))
    return named[scenario.mechanism]
