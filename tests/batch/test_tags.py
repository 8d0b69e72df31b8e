"""Tags of private files: the same on this machine, comparable nowhere else, and made from a key that is kept once."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dpot_app.batch import scenarios, tags
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError, settings_rows
from dpot_app.command_line import UNUSABLE, main
from dpot_app.views.geolocation import settings as geolocation

FILE = b"user,lat,lon\nu1,30.25,-97.75\nu1,30.26,-97.74\n"
CONFIG = geolocation.Config(source="csv", place=geolocation.Place(n=5, least=2))


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a key of its own will be."""
    place = tmp_path / "user" / "tags.key"
    monkeypatch.setenv(tags.WHERE, str(place))
    return place


def elsewhere(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Another machine from here on."""
    monkeypatch.setenv(tags.WHERE, str(place.with_name("another.key")))


def mine() -> Scenario:
    return Scenario("geolocation.person", "mine", CONFIG, (("check-ins", tags.tag_of(FILE)),))


def plain() -> str:
    return hashlib.sha256(FILE).hexdigest()


def test_the_key_is_made_once_for_this_user_alone(key: Path) -> None:
    first = tags.tag_of(FILE)
    assert tags.is_tag(first) and not tags.is_foreign(first) and tags.not_kept() == ""
    assert len(key.read_bytes()) == 32 and list(key.parent.iterdir()) == [key]
    if os.name == "posix":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    tags._from.cache_clear()  # as another process, or a later run
    assert tags.tag_of(FILE) == first


def test_a_tag_does_not_hold_the_digest_and_depends_on_what_it_is_of(key: Path) -> None:
    first = tags.tag_of(FILE)
    assert plain()[:8] not in first and first == tags.tagged(plain())
    assert len({first, tags.tag_of(FILE + b"\n"), tags.tagged(plain(), "sample")}) == 3


def test_another_key_gives_other_tags_that_are_foreign_here(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tags.tag_of(FILE)
    elsewhere(monkeypatch, key)
    assert tags.tag_of(FILE).split(":")[0] != first.split(":")[0] and tags.is_foreign(first)
    assert tags.FOREIGN in tags.short(first) and tags.FOREIGN not in tags.short(tags.tag_of(FILE))
    assert not tags.is_foreign("0" * 64), "a digest is no tag"


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
@pytest.mark.parametrize(("content", "mode"), [(b"x" * 32, 0o644), (b"short", 0o600), (b"x" * 33, 0o600)])
def test_a_key_that_others_may_read_or_that_is_damaged_is_not_used(key: Path, content: bytes, mode: int) -> None:
    key.parent.mkdir()
    key.write_bytes(content)
    key.chmod(mode)
    assert "could not be kept" in tags.not_kept() and str(key.parent) not in tags.not_kept()
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(tags.tag_of, [FILE] * 40))) == 1, "one key in a process"
    assert key.read_bytes() == content
    assert tags.not_kept() in " ".join(scenarios.write([mine()]).replace("\n#", "").split())


def test_without_a_place_for_the_key_the_tags_say_how_long_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a file").write_bytes(b"")
    monkeypatch.setenv(tags.WHERE, str(tmp_path / "a file" / "tags.key"))
    assert tags.not_kept().endswith("these tags tell nothing once this program has ended.")
    (tmp_path / "own.yaml").write_text(scenarios.write([mine()]))
    (tmp_path / "own.csv").write_bytes(FILE)
    assert main(["run", str(tmp_path / "own.yaml"), "--data", str(tmp_path / "own.csv"), "--out", f"{tmp_path}/o"]) == 0
    assert tags.not_kept() in capsys.readouterr().err


@pytest.mark.nightly
def test_two_processes_that_begin_at_once_make_one_key(key: Path) -> None:
    code = f"from dpot_app.batch.tags import tag_of; print(tag_of({FILE!r}))"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert len({process.communicate()[0] for process in running}) == 1


# --- scenarios -----------------------------------------------------------------------------------------------------


def test_a_scenario_holds_no_plain_digest_of_a_private_file() -> None:
    with pytest.raises(ScenarioError, match=r"data\.check-ins: must be a tag: a plain digest tells"):
        Scenario("geolocation.person", "mine", CONFIG, (("check-ins", plain()),))


def test_a_file_from_before_there_were_tags_opens_and_is_written_with_its_tag(key: Path) -> None:
    old = scenarios.write([mine()]).replace(tags.tag_of(FILE), plain()).replace("schema: 4", "schema: 2")
    (scenario,) = scenarios.read(old)
    assert scenario == mine() and scenarios.run(scenario, scenarios.by_tag([FILE])).headlines
    again = scenarios.write([scenario])
    assert plain()[:8] not in again and scenarios.read(again) == (scenario,)
    assert again.startswith("# Private files are named by tags") and "schema: 4" in again
    with pytest.raises(ScenarioError) as other:
        scenarios.run(scenario, scenarios.by_tag([FILE + b"\n"]))
    assert plain()[:8] not in str(other.value) and tags.FOREIGN not in str(other.value)


def test_a_public_data_set_has_its_digest_and_no_tag(key: Path) -> None:
    config = geolocation.Config(source="gowalla-austin")
    scenario = Scenario("geolocation.person", "Austin", config, (("gowalla-austin", "ab" * 32),))
    text = scenarios.write([scenario])
    assert "ab" * 32 in text and text.startswith("schema: 2") and not key.exists()
    with pytest.raises(ScenarioError, match=r"must be a digest in hexadecimal digits$"):
        scenarios.read(text.replace("ab" * 32, tags.tag_of(FILE)))


def test_a_tag_of_another_machine_says_that_it_cannot_be_compared(
    key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = mine()
    (tmp_path / "own.yaml").write_text(scenarios.write([there]))
    (tmp_path / "own.csv").write_bytes(FILE)
    elsewhere(monkeypatch, key)
    (scenario,) = scenarios.read((tmp_path / "own.yaml").read_text())
    with pytest.raises(ScenarioError, match=tags.FOREIGN):
        scenarios.run(scenario, scenarios.by_tag([FILE]))
    (row,) = (row for row in settings_rows([mine(), scenario]) if row.name == "check-ins")
    assert tags.FOREIGN not in row.texts[0] and tags.FOREIGN in row.texts[1]
    arguments = ["run", str(tmp_path / "own.yaml"), "--data", str(tmp_path / "own.csv"), "--out", str(tmp_path / "out")]
    assert main(arguments) == UNUSABLE
    said = capsys.readouterr().err
    assert tags.FOREIGN in said and "write its tag of this machine" in said and tags.tag_of(FILE) in said
    text = (tmp_path / "own.yaml").read_text().replace(dict(there.data)["check-ins"], tags.tag_of(FILE))
    (tmp_path / "own.yaml").write_text(text)
    assert main(arguments) == 0


def test_the_schema_takes_tags_of_files_and_digests_of_both() -> None:
    data = scenarios.json_schema(VIEWS["geolocation.person"])["properties"]["scenarios"]["items"]["properties"]["data"]
    pattern = data["additionalProperties"]["pattern"]
    assert re.search(pattern, tags.tag_of(FILE)) and re.search(pattern, plain())
    public = data["properties"]["gowalla-austin"]["pattern"]
    assert re.search(public, plain()) and not re.search(public, tags.tag_of(FILE))
