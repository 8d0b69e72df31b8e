"""Independent pieces of work on a Dask cluster, as `processes.imap_unordered` does them on this machine."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dpot_app.batch.scenarios import ScenarioError
from dpot_app.processes import DiedError

T = TypeVar("T")
R = TypeVar("R")

_SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")
#: Seconds for the scheduler to answer, and for a first worker to be there.
_ANSWERS, _WORKERS = 10, 60
#: Pieces that are on the cluster at a time: for each thread of its workers, and at least.
_AHEAD, _LEAST = 4, 100


class ClusterError(RuntimeError):
    """The cluster is gone."""


def checked(address: str) -> None:
    """Refuse what is no address of a scheduler, without asking anything there.

    Raises:
        ScenarioError: says what an address looks like.
    """
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        if parts.scheme in _SCHEMES and parts.hostname and parts.port and not re.search(r"\s", address):
            return
    except ValueError:
        pass  # of a port that is none
    raise ScenarioError(f"must be an address such as tcp://host:8786; got {address!r:.60}", ("--scheduler",))


def imap_unordered(
    function: Callable[[T, Any], R], items: Sequence[T], given: Any, address: str
) -> Iterator[tuple[int, R | BaseException]]:
    """Yield (place, result) in order of completion; work of a worker that dies is done by another.

    Args:
        function: of a module that the workers can import.
        items: what it is called with.
        given: what it is called with as well, the same every time; sent to the cluster once.
        address: of the scheduler.

    Yields:
        Place of the item, and what the function gave or raised; `DiedError` if one worker after another died of it.

    Raises:
        ScenarioError: if Dask is not installed here, or no cluster answers.
        ClusterError: if it goes away.
    """
    try:
        from distributed import Client, KilledWorker, as_completed
    except ImportError as problem:
        what = "a cluster needs Dask here and on its workers: pip install 'dpot[cluster]'"
        raise ScenarioError(what, ("--scheduler",)) from problem
    # What goes wrong is said in one sentence here, without the traceback that Dask writes as well.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=_ANSWERS, set_as_default=False, name="dpot-sweep")
    except (OSError, ValueError) as problem:
        raise ScenarioError(f"no Dask scheduler answers at {address}: {problem}", ("--scheduler",)) from problem
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKERS)
        except TimeoutError as problem:
            what = f"the scheduler at {address} has no workers after {_WORKERS} s"
            raise ScenarioError(what, ("--scheduler",)) from problem
        # Made on the cluster and not only laid there: it is made again if the worker that holds it dies.
        shared = client.submit(_same, given, pure=False)
        left, ready = list(enumerate(items))[::-1], as_completed(loop=client.loop)
        running: dict[str, int] = {}
        ahead = max(_LEAST, _AHEAD * sum(client.nthreads().values()))
        while left or running:
            while left and len(running) < ahead:
                place, item = left.pop()
                future = client.submit(function, item, shared, pure=False)
                running[future.key] = place
                ready.add(future)
            future = next(ready)
            place = running.pop(future.key)
            failure = future.exception() if future.status == "error" else None
            if future.status not in ("finished", "error"):
                raise ClusterError(f"the scheduler at {address} is gone, or has dropped the work: start again to go on")
            if isinstance(failure, KilledWorker):
                failure = DiedError("one worker after another died of it: of lack of memory, perhaps")
            yield place, future.result() if failure is None else failure


def _same(given: T) -> T:
    return given
