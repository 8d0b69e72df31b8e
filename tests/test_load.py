"""A small room of readers at a running server: `make load` has a large one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from typing import Any

import pytest

from dpot_app.serve.servers import haproxy
from tests.browser import driver
from tests.load.__main__ import Server, main
from tests.load.client import Reader, Seen
from tests.load.faults import can_mount, suffer
from tests.prerequisites import unavailable

pytestmark = pytest.mark.nightly

#: Everybody moves something once at least, however short the time is.
ROOM = ["--seconds", "2", "--seed", "8", "--heavy", "1", "--sessions"]


def no_error(said: str, readers: int, servers: int) -> None:
    """The reader with heavy work is answered by a worker."""
    assert "errors: 0" in said, said
    counts = dict(re.findall(r"^(\w+) +([\d,]+) +[\d.]+ s", said, re.MULTILINE))
    assert int(counts["open"]) >= readers and int(counts["epsilon"]) > 0 and int(counts["heavy"]) > 0
    server, together = (int(text.replace(",", "")) for text in re.findall(r"([\d,]+) MB", said))
    assert together > server > 100 * servers, "there are workers below the server"


@pytest.mark.slow
def test_three_readers_and_one_with_heavy_work_meet_no_error_at_two_servers() -> None:
    if haproxy() is None:
        unavailable("HAProxy (Debian: apt install haproxy)")
    command = [sys.executable, "-m", "tests.load", *ROOM, "3", "--servers", "2"]
    environment = os.environ | {"DPOT_WORKERS": "1"}
    done = subprocess.run(command, cwd=driver.ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    no_error(done.stdout, 3, 2)


@pytest.mark.slow
def test_five_meet_none_at_one_server_and_stay_on_the_pages_that_they_opened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Readers who moved to Home with their first control would measure Home."""
    heads: dict[tuple[int, str], list[str]] = defaultdict(list)

    class Watched(Reader):
        def _look(self, element: Any, controls: dict[str, Any]) -> None:
            if element.WhichOneof("type") == "heading":
                heads[id(self), self._page].append(element.heading.body)
            super()._look(element, controls)

    monkeypatch.setattr("tests.load.__main__.Reader", Watched)
    monkeypatch.setenv("DPOT_WORKERS", "1")
    assert main([*ROOM, "5", "--servers", "1"]) == 0
    no_error(capsys.readouterr().out, 5, 1)
    on_ring = [shown for (_, page), shown in heads.items() if page == "ring"]
    assert [shown for shown in on_ring if len(shown) > 1]
    assert all(set(shown) == {"Finite ring"} for shown in on_ring)
    assert all(len(set(shown)) == 1 for shown in heads.values()), heads


@pytest.mark.slow
@pytest.mark.skipif(not can_mount(), reason="nothing can be mounted here")
def test_a_full_disk_and_a_read_only_cache_are_sentences_and_readers_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Readers stay for less long than in `make load`; the disk is full after the first of these seconds.
    monkeypatch.setattr("tests.load.faults.SECONDS", 4.0)
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
