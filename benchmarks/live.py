"""Pictures under a moving finger, in Chromium: from the mouse's event to the painted frame, beside the round trip."""

import random
import statistics
import sys
from collections.abc import Iterator

from playwright.sync_api import Page, sync_playwright

from benchmarks.measurement import Measurement
from tests.browser import driver

#: Address and slider of each page, and seconds within which all its frames are to be there.
PAGES = {
    "Home": ("/", "home_epsilon", 4.0),
    "ring, outputs and worst case": ("/ring", "ring_epsilon", 1.5),
    "ring, base": ("/ring?ring_view=Base+measure", "ring_epsilon", 1.5),
    "geolocation, one person": ("/geolocation", "geo_epsilon", 4.0),
    "geolocation, the crowd": ("/geolocation?geo_view=The+crowd", "geo_epsilon", 4.0),
    "mixture, line": ("/mixture", "mix_epsilon", 4.0),
    "mixture, plane": ("/mixture?mix_view=Plane", "mix_plane_epsilon", 4.0),
    "mixture, sphere": ("/mixture?mix_view=Sphere", "mix_sphere_epsilon", 4.0),
    "movies, one user": ("/movies", "movies_epsilon", 4.0),
    "US population": ("/population", "pop_epsilon", 4.0),
    "metric, protect": ("/metric", "metric_epsilon", 4.0),
    "private transport": ("/sinkhorn", "sinkhorn_epsilon", 4.0),
    "what epsilon means": ("/explain", "explain_epsilon", 4.0),
    "find my epsilon": ("/decide?decide_need=Worst-case+distance+on+a+ring", "decide_ring_target", 4.0),
}
FRAME, LATE, PLOTLY = 0.017, 0.034, 0.050
MOVES = 60

# A task posted in a frame's callback runs after its painting, an urgent one before what else waits, such as React's own
# work. The stage draws in such a callback; what Plotly has drawn is painted with the next.
_WATCH = """plotly => {
    const frame = plotly ? requestAnimationFrame : after => after();
    const stage = window.dpotStage, move = stage.move.bind(stage), settle = stage.settle.bind(stage);
    window.painted = []; window.trips = [];
    addEventListener("pointermove", event => { window.moved = event.timeStamp; }, true);
    addEventListener("pointerup", event => { window.released = event.timeStamp; }, true);
    stage.move = (name, place, glide) => {
        const since = window.moved, new_ = stage.sliders.get(name) !== place;
        const drawn = move(name, place, glide);
        if (new_) drawn.then(() => frame(() => scheduler.postTask(
            () => window.painted.push(performance.now() - since), {priority: "user-blocking"})));
        return drawn;
    };
    stage.settle = (name, part) => {
        const result = settle(name, part);
        if (window.released) window.trips.push(performance.now() - window.released);
        return result;
    };
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
    x, y, left, width = page.locator(f".st-key-{slider}").evaluate(_THUMB)
    return x, y, left, width


def drag(page: Page, slider: str, plotly: bool) -> tuple[list[float], float]:
    """Seconds from each move to its painted frame, and from the release to what Python draws."""
    phase = random.Random(0)
    x, y, left, width = thumb_of(page, slider)
    page.evaluate(_WATCH, plotly)
    page.mouse.move(x, y)
    page.mouse.down()
    for move in range(MOVES):
        share = abs((move / (MOVES / 4)) % 2 - 1)
        page.mouse.move(left + share * width, y)
        # Moves come at any moment between two frames: in step with them, they would all wait as long as the first.
        page.wait_for_timeout(20 + phase.uniform(0, 17))
    page.mouse.up()
    driver.wait_idle(page)
    painted, trips = page.evaluate("() => [window.painted, window.trips]")
    return [milliseconds / 1000 for milliseconds in painted], max(trips, default=0.0) / 1000


def measure() -> Iterator[Measurement]:
    executable = driver.find_chromium()
    if executable is None:
        sys.exit("No Chromium found; install one or name it in the variable CHROMIUM.")
    with driver.running_app() as address, sync_playwright() as playwright:
        browser = driver.launch(playwright, executable, optimise=True)
        for name, (path, slider, patience) in PAGES.items():
            page, watch = driver.new_page(browser)
            page.goto(address + path)
            page.wait_for_function("() => window.dpotStage?.families.size > 0", timeout=60_000)
            ready = float(
                page.evaluate(
                    """async () => {
                        const since = performance.now();
                        while (!window.dpotStage.complete()) await new Promise(resolve => setTimeout(resolve, 10));
                        return (performance.now() - since) / 1000;
                    }"""
                )
            )
            driver.wait_idle(page)
            with_plotly = page.locator(".dpot-follows .js-plotly-plot").count()
            painted, trip = drag(page, slider, with_plotly > 0)
            problems = "; ".join(watch.look_at_pages())
            page.context.close()
            beside = f"round trip {trip:.2f} s {problems}"
            median, late = statistics.median(painted), sorted(painted)[int(0.95 * len(painted))]
            aim = PLOTLY if with_plotly else FRAME
            kind = f"with {with_plotly} by Plotly" if with_plotly else "heroes"
            yield Measurement(f"{name}: move to frame, median ({kind})", median, "one frame", aim, 1.0, beside)
            if not with_plotly:
                yield Measurement(f"{name}: move to frame, 95 %", late, "two frames", LATE, 1.0)
            yield Measurement(f"{name}: until all frames are there", ready, "patience", patience, 1.0)
        browser.close()
