"""W_1 of crowds: exact on grids of usual size, an interval that pictures and tables speak of on large ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpot_app.cities import distance_to_truth as module
from dpot_app.cities.city import City, make_city
from dpot_app.cities.distance_to_truth import distance_to_truth, known_within, known_within_text
from dpot_app.views.geolocation.crowd.figures import crowd_curve_figure, crowd_estimate_map
from dpot_app.views.geolocation.crowd.results import crowd_curve
from dpot_app.views.geolocation.settings import Config
from dpot_core.datasets import simulated_city
from dpot_core.transport import levels, wasserstein_interval
from tests.views.geolocation.examples import SMALL


@pytest.fixture
def city() -> City:
    return make_city(simulated_city(60), replace(SMALL, held_out=True))


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> City:
    """Small grids go the way of large ones, and their intervals are wide enough to be seen.

    A city of its own: results are kept for the whole process.
    """
    monkeypatch.setattr(module, "EXACT_PAIRS", 0)
    monkeypatch.setattr(module, "TOLERANCE", 0.2)
    monkeypatch.setattr(wasserstein_interval, "ALL_PAIRS", 0)
    monkeypatch.setattr(levels, "_COARSEST", 4)
    return make_city(simulated_city(62), replace(SMALL, held_out=True))


def test_small_grids_are_exact_and_nothing_is_said(city: City) -> None:
    estimates = np.random.default_rng(0).dirichlet(np.ones(len(city.truth)), 3)
    ends = distance_to_truth(city, estimates)
    assert ends.tolist() == [[city.kilometres(city.truth, estimate)] * 2 for estimate in estimates]
    config = Config(place=city.place, epsilon=2.0)
    crowd, curve = crowd_curve(city, config, ())
    for name, runs in crowd.estimates.items():
        assert crowd.kilometres[name].tolist() == [city.kilometres(city.truth, run) for run in runs]
    assert curve.known_within == 0.0
    assert not any("at least" in column for table in curve.tables().values() for column in table)
    for figure in (crowd_estimate_map(crowd), crowd_curve_figure(curve, 2.0)):
        assert "known to within" not in figure.layout.title.text


def test_large_grids_have_intervals_that_hold_the_exact_value(large: City) -> None:
    estimates = np.random.default_rng(0).dirichlet(np.ones(len(large.truth)), 5)
    for estimate, (lower, upper) in zip(estimates, distance_to_truth(large, estimates), strict=True):
        assert lower <= large.kilometres(large.truth, estimate) <= upper
        assert upper - lower <= 0.2 * upper


def test_pictures_and_tables_of_large_grids_say_so(large: City) -> None:
    config = Config(place=large.place, epsilon=2.3)
    crowd, curve = crowd_curve(large, config, ())
    assert 0.0 < crowd.known_within <= curve.known_within <= 0.2
    said = known_within_text(crowd.known_within)
    assert said and said in crowd_estimate_map(crowd).layout.title.text
    assert known_within_text(curve.known_within) in crowd_curve_figure(curve, 2.3).layout.title.text
    table = curve.tables()["crowd-distances"]
    least, mean, most = (table[f"W1 km, mean{what}"] for what in (", at least", "", ", at most"))
    np.testing.assert_allclose((least + most) / 2, mean)
    assert (least <= mean).all() and (mean <= most).all() and (least < most).any()
    alone = curve.tables()["crowd-prior-alone"].iloc[0]
    exact = large.kilometres(large.truth, large.onto_outputs(large.held_out))
    assert alone["W1 km, at least"] <= exact <= alone["W1 km, at most"]


@pytest.mark.nightly
def test_a_lead_within_the_intervals_is_no_win(large: City) -> None:
    crowd, curve = crowd_curve(large, Config(place=large.place, epsilon=2.7), ())

    def title(width: float) -> str:
        """Of a curve on which all others are 2 km off and WPM 1 km, give or take half of the width."""
        runs = {name: np.full(5, 1.0 if name == "wpm" else 2.0) for name in crowd.kilometres}
        ends = {name: np.column_stack([mean - width / 2, mean + width / 2]) for name, mean in runs.items()}
        point = replace(crowd, kilometres=runs, ends=ends)
        return str(crowd_curve_figure(replace(curve, points=(point,), prior=None), 2.7).layout.title.text)

    assert "nearest to the true one at no ε shown" in title(1.01)
    assert "nearest to the true one at every ε shown" in title(0.99)


def test_intervals_can_be_abandoned(large: City) -> None:
    class Abandoned(Exception):
        pass

    def stop(_done: int, _total: int) -> None:
        raise Abandoned

    with pytest.raises(Abandoned):
        distance_to_truth(large, [np.eye(len(large.truth))[0]], stop)


def test_widths_are_rounded_up() -> None:
    assert known_within(np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[0.9, 1.0]])) == pytest.approx(0.1)
    assert known_within_text(0.0) == ""
    assert known_within_text(0.00301).endswith("0.301%")
