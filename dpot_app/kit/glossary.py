"""The field's words in one plain sentence each: pages offer those that stand on them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word of the field.

    Attributes:
        word: as it stands in lists.
        said: how it stands on the screen, as a regular expression.
        means: one sentence, in Markdown.
    """

    word: str
    said: str
    means: str


TERMS: dict[str, Term] = {
    "base": Term(
        "base measure",
        r"\bbase measures?\b",
        "A public weight for every output: what is released stays near it, whatever the input was.",
    ),
    "band": Term(
        "band, polytope",
        r"\bpolytopes?\b|\bband that privacy",
        "All distributions that privacy allows as outputs: at each point between the base measure and e^ε times it.",
    ),
    "wpm": Term(
        "WPM",
        r"\bWPM\b",
        "Wasserstein projection mechanism: among the outputs that privacy allows it takes the one to which the input's "
        "mass has the least way to move.",
    ),
    "kpm": Term(
        "KPM",
        r"\bKPM\b",
        "KL projection mechanism: among the outputs that privacy allows it takes the one that is most like the input "
        "point by point, however far mass has to move.",
    ),
    "em": Term(
        "EM",
        r"\bEM\b",
        "Exponential mechanism: each output is drawn the more seldom the farther it is from the input, by a factor "
        "that ε sets.",
    ),
    "mollifier": Term(
        "mollifier",
        r"\bmollifiers?\b",
        "A set of distributions so alike that a draw from one says at most ε about which it was. The relative "
        "mollifier mixes the input with a public one until it lies in the set.",
    ),
    "wasserstein": Term(
        "W₁, W₂",
        r"W[₁₂₃_]",
        "Wasserstein distance, or earth mover's distance: how far mass travels on average if one distribution is "
        "moved into the other by the shortest ways. W₂ is the root of the mean square of the ways.",
    ),
    "atoms": Term(
        "atoms",
        r"\batoms?\b",
        "The few points that stand for many people, each for an equal share of them.",
    ),
    "nats": Term(
        "nats",
        r"\bnats?\b",
        "The unit of ε: logarithms are natural, so that ε nats change odds by at most the factor e^ε.",
    ),
    "delta": Term(
        "δ",
        r"δ|\bdelta\b",
        "What the promise with ε leaves open. Any event in the output is at most e^ε times as likely in "
        "one case as in the other, plus δ.",
    ),
    "vulnerability": Term(
        "Bayes vulnerability",
        r"\bBayes vulnerability\b",
        "How often the likeliest input, given one release and what was known before it, is the true one.",
    ),
    "oracle": Term(
        "frequency oracle",
        r"\bfrequency oracles?\b|\bO(?:UE|LH)\b",
        "A private report of each person, from all of which follows how often each item occurs, and no person's item.",
    ),
    "geo-indistinguishability": Term(
        "geo-indistinguishability",
        r"\b[Gg]eo-indistinguishab\w+",
        "Privacy by distance for a place: the nearer two places are, the less a release may tell which of them it was.",
    ),
    "neighbours": Term(
        "neighbours",
        r"\bneighbours?\b",
        "The two cases that the promise makes hard to tell apart: two inputs of one person, or two data sets that "
        "differ in one person.",
    ),
}


def terms_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Keys of the words that stand in some texts."""
    text = "\n".join(texts)
    return tuple(key for key, term in TERMS.items() if re.search(term.said, text))


def explained(keys: Iterable[str]) -> str:
    """Words with their sentences, as a list in Markdown."""
    return "\n".join(f"- **{TERMS[key].word}**: {TERMS[key].means}" for key in keys)
