"""Pickles for workers and back: data with a key arrive as one object, and what can be worked out again stays behind.

Otherwise each result would bring a city, its people or a catalogue of films of its own (see
`dpot_app.kit.cache.identity`), with matrices of distances that `functools.cached_property` has kept in them.
"""

import copyreg
import io
import pickle
from functools import cache
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from dpot_core.arguments.lazy import cached_property

_OURS = ("dpot_core.", "dpot_app.")

# Objects that arrived and are still referenced, by class and key.
_arrived: WeakValueDictionary[tuple[type, str], Any] = WeakValueDictionary()
_lock = Lock()


def dumps(value: Any) -> bytes:
    """Anything as bytes, for `pickle.loads`.

    Raises:
        TypeError, AttributeError, pickle.PicklingError: for what cannot be pickled, such as a lambda.
    """
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, BaseException):
            return _error, (type(value), value.args, value.__dict__)
        cls: Any = type(value)
        if isinstance(value, type) or not cls.__module__.startswith(_OURS):
            return NotImplemented
        again, key = _cached(cls), getattr(value, "key", None)
        if not again and not isinstance(key, str):
            return NotImplemented
        state = {name: part for name, part in vars(value).items() if name not in again}
        if isinstance(key, str):
            return _one, (cls, key, state)
        return copyreg.__newobj__, (cls,), state  # type: ignore[attr-defined]


@cache
def _cached(cls: Any) -> frozenset[str]:
    """Names of a class's cached properties."""
    values = ((name, value) for base in cls.__mro__ for name, value in vars(base).items())
    return frozenset(name for name, value in values if isinstance(value, cached_property))


def _one(cls: Any, key: str, state: dict[str, Any]) -> Any:
    """The object of that class and key."""
    made = cls.__new__(cls)
    made.__dict__.update(state)
    with _lock:
        return _arrived.setdefault((cls, key), made)


def _error(cls: type[BaseException], arguments: tuple[Any, ...], state: dict[str, Any]) -> BaseException:
    """An error as it was, whatever its class wants to be made from."""
    error = cls.__new__(cls, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error
