"""The server's answers beside Streamlit: JavaScript of live pictures, frames, numbers behind pictures."""

import gzip
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from importlib import resources
from weakref import WeakValueDictionary

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from streamlit import config

from dpot_app.kit.cache import Cache, in_advance
from dpot_app.kit.requester import Requester, requested_by
from dpot_app.kit.workers.jobs import are_open, have_time
from dpot_app.live.frames import Frames, Screen, Writer
from dpot_core.arguments.progress import Progress

_STATIC = resources.files("dpot_app.live") / "static"
_TYPES = {"js": "text/javascript", "css": "text/css"}

#: One frame at a time in the whole process, so that frames starve no script; those who wait take turns.
_LIMITER = anyio.CapacityLimiter(1)
_HEAVY = anyio.CapacityLimiter(1)  # likewise of the frames that workers compute: they make no others wait
#: Who comes next waits in a line, so that one looks whether it is time, not everybody.
_TURN, _HEAVY_TURN = anyio.Lock(), anyio.Lock()
#: After so many frames comes what another setting asks for next.
_NEAREST = 3
#: Seconds between two looks whether scripts have ended, and whether workers have time.
_GLANCE, _LOOK = 0.01, 0.1

# Of as many families of frames what was written is kept, most a few hundred kilobytes.
_TOLD = Cache(64)
# Sessions hold the frames that their pages may ask for; with the session they go.
_families: WeakValueDictionary[str, Frames] = WeakValueDictionary()
_numbers: WeakValueDictionary[str, "Numbers"] = WeakValueDictionary()
_lock = threading.Lock()
# Of a thread: whether it runs a script.
_thread = threading.local()


def offer(frames: Frames) -> str:
    """Register frames under an unguessable token; they are served as long as a session holds them."""
    token = secrets.token_urlsafe(24)
    _families[token] = frames
    return token


@dataclass(eq=False)
class Numbers:
    """The numbers behind a picture, made into tables of texts when they are asked for."""

    of: tuple[object, ...]  # what they are the numbers of
    tables: Callable[[], Sequence[Mapping[str, object]]] = field(repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), init=False)

    def __post_init__(self) -> None:
        _numbers[self.token] = self

    @property
    def address(self) -> str:
        """Capability URL below the app's own address: valid while a session holds the numbers."""
        return f"live-numbers/{self.token}"


class Running:
    """Counts the scripts that run: frames wait for them.

    With two servers and 50 readers (`make load`) moves have a p95 of 1.3 to 1.4 s, and of 2.0 to 2.2 s where frames do
    not wait.
    """

    count = 0

    def __enter__(self) -> None:
        _thread.runs = True
        Running._add(1)

    def __exit__(self, *_: object) -> None:
        _thread.runs = False
        Running._add(-1)

    @staticmethod
    @contextmanager
    def pause() -> Iterator[None]:
        """A script that waits for a worker lets frames go on."""
        one = int(getattr(_thread, "runs", False))
        Running._add(-one)
        try:
            yield
        finally:
            Running._add(one)

    @staticmethod
    def _add(number: int) -> None:
        with _lock:
            Running.count += number


class Gone(Exception):
    """No page waits for this frame any more."""


async def _frames(request: Request) -> Response:
    frames = _families.get(request.path_params["token"])
    if frames is None:
        return Response(status_code=404)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_lines(frames, request), media_type="application/x-ndjson", headers=headers)


async def _lines(frames: Frames, request: Request) -> AsyncIterator[bytes]:
    told, writer, gone = _told(frames), Writer(), threading.Event()
    watch: Callable[[int, int], None] = lambda done, total: _leave(gone)  # noqa: E731
    requester = Requester(request.path_params["token"], lambda ahead: _leave(gone), in_advance=True)
    heavy = frames.heavy and are_open()
    try:
        for number, place in enumerate(frames.order):
            works: list[Callable[[], bytes]] = []
            if number == _NEAREST:
                works += (partial(_ahead, one, watch, requester) for one in frames.ahead)
            if number < len(told.lines):
                yield told.lines[number]
                writer.first = told.first
            else:
                works.append(partial(told.line, writer, number, place, frames, watch, requester))
            for work in works:
                async with _HEAVY_TURN if heavy else _TURN:
                    while Running.count or (heavy and not have_time()):
                        await anyio.sleep(_LOOK if heavy else _GLANCE)
                        if heavy and await request.is_disconnected():
                            return
                    if await request.is_disconnected():
                        return
                    line = await anyio.to_thread.run_sync(
                        work, limiter=_HEAVY if heavy else _LIMITER, abandon_on_cancel=True
                    )
                if line:
                    yield line
    finally:
        gone.set()


class Told:
    """The written part of a family of frames: of a class that opens one link, the first reader waits for it."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.first: Screen | None = None  # that all of them are told apart from
        self._goes_on = True

    def line(self, writer: Writer, number: int, place: int, frames: Frames, watch: Progress, by: Requester) -> bytes:
        """A line that has not been written, for the reader of this writer."""
        watch(0, 1)
        with in_advance(), requested_by(by):
            screen: Screen | None = frames.screen(place, watch)
        line = writer.line(place, screen)
        with _lock:
            # Where nothing is drawn, it may be later, when there are data: nothing is kept from there on.
            self._goes_on &= screen is not None
            if self._goes_on and number == len(self.lines):
                self.first = writer.first
                self.lines.append(line)
        return line


def _told(frames: Frames) -> Told:
    return Told() if frames.shared is None else _TOLD.get((frames.shared, frames.at), Told)


def _ahead(ahead: Callable[[Progress], object], watch: Progress, requester: Requester) -> bytes:
    watch(0, 1)
    # Settings that do not fit are told to the page that asks for them.
    with in_advance(), requested_by(requester), suppress(ValueError, RuntimeError):
        ahead(watch)
    return b""


def _leave(gone: threading.Event) -> None:
    if gone.is_set():
        raise Gone


async def _tables(request: Request) -> Response:
    numbers = _numbers.get(request.path_params["token"])
    if numbers is None:
        return Response(status_code=404)
    return JSONResponse(await anyio.to_thread.run_sync(numbers.tables), headers={"Cache-Control": "no-store"})


@cache
def _file(name: str) -> tuple[bytes, str] | None:
    """A file for the browser, compressed, with its type."""
    place = _STATIC / name
    kind = _TYPES.get(name.rpartition(".")[2])
    if kind is None or "/" in name or not place.is_file():
        return None
    return gzip.compress(place.read_bytes(), 6), kind


async def _static(request: Request) -> Response:
    file = await anyio.to_thread.run_sync(_file, request.path_params["name"])
    if file is None:
        return Response(status_code=404)
    # The address holds a digest of all files, so that browsers may keep them for good.
    headers = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(file[0], media_type=file[1], headers=headers)


@cache
def version() -> str:
    """A digest of everything that browsers load from here."""
    digest = sha256()
    for file in sorted(_STATIC.iterdir(), key=lambda file: file.name):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def base() -> str:
    """The path under which the app is served, without a slash at its end."""
    path = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def address(name: str) -> str:
    """Where a file for the browser is, below the app's own address, which a proxy may know under another path."""
    return f"live/{version()}/{name}"


def frames_address(token: str) -> str:
    return f"live-frames/{token}"


def routes() -> list[Route]:
    return [
        Route(f"{base()}/live/{{version}}/{{name}}", _static),
        Route(f"{base()}/live-frames/{{token}}", _frames),
        Route(f"{base()}/live-numbers/{{token}}", _tables),
    ]
