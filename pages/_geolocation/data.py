"""The check-ins of the geolocation page: files that a reader brings, and downloads."""

from __future__ import annotations

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets import CheckIns
from pages import _shell as shell


def check_ins(
    controls: shell.Controls, source: str, table: shell.Upload | None, columns: shell.Columns
) -> CheckIns | None:
    """The check-ins, or None while they are missing or cannot be used (the screen says why)."""
    try:
        if source != "csv":
            with st.spinner("Reading the data …"):
                return datasets.loaded(datasets.DATASETS[source])
        if table is not None:
            return _read(table.digest, columns, table.content)
        st.info(
            "Bring a CSV file on the left: one row for each check-in with the columns user, lat, lon (degrees) and, if "
            "you like, count. Other names can be matched. The file stays in the memory of the app; it is not "
            "written to disk, and not part of the link."
        )
    except datasets.DatasetMissing:
        shell.offer_download(controls, datasets.DATASETS[source])
    except datasets.ColumnsError as problem:
        st.error(f"{shell.as_text(str(problem))}. Choose the columns on the left.")
    except ValueError as problem:
        st.error(f"This file cannot be used: {shell.as_text(str(problem))}.")
    return None


@st.cache_resource(max_entries=2, show_spinner="Reading the file …")
def _read(digest: str, columns: shell.Columns, _content: bytes) -> CheckIns:
    return datasets.read_checkins_csv(_content, dict(columns) or None)
