"""The notebook is what running it gives: its code is the exported Python, its outputs are the page's."""

from __future__ import annotations

import io
import json
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import nbformat
import pytest

from dpot_app.batch.reports import notebook as module
from dpot_app.batch.reports.notebook import notebook
from dpot_app.kit.cache import CACHE
from dpot_app.kit.script import file_name
from dpot_app.kit.view import Results, View, pictures
from dpot_app.live.chromium import BrowserError
from dpot_app.views.table import VIEWS
from tests.batch.scenarios.outcomes import few_masses, shorten_sweeps
from tests.taken import take
from tests.test_exported_python import own, ran

PROMISE = ["ε = 1 nats.", "*No* <b>more</b>."]


def read(shown: list[tuple[View, Results]]) -> Any:
    """The notebook of some views, held against its format."""
    text = notebook(shown, "http://127.0.0.1/ring?a=1", PROMISE)
    nbformat.validate(nbformat.reads(text, as_version=4))
    return json.loads(text)


def executed(made: Any) -> list[list[dict[str, Any]]]:
    """What each cell of code shows when it runs, one after the other, sharing no memory with the page."""
    found: list[list[dict[str, Any]]] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as alone:
        alone.setattr(CACHE, "_memories", {False: OrderedDict(), True: OrderedDict()})
        for cell in made["cells"]:
            if cell["cell_type"] == "code":
                shown: list[dict[str, Any]] = []

                def display(data: Mapping[str, Any], *, raw: bool, shown: Any = shown) -> None:
                    assert raw
                    shown.append({"metadata": {}, "output_type": "display_data", "data": data})

                with redirect_stdout(io.StringIO()) as printed:
                    names["display"] = display
                    exec(compile(cell["source"], cell["id"], "exec"), names)
                if printed.getvalue():
                    shown.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
                found.append(shown)
    return json.loads(json.dumps(found))


def python_of(made: Any) -> str:
    """The code of a notebook without what shows pictures and tables, as the page has it."""
    code = [cell["source"] for cell in made["cells"] if cell["cell_type"] == "code"]
    return "\n\n".join(one for one in code if one != module._SHOW).replace(f"\n{module._IMPORT}", "")


@pytest.fixture
def sketched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures drawn at once, where Chromium is not what is tried."""
    monkeypatch.setattr(module, "svg_panels", lambda title, screens: f"<svg><title>{title}</title></svg>")


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize(
    "key",
    [
        key if key in ("ring.worst-case", "sinkhorn.release") else pytest.param(key, marks=pytest.mark.nightly)
        for key in VIEWS
    ],
)
def test_the_outputs_are_what_its_code_gives(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view, files = VIEWS[key], {}
    config = view.example
    if (given := own(key)) is not None:
        config, files = given
    shorten_sweeps(monkeypatch)
    few_masses(monkeypatch)
    monkeypatch.chdir(tmp_path)
    for role, content in files.items():
        Path(file_name(role)).write_bytes(content)
    results = view.run(config, {role: files[role] for role in view.files(config) if role in files})
    made = read([(view, results)])
    code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code] == executed(made)
    assert code[-1]["outputs"][0]["text"] == f"{dict(view.headlines(*results.parts))}\n"
    tables = results.disclosure.mark(results.tables())
    shown = [one["data"] for one in code[-2]["outputs"]]
    drawn = len([*pictures(view.show(config, *results.parts))])
    assert len(shown) == len(tables) + drawn and sum("text/html" in one for one in shown) == len(tables)
    assert all(str(column) in shown[-1]["text/plain"] for column in [*tables.values()][-1].columns[:1])


@pytest.mark.usefixtures("sketched")
def test_its_code_is_the_exported_python_of_all_views_and_its_words_are_text() -> None:
    shown = [(view, view.run(view.example)) for view in (VIEWS["ring.outputs"], VIEWS["ring.worst-case"])]
    made = read(shown)
    (first, config), (second, other) = ((view, results.config) for view, results in shown)
    assert f"{python_of(made)}\n" == first.python(config, (second, other))
    (words,) = (cell["source"] for cell in made["cells"][:1])
    assert "http://127.0.0.1/ring?a=1" in words and "- ε = 1 nats" in words and r"\<b" in words


@pytest.mark.usefixtures("sketched")
def test_a_page_offers_the_notebook_of_the_views_that_it_shows() -> None:
    taken = take("ring", "ring", {"ring_view": "Worst case", "ring_epsilon": "0.5"}, left=(".html",))
    made = json.loads(taken.files["notebook.ipynb"])
    nbformat.validate(nbformat.reads(taken.files["notebook.ipynb"], as_version=4))
    assert python_of(made) == taken.python
    words = made["cells"][0]["source"]
    assert "ring_epsilon=0.5" in words and "One release with WPM promises" in words and r"ε = 0\.5 nats" in words
    assert eval(made["cells"][-1]["outputs"][0]["text"]).keys() == ran(taken.python)["headlines"].keys()


def test_pictures_are_drawn_where_there_is_chromium_and_said_where_there_is_none(monkeypatch) -> None:
    view = VIEWS["ring.outputs"]
    results = view.run(view.example)
    first = next(module.outputs(view, results))
    assert first["image/svg+xml"].startswith("<svg") and first["text/plain"]

    def none(*_: object) -> str:
        raise BrowserError("not here")

    monkeypatch.setattr(module, "svg_panels", none)
    assert next(module.outputs(view, results)) == {name: first[name] for name in first if name != "image/svg+xml"}
