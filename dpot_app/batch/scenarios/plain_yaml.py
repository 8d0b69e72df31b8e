"""The plain part of YAML that scenario files need, and nothing in it that could cost or surprise.

Read are mappings, lists, text, numbers, true, false and null, as YAML 1.2's core schema has them. Tags and references
are refused. Dates, yes and no, and numbers to base 60 are text. What `documents.write` leaves without
quotation marks is text here too: 1e-3, say.
"""

import re
from typing import Any

import yaml
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner

from dpot_app.kit.values import Path, ScenarioError

MOST_BYTES = 200_000
#: Values, lists and mappings. The largest board has a few thousand.
MOST_NODES = 50_000
#: Lists in lists; settings have five levels.
DEEPEST = 32
#: Of a whole number: no setting has twenty.
MOST_DIGITS = 40

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9_]*|0x[0-9a-fA-F]+)")
_NUMBER = re.compile(r"[-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9]+([eE][-+][0-9]+)?|[-+]?\.(inf|Inf|INF)")
_WORDS = {word: value for text, value in (("true", True), ("false", False), ("null", None)) for word in (
    text, text.capitalize(), text.upper())} | {"": None, "~": None}  # fmt: skip
_NOT_A_NUMBER = (".nan", ".NaN", ".NAN")


class _Events(Reader, Scanner, Parser):
    """PyYAML's parser without what makes objects of its events."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


def parse(text: str, lines: dict[Path, int]) -> Any:
    """Plain values from YAML; the line of every value is noted in ``lines``.

    Raises:
        ScenarioError: names the line and says what is wrong there.
    """
    if (size := len(text.encode("utf-8", "surrogatepass"))) > MOST_BYTES:
        raise ScenarioError(f"the file must be at most {MOST_BYTES:,} bytes; got {size:,}")
    try:
        events: Any = _Events(text)
    except ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        raise ScenarioError(
            f"this is not YAML: the character #x{problem.character:04x} is not allowed", (), line
        ) from (problem)
    try:
        return _Reading(events, lines).document()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        at = events.line if mark is None else mark.line
        raise ScenarioError(f"this is not YAML: {problem.problem}", (), at + 1) from problem
    except (ValueError, OverflowError) as problem:
        if isinstance(problem, ScenarioError):
            raise
        # The scanner makes characters of escapes such as \UFFFFFFFF without a look.
        raise ScenarioError("this is not YAML: an escape stands for no character", (), events.line + 1) from problem


class _Reading:
    """One pass over the events of a file."""

    def __init__(self, events: Any, lines: dict[Path, int]) -> None:
        self._events, self._lines, self._nodes = events, lines, 0

    def document(self) -> Any:
        self._events.get_event()  # the stream begins
        if self._events.check_event(yaml.StreamEndEvent):
            return None
        self._events.get_event()  # the document begins
        value = self._value(())
        self._events.get_event()  # it ends
        if not self._events.check_event(yaml.StreamEndEvent):
            line = self._events.peek_event().start_mark.line + 1
            raise ScenarioError("the file holds a second document; only one is read", (), line)
        return value

    def _value(self, path: Path) -> Any:
        event = self._events.get_event()
        line = self._lines[path] = event.start_mark.line + 1
        self._nodes += 1
        if isinstance(event, yaml.AliasEvent):
            # Nine lines of references to references can stand for a billion values.
            raise ScenarioError("references (* and &) are not read", path, line)
        if event.tag is not None:
            raise ScenarioError("tags (! and !!) are not read: write the value alone", path, line)
        if self._nodes > MOST_NODES:
            raise ScenarioError(f"the file holds more than {MOST_NODES:,} values", (), line)
        if len(path) > DEEPEST:
            raise ScenarioError("the file is nested too deeply", (), line)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(path)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path)
        return _scalar(event, path, line)

    def _list(self, path: Path) -> list[Any]:
        found: list[Any] = []
        while not self._events.check_event(yaml.SequenceEndEvent):
            found.append(self._value((*path, len(found))))
        self._events.get_event()
        return found

    def _mapping(self, path: Path) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        while not self._events.check_event(yaml.MappingEndEvent):
            line = self._events.peek_event().start_mark.line + 1
            name = self._value((*path, ""))
            if not isinstance(name, str):
                raise ScenarioError(f"names of fields must be text; got {name!r}"[:100], path, line)
            if name in mapping:
                raise ScenarioError("stands twice", (*path, name), line)
            mapping[name] = self._value((*path, name))
            self._lines[*path, name] = line
        self._events.get_event()
        return mapping


def _scalar(event: Any, path: Path, line: int) -> Any:
    text: str = event.value
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ScenarioError("this is not YAML: an escape stands for half a character", path, line)
    if not event.implicit[0]:
        return text  # in quotation marks
    if text in _WORDS:
        return _WORDS[text]
    if text in _NOT_A_NUMBER:
        return float("nan")
    if _NUMBER.fullmatch(text):
        return float(text.replace("_", "").replace(".inf", "inf").replace(".Inf", "inf").replace(".INF", "inf"))
    if not _WHOLE.fullmatch(text):
        return text
    if len(text) > MOST_DIGITS:
        raise ScenarioError(f"a whole number has {len(text):,} digits; at most {MOST_DIGITS} are read", path, line)
    return int(text.replace("_", ""), 16 if "x" in text else 10)
