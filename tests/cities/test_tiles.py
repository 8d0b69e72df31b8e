"""Addresses of tile servers: what is taken, and the sentence that says why the others are not."""

from __future__ import annotations

import re

import pytest

from dpot_app.cities.tiles import checked_address, configured_address, read_tiles

PLACES = "/{z}/{x}/{y}.png"


@pytest.mark.parametrize(
    "address",
    [
        f"https://tiles.example{PLACES}",
        f"https://tiles.example:8443/a{PLACES}?key=abc-1",
        "https://tiles.example/?x={x}&y={y}&z={z}",
        f"http://127.0.0.1:8080{PLACES}",
        f"http://localhost{PLACES}",
        f"http://[::1]:80{PLACES}",
    ],
)
def test_addresses_that_a_browser_may_ask(address: str) -> None:
    assert checked_address(f" {address}\n") == address


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("", "Give the address"),
        ("not an address", "a blank or a sign"),
        ("tiles.example" + PLACES, "no address of a server"),
        ("https://" + PLACES, "no address of a server"),
        ("https:tiles.example" + PLACES, "no address of a server"),
        ("javascript://tiles.example" + PLACES, "no address of a server"),
        ("file:///tmp" + PLACES, "no address of a server"),
        ("https://[::1" + PLACES, "no address of a server"),
        ("https://tiles.example:99999" + PLACES, "no address of a server"),
        ("https://{x}.example/{z}/{y}", "no address of a server"),
        ("http://tiles.example" + PLACES, "must begin with https"),
        ("http://127.0.0.1.example" + PLACES, "must begin with https"),
        ("https://me:secret@tiles.example" + PLACES, "a user or a password"),
        ("http://localhost@tiles.example" + PLACES, "a user or a password"),
        ("https://good.example\\@bad.example" + PLACES, "a blank or a sign"),
        ("https://tiles.exämple" + PLACES, "a blank or a sign"),
        ('https://tiles.example/"' + PLACES, "a blank or a sign"),
        ("https://tiles.example/{z}/{x}.png", "needs {z}, {x} and {y}"),
        ("https://tiles.example/{s}" + PLACES, "needs {z}, {x} and {y}"),
        ("https://tiles.example/{z}" + PLACES, "needs {z}, {x} and {y}"),
        ("https://tiles.example/{z}/{x}#{y}", "needs {z}, {x} and {y}"),
        ("https://tiles.example/" + "a" * 300 + PLACES, "at most 300"),
    ],
)
def test_other_addresses_are_refused_with_a_reason(address: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        checked_address(address)


def test_a_tile_source_must_name_the_maker_of_the_map() -> None:
    with pytest.raises(ValueError, match="Say who made the map"):
        read_tiles("https://tiles.example" + PLACES, " \n")
    with pytest.raises(ValueError, match="at most 200"):
        read_tiles("https://tiles.example" + PLACES, "a" * 201)
    assert read_tiles("https://tiles.example" + PLACES, " <b>a</b>\n b ").attribution == "<b>a</b> b"


def test_no_address_is_configured_unless_the_operator_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPOT_TILES", raising=False)
    assert configured_address() == ""
    monkeypatch.setenv("DPOT_TILES", "https://tiles.example" + PLACES)
    assert configured_address() == "https://tiles.example" + PLACES
