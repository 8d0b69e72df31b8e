"""The geolocation experiment: laws, known answers, and the numbers of the reading notes on real check-ins."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpot_core as dpot
from dpot_core.cities.crowd import _counts
from dpot_core.datasets import CheckIns, load_gowalla_austin, read_checkins_csv, simulated_city
from dpot_core.experiments import geolocation as experiment

SMALL = experiment.Place(n=7)


@pytest.fixture(scope="module")
def data() -> CheckIns:
    return simulated_city(80)


@pytest.fixture(scope="module")
def city(data: CheckIns) -> experiment.City:
    return experiment.make_city(data, SMALL)


def zones_geojson(city: experiment.City, names: tuple[str, ...] = ("West", "East", "<b>North</b>")) -> bytes:
    """Three rectangles that cover the city: two halves of the south, and the north."""
    west, south, east, north = city.grid.box
    middle, centre = (south + north) / 2, (west + east) / 2
    boxes = [(west, south, centre, middle), (centre, south, east, middle), (west, middle, east, north)]
    features = [
        {
            "type": "Feature",
            "properties": {"name": name},
            "geometry": {"type": "Polygon", "coordinates": [[[w, s], [e, s], [e, n], [w, n], [w, s]]]},
        }
        for name, (w, s, e, n) in zip(names, boxes, strict=True)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


@pytest.fixture(scope="module")
def zoned(data: CheckIns, city: experiment.City) -> experiment.City:
    return experiment.make_city(data, SMALL, zones_geojson(city))


def crowd(city: experiment.City, epsilon: float, reg: float | None = 0.01, base: str = "best-uniform"):
    return experiment.crowd_at(city, experiment.make_base(city, base, epsilon), epsilon, reg)


# --- the city -------------------------------------------------------------------------------------------


def test_equal_data_and_settings_give_equal_cities(data: CheckIns, city: experiment.City) -> None:
    again = experiment.make_city(simulated_city(80), SMALL)
    assert again == city and hash(again) == hash(city)
    assert experiment.make_city(data, replace(SMALL, n=8)) != city
    assert experiment.make_city(data, SMALL, zones_geojson(city)) != city


def test_the_people_set_aside_do_not_release(data: CheckIns, city: experiment.City) -> None:
    split = experiment.make_city(data, replace(SMALL, held_out=True))
    assert split.check_ins.n_users == 40 and city.check_ins.n_users == 80
    others = data.select([i for i, name in enumerate(data.labels) if name not in split.check_ins.labels])
    assert split.held_out is not None
    np.testing.assert_allclose(split.held_out, split.grid.crowd(others))


def test_people_with_few_check_ins_stay_away(data: CheckIns) -> None:
    few = experiment.make_city(data, replace(SMALL, least=60))
    assert few.check_ins.totals.min() >= 60
    assert few.check_ins.n_users == (data.totals >= 60).sum()
    with pytest.raises(ValueError, match="no user has"):
        experiment.make_city(data, replace(SMALL, least=10_000))


def test_only_what_is_near_the_busiest_spot_is_kept(data: CheckIns) -> None:
    near = experiment.make_city(data, replace(SMALL, within=5.0, least=1))
    assert near.grid.width < 11 and near.grid.height < 11


def test_common_mass_may_be_taken_out_before_the_distance(city: experiment.City) -> None:
    rng = np.random.default_rng(0)
    for concentration in (0.02, 0.3, 5.0):
        mu, nu = dpot.dirichlet(49, concentration, rng, 2)
        expected = dpot.wasserstein(mu, nu, city.distances, 1)
        assert city.kilometres(mu, nu) == pytest.approx(expected, abs=1e-9)
    assert city.kilometres(mu, mu) == 0.0


def test_a_known_distance(city: experiment.City) -> None:
    # From one corner to the opposite one is the whole diameter; half of the mass, half of it.
    corner, opposite = dpot.dirac(49, 0), dpot.dirac(49, 48)
    assert city.kilometres(corner, opposite) == pytest.approx(city.diameter)
    assert city.kilometres(corner, (corner + opposite) / 2) == pytest.approx(city.diameter / 2)


# --- one person -----------------------------------------------------------------------------------------


def test_one_person_gets_what_the_mechanisms_say(city: experiment.City) -> None:
    config = experiment.Config(place=SMALL, person=3)
    base = experiment.make_base(city, "best-uniform", 2.0)
    result = experiment.one_person(city, config, base)
    polytope = dpot.Polytope(base, 2.0)
    assert result.n_check_ins == sorted(city.check_ins.totals)[-3]
    assert polytope.contains(result.outputs["wpm"])
    assert result.exact_kilometres == pytest.approx(
        float(dpot.project_exact(result.mu, city.distances, polytope).value)
    )
    assert result.exact_kilometres <= result.kilometres["wpm"] + 1e-9
    exact = experiment.one_person(city, replace(config, reg=None), base)
    assert exact.kilometres["wpm"] == pytest.approx(result.exact_kilometres)


def test_a_person_beyond_the_last_is_the_last(city: experiment.City) -> None:
    base = experiment.make_base(city, "best-uniform", 2.0)
    last, beyond = (experiment.one_person(city, experiment.Config(place=SMALL, person=n), base) for n in (80, 500))
    assert last.name == beyond.name


# --- the crowd ------------------------------------------------------------------------------------------


def test_a_draw_follows_its_distribution() -> None:
    rng = np.random.default_rng(3)
    outputs = np.tile(dpot.dirichlet(6, 0.7, rng), (20_000, 1))
    frequencies = _counts(outputs, rng.random((1, 20_000)))[0] / 20_000
    assert np.abs(frequencies - outputs[0]).max() < 5 * np.sqrt(0.25 / 20_000)


@pytest.mark.parametrize("uniform", [0.0, 0.5, np.nextafter(1.0, 0.0)])
def test_an_output_without_probability_is_never_drawn(uniform: float) -> None:
    outputs = np.array([[0.0, 0.3, 0.0, 0.7 - 2e-16, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]])
    counts = _counts(outputs, np.full((1, 2), uniform))[0]
    assert counts.sum() == 2 and counts[[0, 4]].sum() == 0 and counts[2] == 1


def test_the_crowd_is_the_mean_of_its_people(city: experiment.City) -> None:
    steps: list[tuple[int, int]] = []
    base = experiment.make_base(city, "best-uniform", 1.0)
    result = experiment.crowd_at(city, base, 1.0, None, lambda done, total: steps.append((done, total)))
    one_by_one = dpot.wasserstein_projection(city.histograms, city.cost, dpot.Polytope(base, 1.0)).mean(axis=0)
    np.testing.assert_allclose(result.expected["wpm"], one_by_one, atol=1e-9)
    # k-RR is affine, so its expectation decodes to the truth.
    np.testing.assert_allclose(result.expected["krr-decoded"], city.truth, atol=1e-9)
    for runs in result.estimates.values():
        assert runs.shape == (experiment.RUNS, 49)
        np.testing.assert_allclose(runs.sum(axis=1), 1.0)
    total = steps[0][1]
    assert steps == [(done, total) for done in range(1, total + 1)]


def test_the_same_settings_draw_the_same_crowd(city: experiment.City) -> None:
    first, second = crowd(city, 2.0), crowd(city, 2.0)
    for name in experiment.ESTIMATES:
        np.testing.assert_array_equal(first.estimates[name], second.estimates[name])


def test_work_can_be_abandoned(city: experiment.City) -> None:
    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stop

    base = experiment.make_base(city, "best-uniform", 2.0)
    with pytest.raises(Stop):
        experiment.crowd_at(city, base, 2.0, 0.01, stop)
    with pytest.raises(Stop):
        experiment.minimax_point(city, 2.0, stop)
    with pytest.raises(Stop):
        experiment.worst_cases(city, stop)


def test_without_privacy_only_sampling_costs(city: experiment.City) -> None:
    sampled = experiment.no_privacy(city)
    assert 0 < sampled.mean() < crowd(city, 4.0).means()["wpm"] < crowd(city, 1.0).means()["wpm"]


def test_the_curve_is_ordered_and_knows_the_prior(data: CheckIns, city: experiment.City) -> None:
    points = [crowd(city, epsilon) for epsilon in (4.0, 1.0)]
    curve = experiment.crowd_curve(city, points, experiment.no_privacy(city))
    assert [point.epsilon for point in curve.points] == [1.0, 4.0] and curve.prior is None
    table = curve.tables()["crowd-against-epsilon"]
    row = table[(table["epsilon"] == 4.0) & (table["estimate"] == "wpm")].iloc[0]
    runs = points[0].kilometres["wpm"]
    assert (row["W1 km, mean"], row["W1 km, s.d."]) == (runs.mean(), runs.std(ddof=1))
    split = experiment.make_city(data, replace(SMALL, held_out=True))
    with_prior = experiment.crowd_curve(split, [crowd(split, 2.0, base="prior")], experiment.no_privacy(split))
    assert with_prior.prior == pytest.approx(dpot.wasserstein(split.truth, split.held_out, split.distances, 1))


# --- worst cases ----------------------------------------------------------------------------------------


def test_nobody_is_moved_farther_than_the_worst_case(city: experiment.City) -> None:
    base = experiment.make_base(city, "best-uniform", 2.0)
    cells = experiment.worst_cells(city, "best-uniform", base, 2.0)
    polytope = dpot.Polytope(base, 2.0)
    moved = dpot.project_exact(city.histograms, city.distances, polytope).value
    assert moved.max() <= float(cells.worst) + 1e-9
    alone = dpot.project_exact(dpot.dirac(49, cells.worst.argmax), city.distances, polytope).value
    assert alone == pytest.approx(float(cells.worst))


def test_the_minimax_base_keeps_its_certificate(city: experiment.City) -> None:
    point = experiment.minimax_point(city, 2.0)
    uniform = experiment.worst_cells(city, "best-uniform", experiment.make_base(city, "best-uniform", 2.0), 2.0)
    assert point.lower_bound <= point.kilometres <= point.lower_bound * 1.0011
    assert point.kilometres < float(uniform.worst)
    assert float(experiment.worst_cells(city, "minimax", point.base, 2.0).worst) == pytest.approx(point.kilometres)


def test_the_curves_agree_with_single_values(city: experiment.City) -> None:
    curves = experiment.worst_cases(city)
    at = 10
    epsilon = float(curves.epsilon[at])
    base = experiment.make_base(city, "best-uniform", epsilon)
    single = experiment.worst_cells(city, "best-uniform", base, epsilon)
    assert curves.kilometres["best-uniform"][at] == pytest.approx(float(single.worst))
    # k-RR from a cell: it keeps the cell with e^eps / (e^eps + k - 1), every other one with 1 / (e^eps + k - 1).
    expected = city.distances.sum(axis=1).max() / (np.exp(epsilon) + 48)
    assert curves.kilometres["krr"][at] == pytest.approx(expected)
    assert (np.diff(curves.kilometres["best-uniform"]) < 0).all()


# --- zones ----------------------------------------------------------------------------------------------


def test_zones_are_the_outputs(zoned: experiment.City) -> None:
    assert zoned.distances.shape == (49, 3) and zoned.snap is not None
    base = experiment.make_base(zoned, "best-uniform", 2.0)
    result = experiment.one_person(zoned, experiment.Config(place=SMALL, zones=True), base)
    assert all(nu.shape == (3,) for nu in result.outputs.values())
    assert result.moved.sum() == pytest.approx(1.0)
    assert result.kilometres["wpm"] == pytest.approx(
        dpot.wasserstein(result.mu, result.outputs["wpm"], zoned.distances, 1)
    )
    everybody = crowd(zoned, 2.0)
    assert everybody.estimates["krr-decoded"].shape == (experiment.RUNS, 3)
    assert experiment.minimax_point(zoned, 2.0).kilometres <= float(
        experiment.worst_cells(zoned, "best-uniform", base, 2.0).worst
    )


def test_every_zone_is_on_the_picture(zoned: experiment.City) -> None:
    raster = zoned.map.raster
    assert raster is not None
    assert set(np.unique(raster.zone)) >= {0, 1, 2}
    # The rectangles cover the grid: shares of the pixels are shares of the area.
    assert (raster.zone == 2).mean() == pytest.approx(0.5, abs=0.03)
    assert raster.zone[len(raster.y) // 4, len(raster.x) // 4] == 0
    assert raster.zone[len(raster.y) // 4, 3 * len(raster.x) // 4] == 1


# --- what is handed on ----------------------------------------------------------------------------------


def test_tables_say_that_people_are_invented(city: experiment.City, zoned: experiment.City) -> None:
    base = experiment.make_base(city, "best-uniform", 2.0)
    tables = experiment.one_person(city, experiment.Config(place=SMALL), base).tables()
    tables |= crowd(zoned, 2.0).tables()
    assert {"person-cells", "person-distances", "crowd-first-run-zones", "crowd-expected-zones"} <= tables.keys()
    assert all(table["simulated"].all() for table in tables.values())


def test_the_promise_says_what_it_does_not_cover(data: CheckIns, city: experiment.City) -> None:
    plain = experiment.guarantee(experiment.Config(place=SMALL), city)
    assert plain.neighbours == "local" and plain.epsilon == 2.0
    assert any("7 x 7" in item for item in plain.public)
    split = experiment.make_city(data, replace(SMALL, held_out=True))
    prior = experiment.guarantee(experiment.Config(place=SMALL, base="prior"), split)
    assert "Not covered: the people set aside" in prior.note and "Not covered" not in plain.note
    assert "box" in experiment.guarantee(experiment.Config("csv", SMALL), city).note


CASES = {
    "defaults on a small grid": experiment.Config(place=SMALL),
    "prior, exact": experiment.Config(
        place=replace(SMALL, held_out=True, least=100), base="prior", reg=None, person=7, epsilon=4.0
    ),
    "minimax, own files": experiment.Config(
        "csv",
        experiment.Place(n=6, least=2, within=20.0),
        base="minimax",
        zones=True,
        columns=(("user", "who"), ("lat", "lat"), ("lon", "lon")),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_snippet_computes_what_the_page_draws(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = CASES[case]
    data, zones = simulated_city(), None
    if config.source == "csv":
        few = simulated_city(30)
        rows = pd.DataFrame({"who": [few.labels[i] for i in few.user], "lat": few.lat, "lon": few.lon})
        content = rows.to_csv(index=False).encode()
        zones = zones_geojson(experiment.make_city(few, config.place))
        (tmp_path / "check-ins.csv").write_bytes(content)
        (tmp_path / "zones.geojson").write_bytes(zones)
        monkeypatch.chdir(tmp_path)
        data = read_checkins_csv(content, dict(config.columns))
    city = experiment.make_city(data, config.place, zones)
    base = experiment.make_base(city, config.base, config.epsilon)
    page = experiment.one_person(city, config, base)
    everybody = experiment.crowd_at(city, base, config.epsilon, config.reg)
    names: dict = {}
    exec(experiment.snippet(config), names)
    for name, nu in page.outputs.items():
        np.testing.assert_allclose(names["outputs"][name], nu, atol=1e-12)
        assert names["kilometres"][name] == pytest.approx(page.kilometres[name], abs=1e-7)
    for name, runs in everybody.kilometres.items():
        np.testing.assert_allclose(names["crowd_kilometres"][name], runs, atol=1e-6)
    worst = experiment.worst_cells(city, config.base, base, config.epsilon).worst
    assert float(names["worst_case"]) == pytest.approx(float(worst))


# --- real check-ins -------------------------------------------------------------------------------------

# W_1 in units of the diameter at epsilon 1, 2, 4, as recomputed in the reading notes. They leave open which 500
# people and which box were taken, which moves W_1 by a few per cent.
NOTES = {
    "wpm": (0.177, 0.137, 0.073),
    "kpm": (0.210, 0.208, 0.189),
    "em": (0.210, 0.203, 0.191),
}


def test_gowalla_agrees_with_the_notes(real_data: Callable[[str], Path]) -> None:
    real_data("gowalla/austin_counts.csv.gz")
    place = experiment.Place(box=experiment.BOXES["gowalla-austin"])
    city = experiment.make_city(load_gowalla_austin(), place)
    assert city.check_ins.n_users == 500 and city.check_ins.totals.min() >= 10 and len(city.truth) == 400
    assert experiment.no_privacy(city).mean() / city.diameter == pytest.approx(0.008, abs=0.002)
    for at, epsilon in enumerate((1.0, 2.0, 4.0)):
        means = crowd(city, epsilon).means()
        for name, values in NOTES.items():
            assert means[name] / city.diameter == pytest.approx(values[at], abs=0.008), (name, epsilon)
        assert means["wpm"] < 0.9 * min(means["kpm"], means["em"])
