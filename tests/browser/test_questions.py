"""Three walks through the five pages: questions from a room, an order changed on every page, what-ifs of an analyst.

Each question is answered by one click, one drag or one key, and the answer stands on the first screen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpot_app.kit import fields
from tests.browser import driver
from tests.browser.conftest import OpenPage

#: How often it is looked for an answer, a quarter of a second and more apart.
_PATIENCE = 120
#: What is asked, what is done, and words of the title that answers.
Question = tuple[str, Callable[[Page], None], str]


def click(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name, exact=True).click()


def key(slider: str, name: str = "ArrowRight") -> Callable[[Page], None]:
    return lambda page: page.get_by_role("slider", name=slider).press(name)


def choose(box: str, option: str) -> Callable[[Page], None]:
    def step(page: Page) -> None:
        page.get_by_role("combobox", name=box).click()
        page.get_by_role("option", name=option).click()

    return step


def drag(page: Page) -> None:
    """One of two places goes to the other side of the ring."""
    mark = page.locator("[data-kind=scatterpolar] [data-part=points] path").first.bounding_box()
    plot = page.locator(".dpot-plot").first.bounding_box()
    assert mark is not None and plot is not None
    x, y = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 0.45 * plot["height"], steps=8)
    page.mouse.up()


#: On the ring, in presenter view.
LECTURE: tuple[Question, ...] = (
    ("And at ε = 0.5?", click("ε = 0.5"), r"^At ε = 0\.5 WPM moves the input by W₂"),
    ("With the plain distance?", click("p = 1"), r"^At ε = 0\.5 \w+( and \w+)? moves? the input by W₁"),
    ("A person with two homes?", click("Half here, half there"), r"^At ε = 0\.5 \w+( and \w+)? moves? the input by W₁"),
    ("And farther apart?", drag, r"^At ε = 0\.5 \w+( and \w+)? moves? the input by W₁"),
    ("Another base measure?", click("Public prior"), r"^At ε = 0\.5 \w+( and \w+)? moves? the input by W₁"),
    ("What does λ change?", click("λ = 0.1"), r"^At ε = 0\.5 \w+( and \w+)? moves? the input by W₁"),
)

#: On Population.
WHAT_IFS: tuple[Question, ...] = (
    ("What if we spent more?", key("Privacy parameter ε"), "at ε = 1.2"),
    (
        "What if far people counted no more than near ones?",
        key(fields.LOSS, "Home"),
        "people are 262 km from their point",
    ),
    (
        "What if each region counted alike?",
        choose("Groups", "Four Census regions"),
        "people are 1,210 km from their point",
    ),
    ("What if k-means were used?", choose(fields.MECHANISMS, "Both, and private k-means"), "^Private k-means: "),
    ("What if it were almost free?", key("Privacy parameter ε", "End"), "at ε = 10"),
)


def shown(page: Page) -> list[str]:
    """Titles of the pictures that begin on the first screen."""
    return [
        title.inner_text()
        for title in page.locator(".dpot-title").all()
        if (box := title.bounding_box()) is not None and box["y"] < driver.WIDE[1]
    ]


def picture(page: Page, name: str) -> None:
    """Keep what is on the screen, for eyes: in the folder that QUESTIONS names."""
    if folder := os.environ.get("QUESTIONS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def answered(page: Page, before: list[str], title: str) -> list[str]:
    """Titles once the answer is there and the page rests; a page may rest before a click has reached the server."""
    for _ in range(_PATIENCE):
        driver.wait_idle(page)
        after = shown(page)
        if after != before and re.search(title, after[0]):
            break
        page.wait_for_timeout(250)
    return after


def worst(page: Page) -> str:
    """The title of the worst cases, all of which is on the first screen but its axis."""
    curve = page.locator(".dpot-figure").filter(has_text="privacy parameter ε (nats)").first
    box = curve.bounding_box()
    assert box is not None and box["y"] + 0.6 * box["height"] < driver.WIDE[1], box
    return curve.locator(".dpot-title").inner_text()


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_lecturer_answers_six_questions_from_the_room(open_page: OpenPage, theme: str) -> None:
    page = open_page("/ring?teach_present=true", theme=theme)
    before, asked = shown(page), worst(page)
    for number, (question, do, title) in enumerate(LECTURE, start=1):
        do(page)
        after = answered(page, before, title)
        assert after != before, question
        assert re.search(title, after[0]), f"{question} {after[0]}"
        picture(page, f"lecture-{theme}-{number}")
        expect(page.get_by_test_id("stAlert")).to_have_count(0)
        before = after
    # And in the worst case? It stands beside the picture, and has followed.
    said = worst(page)
    assert said != asked and all(name in said for name in ("WPM", "KPM", "EM")), said
    # All other controls stand beside the picture, without leaving the view.
    page.get_by_role("button", name="Controls beside the picture").click()
    sidebar = page.get_by_test_id("stSidebar")
    for label in ("Privacy parameter ε", fields.LOSS, "Solver λ"):
        slider = sidebar.get_by_role("slider", name=label)
        expect(slider).to_be_visible()
        box = slider.bounding_box()
        assert box is not None and box["y"] < driver.WIDE[1], label
    driver.wait_idle(page)
    picture(page, f"lecture-{theme}-controls")
    page.get_by_role("button", name="Defaults", exact=True).first.click()
    answered(page, before, "^At ε = 2 ")
    assert worst(page) == asked


@pytest.mark.nightly
def test_a_researcher_changes_the_order_on_every_page(open_page: OpenPage) -> None:
    page = open_page("/ring")
    for path in ("/ring", "/mixture", "/geolocation", "/movies", "/population"):
        if path != "/ring":
            driver.follow(page, path)
        before = shown(page)
        order = page.get_by_test_id("stSidebar").get_by_role("slider", name=fields.LOSS)
        stood = order.get_attribute("aria-valuetext")
        order.press("ArrowRight")
        driver.wait_idle(page)
        assert order.get_attribute("aria-valuetext") != stood
        picture(page, f"researcher-{path[1:]}")
        assert shown(page) != before, path
        expect(page.get_by_test_id("stAlert")).to_have_count(0)


@pytest.mark.nightly
def test_an_analyst_asks_five_what_ifs_of_the_population(open_page: OpenPage) -> None:
    page = open_page("/population")
    before = shown(page)
    for number, (question, do, title) in enumerate(WHAT_IFS, start=1):
        do(page)
        driver.wait_idle(page)
        picture(page, f"analyst-{number}")
        after = shown(page)
        assert after != before, question
        assert any(re.search(title, one) for one in after), f"{question} {after}"
        before = after
