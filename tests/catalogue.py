"""The texts of the app as a gettext template, with which a translator could begin: ``python -m tests.catalogue``.

``make catalogue`` writes it to ``dpot.pot``. A value in a text is ``{0}``, ``{1}`` in its order; its code stands above
the entry. A noun with its number goes through `dpot_core.privacy.numerals.counted` and has a plural.
A text that is put together of parts has an entry for each part, so a translator cannot change the order of the parts.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests import prose

#: A text has words; keys, formats and addresses have none, or no blank and no capital.
_TEXT = re.compile(r"(?=.*[^\W\d_]{2})(?=.*\s)|[A-Z][^\W\d_]+$", re.DOTALL)
_NO_TEXT = re.compile(r"<style|<!doctype|^\w+( = |\()|\\[a-z]{3,}|^%\{|[*+?]\)|^[A-Z]+ INTO ", re.IGNORECASE)
_HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'


@dataclass
class Entry:
    """A text, or a noun with its plural.

    Attributes:
        values: code that gives the values in the text.
        places: file and line.
    """

    text: str
    plural: str = ""
    values: tuple[str, ...] = ()
    places: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"#. {{{place}}}: {' '.join(code.split())}" for place, code in enumerate(self.values)]
        lines += ["#: " + " ".join(self.places), f"msgid {_quoted(self.text)}"]
        lines += [f"msgid_plural {_quoted(self.plural)}", 'msgstr[0] ""'] if self.plural else ['msgstr ""']
        return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def texts(path: Path) -> Iterator[tuple[int, str, str, tuple[str, ...]]]:
    """Line, text, plural and values of every text of a module; docstrings are none."""
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):  # what holds something comes before it
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            values = [part for part in node.values if isinstance(part, ast.FormattedValue)]
            skipped |= {id(part.format_spec) for part in values if part.format_spec}
            places = iter(range(len(values)))
            parts = (str(one.value) if isinstance(one, ast.Constant) else f"{{{next(places)}}}" for one in node.values)
            yield node.lineno, "".join(parts), "", tuple(ast.unparse(part.value) for part in values)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("counted") and len(node.args) == 3:
            one, many = node.args[1:]
            if isinstance(one, ast.Constant) and isinstance(many, ast.Constant):
                skipped |= {id(one), id(many)}
                yield node.lineno, str(one.value), str(many.value), ()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value, "", ()


def catalogue(paths: Iterable[Path]) -> list[Entry]:
    """Every text of some modules, once, in the order in which they have them."""
    found: dict[tuple[str, str], Entry] = {}
    for path in paths:
        for line, text, plural, values in sorted(texts(path)):
            if plural or (_TEXT.match(text) and not _NO_TEXT.search(text)):
                entry = found.setdefault((text, plural), Entry(text, plural, values))
                entry.places.append(f"{path.relative_to(prose.ROOT).as_posix()}:{line}")
    return list(found.values())


if __name__ == "__main__":
    print(_HEAD, *catalogue(prose.modules()), sep="\n", end="")
