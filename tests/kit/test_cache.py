"""The one memory of results: bounded, each result computed once at a time, keyed by what it depends on."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest

from dpot_app.kit import cache as memory
from dpot_app.kit.cache import CACHE, Cache, cached, identity, in_advance
from dpot_app.kit.requester import Requester, requested_by
from dpot_app.kit.weighing import weight
from dpot_app.views.ring.settings import Ring
from dpot_core.worst_case import Bracket


def test_the_entry_that_was_not_used_for_longest_goes_first() -> None:
    cache, made = Cache(2), []

    def get(key: str) -> str:
        return cache.get(key, lambda: made.append(key) or key.upper())

    assert [get(key) for key in "abacab"] == ["A", "B", "A", "C", "A", "B"]
    assert made == ["a", "b", "c", "b"], "c pushed b out, because a was used after it"
    cache.clear()
    assert get("a") == "A" and made[-1] == "a"


def test_two_sessions_may_forget_the_same_file_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Taken(deque[bytes]):
        """Seems to hold something, which another thread takes first."""

        def __bool__(self) -> bool:
            return True

    monkeypatch.setattr(memory, "_GONE", Taken())
    assert Cache(2).get("key", lambda: 7) == 7


def test_a_failure_is_not_kept_and_the_next_call_computes() -> None:
    cache, tried = Cache(2), []

    def compute() -> int:
        tried.append(1)
        if len(tried) == 1:
            raise ValueError("once")
        return 7

    with pytest.raises(ValueError, match="once"):
        cache.get("key", compute)
    assert cache.get("key", compute) == 7 == cache.get("key", compute) and len(tried) == 2


def test_two_who_ask_at_once_compute_once_and_the_one_who_waits_can_give_up() -> None:
    cache, started, gate, made = Cache(4), threading.Event(), threading.Event(), []

    def compute() -> int:
        started.set()
        gate.wait(120)
        made.append(1)
        return 3

    answers: list[int] = []
    first, second = (threading.Thread(target=lambda: answers.append(cache.get("key", compute))) for _ in range(2))
    first.start()
    assert started.wait(10)
    second.start()

    def give_up(done: int, total: int) -> None:
        assert (done, total) == (0, 1)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        cache.get("key", compute, give_up)
    assert cache.get("other", lambda: 5) == 5, "other work does not wait"
    gate.set()
    first.join(10)
    second.join(10)
    assert answers == [3, 3] and len(made) == 1


def test_a_sooner_call_does_not_wait_for_a_computation_in_advance() -> None:
    """A cold process computes ahead what the reader asks for now: both end with one object, the reader's at once."""
    cache, started, gate = Cache(4, aside=4), threading.Event(), threading.Event()
    late: list[object] = []

    def slow() -> object:
        started.set()
        gate.wait(120)
        return object()

    def ahead() -> None:
        with in_advance():
            late.append(cache.get("key", slow))

    worker = threading.Thread(target=ahead)
    worker.start()
    assert started.wait(10)

    def give_up(done: int, total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        cache.get("key", object, give_up)
    mine = cache.get("key", object, give_up, sooner=True)
    assert cache.get("key", object, give_up) is mine
    gate.set()
    worker.join(120)
    assert late == [mine] and cache.get("key", object) is mine and cache._working == {}


def test_a_sooner_call_waits_for_another_reader_s_call() -> None:
    cache, started, gate, made = Cache(4, aside=4), threading.Event(), threading.Event(), []

    def slow() -> int:
        started.set()
        gate.wait(120)
        return 3

    worker = threading.Thread(target=lambda: made.append(cache.get("key", slow)))
    worker.start()
    assert started.wait(10)
    assert cache.get("key", lambda: 4, lambda done, total: gate.set(), sooner=True) == 3
    worker.join(120)
    assert made == [3]


@dataclass(frozen=True)
class Data:
    key: str
    values: np.ndarray


def test_a_function_is_kept_by_its_arguments_but_not_by_who_watches() -> None:
    calls = []

    @cached
    def work(ring: Ring, data: Data, scale: float = 1.0, progress: object = None) -> tuple[int, float]:
        calls.append(progress)
        return ring.k, scale

    one, same, other = Data("a", np.ones(2)), Data("a", np.ones(2)), Data("b", np.ones(2))
    try:
        assert (
            work(Ring(k=5), one)
            == work(Ring(k=5), same, 1.0, progress=print)
            == work(data=one, ring=Ring(k=5))
            == (5, 1.0)
        )
        assert len(calls) == 1
        work(Ring(k=6), one), work(Ring(k=5), other), work(Ring(k=5), one, 2.0)
        assert len(calls) == 4
    finally:
        CACHE.clear()


def test_cache_keys_tell_arguments_apart() -> None:
    assert identity(1) != identity(1.0) != identity(True)
    assert (
        identity({"b": b"x", "a": (1, 2)}) == identity({"a": (1, 2), "b": b"x"}) != identity({"a": (1, 2), "b": b"y"})
    )
    with pytest.raises(TypeError, match="unhashable"):
        identity(np.ones(2))


def test_waiting_looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits asks again and again whether the reader is still there."""
    cache, gate, looks = Cache(1), threading.Event(), []
    worker = threading.Thread(target=lambda: cache.get("key", lambda: gate.wait(120)))
    worker.start()
    time.sleep(0.05)

    def look(done: int, total: int) -> None:
        looks.append(done)
        if len(looks) == 3:
            gate.set()

    made_room = []

    @contextmanager
    def room() -> Iterator[None]:
        made_room.append(len(looks))
        yield
        made_room.append(len(looks))

    with requested_by(Requester(waiting=room)):
        cache.get("key", lambda: True, look)
        assert made_room == [0, len(looks)], "who waits makes room for others, and comes back"
        cache.get("key", lambda: True, look)
        cache.get("another", lambda: True, look)
        assert len(made_room) == 2, "who does not wait has no reason to"
    worker.join(120)
    assert len(looks) >= 3


def test_entries_in_advance_push_out_none_that_was_asked_for() -> None:
    cache = Cache(3, aside=2)
    for key in range(3):
        cache.get(key, lambda: "asked for")
    with in_advance():
        for key in range(10, 20):
            cache.get(key, lambda: "in advance")
    assert [cache.get(key, lambda: "anew") for key in range(3)] == ["asked for"] * 3
    # The last two are there; once asked for, they count as such.
    assert cache.get(19, lambda: "anew") == "in advance"
    assert cache.get(17, lambda: "anew") == "anew"
    with in_advance():
        for key in range(20, 30):
            cache.get(key, lambda: "in advance")
    assert cache.get(19, lambda: "anew") == "in advance"


def test_bytes_are_bounded_and_what_is_made_in_advance_has_a_share_of_its_own() -> None:
    cache = Cache(1000, aside=1000, weigh=len, most_bytes=4000)
    for key in range(100):
        cache.get(key, lambda: b"x" * 100)
    assert cache.weight == 3000, "the last thirty"
    with in_advance():
        for key in range(1000, 1100):
            cache.get(key, lambda: b"y" * 100)
    assert cache.weight == 4000
    assert [cache.get(key, lambda: b"anew") for key in range(70, 100)] == [b"x" * 100] * 30
    assert cache.get(1099, lambda: b"anew") == b"y" * 100
    assert cache.weight == 3900, "it is among what was asked for now, and has pushed out the oldest of that"
    assert cache.get("larger than all", lambda: b"z" * 5000) == b"z" * 5000
    assert cache.weight <= 900, "what does not fit is not kept"
    cache.clear()
    assert cache.weight == 0


def test_a_memory_that_sets_nothing_aside_keeps_what_is_made_in_advance() -> None:
    cache = Cache(2)
    with in_advance():
        cache.get("key", lambda: "made")
    assert cache.get("key", lambda: "anew") == "made"


def test_a_value_weighs_what_it_holds() -> None:
    numbers = np.zeros(1000)
    for value in (numbers, [numbers], {"x": numbers[:]}, {"x": ["1" * 8000]}, ({"x": [1.5 + n for n in range(250)]},)):
        assert 8000 <= weight(value) <= 8700, value


@dataclass
class Held:
    of: object


def test_a_dataclass_weighs_what_its_fields_hold_and_large_values_are_not_looked_through() -> None:
    held = Held(np.zeros(1000))
    assert 8000 <= weight(held) <= 8700
    assert weight(Held) < 5000, "a class is not its instances"
    held.of = held
    assert weight(held, 10_000) == 10_000, "one that holds itself is looked through until then"


def test_points_of_curves_push_out_no_results_of_a_page() -> None:
    """Twenty readers with curves of their own: each had to compute its whole curve again at every move of epsilon."""
    fresh = Cache(memory.MOST_ENTRIES, memory.MOST_ASIDE, CACHE._weigh, memory.MOST_BYTES)
    fresh.get("a page", lambda: np.zeros(10_000))
    for reader in range(20):
        for epsilon in range(100):
            fresh.get((reader, epsilon), lambda: {"w": Bracket(1.0, 2.0)})
    assert fresh.get("a page", lambda: None) is not None
    assert fresh.get((0, 0), lambda: None) is not None
    for number in range(3000):
        fresh.get(number, lambda: np.zeros(10**5))  # shares its numbers with no other
    assert fresh.get("a page", lambda: None) is None, "what is large is bounded all the same"
    assert fresh.weight <= memory.MOST_BYTES
