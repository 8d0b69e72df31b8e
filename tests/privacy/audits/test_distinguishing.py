"""The audit: never above the truth, close to it where the event is simple, and alarmed by mechanisms that break."""

import math
import pickle

import numpy as np
import pytest

import dpot_core as dpot
from dpot_core.privacy.accounting import gaussian_noise
from tests.marks import every_by_day


def answers(epsilon: float):
    """k-RR on two values, n answers at a time."""

    def mechanism(truth: int, n: int, rng: np.random.Generator) -> np.ndarray:
        return rng.choice(2, size=n, p=dpot.randomized_response(dpot.dirac(2, truth), epsilon))

    return mechanism


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_randomized_response_is_found_out_up_to_its_epsilon(epsilon: float):
    found = dpot.audit(answers(epsilon), [(0, 1)], 100_000, np.random.default_rng(1), confidence=0.99)
    assert 0.93 * epsilon < found <= epsilon
    assert found == pytest.approx(math.log(found.hit / found.alarm), rel=1e-12)


@pytest.mark.slow
def test_the_bound_is_seldom_above_the_truth():
    rng = np.random.default_rng(2)
    above = sum(dpot.audit(answers(1.0), [(0, 1)], 400, rng, confidence=0.9) > 1.0 for _ in range(200))
    assert above <= 30  # 20 expected at most; more than 30 has probability 1%


@pytest.mark.slow
@pytest.mark.parametrize(
    "events",
    [
        *(pytest.param(one, marks=pytest.mark.nightly) for one in ("threshold", "interval", "histogram")),
        ("threshold", "interval", "histogram"),
    ],
)
@pytest.mark.parametrize("epsilon", every_by_day(2, [0.5, 2.0]))
def test_an_honest_mechanism_is_not_accused_more_often_than_the_confidence_allows(events, epsilon: float):
    """Laplace noise on one number; k-RR above is whole numbers. 150 audits: 1.5 accusations expected at most."""
    rng = np.random.default_rng(9)

    def mechanism(x: int, n: int, generator: np.random.Generator) -> np.ndarray:
        return x + generator.laplace(scale=1 / epsilon, size=n)

    accused = sum(
        dpot.audit(mechanism, [(0, 1)], 200, rng, confidence=0.99, events=events) > epsilon for _ in range(150)
    )
    assert accused <= 6  # more has probability 0.1 % where the bound is exact


@pytest.mark.parametrize("pairs", [1, 3])
@pytest.mark.parametrize("events", ["threshold", ("threshold", "histogram"), ("threshold", "interval", "histogram")])
def test_the_chance_of_an_error_is_divided_among_all_that_is_tried(pairs: int, events) -> None:
    """A bound on each of both probabilities, in both directions, for every pair and kind: all hold together."""

    def mechanism(x: int, n: int, rng: np.random.Generator) -> np.ndarray:
        return np.full(n, float(x))

    kinds = 1 if isinstance(events, str) else len(events)
    found = dpot.audit(mechanism, [(0, 1)] * pairs, 200, np.random.default_rng(1), confidence=0.9, events=events)
    error = 0.1 / (2 * 2 * pairs * kinds)
    # All 100 outputs of one, none of the other: Clopper and Pearson's bounds in closed form.
    assert found.hit == pytest.approx(error ** (1 / 100)) and found.alarm == pytest.approx(1.0 - error ** (1 / 100))


@pytest.mark.parametrize("values", ["whole", "reals"])
def test_events_are_tested_on_outputs_that_they_were_not_learnt_from(values):
    """Both inputs give the same uniform numbers: what a sample happens to hold says nothing about the next one."""

    def mechanism(x: int, n: int, rng: np.random.Generator) -> np.ndarray:
        return rng.integers(0, 10**6, n) if values == "whole" else rng.random((n, 6))

    assert dpot.audit(mechanism, [(0, 1)], 400, np.random.default_rng(13)) < 0.1


def without(bad, x, n, rng):
    """Standard normal draws; where input 1 would say something bad, it draws again."""
    drawn = rng.standard_normal(n)
    while x and (again := bad(drawn)).any():
        drawn[again] = rng.standard_normal(int(again.sum()))
    return drawn


def test_a_forbidden_middle_interval_is_found():
    """Two-sided: the first and second moments hardly differ, and so no threshold says anything."""

    def mechanism(x: int, n: int, rng: np.random.Generator) -> np.ndarray:
        return without(lambda values: np.abs(values - 0.05) < 0.05, x, n, rng)

    def found(events):
        return dpot.audit(mechanism, [(0, 1)], 20_000, np.random.default_rng(10), confidence=0.999, events=events)

    assert found("threshold") < 0.1
    assert found("interval") > 2.5
    assert found("histogram") > 2.5
    everything = dpot.audit(mechanism, [(0, 1)], 20_000, np.random.default_rng(10), confidence=0.999)
    assert everything > 2.5 and everything.event


def test_a_forbidden_set_of_scattered_outputs_is_found():
    def mechanism(x: int, n: int, rng: np.random.Generator) -> np.ndarray:
        return without(lambda values: np.sin(40 * values) > 0.8, x, n, rng)

    def found(**given):
        return dpot.audit(mechanism, [(0, 1)], 20_000, np.random.default_rng(11), confidence=0.999, **given)

    assert found(events=("threshold", "interval")) < 0.5
    assert found() > 2.5


def test_a_coordinate_that_spreads_more_is_found():
    """The same mean in every direction: the half line along the best direction sees nothing."""

    def mechanism(x: int, n: int, rng: np.random.Generator) -> np.ndarray:
        return rng.standard_normal((n, 3)) * [1.0, 1.0 + 2.0 * x, 1.0]

    found = dpot.audit(mechanism, [(0, 1)], 20_000, np.random.default_rng(12), confidence=0.999)
    assert found > 2.0 and "coordinate 1" in found.event


@pytest.mark.slow
def test_gaussian_noise_at_its_delta_and_half_of_it():
    epsilon, delta = 1.0, 1e-2
    sigma = gaussian_noise(epsilon, delta)

    def mechanism(shift: float, scale: float):
        return lambda x, n, rng: shift * x + scale * rng.standard_normal(n)

    honest = dpot.audit(mechanism(1.0, sigma), [(0, 1)], 200_000, np.random.default_rng(3), delta=delta)
    assert 0.6 < honest <= epsilon
    broken = dpot.audit(mechanism(1.0, sigma / 2), [(0, 1)], 200_000, np.random.default_rng(3), delta=delta)
    assert broken > epsilon


def test_several_outputs_are_combined_in_their_best_direction():
    def mechanism(x: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        return x + rng.standard_normal((n, len(x)))

    zero, one = np.zeros(9), np.full(9, 1.0)
    single = dpot.audit(lambda x, n, rng: mechanism(x, n, rng)[:, 0], [(zero, one)], 20_000, np.random.default_rng(4))
    joint = dpot.audit(mechanism, [(zero, one)], 20_000, np.random.default_rng(4))
    assert joint > 1.5 * single


def test_the_worst_pair_is_named_and_equal_inputs_tell_nothing():
    rng = np.random.default_rng(5)
    assert dpot.audit(answers(2.0), [(0, 0), (1, 0)], 20_000, rng).pair == 1
    nothing = dpot.audit(answers(2.0), [(0, 0)], 20_000, rng)
    assert nothing < 0.05
    assert dpot.audit(lambda x, n, rng: np.zeros(n), [(0, 1)], 100, rng) == 0.0


def test_an_output_that_one_neighbour_never_releases_is_found():
    found = dpot.audit(lambda x, n, rng: np.full(n, x), [(0, 1)], 10_000, np.random.default_rng(6))
    assert found > 6.0 and math.isfinite(found)


def test_an_audit_travels_with_its_details():
    found = dpot.audit(answers(1.0), [(0, 1)], 1000, np.random.default_rng(7), delta=0.1)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and vars(again) == vars(found) and found.delta == 0.1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": []}, "at least one pair"),
        ({"n": 3}, "n must be a whole number"),
        ({"confidence": 1.0}, "confidence must lie"),
        ({"confidence": 0.2}, "confidence must lie"),
        ({"delta": 1.0}, "delta must lie"),
        ({"events": ()}, "events must name"),
        ({"events": "guess"}, "events must name"),
        ({"events": ("interval", "interval")}, "each once"),
        ({"mechanism": lambda x, n, rng: np.zeros(n + 1)}, "outputs must have shape"),
        ({"mechanism": lambda x, n, rng: np.full(n, np.nan)}, "outputs must be finite"),
    ],
)
def test_bad_input(change: dict[str, object], message: str):
    arguments = {"mechanism": answers(1.0), "pairs": [(0, 1)], "n": 100, "rng": np.random.default_rng(8)} | change
    with pytest.raises(ValueError, match=message):
        dpot.audit(**arguments)
