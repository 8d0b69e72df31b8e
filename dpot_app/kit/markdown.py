"""Text from outside inside Markdown."""

import re
from typing import Any

# What Markdown, or Streamlit's extensions of it (:colour[], :icon:, $formula$), would read as an instruction.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&])")
# Where escapes do not help: once they are read, addresses, :icons: and arrows are looked for in the plain text. There
# an invisible character that breaks no line keeps what belongs together from being found.
_FOUND_LATER = re.compile(r"(?<=[:@])(?=\S)|(?<=www)(?=\.)|(?<=[-<>~])(?=[-<>=])", re.IGNORECASE)
WORD_JOINER = "\u2060"
# Marks that turn the direction of all that follows them, numbers too.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def as_text(label: str) -> str:
    r"""A label that Streamlit shows as it is: nothing in it is read as Markdown, HTML, an address or an icon.

    Nor turns it around what stands beside it.

    >>> as_text("\u202eC.1: ") + "3.25 km"
    'C\\.1\\: 3.25 km'
    """
    return _MARKDOWN.sub(r"\\\1", _FOUND_LATER.sub(WORD_JOINER, _TURNING.sub("", label)))


def without_marks(text: str) -> str:
    r"""Markdown as plain text.

    >>> without_marks(r"**Tap** [the ring](#ring): `x` is 1\.5 km")
    'Tap the ring: x is 1.5 km'
    """
    words = re.sub(r"(?<!\\)(\*+|`)", "", re.sub(r"(?<!\\)\[([^\]]*)\]\([^)]*\)", r"\1", text))
    return re.sub(r"\\([^\w\s])", r"\1", words).replace(WORD_JOINER, "")


def cited(data: Any, said: str) -> str:
    """A citation of a data set, with something ``said`` of it, and where it comes from."""
    kind = "**Simulated data**: " if data.simulated else ""
    return f"{kind}{as_text(data.title)}{said} Source: {as_text(data.source)}. {as_text(data.licence)}"
