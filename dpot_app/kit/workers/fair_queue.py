"""A fair queue of jobs: sessions take turns, and each sees how many are ahead of it."""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, TypeVar

from dpot_app.kit.failures import ComputationFailed

W = TypeVar("W")

#: Computations that may wait in all, and of one session: one for each of a few views on its page.
MOST, MOST_OF_ONE = 24, 4
# Seconds between two looks of those who wait.
_LOOK = 0.1


class Busy(ComputationFailed):
    """More computations wait than the server takes; the message says so."""


@dataclass(eq=False)
class _Ticket(Generic[W]):
    session: str
    called: Event = field(default_factory=Event)
    worker: W | None = None


class _Line(Generic[W]):
    """Tickets by session; the session that was served goes to the end."""

    def __init__(self) -> None:
        self.sessions: OrderedDict[str, deque[_Ticket[W]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self.sessions.values()))

    def of(self, session: str) -> int:
        return len(self.sessions.get(session, ()))

    def join(self, ticket: _Ticket[W]) -> None:
        self.sessions.setdefault(ticket.session, deque()).append(ticket)

    def leave(self, ticket: _Ticket[W]) -> None:
        own = self.sessions[ticket.session]
        own.remove(ticket)
        if not own:
            del self.sessions[ticket.session]

    def next(self) -> _Ticket[W]:
        session, own = next(iter(self.sessions.items()))
        ticket = own[0]
        self.leave(ticket)
        if session in self.sessions:
            self.sessions.move_to_end(session)
        return ticket

    def ahead(self, ticket: _Ticket[W]) -> int:
        """Tickets that are called before this one if none joins: one of each session a round."""
        number, before, found = self.sessions[ticket.session].index(ticket), 0, False
        for session, own in self.sessions.items():
            found = found or session == ticket.session
            before += number if session == ticket.session else min(len(own), number + (not found))
        return before


class FairQueue(Generic[W]):
    """Gives workers to sessions in turns.

    Args:
        workers: any objects.
        most: tickets that may wait in all.
        most_of_one: tickets of one session that may wait.
    """

    def __init__(self, workers: list[W], most: int = MOST, most_of_one: int = MOST_OF_ONE) -> None:
        self._idle, self._several = list(workers), len(workers) > 1
        self._most, self._most_of_one = most, most_of_one
        self._last: dict[int, str] = {}  # session that a worker served last: it may have kept what is asked for next
        # What a session waits for goes before what is computed in advance.
        self._asked, self._in_advance = _Line[W](), _Line[W]()
        self._lock = Lock()

    def take(self, session: str, tick: Callable[[int], object], *, in_advance: bool = False) -> W:
        """A worker, as soon as it is this session's turn.

        Args:
            session: whose turn it is; "" for no session's in particular, which is never refused.
            tick: called every tenth of a second with how many are ahead; what it raises gives the place up.
            in_advance: whether it is prefetched: it comes last, and leaves a worker free where there are several.

        Raises:
            Busy: too many wait.
        """
        ticket = _Ticket[W](session)
        line = self._in_advance if in_advance else self._asked
        with self._lock:
            line.join(ticket)
            self._call()
            if ticket.worker is None and session and not in_advance and (why := self._too_many(session)):
                line.leave(ticket)
                raise Busy(f"the server is busy: {why}. Wait a minute, and change a setting or load the page again")
        try:
            while not ticket.called.wait(_LOOK):
                with self._lock:
                    ahead = 0 if ticket.worker is not None else line.ahead(ticket) + self._before(line)
                tick(ahead)
        except BaseException:
            with self._lock:
                if ticket.worker is None:
                    line.leave(ticket)
            if ticket.worker is not None:
                self.give_back(ticket.worker)
            raise
        assert ticket.worker is not None  # a ticket that is called has one
        return ticket.worker

    def give_back(self, worker: W) -> None:
        """Let the next one have it."""
        with self._lock:
            self._idle.append(worker)
            self._call()

    def has_time(self) -> bool:
        """Whether something in advance would be begun at once."""
        with self._lock:
            return not self._before(self._in_advance) and len(self._idle) > self._several

    def _too_many(self, session: str) -> str:
        if self._asked.of(session) > self._most_of_one:
            return f"{self._most_of_one} computations of this session wait already"
        if self._before(self._in_advance) > self._most:
            return f"{self._most} computations wait already"
        return ""

    def _before(self, line: _Line[W]) -> int:
        """Tickets of the lines that are called before this one."""
        return len(self._asked) if line is self._in_advance else 0

    def _call(self) -> None:
        while self._idle:
            line = self._asked or self._in_advance
            if not line or (line is self._in_advance and len(self._idle) <= self._several):
                return
            ticket = line.next()
            ticket.worker = self._given(ticket.session)
            ticket.called.set()

    def _given(self, session: str) -> W:
        known = (worker for worker in self._idle if self._last.get(id(worker)) == session)
        worker = next(known, self._idle[0])
        self._idle.remove(worker)
        self._last[id(worker)] = session
        return worker
