"""What a kind of scenario is: which settings it takes, what it computes and what people compare."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from dpot_core.disclosures import Disclosure
from dpot_core.progress import Progress
from dpot_core.scenarios.values import ScenarioError, get
from dpot_core.studies._kit.setting import Declared, declared

#: Contents of people's own files by their SHA-256.
Files = Mapping[str, bytes]


class HasTables(Protocol):
    """A result of an experiment."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every number, by the name of the table."""


@dataclass(frozen=True)
class Allowed:
    """What one setting may be.

    Attributes:
        label: its name for people, with the unit.
        options: value -> label; None for a number.
        many: whether any number of the options may be chosen.
        low: smallest number.
        high: largest number.
        step: by how much it is varied to see what it does: a factor if ``factor``, else a difference. None: never.
        factor: see ``step``.
        empty: whether null is allowed, and what it means.
    """

    label: str
    options: Mapping[str, str] | None = None
    many: bool = False
    low: float | None = None
    high: float | None = None
    step: float | None = None
    factor: bool = False
    empty: str | None = None

    def check(self, name: str, value: Any) -> None:
        """Complain about a value that is not allowed.

        Raises:
            ScenarioError: names the field, the requirement and the value.
        """
        path = tuple(name.split("."))
        if value is None:
            return
        if self.options is not None:
            for entry in value if self.many else (value,):
                if entry not in self.options:
                    raise ScenarioError(f"must be one of {', '.join(self.options)}; got {entry!r}", path)
            return
        if self.low is not None and value < self.low:
            raise ScenarioError(f"must be at least {self.low:g}; got {value:g}", path)
        if self.high is not None and value > self.high:
            raise ScenarioError(f"must be at most {self.high:g}; got {value:g}", path)


#: The privacy parameter of every page.
EPSILON = Allowed("Privacy parameter ε (nats)", low=0.01, high=20.0, step=1.25, factor=True)


@dataclass(frozen=True)
class Found:
    """What running settings gives.

    Attributes:
        results: of the experiments.
        disclosure: what is released in them, and what is promised.
    """

    results: tuple[HasTables, ...]
    disclosure: Disclosure

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of all results."""
        found: dict[str, pd.DataFrame] = {}
        for result in self.results:
            tables = result.tables()
            if found.keys() & tables.keys():
                raise RuntimeError(f"two results have a table of one name: {sorted(found.keys() & tables.keys())}")
            found |= tables
        return found


@dataclass(frozen=True)
class Kind:
    """One thing that can be run.

    Attributes:
        key: its name in files: ``page.view``.
        page: title of the page that shows it.
        title: what it computes.
        example: settings to begin with; their class is what this kind takes.
        run: (settings, files, progress) -> results.
        headlines: the one to five numbers that people compare, from the results: name with unit -> value.
        snippet: Python that computes the same numbers.
        allowed: what settings may be, by dotted name; others are only checked for their type. Left out for settings
            that declare it themselves.
        files: roles of people's own files that the settings read -> whether they cannot do without.
        data_sets: keys of the data sets that settings may name and that are not made on the spot.
        digests: those that the settings do name, with the digest of what is used.
        personal: whether the settings hold somebody's own data.
        fits: complains (ScenarioError) about settings that belong to another kind.
        named: what tells settings apart in a title; "" for nothing beside epsilon.
    """

    key: str
    page: str
    title: str
    example: Any
    run: Callable[[Any, Files, Progress | None], Found]
    headlines: Callable[..., Mapping[str, float]]
    snippet: Callable[[Any], str]
    allowed: Mapping[str, Allowed | Declared] = dataclasses.field(default_factory=dict)
    files: Callable[[Any], Mapping[str, bool]] = lambda config: {}
    data_sets: tuple[str, ...] = ()
    digests: Callable[[Any], Mapping[str, str]] = lambda config: {}
    personal: Callable[[Any], bool] = lambda config: False
    fits: Callable[[Any], None] = lambda config: None
    named: Callable[[Any], str] = lambda config: ""

    def __post_init__(self) -> None:
        if hasattr(self.takes, "__pydantic_fields__"):
            object.__setattr__(self, "allowed", {**declared(self.takes), **self.allowed})

    @property
    def takes(self) -> type[Any]:
        """The class of the settings."""
        return type(self.example)

    def check(self, config: Any) -> None:
        """Complain about settings that this kind does not take.

        Raises:
            ScenarioError: names the field.
        """
        if type(config) is not self.takes:
            raise ScenarioError(f"{self.key} takes {self.takes.__module__}.{self.takes.__name__}; got {config!r}"[:200])
        for name, allowed in self.allowed.items():
            if isinstance(allowed, Allowed):
                allowed.check(name, get(config, name))
        self.fits(config)
