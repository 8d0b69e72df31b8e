"""Messages to workers and back, as bytes.

Large data with a key (a city, its people, a catalogue of films: see `dpot_app.kit.cache.identity`) go apart
from what holds them, and become one object wherever they arrive: otherwise each result would bring a copy of its own.
What objects have worked out of themselves (`functools.cached_property`) stays where it is and is worked out again.
"""

import copyreg
import io
import pickle
from collections.abc import Hashable
from functools import cache, cached_property
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

_OURS = ("dpot_core.", "dpot_app.")

# Objects that came by the wire and are still referenced, by class and key.
_shared: WeakValueDictionary[tuple[type, str], Any] = WeakValueDictionary()
_lock = Lock()


def dumps(value: Any) -> bytes:
    """Anything as bytes.

    Raises:
        TypeError, AttributeError, pickle.PicklingError: for what has no place in a file, such as a lambda.
    """
    apart: dict[tuple[type, str], Any] = {}
    whole, written, done = _written(value, apart), dict[tuple[type, str], bytes](), 0
    while done < len(apart):  # what goes apart may hold more that does
        identity = list(apart)[done]
        written[identity] = _written(apart[identity], apart, of=apart[identity])
        done += 1
    return pickle.dumps((whole, written), pickle.HIGHEST_PROTOCOL)


def loads(content: bytes) -> Any:
    """The object that `dumps` made bytes of."""
    whole, written = pickle.loads(content)
    return _Reader(whole, written).load()


@cache
def _worked_out(cls: Hashable) -> frozenset[str]:
    return frozenset(
        name
        for base in getattr(cls, "__mro__", ())
        for name, value in vars(base).items()
        if isinstance(value, cached_property)
    )


def _error(cls: type[BaseException], arguments: tuple[Any, ...], state: dict[str, Any]) -> BaseException:
    """An error as it was, whatever its class wants to be made from."""
    error = cls.__new__(cls, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, apart: dict[tuple[type, str], Any], of: Any) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._apart, self._of = apart, of

    def persistent_id(self, value: Any) -> tuple[type, str] | None:
        key = getattr(value, "key", None) if type(value).__module__.startswith(_OURS) else None
        if not isinstance(key, str) or isinstance(value, type) or value is self._of:
            return None
        self._apart.setdefault((type(value), key), value)
        return type(value), key

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, BaseException):
            return _error, (type(value), value.args, value.__dict__)
        cls: Any = type(value)
        out = _worked_out(cls) if cls.__module__.startswith(_OURS) and not isinstance(value, type) else None
        if not out:
            return NotImplemented
        state = {name: part for name, part in vars(value).items() if name not in out}
        return copyreg.__newobj__, (cls,), state  # type: ignore[attr-defined]


class _Reader(pickle.Unpickler):
    def __init__(self, content: bytes, written: dict[tuple[type, str], bytes]) -> None:
        super().__init__(io.BytesIO(content))
        self._written = written

    def persistent_load(self, identity: tuple[type, str]) -> Any:
        with _lock:
            known = _shared.get(identity)
        if known is None:
            known = _Reader(self._written[identity], self._written).load()
            with _lock:
                known = _shared.setdefault(identity, known)
        return known


def _written(value: Any, apart: dict[tuple[type, str], Any], of: Any = None) -> bytes:
    file = io.BytesIO()
    _Writer(file, apart, of).dump(value)
    return file.getvalue()
