"""Changes of Streamlit and of the server under it: all of them, made before the rest of the app is imported.

Each change says why and where the need is known in public, and names what it replaces as it was when it was written. In
another version that may have become another thing: then the change is left out, which the log says, or the app does not
start, where readers' files would reach a disk or fill the memory.
"""

import hashlib
import inspect
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import version
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dpot_app.shell.addresses import prefix_of
from dpot_app.shell.bounded_uploads import accepted
from dpot_app.shell.late_reports import PendingNavigation
from dpot_app.shell.session_lock import SessionLock
from dpot_app.shell.worded import HISTORY

Method = Callable[..., Any]


@dataclass(frozen=True)
class Patch:
    """A method of a class of Streamlit that is replaced.

    Attributes:
        owner: the class.
        name: of the method.
        source: first digits of the SHA-256 of the method's source that this was written for.
        lost: what happens without it.
        issue: where the need is known in public; "" where no report was found.
        make: from the method that is there to the one that takes its place.
        needed: whether the app does not start without it.
    """

    owner: type
    name: str
    source: str
    lost: str
    issue: str
    make: Callable[[Method], Method]
    needed: bool = False

    def apply(self) -> None:
        """Put it in place for this process; a second call changes nothing.

        Raises:
            SystemExit: it is needed, and what it replaces is not what it was written for.
        """
        present = vars(self.owner).get(self.name)
        if hasattr(present, "__wrapped__"):
            return
        if present is None or digest(present) != self.source:
            refuse_or_warn(f"{self.owner.__qualname__}.{self.name}", self.lost, self.needed)
            return
        setattr(self.owner, self.name, wraps(present)(self.make(present)))


def digest(method: Method) -> str:
    """The first digits of the SHA-256 of a method's source."""
    return hashlib.sha256(inspect.getsource(method).encode()).hexdigest()[:16]


def refuse_or_warn(what: str, lost: str, needed: bool) -> None:
    """Say that something of Streamlit is not what a change was written for.

    Raises:
        SystemExit: the change is needed.
    """
    said = f"{what} of Streamlit {version('streamlit')} is not what this app was written for: {lost}"
    if needed:
        print(f"dpot: error: {said}. Install what requirements.txt names.", file=sys.stderr)
        raise SystemExit(2)
    logging.getLogger(__name__).warning("%s", said)


def _bounded(add: Method) -> Method:
    def add_file(self: MemoryUploadedFileManager, session_id: str, file: UploadedFileRec) -> None:
        add(self, session_id, accepted(file, session_id, self.file_storage))

    return add_file


def _heard_where_it_goes(ask: Method) -> Method:
    sessions: WeakKeyDictionary[AppSession, PendingNavigation] = WeakKeyDictionary()

    def request_rerun(self: AppSession, client_state: ClientState | None) -> None:
        heard = client_state
        if client_state is not None:
            prefixes = {key: prefix_of(page.get("url_pathname", "")) for key, page in self.get_pages().items()}
            heard = sessions.setdefault(self, PendingNavigation()).hear(client_state, self.page_script_hash, prefixes)
            if heard is None:
                return
        ask(self, heard)

    return request_rerun


def _in_turn(begin: Method) -> Method:
    def in_turn(self: SafeSessionState, state: SessionState, yield_callback: Callable[[], None]) -> None:
        begin(self, state, yield_callback)
        # Its own way to set anything writes to the session.
        object.__setattr__(self, "_lock", SessionLock(state, yield_callback))

    return in_turn


UPLOADS = Patch(
    MemoryUploadedFileManager,
    "add_file",
    "b30368a136190487",
    "a session could fill the server's memory with files",
    "streamlit/streamlit#3401",
    _bounded,
    needed=True,
)
LATE_REPORTS = Patch(
    AppSession,
    "request_rerun",
    "52f29d8973368c8b",
    "a click on a link is lost while a control of the page still reports",
    "",
    _heard_where_it_goes,
)
SESSION_LOCK = Patch(
    SafeSessionState,
    "__init__",
    "cd1e2287e48eee68",
    "two scripts of one session may meet in its state",
    "streamlit/streamlit#4628",
    _in_turn,
)

# Streamlit takes a folder called pages for its old way of making pages until app.py has run once: the first visitor of
# a fresh server who follows a link would get that page alone, without app.py (streamlit/streamlit#9624). A server that
# imports app.py first has not decided yet; elsewhere a page may be running already that way.
if not hasattr(PagesManager, "uses_pages_directory"):
    refuse_or_warn("PagesManager.uses_pages_directory", "the first visitor of a page sees it without navigation", False)
else:
    _alone = PagesManager.uses_pages_directory
    PagesManager.uses_pages_directory = False
    if _alone:
        st.rerun()

# Streamlit keeps uploads in memory, but the server that it stands on receives those above a megabyte in a temporary
# file. 0: never. (How large they may be at all is said in .streamlit/config.toml.) Starlette may take this attribute
# away (Kludex/starlette#3190).
if not hasattr(MultiPartParser, "spool_max_size"):
    refuse_or_warn("The form parser below", "files that people bring would reach the disk", True)
MultiPartParser.spool_max_size = 0

if not hasattr(ScriptRunContext, HISTORY):
    refuse_or_warn(f"ScriptRunContext.{HISTORY}", "the browser's Back does not bring options back", False)

UPLOADS.apply()
