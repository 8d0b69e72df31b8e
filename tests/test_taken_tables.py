"""What is downloaded is what is drawn: on every tab, CSV files, numbers.json, curves and tables on screen agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpot_app.shell.taking import _tables
from dpot_app.shell.views import Shown
from dpot_app.views.table import PAGES, VIEWS
from dpot_core.privacy.disclosures import NOT_PRIVATE
from dpot_core.privacy.numerals import at_least, at_most, count, number, percent, percent_at_least, percent_at_most
from tests.batch.scenarios.outcomes import few_masses, outcome_of, shorten_sweeps
from tests.taken import PLACES, Taken, take

#: Traces of which no table has the numbers, and why: (page, name), "" for every page.
UNTAKEN = {
    ("", "River"): "the land",
    ("", "Motorway"): "the land",
    ("population", "areas"): "borders of power cells, whose atoms and potentials the table has",
    ("population", "points of a chunk"): "an example made up on a circle",
    ("population", "atoms"): "of that example: the table has how far they move",
    ("population", "atoms before"): "atoms found without privacy: the table has how far they move",
    ("population", "atoms after, without noise"): "likewise",
    ("population", "points of the first picture"): "a thousand points of a picture, drawn to be looked at",
    ("population", "points of its private copy"): "likewise",
    ("population", "people"): "cells of the people themselves, who are not private",
    ("mixture", "edge of the cap"): "a circle at the cap's angle, which the table has",
    ("mixture", "releases"): "draws with a known seed, to be looked at",
    ("mixture", "rejected"): "likewise",
}
#: Of which sideways points the number lies along the axis of x.
SIDEWAYS = {("metric", "by distance (α)"), ("metric", "whole user (ε)")}
# Frames round to six digits what they draw.
_ROUNDED = 2e-5

EVERY = [(page, place) for page, places in PLACES.items() for place in places]
#: Where two views stand together, and what a run of all tests can afford.
CHEAP = {("geolocation", "crowd"), ("ring", "worst"), ("movies", "everyone")}


def numbers_in(tables: dict[str, pd.DataFrame]) -> np.ndarray:
    columns = [table[name] for table in tables.values() for name in table if table[name].dtype.kind in "fiub"]
    values = np.concatenate([column.to_numpy(dtype=float) for column in columns])
    return np.unique(values[np.isfinite(values)])


def off(values: np.ndarray, known: np.ndarray, least: float = 1e-12) -> np.ndarray:
    """Which of some values no table has, up to what frames round; ``least``: below this they are rounded as it is."""
    place = np.clip(np.searchsorted(known, values), 1, len(known) - 1)
    apart = np.minimum(abs(known[place] - values), abs(known[place - 1] - values))
    return apart > _ROUNDED * np.maximum(abs(values), least)


def numeric(given: Any) -> np.ndarray:
    """The numbers of a list, or of one in it for each point."""
    flat = [one for part in given or [] for one in (part if isinstance(part, list) else [part])]
    found = np.array([float(one) for one in flat if isinstance(one, int | float)])
    return found[np.isfinite(found)]


def inside(values: np.ndarray, known: np.ndarray) -> bool:
    """Whether tables have all values, but for those that are drawn at the end of an axis that theirs lie beyond."""
    rest = values[off(values, known)]
    ends = [end for end in np.unique(rest) if end in (values.min(), values.max())]
    there = {end: known.max() > end if end == values.max() else known.min() < end for end in ends}
    return all(there.get(value, False) for value in rest) and len(rest) < len(values)


def held(page: str, name: str, trace: dict[str, Any], known: np.ndarray, tables: dict[str, pd.DataFrame]) -> bool:
    """Whether tables have what a trace draws, or what it is computed from."""
    if trace["type"] == "heatmap":
        return on_map(numeric(trace["z"]), known, tables) or inside(numeric(trace.get("customdata")), known)
    x, y = (numeric(trace.get(side)) for side in "xy")
    if name in ("half of the releases", "90% of the releases"):  # a circle: its radius
        return inside(np.hypot(x - x[:-1].mean(), y - y[:-1].mean())[:1].repeat(3), known)
    if (page, name) in SIDEWAYS or trace.get("orientation") == "h":
        return inside(x, known)
    if name in ("exact", "regularisation adds", "privacy changes"):  # bars of a sum of costs, from end to end
        costs = tables["plan-costs"].filter(like="cost").to_numpy().ravel()
        return all(np.abs(costs - end).min() <= _ROUNDED * costs.max() or abs(end) < 1e-12 for end in x[[0, -1]])
    if ", against the" in name:  # bars of what was moved, as shares of its bound
        (people,) = (table for table in tables.values() if any("bound proven" in column for column in table))
        moved, bound = (
            ("sums of the proven", "bound proven") if "sums" in name else ("atoms moved tog", "bound assumed in")
        )
        shares = people.filter(like=moved).to_numpy()[:, :1] / people.filter(like=bound).to_numpy()[:, :1]
        return np.allclose(y, shares.ravel(), rtol=_ROUNDED)
    return inside(y, known) or inside(numeric(trace.get("customdata")), known)


def on_map(z: np.ndarray, known: np.ndarray, tables: dict[str, pd.DataFrame]) -> bool:
    """Whether tables have what a map's colours mean: the number, its cube root, its logarithm, or a difference.

    Where the browser needs no more, six digits of the largest number travel.
    """
    meant = [z, z**3, 10.0**z]
    if "plane-densities" in tables:
        densities = tables["plane-densities"].iloc[:, 2:]
        meant += [z + column.to_numpy() for _, column in densities.items() if len(column) == len(z)]
    if "plans" in tables:  # what a plan makes of the second set: its sums, but for rows that are too small to be taken
        sums = [
            table.groupby(table.columns[1]).sum().to_numpy().ravel()
            for table in map(tables.get, ("plans", "true-plans"))
        ]
        known = np.unique(np.concatenate([known, *sums]))
        return not off(z, known, 200 * abs(z).max()).any()
    least = 0.03 if "plane-densities" in tables else 0.1 * abs(z).max()
    return any(not off(values, known, least).any() for values in meant)


def traces(page: str, specs: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Maps, and named curves, bars and points, of at least three numbers each."""
    for trace in (trace for spec in specs for trace in spec["data"]):
        kind = trace.setdefault("type", "scatter").removesuffix("gl").removesuffix("3d")
        name = trace.get("name") or ("people" if page == "population" and kind == "heatmap" else "")
        if kind == "heatmap":
            yield name or "a map", trace
        elif kind in ("scatter", "bar") and name and len(numeric(trace.get("y"))) > 2:
            yield name, trace


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
    for name, trace in traces(page, taken.specs):
        if {("", name), (page, name)} & UNTAKEN.keys():
            continue
        if not held(page, name, trace, known, tables):
            wrong.append(f"{name!r} is drawn and in no table")
    return wrong


#: What rounds a number for the screen, and what a cell writes around it.
WRITTEN: tuple[Callable[[float], str], ...] = (
    *(number, at_most, lambda value: at_most(value, 0.0), at_least, count),
    *(percent, percent_at_most, percent_at_least),
    *("{:g}".format, "{:.0%}".format, "{:.3g}".format, "{:.0e}".format),
)
_NUMBER = re.compile(r"[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?%?")


def cells(html: list[str]) -> Iterator[str]:
    """The cells of tables on the screen, apart from the first of each row, which names it."""
    for row in re.findall(r"<tr>(<td>.*?)</tr>", "".join(html), re.DOTALL):
        yield from (unescape(cell) for cell in re.findall(r"<td>(.*?)</td>", row, re.DOTALL)[1:])


def known_to(taken: Taken) -> np.ndarray:
    """Every number that is taken away, the settings, and means and deviations over draws."""
    tables = dict(taken.tables)
    for name, table in taken.tables.items():
        own = {column: column.removesuffix(NOT_PRIVATE) for column in table}
        if "draw" in own.values():
            keys = [c for c, word in own.items() if table[c].dtype.kind not in "f" and word not in ("draw", "atom")]
            groups = table.groupby(keys, sort=False)[list(table.select_dtypes("float"))]
            tables |= {f"{name} means": groups.mean(), f"{name} deviations": groups.std(ddof=1)}
    settings = numeric(list(flat(taken.numbers["config"]["settings"])))
    every = np.concatenate([numbers_in(tables), settings])
    return np.unique(np.concatenate([every, np.degrees(every)]))


def flat(settings: Any) -> Iterator[Any]:
    inner = settings.values() if isinstance(settings, dict) else settings if isinstance(settings, list) else ()
    yield from (one for part in inner for one in flat(part))
    if not isinstance(settings, dict | list):
        yield settings


def unknown_cells(taken: Taken) -> list[str]:
    """Cells on the screen with a number of which no file has the exact one."""
    every, wrong = known_to(taken), []
    odds = np.unique(np.concatenate([every, [1.0], 1.0 / every[every != 0]]))
    for cell in cells(taken.html):
        known = odds if " : " in cell else every
        for text in _NUMBER.findall(cell):
            value = float(text.replace(",", "").replace("−", "-").rstrip("%"))
            value /= 100.0 if text.endswith("%") else 1.0
            # A value beside its error, and a cost beside others, have fixed decimals: as many as the text has.
            decimals = len(text.rstrip("%").partition(".")[2])
            scale = 100.0 if text.endswith("%") else 1.0
            near = known[abs(known - value) <= 0.5001 * 10.0**-decimals / scale]
            fixed = "±" in cell or len(re.sub(r"\D", "", text).lstrip("0")) == 4
            if fixed and any(f"{scale * one:,.{decimals}f}" == text.rstrip("%").replace("−", "-") for one in near):
                continue
            near = known[abs(known - value) <= 0.011 * abs(value) + 1e-15]
            if not any(text.replace("−", "-") == write(one) for one in near for write in WRITTEN):
                wrong.append(f"{text} in {cell!r}")
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
    assert not unknown_cells(taken)
    assert place != "everyone" or len([*cells(taken.html)]) > 20, "tables on the screen are found"


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
