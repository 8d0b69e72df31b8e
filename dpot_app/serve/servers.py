"""Several servers of the app behind one address: Python does one thing at a time, so a second core needs a second one.

HAProxy stands before them: each reader stays, by a cookie, with the server that has the session, its frames and its
downloads; readers of a server that dies go on at another, and what dies is started again.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPException
from typing import NoReturn

from dpot_app.machine import cores

#: In the environment of a server behind the proxy: the address at which readers reach it.
BEHIND = "DPOT_BEHIND"
#: Where the proxy says which address of this machine a request has reached; clients cannot, as it overwrites this.
REACHED = "X-DPOT-Reached"

#: More servers than any one machine has cores for.
MOST = 256

_HOST = re.compile(r"[0-9A-Za-z.:-]+")
_PORTS = range(8501, 8601)
#: Seconds between two looks at what runs, between two starts of what ends, and that it gets to end by itself.
_LOOK, _PAUSE, _LEAVE = 0.1, 1.0, 10.0

_PROXY = """\
global
  nbthread 1
defaults
  mode http
  option forwardfor
  timeout connect 5s
  timeout http-request 30s
  timeout client 1h
  timeout server 1h
  timeout tunnel 12h
frontend readers
  bind {at}
  # A proxy on this machine, before this one, may say that it was asked by https.
  http-request set-header X-Forwarded-Proto http unless {{ src 127.0.0.0/8 ::1 }}
  http-request set-header {reached} %[dst]
  default_backend servers
backend servers
  balance leastconn
  cookie DPOT_SERVER insert indirect nocache httponly attr SameSite=Lax
  option httpchk GET /_stcore/health
  http-check send hdr Host localhost
  http-check expect status 200-499
  # A server that dies refuses connections and is left at once; one that is busy takes its time to answer.
  timeout check 20s
  default-server check inter 2s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  option redispatch 1
{servers}
"""


class ServersError(Exception):
    """Several servers cannot be started as they are asked for."""


class _Process:
    """A program that answers at a port; once it has, it is started again whenever it ends. It ends with this one."""

    def __init__(
        self, command: Sequence[str], at: tuple[str, int], given: str = "", environment: Mapping[str, str] | None = None
    ) -> None:
        self._command, self._address, self._environment = command, at, environment
        self._given, self._answers = given.encode(), False
        self._start()

    def _start(self) -> None:
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,  # each would name its own address as the app's
            env=self._environment,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        assert self.process.stdin
        with suppress(BrokenPipeError), self.process.stdin as stdin:
            stdin.write(self._given)

    def answers(self) -> bool:
        """Whether it has ever answered."""
        if not self._answers:
            line = HTTPConnection(*self._address, timeout=1)
            with suppress(OSError, HTTPException), closing(line):
                line.request("GET", "/_stcore/health", headers={"Host": "localhost"})
                line.getresponse()
                self._answers = True
        return self._answers

    def look(self) -> None:
        """See that it runs.

        Raises:
            _EndedError: it has ended and never answered.
        """
        code = self.process.poll()
        if code is None:
            return
        if not self._answers:
            raise _EndedError(code)
        if time.monotonic() > self._began + _PAUSE:
            name = os.path.basename(self._command[0])
            print(f"dpot: {name} at port {self._address[1]} ended ({code}) and is started again", file=sys.stderr)
            self._start()


class _EndedError(Exception):
    """A process ended with this exit code."""


def serve(count: int, command: Sequence[str], address: str | None = None, port: int | None = None) -> int:
    """Start servers and the proxy before them, and keep them running until this process is told to end.

    Each has its part of the cores for workers unless ``DPOT_WORKERS`` says how many it has.

    Args:
        count: of servers.
        command: that starts one, to which its address and port are added as flags.
        address: of this machine that readers reach; loopback without it.
        port: likewise; the first of 8501 to 8600 that is free without it.

    Returns:
        0 when it was told to end; else the exit code of what ended and never answered.

    Raises:
        ServersError: there is no HAProxy, or the address or the port cannot be used.
    """
    if not 1 <= count <= MOST:
        raise ServersError(f"the number of servers is 1 to {MOST}; got {count}")
    if (proxy := haproxy()) is None:
        raise ServersError("no HAProxy here, which several servers need before them (Debian: apt install haproxy)")
    host = usable(address, port)
    front = next((place for place in ([port] if port else _PORTS) if _is_free(host, place)), None)
    if front is None:
        raise ServersError(f"{host} has no free port {port or f'from {_PORTS[0]} to {_PORTS[-1]}'}")
    environment = {"DPOT_WORKERS": str(max(cores() // count, 1)), **os.environ, BEHIND: host}
    places = _free_ports(count)
    shown = f"[{host}]" if ":" in host else host
    lines = "\n".join(f"  server at{place} 127.0.0.1:{place} cookie at{place}" for place in places)
    text = _PROXY.format(reached=REACHED, at=f"{shown}:{front}", servers=lines)
    running: list[_Process] = []
    signal.signal(signal.SIGTERM, _leave)
    try:
        for place in places:
            flags = ["--server.address", "127.0.0.1", "--server.port", str(place)]
            running.append(_Process([*command, *flags], ("127.0.0.1", place), environment=environment))
            if len(running) == 1:
                _wait_for(running)  # what is wrong with all of them is said once
        _wait_for(running)
        running.append(_Process([proxy, "-db", "-f", "/dev/stdin"], (host, front), text))
        _wait_for(running)
        print(f"\n  {count} servers behind one address: http://{shown}:{front}\n", flush=True)
        while True:
            for one in running:
                one.look()
            time.sleep(_LOOK)
    except KeyboardInterrupt:
        return 0
    except _EndedError as ended:
        return int(ended.args[0]) or 1
    finally:
        for one in running:
            one.process.terminate()
        limit = time.monotonic() + _LEAVE
        for one in running:
            try:
                one.process.wait(max(limit - time.monotonic(), 0.0))
            except subprocess.TimeoutExpired:
                one.process.kill()
                one.process.wait()


def usable(address: str | None, port: int | None) -> str:
    """The address that a server can listen at; loopback without one.

    Args:
        address: a name or a number of this machine.
        port: 0, as without one, stands for any that is free.

    Raises:
        ServersError: it cannot listen there.
    """
    host = address or "127.0.0.1"
    if not _HOST.fullmatch(host):
        raise ServersError(f"the address is a name or a number of this machine; got {host!r}")
    if port is not None and not 0 <= port < 2**16:
        raise ServersError(f"the port is a whole number from 0 to 65,535; got {port}")
    if not _is_free(host, 0):
        raise ServersError(f"{host} is no address of this machine")
    if port and not _is_free(host, port):
        raise ServersError(f"{host} has no free port {port}")
    return host


def haproxy() -> str | None:
    """Where HAProxy is: also where it is on root's path only."""
    return shutil.which("haproxy", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin")))


def _wait_for(processes: Sequence[_Process]) -> None:
    while not all(one.answers() for one in processes):
        for one in processes:
            one.look()
        time.sleep(_LOOK)


def _leave(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _end_with_parent() -> None:
    """Also where this process is killed: the servers would go on holding their memory."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def _free_ports(count: int) -> list[int]:
    """As many different ports: each is held until all are found."""
    with ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]


def _is_free(host: str, port: int) -> bool:
    try:
        (family, kind, protocol, _, place), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return True
    except (OSError, UnicodeError):  # some names are none in the domain name system
        return False
