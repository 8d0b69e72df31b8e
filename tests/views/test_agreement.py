"""Every view gives the same numbers wherever it is looked at: page, board, report, command line, exported Python."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.reports import Entry, report
from dpot_app.batch.scenarios import Outcome, picture
from dpot_app.command_line import main
from dpot_app.kit.links import CannotShowError
from dpot_app.views.table import PAGES, VIEWS
from tests.apps import open_page, pin, pinned
from tests.batch.scenarios.folders import holds
from tests.batch.scenarios.outcomes import by_day, names_of, outcome_of, shorten_sweeps


def picture_of(outcome: Outcome) -> Any:
    return picture(outcome)


def near(numbers: dict[str, Any], outcome: Outcome, where: str) -> None:
    assert numbers.keys() == outcome.headlines.keys(), where
    for name, value in outcome.headlines.items():
        assert abs(numbers[name] - value) <= 1e-12 * max(1.0, abs(value)), f"{where}: {name}"


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_a_view_has_the_same_numbers_everywhere(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shorten_sweeps(monkeypatch)
    outcome, view = outcome_of(key), VIEWS[key]
    scenario = outcome.scenario
    steps: list[tuple[int, int]] = []
    again = scenarios.run(scenario, progress=lambda *step: steps.append(step))
    near(dict(again.headlines), outcome, "run again")
    assert all(0 <= done <= total for done, total in steps)
    assert 1 <= len(outcome.headlines) <= 9 and all(map(math.isfinite, outcome.headlines.values()))
    assert outcome.tables() and all(len(table) for table in outcome.tables().values())
    for _, guarantee in outcome.disclosure.parts:
        assert guarantee.neighbours != "local" or guarantee.epsilon == scenario.config.epsilon

    names = names_of(view.python(scenario.config))
    near(names["headlines"], outcome, "exported Python")
    assert names["tables"].keys() == outcome.tables().keys()

    (tmp_path / "one.yaml").write_text(scenarios.write([scenario]), encoding="utf-8")
    assert main(["run", str(tmp_path / "one.yaml"), "--out", str(tmp_path / "deep" / "out")]) == 0
    assert capsys.readouterr().err == ""
    holds(tmp_path / "deep" / "out", outcome)

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
        # Where a file has no names, the page names the person it shows.
        unnamed = {name: "" for name in ("user", "other") if page.key == "movies"}
        assert replace(kept.scenario.config, **unnamed) == scenario.config
        open_page("board", app=app)
        (kept,) = pinned(app)
        assert kept.summary is not None and kept.summary.disclosure == outcome.disclosure
        near(dict(kept.summary.headlines), outcome, "page and board")
        board = "".join(block.proto.body for block in app.get("html"))
        assert all(f'title="{float(value)!r}"' in board for value in outcome.headlines.values())
