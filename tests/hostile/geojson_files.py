"""Hostile zones: wrong types, wrong numbers, and polygons that take the square of their size."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from random import Random
from typing import Any

from dpot_core.datasets.city_grid import city_grid
from dpot_core.datasets.zones import read_zones_geojson

COUNT = 400
BOX = (-98.0, 30.1, -97.5, 30.5)

JUNK: tuple[Any, ...] = (
    *(None, True, [], {}, "", "a", "NaN", -1, 0, 181, 91, 1e308, -1e308, 1e-320, float("nan"), float("inf")),
    *([[]], [[[]]], [None], [1], [1, 2], [[1, 2]], {"type": "Polygon"}, "\ud800", "\u0000", "<b>", "9" * 5000, 10**400),
    *([[[0, 0], [1, 1]]], {"a": {"b": {"c": []}}}, [[["1", "2"]] * 4], "Point", "GeometryCollection", [[[1, 2, 3, 4]]]),
)


def _square(x: float, y: float, side: float) -> list[Any]:
    return [[[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]]


def _parts(rng: Random) -> list[Any]:
    many = rng.choice((1, 2, 2, 10, 10, 500, 2900, 5000))
    how = rng.choice(("equal", "nested", "overlapping", "touching", "apart", "small"))
    places = {
        "equal": lambda i: (-97.9, 30.2, 0.2),
        "nested": lambda i: (-97.9 + 2e-6 * i, 30.2 + 2e-6 * i, 0.2 - 4e-6 * i),
        "overlapping": lambda i: (-97.9 + 0.01 * rng.random(), 30.2 + 0.01 * rng.random(), 0.2),
        "touching": lambda i: (-97.9 + 0.001 * (i % 141), 30.2 + 0.001 * (i // 141), 0.001),
        "apart": lambda i: (-97.9 + 0.001 * (i % 141), 30.2 + 0.001 * (i // 141), 0.0005),
        "small": lambda i: (-97.9 + 1e-9 * i, 30.2, 1e-12),
    }
    return [_square(*places[how](i)) for i in range(many)]


def _ring(rng: Random) -> list[Any]:
    many = rng.choice((4, 5, 12, 12, 300, 300, 5000, 5000, 30_000))
    how = rng.choice(("comb", "random", "star", "spiral", "line", "same"))
    points: list[list[float]] = []
    for i in range(many):
        angle, share = 2 * math.pi * i * (many // 2 - 1) / many, i / many
        points.append(
            {
                "comb": [-97.9 + 0.3 * share, 30.2 + 0.1 * (i % 2)],
                "random": [-97.9 + 0.3 * rng.random(), 30.2 + 0.2 * rng.random()],
                "star": [-97.75 + 0.1 * math.cos(angle), 30.3 + 0.1 * math.sin(angle)],
                "spiral": [-97.75 + 0.1 * share * math.cos(300 * share), 30.3 + 0.1 * share * math.sin(300 * share)],
                "line": [-97.9 + 0.3 * share, 30.3],
                "same": [-97.9, 30.3],
            }[how]
        )
    return [*points, [-97.6, 30.15], [-97.9, 30.15], points[0]]


def _feature(rng: Random, kind: str, coordinates: Any) -> dict[str, Any]:
    name = rng.choice(("Zone", "", "<b>x</b>", "a" * 5000, None, 1e999, {"a": 1}, "\ud800", "😀\u202e"))
    return {"type": "Feature", "properties": {"name": name}, "geometry": {"type": kind, "coordinates": coordinates}}


def make(rng: Random) -> bytes:
    if rng.random() < 0.15:
        return rng.choice(_RAW)(rng)
    features = []
    for _ in range(rng.choice((1, 1, 2, 5))):
        if rng.random() < 0.5:
            features.append(_feature(rng, "MultiPolygon", _parts(rng)))
        else:
            holes = _parts(rng)[:3000] if rng.random() < 0.2 else []
            features.append(_feature(rng, "Polygon", [_ring(rng), *(hole[0] for hole in holes)]))
    document: Any = {"type": "FeatureCollection", "features": features}
    if rng.random() < 0.4:
        _spoil(rng, document)
    data = json.dumps(document, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return rng.choice(_BYTES)(rng, data) if rng.random() < 0.3 else data


def _spoil(rng: Random, document: Any) -> None:
    """Put junk somewhere."""
    place = document
    for _ in range(rng.randrange(8)):
        inside = [
            one
            for one in (place.values() if isinstance(place, dict) else place[:50])
            if isinstance(one, list | dict) and one
        ]
        if not inside:
            break
        place = rng.choice(inside)
    place[rng.choice(list(place) if isinstance(place, dict) else range(len(place)))] = rng.choice(JUNK)


_RAW: tuple[Callable[[Random], bytes], ...] = (
    lambda rng: rng.choice((b"[", b'{"a":', b"[[[]],", b'[{"a":')) * rng.choice((10, 1000, 100_000)),
    lambda rng: b"[" * 900 + b"]" * 900,
    lambda rng: (
        b'{"type":"MultiPolygon","coordinates":[' + rng.choice((b"[],", b"1,", b'"a",', b"{},")) * 1_300_000 + b"[]]}"
    ),
    lambda rng: (
        b'{"type":"Polygon","coordinates":[[[' + b"1" * rng.choice((400, 5000, 1_000_000)) + b",1],[1,2],[2,1]]]}"
    ),
    lambda rng: json.dumps(rng.choice(JUNK)).encode(),
    lambda rng: rng.randbytes(rng.choice((0, 1, 100, 100_000))),
    lambda rng: b'{"type":"Feature","crs":' + b"[" * 500 + b"]" * 500 + b',"geometry":null}',
)
_BYTES: tuple[Callable[[Random, bytes], bytes], ...] = (
    lambda rng, data: data[: rng.randrange(len(data))],
    lambda rng, data: data[:50] + bytes([data[50] ^ 1 << rng.randrange(8)]) + data[51:],
    lambda rng, data: data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-7"))),
    lambda rng, data: b"\xef\xbb\xbf" + data + rng.choice((b"", b"\x00", b"}", data[:1000])),
    lambda rng, data: data.replace(b"30.2", rng.choice((b"NaN", b"-Infinity", b"1e999", b"null", b'"30.2"', b"30"))),
)


def read(data: bytes) -> object:
    return read_zones_geojson(data, city_grid(BOX, 10))
