"""Files of a few megabytes that would take gigabytes are refused before a parser sees them."""

from __future__ import annotations

import csv
import io
import random
import tracemalloc

import pandas as pd
import pytest

from dpot_app.kit.cache import Cache, forget, identity
from dpot_app.kit.reading import read_once
from dpot_core import datasets
from dpot_core.datasets import us_outline
from dpot_core.datasets.csv_bounds import first_record, without_quoted
from dpot_core.datasets.population_csv import read_population_csv, sniff_population
from dpot_core.datasets.ratings_csv import read_ratings_csv, sniff_ratings

READERS = {
    "user,lat,lon": (datasets.sniff_columns, datasets.read_checkins_csv),
    "lon,lat": (sniff_population, lambda data: read_population_csv(data, us_outline())),
    "user,film,rating": (sniff_ratings, read_ratings_csv),
    "group,x,y": (datasets.sniff_pair, datasets.read_pair_csv),
}
#: A line, how often it stands there, and what is said of it.
HOSTILE = {
    "one long line": ("," * 400_000, 1, "row 2 has 400,001 columns: more columns than the header"),
    "behind a quote": ('a",' + "," * 400_000, 1, "row 2 has 400,002 columns: more columns than the header"),
    "after a quoted cell": ('"a,b"",' + '",' * 200_000, 1, "columns: more columns than the header"),
    "many wide lines": ("," * 900, 2000, "row 2 has 901 columns: more columns than the header"),
}


@pytest.mark.parametrize("header", READERS)
@pytest.mark.parametrize("case", HOSTILE)
def test_no_parser_sees_a_long_line(header: str, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line, times, said = HOSTILE[case]
    data = "\n".join([header, *[line] * times]).encode()
    sniff, read = READERS[header]
    sniff(data)  # finds its header and leaves the complaint to the reader
    monkeypatch.setattr(pd, "read_csv", lambda *_, **__: pytest.fail("the parser was asked"))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=said):
            read(data)
        assert tracemalloc.get_traced_memory()[1] < 20 * len(data) + 10**7
    finally:
        tracemalloc.stop()


def test_cells_behind_quotes_are_counted_as_the_parser_counts_them() -> None:
    """Delimiters and line ends outside quoted cells, against Python's own parser."""
    rng = random.Random(0)
    for _ in range(3000):
        text = "".join(rng.choice('",\n"",a') for _ in range(rng.randrange(1, 25)))
        try:
            rows = list(csv.reader(io.StringIO(text + "\n", newline=""), strict=False))
        except csv.Error:
            continue
        # The longest row is never taken for a shorter one: an open quote at the end is not closed.
        found = without_quoted(text)
        if text.count('"') and found.count('"'):
            continue  # quotes inside cells: at least as many cells are counted, which the next lines show
        assert max(len(row) for row in rows) <= max(line.count(",") + 1 for line in found.split("\n"))
    assert first_record('a,"b\nc",d\ne') == 'a,"b\nc",d'
    assert first_record('a,b"c\nd') == 'a,b"c'


def test_long_text_in_quotes_is_no_long_line() -> None:
    shape = ", ".join(["1 2"] * 5000)
    data = f'user,lat,lon,shape\na,30,-97,"POLYGON(({shape}))"\n'.encode()
    assert datasets.read_checkins_csv(data).n_users == 1


def test_a_refusal_is_kept_until_the_file_is_forgotten() -> None:
    asked: list[bytes] = []

    def reader(data: bytes) -> int:
        asked.append(data)
        raise ValueError("no sense in it")

    read = read_once(Cache(4), reader)
    for _ in range(3):
        with pytest.raises(datasets.UnusableFile, match="no sense in it"):
            read(b"abc")
    assert asked == [b"abc"]
    digest = identity(b"abc")
    assert isinstance(digest, bytes)
    forget(digest)
    with pytest.raises(datasets.UnusableFile):
        read(b"abc")
    assert len(asked) == 2
