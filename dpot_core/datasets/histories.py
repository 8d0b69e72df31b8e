"""Logs of one person's positions: Google's location history (Takeout), and Geolife's trajectories (PLT)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from dpot_core.datasets.archives import files_in, opened
from dpot_core.datasets.csv_bounds import MAX_ROWS
from dpot_core.datasets.uploads import decode

Rows = tuple[list[Sequence[Any]], list[str]]

#: Lines of a PLT file before the first position.
_PLT_HEAD = 6
_LAT_LON = re.compile(r"(?:geo:)?\s*(-?\d{1,3}(?:\.\d+)?)°?\s*,\s*(-?\d{1,3}(?:\.\d+)?)°?")
_ONE_PERSON = "A location history is one person's: all positions were read as one user's."


def takeout(data: bytes, what: str) -> Rows | None:
    """Rows user, lat, lon of a location history; None if the JSON is none, but perhaps a map.

    Visits of places are read where there are some, and positions on the way where there are none. Formats: Records.json
    (``locations``), the months of Semantic Location History (``timelineObjects``), and what phones export since 2024
    (``semanticSegments``, or a list of visits).

    Raises:
        ValueError: if it holds no position, or too many.
    """
    text, _ = decode(data, what)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None  # lines of GeoJSON, or nothing: GDAL says which
    if isinstance(document, list):
        segments = document
    elif isinstance(document, dict) and not isinstance(document.get("type"), str):
        kept = [document.get(key) for key in ("semanticSegments", "timelineObjects", "locations")]
        lists = [one for one in kept if isinstance(one, list)]
        if not lists:
            return None
        segments = lists[0]
    else:
        return None
    visits: list[tuple[float, float]] = []
    path: list[tuple[float, float]] = []
    for segment in segments:
        if isinstance(segment, dict):
            visits += _visits(segment)
            path += _path(segment)
        if len(visits) + len(path) > 10 * MAX_ROWS:
            raise ValueError(f"the {what} holds more than {10 * MAX_ROWS:,} positions")
    found = visits or path
    if not found:
        raise ValueError("this JSON holds no position; a location history of Google or a GeoJSON map is read")
    if len(found) > MAX_ROWS:
        raise ValueError(f"the {what} holds {len(found):,} positions; at most {MAX_ROWS:,} are accepted")
    notes = [_ONE_PERSON]
    if visits and path:
        notes.append(f"Visits of places were read ({len(visits):,}), positions on the way left out ({len(path):,}).")
    return [("user", "lat", "lon"), *(("1", *one) for one in found)], notes


def _visits(segment: dict[str, Any]) -> Iterator[tuple[float, float]]:
    for place in (
        _inside(segment, "placeVisit", "location"),
        _inside(segment, "visit", "topCandidate", "placeLocation"),
    ):
        if (position := _position(place)) is not None:
            yield position


def _path(segment: dict[str, Any]) -> Iterator[tuple[float, float]]:
    if (position := _position(segment)) is not None:
        yield position
    steps = segment.get("timelinePath")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and (position := _position(step.get("point"))) is not None:
            yield position


def _inside(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _position(place: Any) -> tuple[float, float] | None:
    """Latitude and longitude as any of the formats writes them."""
    if isinstance(place, dict):
        if "latLng" in place:
            return _position(place["latLng"])
        lat, lon = place.get("latitudeE7"), place.get("longitudeE7")
        if isinstance(lat, int) and isinstance(lon, int):
            return lat / 1e7, lon / 1e7
    elif isinstance(place, str) and (found := _LAT_LON.fullmatch(place.strip())):
        return float(found[1]), float(found[2])
    return None


def trajectories(data: bytes, what: str) -> Rows:
    """Rows user, lat, lon of a PLT file, or of an archive of them: the folder above *Trajectory* names the user.

    Raises:
        ValueError: names the file and the row that holds no position.
    """
    rows: list[Sequence[Any]] = [("user", "lat", "lon")]
    if not data.startswith(b"PK"):
        rows += _plt(data, "1", what)
        return rows, [_ONE_PERSON]
    with opened(data) as archive:
        for name in sorted(files_in(archive)):
            if name.lower().endswith(".plt"):
                folders = [part for part in name.split("/")[:-1] if part.lower() != "trajectory"]
                rows += _plt(archive.read(name), folders[-1] if folders else "1", name)
                if len(rows) > MAX_ROWS:
                    raise ValueError(f"the {what} holds more than {MAX_ROWS:,} positions, the most that are accepted")
    return rows, [f"Read from trajectories of {len({row[0] for row in rows[1:]}):,} people, named by their folders."]


def _plt(data: bytes, user: str, what: str) -> Iterator[tuple[str, str, str]]:
    text, _ = decode(data, what)
    for number, line in enumerate(text.splitlines()[_PLT_HEAD:], start=_PLT_HEAD + 1):
        cells = line.split(",")
        if len(cells) < 2:
            raise ValueError(f"{what}, row {number:,}: no latitude and longitude")
        yield user, cells[0], cells[1]
