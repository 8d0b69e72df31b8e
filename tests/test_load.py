"""A small room of readers at a running server: `make load` has a large one."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.browser import driver

COMMAND = [sys.executable, "-m", "tests.load", "--seconds", "6", "--seed", "8"]


@pytest.mark.slow
def test_five_readers_and_one_with_heavy_work_meet_no_error() -> None:
    """The one with heavy work is answered by a worker."""
    environment = os.environ | {"DPOT_WORKERS": "1"}
    given = [*COMMAND, "--sessions", "5", "--heavy", "1"]
    done = subprocess.run(given, cwd=driver.ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "errors: 0" in done.stdout, done.stdout + done.stderr
    counts = dict(re.findall(r"^(\w+) +([\d,]+) +[\d.]+ s", done.stdout, re.MULTILINE))
    assert int(counts["open"]) >= 5 and int(counts["epsilon"]) > 0 and int(counts["heavy"]) > 0
    server, together = (int(text.replace(",", "")) for text in re.findall(r"([\d,]+) MB", done.stdout))
    assert together > server > 100, "there are workers below the server"
