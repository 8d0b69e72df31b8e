"""The renderer of pictures (`dpot_app/live/static/picture.js`) on an empty page, for the tests of what it draws."""

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest
from playwright.sync_api import Page

from dpot_app.figures.style import new_figure
from dpot_app.kit.blocks import pictures
from dpot_app.views.table import VIEWS
from tests.browser import driver

STATIC = driver.ROOT / "dpot_app" / "live" / "static"

Spec = dict[str, Any]

_PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body style="margin:20px">
<div id="a"></div><div id="b"></div>
<script type="module">
    import * as picture from "./picture.js";
    const look = {text: "#444444", background: "#ffffff", grid: "#eeeeee", font: "sans-serif", size: 12,
        primary: "#0072B2"};
    const mounted = {};
    window.picture = picture;
    window.draw = (id, spec, {width = 700, size = 12, duration = 0} = {}) => {
        const element = document.getElementById(id);
        element.style.width = `${width}px`;
        mounted[id] ??= picture.mount(element, {...look, size});
        mounted[id].show(spec, {duration});
    };
    window.clear = () => {
        for (const id in mounted) { mounted[id].destroy(); delete mounted[id]; }
    };
    window.ready = true;
</script>"""


class _Files(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(_PAGE.encode())
        return None

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def renderer() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=STATIC)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def loaded(pages: Any, renderer: str) -> Iterator[Page]:
    """A page with the renderer, for all tests of a file: to load it takes longer than most of them."""
    with pages.keep() as page:
        driver.show_as(page, driver.WIDE, "light")
        page.goto(renderer)
        page.wait_for_function("window.ready")
        page.evaluate("() => { window.untouched = document.body.innerHTML; }")
        yield page


@pytest.fixture
def canvas(loaded: Page, pages: Any) -> Iterator[Page]:
    """An empty page with the renderer loaded."""
    yield loaded
    problems = pages.watch.look_at_pages()
    pages.watch.problems.clear()
    loaded.evaluate("() => { clear(); document.body.innerHTML = untouched; scrollTo(0, 0); }")
    loaded.mouse.move(0, 0)
    assert not problems, "\n".join(problems)


def plain(figure: go.Figure) -> Spec:
    return json.loads(figure.to_json())


@functools.cache
def specs_of(view: str, epsilon: float | None = None) -> dict[str, Spec]:
    """The figures of a view's example, by their names."""
    declared = VIEWS[view]
    config = declared.example if epsilon is None else replace(declared.example, epsilon=epsilon)
    result = declared.run(config, {}, lambda *_: None)
    return {picture.name: plain(picture.draw()) for picture in pictures(declared.show(config, *result.parts))}


def show(page: Page, spec: Spec, where: str = "a", **how: Any) -> None:
    page.evaluate("([where, spec, how]) => draw(where, picture.decode(spec), how)", [where, spec, how])


def bars(y: list[float], **layout: Any) -> Spec:
    data = [{"type": "bar", "x": list(range(len(y))), "y": y, "name": "mass", "marker": {"color": "#0072B2"}}]
    data[0]["hovertemplate"] = "point %{x}: %{y:.3f}<extra>%{fullData.name}</extra>"
    return plain(new_figure("", 300, data, **{"xaxis": {"range": [-1, len(y)]}, "yaxis": {"range": [0, 1]}, **layout}))
