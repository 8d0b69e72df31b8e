"""The drawing of the house in `docs/architecture.md`, made from what the modules import.

``python -m tests.house`` puts it there; `tests/test_architecture.py` compares it with the imports.
"""

import ast
import re
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "architecture.md"
HOUSES = {"dpot_app": "what people look at", "dpot_core": "the science; it knows no screen"}
#: What others import by, and what imports nothing of its own: no packages.
DOORS = {"__init__", "metric", "central", "continuous", "results"}
#: Folders whose folders are packages of their own.
OPENED = {"batch"}
_BLOCK = re.compile(r"(?<=<!-- python -m tests.house -->\n)```text\n.*?```\n", re.DOTALL)


def package_of(name: str) -> str:
    """The package of a dotted name, such as dpot_app.batch.reports; "" for a door and for what is not ours."""
    house, *rest = name.split(".")
    if house not in HOUSES or not rest or rest[0] in DOORS:
        return ""
    depth = 2 if rest[0] in OPENED else 1
    return ".".join([house, *rest[:depth]]) if len(rest) >= depth else ""


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file, parsed once for all rules."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports() -> dict[str, frozenset[str]]:
    """What each package imports of the others."""
    graph = grimp.build_graph(*HOUSES, cache_dir=None)
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        if package := package_of(module):
            others = {package_of(name) for name in graph.find_modules_directly_imported_by(module)}
            found.setdefault(package, set()).update(others - {package, ""})
    return {name: frozenset(others) for name, others in found.items()}


@cache
def reached(package: str) -> frozenset[str]:
    """All that a package stands on, directly or not."""
    return frozenset().union(*({other} | reached(other) for other in imports()[package]))


@cache
def floor(package: str) -> int:
    """0 where nothing of ours is imported, otherwise one above the highest that is."""
    return 1 + max(map(floor, imports()[package]), default=-1)


def drawing() -> str:
    """Packages from the top floor down, each with those just below it: what follows from these is left out."""
    lines = []
    for house, words in HOUSES.items():
        lines += [f"{house}: {words}"] if not lines else ["", f"{house}: {words}"]
        own = sorted((name for name in imports() if name.startswith(house)), key=lambda name: (-floor(name), name))
        for name in own:
            below = imports()[name]
            shown = sorted(below - frozenset().union(*map(reached, below)), key=lambda other: (-floor(other), other))
            short = name.removeprefix(f"{house}.").replace(".", "/")
            stands = ", ".join(other.partition(".")[2].replace(".", "/") for other in shown)
            lines.append(f"  {floor(name):>2}  {short:<18}{f'<- {stands}' if stands else ''}".rstrip())
    return "```text\n" + "\n".join(lines) + "\n```\n"


def with_drawing(document: str) -> str:
    made, found = _BLOCK.subn(lambda _: drawing(), document)
    if found != 1:
        raise ValueError(f"{DOCUMENT.name} has {found} places for the drawing, not one")
    return made


if __name__ == "__main__":
    DOCUMENT.write_text(with_drawing(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
