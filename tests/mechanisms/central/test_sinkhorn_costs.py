"""The cost alone: sensitivities against all neighbours, bounds, and what each way promises."""

import itertools
import math

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.mechanisms.central.sinkhorn_costs import COST_METHODS, cost_sensitivity
from dpot_core.mechanisms.central.sinkhorn_tuning import tune_sinkhorn
from dpot_core.mechanisms.central.sinkhorn_values import feasible_potentials, linear_cost
from dpot_core.transport.wasserstein import transport_cost
from tests.mechanisms.central.test_sinkhorn import clouds, grid_cost, histograms

BUDGET = {"epsilon": 1.0, "delta": 1e-5}


def neighbours(counts: np.ndarray):
    for u, v in itertools.permutations(range(counts.size), 2):
        if counts[u]:
            moved = counts.copy()
            moved[u] -= 1
            moved[v] += 1
            yield moved


@pytest.mark.slow
@pytest.mark.parametrize("n", [(1, 1), (3, 3), (2, 4)])
def test_no_neighbours_differ_in_cost_by_more_than_the_largest_cost_over_n(n: tuple[int, int]):
    cost = dpot.cost_matrix(dpot.grid(3, 1), p=2)
    largest = {"one": 0.0, "both": 0.0}
    for a, b in itertools.product(histograms(n[0], 3), histograms(n[1], 3)):
        here = transport_cost(a / n[0], b / n[1], cost)
        alone = [(moved, b) for moved in neighbours(a)] + [(a, moved) for moved in neighbours(b)]
        both = list(itertools.product(neighbours(a), neighbours(b)))
        for name, pairs in (("one", alone), ("both", both)):
            for x, y in pairs:
                largest[name] = max(largest[name], abs(transport_cost(x / n[0], y / n[1], cost) - here))
    for people, change in largest.items():
        assert change <= cost_sensitivity(cost.max(), n, people) + 1e-12
    assert largest["one"] == pytest.approx(cost_sensitivity(cost.max(), n))  # attained: nothing smaller would do


@pytest.mark.slow
def test_the_laplace_noise_is_the_sensitivity_over_epsilon():
    cost, a, b = grid_cost(5, 4), np.array([3, 4, 5, 1, 7]), np.array([10, 2, 3, 5])
    exact = transport_cost(a / 20, b / 20, cost)
    rng = np.random.default_rng(0)
    results = [dpot.private_transport_cost(cost, a, b, epsilon=0.5, rng=rng) for _ in range(800)]
    assert results[0].noise == pytest.approx(cost.max() / (20 * 0.5))
    errors = np.abs([result.value - exact for result in results])
    assert errors.mean() == pytest.approx(results[0].noise, rel=0.12)  # the mean of |Lap(b)| is b
    promise = results[0].guarantee
    assert (promise.epsilon, promise.delta, promise.neighbours) == (0.5, 0.0, "replace")


def test_the_laplace_cost_of_two_samples_of_any_sizes():
    cost = np.abs(np.subtract.outer(np.array([0.0, 1.0, 2.0]), np.array([0.5, 3.0])))
    result = dpot.private_transport_cost(cost, epsilon=1e-3 * 1e5, rng=np.random.default_rng(0), bound=4.0)
    assert result.noise == pytest.approx(4.0 / (2 * 100.0))
    assert result.value == pytest.approx(transport_cost(np.full(3, 1 / 3), np.full(2, 0.5), cost), abs=0.3)
    single = dpot.private_transport_cost(np.ones((1, 1)), epsilon=1.0, bound=1.0, rng=np.random.default_rng(0))
    assert single.noise == 1.0
    with pytest.raises(ValueError, match="bound must be given for samples"):
        dpot.private_transport_cost(cost, epsilon=1.0, rng=np.random.default_rng(0))


def test_dual_values_at_feasible_potentials_bound_the_cost_and_move_by_their_range_over_n():
    rng, n = np.random.default_rng(1), 4
    cost = grid_cost(4, 3)
    phi, psi = feasible_potentials(rng.standard_normal(3), cost)
    assert (phi[:, None] + psi <= cost + 1e-12).all()
    assert max(np.ptp(phi), np.ptp(psi)) <= np.ptp(cost) + 1e-12
    b = np.array([1.0, 2.0, 1.0])
    largest = 0.0
    for a in histograms(n, 4):
        value = a @ phi / n + b @ psi / n
        assert value <= transport_cost(a / n, b / n, cost) + 1e-12
        largest = max([largest, *(abs(float((moved - a) @ phi)) / n for moved in neighbours(a))])
    assert largest == pytest.approx(np.ptp(phi) / n)


def test_the_proven_cost_is_the_noisy_dual_value():
    cost, a, b = grid_cost(9, 8), np.full(9, 4000), np.arange(8) * 1000 + 500
    exact = transport_cost(a / a.sum(), b / b.sum(), cost)
    values = []
    for seed in range(20):
        result = dpot.private_transport_cost(
            cost, a, b, method="proven", eta=1.0, steps=2, share=0.8, rng=np.random.default_rng(seed), **BUDGET
        )
        phi, psi = result.potentials
        dual = phi @ a / a.sum() + psi @ b / b.sum()
        assert dual <= exact + 1e-12
        assert abs(result.value - dual) < 6 * result.noise
        assert result.noise > 0 and len(result.ledger) == 3
        values.append(result.value)
    assert 0.3 * exact < np.mean(values) < exact + np.std(values)
    both = dpot.private_transport_cost(
        cost, a, b, method="proven", eta=1.0, people="both", rng=np.random.default_rng(0), **BUDGET
    )
    assert math.fsum(entry.share for entry in both.ledger) == pytest.approx(1.0)


def test_the_cost_of_private_histograms():
    cost, a, b = grid_cost(9, 8), np.full(9, 4000), np.arange(8) * 1000 + 500
    result = dpot.private_transport_cost(cost, a, b, method="histograms", rng=np.random.default_rng(0), **BUDGET)
    assert result.value == pytest.approx(transport_cost(a / a.sum(), b / b.sum(), cost), abs=0.01)


def test_two_stages_split_epsilon_and_say_that_nothing_is_proven():
    cost = clouds(40)
    result = dpot.private_transport_cost(
        cost, method="two-stage", eta=4.0, steps=2, share=0.25, bound=2.0, rng=np.random.default_rng(0), **BUDGET
    )
    assert [entry.epsilon for entry in result.ledger] == [0.25, 0.75]
    assert math.fsum(entry.epsilon for entry in result.ledger) == result.guarantee.epsilon
    # Lemma 5: 2 * 2/40 + min(4 log 40, 2, 2^1.5 exp(1/2)/sqrt(320) = 0.26068...) over 0.75
    assert result.noise == pytest.approx((0.1 + 2**1.5 * math.exp(0.5) / math.sqrt(320)) / 0.75)
    assert not result.guarantee.proven and "proof" in result.guarantee.note
    printed = dpot.private_transport_cost(
        cost, method="paper", eta=4.0, steps=2, constants="printed", rng=np.random.default_rng(0), **BUDGET
    )
    assert not printed.guarantee.proven


def test_the_cost_of_a_noisy_plan_is_computed_in_log_space():
    cost = clouds(30)
    released = dpot.central.paper_sinkhorn(
        cost, eta=2.0, steps=2, rng=np.random.default_rng(0), epsilon=50.0, delta=1e-3
    )
    assert linear_cost(released, cost) == pytest.approx(float((released.plan * cost).sum()))
    wild = dpot.private_transport_cost(cost, method="paper", eta=1e-4, steps=1, rng=np.random.default_rng(0), **BUDGET)
    assert wild.value == math.inf or wild.value > 1e10


@pytest.mark.parametrize("method", sorted(COST_METHODS))
def test_bad_arguments_are_named_by_every_method(method: str):
    on_samples = method in ("paper", "two-stage")
    data = {} if on_samples else {"a": [2, 3, 4], "b": [5, 2, 2]}
    good = {"method": method, "rng": np.random.default_rng(0), **BUDGET, **data}
    cost = grid_cost(3, 3)
    assert np.isfinite(dpot.private_transport_cost(cost, eta=3.0, **good).noise)
    for wrong, message in (({"epsilon": 0.0}, "epsilon"), ({"share": 1.0}, "share"), ({"people": "no"}, "people")):
        with pytest.raises(ValueError, match=message):
            dpot.private_transport_cost(cost, **(good | wrong))
    with pytest.raises(ValueError, match="negative"):
        dpot.private_transport_cost(-cost - 1.0, **good)
    if method != "laplace":
        with pytest.raises(ValueError, match="delta"):
            dpot.private_transport_cost(cost, **(good | {"delta": 0.0}))


def test_an_unknown_method_is_named():
    with pytest.raises(ValueError, match="method must be one of laplace"):
        dpot.private_transport_cost(grid_cost(3, 3), epsilon=1.0, rng=np.random.default_rng(0), method="best")


def test_tuning_prefers_what_the_noise_allows():
    cost = dpot.cost_matrix(dpot.grid(4, 4), p=2)
    calls = []
    tuned = tune_sinkhorn(
        cost, 500, rng=np.random.default_rng(0), etas=(1e-3, 1.0, 1e3), rounds=(1, 2), draws=2,
        progress=lambda done, total: calls.append((done, total)), **BUDGET,
    )  # fmt: skip
    assert tuned.errors.shape == (3, 2) and tuned.error == tuned.errors.min()
    assert tuned.errors[list(tuned.etas).index(tuned.eta), tuned.rounds.index(tuned.steps)] == tuned.error
    assert calls[-1] == (6, 6)
    with pytest.raises(ValueError, match="plan_share"):
        tune_sinkhorn(cost, 500, rng=np.random.default_rng(0), plan_share=0.0, **BUDGET)
    with pytest.raises(ValueError, match="guess"):
        tune_sinkhorn(cost, 500, rng=np.random.default_rng(0), guess=(np.ones(16), np.ones(16)), **BUDGET)
