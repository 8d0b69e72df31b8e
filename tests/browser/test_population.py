"""The page Population in Chromium: the main path, slow work, a phone, one's own file."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.test_geolocation import maps

NASTY = "<img src=x onerror=alert(1)>"


def charts(page: Page):
    return page.locator(".dpot-plot:has(svg)")


@pytest.mark.nightly
def test_the_main_path(open_page: OpenPage) -> None:
    page = open_page("/population?pop_n=2,000&pop_m=4")
    expect(charts(page)).to_have_count(5)
    sizes = []
    for place in range(3):
        ((_, width),) = maps(page, place)
        box = charts(page).nth(place).bounding_box()
        assert box is not None and box["y"] + box["height"] < 900
        sizes.append((round(width), round(box["y"] + box["height"])))
        assert width >= 300
    assert len(set(sizes)) == 1, "side by side, of one size"
    for place in (3, 4):
        box = charts(page).nth(place).bounding_box()
        assert box is not None and box["y"] + box["height"] < 900, "above the fold"
    page.get_by_text("20 possible releases", exact=True).click()
    expect(
        page.get_by_text(re.compile("Coreset: .*noise raises the cost by .*, on average of 20 releases"))
    ).to_be_visible()
    # One release follows the slider while it is dragged.
    page.get_by_text("One release", exact=True).click()
    expect(page.get_by_text(re.compile("Coreset: .*noise raises the cost by .*, the search moves"))).to_be_visible()
    driver.wait_idle(page)
    expect(page.get_by_role("note")).to_have_count(3)  # all that is shown together, then each release alone
    _atoms_glide(page)
    _areas_follow(page)
    _promises_follow(page)
    page.get_by_role("tab", name="Inside").click()
    expect(charts(page)).to_have_count(5)
    driver.wait_idle(page)
    page.get_by_role("tab", name="Is the sensitivity true?").click()
    expect(page.get_by_text(re.compile("one point moves an atom by 0.356 diameters"))).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    expect(page.get_by_text("It is not proven").first).to_be_visible()
    assert "pop_view=sensitivity" in page.url


def _atoms_glide(page: Page) -> None:
    """From one epsilon to the next: their noise is another one, and they would jump."""
    driver.ready(page)
    seen = """async () => {
        const stage = window.dpotStage, at = stage.sliders.get("pop_epsilon");
        const atoms = () => [...document.querySelectorAll(".dpot-plot [data-part=points] path")]
            .map(atom => atom.getAttribute("d")).join();
        const places = new Set([atoms()]), frame = window.requestAnimationFrame;
        // Sixty frames a second by the clock of what moves, however slow the machine is.
        let clock = 0;
        window.requestAnimationFrame = (step) => frame(() => step(clock += 1000 / 60));
        stage.move("pop_epsilon", at + 1);
        for (let count = 0; count < 60; count++) {
            await new Promise(frame);
            places.add(atoms());
        }
        window.requestAnimationFrame = frame;
        await stage.move("pop_epsilon", at);
        return places.size;
    }"""
    assert page.evaluate(seen) == 2  # who asks for little motion has none
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(seen) > 3
    page.emulate_media(reduced_motion="reduce")
    driver.wait_idle(page)


def _areas_follow(page: Page) -> None:
    """Those of the private release; the ones without privacy hold still, as does all else on their map."""
    without, private = (page.locator(".dpot-plot").nth(place).locator("[data-part=line]") for place in (0, 1))
    paths = "lines => lines.map(line => line.getAttribute('d'))"
    before = without.evaluate_all(paths), private.evaluate_all(paths)
    page.evaluate("() => window.dpotStage.move('pop_epsilon', window.dpotStage.sliders.get('pop_epsilon') - 5)")
    after = without.evaluate_all(paths), private.evaluate_all(paths)
    assert after[0] == before[0]
    changed = [one != other for one, other in zip(before[1], after[1], strict=True)]
    assert sum(changed) == 2  # the areas, and the lines along which atoms moved
    page.evaluate("() => window.dpotStage.move('pop_epsilon', window.dpotStage.sliders.get('pop_epsilon') + 5)")
    driver.wait_idle(page)


def _promises_follow(page: Page) -> None:
    """What single releases promise, too, which the page writes itself."""
    notes = page.get_by_role("note")
    before = notes.all_inner_texts()
    page.evaluate("() => window.dpotStage.move('pop_epsilon', window.dpotStage.sliders.get('pop_epsilon') - 5)")
    after = notes.all_inner_texts()
    assert len(after) == len(before) and all(one != other for one, other in zip(before, after, strict=True))
    page.evaluate("() => window.dpotStage.move('pop_epsilon', window.dpotStage.sliders.get('pop_epsilon') + 5)")
    assert notes.all_inner_texts() == before


@pytest.mark.nightly
def test_a_click_on_the_small_map_makes_it_the_large_one(open_page: OpenPage) -> None:
    page = open_page("/population?pop_large=Coreset")
    title = page.locator(".dpot-title").nth(1)
    expect(title).to_contain_text("Coreset: ")
    page.get_by_role("button", name="Show Perturbation large").click()
    expect(title).to_contain_text("Perturbation: ")
    expect(page).to_have_url(re.compile("pop_large=perturbation"))
    driver.wait_idle(page)
    expect(page.get_by_role("button", name="Show Coreset large")).to_be_visible()


@pytest.mark.nightly
def test_a_map_is_a_button_however_late_its_control_is_drawn(browser: Browser, app_url: str) -> None:
    held: list[Route] = []
    page, _ = driver.new_page(browser)
    page.route("**/ButtonGroup.*.js", lambda route: held.append(route))
    page.goto(f"{app_url}/population?pop_n=500&pop_m=4&pop_large=Coreset")
    expect(page.locator(".dpot-title").nth(1)).to_contain_text("Coreset: ")
    page.wait_for_timeout(7000)  # no reader's machine should take as long
    assert held
    for route in held:
        route.continue_()
    expect(page.get_by_role("button", name="Show Perturbation large")).to_be_visible()
    page.context.close()


@pytest.mark.nightly
def test_on_a_phone_in_the_dark_one_map_fills_the_width_and_a_swipe_brings_the_other(open_page: OpenPage) -> None:
    page = open_page("/population?pop_n=2,000&pop_m=8", size=driver.NARROW, theme="dark")
    expect(charts(page)).to_have_count(5)
    without, private, _, guaranteed, tells = charts(page).all()
    for chart in (without, guaranteed, tells):
        box = chart.bounding_box()
        assert box is not None and box["width"] > 300 and box["x"] + box["width"] <= 390
    assert driver.overflow(page) <= 0
    page.locator("[class*=st-key-swipe_] [data-testid=stHorizontalBlock]").evaluate("row => row.scrollTo(400, 0)")
    page.wait_for_timeout(500)
    box = private.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390


@pytest.mark.nightly
def test_groups_of_ones_own_are_no_markup(open_page: OpenPage) -> None:
    rows = "\n".join(f"{-100 + i % 7},{35 + i % 5},{20 + i},{NASTY}{i % 2}" for i in range(60))
    page = open_page("/population?pop_data=My+CSV+file&pop_n=500&pop_m=4")
    file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": f"lon,lat,weight,group\n{rows}".encode()}
    page.locator("input[type=file]").set_input_files(file)
    expect(charts(page)).to_have_count(5)
    page.get_by_text("Data, distances, mechanisms").click()
    expect(page.get_by_text(NASTY).filter(visible=True).first).to_be_visible()
    assert page.locator("img[src='x']").count() == 0


@pytest.mark.nightly
def test_places_outside_the_region_are_counted_and_abandoned_within_a_second(open_page: OpenPage, app_url: str) -> None:
    rng = np.random.default_rng(0)
    far = np.column_stack([rng.uniform(0.0, 170.0, 400_000), rng.uniform(-80.0, 20.0, 400_000)])
    rows = "\n".join(map("{:.3f},{:.3f}".format, *far.T.tolist()))
    page = open_page("/population?pop_data=My+CSV+file&pop_n=500&pop_m=4")
    file = {"name": "far.csv", "mimeType": "text/csv", "buffer": f"lon,lat\n{rows}".encode()}
    page.locator("input[type=file]").set_input_files(file)
    said = page.get_by_test_id("stProgress")
    expect(said).to_contain_text(re.compile(r" [1-9][\d,]+ of 400,000 done"))
    before = worked(app_url)
    for _ in range(100):
        page.wait_for_timeout(50)
        if worked(app_url) > before:
            break
    else:
        pytest.fail("where the work is done is not looked at")
    before = worked(app_url)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile(r"Cancelled: [\d,]+ of [\d,]+ done"))).to_be_visible()
    driver.wait_idle(page)
    after = worked(app_url)
    page.wait_for_timeout(1500)
    assert after - before < 2.0, "a second of what is abandoned, and the page drawn again"
    assert worked(app_url) - after < 0.5, "nothing goes on"
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def worked(address: str) -> float:
    """Seconds of processor time that a server has taken, with its children, those that have ended among them."""
    port = address.rpartition(":")[2].encode()
    every = [place for place in Path("/proc").iterdir() if place.name.isdigit()]
    found = [one for one in every if _told(one, "cmdline").endswith(b"--server.port\0" + port + b"\0")]
    assert found
    for parent in found:
        found += [one for one in every if one not in found and _fields(one)[1:2] == [parent.name.encode()]]
    return sum(sum(map(int, _fields(one)[11:15])) for one in found) / os.sysconf("SC_CLK_TCK")


def _fields(process: Path) -> list[bytes]:
    """State, parent and so on, behind the name."""
    return _told(process, "stat").rpartition(b")")[2].split()


def _told(process: Path, name: str) -> bytes:
    try:
        return (process / name).read_bytes()
    except OSError:
        return b""
