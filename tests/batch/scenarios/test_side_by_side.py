"""Scenarios beside each other: what differs, which setting moves the answer, what all releases promise."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError, number_rows, settings_rows, together, variations
from dpot_app.batch.scenarios.together import SLACK
from dpot_app.kit.links import is_asked
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.movies import settings as movies
from dpot_app.views.ring import settings as ring
from dpot_core.privacy.accounting import from_one_sample, gaussian_noise
from dpot_core.privacy.disclosures import Disclosure, demonstration, nothing_released
from dpot_core.privacy.guarantees import NEIGHBOURS, Guarantee, Sampled
from dpot_core.privacy.numerals import at_most
from tests.batch.scenarios.settings import settings_of


def released(promise: Guarantee, source: str = "") -> Disclosure:
    """A demonstration of one release."""
    return demonstration([("one", promise)], "", source=source)


ONE = Scenario("ring.outputs", "one", ring.Config())
OTHER = Scenario("ring.outputs", "other", ring.Config(ring=ring.Ring(k=12), epsilon=5.0))
FILM = Scenario("movies.user", "film", movies.Config())


# --- what differs ---------------------------------------------------------------------------------------


def test_settings_that_differ_are_marked_against_the_first_that_has_them() -> None:
    rows = {row.name: row for row in settings_rows([ONE, OTHER, FILM])}
    assert rows["ring.k"].texts == ("30", "12", "") and rows["ring.k"].differs == (False, True, False)
    assert rows["epsilon"].texts == ("2", "5", "2") and rows["epsilon"].differs == (False, True, False)
    assert rows["split.seed"].texts == ("", "", "0") and not any(rows["split.seed"].differs)
    assert rows["mechanisms"].texts[0] == "WPM, KPM, EM" and rows["reg"].texts == ("exact", "exact", "0.01")
    assert rows["source.numbers"].texts == ("none", "none", "")
    assert {name for name, row in rows.items() if any(row.differs)} == {"ring.k", "epsilon", "reg"}


def test_numbers_are_said_as_their_page_says_them() -> None:
    rows = {row.name: row for row in settings_rows([Scenario("geolocation.person", "city", geolocation.Config())])}
    assert rows["place.within"].texts == ("all",) and rows["place.box"].texts[0].endswith(
        "around the check-ins where it has none"
    )


def test_long_settings_are_cut_short() -> None:
    numbers = tuple(1 / 30 for _ in range(30))
    own = replace(ONE, config=replace(ONE.config, source=ring.Source(kind="numbers", numbers=numbers)))
    rows = {row.name: row for row in settings_rows([own])}
    assert rows["source.numbers"].texts == ("0.0333333, 0.0333333, 0.0333333, … (30 entries)",)


def test_numbers_say_how_they_changed() -> None:
    rows = number_rows([{"a": 2.0, "b": 0.0}, {"a": 3.0, "b": 0.5, "c": 1.0}, {"a": 2.0}])
    assert [row.texts for row in rows] == [("2", "3 (+50%)", "2 (same)"), ("0", "0.5 (+0.5)", ""), ("", "1", "")]
    assert rows[0].differs == (False, True, False) and rows[2].differs == (False, False, False)


# --- which setting moves the answer -----------------------------------------------------------------------


def test_every_number_is_moved_alone_by_its_stated_step() -> None:
    moves = {(move.name, move.side): move for move in variations(ONE)}
    assert moves["epsilon", 1].value == 2.5 and moves["epsilon", -1].value == 1.6
    assert moves["ring.k", 1].value == 31 and ("ring.every", -1) not in moves, "below the least"
    for (name, _), move in moves.items():
        changed = [n for n, value in scenarios.leaves(move.scenario.config) if value != scenarios.get(ONE.config, n)]
        assert changed == [name]


@pytest.mark.parametrize("key", VIEWS)
def test_only_what_decides_something_is_varied(key: str) -> None:
    """Another seed is no other decision, and what no page asks for at these settings changes nothing."""
    for config in settings_of(key)[:2]:
        for move in variations(Scenario(key, "x", config)):
            assert "seed" not in move.name and "draw" not in move.name.split(".")
            assert is_asked(config, move.name, VIEWS[key].declared[move.name])


@pytest.mark.parametrize("key", VIEWS)
def test_every_variation_of_every_example_is_a_scenario(key: str) -> None:
    moves = variations(Scenario(key, "x", VIEWS[key].example))
    # Many mixtures run at the paper's values of epsilon.
    first = {"epsilon", "alpha", "prior", "target", *(["variance"] if key == "mixture.many" else [])}
    assert first & {move.name.split(".")[-1] for move in moves}
    assert all(move.scenario.config != VIEWS[key].example for move in moves)


@pytest.mark.nightly
def test_the_setting_that_moves_the_answer_most_comes_first() -> None:
    base = scenarios.run(ONE)
    headline = "W₂ of WPM (steps)"
    moved = [(move, scenarios.run(move.scenario).headlines) for move in variations(ONE)]
    found = scenarios.sensitivity(ONE, headline, base.headlines[headline], moved)
    reaches = [bar.reach(found.answer) for bar in found.bars]
    assert reaches == sorted(reaches, reverse=True)
    bars = {bar.name: bar for bar in found.bars}
    expected = scenarios.run(Scenario("ring.outputs", "", ring.Config(epsilon=1.6))).headlines[headline]
    assert bars["epsilon"].answers[0] == expected > found.answer > bars["epsilon"].answers[1]
    assert bars["ring.p"].answers == (None, None), "W of another order is another number"
    assert "base.scale" not in bars, "the base in use has no such setting"
    assert len(found.tables()["sensitivity"]) == len(found.bars)
    broken = scenarios.sensitivity(ONE, headline, 1.0, [(move, None) for move in variations(ONE)])
    assert all(bar.answers == (None, None) for bar in broken.bars)


# --- all releases together --------------------------------------------------------------------------------

hundredths = st.integers(1, 2000).map(lambda n: n / 100)


@given(st.lists(hundredths, min_size=1, max_size=12))
def test_local_epsilons_add_up_exactly(epsilons: list[float]) -> None:
    found = together([released(Guarantee(epsilon)) for epsilon in epsilons])
    total = sum(Fraction(round(100 * epsilon), 100) for epsilon in epsilons)
    assert Fraction(found.exact) == total and found.guarantee is not None
    assert Fraction(found.guarantee.epsilon) >= total
    assert found.guarantee.epsilon <= math.nextafter(float(total), math.inf)
    assert found.guarantee.neighbours == "local" and found.accounted is None
    assert "one and the same person" in found.words


def test_the_sum_is_not_said_to_be_for_one_released_point() -> None:
    note = "For one released point, of 0.5 km. Each further release adds its epsilon."
    two = together([released(Guarantee(2.0, note=note)), released(Guarantee(5.0, note=note))])
    assert two.guarantee is not None and two.guarantee.epsilon == 7.0
    assert two.guarantee.note == (
        "For all 2 releases together. Each is for one released point, of 0.5 km. Each further release adds its epsilon."
    )
    one = together([released(Guarantee(2.0, note=note))])
    assert one.guarantee is not None and one.guarantee.note == note


def test_ten_tenths_are_one() -> None:
    found = together([released(Guarantee(0.1))] * 10)
    assert found.exact == "1" and found.guarantee is not None and found.guarantee.epsilon == 1.0
    assert found.words.startswith("Epsilons add up exactly: 0.1 + 0.1")


def test_a_long_sum_is_told_in_few_words() -> None:
    like = together([released(Guarantee(epsilon)) for epsilon in (0.5, 2.0)] * 30)
    assert like.words.startswith("Epsilons add up exactly: 30 × 0.5 + 30 × 2 = 75.")
    unlike = together([released(Guarantee(epsilon, note=f"Note {epsilon}.")) for epsilon in range(1, 1001)])
    assert unlike.words.startswith("Epsilons add up exactly: 1 + 2 + … + 1000 (1,000 terms) = 500500.")
    assert unlike.guarantee is not None and unlike.guarantee.note.endswith("Note 999. Note 1000.")


def test_promises_about_different_neighbours_are_explained_and_not_added() -> None:
    found = together([released(Guarantee(1.0)), released(Guarantee(1.0, neighbours="replace"))])
    assert found.guarantee is None and "different neighbours" in found.words
    assert NEIGHBOURS["local"] in found.words and NEIGHBOURS["replace"] in found.words


def test_promises_for_each_unit_of_distance_add_up_on_one_page_only() -> None:
    metric = Guarantee(0.5, neighbours="metric", unit="1 km")
    one = together([released(metric), released(metric)])
    assert one.guarantee is not None and one.guarantee.epsilon == 1.0 and "unit" in one.words
    other = together([released(metric), released(replace(metric, unit="1 mile"))])
    assert other.guarantee is None and "no unit" in other.words


def test_central_promises_add_up_and_are_accounted_for() -> None:
    many = together([released(Guarantee(0.1, 1e-8, "replace"))] * 60)
    assert many.guarantee is not None
    assert many.exact == "6" and many.guarantee.delta == pytest.approx(6e-7) and many.guarantee.delta >= 6e-7
    assert many.accounted is not None and many.accounted[0] < 5.0
    assert many.accounted[1] == pytest.approx(6e-7 + SLACK)
    # The optimum for pure mechanisms (Kairouz, Oh, Viswanath 2015, Theorem 3.4) at the delta that accounting gained.
    epsilon, k, delta = 0.1, 60, many.accounted[1]
    exact = min(
        total
        for i in range(k // 2 + 1)
        if sum(
            math.comb(k, j) * (math.exp((k - j) * epsilon) - math.exp(total + j * epsilon))
            for j in range(k + 1)
            if (k - j) * epsilon > (total := (k - 2 * i) * epsilon) + j * epsilon
        )
        / (1 + math.exp(epsilon)) ** k
        <= delta
    )
    assert many.accounted[0] >= exact - 2 * epsilon
    assert together([released(Guarantee(1.0, 1e-8, "add-remove"))]).accounted is None
    assert together([released(Guarantee(1.0, 0.6, "replace"))] * 2).guarantee is None


def test_promises_about_changes_of_a_history_add_up_for_the_same_changes_on_the_same_map() -> None:
    def promise(epsilon: float, largest: float, km: float = 5.0) -> Guarantee:
        alpha = epsilon * largest / km
        protects = (f"everything within {km:g} km",)
        return Guarantee(epsilon, 1e-6, "earth-mover", rate=alpha, protects=protects, unit=f"{largest:g} km")

    found = together([released(promise(0.5, 40.0)), released(promise(1.5, 40.0))])
    assert found.guarantee is not None and found.exact == "2" and found.accounted is None
    assert found.guarantee.rate == pytest.approx(16.0) and found.guarantee.delta == pytest.approx(2e-6)
    assert found.guarantee.protects == ("everything within 5 km",)
    assert "has no unit" in together([released(promise(1.0, 40.0)), released(promise(1.0, 30.0))]).words
    other = together([released(promise(1.0, 40.0)), released(promise(1.0, 40.0, 2.0))])
    assert other.guarantee is None and "different changes" in other.words


def test_releases_from_a_sample_add_up_only_if_each_has_its_own() -> None:
    promise = Guarantee(1.0, 1e-6, "replace", sampled=Sampled(5.0, 1e-4, 0.01))
    assert "own sample" not in together([released(promise)]).words
    found = together([released(promise)] * 2)
    assert "own sample" in found.words and found.guarantee is not None and "own sample" in found.guarantee.note
    assert found.guarantee.sampled == Sampled(10.0, 2e-4, 0.01), "a person may be known to be in both samples"
    shared = math.log1p(0.01 * math.expm1(10.0))
    assert f"From one sample: ε = 10 towards a person known to be in it, {at_most(shared)} towards" in found.words
    assert "claimed and not proven" in together([released(replace(promise, proven=False))]).words
    # One claim is enough: a sum with it in it is no better proven.
    for mixed in itertools.permutations([promise, promise, replace(promise, proven=False)]):
        sum_ = together([released(one) for one in mixed])
        assert "claimed and not proven" in sum_.words and sum_.guarantee is not None and not sum_.guarantee.proven
    assert "not proven" not in found.words


def test_releases_from_one_and_the_same_sample_are_composed_before_they_are_amplified() -> None:
    """The headline is what is true: `from_one_sample`, not the sum of the amplified promises."""
    promise = Guarantee(1.0, 1e-6, "replace", sampled=Sampled(5.0, 1e-4, 0.01))
    mine, other = (demonstration([("one", promise)], "", sample=sample) for sample in ("mine", "other"))
    true = from_one_sample([promise] * 2)
    found = together([mine, mine]).guarantee
    assert found is not None and found.sampled == true.sampled
    assert true.epsilon <= found.epsilon <= true.epsilon * (1 + 1e-12) and found.epsilon > 2 * promise.epsilon
    assert found.delta == pytest.approx(true.delta) and "from the same sample" in together([mine, mine]).words
    both = together([mine, other, mine]).guarantee
    assert both is not None and both.epsilon == pytest.approx(true.epsilon + 1.0)
    apart = together([mine, other]).guarantee
    assert apart is not None and apart.epsilon == 2.0


def test_gaussian_releases_compose_exactly() -> None:
    """Eight releases at (1, 1e-5): 2.79 at eight times the delta, where adding up gives 8."""
    mu = 1.0 / gaussian_noise(1.0, 1e-5)
    promise = Guarantee(1.0, 1e-5, "replace", gaussian=mu)
    for count, epsilon in ((2, 1.40), (4, 1.97), (8, 2.79)):
        found = together([released(promise)] * count)
        assert found.exact == str(count) and found.accounted is not None
        assert found.accounted[0] == pytest.approx(epsilon, abs=0.005)
        assert found.accounted[1] == pytest.approx(count * 1e-5)
        # Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), the exact delta of the sum
        total, at = mu * math.sqrt(count), found.accounted[0]
        delta = norm.cdf(total / 2 - at / total) - math.exp(at) * norm.cdf(-total / 2 - at / total)
        assert delta <= count * 1e-5 * (1 + 1e-9)
    mixed = together([released(promise)] * 4 + [released(Guarantee(1.0, neighbours="replace"))])
    assert mixed.accounted is not None and 2.0 < mixed.accounted[0] < 3.1


def test_promises_about_one_data_set_are_restated_for_people_who_are_in_both() -> None:
    one, both = Guarantee(1.0, 1e-6, "replace"), Guarantee(0.5, 1e-6, "replace-in-both")
    found = together([released(one), released(both)])
    assert found.guarantee is not None and found.guarantee.neighbours == "replace-in-both"
    assert found.exact == "5/2" and found.guarantee.delta == pytest.approx((1 + math.e) * 1e-6 + 1e-6)
    assert "twice the ε" in found.words
    removed = together([released(Guarantee(1.0, neighbours="add-remove")), released(one)])
    assert removed.exact == "3" and removed.guarantee is not None and removed.guarantee.neighbours == "replace"


def test_a_check_in_and_a_person_do_not_add_up() -> None:
    found = together([released(Guarantee(1.0, neighbours="replace", record=name)) for name in ("person", "check-in")])
    assert found.guarantee is None and "different records" in found.words and "one check-in" in found.words


def test_noise_that_is_shared_is_not_added_up() -> None:
    promise = Guarantee(1.0, neighbours="replace")
    found = together([released(promise, "transport, seed 1"), released(promise, "transport, seed 1")])
    assert found.guarantee is None and "share noise" in found.words
    assert together([released(promise, "seed 1"), released(promise, "seed 2")]).exact == "2"


def test_scenarios_without_a_release_do_not_count() -> None:
    found = together([released(Guarantee(1.0)), nothing_released("public"), nothing_released("analysis")])
    assert found.exact == "1" and found.words.count("Left out, because nothing is released there: 2 scenarios.") == 1
    assert together([nothing_released("public")]).guarantee is None


def test_every_kind_says_what_it_is() -> None:
    """Worst cases and explanations read no one's data; sweeps and searches are no release."""
    expected = {
        "ring.outputs": "demonstration",
        "ring.worst-case": "public",
        "ring.base": "public",
        "ring.plan": "analysis",
        "geolocation.person": "demonstration",
        "explain.release": "public",
    }
    for key, status in expected.items():
        assert scenarios.run(Scenario(key, "x", VIEWS[key].example)).disclosure.status == status, key


def test_public_facts_are_stated_once_and_notes_are_sentences() -> None:
    promise = Guarantee(1.0, public=("the grid",), note="For one release")
    found = together([released(promise), released(replace(promise, note="Two.")), released(promise)]).guarantee
    assert (
        found is not None
        and found.public == ("the grid",)
        and found.note == "For all 3 releases together. Each is for one release. Two."
    )
    with pytest.raises(ValueError, match="at least one disclosure"):
        together([])


def test_values_are_typed_as_in_the_file() -> None:
    config = ring.Config()
    for name, value in scenarios.leaves(config):
        assert scenarios.read_value(config, name, scenarios.value_text(value)) == value
    assert scenarios.read_value(config, "reg", "1e-3") == 1e-3 and scenarios.read_value(config, "reg", "") is None
    with pytest.raises(ScenarioError, match="epsilon: must be a number; got text 'much'"):
        scenarios.read_value(config, "epsilon", "much")
