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


@pytest.mark.parametrize(
    "text", ["What leaves the chart is drawn at its edge.", "(Those who know ask.)", "**Who asks.**"]
)
def test_a_statement_names_its_subject(text: str):
    assert list(prose.wrong(text, screen=False))
    assert not list(prose.wrong("What leaves the chart? Values beyond it. What-if board", screen=False))


def test_the_screen_has_shorter_sentences_in_which_a_formula_counts_for_nothing():
    text = "word " * 20 + "at"
    assert prose.too_long(text, screen=True) and not prose.too_long(text)
    assert not prose.too_long("word " * 20 + "δ = 1e-5 + ε", screen=True)
    on_screen = ["app.py", "pages/home.py", "dpot_app/views/ring/plan/text.py", "dpot_core/privacy/wording.py"]
    assert all(map(prose.SCREEN.match, on_screen)) and not prose.SCREEN.match("dpot_app/views/papers/rows/wpm.py")


@pytest.mark.parametrize("name", ["what_is_released", "it_is_a_metric", "nobody_waits", "somebodys_file", "anybody"])
def test_a_test_is_named_by_its_subject(name: str):
    assert prose.TEST.search(f"def test_{name}() -> None:")
    assert not prose.TEST.search("def test_the_body_says_what_is_released(nobody: str) -> None:")
    assert prose.NAMELESS.match("What a page says.") and not prose.NAMELESS.match("Whatever a page says.")


def test_a_sentence_ends_where_a_reader_thinks_so():
    text = "A head\n\n- Ten items. ε = 2 is `more.private` now.\n\n| one cell | a [link](a.md). |\n\n```sh\nno\n```\n"
    assert prose.sentences(text) == ["A head", "Ten items.", "ε = 2 is Code now.", "one cell", "a link."]
    assert prose.too_long("word " * 31) and not prose.too_long("word " * 30 + "= .")


def test_a_value_in_a_text_is_one_word(tmp_path: Path):
    module = tmp_path / "module.py"
    module.write_text('"""No text of the screen."""\nx = f"moves {a + b} km" + "at most"\n', encoding="utf-8")
    assert {text for _, text in prose.strings(module)} == {"at most", "moves 1 km"}


def test_the_linter_reads_every_text_and_says_where_it_stands():
    texts = [("one", "It's \"open."), ("two", "It lasts for ever."), ("three", "The least worst case.")]
    assert [complaint.partition(":")[0] for complaint in prose.complaints(texts)] == ["two"]
    read = dict(prose.read_texts())
    assert {"README.md", "docs/walk.md"} <= read.keys() and any(place.startswith("dpot_core/") for place in read)
