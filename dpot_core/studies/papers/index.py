"""The index itself: every row, and what was computed for it when it was recorded."""

import json
from functools import cache
from importlib import import_module, resources
from typing import Any

from dpot_core.studies.papers.row import PAPERS, Number, Row

FILE = resources.files(__package__).joinpath("stored.json")

#: Every row by its key, in the order of the papers and of their pages.
ROWS: dict[str, Row] = {row.key: row for paper in PAPERS for row in import_module(f"{__package__}.rows.{paper}").ROWS}


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


def stored(row: Row) -> dict[str, Number]:
    """The numbers that were recorded for a row; none if they are of another version of it."""
    kept = _content().get(row.key)
    if kept is None or kept["version"] != row.version:
        return {}
    return {name: Number(**number) for name, number in kept["numbers"].items()}
