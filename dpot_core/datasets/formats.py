"""Formats of the tables that people bring: told by their content, each turned into text with commas.

Spreadsheets by openpyxl, Parquet by pyarrow, map files by GDAL (pyogrio), GeoTIFF by Pillow (`geotiff`), logs of
positions here (`histories`).
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dpot_core.datasets.archives import files_in, opened, unpacking
from dpot_core.datasets.csv_bounds import MAX_CELLS, MAX_COLUMNS, MAX_ROWS
from dpot_core.datasets.uploads import decode, plain_text
from dpot_core.privacy.numerals import counted

#: Endings of files that are read as tables.
TABLE_ENDINGS = (
    *("csv", "tsv", "txt", "dat", "data", "xlsx", "parquet"),
    *("geojson", "geojsonl", "json", "gpkg", "zip", "kml", "kmz", "gpx", "plt", "tif", "tiff"),
)

#: Endings of files that are read as zones.
MAP_ENDINGS = ("geojson", "geojsonl", "json", "gpkg", "zip", "kml", "kmz", "parquet")

_NETFLIX = re.compile(r"\s*\d+:\s*\n\s*\d+,")


@dataclass(frozen=True)
class TableText:
    """A table as text.

    Attributes:
        text: its rows, the first one with names unless `unnamed`.
        encoding: how its bytes were read; "" where they were no text.
        unnamed: whether its first row is one of the others.
        notes: what was chosen, turned or left out.
    """

    text: str
    encoding: str
    unnamed: bool = False
    notes: tuple[str, ...] = ()


def is_plain(data: bytes) -> bool:
    """Whether a file is text, which costs as much to read as it has bytes and cells."""
    return _kind(data) in ("text", "json", "log")


def table_text(data: bytes, what: str) -> TableText:
    """The rows of a file in any of the formats that are read.

    Args:
        data: the file's bytes; their size has been checked.
        what: the file's name in messages.

    Raises:
        ValueError: says what the file is, and what is wrong with it.
    """
    kind, data = map_kind(data)
    if kind == "text":
        return _from_text(data, what)
    if kind == "workbook":
        return _as_csv(*_workbook(data, what))
    if kind == "parquet":
        return _as_csv(*_parquet(data, what))
    # Only who brings one pays for the import of geopandas.
    from dpot_core.datasets import histories, map_files

    if kind in ("log", "logs"):
        return _as_csv(*histories.trajectories(data, what))
    if kind == "json" and (positions := histories.takeout(data, what)) is not None:
        return _as_csv(*positions)
    return _as_csv(*map_files.points(data, kind))


def map_kind(data: bytes) -> tuple[str, bytes]:
    """The kind of a file, and its bytes, unpacked where they were in an archive of one file."""
    kind = _kind(data)
    return _unpacked(data) if kind == "zip" else (kind, data)


def _kind(data: bytes) -> str:
    for magic, kind in (
        (b"PK\x03\x04", "zip"),
        (b"PAR1", "parquet"),
        (b"SQLite format 3\0", "geopackage"),
        (b"Geolife trajectory", "log"),
        *((magic, "geotiff") for magic in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")),
    ):
        if data.startswith(magic):
            return kind
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] in (b"{", b"["):
        return "json"
    if start[:1] == b"<" and (root := re.search(rb"<(kml|gpx)[\s>]", start)):
        return root[1].decode()
    return "text"


def _unpacked(data: bytes) -> tuple[str, bytes]:
    """The kind of what an archive holds, and its bytes: the archive's own, or those of its only file.

    Raises:
        ValueError: if it is damaged, unpacks to too much, or holds nothing that is read.
    """
    by_ending: dict[str, list[str]] = {}
    with opened(data) as archive:
        names = files_in(archive)
        if "xl/workbook.xml" in names:
            return "workbook", data
        for name in names:
            by_ending.setdefault(name.lower().rpartition(".")[2], []).append(name)
        if "shp" in by_ending:
            return "shapefile", _one_shapefile(archive, by_ending["shp"])
        if "plt" in by_ending:
            return "logs", data
        for ending in ("kml", "gpkg", "geojson", "tif", "csv", "tsv", "txt", "dat", "json"):
            if len(by_ending.get(ending, ())) == 1:
                content = archive.read(by_ending[ending][0])
                if (kind := _kind(content)) != "zip":
                    return kind, content
    held = ", ".join(sorted({f".{ending}" for ending in by_ending})[:8]) or "nothing"
    raise ValueError(
        f"the archive does not hold one table or one map alone (it holds {held}); unpack it and bring one file"
    )


def _one_shapefile(archive: zipfile.ZipFile, shapes: Sequence[str]) -> bytes:
    """A Shapefile's parts alone, in an archive without folders: what else is in it is not opened.

    Raises:
        ValueError: if there are several.
    """
    if len(shapes) > 1:
        raise ValueError(f"the archive holds {len(shapes):,} Shapefiles; bring one of them")
    stem = shapes[0][:-4]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as alone:
        for name in archive.namelist():
            ending = name[len(stem) :].lower()
            if name.startswith(stem) and ending in (".shp", ".shx", ".dbf", ".prj", ".cpg"):
                alone.writestr(f"shape{ending}", archive.read(name))
    return out.getvalue()


def _from_text(data: bytes, what: str) -> TableText:
    text, encoding = decode(data, what)
    notes = []
    if encoding == "Windows-1252":
        notes.append("The file is not valid UTF-8; it was read as Windows-1252, so accents may come out wrong.")
    if named := re.match(r"\s*sep=[,;\t|][ \t]*\r?\n", text, re.IGNORECASE):
        text = text[named.end() :]  # which delimiter it is shows in the rows as well
    if _NETFLIX.match(text[:200]):
        notes.append("Read as blocks of one film each: a line with its number, then user, rating and date.")
        return TableText(_from_blocks(text), encoding, notes=tuple(notes))
    first = text.lstrip("\r\n").split("\n", 1)[0]
    if first.count("::") >= 2:
        # As MovieLens writes: without names, cells parted by two colons; titles hold single ones, commas and quotes.
        lines = (line.split("::") for line in text.splitlines() if line)
        return TableText(_csv(lines), encoding, True, tuple(notes))
    return TableText(text, encoding, notes=tuple(notes))


def _from_blocks(text: str) -> str:
    rows, film = [["film", "user", "rating"]], ""
    for number, line in enumerate(text.split("\n"), start=1):
        if (cell := line.strip()).endswith(":"):
            film = cell[:-1]
        elif cell:
            cells = cell.split(",")
            if len(cells) not in (2, 3):
                raise ValueError(f"row {number:,} must hold user, rating and date; it has {len(cells):,} cells")
            rows.append([film, *cells[:2]])
    return _csv(rows)


def _workbook(data: bytes, what: str) -> tuple[Iterable[Sequence[Any]], list[str]]:
    """Rows of the first sheet that holds some."""
    import openpyxl

    try:
        with unpacking():
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            others, name = 0, ""
            found: list[list[Any]] = []
            for sheet in book.worksheets:
                rows = _rows_of(sheet, what, MAX_ROWS + 1)
                if found and rows:
                    others += 1
                elif rows:
                    found, name = rows, str(sheet.title)
    except (KeyError, TypeError, AttributeError, OSError, SyntaxError) as problem:
        # SyntaxError is what XML that is none raises.
        raise ValueError(f"the Excel workbook is damaged: {problem}") from problem
    if not found:
        raise ValueError("the sheets of the Excel workbook are empty")
    left = counted(others, "other sheet was", "other sheets were")
    notes = [f"Read from sheet {plain_text(name)!r} of an Excel workbook; {left} left out."] if others else []
    return found, notes


def _rows_of(sheet: Any, what: str, most: int) -> list[list[Any]]:
    """Rows of a sheet, none if all are empty; those before the first that is not stay, so that numbers of rows fit."""
    rows: list[list[Any]] = []
    cells = 0
    # What a workbook says of its size may be false: only what is there counts.
    sheet.reset_dimensions()
    for values in sheet.iter_rows(values_only=True):
        row = list(values)
        while row and row[-1] in (None, ""):
            row.pop()
        if len(row) > MAX_COLUMNS:
            raise ValueError(f"the {what} has {len(row):,} columns; at most {MAX_COLUMNS:,} are accepted")
        cells += len(row)
        if cells > MAX_CELLS:
            raise ValueError(f"the {what} has more than {MAX_CELLS:,} cells, the most that are accepted")
        rows.append(row)
        if len(rows) >= most:
            break
    while rows and not rows[-1]:
        rows.pop()
    width, first = max(map(len, rows), default=0), next((place for place, row in enumerate(rows) if row), 0)
    return rows[:first] + [row + [None] * (width - len(row)) for row in rows[first:]]


def _parquet(data: bytes, what: str) -> tuple[Iterable[Sequence[Any]], list[str]]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        if file.metadata.num_rows > MAX_ROWS or file.metadata.num_columns > MAX_COLUMNS:
            raise ValueError(
                f"the {what} has {file.metadata.num_rows:,} rows and {file.metadata.num_columns:,} columns; at most "
                f"{MAX_ROWS:,} and {MAX_COLUMNS:,} are accepted"
            )
        if b"geo" in (file.metadata.metadata or {}):
            from dpot_core.datasets import map_files

            return map_files.points(data, "geoparquet")
        flat = [field.name for field in file.schema_arrow if not pa.types.is_nested(field.type)]
        table = file.read(columns=flat)
    except pa.ArrowInvalid as problem:
        raise ValueError(f"the Parquet file is damaged: {problem}") from problem
    except OSError as problem:
        raise ValueError(f"the Parquet file cannot be read: {problem}") from problem
    columns = [column.to_pylist() for column in table.columns]
    return [list(flat), *zip(*columns, strict=True)], []


def _as_csv(rows: Iterable[Sequence[Any]], notes: Sequence[str]) -> TableText:
    return TableText(_csv([_cell(value) for value in row] for row in rows), "", notes=tuple(notes))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _csv(rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
