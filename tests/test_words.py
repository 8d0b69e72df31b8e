"""Words that must not be used: of delta, which is no probability of failure; and those that name no one."""

import re
from pathlib import Path

import pytest

from tests import prose

ROOT = Path(__file__).resolve().parents[1]

#: With Gaussian noise at epsilon 1 and delta 1e-5 the loss exceeds epsilon with probability 16 delta; at 0.1 with 111.
FORBIDDEN = re.compile(
    r"""
      (?:bound|promise|guarantee|epsilon|ε|it)\s+(?:may|can|might)\s+(?:be\s+)?(?:fail|broken|violated)
    | probability\s+with\s+which\s+(?:the|this|a)\s+(?:bound|promise|guarantee)\s+(?:may|can|might|fails|does\s+not)
    | except\s+with\s+a\s+(?:small\s+)?probability
    | (?:bound|promise|guarantee)\s+(?:fails|holds)\s+(?:only\s+|except\s+)?with\s+probability\s+
      (?:at\s+(?:most|least)\s+)?(?:1\s*[-−]\s*)?(?:δ|delta)
    | (?:δ|delta)\s*(?:,\s*|is\s+|=\s+)the\s+(?:probability|chance)\s+(?:that|of|with)
    """,
    re.IGNORECASE | re.VERBOSE,
)


def said(text: str) -> list[str]:
    """The forbidden phrases of a text; line breaks, quotes and comment signs between words do not hide them."""
    return [found.group() for found in FORBIDDEN.finditer(re.sub(r"[\s\"'#]+", " ", text))]


@pytest.mark.parametrize(
    "text",
    [
        "delta: probability with which the bound may fail",
        'f"δ = {delta:.3g} (the probability with which "\n    "the bound may fail)"',
        "Except with a probability of 1e-5 no observer learns more",
        "the promise holds with probability 1 - delta",
        "δ is the probability that ε is exceeded",
    ],
)
def test_the_wrong_words_are_recognised(text: str):
    assert said(text)


@pytest.mark.parametrize(
    "text",
    [
        "confidence: probability with which the bound holds",
        "plus δ = 1e-5. This is not the probability that the factor e^ε is exceeded",
        "a guess between two cases is right at most 73 % of the time",
    ],
)
def test_right_words_are_left_alone(text: str):
    assert not said(text)


def test_nowhere_is_delta_told_as_the_probability_of_failure():
    folders = [ROOT / name for name in ("pages", "dpot_app", "dpot_core", "docs")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".md", ".html", ".css"}]
    files += [ROOT / "README.md", ROOT / "app.py"]
    found = {str(path.relative_to(ROOT)): said(path.read_text(encoding="utf-8")) for path in sorted(files)}
    assert {name: phrases for name, phrases in found.items() if phrases} == {}


@pytest.mark.parametrize(
    "text", ["Nobody sees it", "for whoever asks", "between them, who knows", "What it is that moves"]
)
def test_a_riddle_is_recognised(text: str):
    assert prose.VAGUE.search(text)


def test_a_sentence_ends_where_a_reader_thinks_so():
    text = "A head\n\n- Ten items. ε = 2 is `more.private` now.\n\n| one cell | a [link](a.md). |\n\n```sh\nno\n```\n"
    assert prose.sentences(text) == ["A head", "Ten items.", "ε = 2 is Code now.", "one cell", "a link."]
    assert prose.too_long("word " * 31) and not prose.too_long("word " * 30 + "= .")


def test_a_value_in_a_text_is_one_word(tmp_path: Path):
    module = tmp_path / "module.py"
    module.write_text('"""No text of the screen."""\nx = f"moves {a + b} km" + "at most"\n', encoding="utf-8")
    assert {text for _, text in prose.strings(module)} == {"at most", "moves 1 km"}
