"""Requests for heavy work, and where it is done: in this process, or by workers once they are open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from dpot_app.kit.requester import Requester, current_requester, waiting
from dpot_core.arguments.progress import Progress, unwatched

#: What `dpot_core` loads at the first use. In the app a reader would wait for it: servers load it when they start.
LOADED_LATE = (
    "ot",
    "dp_accounting.pld",
    "dp_accounting.rdp",
    "scipy.special",
    "scipy.fft",
    "scipy.stats",
    "scipy.optimize",
    "scipy.spatial",
)


@dataclass(frozen=True)
class Job:
    """A function of a module with its arguments; it is called with what it reports to as one more, the last.

    Attributes:
        alone: whether the process ends after it, since it was told a reader's own data.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    alone: bool = False


class WorkersError(ValueError):
    """`DPOT_WORKERS` asks for something that cannot be had."""


class Workers(Protocol):
    """Where jobs are done: processes of this machine, or a cluster."""

    def run(self, job: Job, progress: Progress, requester: Requester) -> Any:
        """The result of a job, when it is the requester's turn."""

    def has_time(self) -> bool:
        """Whether something in advance would be begun at once."""

    def close(self) -> None:
        """End all of them."""


_pool: Workers | None = None


def use(workers: Workers | None) -> None:
    """Let heavy work be done by these workers from now on, or in this process; those of before are ended."""
    global _pool
    if _pool is not None and _pool is not workers:
        _pool.close()
    _pool = workers


def elsewhere(job: Job, progress: Progress | None = None) -> Any:
    """The result of a job: from a worker if there are any, or from this process."""
    report = progress or unwatched
    if _pool is None:
        return job.function(*job.arguments, report)
    with waiting():
        return _pool.run(job, report, current_requester())


def are_open() -> bool:
    """Whether there are workers."""
    return _pool is not None


def have_time() -> bool:
    """Whether a worker would begin at once with what is computed in advance.

    Callers that compute in advance ask this first: a reader who wants the same would wait for its place in the line.
    """
    return _pool is not None and _pool.has_time()
