"""Properties that are worked out once: per instance, and without waiting for other instances."""

from __future__ import annotations

import threading

from dpot_core.arguments.lazy import cached_property


class Slow:
    def __init__(self, may_go_on: threading.Event, begun: threading.Event) -> None:
        self.may_go_on, self.begun, self.times = may_go_on, begun, 0

    @cached_property
    def value(self) -> int:
        self.begun.set()
        assert self.may_go_on.wait(60)
        self.times += 1
        return self.times


def test_a_property_is_worked_out_once_and_no_instance_waits_for_another() -> None:
    """`functools.cached_property` has one lock for all instances before Python 3.12: this waited for a minute there."""
    go, begun, quick = threading.Event(), threading.Event(), threading.Event()
    quick.set()
    one, other = Slow(go, begun), Slow(quick, threading.Event())
    slow = threading.Thread(target=lambda: one.value, daemon=True)
    slow.start()
    assert begun.wait(60)
    found = list[int]()
    asking = threading.Thread(target=lambda: found.append(other.value), daemon=True)
    asking.start()
    asking.join(30)
    assert found == [1] and slow.is_alive()
    go.set()
    slow.join(60)
    assert (one.value, one.value, other.value, other.times) == (1, 1, 1, 1)
    assert isinstance(Slow.value, cached_property)
