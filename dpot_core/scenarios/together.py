"""What is promised when several scenarios are all released: only if their promises are about the same neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from dp_accounting import pld

from dpot_core.guarantees import NEIGHBOURS, Guarantee
from dpot_core.scenarios.kinds import Kind

#: What is added to the sum of the deltas, so that accounting has something to gain with.
SLACK = 1e-6
_MOST_EPSILON = 20.0
#: In the note of a promise towards a population of which only a sample is used.
_SAMPLED = "a uniform sample without replacement is used"
_SAMPLES = (
    "This sum holds if every release draws its own sample of the population, independently of the others. Releases "
    "from one and the same sample cost more: their epsilons towards the people drawn add up before the sampling helps."
)


@dataclass(frozen=True)
class Together:
    """The promise of all releases.

    Attributes:
        guarantee: by adding up; None if the promises cannot be added.
        exact: the sum of the epsilons as a fraction of what was typed, such as "5/2".
        accounted: a smaller epsilon and the delta it holds at, by dp-accounting; None if there is none.
        words: how it was found, or why there is no common promise.
    """

    guarantee: Guarantee | None
    exact: str
    accounted: tuple[float, float] | None
    words: str


def together(releases: Sequence[tuple[Kind, Guarantee]]) -> Together:
    """Compose the promises of several releases.

    Basic composition: epsilons and deltas add up, exactly. Promises of central mechanisms, which see the data of many
    people, are also composed by dp-accounting as general (epsilon, delta) mechanisms, at a delta larger by `SLACK`.

    Args:
        releases: kind and promise of each.

    Raises:
        ValueError: if there are none.

    Source:
        Dwork and Roth 2014, Theorem 3.16; Kairouz, Oh, Viswanath 2015 (in dp-accounting).
    """
    if not releases:
        raise ValueError("releases must hold at least one promise; got none")
    real = [(kind, promise) for kind, promise in releases if kind.is_release]
    left_out = len(releases) - len(real)
    if not real:
        return _none("Nothing here is a release: these scenarios explain or search.")
    found = _together(real)
    if not left_out:
        return found
    words = f"{found.words} Left out, because nothing is released there: {counted(left_out)}."
    return Together(found.guarantee, found.exact, found.accounted, words)


def counted(number: int) -> str:
    """Scenarios as a counted noun."""
    return f"{number} scenario" + ("" if number == 1 else "s")


def _together(releases: Sequence[tuple[Kind, Guarantee]]) -> Together:
    promises = [promise for _, promise in releases]
    neighbours = {promise.neighbours for promise in promises}
    if len(neighbours) > 1:
        said = "; ".join(f"{name}: {NEIGHBOURS[name]}" for name in sorted(neighbours))
        return _none(
            "These promises are about different neighbours and do not add up. "
            f"{said[0].upper()}{said[1:]}. Compare the scenarios one by one, or restate one of the promises first."
        )
    (name,) = neighbours
    if name == "metric" and len({kind.page for kind, _ in releases}) > 1:
        return _none(
            "These promises count ε for each unit of distance, and their distances differ from page to page: a sum "
            "would have no unit."
        )
    if name.startswith("earth-mover") and (unlike := _unlike(promises)):
        return _none(unlike)
    delta = sum((Fraction(repr(promise.delta)) for promise in promises), Fraction(0))
    if delta >= 1:
        return _none("The deltas add up to 1 or more, which promises nothing.")
    total = sum((Fraction(repr(promise.epsilon)) for promise in promises), Fraction(0))
    added = reduce(Guarantee.compose, promises)
    notes = dict.fromkeys(promise.note.strip() for promise in promises if promise.note.strip())
    note = " ".join(text if text.endswith(".") else f"{text}." for text in notes)
    sampled = sum(_SAMPLED in promise.note for promise in promises)
    if sampled > 1:
        note += f" {_SAMPLES}"
    rate = None
    if name == "earth-mover":
        rate = _up(sum((Fraction(repr(promise.rate)) for promise in promises), Fraction(0)))
    guarantee = Guarantee(_up(total), _up(delta), name, added.public, note, rate, added.protects)
    words = f"Epsilons add up exactly: {' + '.join(f'{p.epsilon:g}' for p in promises)} = {_decimal(total)}."
    accounted = None
    if name == "local":
        words += " They are promises to one and the same person, who takes part in every release."
    elif name in ("replace", "add-remove"):
        words += " So do the deltas (basic composition, which holds also if a release depends on those before)."
        accounted = _accounted(promises, guarantee)
        if accounted is not None:
            words += f" dp-accounting finds ε = {accounted[0]:.6g} at δ = {accounted[1]:.3g} for the same releases."
    elif name.startswith("earth-mover"):
        words += " So do the deltas and, for all other changes, the α's, which count the same distances."
    else:
        words += " They count for each unit of the distance that these pages share."
    if sampled > 1:
        words += f" {_SAMPLES}"
    if any("not proven" in promise.note.lower() for promise in promises):
        words += " At least one of these promises is claimed and not proven; then so is the sum."
    return Together(guarantee, str(total), accounted, words)


def _unlike(promises: Sequence[Guarantee]) -> str:
    """Why promises about changes of a history do not add up; empty if they do."""
    if len({promise.protects for promise in promises}) > 1:
        said = "; ".join(dict.fromkeys(" and ".join(promise.protects) for promise in promises))
        return f"These promises protect different changes and do not add up: {said}. Protect the same changes first."
    # At equal changes, alpha over epsilon tells the largest distance, which is the unit of alpha.
    units = [promise.rate / promise.epsilon for promise in promises if promise.rate and promise.epsilon]
    if units and max(units) > min(units) * (1 + 1e-9):
        return (
            "These promises count α for each largest distance, and the largest distances of their maps differ: a sum "
            "would have no unit. Use one box for all of them first."
        )
    return ""


def _none(words: str) -> Together:
    return Together(None, "", None, words)


def _accounted(promises: Sequence[Guarantee], added: Guarantee) -> tuple[float, float] | None:
    delta = added.delta + SLACK
    if len(promises) < 2 or delta >= 1 or max(promise.epsilon for promise in promises) > _MOST_EPSILON:
        return None
    losses = [
        pld.privacy_loss_distribution.from_privacy_parameters(
            pld.common.DifferentialPrivacyParameters(promise.epsilon, promise.delta)
        )
        for promise in promises
    ]
    epsilon = float(reduce(lambda one, other: one.compose(other), losses).get_epsilon_for_delta(delta))
    return (epsilon, delta) if epsilon < 0.99 * added.epsilon else None


def _up(value: Fraction) -> float:
    """The smallest float that is not below an exact number."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def _decimal(value: Fraction) -> str:
    """A sum of decimals, all its digits.

    >>> _decimal(Fraction("0.1") + Fraction("0.2"))
    '0.3'
    """
    text = f"{value.numerator / value.denominator:.15g}"
    return text if Fraction(text) == value else str(value)
