"""Requests for heavy work, and where it is done: in this process, or by workers once they are open."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
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
        heavy: whether it waits for its turn; what is not is begun at once by a worker that has nothing to do, or not.
        brief: whether its turn comes before all that takes longer.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    alone: bool = False
    heavy: bool = True
    brief: bool = False


class Occupied(Exception):
    """No worker would begin at once with a job that is not heavy."""


class WorkersError(ValueError):
    """`DPOT_WORKERS` asks for something that cannot be had."""


class Workers(Protocol):
    """Where jobs are done: processes of this machine, or a cluster."""

    def run(self, job: Job, progress: Progress, requester: Requester) -> Any:
        """The result of a job, when it is the requester's turn."""

    def has_time(self) -> bool:
        """Whether something in advance would be begun at once."""

    def is_free(self) -> bool:
        """Whether something that is not heavy would be begun at once."""

    def close(self) -> None:
        """End all of them."""


_pool: Workers | None = None
_in_a_hurry: Callable[[], bool] = bool  # it is not


def use(workers: Workers | None, in_a_hurry: Callable[[], bool] = bool) -> None:
    """Let heavy work be done by these workers from now on, or in this process; those of before are ended.

    Args:
        in_a_hurry: whether several wait for this process, so that workers do light work as well.
    """
    global _pool, _in_a_hurry
    if _pool is not None and _pool is not workers:
        _pool.close()
    _pool, _in_a_hurry = workers, in_a_hurry


def elsewhere(job: Job, progress: Progress | None = None) -> Any:
    """The result of a job: from a worker if there are any, or from this process.

    Raises:
        Occupied: it is not heavy, and all workers have something to do.
    """
    report = progress or unwatched
    if _pool is None:
        return job.function(*job.arguments, report)
    with waiting():
        return _pool.run(job, report, current_requester())


def are_open() -> bool:
    """Whether there are workers."""
    return _pool is not None


def welcome(*, heavy: bool) -> bool:
    """Whether work is for workers: what is heavy, and while many wait for the server whatever they begin at once."""
    if _pool is None or heavy:
        return _pool is not None
    return _in_a_hurry() and (_pool.has_time() if current_requester().in_advance else _pool.is_free())


def waits_alone() -> bool:
    """Whether a reader waits for what is computed now, and no other one waits for this process."""
    return not current_requester().in_advance and not _in_a_hurry()


def anywhere(job: Job, progress: Progress | None = None) -> Any:
    """The result of a job that is not heavy: from a worker while many wait for this process, or from this process."""
    if not job.alone and welcome(heavy=False):
        with suppress(Occupied):
            return elsewhere(replace(job, heavy=False), progress)
    return job.function(*job.arguments, progress or unwatched)


def have_time() -> bool:
    """Whether a worker would begin at once with what is computed in advance.

    Callers that compute in advance ask this first: a reader who wants the same would wait for its place in the line.
    """
    return _pool is not None and _pool.has_time()
