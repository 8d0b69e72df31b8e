"""A recipe followed: the files that it makes and changes, and the proof that everything works with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: What is copied: the product, its tests, and the documents that these hold against it.
COPIED = ("app.py", "pages", "dpot_core", "dpot_app", "data", ".streamlit", "tests", "docs", "pyproject.toml")


@dataclass(frozen=True)
class Recipe:
    """One worked example.

    Attributes:
        name: the recipe's title in CONTRIBUTING.md.
        most: files (for a page: its folder counts once) that may be touched.
        check: Python that fails unless settings, command line, board and page know what was added.
        tests: files of the project's own tests that must pass with what was added.
        made: module of the product -> the document that it prints, made again as the recipe says.
        new: file -> its text.
        edits: file -> old text, which stands there once, and what takes its place.
        folder: counts as one place, however many files are in it.
    """

    name: str
    most: int
    check: str
    tests: tuple[str, ...]
    made: Mapping[str, str] = field(default_factory=dict)
    new: Mapping[str, str] = field(default_factory=dict)
    edits: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    folder: str = ""

    @property
    def touched(self) -> list[str]:
        """Places of the product that a follower of the recipe touches; its tests may ask for more."""
        inside = {
            f"{self.folder}/" if self.folder and file.startswith(f"{self.folder}/") else file for file in self.new
        }
        return sorted(file for file in {*inside, *self.edits} if not file.startswith("tests/"))

    def follow(self, copy: Path) -> None:
        """Apply it to a copy of the tree.

        Raises:
            ValueError: if the tree is not as the recipe says.
        """
        for file, text in self.new.items():
            if (copy / file).exists():
                raise ValueError(f"{self.name}: {file} is there already")
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            (copy / file).write_text(text, encoding="utf-8")
        for file, changes in self.edits.items():
            text = (copy / file).read_text(encoding="utf-8")
            for old, new in changes:
                if text.count(old) != 1:
                    raise ValueError(f"{self.name}: {old!r} stands {text.count(old)} times in {file}")
                text = text.replace(old, new)
            (copy / file).write_text(text, encoding="utf-8")


def prove(copy: Path, *recipes: Recipe) -> None:
    """Run the checks of recipes in a copy in which they were followed.

    Raises:
        AssertionError: with what was printed, if one fails.
    """
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    code = _HELP + "\n".join(recipe.check for recipe in recipes)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=copy, env=environment, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, f"{', '.join(recipe.name for recipe in recipes)}: {done.stderr[-3000:]}"


def run_tests(copy: Path, *recipes: Recipe) -> str:
    """Run the project's own tests of recipes in a copy in which they were followed; what pytest says at the end.

    Raises:
        AssertionError: with what was printed, if one fails.
    """
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "DPOT_WORKERS": "0"}

    def ran(*arguments: str) -> str:
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, f"{' '.join(arguments)}: {done.stdout[-5000:]}{done.stderr[-1000:]}"
        return done.stdout

    for module, document in {key: value for recipe in recipes for key, value in recipe.made.items()}.items():
        (copy / document).write_text(ran(module), encoding="utf-8")
    files = dict.fromkeys(file for recipe in recipes for file in recipe.tests)
    return ran("pytest", "-p", "no:cacheprovider", *files).strip().rpartition("\n")[2]


def copied(to: Path) -> Path:
    """A copy of the product with its tests."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, to)
    return to


_HELP = '''
import io, contextlib, json
from pathlib import Path
from streamlit.testing.v1 import AppTest
from dpot_app.batch import scenarios
from dpot_app.command_line import main
from dpot_app.batch.scenarios import VIEWS, Scenario

def said(*arguments):
    """What a command prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(list(arguments)) == 0
    return out.getvalue()

def opened(page, **parameters):
    """A page of the app, at a link."""
    app = AppTest.from_file("app.py", default_timeout=600)
    app.query_params.update(parameters)
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, app.exception
    return app

def words(app):
    said = [str(one.value) for one in [*app.markdown, *app.caption]]
    for piece in (json.loads(one.proto.json) for one in app.get("bidi_component")):
        screen = piece.get("screen", "")
        said.append(screen["title"] if piece["kind"] == "picture" else screen)
    return " ".join(said).replace("\\\\", "")
'''
