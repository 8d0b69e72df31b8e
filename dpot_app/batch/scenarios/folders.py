"""Files that a run leaves behind: their names and texts, and which files of a folder no run has left there."""

import json
import re
from pathlib import Path

from dpot_app.batch.exports import csv_safe, to_json
from dpot_app.batch.scenarios.documents import write
from dpot_app.batch.scenarios.scenario import Outcome
from dpot_core.datasets.writing import is_real

#: With and without a release: one of them, beside a table's numbers.
PROMISED, NOT_RELEASED = "guarantee.txt", "no-release.txt"
NUMBERS, SNIPPET, SCENARIO = "numbers.json", "snippet.py", "scenario.yaml"
#: The folders of several scenarios.
_NUMBERED = re.compile(r"\d{2,}-[a-z0-9_.-]+")


def texts(outcome: Outcome) -> dict[str, str]:
    """Tables, numbers, promise, Python and the scenario itself, by the name of the file.

    A guarantee is there only where something is released, and says what of the files it covers.
    """
    scenario, disclosure = outcome.scenario, outcome.disclosure
    tables = outcome.marked()
    about = {
        "kind": scenario.kind,
        "title": scenario.title,
        "settings": scenario.config,
        "headlines": disclosure.mark_numbers(outcome.headlines),
        "promise": disclosure.described(),
    }
    return {f"{name}.csv": csv_safe(table) for name, table in tables.items()} | {
        NUMBERS: to_json(tables, about),
        (PROMISED if disclosure.parts else NOT_RELEASED): "\n".join(disclosure.sentences()) + "\n",
        SNIPPET: scenario.view.python(scenario.config),
        SCENARIO: write([scenario]),
    }


def numbered(place: int, kind: str) -> str:
    """The folder of one of several scenarios, counted from 1."""
    return f"{place:02d}-{kind}"


def foreign(folder: Path) -> Path | None:
    """The first thing in a folder that was not left there by one run, of one scenario or of several; None without."""
    there = sorted(folder.iterdir())
    several = [path for path in there if _NUMBERED.fullmatch(path.name) and path.is_dir() and is_real(path)]
    if not several:
        return _foreign_to_one(there)
    if rest := [path for path in there if path not in several]:
        return rest[0]
    return next((found for path in several if (found := _foreign_to_one(sorted(path.iterdir())))), None)


def _foreign_to_one(there: list[Path]) -> Path | None:
    """Likewise of one scenario: the names of its tables stand in its numbers."""
    ours: set[str] = set()
    for path in there:
        if path.name == NUMBERS and path.is_file() and is_real(path):
            try:
                content = json.loads(path.read_bytes())
                kind, tables = content["config"]["kind"], {f"{name}.csv" for name in content["tables"]}
            except (ValueError, TypeError, KeyError, RecursionError):
                continue  # of another program
            ours = {PROMISED, NOT_RELEASED, NUMBERS, SNIPPET, SCENARIO} | tables if kind else set()
    return next((path for path in there if not (path.name in ours and path.is_file() and is_real(path))), None)
