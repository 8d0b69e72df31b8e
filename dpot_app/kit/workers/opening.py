"""Workers as the operator asks for them: processes of this machine, a Dask cluster, or none."""

import os
from collections.abc import Callable

from dpot_app.kit.workers.jobs import Workers, WorkersError, use


def open_workers(
    wish: str | None = None,
    in_a_hurry: Callable[[], bool] = lambda: False,
    crowded: Callable[[], bool] = lambda: False,
) -> Workers | None:
    """Let heavy work be done by workers from now on.

    Args:
        wish: how many processes there are, 0 for none, or the address of a Dask scheduler, ``tcp://host:port``;
            None for what `DPOT_WORKERS` says, or one process for each core.
        in_a_hurry: whether several wait for this process, so that workers do light work as well.
        crowded: whether so many do that one worker is left to it, where there are several.

    Raises:
        WorkersError: for a wish that cannot be fulfilled; says why.
    """
    close_workers()
    text = (wish if wish is not None else os.environ.get("DPOT_WORKERS", "")).strip()
    if not text:
        # Where processes cannot be forked all is done in the server.
        text = str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0)
    if "://" in text:
        from dpot_app.kit.workers.cluster import Cluster

        workers: Workers = Cluster(text, crowded=crowded)
    elif not text.isdecimal():
        what = "the number of processes for heavy work, 0 for none, or the address of a Dask scheduler"
        raise WorkersError(f"DPOT_WORKERS is {what}; got {text!r}.")
    elif not int(text):
        return None
    else:
        from dpot_app.kit.workers.pool import Pool

        workers = Pool(int(text), crowded=crowded)
    workers.start()
    use(workers, in_a_hurry)
    return workers


def close_workers() -> None:
    """Let heavy work be done in this process again."""
    use(None)
