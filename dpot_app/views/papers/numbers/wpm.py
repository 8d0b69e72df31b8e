"""Sampling by Wasserstein projection: wpm_2605.10015."""

import math
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
from scipy.special import logsumexp

from dpot_app.cities.city import make_city
from dpot_app.cities.place import Place
from dpot_app.views.papers.row import Number, Numbers, exact, headlines, mean_of
from dpot_core.arguments import Array
from dpot_core.base_measures.minimax import minimax_base
from dpot_core.base_measures.scaled import best_uniform_base
from dpot_core.datasets.gowalla import load_gowalla_austin
from dpot_core.datasets.movielens import load_movielens
from dpot_core.distributions import dirichlet
from dpot_core.distributions.divergences import kl
from dpot_core.mechanisms import MECHANISMS
from dpot_core.mechanisms.knowledge import Public
from dpot_core.mechanisms.sphere import sphere_base
from dpot_core.mechanisms.wasserstein_projection import exact_projection_lp, project_entropic, wasserstein_projection
from dpot_core.privacy.audits.certificates import certify
from dpot_core.privacy.numerals import counted
from dpot_core.privacy.polytopes import Polytope
from dpot_core.spaces import cost_matrix, grid, ring
from dpot_core.transport.capped_simplex import project_kl
from dpot_core.transport.wasserstein import wasserstein
from dpot_core.worst_case import worst_case_wasserstein

AUSTIN = {"source": "gowalla-austin"}


@cache
def _ring(k: int = 30, epsilon: float = 5.0, p: int = 2) -> tuple[Array, Polytope]:
    """Costs between the points of a ring, and what epsilon allows with the best uniform base."""
    cost = cost_matrix(ring(k), p=p)
    return cost, Polytope(best_uniform_base(cost, epsilon), epsilon)


def figure_1_left() -> Numbers:
    runs = [headlines("ring.outputs", **{"epsilon": 5.0, "source.seed": seed}) for seed in range(1, 101)]
    names = ("W₂ of WPM (steps)", "W₂ of KPM (steps)", "W₂ of EM (steps)")
    first = {f"{name}, seed 1": runs[0][name] for name in names}
    return first | {f"{name}, 100 inputs": mean_of([run[name].value for run in runs]) for name in names}


def algorithm_1() -> Numbers:
    """Algorithm 1 until it stands still, against the linear program: what it costs, and what it must not cost."""
    cost, Q = _ring()
    cost = cost / cost.max()
    mu = dirichlet(30, 0.1, np.random.default_rng(1))
    found = project_entropic(mu, cost, Q, 0.01, max_iter=5000)
    best = exact_projection_lp(mu, cost, Q).value
    reached = wasserstein(found.output, mu, cost, 2)
    bound, printed = math.sqrt(0.01 * math.log(30 * 30)), math.sqrt(2 * 0.01 * math.log(30))
    outside = np.maximum(Q.lower - found.output, found.output - Q.upper).max()
    return {"excess of W₂ over a largest distance": Number(reached - math.sqrt(best))} | exact(
        bound_of_the_appendix=bound,
        bound_of_the_text=printed,
        mass_outside_the_polytope=max(float(outside), 0.0),
    )


def privacy() -> Numbers:
    _, Q = _ring()
    return {"largest log-ratio in the range": Number(float(certify(Q))), "ε": Number(5.0)}


def uniform_optimality() -> Numbers:
    """WPM on the polytope that holds another mechanism's range is never farther from any input."""
    rng, channels = np.random.default_rng(3), np.random.default_rng(4)
    worst: dict[str, float] = {}
    for k, epsilon, p in ((6, 1.0, 1), (10, 2.0, 2), (15, 0.5, 2)):
        space = ring(k)
        cost, inputs = cost_matrix(space, p=p), [*rng.dirichlet(np.full(k, 0.3), 30), *np.eye(k)]
        known = Public(cost, space.distances(), epsilon, channels.dirichlet(np.ones(k)))
        for name in ("krr", "kpm", "em", "mollifier"):
            row = MECHANISMS[name]
            _compare(worst, row.label, row.polytope(known), inputs, row(known), cost, p)
        for _ in range(5):
            # Rows of a random channel lie in the polytope of the largest of each column.
            rows = Polytope(channels.dirichlet(np.ones(k)), epsilon).project_kl(channels.dirichlet(np.full(k, 0.3), k))
            Q = Polytope(rows.max(axis=0) * math.exp(-epsilon / 2), epsilon)
            _compare(worst, "15 random channels", Q, inputs, partial(_through, rows), cost, p)
    return {f"largest W of WPM minus that of {name} (steps)": Number(float(value)) for name, value in worst.items()}


def _through(rows: Array, mu: Array) -> Array:
    return np.asarray(mu @ rows)


def _compare(
    worst: dict[str, float],
    name: str,
    Q: Polytope,
    inputs: list[Array],
    release: Callable[[Array], Array],
    cost: Array,
    p: int,
) -> None:
    """Keep by how much WPM on Q is farther from an input than a mechanism whose range lies in Q."""
    for mu in inputs:
        ours = wasserstein(wasserstein_projection(mu, cost, Q), mu, cost, p)
        worst[name] = max(worst.get(name, -math.inf), ours - wasserstein(release(mu), mu, cost, p))


def reformulation() -> Numbers:
    """The closed form against the linear program at every Dirac, and convexity at 500 random midpoints."""
    epsilon, rng = 2.0, np.random.default_rng(5)
    cost = cost_matrix(grid(3, 3, extent=(0, 1, 0, 1)), p=1)

    def worst(base: Array) -> float:
        return float(worst_case_wasserstein(cost, Polytope(base, epsilon), 1))

    base = minimax_base(cost, epsilon)
    Q = Polytope(base.base, epsilon)
    program = max(float(exact_projection_lp(row, cost, Q).value) for row in np.eye(9))
    pairs = rng.dirichlet(np.ones(9), (500, 2)) * rng.uniform(math.exp(-1) * 1.01, math.e * 0.99, (500, 2, 1))
    above = max(worst((one + other) / 2) - (worst(one) + worst(other)) / 2 for one, other in pairs)
    return exact(
        closed_form_minus_linear_program=worst(base.base) - program,
        largest_rise_of_f_over_a_chord=above,
        gap_of_the_optimal_base=base.gap,
    )


def lemma_4_2() -> Numbers:
    """Lemma 4.2: one factor e^θ for all outputs strictly inside their bounds."""
    _, Q = _ring()
    s = np.random.default_rng(2).dirichlet(np.full(30, 0.5))
    q = Q.project_kl(s)
    inside = (q > Q.lower * (1 + 1e-9)) & (q < Q.upper * (1 - 1e-9))
    factors = q[inside] / s[inside]
    return exact(largest_difference_of_the_factors=np.ptp(factors) / factors.mean(), sum_minus_1=q.sum() - 1)


def rate() -> Numbers:
    """c = tau(K) tau(K') with tau = tanh(Delta/4): K is symmetric on a ring."""
    cost, _ = _ring()
    unit = cost / cost.max()
    spread = float(
        (unit[:, None, :, None] + unit[None, :, None, :] - unit[:, None, None, :] - unit[None, :, :, None]).max()
    )
    contraction = {reg: math.tanh(spread / reg / 4) ** 2 for reg in (1.0, 0.1, 0.01)}
    steps = math.log(10) / -math.log(contraction[0.1])
    numbers = {f"1 − c at λ = {reg:g}": Number(1 - c) for reg, c in contraction.items()}
    mu = dirichlet(30, 0.1, np.random.default_rng(1))
    for reg in (0.1, 0.01):
        found = project_entropic(mu, unit, _ring()[1], reg, max_iter=5000)
        numbers[f"rounds of Algorithm 1 until it stands still, λ = {reg:g}"] = Number(float(found.iterations))
    for reg in (1.0, 0.3):
        numbers[f"KL(q_t ‖ q*) over its bound, largest, λ = {reg:g}"] = Number(_over_bound(unit, mu, reg, spread))
    return numbers | {"rounds for one digit by c, λ = 0.1": Number(steps)}


def _over_bound(unit: Array, mu: Array, reg: float, spread: float) -> float:
    """The largest KL(q_t ‖ q*) over 2 c^(t + 1) d_H(v_0, v*), t = 0, ..., 5, from 20 random v_0, as it is stated."""
    kernel, Q, rng = np.exp(-unit / reg), _ring()[1], np.random.default_rng(2)

    def step(v: Array) -> tuple[Array, Array]:
        s = kernel.T @ (mu / (kernel @ v))
        q = Q.project_kl(s)
        return q, q / s

    best = np.ones(len(mu))
    for _ in range(2_000):
        goal, best = step(best)
    largest = 0.0
    for v in np.exp(rng.normal(size=(20, len(mu)))):
        apart = float(np.ptp(np.log(v / best)))
        for t in range(6):
            q, v = step(v)
            bound = 2.0 * math.tanh(spread / reg / 4) ** (2 * (t + 1)) * apart
            largest = max(largest, float(kl(q, goal)) / bound)
    return largest


def figure_1_right() -> Numbers:
    """How near Algorithm 1 comes, and after how many rounds from v = 1 it is within 1% of where it ends."""
    numbers = headlines("ring.convergence", epsilon=5.0)
    cost, Q = _ring()
    unit, mu = cost / cost.max(), dirichlet(30, 0.1, np.random.default_rng(1))
    held = mu > 0
    for reg in (0.1, 0.03, 0.01, 0.003, 0.001):
        log_v, far = np.zeros(30), {}
        for done in range(1, 2**14 + 1):
            log_u = np.log(mu[held]) - logsumexp(log_v - unit[held] / reg, axis=1)
            log_s = logsumexp(log_u[:, None] - unit[held] / reg, axis=0)
            q = project_kl(log_s[None, :], Q.lower, Q.upper)[0][0]
            log_v = np.log(q) - log_s
            if done & (done - 1) == 0:
                far[done] = wasserstein(Q.repair(q), mu, cost, 2)
        last = far[2**14]
        near = [done for done, value in far.items() if abs(value - last) > 0.01 * last]
        numbers[f"rounds until within 1% of its limit, λ = {reg:g}, at most"] = Number(2.0 * max(near, default=0.5))
    return numbers


def mirror_descent() -> Numbers:
    """Appendix G on a 10 x 10 grid, epsilon 2, p = 1: what 1,000 steps reach and what the bound promises."""
    epsilon, steps = 2.0, 1000
    cost = cost_matrix(grid(10, 10, extent=(0, 1, 0, 1)), p=1)
    best = minimax_base(cost, epsilon)
    found = minimax_base(cost, epsilon, method="mirror-descent", max_iter=steps)
    bound = math.exp(epsilon) * float(cost.max()) * math.sqrt(2 * (1 + math.log(100)) / steps)
    uniform = float(worst_case_wasserstein(cost, Polytope(best_uniform_base(cost, epsilon), epsilon), 1))
    excess = {f"excess after {steps:,} steps": Number(found.value - best.value)}
    return exact(optimum=best.value, best_uniform=uniform) | excess | exact(bound=bound)


def sphere() -> Numbers:
    scales = {p: sphere_base(2, 1.0, p).scale for p in (1.0, 2.0, 4.0)}
    return {f"a* at p = {p:g}": Number(scale) for p, scale in scales.items()}


def one_point() -> Numbers:
    """Appendix A: at a Dirac, W_2^2 is the mean squared error of the point that is released."""
    base = sphere_base(2, 1.0, 2.0)
    drawn = base.sample([0.0, 0.0, 1.0], np.random.default_rng(1), 200_000)
    errors = ((drawn - np.array([0.0, 0.0, 1.0])) ** 2).sum(axis=1)
    unbiased = ((drawn / base.mean_cosine - np.array([0.0, 0.0, 1.0])) ** 2).sum(axis=1)
    return {
        "W₂² by the formula": Number(base.value**2),
        "squared error of 200,000 draws (± standard error)": Number(
            float(errors.mean()), float(errors.std() / math.sqrt(len(errors)))
        ),
        "PrivUnit, unbiased, by the formula": Number(base.unbiased_error),
        "squared error of these draws made unbiased (± standard error)": Number(
            float(unbiased.mean()), float(unbiased.std() / math.sqrt(len(unbiased)))
        ),
    } | {f"made unbiased, cap of p = {p:g}": Number(sphere_base(2, 1.0, p).unbiased_error) for p in (1.0, 4.0)}


def _table() -> list[dict[str, str]]:
    text = (Path(__file__).resolve().parents[4] / "benchmarks" / "movielens.md").read_text(encoding="utf-8")
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:] if len(line) == len(lines[0])]


def hits() -> Numbers:
    numbers: dict[str, Number] = {}
    for epsilon in ("0.2", "0.5", "1", "2", "3", "4"):
        rows = [row for row in _table() if row["epsilon"] == epsilon]
        for name in ("WPM", "Genre KPM", "EM"):
            numbers[f"hit rate, {name} at ε = {epsilon}"] = mean_of([float(row[name].split()[0]) for row in rows])
    return numbers


def leads() -> Numbers:
    rows = [row for row in _table() if row["epsilon"] == "0.2"]
    leads = [float(row["lead over KPM"].split()[0]) for row in rows]
    return {f"lead over KPM at ε = 0.2, split {split}": Number(lead) for split, lead in enumerate(leads)} | {
        "mean": mean_of(leads)
    }


def crowd(*epsilons: float) -> Numbers:
    names = ("Crowd's W₁ of WPM (km)", "Crowd's W₁ of KPM (km)", "Crowd's W₁ of EM (km)")
    without = "Crowd's W₁ without privacy (km)"
    runs = {e: headlines("geolocation.crowd", **AUSTIN, epsilon=e) for e in epsilons}
    return {f"{name}, ε = {e:g}": run[name] for e, run in runs.items() for name in (*names, without)}


def movielens() -> Numbers:
    ratings = load_movielens()
    return exact(ratings=len(ratings.stars), users=len(ratings.users), films=len(ratings.films))


def gowalla() -> Numbers:
    checkins = load_gowalla_austin()
    counts = np.bincount(checkins.user, weights=checkins.count)
    people = exact(people=len(counts), people_with_10_or_more=(counts >= 10).sum())
    return {"check-ins in Austin": Number(float(counts.sum()))} | people


def enough() -> Numbers:
    """Appendix N: λ = 0.01 and 40 rounds on Gowalla, 50 people, p = 1; costs over their diameter, and in kilometres."""
    city = make_city(load_gowalla_austin(), Place())
    people = city.histograms[:: max(len(city.histograms) // 50, 1)][:50]
    numbers: dict[str, Number] = {}
    for epsilon in (1.0, 2.0, 4.0):
        Q = Polytope(best_uniform_base(city.cost, epsilon), epsilon)
        exact_outputs = [wasserstein_projection(mu, city.cost, Q) for mu in people]
        best = np.array([wasserstein(nu, mu, city.cost, 1) for nu, mu in zip(exact_outputs, people, strict=True)])
        for words, cost in (("over the diameter", city.cost), ("in km", city.distances)):
            found = project_entropic(people, cost, Q, 0.01, max_iter=40, tol=0.0).output
            reached = np.array([wasserstein(nu, mu, city.cost, 1) for nu, mu in zip(found, people, strict=True)])
            name = f"W₁ over that of the exact projection, C {words}, ε = {epsilon:g}"
            numbers[name] = Number(float(reached.mean() / best.mean()))
    return numbers | {"diameter (km)": Number(city.diameter)}


def ablation() -> Numbers:
    """Algorithm 1 over the exact projection: p, lambda and rounds on the ring of Figure 1, 20 inputs."""
    numbers: dict[str, Number] = {}
    inputs = [dirichlet(30, 0.1, np.random.default_rng(seed)) for seed in range(1, 21)]
    for p in (1, 2, 4):
        cost, Q = _ring(p=p)
        unit = cost / cost.max()
        best = [wasserstein(wasserstein_projection(mu, unit, Q), mu, unit, p) for mu in inputs]
        for reg, rounds in ((0.1, 40), (0.01, 1), (0.01, 10), (0.01, 40), (0.01, 400), (0.001, 40), (0.001, 400)):
            found = [project_entropic(mu, unit, Q, reg, max_iter=rounds).output for mu in inputs]
            excess = [wasserstein(nu, mu, unit, p) / one for nu, mu, one in zip(found, inputs, best, strict=True)]
            numbers[
                f"W over that of the exact projection, p = {p}, λ = {reg:g}, {counted(rounds, 'round', 'rounds')}"
            ] = mean_of(excess)
    return numbers
