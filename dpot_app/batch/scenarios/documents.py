"""Scenarios as YAML: what is written is read back exactly, and what cannot be used is refused by name and line."""

import codecs
import json
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import yaml

from dpot_app.batch.scenarios.plain_yaml import MOST_BYTES, parse
from dpot_app.batch.scenarios.scenario import Scenario
from dpot_app.batch.tags import MEANING, is_tag, not_kept, tagged
from dpot_app.kit.values import Path, ScenarioError, from_plain, hint_at, read_as, to_plain
from dpot_app.kit.view import View
from dpot_app.views.table import VIEWS

T = TypeVar("T")

#: Of the fields of the file: from 3 on it can say which scenario was chosen, from 4 on private files have tags, from 5
#: on it can name the mechanism that is released with, from 6 on what has to be possible. Older readers refuse newer
#: files, so that files get the oldest number that has all their fields.
SCHEMA = 6
_WITHOUT_QUESTION, _WITHOUT_MECHANISM, _WITHOUT_TAGS, _WITHOUT_CHOICE = 5, 4, 3, 2
#: Texts of a scenario that it may lack.
_TEXTS = ("mechanism", "question")

#: Bytes of a file: UTF-16, as some consoles write it, takes two for each of ASCII, and its mark two.
MOST_ENCODED = 2 * MOST_BYTES + 2
MOST_SCENARIOS = 50
#: Of a public data set; files from before there were tags, and those that are typed, have one of private files, too.
DIGEST = re.compile(r"[0-9a-f]{32,128}")


class _Dumper(yaml.SafeDumper):
    """Writes text that holds rare line breaks with escapes: PyYAML would read them back as blanks."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _text)


def write(scenarios: Sequence[Scenario]) -> str:
    """Scenarios as YAML; of a private file there is its tag, with what that proves."""
    rows = []
    for scenario in scenarios:
        row = {"kind": scenario.kind, "title": scenario.title, "config": to_plain(scenario.config)}
        if scenario.data:
            row["data"] = dict(scenario.data)
        if scenario.chosen is not None:
            row["chosen"] = scenario.chosen
        row |= {name: text for name in _TEXTS if (text := getattr(scenario, name))}
        rows.append(row)
    schema = _WITHOUT_CHOICE
    for name, least in (("chosen", _WITHOUT_TAGS), ("mechanism", _WITHOUT_QUESTION), ("question", SCHEMA)):
        schema = least if any(name in row for row in rows) else schema
    if any(is_tag(known) for scenario in scenarios for _, known in scenario.data):
        said = textwrap.wrap(f"{MEANING} {not_kept()}", 108)
        tagged_ = dump({"schema": max(schema, _WITHOUT_MECHANISM), "scenarios": rows})
        return "".join(f"# {line}\n" for line in said) + tagged_
    return dump({"schema": schema, "scenarios": rows})


def dump(content: Any) -> str:
    """Plain values as YAML text that is read back exactly."""
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)


def value_text(value: Any) -> str:
    """One value of the settings as people type it; `read_value` reads it back."""
    return value if isinstance(value, str) else json.dumps(to_plain(value), ensure_ascii=False)


def read_value(config: Any, name: str, text: str) -> Any:
    """One value of the settings from a typed text: a number, a text, a list in square brackets, null.

    Raises:
        ScenarioError: names the field and says what is wrong with it.
    """
    hint = hint_at(config, name)
    plain = text if hint is str else parse(text, {})
    return read_as(hint, plain, tuple(name.split(".")))


def read(text: str | bytes) -> tuple[Scenario, ...]:
    """Scenarios from YAML.

    Raises:
        ScenarioError: names the field and its line, and says what is wrong with it.
    """
    return read_file(text, _scenarios)


def read_file(text: str | bytes, made: Callable[[Any], T]) -> T:
    """The result of a function of a YAML file's plain values; complaints about a value get the line where it stands.

    Raises:
        ScenarioError: names the field and its line, and says what is wrong with it.
    """
    if len(text) > MOST_ENCODED:  # `parse` looks closer
        raise ScenarioError(f"the file must be at most {MOST_BYTES:,} bytes; got {len(text):,}")
    if isinstance(text, bytes):
        wide = text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        try:
            text = text.decode("utf-16" if wide else "utf-8-sig")
        except UnicodeDecodeError as problem:
            raise ScenarioError("the file must be text in UTF-8, or in UTF-16 with a byte order mark") from problem
    lines: dict[Path, int] = {}
    try:
        return made(parse(text, lines))
    except ScenarioError as problem:
        if problem.line is not None:
            raise
        raise ScenarioError(problem.what, problem.path, _line(problem.path, lines)) from problem


def _scenarios(content: Any) -> tuple[Scenario, ...]:
    if not isinstance(content, dict):
        raise ScenarioError("the file must hold a mapping with schema and scenarios")
    if "sweep" in content:
        raise ScenarioError("this is a sweep, which dpot sweep computes", ("sweep",))
    schema = content.get("schema")
    if type(schema) is int and schema > SCHEMA:
        raise ScenarioError(f"{schema} is newer than this program, which reads {SCHEMA}: update it", ("schema",))
    if type(schema) is not int or schema < 1:
        raise ScenarioError(f"must be a whole number from 1 to {SCHEMA}; got {schema!r:.60}", ("schema",))
    only(content, ("schema", "scenarios"), ())
    rows = content.get("scenarios")
    if not isinstance(rows, list) or not rows:
        raise ScenarioError("must be a list of scenarios, at least one", ("scenarios",))
    if len(rows) > MOST_SCENARIOS:
        raise ScenarioError(f"must hold at most {MOST_SCENARIOS} scenarios; got {len(rows)}", ("scenarios",))
    read_ = tuple(_scenario(row, ("scenarios", i)) for i, row in enumerate(rows))
    chosen = [i for i, scenario in enumerate(read_) if scenario.chosen is not None]
    if len(chosen) > 1:
        raise ScenarioError("only one scenario can be chosen", ("scenarios", chosen[1], "chosen"))
    return read_


def _scenario(row: Any, path: Path) -> Scenario:
    if not isinstance(row, dict):
        raise ScenarioError("must be a mapping with kind, title and config", path)
    only(row, ("kind", "title", "config", "data", "chosen", *_TEXTS), path)
    for name in ("kind", "title", *(name for name in ("chosen", *_TEXTS) if name in row)):
        if not isinstance(row.get(name), str):
            what = "missing field" if name not in row else f"must be text; got {row[name]!r:.60}"
            raise ScenarioError(what, (*path, name))
    if row["kind"] not in VIEWS:
        raise ScenarioError(f"unknown kind {row['kind'][:60]!r}; the kinds are {', '.join(VIEWS)}", (*path, "kind"))
    if "config" not in row:
        raise ScenarioError("missing field", (*path, "config"))
    data = data_in(row, VIEWS[row["kind"]], path)
    config = from_plain(VIEWS[row["kind"]].example, row["config"], (*path, "config"))
    try:
        texts = {name: row.get(name, "") for name in _TEXTS}
        return Scenario(row["kind"], row["title"], config, tuple(data.items()), row.get("chosen"), **texts)
    except ScenarioError as problem:
        raise problem.under(*path) from problem


def data_in(mapping: dict[str, Any], view: View, path: Path) -> dict[str, str]:
    """The entries of a mapping under ``data``, by role: tags of private files, digests of public data sets.

    A plain digest of a private file becomes its tag: nothing after this has it, and nothing can write it.
    """
    data = mapping.get("data", {})
    if not isinstance(data, dict):
        raise ScenarioError("must be a mapping of roles to digests", (*path, "data"))
    known = {}
    for role, text in data.items():
        public, where = role in view.data_sets, (*path, "data", str(role))
        plain = isinstance(text, str) and DIGEST.fullmatch(text) is not None
        if not isinstance(role, str) or not (plain or (isinstance(text, str) and is_tag(text) and not public)):
            words = "" if public else ", or a tag that this program wrote"
            raise ScenarioError(f"must be a digest in hexadecimal digits{words}", where)
        known[role] = tagged(text) if plain and not public else text
    return known


def only(mapping: dict[Any, Any], names: Sequence[str], path: Path) -> None:
    for name in mapping:
        if name not in names:
            raise ScenarioError(f"unknown field; the fields here are {', '.join(names)}", (*path, str(name)))


def _line(path: Path, lines: dict[Path, int]) -> int | None:
    """The line of a value, or of the nearest value around one that is missing."""
    while path not in lines:
        if not path:
            return None
        path = path[:-1]
    return lines[path]
