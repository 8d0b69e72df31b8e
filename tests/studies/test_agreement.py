"""Every view gives the same numbers wherever it is looked at: page, board, report, command line, exported Python."""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpot_core import scenarios
from dpot_core.__main__ import main
from dpot_core.reports import Entry, report
from dpot_core.scenarios import Outcome, picture
from dpot_core.studies._kit.links import CannotShowError
from dpot_core.studies.table import PAGES, VIEWS
from tests.apps import open_page, pin, pinned
from tests.scenarios.outcomes import outcome_of, shorten_sweeps


def picture_of(outcome: Outcome) -> Any:
    return picture(outcome)


def near(numbers: dict[str, Any], outcome: Outcome, where: str) -> None:
    assert numbers.keys() == outcome.headlines.keys(), where
    for name, value in outcome.headlines.items():
        assert abs(numbers[name] - value) <= 1e-12 * max(1.0, abs(value)), f"{where}: {name}"


@pytest.mark.parametrize("key", VIEWS)
def test_a_view_has_the_same_numbers_everywhere(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_sweeps(monkeypatch)
    outcome, view = outcome_of(key), VIEWS[key]
    scenario = outcome.scenario
    near(dict(scenarios.run(scenario).headlines), outcome, "run again")

    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(view.python(scenario.config), names)
    near(names["headlines"], outcome, "exported Python")

    (tmp_path / "one.yaml").write_text(scenarios.write([scenario]), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["run", str(tmp_path / "one.yaml"), "--out", str(tmp_path / "out")]) == 0
    written = json.loads((tmp_path / "out" / "numbers.json").read_text(encoding="utf-8"))
    unmarked = {name.removesuffix(" (not private)"): value for name, value in written["config"]["headlines"].items()}
    near(unmarked, outcome, "command line")

    entry = Entry(scenario, outcome.headlines, outcome.disclosure, picture_of(outcome).to_json())
    document = report([entry], "One", "")
    shown = {float(value) for value in re.findall(r'class="number" title="([^"]+)"', document)}
    assert shown == set(map(float, outcome.headlines.values())), "report"

    page = PAGES[key.split(".")[0]]
    try:
        link = page.link(key, scenario.config)
    except CannotShowError:
        return
    app = open_page(page.key, link)
    assert not [warning.value for warning in app.warning if "link" in warning.value]
    pin(app, page.prefix)
    (kept,) = pinned(app)
    if kept.scenario.kind == key:  # a view below another one is pinned with it
        # Where a file names nobody, the page names whom it shows.
        unnamed = {name: "" for name in ("user", "other") if page.key == "movies"}
        assert replace(kept.scenario.config, **unnamed) == scenario.config
        open_page("board", app=app)
        (kept,) = pinned(app)
        assert kept.summary is not None
        near(dict(kept.summary.headlines), outcome, "page and board")
