"""What a server does once, before anybody comes."""

import gc

from dpot_core.datasets.downloads import sweep
from dpot_core.processes import one_thread_each
from dpot_core.studies._kit.workers.asking import open_workers
from pages._shell.leaving import leave_for_good
from pages._shell.serving import Running
from pages._shell.turns import take_turns


def get_ready() -> None:
    """Sweep up, open the workers, and mend what Streamlit does to several scripts of one session."""
    # What downloads left that were killed goes at the next start.
    sweep()
    # On a machine whose cores are taken a second thread mostly waits for the first, more so with several sessions.
    one_thread_each()
    take_turns()
    leave_for_good()
    open_workers(in_a_hurry=Running.many, crowded=Running.crowded)
    # What is imported stays: to look through it for what nobody can reach took .1 s each time.
    gc.freeze()
