"""Plants bugs in copies of the tree, never in the tree itself, and runs the tests that must notice.

A copy's bytecode names the text that it was made of, not its time, and its tests write none: two versions of a file
with the same size, written within one second, would otherwise be one to Python.
"""

from __future__ import annotations

import compileall
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from xml.etree import ElementTree

from tests.mutants.mutant import ROOT, Mutant

#: Seconds after which a run of tests is given up; a mutant's tests are to take a few.
LIMIT = 900

#: A test that ends so has met broken code, not a broken promise.
BROKEN = ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError")

_LEFT_OUT = {
    ".git",
    ".venv",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    "screenshots",
}


@dataclass(frozen=True)
class Verdict:
    """What became of one mutant.

    Attributes:
        mutant: which.
        killed: whether a test failed because of it, as it must.
        said: the test that failed, or what went wrong.
        seconds: how long it took.
    """

    mutant: Mutant
    killed: bool
    said: str
    seconds: float


@dataclass(frozen=True)
class _Run:
    """One run of pytest: the names of the tests that passed, of those that failed and how, or what went wrong."""

    passed: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]
    wrong: str


def tried(
    mutants: Sequence[Mutant],
    processes: int = 2,
    told: Callable[[Verdict], None] | None = None,
    unchanged: bool = True,
) -> tuple[list[str], list[Verdict]]:
    """Plant the bugs one at a time; first run all their tests on the code as it is.

    Args:
        mutants: the bugs.
        processes: how many are tried at the same time.
        told: called with each verdict as it comes.
        unchanged: whether to run the tests on the code as it is; if not, who calls knows that they pass.

    Returns:
        What is wrong with the tests on the unchanged code (then no bug is planted), and the verdicts.
    """
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(processes) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        first = _copy(Path(folder) / "0")
        compileall.compile_dir(
            first / "dpot_core", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
        )
        copies.put(first)
        for number in range(1, processes):
            copies.put(shutil.copytree(first, Path(folder) / str(number)))

        def with_copy(work: Callable[[Path], object]) -> object:
            copy = copies.get()
            try:
                return work(copy)
            finally:
                copies.put(copy)

        tests = sorted({test for mutant in mutants for test in mutant.tests}) if unchanged else []
        # A file as a whole covers its tests; few runs, since each starts Python again.
        tests = [test for test in tests if "::" not in test or test.split("::")[0] not in tests]
        shares = [share for number in range(processes) if (share := tests[number::processes])]
        baseline = list(pool.map(lambda share: with_copy(lambda copy: _unchanged(copy, share)), shares))
        complaints = [complaint for share in baseline for complaint in share]  # type: ignore[attr-defined]
        if complaints:
            return complaints, []

        def attempt(mutant: Mutant) -> Verdict:
            verdict = with_copy(lambda copy: _attempt(copy, mutant))
            assert isinstance(verdict, Verdict)
            if told is not None:
                told(verdict)
            return verdict

        return [], list(pool.map(attempt, mutants))


def _copy(target: Path) -> Path:
    """Everything of the project as it lies here, tracked by git or not yet; what git ignores stays out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True
    )
    if listed.returncode:  # not a clone
        shutil.copytree(ROOT, target, ignore=lambda _, names: _LEFT_OUT.intersection(names))
        return target
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    return target


def _unchanged(copy: Path, tests: Sequence[str]) -> list[str]:
    run = _pytest(copy, tests, stop=False)
    found = [f"fails without any bug: {name}: {how}" for name, how in run.failed]
    if run.wrong:
        found.append(f"without any bug: {run.wrong}")
    for test in tests:
        file, *names = test.split("::")
        dotted = file.removesuffix(".py").replace("/", ".")
        if not any(dotted in name and all(part in name for part in names) for name in run.passed) and not found:
            found.append(f"nothing ran, or all was skipped: {test}")
    return found


def _attempt(copy: Path, mutant: Mutant) -> Verdict:
    start = time.monotonic()

    def verdict(killed: bool, said: str) -> Verdict:
        return Verdict(mutant, killed, said, time.monotonic() - start)

    with _planted(copy, mutant):
        run = _pytest(copy, mutant.tests, stop=True)
    if run.wrong:
        return verdict(False, run.wrong)
    if not run.failed:
        return verdict(False, f"SURVIVED {len(run.passed)} tests")
    name, how = run.failed[0]
    if how.startswith(BROKEN):
        return verdict(False, f"the bug breaks the code instead of the promise: {how}")
    return verdict(True, name)


@contextmanager
def _planted(copy: Path, mutant: Mutant) -> Iterator[None]:
    path = copy / mutant.file
    before = path.read_bytes()
    path.write_text(mutant.applied(copy), encoding="utf-8")
    try:
        yield
    finally:
        path.write_bytes(before)


def _pytest(copy: Path, tests: Sequence[str], stop: bool) -> _Run:
    """Run tests in a copy, in a process of their own that knows nothing of the one that asks."""
    with tempfile.TemporaryDirectory(prefix="mutants-run-") as scratch:
        report = Path(scratch) / "report.xml"
        # Nothing of an outer pytest or of its workers.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment |= {
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(copy),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        environment.pop("PYTHONPYCACHEPREFIX", None)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--tb=line",
            "--hypothesis-profile=planted",
            f"--junitxml={report}",
        ]
        command += ["-p", "no:cacheprovider", "-p", "no:xdist", *(["-x"] if stop else []), *tests]
        try:
            done = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            return _Run((), (), f"took more than {LIMIT} s")
        if done.returncode not in (0, 1) or not report.is_file():
            last = " ".join((done.stdout + done.stderr).split()[-60:])
            return _Run((), (), f"pytest did not run the tests (exit code {done.returncode}): {last}")
        passed, failed = [], []
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname')}::{case.get('name')}"
            if (error := case.find("error")) is not None:
                return _Run((), (), f"{name} could not be run: {error.get('message')}")
            if (failure := case.find("failure")) is not None:
                failed.append((name, str(failure.get("message")).splitlines()[0][:200]))
            elif case.find("skipped") is None:
                passed.append(name)
        return _Run(tuple(passed), tuple(failed), "")
