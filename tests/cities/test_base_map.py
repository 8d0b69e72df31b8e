"""What lies under the cells: names and borders where they are, nothing where no data are embedded."""

import numpy as np
import pytest
import shapely

from dpot_app.cities.base_map import NAMES_TURN, base_map
from dpot_app.views.population.map.results import names_on
from dpot_app.views.population.people import scale_ratio
from dpot_core.arguments import Array
from dpot_core.datasets import box_outline, us_outline
from dpot_core.datasets.city_grid import city_grid


def assert_apart(names: list[str], at: Array) -> None:
    """No name meets another on a phone, where letters of 5 pixels stand on a map of 340, 11 pixels high."""
    boxes = []
    for name, (x, y) in zip(names, at, strict=True):
        wide = 5.0 / 340 * len(name)
        boxes.append(shapely.box(x - wide * (x > NAMES_TURN), y - 6 / 340, x + wide * (x <= NAMES_TURN), y + 6 / 340))
    assert shapely.area(shapely.union_all(boxes)) == pytest.approx(shapely.area(boxes).sum())


def test_a_country_has_its_largest_cities_and_no_name_meets_another() -> None:
    names = names_on(us_outline())
    said = [name for name, *_ in names]
    assert said[:3] == ["New York City", "Los Angeles", "Chicago"] and len(said) == 10
    west, south, east, _ = us_outline().bounds
    at = (np.array([place[1:] for place in names]) - (west, south)) * (1.0, scale_ratio(us_outline()))
    assert_apart(said, at / (east - west))
    # No map knows what is where the coordinates are of no country.
    assert names_on(box_outline(-110, 30, -90, 40)) == ()


def test_austin_is_named_where_it_is_and_no_name_meets_another() -> None:
    grid = city_grid((-97.95, 30.05, -97.45, 30.6), 20)
    found = base_map(grid)
    (austin,) = [place for place in found.names if place[0] == "Austin"]
    ((east, north),) = grid.to_km([30.267], [-97.743])
    assert austin[1:] == pytest.approx((east, north), abs=1.0)
    at = np.array([place[1:] for place in found.names])
    assert ((at > 0) & (at < (grid.width, grid.height))).all()
    assert_apart([name for name, *_ in found.names], at / grid.width)
    assert "GeoNames (CC BY 4.0), outlines from the US Census Bureau" in found.credit
    assert found.locator is not None and found.locator[1] == pytest.approx((-97.7, 30.3), abs=0.1)
    assert len(found.borders) == 0
    inside = found.counties[~np.isnan(found.counties).any(axis=1)]
    assert len(inside) > 5 and ((inside > -1) & (inside < (grid.width + 1, grid.height + 1))).all()


@pytest.mark.nightly
def test_a_border_of_states_is_drawn_where_it_runs() -> None:
    # The Mississippi at St. Louis parts Missouri from Illinois.
    grid = city_grid((-90.4, 38.5, -90.0, 38.8), 10)
    borders = base_map(grid).borders
    inside = borders[~np.isnan(borders).any(axis=1)]
    assert len(inside) > 1
    # Cut in degrees, whose box is a little larger.
    assert ((inside > -1) & (inside < (grid.width + 1, grid.height + 1))).all()


def test_elsewhere_cities_have_names_and_there_is_no_locator() -> None:
    found = base_map(city_grid((2.2, 48.8, 2.5, 48.95), 10))
    assert found.names[0][0] == "Paris" and len(found.names) > 1
    assert len(found.borders) == len(found.counties) == 0 and found.locator is None
    assert found.credit == "On maps: names of places from GeoNames (CC BY 4.0)."


def test_elsewhere_the_coast_is_drawn_without_the_edge_of_the_map() -> None:
    grid = city_grid((14.15, 40.75, 14.4, 40.95), 10)  # Naples and its gulf
    shore = base_map(grid).borders
    shore = shore[~np.isnan(shore).any(axis=1)]
    assert len(shore) > 5
    on_edge = (shore < 0.01) | (shore > np.array([grid.width, grid.height]) - 0.01)
    assert on_edge.all(axis=1).sum() == 0 and on_edge.any(axis=1).mean() < 0.5


def test_in_the_open_sea_nothing_is_claimed() -> None:
    found = base_map(city_grid((-140.5, 0.0, -140.0, 0.5), 10))
    assert found.names == () and len(found.borders) == 0 and not found.credit
