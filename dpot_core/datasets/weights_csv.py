"""Weights of a histogram, from the bytes of a file: numbers alone, or one column of a table."""

from __future__ import annotations

from dpot_core.datasets.csv_bounds import first_record
from dpot_core.datasets.csv_headers import Layout
from dpot_core.datasets.csv_names import MISSING
from dpot_core.datasets.csv_tables import read_rows
from dpot_core.datasets.formats import table_text
from dpot_core.datasets.uploads import plain_text

_LAYOUT = Layout(
    {"weight": ("weight", "weights", "mass", "probability", "prob", "p", "share", "frequency", "count", "value")},
    required=(),
    what="file",
    likely={"weight": (r".*", "the weights: it is the only one with numbers")},
)


def read_weights(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of numbers in a file, and notes on what else is there.

    A first line without a digit is a heading. With several names it is that of a table, whose column of weights is
    taken; else all that follows are numbers.

    Args:
        data: the file's bytes.

    Raises:
        ValueError: if it is no text, or a table without a column of weights, or with a row that has none.
    """
    text = table_text(data, "file").text
    heading = first_record(text.lstrip())
    if any(character.isdigit() for character in heading):
        return text, ()
    if not any(sign in heading.strip(" ,;\t|") for sign in ",;\t|"):
        return text.lstrip()[len(heading) :].lstrip("\r\n") or text, ()
    rows = read_rows(data, _LAYOUT)
    if "weight" not in rows.chosen:
        names = ", ".join(repr(name) for name in rows.header.names[:20])
        raise ValueError(f"none of its columns is named weight; found {names}")
    words = [str(word).strip() for word in rows.table[rows.chosen["weight"]]]
    for row, word in zip(rows.row, words, strict=True):
        if word.lower() in MISSING:  # left out, the weights behind it would belong to other points
            raise ValueError(f"row {row:,} has no weight")
        if len(word.split()) > 1 or ("," in word and rows.header.delimiter != ";"):  # it would become two weights
            raise ValueError(
                f"row {row:,}: {plain_text(word)!r} is no weight; write a decimal point and no separators of thousands"
            )
    return (";" if rows.header.delimiter == ";" else "\n").join(words), rows.notes
