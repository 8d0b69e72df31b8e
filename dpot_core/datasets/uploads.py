"""First checks of every uploaded file: its size, its encoding, its words."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

#: Larger uploads are refused before anything is read.
MAX_UPLOAD_BYTES = 50 * 2**20

#: Characters of a user's or a zone's name that are kept.
MAX_NAME = 80

# First bytes of files that people take for a table or a map, and what to tell them.
_NOT_TEXT = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls); save it as .xlsx or CSV"),
    (b"\x1f\x8b", "a gzip archive; unpack it"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"%PDF", "a PDF document"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "an SQLite database"),
)


def _as_latin_1(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeDecodeError):
        raise problem
    return problem.object[problem.start : problem.end].decode("latin-1"), problem.end


codecs.register_error("latin_1_where_free", _as_latin_1)


class UnusableFile(ValueError):
    """An uploaded file cannot be read, whatever the settings; the message says why."""


@contextmanager
def reading() -> Iterator[None]:
    """Whatever is wrong inside is wrong with the file.

    Raises:
        UnusableFile: instead of another `ValueError`.
    """
    try:
        yield
    except UnusableFile:
        raise
    except ValueError as problem:
        raise UnusableFile(str(problem)) from problem


def check_size(data: bytes, what: str) -> None:
    """Refuse an empty file and one above `MAX_UPLOAD_BYTES`, without reading it.

    Raises:
        ValueError: names the size and the limit.
    """
    if len(data) == 0:
        raise ValueError(f"the {what} is empty")
    if len(data) > MAX_UPLOAD_BYTES:
        raise ValueError(
            f"the {what} has {len(data) / 2**20:,.1f} MiB; at most {MAX_UPLOAD_BYTES / 2**20:g} MiB are accepted"
        )


def decode(data: bytes, what: str) -> tuple[str, str]:
    """Text of an uploaded file, and the name of its encoding.

    A byte order mark decides (UTF-8, UTF-16); else UTF-8; else Windows-1252, whose free places are read as Latin-1, so
    that every byte is accepted: the caller has to say that it was used.

    Raises:
        ValueError: if the bytes are no text; the message says what they look like.
    """
    for magic, looks_like in _NOT_TEXT:
        if data.startswith(magic):
            raise ValueError(f"the {what} is not text: it looks like {looks_like}")
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text, encoding = data.decode("utf-16"), "UTF-16"
        else:
            text, encoding = data.decode("utf-8-sig"), "UTF-8"
    except UnicodeDecodeError as error:
        if error.encoding.startswith("utf-16"):
            raise ValueError(f"the {what} starts like UTF-16 but is not: {error.reason}") from error
        text, encoding = data.decode("cp1252", "latin_1_where_free"), "Windows-1252"
    if "\0" in text:
        raise ValueError(
            f"the {what} holds NUL bytes (the first at character {text.index(chr(0)):,}): it is binary, "
            "or UTF-16 without a byte order mark; save it as UTF-8 text"
        )
    # A stray code in a name is dropped later; many of them are no text.
    start = text[:4096]
    strange = sum(unicodedata.category(c) == "Cc" and c not in "\t\r\n\f" for c in start)
    if strange > 8 + 0.02 * len(start):
        raise ValueError(f"the {what} is not text: {strange} of its first {len(start)} characters are control codes")
    return text, encoding


def plain_text(text: str) -> str:
    """One line of printable text, at most `MAX_NAME` characters.

    Control and direction characters go, white space becomes one space. Markup is left as it is: it is text,
    and a caller that puts it into HTML escapes it.
    """
    # What is cut off need not be looked at.
    start = " ".join(text[: 50 * MAX_NAME].split())
    if start.isprintable() and len(start) <= MAX_NAME:
        return start
    words = "".join(c for c in start if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return words if len(words) <= MAX_NAME else words[: MAX_NAME - 1] + "…"
