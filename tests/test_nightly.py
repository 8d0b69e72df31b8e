"""The parts of `make nightly`: each is there, and every test that is marked nightly is in one of them."""

from __future__ import annotations

import sys

from tests.nightly import PARTS, PATHS, ROOT, command


def test_every_path_is_there_and_the_last_part_holds_all_that_is_left() -> None:
    assert all((ROOT / path).exists() for path in PATHS.values())
    *named, rest = PATHS
    ignored = {word.removeprefix("--ignore=") for word in command(rest) if word.startswith("--ignore=")}
    assert PATHS[rest] == "tests" and ignored == {PATHS[part] for part in named}
    assert f"--ignore={PATHS['wheel']}" in command("browser")


def test_every_program_of_tests_is_a_part() -> None:
    programs = {".".join(path.relative_to(ROOT).parts[:-1]) for path in (ROOT / "tests").glob("*/__main__.py")}
    asked = {word for part in PARTS for word in command(part)}
    assert programs and programs <= asked and sys.executable in asked
