"""The grid over a city: kilometres that are right, no person outside, rows that sum to 1."""

import time

import numpy as np
import pandas as pd
import pyproj
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from dpot_core.datasets import city_grid, load_gowalla_austin, simulated_city
from dpot_core.datasets.check_ins import CheckIns, merged

INFO = {"title": "T", "simulated": True, "source": "S", "licence": "L"}
AUSTIN = (-97.95, 30.10, -97.55, 30.52)


def checkins_at(lat, lon, users=None, count=None) -> CheckIns:
    lat, lon = np.atleast_1d(np.asarray(lat, float)), np.atleast_1d(np.asarray(lon, float))
    labels = [str(i) for i in range(len(lat))] if users is None else users
    counts = np.ones(len(lat)) if count is None else np.asarray(count, float)
    return merged(pd.DataFrame({"user": labels, "lat": lat, "lon": lon, "count": counts}), **INFO)


@pytest.mark.parametrize("n", [5, 20, 40])
def test_cells_cover_the_box_once(n):
    grid = city_grid(AUSTIN, n)
    assert len(grid) == n * n == len(grid.space) == len(grid.cells) == len(grid.centres_lonlat)
    assert (grid.epsg, grid.utm_name) == (32614, "WGS 84 / UTM zone 14N")
    shapes = shapely.polygons(grid.cells)
    assert shapely.is_valid(shapes).all()
    assert (shapely.get_exterior_ring(shapes) == [s.exterior for s in shapes]).all()
    assert all(shape.exterior.is_ccw for shape in shapes)
    assert shapely.union_all(shapes, grid_size=1e-9).area == pytest.approx(shapely.area(shapes).sum(), rel=1e-6)
    inside = shapely.contains_xy(shapes, grid.centres_lonlat[:, 0], grid.centres_lonlat[:, 1])
    assert inside.all()


def test_cells_and_points_share_their_index():
    grid = city_grid(AUSTIN, 12)
    lon, lat = grid.centres_lonlat.T
    assert grid.cell_of(lat, lon).tolist() == list(range(144))
    assert grid.to_km(lat, lon) == pytest.approx(grid.space.points, abs=1e-6)
    # Row by row from the south-west: the next cell lies east, the next row north.
    assert lon[1] > lon[0]
    assert lat[12] > lat[0]


@pytest.mark.parametrize("where", [AUSTIN, (9.0, 53.3, 10.4, 53.8), (-71.0, -34.0, -70.2, -33.2), (20.0, 69.0, 22, 70)])
def test_distances_are_those_on_the_ellipsoid(where):
    grid = city_grid(where, 10)
    lon, lat = grid.centres_lonlat.T
    i, j = np.triu_indices(100, 1)
    exact = pyproj.Geod(ellps="WGS84").inv(lon[i], lat[i], lon[j], lat[j])[2] / 1000
    assert np.abs(grid.space.distances()[i, j] / exact - 1).max() < 1.5e-3


def test_southern_and_polar_cities():
    assert city_grid((151.0, -34.0, 151.4, -33.7), 5).utm_name == "WGS 84 / UTM zone 56S"
    with pytest.raises(ValueError, match=r"a map around lat 89.* Leave out rows"):
        city_grid((0.0, 88.9, 1.0, 89.1), 5)


def test_no_person_is_outside():
    checkins = simulated_city(300)
    for n in (5, 17, 40):
        assert city_grid(checkins, n).cell_of(checkins.lat, checkins.lon).min() >= 0


@pytest.mark.nightly
@pytest.mark.slow
@given(
    st.floats(-79, 83),
    st.floats(-170, 170),
    st.lists(st.tuples(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3)), min_size=1, max_size=20),
    st.integers(5, 20),
)
def test_no_person_is_outside_anywhere_on_earth(lat, lon, offsets, n):
    checkins = checkins_at([lat + a for a, _ in offsets], [lon + b for _, b in offsets])
    grid = city_grid(checkins, n)
    histograms = grid.histograms(checkins)
    assert histograms.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert min(grid.width, grid.height) >= 1.0


def test_points_outside_have_no_cell_and_their_check_ins_no_histogram():
    grid = city_grid(AUSTIN, 20)
    assert grid.cell_of([30.3, 31.0, -30.0, 90.0], [-97.7, -97.7, 82.0, 0.0]).tolist()[1:] == [-1, -1, -1]
    with pytest.raises(ValueError, match="1 of 2 check-in rows lie outside"):
        grid.histograms(checkins_at([30.3, 31.0], [-97.7, -97.7]))
    with pytest.raises(ValueError, match="lie outside"):
        grid.crowd(checkins_at([30.3, 31.0], [-97.7, -97.7]))


@pytest.mark.parametrize("n", [5, 6])
def test_check_ins_in_one_spot_still_have_a_grid(n):
    checkins = checkins_at([52.5, 52.5], [13.4, 13.4])
    grid = city_grid(checkins, n)
    assert (grid.width, grid.height) == (1.0, 1.0)
    histograms = grid.histograms(checkins)
    assert (histograms.max(axis=1) == 1).all()
    assert grid.space.diameter > 0


def test_a_line_of_check_ins_has_a_strip():
    grid = city_grid(checkins_at([52.5] * 3, [13.0, 13.2, 13.4]), 10)
    assert grid.width > 27
    assert grid.height == pytest.approx(1.0, abs=0.5)


def test_histograms_against_a_slow_count():
    rng = np.random.default_rng(0)
    users = [str(i) for i in rng.integers(0, 7, 200)]
    checkins = checkins_at(
        30.3 + rng.normal(0, 0.1, 200), -97.7 + rng.normal(0, 0.1, 200), users, rng.integers(1, 9, 200)
    )
    grid = city_grid(checkins, 8)
    expected = np.zeros((checkins.n_users, 64))
    for user, lat, lon, count in zip(checkins.user, checkins.lat, checkins.lon, checkins.count, strict=True):
        x, y = grid.to_km(lat, lon)[0]
        expected[user, int(y / (grid.height / 8)) * 8 + int(x / (grid.width / 8))] += count
    expected /= expected.sum(axis=1, keepdims=True)
    assert grid.histograms(checkins) == pytest.approx(expected, abs=1e-12)
    assert grid.crowd(checkins) == pytest.approx(expected.mean(axis=0), abs=1e-12)


def test_every_user_counts_the_same_in_the_crowd():
    checkins = checkins_at([30.2, 30.4], [-97.8, -97.6], ["busy", "quiet"], [1000, 1])
    crowd = city_grid(checkins, 5).crowd(checkins)
    assert sorted(crowd[crowd > 0]) == [0.5, 0.5]


def test_too_large_a_histogram_is_refused():
    checkins = checkins_at(np.full(130_000, 30.0), np.full(130_000, -97.0))
    with pytest.raises(ValueError, match="select fewer users"):
        city_grid(checkins, 40).histograms(checkins)


@pytest.mark.parametrize("n", [4, 257, 7.5, float("nan"), "many"])
def test_n_is_5_to_256(n):
    with pytest.raises(ValueError, match="n must"):
        city_grid(AUSTIN, n)


@pytest.mark.parametrize("box", [(-97.5, 30.1, -97.9, 30.5), (0, 91, 1, 92), (0, 0, 1, np.nan), (200, 0, 201, 1)])
def test_a_box_that_is_none(box):
    with pytest.raises(ValueError, match="box must"):
        city_grid(box, 20)


def test_a_continent_is_no_city():
    checkins = checkins_at([30.3, 30.3, 40.7], [-97.7, -97.7, -74.0])
    with pytest.raises(ValueError, match=r"span 2,\d\d\d km; a city grid takes at most 300 km"):
        city_grid(checkins, 20)
    grid = city_grid(checkins.near(*checkins.busiest_point(), km=50), 20)
    assert grid.utm_name.endswith("14N")


def test_equal_grids_are_equal():
    assert city_grid(AUSTIN, 5) == city_grid(AUSTIN, 5)
    assert hash(city_grid(AUSTIN, 5)) == hash(city_grid(AUSTIN, 5))
    assert city_grid(AUSTIN, 5) != city_grid(AUSTIN, 6)


@pytest.mark.nightly
def test_2000_users_by_1600_cells_take_less_than_50_ms(real_data, monkeypatch):
    monkeypatch.setenv("DPOT_DATA", str(real_data("gowalla/austin_counts.csv.gz").parents[1]))
    checkins = load_gowalla_austin().select(range(2000))
    grid, took = city_grid(checkins, 40), []
    for _ in range(7):
        start = time.thread_time()
        histograms = grid.histograms(checkins)
        took.append(time.thread_time() - start)
    assert histograms.shape == (2000, 1600)
    assert histograms.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert min(took) < 0.05
