"""A server whose disk is full, or whose cache cannot be written: readers go on, and those who store are told.

Neither is done by permissions, which do not stop root: a file system of its own stands in the server's place for both
folders. It is mounted in a namespace that ends with the server, so that nothing is left however it ends.
"""

from __future__ import annotations

import asyncio
import errno
import http.client
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME
from websockets.asyncio.client import ClientConnection

from tests.load.client import Reader, Seen, finished

#: Readers beside the one who wants to store something, the seconds that they read, and bytes of a file that is brought.
READERS, SECONDS, BROUGHT = 5, 8.0, 2 * 2**20
#: Names of the faults and how the file system is mounted. A small number of files lets folders fail too.
FAULTS = {"full disk": "size=256k,nr_inodes=64", "read-only cache": "size=256k,ro"}
#: What stands on the page that cannot store a data set.
_SENTENCE = "could not store the data in"
_INSIDE = ["unshare", "--mount", "--map-root-user", "sh", "-c"]


class Started(Protocol):
    address: str
    tracebacks: int

    @property
    def root(self) -> int | None: ...
    def wait(self) -> None: ...
    def stop(self) -> None: ...


def can_mount() -> bool:
    """Whether this machine lets us mount a file system that no other process sees."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            command = [*_INSIDE, 'mount -t tmpfs -o size=64k dpot "$0"', folder]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except FileNotFoundError:
            return False


def suffer(start: Callable[[None, Sequence[str], Mapping[str, str]], Started], seen: Seen) -> None:
    """Each of the faults in turn; what goes wrong is counted among the errors.

    Args:
        start: starts a server, with what stands before its command and what is added to its environment.
    """
    if not can_mount():
        print(f"not run, because nothing can be mounted here: {', '.join(FAULTS)}", flush=True)
        return
    for name, options in FAULTS.items():
        with tempfile.TemporaryDirectory() as folder:
            mount = f'mount -t tmpfs -o {options} dpot "$0" && exec "$@"'
            # An empty DPOT_DATA: what is on this machine already need not be stored.
            own = {"XDG_CACHE_HOME": folder, "DPOT_DATA": ""} | ({"TMPDIR": folder} if name == "full disk" else {})
            server = start(None, [*_INSIDE, mount, folder], own)
            try:
                server.wait()
                finished(_read(server, name, Path(f"/proc/{server.root}/root{folder}"), seen))
            finally:
                server.stop()
            if server.tracebacks:
                seen.errors[f"{name}: traceback in what the server wrote"] += server.tracebacks


async def _read(server: Started, name: str, inside: Path, seen: Seen) -> None:
    until = time.monotonic() + SECONDS
    readers = [asyncio.create_task(Reader(server.address, seen, number).read(until)) for number in range(READERS)]
    await asyncio.sleep(SECONDS / 4)  # the disk fills up while they read
    if (why := _fill(inside)) not in (errno.ENOSPC, errno.EROFS):
        seen.errors[f"{name}: files can still be written"] += 1
    wanting = Storing(server.address, seen)
    await wanting.read(time.monotonic() + 1)
    await asyncio.gather(*readers)
    print(f"{name} ({os.strerror(why)}): {wanting.said or 'nothing was said'}", flush=True)
    if _SENTENCE not in wanting.said or os.strerror(why) not in wanting.said:
        seen.errors[f"{name}: no sentence says that nothing could be stored"] += 1
    if wanting.brought != http.HTTPStatus.NO_CONTENT:
        seen.errors[f"{name}: a file that is brought is answered {wanting.brought}"] += 1


def _fill(folder: Path) -> int:
    """Write until no file can be made any more; the error that says so, 0 if there is none."""
    for number in range(1000):
        try:
            (folder / f"filler-{number}").write_bytes(b"\0" * 2**14)
        except OSError as refused:
            if refused.errno != errno.ENOSPC or not (folder / f"filler-{number}").exists():
                return refused.errno or 0
    return 0


def bring(address: str, session: str, size: int) -> int:
    """Status of a file of a session that is sent as browsers do."""
    parts = urlsplit(address)
    line = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=120)
    token = generate_xsrf_token_string()
    head = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    body = head.encode() + b"1" * size + b"\r\n--edge--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=edge"}
    known = {"Cookie": f"{XSRF_COOKIE_NAME}={token}", "X-Xsrftoken": token}
    line.request("PUT", f"/_stcore/upload_file/{session}/brought", body, kind | known)
    try:
        return line.getresponse().status
    finally:
        line.close()


class Storing(Reader):
    """A reader who brings a file that is larger than what servers usually keep in memory, and downloads a data set."""

    def __init__(self, address: str, seen: Seen) -> None:
        self.said, self.brought, self._button = "", 0, ""
        super().__init__(address, seen, 0)

    def _begin(self) -> None:
        super()._begin()
        self._page, self._query = "population", "pop_data=US+Census+tracts+2010"  # never stored: DPOT_DATA is empty

    async def _sit(self, line: ClientConnection, until: float) -> None:
        await self._run(line, "store")
        self.brought = await asyncio.to_thread(bring, self._address, self._session, BROUGHT)
        self._states["download"] = WidgetState(id=self._button, trigger_value=True)
        await self._run(line, "store")
        del self._states["download"]
        while not self.said and time.monotonic() < until:
            await self._run(line, "store")

    def _look(self, element: Any, controls: dict[str, Any]) -> None:
        kind = element.WhichOneof("type")
        if kind == "button" and element.button.id.endswith("_download"):
            self._button = element.button.id
        elif kind == "alert" and element.alert.format == element.alert.ERROR:
            self.said = re.sub(r"\\(.)", r"\1", element.alert.body)  # as it reads without Markdown
        else:
            super()._look(element, controls)
