"""A real Dask cluster on this machine: a scheduler and two worker processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.prerequisites import unavailable

ROOT = Path(__file__).resolve().parents[1]


def until(there: Callable[[], object], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def needs_dask() -> None:
    if find_spec("distributed") is None:
        unavailable("Dask is not installed (the extra `cluster`)")


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Address of a scheduler with two workers, each a process, and these."""
    needs_dask()
    where = tmp_path / "scheduler.json"

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--scheduler-file", str(where), *arguments]
        with (tmp_path / "dask.log").open("ab") as log:
            return subprocess.Popen([*command, "--no-dashboard"], cwd=ROOT, stdout=log, stderr=log)

    started = [start("scheduler", "--host", "127.0.0.1", "--port", "0")]
    try:
        until(where.exists)
        place = str(tmp_path / "dask")
        one = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", place)
        started += [start("worker", *one) for _ in range(2)]
        until(lambda: (tmp_path / "dask.log").read_text().count("Register worker") == 2)
        yield json.loads(where.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()
