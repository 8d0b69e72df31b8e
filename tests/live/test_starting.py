"""What a server does while it runs, whether or not a reader comes."""

from __future__ import annotations

import asyncio
import gc
import time
from weakref import ref

import pytest

from dpot_app.kit.cache import CACHE, file_digest, forget_with, from_files
from dpot_app.shell import starting


class Session:
    """Refers to itself, as Streamlit's do: counting references does not end it."""

    def __init__(self) -> None:
        self.itself = self


def test_files_of_an_ended_session_go_while_no_reader_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "_LOOK", 0.01)
    session, digest, key = Session(), file_digest(b"a reader's own file"), "worked out of the file"
    left = ref(session)
    forget_with(session, digest)
    with from_files([digest]):
        CACHE.get(key, lambda: 1.0)

    async def serve() -> None:
        async with starting.lifespan(None):
            limit = time.monotonic() + 120
            while (left() is not None or CACHE.known([key])) and time.monotonic() < limit:
                await asyncio.sleep(0.01)

    gc.disable()  # Python would look by itself sooner or later, but not while nothing happens
    try:
        del session
        assert left() is not None and CACHE.known([key])
        asyncio.run(serve())
        assert left() is None and not CACHE.known([key])
    finally:
        gc.enable()
