"""The room's password: asked before anything else is answered, and kept as a signed cookie."""

import asyncio
import hmac
from collections import defaultdict, deque
from dataclasses import dataclass, field
from hashlib import scrypt, sha256
from ipaddress import IPv6Address, ip_address
from secrets import token_urlsafe
from urllib.parse import parse_qs, quote

from itsdangerous import TimestampSigner
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

#: Characters that a password must have.
SHORTEST = 8
#: Wrong passwords of one address, and of all, that cost no time within as many seconds: a lecture hall mistypes.
FREE_OF_ONE, FREE_OF_ALL, WITHIN = 30, 100, 60.0
#: Seconds that the next one waits once there were ten more; one more than is free costs a tenth of that. Who goes on
#: guessing gets to 40 a minute, all together to 120.
PAUSE_OF_ONE, PAUSE_OF_ALL, _GROWS = 1.5, 0.5, 10
#: Browsers of one address, and of all, that wait at a time; more are turned away.
WAITING_OF_ONE, WAITING = 60, 300
#: Seconds for which a cookie is good.
_DAY = 86_400
_COOKIE = "dpot_room"
#: A number for each browser that is asked: many of them may have one address.
_BROWSER = "dpot_browser"
#: No path: browsers take the folder of the page that was asked for, as they see it. Other servers behind the same proxy
#: get no cookie of ours.
_HERE = None
#: Bytes of a form that are read.
_LARGEST = 4096

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Room password</title><link rel="icon" href="data:,">
<style>
  :root {{ color-scheme: light dark; font: 1rem/1.5 sans-serif; }}
  main {{ max-width: 22rem; margin: 20vh auto 0; padding: 0 1rem; }}
  h1 {{ font-size: 1.375rem; font-weight: 600; }}
  input, button {{ box-sizing: border-box; width: 100%; padding: .5rem; margin-top: .5rem; font: inherit; }}
</style>
<main><h1>Room password</h1>
<form method="post">
  <label for="password">The person who invited you knows it.</label>
  <input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
  <button>Enter</button>
</form>
<p role="alert">{said}</p></main></html>
"""


@dataclass
class _Line:
    """Tries that are judged one after another: beyond what is free a wrong one makes the next one wait."""

    free: int
    longest: float  # pause, seconds
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # those who wait get it in their order
    wrong: deque[float] = field(default_factory=deque)  # when, within the last `WITHIN` seconds
    waiting: dict[str, asyncio.Task[bool]] = field(default_factory=dict)  # by browser

    def pause(self, now: float) -> float:
        """Seconds until the next try may be judged."""
        while self.wrong and self.wrong[0] <= now - WITHIN:
            self.wrong.popleft()
        beyond = len(self.wrong) - self.free
        return self.wrong[-1] + self.longest * min(beyond / _GROWS, 1.0) - now if beyond > 0 else 0.0

    def idle(self, now: float) -> bool:
        """Whether nothing of it has to be known any more."""
        self.pause(now)
        return not (self.wrong or self.waiting)


class Password:
    """The password, who tries and tried lately, and the key that signs cookies.

    The key comes from the password alone, so that a restart sends no reader away, several servers behind one proxy know
    each other's cookies, and another password makes all of them void. It is slow to compute (scrypt): a stolen cookie,
    which opens the room for a day, should not give the password away.

    No try is refused for those before it: a lecture hall has one address. A right password waits as long as a wrong one
    would, or it could be told by its speed, and makes no one wait.
    """

    def __init__(self, password: str) -> None:
        self._digest = sha256(password.encode()).digest()
        key = scrypt(password.encode(), salt=b"dpot room password", n=2**14, r=8, p=1)
        self._signer = TimestampSigner(key, salt=_COOKIE, digest_method=sha256)
        self._all = _Line(FREE_OF_ALL, PAUSE_OF_ALL)
        self._lines: defaultdict[str, _Line] = defaultdict(lambda: _Line(FREE_OF_ONE, PAUSE_OF_ONE))

    def knows(self, scope: Scope) -> bool:
        """Whether a request has a cookie of ours that is still good."""
        return self._signer.validate(HTTPConnection(scope).cookies.get(_COOKIE, ""), max_age=_DAY)

    async def ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a reader without a cookie: with the question, or with a cookie for the right password."""
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "POST"):
            answer: Response = PlainTextResponse("The room has a password.\n", 401)
        elif scope["method"] == "GET":
            answer = self._page("", 401)
            if _BROWSER not in HTTPConnection(scope).cookies:
                secure = scope["scheme"] == "https"
                answer.set_cookie(_BROWSER, token_urlsafe(12), path=_HERE, httponly=True, samesite="lax", secure=secure)
        else:
            answer = await self._answer(scope, await _form(Request(scope, receive)), receive)
        answer.headers["Cache-Control"] = "no-store"
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope, given: str, receive: Receive) -> Response:
        browser = HTTPConnection(scope).cookies.get(_BROWSER, "")[:64]
        for name in [name for name, one in self._lines.items() if one.idle(_now())]:
            del self._lines[name]
        line = self._lines[_client(scope)]
        if earlier := line.waiting.get(browser):
            earlier.cancel()  # one browser has one place: many tries from one keep no others waiting
        elif len(line.waiting) >= WAITING_OF_ONE or sum(len(one.waiting) for one in self._lines.values()) >= WAITING:
            return self._page("Many are trying at once. Try again in a few seconds.", 503)
        trying = line.waiting[browser] = asyncio.create_task(self._judged(line, given))
        gone = asyncio.create_task(_gone(receive))  # a server ends once no try waits any more, and that may be long
        try:
            await asyncio.wait({trying, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            trying.cancel()
            if line.waiting.get(browser) is trying:
                del line.waiting[browser]
        if not trying.done() or trying.cancelled():
            return self._page("You have sent another one meanwhile.", 429)
        return self._open(scope) if trying.result() else self._page("That is not the password.", 401)

    async def _judged(self, line: _Line, given: str) -> bool:
        """Whether it is the password, once it is its turn."""
        async with line.turn:
            await asyncio.sleep(line.pause(_now()))
            async with self._all.turn:
                await asyncio.sleep(self._all.pause(_now()))
                right = hmac.compare_digest(sha256(given.encode()).digest(), self._digest)
                if not right:
                    line.wrong.append(_now())
                    self._all.wrong.append(_now())
        return right

    def _open(self, scope: Scope) -> Response:
        """Let in."""
        # The same page again: beside itself, whatever stands before it, and on this server whatever it looks like.
        query = scope["query_string"].decode("latin-1")
        name = quote(scope["path"].rpartition("/")[2])
        answer = RedirectResponse(f"./{name}" + (f"?{query}" if query else ""), 303)
        secure, value = scope["scheme"] == "https", self._signer.sign("in").decode()
        # Lax: a link in a mail opens the page, and what would change something is held against its origin.
        answer.set_cookie(_COOKIE, value, path=_HERE, httponly=True, samesite="lax", secure=secure)
        return answer

    def _page(self, said: str, status: int) -> Response:
        return HTMLResponse(_PAGE.format(said=said), status)


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _form(request: Request) -> str:
    """The password of a form, "" if there is none."""
    if Headers(scope=request.scope).get("content-type", "") != "application/x-www-form-urlencoded":
        return ""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LARGEST:
            return ""
    return parse_qs(body.decode("utf-8", "replace"), max_num_fields=10).get("password", [""])[0]


async def _gone(receive: Receive) -> None:
    """Wait until the browser has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _client(scope: Scope) -> str:
    """The client that asks; a client with one address of IPv6 has all of its /64."""
    name = str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(name)
    except ValueError:
        return name
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(int(address) >> 64)
    return name
