"""A file that a reader has brought, as the session keeps it."""

from dataclasses import dataclass, field
from typing import Any

from dpot_core.datasets import CsvColumns


@dataclass(frozen=True)
class Upload:
    name: str
    content: bytes = field(repr=False)
    digest: bytes = field(repr=False)  # by which memories know it; it goes nowhere else
    tag: str
    known_as: str = ""  # by Streamlit
    # what was read of its header, by what reads it, None if it was refused: no move of a control decodes it again
    headers: dict[Any, CsvColumns | None] = field(default_factory=dict, compare=False, repr=False)

    def empty(self) -> None:
        """Let go of what is in it: Streamlit keeps what a button was given, also when the button is gone."""
        object.__setattr__(self, "content", b"")
        self.headers.clear()
