"""Perturbed barycenter: noise calibrated to what is proven, budgets that add up, and the published variant."""

import math
from functools import partial

import numpy as np
import pytest

from dpot_core.mechanisms.central import cells
from dpot_core.mechanisms.central import private_measure as private_measure_module
from dpot_core.mechanisms.central.coreset_barycenter import coreset_barycenter
from dpot_core.mechanisms.central.paper_barycenter import paper_barycenter
from dpot_core.mechanisms.central.perturbed_barycenter import START_SHARE, Iteration, perturbed_barycenter
from dpot_core.mechanisms.central.promises import Protection
from dpot_core.privacy.accounting import gaussian_noise, gaussian_noise_beside_tree
from dpot_core.privacy.audits import audit
from dpot_core.privacy.guarantees import Sampled
from dpot_core.transport.barycenters import barycenter_cost, free_support

SQUARE = ([-0.5, -0.5], [0.5, 0.5])
CENTRES = np.array([[-0.25, -0.25], [-0.25, 0.25], [0.25, -0.25], [0.25, 0.25]])
DELTA = 1e-5


@pytest.fixture(scope="module")
def groups() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [
        np.clip(CENTRES[rng.integers(0, 4, n)] + 0.03 * rng.standard_normal((n, 2)), -0.5, 0.5) for n in (3000, 2000)
    ]


def run(groups, epsilon=1.0, delta=DELTA, m=4, seed=1, **given):
    return perturbed_barycenter(groups, m, epsilon, delta, region=SQUARE, rng=np.random.default_rng(seed), **given)


def paper(groups, epsilon=1.0, delta=DELTA, m=4, seed=1, **given):
    return paper_barycenter(groups, m, epsilon, delta, region=SQUARE, rng=np.random.default_rng(seed), **given)


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [
        {},
        *(
            pytest.param(more, marks=pytest.mark.nightly)
            for more in ({"method": "chunks"}, {"start": "uniform"}, {"stand_in_points": 400})
        ),
    ],
    ids=str,
)
def test_areas_split_what_stands_in_for_each_group_evenly(groups, given) -> None:
    result = run(groups, **given)
    potentials = result.potentials()
    assert potentials is not None and potentials.shape == (2, 4)
    for one, psi in zip(result.stand_ins, potentials, strict=True):
        held = np.bincount(cells.power_labels(one.points, result.atoms, psi), one.weights, minlength=4)
        assert held == pytest.approx(np.full(4, 0.25), abs=0.02)
        # No person's own point is among them.
        assert not {tuple(point) for point in one.points} & {tuple(point) for group in groups for point in group}
    assert paper(groups).potentials() is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "epsilon"),
    [
        (1, 0.1),
        (5, 12.36),
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in ((1, 1.0), (1, 12.36), (5, 0.1), (5, 1.0))),
    ],
)
def test_noise_of_the_steps_and_of_the_start_spend_epsilon_together(groups, epsilon: float, steps: int) -> None:
    left = epsilon * (1 - START_SHARE)
    result = run(groups, epsilon, steps=steps)
    assert result.sensitivity == pytest.approx(2 * math.sqrt(0.5))
    # Less than where epsilons are added up, and more than if the start were free.
    added = gaussian_noise(left, DELTA, result.sensitivity, steps)
    assert gaussian_noise(epsilon, DELTA, result.sensitivity, steps) < result.noise < added / 1.2
    start = coreset_barycenter(groups, 4, epsilon * START_SHARE, region=SQUARE, rng=np.random.default_rng(0))
    trees = [tuple(level.scale for level in measure.levels) for measure in start.measures]
    wanted = [gaussian_noise_beside_tree(epsilon, DELTA, result.sensitivity, steps, [t], "replace") for t in trees]
    assert result.noise == max(wanted)
    assert result.guarantee.gaussian is None
    public = run(groups, epsilon, steps=steps, start=CENTRES * 0.9)
    assert public.noise == pytest.approx(gaussian_noise(epsilon, DELTA, 2 * math.sqrt(0.5), steps))
    assert (public.trace[0] == CENTRES * 0.9).all()
    assert public.guarantee.gaussian == pytest.approx(public.sensitivity * math.sqrt(steps) / public.noise)
    chunked = run(groups, epsilon, steps=steps, method="chunks", chunks=50, start="uniform")
    assert chunked.sensitivity == pytest.approx(math.sqrt(4) * math.sqrt(2) / 100)
    assert chunked.noise == pytest.approx(gaussian_noise(epsilon, DELTA, chunked.sensitivity, steps))
    for each in (result, public, chunked):
        assert (each.guarantee.epsilon, each.guarantee.delta) == (epsilon, DELTA)
        assert each.guarantee.note == "" and each.guarantee.proven
        assert each.trace.shape == (steps + 1, 4, 2)
        assert (each.trace[-1] == each.atoms).all()
        assert each.unperturbed is None


def test_unequal_chunks_weigh_by_size_and_the_heaviest_counts(groups) -> None:
    result = run(groups, method="chunks", chunks=7, start=CENTRES)
    assert result.sensitivity == pytest.approx(2 * math.sqrt(2) * math.ceil(2000 / 7) / (2 * 2000))


@pytest.mark.slow
def test_with_much_epsilon_the_steps_reach_the_barycenter(groups) -> None:
    pairs = [(points, None) for points in groups]
    plain = free_support(pairs, 4, np.random.default_rng(0)).cost
    assert run(groups, 100.0, 0.01).cost(pairs) == pytest.approx(plain, rel=0.1)
    # Chunks do not have the shares of their group, which moves atoms between the clouds: a bias that stays.
    far = np.array([[-0.5, -0.4], [-0.4, 0.5], [0.4, -0.5], [0.5, 0.5]])
    chunked = run(groups, 100.0, 0.01, method="chunks", chunks=10, start=far)
    assert plain < chunked.cost(pairs) < 0.3 * barycenter_cost(pairs, far)


@pytest.mark.nightly
@pytest.mark.slow
def test_cost_falls_with_epsilon(groups) -> None:
    pairs = [(points, None) for points in groups]
    costs = [np.mean([run(groups, e, seed=s).cost(pairs) for s in range(3)]) for e in (0.003, 0.5, 5.0)]
    assert costs[0] > 2 * costs[1] > 2.2 * costs[2]


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "delta"), [(1e-6, 1e-12), pytest.param(100.0, 0.5, marks=pytest.mark.nightly)])
def test_atoms_stay_in_the_regions_hull_whatever_the_noise(groups, epsilon: float, delta: float) -> None:
    for release in (partial(run, method="cells"), partial(run, method="chunks"), paper):
        assert (np.abs(release(groups, epsilon, delta).trace) <= 0.5).all()


@pytest.mark.slow
def test_the_papers_variant_has_its_noise_and_says_that_it_is_not_proven(groups) -> None:
    chunks, m = 100, 4
    size = math.sqrt(2) * math.sqrt(m) / (2 * chunks)
    for epsilon, verdict in ((0.5, "is valid"), (12.36, "is proven for ε < 1 only")):
        result = paper(groups, epsilon, 5e-6, chunks=chunks)
        assert result.noise == pytest.approx(size * math.sqrt(2 * math.log(1.25 / 5e-6)) / epsilon)
        assert not result.guarantee.proven and not result.sample_guarantee.proven
        assert verdict in result.guarantee.note
        assert (result.steps, result.chunks) == (1, chunks)
        assert result.unperturbed is not None
        assert not (result.unperturbed == result.atoms).all()
        analytic = paper(groups, epsilon, 5e-6, chunks=chunks, noise="analytic")
        assert analytic.noise == pytest.approx(gaussian_noise(epsilon, 5e-6, size))
        assert not analytic.guarantee.proven
        assert "classical" not in analytic.guarantee.note
        # Too little beyond epsilon 8.5, more than needed below.
        assert (analytic.noise > result.noise) == (epsilon > 8.5)
    assert analytic.noise / result.noise == pytest.approx(0.432 / 0.403, rel=2e-3)


def test_two_layers(groups) -> None:
    result = run(groups, 1.0, 1e-6, population=[3_000_000, 20_000_000])
    rate = 1e-3
    inner = math.log1p(math.expm1(1.0) / rate)
    assert result.sample_guarantee.epsilon == pytest.approx(inner)
    assert result.sample_guarantee.delta == pytest.approx(1e-3)
    assert (result.guarantee.epsilon, result.guarantee.delta) == (1.0, 1e-6)
    added = gaussian_noise(inner * (1 - START_SHARE), 1e-3, 2 * math.sqrt(0.5), 4)
    assert gaussian_noise(inner, 1e-3, 2 * math.sqrt(0.5), 4) < result.noise < added
    layer = result.sample_guarantee
    assert result.guarantee.sampled == Sampled(layer.epsilon, layer.delta, pytest.approx(rate))
    with pytest.raises(ValueError, match="delta must be below the sampling rate"):
        run(groups, 1.0, 0.01, population=3_000_000)


def test_secret_sizes(groups) -> None:
    cells = run(groups, adjacency="add-remove", depth=10)
    assert cells.sensitivity == pytest.approx(math.sqrt(2) * math.sqrt(0.5))
    chunked = run(groups, adjacency="add-remove", depth=10, method="chunks", chunks=40)
    assert chunked.sensitivity == pytest.approx(2 * math.sqrt(2) / 80)
    for result in (cells, chunked):
        assert result.guarantee.neighbours == "add-remove"
        assert not any("sizes" in fact or "number of points" in fact for fact in result.guarantee.public)
    assert cells.cost([(points, None) for points in groups]) < 0.02
    # Even no person at all is no error where sizes are secret.
    assert run([np.empty((0, 2))], adjacency="add-remove", start=CENTRES).atoms.shape == (4, 2)
    assert run([np.empty((0, 2))], adjacency="add-remove", start=CENTRES, method="chunks", chunks=3).chunks == 3


@pytest.mark.slow
def test_options_are_dataclasses_or_named_one_by_one(groups) -> None:
    named = run(groups, steps=2, method="chunks", population=10_000)
    given = run(groups, iteration=Iteration("chunks", 2), protection=Protection(population=10_000))
    assert (named.trace == given.trace).all() and named.guarantee == given.guarantee
    with pytest.raises(TypeError, match="iteration holds steps already"):
        run(groups, steps=2, iteration=Iteration())
    with pytest.raises(TypeError, match="stpes"):
        run(groups, stpes=2)


@pytest.mark.slow
def test_calls_that_chose_the_papers_variant_by_a_keyword_run(groups) -> None:
    assert (run(groups, guarantee="paper", chunks=9).atoms == paper(groups, chunks=9).atoms).all()
    assert (run(groups, guarantee="proven", steps=1).atoms == run(groups, steps=1).atoms).all()


@pytest.mark.nightly
@pytest.mark.slow
def test_the_generator_decides_and_a_release_cannot_be_repeated(groups) -> None:
    for method in ("cells", "chunks"):
        once, again, other = (run(groups, method=method, seed=seed).atoms for seed in (1, 1, 2))
        assert (once == again).all() and (once != other).any()
        first, second = (run(groups, method=method, secure=True, start=CENTRES) for _ in range(2))
        assert (first.atoms != second.atoms).any()


@pytest.mark.nightly
def test_the_whole_mechanism_keeps_its_promise_on_the_worst_neighbours(monkeypatch) -> None:
    """Every person at the left end, or one of them at the right end; audited on the atoms that are published."""
    monkeypatch.setattr("dpot_core.mechanisms.central.cells.STAND_IN", 30)
    line, epsilon, delta = ([0.0], [1.0]), 2.0, 0.01
    pair = np.zeros((3, 1)), np.array([[0.0], [0.0], [1.0]])

    def mechanism(points: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        drawn = [
            perturbed_barycenter(
                [points],
                2,
                epsilon,
                delta,
                region=line,
                rng=rng,
                start=np.array([[0.3], [0.6]]),
                steps=2,
                method=method,
            ).trace[1:]
            for _ in range(n)
        ]
        return np.array(drawn).reshape(n, -1)

    for method in ("cells", "chunks"):
        found = audit(mechanism, [pair], 500, np.random.default_rng(0), delta=delta)
        assert found <= epsilon, method


def test_the_ends_of_what_a_population_may_be() -> None:
    points = 0.2 * np.random.default_rng(0).random((40, 2))
    for size in (np.int64(10**9), 10**9):
        result = run([points], 695.0, 1e-9, 2, population=size)
        assert result.sample_guarantee.epsilon <= 700.0 and result.guarantee.epsilon == 695.0


@pytest.mark.parametrize("d", [1, 50])
def test_one_and_fifty_dimensions(d: int) -> None:
    rng = np.random.default_rng(d)
    cube = (np.zeros(d), np.ones(d))
    for method in ("cells", "chunks"):
        result = perturbed_barycenter([rng.random((400, d))], 3, 1.0, DELTA, region=cube, rng=rng, method=method)
        assert result.atoms.shape == (3, d)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"delta": 0.0}, "no Gaussian noise achieves 0"),
        ({"delta": 1.0}, "1 promises nothing"),
        ({"epsilon": -1.0}, "epsilon must lie"),
        ({"epsilon": math.nan}, "epsilon must lie"),
        ({"m": 0}, "m must lie"),
        ({"m": 9}, "m must not exceed"),
        ({"groups": [np.array([[np.nan, 0.0]])]}, "group 0: points must be finite"),
        ({"groups": [np.full((8, 2), 2.0)], "outside": "refuse"}, "points must lie in the region"),
        ({"groups": [(np.zeros((8, 2)), np.zeros(8))]}, "group 0: counts must not be 0 everywhere"),
        ({"chunks": 9, "method": "chunks"}, "chunks must not exceed the number of points of any group, 8; got 9"),
        ({"chunks": 9, "guarantee": "paper"}, "chunks must not exceed"),
        ({"chunks": 2}, "chunks must be None for method 'cells'"),
        ({"guarantee": "sure"}, "guarantee must be one of proven, paper"),
        ({"method": "grid"}, "method must be one of cells, chunks"),
        ({"noise": "none", "guarantee": "paper"}, "noise must be one of classical, analytic"),
        ({"epsilon": 1e-9}, "epsilon must be at least 2.5e-09 where a private start"),
        ({"groups": [(np.zeros((8, 2)), np.full(8, 2.0**32))]}, "groups must hold at most 17,179,869,184 points"),
        ({"steps": 0}, "steps must be a whole number"),
        ({"start": "data"}, "start must be 'coreset', 'uniform' or public atoms"),
        ({"start": np.zeros((3, 2))}, r"start must have shape \(2, 2\)"),
        ({"adjacency": "add-remove", "guarantee": "paper"}, "adjacency must be 'replace' for guarantee 'paper'"),
        ({"adjacency": "add-remove", "method": "chunks"}, "chunks must be given under 'add-remove'"),
        ({"adjacency": "add-remove"}, "depth must be given"),
    ],
)
def test_bad_input(change: dict, message: str) -> None:
    given = {"groups": [np.zeros((8, 2))], "m": 2, "epsilon": 1.0, "delta": DELTA, **change}
    with pytest.raises(ValueError, match=message):
        run(given.pop("groups"), given.pop("epsilon"), given.pop("delta"), given.pop("m"), **given)


@pytest.mark.nightly
@pytest.mark.slow
def test_the_whole_mechanism_with_its_private_start_keeps_its_promise(monkeypatch) -> None:
    """Audited on the start and on the atoms of every step, at neighbours that are as far apart as the region allows.

    With a tenth of the noise, on the start or on the steps, the same audit finds the promise broken.
    """
    line, epsilon, delta = ([0.0], [1.0]), 1.0, 0.01
    pair = np.zeros((3, 1)), np.array([[0.0], [0.0], [1.0]])

    def mechanism(points: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        runs = [
            perturbed_barycenter([points], 1, epsilon, delta, region=line, rng=rng, steps=1, depth=2) for _ in range(n)
        ]
        return np.array([run.trace for run in runs]).reshape(n, -1)

    assert audit(mechanism, [pair], 250, np.random.default_rng(0), delta=delta) <= epsilon
    real = cells.gaussian
    monkeypatch.setattr(cells, "gaussian", lambda sums, noise, rng, *, secure: real(sums, noise / 10, rng))
    assert audit(mechanism, [pair], 250, np.random.default_rng(0), delta=delta) > epsilon
    monkeypatch.undo()
    noise = private_measure_module.discrete_laplace
    monkeypatch.setattr(
        private_measure_module,
        "discrete_laplace",
        lambda counts, scale, rng, *, secure: noise(counts, scale / 10, rng),
    )
    assert audit(mechanism, [pair], 250, np.random.default_rng(0), delta=delta) > epsilon
