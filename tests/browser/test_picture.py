"""Pictures drawn in the browser (`dpot_app/live/static/picture.js`): laws, on figures that our own functions make."""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from dpot_app.figures.style import new_figure
from dpot_app.views.ring.outputs.figures import miniature_figure
from dpot_app.views.ring.outputs.results import run as ring_outputs
from dpot_app.views.ring.settings import Config, Ring, Source
from tests.browser.renderer import STATIC, Spec, bars, plain, show, specs_of

VIEWS_DRAWN = (
    "ring.outputs",
    "ring.worst-case",
    "ring.plan",
    "explain.release",
    "explain.distance",
    "geolocation.person",
    "metric.protect",
    "metric.ask",
    "mixture.sphere",
    "movies.user",
    "sinkhorn.release",
)


@functools.cache
def dials(epsilon: float) -> Spec:
    return plain(
        miniature_figure(
            ring_outputs(
                Config(ring=Ring(k=30, p=1), source=Source(kind="dirac"), epsilon=epsilon, mechanisms=("wpm", "kpm"))
            )
        )
    )


def every_spec() -> Iterator[tuple[str, Spec]]:
    yield "home", dials(2.0)
    for view in VIEWS_DRAWN:
        for name, spec in specs_of(view).items():
            yield f"{view}.{name}", spec


def attributes(page: Page, selector: str, *names: str) -> list[list[float]]:
    return page.eval_on_selector_all(
        selector, "(nodes, names) => nodes.map(node => names.map(name => Number(node.getAttribute(name))))", list(names)
    )


def test_the_height_of_a_bar_is_its_value(canvas: Page) -> None:
    values = [0.1, 0.5, 0.0, 1.0]
    show(canvas, bars(values))
    found = attributes(canvas, "#a [data-trace='0'] rect", "y", "height", "x", "width")
    heights = np.array([height for _, height, *_ in found])
    assert heights == pytest.approx(heights[3] * np.array(values), abs=0.02)
    feet = [y + height for y, height, *_ in found]
    assert feet == pytest.approx([feet[0]] * 4, abs=0.02)
    # Four fifths of the room that each has, at equal distances.
    left = [x for *_, x, _ in found]
    assert np.diff(left) == pytest.approx([found[0][3] / 0.8] * 3, abs=0.02)


def test_a_bar_of_no_length_leaves_no_line(canvas: Page) -> None:
    dial = {"type": "barpolar", "r": [0.0, 0.5, 0.0, 1e-9], "theta": [0, 90, 180, 270], "width": [60] * 4}
    layout = {"polar": {"radialaxis": {"range": [-0.5, 1], "visible": False}}}
    show(canvas, plain(new_figure("Nothing", 300, [dial], **layout)))
    drawn = canvas.eval_on_selector_all(
        "#a [data-trace='0'] path", "nodes => nodes.map(node => node.getAttribute('d'))"
    )
    assert [bool(path) for path in drawn] == [False, True, False, False]


def test_marks_stand_where_their_axes_say(canvas: Page) -> None:
    points = {"type": "scatter", "mode": "markers", "x": [1, 10, 100], "y": [0, 5, 10]}
    axes = {"xaxis": {"type": "log", "range": [0, 2]}, "yaxis": {"range": [10, 0]}}
    show(canvas, plain(new_figure("", 300, [points], **axes)))
    places = canvas.eval_on_selector_all(
        "#a [data-trace='0'] [data-part=points] path", "nodes => nodes.map(n => n.getAttribute('d'))"
    )
    x, y = np.array([[float(n) for n in re.findall(r"-?[\d.]+", place)[:2]] for place in places]).T
    box = canvas.eval_on_selector(
        "#a clipPath rect", "r => ['x', 'y', 'width', 'height'].map(name => Number(r.getAttribute(name)))"
    )
    assert x == pytest.approx([box[0], box[0] + box[2] / 2, box[0] + box[2]], abs=0.02)
    # The range is turned round: zero is at the top.
    assert y == pytest.approx([box[1], box[1] + box[3] / 2, box[1] + box[3]], abs=0.02)


def test_a_cell_has_the_colour_of_its_value_and_a_gap_none(canvas: Page) -> None:
    heat = {"type": "heatmap", "z": [[0.0, 0.25], [None, 1.0]], "showscale": False}
    heat["colorscale"] = [[0, "rgb(0,0,0)"], [0.5, "rgb(200,0,0)"], [1, "rgb(200,100,50)"]]
    hidden = {"visible": False}
    show(canvas, plain(new_figure("", 300, [heat], xaxis=hidden, yaxis=hidden, margin={"l": 0, "t": 0, "b": 0})))
    read = """() => {
        const canvas = document.querySelector("#a canvas");
        const at = (x, y) => [...canvas.getContext("2d").getImageData(x * canvas.width, y * canvas.height, 1, 1).data];
        return [at(.25, .75), at(.75, .75), at(.25, .25), at(.75, .25)];
    }"""
    first, quarter, gap, last = canvas.evaluate(read)
    assert first == [0, 0, 0, 255]
    assert quarter == pytest.approx([100, 0, 0, 255], abs=1)
    assert gap == [0, 0, 0, 0]
    assert last == [200, 100, 50, 255]


@pytest.mark.nightly
@pytest.mark.parametrize("view", ["ring.outputs", "geolocation.person", "explain.release", "movies.user"])
def test_an_update_ends_in_the_picture_that_a_fresh_one_would_be(canvas: Page, view: str) -> None:
    read = """id => {
        const root = document.getElementById(id);
        const name = root.querySelector("[id^=dpot]")?.id.match(/dpot-[a-z0-9]+/)[0] ?? "none";
        const written = (node) => node.nodeType === 3 ? node.data : `<${node.tagName} ${[...node.attributes]
            .map(a => `${a.name}=${a.value.replaceAll(name, "")}`).sort().join(" ")}>${
            [...node.childNodes].map(written).join("")}`;
        return [...root.querySelectorAll("svg")].map(written).concat(root.querySelector("canvas").toDataURL());
    }"""
    before, after = specs_of(view, 0.5), specs_of(view, 5.0)
    for name, spec in after.items():
        canvas.evaluate("clear()")
        show(canvas, before[name], "a")
        show(canvas, spec, "a")
        show(canvas, spec, "b")
        assert canvas.evaluate(read, "a") == canvas.evaluate(read, "b"), name


def test_an_update_keeps_every_node_and_never_clears_the_picture(canvas: Page) -> None:
    show(canvas, specs_of("ring.base", 0.5)["base-measure"])
    canvas.evaluate("""() => {
        window.nodes = [...document.querySelectorAll("#a svg *")];
        window.removed = 0;
        new MutationObserver(all => { for (const one of all) window.removed += one.removedNodes.length; })
            .observe(document.getElementById("a"), {subtree: true, childList: true});
    }""")
    tall = attributes(canvas, "#a [data-kind=bar] rect", "height")
    show(canvas, specs_of("ring.base", 5.0)["base-measure"])
    assert attributes(canvas, "#a [data-kind=bar] rect", "height") != tall
    assert canvas.evaluate("nodes.filter(node => node.tagName === 'rect').every(node => node.isConnected)")
    # Only the letters of the panels' titles are written anew.
    assert canvas.evaluate("nodes.every(node => node.isConnected || node.tagName === 'tspan')")


def test_unchanged_pieces_are_not_touched(canvas: Page) -> None:
    show(canvas, bars([0.2, 0.4], shapes=[{"type": "line", "x0": 0, "x1": 1, "y0": 0, "y1": 1}]))
    canvas.evaluate("""() => {
        window.changed = new Set();
        new MutationObserver(all => { for (const one of all) window.changed.add(one.target); })
            .observe(document.getElementById("a"), {subtree: true, childList: true, attributes: true});
    }""")
    show(canvas, bars([0.2, 0.6], shapes=[{"type": "line", "x0": 0, "x1": 1, "y0": 0, "y1": 1}]))
    assert canvas.evaluate("[...changed].map(node => node.outerHTML)") == [
        canvas.locator("#a [data-trace] rect").nth(1).evaluate("node => node.outerHTML")
    ]


def test_a_jump_is_glided_over_and_ends_at_its_value(canvas: Page) -> None:
    show(canvas, bars([0.2, 0.4]))
    start = attributes(canvas, "#a [data-trace] rect", "height")
    heights = canvas.evaluate(
        """async spec => {
            const bar = document.querySelector("#a [data-trace] rect");
            const seen = [];
            draw("a", picture.decode(spec), {duration: 200});
            const end = performance.now() + 2000;
            while (performance.now() < end && !(seen.length > 3 && seen.at(-1) === seen.at(-4))) {
                await new Promise(requestAnimationFrame);
                seen.push(Number(bar.getAttribute("height")));
            }
            return seen;
        }""",
        bars([1.0, 0.4]),
    )
    assert heights == sorted(heights)
    assert heights[0] < 2.5 * start[0][0], "it does not begin with a jump"
    assert heights[-1] == pytest.approx(5 * start[0][0], abs=0.05)


def test_a_jump_in_the_middle_of_another_begins_where_the_screen_is(canvas: Page) -> None:
    show(canvas, bars([0.2]))
    before, after, end = canvas.evaluate(
        """async ([there, back]) => {
            const bar = document.querySelector("#a [data-trace] rect");
            const frame = () => new Promise(requestAnimationFrame);
            const height = () => Number(bar.getAttribute("height"));
            draw("a", picture.decode(there), {duration: 3000});
            for (let count = 0; count < 10; count += 1) await frame();
            const before = height();
            draw("a", picture.decode(back), {duration: 100});
            const after = height();
            await new Promise(done => setTimeout(done, 400));
            return [before, after, height()];
        }""",
        [bars([1.0]), bars([0.2])],
    )
    assert before == after
    assert end < before


def test_lists_of_another_length_are_just_drawn(canvas: Page) -> None:
    show(canvas, bars([0.2, 0.4], xaxis={"range": [-1, 5]}))
    show(canvas, bars([0.2, 0.4, 0.6], xaxis={"range": [-1, 5]}), duration=50)
    canvas.wait_for_function("document.querySelectorAll('#a [data-trace] rect').length === 3")
    assert "NaN" not in canvas.inner_html("#a")


def test_the_mouse_reads_the_template_and_moves_nothing(canvas: Page) -> None:
    show(canvas, bars([0.2, 0.625]))
    size = canvas.evaluate("document.getElementById('a').getBoundingClientRect().toJSON()")
    box = canvas.locator("#a [data-trace] rect").nth(1).bounding_box()
    assert box is not None
    canvas.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    hover = canvas.locator("#a .dpot-hover")
    assert hover.inner_text() == "point 1: 0.625mass"
    assert canvas.evaluate("document.getElementById('a').getBoundingClientRect().toJSON()") == size
    canvas.mouse.move(5, 5)
    assert hover.is_hidden()


def test_the_mouse_reads_cells_dials_and_points(canvas: Page) -> None:
    dial = dials(2.0)
    show(canvas, dial)
    box = canvas.locator("#a [data-trace='0'] path").first.bounding_box()
    assert box is not None
    canvas.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    first = canvas.evaluate("spec => picture.decode(spec).data[0].r[0]", dial)
    assert canvas.locator("#a .dpot-hover").inner_text() == f"point 0: {first**2:.3g}WPM"
    canvas.evaluate("clear()")
    heat = {"type": "heatmap", "z": [[1, 2], [3, 4]], "customdata": [[0.1, 0.2], [0.3, 0.4]], "showscale": False}
    heat["hovertemplate"] = "%{x}, %{y}: %{z} or %{customdata:.1%}<extra></extra>"
    show(canvas, plain(new_figure("", 300, [heat], margin={"l": 0, "t": 0, "b": 0})))
    area = canvas.locator("#a canvas").bounding_box()
    assert area is not None
    canvas.mouse.move(area["x"] + 0.75 * area["width"], area["y"] + 0.25 * area["height"])
    assert canvas.locator("#a .dpot-hover").inner_text() == "1, 1: 4 or 40.0%"


def test_a_click_on_the_legend_puts_a_trace_away_and_back(canvas: Page) -> None:
    lines = [{"type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, n], "name": f"line {n}"} for n in (1, 2)]
    show(canvas, plain(new_figure("", 300, lines)))
    entry = canvas.locator("#a .legend-entry").filter(has_text="line 2")
    drawn = canvas.locator("#a [data-trace='1']")
    for is_shown in (False, True):
        entry.click()
        assert (drawn.get_attribute("display") is None) == is_shown


def test_a_hidden_trace_is_faint_in_the_legend_and_comes_with_a_click(canvas: Page) -> None:
    lines = [{"type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, n], "name": f"line {n}"} for n in (1, 2)]
    lines[1]["visible"] = "legendonly"
    show(canvas, plain(new_figure("", 300, lines)))
    entry = canvas.locator("#a .legend-entry").filter(has_text="line 2")
    drawn = canvas.locator("#a [data-trace='1']")
    for is_shown in (False, True, False):
        assert (drawn.get_attribute("display") is None) == is_shown
        assert (float(entry.get_attribute("opacity") or 1) > 0.5) == is_shown
        entry.click()


_TEXTS = """([where, size]) => {
    const root = document.getElementById(where).getBoundingClientRect();
    const nodes = [...document.querySelectorAll(`#${where} svg:not([aria-hidden]) text`)]
        .filter(node => node.textContent && !node.closest("[data-trace]"));
    const boxes = nodes.map(node => node.getBoundingClientRect());
    const cut = nodes.filter((_, i) => boxes[i].left < root.left - 1.5 || boxes[i].right > root.right + 1.5
        || boxes[i].top < root.top - 3 || boxes[i].bottom > root.bottom + 3);
    const meet = [];
    boxes.forEach((one, i) => boxes.slice(0, i).forEach((other, j) => {
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > 1 && down > 3 && down > .3 * Math.min(one.height, other.height))
            meet.push(`${nodes[i].textContent} | ${nodes[j].textContent}`);
    }));
    return [...cut.map(node => `cut: ${node.textContent}`), ...meet];
}"""


@pytest.mark.parametrize(
    ("width", "size"),
    [
        pytest.param(280, 12, marks=pytest.mark.nightly),
        (390, 12),
        pytest.param(390, 18, marks=pytest.mark.nightly),
        pytest.param(900, 18, marks=pytest.mark.nightly),
        pytest.param(1400, 12, marks=pytest.mark.nightly),
    ],
)
def test_no_text_is_cut_or_meets_another(canvas: Page, width: int, size: int) -> None:
    wrong = {}
    for name, spec in every_spec():
        if not canvas.evaluate("spec => picture.can(spec)", spec):
            continue
        # On a page the title is text above the picture.
        layout = {**spec["layout"], "title": {"text": ""}}
        show(canvas, {"data": spec["data"], "layout": layout}, width=width, size=size)
        found = canvas.evaluate(_TEXTS, ["a", size])
        canvas.evaluate("clear()")
        if found:
            wrong[name] = found
    assert not wrong


def test_undrawable_figures_are_reported(canvas: Page) -> None:
    def can(*data: dict[str, Any], **layout: Any) -> bool:
        return canvas.evaluate("spec => picture.can(spec)", {"data": list(data), "layout": layout})

    drawn = [name for name, spec in every_spec() if canvas.evaluate("spec => picture.can(spec)", spec)]
    assert set(drawn) == set(dict(every_spec()))
    point = {"type": "scatter", "x": [1], "y": [2]}
    assert can(point)
    assert not can({"type": "cone", "x": [1], "y": [1], "z": [1], "u": [1], "v": [1], "w": [1]})
    assert not can(point | {"x": ["January"]})
    assert not can(point | {"marker": {"symbol": "hash"}})
    assert not can(point, xaxis={"type": "category"})


def test_a_picture_out_of_sight_is_drawn_when_it_is_seen(canvas: Page) -> None:
    drawn = canvas.evaluate(
        """spec => {
            const element = document.getElementById("b");
            element.style.display = "none";
            const look = {text: "#444", background: "#fff", grid: "#eee", font: "serif", size: 12, primary: "#00f"};
            const one = picture.mount(element, look);
            one.show(picture.decode(spec));
            const before = element.querySelectorAll("rect").length;
            element.style.display = "block";
            one.resize();
            const after = element.querySelectorAll("[data-trace] rect").length;
            one.destroy();
            return [before, after, element.childElementCount];
        }""",
        bars([0.1, 0.2]),
    )
    assert drawn == [0, 2, 0]


def test_all_modules_are_licensed_and_import_only_each_other() -> None:
    bundles = ("d3", "pdf-")  # and what they are made of
    modules = {path.name: path.read_text() for path in Path(STATIC).glob("*.js") if not path.name.startswith(bundles)}
    named = {name for text in modules.values() for name in re.findall(r'from "\./([\w-]+\.js)"', text)}
    assert named <= {*modules, "d3.js", "pdf-vendor.js"}
    assert not [name for name, text in modules.items() if re.search(r'(from|import\() ?"(?!\./)', text)]
    bundle = (STATIC / "d3.js").read_text()
    licence = (STATIC / "LICENSE-d3").read_text()
    for package in re.findall(r"(d3-\w+)@", bundle[:400]):
        assert f"{package}\n\nCopyright" in licence
    licences = (STATIC / "LICENSE-pdf").read_text().splitlines()
    for package in re.findall(r"([\w.-]+)@", (STATIC / "pdf-vendor.js").read_text()[:120]):
        assert package in licences
