"""The machine and the programs: cores, threads of linear algebra, and what tells two programs apart."""

import hashlib
import os
from functools import cache
from importlib import resources
from pathlib import Path

from threadpoolctl import threadpool_limits


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def sources() -> str:
    """A digest of this program's sources: equal ones compute the same."""
    digest = hashlib.sha256()
    for package in ("dpot_core", "dpot_app"):
        folder = Path(str(resources.files(package)))
        # A wheel has the pages as well, which compute nothing.
        for path in sorted(set(folder.rglob("*.py")) - set((folder / "project").rglob("*.py"))):
            digest.update(path.relative_to(folder.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def one_thread() -> None:
    """Linear algebra on one thread from now on: their number may move the last digits, and more slow a full machine."""
    threadpool_limits(limits=1)


def one_thread_each() -> None:
    """The same for this process and all that it starts, unless the environment says how many threads there are."""
    if "OPENBLAS_NUM_THREADS" not in os.environ:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for what is loaded later, and in other processes
        one_thread()
