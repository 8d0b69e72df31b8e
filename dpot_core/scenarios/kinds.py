"""What a kind of scenario is, where its page does not declare it as a view yet."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dpot_core.progress import Progress
from dpot_core.studies._kit.setting import Declared, declared
from dpot_core.studies._kit.values import ScenarioError
from dpot_core.studies._kit.view import Files, HasTables, Results

__all__ = ["Files", "HasTables", "Kind", "Results"]


@dataclass(frozen=True)
class Kind:
    """One thing that can be run; see `View` for what the attributes mean."""

    key: str
    page: str
    title: str
    example: Any
    run: Callable[[Any, Files, Progress | None], Results]
    headlines: Callable[..., Mapping[str, float]]
    snippet: Callable[[Any], str]
    files: Callable[[Any], Mapping[str, bool]] = lambda config: {}
    data_sets: tuple[str, ...] = ()
    digests: Callable[[Any], Mapping[str, str]] = lambda config: {}
    personal: Callable[[Any], bool] = lambda config: False
    requirements: Callable[[Any], None] = lambda config: None
    subtitle: Callable[[Any], str] = lambda config: ""
    declared: Mapping[str, Declared] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "declared", declared(self.settings))

    @property
    def settings(self) -> type[Any]:
        """The class of the settings."""
        return type(self.example)

    def check(self, config: Any) -> None:
        """Complain about settings that this kind does not take.

        Raises:
            ScenarioError: names the field.
        """
        if type(config) is not self.settings:
            name = f"{self.settings.__module__}.{self.settings.__name__}"
            raise ScenarioError(f"{self.key} takes {name}; got {config!r}"[:200])
        self.requirements(config)

    def python(self, config: Any) -> str:
        """Python that computes the same numbers."""
        return self.snippet(config)
