"""``python -m dpot_app.kit.workers.fork_server FD MODULE ...``: imports once, then forks workers on request.

A worker that is forked has everything imported and begins within milliseconds, and what was imported is one copy in
memory for all. Not `multiprocessing`: its children import the main module of their parent, which under Streamlit is the
app's own script and brings all of Streamlit. Nor a pool of Pebble, loky or `concurrent.futures`: their workers share
queues, which a killed worker can leave locked, and none of them tells how far a job is or whose turn is next.
"""

import gc
import os
import resource
import signal
import socket
import sys
import time
import traceback
import warnings
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from dpot_app.kit.cache import CACHE
from dpot_app.kit.workers import wire

#: What the server says to a worker whose result no session waits for any more.
STOP = b""
#: Results that a worker keeps for its next job; memory, in kB, beyond which it ends after a job.
_KEEPS, _LARGE = 40, 1_000_000
#: Nicer than the server, whose readers move sliders.
_NICE = 10
_BETWEEN = 0.1


class Stopped(BaseException):
    """No session waits for the result any more."""


def main(number: int, modules: list[str]) -> None:
    os.nice(_NICE)
    for module in modules:
        import_module(module)
    CACHE.bound(_KEEPS, 0)
    gc.collect()
    gc.freeze()
    control, children = socket.socket(fileno=number), set[int]()
    while True:
        with suppress(ConnectionError):
            asked, numbers, _, _ = socket.recv_fds(control, 1, 1)
            if asked:
                children -= _ended(children)
                children.add(_forked(control, numbers[0]))
                continue
        break
    # The server is gone: what the others compute would not be read.
    for child in children - _ended(children):
        os.kill(child, signal.SIGKILL)


def _ended(children: set[int]) -> set[int]:
    return {child for child in children if os.waitpid(child, os.WNOHANG)[0]}


def _forked(control: socket.socket, number: int) -> int:
    with warnings.catch_warnings():
        # Threads of OpenBLAS, which is prepared for this.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        os.close(number)
        control.sendall(child.to_bytes(8, "big"))
        return child
    status = 1
    try:
        control.close()
        work(Connection(number))
        status = 0
    finally:
        os._exit(status)


def work(line: "Connection[Any, Any]") -> None:
    """Do one job after the other until the server hangs up, or this process has become large or heard what is private.

    A job comes as ``(function, arguments, whether it leaves nothing behind)``; the function's last argument is what it
    reports to. The answer is ("done" or "failed", whether this process ends, result or error), as `wire` writes it;
    before it come any number of ("progress", done, in all).
    """
    with suppress(EOFError, ConnectionError):
        while True:
            message = line.recv_bytes()
            if message == STOP:
                continue  # for a job that has ended
            function, arguments, alone = wire.loads(message)
            last = 0.0

            def report(done: int, total: int) -> None:
                nonlocal last
                if time.monotonic() < last + _BETWEEN:
                    return
                last = time.monotonic()
                if line.poll():
                    line.recv_bytes()
                    raise Stopped
                line.send_bytes(wire.dumps(("progress", done, total)))

            try:
                said, given = "done", function(*arguments, report)
            except Stopped:
                said, given = "stopped", None
            except Exception as error:
                error.add_note(traceback.format_exc())  # the server's log has the place as well
                said, given = "failed", error
            ends = alone or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > _LARGE
            try:
                answer = wire.dumps((said, ends, given))
            except Exception as error:
                answer = wire.dumps(("failed", ends, RuntimeError(f"what a worker found cannot be sent: {error!r}")))
            line.send_bytes(answer)
            del message, function, arguments, given, answer
            if ends:
                return


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
