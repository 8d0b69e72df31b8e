"""The private choice against brute force: its chances, its epsilon over all small data sets, its coins."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.central import choice_error, noisy_choice
from dpot_core.mechanisms.central import noisy_choice as module

scores_of = st.lists(st.integers(-40, 40), min_size=1, max_size=6)
epsilons = st.sampled_from([0.01, 0.3, 1.0, 2.5, 20.0])


def by_permutations(scores: list[int], epsilon: float, sensitivity: int = 1) -> np.ndarray:
    """Permute-and-flip, order by order."""
    taken = [math.exp(epsilon * (score - max(scores)) / (2 * sensitivity)) for score in scores]
    chances = np.zeros(len(scores))
    orders = list(itertools.permutations(range(len(scores))))
    for order in orders:
        left = 1.0
        for option in order:
            chances[option] += left * taken[option] / len(orders)
            left *= 1.0 - taken[option]
    return chances


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("wanted", [0, 2, 3])
def test_no_two_neighbours_are_told_apart_by_more_than_epsilon(epsilon: float, wanted: int) -> None:
    """All data sets of three people, who each have enough from some option on, or at any set of options."""
    kinds = list(itertools.product((0, 1), repeat=3))
    chances = {}
    for people in itertools.combinations_with_replacement(kinds, 3):
        counts = np.sum(people, axis=0)
        chances[people] = np.log(by_permutations([-abs(int(count) - wanted) for count in counts], epsilon))
    largest = 0.0
    for (one, p), (two, q) in itertools.permutations(chances.items(), 2):
        if sum((Counter(one) - Counter(two)).values()) == 1:
            largest = max(largest, float((p - q).max()))
    assert 0.5 * epsilon < largest <= epsilon * (1 + 1e-12)


def test_a_choice_and_the_release_that_follows_cost_the_sum_of_both() -> None:
    """Every outcome of both together, on neighbours: by brute force at most epsilon of the choice plus that chosen."""
    levels, spent = (0.5, 1.0, 2.0), 0.4
    channels = [
        dpot.MECHANISMS["krr"](dpot.Public(1.0 - np.eye(3), 1.0 - np.eye(3), level, np.ones(3) / 3)) for level in levels
    ]
    rows = [channel(np.eye(3)) for channel in channels]
    enough = [[place != 2 or level >= 1.0 for level in levels] for place in range(3)]
    reached = 0.0
    for others in itertools.product(range(3), repeat=2):
        for here, there in itertools.permutations(range(3), 2):
            chances = []
            for place in (here, there):
                counts = np.sum([enough[person] for person in (*others, place)], axis=0)
                chances.append(by_permutations([-abs(int(count) - 3) for count in counts], spent))
            for option, level in enumerate(levels):
                ratio = np.log(chances[0][option] / chances[1][option] * rows[option][here] / rows[option][there])
                assert ratio.max() <= spent + level + 1e-12
                reached = max(reached, float(ratio.max()) / (spent + level))
    assert reached > 0.8


@pytest.mark.parametrize("loss", [Fraction(0), Fraction(1, 3), Fraction(1), Fraction(0.7), Fraction(5, 2)])
def test_coins_have_the_chance_of_the_exponential(loss: Fraction) -> None:
    n = 20_000
    found, chance = sum(module._survives(loss) for _ in range(n)) / n, math.exp(-loss)
    assert abs(found - chance) <= 7.0 * math.sqrt(chance * (1.0 - chance) / n)


def test_draws_have_the_chances_that_are_said() -> None:
    scores, n = [-3, 0, -1, -7, 0], 20_000
    chances = by_permutations(scores, 0.8)
    drawn = np.bincount([noisy_choice(scores, 0.8) for _ in range(n)], minlength=5) / n
    assert (np.abs(drawn - chances) <= 7.0 * np.sqrt(chances * (1.0 - chances) / n)).all()


@given(scores_of, epsilons)
def test_the_chosen_score_is_near_the_largest(scores: list[int], epsilon: float) -> None:
    bound = choice_error(len(scores), epsilon, 0.05)
    far = np.array(scores) < max(scores) - bound
    assert by_permutations(scores, epsilon)[far].sum() <= 0.05


def test_scores_must_be_whole_numbers() -> None:
    for scores in ([], [0.5], [1, math.inf]):
        with pytest.raises(ValueError, match="whole numbers"):
            noisy_choice(scores, 1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sensitivity"):
        noisy_choice([1], 1.0, 0)
    with pytest.raises(ValueError, match="failure"):
        choice_error(3, 1.0, 1.0)
