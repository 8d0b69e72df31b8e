"""Private transport as a whole: all neighbours, audits at worst pairs, fixed noise, releases without rounding."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import beta

import dpot_core as dpot
from dpot_core.mechanisms.central.sinkhorn_exact import exact_dual, exact_laplace
from dpot_core.mechanisms.central.sinkhorn_half_step import half_step
from dpot_core.mechanisms.central.sinkhorn_proven import power_of_two, rounded
from dpot_core.mechanisms.central.sinkhorn_values import dual_sensitivity
from dpot_core.privacy.accounting import gaussian_noise
from dpot_core.transport.wasserstein import transport_cost
from tests.mechanisms.central.test_sinkhorn import grid_cost, histograms
from tests.mechanisms.central.test_sinkhorn_costs import neighbours
from tests.noise import Fixed

BUDGET = {"epsilon": 1.0, "delta": 1e-5}
LINE = np.array([[0.0, 1.0], [1.0, 0.0]])
SECURE = pytest.mark.parametrize("secure", [False, True], ids=["demonstration", "release"])

#: By day a demonstration of the one and a release of the other; the rest by night.
PEOPLE_AND_SOURCE = pytest.mark.parametrize(
    ("people", "secure"),
    [
        ("one", False),
        pytest.param("both", False, marks=pytest.mark.nightly),
        pytest.param("one", True, marks=pytest.mark.nightly),
        ("both", True),
    ],
    ids=["one-demonstration", "both-demonstration", "one-release", "both-release"],
)


#: Standard errors by which a mean or a deviation may be off, and the chance with which a bound on a probability fails:
#: a release cannot be seeded, so that neither may ever be missed by chance.
OFF, CHANCE = 6.0, 1e-9


def source(secure: bool, seed: int = 0) -> dict:
    return {"secure": True} if secure else {"rng": np.random.default_rng(seed)}


def low(hits: int, draws: int) -> float:
    return float(beta.ppf(CHANCE, hits, draws - hits + 1)) if hits else 0.0


def high(hits: int, draws: int) -> float:
    return float(beta.ppf(1 - CHANCE, hits + 1, draws - hits)) if hits < draws else 1.0


# Audits at worst pairs


@pytest.mark.slow
@PEOPLE_AND_SOURCE
def test_the_cost_of_worst_neighbours_is_told_apart_as_promised_and_no_better(people: str, secure: bool) -> None:
    """One point that leaves where all others are changes the cost by |c|/n; one in each set, apart, by 2 |c|/n."""
    n, draws, epsilon = 4, 700, 1.0
    here = ([4, 0], [4, 0]) if people == "one" else ([3, 1], [3, 1])
    there = ([3, 1], [4, 0]) if people == "one" else ([2, 2], [4, 0])
    costs = [transport_cost(np.array(a) / n, np.array(b) / n, LINE) for a, b in (here, there)]
    assert costs[1] - costs[0] == pytest.approx((1 if people == "one" else 2) / n)
    values = []
    for seed, (a, b) in enumerate((here, there)):
        given = {"people": people, "epsilon": epsilon, **source(secure, seed)}
        values.append(np.array([dpot.private_transport_cost(LINE, a, b, **given).value for _ in range(draws)]))
    # Noise is symmetric: from the one cost, what is beyond the other is as likely as the same the other way round.
    alarms, hits = (
        int((above >= costs[1]).sum() + (below <= costs[0]).sum()) for above, below in (values, values[::-1])
    )
    assert low(hits, 2 * draws) <= math.exp(epsilon) * high(alarms, 2 * draws)
    assert math.log(hits / alarms) > 0.6 * epsilon  # the audit has power: the loss is attained
    sizes = np.abs(np.subtract(values, np.array(costs)[:, None])) * epsilon / (costs[1] - costs[0])
    # The size of Laplace noise deviates by as much as it is; half the noise would be 0.5.
    assert sizes.mean() == pytest.approx(1.0, abs=OFF / math.sqrt(2 * draws))


@pytest.mark.slow
@pytest.mark.parametrize("draws", [200, pytest.param(600, marks=pytest.mark.nightly)])
@PEOPLE_AND_SOURCE
def test_private_histograms_are_as_far_apart_as_their_gaussian_promise(people: str, secure: bool, draws: int) -> None:
    """About half of the points in each cell: nothing is cut off, so that what is released is exactly mu apart.

    The data sets differ in 20 points: one point would be lost in the noise of the means.
    """
    n, moved = 200, 20
    shares = []
    for seed, (a, b) in enumerate([([100, 100], [100, 100]), ([120, 80], [120, 80])]):
        given = {"people": people, "plan_share": 1.0, **BUDGET, **source(secure, seed)}
        results = [dpot.noisy_sinkhorn(LINE, a, b, eta=1.0, steps=1, **given) for _ in range(draws)]
        shares.append(np.array([[marginal[0] for marginal in result.marginals] for result in results]))
    mu = 1.0 / gaussian_noise(**BUDGET)
    assert results[0].guarantee.gaussian == pytest.approx(mu, rel=1e-12)
    steps = shares[1].mean(axis=0) - shares[0].mean(axis=0)
    noise = (math.sqrt(2.0) if people == "both" else 1.0) / mu / n  # of a share; both sets have a part of the budget
    assert steps == pytest.approx(np.full(2, moved / n), abs=OFF * noise * math.sqrt(2 / draws))  # the data are in it
    apart = 1.0 / n / np.array([part.std(axis=0) for part in shares]).mean(axis=0)
    told = float(np.hypot(*apart)) if people == "both" else float(apart.max())
    # Each deviation is the mean of two; with noise for one cell instead of two this is 0.7, with half of it 0.5.
    assert mu / told == pytest.approx(1.0, abs=OFF / math.sqrt(2 * 2 * draws))


@pytest.mark.slow
@pytest.mark.parametrize("draws", [200, pytest.param(600, marks=pytest.mark.nightly)])
@SECURE
def test_the_cost_of_private_histograms_has_their_noise(secure: bool, draws: int) -> None:
    n = 400
    given = {"method": "histograms", **BUDGET, **source(secure)}
    results = [dpot.private_transport_cost(LINE, [300, 100], [100, 300], **given) for _ in range(draws)]
    values = np.array([result.value for result in results])
    expected = math.sqrt(2.0) * gaussian_noise(**BUDGET) / n  # the difference of two shares, each with ratio/n
    assert values.std() == pytest.approx(expected, rel=OFF / math.sqrt(2 * draws))
    assert values.mean() == pytest.approx(0.5, abs=OFF * expected / math.sqrt(draws))


@pytest.mark.slow
@pytest.mark.parametrize("draws", [150, pytest.param(400, marks=pytest.mark.nightly)])
@PEOPLE_AND_SOURCE
def test_the_dual_value_has_the_noise_that_all_neighbours_need(people: str, secure: bool, draws: int) -> None:
    # Hundreds of points: a value that is not of these data is then off by many times the noise.
    cost, a, b = grid_cost(3, 4), np.array([300.0, 100.0, 200.0]), np.array([200.0, 0.0, 100.0, 100.0])
    given = {"method": "proven", "eta": 2.0, "people": people, **BUDGET, **source(secure)}
    results = [dpot.private_transport_cost(cost, a, b, **given) for _ in range(draws)]
    residuals = []
    for result in results:
        phi, psi = result.potentials
        residuals.append((result.value - phi @ a / 600 - psi @ b / 400) / result.noise)
    assert np.std(residuals) == pytest.approx(1.0, abs=OFF / math.sqrt(2 * draws))
    firsts = [abs(float((moved - a) @ phi)) / 600 for moved in neighbours(a)]
    # Between any two histograms, not only from this one: all counts with as many points.
    firsts += [abs(float(phi[u] - phi[v])) / 600 for u, v in itertools.permutations(range(3), 2)]
    seconds = [abs(float(psi[u] - psi[v])) / 400 for u, v in itertools.permutations(range(4), 2)]
    worst = max(firsts) + max(seconds) if people == "both" else max(*firsts, *seconds)
    ratio = next(entry.sigma for entry in result.ledger if entry.what == "cost")
    assert worst <= result.noise / ratio * (1 + 1e-12) and result.noise / ratio <= worst * (1 + 1e-5)
    assert dual_sensitivity((phi, psi), (600, 400), people == "both") == pytest.approx(worst)


def test_the_budget_is_shared_by_all_that_is_released() -> None:
    cost, a, b = grid_cost(4, 4), np.array([50, 50, 50, 50]), np.array([20, 80, 50, 50])
    for people in ("one", "both"):
        given = {"people": people, "plan_share": 0.4, **BUDGET, "rng": np.random.default_rng(0)}
        result = dpot.noisy_sinkhorn(cost, a, b, eta=1.0, steps=3, **given)
        noise = {(entry.what, entry.data): entry.sigma for entry in result.ledger}
        assert result.trace.phi_noise == pytest.approx(noise["potentials", "second"] * result.trace.phi_sensitivity)
        assert result.trace.psi_noise == pytest.approx(noise["potentials", "first"] * result.trace.psi_sensitivity)
        first, second = (
            3 / noise["potentials", data] ** 2 + 1 / noise["histogram", data] ** 2 for data in ("first", "second")
        )
        spent = first + second if people == "both" else max(first, second)
        assert math.sqrt(spent) == pytest.approx(1.0 / gaussian_noise(**BUDGET), rel=1e-9)
        assert math.sqrt(spent) == pytest.approx(result.guarantee.gaussian)
        # More than delta: how often the loss exceeds epsilon (111 times delta at epsilon 0.1).
        assert 10e-5 < result.guarantee.exceeded < 20e-5


# Fixed noise

#: Two neighbours in both sets, and two data sets that have nothing in common with them but their sizes.
COUNTS = [
    ([9, 1, 5, 5, 0], [4, 4, 4, 4, 4]),
    ([8, 1, 5, 5, 1], [4, 4, 3, 5, 4]),
    ([0, 0, 0, 0, 20], [20, 0, 0, 0, 0]),
]


def written(result: object) -> str:
    """Everything in a result, in full precision."""
    with np.printoptions(threshold=10**9, precision=17, floatmode="unique"):
        return repr(result)


@SECURE
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_given_noisy_values_nothing_in_noisy_sinkhorn_depends_on_the_data(share: float, secure: bool) -> None:
    cost, fixed = grid_cost(5, 5), Fixed()
    given = {"eta": 0.4, "steps": 3, "plan_share": share, "secure": secure, **BUDGET}
    runs = [
        lambda a=a, b=b: written(dpot.noisy_sinkhorn(cost, a, b, rng=fixed.generator(1), **given)) for a, b in COUNTS
    ]
    first = fixed.record(runs[0])
    assert fixed.replay(runs[1]) == first and fixed.replay(runs[2]) == first


@SECURE
@pytest.mark.parametrize("method", ["laplace", "histograms", "proven"])
def test_given_noisy_values_nothing_in_a_released_cost_depends_on_the_data(method: str, secure: bool) -> None:
    cost, fixed = grid_cost(5, 5), Fixed()
    given = {"method": method, "epsilon": 1.0, "delta": 0.0 if method == "laplace" else 1e-5, "secure": secure}
    runs = [
        lambda a=a, b=b: written(dpot.private_transport_cost(cost, a, b, rng=fixed.generator(1), **given))
        for a, b in COUNTS
    ]
    first = fixed.record(runs[0])
    assert fixed.replay(runs[1]) == first and fixed.replay(runs[2]) == first


# Private numbers in words


def test_costs_beyond_the_bound_are_cut_down_and_not_told() -> None:
    near = np.array([[0.5, 1.0], [1.0, 0.25]])
    far = near.copy()
    far[0, 0] = 7.25  # a private point far beyond the bound
    cut = np.minimum(far, 1.0)
    for secure in (False, True):
        results = [dpot.private_transport_cost(cost, epsilon=500.0, bound=1.0, **source(secure)) for cost in (far, cut)]
        assert results[0].noise == results[1].noise and results[0].guarantee == results[1].guarantee
        assert results[0].value == pytest.approx(results[1].value, abs=0.05)
    given = {"eta": 2.0, "steps": 2, **BUDGET, "bound": 1.0}
    for method in ("paper", "two-stage"):
        one, other = (
            dpot.private_transport_cost(cost, method=method, rng=np.random.default_rng(0), **given)
            for cost in (far, cut)
        )
        assert written(one) == written(other)
    own = dpot.central.paper_sinkhorn(far, eta=2.0, steps=1, **BUDGET, rng=np.random.default_rng(0))
    assert "7.25" not in repr(own.guarantee) and "taken from the data" in " ".join(own.guarantee.public)
    with pytest.raises(ValueError, match="eta") as refused:
        given = {"bound": 1.0, "steps": 1, "rng": np.random.default_rng(0), **BUDGET}
        dpot.central.paper_sinkhorn(far, eta=1e200, **given)
    assert "7.25" not in str(refused.value)


def test_counts_that_are_no_counts_are_not_told() -> None:
    with pytest.raises(ValueError, match="whole numbers") as refused:
        dpot.private_transport_cost(LINE, [3.25, 1], [2, 2], epsilon=1.0, rng=np.random.default_rng(0))
    assert "3.25" not in str(refused.value)


# Releases without rounding


def test_a_released_cost_lies_on_a_public_grid_for_every_neighbour() -> None:
    """In floats the last digits of a value with Laplace noise say which neighbour it came from (Mironov 2012)."""
    cost, n = grid_cost(5, 4), 20
    unit = cost.max() / (n << 30)
    for a in ([3, 4, 5, 1, 7], [2, 5, 5, 1, 7], [20, 0, 0, 0, 0]):
        for _ in range(20):
            value = dpot.private_transport_cost(cost, a, [10, 2, 3, 5], epsilon=1.0, secure=True).value
            assert float(round(Fraction(value) / Fraction(unit))) * unit == value


@pytest.mark.slow
@pytest.mark.parametrize("n", [pytest.param((3, 3), marks=pytest.mark.nightly), (2, 4), (2, 3)])
@pytest.mark.parametrize("people", ["one", "both"])
def test_no_neighbours_differ_in_the_integer_cost_by_more_than_its_sensitivity(
    n: tuple[int, int], people: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cost = dpot.cost_matrix(dpot.grid(3, 1), p=2) / 3.0
    bound = float(cost.max())
    seen: dict[str, float] = {}

    def quiet(values: np.ndarray, scale: float, *_: object, **__: object) -> np.ndarray:
        seen["scale"] = scale
        return values

    monkeypatch.setattr("dpot_core.mechanisms.central.sinkhorn_exact.discrete_laplace", quiet)

    def value(a: np.ndarray, b: np.ndarray) -> float:
        return exact_laplace(
            cost, bound, (a.astype(float), b.astype(float)), dpot.Guarantee(1.0), people == "both", False
        )[0]

    largest = 0.0
    for a, b in itertools.product(histograms(n[0], 3), histograms(n[1], 3)):
        here = value(a, b)
        assert here == pytest.approx(transport_cost(a / n[0], b / n[1], cost), abs=1e-9)
        near = [(moved, b) for moved in neighbours(a)] + [(a, moved) for moved in neighbours(b)]
        pairs = near if people == "one" else itertools.product(neighbours(a), neighbours(b))
        largest = max([largest, *(abs(value(*pair) - here) for pair in pairs)])
    allowed = seen["scale"] * bound / (math.lcm(*n) << 30)  # epsilon = 1
    assert largest <= allowed * (1 + 1e-12)
    if people == "one":
        assert largest >= 0.99 * allowed  # attained: nothing smaller would do


@pytest.mark.parametrize("people", ["one", "both"])
def test_a_cost_between_samples_covers_costs_that_round_otherwise_beside_another_point(
    people: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All costs lie at half a unit of the whole numbers, where the last digit of a float decides; one point moves."""
    seen: dict[str, float] = {}

    def quiet(values: np.ndarray, scale: float, *_: object, **__: object) -> np.ndarray:
        seen["scale"] = scale
        return values

    monkeypatch.setattr("dpot_core.mechanisms.central.sinkhorn_exact.discrete_laplace", quiet)
    n, unit = 3, 2.0**-30
    here = np.full((n, n), 10.5 * unit)  # rounds to 10
    there = np.nextafter(here, 1.0)  # rounds to 11
    here[0], there[0] = 0.0, 1.0
    ones = np.ones(n), np.ones(n)

    def value(cost: np.ndarray, samples: bool) -> float:
        return exact_laplace(cost, 1.0, ones, dpot.Guarantee(1.0), people == "both", samples)[0]

    moved = abs(value(there, True) - value(here, True))
    allowed = seen["scale"] * unit / n  # epsilon = 1
    assert moved <= allowed
    if people == "one":
        value(here, False)
        assert moved > seen["scale"] * unit / n, "what is enough for public places is not enough for samples"


def test_a_half_step_on_its_grid_moves_by_no_more_than_its_sensitivity() -> None:
    """The worst neighbours of all, computed in floats and rounded: what the noise is added to."""
    rng, n = np.random.default_rng(3), 3
    for eta_over_range, floor in itertools.product((1e-9, 0.01, 0.3, 5.0, 1e8, 1e14), (0.0, 0.2)):
        cost = grid_cost(4, 3, seed=7)
        eta, phi = eta_over_range * cost.max(), cost.max() * rng.standard_normal(4)
        steps = {tuple(counts): half_step(phi, cost, counts / n, eta, n, floor) for counts in histograms(n, 4)}
        found = {counts: rounded(step) for counts, step in steps.items()}
        (allowed,) = {size for _, size in found.values()}  # public: the same whatever the data are
        (width,) = {
            power_of_two(max(2 * step.error, 2.0**-20 * step.sensitivity / math.sqrt(3))) for step in steps.values()
        }
        assert allowed == next(iter(steps.values())).sensitivity + 2 * width * math.sqrt(3)
        for counts, (value, _) in found.items():
            assert (value / width == np.round(value / width)).all()
            assert np.abs(value - steps[counts].value).max() <= width / 2
            for moved in neighbours(np.array(counts)):
                assert np.linalg.norm(value - found[tuple(moved)][0]) <= allowed


def test_rounding_of_a_half_step_stays_within_its_stated_error() -> None:
    """Against the same formula in 50 digits."""
    from decimal import Decimal, getcontext

    getcontext().prec = 50
    rng = np.random.default_rng(0)
    for eta_over_range in (1e-4, 0.01, 0.3, 10.0, 1e6):
        cost = grid_cost(5, 4, seed=2)
        eta, phi = eta_over_range * float(cost.max()), cost.max() * rng.standard_normal(5)
        counts = np.array([3, 0, 1, 7, 2])
        step = half_step(phi, cost, counts / 13, eta, 13)
        for j in range(4):
            terms = [
                Decimal(int(count)) / 13 * ((Decimal(float(phi[i])) - Decimal(float(cost[i, j]))) / Decimal(eta)).exp()
                for i, count in enumerate(counts)
            ]
            exact = -Decimal(eta) * sum(terms).ln()
            assert abs(Decimal(float(step.value[j])) - exact) <= Decimal(step.error)
        assert step.error < 1e-12 * max(eta, cost.max())


def test_the_dual_value_is_exact_up_to_its_grid() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        potentials = (10 * rng.standard_normal(5) + 3, rng.standard_normal(4) - 100)
        counts = (rng.integers(1, 9, 5).astype(float), rng.integers(1, 9, 4).astype(float))
        value, size = exact_dual(potentials, counts, False)
        truth = sum(float(c @ p) / c.sum() for c, p in zip(counts, potentials, strict=True))
        least = dual_sensitivity(potentials, tuple(int(c.sum()) for c in counts), False)
        assert abs(value - truth) <= size - least + 1e-12 and least <= size <= least * (1 + 1e-5)
    value, size = exact_dual((np.full(3, 2.0), np.full(2, -1.0)), (np.ones(3), np.ones(2)), True)
    assert value == pytest.approx(1.0) and 0 < size < 1e-14


def test_rounded_dual_values_of_neighbours_differ_by_no_more_than_their_sensitivity() -> None:
    """Rounding can move the worst neighbours further apart than their exact values are."""
    rng = np.random.default_rng(0)
    further = 0
    for _ in range(50):
        potentials = rng.standard_normal(4), np.zeros(2)
        low, high = int(potentials[0].argmin()), int(potentials[0].argmax())
        counts = np.tile(rng.integers(1, 9, 4).astype(float), (2, 1))
        counts[1, low] -= 1
        counts[1, high] += 1
        (one, size), (other, _) = (exact_dual(potentials, (part, np.ones(2)), False) for part in counts)
        apart = abs(Fraction(other) - Fraction(one))
        assert apart <= Fraction(size)
        change = Fraction(potentials[0][high]) - Fraction(potentials[0][low])
        further += apart > change / int(counts[0].sum()) * (1 + Fraction(1, 10**9))
    assert further > 5


def test_a_release_needs_no_generator_and_a_demonstration_says_that_it_is_one() -> None:
    # So many points that noise does not move all of them into one cell: two histograms there would agree by chance.
    data = (LINE, [500, 500], [200, 800])
    for name, method in (("laplace", {}), ("histograms", {"delta": 1e-5}), ("proven", {"delta": 1e-5})):
        first, second = (
            dpot.private_transport_cost(*data, epsilon=1.0, method=name, secure=True, **method) for _ in range(2)
        )
        assert first.value != second.value and first.guarantee.note == ""
        shown = dpot.private_transport_cost(*data, epsilon=1.0, method=name, rng=np.random.default_rng(0), **method)
        assert "demonstration" in shown.guarantee.note
        if name == "laplace":
            assert shown.noise == pytest.approx(first.noise, rel=1e-12)
        with pytest.raises(ValueError, match="rng must be a numpy"):
            dpot.private_transport_cost(*data, epsilon=1.0, method=name, **method)
    with pytest.raises(TypeError, match="secure"):
        dpot.central.paper_sinkhorn(np.ones((3, 3)), eta=1.0, steps=1, secure=True, **BUDGET)
    with pytest.raises(ValueError, match="not proven is not released"):
        dpot.private_transport_cost(np.ones((3, 3)), method="two-stage", secure=True, **BUDGET)


def test_a_release_with_too_many_points_for_64_bits_is_refused_for_a_public_reason() -> None:
    with pytest.raises(ValueError, match="no room for exact arithmetic"):
        dpot.private_transport_cost(LINE, [2**31 - 1, 0], [2**31 - 19, 0], epsilon=1.0, secure=True)
    free = dpot.private_transport_cost(np.zeros((2, 2)), [1, 1], [1, 1], epsilon=1.0, secure=True)
    assert (free.value, free.noise) == (0.0, 0.0)
    with pytest.raises(ValueError, match="bound must be given"):
        dpot.private_transport_cost(np.ones((2, 2)), epsilon=1.0, secure=True)
    assert power_of_two(1.0) == 1.0 and power_of_two(1.1) == 2.0 and power_of_two(0.3) == 0.5


def test_a_release_takes_every_number_from_opendp(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator that a caller hands over is not touched, and each noisy value asks OpenDP."""
    from dpot_core.mechanisms.central import noise

    asked = []
    real = noise._opendp
    monkeypatch.setattr(noise, "_opendp", lambda promise: asked.append(1) or real(promise))
    rng = np.random.default_rng(0)
    before = repr(rng.bit_generator.state)
    given = {"eta": 1.0, "steps": 3, "secure": True, "rng": rng, **BUDGET}
    dpot.noisy_sinkhorn(LINE, [5, 5], [2, 8], **given)
    assert len(asked) == 2 * 3 + 2  # two half steps a round, two histograms
    for method, count in (("laplace", 1), ("histograms", 2), ("proven", 2 * 3 + 1)):
        asked.clear()
        dpot.private_transport_cost(LINE, [5, 5], [2, 8], method=method, **given)
        assert len(asked) == count
    assert repr(rng.bit_generator.state) == before
