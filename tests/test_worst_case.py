"""Worst cases: U is the largest projection distance of a point input, R the largest divergence; known values."""

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import dpot_core as dpot
from dpot_core.base_measures.objective import Objective
from dpot_core.mechanisms.knowledge import Public
from dpot_core.worst_case import divergence_bracket
from tests import oracles
from tests.strategies import Problem, bases, distances, distributions, epsilons, problems

NAMES = ["kl", "tv", "hellinger", "chi2"]


# ---------------------------------------------------------------- U


@pytest.mark.slow
@given(st.data(), st.sampled_from(["kpm", "em", "krr", "wpm"]), st.sampled_from([1.0, 1.5, 2.0, 3.0, 4.0]))
def test_the_bracket_holds_the_distance_of_every_input(data, name: str, p: float):
    """Points, mixtures of a few and of all: none is moved farther than the upper bound, one point reaches the lower."""
    k, epsilon = data.draw(st.integers(2, 6)), data.draw(st.floats(0.05, 10.0))
    far = data.draw(distances(k, k, matched=True))
    base, cost = data.draw(bases(k, epsilon)), far**p
    public = Public(cost=cost, distances=far, epsilon=epsilon, base=base)
    mechanism = dpot.MECHANISMS[name]
    kernel = mechanism(public)
    rows = kernel(np.eye(k))
    bracket = dpot.worst_case_bracket(cost, rows, epsilon, p, mechanism.polytope(public))
    loose = dpot.worst_case_bracket(cost, rows, epsilon, p)
    assert bracket.at_least <= bracket.at_most <= loose.at_most * (1 + 1e-9)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    inputs = [data.draw(distributions(k)), *np.eye(k), *rng.dirichlet(np.full(k, 0.3), 20)]
    moved = [dpot.wasserstein(mu, kernel(mu), cost, p) for mu in inputs]
    rounding = 1e-5 * float(far.max())  # a root of one of costs
    assert max(moved) <= bracket.at_most * (1 + 1e-9) + rounding
    assert max(moved[1 : k + 1]) == pytest.approx(bracket.at_least, rel=1e-7, abs=rounding)


@pytest.mark.slow
@given(st.data(), st.sampled_from(["kpm", "em", "krr", "wpm", "mollifier"]), st.sampled_from(NAMES))
def test_the_bracket_of_a_divergence_holds_that_of_every_input(data, name: str, loss: str):
    """One point reaches the lower end; where the divergence is convex in the input, no input is worse than that."""
    k, epsilon = data.draw(st.integers(2, 6)), data.draw(st.floats(0.05, 8.0))
    far = data.draw(distances(k, k, matched=True))
    base = dpot.normalise(np.maximum(data.draw(distributions(k)), 1e-3))
    public = Public(cost=far, distances=far, epsilon=epsilon, base=base)
    mechanism = dpot.MECHANISMS[name]
    kernel = mechanism(public)
    found = divergence_bracket(loss, kernel(np.eye(k)), epsilon, mechanism.polytope(public))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    inputs = np.vstack([np.eye(k), data.draw(distributions(k)), rng.dirichlet(np.full(k, 0.3), 20)])
    costs = dpot.DIVERGENCES[loss](inputs, kernel(inputs))
    assert costs[:k].max() == pytest.approx(found.at_least, rel=1e-7, abs=1e-9)
    most = found.at_most if mechanism.worst_divergence is None else found.at_least
    assert costs.max() <= most * (1 + 1e-7) + 1e-9


@given(st.integers(2, 6), st.floats(0.05, 8.0), st.integers(0, 2**32))
def test_the_bracket_of_a_divergence_ends_at_the_least_mass_that_a_point_can_keep(k: int, epsilon: float, seed: int):
    """By a linear program over all that an epsilon-LDP mechanism with these outputs can release."""
    space = dpot.point_cloud(np.random.default_rng(seed).random((k, 2)))
    public = Public(space.distances(), space.distances(), epsilon, dpot.uniform_base(k))
    rows = dpot.MECHANISMS["em"](public)(np.eye(k))
    bounds = list(zip(math.exp(-epsilon) * rows.max(axis=0), math.exp(epsilon) * rows.min(axis=0), strict=True))
    least = [linprog(one, A_eq=np.ones((1, k)), b_eq=[1.0], bounds=bounds).fun for one in np.eye(k)]
    for loss in NAMES:
        found = divergence_bracket(loss, rows, epsilon)
        ends = [oracles.f_divergence([1, 0], [mass, 1 - mass], loss) for mass in (np.diag(rows).min(), min(least))]
        assert (found.at_least, found.at_most) == pytest.approx(tuple(ends), rel=1e-6)


def test_a_bracket_of_a_divergence_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="as many outputs as there are inputs"):
        divergence_bracket("kl", np.full((2, 3), 1 / 3), 1.0)
    with pytest.raises(ValueError, match="rows differ by more than e"):
        divergence_bracket("kl", [[0.9, 0.1], [0.1, 0.9]], 1.0)
    with pytest.raises(ValueError, match="name must be one of"):
        divergence_bracket("cosine", np.full((2, 2), 0.5), 1.0)


def test_a_bracket_of_rows_that_break_the_promise_is_refused():
    with pytest.raises(ValueError, match="rows differ by more than e"):
        dpot.worst_case_bracket([[0.0, 1.0], [1.0, 0.0]], [[0.9, 0.1], [0.1, 0.9]], 1.0, 1)


@given(problems())
def test_u_is_the_largest_exact_projection_distance_of_a_point_input(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    worst = dpot.worst_case_wasserstein(problem.cost, Q, problem.p)
    points = dpot.project_exact(np.eye(len(problem.mu)), problem.cost, Q).value
    scale = max(problem.cost.max(), 1e-300)
    np.testing.assert_allclose(worst.per_input**problem.p, points, rtol=1e-9, atol=1e-9 * scale)
    assert worst == worst.per_input.max()
    assert worst.argmax == int(np.argmax(worst.per_input))
    assert float(worst) ** problem.p == pytest.approx(points.max(), rel=1e-9, abs=1e-9 * scale)


@given(problems())
def test_u_is_the_greedy_filling(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    worst = dpot.worst_case_wasserstein(problem.cost, Q, problem.p)
    expected = oracles.worst_dirac(problem.cost, Q.base.tolist(), problem.epsilon)
    assert float(worst) ** problem.p == pytest.approx(expected, rel=1e-9, abs=1e-11 * max(problem.cost.max(), 1e-300))


@given(problems())
def test_no_input_is_farther_from_its_projection_than_u(problem: Problem):
    Q = dpot.Polytope(problem.base, problem.epsilon)
    worst = float(dpot.worst_case_wasserstein(problem.cost, Q, problem.p))
    value = dpot.project_exact(problem.mu, problem.cost, Q).value
    assert value <= worst**problem.p + 1e-9 * max(problem.cost.max(), 1e-300)


def test_thousands_of_random_inputs_stay_below_u():
    rng = np.random.default_rng(0)
    cost = dpot.cost_matrix(dpot.ring(8), np.array([0, 2, 5]), p=2)
    Q = dpot.Polytope([0.3, 0.4, 0.2], 1.0)
    worst = dpot.worst_case_wasserstein(cost, Q, 2)
    inputs = np.vstack([rng.dirichlet(np.full(8, c), 150) for c in (0.01, 0.1, 1.0)])
    values = dpot.project_exact(inputs, cost, Q).value ** 0.5
    assert values.max() <= worst + 1e-9
    assert values.max() >= 0.9 * worst


@given(st.data(), st.integers(1, 6), st.integers(1, 6), st.sampled_from([1.0, 2.0]))
def test_u_falls_as_epsilon_grows(data, k, k_v, p):
    cost = data.draw(distances(k, k_v)) ** p
    low = data.draw(epsilons)
    high = min(low * data.draw(st.floats(1.0, 10.0)), 700.0)
    base = data.draw(bases(k_v, low))
    before = dpot.worst_case_wasserstein(cost, dpot.Polytope(base, low), p)
    after = dpot.worst_case_wasserstein(cost, dpot.Polytope(base, high), p)
    assert after**p <= before**p + 1e-12 * max(cost.max(), 1e-300)


def test_u_in_closed_form_on_two_points():
    """Base (1/2, 1/2): a point input keeps 1 - e^(-eps/2)/2 and loses the rest over distance d."""
    apart = np.array([[0.0, 3.0], [3.0, 0.0]])
    for epsilon in (0.1, 1.0, 5.0):
        for p in (1, 2):
            moved = math.exp(-epsilon / 2) / 2
            worst = dpot.worst_case_wasserstein(apart**p, dpot.Polytope([0.5, 0.5], epsilon), p)
            assert worst == pytest.approx((moved * 3**p) ** (1 / p), rel=1e-12)


def test_u_names_the_input_that_suffers_most():
    points = np.array([0.0, 1.0, 2.0, 10.0])
    worst = dpot.worst_case_wasserstein(np.abs(points[:, None] - points), dpot.Polytope(dpot.uniform_base(4), 1.0), 1)
    assert worst.argmax == 3
    assert worst.per_input.shape == (4,)
    again = pickle.loads(pickle.dumps(worst))
    assert again == worst
    assert again.argmax == 3


def test_u_refuses_what_does_not_fit():
    Q = dpot.Polytope([0.5, 0.5], 1.0)
    for cost, p, word in (
        (np.ones((2, 3)), 1, "cost"),
        ([[0, -1], [1, 0]], 1, "cost"),
        ([[0, math.nan], [1, 0]], 1, "cost"),
        (np.ones((2, 2)), 0, "p"),
    ):
        with pytest.raises(ValueError, match=word):
            dpot.worst_case_wasserstein(cost, Q, p)


@given(st.data(), st.integers(1, 6), st.sampled_from([1.0, 2.0, 5.0]))
def test_u_of_a_channel_is_attained_at_a_dirac_and_bounds_mixtures(data, k, p):
    space = dpot.ring(k)
    channel = np.stack([data.draw(distributions(k)) for _ in range(k)])
    cost = dpot.cost_matrix(space, p=p)
    worst = dpot.worst_case_wasserstein(cost, channel, p)
    for i in range(k):
        alone = dpot.wasserstein(dpot.dirac(k, i), channel[i], cost, p)
        assert worst.per_input[i] ** p == pytest.approx(alone**p, rel=1e-9, abs=1e-14)
    mu = data.draw(distributions(k))
    assert dpot.wasserstein(mu, dpot.normalise(mu @ channel), cost, p) ** p <= worst**p * (1 + 1e-9) + 1e-14


def test_u_of_a_channel_on_a_grid_without_a_matrix():
    space = dpot.grid(4, 3)
    channel = np.random.default_rng(0).dirichlet(np.ones(12), 12)
    dense = dpot.worst_case_wasserstein(dpot.cost_matrix(space, p=2), channel, 2)
    np.testing.assert_allclose(
        dpot.worst_case_wasserstein(dpot.grid_cost(space, 2), channel, 2).per_input, dense.per_input
    )


@pytest.mark.parametrize(
    "channel", [np.full(2, 0.5), np.ones((2, 2)), np.full((3, 2), 0.5), np.full((2, 3), 1 / 3), "q"]
)
def test_only_polytopes_and_channels_are_accepted(channel):
    with pytest.raises(ValueError, match="Q"):
        dpot.worst_case_wasserstein(np.ones((2, 2)), channel, 1)


def test_functions_of_a_polytope_refuse_a_channel_matrix_in_words():
    mu, channel, cost = [0.5, 0.5], np.eye(2), np.ones((2, 2))
    for call in (
        lambda: dpot.kl_projection(mu, channel),
        lambda: dpot.project_exact(mu, cost, channel),
        lambda: dpot.project_entropic(mu, cost, channel, 0.1),
        lambda: dpot.wasserstein_projection(mu, cost, channel),
        lambda: dpot.wasserstein_projection(mu, cost, channel, 0.1),
        lambda: dpot.exact_projection_lp(mu, cost, channel),
        lambda: dpot.wasserstein_projection_line(mu, [0.0, 1.0], channel),
        lambda: dpot.release(mu, channel),
        lambda: dpot.integer_weights(mu, channel),
    ):
        with pytest.raises(ValueError, match="Q must be a Polytope"):
            call()


# ---------------------------------------------------------------- phi_i as a function of the base


@given(st.data(), st.integers(1, 6), st.integers(1, 6), epsilons, st.floats(0, 1))
def test_phi_is_convex_in_the_base(data, k, k_v, epsilon, share):
    cost = data.draw(distances(k, k_v, matched=False))
    one, two = data.draw(bases(k_v, epsilon)), data.draw(bases(k_v, epsilon))
    objective = Objective(cost, epsilon)
    left, right = objective.values(one)[0], objective.values(two)[0]
    middle = objective.values(share * one + (1 - share) * two)[0]
    assert (middle <= share * left + (1 - share) * right + 1e-12 * max(cost.max(), 1e-300)).all()


@given(st.data(), st.integers(1, 6), st.integers(1, 6), epsilons)
def test_every_cut_lies_below_phi(data, k, k_v, epsilon):
    """phi_i(m') >= tau_i(m) + g_i(m).m' for every m', with equality at m' = m (Theorem 3.5)."""
    cost = data.draw(distances(k, k_v))
    here, there = data.draw(bases(k_v, epsilon)), data.draw(bases(k_v, epsilon))
    objective = Objective(cost, epsilon)
    value, tau = objective.values(here)
    gradients = objective.gradients(np.arange(k), tau)
    # Products of e^(eps/2) and masses of e^(-eps/2) cancel; what is left of them is rounding.
    scale = max(cost.max(), 1e-300) * max(1.0, math.exp(epsilon / 2) * max(here.sum(), there.sum()))
    np.testing.assert_allclose(tau + gradients @ here, value, rtol=1e-9, atol=1e-13 * scale)
    assert (tau + gradients @ there <= objective.values(there)[0] + 1e-13 * scale).all()


@given(st.data(), st.integers(1, 6), st.integers(1, 6), epsilons)
def test_phi_is_the_greedy_filling(data, k, k_v, epsilon):
    cost = data.draw(distances(k, k_v))
    base = data.draw(bases(k_v, epsilon))
    expected = [oracles.dirac_value(row, base.tolist(), epsilon) for row in cost.tolist()]
    scale = max(cost.max(), 1e-300)
    np.testing.assert_allclose(Objective(cost, epsilon).values(base)[0], expected, rtol=1e-9, atol=1e-11 * scale)


# ---------------------------------------------------------------- R


def test_r_equals_the_numbers_of_the_notes():
    """k = 10, epsilon = 1, squared Hellinger as 1 - sum sqrt(pq)."""
    expected = {
        "minimax": {"kl": 1.4611501717, "tv": 0.7680306833, "hellinger": 0.5183680693},
        "mollifier": {"kl": 1.8025850930, "tv": 0.8351278729, "hellinger": 0.5939555110},
    }
    for mechanism, values in expected.items():
        for name, value in values.items():
            assert dpot.worst_case_divergence(name, 10, 1.0, mechanism) == pytest.approx(value, abs=1e-9)


def test_r_equals_the_authors_finite_worst_cases():
    """Reference numbers from the authors' code; in the finite case it evaluates closed forms, so all digits agree."""
    rows = json.loads((Path(__file__).parent / "data" / "finite_worst_case.json").read_text())
    assert len(rows) == 15
    for row in rows:
        for mechanism in ("minimax", "mollifier"):
            for name, key in (("kl", "kl"), ("tv", "tv"), ("hellinger", "squared_hellinger")):
                ours = dpot.worst_case_divergence(name, row["k"], row["epsilon"], mechanism)
                assert ours == pytest.approx(row[mechanism][key], abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("name", ["kl", "tv", "hellinger"])
def test_r_of_fig_6_is_what_the_mechanisms_themselves_reach(name, epsilon):
    """k = 20, for which the authors publish no numbers: the largest over points of what comes out, summed as it is."""
    k = 20
    kpm = dpot.kl_projection(np.eye(k), dpot.Polytope(dpot.minimax_base_kl(k, epsilon), epsilon))
    mollifier = dpot.relative_mollifier(np.eye(k), np.full(k, 1 / k), epsilon)
    found = [
        max(oracles.f_divergence(*pair, name) for pair in zip(np.eye(k), out, strict=True)) for out in (kpm, mollifier)
    ]
    expected = [dpot.worst_case_divergence(name, k, epsilon, mechanism) for mechanism in ("minimax", "mollifier")]
    assert found == pytest.approx(expected, rel=1e-9) and found[0] < found[1]


@pytest.mark.parametrize("name", NAMES)
def test_r_is_the_two_point_form(name):
    """R = (1 - r1)/(r2 - r1) f(r2) + (r2 - 1)/(r2 - r1) f(r1), r1 = 0: (1, 0) against (1/r2, 1 - 1/r2)."""
    for k in (1, 2, 10, 200):
        for epsilon in (1e-6, 0.5, 2.0, 10.0):
            largest = (math.exp(epsilon) + k - 1) / math.exp(epsilon)
            expected = oracles.f_divergence([1, 0], [1 / largest, 1 - 1 / largest], name)
            ours = dpot.worst_case_divergence(name, k, epsilon)
            assert ours == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_minimax_is_never_worse_than_the_mollifier_and_both_fall_with_epsilon(name):
    for k in (2, 5, 50):
        curves = {
            mechanism: [dpot.worst_case_divergence(name, k, e, mechanism) for e in np.geomspace(0.05, 10, 12)]
            for mechanism in ("minimax", "mollifier")
        }
        assert all(a <= b + 1e-12 for a, b in zip(curves["minimax"], curves["mollifier"], strict=True))
        for curve in curves.values():
            assert (np.diff(curve) <= 1e-12).all()


def test_r_refuses_what_does_not_fit():
    for arguments, word in (
        (("js", 5, 1.0), "name"),
        (("kl", 0, 1.0), "k"),
        (("kl", 5, 0.0), "epsilon"),
        (("kl", 5, 1e6), "epsilon"),
        (("kl", 5, 1.0, "best"), "mechanism"),
    ):
        with pytest.raises(ValueError, match=word):
            dpot.worst_case_divergence(*arguments)


@settings(max_examples=30)
@given(st.integers(2, 8).flatmap(distributions), st.floats(0.05, 5.0))
def test_no_private_mechanism_beats_r_on_all_points(weights, epsilon):
    """Theorem 3.1 against a family of private mechanisms: KPM with any base has a worst point at least as bad."""
    k = len(weights)
    Q = dpot.Polytope(dpot.normalise(np.maximum(weights, 1e-3)), epsilon)
    points = np.eye(k)
    released = dpot.kl_projection(points, Q)
    for name in NAMES:
        worst = dpot.DIVERGENCES[name](points, released).max()
        assert worst >= dpot.worst_case_divergence(name, k, epsilon) * (1 - 1e-9)
