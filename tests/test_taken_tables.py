"""What is downloaded is what is drawn: on every tab, CSV files, numbers.json, curves and tables on screen agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpot_core.studies.table import PAGES, VIEWS
from pages._shell.taking import _tables
from pages._shell.views import Shown
from tests.scenarios.outcomes import few_masses, outcome_of, shorten_sweeps
from tests.taken import PLACES, Taken, take

#: Traces that no table holds: the land, outlines of probability, dots spread for the eye, shares of what a table holds.
FOR_THE_EYE = {"River", "Motorway", "half of the probability", "90% of the probability", "areas"}
AS_SHARES = {
    "points of a chunk",
    "atoms",
    "atoms, against the bound assumed",
    "sums of the proven step, against its bound",
}
SPREAD = {
    ("geolocation", "person"),
    ("population", "sensitivity"),  # people who are replaced, on the map
    ("population", "digits"),  # points of two pictures
    ("movies", "adversary"),  # logarithms of ratios, spread beside one another
    ("movies", "user"),  # an embedding in the plane
    ("metric", "ask"),  # answers, spread beside one another
    ("mixture", "sphere"),
    ("sinkhorn", "plan"),  # arrows
    ("sinkhorn", "potentials"),  # shifted to a sum of zero, as only their differences count
    ("sinkhorn", "convergence"),  # what is beyond the axis stands at its end
}
# Frames round to six digits what they draw.
_ROUNDED = 2e-5

EVERY = [(page, place) for page, places in PLACES.items() for place in places]
#: Where two views stand together, and what a run of all tests can afford.
CHEAP = {("geolocation", "crowd"), ("ring", "worst"), ("movies", "everyone")}


def numbers_in(tables: dict[str, pd.DataFrame]) -> np.ndarray:
    columns = [table[name] for table in tables.values() for name in table if table[name].dtype.kind in "fiub"]
    values = np.concatenate([column.to_numpy(dtype=float) for column in columns])
    return np.unique(values[np.isfinite(values)])


def held(values: np.ndarray, known: np.ndarray) -> bool:
    place = np.clip(np.searchsorted(known, values), 1, len(known) - 1)
    off = np.minimum(abs(known[place] - values), abs(known[place - 1] - values))
    return bool(np.all(off <= _ROUNDED * np.maximum(abs(values), 1e-12)))


def curves(specs: list[dict[str, Any]]) -> Iterator[tuple[str, np.ndarray]]:
    """Named curves and bars, at least three numbers each."""
    for trace in (trace for spec in specs for trace in spec["data"]):
        name = trace.get("name")
        if trace.get("type", "scatter") not in ("scatter", "bar") or not name:
            continue
        if name in FOR_THE_EYE | AS_SHARES or name.startswith("sums of the proven step"):
            continue
        lying = trace.get("orientation") == "h"
        given = trace.get("x" if lying else "y") or []
        found = np.array([float(one) for one in given if isinstance(one, int | float)])
        found = found[np.isfinite(found)]
        if len(found) > 2:
            yield name, found


def agrees(page: str, place: str, taken: Taken) -> list[str]:
    """What does not agree, in words."""
    tables, wrong = taken.tables, []
    for name, table in tables.items():
        told = taken.numbers["tables"][name]
        if list(told) != list(table.columns):
            wrong.append(f"{name}: columns {list(told)} are not {list(table.columns)}")
            continue
        for column in table:
            if table[column].dtype.kind not in "fi":
                continue
            there = np.array([np.nan if cell is None else float(cell) for cell in told[column]])
            if not np.array_equal(there, table[column].to_numpy(dtype=float), equal_nan=True):
                wrong.append(f"{name}, {column}: the CSV file is not numbers.json")
    if tables.keys() != taken.numbers["tables"].keys():
        wrong.append(f"tables {sorted(tables.keys() ^ taken.numbers['tables'].keys())} are in one of the two")
    known = numbers_in(tables)
    if (page, place) not in SPREAD:
        wrong += [f"curve {name!r} is in no table" for name, values in curves(taken.specs) if not held(values, known)]
    return wrong


@pytest.mark.parametrize(
    ("page", "place"), [one if one in CHEAP else pytest.param(*one, marks=pytest.mark.nightly) for one in EVERY]
)
def test_tables_that_are_taken_hold_what_is_drawn(page: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    taken = take(page, PAGES[page].prefix, PLACES[page][place])
    assert not [warning.value for warning in taken.app.warning if "link" in warning.value]
    assert not agrees(page, place, taken)


def test_every_tab_is_opened() -> None:
    for key, page in PAGES.items():
        opened = {
            value for one in PLACES.get(key, {}).values() for name, value in one.items() if name.endswith("_view")
        }
        _, *others = [tab.label for _, tab in page.tabs.values()] or [""]
        assert not {*others} - opened, key


def test_a_table_of_another_content_under_the_same_name_is_refused() -> None:
    results = outcome_of("geolocation.crowd").results
    views = [Shown(VIEWS["geolocation.crowd"], results, ())]
    assert list(_tables([*views, *views])) == list(results.tables())

    class Other:
        disclosure = results.disclosure

        def tables(self) -> dict[str, pd.DataFrame]:
            return {name: table.head(1) for name, table in results.tables().items()}

    other: Any = Other()
    with pytest.raises(RuntimeError, match="two views have different tables of one name"):
        _tables([*views, Shown(VIEWS["geolocation.crowd"], other, ())])
