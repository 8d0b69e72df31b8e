"""Pictures that are kept for the next reader of the same results: the same as made anew, and no reader's own."""

from __future__ import annotations

import sys

import numpy as np
import plotly.graph_objects as go
import pytest

from dpot_app.kit.blocks import Picture, Same, pictures
from dpot_app.kit.cache import Cache, in_advance, weight
from dpot_app.live.frames import text
from dpot_app.shell import views
from dpot_app.shell.views import _SCREENS, MOST_BYTES, _screen
from dpot_app.views.table import VIEWS
from tests.apps import open_page
from tests.batch.scenarios.outcomes import by_day, outcome_of


@pytest.mark.nightly
@pytest.mark.parametrize("key", by_day(VIEWS))
def test_kept_screens_equal_new_ones(key: str) -> None:
    view, results = VIEWS[key], outcome_of(key).results
    for show in (view.show, *(tab.show for tab in view.tabs if tab.show)):
        for dark in (False, True):
            for picture in pictures(tuple(show(results.config, *results.parts))):
                _screen(picture, {}, dark=dark, large=False, keep=True)
                kept = _screen(picture, {picture.name: ("foot",)}, dark=dark, large=False, keep=True)
                anew = _screen(picture, {}, dark=dark, large=False, keep=False)
                assert text({**anew, "foot": ["foot"]}) == text(kept)


def test_pictures_are_told_apart_by_all_that_they_are_made_of() -> None:
    def figure(*of: object) -> None: ...

    result = [1.0]
    told = [Picture("", "", text, *of).made_of for of in ((result, 1), (result, 2), ([1.0], 1), (result, True))]
    assert told[0] == told[2] and len(set(told)) == 3, "lists by what they hold"
    one, other = ([Picture("", "", text, of, 1).made_of for of in (held, held)] for held in (Same(1), Same(1)))
    assert one[0] == one[1] and other[0] == other[1] and one[0] != other[0], "results by which they are"
    assert Picture("", "", figure, 1).made_of is None, "a function that is made anew each time"


@pytest.mark.parametrize(("link", "kept"), [({}, True), ({"ring_input": "My numbers", "ring_numbers": "1,2,3"}, False)])
def test_no_readers_own_are_kept(link: dict[str, str], kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(views, "_SCREENS", _Noting(asked))
    app = open_page("ring", {"ring_k": "3", **link})
    assert not app.warning and bool(asked) == kept


@pytest.mark.nightly
def test_frames_push_out_no_picture_that_was_asked_for_and_bytes_stay_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, made = Cache(400, aside=200, weigh=weight, most_bytes=MOST_BYTES // 64), []
    monkeypatch.setattr(views, "_SCREENS", kept)
    monkeypatch.setattr(sys.modules[__name__], "_made", made.append)

    def seen(number: int) -> None:
        _screen(Picture("", "", _bars, number), {}, dark=False, large=False, keep=True)

    seen(-1)
    with in_advance():
        for number in range(600):
            seen(number)
            assert kept.weight <= MOST_BYTES // 64
    seen(-1)
    assert made.count(-1) == 1 and len(made) == 601
    assert isinstance(_SCREENS, Cache) and _SCREENS._most[True] and _SCREENS._most_bytes[False], "as the app has it"


def _made(number: int) -> None: ...


def _bars(number: int) -> go.Figure:
    _made(number)
    figure = go.Figure(go.Bar(y=np.arange(500.0) + number))
    return figure.update_layout(title={"text": "Bars"}, height=400)


class _Noting:
    def __init__(self, asked: list[object]) -> None:
        self._asked = asked

    def get(self, key: object, made: object) -> object:
        self._asked.append(key)
        return _SCREENS.get(key, made)  # type: ignore[arg-type]
