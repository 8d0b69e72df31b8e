"""The template of all texts: every word that one page shows is in it, and gettext reads it."""

import re
from itertools import chain
from pathlib import Path

import pytest

from dpot_app.kit.setting import declared
from dpot_app.shell.guarantee_strip import disclosure_strip
from dpot_app.views.ring import PAGE
from tests import prose
from tests.catalogue import Entry, catalogue
from tests.views.test_plain_words import shown_at

WORD = re.compile(r"[^\W\d_]{2,}")
TAGS = re.compile(r"<style>.*?</style>|<[^>]*>", re.DOTALL)
#: Signs of mathematics, and names of methods, which are made of the functions' names.
NAMES = re.compile(r"\b[WDχ][₀-₉ᵖ²]+|\b(?:minimax|(?:wasserstein|kl) projection|exponential mechanism)\b")


def parts(entries: list[Entry]) -> list[str]:
    """Sentences of texts, and their parts between values, the longest first."""
    texts = {text for one in entries for text in (one.text, one.plural)}
    every = {part.strip(" .,:;") for text in texts for part in re.split(r"\{\d+\}|(?<=[.:]) ", text)}
    return sorted((part for part in every if re.search(r"[^\W\d_]{2}", part)), key=len, reverse=True)


def unknown(text: str, known: list[str]) -> set[str]:
    """Words of a text that are in no part that is known, however the parts were put together."""
    text = TAGS.sub("\0", text)
    for part in known:
        if part.lower() in text.lower():
            text = re.sub(rf"(?<![^\W\d_]){re.escape(part)}(?![^\W\d_])", "\0", text, flags=re.IGNORECASE)
    left = set(WORD.findall(NAMES.sub("", text).lower()))
    return left - set(WORD.findall(" ".join(known).lower())) if left else left


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return catalogue(prose.modules())


def test_every_word_of_the_ring_page_is_in_the_catalogue(entries: list[Entry]) -> None:
    known = parts(entries)
    declarations = declared(PAGE.views[0].settings).values()
    texts = [PAGE.title, PAGE.question, *(text for one in declarations for text in (one.label, one.help or ""))]
    texts += [tab.label for _, tab in PAGE.tabs.values()]
    assert PAGE.lesson is not None
    texts += [formula.words for formula in PAGE.lesson.formulas]
    for view in PAGE.views:
        for config, results, words in shown_at(view):
            texts += [*words, disclosure_strip(view.disclosure(config, *results))]
    assert len(texts) > 100
    missing = {text: unknown(text, known) for text in texts}
    assert {text: words for text, words in missing.items() if words} == {}
    assert unknown("At ε = 2 the quokka moves", known) == {"quokka"}


def test_a_text_has_its_values_its_plural_and_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text('"""No text."""\nkey = "name"\nx = f"moves {a:.3g} km" + counted(n, "step", "steps")\n')
    assert [str(one) for one in catalogue([module, module])] == [
        '#. {0}: a\n#: module.py:3 module.py:3\nmsgid "moves {0} km"\nmsgstr ""\n',
        '#: module.py:3 module.py:3\nmsgid "step"\nmsgid_plural "steps"\nmsgstr[0] ""\n',
    ]


def test_gettext_reads_the_template(entries: list[Entry]) -> None:
    """A quote, a line break or a sign in a text does not end it."""
    lines = list(chain.from_iterable(str(one).splitlines() for one in entries))
    assert len(entries) > 3000
    line = re.compile(r'#[.:] .*|msg(?:id|id_plural|str|str\[0\]) "(?:[^"\\]|\\["\\nt])*"|')
    assert [one for one in lines if not line.fullmatch(one)] == []
