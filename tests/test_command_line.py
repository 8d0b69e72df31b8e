"""The command line as a script uses it: exit codes, messages, files that hold the same numbers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario, get
from dpot_app.batch.scenarios.documents import SCHEMA
from dpot_app.batch.sweeps import example, read
from dpot_app.batch.tags import tagged
from dpot_app.command_line import UNUSABLE, main
from dpot_app.serve import servers
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.ring import settings as ring
from dpot_core.datasets import DatasetMissing
from tests.batch.scenarios.folders import holds
from tests.batch.scenarios.outcomes import by_day
from tests.batch.scenarios.settings import settings_of

#: The schema of a file that comes from a later program.
NEWER = SCHEMA + 1

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted({key.split(".")[0] for key in VIEWS})


def command(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpot_app", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | more,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.nightly
def test_one_kind_of_every_page_gives_the_page_s_numbers(tmp_path: Path) -> None:
    chosen = [next(key for key in VIEWS if key.startswith(f"{page}.")) for page in PAGES]
    asked = [Scenario(key, f"{key} on the command line", settings_of(key)[-1]) for key in chosen]
    (tmp_path / "all.yaml").write_text(scenarios.write(asked), encoding="utf-8")
    done = command("run", tmp_path / "all.yaml", "--out", tmp_path / "out", "--progress")
    assert done.returncode == 0, done.stderr
    folders = [tmp_path / "out" / f"{number:02d}-{key}" for number, key in enumerate(chosen, start=1)]
    for folder, scenario in zip(folders, asked, strict=True):
        holds(folder, scenarios.run(scenario))
        snippet = (folder / "snippet.py").read_text(encoding="utf-8")
        assert snippet == scenario.view.python(scenario.config)
    written = {Path(line) for line in done.stdout.splitlines()}
    assert written == {path for folder in folders for path in folder.iterdir()}


@pytest.mark.nightly
def test_the_list_names_every_kind_and_each_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """Also on a screen of ASCII; and Streamlit is not imported for it."""
    code = (
        "import sys; from dpot_app.command_line import main; code = main(['list']); "
        "sys.exit([name for name in sys.modules if name.startswith(('streamlit', 'pages'))] or code)"
    )
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == list(VIEWS)
    for key, kind in VIEWS.items():
        assert main(["example", key]) == 0
        (scenario,) = scenarios.read(capsys.readouterr().out)
        assert scenario.kind == key and scenario.config == kind.example


def test_settings_are_changed_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["--set", "ring.k=12", "--set", "mechanisms=[wpm, em]", "--set", "reg=1e-2"]
    assert main(["example", "ring.outputs", *changes]) == 0
    (scenario,) = scenarios.read(text := capsys.readouterr().out)
    assert scenario.config == ring.Config(ring=ring.Ring(k=12), mechanisms=("wpm", "em"), reg=0.01)
    file, out = tmp_path / "one.yaml", tmp_path / "out"
    file.write_text(text, encoding="utf-8")
    assert main(["run", str(file), "--out", str(out), "--set", "epsilon=3"]) == 0
    (ran,) = scenarios.read((out / "scenario.yaml").read_bytes())
    assert ran.config == replace(scenario.config, epsilon=3.0)
    for change, words in {"k=12": "a setting that a scenario has", "ring.k": "NAME=VALUE", "ring.k=x": "whole"}.items():
        assert main(["example", "ring.outputs", "--set", change]) == UNUSABLE
        assert words in capsys.readouterr().err
    assert main(["example", "ring.outputs", "--set", "ring.every=30"]) == UNUSABLE


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_an_example_names_the_data_that_it_is_run_with(
    key: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where its example reads a data set that is on this machine; without it the example is there all the same."""
    kind, there = VIEWS[key], {name: "0" * 64 for name in VIEWS[key].data_sets[:1]}
    monkeypatch.setitem(VIEWS, key, replace(kind, digests=lambda config: there))
    assert main(["example", key]) == 0
    (scenario,) = scenarios.read(capsys.readouterr().out)
    assert dict(scenario.data) == there

    def absent(config: object) -> dict[str, str]:
        raise DatasetMissing("not here")

    monkeypatch.setitem(VIEWS, key, replace(kind, digests=absent))
    assert main(["example", key]) == 0
    (scenario,) = scenarios.read(capsys.readouterr().out)
    assert scenario.data == ()


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_settings_are_changed_in_sweeps_as_in_scenarios(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A setting that is given by name has that value at every point, also one that would vary without."""
    kind = VIEWS[key]
    numbers = [name for name, known in kind.declared.items() if known.low is not None and known.high is not None]
    varied = next(iter(read(example(kind)).over))
    changes = {varied: get(kind.example, varied)}
    given = [part for name, value in changes.items() for part in ("--set", f"{name}={scenarios.value_text(value)}")]
    code = main(["example", key, "--sweep", *given])
    said = capsys.readouterr()
    if len(numbers) < 2:
        assert code == UNUSABLE and "varies a number" in said.err
        return
    sweep = read(said.out)
    assert not sweep.over.keys() & changes.keys()
    assert all(get(sweep.config, name) == value for name, value in changes.items())


def test_a_sweep_of_another_source_is_of_that_source(capsys: pytest.CaptureFixture[str]) -> None:
    changes = ["--set", "ring.k=12", "--set", "mechanisms=[wpm, em]"]
    assert main(["example", "ring.outputs", "--sweep", *changes]) == 0
    sweep = read(capsys.readouterr().out)
    assert (sweep.config.ring.k, sweep.config.mechanisms) == (12, ("wpm", "em"))
    assert main(["example", "ring.outputs", "--sweep", "--set", "ring.j=12"]) == UNUSABLE


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_every_example_is_checked(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "example.yaml"
    for more, words in (([], VIEWS[key].title), (["--sweep"], "a sweep of ")):
        assert main(["example", key, *more]) == 0
        file.write_text(capsys.readouterr().out, encoding="utf-8")
        assert main(["check", str(file)]) == 0
        assert capsys.readouterr().out.startswith(f"{key}\t{words}")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("sweep: 1", "sweep: 9"), encoding="utf-8")
    assert main(["check", str(file)]) == UNUSABLE
    assert "example.yaml: sweep (line 1): must be 1; got 9" in capsys.readouterr().err


def test_a_title_is_printed_as_one_line_of_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(scenarios.write([Scenario("ring.outputs", "one\n\x1b[31m two", ring.Config())]), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().out == "ring.outputs\tone [31m two\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: command"),
        (["run"], "required: file, --out"),
        (["sing"], "invalid choice"),
        (["example", "ring.nothing"], "there is no kind 'ring.nothing'"),
        (["schema", "ring.nothing"], "there is no kind 'ring.nothing'"),
        (["run", "missing.yaml", "--out", "out"], "missing.yaml: No such file"),
        (["run", "bad.yaml", "--out", "out"], "bad.yaml: scenarios[0].config.ring.k (line 6): must be a whole number"),
        (["check", "bad.yaml"], "bad.yaml: scenarios[0].config.ring.k (line 6): must be a whole number"),
        (["run", "newer.yaml", "--out", "out"], f"newer.yaml: schema (line 1): {NEWER} is newer than this program"),
        (["run", "own.yaml", "--out", "out"], "scenarios[0].data.check-ins: the file is not here: its tag is"),
        (
            ["run", "own.yaml", "--out", "out", "--data", "bad.yaml"],
            "--data bad.yaml: nothing here reads a file with the tag",
        ),
        (
            ["run", "unfit.yaml", "--out", "out", "--data", "bad.yaml"],
            "--data bad.yaml: nothing here reads a file with the tag",
        ),
        (["sweep", "sweep.yaml", "--out", "out", "--data", "bad.yaml"], "--data bad.yaml: nothing here reads a file"),
        (["run", "unfit.yaml", "--out", "out"], "scenarios[0]: the settings do not fit together: 7,684 of 7,684"),
    ],
    ids=str,
)
def test_unusable_input_gives_exit_code_2_and_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    good = scenarios.write([Scenario("ring.outputs", "good", ring.Config())])
    own = Scenario("geolocation.person", "own", geolocation.Config(source="csv"), (("check-ins", tagged("0" * 64)),))
    unfit = Scenario("geolocation.person", "sea", geolocation.Config(place=geolocation.Place(box=(0.0, 0.0, 1.0, 1.0))))
    Path("bad.yaml").write_text(good.replace("k: 30", "k: many"))
    Path("newer.yaml").write_text(good.replace("schema: 2", f"schema: {NEWER}"))
    Path("own.yaml").write_text(scenarios.write([own]))
    Path("sweep.yaml").write_text(example(VIEWS["ring.outputs"]))
    Path("unfit.yaml").write_text(scenarios.write([unfit]))
    try:
        code = main(arguments)
    except SystemExit as ended:  # argparse
        code = ended.code
    said = capsys.readouterr()
    assert code == 2 and said.out == ""
    assert said.err.splitlines()[-1].startswith("dpot")
    assert message in said.err.splitlines()[-1]
    assert not Path("out").exists()


@pytest.mark.nightly
def test_a_file_without_an_end_is_not_read_to_it(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_text(scenarios.write([Scenario("ring.outputs", "good", ring.Config())]))
    out = ["--out", tmp_path / "out"]
    asked = (
        (["check", "/dev/zero"], "at most 200,000 bytes"),
        (["run", "/dev/zero", *out], "at most 200,000 bytes"),
        (["sweep", "/dev/zero", *out], "at most 200,000 bytes"),
        (["run", good, *out, "--data", "/dev/zero"], "--data /dev/zero: must have at most 52,428,800 bytes"),
    )
    commands = [[*map(str, arguments)] for arguments, _ in asked]
    # With room for the largest file that can be used, and no more.
    code = (
        "import resource; from dpot_app.__main__ import main; resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30,) * 2)"
    )
    code += f"; print([main(arguments) for arguments in {commands}])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines() == [str([UNUSABLE] * len(asked))], done.stderr[-500:]
    for line, (_, words) in zip(done.stderr.splitlines(), asked, strict=True):
        assert words in line
    assert not (tmp_path / "out").exists()


def test_failures_of_the_computation_and_of_the_disk_give_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(scenarios.write([Scenario("ring.outputs", "one", ring.Config())]))
    (tmp_path / "taken").write_text("")
    assert main(["run", str(file), "--out", str(tmp_path / "taken" / "out")]) == 1
    assert "taken: File exists" in capsys.readouterr().err

    def fail(*_: object) -> None:
        raise RuntimeError("no convergence after 10 rounds")

    monkeypatch.setattr(scenarios, "run", fail)
    assert main(["run", str(file), "--out", str(tmp_path / "out")]) == 1
    assert "the computation failed (no convergence after 10 rounds). Change" in capsys.readouterr().err


@pytest.mark.parametrize("several", [[], ["--servers", "2"]], ids=["one server", "two servers"])
@pytest.mark.parametrize(
    ("place", "words"),
    [
        (["--port", "99999"], "the port is a whole number from 0 to 65,535; got 99999"),
        (["--port", "-5"], "the port is a whole number from 0 to 65,535; got -5"),
        (["--port", "TAKEN"], "127.0.0.1 has no free port "),
        (["--address", "nosuchhost.invalid"], "nosuchhost.invalid is no address of this machine"),
        (["--address", "192.0.2.7"], "192.0.2.7 is no address of this machine"),
        (["--address", "a..b"], "a..b is no address of this machine"),
        (["--address", "a b"], "the address is a name or a number of this machine; got 'a b'"),
    ],
    ids=str,
)
def test_where_no_server_can_listen_is_said_before_one_starts(
    several: list[str], place: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    def start(*_: object, **__: object) -> None:
        pytest.fail("a server was started")

    monkeypatch.setattr(os, "execv", start)
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(servers, "haproxy", lambda: "haproxy")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        given = [part.replace("TAKEN", str(taken.getsockname()[1])) for part in place]
        assert main(["app", *several, *given]) == UNUSABLE
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and said.out == ""


def test_help_names_the_commands_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    said = capsys.readouterr().out
    for word in ("app", "list", "example", "schema", "check", "run", "Exit codes: 0"):
        assert word in said
