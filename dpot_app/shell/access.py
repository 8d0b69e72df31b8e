"""Access control: known hosts and origins only, the room's password, and headers that keep browsers to this server.

It stands before everything that the server gives: pages, the WebSocket, uploads, media, frames and scripts.
"""

import os
import sys
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from re import DOTALL, findall, fullmatch
from typing import NoReturn
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from dpot_app.cities.tiles import checked_address, configured_address
from dpot_app.serve.servers import BEHIND, REACHED
from dpot_app.shell import serving
from dpot_app.shell.first import Dressed, streamlit_page
from dpot_app.shell.password import SHORTEST, Password

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: Every address of this machine.
_EVERYWHERE = frozenset({"", "0.0.0.0", "::"})
#: What answers without the password, for proxies that ask whether the server lives; it says no more than "ok".
_HEALTH = "/_stcore/health"
#: Sessions, memory and traffic of the whole room: only for an operator who asks for them.
_METRICS = "/_stcore/metrics"
#: Methods that change nothing: only the others, and WebSockets, need to come from a page of ours.
_HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
#: Exit code where the address needs a decision.
_UNUSABLE = 2

_OPEN = (
    "{address} can be reached from other machines, and no password would be asked for. People who reach it can use "
    "this machine's processor and memory. On a network without encryption (http) others can read along. Set "
    "DPOT_PASSWORD to a room password of at least {shortest} characters. Or set up OIDC in .streamlit/secrets.toml "
    "(SECURITY.md), or say PUBLIC=1 to let all in."
)


def middleware() -> list[Middleware]:
    """The middleware before the server.

    The process ends with a sentence where the address is open to others and it is not decided who may come in.
    """
    address, password = _address_of_readers(), os.environ.get("DPOT_PASSWORD", "")
    if password and len(password) < SHORTEST:
        end(f"DPOT_PASSWORD has {len(password)} characters; a room password needs at least {SHORTEST}.")
    if not (password or is_loopback(address) or by_oidc() or os.environ.get("PUBLIC") == "1"):
        end(_OPEN.format(address=address or "Every address of this machine", shortest=SHORTEST))
    for name, read in (("DPOT_TILES", tile_sources), ("DPOT_EMBED", embedders)):
        try:
            read()
        except ValueError as problem:
            end(f"{name}: {problem}")
    _name_the_address()
    hosts = {address.lower(), *(name.strip().lower() for name in os.environ.get("DPOT_HOSTS", "").split(","))} - {""}
    access = Middleware(AccessControl, hosts=frozenset(hosts), password=Password(password) if password else None)
    return [access, Middleware(Dressed)]


def _address_of_readers() -> str:
    """Where readers reach the app: this server, or the proxy that `dpot app --servers` puts before several."""
    return os.environ.get(BEHIND) or str(config.get_option("server.address") or "")


def _name_the_address() -> None:
    """Say where the app is: what this machine knows of itself, without asking another."""
    address, port = str(config.get_option("server.address") or ""), config.get_option("server.port")
    everywhere = address in _EVERYWHERE
    host = "localhost" if everywhere else f"[{address}]" if ":" in address else address
    scheme = "https" if config.get_option("server.sslCertFile") else "http"
    more = "; from other machines, with a name or number of this one" if everywhere else ""
    print(f"\n  The app is at {scheme}://{host}:{port}{serving.base()}{more}\n", flush=True)


def end(sentence: str) -> NoReturn:
    """End the server before it serves: exit code 2."""
    print(f"dpot: error: {sentence}", file=sys.stderr)
    sys.exit(_UNUSABLE)


def by_oidc() -> bool:
    """Whether people log in with accounts: the section [auth] of .streamlit/secrets.toml."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return address == "localhost" or ip_address(address).is_loopback
    except ValueError:
        return False


class AccessControl:
    """Refuses what no page of ours would ask, and adds headers to what is answered.

    A name that an attacker's DNS points to this machine (DNS rebinding) is no known host, and a page from elsewhere
    that opens a WebSocket or sends a form is no known origin. Starlette's `TrustedHostMiddleware` knows names that are
    given beforehand; the address that a reader has reached is not, in a room whose network gives it anew each day.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], password: Password | None) -> None:
        self._app, self._hosts, self._password = app, hosts, password
        self._headers = headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                own = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    own[name] = value
            await send(message)

        why = self._refusal(scope)
        if why is not None:
            await PlainTextResponse(f"{why}\n", 403)(scope, receive, sent)
        elif _path(scope) == _METRICS and os.environ.get("DPOT_METRICS") != "1":
            await PlainTextResponse("", 404)(scope, receive, sent)
        elif self._password is None or _path(scope) == _HEALTH or self._password.knows(scope):
            await self._app(scope, receive, sent)
        else:
            await self._password.ask(scope, receive, sent)

    def _refusal(self, scope: Scope) -> str | None:
        """Why a request is not answered; None if it is."""
        asked = Headers(scope=scope)
        host, origin = asked.getlist("host"), asked.get("origin")
        if len(host) != 1 or not self._is_host(_hostname(f"//{host[0]}"), scope):
            return "This host is not known here; the operator lists further names in DPOT_HOSTS."
        if origin is None or (scope["type"] == "http" and scope["method"] in _HARMLESS):
            return None
        # The host is known by now; a proxy must pass it on.
        own = {f"{scheme}://{host[0].lower()}" for scheme in ("http", "https")}
        return None if origin.lower() in own else "This was sent by a page from elsewhere."

    def _is_host(self, name: str | None, scope: Scope) -> bool:
        if name in _LOOPBACK or name in self._hosts:
            return True
        # The address that the request has reached: no name was looked up, so none can have been rebound.
        behind = os.environ.get(BEHIND) is not None
        reached = Headers(scope=scope).get(REACHED, "") if behind else (scope.get("server") or ("",))[0]
        try:
            return name is not None and _address(name) == _address(reached)
        except ValueError:
            return False


def _hostname(address: str) -> str | None:
    """The name in an address, in small letters; None where there is none that everybody would read alike."""
    try:
        parts = urlsplit(address)
        name, _ = parts.hostname, parts.port
    except ValueError:
        return None
    odd = "@" in parts.netloc or parts.path or parts.query or parts.fragment
    return None if odd or not name else name.rstrip(".")


def _address(text: str) -> object:
    found = ip_address(text)
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _path(scope: Scope) -> str:
    return str(scope["path"]).removeprefix(serving.base())


def headers() -> Mapping[str, str]:
    """Headers of every answer: nothing is fetched from, sent to or framed by others than the operator names."""
    tiles, frames = tile_sources(), embedders()
    policy = {
        "default-src": "'none'",
        # Streamlit imports components from blobs, reads long numbers by WebAssembly, and has one line of script in its
        # page. No text is ever run as a script (`eval`).
        "script-src": " ".join(("'self'", "blob:", "'wasm-unsafe-eval'", *_inline_scripts())),
        "worker-src": "'self' blob:",
        # Streamlit writes styles into the page.
        "style-src": "'self' 'unsafe-inline'",
        "font-src": "'self' data:",
        "img-src": "'self' data: blob:",
        # Tiles are fetched and painted.
        "connect-src": " ".join(("'self'", *tiles)),
        "media-src": "'self' data: blob:",
        "manifest-src": "'self'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(frames) or "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        # It can name no site, and would keep out those that the policy lets in.
        **({} if frames else {"X-Frame-Options": "DENY"}),
        "X-Content-Type-Options": "nosniff",
        # Links hold settings: no other site may see them. (Without any, forms would name no origin.)
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


@cache
def _inline_scripts() -> tuple[str, ...]:
    """Digests of the scripts that stand in Streamlit's page itself: no other is run."""
    scripts = findall(r"<script>(.*?)</script>", streamlit_page().decode(), DOTALL)
    return tuple(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts)


def embedders() -> tuple[str, ...]:
    """Sites whose pages may show the app in a frame: `DPOT_EMBED`, such as ``https://moodle.example``; none without it.

    Raises:
        ValueError: it names something else, which the policy of pages would read in another way, or not at all.
    """
    sites = tuple(one.strip().lower() for one in os.environ.get("DPOT_EMBED", "").split(",") if one.strip())
    for site in sites:
        host = r"https://[a-z0-9-]+(\.[a-z0-9-]+)*|http://(localhost|127\.0\.0\.1)"
        if not fullmatch(rf"({host})(:[0-9]{{1,5}})?", site):
            raise ValueError(f"sites are https://NAME or https://NAME:PORT, with commas between them; got {site!r}")
    return sites


def tile_sources() -> tuple[str, ...]:
    """Which tile servers a reader's browser may ask, as the policy of pages names them.

    The one that `DPOT_TILES` names; without it any for a reader at this machine, and none in a room.
    """
    if configured := configured_address():
        parts = urlsplit(checked_address(configured))
        return (f"{parts.scheme}://{parts.netloc}",)
    own = is_loopback(_address_of_readers())
    return ("https:", "http://127.0.0.1:*", "http://localhost:*") if own else ()


def may_ask(tiles: str) -> bool:
    """Whether the policy of pages lets browsers ask for tiles at a checked address."""
    parts, sources = urlsplit(tiles), tile_sources()
    # A policy cannot name an address of IPv6.
    return f"{parts.scheme}://{parts.netloc}" in sources or ("https:" in sources and parts.hostname != "::1")
