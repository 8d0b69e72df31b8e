"""Numbers that a reader pastes, uploads, types into a table or paints: one text stands behind all four."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from dpot_app.kit.links import numbers_text
from dpot_app.kit.markdown import as_text
from dpot_app.kit.reading import within_limits
from dpot_app.kit.setting import Declared
from dpot_app.shell.controls import Controls
from dpot_app.shell.sidebar import Waiting
from dpot_core.datasets.weights_csv import read_weights

T = TypeVar("T")

Rows = list[tuple[float, ...]]

MAX_BYTES = 1_000_000
#: Numbers in a text: what has more is not looked at, whatever a reader needs.
MOST_NUMBERS = 100_000
#: Of one number, by its size: beyond, sums of them are infinite.
LARGEST = 1e300


def read_numbers(text: str, length: int, what: str = "points") -> tuple[float, ...]:
    """Read weights separated by commas, blanks or lines; beside semicolons a comma is a decimal mark.

    Raises:
        ValueError: with a sentence for the screen, if they are not ``length`` finite non-negative numbers, or
            all are zero.
    """
    if len(text) > MAX_BYTES:
        raise ValueError(f"This text has {len(text):,} characters; {length} numbers are expected.")
    if "\x00" in text:
        raise ValueError("This is not a text file.")
    bare = text.strip().strip("[]()")
    if not bare.strip():
        raise ValueError(f"No numbers yet: {length} are needed, one for each of the {what}.")
    parts = bare.replace(",", ".").split(";") if ";" in bare else re.split(r"[,\s]+", bare)
    words = [word for part in parts for word in part.split()]
    if len(words) > max(MOST_NUMBERS, length):
        raise ValueError(f"{len(words):,} numbers are given, but there are {length} {what}.")
    values = [number(word, f"Entry {place}", least=0.0) for place, word in enumerate(words, start=1)]
    if len(values) != length:
        raise ValueError(f"{len(values)} numbers are given, but there are {length} {what}.")
    if not any(values):
        raise ValueError("All numbers are zero: at least one has to be positive.")
    return tuple(values)


def number(word: str, place: str, least: float = -math.inf) -> float:
    """A finite number, not below the least and at most `LARGEST`.

    Raises:
        ValueError: with a sentence for the screen that names the place.
    """
    try:
        value = float(word)
    except ValueError:
        raise ValueError(f"{place} is not a number: “{word[:20]}”.") from None
    if not math.isfinite(value):
        raise ValueError(f"{place} is “{word[:20]}”: only finite numbers can be used.")
    if abs(value) > LARGEST:
        raise ValueError(f"{place} is too large (“{word[:20]}”): at most {LARGEST:g} can be used.")
    if value < least:
        raise ValueError(f"{place} is negative ({value:g}): weights are 0 or more.")
    return value


def text_in(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Text of the numbers in an uploaded file, and notes on what else is there.

    Raises:
        ValueError: if the file is too large or no text, or a table in which no column is that of the weights.
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 1_000_000} MB; a few hundred numbers are expected")
    if sum(content.count(sign) for sign in b",;\t|\n\r ") > MOST_NUMBERS:
        raise ValueError(f"it has more than {MOST_NUMBERS:,} cells; a few hundred numbers are expected")
    return _read(content)


#: What comes of it is text in the reader's own session: nothing is kept here.
_read = within_limits(read_weights)


def write_numbers(values: Sequence[float]) -> str:
    """Numbers as text that `read_numbers` reads back exactly."""
    return numbers_text(values).replace(",", ", ")


def text_key(controls: Controls, name: str, label: str, read: Callable[[str], str], start: str) -> str:
    """Where the session keeps what a reader types: the link's text if ``read`` takes it, else one to start with."""
    key, linked = f"{controls.page}_{name}_text", controls.parameter(name)
    if linked is not None:
        try:
            st.session_state[key] = read(linked)
        except ValueError:
            controls.refuse(name, label, "an example" if start else "none")
    st.session_state.setdefault(key, start)
    return key


def typed_text(controls: Controls, name: str, asked: Declared, read: Callable[[str], object], start: str) -> str:
    """Text that a reader types, or a link has, where ``read`` takes it; else the screen says why not.

    Raises:
        Waiting: while it cannot be used.
    """

    def checked(text: str) -> str:
        read(text)
        return text

    key = text_key(controls, name, asked.label, checked, start)
    text = str(st.text_area(asked.label, key=key, persist_state="session", help=asked.help))
    if tried(lambda: checked(text)) is None:
        raise Waiting
    return text


def tried(read: Callable[[], T]) -> T | None:
    """The numbers that were read, or None where the screen says why they cannot be used."""
    try:
        return read()
    except ValueError as problem:
        st.error(as_text(str(problem)))
        return None


def normalised(
    controls: Controls, name: str, weights: Sequence[float], offer: str, refusal: tuple[str, str]
) -> tuple[float, ...]:
    """Weights that sum to 1: divided by their sum if the reader takes the offer.

    Raises:
        Waiting: if not; the screen says what is wrong.
    """
    total = sum(weights)
    if abs(total - 1.0) <= 1e-9:
        return tuple(weights)
    label = f"{offer} by their sum, {total:.6g}"
    if st.checkbox(label, True, key=f"{controls.page}_{name}_divide", persist_state="session"):
        return tuple(weight / total for weight in weights)
    st.error(f"{refusal[0]} sum to {total:.6g}; {refusal[1]} to 1.")
    raise Waiting


def numbers_input(controls: Controls, name: str, label: str, start: Sequence[float]) -> tuple[float, ...]:
    """Let the reader give one weight per point.

    Raises:
        Waiting: while they cannot be used; the screen says why.
    """
    length = len(start)
    key = text_key(controls, name, label, lambda text: write_numbers(read_numbers(text, length)), write_numbers(start))
    text = st.text_area(
        label,
        key=key,
        height=96,
        persist_state="session",
        help="Paste one number per point, separated by commas, blanks or lines. They stay in the memory of the app.",
    )
    values = tried(lambda: read_numbers(text, length))
    with st.popover("Upload, type or paint", width="stretch"):
        upload, table, paint = st.tabs(["Upload", "Type", "Paint"])
        with upload:
            _upload(key)
        with table:
            _table(key, values or tuple(start))
        with paint:
            _paint(key, values or tuple(start))
    if values is None:
        raise Waiting
    return normalised(controls, name, values, "Divide", ("The numbers", "a distribution sums"))


def _upload(key: str) -> None:
    file = f"{key}_file"

    def take() -> None:
        uploaded = st.session_state[file]
        if uploaded is None:
            return
        try:
            st.session_state[key], st.session_state[f"{key}_notes"] = text_in(uploaded.getvalue())
        except ValueError as problem:
            st.session_state[f"{key}_problem"] = f"This file cannot be used: {problem}."

    st.file_uploader("Text or CSV file, one number per point", type=["csv", "txt"], key=file, on_change=take)
    problem = st.session_state.pop(f"{key}_problem", None)
    if problem is not None:
        st.error(as_text(problem))
    for note in st.session_state.pop(f"{key}_notes", ()):
        st.warning(as_text(note))


def _table(key: str, values: tuple[float, ...]) -> None:
    def write(rows: Rows) -> str:
        return write_numbers([weight for _, weight in rows])

    weight = st.column_config.NumberColumn(min_value=0.0, format="%.4g")
    look: Any = {"height": 220, "disabled": ["point"], "column_config": {"weight": weight}}
    table_beside(key, list(enumerate(values)), ("point", "weight"), write, **look)


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
    st.session_state[key] = write_numbers(values)
    fresh_table(key)


def table_beside(
    key: str, rows: Sequence[tuple[float, ...]], heads: Sequence[str], write: Callable[[Rows], str], **look: Any
) -> None:
    """A table that stands beside the text of a key; what a reader does to it, ``write`` makes the text of."""
    table = f"{key}_table_{st.session_state.get(f'{key}_version', 0)}"

    def take() -> None:
        st.session_state[key] = write(changed(rows, heads, st.session_state[table]))
        fresh_table(key)

    columns = {head: [row[place] for row in rows] for place, head in enumerate(heads)}
    st.data_editor(columns, key=table, hide_index=True, on_change=take, **look)


def changed(rows: Sequence[tuple[float, ...]], heads: Sequence[str], edit: dict[str, Any]) -> Rows:
    """Rows after what a reader did to the table; empty fields count as 0."""
    edited = [dict(zip(heads, row, strict=True)) for row in rows]
    for row, change in edit["edited_rows"].items():
        edited[int(row)] |= change
    gone = set(edit["deleted_rows"])
    remaining = [row for number, row in enumerate(edited) if number not in gone]
    return [
        tuple(float(row.get(head) or 0.0) for head in heads) for row in (*remaining, *filter(None, edit["added_rows"]))
    ]


def fresh_table(key: str) -> None:
    """The next table starts from the text and does not replay old edits."""
    st.session_state[f"{key}_version"] = st.session_state.get(f"{key}_version", 0) + 1
