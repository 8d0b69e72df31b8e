"""Numbers that a reader pastes, uploads, types into a table or paints: one text stands behind all four."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import streamlit as st

from dpot_core.studies._kit.markdown import as_text
from pages._shell.controls import Controls

MAX_BYTES = 1_000_000


def read_numbers(text: str, length: int, what: str = "points") -> tuple[float, ...]:
    """Read weights separated by commas, blanks or lines; beside semicolons a comma is a decimal mark.

    Raises:
        ValueError: with a sentence for the screen, if they are not ``length`` finite non-negative numbers, or
            all are zero.
    """
    if "\x00" in text:
        raise ValueError("This is not a text file.")
    bare = text.strip().strip("[]()")
    if not bare.strip():
        raise ValueError(f"No numbers yet: {length} are needed, one for each of the {what}.")
    parts = bare.replace(",", ".").split(";") if ";" in bare else re.split(r"[,\s]+", bare)
    words = [word for part in parts for word in part.split()]
    values = []
    for place, word in enumerate(words, start=1):
        try:
            value = float(word)
        except ValueError:
            raise ValueError(f"Entry {place} is not a number: “{word[:20]}”.") from None
        if not math.isfinite(value):
            raise ValueError(f"Entry {place} is “{word[:20]}”: only finite numbers can be used.")
        if value < 0:
            raise ValueError(f"Entry {place} is negative ({value:g}): weights are 0 or more.")
        values.append(value)
    if len(values) != length:
        raise ValueError(f"{len(values)} numbers are given, but there are {length} {what}.")
    if not any(values):
        raise ValueError("All numbers are zero: at least one has to be positive.")
    return tuple(values)


def decode(content: bytes) -> str:
    """Text of an uploaded file: UTF-8, UTF-16 with a byte-order mark, or Latin-1.

    Raises:
        ValueError: with a sentence for the screen, if the file is too large or no text.
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"The file is larger than {MAX_BYTES // 1_000_000} MB: a few hundred numbers are expected.")
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    if "\x00" in text:
        raise ValueError("This is not a text file.")
    return text


def write_numbers(values: Sequence[float]) -> str:
    """Numbers as text that `read_numbers` reads back exactly."""
    return ", ".join(f"{value:.6g}" if float(f"{value:.6g}") == value else repr(float(value)) for value in values)


def numbers_input(controls: Controls, name: str, label: str, start: Sequence[float]) -> tuple[float, ...] | None:
    """Let the reader give one weight per point; says what is wrong, and that it normalises when it does.

    The numbers stay out of the address bar; `link_part` puts them into a link on purpose. None while they cannot be
    used (the screen says why).
    """
    length = len(start)
    key = f"{controls.page}_{name}_text"
    linked = controls.parameter(name)
    if linked is not None:
        try:
            st.session_state[key] = write_numbers(read_numbers(linked, length))
        except ValueError:
            controls.refuse(name, label, "an example")
    if key not in st.session_state:
        st.session_state[key] = write_numbers(start)
    text = st.text_area(
        label,
        key=key,
        height=96,
        persist_state="session",
        help="Paste one number per point, separated by commas, blanks or lines. They stay in the memory of the app.",
    )
    try:
        values: tuple[float, ...] | None = read_numbers(text, length)
    except ValueError as problem:
        values = None
        st.error(as_text(str(problem)))
    with st.popover("Upload, type or paint", width="stretch"):
        upload, table, paint = st.tabs(["Upload", "Type", "Paint"])
        with upload:
            _upload(key)
        with table:
            _table(key, values or tuple(start))
        with paint:
            _paint(key, values or tuple(start))
    return None if values is None else _normalised(controls, name, values)


def link_part(values: Sequence[float]) -> str:
    return write_numbers(values).replace(" ", "")


def _normalised(controls: Controls, name: str, values: tuple[float, ...]) -> tuple[float, ...] | None:
    total = math.fsum(values)
    if abs(total - 1.0) <= 1e-9:
        return values
    if st.checkbox(
        f"Divide by their sum, {total:.6g}",
        True,
        key=f"{controls.page}_{name}_divide",
        persist_state="session",
    ):
        return tuple(value / total for value in values)
    st.error(f"The numbers sum to {total:.6g}; a distribution sums to 1.")
    return None


def _upload(key: str) -> None:
    file = f"{key}_file"

    def take() -> None:
        uploaded = st.session_state[file]
        if uploaded is None:
            return
        try:
            st.session_state[key] = without_heading(decode(uploaded.getvalue()))
        except ValueError as problem:
            st.session_state[f"{key}_problem"] = str(problem)

    st.file_uploader("Text or CSV file, one number per point", type=["csv", "txt"], key=file, on_change=take)
    problem = st.session_state.pop(f"{key}_problem", None)
    if problem is not None:
        st.error(as_text(problem))


def without_heading(text: str) -> str:
    """Text without its first line, if that holds no digit: the heading of a column."""
    first, _, rest = text.lstrip().partition("\n")
    return rest if rest and not any(character.isdigit() for character in first) else text


def _table(key: str, values: tuple[float, ...]) -> None:
    version = st.session_state.setdefault(f"{key}_version", 0)
    table = f"{key}_table_{version}"

    def take() -> None:
        edited = list(values)
        for row, change in st.session_state[table]["edited_rows"].items():
            edited[int(row)] = change.get("weight") or 0.0
        _replace(key, edited)

    st.data_editor(
        {"point": list(range(len(values))), "weight": list(values)},
        key=table,
        height=220,
        hide_index=True,
        disabled=["point"],
        column_config={"weight": st.column_config.NumberColumn(min_value=0.0, format="%.4g")},
        on_change=take,
    )


def _paint(key: str, values: tuple[float, ...]) -> None:
    last = len(values) - 1
    first_point, last_point = st.slider(
        "Paint the points from … to …", 0, last, (0, last // 4), key=f"{key}_brush_{last}"
    )
    weight = st.number_input("with weight", 0.0, None, 1.0, key=f"{key}_brush_weight")

    def paint() -> None:
        _replace(key, [weight if first_point <= i <= last_point else v for i, v in enumerate(values)])

    st.button("Paint", key=f"{key}_brush_go", on_click=paint)


def _replace(key: str, values: Sequence[float]) -> None:
    """Write new numbers into the text, and start a fresh table so that it does not replay its old edits."""
    st.session_state[key] = write_numbers(values)
    st.session_state[f"{key}_version"] = st.session_state.get(f"{key}_version", 0) + 1
