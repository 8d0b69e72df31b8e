"""Samples from the operating system's entropy: exact in size, uniform, and never the same twice."""

import collections
import itertools
import math

import numpy as np
import pytest

from dpot_core.datasets import entropy
from dpot_core.datasets.entropy import sample_counts, subset


def test_every_subset_is_as_likely() -> None:
    # Six standard errors: this cannot be seeded, so that the bound must practically never be missed.
    seen = dict.fromkeys(itertools.combinations(range(5), 2), 0)
    for _ in range(3000):
        seen[tuple(sorted(subset(5, 2).tolist()))] += 1
    expected = 3000 / 10
    assert all(abs(times - expected) < 6 * math.sqrt(expected) for times in seen.values())


@pytest.mark.parametrize(("total", "n"), [(1, 0), (1, 1), (2, 2), (7, 7), (1000, 500), (10**15, 40), (3 * 10**8, 5000)])
def test_numbers_are_different_and_in_range(total: int, n: int) -> None:
    found = subset(total, n)
    assert found.size == n == np.unique(found).size
    assert not n or (found.min() >= 0 and found.max() < total)


def test_a_sample_of_counted_people_has_its_size_and_its_mean() -> None:
    people = np.array([100, 0, 300, 600])
    for n in (0, 10, 900, 1000):
        counts = sample_counts(people, n)
        assert counts.sum() == n and (counts >= 0).all() and (counts <= people).all()
    many = np.mean([sample_counts(people, 100) for _ in range(400)], axis=0)
    assert many == pytest.approx([10, 0, 30, 60], abs=2.0)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_each_set_of_counted_people_is_as_likely(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All subsets of the numbers gone through: counts have exactly the multivariate hypergeometric law."""
    people, seen = np.array([2, 0, 3, 1, 1]), collections.Counter[tuple[int, ...]]()
    total = int(people.sum())
    for numbers in itertools.combinations(range(total), min(n, total - n)):
        monkeypatch.setattr(entropy, "subset", lambda total, n, numbers=numbers: np.array(numbers, dtype=np.int64))
        seen[tuple(sample_counts(people, n).tolist())] += 1
    kinds = itertools.product(*(range(size + 1) for size in people))
    law = {each: math.prod(map(math.comb, people.tolist(), each)) for each in kinds if sum(each) == n}
    assert seen == law


def test_two_samples_differ() -> None:
    assert (subset(10**12, 20) != subset(10**12, 20)).any()


def test_more_than_there_are() -> None:
    with pytest.raises(ValueError, match="n must be at most total"):
        subset(3, 4)
    with pytest.raises(ValueError, match="n must be at most total"):
        sample_counts(np.array([1, 1]), 3)
