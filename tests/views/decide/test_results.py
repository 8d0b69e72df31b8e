"""The smallest epsilon: right where there are closed forms, monotone where theory says so, honest where not."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_app.kit.need import GRID, Side
from dpot_app.views.decide.figures import epsilon_text, needs_figure, title
from dpot_app.views.decide.results import run
from dpot_app.views.decide.searched import in_words
from dpot_app.views.decide.settings import HIGHEST, NEEDS, TITLES, Config
from dpot_app.views.decide.text import disclosure
from dpot_app.views.sinkhorn.need import PAIR
from dpot_core import datasets
from dpot_core.privacy.disclosures import STATUSES
from tests.marks import every_by_day

WITHIN = 1e-3
#: Answered from what comes with the package.
CITY = Config()


def found(config: Config, side: str) -> dict[str, float | None]:
    return {name: search.found for name, search in run(config).sides[side].searches.items()}


# --- closed forms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "target"),
    [(10, 0.1), (3, 0.5), *(pytest.param(k, t, marks=pytest.mark.nightly) for k, t in ((30, 0.3), (100, 0.7)))],
)
def test_kpm_on_k_points(k: int, target: float) -> None:
    """R_tv = (k - 1)/(e^epsilon + k - 1), so epsilon = log((k - 1)(1 - t)/t), for KPM and for k-RR."""
    exact = math.log((k - 1) * (1 - target) / target)
    answer = found(Config(need="ring-tv", target=target, k=k), "worst")
    assert answer["kpm"] == pytest.approx(exact, abs=WITHIN) and answer["kpm"] >= exact
    assert answer["krr"] == pytest.approx(exact, abs=WITHIN)


@pytest.mark.nightly
@pytest.mark.parametrize(("k", "target"), [(30, 0.8), (10, 0.5)])
def test_the_mollifier_on_k_points(k: int, target: float) -> None:
    """R_tv = 1 - min(e^(eps/2)/k, e^(-eps/2)/k + 1 - e^(-eps/2))."""
    roots = (2 * math.log(k * (1 - target)), 2 * math.log((1 - 1 / k) / target))
    exact = max(roots)
    assert found(Config(need="ring-tv", target=target, k=k), "worst")["mollifier"] == pytest.approx(exact, abs=WITHIN)


@pytest.mark.parametrize(("k", "p", "target"), [(30, 1, 4.0), (30, 2, 4.0), (12, 3, 2.0)])
def test_randomized_response_on_a_ring(k: int, p: int, target: float) -> None:
    """W_p^p = sum_j d(0, j)^p / (e^epsilon + k - 1)."""
    total = sum(min(j, k - j) ** p for j in range(k))
    exact = math.log(total / target**p - k + 1)
    answer = found(Config(need="ring", target=target, k=k, p=p), "worst")
    assert answer["krr"] == pytest.approx(exact, abs=WITHIN)
    assert answer["kpm"] == pytest.approx(exact, abs=WITHIN)


@pytest.mark.parametrize("epsilon", every_by_day(2, [0.7, 2.0, 4.5]))
@pytest.mark.parametrize("p", [1, 2])
def test_wpm_on_a_ring_finds_the_epsilon_that_made_the_target(epsilon: float, p: int) -> None:
    cost = dpot.cost_matrix(dpot.ring(20), p=p)
    for name, base in (("wpm", dpot.best_uniform_base(cost, epsilon)), ("wpm-uniform", dpot.uniform_base(20))):
        target = float(dpot.worst_case_wasserstein(cost, dpot.Polytope(base, epsilon), p))
        answer = found(Config(need="ring", target=target, k=20, p=p), "worst")
        assert answer[name] == pytest.approx(epsilon, abs=WITHIN)


@pytest.mark.parametrize("target", [0.3, 0.8, 1.2])
def test_the_best_cap_on_the_ordinary_sphere(target: float) -> None:
    """On S^2 with p = 2 the cap ends where 1 - t = 2/(e^(eps/2) + 1): W = 2/sqrt(e^(eps/2) + 1)."""
    exact = 2 * math.log(4 / target**2 - 1)
    answer = found(Config(need="sphere", target=target, d=2, p=2), "worst")
    assert answer["wpm"] == pytest.approx(exact, abs=WITHIN)
    assert answer["wpm-uniform"] == pytest.approx(exact, abs=WITHIN)


def test_the_best_cap_in_other_dimensions_is_never_worse_than_the_cap_of_mass_1() -> None:
    answer = found(Config(need="sphere", target=0.8, d=7, p=1), "worst")
    assert answer["wpm"] is not None and answer["wpm-uniform"] is not None
    assert answer["wpm"] <= answer["wpm-uniform"] + 1e-4
    assert dpot.sphere_base(7, answer["wpm"], 1.0).value <= 0.8


def test_randomized_response_in_a_city() -> None:
    from dpot_app.cities.city import make_city
    from dpot_app.cities.place import Place
    from dpot_core.datasets import simulated_city

    total = float(make_city(simulated_city(), Place()).distances.sum(axis=1).max())
    answer = NEEDS["geolocation"].worst(Config(need="geolocation", target=2.0))
    assert isinstance(answer, Side)
    assert answer.evaluate("krr", 3.0) == pytest.approx(total / (math.exp(3.0) + 399), rel=1e-12)


# --- monotone where theory says so -----------------------------------------------------------------------


@settings(max_examples=25)
@given(
    st.sampled_from(["ring-tv", "ring", "sphere"]),
    st.integers(3, 25),
    st.integers(1, 3),
    st.integers(1, 9),
    st.integers(0, 50),
    st.lists(st.floats(0.01, 15.0), min_size=4, max_size=4),
)
def test_utility_improves_with_epsilon_where_a_side_says_so(
    need: str, k: int, p: int, d: int, seed: int, epsilons: list[float]
) -> None:
    config = Config(need=need, target=0.5, k=k, p=p, d=d, seed=seed)
    for side in (NEEDS[need].worst(config), NEEDS[need].data(config)):
        if isinstance(side, str):
            continue
        for name in side.because:
            if name == "wpm-minimax":
                continue  # up to its solver's tolerance; checked below
            values = [side.evaluate(name, epsilon) for epsilon in sorted(epsilons)]
            for before, after in itertools.pairwise(values):
                assert after <= before + 1e-9, (name, sorted(epsilons), values)


def test_no_mechanism_needs_less_than_the_minimax_base() -> None:
    answer = found(Config(need="ring", target=3.0, k=12, p=1), "worst")
    least = answer["wpm-minimax"]
    assert least is not None and all(value is None or least <= value + WITHIN for value in answer.values())


@pytest.mark.nightly
def test_a_harder_target_needs_a_larger_epsilon() -> None:
    answers = [found(Config(need="ring-tv", target=target), "worst")["kpm"] for target in (0.6, 0.3, 0.1)]
    assert answers == sorted(answers)


# --- honest about the rest -------------------------------------------------------------------------------


def test_the_stated_epsilon_reaches_the_target_and_the_next_smaller_misses_it() -> None:
    for need, target in (("ring", 2.0), ("ring-tv", 0.3), ("movies", 0.1)):
        answer = run(Config(need=need, target=target, k=12))
        for side in answer.sides.values():
            for name, search in side.searches.items():
                if search.high is not None:
                    assert search.reaches(side.side.evaluate(name, search.high[0]))
                if search.low is not None:
                    assert not search.reaches(side.side.evaluate(name, search.low[0]))


def test_hit_rate_has_no_worst_case_and_some_mechanisms_never_reach_a_tenth() -> None:
    answer = run(Config(need="movies", target=0.1))
    assert "worst" in answer.missing and "like none" in answer.missing["worst"]
    assert answer.guarantee("worst") is None
    searches = answer.sides["data"].searches
    assert searches["kpm"].found is None and searches["kpm"].best[1] < 0.1
    assert searches["wpm"].found == 1.5 and searches["wpm"].method == "grid"
    promise = answer.guarantee("data")
    assert promise is not None and promise.epsilon == 1.5
    assert "choosing ε by looking at private data" in promise.note


def test_a_side_whose_function_breaks_its_promise_is_searched_on_the_grid() -> None:
    from dpot_app.views.decide import results as module

    side = Side("a wave", {"x": "X"}, lambda name, epsilon: math.cos(3 * epsilon), because={"x": "said so"})
    search = module._search(side, NEEDS["ring"], "x", 0.0)
    assert search.method == "grid" and not search.monotone


def test_lower_bounds_are_no_answer() -> None:
    """KPM and EM are known on one-point inputs only, so they cannot be the best."""
    answer = run(Config(need="ring", target=3.0, k=12, p=1))
    best = answer.sides["worst"].best
    assert best is not None and best[0] not in ("kpm", "em")


def test_every_need_has_a_title_and_a_measure() -> None:
    assert TITLES.keys() == NEEDS.keys()
    for need in NEEDS.values():
        assert need.default in need.targets


@pytest.mark.parametrize(("change", "name"), [({"need": "luck"}, "need"), ({"target": math.nan}, "target")])
def test_bad_settings_are_named(change: dict[str, object], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        run(replace(Config(need="ring-tv", target=0.3), **change))


def test_progress_counts_the_grid() -> None:
    seen: list[tuple[int, int]] = []
    run(Config(need="movies", target=0.1), lambda done, total: seen.append((done, total)))
    assert seen[-1] == (4 * len(GRID), 4 * len(GRID))  # four mechanisms


def test_tables_titles_and_picture_say_the_same() -> None:
    config = Config(need="ring-tv", target=0.3)
    answer = run(config)
    table = answer.tables()["smallest-epsilon"]
    kpm = answer.sides["worst"].searches["kpm"].found
    assert kpm is not None
    assert table[(table["side"] == "worst") & (table["mechanism"] == "KPM")]["smallest epsilon"].item() == kpm
    tried = answer.tables()["evaluations"]
    assert len(tried) == sum(table["evaluations"])
    assert f"ε = {epsilon_text(kpm)} in the worst case" in title(answer)
    drawn = needs_figure(answer)
    stars = [trace for trace in drawn.data if trace.name == "KPM: for good from here"]
    assert np.isclose(stars[0].x[0], kpm)
    assert {trace.marker.symbol for trace in drawn.data if "for good from here" not in trace.name}.isdisjoint({"star"})
    assert {trace.marker.symbol for trace in drawn.data if "for good from here" in trace.name} == {"star"}


@given(st.floats(0.01, 20.0))
def test_an_epsilon_on_screen_is_never_rounded_down(epsilon: float) -> None:
    said = float(epsilon_text(epsilon))
    assert epsilon <= said <= 1.01001 * epsilon
    assert len(epsilon_text(epsilon).replace(".", "").lstrip("0")) <= 3


# --- between two sets -----------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.parametrize("target", [0.02, 0.05, 0.5])
def test_the_distance_between_two_sets_in_closed_form(target: float) -> None:
    """Half of all Laplace noise of scale |c|/(n eps) is below log(2) times the scale."""
    pair = datasets.check_in_pair(datasets.DATASETS["simulated"].load(), PAIR.data.n)
    space, first, second = pair.on_grid(PAIR.data.cells)
    cost = dpot.cost_matrix(space, p=1)
    exact = math.log(2) * cost.max() / (PAIR.data.n * target)
    answer = run(Config(need="two-sets", target=target))
    for side in ("worst", "data"):
        epsilon = answer.sides[side].searches["laplace"].found
        assert epsilon == pytest.approx(exact, abs=WITHIN) and epsilon >= exact
        promise = answer.guarantee(side)
        assert promise.delta == 0.0 and promise.neighbours == "replace"
        assert promise.record == "check-in" and "drawn around" in " ".join(promise.public)
    released = [
        dpot.private_transport_cost(cost, first, second, epsilon=exact, rng=np.random.default_rng(seed)).value
        for seed in range(400)
    ]
    truth = dpot.wasserstein(first / first.sum(), second / second.sum(), cost, 1)
    near = sum(abs(value - truth) <= target for value in released)
    assert 160 <= near <= 240  # half of 400, give or take four standard deviations


def test_other_ways_to_the_distance_are_measured_at_what_is_said() -> None:
    answer = run(Config(need="two-sets", target=0.05))
    search = answer.sides["data"].searches["histograms"]
    assert search.method == "grid" and search.found is not None
    pair = datasets.check_in_pair(datasets.DATASETS["simulated"].load(), PAIR.data.n)
    space, first, second = pair.on_grid(PAIR.data.cells)
    cost = dpot.cost_matrix(space, p=1)
    truth = dpot.wasserstein(first / first.sum(), second / second.sum(), cost, 1)
    errors = [
        abs(
            dpot.private_transport_cost(
                cost,
                first,
                second,
                epsilon=search.found,
                delta=PAIR.delta,
                rng=np.random.default_rng(seed),
                method="histograms",
            ).value
            - truth
        )
        for seed in range(60)
    ]
    assert np.median(errors) == pytest.approx(search.high[1], rel=0.6)


def test_an_answer_is_as_public_as_what_it_is_computed_from() -> None:
    """A worst case follows from the settings, also of a city that is made up; one around real people does not."""
    sphere, ring = Config(need="sphere", target=0.8), Config(need="ring-tv", target=0.3)
    for config, *expected in ((sphere, "public"), (ring, "public", "analysis"), (CITY, "public", "analysis")):
        answer = run(config)
        told = {side: disclosure(config, answer, side) for side in answer.sides}
        assert [one.status for one in told.values()] == expected
        assert disclosure(config, answer).status == expected[-1], "all together are as private as the least public"
        assert all("simulated data" in one.what for one in told.values() if one.status == "analysis")
    real = replace(answer.sides["data"], side=replace(answer.sides["data"].side, simulated=False))
    answer = replace(answer, sides={**answer.sides, "data": real})
    for side in answer.sides:
        assert disclosure(CITY, answer, side).what == STATUSES["analysis"]


def test_a_mechanism_has_one_look_and_equal_stars_are_seen() -> None:
    """The legend showed the dash of one panel, and a star lay under another of its size."""
    drawn = needs_figure(run(CITY))
    looks: dict[str, set[tuple[str, str]]] = {}
    for trace in drawn.data:
        if "for good" not in trace.name:
            looks.setdefault(trace.name, set()).add((trace.line.dash, trace.marker.symbol))
    assert all(len(look) == 1 for look in looks.values())
    assert looks["k-RR"] != looks["k-RR decoded"]
    assert drawn.layout.yaxis2.matches == "y"
    stars = [trace for trace in needs_figure(run(Config(need="ring-tv", target=0.3))).data if "for good" in trace.name]
    kpm, krr = (next(star for star in stars if star.name.startswith(f"{name}:")) for name in ("KPM", "k-RR"))
    assert np.isclose(kpm.x[0], krr.x[0], rtol=1e-3) and kpm.marker.size > krr.marker.size


def test_only_the_question_is_free() -> None:
    """What follows from values at the data is marked, `monotone` among it; what is asked is not."""
    from dpot_app.views.decide.text import _FREE

    # Which epsilons were tried leads to the answer; how they were chosen tells whether a curve falls.
    asked = {"simulated", "side", "mechanism", "target"}
    assert {name for columns in _FREE.values() for name in columns} <= asked


def test_without_data_at_hand_a_worst_case_on_a_map_is_not_taken_for_public() -> None:
    answer = run(Config(need="two-sets", target=NEEDS["two-sets"].default))
    assert answer.public("worst") and not answer.public("data")
    alone = replace(answer, sides={"worst": answer.sides["worst"]})
    assert not alone.public("worst") and disclosure(alone.config, alone).status == "analysis"


# --- why not half of it ------------------------------------------------------------------------------------------


def test_half_and_twice_of_what_was_found_have_their_utility_and_their_promise() -> None:
    answer = run(Config(need="ring-tv", target=0.1, k=10))
    half, there, twice = answer.sides["worst"].multiples
    assert (half.times, there.times, twice.times) == (0.5, 1.0, 2.0)
    assert there.epsilon == answer.sides["worst"].said
    assert (half.epsilon, twice.epsilon) == (in_words(there.epsilon / 2), in_words(2 * there.epsilon))
    for one in (half, there, twice):
        assert one.mechanism in answer.sides["worst"].tied
        assert one.value == pytest.approx(9 / (math.exp(one.epsilon) + 9), rel=1e-9)
        assert one.promise.epsilon == one.epsilon
    rows = answer.tables()["why-not-half"].query("side == 'worst'")
    assert list(rows["epsilon"]) == [half.epsilon, there.epsilon, twice.epsilon]
    assert list(rows["guess of two right at most"]) == pytest.approx(
        [1 / (1 + math.exp(-one.epsilon)) for one in (half, there, twice)]
    )


def test_an_epsilon_that_is_not_searched_stands_beside_no_other() -> None:
    searched = run(Config(need="ring-tv", target=0.001, k=100)).sides["worst"]
    assert searched.said is not None and 2 * searched.said > HIGHEST
    assert [one.times for one in searched.multiples] == [0.5, 1.0]


def test_where_no_mechanism_reaches_the_target_there_is_no_half_of_it() -> None:
    answer = run(Config(need="ring", target=1e-6, k=12))
    assert answer.sides["worst"].best is None and answer.sides["worst"].multiples == ()
    with pytest.raises(ValueError, match="no mechanism reaches the target"):
        answer.sides["worst"].promise(1.0)
