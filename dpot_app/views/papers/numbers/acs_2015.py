"""The American Community Survey 2015 by county, in place of the tracts that dp_barycenters draws from."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from dpot_app.views.papers.row import Numbers, exact
from dpot_core.datasets.downloads import DatasetMissing
from dpot_core.transport.barycenters import free_support

_FILE = "us/counties_acs2015.csv.gz"
#: The paper's four groups, by their columns.
_FOUR = ("nh_white", "nh_asian", "nh_black", "hispanic")
_ATOMS, _STARTS, _SEED = 48, 8, 0


def counties() -> Numbers:
    """Costs without privacy of one group and of four, in squared degrees: the best of several starts each."""
    table = _table()
    where = table[["lon", "lat"]].to_numpy()
    costs = {}
    for name, columns in {"one group": ("pop_total",), "four groups": _FOUR}.items():
        masses = [table[column].to_numpy(dtype=np.float64) for column in columns]
        groups = [(where[mass > 0], mass[mass > 0] / mass.sum()) for mass in masses]
        found = free_support(groups, _ATOMS, np.random.default_rng(_SEED), starts=_STARTS)
        costs[f"cost without privacy, {name}"] = found.cost
    return exact(people=float(table["pop_total"].sum()), counties=float(len(table)), **costs)


@cache
def _table() -> pd.DataFrame:
    path = Path(os.environ.get("DPOT_DATA", "")) / _FILE
    if not os.environ.get("DPOT_DATA") or not path.is_file():
        raise DatasetMissing(f"The survey by county is not on this machine: set DPOT_DATA to a folder with {_FILE}")
    return pd.read_csv(path)
