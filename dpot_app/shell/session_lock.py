"""One lock on a session's state, which its consecutive scripts share.

A control that is moved stops the script that runs and starts the next one at once. Streamlit gives each of the two a
lock of its own before the state that both use: what the first still puts there, before it reaches a point at which it
notices, the other may be going through just then ("dictionary changed size during iteration", seen with Streamlit
1.67), or it is put where the other has begun anew. Here they have one lock, and its holder looks first whether it is to
stop: the state belongs to the script that came last.
"""

import threading
from collections.abc import Callable
from weakref import WeakValueDictionary

from streamlit.runtime.state import SessionState

#: Seconds between two looks of a script that waits: the next one may wait, in a callback, for what this one computes.
_LOOK = 0.1


class _Session:
    """The lock of scripts that share one session's state."""

    def __init__(self) -> None:
        self.lock = threading.RLock()


#: By the state's identity, which no other state has while a script holds state and lock.
_sessions: WeakValueDictionary[int, _Session] = WeakValueDictionary()
_making = threading.Lock()


class SessionLock:
    """The lock of one script: that of its session.

    Args:
        state: of the session.
        stopped: raises if the script is to stop.
    """

    def __init__(self, state: SessionState, stopped: Callable[[], None]) -> None:
        with _making:
            self._session = _sessions.setdefault(id(state), _Session())
        self._stopped = stopped

    def __enter__(self) -> None:
        while not self._session.lock.acquire(timeout=_LOOK):
            self._stopped()
        try:
            self._stopped()
        except BaseException:
            self._session.lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        self._session.lock.release()
