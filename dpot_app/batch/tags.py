"""Tags of private data: on this machine they tell whether a file is the same; elsewhere they say nothing about it.

A plain digest identifies: an attacker with all rows of a file but one tries rows until it is right. So whatever is
written has ``KEY:HMAC`` in its place, under 32 secret bytes that stay on this machine; KEY is a public name of them.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock

import platformdirs

from dpot_core.arguments.lazy import cached_property

#: Names the file that keeps the key, in place of the one in the user's data folder.
WHERE = "DPOT_TAG_KEY"
#: What a tag looks like.
TAG = re.compile(r"[0-9a-f]{12}:[0-9a-f]{64}")
#: What a tag can prove and what it cannot.
MEANING = (
    "Private files are named by tags, KEY:HMAC-SHA256, under a key that stays on the machine that wrote them. There a "
    "tag tells whether a file is the same. Elsewhere it proves nothing: neither what is in a file nor that it is the "
    "same."
)
FOREIGN = "written on another machine: cannot be compared"
_BYTES = 32
_LOCK = Lock()


@dataclass(frozen=True)
class _Key:
    secret: bytes = field(repr=False)
    problem: str = ""  # why it is not kept

    @cached_property
    def name(self) -> str:
        return hashlib.sha256(b"dpot: name of a key of tags\0" + self.secret).hexdigest()[:12]

    def tag(self, what: str, text: str) -> str:
        message = what.encode() + b"\0" + text.encode()
        return f"{self.name}:{hmac.digest(self.secret, message, 'sha256').hex()}"


def tagged(text: str, what: str = "file") -> str:
    """The tag of a text that identifies private data; two are equal where ``what`` and the text are.

    Args:
        text: of a file: its plain SHA-256 in hexadecimal digits.
        what: the text is of: tags of other things say nothing about those of files.
    """
    return _key().tag(what, text)


def tag_of(content: bytes) -> str:
    """The tag of a file's content."""
    return tagged(hashlib.sha256(content).hexdigest())


def key_name() -> str:
    """The public name of this machine's key, with which its tags begin."""
    return _key().name


def is_tag(text: str) -> bool:
    """Whether a text is a tag, under whichever key."""
    return TAG.fullmatch(text) is not None


def is_foreign(text: str) -> bool:
    """Whether a text is a tag under another key: whether it is a file's that is here cannot be told."""
    return is_tag(text) and not text.startswith(f"{_key().name}:")


def short(known: str) -> str:
    """The first digits of a digest or a tag, and of one under another key that it cannot be compared."""
    return known.rpartition(":")[2][:12] + (f" ({FOREIGN})" if is_foreign(known) else "")


def not_kept() -> str:
    """The addition to `MEANING` where the key could not be kept; "" where it is."""
    problem = _key().problem
    return problem and f"The key could not be kept ({problem}): these tags tell nothing once this program has ended."


def _key() -> _Key:
    with _LOCK:  # without a place to keep it, two would be made
        return _from(os.environ.get(WHERE, ""))


@lru_cache(maxsize=1)
def _from(place: str) -> _Key:
    file = Path(place) if place else Path(platformdirs.user_data_dir("dpot", appauthor=False)) / "tags.key"
    try:
        return _Key(_kept(file))
    except (OSError, ValueError) as problem:
        # A room full of people may read this: it does not say where the file lies.
        said = (isinstance(problem, OSError) and problem.strerror) or str(problem)
        return _Key(secrets.token_bytes(_BYTES), said)


def _kept(file: Path) -> bytes:
    """The key in a file, which is made if it is not there: whole, readable by this user alone, and only once."""
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, unfinished = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")  # 0600
        try:
            with os.fdopen(descriptor, "wb") as opened:
                opened.write(secrets.token_bytes(_BYTES))
                opened.flush()
                os.fsync(opened.fileno())
            with suppress(FileExistsError):  # another process was first: its key counts
                os.link(unfinished, file)
        finally:
            os.unlink(unfinished)
    with file.open("rb") as opened:
        if os.name == "posix" and os.fstat(opened.fileno()).st_mode & 0o077:
            raise ValueError("others may read the file that keeps it")
        secret = opened.read(_BYTES + 1)
    if len(secret) != _BYTES:
        raise ValueError(f"the file that keeps it must have {_BYTES} bytes")
    return secret
