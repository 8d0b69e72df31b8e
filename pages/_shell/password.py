"""The room's password: asked before anything else is answered, and kept as a signed cookie."""

import hmac
import time
from collections import deque
from hashlib import scrypt, sha256
from ipaddress import IPv6Address, ip_address
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

#: Characters that a password must have.
SHORTEST = 8
#: Wrong passwords that one client, and all together, may send within as many seconds.
BY_ONE, BY_ALL, WITHIN = 10, 100, 60.0
#: Seconds for which a cookie is good.
_DAY = 86_400
_COOKIE = "dpot_room"
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


class Password:
    """The password, who sent wrong ones lately, and the key that signs cookies.

    The key comes from the password alone, so that a restart sends nobody away, several servers behind one proxy know
    each other's cookies, and another password makes all of them void. It is slow to compute (scrypt): a stolen cookie,
    which opens the room for a day, should not give the password away.
    """

    def __init__(self, password: str) -> None:
        self._digest = sha256(password.encode()).digest()
        self._key = scrypt(password.encode(), salt=b"dpot room password", n=2**14, r=8, p=1)
        self._wrong: deque[tuple[float, str]] = deque()

    def knows(self, scope: Scope) -> bool:
        """Whether a request has a cookie of ours that is still good."""
        until, _, signature = HTTPConnection(scope).cookies.get(_COOKIE, "").partition(".")
        good = hmac.compare_digest(signature.encode(), self._signature(until).encode())
        return good and time.time() < float(until)

    def _signature(self, until: str) -> str:
        return hmac.digest(self._key, until.encode(), "sha256").hex()

    async def ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer whoever has no cookie: with the question, or with a cookie for the right password."""
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "POST"):
            answer: Response = PlainTextResponse("The room has a password.\n", 401)
        elif scope["method"] == "GET":
            answer = self._page("", 401)
        else:
            answer = self._judged(scope, await _form(Request(scope, receive)))
        answer.headers["Cache-Control"] = "no-store"
        await answer(scope, receive, send)

    def _judged(self, scope: Scope, given: str) -> Response:
        client = _client(scope)
        # No await from the count to the note: nobody slips in between.
        if wait := self._wait(client, time.monotonic()):
            answer = self._page(f"Too many wrong passwords. Try again in {wait} seconds.", 429)
            answer.headers["Retry-After"] = str(wait)
            return answer
        if not hmac.compare_digest(sha256(given.encode()).digest(), self._digest):
            self._wrong.append((time.monotonic(), client))
            return self._page("That is not the password.", 401)
        # The same page again, on this server whatever the path looks like.
        to = (
            "/"
            + quote(scope["path"].lstrip("/\\"))
            + (f"?{q}" if (q := scope["query_string"].decode("latin-1")) else "")
        )
        answer = RedirectResponse(to, 303)
        until = str(int(time.time()) + _DAY)
        secure, value = scope["scheme"] == "https", f"{until}.{self._signature(until)}"
        # Lax: a link in a mail opens the page, and what would change something is held against its origin.
        answer.set_cookie(_COOKIE, value, httponly=True, samesite="lax", secure=secure)
        return answer

    def _wait(self, client: str, now: float) -> int:
        """Seconds until a client may try again; while there are some, the right password is refused too."""
        while self._wrong and self._wrong[0][0] <= now - WITHIN:
            self._wrong.popleft()
        own = [when for when, who in self._wrong if who == client]
        held = [tries[-most] for tries, most in (([when for when, _ in self._wrong], BY_ALL), (own, BY_ONE))
                if len(tries) >= most]  # fmt: skip
        return int(max(held) + WITHIN - now) + 1 if held else 0

    def _page(self, said: str, status: int) -> Response:
        return HTMLResponse(_PAGE.format(said=said), status)


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


def _client(scope: Scope) -> str:
    """Who asks; whoever has one address of IPv6 has all of its /64."""
    name = str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(name)
    except ValueError:
        return name
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(int(address) >> 64)
    return name
