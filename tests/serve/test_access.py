"""Who may come in, asked of running servers: hosts, origins, headers, the room's password (no browser)."""

from __future__ import annotations

import asyncio
import http.client
import http.server
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from itsdangerous import TimestampSigner
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from dpot_app.serve import servers
from dpot_app.shell import access, first
from dpot_app.shell import password as asking
from dpot_app.shell.password import Password
from tests.browser import driver

PASSWORD = "salmon and dill"
COMMAND = [sys.executable, "-m", "streamlit", "run", str(driver.ROOT / "app.py"), "--server.port"]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
#: What a server gives, whether it exists or not.
EVERYTHING = [
    *("/", "/ring", "/_stcore/host-config", "/_stcore/metrics", "/media/none.png", "/static/js/none.js"),
    *(
        "/live/x/live.js",
        "/live-frames/none",
        "/live-numbers/none",
        "/nowhere/at/all",
        "/auth/login",
    ),
]


def serving(**environment: str) -> Any:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DPOT_", "PUBLIC"))}
    return driver.serving(COMMAND, cwd=driver.ROOT, env=kept | {"DPOT_WORKERS": "0"} | environment)


@pytest.fixture(scope="module")
def open_server() -> Iterator[str]:
    with serving(DPOT_HOSTS="stage.example, other.example") as address:
        yield address


@pytest.fixture(scope="module")
def room() -> Iterator[str]:
    """A server that asks for a password, whose operator asks for numbers about the room."""
    with serving(DPOT_PASSWORD=PASSWORD, DPOT_METRICS="1") as address:
        yield address


@pytest.fixture(scope="module")
def framed() -> Iterator[str]:
    """A server that pages of one other site may frame."""
    with serving(DPOT_EMBED="https://moodle.example") as address:
        yield address


@pytest.fixture(scope="module")
def public() -> Iterator[str]:
    """A server at every address of this machine, for everybody."""
    command = [*COMMAND[:-1], "--server.address", "0.0.0.0", "--browser.serverAddress", "127.0.0.1", COMMAND[-1]]
    with driver.serving(command, cwd=driver.ROOT, env=os.environ | {"PUBLIC": "1"}) as address:
        yield address


class Answer:
    def __init__(self, reply: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.text = reply.status, reply.headers, reply.read().decode("utf-8", "replace")


def ask(
    server: str, path: str = "/", method: str = "GET", body: str = "", source: str = "127.0.0.1", **headers: str
) -> Answer:
    """A request as it is written; underscores in the names of headers stand for hyphens."""
    parts = urlsplit(server)
    line = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=120, source_address=(source, 0))
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    line.request(method, path, body or None, sent)
    answer = Answer(line.getresponse())
    line.close()
    return answer


def opens(server: str, origin: str | None = None, host: str | None = None, cookie: str | None = None) -> int:
    """The status that opening the app's WebSocket gives: 101 if it is open."""
    parts = urlsplit(server)
    at = f"ws://{host or parts.netloc}/_stcore/stream"
    headers = {} if cookie is None else {"Cookie": cookie}
    line: dict[str, Any] = {"address": (parts.hostname, parts.port), "proxy": None}
    try:
        with connect(at, origin=origin, subprotocols=["streamlit"], additional_headers=headers, **line):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


# --- what comes with the page itself ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/ring", "/nowhere"])
def test_a_browser_has_our_styles_with_the_page_and_no_earlier_page_is_good_for_it(open_server: str, path: str) -> None:
    """Whatever it has kept of a page: Streamlit's tag of that says nothing of what is ours."""
    kept = ask(open_server, path).headers["ETag"]
    page = ask(open_server, path, Accept="text/html,*/*", Accept_Encoding="gzip", If_None_Match=kept)
    assert page.status == 200 and page.headers["ETag"] is None
    assert int(page.headers["Content-Length"]) == len(page.text.encode())
    styles = re.findall(
        r'<link rel="stylesheet" href="(live/[0-9a-f]+/[a-z_]+\.css)">(?=.*</body>)', page.text, re.DOTALL
    )
    assert [name.rpartition("/")[2] for name in styles] == list(first.STYLES)
    for style in styles:
        assert ask(open_server, f"/{style}").headers["Content-Type"].startswith("text/css")
    (script,) = re.findall(r'<script src="(live/[0-9a-f]+/[a-z_]+\.js)"></script></body>', page.text)
    assert (
        script.endswith(f"/{first.SCRIPT}") and "javascript" in ask(open_server, f"/{script}").headers["Content-Type"]
    )


# --- hosts and origins ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("127.0.0.1", 200), ("localhost", 200), ("LOCALHOST", 200), ("[::1]", 200), ("localhost.", 200)),
        *(("stage.example", 200), ("other.example", 200)),
        *(("evil.example", 403), ("127.0.0.1.evil.example", 403), ("localhost@evil.example", 403)),
        *(("evil.example@localhost", 403), ("stage.example.evil", 403), ("192.0.2.7", 403), ("[::1", 403), ("", 403)),
    ],
)
def test_only_known_hosts_are_answered(open_server: str, host: str, status: int) -> None:
    """A page of evil.example whose name has been rebound to this machine sends that name as the host."""
    port = urlsplit(open_server).port
    for written in {host, f"{host}:{port}"} if host else {host}:
        assert ask(open_server, "/ring", Host=written).status == status, written


def test_without_our_proxy_no_header_says_which_address_was_reached(open_server: str) -> None:
    for name in ("X_DPOT_Reached", "X_Forwarded_Host"):
        assert ask(open_server, Host="192.0.2.7", **{name: "192.0.2.7"}).status == 403


def test_no_page_from_elsewhere_opens_the_websocket(open_server: str) -> None:
    own, port = open_server, urlsplit(open_server).port
    assert opens(own, origin=own) == 101
    assert opens(own) == 101, "a program is no page: it sends no origin"
    assert opens(own, origin=f"http://localhost:{port}", host=f"localhost:{port}") == 101
    # A proxy that passes on the name that people ask for.
    assert opens(own, origin="https://stage.example", host="stage.example") == 101
    evil = f"http://evil.example:{port}"
    assert opens(own, origin=evil, host=f"evil.example:{port}") == 403
    for origin in (
        evil,
        "http://evil.example",
        "null",
        "http://localhost:1",
        "http://127.0.0.1:1",
        "https://stage.example",
        "https://stage.example.evil",
        "x",
    ):
        assert opens(own, origin=origin) == 403, origin


def test_no_page_from_elsewhere_sends_anything(open_server: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        answer = ask(open_server, "/_stcore/upload_file/a/b", method, Origin="http://evil.example")
        assert answer.status == 403 and "from elsewhere" in answer.text, method
        answer = ask(open_server, "/_stcore/upload_file/a/b", method, Origin=open_server)
        assert "from elsewhere" not in answer.text, method


# --- headers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EVERYTHING)
def test_every_answer_keeps_the_browser_here(open_server: str, room: str, path: str) -> None:
    for answer in (ask(open_server, path), ask(room, path), ask(open_server, path, Host="evil.example")):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        (policy,) = answer.headers.get_all("Content-Security-Policy")
        allowed = {name: rest for name, *rest in (part.split() for part in policy.split(";"))}
        assert allowed["default-src"] == allowed["frame-ancestors"] == ["'none'"]
        assert allowed["form-action"] == allowed["base-uri"] == ["'self'"]
        assert not {"'unsafe-eval'", "'unsafe-inline'", "data:", "https:", "*"} & set(allowed["script-src"])


def test_the_policy_names_no_other_machine_unless_the_operator_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access.config, "get_option", {"server.address": "0.0.0.0"}.get)
    monkeypatch.delenv("DPOT_TILES", raising=False)
    policy = access.headers()["Content-Security-Policy"]
    assert "//" not in policy and "https:" not in policy and "*" not in policy
    assert not access.may_ask("https://tiles.example/{z}/{x}/{y}.png")
    monkeypatch.setenv("DPOT_TILES", "https://tiles.example/{z}/{x}/{y}.png")
    policy = access.headers()["Content-Security-Policy"]
    assert "connect-src 'self' https://tiles.example;" in policy and "img-src 'self' data: blob:;" in policy
    assert access.may_ask("https://tiles.example/other/{z}/{x}/{y}.png")
    assert not access.may_ask("https://tiles.example.evil/{z}/{x}/{y}.png")


def test_sites_that_the_operator_names_may_frame_the_app_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPOT_EMBED", raising=False)
    closed = access.headers()
    assert closed["Content-Security-Policy"].endswith("frame-ancestors 'none'")
    assert closed["X-Frame-Options"] == "DENY"
    monkeypatch.setenv("DPOT_EMBED", " https://Moodle.example, https://wiki.example:8443,http://localhost:8080,")
    told = access.headers()
    sites = "https://moodle.example https://wiki.example:8443 http://localhost:8080"
    assert told["Content-Security-Policy"].endswith(f"; frame-ancestors {sites}")
    assert "X-Frame-Options" not in told, "older browsers would refuse those sites too"
    others = [name for name in closed if name not in ("Content-Security-Policy", "X-Frame-Options")]
    assert all(told[name] == closed[name] for name in others)
    policy, _, _ = told["Content-Security-Policy"].partition("; frame-ancestors")
    assert closed["Content-Security-Policy"] == f"{policy}; frame-ancestors 'none'"


@pytest.mark.parametrize(
    "named",
    [
        *("*", "https:", "https://*", "https://*.example", "'self'", "moodle.example", "http://moodle.example"),
        *("https://moodle.example/", "https://moodle.example; script-src *", "https://a.example https://b.example"),
        *("https://user@moodle.example", "https://[::1]", "https://moodle.example:port", "https://x.example\nY: z"),
    ],
)
def test_a_wrong_site_frames_nothing_and_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    said = said_before_it_ends(monkeypatch, capsys, "127.0.0.1", DPOT_EMBED=f"https://moodle.example,{named}")
    assert said.startswith("dpot: error: DPOT_EMBED: sites are https://NAME") and "Traceback" not in said


@pytest.mark.nightly
def test_a_running_server_tells_browsers_which_sites_may_frame_it(framed: str) -> None:
    for path in ("/", "/live/x/live.js", "/_stcore/health"):
        answer = ask(framed, path)
        assert answer.headers["Content-Security-Policy"].endswith("frame-ancestors https://moodle.example")
        assert answer.headers["X-Frame-Options"] is None


def test_a_reader_at_the_machine_may_type_any_tile_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access.config, "get_option", {"server.address": "127.0.0.1"}.get)
    monkeypatch.delenv("DPOT_TILES", raising=False)
    policy = access.headers()["Content-Security-Policy"]
    assert "connect-src 'self' https: http://127.0.0.1:* http://localhost:*;" in policy
    assert access.may_ask("https://tiles.example/{z}/{x}/{y}.png")


def test_numbers_about_the_whole_room_are_for_an_operator_who_asks(open_server: str, room: str) -> None:
    assert ask(open_server, "/_stcore/metrics").status == 404
    assert ask(room, "/_stcore/metrics").status == 401
    assert ask(room, "/_stcore/metrics", Cookie=cookie_of(enter(room))).status == 200


# --- the room's password ----------------------------------------------------------------------------------------


def enter(server: str, password: str = PASSWORD, path: str = "/", **how: str) -> Answer:
    return ask(server, path, "POST", urlencode({"password": password}), Origin=server, **FORM, **how)


def cookie_of(answer: Answer) -> str:
    return answer.headers["Set-Cookie"].split(";")[0]


def test_without_the_password_nothing_is_given_but_that_the_server_lives(room: str) -> None:
    for path in EVERYTHING:
        for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS"):
            answer = ask(room, path, method)
            assert answer.status == 401, (path, method)
            assert "streamlit" not in answer.text.lower()
    assert opens(room, origin=room) == 401
    assert ask(room, "/_stcore/health").text == "ok"


def test_the_password_opens_everything_and_leads_to_where_one_wanted_to_go(room: str) -> None:
    wrong = enter(room, "salmon and dil")
    assert wrong.status == 401 and "not the password" in wrong.text and "Set-Cookie" not in wrong.headers
    right = enter(room, path="/ring?ring_k=17&ring_epsilon=5")
    assert right.status == 303 and right.headers["Location"] == "./ring?ring_k=17&ring_epsilon=5"
    flags = right.headers["Set-Cookie"].lower()
    assert "httponly" in flags and "samesite=lax" in flags and "max-age" not in flags
    # What else a proxy shows of other folders gets none of it.
    assert "path=" not in flags
    cookie = cookie_of(right)
    assert ask(room, "/ring", Cookie=cookie).status == 200
    assert ask(room, "/live/x/live.js", Cookie=cookie).status == 200
    assert opens(room, origin=room, cookie=cookie) == 101
    # A stranger's page that knows the name still cannot use the cookie.
    assert opens(room, origin="http://evil.example", cookie=cookie) == 403


def test_the_way_on_never_leads_to_another_machine(room: str) -> None:
    for path in ("/", "//evil.example/x", "/\\evil.example", "///evil.example", "/x/https:evil.example"):
        to = enter(room, path=path).headers["Location"]
        assert to.startswith("./") and not {"/", "\\"} & set(to[2:])
        assert urljoin(f"{room}/below/ring", to).startswith(f"{room}/below/")


def test_no_cookie_is_good_that_was_not_given_here_or_is_old(room: str) -> None:
    cookie = cookie_of(enter(room)).removeprefix("dpot_room=")
    said, when, signature = cookie.split(".")
    later = when[:-1] + ("B" if when[-1] == "A" else "A")
    for forged in (
        "",
        ".",
        f"{said}.{when}.",
        f"{said}.{later}.{signature}",
        f"{said}.{when}.{signature[:-1]}",
        f"{said}.{signature}",
        f"x{cookie}",
        TimestampSigner("another key", salt="dpot_room", digest_method=sha256).sign(said).decode(),
        "é.é.é",
    ):
        assert ask(room, Cookie=f"dpot_room={forged}".encode().decode("latin-1")).status == 401, forged
    for seconds, good in ((86_000, True), (87_000, False)):
        with pytest.MonkeyPatch.context() as later_on:
            later_on.setattr(TimestampSigner, "get_timestamp", lambda _, by=seconds: int(time.time()) + by)
            assert Password(PASSWORD).knows(scope(cookie=f"dpot_room={cookie}")) == good


def test_a_restart_keeps_readers_and_a_new_password_sends_all_away(room: str) -> None:
    cookie = cookie_of(enter(room))
    assert Password(PASSWORD).knows(scope(cookie=cookie))
    assert not Password("another one").knows(scope(cookie=cookie))


def scope(cookie: str = "", client: str = "192.0.2.1") -> dict[str, Any]:
    headers = [(b"cookie", cookie.encode("latin-1"))]
    about = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "scheme": "http"}
    return about | {"headers": headers, "client": (client, 1)}


class Hours(asyncio.SelectorEventLoop):
    """Hours in a moment: where nothing is left to do but to wait, it is later."""

    def __init__(self) -> None:
        super().__init__()
        self.later, select = 0.0, self._selector.select

        def skip(timeout: float | None = None) -> Any:
            self.later += timeout or 0.0
            return select(0)

        self._selector.select = skip

    def time(self) -> float:
        return self.later


async def tried(asked: Password, given: str, client: str = "192.0.2.1", browser: str = "") -> tuple[int, float]:
    """What a try is answered, and after how many seconds."""
    begun = asyncio.get_running_loop().time()
    about = scope(f"dpot_browser={browser}" if browser else "", client)
    answer = await asked._answer(about, given, asyncio.Event().wait)
    return answer.status_code, asyncio.get_running_loop().time() - begun


async def guess(asked: Password, seconds: float, client: str, browser: str = "") -> int:
    """Guess without a pause; how many guesses were judged."""
    now, judged = asyncio.get_running_loop().time, 0
    until = now() + seconds
    while now() < until:
        status, _ = await tried(asked, "guess", client, browser)
        judged += status == 401
        if status != 401:
            await asyncio.sleep(0.1)
    return judged


def in_hours(work: Any) -> Any:
    """What a coroutine gives, run in a thread of its own: this one may hold the event loop of Playwright."""

    def run() -> Any:
        with asyncio.Runner(loop_factory=Hours) as runner:
            return runner.run(work)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def test_a_lecture_hall_behind_one_address_comes_in(room: str) -> None:
    """Three hundred people in a minute, one of ten mistypes: ten wrong ones locked out all of them for a minute."""

    async def hall() -> list[float]:
        asked = Password(PASSWORD)

        async def person(number: int) -> float:
            await asyncio.sleep(number / 5)
            if number % 10 == 0:
                assert (await tried(asked, "salmon and dil", browser=str(number)))[0] == 401
                await asyncio.sleep(3.0)
            status, waited = await tried(asked, PASSWORD, browser=str(number))
            assert status == 303
            return waited

        return await asyncio.gather(*map(person, range(300)))

    assert max(in_hours(hall())) < 2.0
    # And of a running server.
    for _ in range(12):
        assert enter(room, "guess", source="127.0.0.9").status == 401
    assert enter(room, source="127.0.0.9").status == 303


@pytest.mark.nightly
@pytest.mark.parametrize("browsers", [[""] * 3, [str(number) for number in range(50)]], ids=["scripts", "browsers"])
def test_guessing_is_slowed_down_and_keeps_no_others_out(browsers: list[str]) -> None:
    """At one address with everybody else: also one who comes late, and the right one is told by nothing but itself."""

    async def attack() -> tuple[int, list[float]]:
        asked, waits = Password(PASSWORD), []
        guessing = asyncio.gather(*(guess(asked, 1200.0, "192.0.2.1", browser) for browser in browsers))
        for number in range(100):
            await asyncio.sleep(11.0)
            status, waited = await tried(asked, PASSWORD, browser=f"reader {number}")
            assert status == 303
            waits.append(waited)
        assert (await tried(asked, PASSWORD, "192.0.2.2"))[1] < 1.0, "another address does not wait"
        return sum(await guessing), waits

    judged, waits = in_hours(attack())
    places = min(len(set(browsers)), asking.WAITING_OF_ONE)
    # The last ones were still waiting when the time was over.
    assert judged - places <= asking.FREE_OF_ONE + asking._GROWS + 20 * 60 / asking.PAUSE_OF_ONE
    # As long as a wrong one, which would wait for those before it.
    assert sum(waits) / len(waits) > asking.PAUSE_OF_ONE / 2 and max(waits) <= (places + 1) * asking.PAUSE_OF_ONE


def test_from_however_many_addresses_all_together_guess_as_slowly() -> None:
    async def attack() -> int:
        asked = Password(PASSWORD)
        return sum(await asyncio.gather(*(guess(asked, 600.0, f"198.51.{n // 250}.{n % 250}") for n in range(250))))

    assert in_hours(attack()) - 250 <= asking.FREE_OF_ALL + asking._GROWS + 10 * 60 / asking.PAUSE_OF_ALL


def test_no_one_waits_for_a_client_that_has_hung_up() -> None:
    """A server that is told to end waited a minute and a half for those who guessed."""

    async def leave() -> float:
        asked, now = Password(PASSWORD), asyncio.get_running_loop().time
        await asyncio.gather(*(tried(asked, "guess", browser=str(number)) for number in range(asking.FREE_OF_ONE + 10)))
        begun, told = now(), iter([{"type": "http.request"}, {"type": "http.disconnect"}])

        async def receive() -> dict[str, str]:
            await asyncio.sleep(0.1)
            return next(told)

        await asked._answer(scope("", "192.0.2.1"), "guess", receive)
        assert not any(line.waiting for line in asked._lines.values())
        return now() - begun

    assert in_hours(leave()) == pytest.approx(0.2)


def test_wrong_ones_are_forgotten_after_a_minute() -> None:
    async def later() -> None:
        asked = Password(PASSWORD)
        await guess(asked, 60.0, "192.0.2.1")
        assert (await tried(asked, PASSWORD))[1] > 1.0
        await asyncio.sleep(61.0)
        assert (await tried(asked, PASSWORD))[1] == 0.0
        await tried(asked, PASSWORD, "192.0.2.2")
        assert [*asked._lines] == ["192.0.2.2"], "nothing is kept of who has come in"

    in_hours(later())


def test_more_than_can_wait_are_turned_away_and_who_sends_another_one_takes_the_own_place() -> None:
    async def crowd() -> None:
        asked = Password(PASSWORD)
        await guess(asked, 60.0, "192.0.2.1")
        waiting = [asyncio.create_task(tried(asked, "guess", browser=str(n))) for n in range(asking.WAITING_OF_ONE)]
        await asyncio.sleep(0)
        assert await tried(asked, PASSWORD, browser="one more") == (503, 0.0)
        again = asyncio.create_task(tried(asked, PASSWORD, browser="7"))
        assert (await again)[0] == 303
        assert [status for status, _ in await asyncio.gather(*waiting)].count(401) == asking.WAITING_OF_ONE - 1
        assert (await waiting[7])[0] == 429

    in_hours(crowd())


def test_each_browser_is_told_apart(room: str) -> None:
    first = ask(room, "/").headers["Set-Cookie"]
    assert first.startswith("dpot_browser=") and "httponly" in first.lower()
    assert ask(room, "/").headers["Set-Cookie"] != first
    assert "Set-Cookie" not in ask(room, "/", Cookie=first.split(";")[0]).headers


def test_behind_a_proxy_guesses_are_counted_for_whom_it_names_last(room: str) -> None:
    """Whatever clients say of themselves comes before; the proxy before several servers adds its own line."""
    parts, lines = urlsplit(room), []
    for number in range(asking.FREE_OF_ONE + asking.WAITING_OF_ONE + 20):
        line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)
        line.putrequest("POST", "/")
        for said in (f"198.51.100.{number}", "203.0.113.9"):
            line.putheader("X-Forwarded-For", said)
        line.putheader("Cookie", f"dpot_browser={number}")
        line.putheader("Content-Type", "application/x-www-form-urlencoded")
        line.putheader("Content-Length", "14")
        line.endheaders(b"password=guess")
        lines.append(line)
        if number < asking.FREE_OF_ONE:
            assert line.getresponse().status == 401
    # Counted for others, no one would have had to wait or been turned away.
    assert lines[-1].getresponse().status == 503
    for line in lines:
        line.close()
    assert enter(room).status == 303
    assert "  option forwardfor\n" in servers._PROXY


def test_all_addresses_of_one_connection_are_one_client() -> None:
    assert asking._client(scope(client="2001:db8::1")) == asking._client(scope(client="2001:db8::ffff"))
    assert asking._client(scope(client="2001:db8::1")) != asking._client(scope(client="2001:db8:0:1::1"))
    assert asking._client(scope(client="::ffff:192.0.2.1")) != asking._client(scope(client="::ffff:192.0.2.2"))


# --- an address that others reach -------------------------------------------------------------------------------


def said_before_it_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str, **environment: str
) -> str:
    """What a server that cannot be meant so says; that its process then ends is asked of a whole one below."""
    for name in [name for name in os.environ if name.startswith(("DPOT_", "PUBLIC"))]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    option = access.config.get_option
    monkeypatch.setattr(access.config, "get_option", lambda name: address if name == "server.address" else option(name))
    with pytest.raises(SystemExit) as ended:
        access.middleware()
    assert ended.value.code == 2
    return capsys.readouterr().err


def asks_for_a_decision(said: str, address: str) -> None:
    assert f"dpot: error: {address} can be reached from other machines" in said
    assert all(way in said for way in ("DPOT_PASSWORD", "OIDC", "PUBLIC=1")) and "Traceback" not in said


def test_a_server_behind_a_proxy_is_as_open_as_the_proxy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind = {servers.BEHIND: "0.0.0.0"}
    asks_for_a_decision(said_before_it_ends(monkeypatch, capsys, "127.0.0.1", **behind), "0.0.0.0")


@pytest.mark.nightly
def test_an_open_address_asks_for_a_decision(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DPOT_", "PUBLIC"))}
    command = [sys.executable, "-m", "dpot_app", "app", "--address", "0.0.0.0", "--port", "0"]
    done = subprocess.run(command, cwd=driver.ROOT, env=kept, capture_output=True, text=True, timeout=900)
    assert done.returncode == 2
    asks_for_a_decision(done.stderr, "0.0.0.0")
    kept["DPOT_WORKERS"] = "many"
    done = subprocess.run([*command[:4], "--port", "0"], cwd=driver.ROOT, env=kept, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("dpot: error: DPOT_WORKERS is the number of processes")
    assert "The app is at" not in done.stdout
    for address in ("0.0.0.0", "::"):
        asks_for_a_decision(said_before_it_ends(monkeypatch, capsys, address), address)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "command", [COMMAND[:-1], [sys.executable, "-m", "dpot_app", "app"]], ids=["streamlit", "dpot"]
)
def test_no_start_asks_another_machine_for_its_own_address(command: list[str], tmp_path: Path) -> None:
    """Streamlit asks a server of Amazon; the proxy that it would have to take counts."""
    asked: list[str] = []

    class Counting(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(503)

        def do_CONNECT(self) -> None:
            self.do_GET()

    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    there = f"http://127.0.0.1:{proxy.server_port}"
    names = {name: there for kind in ("http", "https", "all") for name in (f"{kind}_proxy", f"{kind}_proxy".upper())}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DPOT_")}
    environment = {**kept, **names, "no_proxy": "", "NO_PROXY": "", "PUBLIC": "1"}
    flag = "--server." if "streamlit" in command else "--"
    try:
        # From a folder that is not the project's, as those who installed it start it.
        environment["PYTHONPATH"] = str(driver.ROOT)
        started = [*command, f"{flag}address", "0.0.0.0", f"{flag}port"]
        with driver.serving(started, cwd=tmp_path, env=environment) as address:
            assert ask(address).status == 200
            assert opens(address, origin="http://evil.example") == 403
    finally:
        proxy.shutdown()
        proxy.server_close()
    assert asked == []


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1", "The app is at http://127.0.0.1:8501\n"),
        ("::1", "The app is at http://[::1]:8501\n"),
        ("0.0.0.0", "The app is at http://localhost:8501; from other machines, with a name or number of this one\n"),
    ],
)
def test_the_address_is_named_once_it_is_decided_who_may_come_in(
    address: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "hideWelcomeMessage = true" in (driver.ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    monkeypatch.setenv("PUBLIC", "1")
    for name in ("DPOT_PASSWORD", "DPOT_TILES", servers.BEHIND):
        monkeypatch.delenv(name, raising=False)
    options = {"server.address": address, "server.port": 8501}
    option = access.config.get_option
    monkeypatch.setattr(access.config, "get_option", lambda name: options[name] if name in options else option(name))
    access.middleware()
    assert said in capsys.readouterr().out
    monkeypatch.delenv("PUBLIC")
    if address == "0.0.0.0":
        with pytest.raises(SystemExit):
            access.middleware()
        assert capsys.readouterr().out == ""


def test_only_loopback_is_taken_for_this_machine_alone() -> None:
    assert all(access.is_loopback(address) for address in ("127.0.0.1", "127.1.2.3", "::1", "localhost"))
    open_to_others = ("", "0.0.0.0", "::", "192.0.2.1", "laptop.example", "localhost.evil.example")
    assert not any(access.is_loopback(address) for address in open_to_others)


@pytest.mark.parametrize(
    ("name", "value"), [("DPOT_PASSWORD", "short"), ("DPOT_TILES", "http://tiles.example/{z}/{x}/{y}.png")]
)
def test_settings_that_cannot_be_meant_are_named(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"dpot: error: {name}" in said_before_it_ends(monkeypatch, capsys, "127.0.0.1", **{name: value})


def test_the_address_that_was_reached_is_a_host_and_no_other_name() -> None:
    """What a server at every address answers, without one."""
    door = access.AccessControl(Any, frozenset({"0.0.0.0"}), None)

    def refused(host: str, reached: str) -> bool:
        headers = [(b"host", f"{host}:8501".encode())]
        about = {"type": "http", "method": "GET", "headers": headers, "server": (reached, 8501)}
        return door._refusal(about) is not None

    assert not refused("127.0.0.3", "127.0.0.3") and not refused("192.0.2.7", "::ffff:192.0.2.7")
    assert refused("127.0.0.4", "127.0.0.3") and refused("evil.example", "127.0.0.3")


@pytest.mark.nightly
def test_public_lets_all_in_by_the_address_that_they_reached_and_by_no_other_name(public: str) -> None:
    port = urlsplit(public).port
    elsewhere = f"http://127.0.0.3:{port}"
    assert ask(elsewhere).status == 200 and opens(elsewhere, origin=elsewhere) == 101
    assert ask(elsewhere, Host=f"127.0.0.4:{port}").status == 403
    assert ask(elsewhere, Host=f"evil.example:{port}").status == 403
