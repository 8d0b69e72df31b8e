"""The program of the hostile cases, which `make nightly PART=hostile` runs: what it notices, and that it repeats."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.__main__ import cases
from tests.hostile.case import case_rng

ROOT = Path(__file__).resolve().parents[2]


def test_there_are_two_thousand() -> None:
    names = [case.name for case in cases()]
    assert len(set(names)) == len(names) >= 2000


BOUNDS = """
from tests.hostile import case
from tests.hostile.case import Case, run
case.SECONDS = 1
def spin(_):
    while True: pass
def write(_):
    with open("left-behind", "wb", buffering=0) as file: file.write(b"a")
def deep(_):
    return deep(_)
def fail(_):
    raise ValueError("an object at 0x7f00 is not right")
def refuse(_):
    raise ValueError("the file is empty")
for read in (spin, lambda _: bytearray(600 * 2**20), write, deep, fail, refuse, lambda _: None):
    print(repr(run(Case("bounds", 0, lambda rng: None, read)).wrong))
"""


@pytest.mark.nightly
def test_a_broken_bound_is_noticed(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", BOUNDS], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    spin, memory, disk, deep, fail, refuse, well = done.stdout.splitlines()
    assert "signal" in spin and "MemoryError" in memory and "RecursionError" in deep
    assert "signal" in disk or "OSError" in disk
    assert "no sentence" in fail and refuse == well == "''"
    assert (tmp_path / "left-behind").stat().st_size == 0


@pytest.mark.nightly
def test_a_case_is_the_same_each_time() -> None:
    for case in cases()[::97]:
        first, second = (case.make(case_rng(case.kind, case.number)) for _ in range(2))
        assert first == second
