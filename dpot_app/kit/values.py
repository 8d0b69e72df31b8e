"""Settings as plain values (text, numbers, lists, mappings) and back, led by the annotations of their fields."""

import dataclasses
import math
import re
import types
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import pydantic

from dpot_app.kit.setting import complaint

C = TypeVar("C")

#: Where a value stands: names of fields and places in lists.
Path = tuple[str | int, ...]

_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}
# YAML 1.1 reads 1e-3 as text; it is meant as a number where a number is asked for.
_EXPONENT = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+")
# Files that people wrote have YAML 1.1's words.
_TRUTH = {"yes": True, "on": True, "no": False, "off": False}


class ScenarioError(ValueError):
    """A scenario that cannot be used, and which part of it is to blame.

    Args:
        what: the requirement and the value.
        path: where, outermost name first.
        line: line of the file it was read from, counted from 1, if any.
    """

    def __init__(self, what: str, path: Path = (), line: int | None = None) -> None:
        self.what, self.path, self.line = what, path, line
        where = path_text(path)
        if line is not None:
            where += f" (line {line})" if where else f"line {line}"
        super().__init__(f"{where}: {what}" if where else what)

    def under(self, *outer: str | int) -> "ScenarioError":
        """The same complaint seen from further outside."""
        return ScenarioError(self.what, (*outer, *self.path), self.line)


def path_text(path: Path) -> str:
    """A path as people write it.

    >>> path_text(("scenarios", 0, "config", "ring", "k"))
    'scenarios[0].config.ring.k'
    """
    text = ""
    for whole in path:
        part = whole if isinstance(whole, int) else whole[:80]  # a file may have names of any length
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def to_plain(value: Any) -> Any:
    """A value of a settings field as text, numbers, lists and mappings."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"settings hold text, numbers, tuples and nested settings only; got {type(value).__name__}")


def from_plain(begin: C, value: Any, path: Path = ()) -> C:
    """Settings from plain values; a field that is not there, in a file older than it say, is as in ``begin``.

    Raises:
        ScenarioError: names the field and says what is wrong with it.
    """
    if not isinstance(value, dict):
        raise ScenarioError(f"must be a mapping of settings; got {_shown(value)}", path)
    expected = type(begin)
    hints = hints_of(expected)
    for name in value:
        if name not in hints:
            raise ScenarioError(f"unknown field; the fields here are {', '.join(hints)}", (*path, str(name)))
    fields = {name: getattr(begin, name) for name in hints}
    for name in value:
        if dataclasses.is_dataclass(fields[name]):
            fields[name] = from_plain(fields[name], value[name], (*path, name))
        else:
            fields[name] = read_as(hints[name], value[name], (*path, name))
    try:
        return expected(**fields)
    except pydantic.ValidationError as problem:
        where, what = complaint(problem)
        raise ScenarioError(what, (*path, *where)) from problem
    except ValueError as problem:
        raise ScenarioError(str(problem), path) from problem


def read_as(hint: Any, value: Any, path: Path = ()) -> Any:
    """A plain value as what an annotation asks for.

    Raises:
        ScenarioError: names the place, what is asked for and what is there.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _one_of(arguments, value, path)
    if origin is tuple:
        return _tuple(hint, arguments, value, path)
    if hint is float and isinstance(value, str) and _EXPONENT.fullmatch(value):
        value = float(value)
    if hint is bool and isinstance(value, str):
        value = _TRUTH.get(value.lower(), value)
    if hint is float and type(value) is int:
        try:
            value = float(value)
        except OverflowError:
            raise ScenarioError("must be a finite number; got a huge one", path) from None
    if hint not in _NAMES:
        raise TypeError(f"settings cannot have a field of type {hint}")
    if type(value) is not hint:
        raise ScenarioError(f"must be {describe(hint)}; got {_shown(value)}", path)
    if hint is float and not math.isfinite(value):
        raise ScenarioError(f"must be a finite number; got {value}", path)
    return value


def describe(hint: Any) -> str:
    """The requirement of an annotation, in words.

    >>> describe(float | None), describe(tuple[float, ...])
    ('a number or null', 'a list, each entry a number')
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(describe(argument) for argument in arguments)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return f"a list, each entry {describe(arguments[0])}"
    if origin is tuple:
        return f"a list of {len(arguments)} ({', '.join(describe(argument) for argument in arguments)})"
    return _NAMES.get(hint, "a mapping of settings")


def leaves(config: Any, path: Path = ()) -> Iterator[tuple[str, Any]]:
    """Every value of settings that is no group of settings, by its dotted name."""
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if dataclasses.is_dataclass(value):
            yield from leaves(value, (*path, field.name))
        else:
            yield path_text((*path, field.name)), value


def get(config: Any, name: str) -> Any:
    """The value at a dotted name, such as ``ring.k``."""
    for part in name.split("."):
        config = getattr(config, part)
    return config


def hint_at(config: Any, name: str) -> Any:
    """The annotation of the field at a dotted name."""
    *outer, last = name.split(".")
    group = get(config, ".".join(outer)) if outer else config
    return hints_of(type(group))[last]


def put(config: C, name: str, value: Any) -> C:
    """Settings with another value at a dotted name.

    Raises:
        ScenarioError: if the value is not of the kind that the field takes.
    """
    return put_plain(config, name, to_plain(value), tuple(name.split(".")))


def put_plain(config: C, name: str, plain: Any, path: Path) -> C:
    """Settings with a plain value at a dotted name; ``path``: where complaints find it.

    Raises:
        ScenarioError: if the value is not of the kind that the field takes.
    """
    try:
        return filled(config, {name: read_as(hint_at(config, name), plain, path)})
    except pydantic.ValidationError as problem:
        raise ScenarioError(complaint(problem)[1], path) from problem


def filled(begin: C, values: Mapping[str, Any]) -> C:
    """Settings with other values at dotted names, checked once all are in place."""
    own = {name: value for name, value in values.items() if "." not in name}
    for group in {name.partition(".")[0] for name in values if "." in name}:
        inner = {name.removeprefix(f"{group}."): v for name, v in values.items() if name.startswith(f"{group}.")}
        own[group] = filled(getattr(begin, group), inner)
    kept = {name: getattr(begin, name) for name in type(begin).__pydantic_fields__}  # type: ignore[attr-defined]
    return type(begin)(**kept | own)


def hints_of(expected: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(expected)
    return {field.name: hints[field.name] for field in dataclasses.fields(expected)}


def _one_of(hints: tuple[Any, ...], value: Any, path: Path) -> Any:
    # A whole number may stand for a number: the exact kind goes first.
    problems = []
    for hint in sorted(hints, key=lambda hint: hint is not type(value)):
        try:
            return read_as(hint, value, path)
        except ScenarioError as problem:
            problems.append(problem)
    deepest = max(problems, key=lambda problem: len(problem.path))
    if len(deepest.path) > len(path):
        raise deepest
    raise ScenarioError(f"must be {' or '.join(describe(hint) for hint in hints)}; got {_shown(value)}", path)


def _tuple(hint: Any, arguments: tuple[Any, ...], value: Any, path: Path) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ScenarioError(f"must be {describe(hint)}; got {_shown(value)}", path)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        arguments = (arguments[0],) * len(value)
    if len(arguments) != len(value):
        raise ScenarioError(f"must be {describe(hint)}; got {len(value)} entries", path)
    return tuple(
        read_as(argument, item, (*path, i)) for i, (argument, item) in enumerate(zip(arguments, value, strict=True))
    )


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    kind = _NAMES.get(type(value), type(value).__name__)
    text = repr(value)
    return (
        kind if value is None or isinstance(value, bool) else f"{kind} {text if len(text) <= 60 else text[:57] + '...'}"
    )
