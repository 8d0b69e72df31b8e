"""What files of the project say twice is the same: versions, titles, commands of jobs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
JOBS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in (ROOT / ".github/workflows").glob("*.yml")
}


def test_one_cites_this_version_and_the_papers_of_the_list() -> None:
    assert CITATION["cff-version"] == "1.2.0" and CITATION["type"] == "software"
    assert (CITATION["version"], CITATION["license"]) == (PROJECT["version"], PROJECT["license"])
    assert CITATION["authors"] == PROJECT["authors"]
    sources = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    listed = " ".join(sources.partition("## Papers")[2].partition("\n## ")[0].split())
    assert len(CITATION["references"]) == listed.count("- ") - listed.count("User- ") == 5
    for paper in CITATION["references"]:
        assert f"*{paper['title']}" in listed
        names = ", ".join(f"{one['given-names']} {one['family-names']}" for one in paper["authors"])
        assert f"- {names}." in listed, paper["title"]


def test_jobs_ask_what_make_asks() -> None:
    steps = [step["run"] for step in JOBS["ci"]["jobs"]["quick"]["steps"] if "run" in step]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (asked,) = re.findall(r"^quick:.*?-m pytest (.*?) \\$", makefile, re.DOTALL | re.MULTILINE)
    assert f"python -m pytest {asked} " in steps[-1]
    for tool in re.findall(r"\$\(PY\) -m ((?:ruff|mypy|tests\.prose).*)$", makefile, re.MULTILINE):
        if "--fix" not in tool and tool != "ruff format .":
            assert f"python -m {tool.partition(' &')[0]}" in steps
    oldest = PROJECT["requires-python"].removeprefix(">=")
    for job in ("quick", "test"):
        assert JOBS["ci"]["jobs"][job]["strategy"]["matrix"]["python"][0] == oldest
    for name, jobs in JOBS.items():
        assert jobs["permissions"] == {"contents": "read"}, name
        for job in jobs["jobs"].values():
            for target in re.findall(r"\bmake ([a-z]+)", " ".join(step.get("run", "") for step in job["steps"])):
                assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
