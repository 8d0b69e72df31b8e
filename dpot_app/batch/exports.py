"""Tables as files that are safe to open: CSV that no spreadsheet executes, JSON that every parser reads."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

# A spreadsheet runs a cell that starts with one of these. White space before it does not protect, and a
# semicolon, bar, tab or line break inside a cell starts a new cell where those separate columns.
_FORMULA = re.compile(r"(?:^|(?<=[;|\t\r\n]))(?=\s*[=+\-@＝＋－＠])|^(?=[\t\r\n])")
# Without it a spreadsheet reads the letters of another century.
_BYTE_ORDER_MARK = "\ufeff"


def csv_safe(frame: pd.DataFrame) -> str:
    """A table as CSV text (UTF-8 when encoded) in which no cell is a formula.

    Text that a spreadsheet would execute (it starts with = + - @, a tab or a line break, or would do so where
    semicolons, bars or tabs separate columns) gets an apostrophe in front; numbers are written as they are, with every
    digit. The index is not written.

    Args:
        frame: any table; names of columns count as text.

    Returns:
        Comma-separated lines (CR LF), the header first; before them a byte order mark, by which spreadsheets
        know UTF-8, if not all of it is ASCII.
    """
    # Lines end as RFC 4180 has it; with "\n" alone the writer leaves a "\r" inside a cell bare, which ends the row.
    safe = pd.DataFrame({i: frame.iloc[:, i].to_numpy() for i in range(frame.shape[1])})
    for i in range(frame.shape[1]):
        dtype = frame.dtypes.iloc[i]
        if not (pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_datetime64_any_dtype(dtype)):
            safe[i] = pd.Series([_defused(cell) for cell in frame.iloc[:, i]], dtype=object)
    names = [str(_defused(str(name))) for name in frame.columns]
    text: str = safe.to_csv(index=False, header=names, lineterminator="\r\n")
    return text if text.isascii() else _BYTE_ORDER_MARK + text


def to_json(tables: Mapping[str, pd.DataFrame], config: object) -> str:
    """Tables and the settings that made them, as strict JSON.

    Layout: {"config": {...}, "tables": {name: {column: [values]}}}. JSON has no infinity and no NaN: they
    become "Infinity", "-Infinity" and null.

    Args:
        tables: name -> table; names of columns must differ within a table.
        config: a dataclass, or anything made of mappings, sequences, text and numbers.

    Raises:
        TypeError: if a value is none of these.
        ValueError: if two columns of a table have the same name.
    """
    for name, table in tables.items():
        if len({str(column) for column in table.columns}) < table.shape[1]:
            raise ValueError(f"names of columns must differ; table {name!r} has {list(table.columns)}")
    content = {
        "config": _plain(config),
        "tables": {
            name: {str(column): _plain(table[column].tolist()) for column in table.columns}
            for name, table in tables.items()
        },
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def _defused(cell: object) -> object:
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"cannot write a value of type {type(value).__name__} as JSON")
