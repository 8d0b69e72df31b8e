"""Controls that show other words than links carry: Streamlit would write their labels into the address."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

#: By what Streamlit tells its own controls that they follow the address; `streamlit_patches` looks whether it is there.
HISTORY = "is_history_navigation"


@dataclass(frozen=True)
class Words:
    """The parameter of one of them in the address."""

    key: str
    begin: Any  # its content at first
    read: Callable[[list[str]], Any]  # its content from the parameter's texts
    readable: Callable[[str], bool]  # whether it can take a text
    many: bool = False  # whether it can take several

    @property
    def raw(self) -> list[str]:
        """The texts that the address has for it."""
        return st.query_params.get_all(self.key)

    @property
    def told(self) -> bool:
        """Whether the address says what it has."""
        return bool(self.raw) and all(map(self.readable, self.raw)) and (self.many or len(self.raw) == 1)

    def tell(self, texts: list[str], *, always: bool = False) -> None:
        """Let the address say what it has: nothing where that is what it began with, old words where they mean it.

        An address that is put right while the page comes would be a step for the browser's Back.
        """
        content = st.session_state[self.key]
        if self.told and self.read(self.raw) == content:
            return
        if always or content != self.begin:
            st.query_params[self.key] = texts
        elif self.raw:
            del st.query_params[self.key]


def came_back() -> bool:
    """Whether the browser's Back or Forward asks for this run: then the address says what the page shows."""
    return bool(getattr(get_script_run_ctx(), HISTORY, False))
