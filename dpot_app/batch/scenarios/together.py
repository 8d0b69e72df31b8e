"""The promise of several scenarios that are all released: only if their promises are about the same neighbours."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from dpot_core.privacy.accounting import composed_epsilon, from_one_sample
from dpot_core.privacy.disclosures import Disclosure
from dpot_core.privacy.guarantees import NEIGHBOURS, RECORDS, Guarantee
from dpot_core.privacy.numerals import at_most, counted
from dpot_core.privacy.rounding import rounded_up

#: What is added to the sum of the deltas where a release has none, so that accounting has something to gain with.
SLACK = 1e-6
_MOST_EPSILON = 20.0
#: Releases that are not all Gaussian and are composed by their privacy losses: 50 stand on a board, a sweep has more.
_MOST_LOSSES = 100
#: Epsilons that a sum shows one by one.
_MOST_TERMS = 20
_SAMPLES = (
    "This sum holds if every release draws its own sample of the population, independently of the others. Releases "
    "from the same sample cost more: their epsilons towards the people drawn add up before the sampling helps."
)
_FRESH = "It is the promise of releases with secret, fresh noise each, not of the demonstrations on the screen."


@dataclass(frozen=True)
class Together:
    guarantee: Guarantee | None  # by adding up; None if the promises cannot be added
    exact: str  # the sum of the epsilons as a fraction of what was typed, such as "5/2"
    # a smaller epsilon and the delta it holds at, by exact composition; None if there is none
    accounted: tuple[float, float] | None
    words: str  # how it was found, or why there is no common promise


def together(releases: Sequence[Disclosure], compared: bool = False) -> Together:
    """Compose the promises of several scenarios, each released once, with its mechanism.

    Basic composition: epsilons and deltas add up, exactly. Promises of central mechanisms, which see the data of many
    people, are also composed by their privacy losses: Gaussian mechanisms exactly, at the sum of their deltas; others
    as general (epsilon, delta) mechanisms, at a delta larger by `SLACK`.

    Args:
        compared: whether all that the scenarios compare is published, and not one release by one mechanism of each.

    Raises:
        ValueError: if there are none.

    Source:
        Dwork and Roth 2014, Theorem 3.16; Dong, Roth, Su 2022, Corollary 2; Kairouz, Oh, Viswanath 2015.
    """
    if not releases:
        raise ValueError("releases must hold at least one disclosure; got none")
    real = [one if compared else one.alone() for one in releases if one.parts]
    if not real:
        return _none("Nothing here is a release: these scenarios explain, search or compare.")
    result = _together(real)
    left_out = len(releases) - len(real)
    if left_out:
        scenarios = counted(left_out, "scenario", "scenarios")
        words = f"{result.words} Left out, because nothing is released there: {scenarios}."
        result = replace(result, words=words)
    return result


def _together(releases: Sequence[Disclosure]) -> Together:
    shared = [
        name
        for name, times in Counter(line for one in releases for line in set(one.source.splitlines())).items()
        if times > 1
    ]
    if shared:
        return _none(
            "No total: these scenarios share noise, which can cancel when they are compared. Give each its own seed."
        )
    if any(one.guarantee is None for one in releases):
        return _none("No total: a scenario releases parts whose guarantees do not add up.")
    guarantees = [one.guarantee for one in releases if one.guarantee is not None]
    try:
        guarantees, same = _same_samples(releases)
    except ValueError:
        return _none(_unlike(guarantees))
    guarantees, converted = _restated(guarantees)
    converted = same + converted
    try:
        # What each says of itself stands below: joined again and again it would be long.
        added = reduce(Guarantee.compose, [replace(guarantee, note="") for guarantee in guarantees])
    except ValueError:
        return _none(_unlike(guarantees))
    delta = sum((Fraction(repr(guarantee.delta)) for guarantee in guarantees), Fraction(0))
    total = sum((Fraction(repr(guarantee.epsilon)) for guarantee in guarantees), Fraction(0))
    texts = dict.fromkeys(guarantee.note.strip() for guarantee in guarantees if guarantee.note.strip())
    note = " ".join(text if text.endswith(".") else f"{text}." for text in texts)
    if len(releases) > 1:
        # What a promise says of itself is not true of the sum.
        own = re.sub(r"(^|\. )For one ", r"\1Each is for one ", note)
        note = f"For all {len(releases)} releases together. {own}".strip()
    alone = bool(same) and len(guarantees) == 1
    words = (
        converted.strip() if alone else f"{converted}Epsilons add up exactly: {_terms(guarantees)} {_decimal(total)}."
    )
    accounted = None
    if alone:
        words += " So do the deltas (basic composition towards the people drawn)."
    elif added.neighbours == "local":
        words += " They are promises to one and the same person, who takes part in every release."
    elif added.neighbours.startswith("earth-mover"):
        words += " So do the deltas and, for all other changes, the α's, which count the same distances."
    elif added.neighbours == "metric":
        words += f" They count for each unit of one distance: {added.unit}." if added.unit else ""
    else:
        words += " So do the deltas (basic composition, which holds also if a release depends on those before)."
        accounted = _accounted(guarantees, float(delta))
        if accounted is not None:
            words += (
                f" Composed by their privacy losses: ε = {at_most(accounted[0])} at δ = {at_most(accounted[1], 0.0)} "
                "for the same releases."
            )
    if sum(guarantee.sampled is not None for guarantee in guarantees) > 1:
        said = _SAMPLES + _from_one(guarantees)
        words += f" {said}"
        note = f"{note} {said}".strip()
    if not added.proven:
        words += " At least one of these promises is claimed and not proven; then so is the sum."
    if any(one.status == "demonstration" for one in releases):
        words += f" {_FRESH}"
    guarantee = replace(added, epsilon=rounded_up(total), delta=rounded_up(delta), note=note)
    return Together(guarantee, str(total), accounted, words)


def _terms(guarantees: Sequence[Guarantee]) -> str:
    """The epsilons that are added up: each by itself where they are few, else like ones together, else how many."""
    texts = [f"{guarantee.epsilon:g}" for guarantee in guarantees]
    if len(texts) <= _MOST_TERMS:
        return " + ".join(texts)
    counts = Counter(texts)
    if len(counts) <= _MOST_TERMS:
        return " + ".join(f"{times} × {text}" if times > 1 else text for text, times in counts.items())
    return f"{texts[0]} + {texts[1]} + … + {texts[-1]} ({len(texts):,} terms)"


def _restated(guarantees: list[Guarantee]) -> tuple[list[Guarantee], str]:
    """Promises about like neighbours where one follows from the other, with the factor that it costs in words."""
    kinds = {guarantee.neighbours for guarantee in guarantees}
    for weaker in ("replace-in-both", "replace"):
        if weaker not in kinds:
            continue
        result = []
        for guarantee in guarantees:
            try:
                result.append(guarantee.restated(weaker))
            except ValueError:
                break
        if len(result) == len(guarantees) and len(kinds) > 1:
            return result, f"Restated for {NEIGHBOURS[weaker]}, which costs twice the ε of every other promise here. "
    return guarantees, ""


def _same_samples(releases: Sequence[Disclosure]) -> tuple[list[Guarantee], str]:
    """One promise for all releases from each sample: they add up towards its people, and only the sum is amplified.

    Raises:
        ValueError: if those of a sample do not add up.
    """
    samples: dict[tuple[str, int], list[Guarantee]] = {}
    for number, one in enumerate(releases):
        if one.guarantee is not None:
            sampled = bool(one.sample) and one.guarantee.sampled is not None
            samples.setdefault((one.sample, -1) if sampled else ("", number), []).append(one.guarantee)
    promises, words = [], ""
    for same in samples.values():
        promise = same[0] if len(same) == 1 else from_one_sample(same)
        promises.append(promise)
        if len(same) > 1:
            words += (
                f"{len(same):,} of these releases are from the same sample of people: ε = "
                f"{at_most(promise.weakest.epsilon)} towards a person known to be in it. Towards the population, "
                f"sampling turns their sum into {at_most(promise.epsilon)}. "
            )
    return promises, words


def _from_one(guarantees: Sequence[Guarantee]) -> str:
    """The promise of the same releases from one and the same sample, where all are from a sample."""
    if any(guarantee.sampled is None for guarantee in guarantees):
        return ""
    one = from_one_sample(guarantees)
    return (
        f" From one sample: ε = {at_most(one.weakest.epsilon)} towards a person known to be in it, "
        f"{at_most(one.epsilon)} towards the population."
    )


def _unlike(guarantees: Sequence[Guarantee]) -> str:
    """Why promises do not add up, in words."""
    if len(kinds := dict.fromkeys(guarantee.neighbours for guarantee in guarantees)) > 1:
        said = "; ".join(f"{name}: {NEIGHBOURS[name]}" for name in sorted(kinds))
        return (
            "These promises are about different neighbours and do not add up. "
            f"{said[0].upper()}{said[1:]}. Compare the scenarios one by one, or restate one of the promises first."
        )
    if len(records := dict.fromkeys(guarantee.record for guarantee in guarantees)) > 1:
        said = "; ".join(RECORDS[name] for name in records)
        return f"These promises are about different records and do not add up: {said}."
    if len({guarantee.protects for guarantee in guarantees}) > 1:
        said = "; ".join(dict.fromkeys(" and ".join(guarantee.protects) for guarantee in guarantees))
        return f"These promises protect different changes and do not add up: {said}. Protect the same changes first."
    if len({guarantee.unit for guarantee in guarantees}) > 1:
        said = "; ".join(dict.fromkeys(guarantee.unit or "not named" for guarantee in guarantees))
        return f"These promises count ε for each unit of distance, and their units differ: {said}. A sum has no unit."
    return "The deltas add up to 1 or more, which promises nothing."


def _none(words: str) -> Together:
    return Together(None, "", None, words)


def _accounted(guarantees: Sequence[Guarantee], delta: float) -> tuple[float, float] | None:
    exact = all(guarantee.gaussian is not None for guarantee in guarantees)
    at = delta if exact else delta + SLACK
    if not exact and len(guarantees) > _MOST_LOSSES:
        return None
    if len(guarantees) < 2 or at >= 1 or max(guarantee.epsilon for guarantee in guarantees) > _MOST_EPSILON:
        return None
    epsilon = composed_epsilon(guarantees, at)
    return (epsilon, at) if epsilon < 0.99 * sum(guarantee.epsilon for guarantee in guarantees) else None


def _decimal(value: Fraction) -> str:
    """A sum of decimals: all its digits, or as many as a float has, rounded up.

    >>> _decimal(Fraction("0.1") + Fraction("0.2"))
    '= 0.3'
    >>> _decimal(Fraction("8.974990000000001") + Fraction("10.922900000000002"))
    '≤ 19.8979'
    """
    text = f"{value.numerator / value.denominator:.15g}"
    if Fraction(text) == value:
        return f"= {text}"
    digits = 6 - 1 - math.floor(math.log10(value))
    return f"≤ {math.ceil(value * Fraction(10) ** digits) / 10**digits if digits > 0 else math.ceil(value):g}"
