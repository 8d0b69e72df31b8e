"""The numbers on the axes of all pictures, as readers see them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from playwright.sync_api import Page

from dpot_app.kit.blocks import pictures
from dpot_app.kit.values import put
from dpot_app.kit.view import Results
from dpot_app.views.table import VIEWS
from tests.batch.scenarios.outcomes import outcome_of
from tests.batch.scenarios.settings import settings_of
from tests.browser.renderer import plain, show

#: Of every axis and colour bar that is drawn: its ticks' numbers and texts, in the order of the numbers.
_READ = """() => {
    const texts = (group) => [...group.querySelectorAll("text")].map((text) => text.textContent);
    const read = {};
    for (const axis of document.querySelectorAll("#a [data-axis]"))
        read[axis.dataset.axis] = texts(axis.querySelector("[data-part=ticks]"));
    document.querySelectorAll("#a [data-part=labels]").forEach((bar, place) => { read[`bar ${place}`] = texts(bar); });
    return read;
}"""


def same(read: dict[str, list[str]]) -> list[str]:
    """Axes on which two ticks read the same, as 0.5 and 5 do on Plotly's; ticks without a text are no numbers."""
    named = {axis: [text for text in texts if text] for axis, texts in read.items()}
    return [f"{axis}: {texts}" for axis, texts in named.items() if len(set(texts)) < len(texts)]


def nothing(figure: go.Figure) -> list[str]:
    """Numbers on axes and colour bars with texts of their own that are not zero and read as zero."""
    return [
        f"{value} reads {text!r}"
        for options in with_texts(figure.to_plotly_json())
        for value, text in zip(numbers(options["tickvals"]), options["ticktext"], strict=True)
        if value and is_zero(text)
    ]


def numbers(written: Any) -> list[float]:
    """What Plotly writes as bytes, or as it is."""
    if not isinstance(written, dict):
        return list(written)
    return np.frombuffer(base64.b64decode(written["bdata"]), written["dtype"]).tolist()


def is_zero(text: str) -> bool:
    digits = "".join(letter for letter in text if letter.isdigit())
    return bool(digits) and not digits.strip("0")


def with_texts(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        if part.get("tickvals") is not None and part.get("ticktext") is not None:
            yield part
        part = list(part.values())
    if isinstance(part, list | tuple):
        for one in part:
            yield from with_texts(one)


def wrong_ticks(canvas: Page, key: str, results: Results) -> list[str]:
    view, wrong = VIEWS[key], []
    for shows in {view.show, *(tab.show for tab in view.tabs if tab.show)}:
        for picture in pictures(shows(results.config, *results.parts)):
            figure = picture.draw()
            spec, found = plain(figure), nothing(figure)
            if canvas.evaluate("spec => picture.can(picture.decode(spec))", spec):
                show(canvas, spec)
                found += same(canvas.evaluate(_READ))
            wrong += [f"{key} {picture.name}: {one}" for one in found]
    return wrong


@pytest.mark.parametrize("example", [True, False], ids=["the example", "other changes"])
def test_the_ticks_of_the_metric_page_s_first_tab_are_different_numbers(canvas: Page, example: bool) -> None:
    view = VIEWS["metric.protect"]
    for config in [view.example] if example else settings_of("metric.protect"):
        assert wrong_ticks(canvas, "metric.protect", view.run(config)) == []


def test_equal_or_zero_tick_labels_are_found(canvas: Page) -> None:
    ticks = {"tickvals": [0.0, 0.1, 0.5, 2.0], "ticktext": ["0", "0", "0", "2"]}
    figure = go.Figure([{"type": "bar", "x": [0, 2], "y": [1, 2]}], {"xaxis": {"range": [0, 3], **ticks}})
    show(canvas, plain(figure))
    assert [one.split(":")[0] for one in same(canvas.evaluate(_READ))] == ["x"]
    assert nothing(figure) == ["0.1 reads '0'", "0.5 reads '0'"]
    # Plotly writes 0.5 and 5 alike.
    show(canvas, plain(go.Figure([{"y": [1, 2]}], {"yaxis": {"type": "log", "range": [-1.3, 1.2]}})))
    assert [one.split(":")[0] for one in same(canvas.evaluate(_READ))] == ["y"]


@pytest.mark.nightly
@pytest.mark.parametrize("key", VIEWS)
def test_no_two_ticks_read_the_same_and_no_number_reads_as_zero(canvas: Page, key: str) -> None:
    """At a small setting, and where the view is quick at all odd settings and both ends of epsilon."""
    view = VIEWS[key]
    wrong = wrong_ticks(canvas, key, outcome_of(key).results)
    odd = [] if view.heavy(view.example) else settings_of(key)
    for config in odd:
        asked = "epsilon" in {field.name for field in fields(config)}
        for at in [put(config, "epsilon", epsilon) for epsilon in (0.05, 10.0)] if asked else [config]:
            try:
                results = view.run(at)
            except ValueError:  # a base or a mechanism that these settings do not allow
                continue
            wrong += wrong_ticks(canvas, key, results)
    assert wrong == []
