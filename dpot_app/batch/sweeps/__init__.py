"""Sweeps: a view at every combination of settings and seeds, on all cores or on a cluster, as one table."""

from dpot_app.batch.sweeps.document import EXAMPLE, Sweep, example, read
from dpot_app.batch.sweeps.running import Swept, sweep
