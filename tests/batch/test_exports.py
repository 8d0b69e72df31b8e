"""Files to take away: no cell that a spreadsheet runs, numbers with every digit, strict JSON."""

import csv
import io
import json
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_app.batch.exports import csv_safe, to_json


def cells(text):
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("a\t =1", "a\t' =1"),
        ("a|=1", "a|'=1"),
        ("|=1", "|'=1"),
        ("a|b", "a|b"),
        ("\tplain", "'\tplain"),
        ("  =1", "'  =1"),
        ("＝1", "'＝1"),
        ("a;=1", "a;'=1"),
        ("a\n=1", "a\n'=1"),
        ("Paris", "Paris"),
        ("a=b, c-d", "a=b, c-d"),
        ("<b>&", "<b>&"),
        ("", ""),
    ],
)
def test_cells_that_a_spreadsheet_would_run_get_an_apostrophe(cell, safe):
    assert cells(csv_safe(pd.DataFrame({"name": [cell, "x"]})))[1:] == [[safe], ["x"]]


def test_names_of_columns_are_text_too():
    assert cells(csv_safe(pd.DataFrame({"=1": [1], "b": ["@x"]}))) == [["'=1", "b"], ["1", "'@x"]]


@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_text_of_every_kind_is_made_safe(dtype):
    assert cells(csv_safe(pd.DataFrame({"t": pd.Series(["=1", "ok"], dtype=dtype)})))[1] == ["'=1"]


def test_numbers_are_untouched_to_the_last_digit():
    numbers = [-1.5, 0.1 + 0.2, 1e-300, -np.inf, 5e-324]
    frame = pd.DataFrame({"x": numbers, "n": [-1, 2, -3, 4, 5], "mixed": [-1, "-1", None, 2.5, "a"]})
    back = cells(csv_safe(frame))
    assert [float(row[0]) for row in back[1:]] == numbers
    assert [row[1] for row in back[1:]] == ["-1", "2", "-3", "4", "5"]
    assert [row[2] for row in back[1:]] == ["-1", "'-1", "", "2.5", "a"]


def test_columns_of_one_name_and_empty_tables():
    twice = pd.DataFrame([["=a", 1.0]], columns=["c", "c"])
    assert cells(csv_safe(twice)) == [["c", "c"], ["'=a", "1.0"]]
    assert csv_safe(pd.DataFrame({"a": [], "b": []})) == "a,b\r\n"


@pytest.mark.nightly
@given(st.lists(st.text(), min_size=1, max_size=5))
def test_no_text_starts_a_formula(texts):
    for row in cells(csv_safe(pd.DataFrame({"k": range(len(texts)), "t": texts})))[1:]:
        assert not row[1].lstrip().startswith(("=", "+", "-", "@"))
        assert not row[1].startswith(("\t", "\r", "\n"))
        for cell in re.split(r"[;|\t\r\n]", row[1]):
            assert not cell.lstrip().startswith(("=", "+", "-", "@")), "the other separators of spreadsheets"


def test_exports_beyond_ascii_are_marked_as_utf_8() -> None:
    """Spreadsheets take a CSV without a byte order mark for the letters of their own country."""
    for frame in (pd.DataFrame({"town": ["Kraków"]}), pd.DataFrame({"ε": [1.0]})):
        text = csv_safe(frame)
        assert text.startswith("\ufeff") and text.count("\ufeff") == 1
        pd.testing.assert_frame_equal(pd.read_csv(io.BytesIO(text.encode("utf-8"))), frame)
    assert csv_safe(pd.DataFrame({"town": ["Rome"]})).isascii()


@dataclass(frozen=True)
class Config:
    epsilon: float
    ks: tuple[int, ...]
    name: str | None = None


def test_json_holds_the_settings_and_every_number():
    frame = pd.DataFrame({"x": [0.1 + 0.2, np.nan, np.inf, -np.inf, 5e-324], "label": ["=1", "<b>", "é", "", "c"]})
    text = to_json({"curve": frame}, Config(epsilon=1.5, ks=(3, 4)))
    content = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert content["config"] == {"epsilon": 1.5, "ks": [3, 4], "name": None}
    assert content["tables"]["curve"]["x"] == [0.1 + 0.2, None, "Infinity", "-Infinity", 5e-324]
    assert content["tables"]["curve"]["label"] == ["=1", "<b>", "é", "", "c"]


def test_json_takes_numpy_and_nested_values():
    config = {"a": np.float64(2.0), "b": np.arange(3), "c": [Config(1.0, ())], 4: np.bool_(True)}
    expected = {"a": 2.0, "b": [0, 1, 2], "c": [{"epsilon": 1.0, "ks": [], "name": None}], "4": True}
    assert json.loads(to_json({}, config)) == {"config": expected, "tables": {}}


def test_json_refuses_what_it_cannot_write():
    with pytest.raises(TypeError, match="type object"):
        to_json({}, object())
    with pytest.raises(ValueError, match="differ"):
        to_json({"t": pd.DataFrame([[1, 2]], columns=["a", "a"])}, {})
