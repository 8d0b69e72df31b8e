"""What is told to those who listen, and what is left to see where the reader's own colours are forced on the page."""

from playwright.sync_api import expect

from tests.browser import driver
from tests.browser.conftest import OpenPage

# Of a slider's track, of a switch, of a chosen button: whether a ground or an outline is drawn.
_SEEN = """() => {
    const drawn = one => {
        const { backgroundColor, outlineStyle } = getComputedStyle(one);
        const filled = !/^rgba.*, 0\\)$/.test(backgroundColor) && backgroundColor !== "rgb(255, 255, 255)";
        return filled || outlineStyle !== "none";
    };
    const found = [
        ...[...document.querySelectorAll(".stSlider input[type=range]")]
            .map(one => one.closest("[data-rac][data-orientation=horizontal]").firstElementChild),
        ...[...document.querySelectorAll("[data-testid=stCheckbox] label > span:has(input) + div")],
        ...document.querySelectorAll("button[aria-pressed=true]"),
    ];
    return found.map(drawn);
}"""


def test_a_move_is_said_once_it_rests_titles_are_headings_and_forced_colours_leave_the_controls_seen(
    open_page: OpenPage,
) -> None:
    page = open_page("/ring")
    title = page.get_by_role("heading", level=4).first
    words = title.inner_text()
    expect(page.locator(".dpot-take").first).to_have_accessible_name(
        f"Save this picture, or read its numbers: {title.evaluate('one => one.textContent')}"
    )
    said = page.locator(".dpot-said[aria-live=polite]")
    expect(said).to_have_text("")
    page.locator(".st-key-ring_epsilon input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(title).not_to_have_text(words)
    expect(said).to_contain_text(title.inner_text())
    page.emulate_media(forced_colors="active")
    driver.wait_idle(page)
    seen = page.evaluate(_SEEN)
    page.emulate_media(forced_colors="none")
    assert len(seen) > 8 and all(seen)
