"""Oracle: every report of a small frequency oracle with its probability for each item, in exact fractions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from dpot_core.mechanisms.oracles import (
    FrequencyOracle,
    OptimalLocalHashing,
    OptimisedUnaryEncoding,
)

Report = tuple[int, ...]
Bits = tuple[int, ...]


def laws(oracle: FrequencyOracle) -> dict[Report, list[Fraction]]:
    """Report -> its probability for each item, of the float64 coins as the oracle has them."""
    return dict(_laws(oracle))


def _laws(oracle: FrequencyOracle) -> Iterator[tuple[Report, list[Fraction]]]:
    k, lost = oracle.k, Fraction(oracle.lost)
    if isinstance(oracle, OptimisedUnaryEncoding):
        other = Fraction(oracle.other)
        for bits in product((0, 1), repeat=k):
            each = [other if bit else 1 - other for bit in bits]
            own = [1 - lost if bit else lost for bit in bits]
            yield bits, [math.prod(own[v] if v == item else each[v] for v in range(k)) for item in range(k)]
    elif isinstance(oracle, OptimalLocalHashing):
        g = oracle.values
        right, wrong = (1 - lost) / g**k, lost / (g - 1) / g**k
        for table in product(range(g), repeat=k):
            for told in range(g):
                yield (*table, told), [right if value == told else wrong for value in table]
    else:
        d = sum(oracle.report([0], np.random.default_rng(0))[0].tolist())
        kept, left = (1 - lost) / math.comb(k - 1, d - 1), lost / math.comb(k - 1, d)
        for chosen in combinations(range(k), d):
            yield tuple(int(v in chosen) for v in range(k)), [kept if v in chosen else left for v in range(k)]


def supports(oracle: FrequencyOracle, item: int) -> dict[Bits, Fraction]:
    """Which items a report about one item supports, as bits -> probability."""
    found: dict[Bits, Fraction] = {}
    reports = laws(oracle)
    told = oracle.support(np.array(list(reports))).astype(int).tolist()
    for bits, law in zip(map(tuple, told), reports.values(), strict=True):
        found[bits] = found.get(bits, Fraction(0)) + law[item]
    return found


def sums(oracle: FrequencyOracle, items: list[int]) -> dict[Bits, Fraction]:
    """How many reports about these items support each item -> probability: one person after the other."""
    found: dict[Bits, Fraction] = {(0,) * oracle.k: Fraction(1)}
    for item in items:
        more: dict[Bits, Fraction] = {}
        for (counts, one), (bits, other) in product(found.items(), supports(oracle, item).items()):
            total = tuple(a + b for a, b in zip(counts, bits, strict=True))
            more[total] = more.get(total, Fraction(0)) + one * other
        found = more
    return found
