"""Data sets as values: nothing in them can be changed, and two with the same content are equal."""

from __future__ import annotations

import hashlib
from typing import Any

from numpy.typing import NDArray

from dpot_core.arguments.lazy import cached_property


class Content:
    """The common base of `CheckIns`, `Ratings` and `Population`, for a frozen dataclass with eq=False."""

    #: The fields that make the content: the words first, then the arrays.
    _words: tuple[str, ...]
    _arrays: tuple[str, ...]

    def _keep(self, *checked: NDArray[Any]) -> None:
        """Put read-only copies of the checked arrays into the fields `_arrays`, in their order."""
        for name, array in zip(self._arrays, checked, strict=True):
            own = array.copy()
            own.setflags(write=False)
            object.__setattr__(self, name, own)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """A fingerprint (SHA-256, hex) of the words and the numbers: the key of a cache."""
        words = repr(tuple(getattr(self, name) for name in self._words))
        state = hashlib.sha256(words.encode("utf-8", "surrogatepass"))
        for name in self._arrays:
            state.update(getattr(self, name).tobytes())
        return state.hexdigest()
