"""The mixture page as people use it: sliders, tabs, modes of their own, slow work, a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import driver
from tests.browser.conftest import OpenPage

#: Width and height of what is painted on a canvas.
PAINTED = """canvas => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            if (!data[4 * (y * width + x) + 3]) continue;
            [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
        }
    }
    return [right - left, bottom - top];
}"""


def headline(page: Page) -> str:
    """What the first picture says."""
    return page.locator(".dpot-title").first.inner_text()


@pytest.mark.nightly
def test_the_line_draws_curves_band_bars_and_columns_and_answers_a_slider(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_output=All&mix_also=Draws+from+KPM&mix_also=Where+KPM+clips")
    bars, *curves = page.locator(".dpot-plot").first.locator("g[data-trace]").all()
    assert len(curves) == 5
    expect(bars.locator("rect")).to_have_count(64)
    assert all((curve.locator("path").nth(1).get_attribute("d") or "").startswith("M") for curve in curves)
    assert headline(page).startswith("At ε = 1 KPM costs this input a KL of 0.0318 nats")
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    expect(page).to_have_url(re.compile("mix_epsilon=1.2"))
    driver.wait_idle(page)
    assert headline(page).startswith("At ε = 1.2 ")
    expect(page.get_by_role("note", name="Privacy guarantee")).to_contain_text("ε = 1.2")


@pytest.mark.nightly
def test_the_line_follows_a_slider_by_frames(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_output=All&mix_also=Draws+from+KPM&mix_also=Where+KPM+clips")
    driver.ready(page)
    drawn = page.locator(".dpot-plot").first.evaluate("plot => plot.innerHTML")
    page.evaluate("() => window.dpotStage.move('mix_epsilon', 0)")
    assert headline(page).startswith("At ε = 0.05 ")
    assert page.locator(".dpot-plot").first.evaluate("plot => plot.innerHTML") != drawn


@pytest.mark.nightly
def test_tabs_draw_the_plane_and_a_ball_that_can_be_turned_and_fit_a_phone(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_plane_cells=12&mix_epsilon=0.5", size=driver.NARROW, theme="dark")
    page.get_by_role("tab", name="Plane").click()
    driver.wait_idle(page)
    maps = page.locator(".dpot-plot")
    expect(maps.first.locator("canvas")).to_be_visible()
    expect(page.get_by_text("KPM moves 8.51% of the mass")).to_be_visible()
    # Squares stay squares.
    width, height = maps.nth(1).locator("canvas").evaluate(PAINTED)
    assert width == pytest.approx(height, rel=0.03) and width > 100
    assert driver.overflow(page) <= 0
    page.get_by_role("tab", name="Sphere").click()
    driver.wait_idle(page)
    assert driver.overflow(page) <= 0
    expect(page.get_by_text("300 releases for one input, p = 1")).to_be_visible()
    ball = page.get_by_role("group", name="The cap around one input and draws of the output")
    width, height = ball.locator("canvas").evaluate(PAINTED)
    assert width == pytest.approx(height, rel=0.05) and width > 200
    assert page.evaluate("() => window.Plotly") is None
    assert "mix_view=sphere" in page.url
    _the_ball_is_turned_by_mouse_keys_and_finger_and_stays_so(page, ball)


@pytest.mark.nightly
def test_epsilon_goes_along_to_another_tab_and_a_click_makes_an_output_large(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_plane_cells=12&mix_epsilon=1.5")
    assert headline(page).startswith("At ε = 1.5 ")
    page.get_by_role("tab", name="Plane").click()
    driver.wait_idle(page)
    assert headline(page).startswith("At ε = 1.5 ")
    page.get_by_role("button", name="Show WPM large").click()
    driver.wait_idle(page)
    expect(page.get_by_text(re.compile("WPM moves .* of the mass"))).to_be_visible()
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowRight")
    expect(page).to_have_url(re.compile("mix_plane_epsilon=2"))
    driver.wait_idle(page)
    page.get_by_role("tab", name="Line").click()
    driver.wait_idle(page)
    assert headline(page).startswith("At ε = 2 ")
    # A link that names both still means both.
    fresh = open_page("/mixture?mix_plane_cells=12&mix_plane_epsilon=4&mix_epsilon=1.5")
    assert headline(fresh).startswith("At ε = 1.5 ")
    fresh.get_by_role("tab", name="Plane").click()
    driver.wait_idle(fresh)
    assert headline(fresh).startswith("At ε = 4 ")


@pytest.mark.nightly
def test_an_output_that_is_left_out_makes_room_for_another_without_a_word(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_output=WPM")
    page.get_by_test_id("stSidebar").get_by_role("button", name="WPM").click()
    driver.wait_idle(page)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("mix_output"))
    # A link that asks for what it leaves out is told.
    fresh = open_page("/mixture?mix_output=WPM&mix_mechanisms=KPM")
    expect(fresh.get_by_test_id("stAlert")).to_contain_text("mix_output")


def _the_ball_is_turned_by_mouse_keys_and_finger_and_stays_so(page: Page, ball: Locator) -> None:
    driver.ready(page)
    ball.scroll_into_view_if_needed()
    seen = [_painted(ball)]
    box = ball.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=4)
    page.mouse.up()
    seen.append(_painted(ball))
    page.keyboard.press("ArrowRight")
    seen.append(_painted(ball))
    _swipe(page, x, y, across=80, down=0)
    seen.append(_painted(ball))
    assert len(set(seen)) == 4
    # The view stays while the slider moves, after Python has drawn, and when a finger scrolls the page.
    there = page.evaluate("() => window.dpotStage.sliders.get('mix_sphere_epsilon')")
    page.evaluate("() => window.dpotStage.move('mix_sphere_epsilon', 0)")
    assert _painted(ball) not in seen
    page.evaluate("there => window.dpotStage.move('mix_sphere_epsilon', there)", there)
    assert _painted(ball) == seen[-1]
    before = page.get_by_test_id("stMain").evaluate("main => main.scrollTop")
    _swipe(page, x, y, across=0, down=-120)
    page.wait_for_function(
        "before => document.querySelector('[data-testid=stMain]').scrollTop > before + 50", arg=before
    )
    assert _painted(ball) == seen[-1]
    driver.wait_idle(page)


def _painted(ball: Locator) -> str:
    """The picture after the next frame, in which it is turned."""
    frame = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    return ball.locator("canvas").evaluate(f"async canvas => {{ await {frame}; return canvas.toDataURL(); }}")


def _swipe(page: Page, x: float, y: float, across: float, down: float) -> None:
    session = page.context.new_cdp_session(page)
    for step in range(9):
        kind = ("touchStart", "touchEnd")[step // 8] if step in (0, 8) else "touchMove"
        points = [] if step == 8 else [{"x": x + across * step / 7, "y": y + down * step / 7}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()


@pytest.mark.nightly
def test_the_plane_and_the_sphere_follow_the_thumb(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_view=Plane&mix_plane_cells=12&mix_plane_epsilon=1&mix_sphere_epsilon=1")
    for view, key, count in (("Plane", "mix_plane_epsilon", 4), ("Sphere", "mix_sphere_epsilon", 3)):
        page.get_by_role("tab", name=view).click()
        driver.wait_idle(page)
        driver.ready(page)
        look = "plots => plots.map(plot => plot.innerHTML + plot.querySelector('canvas')?.toDataURL())"
        before = page.locator(".dpot-plot:has(.dpot-picture)").evaluate_all(look)
        page.evaluate(f"() => window.dpotStage.move('{key}', 0)")
        expect(page.locator(".dpot-title").first).to_contain_text("At ε = 0.05")
        after = page.locator(".dpot-plot:has(.dpot-picture)").evaluate_all(look)
        assert len(before) == count, view
        assert all(one != other for one, other in zip(before, after, strict=True)), view


@pytest.mark.nightly
def test_modes_can_be_typed_into_the_table(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_modes=My+own&mix_own=0:0.5;0.5:0.5")
    before = headline(page)
    # The column of means; the left one picks rows.
    driver.type_into_table(page, row=0, across=0.35, text="-0.9")
    driver.wait_idle(page)
    assert headline(page) != before
    page.get_by_role("button", name="Paste modes").click()
    expect(page.get_by_role("textbox", name="Modes: one per line")).to_have_value("-0.9, 0.5\n0.5, 0.5")


@pytest.mark.nightly
def test_a_mean_outside_is_named_and_one_click_helps(open_page: OpenPage) -> None:
    page = open_page("/mixture?mix_modes=One+mode&mix_mean=1.4")
    expect(page.get_by_test_id("stAlert")).to_contain_text("farther than 1 from 0, the farthest 1.4")
    page.get_by_role("button", name="Enlarge the family to radius 1.5").click()
    driver.wait_idle(page)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    assert headline(page).startswith("At ε = 1 KPM")
    assert "mix_radius=1.5" in page.url


@pytest.mark.nightly
def test_the_highlighter_is_loaded_when_a_reader_opens_python_and_stays_open(open_page: OpenPage) -> None:
    # It is a third of what a first visit would fetch, and is compiled before the first picture is drawn.
    loaded = "performance.getEntriesByType('resource').some(one => one.name.includes('SyntaxHighlighter'))"
    page = open_page("/mixture")
    assert not page.evaluate(loaded)
    page.locator("summary").filter(has_text="Release for real").click()
    expect(page.get_by_test_id("stCode")).to_be_visible()
    assert page.evaluate(loaded)
    page.get_by_role("slider", name="Privacy parameter ε").press("ArrowLeft")
    driver.wait_idle(page)
    expect(page.get_by_test_id("stCode")).to_be_visible()
