"""Files and text from outside, through the real server and the real browser: never on disk, never markup."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from dpot_app.cities.city import make_city
from dpot_app.cities.place import Place
from dpot_app.kit.markdown import WORD_JOINER
from dpot_core.datasets import simulated_city
from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.test_picture_menu import SVG, Pdf, menu, taken
from tests.load.faults import bring
from tests.views.geolocation.examples import zones_geojson

OWN_DATA = "/geolocation?geo_n=6&geo_least=1&geo_data=My+CSV+file"

#: What Markdown, Streamlit's extensions of it, Plotly or a spreadsheet would do something with.
LABELS = (
    "<img src=x onerror=alert(1)>",
    "![x](//a.example/x.png)",
    "www.evil.example https://evil.example me@evil.example",
    "&lt;b&gt; &copy; <b>bold</b>",
    "**bold** :red[x] $x^2$ :material/home: :smile: -> >=",
    "שלום 東京 č ) Tj 😀",
    "=HYPERLINK(A1)",
)
ZONES = (LABELS[0], LABELS[2], LABELS[-1])


def check_ins(labels: tuple[str, ...], size: int = 0) -> bytes:
    """A CSV file in which the first label has the most check-ins; people without a second one fill it up to a size."""
    data = simulated_city(len(labels))
    rows = [
        f'"{label}",{data.lat[user] + 0.001 * visit:.5f},{data.lon[user]:.5f}'
        for user, label in enumerate(labels)
        for visit in range(40 - user)
    ]
    line = f'"someone",{data.lat[0]:.5f},{data.lon[0]:.5f}'
    return "\n".join(["user,lat,lon", *rows, *[line] * (size // len(line))]).encode()


def zones(names: tuple[str, ...], size: int = 0) -> bytes:
    """A GeoJSON file with these zones, blown up to a size by a comment."""
    city = make_city(simulated_city(), Place(n=6))
    return json.dumps({**json.loads(zones_geojson(city, names)), "comment": "x" * size}).encode()


def file_input(page: Page, place: int) -> Locator:
    return page.locator("input[type=file]").nth(place)


def give(page: Page, place: int, name: str, content: bytes) -> None:
    file_input(page, place).set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    page.get_by_test_id("stSidebar").get_by_text(name).first.wait_for()
    driver.wait_idle(page)


def is_number(cell: str) -> bool:
    return re.fullmatch(r"-?(\d[\d.e+-]*|inf)", cell) is not None


@pytest.fixture(scope="module")
def unable_to_write() -> Iterator[str]:
    """Address of an app that cannot write more than a log."""
    with driver.running_app(largest_file=200_000) as address:
        yield address


@pytest.mark.nightly
def test_nothing_uploaded_is_ever_written_to_disk(browser: Browser, unable_to_write: str) -> None:
    """Files of several megabytes pass through a server whose every file the system stops at 200 kB.

    No reader has used that server yet: a shared link works there as well.
    """
    page, watch = driver.new_page(browser)
    page.goto(f"{unable_to_write}/geolocation?geo_n=6&geo_epsilon=1")
    driver.wait_idle(page)
    expect(page.get_by_test_id("stTopNavLink")).not_to_have_count(0)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    moved = page.locator(".dpot-title").last
    expect(moved).to_have_text(re.compile("^At ε = 1 a release by WPM lands on average"))
    page.goto(unable_to_write + OWN_DATA + "&geo_outputs=My+zones")
    driver.wait_idle(page)
    give(page, 0, "mine.csv", check_ins(("someone",), size=3_000_000))
    give(page, 1, "zones.geojson", zones(("West", "East", "North"), size=3_000_000))
    expect(page.locator(".dpot-plot")).to_have_count(6)
    page.goto(f"{unable_to_write}/?ring_input=My+numbers&ring_k=5")
    driver.wait_idle(page)
    page.get_by_role("button", name="Upload, type or paint").click()
    # Zeros after the decimal point: as large a file as is read.
    numbers = ",".join("1." + "0" * 190_000 for _ in range(5)).encode()
    file_input(page, 0).set_input_files({"name": "weights.csv", "mimeType": "text/csv", "buffer": numbers})
    expect(page.get_by_text("Divide by their sum, 5")).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    problems = watch.look_at_pages()
    page.context.close()
    assert not problems


@pytest.mark.nightly
def test_the_limit_on_writing_would_be_noticed(tmp_path: Path) -> None:
    """The test above can fail: where nothing prevents it, an upload above a megabyte goes through a file."""
    script = tmp_path / "app.py"
    script.write_text("import streamlit as st\nst.file_uploader('f')\n")
    with pytest.raises(RuntimeError, match="File too large"), driver.running_app(script, 200_000) as address:
        at = address.replace("http", "ws", 1) + "/_stcore/stream"
        with connect(at, subprotocols=[Subprotocol("streamlit")], origin=Origin(address), proxy=None) as line:
            run = BackMsg()
            run.rerun_script.query_string = ""
            line.send(run.SerializeToString())
            message = ForwardMsg()
            while message.WhichOneof("type") != "new_session":
                message = ForwardMsg.FromString(line.recv(timeout=30, decode=False))
            assert bring(address, message.new_session.initialize.session_id, 3_000_000) == 500


@pytest.mark.nightly
def test_200_mb_are_refused_and_then_names_are_shown_as_they_are_and_no_table_has_a_formula(
    open_page: OpenPage, browser: Browser, tmp_path: Path
) -> None:
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.write(b"user,lat,lon\n")
        file.truncate(200 * 10**6)
    page = open_page(OWN_DATA + "&geo_outputs=My+zones")
    file_input(page, 0).set_input_files(large)
    expect(page.get_by_test_id("stFileUploader").first).to_contain_text("must be 50.0MB or smaller")
    give(page, 0, "mine.csv", check_ins(LABELS))
    expect(page.get_by_text("Columns of the file")).to_be_visible()
    give(page, 1, "zones.geojson", zones(ZONES))
    expect(page.locator(".dpot-plot")).to_have_count(6)
    _names_are_shown_as_they_are(page, browser, tmp_path)
    page.get_by_text("Data, distances, settings").click()
    expect(page.get_by_text(f"Zones: {len(ZONES)} from zones.geojson")).to_be_visible()
    _no_table_has_a_formula(page, tmp_path)


def _names_are_shown_as_they_are(page: Page, browser: Browser, tmp_path: Path) -> None:
    for label in LABELS:
        title = page.locator(".dpot-title").first
        # A busy server has not yet said that it runs when the page seems at rest.
        whole = f"{WORD_JOINER}*".join(map(re.escape, label))
        expect(title).to_have_text(re.compile(rf"^Person \d+ \(in the data: {whole}{WORD_JOINER}*\)"))
        assert title.locator("*").count() == 0, title.inner_html()
        if "😀" in label:
            _files_have_the_whole_name(page, tmp_path, label)
        page.get_by_test_id("stNumberInputStepUp").click()
        driver.wait_idle(page)
    place = page.locator(".dpot-plot").nth(1)
    box = place.bounding_box()
    assert box is not None
    seen = set()
    for share in np.linspace(0.05, 0.95, 12):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.wait_for_timeout(100)
        for text in page.locator(".dpot-hover:visible").all():
            seen.add(re.sub(r": [\d.]+%$", "", text.text_content() or ""))
            assert text.locator("a, img, image").count() == 0
    assert seen <= set(ZONES) and seen

    page.get_by_test_id("stNumberInputStepDown").press("Enter")
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    alone, watch = driver.new_page(browser)
    for name in ("person-truth.html", "person-outputs.html"):
        alone.goto(driver.save(page, name, tmp_path).as_uri())
        alone.wait_for_selector(".js-plotly-plot svg.main-svg .hm image")
        assert alone.locator("img[src='x'], .gtitle a, .gtitle image, [href*='example']").count() == 0
        assert not watch.look_at_pages()
    alone.context.close()


def _files_have_the_whole_name(page: Page, folder: Path, label: str) -> None:
    title = f"(in the data: {label}): "
    svg = ET.parse(taken(page, "SVG", folder)).getroot()
    assert title in (svg.findtext(f"{SVG}title") or "").replace(WORD_JOINER, "")
    pdf = Pdf(taken(page, "PDF", folder))
    assert title in pdf.said(b"Title")
    assert [one for one in pdf.objects.values() if b"/DeviceGray" in one], "what the PDF's letters lack is painted"
    menu(page).get_by_role("button", name="Numbers").click()
    numbers = page.get_by_role("dialog")
    expect(numbers).to_contain_text(label)
    assert numbers.locator("a, img").count() == 0
    page.keyboard.press("Escape")
    expect(numbers).to_have_count(0)


def _no_table_has_a_formula(page: Page, tmp_path: Path) -> None:
    """In any view of the page, which is open where things are taken away."""
    for view in ("One person", "The crowd", "Worst case"):
        page.get_by_role("tab", name=view).click()
        driver.wait_idle(page)
        names = [name for name in page.get_by_test_id("stDownloadButton").all_inner_texts() if name.endswith(".csv")]
        assert names, view
        texts = set()
        for name in names:
            with driver.save(page, name.split()[-1], tmp_path).open(encoding="utf-8", newline="") as file:
                texts |= {cell for row in csv.reader(file) for cell in row if not is_number(cell)}
        assert not [text for text in texts if text.lstrip().startswith(("=", "+", "-", "@"))], view
        assert view == "Worst case" or f"'{ZONES[-1]}" in texts


@pytest.mark.nightly
def test_numbers_that_are_none_are_quoted_as_they_are(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_input=My+numbers&ring_k=5")
    box = page.get_by_role("textbox", name="Weights of the points")
    for text in ("<img/src=x/onerror=alert(1)>", "![](//a.example/x.png)", "www.evil.example", "**b**:red[x]"):
        box.fill(f"{text},2")
        box.press("Control+Enter")
        driver.wait_idle(page)
        page.wait_for_function(
            """([text, joiner]) => {
                const alert = document.querySelector("[data-testid=stAlert]");
                return alert?.innerText.replaceAll(joiner, "").includes(text);
            }""",
            arg=[f"“{text[:20]}”", WORD_JOINER],
        )
        alert = page.get_by_test_id("stAlert").first
        assert alert.locator("img, a, strong").count() == 0
