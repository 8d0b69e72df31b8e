"""Inputs of commands: files in YAML, people's own files, other values of settings."""

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios.documents import MOST_ENCODED
from dpot_app.batch.tags import FOREIGN, is_foreign, not_kept
from dpot_core.datasets.uploads import MAX_UPLOAD_BYTES

T = TypeVar("T")


def own_data(parser: argparse.ArgumentParser) -> None:
    """Add the argument for people's own files."""
    words = "a file of your own that is read (may be repeated); files are known by their tag"
    parser.add_argument("--data", type=Path, action="append", default=[], metavar="FILE", help=words)


def settable(parser: argparse.ArgumentParser) -> None:
    """Add the argument for other values of settings."""
    words = "another value of a setting, ring.k=50 say, in every scenario that has it (may be repeated)"
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=words, dest="changes")


def changed(asked: Sequence[scenarios.Scenario], changes: Sequence[str]) -> list[scenarios.Scenario]:
    """The scenarios with other values of settings, and with the data that they then need."""
    found = list(asked)
    for change in changes:
        name, equals, text = change.partition("=")
        having = [name in dict(scenarios.leaves(scenario.config)) for scenario in found]
        if not (equals and any(having)):
            raise scenarios.ScenarioError(f"--set {change}: must be NAME=VALUE with a setting that a scenario has")
        for place, scenario in enumerate(found):
            if having[place]:
                value = scenarios.read_value(scenario.config, name, text)
                config = scenarios.put(scenario.config, name, value)
                own = dict.fromkeys(scenario.view.files(config)) & dict(scenario.data).keys()
                uploads = {role: tag for role, tag in scenario.data if role in own}
                data = scenarios.describe_data(scenario.view, config, uploads)
                found[place] = replace(scenario, config=config, data=data)
    return found


def parsed(path: Path, made: Callable[[bytes], T]) -> T:
    """The result of reading a file's content; complaints name the file."""
    content = content_of(path)
    try:
        return made(content)
    except scenarios.ScenarioError as problem:
        raise scenarios.ScenarioError(f"{path}: {problem}") from problem


def own_files(paths: Sequence[Path], named: Collection[str]) -> dict[str, bytes]:
    """Contents of people's own files by their tag; a file that is not among those that are named is refused."""
    files: dict[str, bytes] = {}
    for path in paths:
        content = own_content(path)
        found = scenarios.by_tag([content])
        if not found.keys() & set(named):
            asked = ", ".join(f"{tag} ({FOREIGN})" if is_foreign(tag) else tag for tag in named) or "none"
            words = f"nothing here reads a file with the tag {', '.join(found)}; asked for: {asked}"
            if any(map(is_foreign, named)):
                words += ". If it is that file, write its tag of this machine in the place of the other"
            raise scenarios.ScenarioError(f"--data {path}: {words}")
        files |= found
    if files and (problem := not_kept()):
        print(f"dpot: {problem}", file=sys.stderr)
    return files


def own_content(path: Path) -> bytes:
    """One of people's own files.

    Raises:
        ScenarioError: if it cannot be read, or is too large.
    """
    content = content_of(path, MAX_UPLOAD_BYTES)
    if len(content) > MAX_UPLOAD_BYTES:
        raise scenarios.ScenarioError(f"--data {path}: must have at most {MAX_UPLOAD_BYTES:,} bytes")
    return content


def content_of(path: Path, most: int = MOST_ENCODED) -> bytes:
    """A file; of one with more bytes than can be used, one byte more: it may have no end."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as problem:
        raise scenarios.ScenarioError(f"{path}: {problem.strerror}") from problem
