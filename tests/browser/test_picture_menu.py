"""A picture is taken away: files that stand alone, its numbers, and the page as a slide."""

from __future__ import annotations

import re
import struct
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.test_accessibility import findings

NAME = "Save this picture, or read its numbers"
SVG = "{http://www.w3.org/2000/svg}"
#: Pages by who draws them: lines and shapes, a painted map, Plotly.
DRAWN = {
    "ours": "/ring?ring_epsilon=2",
    "painted": "/sinkhorn?sinkhorn_n=2000",
    "Plotly": "/mixture?mix_details=Worst+of+many",
}


def menu(page: Page, number: int = 0) -> Locator:
    """The menu of a picture, open."""
    page.get_by_role("button", name=NAME).nth(number).click()
    opened = page.locator(".dpot-menu:popover-open")
    opened.wait_for()
    return opened


def taken(page: Page, kind: str, folder: Path, number: int = 0) -> Path:
    entry = menu(page, number).get_by_role("button", name=kind)
    with page.expect_download() as download:
        entry.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(page.locator(".dpot-menu:popover-open")).to_have_count(0)
    return path


def rows_of(png: bytes) -> tuple[int, int, set[bytes]]:
    """Width, height, and the filtered rows of a PNG of eight bits a channel."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8
    place, packed = 8, b""
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            packed += png[place + 8 : place + 8 + length]
        place += length + 12
    rows, wide = zlib.decompress(packed), {2: 3, 6: 4}[kind] * width + 1
    return width, height, {rows[start : start + wide] for start in range(0, len(rows), wide)}


def objects_of(pdf: bytes) -> Iterator[bytes]:
    """The objects of a PDF by their places in its table, which have to be right."""
    assert pdf.startswith(b"%PDF-1.4\n") and pdf.endswith(b"%%EOF\n")
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n$", pdf)[0])
    head, count, first, *_ = pdf[start:].split(b"\n")
    assert head == b"xref" and first == b"0000000000 65535 f "
    places = re.findall(rb"(\d{10}) 00000 n \n", pdf[start:])
    assert count == b"0 %d" % (len(places) + 1) and b"/Size %d " % (len(places) + 1) in pdf[start:]
    for number, place in enumerate(map(int, places), start=1):
        begin = b"%d 0 obj\n" % number
        assert pdf[place:].startswith(begin)
        yield pdf[place + len(begin) : pdf.index(b"\nendobj", place)]


@pytest.mark.parametrize("drawn", DRAWN)
def test_files_stand_alone_and_carry_title_and_promise(open_page: OpenPage, tmp_path: Path, drawn: str) -> None:
    page = open_page(DRAWN[drawn])
    page.get_by_role("button", name=NAME).first.wait_for()
    titles = page.locator(".dpot-taken > .dpot-title").all_inner_texts()
    number = len(titles) - 1 if drawn == "Plotly" else 0

    text = taken(page, "SVG", tmp_path, number).read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.findtext(f"{SVG}title") == " ".join(titles[number].split())
    assert re.search(r"Protected: |no guarantee covers|Nothing is released", root.findtext(f"{SVG}desc") or "")
    words = " ".join(node.text or "" for node in root.findall(f"{SVG}g/{SVG}text"))
    assert words.endswith(" ".join((root.findtext(f"{SVG}desc") or "").split()[-5:])), "it is seen, too"
    addresses = re.findall(r"""(?:href|src)=["']([^"']*)|url\(["']?([^"')]*)""", text)
    assert all(address.startswith(("data:image/", "#", "&quot;#")) for address in map("".join, addresses)), addresses
    assert not re.search(r"@import|<script|<foreignObject|\son\w+=", text)
    assert ("data:image/png" in text) == (drawn == "painted")

    width, height, rows = rows_of(taken(page, "PNG", tmp_path, number).read_bytes())
    across, down = (float(root.get(name, "")) for name in ("width", "height"))
    assert width == 1600 and abs(height - 1600 * down / across) <= 1 and len(rows) > 200, "something is drawn"

    catalog, pages, leaf, content, image, about = objects_of(taken(page, "PDF", tmp_path, number).read_bytes())
    assert b"/Type /Catalog" in catalog and b"/Count 1" in pages and b"/Picture Do" in content
    size = {name: int(re.findall(rb"/%s (\d+)" % name, image)[0]) for name in (b"Width", b"Height", b"Length")}
    packed = image[image.index(b"stream\n") + 7 :].removesuffix(b"\nendstream")
    assert len(packed) == size[b"Length"]
    assert len(zlib.decompress(packed)) == 3 * size[b"Width"] * size[b"Height"] and size[b"Width"] == 2100
    box = [float(part) for part in re.findall(rb"MediaBox \[0 0 (\S+) (\S+)\]", leaf)[0]]
    assert box == pytest.approx([size[b"Width"] * 72 / 300, size[b"Height"] * 72 / 300], abs=0.01)
    title, subject = (bytes.fromhex(one.decode()).decode("utf-16") for one in re.findall(rb"<([0-9a-f]+)>", about))
    assert title == root.findtext(f"{SVG}title") and subject == root.findtext(f"{SVG}desc")


def test_a_file_shows_what_stands_there_while_epsilon_moves(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/ring?ring_epsilon=2")
    page.wait_for_function("() => dpotStage.complete()")
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    page.wait_for_timeout(300)
    driver.wait_idle(page)
    epsilon = page.locator("[class*=ring_epsilon] input[type=range]").get_attribute("aria-valuetext")
    assert epsilon != "2"
    page.locator(".legend-entry").first.click()
    root = ET.parse(taken(page, "SVG", tmp_path)).getroot()
    assert f"ε = {epsilon} nats. Protected:" in (root.findtext(f"{SVG}desc") or "")
    assert f"ε = {epsilon} " in (root.findtext(f"{SVG}title") or "")
    assert root.findall(f".//{SVG}g[@opacity='0.5']"), "what is put away stays away"


def test_home_and_the_boards_cards_have_theirs(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/?home_epsilon=3")
    root = ET.parse(taken(page, "SVG", tmp_path)).getroot()
    assert "At ε = 3 " in (root.findtext(f"{SVG}title") or "")
    assert re.search(r"the truth; bars: .* ε = 3 nats\. Protected: ", root.findtext(f"{SVG}desc") or "")
    assert menu(page).get_by_role("button", name="Numbers").count() == 1

    page = open_page("/ring?ring_epsilon=3")
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)
    driver.follow(page, "/board")
    page.get_by_role("button", name=NAME).first.wait_for()
    root = ET.parse(taken(page, "SVG", tmp_path)).getroot()
    assert root.findtext(f"{SVG}title"), "the scenario's"
    assert " ε = 3 nats. Protected: " in (root.findtext(f"{SVG}desc") or "")
    opened = menu(page)
    assert opened.get_by_role("button", name="Numbers").count() == 0
    slide = opened.get_by_role("link").get_attribute("href") or ""
    assert "/ring?" in slide and "ring_epsilon=3" in slide and "teach_present=true" in slide


def test_keys_alone_reach_the_numbers_and_come_back(open_page: OpenPage) -> None:
    page = open_page("/ring", theme="dark")
    button = page.get_by_role("button", name=NAME).first
    button.focus()
    page.keyboard.press("Enter")
    page.locator(".dpot-menu:popover-open").wait_for()
    assert not findings(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Numbers as tables")).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_accessible_name(page.locator(".dpot-title").first.inner_text())
    expect(dialog.get_by_role("columnheader", name="wpm output (not private)")).to_be_visible()
    expect(dialog.get_by_role("table", name="distances").get_by_role("row")).to_have_count(4)
    assert all(
        len(re.sub(r"e.*|[^1-9]|^0\.0*", "", cell)) <= 3
        for cell in dialog.get_by_role("table", name="distributions").locator("td:nth-child(n + 2)").all_inner_texts()
    )
    assert not findings(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".dpot-menu:popover-open")).to_have_count(0)


def test_the_slide_is_this_page_for_a_room_where_no_menu_is_seen(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_epsilon=5&ring_k=12")
    title = page.locator(".dpot-title").first.inner_text()
    address = menu(page).get_by_role("link", name="Slide").get_attribute("href") or ""
    open_page(address.partition("/ring")[1] + address.partition("/ring")[2], on=page)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert page.locator(".dpot-title").first.inner_text() == title
    assert page.locator(".dpot-take").count()
    expect(page.get_by_role("button", name=NAME)).to_have_count(0)


def test_on_a_phone_the_menu_lies_in_the_window_and_over_no_words(open_page: OpenPage) -> None:
    page = open_page("/population", size=driver.NARROW)
    for figure in page.locator(".dpot-taken:visible").all():
        words = figure.locator(".dpot-title").evaluate(
            "one => { const range = document.createRange(); range.selectNodeContents(one);"
            " return [...range.getClientRects()].map(({right, bottom}) => [right, bottom]); }"
        )
        box = figure.locator(".dpot-take").bounding_box()
        assert box and box["width"] >= 24 and box["height"] >= 24
        assert all(right <= box["x"] or bottom <= box["y"] for right, bottom in words)
    opened = menu(page)
    box = opened.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= driver.NARROW[0]
    assert all(entry.bounding_box()["height"] >= 24 for entry in opened.get_by_role("button").all())  # type: ignore[index]
    assert driver.overflow(page) <= 0
    page.mouse.click(20, 60)
    expect(opened).to_have_count(0)
