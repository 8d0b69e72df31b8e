"""Pictures follow the finger: while the thumb moves, without asking Python, and never wiped."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from dpot_app.kit.fields import EPSILONS
from tests.browser import driver
from tests.browser.conftest import OpenPage

RING = "/ring?ring_epsilon=4"


@pytest.fixture(scope="module")
def shared(browser: Browser, app_url: str) -> Iterator[tuple[Page, driver.Watch]]:
    """One ring page for many tests: to open it costs more than most of them."""
    page, watch = driver.new_page(browser)
    driver.hold_still(page.context)
    page.goto(app_url + RING)
    driver.wait_idle(page)
    yield page, watch
    page.context.close()


@pytest.fixture
def ring(shared: tuple[Page, driver.Watch]) -> Iterator[Page]:
    """That page at ε = 4, every frame there, the mouse in a corner."""
    page, watch = shared
    page.mouse.move(0, 0)
    away = EPSILONS.index(float(value(page))) - EPSILONS.index(4.0)
    for _ in range(abs(away)):
        thumb(page).press("ArrowLeft" if away > 0 else "ArrowRight")
    expect(page).to_have_url(re.compile(r"/ring\?ring_epsilon=4$"))
    driver.wait_idle(page)
    ready(page)
    yield page
    assert not watch.look_at_pages()


@pytest.fixture
def open_page(open_page: OpenPage) -> OpenPage:
    """Pages as readers have them: every frame comes at once."""
    return partial(open_page, frames=True)


def thumb(page: Page, key: str = "ring_epsilon") -> Any:
    return page.locator(f".st-key-{key} input[type=range]")


def value(page: Page, key: str = "ring_epsilon") -> str:
    return str(thumb(page, key).get_attribute("aria-valuetext"))


def title(page: Page) -> str:
    return page.locator(".dpot-title").first.inner_text()


def marks(page: Page) -> str:
    """What the first picture looks like."""
    return str(page.locator(".dpot-plot").first.evaluate("plot => plot.innerHTML"))


def ready(page: Page) -> None:
    """Wait until every frame of every slider is there."""
    page.wait_for_function("() => window.dpotStage?.complete()")


def handle(page: Page, key: str = "ring_epsilon") -> tuple[float, float, float]:
    """Middle of the thumb, and the width of a step."""
    x, y, step = page.locator(f".st-key-{key}").evaluate(
        """box => {
            const input = box.querySelector("input[type=range]");
            const track = box.querySelector("[class*=react-aria-SliderTrack]") ?? input.closest("div");
            let knob = input;
            while (knob.offsetWidth < 8 || knob.offsetWidth > 30) knob = knob.parentElement;
            const at = knob.getBoundingClientRect(), room = knob.parentElement.getBoundingClientRect();
            return [at.x + at.width / 2, at.y + at.height / 2, room.width / (input.max - input.min)];
        }"""
    )
    return x, y, step


@contextmanager
def held(page: Page, key: str = "ring_epsilon") -> Iterator[Callable[[float], None]]:
    """Hold the thumb; the function given drags it by a number of steps from where it was."""
    x, y, step = handle(page, key)
    page.mouse.move(x, y)
    page.mouse.down()
    yield lambda steps: page.mouse.move(x + steps * step, y, steps=3)
    page.mouse.up()


@contextmanager
def runs_of_the_script(page: Page) -> Iterator[Callable[[], int]]:
    """Counts how often the browser asks Python to run."""
    page.evaluate(
        """() => {
            const send = WebSocket.prototype.send;
            window.asked = 0;
            WebSocket.prototype.send = function (...what) { window.asked += 1; return send.apply(this, what); };
            window.back = () => { WebSocket.prototype.send = send; };
        }"""
    )
    yield lambda: int(page.evaluate("() => window.asked"))
    page.evaluate("() => window.back()")


@pytest.mark.nightly
def test_nothing_stands_there_without_its_style(app_url: str, browser: Browser) -> None:
    page, watch = driver.new_page(browser)
    held: list[Route] = []
    page.route("**/live.css", lambda route: held.append(route))
    page.goto(f"{app_url}/ring", wait_until="commit")
    deadline = time.monotonic() + 60
    while not held and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    page.wait_for_timeout(300)
    expect(page.locator(".dpot-title")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".dpot-title").first).to_be_visible()
    assert not watch.look_at_pages()
    page.context.close()


def test_a_drag_moves_marks_title_and_promise_before_it_ends(ring: Page) -> None:
    page = ring
    before = marks(page)
    picture = page.locator(".dpot-plot").first.element_handle()
    with runs_of_the_script(page) as runs, held(page) as drag:
        drag(-6)
        assert value(page) == "1.2"
        expect(page.locator(".dpot-title").first).to_contain_text("At ε = 1.2")
        expect(page.locator(".dpot-strip").first).to_contain_text("ε = 1.2")
        assert marks(page) != before and runs() == 0
        assert "ring_epsilon=4" in page.url
        moved = marks(page)
        expect(page.locator("body.dpot-ahead")).to_have_count(1)
    driver.wait_idle(page)
    expect(page.locator(".dpot-ahead, .dpot-behind")).to_have_count(0)
    expect(page).to_have_url(re.compile("ring_epsilon=1.2"))
    assert page.locator(".dpot-plot").first.evaluate("(plot, old) => plot === old", picture), (
        "the picture was remounted"
    )
    assert "At ε = 1.2" in title(page)
    assert numbers(marks(page)) == pytest.approx(numbers(moved), abs=0.02)


def numbers(svg: str) -> list[float]:
    return [float(text) for text in re.findall(r"(?<=[ \"(,])-?\d+\.?\d*(?=[ \"),])", svg)]


@pytest.mark.nightly
def test_keys_move_the_picture_and_ask_python_once(ring: Page) -> None:
    page = ring
    thumb(page).focus()
    tools = page.context.new_cdp_session(page)
    with runs_of_the_script(page) as runs:
        # A busy machine takes longer from key to key than Python is spared.
        assert page.evaluate("() => window.dpotStage.patience.keys") == 150
        page.evaluate("() => { window.dpotStage.patience.keys = 3000; }")
        keys = [{"type": kind, "key": "ArrowLeft", "code": "ArrowLeft"} for kind in ("keyDown", "keyUp")]
        for _ in range(5):
            for key in keys:
                tools.send("Input.dispatchKeyEvent", key)
        expect(page.locator(".dpot-title").first).to_contain_text("At ε = 1.5 ")
        expect(page).to_have_url(re.compile("ring_epsilon=1.5"))
        driver.wait_idle(page)
        assert runs() == 1
        page.evaluate("() => { window.dpotStage.patience.keys = 150; }")
        for key, at in (("Home", "0.05"), ("End", "10"), ("PageDown", "6"), ("PageUp", "10")):
            page.keyboard.press(key)
            assert value(page) == at
            expect(page.locator(".dpot-title").first).to_contain_text(f"At ε = {at} ")  # in the next frame
    expect(page).to_have_url(re.compile("ring_epsilon=10"))
    driver.wait_idle(page)
    assert "At ε = 10 " in title(page)


@pytest.mark.nightly
def test_200_fast_moves_end_in_the_right_picture(ring: Page, open_page: OpenPage) -> None:
    page = ring
    x, y, step = handle(page)
    with held(page) as drag:
        for move in range(200):
            page.mouse.move(x + (-9 if move % 2 else 6) * step, y)  # a jump: no steps between
        drag(4)
    expect(page).to_have_url(re.compile("ring_epsilon=8"))
    driver.wait_idle(page)
    assert value(page) == "8" and "At ε = 8 " in title(page)
    fresh = open_page("/ring?ring_epsilon=8")
    assert numbers(marks(page)) == pytest.approx(numbers(marks(fresh)), abs=0.02)


@pytest.mark.nightly
def test_a_finger_drags(ring: Page) -> None:
    page = ring
    x, y, step = handle(page)
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 7):
        point = {"x": x - part * step, "y": y}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    expect(page.locator(".dpot-title").first).to_contain_text("At ε = 1.2")
    assert "ring_epsilon=4" in page.url
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page).to_have_url(re.compile("ring_epsilon=1.2"))


def test_keys_count_though_the_thumb_is_put_back_before_they_are_reported(ring: Page) -> None:
    """React puts it where the last report left it, when that is answered late: those keys were lost."""
    thumb(ring).evaluate("""input => {
        const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        const before = input.value;
        const putBack = () => {
            write.call(input, before);
            input.dispatchEvent(new Event("input", { bubbles: true }));
        };
        window.addEventListener("keydown", () => setTimeout(putBack, 20), { capture: true, once: true });
    }""")
    thumb(ring).press("ArrowLeft")
    expect(ring).to_have_url(re.compile("ring_epsilon=3.5"))


@pytest.mark.nightly
def test_another_setting_changed_in_the_middle_of_a_drag(open_page: OpenPage) -> None:
    page = open_page(RING)
    ready(page)
    thumb(page).focus()
    page.keyboard.press("ArrowLeft")
    thumb(page, "ring_k").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("ring_k=31"))
    expect(page).to_have_url(re.compile("ring_epsilon=3.5"))
    driver.wait_idle(page)
    ready(page)
    assert "At ε = 3.5 " in title(page)
    fresh = open_page("/ring?ring_epsilon=3.5&ring_k=31")
    assert numbers(marks(page)) == pytest.approx(numbers(marks(fresh)), abs=0.02)


@pytest.mark.nightly
def test_two_tabs_are_two_sessions(ring: Page, open_page: OpenPage) -> None:
    one, other = ring, open_page("/ring?ring_epsilon=5")
    ready(other)
    with held(one) as drag:
        drag(-6)
    expect(one).to_have_url(re.compile("ring_epsilon=1.2"))
    assert "At ε = 5 " in title(other) and value(other) == "5"


@pytest.mark.nightly
def test_back_and_forward(open_page: OpenPage) -> None:
    page = open_page("/ring?ring_epsilon=0.5")
    page.goto(page.url.replace("ring_epsilon=0.5", "ring_epsilon=5"))
    driver.wait_idle(page)
    assert value(page) == "5" and "At ε = 5 " in title(page)
    page.go_back()
    driver.wait_idle(page)
    assert value(page) == "0.5" and "At ε = 0.5 " in title(page)
    page.go_forward()
    driver.wait_idle(page)
    ready(page)
    assert value(page) == "5" and "At ε = 5 " in title(page)


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_narrow_screen_in_both_themes(open_page: OpenPage, theme: str) -> None:
    page = open_page("/?home_epsilon=2", size=driver.NARROW, theme=theme)
    ready(page)
    before = marks(page)
    with held(page, "home_epsilon") as drag:
        drag(-5)
        assert marks(page) != before
    driver.wait_idle(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.nightly
def test_play_runs_and_stops_at_a_touch(open_page: OpenPage) -> None:
    page = open_page(RING)
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    driver.wait_idle(page)
    ready(page)
    button = page.get_by_role("button", name=re.compile("^Play Privacy parameter"))
    thumb(page).focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name=re.compile("^Stop"))).to_be_visible()
    page.wait_for_function("() => document.querySelector('.dpot-title').textContent.includes('ε = 1 ')")
    page.mouse.click(*handle(page)[:2])
    expect(button).to_be_visible()
    driver.wait_idle(page)
    at = value(page)
    expect(page).to_have_url(re.compile(f"ring_epsilon={at}(&|$)"))
    assert f"At ε = {at} " in title(page)


@pytest.mark.nightly
def test_reduced_motion_has_no_play_and_no_glide(open_page: OpenPage) -> None:
    page = open_page(RING)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    driver.wait_idle(page)
    ready(page)
    assert page.get_by_role("button", name=re.compile("^Play")).count() == 0
    thumb(page).focus()
    page.keyboard.press("Home")
    there = marks(page)
    page.wait_for_timeout(300)
    assert marks(page) == there
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.nightly
def test_hundreds_of_moves_do_not_grow_the_memory(ring: Page) -> None:
    page = ring
    tools = page.context.new_cdp_session(page)

    def heap() -> float:
        tools.send("HeapProfiler.collectGarbage")
        return float(tools.send("Runtime.getHeapUsage")["usedSize"])

    def move(times: int) -> None:
        page.evaluate(
            """async times => {
                const input = document.querySelector(".st-key-ring_epsilon input[type=range]");
                for (let i = 0; i < times; i++) {
                    window.dpotStage.move("ring_epsilon", (7 * i) % 28);
                    await new Promise(requestAnimationFrame);
                }
                window.dpotStage.move("ring_epsilon", Number(input.value));
            }""",
            times,
        )

    move(60)  # every value has been drawn by then, with what is remembered of it
    before = heap()
    move(500)
    assert heap() < before + 1_500_000


@pytest.mark.nightly
def test_an_explorable_follows_its_slider_from_a_file(ring: Page, tmp_path: Path) -> None:
    page = ring
    page.get_by_text("Take it away").click()
    driver.wait_idle(page)
    page.get_by_role("button", name="For students: link, QR code, exercise").click()
    task = page.get_by_role("textbox", name="Exercise")
    task.fill("From which ε on is KPM within a step?")
    task.press("Enter")
    driver.wait_idle(page)
    page.keyboard.press("Escape")
    file = driver.save(page, "explorable.html", tmp_path)
    assert file.stat().st_size < 6_000_000
    # The take-away stands on another page of the browser, without the app.
    alone = page.context.new_page()
    alone.goto(file.as_uri())
    expect(alone.locator(".dpot-title").first).to_contain_text("At ε = 4 ")
    expect(alone.get_by_text("Exercise: From which ε on is KPM within a step?")).to_be_visible()
    alone.locator("input[type=range]").focus()
    for _ in range(6):
        alone.keyboard.press("ArrowLeft")
    expect(alone.locator(".dpot-title").first).to_contain_text("At ε = 1.2 ")
    expect(alone.locator(".dpot-strip").first).to_contain_text("ε = 1.2")
    assert alone.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    alone.close()


@pytest.mark.nightly
def test_on_a_phone_the_sidebar_steps_aside_while_a_finger_drags(open_page: OpenPage) -> None:
    page = open_page(RING, size=driver.NARROW)
    ready(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("Base measure", exact=True)).to_be_visible()
    page.wait_for_timeout(400)  # it slides in
    thumb(page).scroll_into_view_if_needed()
    with held(page) as drag:
        drag(-6)
        expect(page.get_by_test_id("stSidebar").get_by_text("Base measure", exact=True)).to_be_hidden()
        expect(page.get_by_test_id("stSidebar").get_by_text("Privacy parameter ε (nats)").first).to_be_visible()
        expect(page.locator(".dpot-title").first).to_contain_text("At ε = 1.2")
    expect(page.get_by_test_id("stSidebar").get_by_text("Base measure", exact=True)).to_be_visible()
