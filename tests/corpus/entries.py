"""Entries of the corpus: a link or a scenario file, and the numbers that it gives."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dpot_app.batch import scenarios

FOLDER = Path(__file__).parent

#: Largest relative change of a number that counts as none. Processors round, and sort what is equal, in different ways:
#: solvers stop elsewhere within their bounds, and what is searched for or chosen among equals may be another one.
SAME, CHOSEN = 1e-10, 0.1

#: Kinds that search whatever their settings, as all of the population do: expectation maximisation and thresholds stop
#: early, rates count hits.
_SEARCHED = {"metric.crowd", "metric.crowd-curve", "decide.epsilon", "movies.everyone"}

#: Kinds that project exactly, or solve for a base measure, whatever their settings.
_EXACT = {"ring.base", "geolocation.minimax", "mixture.plane"}

#: How long a search took, and what is zero but for rounding.
_COURSE = {"rounds", "gap"}

#: Rounding of probabilities and of potentials over |c|: another number of BLAS threads adds them in another order.
ROUNDING = 1e-15


@dataclass(frozen=True)
class Entry:
    """One thing that people have.

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

    def changes(self) -> list[str]:
        """What its scenario gives otherwise now than was recorded; empty for nothing."""
        (scenario,) = scenarios.read(self.yaml.encode())
        return differences(self.numbers, numbers_of(scenarios.run(scenario)), tolerance_of(scenario))


def tolerance_of(scenario: scenarios.Scenario) -> float:
    searched = scenario.kind in _SEARCHED or scenario.kind.startswith("population.")
    return CHOSEN if searched or _has_ties(scenario) else SAME


def _has_ties(scenario: scenarios.Scenario) -> bool:
    """Whether it projects exactly, or solves for a base measure: the nearest output, the best base may be several."""
    declared = scenarios.VIEWS[scenario.kind].declared
    values = {name: scenarios.get(scenario.config, name) for name in declared}
    exact = any(value is None for name, value in values.items() if name.rpartition(".")[2] in ("reg", "scale"))
    # On the line WPM is always exact: of two cells either may take a rest of mass, at the same cost to the last bit.
    on_line = scenario.kind == "mixture.line" and "wpm" in values["mechanisms"]
    return exact or on_line or "minimax" in str(values) or scenario.kind in _EXACT


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


def differences(kept: Mapping[str, Any], found: Mapping[str, Any], tolerance: float = SAME) -> list[str]:
    """What is not as it was, in words; empty for nothing."""
    said = []
    if kept["headlines"].keys() != found["headlines"].keys():
        said.append(f"headlines: {sorted(kept['headlines'].keys() ^ found['headlines'].keys())}")
    for name in kept["headlines"].keys() & found["headlines"].keys():
        one, other = kept["headlines"][name], found["headlines"][name]
        # Sums of differences have the rounding of what is subtracted, however small they are themselves.
        least = ROUNDING / tolerance if "otal variation" in name or "Gap after" in name else 0.0
        if tolerance == CHOSEN:
            least = 1e-6  # a root of rounding, of no distance at all
        if not _near(one, other, tolerance * max(abs(one), abs(other), least)):
            said.append(f"{name}: {one!r} is now {other!r}")
    for name, columns in kept["tables"].items():
        now = found["tables"].get(name)
        if now is None or now["rows"] != columns["rows"]:
            said.append(f"table {name}: {columns['rows']} rows are now {'gone' if now is None else now['rows']}")
            continue
        for column, (size, total, weighted, scale) in ((key, value) for key, value in columns.items() if key != "rows"):
            if tolerance == CHOSEN and column in _COURSE:
                continue
            if column not in now:
                said.append(f"table {name}: column {column!r} is gone")
            elif now[column][0] != size or not all(
                _near(a, b, tolerance * scale) for a, b in zip((total, weighted), now[column][1:3], strict=True)
            ):
                said.append(f"table {name}, column {column}: {total!r} is now {now[column][1]!r}")
    return said


def _near(one: float, other: float, least: float) -> bool:
    if not (math.isfinite(one) and math.isfinite(other)):
        return repr(one) == repr(other)
    return abs(one - other) <= max(least, 1e-300)


def pages() -> list[str]:
    """Pages that have entries."""
    return sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))


def read(page: str) -> list[Entry]:
    """The entries of a page."""
    with gzip.open(FOLDER / f"{page}.json.gz", "rt", encoding="utf-8") as file:
        return [Entry(page, **entry) for entry in json.load(file)]


def write(page: str, entries: list[Entry]) -> None:
    """Keep the entries of a page; the same entries give the same bytes."""
    content = [{name: value for name, value in asdict(one).items() if name != "page"} for one in entries]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, indent=0)
    (FOLDER / f"{page}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
