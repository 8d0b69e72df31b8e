"""The table of a sweep, the same bytes however it was computed, and what is promised of all its rows together."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dpot_core import scenarios
from dpot_core.disclosures import SETTINGS_NOTE, Disclosure, in_words
from dpot_core.numerals import counted
from dpot_core.studies._kit.values import leaves, to_plain
from dpot_core.sweeps.document import Sweep
from dpot_core.sweeps.point import DISCLOSURES, Record, programs

#: Kinds of rows that are told in words, of any number.
_MOST_TOLD = 5
#: Under which a file says what it is of.
_ABOUT = b"dpot"
_OF_THE_ROW = {
    "row_status": (pa.string(), "what the row's numbers are: public, analysis, demonstration, release"),
    "row_epsilon": (pa.float64(), "promise of this row alone, nats; what all rows promise: guarantee.txt"),
    "row_delta": (pa.float64(), "likewise, its slack"),
    "row_epsilon_population": (pa.float64(), "towards the population, where row_epsilon is towards the sample"),
    "row_delta_population": (pa.float64(), "likewise, its slack"),
    "row_neighbours": (pa.string(), "between whom the promise of this row holds"),
    "row_proven": (pa.bool_(), "whether that promise is proven for what the code does"),
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
        self._rows.append((row, disclosure.mark_numbers(record["headlines"]), _of(disclosure)))

    def table(self) -> pa.Table:
        """Settings, numbers, promise of each row: columns with one type each, absent values null."""
        columns: dict[str, pa.Array] = {}
        fields = []
        for part in range(3):
            names = dict.fromkeys(name for row in self._rows for name in row[part])
            for name in names if part < 2 else _OF_THE_ROW:
                values = [row[part].get(name) for row in self._rows]
                kind, words = _OF_THE_ROW[name] if part == 2 else (None, "")
                # A number may be called as a setting is.
                unique = name if name not in columns else f"{name} (result)"
                columns[unique] = _column(values) if kind is None else pa.array(values, kind)
                fields.append(
                    pa.field(unique, columns[unique].type, metadata={"description": words} if words else None)
                )
        about = {"view": self._sweep.view.key, "title": self._sweep.view.title, "programs": programs()}
        metadata = {_ABOUT: json.dumps({**about, "promise": self.sentences()}, ensure_ascii=False)}
        return pa.table(list(columns.values()), schema=pa.schema(fields, metadata=metadata))

    def sentences(self) -> list[str]:
        """What the rows are, and what is promised of all of them together."""
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
        result = scenarios.together(self.disclosures)
        said.append(
            f"Each row is a release of its own, {len(released):,} in all. row_epsilon and row_delta are the promise of "
            f"one row alone. What is published together is composed together: {result.words}"
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


def _of(disclosure: Disclosure) -> Mapping[str, Any]:
    promise = disclosure.guarantee
    row: dict[str, Any] = {"row_status": disclosure.status}
    if promise is None:
        return row
    weak = promise.weakest
    row |= {"row_epsilon": weak.epsilon, "row_delta": weak.delta, "row_neighbours": promise.neighbours_text}
    if promise.sampled is not None:
        row |= {"row_epsilon_population": promise.epsilon, "row_delta_population": promise.delta}
    return row | {"row_proven": promise.proven}


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
