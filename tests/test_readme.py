"""What is written is executed: the README's commands, and its snippet with what it prints."""

import contextlib
import io
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_snippet_prints_what_the_readme_says():
    (snippet,), (printed,) = blocks("python"), blocks("text")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(snippet, "README.md", "exec"), {"__name__": "readme"})
    assert out.getvalue() == printed


def test_every_command_is_a_target_of_the_makefile():
    targets = set(re.findall(r"make ([a-z]+(?:-[a-z]+)*)", README))
    assert targets >= {"app", "test", "check", "bench", "screenshots", "lock"}
    for target in sorted(targets):
        dry_run = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True)
        assert dry_run.returncode == 0, f"make {target}: {dry_run.stderr}"


def test_an_audit_fails_where_packages_cannot_be_looked_up():
    asked = subprocess.run(["make", "--dry-run", "audit"], cwd=ROOT, capture_output=True, text=True).stdout
    assert re.search(r"pip_audit .*(\\\n.*)*--strict", asked), asked


def test_every_link_into_the_project_leads_somewhere():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert "data/screenshot.png" in links
    missing = [link for link in links if not (ROOT / link).exists()]
    assert not missing


def test_every_page_is_listed():
    pages = {f"pages/{path.name}" for path in (ROOT / "pages").glob("[a-z]*.py")}
    assert pages
    assert pages <= set(re.findall(r"`(pages/\w+\.py)`", README))
