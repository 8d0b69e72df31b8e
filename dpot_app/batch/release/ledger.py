"""The ledger of what releases have cost the people they are about, on the machine that keeps the people's data.

Costs are kept for each person, under a tag (`dpot_app.batch.tags`), so that a file with one more row is no way round.
Files for central releases name no one. So such a release is charged to `EVERYONE`, whatever is in the file: rows in
another order, one more or one less, moved by a metre or left out, are no way round either.

Epsilons, and deltas, of all releases about a person are added up, whatever the releases are. All are about the same
neighbours: all that a file holds about one person (or, as the release says, one point) is replaced, and the number of
people is public. The sums hold also where later releases are chosen after a look at earlier ones (Dwork and Roth 2014,
Theorem 3.16; Rogers, Roth, Ullman, Vadhan 2016 where epsilon and delta are chosen so). A cost is on the disk before
anything is drawn, and is never taken back: a release that was interrupted counts as made.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import platformdirs

from dpot_app.batch.tags import key_name, not_kept
from dpot_core.datasets.writing import RefusedError
from dpot_core.privacy.numerals import counted

#: Names the file of the ledger, in place of the one in the user's data folder.
WHERE = "DPOT_LEDGER"
#: Who is charged for a release from a file that names no one: all people, named in this ledger or not.
EVERYONE = "everyone"
#: Seconds that a release waits for another one to write its cost.
_WAIT = 60.0
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE releases (number INTEGER PRIMARY KEY, began TEXT NOT NULL, done TEXT, what TEXT NOT NULL,
    epsilon TEXT NOT NULL, delta TEXT NOT NULL, file TEXT NOT NULL, digest TEXT);
CREATE TABLE people (person TEXT NOT NULL, release INTEGER NOT NULL REFERENCES releases, PRIMARY KEY (person, release))
    WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Cost:
    """The cost of one release for everyone it is about, exactly: epsilon in nats, and delta."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    @classmethod
    def of(cls, epsilon: float, delta: float = 0.0) -> Cost:
        """A cost from numbers as they are written: .1 is a tenth."""
        return cls(Fraction(repr(float(epsilon))), Fraction(repr(float(delta))))

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.epsilon + other.epsilon, self.delta + other.delta)

    def exceeds(self, total: Cost) -> bool:
        """Whether it is more than a total, in epsilon or in delta."""
        return self.epsilon > total.epsilon or self.delta > total.delta

    def __str__(self) -> str:
        return f"ε = {_decimal(self.epsilon)}" + (f", δ = {_decimal(self.delta)}" if self.delta else "")


@dataclass(frozen=True)
class Ledger:
    """A ledger in a file, which is made by the first release.

    Attributes:
        file: an SQLite database that this user alone may read.
    """

    file: Path

    @classmethod
    def usual(cls) -> Ledger:
        """The one of this user on this machine."""
        place = os.environ.get(WHERE, "")
        return cls(Path(place) if place else Path(platformdirs.user_data_dir("dpot", appauthor=False)) / "ledger.db")

    def charge(
        self, people: Sequence[str], cost: Cost, total: Cost | None, what: str, file: Path, *, moved: bool = False
    ) -> tuple[int, Cost]:
        """Write down the cost of a release about some people, before it is drawn.

        Args:
            people: their tags, each once; or `EVERYONE` alone.
            cost: of the release, for each of them.
            total: the most that all releases about one person may cost; None where the ledger has one.
            what: is released, in words.
            file: where the release will be.
            moved: whether the ledger was moved here, and no other is in use.

        Returns:
            Its number, and the total.

        Raises:
            RefusedError: if a person's total would be exceeded, the total is not the ledger's, or the ledger is a copy.
            OSError: if it cannot be written; then nothing is charged.
        """
        if problem := not_kept():
            raise RefusedError(f"no release without a key by which the ledger recognises people. {problem}")
        with self._writing() as db:
            total = self._checked(db, total, moved)
            spent = _spent(db, people)
            largest = max(spent.values(), default=Cost(Fraction(0)), key=lambda one: (one.epsilon, one.delta))
            over = sum((before + cost).exceeds(total) for before in spent.values())
            if over or cost.exceeds(total):
                who = f"{counted(over or len(people), 'person', 'people')} of {len(people):,}"
                who = EVERYONE.capitalize() if EVERYONE in people else who
                raise RefusedError(
                    f"this release costs {cost}. {who} would be beyond the total of {total}; up to {largest} are spent "
                    f"(ledger: {self.file}). Nothing was drawn"
                )
            row = (_now(), what, str(cost.epsilon), str(cost.delta), str(file))
            made = db.execute("INSERT INTO releases (began, what, epsilon, delta, file) VALUES (?, ?, ?, ?, ?)", row)
            number = int(made.lastrowid or 0)
            db.executemany("INSERT INTO people VALUES (?, ?)", ((person, number) for person in people))
            return number, total

    def done(self, number: int, digest: str) -> None:
        """Note that a release has been written, with the SHA-256 of what anyone may read."""
        with self._writing() as db:
            db.execute("UPDATE releases SET done = ?, digest = ? WHERE number = ?", (_now(), digest, number))

    def rows(self) -> list[dict[str, Any]]:
        """Every release: what it was, when, what it cost, how many people it is about; without their tags."""
        with self._writing() as db:
            if not _made(db):
                return []
            found = db.execute(
                "SELECT number, began, done, what, epsilon, delta, file, digest,"
                " (SELECT CASE WHEN max(person = ?) THEN ? ELSE count(*) END FROM people WHERE release = number)"
                " AS people FROM releases ORDER BY number",
                (EVERYONE, EVERYONE),
            )
            names = [column[0] for column in found.description]
            return [dict(zip(names, row, strict=True)) for row in found]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other process writes beside; on the disk when the block ends, or undone."""
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600))
            with closing(sqlite3.connect(self.file, timeout=_WAIT, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = EXTRA")
                db.execute("BEGIN IMMEDIATE")
                try:
                    yield db
                except BaseException:
                    db.execute("ROLLBACK")
                    raise
                db.execute("COMMIT")
        except sqlite3.Error as problem:
            raise OSError(f"{self.file}: the ledger cannot be used: {problem}") from problem

    def _checked(self, db: sqlite3.Connection, total: Cost | None, moved: bool) -> Cost:
        """The ledger's total, if this is the ledger that it was, under the key that it was written with."""
        here = str(self.file.stat().st_ino)
        if not _made(db):
            if total is None:
                raise RefusedError(
                    "this is the first release from this ledger: say with --total the most that all releases about "
                    "one person may ever cost together, with --delta their δ"
                )
            for statement in _TABLES.split(";"):
                db.execute(statement)
            about = {"epsilon": str(total.epsilon), "delta": str(total.delta), "key": key_name(), "inode": here}
            db.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            return total
        about = dict(db.execute("SELECT name, value FROM about"))
        if about["key"] != key_name():
            raise RefusedError(f"{self.file}: was written under another key, so it cannot recognise people here")
        if about["inode"] != here:
            if not moved:
                raise RefusedError(
                    f"{self.file}: is a copy of a ledger. Two of them would allow the total twice. Use the first one, "
                    "or say with --moved that it is no longer in use"
                )
            db.execute("UPDATE about SET value = ? WHERE name = 'inode'", (here,))
        stated = Cost(Fraction(about["epsilon"]), Fraction(about["delta"]))
        if total is not None and total != stated:
            raise RefusedError(f"{self.file}: the total was stated as {stated}, before its first release; got {total}")
        return stated


def _made(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'about'").fetchone() is not None


def _spent(db: sqlite3.Connection, people: Sequence[str]) -> dict[str, Cost]:
    """The charges of some people so far, with everyone's; or everyone's, with the most of any person."""
    asked, nothing = {*people, EVERYONE}, Cost(Fraction(0))
    spent: dict[str, Cost] = {}
    for number, epsilon, delta in db.execute("SELECT number, epsilon, delta FROM releases").fetchall():
        cost = Cost(Fraction(epsilon), Fraction(delta))
        for (person,) in db.execute("SELECT person FROM people WHERE release = ?", (number,)):
            if person in asked or EVERYONE in people:
                spent.setdefault(person, nothing)
                spent[person] += cost
    common = spent.pop(EVERYONE, nothing)
    if EVERYONE not in people:
        return {person: spent.get(person, nothing) + common for person in people}
    # The largest of each: one may have most of the one, and another of the other.
    most = (max((getattr(one, of) for one in spent.values()), default=Fraction(0)) for of in ("epsilon", "delta"))
    return {EVERYONE: Cost(*most) + common}


def _decimal(value: Fraction) -> str:
    return f"{float(value):.12g}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
