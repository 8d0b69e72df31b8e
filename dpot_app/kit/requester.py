"""Sessions that ask for work which takes a while: whose turn it is, and what is told to them while they wait."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Requester:
    """A session that waits for heavy work.

    Attributes:
        session: whose turn it is.
        tick: called every tenth of a second, with how many are ahead, or None while the work is done; what it raises
            gives the work up.
        in_advance: whether it is prefetched: no reader waits for it yet.
        waiting: entered while others work.
    """

    session: str = ""
    tick: Callable[[int | None], object] = lambda ahead: None
    in_advance: bool = False
    waiting: Callable[[], AbstractContextManager[object]] = nullcontext


_NO_SESSION = Requester()
_requester: ContextVar[Requester] = ContextVar("requester", default=_NO_SESSION)


@contextmanager
def requested_by(requester: Requester) -> Iterator[None]:
    """Set who asks for heavy work in here (a context variable); elsewhere no session does."""
    before = _requester.set(requester)
    try:
        yield
    finally:
        _requester.reset(before)


def current_requester() -> Requester:
    """The session on whose behalf this thread works."""
    return _requester.get()


def waiting() -> AbstractContextManager[object]:
    """A context to be entered while others do what is waited for."""
    return _requester.get().waiting()
