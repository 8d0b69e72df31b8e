"""The smallest argument at which a function reaches a target."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_app.views.decide.searches import smallest, smallest_on_grid

LOW, HIGH, TOL = 0.01, 20.0, 1e-4


@given(st.floats(0.0101, 19.99), st.sampled_from(["falls", "rises", "steps"]))
def test_the_bracket_holds_the_root_and_its_end_reaches_the_target(root: float, kind: str) -> None:
    def function(x: float) -> float:
        if kind == "steps":
            return 0.0 if x >= root else 1.0
        return math.exp(root - x) if kind == "falls" else x

    target = {"falls": 1.0, "rises": root, "steps": 0.5}[kind]
    found = smallest(function, target, LOW, HIGH, at_least=kind == "rises", tol=TOL)
    assert found.monotone and found.method == "bisection"
    assert found.low is not None and found.high is not None
    assert not found.reaches(function(found.low[0])) and found.reaches(function(found.high[0]))
    assert found.high[0] - found.low[0] <= TOL
    assert found.low[0] <= root + 1e-12 and root - 1e-12 <= found.high[0]
    assert found.found == found.steady == found.high[0]
    assert all(function(x) == value for x, value in found.points)


@given(st.floats(0.02, 10.0), st.floats(0.02, 10.0))
def test_a_harder_target_needs_more(one: float, other: float) -> None:
    easy, hard = (smallest(lambda x: 1 / x, 1 / root, LOW, HIGH).found for root in sorted((one, other)))
    assert easy is not None and hard is not None and easy <= hard


def test_a_target_out_of_reach_comes_with_the_best_there_is() -> None:
    found = smallest(lambda x: 1 + 1 / x, 1.0, LOW, HIGH)
    assert found.found is None and found.high is None and found.steady is None
    assert found.low == found.best == (20.0, 1.05)


def test_a_target_reached_from_the_start_has_no_bracket() -> None:
    found = smallest(lambda x: 1 / x, 1000.0, LOW, HIGH)
    assert found.found == LOW and found.low is None


def test_a_function_that_is_not_monotone_is_found_out() -> None:
    found = smallest(lambda x: math.cos(x), -0.5, LOW, HIGH)
    assert not found.monotone


def test_a_grid_says_from_where_on_the_target_stays_reached() -> None:
    values = {1.0: 3.0, 2.0: 1.0, 3.0: 2.0, 4.0: 0.5, 5.0: 0.4}
    found = smallest_on_grid(values.__getitem__, 1.5, sorted(values))
    assert (found.found, found.steady, found.monotone, found.method) == (2.0, 4.0, False, "grid")
    assert found.low == (1.0, 3.0) and found.high == (2.0, 1.0) and found.best == (5.0, 0.4)
    assert found.good == (4.0, 0.5) and found.missed == (3.0, 2.0)
    most = smallest_on_grid(values.__getitem__, 2.5, sorted(values), at_least=True)
    assert most.found == 1.0 and most.steady is None and most.good is None and most.best == (1.0, 3.0)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"low": 0.0}, "low"),
        ({"low": 30.0}, "low must be below high"),
        ({"high": math.inf}, "high"),
        ({"tol": 0.0}, "tol"),
        ({"target": math.nan}, "target"),
        ({"start": 1}, "start"),
    ],
)
def test_bad_arguments_are_named(change: dict[str, float], name: str) -> None:
    arguments = {"target": 1.0, "low": LOW, "high": HIGH, "tol": TOL, "start": 13} | change
    start = int(arguments.pop("start"))
    tol = arguments.pop("tol")
    with pytest.raises(ValueError, match=name):
        smallest(lambda x: x, **arguments, tol=tol, start=start)


@pytest.mark.parametrize("grid", [[], [1.0, 1.0], [2.0, 1.0]])
def test_a_grid_has_to_ascend(grid: list[float]) -> None:
    with pytest.raises(ValueError, match="grid"):
        smallest_on_grid(lambda x: x, 1.0, grid)


def test_a_function_without_a_value_is_an_error_that_names_where() -> None:
    with pytest.raises(RuntimeError, match=r"at 20 it is nan"):
        smallest(lambda x: math.nan if x == 20.0 else x, 1.0, LOW, HIGH)
