"""Five pages, one anatomy: the same controls in the same order, pictures of three mechanisms, their worst cases."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from functools import partial

import pytest
from playwright.sync_api import Locator, Page

from dpot_app.kit import fields
from tests.browser import driver
from tests.browser.conftest import OpenPage

EPSILON = "Privacy parameter ε (nats)"
BLOCK = (EPSILON, fields.LOSS, "Solver λ", fields.BASE, fields.MECHANISMS)


@dataclass(frozen=True)
class Anatomy:
    """What stands on a page above the fold.

    Attributes:
        path: of the page.
        shown: names in its pictures of mechanisms.
        worst: names in its picture of worst cases.
        without: controls of the block that make no sense on it, which say why.
        other: what stands in another picture with curves of the same names; "" for none.
    """

    path: str
    shown: tuple[str, ...]
    worst: tuple[str, ...]
    without: tuple[str, ...] = field(default=())
    other: str = ""


CENTRAL = ("Coreset, measured", "Perturbation, measured", "Coreset, guaranteed on average")
PAGES = (
    Anatomy("/ring", ("WPM", "KPM", "EM"), ("WPM", "KPM", "EM")),
    Anatomy("/mixture", ("WPM", "KPM", "Mollifier"), ("WPM", "KPM", "Mollifier"), without=("Solver λ",)),
    Anatomy("/geolocation?geo_n=10", ("WPM", "KPM", "EM"), ("WPM", "KPM", "EM")),
    Anatomy("/movies", ("WPM", "Genre KPM", "EM"), ("WPM", "Genre KPM", "EM"), other="the user likes"),
    Anatomy(
        "/population",
        ("Without privacy", "Coreset", "Perturbation"),
        CENTRAL,
        without=(fields.BASE,),
    ),
)


def parameters(night: Container[str] = ()) -> pytest.MarkDecorator:
    """One test for each page; those that are named by night."""
    names = {page: page.path[1:].partition("?")[0] for page in PAGES}
    marks = {page: [pytest.mark.nightly] * (name in night) for page, name in names.items()}
    return pytest.mark.parametrize("page_", [pytest.param(page, id=names[page], marks=marks[page]) for page in PAGES])


@pytest.fixture
def open_moving(open_page: OpenPage) -> OpenPage:
    """Pages as readers have them: every frame comes at once."""
    return partial(open_page, frames=True)


def top(place: Locator) -> float:
    """Where on the screen something begins, in pixels from above."""
    box = place.bounding_box()
    assert box is not None, place
    return box["y"]


def plots(page: Page) -> list[Locator]:
    """Pictures that begin above the fold."""
    return [plot for plot in page.locator(".dpot-plot").all() if top(plot) < driver.WIDE[1]]


def of_worst_cases(page: Page, page_: Anatomy) -> Locator:
    """The picture above the fold whose axis is epsilon and which has all names."""
    found = [
        plot
        for plot in plots(page)
        if all(name in plot.inner_text() for name in ("privacy parameter ε (nats)", *page_.worst))
        and not (page_.other and page_.other in plot.inner_text())
    ]
    assert len(found) == 1, [plot.inner_text() for plot in plots(page)]
    return found[0]


@parameters(night={"population", "mixture", "movies"})
def test_the_block_three_mechanisms_and_their_worst_cases_are_above_the_fold(
    open_page: OpenPage, page_: Anatomy
) -> None:
    page = open_page(page_.path)
    driver.wait_idle(page)
    sidebar = page.get_by_test_id("stSidebar")
    places = [top(sidebar.get_by_text(label).first) for label in BLOCK]
    assert places == sorted(places) and places[-1] < driver.WIDE[1]
    for label in page_.without:
        assert len(sidebar.get_by_text(f"{label}").first.inner_text()) > len(label) + 5, "a reason is said"
    curve = of_worst_cases(page, page_)
    pictures = " ".join([*page.locator(".dpot-title").all_inner_texts(), *(plot.inner_text() for plot in plots(page))])
    assert all(name in pictures for name in page_.shown)
    assert top(curve) < driver.WIDE[1] - 200


@pytest.mark.nightly
@pytest.mark.parametrize(
    "path",
    [
        *("/ring?ring_input=One+point", "/ring?ring_input=Two+places", "/ring?ring_input=Two+bumps"),
        *("/ring?ring_input=My+numbers", "/ring?ring_base=Uniform", "/geolocation?geo_who=Drawn+by+hand"),
    ],
)
def test_whatever_the_input_is_the_block_stays_above_the_fold(open_page: OpenPage, path: str) -> None:
    sidebar = open_page(path).get_by_test_id("stSidebar")
    places = [top(sidebar.get_by_text(label).first) for label in BLOCK]
    assert places == sorted(places) and places[-1] < driver.WIDE[1] - 50, "the first mechanisms are seen"


def drawn(page: Page, curve: Locator) -> tuple[list[str], str]:
    """What the other pictures and that of worst cases show: their drawing, and what canvases hold."""
    look = """plot => [plot.innerHTML, ...[...plot.querySelectorAll("canvas")].map(one => one.toDataURL())].join()"""
    worst = curve.element_handle()
    others = [plot for plot in plots(page) if not plot.evaluate("(plot, curve) => plot === curve", worst)]
    return [plot.evaluate(look) for plot in others] + page.locator(".dpot-title").all_inner_texts(), curve.evaluate(
        look
    )


def press(page: Page, label: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("slider", name=label).press("ArrowRight")


def another_base(page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_role("combobox", name=fields.BASE).click()
    page.get_by_role("option", selected=False).first.click()


CHANGES: dict[str, Callable[[Page], None]] = {
    EPSILON: partial(press, label=EPSILON),
    "Solver λ": partial(press, label="Solver λ"),
    fields.BASE: another_base,
    fields.LOSS: partial(press, label=fields.LOSS),  # the last: at some orders there is no solver to be chosen
}


@pytest.mark.nightly
@parameters()
def test_each_control_changes_pictures_and_worst_cases(open_moving: OpenPage, page_: Anatomy) -> None:
    page = open_moving(page_.path)
    driver.ready(page)
    still = []
    for label, change in CHANGES.items():
        if label in page_.without:
            continue
        before = drawn(page, of_worst_cases(page, page_))
        change(page)
        driver.wait_idle(page)
        after = drawn(page, of_worst_cases(page, page_))
        still += [
            f"{label}: {what}"
            for what, old, new in zip(("pictures", "worst"), before, after, strict=True)
            if old == new
        ]
    assert not still
