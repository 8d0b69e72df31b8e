"""Readers without a browser: they speak Streamlit's protocol over the WebSocket, and fetch frames as browsers do."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

#: Seconds after which no reader waits for a page any more, and between two tries to reach a server that is gone.
PATIENCE, AGAIN = 120.0, 0.5
#: Seconds between two moves of epsilon, and of any other control; both as in a lecture where all move when told to.
EPSILON, OTHER = (2.0, 5.0), 30.0
#: Pages and how often they are open: what a lecture shows.
PAGES = {"ring": 5, "geolocation": 4, "mixture": 4, "": 2, "movies": 1, "metric": 1, "sinkhorn": 1, "explain": 1}
#: What takes long, with a seed of the reader's own: a crowd on the finest grid, people and noise of their own.
HEAVY = {
    "geolocation": {"geo_n": "40", "geo_view": "The crowd"},
    "population": {"pop_n": "5000"},
}
#: The largest value that a reader of what is light chooses: finer grids take up to 20 s alone, and their page says so.
LIGHT = {"geo_n": 40}
_Found = TypeVar("_Found")
_SUCCESS = {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY}


def finished(work: Coroutine[Any, Any, _Found]) -> _Found:
    """Run a coroutine to its end in a thread of its own: a caller's may hold the event loop of Playwright."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@dataclass
class Seen:
    """What all readers saw, as far as the clock is theirs."""

    seconds: dict[str, list[float]] = field(default_factory=dict)  # by kind of interaction
    on_page: dict[str, list[float]] = field(default_factory=dict)  # of light readers, but for opening it
    errors: Counter[str] = field(default_factory=Counter)
    away: int = 0  # times that the server was not there
    frames: int = 0  # families that were fetched to the end
    refused: int = 0  # heavy work that the server refused in words

    def took(self, kind: str, seconds: float) -> None:
        self.seconds.setdefault(kind, []).append(seconds)


class Reader:
    """One session: opens a page, moves its controls until ``until``.

    Args:
        address: of the server, ``http://host:port``.
        seen: where times and errors go.
        seed: of what is moved when.
        heavy: whether the reader asks for what takes long.
    """

    def __init__(self, address: str, seen: Seen, seed: int, heavy: bool = False) -> None:
        self._address, self._seen, self._heavy, self._seed = address, seen, heavy, seed
        self._rng = random.Random(seed)
        names = list(HEAVY if heavy else PAGES)
        weights = [PAGES.get(name, 1) for name in names]
        self._page = names[seed % len(names)] if heavy else self._rng.choices(names, weights)[0]
        self._begin()

    def _begin(self) -> None:
        self._states: dict[str, WidgetState] = {}
        self._controls: dict[str, Any] = {}
        self._query = urlencode(HEAVY[self._page]) if self._heavy else ""
        self._hash, self._cookie, self._session = "", "", ""
        self._fetched: set[str] = set()
        self._fetches: set[asyncio.Task[None]] = set()
        self._messages: dict[str, ForwardMsg] = {}  # those that the server need not send twice

    async def read(self, until: float) -> None:
        """Open the page and move what stands on it; a server that goes away is looked for again, as browsers do."""
        while time.monotonic() < until:
            try:
                await self._reading(until)
            except (OSError, WebSocketException, asyncio.IncompleteReadError):
                self._seen.away += 1
                await asyncio.sleep(AGAIN)
            finally:
                for fetch in self._fetches:
                    fetch.cancel()
                self._begin()

    async def _reading(self, until: float) -> None:
        await self._get("/")  # a proxy says in a cookie which server it has chosen
        address = self._address.replace("http", "ws", 1) + "/_stcore/stream"
        how: dict[str, Any] = {"max_size": None, "proxy": None, "compression": None, "ping_interval": None}
        how["additional_headers"] = {"Cookie": self._cookie} if self._cookie else {}
        async with connect(address, subprotocols=["streamlit"], origin=self._address, **how) as line:
            await self._sit(line, until)

    async def _sit(self, line: ClientConnection, until: float) -> None:
        await self._run(line, "heavy" if self._heavy else "open")
        next_other = time.monotonic() + self._rng.uniform(0, OTHER)
        moved = False  # everybody moves once at least
        while time.monotonic() < until or not moved:
            pause, left = self._rng.uniform(*EPSILON), max(until - time.monotonic(), 0.0)
            await asyncio.sleep(min(pause, left))
            # Who would move after the end leaves: all readers' last moves at one moment would be a herd.
            if moved and pause > left:
                return
            moved = True
            if self._heavy:
                self._reseed()
                await self._run(line, "heavy")
            elif time.monotonic() >= next_other:
                next_other += OTHER
                if self._move(self._others()):
                    await self._run(line, "other")
            elif self._move(self._epsilons()):
                await self._run(line, "epsilon")

    # --- controls ---------------------------------------------------------------------------------------------

    def _epsilons(self) -> list[str]:
        return [name for name in self._controls if name.endswith("_epsilon")]

    def _others(self) -> list[str]:
        return [name for name in self._controls if not name.endswith(("_epsilon", "_seed"))]

    def _reseed(self) -> None:
        """Other people and other noise, or another epsilon where a page has no seed: not asked for yet."""
        name = next((name for name in self._controls if name.endswith("_seed")), None)
        if name is None:
            self._move(self._epsilons())
            return
        state = WidgetState(id=self._controls[name].id)
        state.double_value = self._rng.randrange(1, 10_000)
        self._states[name] = state

    def _move(self, names: list[str]) -> bool:
        """One of the controls to another place; whether there is any."""
        if not names:
            return False
        name = self._rng.choice(names)
        control = self._controls[name]
        state = WidgetState(id=control.id)
        if control.options:
            most = LIGHT.get(name)
            options = [one for one in control.options if most is None or int(one) <= most]
            state.string_array_value.data.append(self._rng.choice(options))
        else:
            steps = max(round((control.max - control.min) / control.step), 1)
            place = control.min + control.step * self._rng.randint(0, min(steps, 8))
            state.double_array_value.data.append(place)
        self._states[name] = state
        return True

    # --- one run of the page's script -------------------------------------------------------------------------

    async def _run(self, line: ClientConnection, kind: str) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self._query, self._hash
        state.page_name = "" if self._hash else self._page
        state.widget_states.widgets.extend(self._states.values())
        state.cached_message_hashes.extend(self._messages)
        began = time.monotonic()
        await line.send(message.SerializeToString())
        try:
            async with asyncio.timeout(PATIENCE):
                status = await self._until_finished(line)
        except TimeoutError:
            self._seen.errors[f"{self._page}: no answer in {PATIENCE:g} s"] += 1
            raise ConnectionError("gave up") from None
        if status not in _SUCCESS:
            self._seen.errors[f"{self._page}: ended with status {status}"] += 1
        self._seen.took(kind, time.monotonic() - began)
        if kind in ("epsilon", "other"):
            self._seen.on_page.setdefault(self._page or "home", []).append(time.monotonic() - began)

    async def _until_finished(self, line: ClientConnection) -> int:
        controls: dict[str, Any] = {}
        while True:
            message = ForwardMsg.FromString(await line.recv(decode=False))
            kind = message.WhichOneof("type")
            if kind == "ref_hash":
                message = self._messages[message.ref_hash]
                kind = message.WhichOneof("type")
            elif message.metadata.cacheable and message.hash:
                self._messages[message.hash] = message
            if kind == "new_session":
                self._session = message.new_session.initialize.session_id
            elif kind == "navigation":  # new_session knows app.py alone: who sent that back would stand on Home
                self._hash = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self._query = message.page_info_changed.query_string
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                self._look(message.delta.new_element, controls)
            elif kind == "script_finished":
                self._controls |= controls
                return message.script_finished

    def _look(self, element: Any, controls: dict[str, Any]) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self._seen.errors[f"{self._page}: {element.exception.type}: {element.exception.message[:120]}"] += 1
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            if self._heavy and "busy" in element.alert.body:
                self._seen.refused += 1
            else:
                self._seen.errors[f"{self._page}: {element.alert.body[:120]}"] += 1
        elif kind == "slider":
            controls[element.slider.id.rpartition("-")[2]] = element.slider
        elif kind == "number_input" and element.number_input.id.endswith("_seed"):
            controls[element.number_input.id.rpartition("-")[2]] = element.number_input
        elif kind == "bidi_component" and '"kind":"slider"' in element.bidi_component.json.replace(" ", ""):
            families = json.loads(element.bidi_component.json)["families"]
            new = {family["address"] for family in families} - self._fetched
            for address in new:
                self._fetched.add(address)
                task = asyncio.create_task(self._fetch(address))
                self._fetches.add(task)
                task.add_done_callback(self._fetches.discard)

    async def _fetch(self, path: str) -> None:
        """The frames of a slider: one long answer, read to its end."""
        with suppress(OSError):
            status = await self._get(f"/{path}")
            if status == "200":
                self._seen.frames += 1
            elif status in ("502", "503"):  # the proxy says so of a server that was killed; which says nothing itself
                self._seen.away += 1
            elif status:
                self._seen.errors[f"{self._page}: frames answer {status}"] += 1

    async def _get(self, path: str) -> str:
        """Fetch to the end; the status that is answered."""
        parts = urlsplit(self._address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            head = [f"GET {path} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
            head += [f"Cookie: {self._cookie}"] if self._cookie else []
            writer.write("\r\n".join([*head, "", ""]).encode())
            status = (await reader.readline()).decode().split()
            while (line := (await reader.readline()).decode().strip()) != "":
                name, _, value = line.partition(":")
                if name.lower() == "set-cookie":
                    self._cookie = value.partition(";")[0].strip()
            while await reader.read(1 << 16):
                pass
            return status[1] if len(status) > 1 else ""
        finally:
            writer.close()
