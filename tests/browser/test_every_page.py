"""What holds for every page that the navigation offers, at both widths and in both themes."""

from playwright.sync_api import Page, expect

from dpot_core.studies._kit.lesson import Lesson
from dpot_core.studies.table import LESSONS
from tests.browser import driver
from tests.browser.conftest import OpenPage

# Of the app's background, 0 (black) to 255 (white).
_BRIGHTNESS = """() => {
    const colour = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
    const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""


def _looks_well(page: Page, path: str, size: tuple[int, int], theme: str) -> None:
    assert (page.evaluate(_BRIGHTNESS) > 200) == (theme == "light"), f"{path} is not {theme}"

    assert driver.overflow(page) <= 0, f"{path} scrolls sideways"

    if path == "/board":
        return  # empty until something is pinned
    pictures = page.locator(".dpot-plot")
    assert pictures.count() > 0, f"{path} shows no picture"
    box = pictures.first.bounding_box()
    assert box is not None, f"{path} hides its first picture"
    end = box["y"] + box["height"]
    if size == driver.WIDE:
        assert end <= size[1], f"{path}: the first picture ends at {end:.0f}, below the fold"


# What a frame says of where the thumb stands, against what Python drew there without frames: texts letter by letter,
# numbers to four digits of what reaches farthest in their list. Gives the parts compared and the first difference.
_COMPARE = """async () => {
    const stage = window.dpotStage, list = value => Array.isArray(value) || ArrayBuffer.isView(value);
    const flat = value => list(value) ? Array.from(value).flatMap(flat) : [value];
    const differ = (drawn, frame, path) => {
        if (list(drawn) && flat(drawn).every(one => typeof one === "number" || one === null)) {
            const [here, there] = [flat(drawn), flat(frame)];
            const numbers = here.filter(Number.isFinite), reach = Math.max(...numbers.map(Math.abs), 0);
            const same = here.length === there.length && here.every((one, place) => Number.isFinite(one)
                ? Math.abs(one - there[place]) <= 1e-4 * reach : !Number.isFinite(there[place]));
            return same ? null : path;
        }
        if (drawn === null || typeof drawn !== "object") return drawn === frame ? null : `${path}: ${drawn}, ${frame}`;
        if (frame === null || typeof frame !== "object") return path;
        for (const key of new Set([...Object.keys(drawn), ...Object.keys(frame)])) {
            const found = differ(drawn[key], frame[key], `${path}.${key}`);
            if (found) return found;
        }
        return null;
    };
    let compared = 0;
    for (const [name, part] of stage.parts) for (const [setting, token] of Object.entries(part.families)) {
        const place = part.at[setting], frames = stage.families.get(token);
        while (!frames.screens.has(place)) await new Promise(resolve => setTimeout(resolve, 20));
        const frame = frames.get(place)?.[part.frame ?? name], found = differ(part.settled, frame, name);
        if (found) return [compared, found];
        compared += 1;
    }
    return [compared, null];
}"""


def _frames_are_what_python_draws(page: Page, path: str) -> int:
    compared, difference = page.evaluate(_COMPARE)
    assert difference is None, f"{path}: {difference}"
    return int(compared)


def _switch(page: Page, size: tuple[int, int], theme: str) -> None:
    driver.show_as(page, size, theme)
    page.wait_for_function(f"theme => (({_BRIGHTNESS})() > 200) === (theme === 'light')", arg=theme)
    driver.wait_idle(page)


def _formulas_are_shown(page: Page, lesson: Lesson) -> None:
    expect(page.locator(".katex-display").nth(len(lesson.formulas) - 1)).to_be_attached()
    assert page.locator(".katex-error").count() == 0


# The default searches every user of a city, which takes longer than all other pages together.
QUICK = {"/decide": "/decide?decide_need=Worst-case+distance+on+a+ring"}
THEMES = {"light": "dark", "dark": "light"}


def every_page_looks_well_and_follows_the_theme(page: Page, address: str) -> None:
    """Reached from one page to the next within a session, as people do, from the first page of the app at an address.

    The app from the wheel is walked through (`test_wheel.py`), so that it is seen to serve every page as well.
    """
    theme, compared = "light", 0
    for path in driver.page_paths(page):
        if path in QUICK:
            driver.show_as(page, driver.WIDE, theme)
            page.goto(address + QUICK[path])
            driver.wait_idle(page)
        else:
            driver.follow(page, path)
        _looks_well(page, path, driver.WIDE, theme)
        compared += _frames_are_what_python_draws(page, path)
        theme = THEMES[theme]  # the next page is opened in the theme that this one ends with
        _switch(page, driver.WIDE, theme)
        _looks_well(page, path, driver.WIDE, theme)
    assert compared >= 25


def test_a_page_opens_well_on_a_phone_follows_the_theme_and_shows_its_formulas(open_page: OpenPage) -> None:
    """Opened at its address, with teaching mode on: all that there can be on a page stands on it."""
    page = open_page()
    paths = driver.page_paths(page)
    assert {path.strip("/") for path in paths} >= LESSONS.keys()
    for path in paths:
        address = QUICK.get(path, path)
        open_page(f"{address}{'&' if '?' in address else '?'}teach_on=true", driver.NARROW, "dark", on=page)
        _looks_well(page, path, driver.NARROW, "dark")
        if lesson := LESSONS.get(path.strip("/")):
            _formulas_are_shown(page, lesson)
        _switch(page, driver.NARROW, "light")
        _looks_well(page, path, driver.NARROW, "light")
