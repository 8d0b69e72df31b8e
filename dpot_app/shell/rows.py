"""Weighted points, one a row, that a reader pastes or types into a table: one text stands behind both."""

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpot_app.kit.links import numbers_text
from dpot_app.shell.controls import Controls
from dpot_app.shell.numbers import Rows, fresh_table, normalised, number, table_beside, text_key, tried
from dpot_app.shell.sidebar import Waiting

MOST_ROWS = 1000


def read_rows(text: str, heads: Sequence[str], what: str = "row") -> Rows:
    """Read one row per line (or semicolon): its numbers, separated by commas, blanks or colons; the last are weights.

    Raises:
        ValueError: with a sentence for the screen.
    """
    lines = [line for line in re.split(r"[;\n\r]+", text) if line.strip()]
    if not lines:
        raise ValueError(f"No {what}s yet: at least one is needed.")
    if len(lines) > MOST_ROWS:
        raise ValueError(f"{len(lines)} {what}s are given; at most {MOST_ROWS} can be used.")
    rows = [_row(line, f"{what} {place}", heads) for place, line in enumerate(lines, start=1)]
    if not any(row[-1] for row in rows):
        raise ValueError("All weights are zero: at least one has to be positive.")
    return rows


def _row(line: str, place: str, heads: Sequence[str]) -> tuple[float, ...]:
    words = [word for word in re.split(r"[,:\s]+", line) if word]
    if len(words) != len(heads):
        named = f"{len(heads)} numbers ({', '.join(heads)})"
        raise ValueError(f"{place.capitalize()} needs {named}; it has {len(words)}.")
    *point, weight = (f"The {head} of {place}" for head in heads)
    return *map(number, words[:-1], point), number(words[-1], weight, least=0.0)


def write_rows(rows: Sequence[Sequence[float]]) -> str:
    """Rows as text that `read_rows` reads back exactly."""
    return "\n".join(numbers_text(row).replace(",", ", ") for row in rows)


def rows_input(controls: Controls, name: str, label: str, heads: Sequence[str], start: Rows, what: str = "row") -> Rows:
    """Let the reader give weighted points; says that it normalises weights when it does.

    ``heads`` name the columns, the last one holds weights; ``what`` one row is, for complaints.

    Raises:
        Waiting: while they cannot be used; the screen says why.
    """
    key = text_key(controls, name, label, lambda text: write_rows(read_rows(text, heads, what)), write_rows(start))
    rows = tried(lambda: read_rows(st.session_state[key], heads, what))
    there = rows or start
    columns = {head: st.column_config.NumberColumn(required=True, format="%.4g") for head in heads}
    look: Any = {"num_rows": "dynamic", "height": min(38 + 35 * (len(there) + 1), 260), "column_config": columns}
    table_beside(key, there, heads, write_rows, **look)
    with st.popover(f"Paste {what}s", width="stretch"):
        st.text_area(
            f"{label}: one per line, {' and '.join(heads)}",
            key=key,
            height=160,
            persist_state="session",
            on_change=fresh_table,
            args=(key,),
        )
    if rows is None:
        raise Waiting
    refusal = ("The weights", "those of a mixture sum")
    weights = normalised(controls, name, [row[-1] for row in rows], "Divide the weights", refusal)
    return [(*row[:-1], one) for row, one in zip(rows, weights, strict=True)]
