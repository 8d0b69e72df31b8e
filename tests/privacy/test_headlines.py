"""No headline states the sum of demonstrations: every view, every need, whatever mechanism is released with."""

from __future__ import annotations

import html
import re

import pytest

from dpot_app.batch.reports.document import Entry, report, slide
from dpot_app.batch.scenarios import VIEWS, Scenario, ScenarioError, outcome, read, together, write
from dpot_app.batch.scenarios.folders import PROMISED, texts
from dpot_app.shell.board.cards import _guarantee
from dpot_app.shell.guarantee_strip import disclosure_strip, promise_line
from dpot_app.views.decide import run
from dpot_app.views.decide.settings import NEEDS, Config
from dpot_core.privacy.disclosures import Disclosure, demonstration, known_seed, short_name
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most
from tests.batch.scenarios.outcomes import by_day, outcome_of

#: An epsilon in words.
EPSILON = re.compile(r"ε = ([\d.,e+-]*\d)")
BOTH = demonstration([("WPM", Guarantee(2.5)), ("KPM", Guarantee(2.5))], known_seed(1))


def first_epsilon(text: str) -> float:
    found = EPSILON.search(html.unescape(text))
    assert found is not None, text
    return float(found[1].replace(",", ""))


def said_of(one: Disclosure) -> dict[str, str]:
    """Every place that states a promise, by what it is."""
    small = one.comparison()
    return {
        "sentences": " ".join(said for said in one.sentences()[1:] if said != small),
        "strip": disclosure_strip(one),
        "foot": promise_line(one),
        "card": _guarantee(one).replace("\\", ""),
    }


@pytest.mark.slow
@pytest.mark.parametrize("key", by_day(VIEWS))
def test_the_headline_is_the_promise_of_one_release_by_the_chosen_mechanism(key: str) -> None:
    made = outcome_of(key)
    if not made.disclosure.parts:
        assert made.disclosure.promise is None and not made.disclosure.compares
        return
    for name, promise in made.disclosure.choices.items():
        chosen = outcome(made.scenario.releasing(name), made.results)
        one = chosen.disclosure
        assert (one.way, one.promise) == (name, promise)
        alone = [each for part, each in one.parts if part == name]
        assert promise in alone or len(alone) == 0 or one.ways, "the promise of one part, or declared as of one"
        for place, text in {**said_of(one), "file": texts(chosen)[PROMISED]}.items():
            # Three digits, rounded up.
            assert promise.weakest.epsilon <= first_epsilon(text) * (1 + 1e-9), (place, text)
            assert first_epsilon(text) <= promise.weakest.epsilon * 1.0101, (place, text)
            if len(one.choices) > 1:
                assert name in html.unescape(text), f"{place} names the mechanism"
        if one.compares and one.guarantee is not None:
            assert one.guarantee.weakest.epsilon >= promise.weakest.epsilon, "all of it costs no less"
            assert at_most(one.guarantee.weakest.epsilon, digits=6) in one.comparison(), "and the files say so"
            assert html.escape(one.comparison()[:40]) in disclosure_strip(one)


@pytest.mark.parametrize("name", ["WPM", "KPM"])
def test_a_decision_at_an_epsilon_is_documented_at_that_epsilon(name: str) -> None:
    """Once a decision at 2.5 with WPM began with "All of them together: epsilon = 10"."""
    scenario = Scenario("geolocation.crowd", "Ours", VIEWS["geolocation.crowd"].example, chosen="Enough").releasing(
        name
    )
    one = BOTH.releasing(scenario.mechanism)
    entry = Entry(scenario, {}, one, '{"data": [], "layout": {"height": 300, "title": {"text": "x"}}}', pictured=True)
    for document in (report([entry], "Title", ""), slide(entry, "Title")):
        decided = document.split('class="promise"')[1].split("</div>")[0]
        assert decided.index(f"One release with {name} promises:") < decided.index("ε = 2.5 nats")
        assert decided.index("ε = 2.5 nats") < decided.index('<p class="quiet">Publishing the whole comparison')
        assert "ε = 5 in all" in decided
    assert ">2.5<" in report([entry], "Title", ""), "so says the table of all scenarios"


@pytest.mark.slow
@pytest.mark.parametrize("key", [pytest.param(k, marks=[pytest.mark.nightly] * NEEDS[k].heavy) for k in NEEDS])
def test_find_my_epsilon_promises_what_it_names(key: str) -> None:
    answer = run(Config(need=key, target=NEEDS[key].default))
    for side, searched in answer.sides.items():
        promise = answer.guarantee(side)
        if searched.best is not None and searched.said is not None:
            assert promise is not None and searched.side.labels[searched.best[0]] in promise.note
            assert promise.epsilon == searched.said, "what is promised is the epsilon that is said"


def test_all_that_is_released_is_one_release_of_each_and_small_is_what_all_of_it_would_cost() -> None:
    other = demonstration([("Coreset", Guarantee(1.0))], known_seed(2))
    assert together([BOTH, other]).guarantee == together([BOTH.alone(), other]).guarantee
    assert together([BOTH, other]).exact == "7/2" and together([BOTH, other], compared=True).exact == "6"


def test_the_first_mechanism_is_the_same_with_its_name_and_without() -> None:
    first = next(iter(BOTH.choices))
    assert BOTH.releasing(first) == BOTH.releasing(short_name(first)) == BOTH, "the first, by its name or not"


def test_of_a_real_release_all_parts_are_the_headline() -> None:
    """Then all of them have left: to state one of them would understate what was spent."""
    real = Disclosure("release", BOTH.parts, BOTH.guarantee)
    assert real.promise == BOTH.guarantee and real.way == "" and not real.compares
    assert first_epsilon(real.sentences()[2]) == 5.0 and real.alone() == real


def test_a_mechanism_travels_in_the_file_and_an_unknown_one_is_refused() -> None:
    kept = Scenario("ring.outputs", "one", VIEWS["ring.outputs"].example).releasing("Noisy Sinkhorn")
    assert kept.mechanism == short_name("Noisy Sinkhorn") == "noisy-sinkhorn"
    assert read(write([kept])) == (kept,) and "schema: 5" in write([kept])
    with pytest.raises(ScenarioError, match=r"must be one of wpm, kpm, em; got 'noisy-sinkhorn'"):
        outcome(kept, outcome_of("ring.outputs").results)
