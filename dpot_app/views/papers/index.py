"""The index itself: every row, and what was computed for it when it was recorded."""

import json
from functools import cache
from importlib import import_module, resources
from typing import Any, NamedTuple

from dpot_app.views.papers.row import PAPERS, Number, Row

FILE = resources.files(__package__).joinpath("stored.json")

#: Every row by its key, in the order of the papers and of their pages.
ROWS: dict[str, Row] = {row.key: row for paper in PAPERS for row in import_module(f"{__package__}.rows.{paper}").ROWS}

#: Small pictures of our figures, and what each is a picture of: `make papers-thumbnails`.
THUMBNAILS = resources.files(__package__).joinpath("thumbnails")


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


class Thumbnail(NamedTuple):
    """A small picture of a figure."""

    title: str  # of the figure
    webp: bytes


@cache
def _pictured() -> dict[str, dict[str, str]]:
    content: dict[str, dict[str, str]] = json.loads(THUMBNAILS.joinpath("made.json").read_text(encoding="utf-8"))
    return content


@cache
def thumbnail(key: str) -> Thumbnail | None:
    """The small picture of a row; None without a figure, or if what was made is of another one."""
    kept = _pictured().get(key)
    if kept is None or kept["of"] != ROWS[key].figure_of:
        return None
    return Thumbnail(kept["title"], THUMBNAILS.joinpath(f"{key}.webp").read_bytes())
