"""Styles that a browser has before Streamlit's page begins, so that no page is seen without them or moves.

And a script that says while a page comes what is still to come.
"""

from functools import cache
from importlib import resources

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpot_app.shell import serving

#: At the end of the page, after all that Streamlit writes into its head: where rules weigh the same, ours hold.
STYLES = ("page_frame.css", "live.css", "paper.css")
SCRIPT = "coming.js"
# The page is written to, so that no answer of before is good for it, and it must not be compressed yet.
_OF_STREAMLIT = frozenset({b"accept-encoding", b"if-none-match", b"if-modified-since"})


@cache
def streamlit_page() -> bytes:
    """The one that Streamlit answers every address of a page with."""
    return (resources.files("streamlit") / "static" / "index.html").read_bytes()


class Dressed:
    """Names our styles and script in Streamlit's page, and in nothing else; stands between access and Streamlit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asks = scope["type"] == "http" and scope["method"] == "GET"
        if not (asks and "text/html" in Headers(scope=scope).get("accept", "")):
            await self._app(scope, receive, send)
            return
        begun: Message | None = None
        page = b""

        async def sent(message: Message) -> None:
            nonlocal begun, page
            if message["type"] == "http.response.start" and _may_be_the_page(message):
                begun = message
            elif begun is None:
                await send(message)
            else:
                page += message.get("body", b"")
                if not message.get("more_body"):
                    await _answer(begun, page, send)

        asked = [(name, value) for name, value in scope["headers"] if name not in _OF_STREAMLIT]
        await self._app({**scope, "headers": asked}, receive, sent)


def _may_be_the_page(start: Message) -> bool:
    told = Headers(raw=start["headers"])
    kind, length = told.get("content-type", ""), told.get("content-length")
    return kind.startswith("text/html") and length == str(len(streamlit_page()))


async def _answer(start: Message, page: bytes, send: Send) -> None:
    if page == streamlit_page():
        links = "".join(f'<link rel="stylesheet" href="{serving.address(name)}">' for name in STYLES)
        script = f'<script src="{serving.address(SCRIPT)}"></script>'
        page = page.replace(b"</body>", f"{links}{script}</body>".encode())
        headers = MutableHeaders(scope=start)
        headers["Content-Length"] = str(len(page))
        for name in ("ETag", "Last-Modified"):
            del headers[name]
    await send(start)
    await send({"type": "http.response.body", "body": page})
