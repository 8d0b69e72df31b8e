"""Metric privacy, the released crowd and when it pays: laws, promises, known answers, the snippets."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.batch.exports import to_json
from dpot_app.cities.city import City, make_city
from dpot_app.cities.place import Place
from dpot_app.views.metric import protected, settings
from dpot_app.views.metric.crowd import results as crowd
from dpot_app.views.metric.crowd.text import headlines as crowd_headlines
from dpot_app.views.metric.crowd_curve import results as crowd_curve
from dpot_app.views.metric.pays import results as pays
from dpot_app.views.metric.pays.text import headlines as pays_headlines
from dpot_app.views.metric.protected import at_epsilon
from dpot_core.datasets import simulated_city
from dpot_core.mechanisms.metric.frequency_errors import FREQUENCY_RELEASES
from tests.views.metric import by_hand

PLACE = Place(n=6)
BASE = settings.Config(place=PLACE)
SMALL = settings.PaysConfig(users=2000, items=100, clusters=4, size=4)


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(100), PLACE)


def released(city: City, **changes: object) -> crowd.CrowdRelease:
    config = replace(settings.CrowdConfig(base=BASE), **changes)
    return crowd.release_crowd(config, city)


# --- release the crowd ----------------------------------------------------------------------------------


def test_shuffling_lets_reports_say_more_and_the_promise_is_the_one_that_was_asked_for(city: City) -> None:
    result = released(city)
    assert result.item_rates["shuffling"] > result.item_rates["composition"]
    for how in result.promises:
        assert result.spent(how) <= result.alpha * (1 + 1e-9)
    assert result.promises["composition"].item_rate == pytest.approx(result.alpha / 100 / math.sqrt(2))
    promise = result.guarantee
    assert promise.neighbours == "earth-mover" and promise.rate == pytest.approx(result.alpha)
    assert promise.delta == BASE.delta and promise.epsilon == pytest.approx(BASE.epsilon)
    assert "histories of any lengths" in promise.note and "one shuffler" in promise.note


def test_the_table_states_the_promise_about_positions(city: City) -> None:
    """Not that about histories on cells, between which distances are up to sqrt(2) times as long."""
    result = released(city)
    told = result.numbers().dropna(subset="alpha")
    assert len(told) == len(result.promises) == 2
    for how, alpha, delta in zip(result.promises, told["alpha"], told["delta"], strict=True):
        promise = result.guarantee_of(how)
        assert alpha == pytest.approx(promise.rate, rel=1e-9) and delta == promise.delta


def test_where_reports_are_few_composition_is_used_and_delta_is_zero(city: City) -> None:
    result = released(city, visits=10, who="local")
    assert set(result.promises) == {"composition"} and result.better == "composition"
    assert result.guarantee.delta == 0.0 and "shuffle" not in result.guarantee.note
    assert np.isfinite(list(result.baselines.values())).all()


def test_every_report_costs_at_most_what_was_asked_for_between_positions(city: City) -> None:
    """Visits at exact positions, also a metre across a border: the loss is within sqrt(2) beta times their distance."""
    result = released(city)
    beta = result.promises["shuffling"].item_rate * math.sqrt(2)
    centres, n = city.grid.space.points, city.grid.n
    unit = city.grid.space.distances() / result.largest
    kernel = dpot.metric.exponential_history_items(unit, beta / math.sqrt(2)).mechanism.kernel
    rng = np.random.default_rng(1)
    first = rng.uniform((0, 0), (city.grid.width, city.grid.height), (400, 2))
    second = first + 10.0 ** rng.uniform(-3, 1, (400, 1)) * rng.normal(size=(400, 2))
    second = np.clip(second, 0, (city.grid.width, city.grid.height))
    border = (centres[0, 0] + centres[1, 0]) / 2
    first[0], second[0] = (border - 5e-4, 3.0), (border + 5e-4, 3.0)
    logs = []
    for points in (first, second):
        cells, shares = dpot.metric.share_among_cells(points, centres[:n, 0], centres[::n, 1])
        logs.append(np.log(np.einsum("ij,ijk->ik", shares, kernel[cells])))
    loss = np.abs(logs[0] - logs[1]).max(axis=1)
    far = np.linalg.norm(first - second, axis=1) / result.largest
    assert (loss <= beta * far * (1 + 1e-9)).all()
    assert loss.max() > 0.0


def test_histograms_share_every_visit_and_keep_mean_positions(city: City) -> None:
    shared = crowd.city_histograms(city)
    np.testing.assert_allclose(shared.sum(axis=1), 1.0)
    data, grid = city.check_ins, city.grid
    centres = grid.space.points
    km = np.clip(grid.to_km(data.lat, data.lon), centres[0], centres[-1])
    weights = data.count / data.totals[data.user]
    mean = np.column_stack([np.bincount(data.user, weights * axis, data.n_users) for axis in km.T])
    np.testing.assert_allclose(shared @ centres, mean, atol=1e-9)


@pytest.mark.nightly
def test_more_privacy_costs_kilometres(city: City) -> None:
    config = settings.CrowdConfig(base=BASE, visits=300)
    points = [crowd.release_crowd(at_epsilon(config, epsilon), city) for epsilon in (0.05, 10.0)]
    strict, loose = points
    assert loose.alpha == pytest.approx(200 * strict.alpha)
    assert loose.mean("shuffling") < 0.7 * strict.mean("shuffling")
    for name in crowd.BASELINES:
        assert loose.baselines[name].mean() < strict.baselines[name].mean()
    errors = crowd_curve.crowd_errors(points[::-1])
    assert [point.config.base.epsilon for point in errors.points] == [0.05, 10.0]
    table = errors.tables()["crowd-against-epsilon"]
    assert set(table["neighbours"]) == {"earth-mover", "replace", "local"}
    np.testing.assert_allclose(table["error d_EM"] * strict.largest, table["error km"])


@pytest.mark.nightly
def test_the_estimate_beats_the_reports_and_all_are_distributions(city: City) -> None:
    result = released(city, base=replace(BASE, epsilon=10.0), visits=1000)
    reported = np.mean([city.kilometres(result.truth, run) for run in result.reports["shuffling"]])
    assert result.mean("shuffling") < reported
    for runs in (*result.reports.values(), *result.estimates.values()):
        np.testing.assert_allclose(runs.sum(axis=1), 1.0)
        assert runs.min() >= 0.0
    assert all(drawn.sum() == pytest.approx(1.0) for drawn in result.drawn.values())
    cells = result.tables()["crowd-cells"]
    np.testing.assert_allclose(cells["truth"], crowd.city_histograms(city).mean(axis=0))
    assert cells["simulated"].all()


def test_a_report_s_cost_by_shuffling_closed_form_and_composition() -> None:
    central = crowd_curve.budgets(settings.CrowdConfig(base=BASE, visits=300), 34.6, 500)
    alpha = protected.rate(BASE, 34.6)
    at = 25
    m = int(central.reports[at])
    assert central.composed[at] == pytest.approx(alpha / m)
    solved = dpot.metric.item_rate(alpha / math.sqrt(2), BASE.delta, m, 500).item_rate * math.sqrt(2)
    assert central.shuffled[at] == pytest.approx(solved)
    first = central.pays_from
    assert first is not None and 2 < first < 100
    where = list(central.reports).index(first)
    assert central.shuffled[where] > central.composed[where]
    assert central.shuffled[where - 1] <= central.composed[where - 1]
    assert np.isnan(central.closed_form[0])  # the paper gives none for m <= alpha
    local = crowd_curve.budgets(settings.CrowdConfig(base=BASE, visits=300, who="local"), 34.6, 500)
    assert np.isnan(local.shuffled[:25]).all()
    np.testing.assert_allclose(local.composed, central.composed)
    assert local.pays_from is None or local.pays_from > first


def test_bad_settings_of_the_crowd_are_refused(city: City) -> None:
    with pytest.raises(ValueError, match="must be one of central, local; got 'both'"):
        released(city, who="both")
    with pytest.raises(ValueError, match=r"\nvisits\n.*greater than or equal to 1"):
        released(city, visits=0)


@pytest.mark.nightly
@pytest.mark.parametrize(("visits", "who"), [(100, "central"), (10, "local")])
def test_the_snippet_of_the_crowd_computes_the_same(visits: int, who: str) -> None:
    config = settings.CrowdConfig(base=BASE, visits=visits, who=who)
    names: dict[str, object] = {}
    exec(compile(by_hand.crowd_snippet(config), "snippet", "exec"), names)
    result = crowd.release_crowd(config, protected.load(config.base, {}))
    assert names["item_rates"] == pytest.approx(result.item_rates)
    for how, runs in names["kilometres"].items():
        assert runs == pytest.approx(result.kilometres[how], abs=1e-6)


def test_headlines_name_their_units(city: City) -> None:
    found = crowd_headlines(released(city))
    assert len(found) == 4 and all("(km)" in name or "nats" in name for name in found)
    assert all(value > 0 for value in found.values())


# --- when does it pay? ----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["local", "central"])
def paid(request: pytest.FixtureRequest) -> pays.Pays:
    return pays.run(replace(SMALL, model=request.param))


@pytest.mark.nightly
def test_measured_errors_lie_below_the_bounds(paid: pays.Pays) -> None:
    for point in (*paid.over_ratio, *paid.over_k):
        assert set(point.errors) == set(point.bounds) == set(paid.releases)
        for name in paid.releases:
            assert point.mean(name) <= point.bounds[name] + 1e-12, (name, point.ratio, point.k)


def test_errors_by_distance_fall_with_alpha_and_the_others_stay(paid: pays.Pays) -> None:
    first, last = paid.over_ratio[0], paid.over_ratio[-1]
    for name, release in paid.releases.items():
        if release.by_distance:
            assert last.mean(name) < 0.3 * first.mean(name)
        else:
            np.testing.assert_array_equal(last.errors[name], first.errors[name])
            assert last.bounds[name] == first.bounds[name]


def test_the_crossover_is_where_the_best_errors_meet(paid: pays.Pays) -> None:
    crossover = paid.crossover
    assert crossover is not None and 1.0 < crossover < 1000.0
    below = [point for point in paid.over_ratio if point.ratio < crossover]
    above = [point for point in paid.over_ratio if point.ratio > crossover]
    assert paid.best(below[-1], True) >= paid.best(below[-1], False)
    assert all(paid.best(point, True) < paid.best(point, False) for point in above)
    assert paid.tables()["crossover"]["crossover alpha/epsilon"][0] == crossover
    assert to_json(paid.tables(), {"settings": paid.config})
    assert pays_headlines(paid)["crossover (alpha/epsilon)"] == crossover


def test_there_may_be_no_crossover_or_one_before_the_first_value() -> None:
    def at(gain: float, ratio: float) -> pays.Point:
        names = list(FREQUENCY_RELEASES["central"])
        errors = {name: np.full(pays.RUNS, 1.0) for name in names} | {"laplace": np.full(pays.RUNS, gain)}
        return pays.Point(ratio, 4, errors, dict.fromkeys(names, 1.0), dict.fromkeys(names, 1.0))

    config = replace(SMALL, model="central")

    def crossover(*gains: float) -> float | None:
        points = tuple(at(gain, 10.0**i) for i, gain in enumerate(gains))
        return pays.Pays(config, points, points).crossover

    assert crossover(0.5, 0.9) is None
    assert crossover(2.0, 3.0) == 1.0
    assert crossover(0.5, 2.0) == pytest.approx(math.sqrt(10.0))
    assert crossover(2.0, 0.5, 2.0) == pytest.approx(10 * math.sqrt(10.0))  # the last time, not the first


def test_known_answers_of_the_budgets() -> None:
    point = pays.errors_at(replace(SMALL, ratio=20.0))
    assert point.rates["composed"] == pytest.approx(20.0 / 100)
    assert point.rates["one"] == pytest.approx(dpot.metric.one_item_budget(20.0, SMALL.r))
    assert point.rates["hadamard-one"] == point.rates["krr-one"] == 1.0
    assert 1 / 100 < point.rates["hadamard-all"] < 1.0
    central = pays.errors_at(replace(SMALL, model="central", ratio=1.0 / SMALL.r))
    # At alpha = epsilon/r the central Laplace noise is the same for both promises.
    assert central.rates["metric-laplace"] == pytest.approx(central.rates["laplace"])


def test_the_promise_is_about_distance() -> None:
    promise = SMALL.guarantee
    assert promise.neighbours == "earth-mover"
    assert promise.rate == pytest.approx(10.0) and promise.epsilon == pytest.approx(10.0 * SMALL.r)
    assert promise.delta == SMALL.delta


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model": "shuffled"}, "must be one of local, central; got 'shuffled'"),
        ({"users": 0}, "\nusers\n.*greater"),
        ({"items": 0}, "\nitems\n.*greater"),
        ({"r": 1.5}, "\nr\n.*less"),
        ({"epsilon": 0.0}, "\nepsilon\n.*greater"),
        ({"delta": 1.0}, "\ndelta\n.*less"),
        ({"ratio": 0.0}, "\nratio\n.*greater"),
        ({"ratio": 1e5, "epsilon": 20.0}, "alpha must lie in"),
    ],
)
def test_bad_settings_are_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pays.errors_at(replace(SMALL, **changes))


def test_one_item_of_each_user_is_enough() -> None:
    point = pays.errors_at(replace(SMALL, items=1))
    assert point.rates["composed"] == pytest.approx(10.0)
    assert point.rates["hadamard-all"] == 1.0


@pytest.mark.parametrize(
    "changes", [{"model": "local"}, {"model": "central"}, {"users": 1_000_000, "items": 10_000}], ids=str
)
def test_the_snippet_of_when_it_pays_computes_the_same(changes: dict[str, object]) -> None:
    config = replace(SMALL, **changes)
    names: dict[str, object] = {}
    exec(compile(by_hand.pays_snippet(config), "snippet", "exec"), names)
    point = pays.errors_at(config)
    for name, runs in point.errors.items():
        np.testing.assert_allclose(names["errors"][name], runs, rtol=1e-9)


def test_a_release_without_error_pays() -> None:
    config = settings.PaysConfig(model="central", users=1000, items=1, clusters=2, size=2, r=1.0, epsilon=0.25)
    result = pays.run(config)
    assert min(point.mean("pooled") for point in result.over_ratio) == 0.0
    assert result.gain(result.over_ratio[-1]) > 0.0 and result.crossover is not None
