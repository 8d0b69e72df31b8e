"""Several servers behind HAProxy, as ``dpot app --servers`` starts them: who is sent where, and what dies."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpot_app.serve import servers
from tests.browser import driver
from tests.load.__main__ import family
from tests.prerequisites import unavailable
from tests.serve.test_access import Answer, ask, opens

COMMAND = [sys.executable, "-m", "dpot_app", "app", "--servers", "2"]
#: Servers that answer and do nothing else: whom the proxy sends where does not depend on what is served.
ANSWERING = """
import http.server, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[-1])), Handler).serve_forever()
"""
SERVING = (
    "import sys; from dpot_app.serve.servers import serve; "
    "serve(2, [sys.executable, '-c', {!r}], port=int(sys.argv[1]))"
)


def command_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def number_of(port: str) -> int | None:
    """The process of the server at a port."""
    return next((pid for pid in family(os.getpid()) if {"--server.port", port} <= set(command_of(pid))), None)


@pytest.fixture
def answering() -> Iterator[str]:
    """Two servers behind the proxy that only answer."""
    if servers.haproxy() is None:
        unavailable("HAProxy (Debian: apt install haproxy)")
    with driver.serving([sys.executable, "-c", SERVING.format(ANSWERING)], cwd=driver.ROOT) as address:
        yield address


@pytest.fixture(scope="module")
def room() -> Iterator[str]:
    """Two servers for everybody, at every address of this machine."""
    if servers.haproxy() is None:
        unavailable("HAProxy (Debian: apt install haproxy)")
    environment = os.environ | {"PUBLIC": "1", "DPOT_HOSTS": "stage.example"}
    with driver.serving([*COMMAND, "--address", "0.0.0.0", "--port"], cwd=driver.ROOT, env=environment) as address:
        yield address
    assert not [pid for pid in family(os.getpid()) if command_of(pid)[:1] == [servers.haproxy()]]


def cookie(answer: Answer) -> str:
    return (answer.headers["Set-Cookie"] or "").partition(";")[0]


@pytest.mark.nightly
def test_hosts_and_headers_are_those_of_one_server(room: str) -> None:
    port = room.rpartition(":")[2]
    elsewhere = f"http://127.0.0.2:{port}"
    for server, host, status in (
        (room, "127.0.0.1", 200),
        (room, "stage.example", 200),
        (elsewhere, "127.0.0.2", 200),  # by the number that they reached
        (room, "127.0.0.2", 403),
        (room, "192.0.2.7", 403),
        (room, "evil.example", 403),
    ):
        answer = ask(server, Host=f"{host}:{port}")
        assert answer.status == status, (server, host)
        # For others than this machine: no tile server that a reader types.
        assert "https:" not in answer.headers["Content-Security-Policy"]
    assert ask(room, Host=f"192.0.2.7:{port}", X_DPOT_Reached="192.0.2.7").status == 403, "only the proxy may say so"
    assert opens(room, origin=room) == 101 and opens(room, origin="http://evil.example") == 403


def test_a_reader_stays_at_a_server_until_it_dies_which_is_started_again(answering: str) -> None:
    given = {cookie(ask(answering)) for _ in range(6)}
    assert len(given) == 2 and all(one.startswith("DPOT_SERVER=at") for one in given), given
    for one in given:
        assert not cookie(ask(answering, Cookie=one))
    dies, other = sorted(given)
    port = dies.partition("=at")[2]
    first = number_of(port)
    assert first is not None
    os.kill(first, signal.SIGKILL)
    limit = time.monotonic() + 120
    while cookie(answer := ask(answering, Cookie=dies)) != other and time.monotonic() < limit:
        time.sleep(0.1)
    assert answer.status == 200 and cookie(answer) == other, "no reader is sent to a server that is gone"
    while number_of(port) in (None, first) and time.monotonic() < limit:
        time.sleep(0.1)
    assert number_of(port) not in (None, first), "it is not started again"
    limit += 120
    while cookie(ask(answering)) != dies and time.monotonic() < limit:
        time.sleep(0.2)
    assert cookie(ask(answering, Cookie=dies)) == "", "readers come to it again"


@pytest.mark.parametrize(
    ("count", "how", "said"),
    [
        (0, {}, "the number of servers is 1 to 256; got 0"),
        (10**8, {}, "the number of servers is 1 to 256; got 100000000"),
        (2, {"address": "a b\n  server x"}, "the address is a name or a number of this machine"),
        (2, {"address": "192.0.2.7"}, "192.0.2.7 is no address of this machine"),
    ],
)
def test_impossible_numbers_of_servers_are_refused_in_words(count: int, how: dict[str, str], said: str) -> None:
    with pytest.raises(servers.ServersError, match=said):
        servers.serve(count, [sys.executable], **how)


def test_a_port_that_is_taken_and_a_missing_proxy_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(servers.ServersError, match=f"127.0.0.1 has no free port {port}"):
            servers.serve(2, [sys.executable], port=port)
    monkeypatch.setattr(servers, "haproxy", lambda: None)
    with pytest.raises(servers.ServersError, match="apt install haproxy"):
        servers.serve(2, [sys.executable])


@pytest.mark.nightly
def test_an_open_address_asks_for_a_decision_once() -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DPOT_", "PUBLIC"))}
    command = [*COMMAND, "--address", "0.0.0.0"]
    with subprocess.Popen(command, cwd=driver.ROOT, env=kept, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as begun:
        assert begun.stdout is not None and begun.stderr is not None
        try:
            assert begun.stdout.readline() == b"", "it serves"
            assert begun.stderr.read().decode().count("no password would be asked for") == 1
        finally:
            begun.terminate()
    assert begun.returncode == 2
