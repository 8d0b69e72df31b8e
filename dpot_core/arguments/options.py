"""Options as frozen dataclasses, each field of which may also be given to the function by its own name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def by_name(**options: type[Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let ``f(..., steps=3)`` mean ``f(..., rounds=Rounds(steps=3))``.

    Args:
        **options: the dataclass of each keyword argument of the function that holds options; no two share a field.

    Returns:
        A decorator. The function is always given its options, with the defaults of their fields where none are named,
        and raises ValueError where what it is given as options is something else.
    """
    place = {entry.name: keyword for keyword, option in options.items() for entry in fields(option)}

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def called(*args: Any, **given: Any) -> Any:
            named: dict[str, dict[str, Any]] = {keyword: {} for keyword in options}
            for name in place.keys() & given.keys():
                named[place[name]][name] = given.pop(name)
            for keyword, option in options.items():
                if keyword in given and not isinstance(given[keyword], option):
                    names = ", ".join(entry.name for entry in fields(option))
                    what = f"{keyword} must be a {option.__name__}, or its fields be given by name ({names})"
                    raise ValueError(f"{what}; got {given[keyword]!r:.60}")
            for keyword, values in named.items():
                if keyword not in given:
                    given[keyword] = options[keyword](**values)
                elif values:
                    raise TypeError(f"{keyword} holds {', '.join(sorted(values))} already: give it, or these by name")
            return cast("Any", function)(*args, **given)

        return cast("Callable[P, R]", called)

    return decorate


def formerly(keyword: str, **functions: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep calls running that chose an algorithm by a keyword, where each has become a function of its own.

    Args:
        keyword: of old calls.
        **functions: what now stands for a value of it. Any other value but "proven" is refused.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def called(*args: Any, **given: Any) -> Any:
            choice = given.pop(keyword, "proven")
            if choice not in {"proven", *functions}:
                raise ValueError(f"{keyword} must be one of proven, {', '.join(functions)}; got {choice!r}")
            return cast("Any", functions.get(choice, function))(*args, **given)

        return cast("Callable[P, R]", called)

    return decorate
