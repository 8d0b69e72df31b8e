"""Hostile files in the formats of spreadsheets, map programs and phones: damaged, mixed up, or with odd features."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from random import Random

from dpot_core import datasets
from dpot_core.datasets import city_grid
from dpot_core.datasets.outlines import box_outline
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.zones import read_zones_geojson
from tests.datasets import brought

COUNT = 10_000

_CITY = city_grid((11.3, 48.0, 11.9, 48.3), 5)
_WORLD = box_outline(-180.0, -90.0, 180.0, 90.0)
#: Words of the formats, for one another's places.
_WORDS = (
    *(
        b"Point",
        b"MultiPoint",
        b"GeometryCollection",
        b"null",
        b"NaN",
        b"-1e400",
        b"1" * 400,
        b"\x00",
        b"\xff\xfe",
        b"{" * 2000,
    ),
    *(
        b"latitudeE7",
        b"semanticSegments",
        b"EPSG:3857",
        b"EPSG:999999",
        b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]>",
        b"&a;" * 50,
    ),
    *(
        b"file:///etc/passwd",
        b"/vsicurl/http://127.0.0.1:9/x",
        b"GEOMETRYCOLLECTION",
        b"sep=",
        b"::",
        b"\r\n\r\n",
        b'"',
        b"\t",
    ),
)


def make(rng: Random) -> tuple[str, bytes]:
    name = rng.choice([*brought.MADE, *brought.ZONES, *brought.GRIDS])
    data = brought.made(name)
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice(_CHANGES)(rng, data)
    return name, data


def read(brought_one: tuple[str, bytes]) -> object:
    """As every page that takes such a file would; the last one's complaint is that of the case."""
    name, data = brought_one
    if name in brought.ZONES:
        return read_zones_geojson(data, _CITY)
    try:
        sniff_population(data)
        read_population_csv(data, _WORLD)
    except ValueError:
        pass
    datasets.sniff_columns(data)
    return datasets.read_checkins_csv(data)


def _flipped(rng: Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 3, 30))):
        if out:
            out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def _cut(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _grown(rng: Random, data: bytes) -> bytes:
    at, piece = rng.randrange(len(data) + 1), rng.choice(_WORDS)
    return data[:at] + piece * rng.choice((1, 1, 50)) + data[at:]


def _exchanged(rng: Random, data: bytes) -> bytes:
    """A word of the file gives way to another, everywhere."""
    words = re.findall(rb"[A-Za-z]{3,20}", data[:20_000])
    return data.replace(rng.choice(words), rng.choice([*_WORDS, *words])) if words else data


def _repeated(rng: Random, data: bytes) -> bytes:
    return (data * rng.choice((2, 100)))[: 2 * 2**20]


def _repacked(rng: Random, data: bytes) -> bytes:
    """An archive whose members are damaged, renamed, doubled or missing; what is none is put into one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as old:
            members = {name: old.read(name) for name in old.namelist()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        members = {rng.choice(("a.csv", "b/c.kml", "x.shp", "xl/workbook.xml", "t.plt", "../../a.csv")): data}
    for _ in range(rng.choice((1, 2))):
        if not members:
            break
        name = rng.choice(list(members))
        deed = rng.randrange(4)
        if deed == 0:
            members[name] = rng.choice((_flipped, _cut, _grown, _exchanged))(rng, members[name])
        elif deed == 1:
            members[rng.choice((name.upper(), f"../{name}", name + ".shp", f"deep/{name}"))] = members.pop(name)
        elif deed == 2:
            del members[name]
        else:
            members[f"more/{name}"] = members[name]
    return brought.archive(members)


def _deep(rng: Random, data: bytes) -> bytes:
    """JSON inside JSON, or a value of another kind somewhere in it."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return _grown(rng, data)
    others = (None, [], {}, "x", 1e300, True, [[]], {"type": "Feature"}, -1)
    places: list[tuple[object, object]] = []
    left = [document]
    while left:
        one = left.pop()
        for key in one if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ():
            places.append((one, key))
            left.append(one[key])
    if places:
        holder, key = rng.choice(places)
        holder[key] = rng.choice((*others, [holder[key]]))  # type: ignore[index]
    return json.dumps(document).encode()


_CHANGES: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_flipped, _cut, _grown, _exchanged, _repeated, _repacked, _repacked, _deep, _deep),
)
