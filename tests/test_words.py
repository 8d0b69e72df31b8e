"""Words that must not be used: of delta, which is no probability of failure; and of people, who are not "somebody"."""

import ast
import re
from pathlib import Path

import pytest

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
        "Except with a probability of 1e-5 nobody learns more",
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
    folders = [ROOT / "pages", ROOT / "dpot_core", ROOT / "docs"]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".md", ".html", ".css"}]
    files += [ROOT / "README.md", ROOT / "app.py"]
    found = {str(path.relative_to(ROOT)): said(path.read_text(encoding="utf-8")) for path in sorted(files)}
    assert {name: phrases for name, phrases in found.items() if phrases} == {}


#: Who is meant has a name: a person, a reader, an observer, the operator.
VAGUE = re.compile(r"\b(?:somebody|anybody|nobody|whoever)\b", re.IGNORECASE)
#: The answer to "Who sees clean data?", which links carry.
ANSWERS = {"Nobody"}


def texts(path: Path) -> list[str]:
    """The texts of a module that are no documentation of it: what may reach a screen, a file or a log."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in notes]
    return [node.value for node in found if isinstance(node.value, str)]


def test_no_text_on_a_screen_says_somebody():
    modules = [ROOT / "app.py", *(path for name in ("pages", "dpot_core") for path in (ROOT / name).rglob("*.py"))]
    found = {
        f"{path.relative_to(ROOT)}: {text}"
        for path in modules
        for text in texts(path)
        if VAGUE.search(text) and text not in ANSWERS
    }
    assert found == set()
