"""A promise in words: how strong it is, what it does to odds and beliefs, between whom; the weakest layer first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most, percent_at_most

#: Beliefs before a release, of which is said what may become of them.
PRIORS = (0.5, 0.1)


def in_short(guarantee: Guarantee) -> tuple[str, ...]:
    """Sentences for a picture's foot: epsilon and delta in three digits, the weakest promise first; between whom.

    Args:
        guarantee: the promise.
    """
    sizes = _sizes(guarantee, at_most, lambda delta: at_most(delta, 0.0))
    return (*sizes, f"Hard to tell apart: {guarantee.neighbours_text}.")


def _sizes(guarantee: Guarantee, epsilon: Callable[[float], str], delta: Callable[[float], str]) -> list[str]:
    """How strong a promise is, by what writes an epsilon and a delta."""

    def size(epsilon_: float, delta_: float) -> str:
        return f"ε = {epsilon(epsilon_)} nats" + (f", δ = {delta(delta_)}." if delta_ else ".")

    sentences = [size(guarantee.epsilon, guarantee.delta)]
    if guarantee.sampled is not None:
        inner = guarantee.sampled
        sentences = [
            f"Towards a person known to be in the sample: {size(inner.epsilon, inner.delta)}",
            f"Towards the population (at most a share of {at_most(inner.rate)} of any group is drawn, uniformly "
            f"without replacement, in secret): {sentences[0]}",
        ]
    if not guarantee.proven:
        sentences.append("This is claimed by the paper and NOT PROVEN: nothing is released for real under it.")
    return sentences


def in_words(guarantee: Guarantee) -> tuple[str, ...]:
    """Sentences that say what is promised, between whom, and what is not covered; the weakest promise first.

    Args:
        guarantee: the promise.
    """
    sentences = _sizes(guarantee, "{:.12g}".format, lambda delta: at_most(delta, 0.0, 6))
    certainty = percent_at_most(guarantee.weakest.posterior(0.5))
    shown = at_most(guarantee.weakest.odds_factor)
    if guarantee.weakest.delta == 0.0:
        sentences.append(
            f"No output shifts the odds between two cases by more than a factor of {shown} (e^ε). An observer who "
            f"thought both equally likely is at most {certainty} sure of one of them afterwards."
        )
    else:
        sentences.append(
            f"A guess between two equally likely cases is right at most {certainty} of the time. "
            + delta_means(guarantee.weakest)
        )
    sentences.append(f"Hard to tell apart: {guarantee.neighbours_text}.")
    public = "; ".join(guarantee.public) or "nothing but the method"
    sentences.append(f"Public and not protected: {public}.")
    if guarantee.note:
        note = guarantee.note[:1].upper() + guarantee.note[1:]
        sentences.append(note if note.endswith(".") else f"{note}.")
    return tuple(sentences)


def same_answer(guarantee: Guarantee, thing: str = "answer") -> str:
    """A local promise as a person hears it who is asked to take part; "" for any other promise.

    Each output's probability under any input is at least e^-epsilon times that under another one.

    Args:
        guarantee: the promise.
        thing: is released.

    >>> same_answer(Guarantee(2.0, neighbours="local"))  # doctest: +NORMALIZE_WHITESPACE
    'Suppose that an answer comes out for you 100 times on average, in many releases. In as many releases of any other
    person it comes out at least 13 times on average.'
    >>> same_answer(Guarantee(10.0, neighbours="local"), "film")[:80]
    'Suppose that a film comes out for you 1,000,000 times on average, in many releas'
    """
    if guarantee.weakest.delta > 0.0 or guarantee.neighbours != "local" or not guarantee.proven:
        return ""
    of = 100
    while of * math.exp(-guarantee.weakest.epsilon) < 10.0:
        of *= 10
    least = math.floor(of * math.exp(-guarantee.weakest.epsilon) * (1.0 - 1e-12))
    article = "an" if thing[0] in "aeiou" else "a"
    return (
        f"Suppose that {article} {thing} comes out for you {of:,} times on average, in many releases. In as many "
        f"releases of any other person it comes out at least {least} times on average."
    )


def delta_means(guarantee: Guarantee) -> str:
    """The meaning of delta in plain words: any event is at most e^epsilon times as likely, plus delta.

    Args:
        guarantee: a promise with delta > 0.
    """
    text = (
        "Any event in the output is at most e^ε times as likely in one case as in the other, plus δ = "
        f"{at_most(guarantee.delta, 0.0)}. This is not the probability that the factor e^ε is exceeded, "
    )
    if guarantee.exceeded is None:
        return text + "which may be larger than δ."
    return text + f"which is up to {at_most(guarantee.exceeded, 0.0)}."


def size_of(promise: Guarantee) -> str:
    """Epsilon and delta in six digits, the weaker layer first."""
    weak = promise.weakest
    text = f"ε = {at_most(weak.epsilon, digits=6)}" + (f", δ = {at_most(weak.delta, 0.0)}" if weak.delta else "")
    if promise.sampled is None:
        return text
    return f"{text} in the sample, ε = {at_most(promise.epsilon, digits=6)} towards the population"


def beliefs(promises: Sequence[Guarantee]) -> list[list[str]]:
    """Rows of a table: a sentence, then what an observer may conclude under each promise.

    With a delta no belief is bounded after every output, but guesses are.
    """
    if any(promise.weakest.delta > 0.0 for promise in promises):
        said = "A guess between two equally likely cases is right with a probability of at most"
        return [[said, *(percent_at_most(promise.weakest.posterior(0.5)) for promise in promises)]]
    return [
        [
            f"An observer who was {prior:.0%} sure before is at most this sure after",
            *(percent_at_most(promise.weakest.posterior(prior)) for promise in promises),
        ]
        for prior in PRIORS
    ]
