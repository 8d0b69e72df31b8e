"""The address of a tile server, checked: the reader names it, and only the browser asks it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

#: Characters that an address, and an attribution, may have.
MAX_ADDRESS, MAX_ATTRIBUTION = 300, 200

#: What an address may look like.
EXAMPLE = "https://tiles.example/{z}/{x}/{y}.png"

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
# Browsers read some other characters as if they were these: the text would not show which server they ask.
_PLAIN = re.compile(r"[A-Za-z0-9\-._~:/?\[\]@!$&'()*+,;=%{}#]+")


@dataclass(frozen=True)
class Tiles:
    """Pictures of a map: where they are, and who made them (plain text)."""

    address: str
    attribution: str


def configured_address() -> str:
    """The address that the text field begins with: `DPOT_TILES`, "" where it is not set."""
    return os.environ.get("DPOT_TILES", "")


def read_tiles(address: str, attribution: str) -> Tiles:
    """The tiles of an address and who made them.

    Raises:
        ValueError: with a sentence for the screen.

    >>> read_tiles(" https://tiles.example/{z}/{x}/{y}.png", "A mapmaker").address
    'https://tiles.example/{z}/{x}/{y}.png'
    """
    address, attribution = checked_address(address), " ".join(attribution.split())
    if not attribution:
        raise ValueError("Say who made the map, such as © OpenStreetMap contributors: it stands under the picture.")
    if len(attribution) > MAX_ATTRIBUTION:
        raise ValueError(f"The attribution has {len(attribution):,} characters; at most {MAX_ATTRIBUTION} are shown.")
    return Tiles(address, attribution)


def checked_address(text: str) -> str:
    """The same address, if a browser may ask it: https, or http on the reader's own machine.

    Raises:
        ValueError: with a sentence for the screen.
    """
    address = text.strip()
    if not address:
        raise ValueError(f"Give the address of a tile server, such as {EXAMPLE}.")
    if len(address) > MAX_ADDRESS:
        raise ValueError(f"The tile address has {len(address):,} characters; at most {MAX_ADDRESS} are taken.")
    if not _PLAIN.fullmatch(address):
        raise ValueError("The tile address has a blank or a sign that no address has; write other letters as %XX.")
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in ("http", "https") or "{" in parts.netloc:
        raise ValueError(f"The tile address is no address of a server: it must look like {EXAMPLE}.")
    if "@" in parts.netloc:
        raise ValueError("The tile address has a user or a password in it: all readers would see it.")
    if parts.scheme == "http" and host not in _LOOPBACK:
        raise ValueError("The tile address must begin with https://; http:// is taken on this machine only.")
    places = re.findall(r"{[^{}]*}|[{}]", address.removesuffix(f"#{parts.fragment}"))
    if sorted(places) != ["{x}", "{y}", "{z}"]:
        raise ValueError("The tile address needs {z}, {x} and {y}, each once, and nothing else in braces.")
    return address
