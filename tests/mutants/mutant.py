"""One planted bug, and all of them."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: Two threads that parse at once can end in a SystemError of CPython 3.11 (its recursion depth is shared).
_PARSING = threading.Lock()

ROOT = Path(__file__).resolve().parents[2]


class Outdated(Exception):
    """A mutant that does not apply to the present sources."""


@functools.lru_cache(maxsize=8)
def _tree(text: str) -> str:
    """What runs of a module's text; kept, since the bugs of one file stand together."""
    with _PARSING:
        return ast.dump(ast.parse(text))


@dataclass(frozen=True)
class Mutant:
    """A bug to plant.

    Attributes:
        id: a few words with hyphens, unique.
        file: the file that it changes, from the root of the project.
        old: text that occurs exactly once in the file.
        new: what takes its place.
        tests: pytest node ids or files of which at least one test must fail, within a few seconds.
        why: what the bug would do to a person, in one line.
    """

    id: str
    file: str
    old: str
    new: str
    tests: Sequence[str]
    why: str

    def found(self, root: Path = ROOT) -> str:
        """The file's text, in which the old text stands once.

        Raises:
            Outdated: if it does not, or a test is not there.
        """
        path = root / self.file
        if not path.is_file():
            raise Outdated(f"{self.id}: no file {self.file}")
        text = path.read_text(encoding="utf-8")
        if (times := text.count(self.old)) != 1:
            raise Outdated(f"{self.id}: the old text occurs {times} times in {self.file}, not once")
        if not self.tests:
            raise Outdated(f"{self.id}: names no test")
        for test in self.tests:
            file, *names = test.split("::")
            if not (root / file).is_file():
                raise Outdated(f"{self.id}: no test file {file}")
            for name in names:
                if f" {name.partition('[')[0]}(" not in (root / file).read_text(encoding="utf-8"):
                    raise Outdated(f"{self.id}: no {name} in {file}")
        return text

    def applied(self, root: Path = ROOT) -> str:
        """The file's text with the bug in it.

        Raises:
            Outdated: if it is not `found`, nothing changes, or the result is no Python.
        """
        text = self.found(root)
        changed = text.replace(self.old, self.new)
        try:
            trees = (_tree(text), _tree.__wrapped__(changed))
        except SyntaxError as error:
            raise Outdated(f"{self.id}: {self.file} is no Python with the bug in it: {error}") from error
        if trees[0] == trees[1]:
            raise Outdated(f"{self.id}: changes nothing that runs")
        return changed


def everyone() -> tuple[Mutant, ...]:
    """All planted bugs, in the order of the areas' names."""
    package = importlib.import_module(__package__ or "tests.mutants")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.name != "__main__")
    found: list[Mutant] = []
    for name in names:
        found += getattr(importlib.import_module(f"{package.__name__}.{name}"), "MUTANTS", [])
    return tuple(found)
