"""A session in which a slider moves for hours does not grow."""

import gc
import tracemalloc

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.views.table import VIEWS
from tests.apps import open_page, ran

VALUES = [value for value in VIEWS["ring.outputs"].declared["epsilon"].stops if value is not None]


def once(app: AppTest) -> None:
    """To every value of the slider; the app runs each time, as on release, and offers its frames anew."""
    for value in VALUES:
        app.select_slider(key="ring_epsilon").set_value(value)
        ran(app.run())


@pytest.mark.nightly
def test_the_server_does_not_grow_while_a_slider_moves() -> None:
    app = open_page("ring")
    once(app)  # every result is in the bounded memory by now
    gc.collect()
    tracemalloc.start()
    try:
        once(app)
        gc.collect()
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # One screen of the page takes more than 100 kB: kept after each of 28 moves, they would be 3 MB.
    assert grown < 700_000, grown
