"""``python -m tests.nightly [PART ...]``: `make test` and everything that it leaves out; one table at the end.

Tests that are marked nightly are found by the marker, and belong to the part whose path holds them, else to "rest".
Parts that measure, or use every processor by themselves, run alone; of the others, which mostly use one, two run at a
time. What a part prints is kept in build/nightly/. Exit code 1 if anything failed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "build" / "nightly"

#: Parts that are marked tests of a file or folder; "browser" comes after the files in it.
PATHS = {
    "wheel": "tests/browser/test_wheel.py",
    "cluster": "tests/kit/test_workers_on_a_cluster.py",
    "corpus": "tests/test_corpus.py",
    "mixtures": "tests/views/mixture/test_random_many.py",
    "browser": "tests/browser",
    "rest": "tests",
}
PYTEST = [sys.executable, "-m", "pytest", "-m", "nightly"]

#: Parts that are programs of their own; the last line that each prints says "N passed, N failed".
PROGRAMS = {
    "test": ["make", "test", f"VENV={sys.prefix}"],
    "mutants": [sys.executable, "-m", "tests.mutants", "--processes", "1"],
    "hostile": [sys.executable, "-m", "tests.hostile"],
    "monkey": [sys.executable, "-m", "tests.monkey", "--steps", "3000"],
    "load": [sys.executable, "-m", "tests.load", "--faults"],
    "walks": [sys.executable, "-m", "tests.browser.walk"],
    "recipes": [sys.executable, "-m", "tests.recipes"],
    "order": [sys.executable, "-m", "pytest", "-p", "randomly", "-n", "2", "--hypothesis-profile=night"],
    "benchmarks": [sys.executable, "-m", "benchmarks"],
}
ALONE = ("test", "order", "load", "benchmarks")
#: Begun in this order, the longest of those that run beside one another first.
PARTS = [*ALONE, "monkey", "mutants", "rest", "mixtures", "browser"]
PARTS += [part for part in (*PROGRAMS, *PATHS) if part not in PARTS]


@dataclass(frozen=True)
class Outcome:
    """How a part went."""

    part: str
    passed: int
    failed: int
    seconds: float


def command(part: str) -> list[str]:
    """How a part is run: a program, or the marked tests below its path that are in no part before it."""
    if part in PROGRAMS:
        return PROGRAMS[part]
    path, before = PATHS[part], list(PATHS)[: list(PATHS).index(part)]
    inside = [PATHS[other] for other in before if (ROOT / path) in (ROOT / PATHS[other]).parents]
    return [*PYTEST, path, *(f"--ignore={other}" for other in inside)]


def counted(said: str, code: int) -> tuple[int, int]:
    """Passed and failed, by the last line that counts them; a program that ended badly has failed at least once.

    >>> counted("12 passed, 3 skipped in 4.5s", 0), counted("1 failed, 12 passed, 2 errors in 4.5s", 1)
    ((12, 0), (12, 3))
    >>> counted("Killed", 137)
    (0, 1)
    """
    counts = re.compile(r"(\d[\d,]*) (passed|failed|errors?)\b")
    lines = [found for line in said.splitlines() if (found := counts.findall(line))]
    last = [(int(count.replace(",", "")), word) for count, word in (lines[-1] if lines else [])]
    passed = sum(count for count, word in last if word == "passed")
    failed = sum(count for count, word in last if word != "passed")
    return passed, max(failed, 1 if code or not passed else 0)


def run(part: str) -> Outcome:
    """Run a part; what it prints goes to its log."""
    print(f"{part}: {shlex.join(command(part))}", flush=True)
    start = time.monotonic()
    log = LOGS / f"{part}.log"
    with log.open("w", encoding="utf-8") as out:
        done = subprocess.run(command(part), cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    said = log.read_text(encoding="utf-8", errors="replace")
    outcome = Outcome(part, *counted(said, done.returncode), time.monotonic() - start)
    if outcome.failed:
        print(said[-3000:], flush=True)
    return outcome


def main(chosen: list[str]) -> int:
    """Run the parts that are named, or all; print the table."""
    if unknown := set(chosen) - set(PARTS):
        sys.exit(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    parts = [part for part in PARTS if part in chosen or not chosen]
    outcomes = [run(part) for part in parts if part in ALONE]
    with ThreadPoolExecutor(2) as pair:
        outcomes += pair.map(run, [part for part in parts if part not in ALONE])
    print(f"\n{'part':<12}{'passed':>8}{'failed':>8}{'seconds':>9}")
    for one in outcomes:
        print(f"{one.part:<12}{one.passed:>8,}{one.failed:>8,}{one.seconds:>9,.0f}")
    return 1 if any(one.failed for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
