"""Limits on the files that sessions may keep, in memory only."""

from collections.abc import Mapping
from threading import Lock
from weakref import WeakSet

from starlette.exceptions import HTTPException
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

#: Bytes of all files together that a session keeps.
MOST_IN_SESSION = 200 * 2**20
#: Bytes of the files that all sessions have sent, with those that lost their connection less than half an hour ago; and
#: of the files that their pages and boards keep.
MOST_IN_SERVER = 2 * 2**30
#: Said where there are more.
FULL = "Other readers' files fill the memory of this server. Try again in half an hour."


class Kept:
    """Bytes of the files that the pages and the board of one session keep; it ends with the session's state."""

    size = 0


_OF_ALL: WeakSet[Kept] = WeakSet()
_LOCK = Lock()


def begun() -> Kept:
    """The account of a new session."""
    made = Kept()
    with _LOCK:
        _OF_ALL.add(made)
    return made


def kept_by_others(mine: Kept) -> int:
    """Bytes that the pages and boards of the other sessions keep."""
    with _LOCK:
        return sum(one.size for one in _OF_ALL if one is not mine)


def accepted(
    file: UploadedFileRec, session_id: str, kept: Mapping[str, Mapping[str, UploadedFileRec]]
) -> UploadedFileRec:
    """A file as it is kept, beside what this session and the others have sent before.

    Streamlit keeps whatever a session sends until it ends, also what no page has asked for.

    Raises:
        HTTPException: 413, if the files of the session are too large together; 507, if those of all sessions are.
    """
    # Called on the server's one loop: nothing comes in between but what a script lets go.
    sizes = {key: sum(len(one.data) for one in list(sent.values())) for key, sent in list(kept.items())}
    before = kept.get(session_id, {}).get(file.file_id)
    more = len(file.data) - (len(before.data) if before else 0)
    if sizes.get(session_id, 0) + more > MOST_IN_SESSION:
        raise HTTPException(413, f"At most {MOST_IN_SESSION // 2**20} MiB of files are kept for a session.")
    if sum(sizes.values()) + more > MOST_IN_SERVER:
        raise HTTPException(507, FULL)
    # A name with a NUL or another control character breaks what is sent to the browser from then on.
    return file._replace(name="".join(c for c in file.name if c.isprintable()) or "file")
