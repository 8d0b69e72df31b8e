"""What lies under the cells: names and borders where they are, nothing where no data are embedded."""

import numpy as np
import pytest

from dpot_core.cities.base_map import base_map
from dpot_core.datasets.city_grid import city_grid


def test_austin_is_named_where_it_is_and_no_name_meets_another() -> None:
    grid = city_grid((-97.95, 30.05, -97.45, 30.6), 20)
    found = base_map(grid)
    (austin,) = [place for place in found.names if place[0] == "Austin"]
    ((east, north),) = grid.to_km([30.267], [-97.743])
    assert austin[1:] == pytest.approx((east, north), abs=1.0)
    at = np.array([place[1:] for place in found.names])
    assert ((at > 0) & (at < (grid.width, grid.height))).all()
    for one in range(len(at)):
        for other in range(one):
            across, up = np.abs(at[one] - at[other])
            assert across > 0.3 * grid.width or up > 0.07 * grid.width
    assert found.locator is not None and found.locator[1] == pytest.approx((-97.7, 30.3), abs=0.1)
    assert len(found.borders) == 0


def test_a_border_of_states_is_drawn_where_it_runs() -> None:
    # The Mississippi at St. Louis parts Missouri from Illinois.
    grid = city_grid((-90.4, 38.5, -90.0, 38.8), 10)
    borders = base_map(grid).borders
    inside = borders[~np.isnan(borders).any(axis=1)]
    assert len(inside) > 1
    # Cut in degrees, whose box is a little larger.
    assert ((inside > -1) & (inside < (grid.width + 1, grid.height + 1))).all()


def test_elsewhere_nothing_is_claimed() -> None:
    found = base_map(city_grid((2.2, 48.8, 2.5, 48.95), 10))
    assert found.names == () and len(found.borders) == 0 and found.locator is None
