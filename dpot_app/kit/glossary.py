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
        "A public weight for every output. Every output distribution stays near these weights, whatever the input. "
        "Best uniform: equal weights, whose total (mass) makes the worst case smallest. Minimax: the weights with the "
        "smallest worst case.",
    ),
    "band": Term(
        "band, polytope",
        r"\bpolytopes?\b|\bband that privacy",
        "All output distributions that privacy allows: each lies between two multiples of the base measure, whose "
        "ratio is e^ε.",
    ),
    "wpm": Term(
        "WPM",
        r"\bWPM\b",
        "Wasserstein projection mechanism. Of all output distributions that privacy allows, it takes the nearest one. "
        "Near means: little probability moves, and not far.",
    ),
    "kpm": Term(
        "KPM",
        r"\bKPM\b",
        "KL projection mechanism. Of all output distributions that privacy allows, it takes the one most like the "
        "input point by point. Distances do not count.",
    ),
    "em": Term(
        "EM",
        r"\bEM\b",
        "Exponential mechanism. The farther an output is from the input, the less often it is drawn; ε sets by what "
        "factor.",
    ),
    "randomized-response": Term(
        "k-RR",
        r"\bk-RR\b",
        "Randomized response among k answers: the true one most often, each other one with the same smaller "
        "probability. Decoded: its known noise is taken out of many answers together.",
    ),
    "lambda": Term(
        "λ",
        r"\bλ\b",
        "The weight of entropy in a fast solver of transport: it blurs the result. A small λ is slower and more exact. "
        "It does not change the promise.",
    ),
    "error": Term(
        "s.e.",
        r"\bs\.e\.",
        "Standard error: how far a mean over draws or people is from the true mean, typically. Paired: of the "
        "differences between two mechanisms on the same draws or people.",
    ),
    "mollifier": Term(
        "mollifier",
        r"\bmollifiers?\b",
        "A set of distributions so alike that one draw tells at most ε about which of them it came from. The relative "
        "mollifier mixes the input with a public distribution until the mixture lies in the set.",
    ),
    "mbde": Term(
        "MBDE",
        r"\bMBDE\b",
        "Mollified boosted density estimation. Small neural networks are trained on points of the input, and their "
        "output approximates the mollifier's.",
    ),
    "wasserstein": Term(
        "W₁, W₂",
        r"W[₁₂₃_]|\bearth mover's distance",
        "Wasserstein distance, or earth mover's distance: how far probability (mass) must move on average from one "
        "distribution to the other. W₂ is the root of the mean squared distance that it moves.",
    ),
    "potential": Term(
        "potential",
        r"\bpotentials?\b",
        "A number for each place: what one more unit of mass there would add to the cost of transport. Only "
        "differences of these numbers count.",
    ),
    "atoms": Term(
        "atoms",
        r"\batoms?\b",
        "The few points that stand for many people, each for an equal share of them.",
    ),
    "kl": Term(
        "KL",
        r"\bKL\b",
        "Kullback-Leibler divergence: how different two distributions are, point by point. It is 0 where they are "
        "equal. It is a mean logarithm, in nats: how much likelier is a draw under the first than under the second?",
    ),
    "nats": Term(
        "nats",
        r"\bnats?\b",
        "The unit of ε: ε nats change odds by at most the factor e^ε. Logarithms are natural (e is about 2.72).",
    ),
    "delta": Term(
        "δ",
        r"δ|\bdelta\b",
        "The slack of a promise with ε. The promise makes two cases hard to tell apart. Any output event is at most "
        "e^ε times as likely in one case as in the other, plus δ.",
    ),
    "vulnerability": Term(
        "Bayes vulnerability",
        r"\bBayes vulnerability\b",
        "How often the best guess of the input is right. The guess is the likeliest input, given one release and the "
        "prior.",
    ),
    "oracle": Term(
        "frequency oracle",
        r"\bfrequency oracles?\b|\bO(?:UE|LH)\b",
        "Each person sends a noisy report. All reports together tell how often each item occurs; one report tells at "
        "most ε about its person.",
    ),
    "geo-indistinguishability": Term(
        "geo-indistinguishability",
        r"\b[Gg]eo-indistinguishab\w+",
        "Privacy by distance for a place: the nearer two places are, the less a release tells them apart.",
    ),
    "laplace": Term(
        "planar Laplace",
        r"\b[Pp]lanar Laplace\b",
        "Noise for a place on a map: the farther from the true place, the less likely, exponentially.",
    ),
    "kernel": Term(
        "optimal kernel",
        r"\boptimal kernel\b",
        "Of all mechanisms that keep privacy by distance, one with the smallest mean loss under a prior. A linear "
        "program finds it.",
    ),
    "neighbours": Term(
        "neighbours",
        r"\bneighbours?\b",
        "The two cases that the promise makes hard to tell apart. They are two inputs of one person, or two data sets "
        "that differ in one person.",
    ),
}


def terms_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Keys of the words that stand in some texts."""
    text = "\n".join(texts)
    return tuple(key for key, term in TERMS.items() if re.search(term.said, text))


def first_uses(text: str, known: set[str]) -> str:
    """Sentences of the words that a text is the first to use on a page; "" for none.

    Args:
        known: keys of the words that are explained already; those of this text join them.
    """
    new = [key for key in terms_in([text]) if key not in known]
    known.update(new)
    return explained(new)


def explained(keys: Iterable[str]) -> str:
    """Words with their sentences, as a list in Markdown."""
    return "\n".join(f"- **{TERMS[key].word}**: {TERMS[key].means}" for key in keys)
