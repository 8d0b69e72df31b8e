"""Plotly's figures in place (`dpot_app/live/static/plot.js`)."""

from pathlib import Path

import plotly
import pytest
from playwright.sync_api import Page

from tests.browser.renderer import bars

pytestmark = pytest.mark.nightly

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"

_LEAVE = """async spec => {
    const plot = await import("/plot.js");
    const element = document.getElementById("a");
    element.style.width = "600px";
    const look = {
        text: "#444444", faded: "#666666", line: "#dddddd", background: "#ffffff", font: "sans-serif", size: 12,
    };
    for (let turns = 0; turns < 30; turns++) {
        const figure = plot.mount(element, look, "");
        figure.show(spec);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        figure.destroy();
        // At once in the same place, as where a picture changes its kind; then time for what is left to be thrown.
        const next = plot.mount(element, look, "");
        if (turns % 2) await next.show(spec);
        next.destroy();
        await new Promise(resolve => setTimeout(resolve, 60));
    }
    return element.childElementCount;
}"""


def test_a_figure_leaves_in_the_middle_of_its_drawing(canvas: Page) -> None:
    """Whoever opens another page does not wait for the picture on this one; the fixture fails if anything is thrown."""
    canvas.add_script_tag(path=PLOTLY)
    assert canvas.evaluate(_LEAVE, bars([0.2, 0.8])) == 0
