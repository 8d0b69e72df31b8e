"""Files that a reader brings, and data that are downloaded when asked for. Uploads stay in memory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpot_app.batch.tags import tagged
from dpot_app.kit import cache
from dpot_app.kit.markdown import as_text
from dpot_app.kit.reading import within_limits
from dpot_app.kit.requester import waiting
from dpot_app.kit.setting import Declared
from dpot_app.kit.view import View
from dpot_app.shell import bounded_uploads, tables
from dpot_app.shell.bounded_uploads import MOST_IN_SESSION
from dpot_app.shell.controls import Controls
from dpot_app.shell.sidebar import Waiting
from dpot_app.shell.upload import Upload
from dpot_app.shell.work import counted
from dpot_core.arguments.progress import Progress
from dpot_core.datasets import CsvColumns, Dataset, DownloadError
from dpot_core.datasets.csv_names import unused_note
from dpot_core.privacy.numerals import count

#: Where a session has its account of the bytes that it keeps.
_ACCOUNT = "files_account"
#: (role, column) of a file.
Columns = tuple[tuple[str, str], ...]
#: Smallest x, smallest y, largest x, largest y.
Rectangle = tuple[float, float, float, float]


def kept_bytes() -> int:
    """Bytes of the files that this session keeps, on pages and for the board."""
    state = st.session_state
    own = {file.tag: file.content for file in map(state.get, list(state)) if isinstance(file, Upload)}
    board = state.get("board")
    return sum(map(len, (own | (board.files if board else {})).values()))


def forget(role: str, tag: str, replaced_on: str = "") -> None:
    """Let go of a file on every page that keeps it, and of what was computed from it: the project carries it along.

    Uploaders that have it are emptied, but for that of the page on which another file has taken its place.
    """
    state, ending = st.session_state, f"_{role}_kept"
    for key in [str(key) for key in list(state) if str(key).endswith(ending)]:
        own = state.get(key)
        if isinstance(own, Upload) and own.tag == tag:
            page = key.removesuffix(ending)
            del state[key]
            _let_go(page, own)
            if page != replaced_on:
                emptied = _emptied(f"{page}_{role}_file")
                state[emptied] = state.get(emptied, 0) + 1
    state.pop(f"columns_{tag}", None)


def _let_go(page: str, own: Upload) -> None:
    """Drop a file from the session's frames and tables, from all memories and from Streamlit's copy."""
    for held in (f"{page}_live", "picture_numbers"):
        st.session_state.pop(held, None)
    own.empty()
    cache.forget(own.digest)
    script = get_script_run_ctx()
    if script is not None and isinstance(script.uploaded_file_mgr, MemoryUploadedFileManager):
        script.uploaded_file_mgr.remove_file(script.session_id, own.known_as)


def upload(controls: Controls, role: str, label: str, types: Sequence[str]) -> Upload | None:
    """A file uploader whose file is kept while another page is shown; views find it by its role."""
    key = f"{controls.page}_{role}_kept"
    file = _uploader(f"{controls.page}_{role}_file", label, types)
    own: Upload | None = st.session_state.get(key)
    if _ACCOUNT not in st.session_state:
        st.session_state[_ACCOUNT] = bounded_uploads.begun()
    account = st.session_state[_ACCOUNT]
    if file is not None and (own is None or own.known_as != file.file_id):
        others = kept_bytes() - (len(own.content) if own else 0)
        if others + file.size + bounded_uploads.kept_by_others(account) > bounded_uploads.MOST_IN_SERVER:
            st.error(bounded_uploads.FULL)
        elif others + file.size > MOST_IN_SESSION:
            st.error(
                f"This file is too large beside the others: together they have {count((others + file.size) / 2**20)} "
                f"MiB. A session keeps at most {MOST_IN_SESSION // 2**20} MiB. Forget another file first."
            )
        else:
            content = file.getvalue()
            if own is not None:
                forget(role, own.tag, replaced_on=controls.page)
            digest = cache.file_digest(content)
            own = Upload(file.name, content, digest, tagged(digest.hex()), file.file_id)
            cache.forget_with(own, digest)
            st.session_state[key] = own
    elif file is None and own is not None:
        pinned = own.tag in (board.files if (board := st.session_state.get("board")) else {})
        more = ". The what-if board also keeps it while a pinned scenario reads it." if pinned else ""
        st.caption(f"In use: {as_text(own.name)}{more}")
        st.button("Forget it", key=f"{key}_forget", on_click=forget, args=(role, own.tag))
    account.size = kept_bytes()
    if own is None:
        _offer(role, key)
    else:
        controls.files[role] = own
    return own


def _emptied(key: str) -> str:
    """Key of how often an uploader was emptied: by another one, as Streamlit empties none."""
    return f"{key}_emptied"


def _uploader(key: str, label: str, types: Sequence[str]) -> Any:
    """A file uploader that names no file which the server has no more: another one takes its place, and says so."""
    times, gone = _emptied(key), f"{key}_gone"
    now = f"{key}_{emptied}" if (emptied := st.session_state.get(times, 0)) else key
    place = st.container()
    file = place.file_uploader(label, type=list(types), key=now)
    if file is not None:
        st.session_state[gone] = False
    elif st.session_state.get(now) is not None:
        st.session_state.update({times: emptied + 1, gone: True})
        st.rerun()
    if st.session_state.get(gone):
        minutes = st.get_option("server.disconnectedSessionTTL") // 60
        place.warning(
            "The file is no longer on the server. It was started again, or this page had no connection for longer than "
            f"{minutes} minutes. Bring the file again."
        )
    return file


def brought(role: str) -> dict[str, Upload]:
    """Files of a role that this session keeps, on whatever page they were brought, by their tag."""
    state = st.session_state
    kept = {name: state[name] for name in list(state) if str(name).endswith(f"_{role}_kept")}
    return {own.tag: own for own in kept.values() if isinstance(own, Upload) and own.content}


def take_over(own: Upload, key: str) -> None:
    """Keep a file under another page's key, too."""
    copy = replace(own, headers=dict(own.headers))
    cache.forget_with(copy, copy.digest)
    st.session_state[key] = copy


def _offer(role: str, key: str) -> None:
    """Files that were brought on other pages, to be used here without bringing them again."""
    for tag, own in brought(role).items():
        label = f"Use {as_text(own.name)}, brought on another page"
        st.button(label, key=f"{key}_take_{tag}", on_click=take_over, args=(own, key), icon=":material/file_copy:")


def needed_upload(controls: Controls, role: str, label: str, types: Sequence[str], missing: str) -> Upload:
    """A file without which nothing can be computed; ``missing`` is said while there is none.

    Raises:
        Waiting: while there is none.
    """
    file = upload(controls, role, label, types)
    if file is None:
        raise Waiting(missing)
    return file


def files_for(controls: Controls, view: View, config: Any) -> dict[str, Upload]:
    return {role: controls.files[role] for role in view.files(config) if role in controls.files}


def has_own(controls: Controls, view: View, config: Any) -> bool:
    """Whether what the reader brought is in a view's results: nothing of them is kept for others."""
    return bool(files_for(controls, view, config)) or view.personal(config)


def columns_of(
    controls: Controls,
    table: Upload,
    sniff: Callable[[bytes], CsvColumns],
    roles: Sequence[str],
    without: Mapping[str, str] | None = None,
) -> Columns:
    """Which column is what: guessed from the names, and asked for where the guess fails or is wrong.

    ``without``: for each role that may be missing, what the screen says then.
    """
    if sniff not in table.headers:
        try:
            table.headers[sniff] = within_limits(sniff)(table.content)
        except ValueError:
            table.headers[sniff] = None
    header = table.headers[sniff]
    if header is None:
        return ()  # reading the file says what is wrong, where there is room for it
    chosen: dict[str, str] = {}
    before: dict[str, str] = st.session_state.setdefault(f"columns_{table.tag}", {})  # of the file, on any page
    missing = [role for role in header.required if role not in header.guess and before.get(role) not in header.names]
    with st.expander("Columns of the file", expanded=bool(missing or header.unused or header.likely)):
        for role in roles:
            none = (without or {}).get(role)
            names = list(header.names) if none is None else [none, *header.names]
            guess = before.get(role) if before.get(role) in names else header.guess.get(role)
            start = names.index(guess) if guess is not None else None if none is None else 0
            name = st.selectbox(role, names, start, key=f"{controls.page}_column_{role}_{table.tag}")
            if name is not None:
                before[role] = name
                chosen |= {role: name} if name != none else {}
        if unused := [name for name in header.unused if name not in chosen.values()]:
            st.caption(as_text(unused_note(unused)))
        if header.first_rows:
            st.caption("The first rows, as they are read:")
            tables.table(header.names, header.first_rows)
    return tuple(chosen.items())


def offer_download(controls: Controls, dataset: Dataset[Any]) -> None:
    """Say what has to be downloaded, on which terms and how large it is; do it when asked to.

    Raises:
        ValueError: if it is not there to be downloaded.
    """
    download = dataset.download
    if download is None:
        raise ValueError(f"{dataset.title} is not on this machine and cannot be downloaded")
    wanted = f"{controls.page}_download_asked"
    megabytes = dataset.download_megabytes
    st.info(as_text(f"{dataset.description} {dataset.licence}"))
    if not st.session_state.get(wanted):
        remember = st.session_state.__setitem__
        key = f"{controls.page}_download"
        st.button(f"Download {megabytes} MB", key=key, on_click=remember, args=(wanted, True))
        return

    def fetch(progress: Progress) -> bool:
        with waiting():  # others need not, for what only the network does
            download(lambda done, _: progress(min(done // 10**6, megabytes), megabytes))
        return True

    try:
        done = counted(f"{controls.page}_download_abandoned", dataset.title, "Megabytes downloaded", fetch)
    except (DownloadError, OSError) as problem:
        st.session_state[wanted] = False
        st.error(f"{as_text(str(problem))}.")
        return
    if done:
        st.session_state[wanted] = False
        st.rerun()


def rectangle(controls: Controls) -> Rectangle:
    """Four fields for a public rectangle in a file's own coordinates: smallest x and y, largest x and y."""
    edges = (("west", "Smallest x", 0.0), ("south", "Smallest y", 0.0), ("east", "Largest x", 1.0))
    west, south, east, north = (
        controls.ask(Declared(label, "field", name, low=-1e9, high=1e9), start)
        for name, label, start in (*edges, ("north", "Largest y", 1.0))
    )
    return west, south, east, north
