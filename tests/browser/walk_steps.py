"""A reader's steps on the walks of ``docs/``, step by step, through what is visible on the screen only."""

from __future__ import annotations

import csv
import io
import os
import re
import runpy
import tempfile
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from dpot_core.datasets import simulated_city
from tests.browser import driver
from tests.browser.customers import customers, munich

#: Name in the picture's file, and what is done; the page and the address of the app.
Step = tuple[str, Callable[[Page, str], None]]

DOCS = driver.ROOT / "docs"
#: Where the links of the documents find the app that a reader has started.
READER = "http://localhost:8501"

DECISION = (
    "The planners need a map of the crowd that is at most 3 km from the true one (W₁). We choose ε = 2.5 with WPM: on "
    "the simulated check-ins it gives 2.94 km; ε = 2 misses it with 3.52 km, and the other mechanisms need 4 or more. "
    "No released location shifts the odds about a person by more than × 12.2. Chosen on simulated data only."
)
REASON = "The smallest ε at which the planners' map is within 3 km, and the only mechanism that is there by then."
#: What the researcher finds for the person with the most visits.
_LANDS = (
    "At ε = {} a release by WPM lands on average {} km from this person's most visited cell, by {} km; "
    "W₁ to the truth: "
)
AT_2 = _LANDS.format("2", "6.2", "EM 8.73") + "WPM 5.05, EM 7.57 km"
AT_10 = _LANDS.format("10", "1.2", "KPM 1.21") + "WPM 0.0394, KPM 0.05 km"
ANSWER = (
    "Which mechanism is nearer to our people's histories? For the person with the most visits WPM: at ε = 2 by a third "
    "(5.05 km against 7.57), at ε = 10 by a fifth (0.0394 km against 0.05). We report both and do not choose ε from "
    "these private data."
)


def _drawn(page: Page) -> None:
    """Until the page is at rest and every live picture on the screen has something drawn in it."""
    driver.wait_idle(page)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.dpot-plot')].some((plot) => plot.querySelector('svg, canvas')) || "
        "!document.querySelector('.dpot-picture')"
    )
    driver.wait_idle(page)


def _seen(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.get_by_text(text).first).to_be_visible(timeout=150_000)
    _drawn(page)


def _slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Privacy parameter ε")


def begin(page: Page, address: str) -> None:
    """The first page: which question is mine?"""
    page.goto(address)
    _seen(page, re.compile("^At ε = 2 a report lands"))


def ask(page: Page, _: str) -> None:
    """The card "Which ε do I need?": kilometres in a city, at most 2 km, are there already."""
    page.get_by_role("link", name="Which ε do I need?").click()
    _seen(page, "At most 2 km: ε = 7.42 in the worst case")


def understand(page: Page, _: str) -> None:
    """What would 8 mean? Odds times 3000: too much; what would 4?"""
    page.get_by_role("button", name="What does ε = 4 mean?").click()
    page.wait_for_url("**/explain*")
    _seen(page, re.compile("^At ε = 4 no output"))


def relax(page: Page, _: str) -> None:
    """Back: the need is for the crowd's map, and 3 km would do."""
    page.get_by_role("link", name="Find my ε").click()
    slider = page.get_by_role("slider", name="How good")
    expect(slider).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    _seen(page, "At most 3 km: ")


def see(page: Page, _: str) -> None:
    """The crowd's map at the epsilon found, on the geolocation page."""
    page.get_by_role("button", name="Data at hand: see it").click()
    page.wait_for_url("**/geolocation*")
    _seen(page, re.compile("^At ε = 2.5 the collector's map"))


def pin(page: Page, _: str) -> None:
    """Pin it, and one with a smaller epsilon to compare."""
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)
    _slider(page).press("ArrowLeft")
    _seen(page, re.compile("^At ε = 2 the collector's map"))
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)


def compare(page: Page, _: str) -> None:
    """The two side by side on the board."""
    page.get_by_test_id("stPageLink").filter(has_text="What-if board").click()
    expect(page.get_by_role("tab", name="What differs")).to_be_visible(timeout=60_000)
    _drawn(page)


def choose(page: Page, _: str) -> None:
    """The first one is starred: the report's first page is about it."""
    page.get_by_role("button", name="Choose").first.click()
    expect(page.get_by_role("button", name="Chosen")).to_be_visible()
    reason = page.get_by_role("textbox", name="Why this one")
    reason.fill(REASON)
    reason.press("Control+Enter")
    driver.wait_idle(page)
    _write(page, "Check-ins: which ε?", DECISION)


def _write(page: Page, title: str, question: str) -> None:
    """The question that the report answers, in the reader's words."""
    page.get_by_role("tab", name="Report").click()
    driver.wait_idle(page)
    page.get_by_role("textbox", name="Title").first.fill(title)
    words = page.get_by_role("textbox", name="What is to be decided")
    words.fill(question)
    words.press("Control+Enter")
    driver.wait_idle(page)
    page.get_by_role("button", name="report.html").scroll_into_view_if_needed()
    page.wait_for_timeout(500)


def take(page: Page, _: str) -> None:
    """The report as a file, opened without a network."""
    # Once it is open, the page no longer needs the file.
    with tempfile.TemporaryDirectory() as folder:
        path = driver.save(page, "report.html", Path(folder))
        page.context.set_offline(True)
        page.goto(path.as_uri())
        expect(page.get_by_text("We choose ε = 2.5").first).to_be_visible()
        page.locator(".js-plotly-plot svg.main-svg").first.wait_for()


DECIDE: tuple[Step, ...] = (
    ("begin", begin),
    ("ask", ask),
    ("understand", understand),
    ("relax", relax),
    ("see", see),
    ("pin", pin),
    ("compare", compare),
    ("write", choose),
    ("report", take),
)


def customers_brought(page: Page, _: str) -> None:
    """The shop's own file; the page asks which column names the person."""
    page.get_by_role("combobox", name="Data at hand").click()
    page.get_by_role("option", name="My file", exact=True).click()
    driver.wait_idle(page)
    file = {"name": "customers.csv", "mimeType": "text/csv", "buffer": customers(munich())}
    page.locator("input[type=file]").first.set_input_files(file)
    driver.wait_idle(page)
    if page.get_by_text("no column for user").count():
        page.get_by_role("combobox", name="user").click()
        page.get_by_role("option", name="customer", exact=True).click()
    expect(page.get_by_role("button", name="Worst case: see it")).to_be_visible(timeout=300_000)
    _drawn(page)


def worst_seen(page: Page, _: str) -> None:
    """The worst case on the page on locations, at the epsilon that was found."""
    page.get_by_role("button", name="Worst case: see it").click()
    page.wait_for_url("**/geolocation*")
    _seen(page, re.compile("each person's releases with exact WPM"))


def near_own(page: Page, _: str) -> None:
    """The distances of one person's releases from their own place, and what is said to the person."""
    page.get_by_role("tab", name="Near own places").click()
    _seen(page, re.compile("of the releases", re.IGNORECASE))


def one_customer(page: Page, _: str) -> None:
    """One customer's place, and the releases of each mechanism."""
    page.get_by_role("tab", name="One person").click()
    _seen(page, re.compile("^Worst case over all histories"))


def on_one_sheet(page: Page, _: str) -> None:
    """The sheet as a file, opened without a network."""
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    with tempfile.TemporaryDirectory() as folder:
        path = driver.save(page, "sheet.html", Path(folder))
        page.context.set_offline(True)
        page.goto(path.as_uri())
        expect(page.get_by_text("One release with WPM").first).to_be_visible()
        page.wait_for_timeout(500)


CUSTOMERS: tuple[Step, ...] = (
    ("begin", begin),
    ("question", ask),
    ("bring", customers_brought),
    ("worst", worst_seen),
    ("near", near_own),
    ("person", one_customer),
    ("sheet", on_one_sheet),
)


def _opening(link: str, title: str) -> Callable[[Page, str], None]:
    def step(page: Page, address: str) -> None:
        page.goto(address + link)
        _seen(page, title)

    return step


#: In a document of links: the link, the title that it opens, as a quotation, and the picture's name.
STOP = re.compile(rf"\({re.escape(READER)}(/[^)]*)\).*?\n> ([^\n]+)\n.*?\(lesson-\d-(\w+)\.png\)", re.DOTALL)


def lesson() -> tuple[Step, ...]:
    """Every stop of ``docs/lesson.md``: its link, opened; what it quotes is on the screen then."""
    stops = STOP.findall((DOCS / "lesson.md").read_text(encoding="utf-8"))
    return tuple((name, _opening(link, title)) for link, title, name in stops)


def own_rows() -> bytes:
    """A CSV file as a researcher may have it, of simulated visits: its columns have names of their own."""
    data, out = simulated_city(60), io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["participant", "latitude", "longitude", "visits"])
    for user, lat, lon, visits in zip(data.user, data.lat, data.lon, data.count, strict=True):
        rows.writerow([f"p{user:03d}", f"{lat:.5f}", f"{lon:.5f}", int(visits)])
    return out.getvalue().encode()


def bring(page: Page, address: str) -> None:
    """A file of one's own, on the page on locations."""
    page.goto(address + "/geolocation?geo_data=My+CSV+file&geo_n=12")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "visits.csv", "mimeType": "text/csv", "buffer": own_rows()}
    )
    # The page finds what latitude, longitude and visits are, and asks for what it does not know.
    expect(page.get_by_text("no column for user").first).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    page.get_by_role("combobox", name="user").click()
    page.get_by_role("option", name="participant").click()
    _seen(page, AT_2)


def strong(page: Page, _: str) -> None:
    """Far to the right: where does the other one win?"""
    _slider(page).press("End")
    _seen(page, AT_10)


def everybody(page: Page, _: str) -> None:
    """One release of each person: is the crowd's map nearer too?"""
    _slider(page).press("Home")
    for _step in range(40):
        if _slider(page).get_attribute("aria-valuetext") == "2":
            break
        _slider(page).press("ArrowRight")
    page.get_by_role("tab", name="The crowd").click()
    _seen(page, re.compile("^At ε = 2 the collector's map"))


def worst(page: Page, _: str) -> None:
    """Whatever the history: the worst case is the guarantee of the comparison."""
    page.get_by_role("tab", name="Worst case").click()
    _seen(page, re.compile("^At ε = 2 each person's releases with .* land on average at most"))


def python(page: Page, _: str) -> None:
    """The Python of the page; it runs outside of the app, on the same file, and prints the page's number."""
    page.get_by_role("tab", name="One person").click()
    _seen(page, AT_2)
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    code = page.get_by_test_id("stCode").filter(has_text="from dpot_app").first
    code.scroll_into_view_if_needed()
    driver.wait_idle(page)
    text, printed = code.inner_text(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(printed):
        Path("check-ins.csv").write_bytes(own_rows())
        Path("mine.py").write_text(text, encoding="utf-8")
        runpy.run_path(os.path.abspath("mine.py"), run_name="__main__")
    found = [f"{float(number):.2f}" for number in re.findall(r"\d+\.\d+", printed.getvalue())]
    assert {"5.05", "7.57"} <= set(found), printed.getvalue()


def two(page: Page, _: str) -> None:
    """Pinned at two values of epsilon, side by side."""
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)
    _slider(page).press("End")
    _seen(page, AT_10)
    page.get_by_role("button", name="Pin to the board").click()
    driver.wait_idle(page)
    page.get_by_test_id("stPageLink").filter(has_text="What-if board").click()
    expect(page.get_by_role("tab", name="What differs")).to_be_visible(timeout=60_000)
    page.get_by_role("tab", name="What differs").click()
    _drawn(page)


def report(page: Page, _: str) -> None:
    """A report that states both, opened without a network."""
    _write(page, "Is WPM better for our data?", ANSWER)
    with tempfile.TemporaryDirectory() as folder:
        path = driver.save(page, "report.html", Path(folder))
        page.context.set_offline(True)
        page.goto(path.as_uri())
        expect(page.get_by_text("We report both").first).to_be_visible()
        expect(page.get_by_text("Left out: this picture shows the data themselves").first).to_be_visible()


RESEARCH: tuple[Step, ...] = (
    ("bring", bring),
    ("strong", strong),
    ("crowd", everybody),
    ("worst", worst),
    ("python", python),
    ("board", two),
    ("report", report),
)
