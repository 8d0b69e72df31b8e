"""Checks the prose of the project (`docs/style.md`): words that name no one, riddles, and sentences that are too long.

``python -m tests.prose`` prints what breaks the rules, as ``make check`` does, and exits with 1 if anything does.

proselint reads the same texts. It has no vocabulary of one's own and measures no sentence: these rules stand here.
(vale has, but fetches its program when it first runs, and checks need no network.)
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from proselint.checks import __register__
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import QUOTE_PATTERN, LintFile

ROOT = Path(__file__).resolve().parents[1]

#: Pieces of a module that have a docstring.
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

#: Words of a sentence, at most: beyond, a reader goes back to its beginning.
LONGEST = 30

#: Words of a sentence on the screen, at most; where these texts stand, but for the papers' rows, which are a record.
SHORT = 20
SCREEN = re.compile(r"(?:pages|dpot_app/(?:kit|shell|figures|views)|dpot_core/privacy)/(?!papers/rows)|app\.py")

#: Who is meant has a name: a person, a reader, an observer, the operator. Riddles have none.
VAGUE = re.compile(r"\b(?:somebody|anybody|nobody|who(?:ever|mever)|who knows|what it is that)\b", re.IGNORECASE)

#: The subject of a statement has a name, too: a sentence that begins so is a question or is turned round.
RIDDLE = re.compile(r"[*(]*(?:What|Who|Whose|Those (?:who|that|which)|That which)\b[^?]*\.[*)]*")
#: So has what a docstring returns, and what a test shows.
NAMELESS = re.compile(r"(?:What|Who|Whose|Those|That)\b(?!-)|Of (?!100)")
TEST = re.compile(
    r"def (test_(?:(?:what|who|whose|those|it|they)_|\w*(?:(?:some|any|no|every)bodys?|whoever)(?:_|\b))\w*)"
)

#: Texts that are data: Lincoln's sentences are as long as he made them.
DATA = {"dpot_core/datasets/texts_and_graphs.py"}

#: Documents that are made from texts of the code, which are checked where they stand.
MADE = {"docs/guarantees.md", "docs/papers.md"}

#: Code of others in the JavaScript: vendored, and not ours to word.
VENDORED = {"d3.js", "pdf-vendor.js"}

#: Checks of proselint that do not suit texts in code: signs of print; words twice, which values between them part; one
#: spelling where names of functions have the other; years, which look like ranges; "least worst", which is minimax.
UNSUITED = ("typography", "lexical_illusions", "spelling", "dates_times", "misc.illogic")

# A sentence ends before a capital letter, a sign of the field or a number; "p. 3" and "e.g. this" do not end one.
_END = re.compile(r"""(?<=[.!?])["')\]*_”]*\s+(?=["'(\[*_“‘]*(?:[A-ZΑ-Ωα-ω0-9±√∞‖|$★○◆]|k-RR))""")
_WORD = re.compile(r"[^\W_]")
#: On the screen the signs and numbers of a formula are no words.
_READ = re.compile(r"[^\W\d_]{2}|^a$", re.IGNORECASE)
# Styles, pages, settings and other code in strings: tags and indented lines.
_CODE = re.compile(r"<style|<!doctype|^ {2,}\S|^[a-z]\w+ = ", re.IGNORECASE | re.MULTILINE)


def documents() -> list[Path]:
    """What people read beside the app. The change log stays as it was written; `docs/api` is made from docstrings."""
    names = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
    return [*(ROOT / name for name in names), *sorted((ROOT / "docs").glob("*.md"))]


def modules() -> list[Path]:
    folders = ("pages", "dpot_app", "dpot_core")
    return [ROOT / "app.py", *sorted(path for name in folders for path in (ROOT / name).rglob("*.py"))]


def scripts() -> list[Path]:
    return sorted(path for path in (ROOT / "dpot_app").rglob("*.js") if path.name not in VENDORED)


def blocks(text: str) -> Iterator[str]:
    """Paragraphs, items of lists, headings and cells of tables, each without code, addresses and tags."""
    text = re.sub(r"^```.*?^```$|<!--.*?-->", "\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\n\n\1\n\n", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "Code", text)
    text = re.sub(r"^\|.*", lambda row: "\n\n" + re.sub(r"\||<br>", "\n\n", row.group()), text, flags=re.MULTILINE)
    text = re.sub(r"<br>|</?(?:h\d|p|li|pre|td|th|div)\b[^>]*>", "\n\n", text)
    text = re.sub(r"</?\w[^>]*>", "", text)
    text = re.sub(r"^\s*(?:[-*>]|\d+\.|#+)\s+", "\n\n", text, flags=re.MULTILINE)
    yield from (" ".join(block.split()) for block in re.split(r"\n\s*\n", text))


def sentences(text: str) -> list[str]:
    return [one for block in blocks(text) for one in _END.split(block) if one]


def length(sentence: str, counts: re.Pattern[str] = _WORD) -> int:
    """Words: by default all with a letter or a digit in it."""
    return sum(bool(counts.search(word)) for word in sentence.split())


def too_long(text: str, *, screen: bool = False) -> list[str]:
    return [one for one in sentences(text) if length(one) > LONGEST or (screen and length(one, _READ) > SHORT)]


@cache
def strings(path: Path) -> tuple[tuple[int, str], ...]:
    """Texts of a module that are no documentation of it, with their lines: what may reach a screen, a file or a log.

    A value in an f-string counts as a word.
    """
    found: list[tuple[int, str]] = []
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):  # what holds something comes before it
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            parts = [str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.values]
            found.append((node.lineno, "".join(parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            found.append((node.lineno, node.value))
    return tuple(found)


def vague() -> Iterator[str]:
    """Places with words that name no one: in documents, texts, docstrings and comments."""
    for path in [*documents(), *modules(), *scripts()]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for found in VAGUE.finditer(line):
                yield f"{path.relative_to(ROOT)}:{number}: {found.group()}: name who is meant"


def wrong(text: str, *, screen: bool) -> Iterator[str]:
    """Sentences that are too long, or that hide their subject."""
    yield from (f"{length(one)} words are too many: {one}" for one in too_long(text, screen=screen))
    yield from (f"begin with the subject: {one}" for one in sentences(text) if RIDDLE.fullmatch(one))


def hard_sentences() -> Iterator[str]:
    """Sentences of documents and of texts on the screen that are hard to read."""
    for path in documents():
        name = str(path.relative_to(ROOT))
        text = "" if name in MADE else path.read_text(encoding="utf-8")
        quoted = re.sub(r"^> .*", "", text, flags=re.MULTILINE)  # a quote of the screen
        yield from (f"{name}: {one}" for one in wrong(quoted, screen=False))
    for path in modules():
        name = str(path.relative_to(ROOT))
        for line, text in () if name in DATA else strings(path):
            if not _CODE.search(text):
                yield from (f"{name}:{line}: {one}" for one in wrong(text, screen=bool(SCREEN.match(name))))


def read_texts() -> Iterator[tuple[str, str]]:
    """Every text that people read, with its place: documents, texts of the app, docstrings."""
    for path in documents():
        yield from ((str(path.relative_to(ROOT)), one) for one in blocks(path.read_text(encoding="utf-8")))
    for path in modules():
        name = str(path.relative_to(ROOT))
        for line, text in () if name in DATA else strings(path):
            if " " in text.strip() and not _CODE.search(text):
                yield from ((f"{name}:{line}", one) for one in blocks(text))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
                yield from ((f"{name}:{getattr(node, 'lineno', 1)}", one) for one in blocks(text))


def complaints(texts: list[tuple[str, str]]) -> Iterator[str]:
    """Complaints of proselint about texts of one line each."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(__register__)
    # The first name that fits counts.
    checks: dict[str, Any] = {**dict.fromkeys(UNSUITED, False)}
    checks |= {name: on for name, on in DEFAULT["checks"].items() if name not in UNSUITED}
    # It skips what stands in quotes, and one that is left open would hide all texts after it.
    lines = (QUOTE_PATTERN.sub("", text) for _, text in texts)
    for complaint, (line, _) in LintFile("texts", "\n".join(lines)).lint({**DEFAULT, "checks": checks}):
        place, text = texts[line - 1]
        yield f"{place}: {complaint.message} {text}"


def nameless() -> Iterator[str]:
    """Docstrings, and names of tests, that begin with a riddle."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, DOCUMENTED):
                text = ast.get_docstring(node) or ""
                if NAMELESS.match(text):
                    yield f"{path.relative_to(ROOT)}: begin with a noun or an imperative: {text.splitlines()[0]}"
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for found in TEST.finditer(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}: name what is tested: {found[1]}"


if __name__ == "__main__":
    broken = [*vague(), *hard_sentences(), *nameless(), *complaints([*read_texts()])]
    print("\n".join(broken) or "prose: every sentence is short enough and names its subject")
    sys.exit(bool(broken))
