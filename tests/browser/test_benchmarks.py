"""What the benchmarks measure in Chromium can be measured: pages forbid what many a script takes for granted."""

import pytest

from benchmarks import live, opening, slider
from tests.browser import driver
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.nightly


def test_benchmarks_find_what_they_time(open_page: OpenPage) -> None:
    page = open_page("/board")
    assert 0 < opening.followed(page, "/explain") < 60
    page = open_page("/geolocation?geo_n=6", on=page)
    page.evaluate(slider.NOTE_PICTURES)
    assert 0 < slider.released_at(page, 0.3) < 60
    driver.unfold(page)
    assert 0 < slider.pressed(page, "Cells per side of the grid", "ArrowLeft") < 60
    driver.wait_idle(page)
    driver.ready(page)
    painted, trip = live.drag(page, "geo_epsilon")
    assert painted and min(painted) >= 0 and trip > 0
