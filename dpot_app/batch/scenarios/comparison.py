"""Scenarios side by side: which settings differ, and which numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from dpot_app.batch.scenarios.scenario import Scenario
from dpot_app.batch.tags import short
from dpot_app.kit.setting import Declared
from dpot_app.kit.values import leaves
from dpot_core.privacy.numerals import number, percent

#: Stands where a scenario has no such setting.
ABSENT = ""
_FEW = 6


@dataclass(frozen=True)
class Row:
    label: str
    name: str  # dotted name of the setting; the label for a number
    texts: tuple[str, ...]  # as shown, one for each scenario; `ABSENT` where a scenario lacks it
    differs: tuple[bool, ...]  # which scenarios differ from the first one that has it


def row_of(label: str, name: str, texts: Sequence[str], values: Sequence[Any]) -> Row:
    """A row of values, with what is shown of them."""
    first = next((value for value, text in zip(values, texts, strict=True) if text), None)
    differs = (bool(text) and value != first for value, text in zip(values, texts, strict=True))
    return Row(label, name, tuple(texts), tuple(differs))


def html_row(row: Row) -> str:
    """A row of an HTML table; cells that differ have a class of their own."""
    cells = "".join(
        f'<td class="differs">{escape(text)}</td>' if differs else f"<td>{escape(text)}</td>"
        for text, differs in zip(row.texts, row.differs, strict=True)
    )
    return f'<tr><th scope="row">{escape(row.label)}</th>{cells}</tr>'


def settings_rows(scenarios: Sequence[Scenario]) -> list[Row]:
    """Every setting, and every file or data set, that at least one scenario has."""
    tables = [dict(leaves(scenario.config)) for scenario in scenarios]
    rows = []
    for name in dict.fromkeys(name for table in tables for name in table):
        having = [
            (allowed_of(scenario, name), name in table) for scenario, table in zip(scenarios, tables, strict=True)
        ]
        values = [table.get(name) for table in tables]
        texts = [show(one, value) if there else ABSENT for (one, there), value in zip(having, values, strict=True)]
        rows.append(row_of(next(one.label for one, there in having if there), name, texts, values))
    for role in sorted({role for scenario in scenarios for role, _ in scenario.data}):
        known = [dict(scenario.data).get(role, ABSENT) for scenario in scenarios]
        rows.append(row_of(f"Data: {role}", role, [short(one) for one in known], known))
    return rows


def number_rows(headlines: Sequence[Mapping[str, float]]) -> list[Row]:
    """Every number that at least one scenario has, with its change against the first that has it."""
    rows = []
    for name in dict.fromkeys(name for numbers in headlines for name in numbers):
        values = [numbers.get(name) for numbers in headlines]
        first = next(value for value in values if value is not None)
        at = values.index(first)
        texts = [
            ABSENT if value is None else number(value) + ("" if i == at else change(value, first))
            for i, value in enumerate(values)
        ]
        rows.append(row_of(name, name, texts, values))
    return rows


def allowed_of(scenario: Scenario, name: str) -> Declared:
    """The declaration of a setting; its name alone where nothing is known."""
    return scenario.view.declared.get(name) or Declared(name)


def show(allowed: Declared, value: Any) -> str:
    if value is None:
        return allowed.empty or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        if not value:
            return "none"
        entries = [(allowed.options or {}).get(entry, _entry(entry)) for entry in value]
        return ", ".join(entries) if len(entries) <= _FEW else f"{', '.join(entries[:3])}, … ({len(entries)} entries)"
    if allowed.options and value in allowed.options:
        return allowed.options[value]
    if isinstance(value, float):
        return allowed.show(value)
    return _entry(value) or "(empty)"


def change(value: float, first: float) -> str:
    """How a number compares with the first one: in per cent, or as a difference where the first is 0."""
    if value == first:
        return " (same)"
    if first == 0.0:
        return f" ({'+' if value > first else ''}{number(value - first)})"
    share = (value - first) / abs(first)
    return f" ({percent(share, sign=True)})" if abs(share) < 10 else f" (× {number(value / first)})"


def _entry(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_entry, value))})"
    return str(value)
