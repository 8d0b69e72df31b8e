"""The what-if board as people use it: pin on two pages, compare, change, take away, open in another session."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from dpot_app.batch import scenarios
from tests.browser import driver
from tests.browser.conftest import OpenPage


def go(page: Page, title: str) -> None:
    """Open a page of the app within the session."""
    driver.go_to(page, title)
    expect(page.get_by_role("button", name="Pin to the board")).to_be_visible(timeout=60_000)
    driver.wait_idle(page)


def pin(page: Page, answer: str = "Pinned: ") -> None:
    """What the app says to it stands for four seconds, in which a busy machine may not come to rest."""
    page.get_by_role("button", name="Pin to the board").click()
    expect(page.get_by_test_id("stToast").last).to_contain_text(answer)
    driver.wait_idle(page)


def to_board(page: Page) -> None:
    page.get_by_test_id("stPageLink").filter(has_text="What-if board").click()
    expect(page.get_by_role("tab", name="What differs")).to_be_visible(timeout=60_000)
    driver.wait_idle(page)


def view(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    driver.wait_idle(page)


def numbers(page: Page) -> list[str]:
    return page.locator(".dpot-card td:last-child").all_inner_texts()


@pytest.mark.nightly
def test_from_two_pages_to_a_file_a_report_and_another_session(
    open_page: OpenPage, browser: Browser, tmp_path: Path
) -> None:
    page = open_page("/geolocation?geo_n=6")
    pin(page)
    go(page, "Finite ring")
    pin(page, "Pinned: Finite ring")
    pin(page, "Already on the board")
    to_board(page)
    expect(page.locator(".dpot-plot")).to_have_count(2)
    view(page, "What differs")
    expect(page.locator(".dpot-compare").first).to_contain_text("Solver λ")

    view(page, "Change a setting")
    page.get_by_text("Enter a value", exact=True).click()
    page.get_by_role("textbox", name="New value").fill("4")
    page.get_by_role("button", name="Change and compute").click()
    expect(page.get_by_text("Changed in 2 of 2 scenarios")).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    shown = numbers(page)

    view(page, "Save and load")
    file = driver.save(page, "scenarios.yaml", tmp_path)
    kept = scenarios.read(file.read_bytes())
    assert [scenario.kind for scenario in kept] == ["geolocation.person", "ring.outputs"]
    assert [scenario.config.epsilon for scenario in kept] == [4.0, 4.0]
    outcomes = [scenarios.run(scenario) for scenario in kept]
    assert shown == [f"{value:.3g}" for outcome in outcomes for value in outcome.headlines.values()]

    done = subprocess.run(
        [sys.executable, "-m", "dpot_app", "run", str(file), "--out", str(tmp_path / "out")],
        cwd=driver.ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    with (tmp_path / "out" / "02-ring.outputs" / "distances.csv").open(encoding="utf-8-sig", newline="") as rows:
        first = next(csv.DictReader(rows))
    assert float(first["wasserstein (not private)"]) == next(iter(outcomes[1].headlines.values()))
    assert f"{float(first['wasserstein (not private)']):.3g}" == shown[len(outcomes[0].headlines)]

    _the_report_opens_with_the_network_off(page, browser, tmp_path)

    other = open_page("/board")
    expect(other.get_by_text("Nothing is pinned yet")).to_be_visible()
    other.locator("input[type=file]").set_input_files(file)
    expect(other.get_by_role("tab", name="What differs")).to_be_visible(timeout=60_000)
    driver.wait_idle(other)
    assert numbers(other) == shown


def _the_report_opens_with_the_network_off(page: Page, browser: Browser, tmp_path: Path) -> None:
    whole = page.locator(".dpot-card td:last-child").evaluate_all("cells => cells.map(cell => cell.title)")
    shown = [f"{float(value):.6g}" for value in whole]
    assert len(shown) == len(numbers(page)) > 0
    view(page, "Report")
    question = "Which ε?\n<script>document.title = 'taken over'</script><img src=x onerror=alert(1)>"
    page.get_by_role("textbox", name="What is to be decided").fill(question)
    page.get_by_role("textbox", name="What is to be decided").press("Control+Enter")
    driver.wait_idle(page)
    file = driver.save(page, "report.html", tmp_path)
    assert file.stat().st_size < 6_000_000

    context = browser.new_context(offline=True)
    alone = context.new_page()
    problems: list[str] = []
    alone.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    alone.on("pageerror", lambda error: problems.append(str(error)))
    alone.on("dialog", lambda dialog: problems.append(dialog.message))
    alone.on("request", lambda request: problems.append(request.url) if request.url != file.as_uri() else None)
    alone.goto(file.as_uri())
    expect(alone.locator("figure .main-svg").first).to_be_visible()
    assert alone.locator("figure").count() == 2 and alone.locator("figure svg.main-svg").count() >= 2
    assert [number for number in shown if number not in alone.locator("body").inner_text()] == []
    expect(alone.locator(".question")).to_have_text(question)
    assert alone.title() == "Choosing a privacy parameter" and alone.locator("img[src='x']").count() == 0
    alone.set_viewport_size({"width": driver.NARROW[0], "height": driver.NARROW[1]})
    alone.reload()
    expect(alone.locator("figure .main-svg").first).to_be_visible()
    # A picture of a sheet's width is seen whole, smaller, and not by scrolling.
    alone.wait_for_function(
        "() => [...document.querySelectorAll('figure')].every(one => one.scrollWidth <= one.clientWidth + 1)"
    )
    alone.emulate_media(media="print")
    pages = alone.pdf(prefer_css_page_size=True)
    a4 = re.findall(rb"/MediaBox\s*\[\s*0 0 (\d+)[.\d]* (\d+)", pages)
    assert 3 <= len(a4) <= 14 and {(int(w), int(h)) for w, h in a4} <= {(594, 841), (595, 841), (595, 842), (594, 842)}
    context.close()
    assert not problems, problems


@pytest.mark.nightly
def test_a_pin_opens_its_page_as_it_was(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_epsilon=5&ring_k=17&ring_input=Two+bumps")
    pin(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowLeft")
    driver.wait_idle(page)
    to_board(page)
    page.get_by_role("button", name="Open page").click()
    page.wait_for_url(lambda url: urlsplit(url).path == "/ring")
    driver.wait_idle(page)
    expect(page.locator(".dpot-title").filter(has_text="At ε = 5 ").first).to_be_visible()
    expect(page.get_by_role("slider", name="Points on the ring")).to_have_value("17")


@pytest.mark.nightly
def test_markup_in_titles_and_files_stays_text(open_page: OpenPage, tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)> **bold** :material/home: [a](http://example.org)"
    kind = scenarios.VIEWS["ring.outputs"]
    text = scenarios.write([scenarios.Scenario(kind.key, evil, kind.example)])
    (tmp_path / "evil.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(text.replace("k: 30", "k: '<img src=y>'"), encoding="utf-8")
    page = open_page("/board")
    page.locator("input[type=file]").set_input_files(tmp_path / "bad.yaml")
    expect(page.get_by_test_id("stAlert")).to_contain_text("config.ring.k (line 6): must be a whole number")
    driver.wait_idle(page)  # the uploader is another one now
    page.locator("input[type=file]").set_input_files(tmp_path / "evil.yaml")
    expect(page.get_by_role("tab", name="What differs")).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    assert page.locator("img[src='x'], img[src='y'], a[href*='example']").count() == 0
    view(page, "What differs")
    expect(page.locator(".dpot-compare").first).to_contain_text(evil)


@pytest.mark.nightly
def test_slow_work_shows_a_count_and_can_be_abandoned(open_page: OpenPage, tmp_path: Path) -> None:
    kind = scenarios.VIEWS["movies.sweep"]
    config = scenarios.put(kind.example, "split.seed", 77)
    (tmp_path / "slow.yaml").write_text(scenarios.write([scenarios.Scenario(kind.key, "Slow", config)]))
    page = open_page("/board")
    page.locator("input[type=file]").set_input_files(tmp_path / "slow.yaml")
    expect(page.get_by_text("Slow: ")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile(r"Cancelled: [\d,]+ of [\d,]+ done"))).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(page.get_by_text("Not computed yet")).to_be_visible()


@pytest.mark.nightly
def test_damaged_pins_of_a_tab_do_no_harm(open_page: OpenPage) -> None:
    page = open_page("/ring")
    page.evaluate("() => { sessionStorage['dpot-board'] = '{damaged'; }")
    page.reload()
    driver.wait_idle(page)
    page.get_by_role("button", name="Pin to the board").click()
    expect(page.get_by_text("What-if board (1)")).to_be_visible()


@pytest.mark.nightly
def test_differences_have_columns_for_words_on_a_narrow_screen(open_page: OpenPage) -> None:
    page = open_page("/board")
    page.get_by_role("button", name="Put an example on the board").click()
    driver.wait_idle(page)
    driver.show_as(page, driver.NARROW, "light")
    view(page, "What differs")
    widths = page.locator(".dpot-compare td").evaluate_all("cells => cells.map(cell => cell.clientWidth)")
    assert min(widths) >= 110 and driver.overflow(page) <= 0


def test_the_words_of_the_empty_board_are_visible(open_page: OpenPage) -> None:
    """Nothing comes after its hidden component: no later change of the page uncovers what waits for that."""
    page = open_page("/board")
    heading = page.get_by_test_id("stHeading").first
    seen = "e => { let all = 1; for (; e; e = e.parentElement) all *= getComputedStyle(e).opacity; return all; }"
    assert heading.evaluate(seen) == 1
