"""The edge of the map: a visit that crosses it costs what its move costs; a map drawn from data is named as such."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

import dpot_core as dpot
from dpot_app.batch.scenarios import VIEWS, ScenarioError
from dpot_app.cities.city import make_city
from dpot_app.cities.place import Place
from dpot_app.cities.public import public_map
from dpot_app.kit.values import filled
from dpot_app.views.geolocation.disclosed import disclosure, guarantee
from dpot_app.views.geolocation.settings import Config
from dpot_app.views.geolocation.views import city_of
from dpot_app.views.metric import protected, settings
from dpot_app.views.metric.ask.results import make_question
from dpot_app.views.metric.crowd.results import city_histograms
from dpot_core import datasets
from dpot_core.datasets.check_ins import CheckIns, great_circle_km, merged

#: The spot that everybody else visits, and how far the map reaches from it.
LAT, LON, KM = 43.05, -38.05, 5.0


def history(east_km: float) -> CheckIns:
    """Twenty people at one spot; the last one has nine visits there and one so many km to the east."""
    east = east_km / (111.19 * math.cos(math.radians(LAT)))
    labels = [f"person {i}" for i in range(20) for _ in range(10)]
    lon = np.full(200, LON)
    lon[-1] = LON + east
    # The busiest spot must not move with the visit: its square of a quarter degree has the weight of the others.
    labels += ["anchor"] * 10_000
    lat, lon = np.append(np.full(200, LAT), np.full(10_000, LAT)), np.append(lon, np.full(10_000, LON))
    rows = pd.DataFrame({"user": labels, "lat": lat, "lon": lon, "count": 1.0})
    return merged(rows, title="t", simulated=True, source="s", licence="l")


@pytest.mark.parametrize("within", [KM])
def test_a_visit_across_the_edge_costs_no_more_than_its_move(within: float) -> None:
    """Left out and the rest made up to 1, one visit of ten that moved by .2 km cost 2.03 where 1 pays for 5 km."""
    place = Place(n=6, within=within)
    config = settings.Config(place=place, changes=((0.1, 5.0),), epsilon=1.0)
    one, other = (make_city(history(km), place, clamp=True) for km in (4.95, 5.15))
    largest = protected.diameter(one)
    assert one.check_ins.n_users == other.check_ins.n_users == 21
    assert protected.diameter(other) == pytest.approx(largest, rel=1e-6), "the map may not follow the visit"
    alpha = protected.rate(config, largest)
    # The exact distance between the histories, on the ground: a tenth of .2 km.
    moved = 0.1 * great_circle_km(LAT, LON + 4.95 / 81.26, LAT, LON + 5.15 / 81.26)[()] / largest
    # A local answer: mean position, Laplace noise in the 2-norm of scale largest/alpha.
    answers = [make_question(settings.AskConfig(base=config, query="position"), city).answers for city in (one, other)]
    loss = np.linalg.norm(answers[0] - answers[1], axis=1).max() / (largest / alpha)
    assert loss <= alpha * moved * 1.01 <= 0.05
    # The crowd's histories on cells: at most sqrt(2) as far apart as the positions.
    first, second = city_histograms(one)[-2], city_histograms(other)[-2]
    apart = max(
        dpot.wasserstein(a, b, cdist(one.grid.space.points, one.grid.space.points), 1)
        for a, b in zip(city_histograms(one), city_histograms(other), strict=True)
    )
    assert apart / largest <= dpot.metric.STRETCH * moved * 1.01
    assert first.sum() == pytest.approx(1.0) and second.sum() == pytest.approx(1.0)


def test_a_box_moves_what_lies_outside_to_its_edge_instead_of_refusing_it() -> None:
    box = datasets.square_around(LAT, LON, 3.0)
    inside, outside = (make_city(history(km), Place(n=6, box=box), clamp=True) for km in (2.9, 80.0))
    assert inside.grid == outside.grid
    np.testing.assert_allclose(outside.histograms.sum(axis=1), 1.0)
    far = outside.positions.max(axis=0)
    assert far[0] == pytest.approx(outside.grid.width) and (outside.positions >= 0).all()
    with pytest.raises(ValueError, match="lie outside this grid"):
        make_city(history(80.0), Place(n=6, box=box))


def test_moving_to_the_nearest_point_brings_nothing_farther_apart() -> None:
    grid = datasets.city_grid(datasets.square_around(LAT, LON, 10.0), n=5)
    rng = np.random.default_rng(1)
    lat, lon = LAT + rng.normal(0, 0.3, 400), LON + rng.normal(0, 0.3, 400)
    plain, clamped = grid.to_km(lat, lon), grid.nearest_km(lat, lon)
    assert (cdist(clamped, clamped) <= cdist(plain, plain) * (1 + 1e-12) + 1e-9).all()
    np.testing.assert_array_equal(grid.nearest_km([89.0], [140.0]) >= 0.0, [[True, True]])  # far from the UTM zone
    kept = (plain >= 0).all(axis=1) & (plain <= (grid.width, grid.height)).all(axis=1)
    np.testing.assert_array_equal(plain[kept], clamped[kept])


@pytest.mark.parametrize("km", [0.5, 5.0, 100.0])
@pytest.mark.parametrize("lat", [0.0, 43.0, -70.0])
def test_the_map_around_a_spot_reaches_as_far_as_it_says(km: float, lat: float) -> None:
    west, south, east, north = datasets.square_around(lat, 10.0, km)
    corners = np.array([[lat, west], [lat, east], [south, 10.0], [north, 10.0]])
    reached = great_circle_km(corners[:, 0], corners[:, 1], lat, 10.0)
    assert ((reached >= km).all() and (reached <= 1.1 * km).all()) or km == 100.0
    with pytest.raises(ValueError, match="reaches over a pole: take fewer km"):
        datasets.square_around(89.9, 0.0, 100.0)


@pytest.mark.parametrize("lon", [179.95, -179.95, 180.0, -180.0])
def test_the_map_around_a_spot_at_the_180th_meridian_reaches_to_both_sides(lon: float) -> None:
    grid = datasets.city_grid(datasets.square_around(-16.8, lon, 10.0), 8)
    assert 20.0 <= grid.width <= 21.5 and 20.0 <= grid.height <= 21.5
    assert (grid.cell_of([-16.8] * 3, [lon, 179.96, -179.96]) >= 0).all()


def test_a_map_drawn_from_the_data_is_named_whatever_the_source() -> None:
    box = datasets.AUSTIN_BOX
    for source in ("simulated", "gowalla-austin", "csv"):
        for place, words in (
            (Place(n=6, around=True), "drawn around the check-ins"),
            (Place(n=6, within=5.0, around=True), "taken from the data"),
            (Place(n=6, within=5.0, box=box), ""),
            (Place(n=6, box=box), ""),
        ):
            note = protected.guarantee(settings.Config(source=source, place=place), 30.0).note
            if words and source == "simulated":
                # No real people, so that nothing of them is told.
                words = "around real people tells something about them"
            assert (words in note) if words else "data" not in note.replace("data set", "")
            assert ("nearest point of its edge" in note) == (place.box is not None or place.within > 0)
    city = make_city(datasets.simulated_city(40), Place(n=6))
    for place in (Place(n=6), Place(n=6, within=5.0)):
        promise = guarantee(Config(place=place), city.map)
        assert "o promise covers" in promise.note
        assert any("10 check-ins or more" in text for text in promise.public), "who takes part depends on the data"
    fixed = guarantee(Config(place=Place(n=6, box=box)), city.map)
    assert "o promise covers" not in fixed.note


def test_a_data_set_has_its_public_map_unless_another_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever its settings come from: a link, a scenario without a box, a line of `--set`."""
    box = datasets.square_around(43.0, -38.0, 60.0)
    real = replace(
        datasets.DATASETS["gowalla-austin"], load=lambda: replace(datasets.simulated_city(), simulated=False)
    )
    monkeypatch.setitem(datasets.DATASETS, "gowalla-austin", real)
    monkeypatch.setitem(datasets.BOXES, "gowalla-austin", box)
    config = Config(source="gowalla-austin", place=Place(n=6))
    views = {key: view for key, view in VIEWS.items() if "place.n" in view.declared or "base.place.n" in view.declared}
    assert {key.split(".")[0] for key in views} == {"geolocation", "metric"}
    city, other = city_of(config, {}), city_of(replace(config, place=Place(n=6, around=True)), {})
    assert city.grid == datasets.city_grid(box, 6) != other.grid == datasets.city_grid(real.load(), 6)
    assert disclosure(config, city.map, "worst-case").status == "public"
    assert "o promise covers" not in guarantee(config, city.map).note
    named = replace(config, place=other.place)
    assert disclosure(named, other.map, "worst-case").status == "analysis"
    assert "drawn around the check-ins" in guarantee(named, other.map).note
    shown = settings.Config(source="gowalla-austin", place=Place(n=6))
    assert protected.load(shown, {}).grid == city.grid
    assert "o promise covers" not in protected.guarantee(shown, 30.0).note
    for key, view in views.items():
        outer = "base." if "base.place.n" in view.declared else ""
        usual = filled(view.example, {f"{outer}source": "gowalla-austin"})
        same = filled(usual, {f"{outer}place.box": box})
        assert view.python(usual).count(repr(box)) == view.python(same).count(repr(box)) - 1, key
        for_page = view.parameters
        assert for_page is None or for_page(usual) == for_page(same), key
        two = filled(same, {f"{outer}place.around": True})
        with pytest.raises(ScenarioError, match=r"place\.box: must be null"):
            view.check(two)


def test_the_box_of_real_people_gives_no_free_columns() -> None:
    city = make_city(replace(datasets.simulated_city(40), simulated=False), Place(n=6))
    for view in ("person", "crowd-curve"):
        free = disclosure(Config(place=city.place), city.map, view).free
        assert not any({"lon", "lat", "east km", "north km"} & set(columns) for columns in free.values())
    assert disclosure(Config(place=city.place), city.map, "worst-case").status == "analysis"
    public = replace(city.place, box=datasets.square_around(43.0, -38.0, 30.0))
    assert disclosure(Config(place=public), city.map, "worst-case").status == "public"
    assert "lon" in disclosure(Config(place=public), city.map).free["person-cells"]


@pytest.mark.parametrize("box", [None, datasets.AUSTIN_BOX])
@pytest.mark.parametrize("within", [0.0, 5.0])
def test_a_map_is_public_where_the_promise_leaves_nothing_out(box: Any, within: float) -> None:
    """What the note says of the map, the marks on columns say too: around a busy spot real people tell where it is."""
    place = Place(n=6, box=box, within=within)
    real = make_city(replace(datasets.simulated_city(40), simulated=False), Place(n=6)).map
    promise, told = guarantee(Config(place=place), real), disclosure(Config(place=place), real)
    known = "o promise covers" not in promise.note
    assert known == (box is not None and within == 0.0) == public_map(place)
    assert ("lon" in told.free["person-cells"]) == known
    assert (disclosure(Config(place=place), real, "worst-case").status == "public") == known


def test_promises_on_unlike_maps_do_not_add_up() -> None:
    near, far = (protected.guarantee(settings.Config(), largest) for largest in (30.0, 40.0))
    assert near.unit == "the map's diagonal, 30 km" and "distance 1 is" in near.neighbours_text
    assert near.compose(near).rate == pytest.approx(2 * near.rate)
    with pytest.raises(ValueError, match="units of distance do not add up"):
        near.compose(far)
