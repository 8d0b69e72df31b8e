"""Two scripts of one session at its state: the one that was stopped, and the one that came after it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import StopException
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.common import WidgetMetadata

from dpot_app.shell.streamlit_patches import SESSION_LOCK

WAIT = 10.0

SESSION_LOCK.apply()


class Two:
    """A script that goes through the widgets until it is let go on, and the script before it."""

    def __init__(self) -> None:
        self.state = SessionState()
        self.problems: list[BaseException] = []
        self._next = threading.Thread(target=self._begin_next, daemon=True)
        self.told_to_stop = False
        self.goes_through, self.go_on = threading.Event(), threading.Event()
        self.old = SafeSessionState(self.state, self._stop)
        self.new = SafeSessionState(self.state, lambda: None)
        self.old.register_widget(widget("first", self._read), None)
        self.old.register_widget(widget("second"), None)

    def _read(self, value: Any) -> Any:
        """What stands in the first widget; the script that looks whether it has changed takes a while over it."""
        if threading.current_thread() is self._next:
            self.goes_through.set()
            assert self.go_on.wait(WAIT)
        return value

    def _stop(self) -> None:
        if self.told_to_stop:
            raise StopException

    def _begin_next(self) -> None:
        moved = WidgetStates()
        for number, name in enumerate(("first", "second"), start=1):
            one = moved.widgets.add()
            one.id, one.int_value = widget(name).id, number
        try:
            self.new.on_script_will_rerun(moved)
        except BaseException as problem:
            self.problems.append(problem)

    def meet(self, what: Callable[[], object]) -> list[BaseException]:
        """What the old script does while the next goes through the widgets; what went wrong in either."""
        self._next.start()
        assert self.goes_through.wait(WAIT)
        late = threading.Thread(target=self._late, args=(what,), daemon=True)
        late.start()
        late.join(0.3)
        self.go_on.set()
        for thread in (late, self._next):
            thread.join(WAIT)
            assert not thread.is_alive()
        return self.problems

    def _late(self, what: Callable[[], object]) -> None:
        try:
            what()
        except BaseException as problem:
            self.problems.append(problem)


def widget(name: str, read: Callable[[Any], Any] = lambda value: value) -> WidgetMetadata[Any]:
    return WidgetMetadata(f"$$ID-{name}-None", read, lambda value: value, value_type="int_value")


def test_a_script_that_has_not_noticed_yet_disturbs_nothing() -> None:
    """It is past the point at which it looks whether it is to stop, as with Streamlit's own lock."""
    two = Two()
    assert two.meet(lambda: two.old.register_widget(widget("third"), None)) == []
    assert widget("third").id in two.state._new_widget_state


def test_with_locks_of_their_own_they_would_meet() -> None:
    """What Streamlit does by itself; where this fails, `dpot_app/shell/session_lock.py` may go."""
    two = Two()
    for script in (two.old, two.new):
        object.__setattr__(script, "_lock", threading.RLock())
    (problem,) = two.meet(lambda: two.old.register_widget(widget("third"), None))
    assert isinstance(problem, RuntimeError) and "changed size during iteration" in str(problem)


def test_a_script_that_was_told_to_stop_while_it_waited_writes_nothing() -> None:
    two = Two()

    def write() -> None:
        with two.old._lock:  # past its own look
            pytest.fail("it has its turn")

    two._next.start()
    assert two.goes_through.wait(WAIT)
    two.told_to_stop = True
    late = threading.Thread(target=two._late, args=(write,), daemon=True)
    late.start()
    # It does not wait until the other is done, which may wait for it.
    late.join(WAIT)
    assert not late.is_alive() and two._next.is_alive()
    two.go_on.set()
    two._next.join(WAIT)
    (problem,) = two.problems
    assert isinstance(problem, StopException)


def test_a_script_stopped_at_its_turn_leaves_the_lock_to_others() -> None:
    two = Two()
    two.told_to_stop = True
    with pytest.raises(StopException):
        two.old["a"] = 1
    two.go_on.set()
    assert two.meet(lambda: two.new.get_widget_states()) == []


def test_sessions_do_not_wait_for_each_other() -> None:
    one, other = Two(), SafeSessionState(SessionState(), lambda: None)

    def write() -> None:
        other["a"] = 1
        assert not one.go_on.is_set()

    assert one.meet(write) == []
