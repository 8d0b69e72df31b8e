"""The geolocation page as people use it: people, crowds, slow work given up."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage
from tests.browser.test_live import held, ready, value


@pytest.fixture
def open_page(open_page: OpenPage) -> OpenPage:
    """Pages as readers have them: every frame comes at once."""
    return partial(open_page, frames=True)


#: Places of the pictures of one person: the truth, WPM, KPM, EM beside each other, the worst cases, and one map large.
TRUTH, SMALL, WORST, LARGE = 0, (0, 1, 2, 3), 4, 5


def titles(page: Page) -> list[str]:
    """What the pictures say."""
    return page.locator(".dpot-title").all_inner_texts()


def maps(page: Page, picture: int) -> list[tuple[float, float]]:
    """Left end and width of each map of a picture, in pixels of the screen."""
    found: list[tuple[float, float]] = (
        page.locator(".dpot-plot")
        .nth(picture)
        .evaluate(
            """plot => [...plot.querySelectorAll("clipPath rect")].map(map => {
                const [left, width] = ["x", "width"].map(name => Number(map.getAttribute(name)));
                return [plot.getBoundingClientRect().left + left, width];
            })"""
        )
    )
    return found


def choose_large(page: Page, label: str) -> None:
    """Choose the mechanism whose map is large."""
    page.locator(".st-key-geo_compare").get_by_role("radio", name=label, exact=True).click()


def test_sliders_and_people_change_the_maps(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10")
    before = titles(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    driver.wait_idle(page)
    moved = titles(page)
    assert moved[TRUTH] == before[TRUTH]
    assert not any(old == new for old, new in zip(before[1:], moved[1:], strict=True))
    page.get_by_test_id("stNumberInputStepUp").click()
    driver.wait_idle(page)
    assert titles(page)[TRUTH] != before[TRUTH]
    assert "geo_person=2" in page.url
    expect(page.locator(".dpot-plot")).to_have_count(6)
    shown = [maps(page, place) for place in SMALL]
    assert {len(found) for found in shown} == {1} and len({found[0][1] for found in shown}) == 1
    assert shown[TRUTH][0][1] >= 250
    ((_, width),) = maps(page, LARGE)
    assert width >= 600
    # All that is beside each other stands above the fold, and the curves of the worst case begin there.
    for place in SMALL:
        box = page.locator(".dpot-plot").nth(place).bounding_box()
        assert box is not None and box["y"] + box["height"] <= driver.WIDE[1]
    curves = page.locator(".dpot-plot").nth(WORST).bounding_box()
    assert curves is not None and curves["y"] + 0.8 * curves["height"] <= driver.WIDE[1]


@pytest.mark.nightly
def test_a_map_that_stays_as_it_is_is_not_drawn_again(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10&geo_lambda=0.01")
    before = titles(page)
    page.evaluate("""() => {
        window.drawn = {};
        document.querySelectorAll(".dpot-plot").forEach((plot, place) => new MutationObserver(
            () => { window.drawn[place] = true; }).observe(plot, {childList: true, subtree: true, attributes: true}));
    }""")
    page.get_by_role("slider", name="Solver λ").press("ArrowRight")
    driver.wait_idle(page)
    # Of the mechanisms only WPM has a weight, and it is the large one; the curves show its worst case.
    assert page.evaluate("() => Object.keys(window.drawn)") == ["1", str(WORST), str(LARGE)]
    assert titles(page)[LARGE] != before[LARGE]


@pytest.mark.nightly
def test_the_large_map_is_that_of_the_mechanism_that_is_chosen(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6")
    large = page.locator(".dpot-plot").nth(LARGE)
    expect(large).to_contain_text("WPM: 90%")
    for name, label in (("kpm", "KPM"), ("krr", "k-RR")):  # the second is not among those beside each other
        choose_large(page, label)
        expect(large).to_contain_text(f"{label}: 90%")
        expect(page).to_have_url(re.compile(f"geo_compare={name}"))
        driver.wait_idle(page)


@pytest.mark.nightly
def test_a_click_on_a_small_map_of_the_crowd_makes_it_the_large_one(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6&geo_view=The+crowd")
    large = page.locator(".dpot-plot").nth(1)
    expect(large).to_contain_text("WPM: ")
    page.get_by_role("button", name="Show KPM large").click()
    expect(large).to_contain_text("KPM: ")
    expect(page).to_have_url(re.compile("geo_large=kpm"))
    driver.wait_idle(page)
    page.get_by_role("button", name="Show k-RR large").press("Enter")
    expect(large).to_contain_text("k-RR: ")
    driver.wait_idle(page)
    expect(page.get_by_role("button", name="Show WPM large")).to_be_visible()
    expect(page.get_by_role("button", name="Show k-RR large")).to_have_count(0)


@pytest.mark.nightly
def test_on_a_phone_four_small_maps_of_the_crowd_stand_in_a_row(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6&geo_view=The+crowd", size=driver.NARROW)
    small = page.locator("[class*=st-key-small_] .dpot-plot")
    widths = [plot.evaluate("plot => plot.clientWidth") for plot in small.all()]
    assert len(widths) == 7 and min(widths) > 75 and max(widths) - min(widths) <= 1, widths


@pytest.mark.nightly
def test_on_a_phone_each_map_fills_the_width_and_a_swipe_brings_the_next(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6", size=driver.NARROW)
    small = [page.locator(".dpot-plot").nth(place) for place in SMALL]
    truth, *outputs = (plot.bounding_box() for plot in small)
    assert truth is not None and truth["width"] > 300 and truth["y"] + truth["height"] < driver.NARROW[1]
    for before, output in zip([truth, *outputs], outputs, strict=False):
        assert before is not None and output is not None
        assert output["width"] == pytest.approx(truth["width"], abs=1) and output["x"] >= before["x"] + before["width"]
    small[1].scroll_into_view_if_needed()
    box = small[1].bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= driver.NARROW[0]
    large = page.locator(".dpot-plot").nth(LARGE).bounding_box()
    assert large is not None and large["width"] > 300
    assert driver.overflow(page) <= 0


def drops(page: Page) -> np.ndarray:
    """Where possible releases lie on the large map, pixels of the screen; none where they are not seen."""
    found = (
        page.locator(".dpot-plot")
        .nth(LARGE)
        .evaluate(
            """plot => [...plot.querySelectorAll("[data-part=points] path")]
            .filter(({ parentNode }) => parentNode.childElementCount === 200 && parentNode.checkVisibility())
            .map(drop => drop.getBoundingClientRect()).filter(({ width }) => width > 0)
            .map(({ left, top, width }) => [left + width / 2, top + width / 2])"""
        )
    )
    return np.array(found).reshape(-1, 2)


@pytest.mark.nightly
def test_possible_releases_rain_from_home_and_follow_epsilon(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10&geo_who=Drawn+by+hand&geo_drawn=0.45+0.55+3")
    ready(page)
    assert len(drops(page)) == 0
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Show 200 sample releases").click()
    (left, width), *_ = maps(page, LARGE)
    box = page.locator(".dpot-plot").nth(LARGE).bounding_box()
    assert box is not None
    home = np.array([left + 0.45 * width, box["y"] + 22 + 0.45 * width])
    # The last ones have not set out when the first have long fallen.
    page.wait_for_function("() => document.querySelectorAll('.dpot-plot [data-part=points] path').length > 200")
    begun = drops(page)
    assert len(begun) == 200 and np.median(np.hypot(*(begun - home).T)) < 0.3 * width
    page.wait_for_timeout(2500)
    fallen = drops(page)
    assert np.hypot(*(fallen - home).T).max() > 0.4 * width
    with held(page, "geo_epsilon") as drag:
        drag(-1)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        page.wait_for_timeout(300)
        frame = drops(page)
    driver.wait_idle(page)
    settled = drops(page)
    assert len(settled) == 200 and np.abs(frame - fallen).max() > 1
    # What Python draws is where the frame had them, and by the same random numbers few have gone far.
    assert np.abs(settled - frame).max() < 0.5
    assert np.median(np.hypot(*(settled - fallen).T)) < 0.1 * width
    page.get_by_role("button", name="Take the releases away").click()
    assert len(drops(page)) == 0


@pytest.mark.nightly
def test_a_click_on_the_map_lets_it_rain_at_once_where_little_motion_is_wanted(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10")
    page.locator(".dpot-plot").nth(LARGE).click(position={"x": 400, "y": 300})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    at_once = drops(page)
    assert len(at_once) == 200 and np.ptp(at_once[:, 0]) > 200
    page.wait_for_timeout(400)
    assert (drops(page) == at_once).all()
    # Another mechanism, another rain by the same random numbers.
    choose_large(page, "k-RR")
    driver.wait_idle(page)
    assert len(drops(page)) == 200 and (drops(page) != at_once).any()


@pytest.mark.nightly
def test_the_home_is_dragged_on_the_large_map_and_it_rains_from_there(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10&geo_epsilon=10&geo_who=Drawn+by+hand&geo_drawn=0.15+0.55+3")
    page.get_by_role("button", name="Show 200 sample releases").click()
    (left, width), *_ = maps(page, LARGE)
    box = page.locator(".dpot-plot").nth(LARGE).bounding_box()
    assert box is not None
    middle = box["y"] + 22 + 0.46 * width
    assert np.median(drops(page)[:, 0]) < left + 0.4 * width
    page.mouse.move(left + 0.15 * width, middle)
    page.mouse.down()
    page.mouse.move(left + 0.75 * width, middle, steps=9)
    page.mouse.up()
    driver.wait_idle(page)
    assert np.median(drops(page)[:, 0]) > left + 0.6 * width
    page.get_by_role("button", name="As numbers").click()
    expect(page.get_by_role("textbox", name=re.compile("Places"))).to_have_value("0.75 0.55 3")


@pytest.mark.nightly
def test_the_crowd_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6&geo_view=The+crowd", size=driver.NARROW, theme="dark")
    assert "nearest" in titles(page)[-1]
    ((left, width),) = maps(page, 0)
    assert width > 300 and 0 <= left < 390 - width
    assert driver.overflow(page) <= 0


@pytest.mark.nightly
def test_the_crowd_follows_on_its_grid_of_epsilon_and_settles_at_its_own(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=6&geo_epsilon=2&geo_view=The+crowd")
    ready(page)
    title = page.locator(".dpot-title").nth(1)
    with held(page, "geo_epsilon") as drag:
        drag(-3)
        assert value(page, "geo_epsilon") == "1"
        expect(title).to_contain_text("At ε = 1 ")
        drag(-2)
        assert value(page, "geo_epsilon") == "1.2"
        expect(title).to_contain_text("At ε = 1 ")
    driver.wait_idle(page)
    expect(title).to_contain_text("At ε = 1.2 ")


@pytest.mark.nightly
def test_slow_work_counts_and_can_be_abandoned_and_taken_up_again(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=64&geo_least=40&geo_lambda=exact")
    page.get_by_role("tab", name="The crowd").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text(re.compile(r"\d+ of \d+ done"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile("Cancelled: "))).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text(re.compile(r"\d+ of \d+ done"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text(re.compile("Cancelled: "))).to_be_visible(timeout=30_000)
    driver.wait_idle(page)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    expect(page.get_by_text(re.compile("Cancelled: "))).to_have_count(0)
    page.get_by_role("tab", name="One person").click()
    driver.wait_idle(page)
    assert titles(page)[LARGE].startswith("At ε = 2.5 ")


@pytest.mark.nightly
def test_a_person_is_drawn_with_the_mouse_and_as_numbers(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10&geo_who=Drawn+by+hand")
    truth = page.locator(".dpot-plot").first
    expect(page.locator(".dpot-title").first).to_have_text(re.compile("Drawn by hand.*: 1 check-in$"))
    (left, width), *_ = maps(page, 0)
    box = truth.bounding_box()
    assert box is not None
    middle = box["y"] + 24 + width / 2
    # A stroke over three cells to the left of the one that it begins with.
    page.mouse.move(left + 0.15 * width, middle)
    page.mouse.down()
    page.mouse.move(left + 0.35 * width, middle, steps=12)
    page.mouse.up()
    expect(page.locator(".dpot-title").first).to_have_text(re.compile(": 4 check-ins$"))
    driver.wait_idle(page)
    # The same stroke takes them away again.
    page.mouse.move(left + 0.15 * width, middle)
    page.mouse.down()
    page.mouse.move(left + 0.35 * width, middle, steps=12)
    page.mouse.up()
    expect(page.locator(".dpot-title").first).to_have_text(re.compile(": 1 check-in$"))
    driver.wait_idle(page)
    page.get_by_role("button", name="As numbers").click()
    words = page.get_by_role("textbox", name=re.compile("Places"))
    words.fill("0.1 0.1 2; 0.9 0.9 1")
    words.press("Control+Enter")
    expect(page.locator(".dpot-title").first).to_have_text(re.compile(": 3 check-ins$"))
    words.fill("somewhere")
    words.press("Control+Enter")
    expect(page.get_by_text("Place 1 needs three numbers: east, north, weight.")).to_be_visible()
    page.get_by_role("button", name="Begin anew").click()
    expect(page.locator(".dpot-title").first).to_have_text(re.compile(": 1 check-in$"))


@pytest.mark.nightly
def test_a_home_that_is_the_only_cell_is_dragged_to_another_place(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10&geo_who=Drawn+by+hand&geo_drawn=0.15+0.55+3")
    (left, width), *_ = maps(page, 0)
    box = page.locator(".dpot-plot").first.bounding_box()
    assert box is not None
    middle = box["y"] + 24 + 0.45 * width
    page.mouse.move(left + 0.15 * width, middle)
    page.mouse.down()
    page.mouse.move(left + 0.75 * width, middle, steps=9)
    page.mouse.up()
    driver.wait_idle(page)
    expect(page.locator(".dpot-title").first).to_have_text(re.compile(": 3 check-ins$"))
    page.get_by_role("button", name="As numbers").click()
    expect(page.get_by_role("textbox", name=re.compile("Places"))).to_have_value(re.compile(r"^0\.75 0\.\d5 3$"))


@pytest.mark.nightly
def test_a_drawing_is_in_the_link_and_follows_to_another_grid(open_page: OpenPage) -> None:
    page = open_page("/geolocation?geo_n=10&geo_who=Drawn+by+hand&geo_drawn=0.1+0.1+2%3B+0.9+0.9+1")
    expect(page.locator(".dpot-title").first).to_have_text(re.compile(": 3 check-ins$"))
    page.get_by_text("Take it away").click()
    expect(page.get_by_text(re.compile(r"geo_drawn=0\.1"))).to_be_visible()
    page.get_by_text("Grid, people").click()
    page.get_by_role("slider", name="Cells per side").press("ArrowRight")
    driver.wait_idle(page)
    expect(page.locator(".dpot-title").first).to_have_text(re.compile(": 3 check-ins$"))


@pytest.mark.nightly
def test_a_typed_city_stays_when_the_page_is_loaded_again_and_in_its_link(
    open_page: OpenPage,
) -> None:
    page = open_page("/geolocation?geo_n=6")
    field = page.get_by_label("City", exact=True)
    field.fill("osaka")
    field.press("Enter")
    expect(page.get_by_text("Osaka, JP").first).to_be_visible()
    driver.wait_idle(page)
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    link = page.get_by_test_id("stCode").filter(has_text="/geolocation?").first.inner_text().strip()
    assert link.count("geo_city=osaka") == link.count("geo_city=") == 1
    page.reload()
    driver.wait_idle(page)
    expect(page.get_by_label("City", exact=True)).to_have_value("osaka")
    page.goto(link)
    expect(page.get_by_text("Osaka, JP").first).to_be_visible()
    expect(page.get_by_text("could not be used")).to_have_count(0)
