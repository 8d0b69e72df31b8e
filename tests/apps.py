"""The app run by Streamlit's AppTest: a page opened, what it shows, what is pinned (no browser)."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from dpot_app.shell.pins import Pin

_OLD_WORDS: dict[str, dict[str, str]] = json.loads((files("dpot_app.kit") / "old_links.json").read_text("utf-8"))

APP = str(Path(__file__).resolve().parents[1] / "app.py")


def open_app(parameters: Mapping[str, str | list[str]] | None = None, page: str = "pages/ring.py") -> AppTest:
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update(parameters or {})
    if page:
        app.switch_page(page)
    return ran(app.run())


def open_page(name: str, parameters: Mapping[str, Any] | None = None, app: AppTest | None = None) -> AppTest:
    """A page by its file's name, in a session of its own or in the one that is given."""
    if app is None:  # one that has not run yet is false
        app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.clear()
    app.query_params.update(parameters or {})
    return ran(app.switch_page(f"pages/{name}.py").run())


def in_names(words: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The parameters of an old link, whose options are words, as links of today have them."""
    return {key: [_OLD_WORDS.get(key, {}).get(text, text) for text in texts] for key, texts in words.items()}


def opened(app: AppTest) -> AppTest:
    """The page with all open that is made only when a reader opens it."""
    folds = [found[0] for box in app.expander if (found := re.search(r"fold_\w+$", box.proto.id))]
    assert folds
    for key in folds:
        app.session_state[key] = True
    return ran(app.run())


def ran(app: AppTest) -> AppTest:
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def text_of(app: AppTest) -> str:
    said = [str(element.value) for element in [*app.markdown, *app.caption]]
    return "\n".join([*said, *titles(app), *html_of(app)])


def pieces(app: AppTest, kind: str) -> list[dict[str, Any]]:
    """What live components of a kind ("picture", "words", "slider") were given, in the order of the page."""
    every = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [piece for piece in every if piece["kind"] == kind]


def specs(app: AppTest) -> list[dict[str, Any]]:
    """Every figure on the page, as Plotly takes it, its arrays as lists; its title is in `titles`."""
    return [lists(piece["screen"]["spec"]) for piece in pieces(app, "picture")]


def lists(value: Any) -> Any:
    """Figures with plain lists for arrays."""
    if isinstance(value, dict) and "bdata" in value:
        numbers = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        shape = value.get("shape")
        return numbers.reshape([int(size) for size in str(shape).split(",")] if shape else -1).tolist()
    if isinstance(value, dict):
        return {key: lists(part) for key, part in value.items()}
    return [lists(part) for part in value] if isinstance(value, list) else value


def titles(app: AppTest) -> list[str]:
    return [piece["screen"]["title"] for piece in pieces(app, "picture")]


def html_of(app: AppTest) -> list[str]:
    """Every piece of HTML on the page: what is promised, tables."""
    return [*(piece["screen"] for piece in pieces(app, "words")), *(block.proto.body for block in app.get("html"))]


def figures(app: AppTest) -> int:
    return len(pieces(app, "picture"))


def plain(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def pin(app: AppTest, page: str) -> str:
    """Press the button of a page's prefix; what the app says then."""
    ran(app.button(key=f"{page}_pin").click().run())
    (said,) = app.toast
    return plain(said.value)


def pinned(app: AppTest) -> list[Pin]:
    found: list[Pin] = app.session_state["board"].pins
    return found
