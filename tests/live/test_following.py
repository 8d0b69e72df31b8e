"""Frames at some values of a slider: on the page the nearest one stands in, a file of its own has no others."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.live.frames import Screen
from dpot_app.shell.following import at_nearest, at_some
from dpot_app.shell.live import Scrub
from tests.apps import open_page, ran

SCRUB = Scrub("epsilon", "ε", "page_epsilon", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), tuple("123456"), 0)


def screen(value: float, _progress: object) -> Screen:
    return {"words": f"{value:g}"}


def progress(done: int, total: int) -> None:
    """Progress that no one waits for."""


def test_the_nearest_value_with_a_frame_stands_in() -> None:
    draw = at_nearest(SCRUB, (2.0, 6.0), screen)
    drawn = [draw(value, progress) for value in SCRUB.values]
    assert drawn == [{"words": value} for value in "222266"]
    assert at_nearest(SCRUB, (), screen)(3.0, progress) is None


def test_other_values_have_no_screen() -> None:
    draw = at_some({2.0, 6.0}, screen)
    assert [draw(value, progress) is not None for value in SCRUB.values] == [False, True, False, False, False, True]


def walked(app: AppTest, page: str = "ring") -> list[Any]:
    """What the newest frames of the page compute ahead: the settings."""
    (_, frames) = list(app.session_state[f"{page}_live"].values())[-1]
    return [one.args[0] for one in frames.ahead]


@pytest.mark.nightly
def test_the_next_step_of_a_slider_that_moved_is_computed_ahead() -> None:
    app = open_page("ring")
    assert walked(app) == []
    for k, onward in ((29, 28), (28, 27), (29, 30)):
        ran(app.slider(key="ring_k").set_value(k).run())
        (config,) = walked(app)
        assert config.ring.k == onward
    # Nothing is kept of what is computed from a reader's own numbers.
    own = open_page("ring", {"ring_input": "My numbers", "ring_p": "2"})
    ran(own.select_slider(key="ring_p").set_value(3).run())
    assert walked(own) == []
    # One that cannot go on has no next step, and two that changed at once have none either.
    ran(app.slider(key="ring_k").set_value(3).run())
    assert walked(app) == []
    app.slider(key="ring_k").set_value(20)
    ran(app.select_slider(key="ring_p").set_value(3).run())
    assert walked(app) == []


@pytest.mark.nightly
def test_where_nothing_is_drawn_in_advance_both_neighbours_are_computed() -> None:
    app = open_page("geolocation", {"geo_n": "48"})
    assert [config.epsilon for config in walked(app, "geo")][:4] == [1.5, 2.5, 1.2, 3.0]
    ran(app.select_slider(key="geo_epsilon").set_value(1.5).run())
    assert [config.epsilon for config in walked(app, "geo")][:3] == [1.2, 1.2, 2.0], (
        "the next step of a walk comes first"
    )
    first, *others = (float(option) for option in app.select_slider(key="geo_epsilon").options[:5])
    ran(app.select_slider(key="geo_epsilon").set_value(first).run())
    assert [config.epsilon for config in walked(app, "geo")] == others
