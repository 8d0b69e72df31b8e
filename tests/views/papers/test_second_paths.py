"""Numbers of the index by a second path that shares no code with the first: a few lines against the paper's formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from scipy import integrate, optimize, stats

from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.numbers import metric_frequencies, minimax_reach


def value(key: str, name: str) -> float:
    return stored(ROWS[key])[name].value


# --- DP Sinkhorn ------------------------------------------------------------------------------------------


def sinkhorn_delta(eta: float, n: int) -> float:
    """Theorem 2's sensitivity, |c| = 1."""
    return eta * math.log1p(4 * eta / n * math.exp(6 / eta))


def test_theorem_2_by_the_paper_by_renyi_and_exactly() -> None:
    """Printed formula; the best order of the conversion by a search; exact by a composed privacy loss distribution."""
    size, steps, delta = sinkhorn_delta(4.0, 500), 5, 1e-5
    for name, constant, factor in (("printed", size / 2, 1), ("corrected", size**2 / 2, 2)):
        epsilon = steps * constant + factor * math.sqrt(steps * constant * math.log(1 / delta))
        assert value("sinkhorn-theorem2", f"ε as {name}") == pytest.approx(epsilon)

    def converted(log_order: float) -> float:
        order = 1.0 + math.exp(log_order)
        rest = (math.log(1 / delta) - math.log(order)) / (order - 1) + math.log1p(-1 / order)
        return order * steps * size**2 / 2 + rest

    by_order = optimize.minimize_scalar(converted, bounds=(-5, 5), method="bounded").fun
    assert value("sinkhorn-theorem2", "ε by Rényi accounting") == pytest.approx(by_order, rel=2e-3)
    one = privacy_loss_distribution.from_gaussian_mechanism(1.0, sensitivity=size, value_discretization_interval=1e-4)
    exact = one.self_compose(steps).get_epsilon_for_delta(delta)
    assert value("sinkhorn-theorem2", "exact ε of its Gaussians") == pytest.approx(exact, abs=2e-3)


def test_two_neighbours_of_algorithm_1_lose_more_than_theorem_2_says() -> None:
    """One round by hand: all costs 0 leave all potentials 0; with the first row 1 it moves by 1 - 1/n."""
    n, eta, delta = 500, 4.0, 1e-5
    phi = np.full(n, -1 / n)
    phi[0] += 1.0
    cost = np.zeros((n, n))
    cost[0] = 1.0
    psi = -eta * np.log(np.exp((phi[:, None] - cost) / eta).mean(axis=0))
    far = math.sqrt((phi**2).sum() + (psi**2).sum())
    assert value("sinkhorn-algorithm1", "both potentials move, over |c|") == pytest.approx(far)
    assert value("sinkhorn-algorithm1", "sensitivity of Theorem 2, over |c|") == pytest.approx(sinkhorn_delta(eta, n))
    # r + 2 sqrt(r log(1/delta)) = 1 for r = Δ²/(2 M).
    rate = (math.sqrt(math.log(1 / delta) + 1) - math.sqrt(math.log(1 / delta))) ** 2
    mu = far / math.sqrt(sinkhorn_delta(eta, n) ** 2 / 2 / rate)
    epsilon = optimize.brentq(
        lambda e: stats.norm.cdf(mu / 2 - e / mu) - math.exp(e) * stats.norm.cdf(-mu / 2 - e / mu) - delta, 0.1, 10
    )
    assert value("sinkhorn-algorithm1", "ε that two neighbours lose, one round") == pytest.approx(epsilon)


def test_noise_raises_the_objective_by_more_than_theorem_1_and_lemma_4_say() -> None:
    """F at the optimum with noise, averaged over 40,000 draws of two points each; the bound by its formula."""
    eta, floor, rng = 10.0, 0.01, np.random.default_rng(3)
    # All costs 0: the plan is the product, F = -mean phi - mean psi + eta mean exp((phi + psi)/eta), least at 0.
    phi, psi = rng.normal(0.0, math.sqrt(floor), (2, 40_000, 2))
    rise = (
        -phi.mean(axis=1)
        - psi.mean(axis=1)
        + eta * (np.exp((phi[:, :, None] + psi[:, None]) / eta).mean(axis=(1, 2)) - 1)
    )
    name = "F rises in one round from its optimum, η = 10 |c|, M = 0.01, over |c|"
    found = value("sinkhorn-theorem1", name)
    assert abs(rise.mean() - found) < 4 * rise.std() / math.sqrt(len(rise))
    assert value("sinkhorn-lemma4", "E F rises, η = 10 |c|, M = 0.01, over |c|") == found
    allowed = math.exp(-6 / eta) / (2 * eta) * floor / 2
    assert value("sinkhorn-theorem1", "Theorem 1 there") == pytest.approx(allowed)
    assert value("sinkhorn-lemma4", "Lemma 4 allows") == pytest.approx(allowed)


def test_corollary_1_has_lost_alpha_and_a0() -> None:
    eta, epsilon, delta, n = 100.0, 4.0, 1e-5, 10**6
    ratio = math.log(1 / delta) / epsilon
    alpha = optimize.brentq(lambda a: (a - 1) ** 2 - ratio * a, 1.0, 100.0)
    spare = epsilon - math.log(1 / delta) / (alpha - 1)
    nu = math.exp(6 / eta)  # ν^(1/η) for |c| = 1
    seven = 32 * eta * nu**8 * 6 / (3 * n) / spare
    assert value("sinkhorn-cor1", "α of (17) that (7) has lost") == pytest.approx(alpha)
    assert value("sinkhorn-cor1", "(7) over |c|, η = 100 |c|, n = 10⁶, ε = 4") == pytest.approx(
        seven * (1 - math.log(seven))
    )

    # (17) is the least of Theorem 1's bound over M, K = spare M/(α C), whatever its simplified constant.
    def bound(log_m: float, eta: float, alpha: float, spare: float, start: float) -> float:
        rho, m = math.exp(-24 / eta) / 8, math.exp(log_m)
        rounds = spare * m / (alpha * sinkhorn_delta(eta, n) / 2)
        return start * (1 - rho) ** rounds + m * math.exp(-6 / eta) / (2 * eta) / (2 * rho)

    least = optimize.minimize_scalar(bound, bounds=(-9, 9), args=(eta, alpha, spare, 1.0), method="bounded").fun
    assert value("sinkhorn-cor1", "(17) over |c| there") == pytest.approx(least, rel=1e-6)
    ratio = math.log(1 / delta) / 100.0
    alpha = optimize.brentq(lambda a: (a - 1) ** 2 - ratio * a, 1.0, 100.0)
    at = (10.0, alpha, 100.0 - math.log(1 / delta) / (alpha - 1))
    chosen = optimize.minimize_scalar(
        bound, bounds=(-15, 0), args=(*at, 1.0), method="bounded", options={"xatol": 1e-10}
    )
    best = optimize.minimize_scalar(bound, bounds=(-15, 0), args=(*at, 10.0), method="bounded").fun
    name = "bound at the printed M*, η = 10 |c|, ε = 100, a0 = 10 |c|"
    assert value("sinkhorn-cor1-optimal", name) == pytest.approx(bound(chosen.x, *at, 10.0), rel=1e-4)
    assert value("sinkhorn-cor1-optimal", "least bound there") == pytest.approx(best, rel=1e-6)


def test_lemmas_1_to_3_where_all_costs_are_zero_and_by_second_differences() -> None:
    """At the product plan F's second derivative on centred phi is 1/(η n), n times less in the mean over points."""
    least = "least eigenvalue times |c|, ‖·‖ Euclidean"
    # exp(-c/η) at η = 10 |c| is within e^(±1/10) of 1, and so is the plan of the product.
    assert value("sinkhorn-lemma2", least) == pytest.approx(1 / (10 * 60), rel=0.01)
    assert value("sinkhorn-lemma2", "largest eigenvalue in a block times |c|, ‖·‖ Euclidean") == pytest.approx(1 / 600)
    assert value("sinkhorn-lemma2", "τ times |c|") == pytest.approx(math.exp(-0.6) / 20)
    assert value("sinkhorn-lemma2", "L times |c|") == pytest.approx(math.exp(0.6) / 20)
    assert value("sinkhorn-lemma2", "largest eigenvalue in a block times |c|, ‖·‖² a mean") > math.exp(0.6) / 20

    # Two rounds of Sinkhorn on the row's costs, F by its definition.
    rng, eta, n = np.random.default_rng(5), 10.0, 100
    one, other = rng.normal(0, 1, (n, 2)), rng.normal(1, 1, (n, 2))
    cost = ((one[:, None] - other) ** 2).sum(axis=2)
    cost /= cost.max()
    phi, psi, values, steps = np.zeros(n), np.zeros(n), [], []
    for _ in range(3):
        values.append(-phi.mean() - psi.mean() + eta * np.exp((phi[:, None] + psi - cost) / eta).mean())
        new = -eta * np.log(np.exp((psi - cost) / eta).mean(axis=1))
        new -= new.mean()
        then = -eta * np.log(np.exp((new[:, None] - cost) / eta).mean(axis=0))
        steps.append(((new - phi) ** 2).sum() + ((then - psi) ** 2).sum())
        phi, psi = new, then
    worst = max(math.exp(-0.6) / 40 * steps[k] / (values[k] - values[k + 1]) for k in (0, 1))
    name = "(ii): bound over the descent, η = 10 |c|, "
    assert value("sinkhorn-lemma3", f"{name}Euclidean") == pytest.approx(worst, rel=1e-3)
    assert value("sinkhorn-lemma3", f"{name}‖·‖² a mean") == pytest.approx(worst / n, rel=1e-3) and worst / n < 1

    for floor in ("0", "1", "100"):
        assert value("sinkhorn-lemma1", f"largest φ' before noise, over |c|, M = {floor}") <= 2
        assert value("sinkhorn-lemma1", f"largest ψ' before noise, over |c|, M = {floor}") <= 3
    assert value("sinkhorn-lemma1", "largest φ with noise, over |c|, M = 100") > 2


# --- private barycenters ----------------------------------------------------------------------------------


def test_proposition_d2_by_ranks() -> None:
    """On the line the optimal assignment pairs by rank, so that it changes where ranks do."""
    n, order = 20, np.arange(1, 21)
    for scale, place, words in (
        (1 / n, 2.5 / n, "the printed example (k/n, the first to 2.5/n)"),
        (1 / n**2, 1 / n + 1 / n**2, "all points within 1/n (k/n², the first to 1/n + 1/n²)"),
    ):
        points = order * scale
        moved = np.concatenate([[place], points[1:]])
        changed = (np.argsort(np.argsort(points)) != np.argsort(np.argsort(moved))).sum()
        assert value("barycenters-propD.2", f"assignments that change, {words}") == changed


# --- metric privacy of histories --------------------------------------------------------------------------


def test_theorem_1_3_promises_less_than_5_3_and_than_what_two_histories_need() -> None:
    """The stretch is (1 + √2) + 3/2 at r = 2 ln(1/δ)/s; the bit's probabilities by draws of a binomial."""
    assert value("metric-theorem1.3", "ε of Theorem 5.3 over α r") == pytest.approx(2.5 + math.sqrt(2))
    s, delta = 1_000, 1e-6
    r = 2 * math.log(1 / delta) / s
    moved = value("metric-theorem1.3", "P[M(K') = 1] there")
    still = (value("metric-theorem1.3", "e^(α r) P[M(K) = 1] + δ") - delta) / math.exp(s * r)
    threshold = round(-math.log(2 * still))
    # E e^min(B - b, 0)/2 under the binomial, summed in the other order.
    tail = 0.5 * (
        stats.binom.sf(threshold - 1, s, r)
        + sum(stats.binom.pmf(b, s, r) * math.exp(b - threshold) for b in range(threshold))
    )
    assert moved == pytest.approx(tail)
    needed = value("metric-theorem1.3", "ε that two histories need over α r")
    assert needed == pytest.approx(math.log((moved - delta) / still) / (s * r)) and needed > 1.5


def test_fact_5_1_by_the_three_probabilities() -> None:
    epsilon, delta, p = 3.0, 1e-3, 1e-5
    two = math.exp(epsilon) * (math.exp(epsilon) * p + delta) + delta
    name = "δ at 2 ε that the bit needs, over δ"
    assert value("metric-fact5.1", name) == pytest.approx((two - math.exp(2 * epsilon) * p) / delta)
    assert value("metric-fact5.1", name) == pytest.approx(1 + math.exp(epsilon))
    assert math.log(math.exp(2) - 1) == pytest.approx(1.854, abs=1e-3)  # from here on for two steps


def test_equation_7_against_theorem_4_4_by_its_supremum_over_w() -> None:
    alpha, m, n = 600.0, 1_000, 100_000
    log_delta = math.log(1e-12) - alpha
    root = math.sqrt(m * (math.log(4 * m) + alpha - math.log(1e-12)))
    rate = 2 * math.log(alpha * math.sqrt(n) / (16 * root))
    assert value("metric-eq7", "α₀ by (7), α = 600") == pytest.approx(rate)
    w = np.geomspace(1e-6, 1.0, 2_000)
    factor = 8 * math.sqrt(math.exp(rate) * (math.log(4 * m) - log_delta) / (m * n)) + 8 * math.exp(rate) / (m * n)
    found = (m * np.log1p(np.tanh(rate * w / 2) * factor) / w).max()
    assert value("metric-eq7", "α of Theorem 4.4 for it") == pytest.approx(found, rel=1e-4)


def test_lemma_6_7_by_its_sensitivity() -> None:
    assert value("metric-lemma6.7", "largest log-ratio with Lap(1/(n ε)), ε = 1") == pytest.approx(2.0)


def _gaussian_error(matrix: np.ndarray, decoder: np.ndarray, truth: np.ndarray, reports: int) -> float:
    """Mean tree distance of an unbiased estimate, nearly normal: sqrt(2/π) times each standard deviation."""
    covariance = decoder.T @ (np.diag(truth @ matrix) - (matrix.T * truth) @ matrix) @ decoder / reports
    clusters = np.kron(np.eye(8), np.ones((8, 1)))
    points, groups = (np.sqrt(np.diag(one)).sum() for one in (covariance, clusters.T @ covariance @ clusters))
    return math.sqrt(2 / math.pi) * float(0.05 * points + 0.45 * groups)


@pytest.mark.parametrize("m", [1_000, 10_000])
def test_table_2b_local_by_covariances_of_dense_matrices(m: int) -> None:
    """The unbiased estimates' errors with no draw at all: matrices by their formulas, decoders by pseudo-inverse."""
    from scipy.linalg import hadamard

    task = metric_frequencies.FrequencyTask(metric_frequencies.SPACE, 100_000, m, 1.0, 1.0, 1e-6)
    releases = metric_frequencies.FREQUENCY_RELEASES["local"]
    counts = metric_frequencies.simulated_counts(metric_frequencies.SPACE, 100_000 * m)
    truth, reports = counts / counts.sum(), 100_000 * m
    budget = releases["hadamard-all"].rate(task)
    signs = hadamard(128)[1:65]
    response = np.where(signs > 0, math.exp(budget), 1.0) / (64 * (1 + math.exp(budget)))
    theirs = _gaussian_error(response, np.linalg.pinv(response), truth, reports)

    def ours(ratio: float) -> float:
        one = metric_frequencies.FrequencyTask(metric_frequencies.SPACE, 100_000, m, 1.0, ratio, 1e-6)
        rate = releases["shuffled"].rate(one)
        cluster = np.arange(64) // 8
        matrix = np.exp(np.where(cluster[:, None] == cluster, 0.9 * rate, 0.0))
        np.fill_diagonal(matrix, math.exp(rate))
        matrix /= matrix.sum(axis=1, keepdims=True)
        return _gaussian_error(matrix, np.linalg.inv(matrix), truth, reports)

    at = optimize.brentq(lambda log: math.log(ours(math.exp(log)) / theirs), math.log(20), math.log(400), xtol=1e-3)
    name = f"GKRR beats Hadamard response from α/ε, unbiased, m = {m:,}"
    assert value("metric-table2b-local", name) == pytest.approx(math.exp(at), rel=0.06)
    if m == 1_000:
        printed = 64 / math.log(1_000 / 1e-6)
        assert value("metric-table2b-local", "α/ε in the table, ε k/ln(m/δ), m = 1,000") == pytest.approx(printed)
    assert value("metric-table2b-local", "α/ε after Theorem 6.6, √k") == 8.0


# --- minimax-optimal sampling -----------------------------------------------------------------------------


def test_theorem_3_1_by_r1_and_r2() -> None:
    high = (math.e + 9) / math.e
    for label, f in (
        ("KL", lambda x: x * math.log(x) if x else 0.0),
        ("TV", lambda x: abs(x - 1) / 2),
        ("Hellinger²", lambda x: (1 - math.sqrt(x)) ** 2 / 2),
    ):
        by_formula = f(high) / high + (high - 1) / high * f(0.0)
        name = f"{label}: least worst case of any channel, by linear programming"
        assert value("minimax-theorem3.1", name) == pytest.approx(by_formula)


def test_theorem_3_3_on_a_grid() -> None:
    """The extreme input on 200,000 points, its output by clipping and bisection."""
    c1, c2 = 0.2, 3.0
    b = (c2 - c1) / ((math.e - 1) * (1 - c1) + c2 - c1)
    x = (np.arange(200_000) + 0.5) / 200_000
    h = 2 * x
    p = np.where(x < math.sqrt((1 - c1) / (c2 - c1)), c2, c1) * h
    r = optimize.brentq(lambda r: np.clip(p / r, b * h, b * math.e * h).mean() - 1, 0.01, 10)
    q = np.clip(p / r, b * h, b * math.e * h)
    for label, found in (("KL", (p * np.log(p / q)).mean()), ("TV", np.abs(p - q).mean() / 2)):
        for words in ("R", "an extreme input"):
            assert value("minimax-theorem3.3", f"{label} of {words}, h = 2x, c1 = 1/5, c2 = 3") == pytest.approx(
                found, abs=2e-4
            )


def test_figure_2_by_its_formula() -> None:
    p = np.array([0.3, 0.25, 0.2, 0.15, 0.1])
    for epsilon in (0.01, 0.1, 0.5, 1.0, 5.0):
        low = 1 / (math.exp(epsilon) + 4)
        r = optimize.brentq(lambda r, low=low: np.maximum(p / r, low).sum() - 1, 0.99, 10)
        q = np.maximum(p / r, low)
        for words, other in (("P", p), ("the uniform distribution", 0.2)):
            name = f"TV of KPM to {words}, ε = {epsilon:g}"
            assert value("minimax-fig2", name) == pytest.approx(np.abs(q - other).sum() / 2, abs=1e-9)
    assert value("minimax-fig2", "TV of KPM to P, ε = 5") == pytest.approx(0.0, abs=1e-12)


def test_the_mollifier_around_any_reference_by_its_largest_mass() -> None:
    """Of a point the nearest output has min(e^(ε/2) q, 1 - e^(-ε/2) (1 - q)) at it, for a reference with q there."""
    for q, name in ((0.1, "worst case around the uniform reference"),):
        mass = min(math.exp(0.5) * q, 1 - math.exp(-0.5) * (1 - q))
        assert value("minimax-appendixF.1", f"KL: {name}") == pytest.approx(-math.log(mass))
        assert value("minimax-appendixF.1", f"TV: {name}") == pytest.approx(1 - mass)
        assert value("minimax-appendixF.1", f"Hellinger²: {name}") == pytest.approx(1 - math.sqrt(mass))
    # It rises in q, so that the worst point is the rarest one, and no reference has a rarest point above 1/k.
    least = np.random.default_rng(9).dirichlet(np.full(10, 30.0), 500).min(axis=1).max()
    mass = min(math.exp(0.5) * least, 1 - math.exp(-0.5) * (1 - least))
    assert value("minimax-appendixF.1", "TV: least around 500 others") == pytest.approx(1 - mass)


def test_spans_of_mbde_and_what_they_reach() -> None:
    """Spans by hand; the least KL of one mixture by a search over outputs that are clipped and normalised."""
    assert value("minimax-mbde", "span of the log-density, their program") == pytest.approx(0.2 + 0.04 + 0.008)
    base = 1 / (1 + 4 * math.log(2))
    ours = 2 * math.log(2) * sum(base**t for t in range(1, 11))
    assert value("minimax-mbde", "span of the log-density, ours") == pytest.approx(ours)
    x = np.linspace(-4, 4, 8_001)

    def over(values: np.ndarray) -> float:
        return float(integrate.simpson(values, x=x))

    q0 = np.exp(-(x**2) / 2)
    q0 /= over(q0)
    p = np.exp(-((x - 0.8) ** 2) / 2)
    p /= over(p)

    def divergence(shift: float, span: float) -> float:
        q = q0 * np.exp(np.clip(np.log(p / q0) + shift, 0.0, span))
        return over(p * np.log(p / q * over(q)))

    weights = np.full(len(x), 8 / 8_000)
    weights[[0, -1]] /= 2
    for span in (0.248, ours):
        best = optimize.minimize_scalar(divergence, bounds=(-2, 2), args=(span,), method="bounded").fun
        near = minimax_reach.nearest(p / (weights @ p), q0 / (weights @ q0), weights, span)
        assert over(p * np.log(p / near)) == pytest.approx(best, abs=1e-5)
    least = value("minimax-mbde", "least KL within it, their program")
    assert value("minimax-mbde", "KL, ours") < least < value("minimax-mbde", "KL, published")
    assert value("minimax-mbde", "least KL within it, ours") < value("minimax-mbde", "KL, ours")


# --- Wasserstein projection -------------------------------------------------------------------------------


def test_forty_rounds_are_enough_over_the_diameter_and_not_in_kilometres() -> None:
    """On a line of ten cells by Algorithm 1 as it is printed, against the exact projection by linear programming."""
    k, epsilon = 10, 4.0
    cost = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / (k - 1)
    low, high = np.full(k, math.exp(-epsilon / 2) / k), np.full(k, math.exp(epsilon / 2) / k)
    mu = np.zeros(k)
    mu[[0, 1, 7]] = 0.5, 0.3, 0.2
    marginals = np.vstack([np.kron(np.eye(k), np.ones(k)), np.kron(np.ones(k), np.eye(k))])
    exact = optimize.linprog(
        cost.ravel(),
        A_eq=marginals[:k],
        b_eq=mu,
        A_ub=np.vstack([marginals[k:], -marginals[k:]]),
        b_ub=np.concatenate([high, -low]),
    ).fun
    reached = {}
    for words, scale in (("over the diameter", 1.0), ("in km", 53.3)):
        kernel, v = np.exp(-scale * cost / 0.01), np.ones(k)
        for _ in range(40):
            s = np.maximum((mu / np.maximum(kernel @ v, 1e-290)) @ kernel, 1e-290)
            theta = optimize.brentq(lambda t, s=s: np.clip(math.exp(t) * s, low, high).sum() - 1, -200, 600)
            q = np.clip(math.exp(theta) * s, low, high)
            v = q / s
        reached[words] = float(np.abs(np.cumsum(q - mu)).sum() / (k - 1)) / exact
    assert reached["over the diameter"] < 1.02
    for e in (1, 2, 4):
        names = [f"W₁ over that of the exact projection, C {words}, ε = {e}" for words in reached]
        diameter, kilometres = (value("wpm-enough", name) for name in names)
        assert 1 - 1e-9 <= diameter < 1.01 and kilometres > 1.02
