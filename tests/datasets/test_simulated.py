"""The simulated city: seeded, quick, no person's home, and about as hard as real check-ins."""

import time

import numpy as np
import pytest

from dpot_core.datasets import city_grid, load_gowalla_austin, simulated_city
from dpot_core.datasets.check_ins import great_circle_km
from dpot_core.datasets.simulated import CENTRE


def shape_of(checkins):
    """Of each user's distribution on 20 x 20 cells: the effective number of cells, the largest share."""
    histograms = city_grid(checkins, 20).histograms(checkins)
    logs = np.log(histograms, out=np.zeros_like(histograms), where=histograms > 0)
    return np.exp(-(histograms * logs).sum(axis=1)), histograms.max(axis=1)


def test_simulated_data_say_that_no_person_is_real():
    checkins = simulated_city(20)
    assert checkins.simulated
    assert checkins.title == "Simulated city (no real people)"
    assert "invented" in checkins.notes[0]
    assert "seed=1" in checkins.source


def test_the_seed_decides():
    assert simulated_city(50, seed=3) == simulated_city(50, seed=3)
    assert not np.array_equal(simulated_city(50, seed=3).lat, simulated_city(50, seed=4).lat)


@pytest.mark.slow
@pytest.mark.parametrize("n_users", [1, 2, 500, 1500])
def test_everyone_has_ten_check_ins_at_several_places(n_users):
    checkins = simulated_city(n_users)
    assert checkins.n_users == checkins.with_at_least(10).n_users == n_users
    assert np.bincount(checkins.user).min() >= 2
    assert (checkins.count == np.floor(checkins.count)).all()


def test_activity_is_heavy_tailed():
    totals = np.sort(simulated_city(500).totals)
    assert totals[-1] > 10 * np.median(totals)
    assert totals[-50:].sum() > 0.3 * totals.sum()


def test_the_city_is_a_city_in_the_open_atlantic():
    checkins = simulated_city(500)
    assert great_circle_km(checkins.lat, checkins.lon, *CENTRE).max() < 20
    grid = city_grid(checkins, 20)
    assert 18 < grid.width < 32
    assert 18 < grid.height < 32


def test_no_person_checks_in_in_the_river():
    checkins = simulated_city(500)
    names = [name for name, _ in checkins.outlines]
    assert names == ["River", "Motorway"]
    river = checkins.outlines[0][1]
    north = np.interp(checkins.lon, river[:, 0], river[:, 1])
    # A workplace lies up to 0.2 km beside its building, the banks 0.35 km from the middle.
    km_from_river = np.abs(checkins.lat - north) * 111.2
    assert km_from_river.min() > 0.1
    assert (km_from_river < 0.34).mean() < 0.01


def test_as_hard_as_real_check_ins(real_data, monkeypatch):
    monkeypatch.setenv("DPOT_DATA", str(real_data("gowalla/austin_counts.csv.gz").parents[1]))
    real_cells, real_share = shape_of(load_gowalla_austin().with_at_least(10))
    cells, share = shape_of(simulated_city(500))
    assert 0.6 < np.median(cells) / np.median(real_cells) < 1.7
    assert 0.6 < np.median(share) / np.median(real_share) < 1.7


@pytest.mark.parametrize("n_users", [0, -1, 5001, 1.5, float("nan")])
def test_refuses_a_senseless_number_of_people(n_users):
    with pytest.raises(ValueError, match="n_users must"):
        simulated_city(n_users)


def test_refuses_a_negative_seed():
    with pytest.raises(ValueError, match="seed must"):
        simulated_city(10, seed=-1)


def test_simulated_data_take_less_than_150_ms():
    simulated_city(10)
    took = []
    for _ in range(5):
        start = time.thread_time()
        simulated_city(500)
        took.append(time.thread_time() - start)
    assert min(took) < 0.15
