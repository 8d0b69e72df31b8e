"""Entries of the corpus: a link or a scenario file, and the numbers that it gives."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpot_core import scenarios

FOLDER = Path(__file__).parent

#: Largest relative change of a number that counts as none. The processor that recorded them has other vectors than the
#: one that compares: its sums and exponentials are rounded otherwise, and solvers stop elsewhere within their bounds.
TOLERANCE = 1e-10

#: Rounding of probabilities and of potentials over |c|: another number of BLAS threads adds them in another order.
ROUNDING = 1e-15


@dataclass(frozen=True)
class Entry:
    """One thing that somebody has.

    Attributes:
        page: its file's name.
        yaml: a scenario file.
        numbers: headlines, and of every numeric column of every table its length, sum and weighted sum.
        link: parameters of the page that give the same scenario; None for a file only.
    """

    page: str
    yaml: str
    numbers: dict[str, Any]
    link: dict[str, Any] | None = None


def numbers_of(outcome: scenarios.Outcome) -> dict[str, Any]:
    """What is kept of an outcome."""
    return {
        "headlines": {name: float(value) for name, value in outcome.headlines.items()},
        "tables": {name: _columns(table) for name, table in outcome.tables().items()},
    }


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    found: dict[str, Any] = {"rows": len(table)}
    for name in table.columns:
        if table[name].dtype.kind not in "fi":
            continue
        values = table[name].to_numpy(dtype=float)
        known = values[np.isfinite(values)]
        weights = np.cos(np.arange(known.size))
        found[str(name)] = [int(known.size), float(known.sum()), float(weights @ known), float(np.abs(known).sum())]
    return found


def differences(kept: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """What is not as it was, in words; empty for nothing."""
    said = []
    if kept["headlines"].keys() != found["headlines"].keys():
        said.append(f"headlines: {sorted(kept['headlines'].keys() ^ found['headlines'].keys())}")
    for name in kept["headlines"].keys() & found["headlines"].keys():
        one, other = kept["headlines"][name], found["headlines"][name]
        # Sums of differences have the rounding of what is subtracted, however small they are themselves.
        least = ROUNDING / TOLERANCE if "otal variation" in name or "Gap after" in name else 0.0
        if not _near(one, other, max(abs(one), abs(other), least)):
            said.append(f"{name}: {one!r} is now {other!r}")
    for name, columns in kept["tables"].items():
        now = found["tables"].get(name)
        if now is None or now["rows"] != columns["rows"]:
            said.append(f"table {name}: {columns['rows']} rows are now {'gone' if now is None else now['rows']}")
            continue
        for column, (size, total, weighted, scale) in ((key, value) for key, value in columns.items() if key != "rows"):
            if column not in now:
                said.append(f"table {name}: column {column!r} is gone")
            elif now[column][0] != size or not all(
                _near(a, b, scale) for a, b in zip((total, weighted), now[column][1:3], strict=True)
            ):
                said.append(f"table {name}, column {column}: {total!r} is now {now[column][1]!r}")
    return said


def _near(one: float, other: float, scale: float) -> bool:
    if not (math.isfinite(one) and math.isfinite(other)):
        return repr(one) == repr(other)
    return abs(one - other) <= TOLERANCE * max(scale, 1e-300)


def pages() -> list[str]:
    """Pages that have entries."""
    return sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))


def read(page: str) -> list[Entry]:
    """The entries of a page."""
    with gzip.open(FOLDER / f"{page}.json.gz", "rt", encoding="utf-8") as file:
        return [Entry(page, **entry) for entry in json.load(file)]


def write(page: str, entries: list[Entry]) -> None:
    """Keep the entries of a page; the same entries give the same bytes."""
    content = [{"yaml": one.yaml, "numbers": one.numbers, "link": one.link} for one in entries]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, indent=0)
    (FOLDER / f"{page}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
