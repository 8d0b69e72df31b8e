"""Frames: what stands on the screen at every value of one setting, written so that little of it is sent."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpot_core.progress import Progress

#: Figures as plain dictionaries, and HTML, by their places on the page.
Screen = Mapping[str, Any]

# Doubles cost twice as much on the wire as the display needs: single precision has seven digits.
_DOUBLE, _SINGLE = "f8", "f4"


@dataclass(eq=False)
class Frames:
    """The screens of one setting.

    Attributes:
        values: what the setting can be, in the order of its slider.
        at: place of the present value, whose neighbours come first.
        screen: (place, progress) -> what stands on the screen there; None where there is nothing to draw.
    """

    values: Sequence[Any]
    at: int
    screen: Callable[[int, Progress], Screen | None] = field(repr=False)

    @property
    def order(self) -> list[int]:
        """Places by distance from the present one."""
        return sorted(range(len(self.values)), key=lambda place: (abs(place - self.at), place))


class Writer:
    """Writes screens as lines of JSON: the first one whole, the others by what differs from it."""

    def __init__(self) -> None:
        self._first: Screen | None = None

    def line(self, place: int, screen: Screen | None) -> bytes:
        """One screen, or the news that there is none at this place."""
        if screen is None:
            return text({"place": place, "none": True})
        screen = {key: single(value) for key, value in screen.items()}
        if self._first is None:
            self._first = screen
            return text({"place": place, "screen": screen})
        return text({"place": place, "changes": list(changes(self._first, screen))})


def text(value: Any) -> bytes:
    """A value as one line of JSON."""
    return json.dumps(plain(value), separators=(",", ":")).encode() + b"\n"


def plain(value: Any) -> Any:
    """A figure's dictionaries with nothing but what JSON has: no arrays, no NaN, no infinity."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def changes(old: Any, new: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """(path, value) of everything to put into ``old`` so that it becomes ``new``; arrays are put whole."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys() and "bdata" not in old:
        for key, value in new.items():
            yield from changes(old[key], value, (*path, key))
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new) and _nested(new):
        for place, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from changes(before, after, (*path, place))
    elif not _same(old, new):
        yield path, new


def single(value: Any) -> Any:
    """A figure's dictionaries with arrays of double precision in single precision."""
    if isinstance(value, dict):
        if value.get("dtype") == _DOUBLE:
            numbers = np.frombuffer(base64.b64decode(value["bdata"]), "<f8").astype("<f4")
            return {**value, "dtype": _SINGLE, "bdata": base64.b64encode(numbers.tobytes()).decode()}
        return {key: single(part) for key, part in value.items()}
    if isinstance(value, list | tuple) and _nested(value):
        return [single(part) for part in value]
    return value


def _nested(values: Sequence[Any]) -> bool:
    return any(isinstance(value, dict | list | tuple) for value in values)


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, np.ndarray) or isinstance(new, np.ndarray):
        return bool(np.array_equal(old, new))
    return bool(old == new)
