"""The border of our renderer: every figure of every view is inside, and what is outside is said aloud."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from dpot_app.batch.scenarios import Scenario
from dpot_app.batch.scenarios.figures import headlines_figure, tornado_figure
from dpot_app.batch.scenarios.sensitivity import Bar, Sensitivity
from dpot_app.figures.style import new_figure
from dpot_app.figures.traces import line
from dpot_app.kit.blocks import pictures
from dpot_app.kit.view import Results
from dpot_app.views.papers.figures import recorded_figure
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.table import VIEWS
from tests.batch.scenarios.outcomes import outcome_of
from tests.batch.scenarios.settings import settings_of
from tests.browser.renderer import Spec, plain, show
from tests.browser.test_globe import ball, point

POINT = {"type": "scatter", "x": [1], "y": [2]}
BAR = {"type": "bar", "x": [1], "y": [2]}
CELLS = {"type": "heatmap", "x": [[0, 1], [0.1, 1.1]], "y": [[0, 0.1], [1, 1.1]], "z": [[3]]}
MARK = point([1, 0, 0], "#ff00ff")


def _changed(where: str, change: dict[str, Any]) -> Spec:
    spec = copy.deepcopy(ball())
    part = spec["data"][0] if where == "data" else spec["layout"]["scene"]
    part |= change
    return spec


#: What is drawn, and the same with one thing that is not.
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
            {"error_y": {"array": [1]}},
            CELLS,
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
REFUSED: list[Spec] = [
    *(
        {"data": [POINT | more]}
        for more in (
            {"error_x": {"array": [1]}},
            *({"error_y": {"array": [1]} | more} for more in ({"arrayminus": [2]}, {"type": "percent", "value": 5})),
            *({"marker": {"symbol": name}} for name in ("hash", 5, ["x", "asterisk"])),
            {"marker": {"color": [1.0], "colorscale": "Jet"}},
            {"line": {"shape": "vhv"}},
            {"fill": "tonextx"},
            {"type": "scattergl", "mode": "lines"},
            {"type": "cone"},
            *({name: value} for name, value in (("x", ["May"]), ("stackgroup", "one"), ("orientation", "h"))),
        )
    ),
    *(
        {"data": [BAR | more]}
        for more in (
            {"error_y": {"array": [1]}},
            {"orientation": "h"},
            {"base": 1},
            {"marker": {"pattern": {"shape": "/"}}},
        )
    ),
    {"data": [CELLS | {"x": CELLS["x"][:1]}]},
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
    [(DRAWN, True), pytest.param(REFUSED, False, marks=pytest.mark.nightly)],
    ids=["drawn", "refused"],
)
def test_the_browser_knows_what_it_draws(canvas: Page, specs: list[Spec], drawn: bool) -> None:
    whole = [{"layout": {}, **spec} for spec in specs]
    said = canvas.evaluate("specs => specs.map(spec => picture.refused(picture.decode(spec)))", whole)
    assert [(spec, why) for spec, why in zip(specs, said, strict=True) if (why == "") != drawn] == []


_PIECE = """async specs => {
    const [{ Picture }, { Stage }] = await Promise.all([import("/pieces.js"), import("/stage.js")]);
    const piece = new Picture(new Stage(), document.getElementById("a"));
    const said = specs.map(spec => {
        piece.update({name: "one", families: {}, at: {}, screen: {title: "Of a kind", spec, alt: ""}});
        return [piece.plot.innerText.trim(), piece.plot.querySelectorAll("[data-trace] path").length > 0];
    });
    piece.destroy();
    return said;
}"""


def test_a_refused_figure_is_reported_in_its_place_and_in_the_console(canvas: Page, pages: Any) -> None:
    drawn = plain(new_figure("", 300, [POINT], xaxis={"visible": False}, yaxis={"visible": False}))
    refused = plain(new_figure("", 300, [POINT, {"type": "cone"}]))
    why = "This picture cannot be drawn: a trace of type cone."
    assert canvas.evaluate(_PIECE, [refused, drawn, refused]) == [[why, False], ["", True], [why, False]]
    problems = [problem for problem in pages.watch.problems if "“Of a kind” cannot be drawn: a trace of" in problem]
    assert problems
    pages.watch.problems[:] = [problem for problem in pages.watch.problems if problem not in problems]


@pytest.mark.nightly
@pytest.mark.parametrize("key", VIEWS)
def test_every_figure_of_every_view_is_drawn(canvas: Page, key: str) -> None:
    """At its example, and where that is quick at other settings too."""
    view, found = VIEWS[key], [outcome_of(key).results]
    if not view.heavy(view.example):
        found += [view.run(config) for config in settings_of(key)]
    assert [said for results in found for said in refusals(canvas, key, results)] == []


def refusals(canvas: Page, key: str, results: Results) -> Iterator[str]:
    """Why pictures of a view are not drawn."""
    view = VIEWS[key]
    for show_ in {view.show, *(tab.show for tab in view.tabs if tab.show)}:
        for picture in pictures(show_(results.config, *results.parts)):
            why = canvas.evaluate("spec => picture.refused(picture.decode(spec))", plain(picture.draw()))
            if why:
                yield f"{picture.name} at {results.config}: {why}"


@pytest.mark.nightly
def test_figures_that_no_view_shows_are_drawn_too(canvas: Page) -> None:
    """The board's bars and the curves of papers; those of streets are in `test_tiles.py`."""
    bar = Bar("epsilon", "Privacy parameter", (1.0, 4.0), (0.5, None))
    found = Sensitivity(Scenario("ring.outputs", "one", VIEWS["ring.outputs"].example), "W", 1.0, (bar,))
    figures = [tornado_figure(found), headlines_figure({"one": 1.0, "two": -2.0}, "Two")]
    figures += [recorded_figure(row.curves, stored(row)) for row in ROWS.values() if row.curves and stored(row)]
    for figure in figures:
        assert canvas.evaluate("spec => picture.refused(picture.decode(spec))", plain(figure)) == ""
        show(canvas, plain(figure))
        assert canvas.locator("#a [data-trace] path").count() > 0


_BARS = """() => [document.querySelector("[data-part=spreads]").getAttribute("d"),
    ...["y", "height"].map(name => Number(document.querySelector("clipPath rect").getAttribute(name)))]"""


def test_bars_of_spread_reach_as_far_as_they_say_and_the_axis_has_room_for_them(canvas: Page) -> None:
    def bars(y: list[float], far: list[float], **axis: Any) -> tuple[list[list[float]], int, float, float]:
        means = line([1, 2], y, "mean", colour="#0072B2", symbol="circle", error_y={"array": far})
        show(canvas, plain(new_figure("", 300, [means], yaxis=axis)))
        drawn, top, height = canvas.evaluate(_BARS)
        found = [[float(end) for end in ends] for ends in re.findall(r"M[\d.]+,([\d.]+)V([\d.]+)", drawn)]
        return found, drawn.count("h"), top, top + height

    ((top, foot), (high, low)), caps, above, below = bars([3.0, 4.0], [1.0, 2.0])
    assert low - high == pytest.approx(2 * (foot - top), abs=0.05) and caps == 4
    assert (top + foot - high - low) / 2 == pytest.approx((foot - top) / 2, abs=0.05), "one unit higher"
    assert above < high < top < foot == pytest.approx(low, abs=0.05) and low < below
    # One that reaches below zero goes to the foot of a logarithmic axis and has no end there.
    ((top, foot), (high, low)), caps, above, below = bars([1.0, 1.0], [0.5, 2.0], type="log", range=[-1, 1])
    assert caps == 3 and low == pytest.approx(below, abs=0.05) and above < high < top < foot < low
