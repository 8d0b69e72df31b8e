"""Options of functions: given as a whole, or field by field; nothing else is taken for them."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import dpot_core as dpot
from dpot_core.mechanisms.central.promises import Protection


def optional() -> Iterator[tuple[Callable[..., Any], str, Any]]:
    """Every public function that takes options, with the keyword and the default."""
    for room in (dpot, dpot.central, dpot.continuous, dpot.metric):
        for function in map(room.__dict__.get, room.__all__):
            if inspect.isfunction(function):
                for name, parameter in inspect.signature(function).parameters.items():
                    if dataclasses.is_dataclass(parameter.default):
                        yield function, name, parameter.default


def test_some_functions_take_options() -> None:
    assert {"coreset_barycenter", "private_measure", "perturbed_barycenter"} <= {
        one.__name__ for one, _, _ in optional()
    }


@pytest.mark.parametrize(("function", "keyword", "default"), [*optional()])
def test_wrong_options_are_refused_by_name(function: Callable[..., Any], keyword: str, default: Any) -> None:
    """protection={"secure": True} was an AttributeError, or was believed to release."""
    first = dataclasses.fields(default)[0].name
    for given in ({first: True}, None, True, Other()):
        with pytest.raises(ValueError, match=rf"{keyword} must be a {type(default).__name__}, or its fields .*{first}"):
            function(**{keyword: given})


@dataclasses.dataclass(frozen=True)
class Other:
    """Options of another function."""

    secure: bool = True


def test_options_as_a_whole_and_by_name_are_the_same() -> None:
    assert Protection(secure=True) != Protection()
    with pytest.raises(TypeError, match="protection holds secure already"):
        dpot.central.coreset_barycenter([], 1, 1.0, region=None, protection=Protection(), secure=True)
