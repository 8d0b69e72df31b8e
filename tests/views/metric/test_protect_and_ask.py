"""Metric privacy, what is protected and questions about a city: laws, known answers, the snippet."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import dpot_core as dpot
from dpot_app.batch.exports import to_json
from dpot_app.cities.city import City, make_city
from dpot_app.cities.place import Place
from dpot_app.views.metric import PAGE, protected, settings
from dpot_app.views.metric.ask import results as ask
from dpot_app.views.metric.ask.text import headlines
from dpot_app.views.metric.protect import results as protect
from dpot_app.views.table import VIEWS
from dpot_core.datasets import CheckIns, simulated_city
from tests.batch.scenarios.outcomes import by_day
from tests.views.metric import by_hand

PLACE = Place(n=7)
BASE = settings.Config(place=PLACE)


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(80), PLACE)


def config(query: str = "distance", **changes: object) -> settings.AskConfig:
    return replace(settings.AskConfig(base=BASE, query=query), **changes)


# --- what do I protect? ---------------------------------------------------------------------------------


def test_the_papers_example_and_how_its_text_differs() -> None:
    result = protect.protect(settings.ProtectConfig(base=BASE, example="paper"), 34.6, True)
    assert result.alpha == pytest.approx(25.0)
    np.testing.assert_allclose(result.costs, [0.2 / 3, 0.2])
    table = protect.paper_numbers()
    shown = [f"{value:.3g}" for value in table["recomputed"]]
    assert shown == ["25", "0.04", "0.000143", "2.7", "2.41", "2.48", "0.0323", "0.025"]
    # What the paper prints as the error of the average is the noise of one person over the root of n.
    assert 0.04 / math.sqrt(1e5) == pytest.approx(1.26e-4, rel=5e-3)
    assert "1.78 miles" in table["why"][2]


def test_alpha_is_the_smallest_that_a_change_allows(city: City) -> None:
    largest = protected.diameter(city)
    result = protect.protect(settings.ProtectConfig(base=BASE), largest, True)
    assert result.alpha == pytest.approx(min(largest / 0.5, 30 * largest / 5.0))
    assert result.costs.max() == pytest.approx(BASE.epsilon) and result.binding == 1
    near = np.abs(result.surface - result.alpha * result.taus[:, None] * result.distances / largest)
    assert near.max() == 0.0
    assert result.surface.max() == pytest.approx(result.alpha)  # everything, as far as possible
    promise = protected.guarantee(BASE, largest)
    assert promise.epsilon == pytest.approx(BASE.epsilon) and promise.rate == result.alpha
    assert promise.protects == ("1 visit in 30 moved by at most 5 km", "everything moved by at most 0.5 km")


def test_a_distance_beyond_the_map_counts_as_the_largest(city: City) -> None:
    far = replace(BASE, changes=((1.0, 100.0),))
    assert protected.rate(far, protected.diameter(city)) == BASE.epsilon  # then it is user-level privacy


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="must be one of own, paper; got 'theirs'"):
        settings.ProtectConfig(base=BASE, example="theirs")
    with pytest.raises(ValueError, match="must be one of distance, position, region; got 'median'"):
        config("median")
    with pytest.raises(ValueError, match=r"\neast\n.*less than or equal to 100"):
        config(east=101)
    with pytest.raises(ValueError, match="need a file of check-ins"):
        protected.load(replace(BASE, source="csv"), {})


# --- ask a question -------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", settings.QUERIES)
def test_answers_are_the_means_of_each_person(city: City, query: str) -> None:
    question = ask.make_question(config(query), city)
    data, place = city.check_ins, np.array(question.place)
    for person in (0, 7, 40):
        mine = data.user == person
        points = city.grid.to_km(data.lat[mine], data.lon[mine])
        away = np.linalg.norm(points - place, axis=1)
        value = {
            "position": points,
            "distance": away[:, None],
            "region": np.clip(1 - (away - 3.0) / 2.0, 0, 1)[:, None],
        }[query]
        np.testing.assert_allclose(question.answers[person], np.average(value, axis=0, weights=data.count[mine]))


def moved(data: CheckIns, person: int, degrees: float, rng: np.random.Generator) -> CheckIns:
    """The same data with every check-in of one person somewhere else."""
    mine = data.user == person
    lat, lon = data.lat.copy(), data.lon.copy()
    lat[mine] += rng.uniform(-degrees, degrees, mine.sum())
    lon[mine] += rng.uniform(-degrees, degrees, mine.sum())
    return replace(data, lat=lat, lon=lon)


@pytest.mark.parametrize("query", settings.QUERIES)
@pytest.mark.parametrize("degrees", [0.001, 0.02])
def test_one_persons_history_moves_the_answers_by_what_the_noise_hides(city: City, query: str, degrees: float) -> None:
    """Log-likelihood ratio at most alpha d_EM for the real data, positions not snapped to cells."""
    rng = np.random.default_rng(0)
    chosen = config(query)
    before = ask.ask(chosen, city)
    for person in range(5):
        other = replace(city, check_ins=moved(city.check_ins, person, degrees, rng))
        after = ask.make_question(chosen, other)
        points, weights = [], []
        for check_ins in (city.check_ins, other.check_ins):
            mine = check_ins.user == person
            points.append(city.grid.to_km(check_ins.lat[mine], check_ins.lon[mine]))
            weights.append(check_ins.count[mine] / check_ins.count[mine].sum())
        d_em = dpot.wasserstein(weights[0], weights[1], cdist(points[0], points[1]), 1) / before.largest
        local, central = (before.noise[model, "metric"] for model in ask.MODELS)
        shift = np.linalg.norm(after.answers[person] - before.question.answers[person])
        assert shift / local.scale <= before.alpha * d_em * (1 + 1e-9)
        mean = np.linalg.norm(after.answers.mean(axis=0) - before.truth)
        assert mean / central.scale <= before.alpha * d_em * (1 + 1e-9)


@pytest.mark.parametrize("query", settings.QUERIES)
@pytest.mark.parametrize("kind", ["k-norm", "gaussian"])
def test_draws_scatter_as_expected_and_distance_pays(city: City, query: str, kind: str) -> None:
    result = ask.ask(config(query, kind=kind), city)
    for model in ask.MODELS:
        for promise in ask.PROMISES:
            mean = result.errors(model, promise).mean()
            assert mean == pytest.approx(result.error(model, promise), rel=0.25)
        assert result.error(model, "metric") < result.error(model, "user-level")
    ratio = result.error("local", "metric") / result.error("central", "metric")
    assert math.sqrt(result.people) * 0.8 < ratio < math.sqrt(result.people) * 1.3
    assert result.guarantee.delta == (BASE.delta if kind == "gaussian" else 0.0)
    assert result.guarantee.neighbours == "earth-mover"


def test_cells_are_never_steeper_than_the_plane(city: City) -> None:
    for query in settings.QUERIES:
        question = ask.make_question(config(query, east=13, north=71, edge=0.5), city)
        assert question.on_cells.constant <= question.query.slope.constant * (1 + 1e-9)
        values, space = question.query.values, city.grid.space
        i, j = question.on_cells.pair
        steepest = np.linalg.norm(values[i] - values[j]) / space.distances()[i, j] * protected.diameter(city)
        assert steepest == pytest.approx(question.on_cells.constant)


def test_user_level_noise_hides_any_two_histories(city: City) -> None:
    question = ask.make_question(config("distance", east=0, north=0), city)
    assert question.query.slope.spread == pytest.approx(protected.diameter(city))
    middle = ask.make_question(config("distance"), city)
    assert middle.query.slope.spread == pytest.approx(protected.diameter(city) / 2)


def test_a_hard_region_is_explained_and_smoothing_offered(city: City) -> None:
    with pytest.raises(ValueError, match=r"hard edge is not Lipschitz.* Give the edge a width"):
        ask.ask(config("region", edge=0.0), city)
    steep, flat = (ask.ask(config("region", edge=edge), city).error("local", "metric") for edge in (0.5, 5.0))
    assert steep == pytest.approx(10 * flat)


def test_gaussian_noise_beyond_its_range_is_refused_with_the_way_out(city: City) -> None:
    steep = replace(BASE, changes=((0.001, 0.05),), epsilon=10.0)
    with pytest.raises(ValueError, match=r"at most 700 for Gaussian noise.*use K-norm noise"):
        ask.ask(config(base=steep, kind="gaussian"), city)
    assert ask.ask(config(base=steep), city).error("local", "metric") > 0.0


def test_tables_hold_what_is_drawn_and_say_that_it_is_simulated(city: City) -> None:
    result = ask.ask(config("position"), city)
    tables = result.tables()
    assert all(table["simulated"].all() for table in tables.values())
    assert len(tables["noisy-answers"]) == 4 * ask.DRAWS
    assert set(tables["errors"]["promise"]) == {"metric", "user-level"}
    json.loads(to_json(tables, result.config))
    json.loads(to_json(protect.protect(settings.ProtectConfig(base=BASE), 30.0, True).tables(), BASE))
    assert len(headlines(result)) == 4


@pytest.mark.parametrize("query", settings.QUERIES)
@pytest.mark.parametrize("kind", ["k-norm", "gaussian"])
def test_the_snippet_computes_the_same_numbers(query: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = config(query, kind=kind, east=40)
    result = ask.ask(chosen, protected.load(BASE, {}))
    exec(compile(by_hand.ask_snippet(chosen), "snippet", "exec"), {})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    keys = [(model, promise) for model in ask.MODELS for promise in ask.PROMISES]
    for (model, promise), line in zip(keys, printed, strict=True):
        assert line[0] == model
        expected = (result.noise[model, promise].scale, result.error(model, promise))
        assert [float(text) for text in line[1:3]] == pytest.approx(expected)
        assert float(line[3]) == pytest.approx(result.errors(model, promise).mean())


# --- every view by one call -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", by_day(view.key for view in PAGE.views if view.key not in ("metric.pays", "metric.linear"))
)
def test_settings_are_values_and_run_by_one_call(key: str) -> None:
    view = VIEWS[key]
    chosen = view.settings(base=BASE)
    assert hash(chosen) == hash(view.settings(base=BASE))
    json.loads(json.dumps(asdict(chosen)))
    results = view.run(chosen)
    assert results.config == chosen and view.headlines(*results.parts)
    assert all(len(table) for table in results.tables().values())
    promise = results.parts[0].guarantee
    assert promise.neighbours == "earth-mover" and promise.protects == protected.words(BASE)
