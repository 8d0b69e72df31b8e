"""The optimal kernel: exact ratios, the full linear program, known answers, spanners, what rounding may have broken."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog
from scipy.sparse.csgraph import shortest_path

import dpot_core as dpot
from dpot_core.mechanisms.metric import bounded_ratios, optimal
from dpot_core.mechanisms.metric.finite_kernels import achieved_rate, certified_rate, metric_exponential
from dpot_core.mechanisms.metric.item_wise import FiniteItems
from dpot_core.mechanisms.metric.optimal import OptimalKernel, optimal_geo_indistinguishability
from dpot_core.mechanisms.metric.remapping import bayesian_remap
from dpot_core.mechanisms.metric.spanners import greedy_spanner
from dpot_core.mechanisms.planar_laplace import planar_laplace_kernel

GRID = dpot.grid(4, 3, (0.0, 9.0, 0.0, 5.0)).distances()
PLACES = {
    "grid": GRID,
    "ring": dpot.ring(7).distances(),
    "cloud": dpot.point_cloud(np.random.default_rng(0).normal(size=(8, 2))).distances(),
}


def prior_on(k: int, kind: str) -> np.ndarray:
    """Uniform, uneven, or with places where no one is."""
    uneven = np.random.default_rng(k).dirichlet(np.full(k, 0.5))
    return {"uniform": np.full(k, 1.0 / k), "uneven": uneven, "holes": dpot.normalise(np.arange(k) % 3)}[kind]


def exact_losses(kernel: np.ndarray, distances: np.ndarray, rate: float) -> list[Fraction]:
    """Of every pair of places the largest ratio of probabilities over ``e^(rate d)``, also of rows over their sums."""
    rows = [[Fraction(value) for value in row] for row in kernel[:, kernel.any(axis=0)].tolist()]
    sums, found = [sum(row) for row in rows], []
    with localcontext() as context:
        context.prec = 50
        for x, other in itertools.permutations(range(len(rows)), 2):
            nats = Fraction(rate) * Fraction(float(distances[x, other]))
            allowed = Fraction((Decimal(nats.numerator) / Decimal(nats.denominator)).exp()) * (1 - Fraction(1, 10**40))
            ratio = max(one / two for one, two in zip(rows[x], rows[other], strict=True))
            found += [ratio / allowed, ratio * sums[other] / sums[x] / allowed]
    return found


def full_program(distances: np.ndarray, rate: float, prior: np.ndarray, loss: np.ndarray) -> float:
    """The optimum by a solver that knows nothing of the structure, with all constraints."""
    k, outputs = loss.shape
    pairs = list(itertools.permutations(range(k), 2))
    rows = np.repeat(np.arange(len(pairs)), 2)
    columns = np.array(pairs).ravel()
    values = np.array([(math.exp(-rate * distances[pair]), -1.0) for pair in pairs]).ravel()
    ratios = sparse.kron(sparse.coo_matrix((values, (rows, columns)), (len(pairs), k)), sparse.eye(outputs))
    sums = sparse.kron(sparse.eye(k), np.ones((1, outputs)))
    scale = float((prior[:, None] * loss).max())
    cost = (prior[:, None] * loss).ravel() / scale
    options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(cost, ratios.tocsr(), np.zeros(ratios.shape[0]), sums.tocsr(), np.ones(k), options=options)
    assert found.status == 0
    return float(found.fun * scale)


@pytest.mark.parametrize("dilation", [1.0, 1.4])
@pytest.mark.parametrize("prior", ["uniform", "uneven", "holes"])
@pytest.mark.parametrize("nats", [1e-3, 2.0, 9.0, 60.0])
def test_every_ratio_is_within_the_promise_exactly(nats: float, prior: str, dilation: float) -> None:
    for distances in PLACES.values():
        rate = nats / distances.max()
        found = optimal_geo_indistinguishability(distances, rate, prior_on(len(distances), prior), dilation=dilation)
        assert max(exact_losses(found.kernel, distances, rate)) <= 1
        assert found.spent <= rate
        guessed = bayesian_remap(found.kernel, prior_on(len(distances), prior), distances).kernel
        assert max(exact_losses(guessed, distances, rate)) <= 1


@pytest.mark.parametrize("prior", ["uniform", "uneven"])
def test_the_promise_is_used_up(prior: str) -> None:
    rate = 4.0 / GRID.max()
    found = optimal_geo_indistinguishability(GRID, rate, prior_on(12, prior))
    assert 0.99 * rate < achieved_rate(found.kernel, GRID / GRID.max()) / GRID.max() <= found.spent <= rate


@pytest.mark.parametrize("prior", ["uniform", "uneven", "holes"])
@pytest.mark.parametrize("nats", [0.1, 1.0, 4.0, 12.0])
def test_the_optimum_is_that_of_the_full_linear_program(nats: float, prior: str) -> None:
    for distances in PLACES.values():
        before, rate = prior_on(len(distances), prior), nats / distances.max()
        best = full_program(distances, rate, before, distances)
        found = optimal_geo_indistinguishability(distances, rate, before)
        assert found.lower_bound <= best * (1 + 1e-8) and best <= found.value * (1 + 1e-8)
        assert 0.0 <= found.gap <= 1.01e-4
        assert found.value == pytest.approx(float((before[:, None] * found.kernel * distances).sum()), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("prior", ["uniform", "uneven"])
@pytest.mark.parametrize("nats", [1.0, 4.0])
def test_on_25_cells_too(nats: float, prior: str) -> None:
    distances = dpot.grid(5, 5).distances()
    before, rate = prior_on(25, prior), nats / distances.max()
    best = full_program(distances, rate, before, distances)
    found = optimal_geo_indistinguishability(distances, rate, before)
    assert found.lower_bound <= best * (1 + 1e-8) <= found.value * (1 + 1e-7)
    assert max(exact_losses(found.kernel, distances, rate)) <= 1


@pytest.mark.parametrize("nats", [1.0, 8.0, 60.0])
def test_the_optimal_kernel_is_as_near_as_asked(nats: float) -> None:
    """Where constraints hold with equality, matrices lose all digits but those that are kept apart."""
    for distances in PLACES.values():
        prior = prior_on(len(distances), "uneven")
        near = [optimal_geo_indistinguishability(distances, nats / distances.max(), prior, tol=t) for t in (1e-2, 1e-6)]
        assert near[1].value <= near[0].value * (1 + 1e-12)
        assert near[1].value - near[1].lower_bound <= 1.1e-6 * max(
            near[1].value, 1e-4 * float((prior @ distances).max())
        )


@pytest.mark.parametrize("share", [0.5, 0.7, 0.97])
@pytest.mark.parametrize("nats", [0.2, 1.4, 5.0])
def test_of_two_places_the_answer_is_known(nats: float, share: float) -> None:
    """Randomized response, or always the likelier place: ``d min(pi, 1 - pi, 1 / (1 + e^(rate d)))``."""
    found = optimal_geo_indistinguishability([[0.0, 2.0], [2.0, 0.0]], nats / 2.0, [share, 1.0 - share])
    expected = 2.0 * min(1.0 - share, 1.0 / (1.0 + math.exp(nats)))
    assert expected * (1 - 1e-12) <= found.value <= expected * (1 + 1.01e-4)
    if share == 0.5:
        keep = 1.0 / (1.0 + math.exp(-nats))
        np.testing.assert_allclose(found.kernel, [[keep, 1 - keep], [1 - keep, keep]], atol=1e-4)


def test_little_privacy_tells_the_place_and_much_privacy_the_best_place_for_all() -> None:
    prior = prior_on(12, "uneven")
    nearest = float(GRID[GRID > 0].min())
    loose = optimal_geo_indistinguishability(GRID, 25.0 / nearest, prior)
    assert loose.value < 1e-8 and np.diag(loose.kernel).min() > 0.999
    tight = optimal_geo_indistinguishability(GRID, 1e-5, prior)
    assert tight.value == pytest.approx(float((prior @ GRID).min()), rel=1e-3)
    assert tight.value <= float((prior @ GRID).min()) * (1 + 1e-4)


def test_under_a_uniform_prior_places_that_a_mirror_exchanges_are_treated_alike() -> None:
    found = optimal_geo_indistinguishability(GRID, 0.4, prior_on(12, "uniform"))
    places = np.arange(12).reshape(3, 4)
    for mirror in (places[:, ::-1].ravel(), places[::-1].ravel()):
        np.testing.assert_allclose(found.kernel[np.ix_(mirror, mirror)], found.kernel, atol=1e-4)


def test_no_other_mechanism_of_the_same_promise_is_nearer_not_even_remapped() -> None:
    space = dpot.grid(4, 3, (0.0, 9.0, 0.0, 5.0))
    for prior, nats in itertools.product((prior_on(12, "uniform"), prior_on(12, "uneven")), (0.5, 4.0, 10.0)):
        rate = nats / GRID.max()
        best = optimal_geo_indistinguishability(GRID, rate, prior)
        for other in (planar_laplace_kernel(*space.axes, rate), metric_exponential(GRID / GRID.max(), nats)):
            assert best.lower_bound <= bayesian_remap(other, prior, GRID).value
        assert bayesian_remap(best.kernel, prior, GRID).value >= best.lower_bound


def test_outputs_and_losses_may_be_others_than_places_and_distances() -> None:
    prior, loss = prior_on(12, "uneven"), np.random.default_rng(4).random((12, 5))
    found = optimal_geo_indistinguishability(GRID, 0.3, prior, loss)
    assert found.kernel.shape == (12, 5)
    assert found.value == pytest.approx(full_program(GRID, 0.3, prior, loss), rel=1.1e-4)
    assert max(exact_losses(found.kernel, GRID, 0.3)) <= 1
    nothing = optimal_geo_indistinguishability(GRID, 0.3, prior, np.zeros((12, 2)))
    assert nothing.value == nothing.gap == 0.0


@pytest.mark.parametrize("dilation", [1.0, 1.1, 1.5, 3.0])
def test_no_way_along_a_spanner_is_longer_than_its_dilation(dilation: float) -> None:
    for distances in (*PLACES.values(), dpot.grid(6, 6).distances()):
        first, second = greedy_spanner(distances, dilation)
        k = len(distances)
        ways = shortest_path(sparse.csr_array((distances[first, second], (first, second)), (k, k)), directed=False)
        assert (ways >= distances * (1 - 1e-12)).all() and (ways <= dilation * distances * (1 + 1e-9)).all()
        assert (first < second).all() and len(first) == len({*zip(first.tolist(), second.tolist(), strict=True)})


def test_a_spanner_leaves_out_pairs_with_a_place_between_and_with_more_dilation_more() -> None:
    line = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
    assert len(greedy_spanner(line)[0]) == 5
    square = dpot.grid(6, 6).distances()
    sizes = [len(greedy_spanner(square, dilation)[0]) for dilation in (1.0, 1.05, 1.2, 1.5)]
    assert sizes == sorted(sizes, reverse=True) and len({*sizes}) == 4 and sizes[-1] == 60


def test_a_spanner_costs_at_most_what_the_smaller_rate_costs() -> None:
    prior = prior_on(12, "uneven")
    exact = optimal_geo_indistinguishability(GRID, 0.4, prior)
    spanned = optimal_geo_indistinguishability(GRID, 0.4, prior, dilation=1.3)
    smaller = optimal_geo_indistinguishability(GRID, 0.4 / 1.3, prior)
    assert spanned.edges < exact.edges and exact.lower_bound <= spanned.value <= smaller.value * (1 + 1e-4)
    assert spanned.value > exact.value * 1.01


def test_rounding_errors_are_mended_by_as_little_as_needed() -> None:
    rate = 2.0 / GRID.max()
    kernel = metric_exponential(GRID / GRID.max(), 2.0)
    for worse in (1e-13, 1e-9, 1e-3):
        broken = kernel ** (1.0 + worse)
        broken /= broken.sum(axis=1, keepdims=True)
        mended, spent = optimal._mended(broken, GRID, rate)
        assert spent <= rate and max(exact_losses(mended, GRID, rate)) <= 1
        assert np.abs(mended - broken).max() <= 100 * worse + 1e-10
    hole = np.eye(12)
    mended, spent = optimal._mended(hole, GRID, rate)
    assert spent <= rate and max(exact_losses(mended, GRID, rate)) <= 1


@pytest.mark.parametrize("nats", [1e-3, 1.0, 30.0])
def test_the_certificate_is_not_below_the_exact_rate(nats: float) -> None:
    """Two rows whose ratio is e^(rate d) on paper: rounded outwards, the certificate is above, and hardly."""
    rng, short = np.random.default_rng(2), [[0.0, 1.0], [1.0, 0.0]]
    for _ in range(50):
        first = rng.dirichlet(np.ones(4))
        second = first * np.exp(rng.uniform(-nats, nats, 4))
        kernel = np.array([first, second / second.sum()])
        found = certified_rate(kernel, short)
        assert max(exact_losses(kernel, np.array(short), found)) <= 1
        assert found <= achieved_rate(kernel, short) + 1e-11
    assert certified_rate(np.eye(2), short) == math.inf


def test_a_bound_holds_before_the_method_has_converged(monkeypatch: pytest.MonkeyPatch) -> None:
    prior = prior_on(12, "uneven")
    best = full_program(GRID, 0.3, prior, GRID)
    bounds, values = [], []
    lower, value = bounded_ratios._Program.lower_bound, bounded_ratios._Program.value
    unit = float((prior @ GRID).max())

    def seen(program: bounded_ratios._Program) -> float:
        bounds.append(unit * lower(program))
        values.append(unit * value(program))
        return lower(program)

    monkeypatch.setattr(bounded_ratios._Program, "lower_bound", seen)
    gaps: list[int] = []
    found = optimal_geo_indistinguishability(GRID, 0.3, prior, progress=lambda done, total: gaps.append(done))
    assert len(bounds) == found.iterations + 1 > 5 and max(bounds) <= best * (1 + 1e-8) <= min(values) * (1 + 1e-7)
    assert gaps[0] == 0 and gaps[-1] == 100


def test_a_solver_that_does_not_converge_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_ratios, "_MOST_STEPS", 3)
    with pytest.raises(RuntimeError, match=r"did not reach a gap of 0\.0001 in 3 steps"):
        optimal_geo_indistinguishability(GRID, 0.3, prior_on(12, "uneven"))


@pytest.mark.slow
def test_an_audit_of_reports_finds_nearly_what_is_promised_and_no_more() -> None:
    rate = 1.5 / GRID.max()
    items = FiniteItems(optimal_geo_indistinguishability(GRID, rate, prior_on(12, "uniform")).kernel)
    found = dpot.audit(
        lambda place, n, rng: items.release(np.full(n, place), rng),
        [(0, 11)],
        100_000,
        np.random.default_rng(1),
        confidence=0.999,
    )
    assert 1.0 < found <= 1.5


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"distances": np.ones((2, 3))}, "square matrix"),
        ({"distances": np.zeros((1, 1))}, "two places or more"),
        ({"distances": [[0.0, 1.0], [2.0, 0.0]]}, "symmetric"),
        ({"distances": np.zeros((3, 3))}, "of 0 and 1 is 0"),
        ({"prior": np.full(11, 1 / 11)}, "length 12"),
        ({"prior": np.full((2, 12), 1 / 12)}, "one distribution"),
        ({"rate": 0.0}, "rate must lie"),
        ({"rate": 1e-11}, "rate times distance"),
        ({"rate": 1e3}, "rate times distance"),
        ({"loss": np.ones((3, 3))}, "one row for each of 12 places"),
        ({"dilation": 0.9}, "dilation must lie"),
        ({"tol": 1e-7}, "tol must lie"),
    ],
)
def test_bad_input_is_named(change: dict[str, object], problem: str) -> None:
    given = {"distances": GRID, "rate": 0.3, "prior": np.full(12, 1 / 12)} | change
    with pytest.raises(ValueError, match=problem):
        optimal_geo_indistinguishability(**given)  # type: ignore[arg-type]


def test_a_program_too_large_for_memory_is_refused_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "_MOST_CONSTRAINTS", 1000)
    with pytest.raises(ValueError, match="dilation must be larger for 12 places"):
        optimal_geo_indistinguishability(GRID, 0.3, np.full(12, 1 / 12))
    assert isinstance(optimal_geo_indistinguishability(GRID, 0.3, np.full(12, 1 / 12), dilation=1.5), OptimalKernel)
    monkeypatch.setattr(optimal, "_MOST_IN_MATRICES", 1000)
    with pytest.raises(ValueError, match="at most 400"):
        optimal_geo_indistinguishability(GRID, 0.3, np.full(12, 1 / 12))


def test_a_certificate_asks_for_distributions() -> None:
    with pytest.raises(ValueError, match="one row for each of 12 places"):
        certified_rate(np.eye(3), GRID)
    with pytest.raises(ValueError, match="within 1e-12"):
        certified_rate(0.5 * np.eye(12), GRID)


@pytest.mark.nightly
def test_on_400_cells_with_a_spanner() -> None:
    """The size that the field compares on: certified, to a thousandth, and nearer than Laplace noise once remapped."""
    space = dpot.grid(20, 20, (0.0, 20.0, 0.0, 20.0))
    distances, axes = space.distances(), space.axes
    prior, rate = prior_on(400, "uneven"), 4.0 / distances.max()
    found = optimal_geo_indistinguishability(distances, rate, prior, dilation=1.1, tol=1e-3)
    assert certified_rate(found.kernel, distances) <= rate and found.gap <= 1.01e-3
    assert axes is not None
    laplace = bayesian_remap(planar_laplace_kernel(*axes, rate), prior, distances).kernel
    assert found.value < float((prior[:, None] * laplace * distances).sum())
