"""Files that are not modest are read within limits of memory and time, away from a server's threads."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from dpot_app.kit.cache import Cache
from dpot_app.kit.reading import MODEST_BYTES, MODEST_CELLS, is_modest, read_once
from dpot_app.kit.workers import bounded
from dpot_core import datasets
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import UnusableFile
from tests.datasets import brought

LARGE = b"user,lat,lon\n" + b"a,30.25,-97.75\nb,30.5,-97.5\n" * 40_000


def process(data: bytes, progress: Progress | None = None) -> tuple[int, int]:
    if progress is not None:
        progress(1, 2)
    return os.getpid(), len(data)


def greedy(data: bytes) -> int:
    return np.empty(3 * 2**30, dtype=np.uint8).size + len(data)  # none of it is touched


def endless(data: bytes) -> int:
    while True:
        data = data[::-1]


def deadly(data: bytes) -> int:
    os.kill(os.getpid(), 9)
    return len(data)


def unlucky(data: bytes) -> int:
    raise ValueError(f"{len(data):,} bytes and no sense in them")


def in_thread(function: Callable[[], Any]) -> Any:
    """As a server's script does it."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(function).result()


def test_modest_files_are_read_here() -> None:
    assert is_modest([b"a" * MODEST_BYTES, "text", None]) and not is_modest([b"a" * MODEST_BYTES, b"a"])
    for sign in b",;\t|\n[{":
        assert is_modest([bytes([sign]) * MODEST_CELLS]) and not is_modest([bytes([sign]) * (MODEST_CELLS + 1)])


@pytest.mark.parametrize("name", ["one sheet.xlsx", "table.parquet", "points.gpkg", "points.kmz", "track.gpx"])
def test_packed_files_are_never_modest(name: str) -> None:
    assert not is_modest([brought.made(name)]) and is_modest([brought.made("comma.csv")])


def test_a_server_reads_large_files_in_a_process_of_their_own() -> None:
    read = read_once(Cache(9), process)
    heard = list[tuple[int, int]]()
    number, size = in_thread(lambda: read(LARGE, lambda *done: heard.append(done)))
    assert number != os.getpid() and size == len(LARGE) and heard == [(1, 2)]
    assert in_thread(lambda: read(LARGE[:1000]))[0] == os.getpid()
    another = in_thread(lambda: read(LARGE + b"a"))[0]
    assert another not in (number, os.getpid()), "each file has its own"
    there = in_thread(lambda: read_once(Cache(9), datasets.read_checkins_csv)(LARGE))
    assert there.digest == datasets.read_checkins_csv(LARGE).digest and there.n_users == 2


@pytest.mark.parametrize("reader", [greedy, pytest.param(endless, marks=pytest.mark.nightly), deadly])
def test_files_beyond_the_limits_are_refused_in_words_and_once(
    reader: Callable[[bytes], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "SECONDS", 1)
    read = read_once(Cache(9), reader)
    with pytest.raises(UnusableFile, match=r"more than 2 GiB of memory or 1 seconds\. Leave out columns, or"):
        in_thread(lambda: read(LARGE))
    monkeypatch.setattr("dpot_app.kit.reading.bounded", lambda *_: pytest.fail("it was read again"))
    with pytest.raises(UnusableFile, match="Leave out columns"):
        in_thread(lambda: read(LARGE))


def test_a_complaint_comes_through() -> None:
    with pytest.raises(UnusableFile, match="bytes and no sense in them") as refused:
        in_thread(lambda: read_once(Cache(9), unlucky)(LARGE))
    assert refused.value.__cause__ is None
    with pytest.raises(datasets.ColumnsError) as missing:
        in_thread(lambda: read_once(Cache(9), datasets.read_checkins_csv)(LARGE.replace(b"lat", b"how", 1)))
    assert missing.value.columns.names == ("user", "how", "lon")


@pytest.mark.parametrize("reader", [greedy, pytest.param(endless, marks=pytest.mark.nightly)])
def test_a_worker_and_the_command_line_have_the_limits_themselves(
    reader: Callable[[bytes], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert threading.current_thread() is threading.main_thread()
    monkeypatch.setattr(bounded, "SECONDS", 1)
    before = [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    with pytest.raises(UnusableFile, match="Leave out columns"):
        read_once(Cache(9), reader)(LARGE)
    assert before == [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    assert read_once(Cache(9), process)(LARGE) == (os.getpid(), len(LARGE))
