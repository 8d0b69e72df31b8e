"""The points of the private transport page: made, loaded, downloaded or brought."""

from __future__ import annotations

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets import PointPair
from dpot_core.experiments import sinkhorn as experiment
from pages import _shell as shell
from pages._sinkhorn.controls import Choice


def make_ground(controls: shell.Controls, choice: Choice) -> experiment.Ground | None:
    """The points on their grid, or None while they are missing or cannot be used (the screen says why)."""
    data, table = choice.config.data, choice.table
    try:
        if data.source != "csv":
            return _made(data)
        if table is not None:
            return _from_file(_read(table.digest, data.columns, data.box, table.content), data)
        st.info(
            "Bring a CSV file on the left: one row for each point with the columns group, x and y, and two groups. "
            "The file stays in the memory of the app; it is not written to disk, and not part of the link."
        )
    except datasets.DatasetMissing:
        shell.offer_download(controls, datasets.DATASETS[data.source])
    except datasets.ColumnsError as problem:
        st.error(f"{shell.as_text(str(problem))}. Choose the columns on the left.")
    except ValueError as problem:
        st.error(f"These data cannot be used: {shell.as_text(str(problem))}.")
    return None


@st.cache_resource(max_entries=20, show_spinner="Laying the points on a grid …")
def _made(data: experiment.Data) -> experiment.Ground:
    return experiment.make_ground(data)


@st.cache_resource(max_entries=2, show_spinner="Reading the file …")
def _read(digest: str, columns: shell.Columns, box: shell.Rectangle | None, _content: bytes) -> PointPair:
    return datasets.read_pair_csv(_content, dict(columns) or None, box)


@st.cache_resource(max_entries=10, show_spinner=False, hash_funcs={PointPair: lambda pair: pair.digest})
def _from_file(pair: PointPair, data: experiment.Data) -> experiment.Ground:
    return experiment.make_ground(data, pair)
