"""Sessions take turns at workers; a session that waits knows how many are ahead, and too many are refused in words."""

from __future__ import annotations

import threading
import time

import pytest

from dpot_app.kit.workers.fair_queue import Busy, FairQueue


def wait_until(true: object) -> None:
    limit = time.monotonic() + 120
    while not true():  # type: ignore[operator]
        assert time.monotonic() < limit
        time.sleep(0.005)


class Room:
    """Sessions that wait for one worker, in the order in which they came."""

    def __init__(self, turns: FairQueue[str]) -> None:
        self.turns, self.served, self.ahead, self.threads = (
            turns,
            list[str](),
            dict[str, int](),
            list[threading.Thread](),
        )
        self.refused: list[str] = []

    def ask(self, name: str, **how: bool) -> None:
        def go() -> None:
            try:
                worker = self.turns.take(name[0], lambda n: self.ahead.update({name: n}), **how)
            except Busy as busy:
                self.refused.append(str(busy))
                return
            self.served.append(name)
            self.turns.give_back(worker)

        self.threads.append(threading.Thread(target=go, daemon=True))
        self.threads[-1].start()
        wait_until(lambda: name in self.ahead or self.refused or name in self.served)

    def done(self) -> None:
        for thread in self.threads:
            thread.join(120)


def test_sessions_take_turns_however_much_one_asked_first() -> None:
    room = Room(FairQueue(["worker"]))
    held = room.turns.take("z", lambda n: None)
    for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        room.ask(name)
    wait_until(lambda: room.ahead == {"a1": 0, "b1": 1, "c1": 2, "a2": 3, "b2": 4, "a3": 5})
    room.turns.give_back(held)
    room.done()
    assert room.served == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_jobs_in_advance_come_last_and_leave_a_worker_free() -> None:
    room = Room(FairQueue(["one", "two"]))
    held = [room.turns.take("z", lambda n: None), room.turns.take("z", lambda n: None)]
    room.ask("x1", in_advance=True)
    room.ask("a1")
    assert not room.turns.has_time()
    room.turns.give_back(held.pop())
    wait_until(lambda: room.served == ["a1"])
    time.sleep(0.2)
    assert room.served == ["a1"], "the last idle worker is for those who wait"
    room.turns.give_back(held.pop())
    room.done()
    assert room.served == ["a1", "x1"] and room.turns.has_time()


def test_too_many_are_refused_in_words_and_others_are_not() -> None:
    room = Room(FairQueue(["worker"], most=3, most_of_one=2))
    held = room.turns.take("z", lambda n: None)
    for name in ("a1", "a2", "a3"):
        room.ask(name)
    (said,) = room.refused
    assert said.startswith("the server is busy: 2 computations of this session wait already")
    room.refused.clear()
    room.ask("b1")
    assert not room.refused
    room.ask("c1")
    (said,) = room.refused
    assert "3 computations wait already" in said
    room.refused.clear()
    nobody = threading.Thread(target=lambda: room.turns.give_back(room.turns.take("", lambda n: None)))
    nobody.start()
    nobody.join(0.3)
    assert nobody.is_alive(), "a file that is made for a reader waits, but it is made"
    room.turns.give_back(held)
    room.done()
    nobody.join(20)
    assert sorted(room.served) == ["a1", "a2", "b1"] and not nobody.is_alive()


def test_giving_up_leaves_the_line() -> None:
    turns = FairQueue(["worker"])
    held = turns.take("z", lambda n: None)

    def leave(ahead: int) -> None:
        raise KeyError(ahead)

    with pytest.raises(KeyError):
        turns.take("a", leave)
    turns.give_back(held)
    assert turns.take("b", leave) == "worker", "no other session waits for it"
