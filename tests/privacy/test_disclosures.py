"""What leaves the machine says what it is; columns that no guarantee covers are marked, and the others read no data."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import VIEWS, Scenario
from dpot_app.films.catalogue import Split
from dpot_app.views.geolocation import settings as geolocation
from dpot_app.views.mixture import settings as mixture
from dpot_app.views.movies import settings as movies
from dpot_app.views.ring import settings as ring
from dpot_core.privacy.disclosures import SETTINGS_NOTE, Disclosure, demonstration, known_seed, nothing_released
from dpot_core.privacy.guarantees import Guarantee, Sampled
from dpot_core.privacy.numerals import at_most
from dpot_core.privacy.wording import delta_means, in_words
from tests.batch.scenarios.outcomes import LONG, by_day, outcome_of

TABLES = {"counts": pd.DataFrame({"cell": [0, 1], "noisy": [3, 4], "true": [2, 5]})}


def test_every_column_that_is_not_declared_free_is_marked() -> None:
    free = {"counts": ("cell", "noisy")}
    one = demonstration([("counts", Guarantee(1.0, neighbours="replace"))], known_seed(7), free=free)
    assert list(one.mark(TABLES)["counts"].columns) == ["cell", "noisy", "true (not private)"]
    assert list(nothing_released("analysis").mark(TABLES)["counts"].columns) == [
        "cell (not private)",
        "noisy (not private)",
        "true (not private)",
    ]
    for whole in (nothing_released("public"), nothing_released("analysis", {"counts": ("*",)})):
        assert list(whole.mark(TABLES)["counts"].columns) == ["cell", "noisy", "true"]
    again = one.mark(one.mark(TABLES))
    assert list(again["counts"].columns) == ["cell", "noisy", "true (not private)"], "marked once"
    assert one.mark_numbers({"W1 (km)": 2.0}) == {"W1 (km) (not private)": 2.0}


def test_a_demonstration_says_so_before_it_promises_anything() -> None:
    said = demonstration([("counts", Guarantee(1.0, neighbours="replace"))], known_seed(7)).sentences()
    assert said[0].startswith("Demonstration, not a release.") and "known seed 7" in said[0]
    assert said[1] == "ε = 1 nats." and said[-1] == SETTINGS_NOTE
    for status in ("public", "analysis"):
        (only,) = nothing_released(status).sentences()
        assert "ε" not in only and "not" in only.lower()
    with pytest.raises(ValueError, match="parts must name what is released"):
        Disclosure("release")
    with pytest.raises(ValueError, match="parts must name what is released"):
        Disclosure("analysis", (("x", Guarantee(1.0)),))


def test_releases_that_leave_together_are_composed_together() -> None:
    promise = Guarantee(1.0, 1e-6, "replace")
    both = demonstration([("one", promise), ("other", promise)], known_seed(1))
    assert both.guarantee is not None and both.guarantee.epsilon == 2.0
    assert both.promise == promise and both.sentences()[1] == "One release with one promises:", "not the sum"
    (told,) = [one for one in both.sentences() if one.startswith("Publishing the whole comparison")]
    assert "would cost ε = 2, δ = 2e-06 in all (one: ε = 1, δ = 1e-06; other: " in told
    assert told.endswith("not covered."), "what is averaged over more runs is said to be released by none of the parts"
    unlike = demonstration([("one", promise), ("other", replace(promise, neighbours="local"))], known_seed(1))
    assert unlike.guarantee is None and any("do not add up" in sentence for sentence in unlike.sentences())
    assert unlike.promise == promise and "in all" not in unlike.comparison(), "no total without a composition"


def test_the_weakest_promise_stands_first() -> None:
    promise = Guarantee(1.0, 1e-6, "replace", sampled=Sampled(10.38, 1e-4, 1e-4))
    said = in_words(promise)
    assert said[0] == "Towards a person known to be in the sample: ε = 10.38 nats, δ = 0.0001."
    assert "ε = 1 nats" in said[1] and "population" in said[1]
    assert promise.weakest.epsilon == 10.38 and promise.weakest.sampled is None
    assert any("99.99" in sentence and "plus δ = 0.0001." in sentence for sentence in said), "all of the weakest layer"


def test_delta_is_not_the_probability_that_the_bound_fails() -> None:
    """At (1, 1e-5) the loss of Gaussian noise exceeds epsilon with probability 16.1 delta, at (.1, 1e-5) with 111."""
    from dpot_core.privacy.accounting import gaussian_noise

    for epsilon, delta, factor in ((1.0, 1e-5, 16.1), (1.0, 1e-9, 32.5), (0.1, 1e-5, 111)):
        promise = Guarantee(epsilon, delta, "replace", gaussian=1.0 / gaussian_noise(epsilon, delta))
        assert promise.exceeded is not None
        assert promise.exceeded / delta == pytest.approx(factor, rel=0.01)
        assert at_most(promise.exceeded, 0.0) in delta_means(promise)
        assert "not the probability" in delta_means(promise)
    unknown = Guarantee(1.0, 1e-5, "replace")
    assert unknown.exceeded is None and "may be larger than δ" in delta_means(unknown)
    assert Guarantee(1.0).exceeded == 0.0


@given(
    st.floats(1e-3, 60.0), st.floats(1e-300, 1e-3), st.floats(1e-6, 1.0), st.sampled_from(["alone", "sampled", "two"])
)
def test_no_sentence_promises_less_than_is_spent(epsilon: float, delta: float, rate: float, kind: str) -> None:
    """Every epsilon and delta in words, at the largest that it can mean, is at least one of those that are promised."""
    outer = Guarantee(epsilon, delta, "replace")
    one = outer if kind == "alone" else replace(outer, sampled=Sampled(epsilon + 1.0, delta * 2, rate))
    parts = [("atoms", one)] * (2 if kind == "two" else 1)
    told = demonstration(parts, known_seed(1))
    promises = [promise for promise in (one, told.guarantee) if promise is not None]
    layers = [layer for promise in promises for layer in (promise, promise.weakest)]
    for name in ("epsilon", "delta"):
        said = re.findall(
            {"epsilon": r"ε = ([\d.,e+-]*\d)", "delta": r"δ = ([\d.,e+-]*\d)"}[name], " ".join(told.sentences())
        )
        assert said
        # A billionth is what ten digits leave.
        exact = [getattr(layer, name) * (1 - 1e-9) for layer in layers]
        for text in said:
            number = float(text.replace(",", ""))
            assert any(value <= number <= value * 1.01 + 5e-324 for value in exact), (text, exact)


OWN = movies.Config(split=Split(candidates=40, dimensions=8))
CITY = geolocation.Config(place=geolocation.Place(n=6))
LINE = mixture.Config(modes=mixture.Modes(means=(-1.0, 1.0), weights=(0.9, 0.1)), draws=50, cells=60)

#: Settings that differ in the private input only: whatever is not marked must be the same for both.
NEIGHBOURS: list[tuple[str, Any, Any]] = [
    *(
        (f"ring.{view}", ring.Config(), ring.Config(source=ring.Source(kind="dirac", point=3)))
        for view in ("outputs", "worst-case", "base", "plan", "convergence")
    ),
    ("geolocation.person", CITY, replace(CITY, person=7)),
    ("movies.user", OWN, replace(OWN, user="user 316")),
    ("movies.adversary", OWN, replace(OWN, user="user 316", other="user 81")),
    ("mixture.line", LINE, replace(LINE, modes=mixture.Modes(means=(0.5, -0.5), weights=(0.3, 0.7)))),
]


def unmarked(key: str, config: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that a kind writes and that does not say that it is not private."""
    outcome = scenarios.run(Scenario(key, "x", config))
    found = {
        name: list(table[[column for column in table if "(not private)" not in str(column)]].itertuples(index=False))
        for name, table in outcome.marked().items()
        if any("(not private)" not in str(column) for column in table)
    }
    numbers = outcome.disclosure.mark_numbers(outcome.headlines)
    return found | {"headlines": [(k, v) for k, v in numbers.items() if "(not private)" not in k]}


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [pytest.param(*each, id=each[0], marks=[pytest.mark.nightly] * (each[0] in LONG)) for each in NEIGHBOURS],
)
def test_unmarked_columns_do_not_depend_on_the_private_input(key: str, one: Any, other: Any) -> None:
    first, second = unmarked(key, one), unmarked(key, other)
    assert first.keys() == second.keys()
    for name in first:
        pd.testing.assert_frame_equal(pd.DataFrame(first[name]), pd.DataFrame(second[name]), check_exact=True)


@pytest.mark.slow
@pytest.mark.parametrize("key", by_day(VIEWS))
def test_worst_cases_and_explanations_read_no_persons_data(key: str) -> None:
    """Of the kinds whose name says so; a sweep or a search is an analysis, never a release."""
    view = key.split(".")[1]
    if key.startswith("explain.") or view in ("worst-case", "minimax", "base", "many"):
        expected = {"public"}
    elif (
        view.startswith(("curve", "gaussians", "sweep", "sensitivity", "cost", "convergence", "theorem"))
        or "curve" in view
        or key == "decide.epsilon"
    ):
        expected = {"analysis"}
    else:
        expected = {"public", "analysis", "demonstration"}
    assert outcome_of(key).disclosure.status in expected
