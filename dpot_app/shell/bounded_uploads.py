"""Limits on the files that a session may keep, in memory only."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

#: Bytes of all files together that a session keeps.
MOST_IN_SESSION = 200 * 2**20


def accepted(file: UploadedFileRec, sent: Mapping[str, UploadedFileRec]) -> UploadedFileRec:
    """A file as it is kept, beside what the session has sent before.

    Streamlit keeps whatever a session sends until it ends, also what no page has asked for.

    Raises:
        HTTPException: 413, if all files together are too large.
    """
    # Called on the server's one loop: nothing comes in between.
    others = sum(len(one.data) for key, one in sent.items() if key != file.file_id)
    if others + len(file.data) > MOST_IN_SESSION:
        raise HTTPException(413, f"At most {MOST_IN_SESSION // 2**20} MiB of files are kept for a session.")
    # A name with a NUL or another control character breaks what is sent to the browser from then on.
    return file._replace(name="".join(c for c in file.name if c.isprintable()) or "file")
