"""Hostile tables for every page that takes one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from dpot_app.shell.numbers import read_numbers, text_in
from dpot_core import datasets
from dpot_core.datasets.outlines import us_outline
from dpot_core.datasets.point_pairs import read_pair_csv, sniff_pair
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.ratings_csv import read_ratings_csv

COUNT = 700

#: By page: the header, and a row that fits it.
TABLES = {
    "population": ("lon,lat,weight,group", "-100.5,40.25,3,a"),
    "check-ins": ("user,lat,lon,count", "u1,30.25,-97.75,2"),
    "ratings": ("user,film,rating", "u1,f1,4"),
    "films": ("film,title,genres", "f1,A film,Drama|War"),
    "pairs": ("group,x,y", "a,0.5,0.25"),
    "numbers": ("weight", "0.25"),
}
WORDS = (
    *("nan", "inf", "-inf", "1e308", "-1e308", "1e999", "1e-320", "-0", "0x10", "1_0", "1,5", "+-1", "", " ", "NULL"),
    *("=1+1", "@SUM(A1)", "<script>alert(1)</script>", "\u202eabc", "\ud7ff", "😀" * 50, "\u0661", "\x0b", "\x1b[31m"),
    *('"', '""', "'", '"a', "a\x00b", "9" * 5000, "." * 5000, "a" * 200_000, "\\", "None", "True", "\u2028", "\ufeff"),
)


def make(rng: Random) -> tuple[str, bytes]:
    page = rng.choice(list(TABLES))
    header, row = TABLES[page]
    text = "\n".join([header, *[row] * rng.choice((0, 1, 3, 50))])
    for _ in range(rng.choice((1, 1, 2))):
        text = rng.choice(_TEXTS)(rng, text)
    return page, rng.choice(_BYTES)(rng, text)


def read(brought: tuple[str, bytes]) -> object:
    page, data = brought
    if page == "population":
        sniff_population(data)
        return read_population_csv(data, us_outline())
    if page == "check-ins":
        datasets.sniff_columns(data)
        return datasets.read_checkins_csv(data)
    if page == "ratings":
        datasets.sniff_ratings(data)
        return read_ratings_csv(data)
    if page == "films":
        return read_ratings_csv(b"user,film,rating\nu1,f1,4\nu2,f1,3\n", data)
    if page == "pairs":
        sniff_pair(data)
        return read_pair_csv(data)
    return read_numbers(text_in(data)[0], 30)


def _cell(rng: Random, text: str) -> str:
    """Another word in one cell, or many."""
    cells = text.replace("\n", ",\n,").split(",")
    for _ in range(rng.choice((1, 1, 5))):
        cells[rng.randrange(len(cells))] = rng.choice(WORDS)
    return ",".join(cells).replace(",\n,", "\n")


def _names(rng: Random, text: str) -> str:
    many = rng.choice((2, 999, 1001, 30_000, 100_000, 1_000_000))
    name = rng.choice(("", "a", "lon", "x{}", "😀{}"))
    return ",".join([text.partition("\n")[0], *(name.format(i) for i in range(many))]) + "\n" + text.partition("\n")[2]


def _rows(rng: Random, text: str) -> str:
    line = rng.choice((text.partition("\n")[2] or "1", "", ",,,", ",", '"', '"\n"'))
    return text + "\n" + "\n".join([line] * rng.choice((1000, 100_000, 300_000)))[:8_000_000]


def _long(rng: Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice('a1,;"\t é😀 .\u200b') * rng.choice((131_073, 1_000_000, 5_000_000)) + text[at:]


_TEXTS: tuple[Callable[[Random, str], str], ...] = (
    _cell,
    _cell,
    _cell,
    _names,
    _rows,
    _long,
    lambda rng, text: rng.choice("\n\r\t ;|\ufeff\"'") * rng.choice((1, 5000)) + text,
    lambda rng, text: text.replace(",", rng.choice((";", "\t", "|", " ", ",,", ", ", '","'))),
    lambda rng, text: text.replace("\n", rng.choice(("\r", "\r\n", "\n\r", "\n\n", "\u2028", "\x0c"))),
    lambda rng, text: text.replace("1", rng.choice(("9", "1" * 400, "-", "e"))),
    lambda rng, text: text[: rng.randrange(len(text) + 1)],
    lambda rng, text: "".join(
        rng.choice(",;\n\r\t\"'0123456789.-eEaé\x00|#= ") for _ in range(rng.choice((1, 50, 5000)))
    ),
)


def _flipped(rng: Random, text: str) -> bytes:
    data = bytearray(text.encode("utf-8", "surrogatepass")) or bytearray(b"a")
    for _ in range(rng.choice((1, 5, 50))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def encoded(name: str) -> Callable[[Random, str], bytes]:
    return lambda rng, text: text.encode(name, "replace")


_BYTES: tuple[Callable[[Random, str], bytes], ...] = (
    *[encoded("utf-8")] * 6,
    *map(encoded, ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "latin-1", "cp1252", "cp037")),
    _flipped,
    lambda rng, text: (
        rng.choice((b"PK\x03\x04", b"\x1f\x8b", b"%PDF", b"\xff\xfe", b"\xfe\xff", b"PAR1")) + text.encode()
    ),
    lambda rng, text: text.encode() + b"\x00" * rng.choice((1, 1000)),
    lambda rng, text: rng.randbytes(rng.choice((0, 1, 100, 100_000))),
)
