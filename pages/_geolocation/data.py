"""Files that a reader brings, and the download of Gowalla. Uploads stay in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from dpot_core import datasets
from dpot_core.datasets import CheckIns
from dpot_core.datasets.check_ins_csv import ROLES
from dpot_core.experiments.geolocation import Progress
from pages import _shell as shell
from pages._shell.work import worked

NONE = "(every row is one visit)"
Columns = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Upload:
    """A file in memory."""

    name: str
    content: bytes
    digest: str


def upload(kind: str, label: str) -> Upload | None:
    """A file uploader whose file is kept while another page is shown."""
    key = f"geo_{kind}_kept"
    types = ["geojson", "json"] if kind == "geojson" else ["csv", "txt"]
    file = st.file_uploader(label, type=types, key=f"geo_{kind}_file")
    kept: Upload | None = st.session_state.get(key)
    if file is not None:
        content = file.getvalue()
        kept = Upload(file.name, content, hashlib.sha256(content).hexdigest())
        st.session_state[key] = kept
    elif kept is not None:
        st.caption(f"In use: {shell.as_text(kept.name)}")
        st.button("Forget it", key=f"{key}_forget", on_click=st.session_state.pop, args=(key,))
    return kept


def columns_of(table: Upload) -> Columns:
    """Which column is what: guessed from the names, and asked for where the guess fails or is wrong."""
    try:
        header = datasets.sniff_columns(table.content)
    except ValueError:
        return ()  # reading the file says what is wrong, where there is room for it
    chosen: dict[str, str] = {}
    with st.expander("Columns of the file", expanded=not header.complete):
        for role in ROLES:
            names = [NONE, *header.names] if role == "count" else list(header.names)
            guess = header.guess.get(role)
            start = names.index(guess) if guess is not None else 0 if role == "count" else None
            name = st.selectbox(role, names, start, key=f"geo_column_{role}_{table.digest}")
            if name is not None and name != NONE:
                chosen[role] = name
    return tuple(chosen.items())


def check_ins(source: str, table: Upload | None, columns: Columns) -> CheckIns | None:
    """The check-ins, or None while they are missing or cannot be used (the screen says why)."""
    try:
        if source != "csv":
            return _load(source)
        if table is not None:
            return _read(table.digest, columns, table.content)
        st.info(
            "Bring a CSV file on the left: one row for each check-in with the columns user, lat, lon (degrees) and, if "
            "you like, count. Other names can be matched. The file stays in the memory of the app; it is not "
            "written to disk, and not part of the link."
        )
    except datasets.DatasetMissing:
        _download(source)
    except datasets.ColumnsError as problem:
        st.error(f"{shell.as_text(str(problem))}. Choose the columns on the left.")
    except ValueError as problem:
        st.error(f"This file cannot be used: {shell.as_text(str(problem))}.")
    return None


@st.cache_resource(max_entries=2, show_spinner="Reading the file …")
def _read(digest: str, columns: Columns, _content: bytes) -> CheckIns:
    return datasets.read_checkins_csv(_content, dict(columns) or None)


@st.cache_resource(max_entries=4, show_spinner="Reading the data …")
def _load(source: str) -> CheckIns:
    return datasets.DATASETS[source].load()


def _download(source: str) -> None:
    """Say what has to be downloaded and how large it is; do it when asked to."""
    dataset = datasets.DATASETS[source]
    st.info(shell.as_text(dataset.description))
    if not st.session_state.get("geo_download_asked"):
        label = f"Download {dataset.download_megabytes} MB"
        ask = st.session_state.__setitem__
        st.button(label, key="geo_download", on_click=ask, args=("geo_download_asked", True))
        return

    def fetch(progress: Progress) -> bool:
        megabytes = dataset.download_megabytes
        datasets.download_gowalla(progress=lambda done, _: progress(min(done // 10**6, megabytes), megabytes))
        return True

    try:
        done = worked("geo_download", [(f"download {source}", "Megabytes downloaded", fetch)])
    except (datasets.DownloadError, OSError) as problem:
        st.session_state["geo_download_asked"] = False
        st.error(f"{shell.as_text(str(problem))}.")
        return
    if done:
        st.session_state["geo_download_asked"] = False
        st.rerun()
