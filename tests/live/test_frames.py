"""Frames on the wire: nearest first, only what changes, nothing that JSON lacks."""

import base64
import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_app.live.frames import Frames, Writer, changes, plain, single, spec_of

LEAVES = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
TREES = st.recursive(
    LEAVES, lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=3), inside, max_size=4)
)


def put_in(old: Any, path: tuple[Any, ...], value: Any) -> Any:
    """What the browser does with a change."""
    if not path:
        return value
    copy = list(old) if isinstance(old, list) else dict(old)
    copy[path[0]] = put_in(old[path[0]], path[1:], value)
    return copy


@pytest.mark.nightly
@given(TREES, TREES)
def test_changes_make_one_tree_of_the_other(old: Any, new: Any) -> None:
    made = old
    for path, value in changes(old, new):
        made = put_in(made, path, value)
    assert made == new and [*changes(new, new)] == []


def test_an_array_that_stays_is_not_sent_again() -> None:
    first = {"chart": {"data": [{"x": plain_array(np.arange(30.0)), "y": plain_array(np.ones(30))}]}}
    then = {"chart": {"data": [{"x": plain_array(np.arange(30.0)), "y": plain_array(np.zeros(30))}]}}
    writer = Writer()
    writer.line(3, first)
    line = json.loads(writer.line(4, then))
    assert [path for path, _ in line["changes"]] == [["chart", "data", 0, "y"]]


def plain_array(values: np.ndarray[Any, Any]) -> dict[str, str]:
    return {"dtype": "f8", "bdata": base64.b64encode(values.astype("<f8").tobytes()).decode()}


@given(st.lists(st.floats(-1e6, 1e6), max_size=20))
def test_seven_digits_are_sent(values: list[float]) -> None:
    sent = single({"z": plain_array(np.array(values))})["z"]
    assert sent["dtype"] == "f4"
    back = np.frombuffer(base64.b64decode(sent["bdata"]), "<f4")
    assert back == pytest.approx(values, rel=1e-6, abs=1e-37)


def test_values_unknown_to_json_become_null() -> None:
    values = {"a": float("nan"), 1: (float("inf"), np.float64(2.0)), "b": np.array([[1, 2], [3, 4]])}
    assert plain(values) == {"a": None, "1": [None, 2.0], "b": [[1, 2], [3, 4]]}


@given(st.integers(1, 40), st.integers(0, 39))
def test_the_neighbours_come_first(count: int, at: int) -> None:
    order = Frames(range(count), min(at, count - 1), lambda place, progress: None).order
    assert sorted(order) == list(range(count)) and order[0] == min(at, count - 1)
    distances = [abs(place - order[0]) for place in order]
    assert distances == sorted(distances)


def test_a_place_without_a_screen_says_so() -> None:
    assert json.loads(Writer().line(7, None)) == {"place": 7, "none": True}


def test_numbers_of_a_figure_take_the_fewest_bytes_that_hold_them() -> None:
    ends = {"u1": 255, "u2": 65535, "u4": 2**32 - 1, "i1": -128, "i2": -32768, "i4": -(2**31)}
    numbers = {kind: np.array([0, end], dtype=f"{kind[0]}8") for kind, end in ends.items()}
    numbers |= {
        "none": np.array([0, 2**32], dtype="u8"),
        "empty": np.array([], dtype="i8"),
        "f8": np.array([0.5, np.nan]),
    }
    numbers |= {"words": np.array(["a", None], dtype=object), "table": np.arange(6).reshape(2, 3).T}
    data = [{"type": "bar", "y": column, "name": name} for name, column in numbers.items()]
    figure = go.Figure(data=data, layout={"xaxis": {"range": np.array([0, 1])}}, _validate=False)
    spec = spec_of(figure)
    assert spec == plain(figure.to_dict())
    assert [trace["y"].get("dtype") for trace in spec["data"][:6]] == list(ends)
    assert spec["data"][6]["y"] == [0, 2**32] and spec["layout"]["xaxis"]["range"] == [0, 1]
