"""Work within limits of memory and processor time, where a server asks in a process that lives for it only."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any

from dpot_app.kit.requester import current_requester, waiting
from dpot_app.kit.workers.local import LocalWorker
from dpot_app.kit.workers.worker import Died, followed
from dpot_core.arguments.progress import Progress, unwatched
from dpot_core.privacy.numerals import number

#: Bytes beyond what the process has when it begins, and seconds of its processor time.
MEMORY, SECONDS = 2 * 2**30, 60
#: Further seconds, after which a process is killed that has not stopped by itself.
_GRACE = 5
# So many at a time: each may take all the memory that one may.
_AT_A_TIME = threading.BoundedSemaphore(2)
_LOOK = 0.1


class LimitExceeded(ValueError):
    """The work takes more memory or time than is allowed."""


def bounded(function: Callable[..., Any], arguments: Mapping[str, Any], limits: tuple[int, int] | None = None) -> Any:
    """The result of a function, within limits.

    A server's threads share one memory, which no limit may touch: there the function runs in a process of its own.
    The main thread is a worker's or the command line's; it has the limits itself while the function runs. Where there
    are none (Windows) none are set, and where a process does not tell its size (macOS) only that of time.

    Args:
        function: of a module, by its name; called with ``progress`` as well, if that is among the arguments.
        arguments: by name.
        limits: bytes and seconds, in place of `MEMORY` and `SECONDS`.

    Raises:
        LimitExceeded: says that it takes too much.
    """
    limits = limits or (MEMORY, SECONDS)
    if find_spec("resource") is None:
        return function(**arguments)
    if threading.current_thread() is threading.main_thread():
        return _limited(function, arguments, limits, ends=False)
    watched = "progress" in arguments
    progress = arguments.get("progress") or unwatched
    told = {name: value for name, value in arguments.items() if name != "progress"}
    requester, worker = current_requester(), LocalWorker()
    with waiting():
        while not _AT_A_TIME.acquire(timeout=_LOOK):
            requester.tick(1)
        try:
            return followed(worker, _alone, (function, told, watched, limits), progress, requester)
        except Died:
            raise LimitExceeded(_too_much(limits)) from None
        finally:
            worker.end()
            _AT_A_TIME.release()


def _alone(
    function: Callable[..., Any], told: Mapping[str, Any], watched: bool, limits: tuple[int, int], report: Progress
) -> Any:
    return _limited(function, {**told, "progress": report} if watched else told, limits, ends=True)


def _limited(function: Callable[..., Any], arguments: Mapping[str, Any], limits: tuple[int, int], ends: bool) -> Any:
    """The result of a function in this thread, the main one; ``ends``: whether this process does nothing else."""
    import resource

    memory, seconds = limits
    room, time = resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CPU)
    # Limits of time are whole seconds: rounded up, for what is rounded down may be over before it begins.
    last = math.ceil(process_time()) + seconds
    hard = _least(last + _GRACE, time[1]) if ends else time[1]
    before = signal.signal(signal.SIGXCPU, _stop)
    try:
        try:
            with suppress(FileNotFoundError):
                pages = int(Path("/proc/self/statm").read_text().split()[0])
                resource.setrlimit(
                    resource.RLIMIT_AS, (_least(pages * os.sysconf("SC_PAGE_SIZE") + memory, *room), room[1])
                )
            resource.setrlimit(resource.RLIMIT_CPU, (_least(last, *time), hard))
            return function(**arguments)
        finally:
            signal.signal(signal.SIGXCPU, signal.SIG_IGN)  # the time may run out while the work is already over
            resource.setrlimit(resource.RLIMIT_AS, room)
            resource.setrlimit(resource.RLIMIT_CPU, (_least(time[0], hard) if ends else time[0], hard))
            signal.signal(signal.SIGXCPU, before)
    except (MemoryError, TimeoutError):
        raise LimitExceeded(_too_much(limits)) from None


def _least(*limits: int) -> int:
    """The lowest limit; a negative one is none."""
    return min((limit for limit in limits if limit >= 0), default=-1)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _too_much(limits: tuple[int, int]) -> str:
    memory, seconds = limits
    return (
        f"reading this file takes more than {number(memory / 2**30)} GiB of memory or {seconds} seconds. Leave out "
        "columns, or bring fewer rows or coarser shapes"
    )
