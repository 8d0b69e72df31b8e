"""Noisy Sinkhorn: equal to Sinkhorn without noise; sensitivity against all neighbours; bad input."""

import itertools
import math

import numpy as np
import ot
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import pdist
from scipy.special import logsumexp
from scipy.stats import beta

import dpot_core as dpot
from dpot_core.mechanisms.central.sinkhorn_half_step import diameter, half_step
from dpot_core.mechanisms.central.sinkhorn_ledger import gaussian_ledger, gaussian_parameter, spent
from dpot_core.mechanisms.central.sinkhorn_paper import algorithm_1
from dpot_core.mechanisms.central.sinkhorn_proven import Rounds, check_grids, rounds, to_simplex
from dpot_core.mechanisms.central.sinkhorn_results import coupling
from dpot_core.privacy.accounting import gaussian_noise

BUDGET = {"epsilon": 1.0, "delta": 1e-5}


def clouds(n: int, seed: int = 0) -> np.ndarray:
    """Squared distances between two samples of the unit square."""
    rng = np.random.default_rng(seed)
    return dpot.cost_matrix(dpot.point_cloud(rng.random((n, 2))), rng.random((n, 2)), p=2)


def grid_cost(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return dpot.cost_matrix(dpot.point_cloud(rng.random((rows, 2))), rng.random((columns, 2)), p=2)


def histograms(n: int, cells: int) -> list[np.ndarray]:
    """All ways to put n points into cells."""
    return [
        np.bincount(places, minlength=cells).astype(float)
        for places in itertools.combinations_with_replacement(range(cells), n)
    ]


# Without noise


@pytest.mark.parametrize("eta", [0.02, 0.1, 1.0, 30.0])
def test_without_noise_algorithm_1_is_pots_sinkhorn(eta: float):
    cost, n = clouds(30), 30
    trace, _ = algorithm_1(cost, eta, 400, 0.0, 0.0, np.random.default_rng(0))
    plan = np.exp((trace.phi[-1][:, None] + trace.psi[-1] - cost) / eta) / n**2
    uniform = np.full(n, 1 / n)
    reference = ot.bregman.sinkhorn_log(uniform, uniform, cost, eta, numItermax=400, stopThr=0, warn=False)
    assert_allclose(plan, reference, atol=1e-8 / n**2, rtol=1e-8)
    assert abs(trace.phi[-1].mean()) < 1e-12  # centred


@pytest.mark.parametrize("eta", [0.02, 0.1, 1.0])
def test_without_noise_the_proven_rounds_are_pots_sinkhorn(eta: float):
    grids = check_grids(grid_cost(20, 15), np.arange(1, 21), np.arange(1, 16) ** 2)
    trace = rounds(grids, grids.weights, Rounds(eta, 300), (0.0, 0.0), np.random.default_rng(0))
    plan = coupling(trace.phi[-1], trace.psi[-1], *grids.weights, grids.cost, eta)
    reference = ot.bregman.sinkhorn_log(*grids.weights, grids.cost, eta, numItermax=300, stopThr=0, warn=False)
    assert_allclose(plan, reference, atol=1e-8)
    assert_allclose(trace.phi, trace.phi_raw)  # the public box never touches noiseless potentials


def test_line_5_uses_the_new_phi():
    cost, eta = np.array([[0.0, 1.0], [3.0, 0.5]]), 0.7
    trace, _ = algorithm_1(cost, eta, 1, 0.0, 0.0, np.random.default_rng(0))
    phi = -eta * np.log(np.exp(-cost / eta).mean(axis=1))
    phi -= phi.mean()
    psi = -eta * np.log(np.exp((phi[:, None] - cost) / eta).mean(axis=0))
    assert_allclose(trace.phi[0], phi)
    assert_allclose(trace.psi[0], psi)


def test_the_noise_of_algorithm_1_follows_the_step_and_its_floor():
    cost = clouds(400, seed=3)
    quiet, _ = algorithm_1(cost, 0.5, 1, 0.0, 0.0, np.random.default_rng(0))
    step = (quiet.phi[0] ** 2).sum() + (quiet.psi[0] ** 2).sum()
    noisy, levels = algorithm_1(cost, 0.5, 1, 0.04, 0.3, np.random.default_rng(0))
    assert levels[0] == pytest.approx(math.sqrt(0.09 * step + 0.04))
    noise = np.concatenate([noisy.phi[0] - quiet.phi[0], noisy.psi[0] - quiet.psi[0]])
    assert noise.std() == pytest.approx(levels[0], rel=0.15)


# Sensitivity


@pytest.mark.parametrize("eta_over_range", [5e-4, 0.05, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("n, rows, columns, floor", [(2, 4, 3, 0.0), (4, 3, 5, 0.0), (3, 4, 4, 0.2)])
def test_no_neighbours_differ_by_more_than_the_sensitivity(eta_over_range, n, rows, columns, floor):
    rng = np.random.default_rng(rows)
    cost = grid_cost(rows, columns, seed=n)
    eta, phi = eta_over_range * cost.max(), 0.5 * cost.max() * rng.standard_normal(rows)
    largest = 0.0
    for counts in histograms(n, rows):
        value = half_step(phi, cost, counts / n, eta, n, floor).value
        for u, v in itertools.permutations(range(rows), 2):
            if counts[u]:
                moved = counts.copy()
                moved[u] -= 1
                moved[v] += 1
                other = half_step(phi, cost, moved / n, eta, n, floor).value
                largest = max(largest, float(np.linalg.norm(value - other)))
    exact = half_step(phi, cost, counts / n, eta, n, floor, exact=True).sensitivity
    bound = half_step(phi, cost, counts / n, eta, n, floor, exact=False).sensitivity
    assert largest == pytest.approx(exact, rel=1e-6)  # attained, so no smaller number would do
    assert largest <= exact <= bound * (1 + 1e-6)
    if eta_over_range >= 1.0:
        assert bound <= 10 * largest


@pytest.mark.parametrize("eta_over_range", [1e-90, 1e-9, 1e8, 1e14, 1e90])
@pytest.mark.parametrize("n, rows, columns, floor", [(2, 1, 3, 0.0), (2, 5, 1, 0.0), (4, 3, 6, 1e-9), (3, 2, 4, 0.99)])
def test_rounding_never_makes_the_sensitivity_too_small(eta_over_range, n, rows, columns, floor):
    cost, phi = grid_cost(rows, columns, seed=1), np.linspace(0.0, 3.0, rows)
    eta = eta_over_range * cost.max()
    values = {tuple(counts): half_step(phi, cost, counts / n, eta, n, floor).value for counts in histograms(n, rows)}
    for exact in (True, False):
        claimed = half_step(phi, cost, np.full(rows, 1 / rows), eta, n, floor, exact).sensitivity
        assert math.isfinite(claimed)
        for counts in histograms(n - 1, rows):
            for u, v in itertools.combinations(np.eye(rows), 2):
                assert np.linalg.norm(values[tuple(counts + u)] - values[tuple(counts + v)]) <= claimed


@pytest.mark.parametrize("eta_over_range", [1e-3, 0.02, 0.3, 5.0])
@pytest.mark.parametrize("spread", [0.0, 0.2, 2.0])
@pytest.mark.parametrize("floor", [0.0, 0.1])
def test_the_largest_change_is_that_over_all_cells_where_the_others_may_be(
    eta_over_range: float, spread: float, floor: float
):
    points = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), -1).reshape(-1, 2)
    cost = ((points[:, None] - points[None]) ** 2).sum(-1) / 50
    phi, n = spread * np.random.default_rng(3).normal(size=36), 500
    step = half_step(phi, cost, np.full(36, 1 / 36), eta_over_range, n, floor, exact=True)
    logs = (phi[:, None] - cost) / eta_over_range
    with np.errstate(divide="ignore"):
        public = logsumexp(logs, axis=0) + np.log(n * floor / ((1 - floor) * 36))
    others = np.logaddexp(np.log(n - 1) + logs, public)
    moved = eta_over_range * np.logaddexp(others[:, None], logs[None])  # of all others, of the one
    largest = max(pdist(rows).max() for rows in moved)
    assert largest <= step.sensitivity <= largest * (1 + 1e-6) + 10 * step.error * 6


def test_the_box_of_a_half_step_is_attained_and_never_left():
    cost, phi, eta = grid_cost(4, 3), np.array([0.1, -0.2, 0.0, 0.3]), 0.2
    values = np.array([half_step(phi, cost, counts / 3, eta, 3).value for counts in histograms(3, 4)])
    step = half_step(phi, cost, np.full(4, 0.25), eta, 3)
    assert_allclose(values.min(axis=0), step.low)
    assert_allclose(values.max(axis=0), step.high)


def test_costs_beyond_the_range_of_exp_change_nothing():
    cost, phi = grid_cost(5, 4) + 1e-3, np.zeros(5)
    weights = np.array([0.0, 0.5, 0.0, 0.5, 0.0])
    for exact in (True, False):
        tiny = half_step(phi, cost, weights, 1e-6, 10, exact=exact)
        assert_allclose(tiny.value, cost[[1, 3]].min(axis=0), atol=1e-5)
        # At eta -> 0 the point with the smallest cost decides alone: a change of any size passes through.
        assert tiny.sensitivity == pytest.approx(diameter(cost), rel=0.5)
    near, far = (half_step(phi, cost, weights, cost.max() / scale, 10).sensitivity for scale in (599.0, 601.0))
    assert near == pytest.approx(far, rel=0.01)  # both ways to compute it agree where they meet


def test_the_diameter_is_that_of_all_pairs():
    rng = np.random.default_rng(0)
    for rows in (rng.standard_normal((40, 3)), rng.random((200, 2)), np.zeros((3, 2)), rng.random((1, 4))):
        pairs = np.linalg.norm(rows[:, None] - rows, axis=2).max()
        assert pairs <= diameter(rows) <= pairs * (1 + 1e-6) + 1e-12
    sphere = rng.standard_normal((600, 50))
    sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
    pairs = np.sqrt(np.maximum(2 - 2 * sphere @ sphere.T, 0)).max()
    assert pairs <= diameter(sphere) <= 2 * pairs


# The promise


def _worst_pair(people: str, n: int, eta: float) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """The neighbours whose first half steps differ most, found by trying all; the second data set stays for "one"."""
    cost = np.subtract.outer(np.arange(4.0), np.arange(4.0)) ** 2 / 9
    pairs = []
    for counts in histograms(n - 1, 4):
        for u, v in itertools.permutations(np.eye(4), 2):
            values = [half_step(np.zeros(4), cost, (counts + one) / n, eta, n).value for one in (u, v)]
            pairs.append((float(np.linalg.norm(values[0] - values[1])), counts + u, counts + v))
    _, one, moved = max(pairs, key=lambda pair: pair[0])
    return cost, [(one, one), (moved, moved if people == "both" else one)]


def _log_ratio(result: dpot.central.NoisySinkhorn, cost, pair, eta) -> float:
    """Log-density of the released trace under the first data set over that under the second.

    Private histograms count as if projecting them to the simplex had changed nothing: not the best test, but a test.
    """
    total = 0.0
    trace = result.trace
    ratio = {entry.data: entry.sigma for entry in result.ledger if entry.what == "histogram"}
    for sign, (a, b) in zip((1, -1), pair, strict=True):
        for marginal, counts, data in zip(result.marginals or (), (a, b), ("first", "second"), strict=bool(ratio)):
            noise = ratio[data] * math.sqrt(2) / counts.sum()
            total -= sign * float(((marginal - counts / counts.sum()) ** 2).sum()) / (2 * noise**2)
        psi = np.zeros(cost.shape[1])
        for k in range(len(trace.phi)):
            for raw, noise, mean in (
                (trace.phi_raw[k], trace.phi_noise[k], half_step(psi, cost.T, b / b.sum(), eta, 0).value),
                (trace.psi_raw[k], trace.psi_noise[k], half_step(trace.phi[k], cost, a / a.sum(), eta, 0).value),
            ):
                total -= sign * float(((raw - mean) ** 2).sum()) / (2 * noise**2)
            psi = trace.psi[k]
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    "people, share, secure, draws",
    [
        pytest.param("one", 0.0, False, 800, marks=pytest.mark.nightly),
        pytest.param("both", 0.0, False, 800, marks=pytest.mark.nightly),
        ("one", 0.5, False, 300),
        pytest.param("one", 0.5, False, 800, marks=pytest.mark.nightly),
        ("both", 0.0, True, 200),
        pytest.param("both", 0.0, True, 400, marks=pytest.mark.nightly),
    ],
)
def test_no_test_tells_worst_neighbours_apart_better_than_promised(people: str, share: float, secure: bool, draws: int):
    epsilon, delta, eta = 1.0, 0.05, 1.0
    cost, pair = _worst_pair(people, 6, eta)
    settings = dict(eta=eta, epsilon=epsilon, delta=delta, steps=2, plan_share=share, people=people, secure=secure)
    rng = np.random.default_rng(5)
    ratios = [
        np.array(
            [_log_ratio(dpot.noisy_sinkhorn(cost, *data, rng=rng, **settings), cost, pair, eta) for _ in range(draws)]
        )
        for data in pair
    ]
    beaten = []
    for threshold in (0.0, 0.5, 1.0, 1.5):
        hits, alarms = (int((part > threshold).sum()) for part in ratios)
        low = beta.ppf(1e-4, hits, draws - hits + 1) if hits else 0.0
        high = beta.ppf(1 - 1e-4, alarms + 1, draws - alarms) if alarms < draws else 1.0
        beaten.append(low > math.exp(epsilon) * high + delta)
    assert not any(beaten)
    # The test has power: the spread of the likelihood ratio comes near what the promise allows.
    # Of a release, whose 200 draws cannot be seeded, it is 0.89 of that with a standard error of 0.045: both bounds are
    # five of them away or more. Half the noise would halve or double it.
    promised = 1 / gaussian_noise(epsilon, delta)
    assert 0.6 * promised * math.sqrt(1 - share) < ratios[0].std() < 1.12 * promised


@pytest.mark.parametrize("releases", [1, 3, 40])
def test_a_line_of_the_ledger_states_what_all_of_its_releases_cost(releases):
    """A line with the whole budget states all of it, and half of the budget the same for one release and for many."""
    whole = gaussian_ledger([("potentials", "both", releases, 1.0)], 0.7, 1e-6)
    assert whole[0].epsilon == pytest.approx(0.7, rel=1e-6)
    halves = gaussian_ledger([("potentials", "both", releases, 0.5), ("cost", "both", 1, 0.5)], 0.7, 1e-6)
    assert halves[0].epsilon == pytest.approx(halves[1].epsilon, rel=1e-6)
    assert halves[0].sigma == pytest.approx(halves[1].sigma * math.sqrt(releases))


def test_the_ledger_adds_up_exactly():
    parts = [
        ("potentials", "first", 5, 0.3),
        ("histogram", "first", 1, 0.3),
        ("potentials", "second", 5, 0.6),
        ("cost", "both", 1, 0.4),
    ]
    for together in (False, True):
        ledger = gaussian_ledger(parts, 0.7, 1e-6, together)
        for data in ("first", "second"):
            share, epsilon = spent(ledger, data, together)
            assert share == pytest.approx(1.0, abs=1e-15)
            assert epsilon == pytest.approx(0.7, rel=1e-6)
            assert epsilon <= 0.7 * (1 + 1e-8)
        assert all(entry.epsilon < 0.7 for entry in ledger)
    with pytest.raises(ValueError, match="add up to 1"):
        gaussian_ledger(parts[:2], 0.7, 1e-6)


def test_one_person_in_both_data_sets_costs_more_noise():
    cost, a = grid_cost(6, 6), np.full(6, 50)
    one, both = (
        dpot.noisy_sinkhorn(cost, a, a, eta=1.0, steps=3, people=people, rng=np.random.default_rng(0), **BUDGET)
        for people in ("one", "both")
    )
    assert both.trace.phi_noise[0] == pytest.approx(math.sqrt(2) * one.trace.phi_noise[0])
    assert (one.guarantee.neighbours, both.guarantee.neighbours) == ("replace", "replace-in-both")
    assert one.guarantee.record == both.guarantee.record == "point"
    with pytest.raises(ValueError, match="neighbours"):
        one.guarantee.compose(both.guarantee)
    # A person who is in both data sets pays both ledgers of "one": sqrt(2) mu, which restating (twice mu) covers.
    spent_by_both = gaussian_parameter(one.ledger, together=True)
    assert spent_by_both == pytest.approx(math.sqrt(2) * one.guarantee.gaussian)
    assert spent_by_both <= one.guarantee.restated("replace-in-both").gaussian


# The plan


def test_the_plan_couples_the_private_marginals():
    cost, a, b = grid_cost(8, 6), np.arange(8) * 20, np.full(6, 90)
    for share in (0.2, 1.0):
        result = dpot.noisy_sinkhorn(
            cost, a, b, eta=0.5, steps=4, plan_share=share, rng=np.random.default_rng(1), **BUDGET
        )
        assert_allclose(result.plan.sum(axis=1), result.marginals[0], atol=1e-12)
        assert_allclose(result.plan.sum(axis=0), result.marginals[1], atol=1e-12)
        assert result.plan.min() >= 0
    assert dpot.noisy_sinkhorn(
        cost, a, b, eta=0.5, steps=4, plan_share=0.0, rng=np.random.default_rng(1), **BUDGET
    ).plan is None  # fmt: skip


def test_with_all_of_the_budget_on_histograms_the_rounds_are_post_processing():
    cost, a, b = grid_cost(8, 6), np.arange(8) * 20, np.full(6, 90)
    result = dpot.noisy_sinkhorn(cost, a, b, eta=0.5, steps=200, plan_share=1.0, rng=np.random.default_rng(1), **BUDGET)
    reference = ot.bregman.sinkhorn_log(*result.marginals, cost, 0.5, numItermax=500, stopThr=0, warn=False)
    assert_allclose(result.plan, reference, atol=1e-8)


def test_more_people_and_more_budget_mean_less_noise():
    cost = grid_cost(10, 10)
    noise = [
        dpot.noisy_sinkhorn(
            cost, np.full(10, n), np.full(10, n), eta=1.0, steps=2, epsilon=epsilon, delta=1e-5,
            rng=np.random.default_rng(0),
        ).noise_ratio
        for n, epsilon in ((10, 1.0), (100, 1.0), (1000, 1.0), (1000, 5.0))
    ]  # fmt: skip
    assert noise == sorted(noise, reverse=True)
    assert noise[2] < 0.02 < 0.3 < noise[0]


def test_the_nearest_distribution():
    assert_allclose(to_simplex(np.array([0.5, 0.7, -0.3])), [0.4, 0.6, 0.0])
    assert_allclose(to_simplex(np.array([0.2, 0.8])), [0.2, 0.8])


# What does not work, and says so


def test_a_small_eta_is_vacuous_and_says_so():
    cost, a = grid_cost(12, 12), np.full(12, 20)
    tiny = dpot.noisy_sinkhorn(cost, a, a, eta=1e-9, steps=2, rng=np.random.default_rng(0), **BUDGET)
    assert tiny.vacuous and np.isfinite(tiny.potentials[0]).all() and np.isfinite(tiny.plan).all()
    floored = dpot.noisy_sinkhorn(
        cost, a * 1000, a * 1000, eta=1e-3, steps=2, floor=0.3, rng=np.random.default_rng(0), **BUDGET
    )
    assert not floored.vacuous
    paper = dpot.central.paper_sinkhorn(clouds(50), eta=1e-9, steps=2, rng=np.random.default_rng(0), **BUDGET)
    assert paper.vacuous and math.isfinite(paper.trace.phi_noise[0])


def test_identical_clouds():
    cost, a = dpot.cost_matrix(dpot.grid(3, 3), p=2), np.full(9, 100)
    result = dpot.noisy_sinkhorn(cost, a, a, eta=1.0, steps=2, rng=np.random.default_rng(0), **BUDGET)
    assert result.plan.sum() == pytest.approx(1.0)
    same = np.zeros((4, 4))  # all points in one place: costs 0, nothing to hide, nothing to learn
    flat = dpot.noisy_sinkhorn(
        same, np.full(4, 5), np.full(4, 5), eta=1.0, steps=1, rng=np.random.default_rng(0), **BUDGET
    )
    assert_allclose(flat.potentials[0], 0.0, atol=1e-9)


COST = grid_cost(3, 3)
GOOD = {"a": [2, 3, 4], "b": [5, 2, 2], "eta": 1.0, "epsilon": 1.0, "delta": 1e-5, "steps": 2}


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"steps": 0}, "steps"),
        ({"steps": 1.5}, "steps"),
        ({"delta": 0.0}, "no Gaussian noise achieves 0"),
        ({"delta": 1.0}, "delta"),
        ({"epsilon": math.inf}, "epsilon"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"eta": 0.0}, "eta"),
        ({"eta": math.nan}, "eta"),
        ({"eta": 1e-200}, "eta must lie in"),
        ({"eta": 1e200}, "eta must lie in"),
        ({"a": [1, 0, 0]}, "a must count at least 2 points"),
        ({"b": [0, 0, 0]}, "b must count at least 2 points"),
        ({"a": [0.2, 0.3, 0.5]}, "whole numbers"),
        ({"a": [1, 2]}, "a must have one count per 3 cells"),
        ({"a": [-1, 2, 2]}, "a must not be negative"),
        ({"b": None}, "a and b must be given"),
        ({"plan_share": 1.2}, "plan_share"),
        ({"floor": 1.0}, "floor"),
        ({"people": "two"}, "people"),
        ({"guarantee": "hoped"}, "guarantee"),
    ],
)
def test_bad_arguments_are_named(wrong: dict, message: str):
    with pytest.raises(ValueError, match=message):
        dpot.noisy_sinkhorn(COST, rng=np.random.default_rng(0), **(GOOD | wrong))


@pytest.mark.parametrize("entry, message", [(-1.0, "negative"), (math.inf, "finite"), (math.nan, "finite")])
def test_costs_must_be_finite_and_not_negative(entry: float, message: str):
    cost = COST.copy()
    cost[1, 2] = entry
    with pytest.raises(ValueError, match=message):
        dpot.noisy_sinkhorn(cost, rng=np.random.default_rng(0), **GOOD)
    with pytest.raises(ValueError, match=message):
        dpot.private_transport_cost(cost, epsilon=1.0, rng=np.random.default_rng(0))


def test_bad_samples_are_named():
    settings = dict(eta=1.0, steps=2, rng=np.random.default_rng(0), **BUDGET)
    with pytest.raises(ValueError, match="same size; got 3 and 4"):
        dpot.central.paper_sinkhorn(np.ones((3, 4)), **settings)
    with pytest.raises(ValueError, match="n must be at least 2"):
        dpot.central.paper_sinkhorn(np.ones((1, 1)), **settings)
    with pytest.raises(ValueError, match="constants"):
        dpot.central.paper_sinkhorn(np.ones((3, 3)), constants="hoped", **settings)
    with pytest.raises(ValueError, match=r"dimension|coordinates|shape"):
        dpot.cost_matrix(dpot.point_cloud(np.ones((3, 2))), np.ones((3, 3)), p=2)


def test_calls_that_chose_the_papers_algorithm_by_a_keyword_run():
    given = dict(eta=1.0, steps=2, bound=2.0, constants="printed", **BUDGET)
    one = dpot.noisy_sinkhorn(clouds(20), guarantee="paper", rng=np.random.default_rng(0), **given)
    other = dpot.central.paper_sinkhorn(clouds(20), rng=np.random.default_rng(0), **given)
    assert (one.trace.phi == other.trace.phi).all()
    assert one.guarantee == other.guarantee


# What the paper's theorem overlooks


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 100, 1000])
def test_the_potential_of_a_point_that_moves_moves_with_it_whatever_n_is(n: int):
    """The paper holds the points fixed: here x_1 walks from one end to the other, and so does its own potential."""
    eta, rng = 0.1, np.random.default_rng(n)
    x, y = rng.random(n) * 0.1, rng.random(n) * 0.1
    changes = []
    for place in (0.0, 1.0):
        x[0] = place
        trace, _ = algorithm_1((x[:, None] - y) ** 2, eta, 20, 0.0, 0.0, np.random.default_rng(0))
        changes.append(trace.phi[-1])
    moved = np.abs(changes[1] - changes[0])
    assert moved[0] > 0.7  # of the largest cost, 1, whatever n is
    assert np.median(moved[1:]) < 3.0 / n  # the others' potentials behave as the paper says
