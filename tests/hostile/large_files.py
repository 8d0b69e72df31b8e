"""Files of some megabytes that make a parser take gigabytes or minutes: long lines, many columns, deep, wide, repeated."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from dpot_app.kit.cache import Cache
from dpot_app.kit.reading import read_once
from dpot_app.shell.numbers import read_numbers, text_in
from dpot_core import datasets
from dpot_core.datasets.city_grid import city_grid
from dpot_core.datasets.outlines import us_outline
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.ratings_csv import read_ratings_csv
from tests.hostile.csv_files import TABLES

COUNT = 250

MOST_BYTES = 6_000_000
_FILMS = b"user,film,rating\nu1,f1,4\nu2,f1,3\n"
_SNIFFS: dict[str, Callable[[bytes], Any]] = {
    "population": sniff_population,
    "check-ins": datasets.sniff_columns,
    "ratings": datasets.sniff_ratings,
    "pairs": datasets.sniff_pair,
}


def _zones(data: bytes) -> object:
    return datasets.read_zones_geojson(data, city_grid((-98.0, 30.1, -97.5, 30.5), 10))


def _population(data: bytes) -> object:
    return read_population_csv(data, us_outline())


def _films(data: bytes) -> object:
    return read_ratings_csv(_FILMS, data)


def _weights(data: bytes) -> object:
    return read_numbers(text_in(data)[0], 30)


# By page, each through the door of all.
_READERS: dict[str, Callable[[bytes], object]] = {
    "population": _population,
    "check-ins": datasets.read_checkins_csv,
    "ratings": read_ratings_csv,
    "films": _films,
    "pairs": datasets.read_pair_csv,
    "numbers": _weights,
    "zones": _zones,
}


def make(rng: Random) -> tuple[str, bytes]:
    page = rng.choice(list(_READERS))
    shape = rng.choice(_DEEP) if page == "zones" else rng.choice(_TABLES)
    size = rng.choice((400_000, 1_500_000, MOST_BYTES))
    text = shape(rng, *TABLES.get(page, ("", "")), size)
    return page, text.encode("utf-8", "replace")[: 2 * MOST_BYTES]


def read(brought: tuple[str, bytes]) -> object:
    page, data = brought
    if page in _SNIFFS:
        _SNIFFS[page](data)
    return read_once(Cache(1), _READERS[page])(data)


def _times(piece: str, size: int) -> str:
    return piece * max(size // max(len(piece), 1), 1)


def _long_line(rng: Random, header: str, row: str, size: int) -> str:
    sign = rng.choice((",", ",", ";", "\t", "|", '",', ',"', '"",', 'a,"b,c",', " ", "a", '"', "1", "."))
    before = "\n".join([header, *[row] * rng.choice((0, 1, 1000))])
    return f"{before}\n{rng.choice(('', row, 'a,', chr(34)))}{_times(sign, size)}{rng.choice(('', chr(10) + row))}"


def _many_columns(rng: Random, header: str, row: str, size: int) -> str:
    many = rng.choice((900, 996, 2000, 200_000))
    names = ",".join([header, *(f"x{at}" for at in range(many))])
    line = rng.choice((row, row + "," * many, row + ",1" * many, "," * many))
    return f"{names}\n{_times(line + chr(10), size)}"


def _repeated(rng: Random, header: str, row: str, size: int) -> str:
    line = rng.choice((header, row, "", ",", '"', '""', "\r", row + "\r", f'"{row}"', row.replace(",", ",,"), "1", "é"))
    return f"{header}\n{_times(line + chr(10), size)}"


def _different(rng: Random, header: str, row: str, size: int) -> str:
    """No two rows alike: as many people, films, groups and places as there are rows."""
    cells = row.split(",")
    lines = (
        ",".join(cell if rng.random() < 0.3 else f"{cell}{at}" for cell in cells)
        for at in range(size // (len(row) + 5))
    )
    return "\n".join([header, *lines])


def _long_cells(rng: Random, header: str, row: str, size: int) -> str:
    long = rng.choice(("9", "a", "0.", "1e", "😀", "\u202e", " ", "é", "&lt;")) * rng.choice((1000, 100_000, size))
    cells = row.split(",")
    cells[rng.randrange(len(cells))] = rng.choice((long, f'"{long}"', f'"{long}'))
    return f"{header}\n{_times(','.join(cells) + chr(10), size)}"


def _nested(rng: Random, _header: str, _row: str, size: int) -> str:
    opens, closes = rng.choice((("[", "]"), ('{"a":', "}"), ('{"type":"FeatureCollection","features":[', "]}")))
    deep = rng.choice((500, 100_000, size // len(opens + closes)))
    return opens * deep + rng.choice(("", "1")) + closes * rng.choice((0, deep))


def _wide(rng: Random, _header: str, _row: str, size: int) -> str:
    """One ring, or many, of many points; numbers that are long; members by the thousand."""
    point = rng.choice(
        ("[-97.7,30.3]", "[-97.7,30.3,1,1,1,1]", "[" + "9" * 4000 + ",1]", "[]", "1", "null", "[1e999,1]")
    )
    ring = "[" + ",".join([point] * rng.choice((4, 100, max(size // len(point), 4)))) + "]"
    rings = ",".join([ring] * max(1, rng.choice((1, size // len(ring)))))
    return f'{{"type":"Polygon","coordinates":[{rings[: 2 * size]}]}}'


def _features(rng: Random, _header: str, _row: str, size: int) -> str:
    square = "[[[-97.8,30.2],[-97.7,30.2],[-97.7,30.3],[-97.8,30.2]]]"
    names = ",".join(f'"k{at}":"{"n" * rng.choice((1, 50))}"' for at in range(rng.choice((0, 10, 1000))))
    kind = rng.choice(("Polygon", "MultiPolygon", "Point"))
    one = f'{{"type":"Feature","properties":{{{names}}},"geometry":{{"type":"{kind}","coordinates":{square}}}}}'
    return f'{{"type":"FeatureCollection","features":[{",".join([one] * max(1, size // len(one)))}]}}'


_Shape = Callable[[Random, str, str, int], str]
_TABLES: tuple[_Shape, ...] = (_long_line, _long_line, _many_columns, _repeated, _different, _long_cells)
_DEEP: tuple[_Shape, ...] = (_nested, _wide, _wide, _features)
