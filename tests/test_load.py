"""A small room of readers at a running server: `make load` has a large one."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import driver
from tests.load.__main__ import Server
from tests.load.client import Reader, Seen
from tests.load.faults import can_mount, suffer

COMMAND = [sys.executable, "-m", "tests.load", "--seconds", "6", "--seed", "8"]


@pytest.mark.slow
@pytest.mark.parametrize("servers", [1, 2])
def test_five_readers_and_one_with_heavy_work_meet_no_error(servers: int) -> None:
    """The one with heavy work is answered by a worker."""
    environment = os.environ | {"DPOT_WORKERS": "1"}
    given = [*COMMAND, "--sessions", "5", "--heavy", "1", "--servers", str(servers)]
    done = subprocess.run(given, cwd=driver.ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "errors: 0" in done.stdout, done.stdout + done.stderr
    counts = dict(re.findall(r"^(\w+) +([\d,]+) +[\d.]+ s", done.stdout, re.MULTILINE))
    assert int(counts["open"]) >= 5 and int(counts["epsilon"]) > 0 and int(counts["heavy"]) > 0
    server, together = (int(text.replace(",", "")) for text in re.findall(r"([\d,]+) MB", done.stdout))
    assert together > server > 100 * servers, "there are workers below the server"


@pytest.fixture
def server() -> Iterator[Server]:
    started = Server()
    try:
        started.wait()
        yield started
    finally:
        started.stop()


@pytest.mark.slow
def test_a_reader_stays_on_the_page_that_was_opened(server: Server) -> None:
    """Readers who moved to Home with their first control would measure Home."""
    heads: list[str] = []

    class Watched(Reader):
        def _look(self, element: Any, controls: dict[str, Any]) -> None:
            if element.WhichOneof("type") == "heading":
                heads.append(element.heading.body)
            super()._look(element, controls)

    seen = Seen()
    asyncio.run(Watched(server.address, seen, 1).read(time.monotonic() + 3))
    assert len(heads) > 1 and set(heads) == {"Finite ring"} and not seen.errors


@pytest.mark.slow
@pytest.mark.skipif(not can_mount(), reason="nothing can be mounted here")
def test_a_full_disk_and_a_read_only_cache_are_sentences_and_readers_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    seen = Seen()
    suffer(Server, seen)
    assert not seen.errors and not seen.away and len(seen.seconds["open"]) >= 10 and seen.seconds["epsilon"]
    said = capsys.readouterr().out
    assert "full disk (No space left on device): could not store the data in" in said
    assert "read-only cache (Read-only file system): could not store the data in" in said


@pytest.mark.slow
def test_a_machine_that_mounts_nothing_says_that_this_was_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as without:
        without.setattr("tests.load.faults._INSIDE", ["false"])
        suffer(Server, Seen())
    assert capsys.readouterr().out == "not run, because nothing can be mounted here: full disk, read-only cache\n"
