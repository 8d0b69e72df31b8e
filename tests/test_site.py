"""The site of `make docs`: complete, without requests to elsewhere, and its tutorial runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import dpot_core as dpot

ROOT = Path(__file__).resolve().parents[1]
GROUPS = {"core": dpot, **{name: getattr(dpot, name) for name in ("metric", "central", "continuous", "results")}}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    # Strict: a link to nothing, or a name that cannot be found, fails.
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.nightly
@pytest.mark.parametrize("group", GROUPS)
def test_every_public_function_stands_there_with_its_docstring(site: Path, group: str) -> None:
    page = (site / "api" / f"{group}.html").read_text(encoding="utf-8")
    there = set(re.findall(r'id="dpot_core\.([\w.]+)"', page))
    module = GROUPS[group]
    prefix = "" if group == "core" else f"{module.__name__.removeprefix('dpot_core.')}."
    said = {name for name in module.__all__ if callable(getattr(module, name)) and getattr(module, name).__doc__}
    assert len(said) > 2 and {prefix + name for name in said} <= there


@pytest.mark.nightly
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 12
    for page in pages:
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r'<(?:script|img|iframe|source)[^>]*\ssrc="([^"]*)"', text)
        fetched += re.findall(r'<link[^>]*rel="(?:stylesheet|icon|shortcut icon|preload)"[^>]*href="([^"]*)"', text)
        assert not [address for address in fetched if re.match(r"(https?:)?//", address)], page.name
    for style in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", style.read_text(encoding="utf-8")), style.name


def test_the_tutorial_runs() -> None:
    lines = re.findall(r"```python\n(.*?)```", (ROOT / "docs/tutorial.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(lines) == 11
    exec(compile("\n".join(lines), "tutorial", "exec"), {})
