"""The worst case on fine grids: what all cells say, without a matrix; and how near a base of blocks is, said."""

from __future__ import annotations

import re
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

import dpot_core as dpot
from dpot_app.cities import worst_case
from dpot_app.cities.city import City, make_city
from dpot_app.cities.place import Place
from dpot_app.cities.worst_case import farthest
from dpot_app.kit.fields import EPSILONS
from dpot_app.views.geolocation import settings
from dpot_app.views.geolocation.base import make_base, minimax_epsilons, minimax_point, with_own
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.worst_case.figures import worst_case_figure
from dpot_app.views.geolocation.worst_case.results import minimax, worst_cases, worst_cells
from dpot_app.views.geolocation.worst_case.text import show
from dpot_app.views.table import VIEWS
from dpot_core.datasets import simulated_city
from tests.views.geolocation.by_hand import snippet
from tests.views.geolocation.examples import zones_geojson

OWN = "0.2 0.3 9; 0.8 0.4 2"


def city_of(n: int, **more: object) -> City:
    made = make_city(simulated_city(60), Place(n=n, least=5, held_out=True, **more))  # type: ignore[arg-type]
    return with_own(made, OWN)


def small_and_fine(**more: object) -> tuple[City, City]:
    """One city by its matrix, and the same treated as if its grid were fine."""
    known = city_of(13, **more)
    with patch.object(City, "fine", True):
        fine = city_of(13, **more)
    return known, replace(fine, key=f"{fine.key} fine")


@pytest.mark.parametrize("epsilon", [0.25, 2.0, 6.0])
@pytest.mark.parametrize("base", settings.BASES)
def test_every_cell_is_moved_as_far_as_the_matrix_says(base: str, epsilon: float) -> None:
    known, fine = small_and_fine()
    measure = make_base(known, base, epsilon)
    expected = dpot.worst_case_wasserstein(known.distances, dpot.Polytope(measure, epsilon), 1)
    with patch.object(City, "fine", True):
        found = worst_case.worst_by_cell(fine, measure, epsilon)
        alone = worst_case.farthest(fine, measure, epsilon)
        krr = worst_case.largest_of_points(fine, "krr", measure, epsilon)
    np.testing.assert_allclose(found.per_input, expected.per_input, rtol=1e-12)
    assert float(found) == pytest.approx(float(expected), rel=1e-12) and alone == pytest.approx(
        float(expected), rel=1e-12
    )
    assert krr == pytest.approx(worst_case.largest_of_points(known, "krr", measure, epsilon), rel=1e-12)


def test_only_mechanisms_that_treat_cells_alike_are_known_from_a_corner() -> None:
    _, fine = small_and_fine()
    with patch.object(City, "fine", True), pytest.raises(RuntimeError, match="tells other cells apart"):
        worst_case.largest_of_points(fine, "em", make_base(fine, "best-uniform", 2.0), 2.0)


def test_the_title_of_the_worst_case_bounds_an_average_and_no_single_release() -> None:
    """On average no release is farther from the nearest of one's places than it says; single ones are."""
    city, epsilon = city_of(9), 2.0
    cells = worst_cells(city, "best-uniform", epsilon)
    title = worst_case_figure(worst_cases(city), [], cells).layout.title.text.replace("<br>", " ")
    (stated,) = map(
        float, re.findall(r"each person's releases with exact WPM .* on average at most ([\d.]+) km", title)
    )
    box = dpot.Polytope(make_base(city, "best-uniform", epsilon), epsilon)
    rng = np.random.default_rng(1)
    histories = [np.eye(81)[int(cells.worst.argmax)], *rng.dirichlet(np.full(81, 0.03), 12)]
    for mu in histories:
        nu = dpot.project_exact(mu, city.distances, box).output
        assert nu @ city.distances[mu > 1e-12].min(axis=0) <= stated
    corner = dpot.project_exact(histories[0], city.distances, box).output
    away = city.distances[int(cells.worst.argmax)]
    assert corner @ away == pytest.approx(float(cells.worst))
    assert corner[away > stated].sum() > 0.05, "single releases do land farther"


@pytest.mark.nightly
@pytest.mark.parametrize("epsilon", [0.5, pytest.param(4.0, marks=pytest.mark.nightly)])
def test_the_minimax_base_of_a_fine_grid_says_how_near_it_is(epsilon: float) -> None:
    city = city_of(48)
    point = minimax_point(city, epsilon)
    matrix = city.grid.space.distances_from(np.arange(48 * 48))
    exact = dpot.minimax_base(matrix, epsilon, tol=1e-4)
    assert point.lower_bound <= exact.value and exact.lower_bound <= point.kilometres
    assert 0 < point.above < 0.02 and point.above == 1 - point.lower_bound / point.kilometres
    curves, cells = worst_cases(city), worst_cells(city, "minimax", epsilon)
    assert float(cells.worst) == pytest.approx(point.kilometres, rel=1e-12)
    title = worst_case_figure(curves, [point], cells).layout.title.text
    assert "minimax base to within" in title.replace("<br>", " ")
    names = [trace.name for trace in worst_case_figure(curves, [point], cells).data]
    assert any(name and name.startswith("WPM, minimax base to within") for name in names)
    caption = next(block for block in show(Config(base="minimax"), curves, cells) if isinstance(block, str))
    assert "found on blocks of cells" in caption and "curve ends" not in caption
    with_curve = next(block for block in show(Config(base="minimax"), curves, cells, [point]) if isinstance(block, str))
    assert "Its curve ends at ε = 4: " in with_curve and minimax_epsilons(city)[-1] == 4.0
    least = cells.tables()["worst-case-cells"]["worst case of any base, at least km"]
    assert np.allclose(least, point.lower_bound, rtol=1e-12)
    assert "distances" not in vars(city) and "cost" not in vars(city)


def test_the_minimax_curve_of_a_usual_grid_goes_over_the_whole_slider() -> None:
    city = city_of(12)
    assert (minimax_epsilons(city)[0], minimax_epsilons(city)[-1]) == (EPSILONS[0], EPSILONS[-1])
    points = minimax(city, minimax_epsilons(city)).points
    kilometres = np.array([point.kilometres for point in points])
    assert (np.diff(kilometres) < 0).all()
    # No uniform base is better, up to the tolerance to which the minimax base is solved.
    uniform = [farthest(city, make_base(city, "best-uniform", point.epsilon), point.epsilon) for point in points]
    assert (kilometres <= 1.001 * np.array(uniform)).all()


def test_usual_grids_say_nothing_of_blocks() -> None:
    city = city_of(12)
    cells = worst_cells(city, "minimax", 2.0)
    assert cells.above == 0 and "at least" not in " ".join(cells.tables()["worst-case-cells"].columns)


@pytest.mark.nightly
def test_zones_on_a_fine_grid_go_some_cells_at_a_time_or_say_that_they_are_too_many() -> None:
    data, place = simulated_city(60), Place(n=48, least=5)
    zoned = make_city(data, place, zones_geojson(make_city(data, place)))
    base = make_base(zoned, "best-uniform", 2.0)
    public = dpot.Public(zoned.cost, zoned.distances, 2.0, base, snap=zoned.snap)
    outputs = dpot.MECHANISMS["krr"](public)(np.eye(48 * 48))
    expected = (outputs * zoned.distances).sum(axis=1).max()
    assert worst_case.largest_of_points(zoned, "krr", base, 2.0) == pytest.approx(expected, rel=1e-12)
    with (
        patch.object(worst_case, "_MOST", 6000),
        pytest.raises(ValueError, match=r"3 zones and 2,304 cells .* 44 cells"),
    ):
        worst_cells(zoned, "best-uniform", 2.0)


@pytest.mark.nightly
@pytest.mark.parametrize("base", settings.BASES)
@pytest.mark.parametrize("n", [44, 130])
def test_the_python_gives_the_worst_case_of_a_fine_grid(base: str, n: int) -> None:
    config = Config(
        place=Place(n=n, least=120, held_out=base == "prior"), base=base, own=OWN, epsilon=1.0, drawn="0.2 0.3 2"
    )
    result = VIEWS["geolocation.worst-case"].run(config)
    names: dict = {}
    exec(snippet(config), names)
    assert float(names["worst_case"]) == pytest.approx(float(result.parts[1].worst), rel=1e-12)
    assert "distances" not in vars(names["city"]) and "cost" not in vars(names["city"])
    assert bool(names["crowd_intervals"]) == (n <= 128)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("base", settings.BASES)
def test_the_finest_grid_is_counted_and_can_be_abandoned(base: str) -> None:
    config = Config(place=Place(n=256, least=11, held_out=base == "prior"), base=base, own=OWN, epsilon=1.0)
    view = VIEWS["geolocation.worst-case"]

    class Stop(Exception):
        pass

    calls = 0

    def stop(done: int, total: int) -> None:
        nonlocal calls
        assert 0 <= done <= total
        calls += 1
        if calls == 30:
            raise Stop

    if base == "best-uniform":
        assert float(view.run(config, None, stop).parts[1].worst) > 10 and 20 < calls < 30
    else:
        with pytest.raises(Stop):
            view.run(config, None, stop)
