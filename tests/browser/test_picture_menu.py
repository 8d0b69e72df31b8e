"""A picture is taken away: files that stand alone, its numbers, and the page as a slide."""

from __future__ import annotations

import re
import struct
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import driver
from tests.browser.axe_core import findings
from tests.browser.conftest import OpenPage

NAME = "Save this picture, or read its numbers"
SVG = "{http://www.w3.org/2000/svg}"
#: Pages by what they draw: lines and shapes, a painted map.
DRAWN = {
    "lines": "/ring?ring_epsilon=2",
    "painted": "/sinkhorn?sinkhorn_n=2000",
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


class Pdf:
    """A PDF of one page: its objects by their places in its table, which have to be right."""

    def __init__(self, path: Path) -> None:
        pdf = path.read_bytes()
        start = int(re.findall(rb"startxref\n(\d+)\n%%EOF$", pdf.strip())[0])
        places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n ", pdf[start:])]
        assert pdf.startswith(b"%PDF-1.") and pdf[start:].startswith(b"xref\n0 %d\n" % (len(places) + 1))
        self.objects = {}
        for number, place in enumerate(places, start=1):
            begin = b"%d 0 obj\n" % number
            assert pdf[place:].startswith(begin)
            self.objects[number] = pdf[place + len(begin) : pdf.index(b"\nendobj", place)]

    def one(self, kind: bytes) -> bytes:
        (found,) = (held for held in self.objects.values() if re.search(rb"/Type /%s\b" % kind, held))
        return found

    def stream(self, number: bytes) -> bytes:
        held = self.objects[int(number)]
        return zlib.decompress(held[held.index(b"stream\n") + 7 :])

    @property
    def content(self) -> bytes:
        return self.stream(re.findall(rb"/Contents (\d+)", self.one(b"Page"))[0])

    def text(self) -> str:
        """What a reader who selects everything copies."""
        fonts = {}
        for name, font in re.findall(rb"/(F\d+) (\d+) 0 R", b"".join(self.objects.values())):
            if b"/ToUnicode" in self.objects[int(font)]:
                codes = self.stream(re.findall(rb"/ToUnicode (\d+)", self.objects[int(font)])[0])
                fonts[name] = {
                    glyph.lower(): bytes.fromhex(letter.decode()).decode("utf-16-be")
                    for glyph, letter in re.findall(rb"<(\w{4})><(\w{4})>", codes)
                }
        lines, font = [], b""
        for chosen, glyphs in re.findall(rb"/(F\d+) \S+ Tf|<(\w+)> Tj", self.content):
            font = chosen or font
            lines.append("".join(fonts[font][glyphs[at : at + 4].lower()] for at in range(0, len(glyphs), 4)))
        return " ".join(lines)

    def said(self, name: bytes) -> str:
        held = b"\n".join(self.objects.values())
        (written,) = re.findall(rb"/%s \(((?:\\.|[^\\)])*)\)" % name, held, re.DOTALL)
        # As readers do: a line's end in a text is a line feed, however it is written, unless it is escaped.
        written = re.sub(rb"(?<!\\)\r\n?", b"\n", written)
        plain = re.sub(rb"\\(.)", lambda one: b"\r" if one[1] == b"r" else one[1], written, flags=re.DOTALL)
        return plain.removeprefix(b"\xfe\xff").decode("utf-16-be" if plain.startswith(b"\xfe\xff") else "ascii")


@pytest.mark.nightly
@pytest.mark.parametrize("drawn", DRAWN)
def test_files_stand_alone_and_carry_title_and_promise(open_page: OpenPage, tmp_path: Path, drawn: str) -> None:
    page = open_page(DRAWN[drawn])
    page.get_by_role("button", name=NAME).first.wait_for()
    titles = page.locator(".dpot-taken > .dpot-title").all_inner_texts()

    text = taken(page, "SVG", tmp_path).read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.findtext(f"{SVG}title") == " ".join(titles[0].split())
    assert re.search(r"Hard to tell apart: |no guarantee covers|Nothing is released", root.findtext(f"{SVG}desc") or "")
    words = " ".join(node.text or "" for node in root.findall(f"{SVG}g/{SVG}text"))
    assert words.endswith(" ".join((root.findtext(f"{SVG}desc") or "").split()[-5:])), "it is seen, too"
    addresses = re.findall(r"""(?:href|src)=["']([^"']*)|url\(["']?([^"')]*)""", text)
    assert all(address.startswith(("data:image/", "#", "&quot;#")) for address in map("".join, addresses)), addresses
    assert not re.search(r"@import|<script|<foreignObject|\son\w+=", text)
    assert ("data:image/png" in text) == (drawn == "painted")

    width, height, rows = rows_of(taken(page, "PNG", tmp_path).read_bytes())
    across, down = (float(root.get(name, "")) for name in ("width", "height"))
    assert width == 1600 and abs(height - 1600 * down / across) <= 1 and len(rows) > 200, "something is drawn"

    pdf = Pdf(taken(page, "PDF", tmp_path))
    assert b"/DisplayDocTitle true" in pdf.one(b"Catalog") and b"/Lang (en)" in pdf.one(b"Catalog")
    box = [float(part) for part in re.findall(rb"MediaBox \[0 0 (\S+) (\S+)\]", pdf.one(b"Page"))[0]]
    assert box == pytest.approx([504, 504 * down / across], abs=0.01)
    assert (pdf.said(b"Title"), pdf.said(b"Subject")) == (root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc"))
    # Lines and areas, not pixels; what is painted is an image, but of the canvas alone.
    assert len(re.findall(rb" l\n", pdf.content)) > 20 and len(re.findall(rb"\n[fSB]\*?\n", pdf.content)) > 3
    images = [held for held in pdf.objects.values() if b"/Subtype /Image" in held]
    assert bool(images) == (drawn == "painted")
    for image in images:
        assert int(re.findall(rb"/Height (\d+)", image)[0]) < 0.9 * 2100 * down / across
    copied, said = pdf.text(), f"{root.findtext(f'{SVG}title')} {root.findtext(f'{SVG}desc')}"
    assert {"ε", "="} < set(said.split()) and set(said.split()) <= set(copied.split())
    if drawn == "lines":
        _a_file_shows_what_stands_there_while_epsilon_moves(page, tmp_path)


@pytest.mark.nightly
def test_the_pdf_writer_is_loaded_when_a_pdf_is_asked_for(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/geolocation")
    page.get_by_role("button", name=NAME).first.wait_for()
    loaded = "() => performance.getEntriesByType('resource').map(one => one.name).filter(one => /pdf/.test(one))"
    assert page.evaluate(loaded) == []
    copied = " ".join(Pdf(taken(page, "PDF", tmp_path, 5)).text().split())
    assert [address.rpartition("/")[2] for address in page.evaluate(loaded)] == ["pdf.js", "pdf-vendor.js"]
    assert "W₁: how far the person's distribution is moved" in copied and "ε = 2" in copied
    assert "km of this person's most visited cell" in copied


def _a_file_shows_what_stands_there_while_epsilon_moves(page: Page, tmp_path: Path) -> None:
    driver.ready(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    page.wait_for_timeout(300)
    driver.wait_idle(page)
    epsilon = page.locator("[class*=ring_epsilon] input[type=range]").get_attribute("aria-valuetext")
    assert epsilon != "2"
    page.locator(".legend-entry").first.click()
    root = ET.parse(taken(page, "SVG", tmp_path)).getroot()
    assert f"ε = {epsilon} nats. Hard to tell apart:" in (root.findtext(f"{SVG}desc") or "")
    assert f"ε = {epsilon} " in (root.findtext(f"{SVG}title") or "")
    assert root.findall(f".//{SVG}g[@opacity='0.45']"), "what is put away stays away"


@pytest.mark.nightly
def test_home_and_the_boards_cards_have_theirs(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/?home_epsilon=3")
    root = ET.parse(taken(page, "SVG", tmp_path)).getroot()
    assert "At ε = 3 " in (root.findtext(f"{SVG}title") or "")
    assert re.search(r"the truth\. Bars: .* ε = 3 nats\. Hard to tell apart: ", root.findtext(f"{SVG}desc") or "")
    assert menu(page).get_by_role("button", name="Numbers").count() == 1

    page = open_page("/ring?ring_epsilon=3")
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)
    driver.follow(page, "/board")
    page.get_by_role("button", name=NAME).first.wait_for()
    root = ET.parse(taken(page, "SVG", tmp_path)).getroot()
    assert root.findtext(f"{SVG}title"), "the scenario's"
    assert " ε = 3 nats. Hard to tell apart: " in (root.findtext(f"{SVG}desc") or "")
    opened = menu(page)
    assert opened.get_by_role("button", name="Numbers").count() == 0
    slide = opened.get_by_role("link").get_attribute("href") or ""
    assert "/ring?" in slide and "ring_epsilon=3" in slide and "teach_present=true" in slide


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_the_slide_is_this_page_for_a_room_where_no_menu_is_seen(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_epsilon=5&ring_k=12")
    title = page.locator(".dpot-title").first.inner_text()
    address = menu(page).get_by_role("link", name="Slide").get_attribute("href") or ""
    open_page(address.partition("/ring")[1] + address.partition("/ring")[2], on=page)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert page.locator(".dpot-title").first.inner_text() == title
    assert page.locator(".dpot-take").count()
    expect(page.get_by_role("button", name=NAME)).to_have_count(0)


@pytest.mark.nightly
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
