"""Where the Tab key leads on a page, and what it does not come by."""

from playwright.sync_api import Page

# What the keys stand on: its words, whether it is to be seen, and whether a ring or a coloured border says so. Nothing
# where they have left the page, false where they have been before.
_FOCUS = """() => {
    const at = document.activeElement;
    if (at === document.body) return null;
    if (window.walked.has(at)) return false;
    window.walked.add(at);
    // Inside the app, which is dark or light; the page around it is neither.
    const probe = document.querySelector(".stApp").appendChild(document.createElement("i"));
    probe.style.color = "var(--dpot-blue)";
    const blue = getComputedStyle(probe).color;
    probe.remove();
    const own = at.getAttribute("aria-label") || at.innerText;
    const name = own || at.closest("label")?.innerText || at.value || at.title;
    let said = false;
    const table = at.closest(".stDataFrame");
    for (let one = table ?? at, up = 0; one && up < 5; one = one.parentElement, up++) {
        const css = getComputedStyle(one);
        said ||= css.outlineStyle !== "none" && parseFloat(css.outlineWidth) > 0 || css.boxShadow !== "none"
            || parseFloat(css.borderTopWidth) > 0 && css.borderTopColor === blue;
    }
    // Hidden inputs of switches and sliders lie in what is seen of them; tables are drawn, their words stand inside.
    const seen = (at.closest("label, .stSlider") ?? at).getBoundingClientRect();
    const words = name || table && "a table" || "";
    return [at.tagName, words.trim().slice(0, 60), seen.width > 0 && seen.height > 0, said];
}"""

# What a mouse can press and no key has come by; inside a group of options and a table arrow keys do.
_MISSED = """() => [...document.querySelectorAll(
        ".stApp :is(a[href], button, input, select, textarea, summary, [role=tab], [role=button])")]
    .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && !window.walked.has(one)
        && one.getBoundingClientRect().width > 0 && !one.closest("[inert], [aria-hidden=true], [role=grid]")
        && !one.closest("[role=tablist], [role=radiogroup], [role=toolbar], .stNumberInput") && one.type !== "file"
        && one.tabIndex >= 0 && one.getAttribute("aria-label") !== "Collapse sidebar")  // seen under the mouse only
    .map(one => one.outerHTML.slice(0, 160))"""


def tabbed(page: Page) -> list[tuple[str, str, bool, bool]]:
    """What Tab comes by, from the top of the page until it has been everywhere."""
    # The keys begin where the mouse has been, unless the page itself has had them since.
    page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); window.walked = new Set(); }")
    steps: list[tuple[str, str, bool, bool]] = []
    stay = 0
    for _ in range(200):
        page.keyboard.press("Tab")
        step = page.evaluate(_FOCUS)
        # In a table Tab goes from cell to cell before it leaves.
        stay = 0 if step else stay + 1
        if step is None or stay > 12:
            return steps
        if step:
            steps.append(tuple(step))
    return steps


def missed(page: Page) -> list[str]:
    """What no key of the last walk came by and a mouse can press."""
    return list(page.evaluate(_MISSED))
