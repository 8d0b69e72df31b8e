"""Requests for heavy work, and where it is done: in this process, or by workers once they are open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpot_core.arguments.progress import Progress, unwatched

if TYPE_CHECKING:
    from dpot_app.kit.workers.cluster import Cluster
    from dpot_app.kit.workers.pool import Pool

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


@dataclass(frozen=True)
class Requester:
    """A session that waits for heavy work.

    Attributes:
        session: whose turn it is.
        tick: called every tenth of a second, with how many are ahead, or None while the work is done; what it raises
            gives the work up.
        in_advance: whether it is prefetched: no reader waits for it yet.
        waiting: entered while others work.
    """

    session: str = ""
    tick: Callable[[int | None], object] = lambda ahead: None
    in_advance: bool = False
    waiting: Callable[[], AbstractContextManager[object]] = nullcontext


_NO_SESSION = Requester()
_requester: ContextVar[Requester] = ContextVar("requester", default=_NO_SESSION)
_pool: Pool | Cluster | None = None
_in_a_hurry: Callable[[], bool] = bool  # it is not


@contextmanager
def requested_by(requester: Requester) -> Iterator[None]:
    """Set who asks for heavy work in here (a context variable); elsewhere no session does."""
    before = _requester.set(requester)
    try:
        yield
    finally:
        _requester.reset(before)


def current_requester() -> Requester:
    """The session on whose behalf this thread works."""
    return _requester.get()


def waiting() -> AbstractContextManager[object]:
    """A context to be entered while others do what is waited for."""
    return _requester.get().waiting()


def elsewhere(job: Job, progress: Progress | None = None) -> Any:
    """The result of a job: from a worker if there are any, or from this process.

    Raises:
        Occupied: it is not heavy, and all workers have something to do.
    """
    report = progress or unwatched
    if _pool is None:
        return job.function(*job.arguments, report)
    with waiting():
        return _pool.run(job, report, _requester.get())


def are_open() -> bool:
    """Whether there are workers."""
    return _pool is not None


def welcome(*, heavy: bool) -> bool:
    """Whether work is for workers: what is heavy, and while many wait for the server whatever they begin at once."""
    if _pool is None or heavy:
        return _pool is not None
    return _in_a_hurry() and (_pool.has_time() if _requester.get().in_advance else _pool.is_free())


def waits_alone() -> bool:
    """Whether a reader waits for what is computed now, and no other one waits for this process."""
    return not _requester.get().in_advance and not _in_a_hurry()


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


class WorkersError(ValueError):
    """`DPOT_WORKERS` asks for something that cannot be had."""


def open_workers(
    wish: str | None = None,
    in_a_hurry: Callable[[], bool] = lambda: False,
    crowded: Callable[[], bool] = lambda: False,
) -> Pool | Cluster | None:
    """Let heavy work be done by workers from now on.

    Args:
        wish: how many processes there are, 0 for none, or the address of a Dask scheduler, ``tcp://host:port``;
            None for what `DPOT_WORKERS` says, or one process for each core.
        in_a_hurry: whether several wait for this process, so that workers do light work as well.
        crowded: whether so many do that one worker is left to it, where there are several.

    Raises:
        WorkersError: for a wish that cannot be fulfilled; says why.
    """
    global _pool, _in_a_hurry
    from dpot_app.kit.workers.pool import Pool  # which needs what is above

    close_workers()
    _in_a_hurry = in_a_hurry
    text = (wish if wish is not None else os.environ.get("DPOT_WORKERS", "")).strip()
    if not text:
        # Where processes cannot be forked all is done in the server.
        text = str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0)
    if "://" in text:
        from dpot_app.kit.workers.cluster import Cluster

        _pool = Cluster(text, crowded=crowded)
        return _pool
    if not text.isdecimal():
        what = "the number of processes for heavy work, 0 for none, or the address of a Dask scheduler"
        raise WorkersError(f"DPOT_WORKERS is {what}; got {text!r}.")
    _pool = Pool(int(text), crowded=crowded) if int(text) else None
    if _pool is not None:
        _pool.start()
    return _pool


def close_workers() -> None:
    """Let heavy work be done in this process again."""
    global _pool
    if _pool is not None:
        _pool.close()
    _pool = None
