"""One person on fine grids: no matrix, outputs in their polytopes, distances in their intervals."""

from pathlib import Path

import numpy as np
import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario
from dpot_app.cities.city import City, make_city
from dpot_app.cities.place import Place
from dpot_app.command_line import UNUSABLE, main
from dpot_app.kit.values import ScenarioError
from dpot_app.views.geolocation.base import make_base
from dpot_app.views.geolocation.person.results import one_person
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.table import VIEWS
from dpot_core.datasets import simulated_city
from dpot_core.mechanisms import MECHANISMS
from dpot_core.privacy.polytopes import Polytope
from tests.views.geolocation.by_hand import snippet
from tests.views.geolocation.examples import crowd

FINE = Place(n=96)
NIGHTLY = pytest.mark.nightly


@pytest.fixture(scope="module")
def city() -> City:
    return make_city(simulated_city(60), FINE)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "epsilon", [*(pytest.param(epsilon, marks=pytest.mark.nightly) for epsilon in (0.05, 2.0)), 10.0]
)
def test_a_person_on_a_fine_grid(city: City, epsilon: float) -> None:
    found = one_person(city, Config(place=FINE, epsilon=epsilon))
    assert "distances" not in vars(city), "the matrix of all distances was made"
    polytope = Polytope(make_base(city, "best-uniform", epsilon), epsilon)
    assert polytope.contains(found.outputs["wpm"])
    assert 0 < found.known_within <= 0.005
    exact = city.kilometres(found.truth.mu, found.outputs["wpm"])
    low, high = found.ends["wpm"]
    assert low <= exact * (1 + 1e-12) and exact <= high * (1 + 1e-12)
    table = found.tables()["person-distances"]
    assert (table["W1 km, at least"] <= table["W1 km"]).all() and (table["W1 km"] <= table["W1 km, at most"]).all()


@pytest.mark.nightly
def test_every_two_people_are_within_epsilon_for_every_mechanism(city: City) -> None:
    """Rows of the visited cells alone must not change what is promised to all."""
    epsilon = 1.0
    people = [one_person(city, Config(place=FINE, epsilon=epsilon, person=person)) for person in (1, 2, 30)]
    points = [Config(place=FINE, epsilon=epsilon, drawn=text) for text in ("0 0 1", "1 1 1", "0.5 0.5 1")]
    people += [one_person(city, config) for config in points]
    for name in MECHANISMS.keys() & people[0].outputs.keys():
        logs = np.log([person.outputs[name] for person in people])
        assert np.ptp(logs, axis=0).max() <= epsilon * (1 + 1e-12), name


def test_usual_grids_have_exact_distances() -> None:
    place = Place(n=12)
    found = one_person(make_city(simulated_city(40), place), Config(place=place))
    assert found.known_within == 0 and "W1 km, at least" not in found.tables()["person-distances"]
    assert found.exact_kilometres is not None


@pytest.mark.parametrize(("view", "n"), [("geolocation.crowd-curve", 129), ("geolocation.crowd", 160)])
def test_a_view_that_does_not_take_so_fine_a_grid_says_so(view: str, n: int) -> None:
    with pytest.raises(ScenarioError, match="must be at most"):
        VIEWS[view].run(Config(place=Place(n=n)))


@pytest.mark.parametrize("base", ["minimax", "prior"])
def test_bases_that_need_all_distances_say_so(base: str) -> None:
    place = Place(n=64, held_out=base == "prior")
    with pytest.raises(ScenarioError, match="unless the base measure is uniform"):
        VIEWS["geolocation.person"].run(Config(place=place, base=base))


@pytest.mark.nightly
@pytest.mark.parametrize("reg", [0.03, None])
def test_the_python_of_a_fine_grid_makes_no_matrix_and_finds_the_same(reg: float | None) -> None:
    config = Config(place=Place(n=48, least=100), epsilon=2.0, reg=reg, drawn="0.2 0.3 2; 0.7 0.7 1; 0.71 0.7 1")
    found = one_person(make_city(simulated_city(), config.place), config)
    names: dict = {}
    exec(snippet(config), names)
    assert "distances()" not in snippet(config)
    assert "distances" not in vars(names["city"]), "the matrix of all distances was made"
    for name, nu in found.outputs.items():
        np.testing.assert_allclose(names["outputs"][name], nu, atol=1e-12)
        assert names["intervals"][name] == pytest.approx(found.ends[name], abs=1e-12)
    everybody = crowd(names["city"], 2.0, reg)
    for name, runs in everybody.kilometres.items():
        np.testing.assert_allclose(names["crowd_kilometres"][name], runs, atol=1e-12)


def test_a_grid_of_a_hundred_million_cells_is_refused_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "huge.yaml"
    usual = scenarios.write([Scenario("geolocation.worst-case", "huge", Config(place=Place(n=200)))])
    file.write_text(usual.replace("n: 200", "n: 10000"), encoding="utf-8")
    assert main(["run", str(file), "--out", str(tmp_path / "out")]) == UNUSABLE
    assert "256" in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.mark.nightly
@pytest.mark.parametrize("view", ["geolocation.person", "geolocation.crowd"])
def test_a_person_in_a_hundred_thousand_places_is_refused_by_a_sentence(view: str) -> None:
    """Rows of the distances of 10^5 places would take gigabytes."""
    places = np.random.default_rng(0).random((100_000, 2)) * [0.3, 0.35] + [30.1, -97.9]
    rows = "\n".join(f"one,{lat:.6f},{lon:.6f}" for lat, lon in places)
    files = {"check-ins": f"user,lat,lon\n{rows}\n".encode()}
    with pytest.raises(ValueError, match=r"different cells were visited.*Take fewer cells per side"):
        VIEWS[view].run(Config(source="csv", place=Place(n=128)), files)


@pytest.mark.nightly
def test_a_drawing_of_a_hundred_thousand_places_is_refused() -> None:
    with pytest.raises(ScenarioError, match="at most 2,000 can be used"):
        VIEWS["geolocation.person"].run(Config(place=Place(n=64), drawn="0.5 0.5 1;" * 100_000))
