"""Steps of a reader who presses anything: drawn from a seed, done by AppTest, done again from what was written down."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1 import element_tree as tree

from tests.apps import APP

PAGES = tuple(sorted(path.stem for path in Path(APP).with_name("pages").glob("[a-z]*.py")))

#: What people type, and what no one should.
TYPED = (
    "", " ", "0", "-1", "nan", "inf", "1e308", "1e-320", "9" * 400, "1,2,3", "0.2:1; 0.8:2", "1e308,1e308", "x",
    "<b>x</b>", "'; --", "Ω\u202e\u0000", "=1+1", "../../x", "a," * 3000, "[" * 500, "http://127.0.0.1:1/{z}/{x}/{y}.png",
)  # fmt: skip

#: What answers to what: kinds of AppTest's widgets.
KINDS = (
    "button", "button_group", "checkbox", "multiselect", "number_input", "radio", "select_slider", "selectbox",
    "slider", "text_area", "text_input", "toggle",
)  # fmt: skip

#: Seconds after which a script that still runs ends the sequence: long work is no fault here, it can be abandoned.
PATIENCE = 20


def _by_label(cls: Any) -> None:
    """Let AppTest take an option by what is written on it, which is all that a page tells of it."""
    written = cls.format_func.fget
    cls.format_func = property(lambda self: lambda value: value if value in self.options else written(self)(value))


for _cls in (tree.ButtonGroup, tree.Multiselect, tree.Radio, tree.Selectbox, tree.SelectSlider):
    _by_label(_cls)


@dataclass(frozen=True)
class Step:
    """A page that is opened (``kind`` "page"), its link opened anew ("link"), or a widget, by its key, with a value."""

    kind: str
    key: str = ""
    value: Any = None


class Broken(Exception):
    """A page that shows a traceback."""


class TooLong(Exception):
    """A script that did not end in time."""


def drawn(seed: int, number: int, tell: Callable[[Step], None]) -> None:
    """That many steps of a seed, each told before it is done.

    Raises:
        Broken: with what the page shows.
        TooLong: if a script runs on.
    """
    chance = random.Random(seed)
    app: AppTest | None = None
    for count in range(number):
        if app is None or chance.random() < 0.08:
            step = Step("page", chance.choice(PAGES))
        elif chance.random() < 0.05:
            step = Step("link")
        else:
            there = list(_widgets(app))
            if not there:
                continue
            kind, widget = chance.choice(there)
            step = Step(kind, widget.key or widget.label, _value(chance, kind, widget))
        tell(step)
        app = done(app, step)
        if count == 0 and step.kind == "page":
            ran(app)  # a page that is switched to is whole after two runs


def again(steps: list[Step]) -> None:
    """The steps once more; those whose widget is not there are left out.

    Raises:
        Broken, TooLong: as `drawn`.
    """
    app: AppTest | None = None
    for step in steps:
        app = done(app, step)


def done(app: AppTest | None, step: Step) -> AppTest:
    if step.kind in ("page", "link") or app is None:
        linked = {} if app is None or step.kind == "page" else dict(app.query_params)
        page = step.key if step.kind == "page" else _page(app)
        app = AppTest.from_file(APP, default_timeout=PATIENCE) if app is None or step.kind == "link" else app
        app.query_params.clear()
        app.query_params.update(linked)
        return ran(ran(app.switch_page(f"pages/{page}.py")))
    for kind, widget in _widgets(app):
        if kind == step.kind and step.key in (widget.key, widget.label):
            try:
                widget.click() if kind == "button" else widget.set_value(step.value)
            except ValueError:
                return app  # a value of before, which is no longer offered
            return ran(app)
    return app


def ran(app: AppTest) -> AppTest:
    try:
        app.run()
    except RuntimeError as error:
        if "timed out" in str(error):
            raise TooLong from error
        raise
    if app.exception:
        raise Broken("\n".join(f"{entry.message}\n{''.join(entry.stack_trace)}" for entry in app.exception))
    return app


def _page(app: AppTest | None) -> str:
    path = app.session_state["page_path"] if app is not None and "page_path" in app.session_state else None
    return path if path in PAGES else "home"


def _widgets(app: AppTest) -> Iterator[tuple[str, Any]]:
    for kind in KINDS:
        for widget in app.get(kind):
            if not getattr(widget, "disabled", False):
                yield kind, widget


def _value(chance: random.Random, kind: str, widget: Any) -> Any:
    match kind:
        case "checkbox" | "toggle":
            return not widget.value
        case "radio" | "selectbox" | "select_slider":
            return chance.choice(list(widget.options)) if widget.options else None
        case "multiselect":
            return [option for option in widget.options if chance.random() < 0.4]
        case "button_group":
            options = list(widget.options)
            if isinstance(widget.value, list):
                return [option for option in options if chance.random() < 0.4]
            return chance.choice(options)
        case "text_input" | "text_area":
            return chance.choice(TYPED)
        case "number_input" | "slider":
            return _number(chance, widget)
    return None


def _number(chance: random.Random, widget: Any) -> Any:
    if isinstance(widget.value, list | tuple):  # a slider with two thumbs
        return sorted(_place(chance, widget, thumb) for thumb in widget.value)
    return _place(chance, widget, widget.value)


def _place(chance: random.Random, widget: Any, there: float | None) -> float | int:
    low, high, step = widget.min, widget.max, widget.step or 1
    low = -1e9 if low is None else low
    high = 1e9 if high is None else high
    at = chance.choice([low, high, chance.uniform(low, high), low + step, there or low])
    if isinstance(step, int):
        return int(min(max(round(at), math.ceil(low)), math.floor(high)))
    return float(min(max(at, low), high))
