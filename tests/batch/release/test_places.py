"""One place each, for real: what is drawn keeps its promise, and tells nothing beside it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.batch import scenarios
from dpot_app.batch.release.ledger import Ledger
from dpot_app.batch.release.places import DRY_PEOPLE, one_place_each, outputs
from dpot_app.batch.tags import tag_of
from dpot_app.cities.place import Place
from dpot_app.command_line import DONE, FAILED, UNUSABLE, main
from dpot_app.views.geolocation.settings import Config
from dpot_core.mechanisms import WITHOUT_PRIOR
from tests.batch.release.exactness import weights_within

ROOT = Path(__file__).resolve().parents[3]
BOX = (11.3, 48.0, 11.8, 48.3)
CORNER, OTHER, MIDDLE, OUTSIDE = (48.01, 11.31), (48.29, 11.79), (48.15, 11.55), (10.0, -20.0)
Visits = dict[str, list[tuple[float, float]]]


def file_of(visits: Visits) -> bytes:
    lines = [f"{user},{lat},{lon}" for user, at in visits.items() for lat, lon in at]
    return "\n".join(["user,lat,lon", *lines]).encode()


def scenario(content: bytes, name: str = "", **settings: object) -> scenarios.Scenario:
    place = Place(n=5, least=1, box=BOX)
    config = replace(Config(source="csv", place=place, epsilon=1.0), **settings)
    return scenarios.Scenario(
        "geolocation.person", "one place each", config, (("check-ins", tag_of(content)),), "", name
    )


def prepared(visits: Visits, name: str = "", **settings: object):
    content = file_of(visits)
    return one_place_each(scenario(content, name, **settings), {"check-ins": content})


def distributions(made) -> list[tuple[dpot.Polytope, np.ndarray]]:
    return [*outputs(made.city, made.public, made.mechanism)]


@pytest.mark.parametrize(
    ("name", "base"),
    [*((name, "best-uniform") for name in WITHOUT_PRIOR), ("wpm", "minimax"), ("em", "minimax"), ("wpm", "own")],
)
def test_a_released_place_is_as_likely_but_for_e_epsilon_for_every_history(name: str, base: str) -> None:
    """Exact: whole numbers over one total, from files that share nothing but the public map."""
    asked = {"name": dpot.MECHANISMS[name].label.lower(), "base": base, "own": "0.2 0.3 9; 0.8 0.4 2"}
    first = distributions(prepared({"a": [CORNER], "b": [MIDDLE, OTHER]}, **asked))
    second = distributions(prepared({"z": [OTHER] * 9, "y": [OUTSIDE], "x": [MIDDLE, CORNER, CORNER]}, **asked))
    weights_within(1.0, [*first, *second])


def test_whether_there_is_a_release_does_not_depend_on_the_file() -> None:
    """Both people are where the base measure has mass; others could be where it has none."""
    with pytest.raises(scenarios.ScenarioError, match="has no output for some inputs"):
        prepared({"a": [CORNER], "b": [OTHER]}, "mollifier", base="minimax")


def test_a_person_s_release_does_not_depend_on_the_others() -> None:
    alone = distributions(prepared({"a": [CORNER, MIDDLE]}, reg=None))[0][1]
    among = prepared({"z": [OTHER], "a": [CORNER, MIDDLE], **{f"more {i}": [MIDDLE] for i in range(45)}}, reg=None)
    assert distributions(among)[among.people.index("a")][1] == pytest.approx(alone, abs=1e-12)


def test_every_person_in_the_file_takes_part_once() -> None:
    made = prepared({f"p{number}": [CORNER] for number in range(700)}, epsilon=8.0)
    table = made.drawn(named=True)
    assert list(table["person"]) == [f"p{number}" for number in range(700)]
    frequent = table["cell"].value_counts()
    assert frequent.index[0] == 0, "the cell in the south-west, where they all are"
    assert not (table["cell"] == made.drawn(named=True)["cell"]).all(), "drawn anew, from no seed"


def test_without_names_neither_they_nor_their_order_are_published() -> None:
    made = prepared({f"p{number}": [CORNER if number < 300 else OTHER] for number in range(600)}, epsilon=10.0)
    table = made.drawn(named=False)
    assert "person" not in table.columns
    # In the order of the file nearly all of the first half would lie in the south-west.
    assert 0.3 < (table["cell"][:300] == 0).mean() < 0.7


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["wpm", "em"])
def test_an_audit_of_a_hundred_thousand_releases_finds_no_more_than_is_promised(name: str) -> None:
    def releases(at: tuple[float, float], n: int, _: np.random.Generator) -> np.ndarray:
        return prepared({f"p{number}": [at] for number in range(n)}, name).drawn(named=True)["cell"].to_numpy()

    found = dpot.audit(releases, [(CORNER, OTHER)], 100_000, np.random.default_rng(1))
    assert 0.3 < found <= 1.0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"place": Place(n=5, least=1)}, "the map must be public"),
        ({"place": Place(n=5, least=1, box=BOX, within=5.0)}, "the map must be public"),
        ({"base": "prior", "place": Place(n=5, least=1, box=BOX, held_out=True)}, "costs their privacy"),
        ({"mechanisms": ("kpm-prior",), "place": Place(n=5, least=1, box=BOX, held_out=True)}, "costs their privacy"),
    ],
)
def test_private_maps_are_refused_with_a_request_for_public_ones(settings: dict[str, object], words: str) -> None:
    with pytest.raises(scenarios.ScenarioError, match=words):
        prepared({"a": [CORNER], "b": [MIDDLE]}, **settings)


# --- the command ------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DPOT_LEDGER", str(tmp_path / "ledger.db"))
    content = file_of({"ann": [CORNER, MIDDLE], "=1+1": [OTHER], "cem": [OUTSIDE]})
    (tmp_path / "customers.csv").write_bytes(content)
    (tmp_path / "asked.yaml").write_text(scenarios.write([scenario(content)]), encoding="utf-8")
    return tmp_path


def release(folder: Path, *more: str, out: str = "released.csv", data: bool = True) -> int:
    given = ["--data", str(folder / "customers.csv")] if data else []
    return main(["release", str(folder / "asked.yaml"), "--out", str(folder / out), *given, *more])


def rows(file: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig")))]


def test_the_walk_from_a_file_to_what_is_released(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release(folder, "--dry-run", out="dry.csv", data=False) == DONE
    assert len(rows(folder / "dry.csv")) == DRY_PEOPLE and {row["simulated"] for row in rows(folder / "dry.csv")} == {
        "True"
    }
    assert not Ledger.usual().file.exists()
    assert release(folder) == UNUSABLE and "say with --total" in capsys.readouterr().err
    assert release(folder, "--total", "2.5") == DONE
    assert "3 places, ε = 1 for each person; total ε = 2.5" in capsys.readouterr().out
    assert [sorted(row) for row in rows(folder / "released.csv")] == [["cell", "lat", "lon"]] * 3
    said = json.loads((folder / "released.csv.json").read_text(encoding="utf-8"))
    assert said["epsilon"] == 1.0 and said["promise"][0] == "ε = 1 nats." and said["people"] == 3
    assert "simulated" not in json.dumps(said)
    before = (folder / "released.csv").read_bytes()
    assert release(folder) == UNUSABLE and "is never replaced" in capsys.readouterr().err
    assert release(folder, "--names", out="named.csv") == DONE
    assert [row["person"] for row in rows(folder / "named.csv")] == ["ann", "'=1+1", "cem"]
    assert "the names of people" in json.loads((folder / "named.csv.json").read_text(encoding="utf-8"))["public"]
    assert release(folder, out="third.csv") == UNUSABLE
    assert "beyond the total of ε = 2.5; up to ε = 2 are spent" in capsys.readouterr().err
    assert not (folder / "third.csv").exists() and (folder / "released.csv").read_bytes() == before
    assert main(["ledger"]) == DONE
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == 2 and all("one place each by WPM\t3\tε = 1" in line for line in listed)


def test_a_file_with_one_more_row_is_no_way_round_the_ledger(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release(folder, "--total", "1") == DONE
    content = (folder / "customers.csv").read_bytes() + b"\ndan,48.1,11.5"
    (folder / "customers.csv").write_bytes(content)
    (folder / "asked.yaml").write_text(scenarios.write([scenario(content)]), encoding="utf-8")
    assert release(folder, out="again.csv") == UNUSABLE
    assert "3 people of 4 would be beyond the total" in capsys.readouterr().err


def test_nothing_that_is_written_identifies_the_file(folder: Path) -> None:
    import hashlib

    assert release(folder, "--total", "1") == DONE
    digest = hashlib.sha256((folder / "customers.csv").read_bytes()).hexdigest()
    written = b"".join(path.read_bytes() for path in (folder / "released.csv", folder / "released.csv.json"))
    ledger = (folder / "ledger.db").read_bytes()
    assert digest.encode() not in written + ledger
    assert not any(name.encode() in written + ledger for name in ("ann", "cem"))


def test_unwritable_or_unreadable_files_are_reported_before_the_charge(folder: Path, capsys) -> None:
    assert release(folder, "--total", "1", out="no/such/released.csv") == UNUSABLE
    assert "there is no folder" in capsys.readouterr().err
    (folder / "released.csv.json").write_text("mine", encoding="utf-8")
    assert release(folder, "--total", "1") == UNUSABLE and "is never replaced" in capsys.readouterr().err
    asked = (folder / "asked.yaml").read_text(encoding="utf-8").replace("zones: false", "zones: true")
    tags = asked.replace("{check-ins:", f"{{zones: '{tag_of(b'zones')}', check-ins:")
    (folder / "asked.yaml").write_text(tags, encoding="utf-8")
    assert release(folder, "--dry-run", out="dry.csv", data=False) == UNUSABLE
    assert "the file is not here" in capsys.readouterr().err
    assert not Ledger.usual().file.exists() and (folder / "released.csv.json").read_text(encoding="utf-8") == "mine"


def test_one_who_was_everywhere_on_a_fine_grid_is_refused_before_it_is_charged() -> None:
    everywhere = [(lat, lon) for lat in np.linspace(48.01, 48.29, 60) for lon in np.linspace(11.31, 11.79, 60)]
    with pytest.raises(scenarios.ScenarioError, match="take fewer cells per side"):
        prepared({"a": everywhere, "b": [CORNER]}, place=Place(n=128, least=1, box=BOX))
    assert (
        len(prepared({"a": everywhere[:900], "b": [CORNER]}, "k-rr", place=Place(n=64, least=1, box=BOX)).drawn(True))
        == 2
    )


#: Where a process is killed: in which call, before it or after; what is charged and what is there then.
STEPS = {
    "before the charge": ("Ledger.charge", 1, "before", 0, False),
    "after the charge": ("Ledger.charge", 1, "after", 1, False),
    "before the promise has its name": ("os.replace", 1, "before", 1, False),
    "before the places have theirs": ("os.replace", 2, "before", 1, False),
    "after the places have theirs": ("os.replace", 2, "after", 1, True),
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="POSIX only")
@pytest.mark.parametrize(
    "step",
    [at if at == "before the places have theirs" else pytest.param(at, marks=pytest.mark.nightly) for at in STEPS],
)
def test_whenever_it_is_killed_nothing_is_half_released_and_nothing_is_free(folder: Path, step: str) -> None:
    name, number, when, charged, released = STEPS[step]
    code = f"""
import os, signal, sys
from dpot_app.command_line import main
from dpot_app.batch.release.ledger import Ledger
was, calls = {name}, []
def killed(*given, **more):
    calls.append(1)
    if len(calls) < {number} or {when == "after"}:
        done = was(*given, **more)
        if len(calls) < {number}:
            return done
    os.kill(os.getpid(), signal.SIGKILL)
{name} = killed
main(sys.argv[1:])
"""
    given = ["release", str(folder / "asked.yaml"), "--data", str(folder / "customers.csv"), "--total", "1"]
    done = subprocess.run([sys.executable, "-c", code, *given, "--out", str(folder / "released.csv")], cwd=ROOT)
    assert done.returncode == -9
    ledger = Ledger.usual()
    assert len(ledger.rows() if ledger.file.exists() else ()) == charged
    assert (folder / "released.csv").exists() == released
    if released:
        assert len(rows(folder / "released.csv")) == 3 and (folder / "released.csv.json").exists()
    assert release(folder, "--total", "1", out="again.csv") == (UNUSABLE if charged else DONE)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a full disk is a device of Linux")
def test_on_a_full_disk_the_file_is_named_and_the_release_is_paid_for(folder: Path, monkeypatch, capsys) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dpot_core.datasets.writing.os.fsync", full)
    assert release(folder, "--total", "1") == FAILED
    assert f"{folder / 'released.csv.json'}: No space left" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setenv("DPOT_LEDGER", str(folder / "ledger.db"))
    assert sorted(path.name for path in folder.glob("*")) == ["asked.yaml", "customers.csv", "ledger.db"]
    assert release(folder, out="again.csv") == UNUSABLE, "it counts"
