"""The promise as a value: what it bounds, and how promises add up."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dpot_core.privacy.guarantees import NEIGHBOURS, RECORDS, Guarantee, Sampled
from tests.oracles import exp_bounds

EPSILONS = st.floats(0.0, 50.0)
PROBABILITIES = st.floats(0.0, 1.0)


@pytest.mark.parametrize("epsilon", [math.nan, math.inf, -1e-9, -math.inf])
def test_epsilon_out_of_range_is_refused(epsilon: float) -> None:
    with pytest.raises(ValueError, match="epsilon must be finite and at least 0"):
        Guarantee(epsilon)


@pytest.mark.parametrize("delta", [math.nan, -1e-12, 1.0, 2.0])
def test_delta_out_of_range_is_refused(delta: float) -> None:
    with pytest.raises(ValueError, match=r"delta must lie in \[0, 1\)"):
        Guarantee(1.0, delta)


def test_unknown_neighbours_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=", ".join(NEIGHBOURS)):
        Guarantee(1.0, neighbours="everybody")


@pytest.mark.parametrize("prior", [-0.1, 1.1, math.nan])
def test_a_prior_is_a_probability(prior: float) -> None:
    with pytest.raises(ValueError, match="prior"):
        Guarantee(1.0).posterior(prior)


def test_known_values() -> None:
    assert Guarantee(0.0).posterior() == 0.5
    assert Guarantee(math.log(3)).posterior() == pytest.approx(0.75)
    assert Guarantee(math.log(3)).odds_factor == pytest.approx(3.0)
    assert Guarantee(math.log(3)).posterior(0.1) == pytest.approx(0.25)
    assert Guarantee(0.0, delta=0.2).posterior() == pytest.approx(0.6)  # total variation 0.2
    assert Guarantee(1e6).odds_factor == math.inf
    assert Guarantee(1e6).posterior() == 1.0


@given(EPSILONS, PROBABILITIES)
def test_bayes_rule_with_the_largest_ratio(epsilon: float, prior: float) -> None:
    posterior = Guarantee(epsilon).posterior(prior)
    assert prior - 1e-12 <= posterior <= 1.0
    if 1e-300 < prior < 1.0 and posterior < 1.0:  # below, float64 keeps too few digits of the odds
        odds = posterior / (1.0 - posterior) / (prior / (1.0 - prior))
        assert math.log(odds) == pytest.approx(epsilon, abs=1e-3 + 1e-12 / (1.0 - posterior))


@given(EPSILONS, st.floats(1e-9, 0.9))
def test_even_odds_with_delta_have_a_closed_form(epsilon: float, delta: float) -> None:
    expected = (1.0 + delta * math.exp(-epsilon)) / (1.0 + math.exp(-epsilon))
    assert Guarantee(epsilon, delta).posterior() == pytest.approx(expected, rel=1e-12)


@given(EPSILONS, st.floats(1e-9, 0.9), PROBABILITIES)
def test_the_best_test_is_at_a_corner_of_the_region(epsilon: float, delta: float, prior: float) -> None:
    def success(alarm: float) -> float:
        hit = min(1.0, math.exp(epsilon) * alarm + delta, 1.0 - math.exp(-epsilon) * (1.0 - delta - alarm))
        return prior * hit + (1.0 - prior) * (1.0 - alarm)

    corner = (1.0 - delta) / (1.0 + math.exp(epsilon))
    grid = [(1.0 - delta) * i / 400 for i in range(401)]
    bound = Guarantee(epsilon, delta).posterior(prior)
    assert bound >= max(map(success, grid)) - 1e-9
    assert bound == pytest.approx(max(map(success, [*grid, corner])), abs=1e-9)


@given(PROBABILITIES, st.floats(0.0, 0.5))
def test_less_privacy_never_lowers_the_bound(prior: float, delta: float) -> None:
    bounds = [Guarantee(epsilon, delta).posterior(prior) for epsilon in (0.0, 0.1, 1.0, 5.0, 40.0)]
    assert all(low <= high + 1e-12 for low, high in pairwise(bounds))


def test_composition_adds_budgets_and_keeps_what_must_be_said() -> None:
    first = Guarantee(1.0, 1e-6, "replace", public=("grid",), note="rounded")
    second = Guarantee(0.5, 1e-7, "replace", public=("grid", "n"), note="rounded")
    both = first.compose(second)
    assert both == Guarantee(1.5, 1e-6 + 1e-7, "replace", public=("grid", "n"), note="rounded")


@given(EPSILONS, EPSILONS, st.floats(0.0, 0.4), st.floats(0.0, 0.4))
def test_sums_are_never_rounded_down(one: float, other: float, delta: float, slack: float) -> None:
    both = Guarantee(one, delta, "replace").compose(Guarantee(other, slack, "replace"))
    for found, exact in (
        (both.epsilon, Fraction(one) + Fraction(other)),
        (both.delta, Fraction(delta) + Fraction(slack)),
    ):
        assert exact <= Fraction(found) <= exact * (1 + Fraction(1, 2**51))
    steps = Guarantee(one / 50, 1e-6, "replace").restated("replace-in-both")
    _, high = exp_bounds(one / 50)
    assert Fraction(steps.delta) >= (1 + high) * Fraction(1e-6)


def test_promises_about_different_neighbours_do_not_compose() -> None:
    with pytest.raises(ValueError, match="different neighbours"):
        Guarantee(1.0, neighbours="replace").compose(Guarantee(1.0, neighbours="add-remove"))


def test_composition_beyond_delta_one_is_refused() -> None:
    with pytest.raises(ValueError, match="delta"):
        Guarantee(1.0, 0.6).compose(Guarantee(1.0, 0.6))


def of_kind(neighbours: str, epsilon: float = 0.2) -> Guarantee:
    """A promise about the given neighbours, with what this kind has to say."""
    rate = 25.0 if neighbours == "earth-mover" else None
    changes = ("a day in thirty, 1,000 miles",) if neighbours.startswith("earth-mover") else ()
    return Guarantee(epsilon, neighbours=neighbours, rate=rate, protects=changes)


def test_every_kind_of_neighbours_is_said_in_words() -> None:
    assert all(of_kind(name).neighbours_text for name in NEIGHBOURS)


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_promise_about_records_says_what_one_is(name: str, record: str) -> None:
    """ "One record" may be a person or one of a person's hundred check-ins."""
    words = replace(of_kind(name), record=record).neighbours_text
    assert (RECORDS[record] in words) == ("record" in NEIGHBOURS[name])


def test_the_earth_movers_promise_names_its_changes_and_its_rate() -> None:
    text = of_kind("earth-mover").neighbours_text
    assert text.startswith("a day in thirty, 1,000 miles.") and "costs α τ q" in text and "α = 25" in text
    assert of_kind("earth-mover-within").neighbours_text.startswith("a day in thirty, 1,000 miles: two histories")


def test_rates_add_up_for_the_same_changes_only() -> None:
    both = of_kind("earth-mover").compose(of_kind("earth-mover"))
    assert (both.epsilon, both.rate) == (0.4, 50.0)
    other = Guarantee(0.2, neighbours="earth-mover", rate=25.0, protects=("everything, 1 mile",))
    with pytest.raises(ValueError, match="different changes"):
        of_kind("earth-mover").compose(other)
    with pytest.raises(ValueError, match="different neighbours"):
        of_kind("earth-mover").compose(Guarantee(0.2))


@pytest.mark.parametrize(
    ("neighbours", "rate", "protects", "problem"),
    [
        ("local", 25.0, (), "rate goes with"),
        ("earth-mover", None, ("all",), "rate goes with"),
        ("earth-mover", 0.0, ("all",), "rate must be finite"),
        ("earth-mover", math.inf, ("all",), "rate must be finite"),
        ("earth-mover", 25.0, (), "protects names"),
        ("replace", None, ("all",), "protects names"),
    ],
)
def test_relations_are_not_mixed(neighbours: str, rate: float | None, protects: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Guarantee(0.2, neighbours=neighbours, rate=rate, protects=protects)


# --- records, layers, units, restatements -------------------------------------------------------------------


@pytest.mark.parametrize("changed", [{"record": "check-in"}, {"neighbours": "add-remove"}])
def test_unlike_promises_do_not_add_up(changed: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="do not add up"):
        Guarantee(1.0, neighbours="replace").compose(replace(Guarantee(1.0, neighbours="replace"), **changed))


def test_rates_of_unlike_units_do_not_add_up() -> None:
    def promise(unit: str) -> Guarantee:
        return Guarantee(1.0, neighbours="earth-mover", rate=8.0, protects=("1 visit in 30",), unit=unit)

    assert promise("60 km").compose(promise("60 km")).rate == 16.0
    with pytest.raises(ValueError, match="different units of distance"):
        promise("60 km").compose(promise("30 km"))


def test_layers_towards_the_sample_add_up_beside_those_towards_the_population() -> None:
    one = Guarantee(1.0, 1e-6, "replace", sampled=Sampled(5.0, 1e-4, 0.01))
    assert one.compose(one).sampled == Sampled(10.0, 2e-4, 0.01)
    assert one.compose(Guarantee(0.5, 1e-7, "replace")).sampled == Sampled(5.5, 1e-4 + 1e-7, 0.01)
    assert one.weakest == Guarantee(5.0, 1e-4, "replace")


def test_two_steps_cost_twice_the_epsilon_and_more_delta() -> None:
    one = Guarantee(0.7, 1e-6, "replace", gaussian=0.3)
    both = one.restated("replace-in-both")
    assert (both.epsilon, both.neighbours, both.gaussian) == (1.4, "replace-in-both", 0.6)
    assert both.delta == pytest.approx((1 + math.exp(0.7)) * 1e-6)
    # What a 2 mu-Gaussian mechanism does at 2 epsilon is within what is promised for any mechanism.
    mu, epsilon = 0.6, 1.4
    exact = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    single = norm.cdf(0.15 - 0.7 / 0.3) - math.exp(0.7) * norm.cdf(-0.15 - 0.7 / 0.3)
    assert exact <= (1 + math.exp(0.7)) * single
    assert Guarantee(1.0, neighbours="add-remove").restated("replace").epsilon == 2.0
    assert one.restated("replace") is one
    # Two neighbours apart are two people, both of whom may be in the sample: nothing is said of either layer.
    with pytest.raises(ValueError, match="says nothing about"):
        replace(one, gaussian=None, sampled=Sampled(5.0, 1e-4, 0.01)).restated("replace-in-both")
    for neighbours in ("local", "add-remove"):
        with pytest.raises(ValueError, match="says nothing about"):
            one.restated(neighbours)


def test_gaussian_promises_compose_like_orthogonal_shifts() -> None:
    one, other = (Guarantee(1.0, 1e-6, "replace", gaussian=mu) for mu in (0.3, 0.4))
    assert one.compose(other).gaussian == pytest.approx(0.5)
    assert one.compose(Guarantee(1.0, neighbours="replace")).gaussian is None
    assert not one.compose(replace(other, proven=False)).proven
