"""Numbers worked out from a reader's own file go with it: when it is forgotten, replaced, or its session ends."""

from __future__ import annotations

import gc
import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from weakref import ReferenceType, ref

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario
from dpot_app.batch.tags import tag_of
from dpot_app.kit import cache
from dpot_app.shell.controls import Controls
from dpot_app.shell.pins import Board, Offer, _pin
from dpot_app.views.table import VIEWS
from dpot_core import datasets
from tests.apps import open_page, pin


def test_nothing_holds_a_file_that_was_forgotten() -> None:
    """The button that pins holds what it would pin, frames hold what they are drawn from, and a session both."""
    app, content, drawn = with_a_file()
    held = sys.getrefcount(content)
    app.sidebar.button(key="geo_check-ins_kept_forget").click().run()
    gc.collect()
    # No one but this test; Python does not tell who holds plain bytes.
    mine = check_ins()
    assert sys.getrefcount(content) == sys.getrefcount(mine) < held
    assert not any(each() for each in drawn), "they were given to all who knew their token"


@pytest.mark.nightly
def test_a_file_in_the_place_of_another_leaves_nothing_of_it() -> None:
    nothing_kept()
    app, content, drawn = with_a_file()
    before = {key for key in all_keys() if "csv" in str(key)}
    other = check_ins(40)
    app.sidebar.file_uploader(key="geo_check-ins_file").set_value(("other.csv", other, "text/csv")).run()
    assert app.session_state["geo_check-ins_kept"].content == other and not app.error
    gc.collect()
    assert not before & set(all_keys()) and not any(each() for each in drawn)
    mine = check_ins()
    assert sys.getrefcount(content) == sys.getrefcount(mine)


def test_the_board_keeps_a_file_that_it_needs_and_says_so() -> None:
    app = with_a_file()[0]
    own = app.session_state["geo_check-ins_kept"]
    tag, digest = own.tag, own.digest
    pin(app, "geo")
    app.run()
    assert any("what-if board also keeps it" in caption.value for caption in app.sidebar.caption)
    app.sidebar.button(key="geo_check-ins_kept_forget").click().run()
    board = app.session_state["board"]
    assert board.files == {tag: check_ins()}
    cache.CACHE.get(("a summary", digest), lambda: 1)
    board.put([])
    assert board.files == {} and cache.CACHE.get(("a summary", digest), lambda: 2) == 2


def test_numbers_of_the_board_from_a_file_go_with_its_session() -> None:
    """A file may be brought to the board alone, for scenarios that were loaded."""
    memory, content = cache.Cache(4), check_ins()
    digest, tag = hashlib.sha256(content).digest(), tag_of(content)
    board = Board()
    board.add(Scenario("geolocation.person", "A person", person(), (("check-ins", tag),)))
    board.bring({tag: content, "another": b"that nothing reads"})
    assert board.files == {tag: content}
    assert memory.get(("a summary", digest), lambda: 1) == 1
    del board
    gc.collect()
    assert memory.get(("a summary", digest), lambda: 2) == 2


def test_a_forgotten_file_is_not_pinned() -> None:
    """A reader presses "Forget it" and, before the page is drawn again, the button that pins."""
    app = with_a_file()[0]
    own = app.session_state["geo_check-ins_kept"]
    view, config = VIEWS["geolocation.person"], person()
    offer = Offer(view, view.run(config, {"check-ins": own.content}), True, {"check-ins": own})
    own.empty()
    board = Board()
    _pin(board, Controls("geo"), offer, {})
    assert board.pins == [] and board.files == {} and "forgotten" in (board.said or "")


def person() -> Any:
    """Settings of one person of a file of one's own."""
    config = VIEWS["geolocation.person"].example
    return scenarios.put(scenarios.put(config, "source", "csv"), "place.n", 5)


def with_a_file() -> tuple[AppTest, bytes, list[ReferenceType[Any]]]:
    """A page with a file, left and opened again; the file, all its frames, and the numbers behind its pictures."""
    app = open_page("geolocation", {"geo_data": "My CSV file", "geo_n": "5"})
    app.sidebar.file_uploader(key="geo_check-ins_file").set_value(("mine.csv", check_ins(), "text/csv")).run()
    open_page("metric", None, app)
    open_page("geolocation", {"geo_data": "My CSV file", "geo_n": "5"}, app)
    content = app.session_state["geo_check-ins_kept"].content
    assert content == check_ins() and not app.error
    live, behind = app.session_state["geo_live"], app.session_state["picture_numbers"]
    assert len(live) == 2 and "geo-person-outputs" in behind  # the picture and the curve of worst cases
    return app, content, [*(ref(frames) for _, frames in live.values()), *map(ref, behind.values())]


def written(heads: str, *columns: Iterable[object]) -> bytes:
    return "\n".join([heads, *(",".join(map(str, row)) for row in zip(*columns, strict=True))]).encode()


def check_ins(count: int = 30) -> bytes:
    people = datasets.simulated_city(count)
    return written("user,lat,lon", people.user, people.lat, people.lon)


def ratings() -> bytes:
    films = datasets.simulated_films(40, 60)
    return written("user,film,rating", films.user, films.film, films.stars)


def points() -> bytes:
    places = np.random.default_rng(0).uniform(size=(400, 2))
    return written("set,x,y", np.arange(400) % 2, *places.T)


@pytest.mark.parametrize(
    ("key", "source", "content", "more"),
    [
        ("geolocation.person", "source", check_ins, {"place.n": 6}),
        pytest.param("geolocation.worst-case", "source", check_ins, {"place.n": 6}, marks=pytest.mark.nightly),
        ("geolocation.crowd", "source", check_ins, {"place.n": 6}),
        ("metric.protect", "base.source", check_ins, {}),
        pytest.param("metric.ask", "base.source", check_ins, {}, marks=pytest.mark.nightly),
        ("movies.user", "source", ratings, {"split.candidates": 10, "split.dimensions": 4}),
        ("sinkhorn.release", "data.source", points, {"data.n": 5}),
        pytest.param("sinkhorn.convergence", "data.source", points, {}, marks=pytest.mark.nightly),
    ],
)
def test_all_that_was_worked_out_on_the_way_from_a_file_is_forgotten(
    key: str, source: str, content: Callable[[], bytes], more: Mapping[str, object]
) -> None:
    """A city made of a file has a key of its own: its base measures and its people's distributions were kept."""
    nothing_kept()
    view, brought = VIEWS[key], content()
    config = view.example
    for name, value in {source: "csv", **more}.items():
        config = scenarios.put(config, name, value)
    before = set(all_keys())
    role = next(iter(view.files(config)))
    view.run(config, {role: brought})
    assert set(all_keys()) > before
    cache.forget(hashlib.sha256(brought).digest())
    assert set(all_keys()) == before


@pytest.mark.nightly
def test_numbers_of_a_page_from_a_file_are_forgotten() -> None:
    nothing_kept()
    app = open_page("geolocation", {"geo_data": "My CSV file", "geo_n": "5"})
    before = set(all_keys())
    app.sidebar.file_uploader(key="geo_check-ins_file").set_value(("mine.csv", check_ins(), "text/csv")).run()
    assert not app.exception and not app.error and set(all_keys()) > before
    cache.forget(app.session_state["geo_check-ins_kept"].digest)
    assert set(all_keys()) == before


def nothing_kept() -> None:
    """Empty all memories, also of what came from earlier tests' sessions, which may have had the same files."""
    gc.collect()
    cache.forget_gone()
    for each in cache._EVERY:
        each.clear()


def all_keys() -> list[object]:
    """The keys of all that is kept."""
    return [key for each in cache._EVERY for entries in each._memories.values() for key in entries]


@pytest.mark.parametrize("forgotten", [b"m" * 32, b"t" * 32])
def test_numbers_used_by_two_sessions_are_forgotten_with_either(forgotten: bytes) -> None:
    memory = cache.Cache(4)
    mine, theirs = b"m" * 32, b"t" * 32
    for digest in (mine, theirs):
        with cache.from_files([digest]):
            memory.get("the same data in two files", lambda: 1)
    memory.get("the same data in two files", lambda: 2)
    cache.forget(forgotten)
    assert memory.get("the same data in two files", lambda: 3) == 3


@pytest.mark.parametrize("on_the_way", [False, True])
def test_work_under_way_is_not_kept_when_its_file_is_forgotten(on_the_way: bool) -> None:
    """Frames are computed ahead while the button is pressed; what they are computed from has keys of its own."""
    memory, forgotten, other = cache.Cache(4), b"f" * 32, b"o" * 32

    def compute() -> int:
        if not on_the_way:
            cache.forget(forgotten)
        found = memory.get("its base measure", lambda: 1)
        cache.forget(forgotten)
        memory.get("what comes later", lambda: 2)
        return found

    with cache.from_files([other]):
        with cache.from_files([forgotten]):
            assert memory.get("its distribution", compute) == 1
        assert memory.get("of another", lambda: 3) == 3
    kept = [key for entries in memory._memories.values() for key in entries]
    assert kept == ["of another"] and memory._working == {}


def test_numbers_from_a_file_go_with_its_session() -> None:
    class Session:
        pass

    own, memory = Session(), cache.Cache(4)
    digest = b"d" * 32
    cache.forget_with(own, digest)
    assert memory.get(("view", ("role", digest)), lambda: 1) == memory.get(("view", ("role", digest)), lambda: 2) == 1
    assert memory.get("other", lambda: 1) == 1
    del own
    gc.collect()
    assert memory.get(("view", ("role", digest)), lambda: 3) == 3
    assert memory.get("other", lambda: 2) == 1
