"""YAML by PyYAML's safe loader, with limits, and without what could cost or surprise.

Read are mappings, lists, text, numbers, true, false and null, as YAML 1.2's core schema has them. Tags and references
are refused. Dates, yes and no, and numbers to base 60 are text. What `documents.write` leaves without
quotation marks is text here too: 1e-3, say.
"""

import re
from typing import Any

import yaml
from yaml.reader import ReaderError

from dpot_app.kit.values import Path, ScenarioError

MOST_BYTES = 200_000
#: Values, lists and mappings. The largest board has a few thousand.
MOST_NODES = 50_000
#: Lists in lists; settings have five levels.
DEEPEST = 32
#: Of a whole number: no setting has twenty.
MOST_DIGITS = 40

_WHOLE = "tag:yaml.org,2002:int"
_SIGNS = "-+.0123456789"


class _Loader(yaml.SafeLoader):
    """Notes the line of every value in ``lines``."""

    yaml_implicit_resolvers: dict[Any, Any] = {}  # noqa: RUF012 (as PyYAML declares it)

    def __init__(self, text: str, lines: dict[Path, int]) -> None:
        super().__init__(text)
        self._lines, self._nodes = lines, 0
        self._path: Path = ()

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """A value; ``index``: its place in a list, or the node of its name. None for the root and for names."""
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        before = self._path
        line = (index if isinstance(index, yaml.Node) else event).start_mark.line + 1
        if parent is not None:
            self._path = (*before, str(index.value) if isinstance(index, yaml.Node) else "" if index is None else index)
        self._lines[self._path] = line
        self._nodes += 1
        try:
            if isinstance(event, yaml.AliasEvent):
                # Nine lines of references to references can stand for a billion values.
                raise ScenarioError("references (* and &) are not read", self._path, line)
            if event.tag is not None:
                raise ScenarioError("tags (! and !!) are not read: write the value alone", self._path, line)
            if self._nodes > MOST_NODES:
                raise ScenarioError(f"the file holds more than {MOST_NODES:,} values", (), line)
            if len(self._path) > DEEPEST:
                raise ScenarioError("the file is nested too deeply", (), line)
            return super().compose_node(parent, index)
        finally:
            self._path = before

    def plain(self, node: yaml.Node, path: Path = ()) -> Any:
        """The value of a node."""
        line = node.start_mark.line + 1
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(one, (*path, place)) for place, one in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            mapping: dict[str, Any] = {}
            for key, value in node.value:
                name, line = self.plain(key, path), key.start_mark.line + 1
                if not isinstance(name, str):
                    raise ScenarioError(f"names of fields must be text; got {name!r}"[:100], path, line)
                if name in mapping:
                    raise ScenarioError("stands twice", (*path, name), line)
                mapping[name] = self.plain(value, (*path, name))
            return mapping
        if any("\ud800" <= character <= "\udfff" for character in node.value):
            raise ScenarioError("this is not YAML: an escape stands for half a character", path, line)
        if node.tag == _WHOLE and (digits := len(node.value)) > MOST_DIGITS:
            raise ScenarioError(f"a whole number has {digits:,} digits; at most {MOST_DIGITS} are read", path, line)
        return self.construct_object(node)


for _tag, _pattern, _first in (
    ("bool", "true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", "null|Null|NULL|~|", ["n", "N", "~", ""]),
    ("int", "[-+]?(0|[1-9][0-9_]*|0x[0-9a-fA-F]+)", _SIGNS),
    ("float", r"[-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9]+([eE][-+][0-9]+)?", _SIGNS),
    ("float", r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", _SIGNS),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), [*_first])


def parse(text: str, lines: dict[Path, int]) -> Any:
    """Plain values from YAML; the line of every value is noted in ``lines``.

    Raises:
        ScenarioError: names the line and says what is wrong there.
    """
    if (size := len(text.encode("utf-8", "surrogatepass"))) > MOST_BYTES:
        raise ScenarioError(f"the file must be at most {MOST_BYTES:,} bytes; got {size:,}")
    try:
        loader = _Loader(text, lines)
    except ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        what = f"this is not YAML: the character #x{problem.character:04x} is not allowed"
        raise ScenarioError(what, (), line) from problem
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = (loader.line if mark is None else mark.line) + 1
        if problem.problem == "but found another document":
            raise ScenarioError("the file holds a second document; only one is read", (), line) from problem
        raise ScenarioError(f"this is not YAML: {problem.problem}", (), line) from problem
    except (ValueError, OverflowError) as problem:
        if isinstance(problem, ScenarioError):
            raise
        # The scanner makes characters of escapes such as \UFFFFFFFF without a look.
        raise ScenarioError("this is not YAML: an escape stands for no character", (), loader.line + 1) from problem
    return None if node is None else loader.plain(node)
