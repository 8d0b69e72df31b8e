"""What epsilon means: Bayes' rule, exact sums, composition, and the table of deployments."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.explain.beliefs import odds, of_people, share
from dpot_app.views.explain.distance.figures import distance_figure
from dpot_app.views.explain.distance.results import over_distance
from dpot_app.views.explain.distance.text import VIEW
from dpot_app.views.explain.release.figures import beliefs_figure, deniability_figure
from dpot_app.views.explain.release.results import run
from dpot_app.views.explain.release.text import VIEW as RELEASE
from dpot_app.views.explain.releases.results import releases
from dpot_app.views.explain.rounds.figures import rounds_figure
from dpot_app.views.explain.rounds.results import rounds
from dpot_app.views.explain.settings import (
    ALPHAS,
    DISTANCES,
    Config,
    DistanceConfig,
    ReleasesConfig,
    RoundsConfig,
    read_epsilons,
    rounded_up,
)
from dpot_core.datasets.deployments import MODELS, load_deployments
from dpot_core.privacy.accounting import gaussian_epsilon, gaussian_noise

epsilons = st.floats(0.0, 12.0)
priors = st.floats(0.001, 0.999)


@given(epsilons, priors)
def test_bounds_are_bayes_rule_with_the_odds_multiplied_and_divided(epsilon: float, prior: float) -> None:
    result = run(Config(epsilon=epsilon, prior=prior))
    odds = prior / (1 - prior)
    assert result.most / (1 - result.most) == pytest.approx(odds * math.exp(epsilon), rel=1e-6)
    assert result.least / (1 - result.least) == pytest.approx(odds / math.exp(epsilon), rel=1e-6)
    assert result.least <= prior + 1e-12 and prior - 1e-12 <= result.most


@given(st.floats(1e-6, 12.0))
def test_randomized_response_uses_up_the_promise(epsilon: float) -> None:
    result = run(Config(epsilon=epsilon, prior=0.5))
    assert result.truthful + result.deniable == pytest.approx(1.0)
    assert result.truthful / result.deniable == pytest.approx(math.exp(epsilon), rel=1e-9)
    kernel = dpot.randomized_response(np.eye(2), epsilon)
    assert kernel[0, 0] == pytest.approx(result.truthful, rel=1e-12)
    assert result.most == pytest.approx(result.truthful, rel=1e-9)


@pytest.mark.parametrize("prior", [0.0, 1.0, -0.1, math.nan])
def test_certainty_before_is_no_prior(prior: float) -> None:
    with pytest.raises(ValueError, match="prior"):
        run(Config(epsilon=1.0, prior=prior))


def test_metric_privacy_is_the_same_promise_with_alpha_times_the_distance() -> None:
    config = DistanceConfig(alpha=0.5, distance=3.0, prior=0.2)
    result = over_distance(config)
    assert result.here == run(Config(epsilon=1.5, prior=0.2))
    assert result.most[0] == pytest.approx(0.2, abs=1e-15) and result.least[0] == pytest.approx(0.2, abs=1e-15)
    assert (np.diff(result.most) > 0).all() and (np.diff(result.least) < 0).all()
    assert result.most[18] == pytest.approx(result.here.most, rel=1e-12)  # 18 steps of 20/120 km
    assert config.guarantee.neighbours == "metric" and config.guarantee.epsilon == 0.5


@given(st.sampled_from(ALPHAS), st.sampled_from(DISTANCES))
def test_title_and_strip_of_privacy_by_distance_say_one_epsilon(alpha: float, distance: float) -> None:
    """The strip said the epsilon at 1 km, .5, under a title that said 1 at 2 km."""
    config = DistanceConfig(alpha=alpha, distance=distance)
    result = over_distance(config)
    (promise,) = [block for block in VIEW.show(config, result) if isinstance(block, dpot.Guarantee)]
    assert promise.epsilon == result.here.config.epsilon == alpha * distance
    title = distance_figure(result).layout.title.text
    assert f"means ε = {promise.epsilon:.4g}: " in title
    assert f"two places at most {distance:g} km apart" in promise.neighbours_text
    assert f"α = {alpha:g} per km" in promise.note


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_as_many_others_are_named_as_there_are(epsilon: float) -> None:
    """At epsilon 10 the title sold .004 of 100 people as some."""
    result = run(Config(epsilon=epsilon))
    title = deniability_figure(result).layout.title.text
    others = 100 / (1 + math.exp(epsilon))
    words = "hardly any of 100" if others < 0.5 else of_people(others / 100, up=False)
    assert f": {words} others would" in title and (words == "hardly any of 100") == (epsilon > 5.3)
    (said,) = [block for block in RELEASE.show(result.config, result) if isinstance(block, str) and "yes" in block]
    assert ("is no proof" in said) == (others >= 1.5) and ("all but proves" in said) == (others < 0.5)


def test_crumbs_of_rounding_begin_no_further_person() -> None:
    """At 0 km a belief of 1 of 100 stays what it is, up to the last bit."""
    here = over_distance(DistanceConfig(alpha=0.02, distance=0.0, prior=0.01)).here
    for trace in beliefs_figure(replace(here, least=math.nextafter(0.01, 1.0))).data:
        assert len({*trace.marker.color[1:]}) == 1


def test_one_release_is_said_in_the_singular() -> None:
    one = RoundsConfig(rounds=1)
    assert rounds_figure(rounds(one)).layout.title.text == "1 Gaussian release at ε = 0.5 and δ = 1e-06"
    assert one.guarantee.note == "For one release with Gaussian noise."
    assert ReleasesConfig(epsilons=("1/2",)).guarantee.note == "For this one release."
    # No half of a release on the axis.
    assert rounds_figure(rounds(one)).layout.xaxis.dtick == 1


@pytest.mark.parametrize("distance", [0.0, 20.0])
def test_marks_at_the_end_of_the_axis_are_whole(distance: float) -> None:
    figure = distance_figure(over_distance(DistanceConfig(distance=distance)))
    assert figure.data[-1].cliponaxis is False


def test_ten_tenths_are_exactly_one() -> None:
    result = releases(ReleasesConfig(epsilons=("0.1",) * 10))
    assert result.sums[-1] == 1 and result.config.guarantee.epsilon == 1.0
    assert sum([0.1] * 10) != 1.0
    assert releases(ReleasesConfig(epsilons=("1/3", "1/3", "1/3"))).sums[-1] == 1


@given(st.lists(st.fractions(0, 20, max_denominator=10**6), min_size=1, max_size=8))
def test_sums_are_exact_and_never_rounded_down(terms: list[Fraction]) -> None:
    config = ReleasesConfig(epsilons=tuple(str(term) for term in terms))
    result = releases(config)
    assert result.sums[-1] == sum(terms)
    assert Fraction(config.guarantee.epsilon) >= sum(terms)
    assert config.guarantee.epsilon == pytest.approx(float(sum(terms)), rel=1e-15)
    assert result.most[-1] == pytest.approx(dpot.Guarantee(rounded_up(sum(terms))).posterior(0.5))
    assert (np.diff(result.most) >= 0).all()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "at least one"),
        (" ;, ", "at least one"),
        ("0.1, abc", "entry 2"),
        ("-1", "entry 1"),
        ("1/0", "entry 1"),
        ("inf", "entry 1"),
        ("nan", "entry 1"),
        ("1e999999999", "entry 1"),
        ("1e99", "entry 1"),
        ("1000001", "at most 1,000,000"),
        ("9" * 5000, "entry 1"),
        ("1 " * 101, "at most 100"),
        ("<b>1</b>", "entry 1"),
    ],
)
def test_a_wrong_list_of_epsilons_is_refused_by_name(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=f"epsilons.*{complaint}"):
        read_epsilons(text)


def test_gaussian_rounds_compose_better_than_adding_up_and_agree_for_one() -> None:
    config = RoundsConfig(epsilon=0.5, delta=1e-6, rounds=30)
    result = rounds(config)
    assert config.guarantee.epsilon == result.exact[-1], "promised and drawn"
    assert result.exact[0] == pytest.approx(0.5, rel=1e-6)
    assert (result.exact[1:] < result.basic[1:]).all() and (np.diff(result.exact) > 0).all()
    noise = gaussian_noise(0.5, 1e-6)
    assert result.exact[-1] == gaussian_epsilon(noise / math.sqrt(30), 30e-6)
    assert result.config.guarantee.delta == pytest.approx(3e-5)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"rounds": 0}, "rounds"),
        ({"rounds": 1001}, "rounds"),
        ({"delta": 0.5, "rounds": 2}, "delta"),
        ({"delta": 0.1, "rounds": 10}, "rounds times delta"),
        ({"delta": 0.0}, "delta"),
        ({"epsilon": math.nan}, "epsilon"),
    ],
)
def test_rounds_out_of_range_are_refused_by_name(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        rounds(RoundsConfig(**changes))


@given(st.floats(1e-9, 1 - 1e-9))
def test_shares_on_screen_stay_bounds(probability: float) -> None:
    up = float(share(probability).removesuffix("%")) / 100
    down = float(share(probability, up=False).removesuffix("%")) / 100
    assert down - 1e-12 <= probability <= up + 1e-12
    assert down > 0.0 and up < 1.0


@given(st.floats(1e-9, 1e9))
def test_odds_on_screen_stay_bounds(value: float) -> None:
    def read(text: str) -> float:
        over, under = (float(side.replace(",", "")) for side in text.split(" : "))
        return over / under

    assert read(odds(value, up=True)) >= value * (1 - 1e-5) and read(odds(value, up=False)) <= value * (1 + 1e-5)
    assert read(odds(value, up=True)) == pytest.approx(value, rel=0.0102)
    assert read(odds(value, up=False)) == pytest.approx(value, rel=0.0102)
    assert "e" not in odds(value)


def test_every_deployment_has_its_source_and_its_unit() -> None:
    rows = load_deployments()
    assert len(rows) >= 10
    assert len({(row.organisation, row.product) for row in rows}) == len(rows)
    for row in rows:
        assert row.url.startswith("https://") and row.source and row.unit and row.period and row.mechanism
        assert row.model in MODELS and 2006 <= row.year <= 2026
        assert row.epsilon > 0 and (row.epsilon_low is None or 0 < row.epsilon_low < row.epsilon)
        assert row.delta is None or 0 <= row.delta < 1e-3
    assert {row.product: row.epsilon_text for row in rows}["COVID-19 Search Trends symptoms"] == "1.68"


def test_the_wikimedia_row_agrees_with_its_own_conversion() -> None:
    """Its source states rho = 0.015 and calls it roughly epsilon = 1 at delta = 1e-7."""
    row = next(row for row in load_deployments() if row.organisation.startswith("Wikimedia"))
    assert row.delta is not None
    assert 0.015 + 2 * math.sqrt(0.015 * math.log(1 / row.delta)) == pytest.approx(row.epsilon, rel=0.01)
