"""The table of a sweep, the same bytes however it was computed, and what is promised of all its rows together."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from dpot_app.batch import scenarios
from dpot_app.batch.exports import csv_safe
from dpot_app.batch.sweeps.document import Sweep
from dpot_app.batch.sweeps.point import DISCLOSURES, Record, programs
from dpot_app.kit.values import leaves, to_plain
from dpot_core.privacy.disclosures import SETTINGS_NOTE, Disclosure
from dpot_core.privacy.numerals import counted
from dpot_core.privacy.wording import in_words

#: Kinds of rows that are told in words, of any number.
_MOST_TOLD = 5
#: Under which a file says what it is of.
_ABOUT = b"dpot"
#: Words that short names leave out, and how they write signs.
_LEFT_OUT = frozenset(["a", "an", "at", "for", "from", "in", "is", "of", "on", "s", "the", "to"])
_SIGNS = str.maketrans({"ε": "epsilon", "α": "alpha", "β": "beta", "δ": "delta", "λ": "lambda", "×": "x", "'": " "})
_OF_THE_ROW = {
    "row_status": (pa.string(), "what the row's numbers are: public, analysis, demonstration, release"),
    "row_epsilon": (pa.float64(), "promise of this row alone, nats; what all rows promise: guarantee.txt"),
    "row_delta": (pa.float64(), "likewise, its slack"),
    "row_epsilon_population": (pa.float64(), "towards the population, where row_epsilon is towards the sample"),
    "row_delta_population": (pa.float64(), "likewise, its slack"),
    "row_neighbours": (pa.string(), "between whom the promise of this row holds"),
    "row_proven": (pa.bool_(), "whether that promise is proven for what the code does"),
    "row_mechanism": (pa.string(), "the mechanism of that release"),
    "error": (pa.string(), "why the row has no numbers"),
}


class Rows:
    """The rows, and each different disclosure once: a hundred thousand rows have few."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep, self._rows, self._told = sweep, [], {}  # type: ignore[var-annotated]
        self.disclosures: list[Disclosure] = []
        self.errors: list[str] = []

    def add(self, config: Any, record: Record) -> None:
        settings = dict(leaves(config))
        row = {name: settings.pop(name) for name in self._sweep.over} | settings
        if "error" in record:
            self.errors.append(record["error"])
            self._rows.append(({**row}, {}, {"error": record["error"]}))
            return
        text = json.dumps(record["disclosure"])
        if text not in self._told:
            self._told[text] = DISCLOSURES.validate_json(text)
        disclosure = self._told[text]
        self.disclosures.append(disclosure)
        numbers: dict[tuple[str, str], Any] = {}  # (name of the column, what it is) -> value
        for name, value in record["headlines"].items():
            (marked,) = disclosure.mark_numbers({name: value})
            column = short(marked)
            numbers[column, marked] = value
            if name in record["spread"]:
                error, many = record["spread"][name]
                numbers[f"{column}_se", f"standard error of the mean: {marked}"] = error
                numbers[f"{column}_n", f"runs or people in the mean: {marked}"] = many
        self._rows.append((row, numbers, _of(disclosure)))

    def table(self) -> pa.Table:
        """Settings, numbers, promise of each row: columns with one type each, absent values null."""
        columns: dict[str, pa.Array] = {}
        words: dict[str, str] = {}

        def add(part: int, key: Any, name: str, said: str, kind: pa.DataType | None = None) -> None:
            # A number may be called as a setting is, or as another number.
            while name in columns:
                name += "_"
            values = [row[part].get(key) for row in self._rows]
            columns[name], words[name] = _column(values) if kind is None else pa.array(values, kind), said

        for name in dict.fromkeys(name for row in self._rows for name in row[0]):
            add(0, name, name, self._sweep.view.declared[name].label)
        for key in dict.fromkeys(key for row in self._rows for key in row[1]):
            add(1, key, *key)
        for name, (kind, said) in _OF_THE_ROW.items():
            add(2, name, name, said, kind)
        fields = [pa.field(name, one.type, metadata={"description": words[name]}) for name, one in columns.items()]
        about = {"view": self._sweep.view.key, "title": self._sweep.view.title, "programs": programs()}
        metadata = {_ABOUT: json.dumps({**about, "promise": self.sentences()}, ensure_ascii=False)}
        return pa.table(list(columns.values()), schema=pa.schema(fields, metadata=metadata))

    def sentences(self) -> list[str]:
        """The kind of the rows, and the promise of all of them together."""
        view = self._sweep.view
        said = [f"{counted(len(self._rows), 'row', 'rows')} of {view.key} ({view.page}: {view.title})."]
        if self.errors:
            said.append(
                f"Without numbers, for the reason in the column error: {counted(len(self.errors), 'row', 'rows')}."
            )
        kinds = list(dict.fromkeys(one.sentences()[0] for one in self.disclosures))
        said += kinds[:_MOST_TOLD]
        if len(kinds) > _MOST_TOLD:
            more = len(kinds) - _MOST_TOLD
            said.append(f"And {more:,} more like these, whose words differ by settings that are in the table.")
        released = [one for one in self.disclosures if one.parts]
        if not released:
            return said
        if len(released) == 1:
            return [*said, *released[0].sentences()[1:]]
        result = scenarios.together(self.disclosures, compared=True)
        said.append(
            f"Each row shows a release of its own, {len(released):,} in all. row_epsilon and row_delta are the promise "
            "of one release with row_mechanism at the row's settings. Publishing the whole table, with all that its "
            f"rows compare: {result.words}"
        )
        if result.guarantee is None:
            said.append("Nothing is promised of all rows together.")
        else:
            said += in_words(result.guarantee)
        return [*said, SETTINGS_NOTE]

    @property
    def released(self) -> bool:
        return any(one.parts for one in self.disclosures)


def as_parquet(table: pa.Table) -> bytes:
    """The file of a table."""
    with pa.BufferOutputStream() as out:
        pq.write_table(table, out)
        content: bytes = out.getvalue().to_pybytes()
    return content


def is_of_a_sweep(file: Path) -> bool:
    """Whether a file is a table of a sweep, whole."""
    try:
        return _ABOUT in (pq.read_schema(file).metadata or {})
    except (OSError, pa.ArrowException):
        return False


def dictionary(table: pa.Table) -> str:
    """The meaning of each column of a table, as CSV."""
    said = [field.metadata[b"description"].decode() for field in table.schema]
    return csv_safe(pd.DataFrame({"column": table.column_names, "what it is": said}))


def short(name: str) -> str:
    """A column's name for a number's: ASCII, without what a name can do without.

    >>> short("Crowd's W₁ of WPM (km) (not private)"), short("Algorithm 1, λ = 0.01 (steps)")
    ('crowd_w1_wpm_km_not_private', 'algorithm_1_lambda_0.01_steps')
    """
    plain = unicodedata.normalize("NFKD", name.translate(_SIGNS)).lower()
    return "_".join(word for word in re.findall(r"[a-z0-9]+(?:\.[0-9]+)?", plain) if word not in _LEFT_OUT)


def _of(disclosure: Disclosure) -> Mapping[str, Any]:
    promise = disclosure.promise
    row: dict[str, Any] = {"row_status": disclosure.status}
    if promise is None:
        return row
    weak = promise.weakest
    row |= {"row_epsilon": weak.epsilon, "row_delta": weak.delta, "row_neighbours": promise.neighbours_text}
    if promise.sampled is not None:
        row |= {"row_epsilon_population": promise.epsilon, "row_delta_population": promise.delta}
    return row | {"row_proven": promise.proven, "row_mechanism": disclosure.way}


def _column(values: Sequence[Any]) -> pa.Array:
    """Values of one type; lists, and what has several types, as JSON text."""
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {bool}:
        return pa.array(values, pa.bool_() if kinds else pa.string())
    if kinds == {int}:
        return pa.array(values, pa.int64())
    if kinds <= {int, float}:
        return pa.array(values, pa.float64())
    if kinds == {str}:
        return pa.array(values, pa.string())
    return pa.array(_texts(values), pa.string())


def _texts(values: Iterable[Any]) -> list[str | None]:
    return [None if value is None else json.dumps(to_plain(value), ensure_ascii=False) for value in values]
