"""Limits on the files that sessions may keep, in memory only."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

#: Bytes of all files together that a session keeps.
MOST_IN_SESSION = 200 * 2**20
#: Bytes of the files of all sessions, with those that lost their connection less than half an hour ago.
MOST_IN_SERVER = 2 * 2**30


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
        raise HTTPException(507, "Other readers' files fill the memory of this server. Try again in half an hour.")
    # A name with a NUL or another control character breaks what is sent to the browser from then on.
    return file._replace(name="".join(c for c in file.name if c.isprintable()) or "file")
