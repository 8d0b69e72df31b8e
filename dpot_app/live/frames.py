"""Frames: what stands on the screen at every value of one setting, written so that little of it is sent."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpot_core.arguments.progress import Progress

#: Figures as plain dictionaries, and HTML, by their places on the page.
Screen = Mapping[str, Any]

# Doubles cost twice as much on the wire as the display needs: single precision has seven digits.
_DOUBLE, _SINGLE = "f8", "f4"
# Tables of numbers (heat maps, surfaces) are rounded to this many steps from their smallest to their largest: half a
# unit of the fourth digit of what colours and surfaces can show.
_STEPS = 10_000
# A dictionary with one of these is one array.
_ENCODED = {"bdata", "differences"}
# Arrays that plotly.js reads as bytes, by their kind, and entries in which it reads none.
_KINDS = {"i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"}
_AS_LISTS = {"geojson", "layer", "layers", "range"}
# One character a number, none that JSON has to escape, none that is half a character.
_FIRST_CHARACTER = 93


@dataclass(eq=False)
class Frames:
    """The screens of one setting.

    Attributes:
        values: what the setting can be, in the order of its slider.
        at: place of the present value, whose neighbours come first.
        screen: (place, progress) -> what stands on the screen there; None where there is nothing to draw.
        ahead: each computes what may be asked for next, what is likeliest first.
        shared: tells them from all others in the process, so that one reader's serve the next; None if they are
            a reader's own.
        heavy: whether workers compute them, where there are any.
    """

    values: Sequence[Any]
    at: int
    screen: Callable[[int, Progress], Screen | None] = field(repr=False)
    ahead: Sequence[Callable[[Progress], object]] = field(default=(), repr=False)
    shared: Hashable | None = None
    heavy: bool = False

    @property
    def order(self) -> list[int]:
        """Places by distance from the present one."""
        return sorted(range(len(self.values)), key=lambda place: (abs(place - self.at), place))


class Writer:
    """Writes screens as lines of JSON: the first one whole, the others by what differs from it.

    Attributes:
        first: the one that the reader has whole, as it was sent.
    """

    def __init__(self) -> None:
        self.first: Screen | None = None

    def line(self, place: int, screen: Screen | None) -> bytes:
        """One screen, or the news that there is none at this place."""
        if screen is None:
            return text({"place": place, "none": True})
        screen = {key: single(value) for key, value in screen.items()}
        if self.first is None:
            self.first = screen
            return text({"place": place, "screen": screen})
        return text({"place": place, "changes": list(changes(self.first, screen))})


def text(value: Any) -> bytes:
    """A value as one line of JSON."""
    return json.dumps(plain(value), separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def plain(value: Any) -> Any:
    """A figure's dictionaries with nothing but what JSON has: no arrays, no NaN, no infinity."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def spec_of(figure: Any) -> dict[str, Any]:
    """The dictionary ``figure.to_dict()`` of a Plotly figure, `plain`: arrays of numbers as plotly.js reads them.

    That copies everything before it looks at it, which takes twice as long.
    """
    return {"data": _encoded(figure._data), "layout": _encoded(figure._layout)}


def _encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): plain(part) if key in _AS_LISTS else _encoded(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, list | tuple):
        return [_encoded(part) for part in value]
    return plain(value)


def _array(numbers: NDArray[Any]) -> Any:
    if numbers.dtype.kind in "iu" and numbers.dtype.itemsize == 8 and numbers.size:
        # plotly.js has no integers of eight bytes: the fewest bytes that hold all of them.
        ends = [f"{numbers.dtype.kind}{size}" for size in (1, 2, 4)]
        fits = (kind for kind in ends if np.iinfo(kind).min <= numbers.min() and numbers.max() <= np.iinfo(kind).max)
        numbers = numbers.astype(next(fits, object))
    kind = numbers.dtype.str[1:]
    if kind not in _KINDS or not numbers.size:
        return plain(numbers)
    written = base64.b64encode(numbers.tobytes()).decode()
    shape = {"shape": ", ".join(map(str, numbers.shape))} if numbers.ndim > 1 else {}
    return {"dtype": kind, "bdata": written, **shape}


def changes(old: Any, new: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """(path, value) of everything to put into ``old`` so that it becomes ``new``; arrays are put whole."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys() and not _ENCODED & old.keys():
        for key, value in new.items():
            yield from changes(old[key], value, (*path, key))
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new) and _nested(new):
        for place, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from changes(before, after, (*path, place))
    elif not _same(old, new):
        yield path, new


def single(value: Any) -> Any:
    """A figure's dictionaries with arrays of double precision in single precision, and tables as `differences`."""
    if isinstance(value, dict):
        if value.get("dtype") == _DOUBLE:
            numbers = np.frombuffer(base64.b64decode(value["bdata"]), "<f8")
            if "," in value.get("shape", "") and np.isfinite(numbers).all():
                return differences(numbers.reshape([int(size) for size in value["shape"].split(",")]))
            return {**value, "dtype": _SINGLE, "bdata": base64.b64encode(numbers.astype("<f4").tobytes()).decode()}
        return {key: single(part) for key, part in value.items()}
    if isinstance(value, list | tuple) and _nested(value):
        return [single(part) for part in value]
    return value


def differences(table: NDArray[np.float64]) -> dict[str, Any]:
    """A table of two dimensions in `_STEPS` steps, as the differences between neighbours: a character for each.

    Where numbers change little from place to place, as on a map, a character takes one byte before it is compressed and
    half of one after, where a float has four that hardly can be.
    """
    low = float(table.min())
    step = (float(table.max()) - low) / _STEPS or 1.0
    small = np.rint((table - low) / step).astype(np.int64)
    for axis in (0, 1):
        small = np.diff(small, axis=axis, prepend=0)
    # 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
    numbers = np.where(small < 0, -2 * small - 1, 2 * small).ravel() + _FIRST_CHARACTER
    return {"differences": "".join(map(chr, numbers.tolist())), "low": low, "step": step, "columns": table.shape[1]}


def _nested(values: Sequence[Any]) -> bool:
    return any(isinstance(value, dict | list | tuple) for value in values)


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, np.ndarray) or isinstance(new, np.ndarray):
        return bool(np.array_equal(old, new))
    return bool(old == new)
