"""Work in several processes: everything comes back, whatever happens to one of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from threadpoolctl import threadpool_info

from dpot_app import machine
from dpot_app.kit.workers.local import LocalWorker
from dpot_app.kit.workers.worker import Died, imap_unordered


def threads(item: int) -> int:
    if item == 3:
        raise KeyError(item)
    import scipy.linalg  # noqa: F401 - brings a linear algebra library

    return max(library["num_threads"] for library in threadpool_info())


def two() -> list[LocalWorker]:
    return [LocalWorker() for _ in range(2)]


def dies(item: int, folder: Path, *, always: int) -> int:
    """Item 2 ends its process the first time, ``always`` every time."""
    begun = folder / str(item)
    if item == always or (item == 2 and not begun.exists()):
        begun.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item**2


@pytest.mark.nightly
def test_every_item_comes_back_with_what_it_gave_or_raised_and_one_thread_each() -> None:
    found = dict(imap_unordered(threads, range(6), two()))
    assert isinstance(found.pop(3), KeyError)
    assert found == dict.fromkeys((0, 1, 2, 4, 5), 1)
    assert list(imap_unordered(threads, [], two())) == []


@pytest.mark.nightly
def test_a_process_that_dies_costs_nothing_but_what_kills_it_again(tmp_path: Path) -> None:
    found = dict(imap_unordered(partial(dies, always=7), range(12), two(), (tmp_path,)))
    assert isinstance(found.pop(7), Died)
    assert found == {item: item**2 for item in range(12) if item != 7}


_SAYS = """import scipy.linalg; from threadpoolctl import threadpool_info
print(max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"), flush=True)"""


def said(program: str, environment: dict[str, str]) -> list[str]:
    how = {"capture_output": True, "text": True, "check": True}
    return subprocess.run([sys.executable, "-c", program], env=environment, **how).stdout.split()


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("wish", ["", pytest.param("2", marks=pytest.mark.nightly)])
def test_a_program_and_what_it_starts_have_one_thread_unless_the_environment_says_otherwise(wish: str) -> None:
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {_SAYS!r}])"
    # The module by its file: the package around it takes a second to import.
    load = f"from runpy import run_path; run_path({machine.__file__!r})['one_thread_each']()"
    program = f"import numpy; {load}\n{_SAYS}\n{start}"
    unsaid = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    if not wish:
        assert said(program, unsaid) == ["1", "1"]
    else:
        wished = unsaid | {"OPENBLAS_NUM_THREADS": wish}
        assert said(program, wished) == said(_SAYS, wished) * 2
