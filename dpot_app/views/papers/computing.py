"""Rows computed from nothing: several of them at a time, in processes of their own or on a cluster."""

from collections.abc import Iterator, Sequence

from dpot_app.kit.workers.opening import workers_for
from dpot_app.kit.workers.worker import imap_unordered
from dpot_app.machine import one_thread
from dpot_app.views.papers.index import ROWS
from dpot_app.views.papers.row import Numbers, Row
from dpot_core.datasets import DatasetMissing


def computed(rows: Sequence[Row], scheduler: str = "") -> Iterator[tuple[Row, Numbers | DatasetMissing]]:
    """Rows with their numbers, in their order; without them where the data are not on the machine that computes.

    Args:
        scheduler: address of a Dask cluster's scheduler; "" for this machine.

    Raises:
        Exception: whatever computing a row raises.
    """
    if len(rows) == 1 and not scheduler:
        try:
            yield rows[0], _numbers(rows[0])
        except DatasetMissing as problem:
            yield rows[0], problem
        return
    found: dict[int, Numbers | Exception] = {}
    place = 0
    with workers_for(rows, scheduler=scheduler) as (workers, _):
        for number, numbers in imap_unordered(_of_key, [row.key for row in rows], workers):
            found[number] = numbers
            while place in found:
                ready = found.pop(place)
                if isinstance(ready, Exception) and not isinstance(ready, DatasetMissing):
                    raise ready
                yield rows[place], ready
                place += 1


def _of_key(key: str) -> Numbers:
    one_thread()
    return _numbers(ROWS[key])


def _numbers(row: Row) -> Numbers:
    if row.compute is None:
        raise TypeError(f"{row.key} has no numbers of ours")
    return dict(row.compute())
