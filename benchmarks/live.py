"""Pictures under a moving finger, in Chromium: from the mouse's event to the painted frame.

Beside each stands an empty page in the same browser, with one map that Plotly restyles at the same moves: all pictures
of a page of ours may take half as long again as that one.
"""

import random
import statistics
import sys
from collections.abc import Iterator

from playwright.sync_api import Browser, Page, sync_playwright
from plotly.offline import get_plotlyjs

from benchmarks.measurement import Measurement
from tests.browser import driver

#: Address and slider of each page.
PAGES = {
    "Home": ("/", "home_epsilon"),
    "ring, outputs and worst case": ("/ring", "ring_epsilon"),
    "ring, base": ("/ring?ring_view=Base+measure", "ring_epsilon"),
    "geolocation, one person": ("/geolocation", "geo_epsilon"),
    "geolocation, the crowd": ("/geolocation?geo_view=The+crowd", "geo_epsilon"),
    "mixture, line": ("/mixture", "mix_epsilon"),
    "mixture, plane": ("/mixture?mix_view=Plane", "mix_plane_epsilon"),
    "mixture, sphere": ("/mixture?mix_view=Sphere", "mix_sphere_epsilon"),
    "movies, one user": ("/movies", "movies_epsilon"),
    "Population": ("/population", "pop_epsilon"),
    "metric, protect": ("/metric", "metric_epsilon"),
    "private transport": ("/sinkhorn", "sinkhorn_epsilon"),
    "what epsilon means": ("/explain", "explain_epsilon"),
    "find my epsilon": ("/decide?decide_need=Worst-case+distance+on+a+ring", "decide_ring_target"),
}
#: Cells on an axis of that map, and how many times its seconds a move may take: the median one, and one of twenty.
SIDE, MEDIAN, LATE = 40, 1.5, 2.5
#: And how many times the seconds to its first picture a page may take until all its frames are there; where the frames
#: of maps are computed beside curves of 200 releases.
COMPLETE, WITH_RELEASES = 3.0, {"Population": 6.0}
REFERENCE = f"Plotly alone, a map of {SIDE} x {SIDE}"
MOVES = 60

# A task posted in a frame's callback runs after its painting, an urgent one before what else waits, such as React's own
# work. The stage draws in such a callback.
_WATCH = """() => {
    const stage = window.dpotStage, move = stage.move.bind(stage), settle = stage.settle.bind(stage);
    window.painted = []; window.trips = [];
    addEventListener("pointermove", event => { window.moved = event.timeStamp; }, true);
    addEventListener("pointerup", event => { window.released = event.timeStamp; }, true);
    stage.move = (name, place, glide) => {
        const since = window.moved, new_ = stage.sliders.get(name) !== place;
        const drawn = move(name, place, glide);
        if (new_) drawn.then(() => scheduler.postTask(
            () => window.painted.push(performance.now() - since), {priority: "user-blocking"}));
        return drawn;
    };
    stage.settle = (name, part) => {
        const result = settle(name, part);
        if (window.released) window.trips.push(performance.now() - window.released);
        return result;
    };
}"""
_PLOTLY = """async side => {
    const box = document.body.appendChild(document.createElement("div"));
    const map = shift => Array.from({length: side}, (_, y) => Array.from({length: side}, (_, x) =>
        Math.exp(-((x - shift) ** 2 + (y - side / 2) ** 2) / side)));
    await Plotly.newPlot(box, [{type: "heatmap", z: map(0)}], {width: 400, height: 400});
    window.painted = [];
    addEventListener("pointermove", event => Plotly.restyle(box, {z: [map(event.clientX / 10)]}).then(() =>
        requestAnimationFrame(() => scheduler.postTask(
            () => window.painted.push(performance.now() - event.timeStamp), {priority: "user-blocking"}))));
}"""
_THUMB = """box => {
    const input = box.querySelector("input[type=range]");
    let knob = input;
    while (knob.offsetWidth < 8 || knob.offsetWidth > 30) knob = knob.parentElement;
    const at = knob.getBoundingClientRect(), room = knob.parentElement.getBoundingClientRect();
    return [at.x + at.width / 2, at.y + at.height / 2, room.x, room.width];
}"""


def thumb_of(page: Page, slider: str) -> tuple[float, float, float, float]:
    """Middle of the thumb, left end and width of its track, in pixels."""
    there = page.locator(f".st-key-{slider}")
    there.scroll_into_view_if_needed()
    x, y, left, width = there.evaluate(_THUMB)
    return x, y, left, width


def drag(page: Page, slider: str) -> tuple[list[float], float]:
    """Seconds from each move to its painted frame, and from the release to what Python draws."""
    x, y, left, width = thumb_of(page, slider)
    page.evaluate(_WATCH)
    page.mouse.move(x, y)
    page.mouse.down()
    move_along(page, y, left, width)
    page.mouse.up()
    driver.wait_idle(page)
    painted, trips = page.evaluate("() => [window.painted, window.trips]")
    return [milliseconds / 1000 for milliseconds in painted], max(trips, default=0.0) / 1000


def plotly_alone(browser: Browser) -> list[float]:
    """Seconds from each move to the painted frame of a page with nothing but one map, which Plotly restyles."""
    page = browser.new_page()
    page.add_script_tag(content=get_plotlyjs())
    page.evaluate(_PLOTLY, SIDE)
    move_along(page, 100, 100, 300)
    page.wait_for_timeout(500)
    painted: list[float] = page.evaluate("() => window.painted")
    page.close()
    return [milliseconds / 1000 for milliseconds in painted]


def move_along(page: Page, y: float, left: float, width: float) -> None:
    """Moves of the mouse to and fro along a track."""
    phase = random.Random(0)
    for move in range(MOVES):
        share = abs((move / (MOVES / 4)) % 2 - 1)
        page.mouse.move(left + share * width, y)
        # Moves come at any moment between two frames: in step with them, they would all wait as long as the first.
        page.wait_for_timeout(20 + phase.uniform(0, 17))


def _late(painted: list[float]) -> float:
    return sorted(painted)[int(0.95 * len(painted))]


def measure() -> Iterator[Measurement]:
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable, optimise=True)
        for name, (path, slider) in PAGES.items():
            page, watch = driver.new_page(browser)
            page.goto(address + path)
            page.wait_for_function("() => window.dpotStage?.families.size > 0", timeout=60_000)
            first, complete = page.evaluate(
                """async () => {
                    const first = performance.now();
                    while (!window.dpotStage.complete()) await new Promise(resolve => setTimeout(resolve, 10));
                    return [first / 1000, performance.now() / 1000];
                }"""
            )
            driver.wait_idle(page)
            painted, trip = drag(page, slider)
            problems = "; ".join(watch.look_at_pages())
            page.context.close()
            beside = f"round trip {trip:.2f} s {problems}"
            reference = plotly_alone(browser)
            median, what = statistics.median(painted), f"{name}: move to frame, median"
            yield Measurement(what, median, REFERENCE, statistics.median(reference), MEDIAN, beside)
            what = f"{name}: move to frame, 95 %"
            yield Measurement(what, _late(painted), REFERENCE, _late(reference), LATE)
            what, at_most = f"{name}: until all frames are there", WITH_RELEASES.get(name, COMPLETE)
            yield Measurement(what, complete, "to its first picture", first, at_most)
        browser.close()
