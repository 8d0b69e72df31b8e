"""The numerical accountant of shuffled reports: its lemma, its tails and its promises against exact enumeration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpot_core.mechanisms.metric.shuffling import composition_rate, item_rate
from dpot_core.mechanisms.metric.shuffling_accountant import (
    _covered,
    _slack_within,
    accounted_draws,
    accounted_items,
    shuffled_slack,
)
from dpot_core.mechanisms.metric.user_level import composed_delta


def slack(one: np.ndarray, other: np.ndarray, epsilon: float) -> float:
    """Hockey-stick divergence of two distributions on the same outcomes."""
    return float(np.maximum(one - math.exp(epsilon) * other, 0.0).sum())


def shuffled(rows: np.ndarray) -> np.ndarray:
    """Exact distribution of the multiset of independent reports with the given distributions, (reports, symbols)."""
    n, symbols = rows.shape
    found: dict[tuple[int, ...], float] = {}
    for outcome in itertools.product(range(symbols), repeat=n):
        key = tuple(np.bincount(outcome, minlength=symbols))
        found[key] = found.get(key, 0.0) + math.prod(rows[i, y] for i, y in enumerate(outcome))
    return np.array([found[key] for key in sorted(found)])


@pytest.mark.parametrize("changed", [1, 2, 7, 40])
@pytest.mark.parametrize("clones", [0, 1, 5, 60])
@pytest.mark.parametrize("loss", [0.01, 0.4, 3.0])
def test_the_slack_is_the_hockey_stick_of_the_two_sums(changed: int, clones: int, loss: float) -> None:
    p = 1 / (1 + math.exp(-loss))
    coins = stats.binom.pmf(np.arange(clones + 1), clones, 0.5)
    one, other = (np.convolve(stats.binom.pmf(np.arange(changed + 1), changed, x), coins) for x in (p, 1 - p))
    for share in (0.0, 0.1, 0.5, 0.9):
        epsilon = share * changed * loss
        exact = slack(one, other, epsilon)
        assert exact <= shuffled_slack(loss, epsilon, changed, clones) <= exact * (1 + 1e-6) + 1e-8
        assert exact == pytest.approx(slack(other, one, epsilon), abs=1e-12)
    assert shuffled_slack(loss, changed * loss, changed, clones) == 0.0


def test_without_clones_it_is_composition() -> None:
    for epsilon_0, m, epsilon in ((0.05, 1000, 8.0), (0.3, 20, 2.0), (2.0, 3, 1.0)):
        assert shuffled_slack(epsilon_0, epsilon, m) == pytest.approx(composed_delta(epsilon_0, m, epsilon), rel=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_no_shuffled_reports_tell_more_than_the_two_sums(seed: int) -> None:
    """The lemma, with arbitrary kernels, histories and others: exact distributions of all multisets."""
    rng = np.random.default_rng(seed)
    changed, others = ((1, 3), (2, 2), (3, 1), (2, 3))[seed % 4]
    rows = rng.dirichlet(np.ones(3), 2 + others) + (0.02, 0.3)[seed % 2]
    rows /= rows.sum(axis=1, keepdims=True)
    first, second, rest = rows[0], rows[1], rows[2:]
    loss = float(np.abs(np.log(first / second)).max())
    hidden = float(np.log(np.maximum(first, second) / rest).max())
    one, other = (shuffled(np.vstack([np.tile(row, (changed, 1)), rest])) for row in (first, second))
    clones = stats.binom.pmf(np.arange(others + 1), others, math.exp(-hidden))
    for epsilon in np.linspace(0.0, 1.2 * changed * loss, 9).tolist():
        bound = sum(share * shuffled_slack(loss, epsilon, changed, k) for k, share in enumerate(clones))
        assert max(slack(one, other, epsilon), slack(other, one, epsilon)) <= bound * (1 + 1e-9) + 1e-15


@pytest.mark.parametrize(("alpha", "delta", "m", "n"), [(1.5, 0.05, 4, 3), (1.0, 0.01, 6, 40), (2.0, 1e-4, 30, 1)])
def test_random_items_at_two_points_keep_the_promise_at_every_distance(
    alpha: float, delta: float, m: int, n: int
) -> None:
    """Randomized response on two points: everybody else anywhere, one history moves from 0 to any mixture."""
    found = accounted_draws(alpha, delta, m, n)
    assert found.by == "accountant" and (found.alpha, found.delta) == (alpha, delta)
    # R(K)(1) is a mixture of q and 1 - q whose slope is least steep in logarithms where R is large: beta is Lip log R.
    beta = found.item_rate
    low = 1 / (1 + math.exp(beta))
    for away in (0, m * (n - 1) // 2, m * (n - 1)):
        rest = np.convolve(
            stats.binom.pmf(np.arange(away + 1), away, 1 - low),
            stats.binom.pmf(np.arange(m * (n - 1) - away + 1), m * (n - 1) - away, low),
        )
        for w in (1.0, 0.8, 0.5, 0.2, 0.05, 0.01):
            # Two report distributions exp(beta w) apart, in the middle of what is possible.
            p = 1 / (1 + math.exp(beta * w))
            one, other = (np.convolve(stats.binom.pmf(np.arange(m + 1), m, x), rest) for x in (p, 1 - p))
            assert slack(one, other, alpha * w) <= delta
            assert slack(other, one, alpha * w) <= delta


def test_locally_it_comes_within_a_hundredth_of_the_exact_limit() -> None:
    """m = 1000, alpha = 8, delta = 1e-6: Theorem 4.4 gives .0114, composition .008, and nothing can exceed .0485."""
    found = accounted_draws(8.0, 1e-6, 1000)
    assert found.item_rate == pytest.approx(0.0481, abs=2e-4)
    assert composed_delta(found.item_rate, 1000, 8.0) <= 1e-6 < composed_delta(1.015 * found.item_rate, 1000, 8.0)
    assert item_rate(8.0, 1e-6, 1000).item_rate == pytest.approx(0.0114, abs=5e-5)
    assert composition_rate(8.0, 1000).item_rate == 0.008


@pytest.mark.parametrize(("alpha", "delta", "m", "n"), [(8.0, 1e-6, 1000, 1), (3.0, 1e-4, 50, 1), (4.0, 1e-3, 20, 10)])
def test_known_items_at_two_points_keep_the_promise_for_any_number_of_moves(
    alpha: float, delta: float, m: int, n: int
) -> None:
    """All items at 0; j of them move to 1. The numbers of reports "1" are exact convolutions of binomials."""
    found = accounted_items(alpha, delta, m, n)
    assert found.item_rate > 1.2 * composition_rate(alpha, m).item_rate
    q = 1 / (1 + math.exp(found.item_rate))
    total = m * n
    before = stats.binom.pmf(np.arange(total + 1), total, q)
    for j in {1, 2, 3, m // 10 + 1, m // 3, m // 2, m}:
        after = np.convolve(
            stats.binom.pmf(np.arange(j + 1), j, 1 - q), stats.binom.pmf(np.arange(total - j + 1), total - j, q)
        )
        assert max(slack(before, after, alpha * j / m), slack(after, before, alpha * j / m)) <= delta


@pytest.mark.slow
@pytest.mark.parametrize("solve", [accounted_draws, accounted_items])
def test_shuffling_is_never_worse_than_composition_and_gains_from_company(solve) -> None:
    alone, crowd = solve(5.0, 1e-6, 100), solve(5.0, 1e-6, 100, 1000)
    assert composition_rate(5.0, 100).item_rate <= alone.item_rate < crowd.item_rate
    assert solve(5.0, 1e-6, 1).by == "composition"
    assert crowd.item_rate > 1.5 * item_rate(5.0, 1e-6, 100, 1000).item_rate
    assert solve(5.0, 1e-4, 100).item_rate > alone.item_rate


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="delta must lie"):
        accounted_draws(1.0, 0.0, 10)
    with pytest.raises(ValueError, match="items must lie"):
        accounted_items(1.0, 1e-6, 0)
    with pytest.raises(ValueError, match="loss must lie"):
        shuffled_slack(-1.0, 1.0, 2)


@pytest.mark.parametrize("solve", [accounted_draws, accounted_items])
@pytest.mark.parametrize(("items", "users"), [(1, 1), (30, 1), (7, 20)])
def test_changed_reports_are_not_among_those_that_hide(solve, items: int, users: int, monkeypatch) -> None:
    """What changes together and what hides it are all reports, each once; one's own are all that there are locally."""
    split: list[tuple[int, int]] = []

    def solved(alpha, delta, m, changed, others, *rest):
        split.append((changed, others))
        return composition_rate(alpha, m)

    monkeypatch.setattr("dpot_core.mechanisms.metric.shuffling_accountant._solved", solved)
    solve.__wrapped__(1.0, 1e-6, items, users)
    ((changed, others),) = split
    assert changed + others == items * users
    assert (others == 0) == (users == 1 and changed == items)


def test_the_largest_distance_need_not_be_the_worst() -> None:
    """One report with a large loss: its shift tanh(a w/2) has all but saturated at w = 1, so nearer pairs decide."""
    loss, others, slack = 6.0, 10**7, 1e-9
    rate = next(
        rate for rate in np.geomspace(1e-3, 6.0, 200) if _slack_within(loss, rate, slack, 1, others, 0.998, 1.0)
    )
    assert not _slack_within(loss, rate, slack, 1, others, 0.298, 0.3)
    assert not _covered(loss, rate, slack, 1, others)
    assert _covered(loss, 3.0 * rate, slack, 1, others)
