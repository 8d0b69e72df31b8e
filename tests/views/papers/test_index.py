"""The index of the papers: document, page, commands and recorded numbers say one thing; the numbers come out again."""

from __future__ import annotations

import random
import re
import time
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from dpot_app.batch.reports import reproduced
from dpot_app.batch.reports.papers import markdown, number_text
from dpot_app.batch.reports.preprint import screens
from dpot_app.batch.scenarios import read
from dpot_app.command_line import main
from dpot_app.views.papers import index
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import PAPERS, VERDICTS, Number, Row, mean_of
from dpot_app.views.table import VIEWS
from dpot_core.datasets import DatasetMissing
from tests.apps import html_of, open_page, titles

ROOT = Path(__file__).resolve().parents[3]
COMPUTED = [row for row in ROWS.values() if row.compute is not None]
QUICK = [row for row in COMPUTED if row.pace in ("quick", "elsewhere")]
SHORT = [row for row in COMPUTED if row.pace == "short"]
#: Of the rows that take up to five seconds each: how many a run recomputes, and the processor seconds for all of them.
SAMPLE, MOST_SECONDS = 10, 40.0
#: Every figure and table of the papers' texts; the fifth has none.
PLACES = {
    "wpm": ("Figure 1", "Figure 2", "Figure 3", "Figure 4"),
    "minimax": tuple(f"Figure {number}" for number in range(1, 8)),
    "barycenters": tuple(f"Figure {number}" for number in range(1, 10)),
    "metric": ("Table 1", "Table 2a", "Table 2b"),
    "sinkhorn": (),
    "prior": ("Figures 3, 5 and 6", "Figure 4", "Figures 7, 8 and 9", "Figure 10", "Figure 11"),
}
#: And every algorithm and numbered theorem.
STATED = {
    "wpm": ("Algorithm 1", "3.4", "3.5", "4.3"),
    "minimax": ("3.1", "3.3", "C.4"),
    "barycenters": ("Algorithm 1", "Algorithm 2", "Algorithms 3 and 4", "Algorithm 5", "4.2", "4.4", "5.1", "5.4"),
    "metric": ("Algorithm 1", "Algorithm 2", "Algorithm 3", "Algorithm 4", "4.1", "4.3", "4.4", "5.3", "6.5", "6.6"),
    "sinkhorn": ("Algorithm 1", *(f"Theorem {number}" for number in (1, 2, 3)), "Theorems 4 and 5", "Theorem 6"),
    "prior": (),
}


def recomputed(row: Row) -> list[str] | None:
    """What comes out otherwise than it was recorded; None without the data."""
    assert row.compute is not None
    try:
        return [
            f"{row.key}: {text}" for text in reproduced.differences(row.compute(), stored(row), searched=row.searched)
        ]
    except DatasetMissing:
        return None


def test_the_document_is_that_of_the_code() -> None:
    assert (ROOT / "docs" / "papers.md").read_text(encoding="utf-8") == markdown(), "make papers-doc"


def test_rows_compute_the_recorded_numbers() -> None:
    assert index._content().keys() == {row.key for row in COMPUTED}, "make papers"
    assert [row.key for row in COMPUTED if not stored(row)] == [], "recorded for another version of the row"
    assert all(row.paper in PAPERS and row.key == key for key, row in ROWS.items())


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_table_algorithm_and_theorem_has_a_row(paper: str) -> None:
    places = [row.place for row in ROWS.values() if row.paper == paper]
    for place in (*PLACES[paper], *STATED[paper]):
        assert any(place in one for one in places), place


def test_every_row_opens_a_page_at_settings_that_its_view_takes() -> None:
    for row in ROWS.values():
        if row.view:
            VIEWS[row.view].check(row.config)
            assert row.link is not None and row.link[0] == row.view.partition(".")[0], row.key
        else:
            assert row.link is None and row.verdict in ("beyond", "open"), f"{row.key} has numbers and no view"


@pytest.mark.nightly
@pytest.mark.parametrize("key", ["minimax-fig2", "minimax-fig3", "minimax-fig7"])
def test_a_row_of_a_tab_opens_the_page_where_its_figure_is(key: str) -> None:
    page, parameters = ROWS[key].link or ("", {})
    (figure,) = screens(ROWS[key])
    assert figure["title"] in titles(open_page(page, parameters))


@pytest.mark.nightly
def test_quick_rows_come_out_as_recorded() -> None:
    found = {row.key: recomputed(row) for row in QUICK}
    assert [text for differ in found.values() for text in differ or ()] == []
    assert sum(differ is not None for differ in found.values()) > len(QUICK) - 5, "these need no data but a few"


@pytest.mark.nightly
def test_ten_of_the_others_come_out_as_recorded() -> None:
    begin = time.process_time()
    for row in random.SystemRandom().sample(SHORT, SAMPLE):
        if time.process_time() - begin > MOST_SECONDS:
            break
        assert not recomputed(row), f"{row.key}: {recomputed(row)}"


def test_a_number_that_is_off_is_noticed() -> None:
    kept = {"a": Number(1.0), "b": mean_of([1.0, 2.0])}
    assert reproduced.differences(kept, kept) == []
    assert reproduced.differences(kept | {"a": Number(1.0 + 1e-8)}, kept) == []
    for other in (Number(1.0 + 1e-5), Number(1.0, 0.1), Number(1.0, 0.0, 2)):
        assert len(reproduced.differences(kept | {"a": other}, kept)) == 1
    mean = {"a": Number(1.0, 0.2, 16)}
    assert reproduced.differences({"a": Number(1.04, 0.17, 16)}, mean, searched=True) == []
    for other in (Number(1.06, 0.2, 16), Number(1.0, 0.3, 16), Number(1.0, 0.2, 15)):
        assert len(reproduced.differences({"a": other}, mean, searched=True)) == 1
    assert len(reproduced.differences({"a": Number(1.04, 0.17, 16)}, mean)) == 1
    assert reproduced.differences({"a": Number(1.0)}, kept) == ["other numbers than recorded: b"]


@pytest.mark.parametrize(
    "wrong",
    [{"verdict": "true"}, {"verdict": "differs", "why": ""}, {"compute": None}, {"pace": "slow"}, {"kept": "a file"}],
    ids=str,
)
def test_a_row_must_be_whole(wrong: dict[str, str | None]) -> None:
    with pytest.raises(ValueError, match="metric-alpha: "):
        replace(ROWS["metric-alpha"], **wrong)


# --- the page ---------------------------------------------------------------------------------------------


def test_the_page_shows_every_row_with_its_recorded_numbers_and_filters_them() -> None:
    app = open_page("papers")
    assert not app.warning and not app.error
    shown = "".join(html_of(app))
    assert shown.count("<article>") == len(ROWS)
    for row in COMPUTED:
        assert all(f"<span>{escape(number_text(one))}</span>" in shown for one in stored(row).values()), row.key
    assert "`" not in shown and "<code>private_<wbr>measure</code>" in shown
    assert "W<sub>p</sub><sup>p</sup>(μ<sub>i</sub>, ν)" in shown and not re.search(r"[Wd]_\w", shown)
    app.sidebar.selectbox(key="papers_paper").set_value("wpm").run()
    app.sidebar.selectbox(key="papers_verdict").set_value("differs").run()
    assert "".join(html_of(app)).count("<article>") == 1
    linked = open_page("papers", {"papers_paper": "DP Sinkhorn", "papers_verdict": "Agrees"})
    count = sum(row.paper == "sinkhorn" and row.verdict == "agrees" for row in ROWS.values())
    assert "".join(html_of(linked)).count("<article>") == count
    assert (
        "No row"
        in open_page("papers", {"papers_paper": "Wasserstein projection", "papers_verdict": "Not recorded"})
        .info[0]
        .value
    )


# --- the command line -------------------------------------------------------------------------------------


def test_rows_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "list"]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == list(ROWS)
    assert main(["papers", "list", "--paper", "wpm", "--verdict", "differs"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.split("\t")[2] == VERDICTS["differs"] and line.split("\t")[4] == "not stated in the paper"
    assert main(["papers", "list", "--paper", "minimax", "--kind", "setting"]) == 0
    assert capsys.readouterr().out.split("\t")[0] == "minimax-mbde"


def test_recorded_numbers_read_back_unchanged() -> None:
    """No positive number reads 0, no seed is a broken phrase, one number has one value in the rows that name it."""
    assert not [
        row.key for row in COMPUTED for one in stored(row).values() if one.value > 0 and number_text(one) == "0"
    ]
    assert "seed the view's" not in markdown()
    spent = stored(ROWS["barycenters-amplification"]).values()
    noise = [*stored(ROWS["barycenters-algorithm2"])]
    assert all(any(f"ε = {number_text(one)}," in name for name in noise) for one in spent)


def test_no_row_is_left_open() -> None:
    """Every place has a number of ours, or a reason why there cannot be one."""
    assert [row.key for row in ROWS.values() if row.verdict == "open"] == []


def test_rows_run_and_what_differs_fails(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["papers", "run", "metric-alpha", "wpm-fig2", "wpm-appendixI"]
    assert main(asked) == 0
    alpha, movies, flow = sorted(capsys.readouterr().out.splitlines())[0:3]
    assert "as recorded" in alpha and "made elsewhere" in flow + movies
    monkeypatch.setitem(ROWS, "metric-alpha", replace(ROWS["metric-alpha"], compute=lambda: {"α": Number(24.0)}))
    assert main(asked) == 1
    assert "metric-alpha: α: 24, recorded 25" in capsys.readouterr().err
    off = ROWS["metric-alpha"], {"α": Number(1.0, 0.2, 16)}
    monkeypatch.setattr(reproduced, "stored", lambda row: off[1])
    for searched, word in ((True, "within a standard error of what is recorded"), (False, "NOT as recorded")):
        row = replace(off[0], compute=lambda: {"α": Number(1.04, 0.2, 16)}, searched=searched)
        monkeypatch.setitem(ROWS, "metric-alpha", row)
        assert main(["papers", "run", "metric-alpha"]) == (not searched)
        assert capsys.readouterr().out.split("\t")[2] == word
    assert main(["papers", "run", "wpm-fig99"]) == 2
    assert "there is no row 'wpm-fig99'" in capsys.readouterr().err


def test_a_row_gives_a_scenario_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "scenario", "wpm-fig1-left"]) == 0
    (scenario,) = read(capsys.readouterr().out.encode())
    assert scenario.config == ROWS["wpm-fig1-left"].config and scenario.config.epsilon == 5.0
    assert main(["papers", "scenario", "wpm-appendixI"]) == 2
