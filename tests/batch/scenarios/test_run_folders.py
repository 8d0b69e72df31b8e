"""`dpot run` into a folder: all of the new run or what was there before, and nothing of others is touched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario
from dpot_app.command_line import FAILED, UNUSABLE, main
from dpot_app.views.ring import settings as ring
from tests.batch.scenarios.folders import holds

ROOT = Path(__file__).resolve().parents[3]
#: Of different tables; only the first releases something.
RINGS = Scenario("ring.outputs", "rings", ring.Config(ring=ring.Ring(k=12), mechanisms=("wpm", "em")))
DISTANCE = Scenario("explain.distance", "a distance", VIEWS["explain.distance"].example)
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX only")


def asked(folder: Path, *wanted: Scenario) -> Path:
    file = folder / "asked.yaml"
    file.write_text(scenarios.write(wanted), encoding="utf-8")
    return file


def run(folder: Path, *wanted: Scenario) -> int:
    """Into the folder `out` of this one."""
    return main(["run", str(asked(folder, *wanted)), "--out", str(folder / "out")])


def held(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("earlier")
    assert run(folder, RINGS) == 0
    return folder / "out"


@pytest.fixture
def again(earlier: Path, tmp_path: Path) -> Path:
    """A folder with an earlier run's in it."""
    shutil.copytree(earlier, tmp_path / "out")
    return tmp_path


def uncomputed(*_: object) -> None:
    pytest.fail("something was computed")


def test_nothing_of_an_earlier_run_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    for wanted in ([RINGS], [DISTANCE], [RINGS, DISTANCE, RINGS], [DISTANCE, RINGS], [RINGS]):
        assert run(tmp_path, *wanted) == 0
        names = [f"{number:02d}-{one.kind}" for number, one in enumerate(wanted, 1)] if len(wanted) > 1 else [""]
        for name, one in zip(names, wanted, strict=True):
            holds(out / name, scenarios.run(one))
        said = capsys.readouterr().out.splitlines()
        assert sorted(said) == sorted(str(out / name) for name in held(out)), "each is named, at its place"
        assert {path.name for path in tmp_path.iterdir()} == {"out", "asked.yaml"}
    assert {"guarantee.txt", "no-release.txt"} & held(out).keys() == {"guarantee.txt"}


def test_a_folder_that_earlier_versions_left_with_both_promises_is_replaced(again: Path) -> None:
    (again / "out" / "no-release.txt").write_text("Nothing is released.\n")
    assert run(again, RINGS) == 0
    assert not (again / "out" / "no-release.txt").exists()


def test_the_scenario_that_a_run_left_there_is_run_again_at_its_place(again: Path) -> None:
    out = again / "out"
    assert main(["run", str(out / "scenario.yaml"), "--out", str(out), "--set", "epsilon=3"]) == 0
    holds(out, scenarios.run(replace(RINGS, config=replace(RINGS.config, epsilon=3.0))))


@pytest.mark.parametrize(
    "theirs",
    ["thesis.tex", "other.csv", ".git/config", "plots/one.png", "01-ring.outputs/numbers.json", "results.parquet"],
)
def test_foreign_files_in_the_folder_are_refused_before_anything_is_computed(
    theirs: str, again: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = again / "out" / theirs
    file.parent.mkdir(exist_ok=True)
    file.write_text("{}")
    before = held(again / "out")
    monkeypatch.setattr(scenarios, "run", uncomputed)
    assert run(again, DISTANCE) == UNUSABLE
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert "does not belong to what is written there; name another folder" in said.err
    if not theirs.startswith("01"):  # with a folder of several there it is the files beside it
        assert f"dpot: error: {again / 'out' / theirs.partition('/')[0]}: " in said.err
    assert held(again / "out") == before


@pytest.mark.parametrize("content", [b"", b"[]", b'{"tables": {}}', b'{"config": {}, "tables": {}}', b"[" * 10**5])
def test_a_folder_is_an_earlier_run_s_by_its_numbers_only(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "scenario.yaml").write_text("# mine")
    monkeypatch.setattr(scenarios, "run", uncomputed)
    assert run(tmp_path, RINGS) == UNUSABLE
    (out / "numbers.json").write_bytes(content)
    assert run(tmp_path, RINGS) == UNUSABLE
    assert held(out) == {"scenario.yaml": b"# mine", "numbers.json": content}


@posix
def test_links_lead_nowhere(again: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    secret = again / "secret"
    secret.mkdir()
    (secret / "keys").write_text("theirs")
    out, whole = again / "out", held(again / "out")
    monkeypatch.setattr(scenarios, "run", uncomputed)
    for name in whole:
        (out / name).unlink()
        for target in (secret / "keys", secret / "new", Path("/dev/null")):
            (out / name).symlink_to(target)
            assert run(again, RINGS) == UNUSABLE
            assert "does not belong" in capsys.readouterr().err
            (out / name).unlink()
        (out / name).write_bytes(whole[name])
    os.mkfifo(out / "snippet2.py")
    (out / "numbers.json").unlink()
    os.mkfifo(out / "numbers.json")  # a reader would wait forever
    assert run(again, RINGS) == UNUSABLE
    shutil.rmtree(out)
    out.symlink_to(secret)
    assert run(again, RINGS) == UNUSABLE
    assert "out: is a symbolic link, which is not followed; name the folder" in capsys.readouterr().err
    out.unlink()
    out.write_text("a file")
    assert run(again, RINGS) == UNUSABLE
    assert "out: is a file, and must be a folder" in capsys.readouterr().err
    assert held(secret) == {"keys": b"theirs"} and out.read_text() == "a file"


def test_the_present_folder_is_not_replaced(
    again: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, before = asked(again, RINGS), held(again / "out")
    monkeypatch.chdir(again / "out")
    for place in (".", "../out", str(again / "out"), ".."):
        assert main(["run", str(file), "--out", place]) == UNUSABLE
        assert "is the present folder, or holds it" in capsys.readouterr().err
    assert held(again / "out") == before
    assert main(["run", str(file), "--out", "new"]) == 0
    assert held(again / "out" / "new").keys() == before.keys()


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (KeyboardInterrupt(), None),
        (RuntimeError("no convergence"), FAILED),
        (ValueError("too far apart"), UNUSABLE),
        (scenarios.ScenarioError("gone", ("data",)), UNUSABLE),
    ],
    ids=repr,
)
@pytest.mark.parametrize("before", [True, False], ids=["an earlier run", "no folder"])
def test_a_run_that_does_not_end_leaves_what_was_there(
    before: bool, problem: BaseException, code: int | None, again: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not before:
        shutil.rmtree(again / "out")
    there, real = held(again / "out"), scenarios.run

    def fail(scenario: Scenario, *rest: object) -> scenarios.Outcome:
        if scenario.kind == DISTANCE.kind:
            raise problem
        return real(scenario, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(scenarios, "run", fail)
    if code is None:
        with pytest.raises(KeyboardInterrupt):
            run(again, RINGS, DISTANCE)
    else:
        assert run(again, RINGS, DISTANCE) == code
    assert held(again / "out") == there and (again / "out").exists() == before
    assert {path.name for path in again.iterdir()} - {"out"} == {"asked.yaml"}


@posix
def test_a_full_disk_leaves_the_earlier_run_and_the_file_is_named(
    again: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file of this process may be as large as the largest: another process would import everything for this."""
    import resource  # on POSIX only

    out, before = again / "out", held(again / "out")
    largest = max(before, key=lambda name: len(before[name]))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before[largest]) - 1, hard))
    try:
        code = main(["run", str(out / "scenario.yaml"), "--out", str(out)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    said = capsys.readouterr()
    assert (code, said.out) == (FAILED, ""), said.err
    assert said.err == f"dpot: error: {out / largest}: File too large\n"
    assert held(out) == before and [*again.iterdir()] == [out]


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_onto_a_full_disk_is_reported() -> None:
    command = [sys.executable, "-m", "dpot_app", "example", "ring.outputs"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == FAILED
    assert done.stderr == "dpot: error: standard output: No space left on device\n"
