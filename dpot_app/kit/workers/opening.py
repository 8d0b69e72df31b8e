"""Workers as the operator asks for them: processes of this machine, a Dask cluster, or none."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

from dpot_app.kit.values import ScenarioError
from dpot_app.kit.workers import local
from dpot_app.kit.workers.jobs import WorkersError, use
from dpot_app.kit.workers.local import LocalWorker
from dpot_app.kit.workers.pool import Pool
from dpot_app.kit.workers.worker import Worker
from dpot_app.machine import cores

#: The help of a command's option.
SCHEDULER = "of a Dask cluster that computes instead, such as tcp://host:8786 (the extra cluster; dpot on its workers)"
_SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")
#: Seconds for a first worker of a cluster to be there; pieces that are there at a time: for each thread, and at least.
_WAITS, _AHEAD, _LEAST = 60, 4, 100


def open_workers(wish: str | None = None) -> Pool | None:
    """Let heavy work be done by workers from now on.

    Args:
        wish: how many processes there are, 0 for none, or the address of a Dask scheduler, ``tcp://host:port``;
            None for what `DPOT_WORKERS` says, or one process for each core.

    Raises:
        WorkersError: for a wish that cannot be fulfilled; says why.
    """
    close_workers()
    text = (wish if wish is not None else os.environ.get("DPOT_WORKERS", "")).strip()
    if not text:
        # Where the system does not say which cores are ours all is done in the server.
        text = str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0)
    if "://" in text:
        workers = _on_a_cluster(text)
    elif not text.isdecimal():
        what = "the number of processes for heavy work, 0 for none, or the address of a Dask scheduler"
        raise WorkersError(f"DPOT_WORKERS is {what}; got {text!r}.")
    elif not int(text):
        return None
    else:
        local.start()
        workers = Pool([LocalWorker() for _ in range(int(text))])
    use(workers)
    return workers


def _on_a_cluster(address: str) -> Pool:
    """The cluster's workers; what a reader uploaded or typed does not leave this machine: it is computed here."""
    from dpot_app.kit.workers.cluster import Cluster

    try:
        cluster = Cluster(address)
        try:
            cluster.check_programs()
            cluster.check_threads()
        except BaseException:
            cluster.close()
            raise
    except WorkersError as problem:
        raise WorkersError(f"DPOT_WORKERS: {problem}") from problem
    return Pool(cluster.workers(cluster.threads()), private=False, close=cluster.close)


def close_workers() -> None:
    """Let heavy work be done in this process again."""
    use(None)


@contextmanager
def workers_for(
    pieces: Sequence[object], shared: tuple[Any, ...] = (), processes: int | None = None, scheduler: str = ""
) -> Iterator[tuple[Sequence[Worker], tuple[Any, ...]]]:
    """Workers of a command for independent pieces of work, and what all pieces are given as these workers share it.

    Args:
        pieces: of work.
        shared: what all of them are given.
        processes: of this machine; one a core without it.
        scheduler: address of a Dask cluster's scheduler; "" for this machine.

    Raises:
        ScenarioError: no cluster answers, has workers, or has our programs.
    """
    if not scheduler:
        yield [LocalWorker() for _ in range(min(processes or cores(), len(pieces)))], shared
        return
    from dpot_app.kit.workers.cluster import Cluster

    try:
        with closing(Cluster(scheduler)) as cluster:
            cluster.wait(_WAITS)
            cluster.check_programs()
            # More than there are, so that none waits for its next piece and those that join later have some.
            places = cluster.workers(max(_LEAST, _AHEAD * cluster.threads()))
            yield places, tuple(map(cluster.share, shared))
    except WorkersError as problem:
        raise ScenarioError(str(problem), ("--scheduler",)) from problem


def check_address(scheduler: str) -> None:
    """Refuse what is no address of a scheduler, without asking anything there.

    Raises:
        ScenarioError: says what an address looks like.
    """
    try:
        parts = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
        if parts.scheme in _SCHEMES and parts.hostname and parts.port and not re.search(r"\s", scheduler):
            return
    except ValueError:
        pass  # of a port that is none
    raise ScenarioError(f"must be an address such as tcp://host:8786; got {scheduler!r:.60}", ("--scheduler",))
