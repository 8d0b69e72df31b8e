"""Frames at some values of a slider: on the page the nearest one stands in, a file of its own has no others."""

from dpot_core.live.frames import Screen
from pages._shell.following import at_nearest, at_some
from pages._shell.live import Scrub

SCRUB = Scrub("epsilon", "ε", "page_epsilon", (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), tuple("123456"), 0)


def screen(value: float, _progress: object) -> Screen:
    return {"words": f"{value:g}"}


def progress(done: int, total: int) -> None:
    """Nobody waits."""


def test_the_nearest_value_with_a_frame_stands_in() -> None:
    draw = at_nearest(SCRUB, (2.0, 6.0), screen)
    drawn = [draw(value, progress) for value in SCRUB.values]
    assert drawn == [{"words": value} for value in "222266"]
    assert at_nearest(SCRUB, (), screen)(3.0, progress) is None


def test_other_values_have_no_screen() -> None:
    draw = at_some({2.0, 6.0}, screen)
    assert [draw(value, progress) is not None for value in SCRUB.values] == [False, True, False, False, False, True]
