"""Figures as a paper prints them: which rows have one, what their captions say, and what is said without a browser."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from dpot_app.batch.reports import preprint
from dpot_app.batch.reports.papers import number_text
from dpot_app.command_line import main
from dpot_app.live import chromium
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import VERDICTS

#: Places that are a figure, at whose setting no view draws what the paper has there.
WITHOUT = {
    "barycenters-fig1",
    "wpm-fig2-least",
    "barycenters-fig3-order",
    "barycenters-fig3-scale",
    "barycenters-fig6b",
    "barycenters-fig7a",
    "barycenters-fig7b",
    # bars, of which the numbers are told
    *(key for key in ROWS if key.startswith("prior-")),
}


def test_every_figure_is_drawn_but_those_that_no_view_shows() -> None:
    places = {row.key for row in ROWS.values() if "Figure" in row.place}
    assert {row.key for row in preprint.figures([*ROWS.values()])} == places - WITHOUT
    with pytest.raises(ValueError, match="wpm-fig2-least has no figure"):
        preprint.screens(ROWS["wpm-fig2-least"])


@pytest.mark.nightly
def test_captions_of_all_figures_hold_the_numbers_of_both(tmp_path: Path) -> None:
    assert main(["papers", "figure", "--captions", "--out", str(tmp_path)]) == 0
    rows = preprint.figures([*ROWS.values()])
    assert {path.name for path in tmp_path.iterdir()} == {f"{row.key}.md" for row in rows}
    for row in rows:
        said = (tmp_path / f"{row.key}.md").read_text(encoding="utf-8")
        wanted = [row.where, row.setting, row.claim, row.source, VERDICTS[row.verdict], row.why, row.command]
        wanted += [f"{name}: {number_text(one)}" for name, one in stored(row).items()]
        wanted += [f"dpot papers figure {row.key} --out folder"]
        assert [text for text in wanted if text not in said] == [], row.key


@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
def test_figures_follow_no_link_and_leave_what_else_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, theirs = tmp_path / "out", tmp_path / "theirs"
    out.mkdir()
    theirs.write_text("theirs")
    (out / "paper.tex").write_text("theirs")
    (out / "minimax-fig3.md").symlink_to(theirs)
    command = ["papers", "figure", "minimax-fig3", "--captions", "--out"]
    assert main([*command, str(out)]) == 0
    assert theirs.read_text() == "theirs" and (out / "minimax-fig3.md").read_text().startswith("# ")
    assert {path.name for path in out.iterdir()} == {"minimax-fig3.md", "paper.tex"}
    (tmp_path / "link").symlink_to(out)
    monkeypatch.setattr(preprint, "caption", lambda _: pytest.fail("something was computed"))
    for place, words in {"link": "is a symbolic link", "theirs": "is a file, and must be a folder"}.items():
        assert main([*command, str(tmp_path / place)]) == 2
        assert f"{tmp_path / place}: {words}" in capsys.readouterr().err


@pytest.mark.nightly
def test_a_row_draws_the_pictures_that_it_names() -> None:
    one, two = preprint.screens(ROWS["minimax-fig3"]), preprint.screens(ROWS["wpm-fig1-right"])
    assert "In f-divergence" in one[0]["title"], "of the tab that the row names"
    assert [text in preprint.screens(ROWS["minimax-fig2"])[0]["title"] for text in ("0.1", "0.5", "1")] == [True] * 3
    assert len(one) == len(two) == 1 and one[0]["title"] and "λ" in two[0]["title"]
    assert one[0]["spec"]["layout"]["title"] == {"text": ""}, "it stands apart"
    said = preprint.caption(ROWS["barycenters-fig6a"], ["A digit (simulated)"])
    assert "*A digit (simulated).*" in said and "simulated." in said.split("Data: ")[1].splitlines()[0]
    assert "Data:" not in preprint.caption(ROWS["wpm-fig1-left"], ["A title"])


def test_without_a_browser_it_is_said_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "NAMES", ())
    monkeypatch.setenv("CHROMIUM", "no-such-program")
    assert main(["papers", "figure", "minimax-fig3", "--out", str(tmp_path / "new")]) == 1
    assert "install it (Debian: apt install chromium)" in capsys.readouterr().err
    assert not (tmp_path / "new").exists(), "nothing is begun"


def test_rows_without_a_figure_are_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "figure", "metric-alpha", "--out", str(tmp_path)]) == 2
    assert "metric-alpha has no figure of its own; those that have: none of this paper" in capsys.readouterr().err
    assert main(["papers", "figure", "wpm-fig2-least", "--out", str(tmp_path)]) == 2
    assert "wpm-fig1-left" in capsys.readouterr().err


@pytest.mark.nightly
def test_a_picture_may_be_of_another_choice_than_those_beside_it() -> None:
    row = replace(ROWS["barycenters-fig3a"], settings={"m": 3, "n": 2_000, "chunks": 50})
    names = [screen["title"].split(":")[0] for screen in preprint.screens(row)]
    assert names == ["Without privacy", "Coreset", "Perturbation"]
    with pytest.raises(ValueError, match=r"names no-map; population\.map draws map-non-private"):
        preprint.screens(replace(row, pictures=("no-map",)))
