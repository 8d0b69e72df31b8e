"""The ledger: no one is charged beyond the total, whatever is copied, killed, full, or tried at the same time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_app.batch import tags
from dpot_app.batch.release.ledger import EVERYONE, Cost, Ledger
from dpot_core.datasets.writing import RefusedError

ROOT = Path(__file__).resolve().parents[3]
TOTAL = Cost.of(4.0)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "kept" / "ledger.db")


def charge(ledger: Ledger, people: str, epsilon: float, total: Cost | None = TOTAL, **more: bool) -> int:
    number, stated = ledger.charge(tuple(people), Cost.of(epsilon), total, "a test", Path("out.csv"), **more)
    assert stated == TOTAL
    return number


def test_each_person_is_charged_for_what_is_about_them(ledger: Ledger) -> None:
    charge(ledger, "ab", 3.0)
    charge(ledger, "c", 4.0)
    with pytest.raises(RefusedError, match=r"1 person of 2 would be beyond the total of ε = 4; up to ε = 3 are spent"):
        charge(ledger, "ad", 1.5)
    charge(ledger, "bd", 1.0)
    with pytest.raises(RefusedError, match="2 people of 2"):
        charge(ledger, "cb", 0.001)
    assert [(row["epsilon"], row["people"]) for row in ledger.rows()] == [("3", 2), ("4", 1), ("1", 2)]


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.7]), min_size=1, max_size=6))
def test_the_spent_budget_is_the_exact_sum_of_the_entries(tmp_path_factory: pytest.TempPathFactory, spent) -> None:
    """Ten times a tenth is one, as people read it, and nothing less."""
    ledger, total = (
        Ledger(tmp_path_factory.mktemp("ledger") / "ledger.db"),
        Cost(sum(map(lambda x: Fraction(str(x)), spent))),
    )
    for epsilon in spent:
        ledger.charge(("a",), Cost.of(epsilon), total, "a test", Path("out.csv"))
    with pytest.raises(RefusedError):
        ledger.charge(("a",), Cost.of(1e-9), total, "a test", Path("out.csv"))


def test_delta_is_added_up_beside_epsilon(ledger: Ledger) -> None:
    total = Cost.of(4.0, 1e-6)
    ledger.charge(("a",), Cost.of(1.0, 6e-7), total, "a test", Path("out.csv"))
    with pytest.raises(RefusedError, match=r"δ = 6e-07"):
        ledger.charge(("a",), Cost.of(1.0, 6e-7), total, "a test", Path("out.csv"))
    ledger.charge(("a",), Cost.of(1.0, 4e-7), total, "a test", Path("out.csv"))


def test_everyone_is_charged_for_each_person_and_each_person_for_everyone(ledger: Ledger) -> None:
    """The largest epsilon and the largest delta of any person, who need not be one and the same."""
    total = Cost.of(4.0, 1e-6)

    def charge(people: tuple[str, ...], epsilon: float, delta: float = 0.0) -> None:
        ledger.charge(people, Cost.of(epsilon, delta), total, "a test", Path("out.csv"))

    charge(("a",), 3.0)
    charge(("b", "c"), 1.0, 6e-7)
    for epsilon, delta in ((1.5, 0.0), (0.5, 5e-7)):
        with pytest.raises(RefusedError, match=r"Everyone would be beyond .* up to ε = 3, δ = 6e-07 are spent"):
            charge((EVERYONE,), epsilon, delta)
    charge((EVERYONE,), 0.5, 4e-7)
    with pytest.raises(RefusedError, match="1 person of 2 would be beyond"):
        charge(("a", "new"), 1.0)
    charge(("a", "new"), 0.5)
    with pytest.raises(RefusedError, match="Everyone"):
        charge((EVERYONE,), 0.1)
    assert [row["people"] for row in ledger.rows()] == [1, 2, EVERYONE, 2]


def test_the_total_is_stated_once(ledger: Ledger) -> None:
    with pytest.raises(RefusedError, match="say with --total"):
        charge(ledger, "a", 1.0, None)
    charge(ledger, "a", 1.0)
    charge(ledger, "a", 1.0, None)
    with pytest.raises(RefusedError, match="the total was stated as ε = 4"):
        charge(ledger, "a", 1.0, Cost.of(5.0))
    with pytest.raises(RefusedError, match="Nothing was drawn"):
        charge(ledger, "b", 5.0)


def test_a_copy_is_refused_and_a_ledger_that_was_moved_is_not(ledger: Ledger, tmp_path: Path) -> None:
    charge(ledger, "a", 3.0)
    copy = Ledger(Path(shutil.copytree(ledger.file.parent, tmp_path / "copied")) / "ledger.db")
    with pytest.raises(RefusedError, match="is a copy of a ledger"):
        charge(copy, "b", 1.0)
    moved = Ledger(Path(shutil.move(ledger.file.parent, tmp_path / "moved")) / "ledger.db")
    charge(moved, "a", 1.0)
    charge(copy, "b", 1.0, moved=True)
    charge(copy, "b", 1.0)
    with pytest.raises(RefusedError, match="1 person"):
        charge(copy, "a", 1.5)


def test_under_another_key_people_would_not_be_known_again(ledger: Ledger, tmp_path: Path, monkeypatch) -> None:
    charge(ledger, "a", 3.0)
    monkeypatch.setenv(tags.WHERE, str(tmp_path / "other.key"))
    with pytest.raises(RefusedError, match="another key"):
        charge(ledger, "a", 1.0)
    monkeypatch.setenv(tags.WHERE, str(tmp_path))  # a folder: no key can be kept there
    with pytest.raises(RefusedError, match="no release without a key"):
        charge(ledger, "a", 1.0)


@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
def test_no_other_user_reads_it(ledger: Ledger) -> None:
    charge(ledger, "a", 1.0)
    assert ledger.file.stat().st_mode & 0o077 == 0 == ledger.file.parent.stat().st_mode & 0o077


#: Charges once; the exit code tells whether it was refused.
ONE = """
import sys
from pathlib import Path
from dpot_app.batch.release.ledger import EVERYONE, Cost, Ledger
from dpot_core.datasets.writing import RefusedError
try:
    Ledger(Path(sys.argv[1])).charge(("a", "b"), Cost.of(1.0), Cost.of(4.0), "a test", Path("out.csv"))
except RefusedError as refused:
    assert "beyond the total" in str(refused), refused
    sys.exit(3)
"""


def in_a_process(ledger: Ledger) -> bool:
    done = subprocess.run([sys.executable, "-c", ONE, str(ledger.file)], cwd=ROOT)
    assert done.returncode in (0, 3)
    return done.returncode == 0


def in_this_process(ledger: Ledger) -> bool:
    try:
        return charge(ledger, "ab", 1.0) > 0
    except RefusedError as refused:
        assert "beyond the total" in str(refused)
        return False


@pytest.mark.parametrize("asked", [in_this_process, pytest.param(in_a_process, marks=pytest.mark.nightly)])
def test_of_releases_at_the_same_time_no_more_are_charged_than_one_after_the_other(ledger: Ledger, asked) -> None:
    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(asked, [ledger] * 6)) == [False] * 2 + [True] * 4
    assert [row["people"] for row in ledger.rows()] == [2] * 4


@pytest.mark.nightly
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_on_a_full_disk_nothing_is_charged_and_the_file_is_named(ledger: Ledger) -> None:
    charge(ledger, "a", 1.0)
    code = f"""
import resource, signal
from pathlib import Path
from dpot_app.batch.release.ledger import Cost, Ledger
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    people = [f"{{n:064}}" for n in range(5000)]
    Ledger(Path({str(ledger.file)!r})).charge(people, Cost.of(1.0), None, "a test", Path("out.csv"))
except OSError as problem:
    assert {str(ledger.file)!r} in str(problem), problem
else:
    raise AssertionError("it was charged")
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    assert [row["people"] for row in ledger.rows()] == [1]
    charge(ledger, "a", 3.0)
