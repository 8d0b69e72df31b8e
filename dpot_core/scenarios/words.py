"""A promise in words, for files and reports."""

from __future__ import annotations

import math

from dpot_core.guarantees import Guarantee


def in_words(guarantee: Guarantee) -> tuple[str, ...]:
    """Sentences that say what is promised, between whom, and what is not covered.

    Args:
        guarantee: the promise.
    """
    epsilon, delta = guarantee.epsilon, guarantee.delta
    factor = guarantee.odds_factor
    shown = _up(factor) if math.isfinite(factor) else "e^ε"
    sentences = [f"ε = {epsilon:.12g} nats" + (f", δ = {delta:.6g}." if delta else ".")]
    certainty = 100 * guarantee.posterior(0.5)
    if delta == 0.0:
        sentences.append(
            f"No output shifts anybody's odds by more than a factor of {shown} (e^ε): who thought two cases equally "
            f"likely is at most {_up(certainty)} % sure of one of them afterwards."
        )
    else:
        sentences.append(
            f"Except with a probability of about δ, no output shifts the odds by more than a factor of {shown} (e^ε): "
            f"who has to guess between two equally likely cases is right at most {_up(certainty)} % of the time."
        )
    sentences.append(f"Protected: {guarantee.neighbours_text}.")
    public = "; ".join(guarantee.public) or "nothing but the method"
    sentences.append(f"Public and not protected: {public}.")
    if guarantee.note:
        sentences.append(guarantee.note if guarantee.note.endswith(".") else f"{guarantee.note}.")
    return tuple(sentences)


def _up(value: float) -> str:
    """Four digits, rounded up, so that a bound stays one."""
    if value == 0.0:
        return "0"
    scale = 10.0 ** (3 - math.floor(math.log10(abs(value))))
    up = math.ceil(value * scale - 1e-9) / scale
    return f"{min(up, 100.0) if value < 100.0 else up:,.10g}"
