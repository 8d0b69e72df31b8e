"""What Plotly has to draw: the browser knows it of a figure, and the picture says it beforehand."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dpot_app.figures.style import new_figure
from dpot_app.figures.traces import line
from dpot_app.kit.blocks import Picture, pictures
from dpot_app.kit.view import Results
from dpot_app.live.explorable import explorable
from dpot_app.live.frames import Frames
from dpot_app.shell.live import screen_of
from dpot_app.views.table import VIEWS
from tests.batch.scenarios.outcomes import outcome_of
from tests.batch.scenarios.settings import settings_of
from tests.browser import driver
from tests.browser.renderer import Spec, plain
from tests.browser.test_globe import ball, point

POINT = {"type": "scatter", "x": [1], "y": [2]}
BAR = {"type": "bar", "x": [1], "y": [2]}
MARK = point([1, 0, 0], "#ff00ff")


def _changed(where: str, change: dict[str, Any]) -> Spec:
    spec = copy.deepcopy(ball())
    part = spec["data"][0] if where == "data" else spec["layout"]["scene"]
    part |= change
    return spec


#: What is drawn, and the same with one thing that is not: the pages' own JavaScript knows it before it draws.
DRAWN: list[Spec] = [
    *(
        {"data": [POINT | more]}
        for more in (
            *({"marker": {"symbol": name}} for name in ("arrow", "x-open-dot", "star-open", ["x", "circle-dot"])),
            *(
                {"marker": {"color": [1.0], "colorscale": name}}
                for name in ("RdBu_r", "Viridis", [[0, "#000"], [1, "#fff"]])
            ),
            *({"line": {"shape": shape}} for shape in ("hv", "spline")),
            *({"fill": fill} for fill in ("tonexty", "toself")),
            {"type": "scattergl", "mode": "markers"},
        )
    ),
    {"data": [{"type": "contour", "z": [[1, 2], [3, 4]], "contours": {"coloring": "none"}}]},
    *(
        {"data": [POINT], "layout": layout}
        for layout in (
            *({"xaxis": {"type": kind}} for kind in ("log", "-")),
            {"yaxis2": {"range": [0, 1]}},
            *({"shapes": [{"type": kind}]} for kind in ("line", "rect")),
            *({"barmode": mode} for mode in ("group", "overlay")),
            {"coloraxis": {"cmin": 0, "cmax": 1}},
            {"images": []},
            {"polar": {"radialaxis": {"visible": False}, "angularaxis": {"showticklabels": False}}},
        )
    ),
    ball(),
    ball(1.2, MARK),
]
LEFT_TO_PLOTLY: list[Spec] = [
    *(
        {"data": [POINT | more]}
        for more in (
            *({name: {"array": [1]}} for name in ("error_x", "error_y")),
            *({"marker": {"symbol": name}} for name in ("hash", 5, ["x", "asterisk"])),
            {"marker": {"color": [1.0], "colorscale": "Jet"}},
            {"line": {"shape": "vhv"}},
            {"fill": "tonextx"},
            {"type": "scattergl", "mode": "lines"},
            {"type": "cone"},
            *({name: value} for name, value in (("x", ["May"]), ("stackgroup", "one"), ("orientation", "h"))),
        )
    ),
    {"data": [BAR | {"error_y": {"array": [1], "visible": True}}]},
    *(
        {"data": [{"type": "contour", "z": [[1, 2], [3, 4]], "contours": contours}]}
        for contours in ({}, {"coloring": "fill"})
    ),
    *(
        {"data": [POINT], "layout": layout}
        for layout in (
            *({"xaxis": {"type": kind}} for kind in ("category", "date")),
            *({"yaxis2": change} for change in ({"side": "right"}, {"overlaying": "y"})),
            *({"shapes": [{"type": kind}]} for kind in ("circle", "path")),
            *({"barmode": mode} for mode in ("stack", "relative")),
            {"coloraxis": {"cmin": 0}},
            *({name: [{}]} for name in ("sliders", "updatemenus", "images")),
            *(
                {"polar": part}
                for part in ({"radialaxis": {"visible": False}}, {"angularaxis": {"showticklabels": False}})
            ),
        )
    ),
    *(
        _changed("data", change)
        for change in ({"opacity": 0.5}, {"showscale": True}, {"hoverinfo": "all"}, {"lighting": {"roof": 2}})
    ),
    *(
        _changed("scene", change)
        for change in (
            {"aspectmode": "data"},
            {"xaxis": {"range": [-1, 1]}},
            {"camera": {"eye": {"x": 0.1, "y": 0, "z": 0}}},
        )
    ),
    _changed("data", {"x": ball()["data"][0]["x"][:-1]}),
    _changed("data", {"z": [[None, *row[1:]] for row in ball()["data"][0]["z"]]}),
    {"data": [MARK]},
    *(
        ball(1.2, MARK | change)
        for change in ({"mode": "lines"}, {"text": ["a"]}, {"marker": {"color": [1.0]}}, {"x": [None]})
    ),
]


@pytest.mark.parametrize(
    ("specs", "drawn"),
    [(DRAWN, True), pytest.param(LEFT_TO_PLOTLY, False, marks=pytest.mark.nightly)],
    ids=["drawn", "left to Plotly"],
)
def test_the_browser_knows_what_it_draws(canvas: Page, specs: list[Spec], drawn: bool) -> None:
    whole = [{"layout": {}, **spec} for spec in specs]
    said = canvas.evaluate("specs => specs.map(spec => picture.can(picture.decode(spec)))", whole)
    assert [spec for spec, answer in zip(specs, said, strict=True) if answer != drawn] == []


@pytest.mark.nightly
def test_every_picture_that_needs_no_plotly_says_so(canvas: Page) -> None:
    assert [
        f"{key} {picture.name}: {can}"
        for key in VIEWS
        for picture, can in drawn_by(canvas, key, outcome_of(key).results)
        if picture.light != can
    ] == []


@pytest.mark.nightly
def test_what_says_so_needs_none_at_other_settings_either(canvas: Page) -> None:
    """A file of its own brings Plotly only where a picture says that it needs it; views that take long are left out."""
    wrong = []
    for key, view in VIEWS.items():
        if view.heavy(view.example):
            continue
        for config in settings_of(key):
            wrong += [
                f"{key} {picture.name} at {config}"
                for picture, can in drawn_by(canvas, key, view.run(config))
                if picture.light and not can
            ]
    assert wrong == []


def drawn_by(canvas: Page, key: str, results: Results) -> Iterator[tuple[Picture, bool]]:
    """The pictures of a view, and whether the pages' own JavaScript draws them."""
    view = VIEWS[key]
    for show in {view.show, *(tab.show for tab in view.tabs if tab.show)}:
        for picture in pictures(show(results.config, *results.parts)):
            yield picture, canvas.evaluate("spec => picture.can(picture.decode(spec))", plain(picture.draw()))


@pytest.mark.nightly
@pytest.mark.parametrize("all_of_them", [True, False], ids=["at every value", "at one value"])
def test_error_bars_are_drawn_in_a_file_of_its_own(pages: Any, tmp_path: Path, all_of_them: bool) -> None:
    """By Plotly, which comes with the file; the picture beside them by the pages' own JavaScript."""

    def screen(place: int, _progress: object) -> dict[str, Any]:
        bars = {"error_y": {"array": [0.5, 1.0 + place]}} if all_of_them or place == 2 else {}
        spread = line([1, 2], [3.0, 4.0 + place], "mean", colour="#0072B2", hover="%{y}", symbol="circle", **bars)
        figures = {"spread": new_figure("Means", 300, [spread]), "plain": new_figure("Bars", 300, [BAR])}
        how: Any = {"dark": False, "large": False}
        return {name: screen_of(figure, "", light=name == "plain", **how) for name, figure in figures.items()}

    frames = Frames((1, 2, 3), 0, screen)
    text = explorable("A file", "", "value", [(frames, ["spread", "plain"])], at=0, labels=["1", "2", "3"])
    file = tmp_path / "explorable.html"
    file.write_text(text, encoding="utf-8")
    page = pages.take()
    driver.show_as(page, driver.WIDE, "light")
    page.goto(file.as_uri())
    bars = page.locator(".dpot-figure").filter(has_text="Means").locator(".errorbar path.yerror")
    expect(
        page.locator(".dpot-figure").filter(has_text="Bars").locator(".dpot-picture [data-trace] rect")
    ).to_have_count(1)
    expect(page.locator(".dpot-figure").filter(has_text="Means").locator(".scatterlayer .trace")).to_have_count(1)
    expect(bars).to_have_count(2 if all_of_them else 0)
    before = [bar.bounding_box() for bar in bars.all()]
    page.locator("input[type=range]").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(bars).to_have_count(2)
    if all_of_them:
        # The second bar is 3 units long instead of 1, on an axis that has grown less.
        page.wait_for_function(
            "high => [...document.querySelectorAll('.yerror')].at(-1).getBoundingClientRect().height > high",
            arg=(before[1] or {})["height"],
        )
    problems = pages.watch.look_at_pages()
    pages.clear()
    assert not problems, "\n".join(problems)
