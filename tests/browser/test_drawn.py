"""What Plotly has to draw: Python knows it when it makes a file of its own, as the browser does when it draws."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dpot_core.figures.style import new_figure
from dpot_core.figures.traces import line
from dpot_core.live.drawn import _table, can
from dpot_core.live.explorable import explorable
from dpot_core.live.frames import Frames
from pages._shell.live import screen_of
from tests.browser import driver
from tests.browser.renderer import Spec, specs_of
from tests.browser.test_globe import ball, point
from tests.browser.test_picture import every_spec

POINT = {"type": "scatter", "x": [1], "y": [2]}
BAR = {"type": "bar", "x": [1], "y": [2]}
MARK = point([1, 0, 0], "#ff00ff")


def figures() -> list[tuple[str, Spec]]:
    """Figures of the app, and such that differ from one that is drawn in one thing."""
    traces: list[Any] = [
        *(POINT | {name: {"array": [1]}} for name in ("error_x", "error_y")),
        *(
            POINT | {"marker": {"symbol": name}}
            for name in (*_table()["symbols"], "hash", "x-open-dot", "star-open", 5)
        ),
        *(POINT | {"marker": {"symbol": names}} for names in (["x", "circle-dot"], ["x", "asterisk"])),
        *(POINT | {"marker": {"color": [1.0], "colorscale": name}} for name in ("RdBu_r", "Viridis", "Jet")),
        POINT | {"marker": {"color": [1.0], "colorscale": [[0, "#000000"], [1, "#ffffff"]]}},
        *(POINT | {"line": {"shape": shape}} for shape in ("hv", "spline", "vhv")),
        *(POINT | {"fill": fill} for fill in ("tonexty", "toself", "tonextx")),
        *({"type": "scattergl", "x": [1], "y": [1], "mode": mode} for mode in ("markers", "lines")),
        *({"type": "contour", "z": [[1, 2], [3, 4]], "contours": {"coloring": how}} for how in ("none", "fill")),
        {"type": "contour", "z": [[1, 2], [3, 4]]},
        {"type": "cone", "x": [1], "y": [1], "z": [1], "u": [1], "v": [1], "w": [1]},
        *(POINT | {name: value} for name, value in (("x", ["May"]), ("stackgroup", "one"), ("orientation", "h"))),
        BAR | {"error_y": {"array": [1], "visible": True}},
    ]
    layouts: list[Spec] = [
        *({"xaxis": {"type": kind}} for kind in ("log", "-", "category", "date")),
        *({"yaxis2": change} for change in ({"side": "right"}, {"overlaying": "y"}, {"range": [0, 1]})),
        *({"shapes": [{"type": kind}]} for kind in ("line", "rect", "circle", "path")),
        *({"barmode": mode} for mode in ("group", "overlay", "stack", "relative")),
        *({"coloraxis": change} for change in ({"cmin": 0, "cmax": 1}, {"cmin": 0}, {"cmax": 2.5})),
        *({name: [{}]} for name in ("sliders", "updatemenus", "images")),
        {"images": []},
        {"polar": {"radialaxis": {"visible": False}, "angularaxis": {"showticklabels": False}}},
        {"polar": {"radialaxis": {"visible": False}}},
        {"polar2": {"angularaxis": {"showticklabels": False}}},
    ]
    made = [(json.dumps(trace), {"data": [trace], "layout": {}}) for trace in traces]
    made += [(json.dumps(layout), {"data": [POINT], "layout": layout}) for layout in layouts]
    for change in (
        {"opacity": 0.5},
        {"showscale": True},
        {"hoverinfo": "all"},
        {"lighting": {"ambient": 1, "roof": 2}},
    ):
        made.append((f"surface {change}", _changed("data", change)))
    for change in (
        {"aspectmode": "data"},
        {"xaxis": {"range": [-1, 1]}},
        {"camera": {"eye": {"x": 0.1, "y": 0, "z": 0}}},
    ):
        made.append((f"scene {change}", _changed("scene", change)))
    short, gap = copy.deepcopy(ball()), copy.deepcopy(ball())
    short["data"][0]["x"] = short["data"][0]["x"][:-1]
    gap["data"][0]["z"][3][3] = None
    made += [("ball", ball()), ("short", short), ("gap", gap), ("mark alone", {"data": [MARK], "layout": {}})]
    for change in ({}, {"mode": "lines"}, {"text": ["a"]}, {"marker": {"color": [1.0]}}, {"x": [None]}):
        made.append((f"mark {change}", ball(1.2, MARK | change)))
    crowds = [
        (name, spec) for view in ("metric.crowd-curve", "geolocation.crowd") for name, spec in specs_of(view).items()
    ]
    return [*every_spec(), *crowds, *made]


def _changed(where: str, change: dict[str, Any]) -> Spec:
    spec = copy.deepcopy(ball())
    part = spec["data"][0] if where == "data" else spec["layout"]["scene"]
    part |= change
    return spec


def test_python_and_the_browser_agree_on_what_plotly_has_to_draw(canvas: Page) -> None:
    said = [(name, can(spec), spec) for name, spec in figures()]
    assert {answer for _, answer, _ in said} == {True, False}
    drawn = [canvas.evaluate("spec => picture.can(picture.decode(spec))", spec) for _, _, spec in said]
    assert [(name, mine) for (name, mine, _), theirs in zip(said, drawn, strict=True) if mine != theirs] == []


@pytest.mark.parametrize("all_of_them", [True, False], ids=["at every value", "at one value"])
def test_error_bars_are_drawn_in_a_file_of_its_own(pages: Any, tmp_path: Path, all_of_them: bool) -> None:
    """By Plotly, which comes with the file; the picture beside them by the pages' own JavaScript."""

    def screen(place: int, _progress: object) -> dict[str, Any]:
        bars = {"error_y": {"array": [0.5, 1.0 + place]}} if all_of_them or place == 2 else {}
        spread = line([1, 2], [3.0, 4.0 + place], "mean", colour="#0072B2", hover="%{y}", symbol="circle", **bars)
        figures = {"spread": new_figure("Means", 300, [spread]), "plain": new_figure("Bars", 300, [BAR])}
        return {name: screen_of(figure, "", dark=False, large=False) for name, figure in figures.items()}

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
