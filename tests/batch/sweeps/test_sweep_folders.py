"""A sweep's folder: it is extended, its files are whole, no link is followed and nothing of others touched."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario
from dpot_app.batch.sweeps import example, running
from dpot_app.command_line import FAILED, UNUSABLE, main
from dpot_app.views.ring import settings as ring
from tests.batch.sweeps.here import in_this_process

SMALL = "sweep: 1\nview: ring.outputs\nsettings: {ring: {k: 12}}\nover:\n  epsilon: [1, 2]\n"
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


def held(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def swept(folder: Path, text: str = SMALL) -> int:
    """Into the folder `out` of this one, without other processes."""
    (folder / "s.yaml").write_text(text, encoding="utf-8")
    return main(["sweep", str(folder / "s.yaml"), "--out", str(folder / "out")])


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "imap_unordered", in_this_process)


def uncomputed(*_: object) -> None:
    pytest.fail("something was computed")


def test_files_of_others_stay_and_a_promise_of_another_sweep_goes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "analysis.py").write_text("mine")
    assert swept(tmp_path) == 0 and "guarantee.txt" in held(out)
    assert swept(tmp_path, example(VIEWS["explain.distance"])) == 0
    assert {"results.parquet", "columns.csv", "no-release.txt", "analysis.py"} == {
        name for name in held(out) if "/" not in name
    }
    assert not [*out.rglob(".dpot-*")]


@pytest.mark.parametrize(
    "name", ["results.parquet", "columns.csv", "guarantee.txt", "no-release.txt", "points", "numbers.json"]
)
def test_files_with_names_of_ours_that_no_sweep_wrote_are_refused_before_anything_is_computed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("theirs")
    monkeypatch.setattr(running, "answer", uncomputed)
    assert swept(tmp_path) == UNUSABLE
    assert f"out/{name}: does not belong to what is written there" in capsys.readouterr().err.replace(os.sep, "/")
    assert held(tmp_path / "out") == {name: b"theirs"}


def test_a_run_and_a_sweep_do_not_share_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "out", tmp_path / "one.yaml"
    file.write_text(scenarios.write([Scenario("ring.outputs", "one", ring.Config())]), encoding="utf-8")
    command = ["run", str(file), "--out", str(out)]
    assert main(command) == 0
    before = held(out)
    assert swept(tmp_path) == UNUSABLE and held(out) == before
    out.rename(tmp_path / "run")
    assert swept(tmp_path) == 0
    before = held(out)
    monkeypatch.setattr(scenarios, "run", uncomputed)
    assert main(command) == UNUSABLE and held(out) == before


@posix
@pytest.mark.parametrize("name", ["", "results.parquet", "guarantee.txt", "no-release.txt", "points"])
def test_links_are_refused_and_lead_nowhere(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert swept(tmp_path) == 0
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    monkeypatch.setattr(running, "answer", uncomputed)
    if (out / name).exists():
        (out / name).rename(elsewhere)
    (out / name).symlink_to(elsewhere)
    before = held(tmp_path)
    capsys.readouterr()
    assert swept(tmp_path, SMALL.replace("2]", "3]")) == UNUSABLE
    assert str(out / name) in capsys.readouterr().err
    assert {at: text for at, text in held(tmp_path).items() if at != "s.yaml"} == {
        at: text for at, text in before.items() if at != "s.yaml"
    }


@posix
def test_a_link_that_comes_while_it_is_computed_gives_way(tmp_path: Path) -> None:
    assert swept(tmp_path) == 0
    out, theirs = tmp_path / "out", tmp_path / "theirs"
    theirs.write_text("theirs")
    (point,) = [*(out / "points").iterdir()][:1]
    kept = point.read_bytes()
    point.unlink()
    point.symlink_to(theirs)  # a damaged record: computed again
    assert swept(tmp_path) == 0
    assert theirs.read_text() == "theirs" and not point.is_symlink() and point.read_bytes() == kept


def test_a_full_disk_leaves_table_and_promise_and_the_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert swept(tmp_path) == 0
    out = tmp_path / "out"
    before = held(out)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)  # points are not asked to last
        assert swept(tmp_path, SMALL.replace("2]", "3]")) == FAILED
    assert f"dpot: error: {out / 'results.parquet'}: No space left on device\n" in capsys.readouterr().err
    after = held(out)
    assert {name: after.get(name) for name in before} == before, "what was computed is kept beside it"
    assert len(after) == len(before) + 1
    assert swept(tmp_path, SMALL.replace("2]", "3]")) == 0
