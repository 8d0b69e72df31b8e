"""The app run by Streamlit's AppTest: a page opened, what it shows, what is pinned (no browser)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from pages._shell.pins import Pin

APP = str(Path(__file__).resolve().parents[1] / "app.py")


def open_app(parameters: Mapping[str, str | list[str]] | None = None, page: str = "pages/ring.py") -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params.update(parameters or {})
    if page:
        app.switch_page(page)
    return ran(app.run())


def open_page(name: str, parameters: Mapping[str, Any] | None = None, app: AppTest | None = None) -> AppTest:
    """A page by its file's name, in a session of its own or in the one that is given."""
    if app is None:  # one that has not run yet is false
        app = AppTest.from_file(APP, default_timeout=90)
    app.query_params.clear()
    app.query_params.update(parameters or {})
    return ran(app.switch_page(f"pages/{name}.py").run())


def ran(app: AppTest) -> AppTest:
    assert not app.exception, [entry.value for entry in app.exception]
    return app


def text_of(app: AppTest) -> str:
    return "\n".join(str(element.value) for element in [*app.markdown, *app.caption])


def titles(app: AppTest) -> list[str]:
    return [element.value.strip("*").replace("\\", "") for element in app.markdown if element.value.startswith("**")]


def figures(app: AppTest) -> int:
    return len(app.get("plotly_chart"))


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
