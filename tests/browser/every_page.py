"""What holds on every page that the navigation offers, found in one walk from page to page: an opened page costs most.

The app from the wheel is walked through (`test_wheel.py`), so that it is seen to serve every page as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from playwright.sync_api import Page

from tests.browser import driver
from tests.browser.axe_core import findings
from tests.browser.keys import missed, tabbed

#: What a law finds wrong with a page as it is shown.
Law = Callable[[Page, str], Iterator[str]]

# Of the app's background, 0 (black) to 255 (white).
_BRIGHTNESS = """() => {
    const colour = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
    const [red, green, blue] = colour.match(/[0-9.]+/g).map(Number);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""


def looks_well(page: Page, path: str, size: tuple[int, int], theme: str) -> Iterator[str]:
    """In its theme, not wider than the screen, the first picture above the fold."""
    if (page.evaluate(_BRIGHTNESS) > 200) != (theme == "light"):
        yield f"is not {theme}"
    if driver.overflow(page) > 0:
        yield "scrolls sideways"
    if path in ("/board", "/papers"):
        return  # empty until something is pinned; a list that leads to the pictures of others
    pictures = page.locator(".dpot-plot")
    if not pictures.count():
        yield "shows no picture"
    elif (box := pictures.first.bounding_box()) is None:
        yield "hides its first picture"
    elif size == driver.WIDE and (end := box["y"] + box["height"]) > size[1]:
        yield f"the first picture ends at {end:.0f}, below the fold"


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


def frames_differ(page: Page) -> tuple[int, str | None]:
    """How many parts of the page were compared with their frames, and where the first difference is."""
    compared, difference = page.evaluate(_COMPARE)
    return int(compared), difference


def switch(page: Page, size: tuple[int, int], theme: str) -> None:
    driver.show_as(page, size, theme)
    page.wait_for_function(f"theme => (({_BRIGHTNESS})() > 200) === (theme === 'light')", arg=theme)
    driver.wait_idle(page)


# The default searches every user of a city, which takes longer than all other pages together.
QUICK = {"/decide": "/decide?decide_need=Worst-case+distance+on+a+ring"}
THEMES = {"light": "dark", "dark": "light"}


def _keys(page: Page, path: str) -> Iterator[str]:
    """Tab reaches everything, and it is seen where it is."""
    steps = tabbed(page)
    if not any(name.endswith("Home") for _, name, _, _ in steps):
        yield f"keys do not reach the navigation: {steps}"
    yield from (f"no key leads to {one}" for one in missed(page))
    for step in steps:
        _, name, seen, said = step
        if not name:
            yield f"without a name: {step}"
        if not seen:
            yield f"keys go where nothing is seen: {step}"
        if not said:
            yield f"nothing says that the keys are there: {step}"


# 1280 x 1024 at 200 % and at 400 %, as WCAG has it, and a laptop's 1400 x 900 at 400 %.
ZOOMED = ((640, 512), (320, 256), (350, 225))

# Share of the window that fixed parts cover, and whether something there leads to all that the sidebar holds.
_COVERED = """() => {
    const side = document.querySelector("[data-testid=stSidebar]:has([data-dpot-bar])");
    if (!side) return [0, true];
    const { top, bottom, left, right } = side.getBoundingClientRect();
    const covered = left < innerWidth && right > 0 ? Math.max(0, Math.min(innerHeight, bottom) - Math.max(0, top)) : 0;
    const leads = [...document.querySelectorAll(".dpot-more, [data-testid=stExpandSidebarButton]")];
    return [covered / innerHeight, leads.some(one => one.checkVisibility())];
}"""

# Words that are cut where they stand: not those that people scroll to, nor those that are for screen readers only.
_CUT = """() => [...document.querySelectorAll(".stMain :is(p, h1, h2, h3, td, th, label, button, b, small)")]
    .filter(one => one.checkVisibility() && one.innerText.trim() && one.scrollWidth > one.clientWidth + 2
        && getComputedStyle(one).overflowX !== "visible" && getComputedStyle(one).overflowX !== "auto")
    .map(one => one.innerText.slice(0, 60))"""


def _zoomed(page: Page, path: str) -> Iterator[str]:
    """Zoomed pages do not scroll sideways and lose no words."""
    for size in ZOOMED:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        driver.wait_idle(page)
        if driver.overflow(page) > 0 or not page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"):
            yield f"scrolls sideways at {size}"
        yield from (f"cut at {size}: {words}" for words in page.evaluate(_CUT))
        covered, leads = page.evaluate(_COVERED)
        if covered > 0.34 or not leads:
            yield f"controls cover {covered:.0%} at {size}" if leads else f"nothing leads to the controls at {size}"
    page.set_viewport_size({"width": driver.WIDE[0], "height": driver.WIDE[1]})
    driver.wait_idle(page)


# Where the reader's own colours are forced on the page: controls of whose state neither a ground nor a line is drawn.
_UNSEEN = """() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.cssText = "background: Canvas; forced-color-adjust: none";
    const ground = getComputedStyle(probe).backgroundColor;
    probe.remove();
    const drawn = one => {
        const { backgroundColor, outlineStyle, borderBottomWidth } = getComputedStyle(one);
        const filled = !/^rgba.*, 0\\)$/.test(backgroundColor) && backgroundColor !== ground;
        return filled || outlineStyle !== "none" || parseFloat(borderBottomWidth) >= 2;
    };
    const found = [
        ...[...document.querySelectorAll(".stSlider input[type=range]")]
            .map(one => one.closest("[data-rac][data-orientation=horizontal]").firstElementChild),
        ...document.querySelectorAll(`[data-testid=stCheckbox] label > span:has(input) + div,
            [role=tab][aria-selected=true], button:is([aria-pressed=true], [aria-checked=true]),
            [role=radiogroup] label:has(input:checked)`),
    ];
    return found.filter(one => one.checkVisibility() && !drawn(one))
        .map(one => one.closest("[class*=st-key-]")?.className.match(/st-key-\\S+/)[0] ?? one.outerHTML.slice(0, 80));
}"""


def _forced(page: Page, path: str) -> Iterator[str]:
    """Forced colours leave tracks, switches and what is chosen to be seen."""
    page.emulate_media(forced_colors="active")
    driver.wait_idle(page)
    yield from (f"is not seen: {one}" for one in page.evaluate(_UNSEEN))
    page.emulate_media(forced_colors="none")


def _named(page: Page, path: str) -> Iterator[str]:
    """Landmarks are there, and pictures say what they show."""
    for role in ("main", "navigation", "banner"):
        if (count := page.get_by_role(role).count()) != 1:
            yield f"{count} landmarks of the kind {role}"
    for plot in page.locator(".dpot-figure:not(.dpot-chooses):visible").all():
        title, name = plot.locator(".dpot-title").inner_text(), plot.locator(".dpot-plot").get_attribute("aria-label")
        if not name or " ".join(title.split()) not in " ".join(name.split()):
            yield f"{title}: {name}"


def _in_both_themes(page: Page, path: str, theme: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"looks well": [], "axe": []}
    for shown in (theme, THEMES[theme]):
        if shown != theme:
            switch(page, driver.WIDE, shown)
        found["looks well"] += looks_well(page, path, driver.WIDE, shown)
        found["axe"] += [f"{shown}: {one}" for one in findings(page)]
    return found


#: What is looked for in one theme.
LAWS: dict[str, Law] = {"names": _named, "keys": _keys, "zoom": _zoomed, "forced colours": _forced}
#: All that is found.
ALL = ("looks well", "axe", "frames", *LAWS)


def walk(page: Page, address: str) -> dict[str, list[str]]:
    """What is wrong with any page, by law: reached from the first page of the app at an address, as people do."""
    found: dict[str, list[str]] = {law: [] for law in ALL}
    theme, compared = "light", 0
    for path in driver.page_paths(page):
        if path in QUICK:
            driver.show_as(page, driver.WIDE, theme)
            page.goto(address + QUICK[path])
            driver.wait_idle(page)
        else:
            driver.follow(page, path)
        here = {law: list(look(page, path)) for law, look in LAWS.items()}
        if path == "/board":
            page.get_by_role("button", name="Put an example on the board").click()
            page.locator(".dpot-card").nth(2).wait_for()  # the page rests for a moment before it runs
            driver.wait_idle(page)
        count, difference = frames_differ(page)
        compared += count
        here["frames"] = [difference] if difference else []
        here |= _in_both_themes(page, path, theme)
        theme = THEMES[theme]  # the next page is opened in the theme that this one ends with
        for law, wrong in here.items():
            found[law] += [f"{path}: {one}" for one in wrong]
    if compared < 25:
        found["frames"].append(f"only {compared} parts of pages had frames to be compared with")
    return found
