"""Start of a server, once, before the first reader comes, and its end."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

from dpot_app.kit.cache import forget_gone
from dpot_app.kit.workers.jobs import LOADED_LATE, WorkersError
from dpot_app.kit.workers.opening import close_workers, open_workers
from dpot_app.machine import one_thread_each
from dpot_app.shell.access import end
from dpot_app.shell.streamlit_patches import LATE_REPORTS, SESSION_LOCK
from dpot_core.datasets.downloads import sweep

#: Seconds between two looks for what sessions have left that are over.
_LOOK = 60.0


def get_ready() -> None:
    """Sweep up, open the workers, and mend what Streamlit does to several scripts of one session."""
    # What downloads left that were killed goes at the next start.
    sweep()
    # On a machine whose cores are taken a second thread mostly waits for the first, more so with several sessions.
    one_thread_each()
    SESSION_LOCK.apply()
    LATE_REPORTS.apply()
    for module in LOADED_LATE:
        import_module(module)
    try:
        open_workers()
    except WorkersError as problem:
        end(str(problem))
    # What is imported stays: to look through it for unreachable objects took .1 s each time.
    gc.freeze()


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """Let go of what sessions leave, and end the workers with the server: on a signal Python itself would not."""
    looking = asyncio.create_task(_let_go())
    yield
    looking.cancel()
    close_workers()


async def _let_go() -> None:
    """Collect unreachable objects once a minute: files of a session that has ended go also while no reader comes."""
    while True:
        await asyncio.sleep(_LOOK)
        gc.collect()
        forget_gone()
