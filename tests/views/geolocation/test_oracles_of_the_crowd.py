"""Frequency oracles on the crowd of a city: reports on places of their own, estimates, and what is said of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpot_app.cities import crowd as module
from dpot_app.cities.city import City, make_city
from dpot_app.cities.crowd import ESTIMATES, OF_PLACES, RUNS, Crowd, no_privacy
from dpot_app.views.geolocation.crowd.figures import nearest
from dpot_app.views.geolocation.crowd.results import CrowdCurve
from dpot_app.views.geolocation.disclosed import disclosure
from dpot_app.views.geolocation.settings import Config
from dpot_core.datasets import simulated_city
from dpot_core.mechanisms.oracles import ORACLES
from tests.views.geolocation.examples import SMALL, crowd, zones_geojson


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(80), SMALL)


@pytest.fixture(scope="module")
def everybody(city: City) -> Crowd:
    return crowd(city, 2.0)


def test_oracles_estimate_the_crowd_and_release_no_place(city: City, everybody: Crowd) -> None:
    assert ESTIMATES.keys() - OF_PLACES.keys() == ORACLES.keys() and not ORACLES.keys() & set(module.MECHANISMS)
    for name in ORACLES:
        assert everybody.estimates[name].shape == (RUNS, 49) and everybody.kilometres[name].shape == (RUNS,)
        np.testing.assert_allclose(everybody.estimates[name].sum(axis=1), 1.0)
        np.testing.assert_array_equal(everybody.expected[name], city.truth)
        assert len({run.tobytes() for run in everybody.estimates[name]}) == RUNS


def test_the_mean_of_many_runs_is_the_truth(city: City, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the projection the estimates are unbiased: of people's own draws, moved to the outputs."""
    monkeypatch.setattr(module, "RUNS", 400)
    monkeypatch.setattr(module, "distance_to_truth", lambda city, runs, progress: np.zeros((len(runs), 2)))
    monkeypatch.setattr(
        "dpot_core.mechanisms.oracles.FrequencyOracle.distribution",
        lambda self, supports, reports: self.estimate(supports, reports),
    )
    found = crowd(city, 3.0)
    for name in ORACLES:
        off = (found.estimates[name].mean(axis=0) - city.truth) / (found.estimates[name].std(axis=0) / 20)
        assert np.abs(off).max() < 4.5, name


def test_with_almost_no_noise_only_sampling_is_left(city: City) -> None:
    told = crowd(city, 30.0).estimates["subset"] * len(city.histograms)
    np.testing.assert_allclose(told, np.round(told), atol=1e-6)
    assert crowd(city, 30.0).means()["subset"] == pytest.approx(no_privacy(city).mean(), rel=0.5)


def test_each_oracle_hears_a_place_of_its_own(city: City, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: dict[str, bytes] = {}

    def told(city: City, name: str, epsilon: float, places: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        heard[name] = places.tobytes()
        assert (places.sum(axis=1) == len(city.histograms)).all()
        return np.ones((len(places), city.n_outputs)) / city.n_outputs

    monkeypatch.setattr(module, "_from_oracle", told)
    crowd(city, 1.0)
    assert len(set(heard.values())) == len(heard) == len(ORACLES)


def test_zones_are_reported_on_and_one_alone_is_not(city: City) -> None:
    zoned = make_city(simulated_city(80), SMALL, zones_geojson(city))
    assert all(crowd(zoned, 2.0).estimates[name].shape == (RUNS, 3) for name in ORACLES)
    np.testing.assert_allclose(crowd(zoned, 2.0).expected["olh"], zoned.onto_outputs(zoned.truth))

    class One:
        n_outputs = 1

    one = module._from_oracle(One(), "subset", 1.0, np.full((RUNS, 49), 2.0), np.random.default_rng(0))  # type: ignore[arg-type]
    np.testing.assert_array_equal(one, np.ones((RUNS, 1)))


def test_their_reports_are_promised_and_added_up(everybody: Crowd) -> None:
    told = disclosure(Config(place=SMALL), everybody.map, "crowd")
    promised = dict(told.parts)
    for oracle in ORACLES.values():
        assert promised[oracle.label].epsilon == 2.0 and promised[oracle.label].neighbours == "local"
        assert "one report to an oracle per person" in promised[oracle.label].note
        assert oracle.label not in told.choices, "who releases a place cannot release it so"
    marked = told.mark(everybody.tables())["crowd-first-run-cells"]
    assert {"oue", "olh", "subset", "truth (not private)"} <= set(marked)


def test_the_nearest_oracle_follows_from_the_runs(everybody: Crowd) -> None:
    def at(epsilon: float, near: dict[str, tuple[float, float]]) -> Crowd:
        runs = dict.fromkeys(ESTIMATES, np.array([5.0, 5.0])) | {name: np.array(two) for name, two in near.items()}
        ends = {name: np.column_stack([two, two]) for name, two in runs.items()}
        return replace(everybody, epsilon=epsilon, kilometres=runs, ends=ends)

    points = (
        at(1.0, {"wpm": (1.0, 1.2)}),
        at(2.0, {"wpm": (1.0, 1.2), "oue": (1.0, 1.4), "subset": (1.0, 1.4)}),
        at(4.0, {"oue": (1.0, 1.2), "subset": (1.0, 1.2)}),
    )
    text = nearest(CrowdCurve(points, np.array([0.1, 0.2]), None))
    assert text == "WPM up to ε = 2; OUE and Subset selection each from ε = 2 on"
    beyond = at(2.0, {"wpm": (1.0, 1.2), "olh": (1.3, 1.4)})
    assert nearest(CrowdCurve((beyond,), np.array([0.1, 0.2]), None)) == "WPM at every ε shown"
