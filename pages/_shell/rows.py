"""Modes that a reader pastes or types into a table: one text stands behind both."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpot_core.experiments.mixture import Modes
from pages import _shell as shell

MOST_MODES = 1000
_HEADS = {1: ("mean", "weight"), 2: ("x", "y", "weight")}


def read_modes(text: str, dimension: int) -> Modes:
    """Read one mode per line (or semicolon): its mean and its weight, separated by commas, blanks or colons.

    Raises:
        ValueError: with a sentence for the screen.
    """
    rows = [row for row in re.split(r"[;\n\r]+", text) if row.strip()]
    if not rows:
        raise ValueError("No modes yet: at least one is needed.")
    if len(rows) > MOST_MODES:
        raise ValueError(f"{len(rows)} modes are given; at most {MOST_MODES} can be used.")
    values = [_row(row, place, _HEADS[dimension]) for place, row in enumerate(rows, start=1)]
    weights = tuple(row[-1] for row in values)
    if not any(weights):
        raise ValueError("All weights are zero: at least one has to be positive.")
    if dimension == 1:
        return Modes(tuple(row[0] for row in values), weights)
    return Modes(tuple((row[0], row[1]) for row in values), weights)


def _row(row: str, place: int, heads: tuple[str, ...]) -> list[float]:
    words = [word for word in re.split(r"[,:\s]+", row) if word]
    if len(words) != len(heads):
        raise ValueError(f"Mode {place} needs {len(heads)} numbers ({', '.join(heads)}); it has {len(words)}.")
    values = []
    for head, word in zip(heads, words, strict=True):
        try:
            value = float(word)
        except ValueError:
            raise ValueError(f"The {head} of mode {place} is not a number: “{word[:20]}”.") from None
        if not math.isfinite(value):
            raise ValueError(f"The {head} of mode {place} is “{word[:20]}”: only finite numbers can be used.")
        values.append(value)
    if values[-1] < 0:
        raise ValueError(f"The weight of mode {place} is negative ({values[-1]:g}): weights are 0 or more.")
    return values


def write_modes(modes: Modes) -> str:
    """Modes as text that `read_modes` reads back exactly."""
    return "\n".join(", ".join(map(_number, row)) for row in _rows(modes))


def link_part(modes: Modes) -> str:
    """Modes as they stand in a link."""
    return ";".join(":".join(map(_number, row)) for row in _rows(modes))


def modes_input(controls: shell.Controls, name: str, label: str, start: Modes) -> Modes | None:
    """Let the reader give modes; says what is wrong, and that it normalises weights when it does.

    Args:
        controls: the page's controls.
        name: the parameter's name.
        label: what the modes are, for the screen.
        start: what to begin with.

    Returns:
        The modes with weights summing to 1, or None while they cannot be used (the screen says why).
    """
    dimension = len(_rows(start)[0]) - 1
    key = f"{controls.page}_{name}_text"
    linked = controls.parameter(name)
    if linked is not None:
        try:
            st.session_state[key] = write_modes(read_modes(linked, dimension))
        except ValueError:
            controls.refuse(name, label, "an example")
    if key not in st.session_state:
        st.session_state[key] = write_modes(start)
    try:
        modes: Modes | None = read_modes(st.session_state[key], dimension)
    except ValueError as problem:
        modes = None
        st.error(shell.as_text(str(problem)))
    _table(key, modes or start)
    with st.popover("Paste modes", width="stretch"):
        st.text_area(
            f"{label}: one per line, {' and '.join(_HEADS[dimension])}",
            key=key,
            height=160,
            persist_state="session",
            on_change=_fresh_table,
            args=(key,),
        )
    return None if modes is None else _normalised(controls, name, modes)


def _normalised(controls: shell.Controls, name: str, modes: Modes) -> Modes | None:
    total = sum(modes.weights)
    if not math.isfinite(total):
        st.error("The weights are too large: their sum is above 1.8e308.")
        return None
    if abs(total - 1.0) <= 1e-9:
        return modes
    offer = f"Divide the weights by their sum, {total:.6g}"
    if st.checkbox(offer, True, key=f"{controls.page}_{name}_divide", persist_state="session"):
        return Modes(modes.means, tuple(weight / total for weight in modes.weights))
    st.error(f"The weights sum to {total:.6g}; those of a mixture sum to 1.")
    return None


def _table(key: str, modes: Modes) -> None:
    rows = _rows(modes)
    heads = _HEADS[len(rows[0]) - 1]
    table = f"{key}_table_{st.session_state.get(f'{key}_version', 0)}"

    def take() -> None:
        st.session_state[key] = write_rows(changed(rows, heads, st.session_state[table]))
        _fresh_table(key)

    columns = {head: st.column_config.NumberColumn(required=True, format="%.4g") for head in heads}
    st.data_editor(
        {head: [row[place] for row in rows] for place, head in enumerate(heads)},
        key=table,
        num_rows="dynamic",
        hide_index=True,
        height=min(38 + 35 * (len(rows) + 1), 260),
        column_config=columns,
        on_change=take,
    )


def changed(rows: list[list[float]], heads: Sequence[str], edit: dict[str, Any]) -> list[list[float]]:
    """Rows after what a reader did to the table; empty fields count as 0."""
    edited = [list(row) for row in rows]
    for number, change in edit["edited_rows"].items():
        for head, value in change.items():
            edited[int(number)][heads.index(head)] = value or 0.0
    gone = set(edit["deleted_rows"])
    kept = [row for number, row in enumerate(edited) if number not in gone]
    return kept + [[float(row.get(head) or 0.0) for head in heads] for row in edit["added_rows"] if row]


def write_rows(rows: Sequence[Sequence[float]]) -> str:
    """Rows of a table as text."""
    return "\n".join(", ".join(map(_number, row)) for row in rows)


def _fresh_table(key: str) -> None:
    """The next table starts from the text and does not replay old edits."""
    st.session_state[f"{key}_version"] = st.session_state.get(f"{key}_version", 0) + 1


def _rows(modes: Modes) -> list[list[float]]:
    places = [list(mean) if isinstance(mean, tuple) else [mean] for mean in modes.means]
    return [[*place, weight] for place, weight in zip(places, modes.weights, strict=True)]


def _number(value: float) -> str:
    short = f"{value:.6g}"
    return short if float(short) == value else repr(float(value))
