"""``python -m tests.load [--sessions N] [--seconds S] [--heavy H] [--servers K] [--faults]``: a room of readers.

Prints how long interactions take, what went wrong, and the memory of the servers with their workers; exit code 1 if
anything went wrong. Several servers are those of ``dpot app --servers K``, behind HAProxy. The readers are a process of
their own, which takes about a tenth of the servers' processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from dpot_app.machine import cores
from dpot_app.serve.servers import haproxy
from tests.load.client import HEAVY, Reader, Seen, finished
from tests.load.faults import suffer

ROOT = Path(__file__).resolve().parents[2]
#: Seconds between two looks at memory, and over which sessions arrive.
LOOK, ARRIVE = 1.0, 10.0
#: People who open one link to a crowd at once, for so many seconds, and what they may add to the memory, in MB.
CROWDS, CROWDS_SECONDS, CROWDS_MEGABYTES = 10, 15.0, 600
#: Every so many seeds a reader of heavy work reads about the crowd.
HEAVY_EVEN = len(HEAVY)


class Server:
    """The app on a free port, or at an address where it runs already; `DPOT_LOAD_LOG` shows what it writes.

    Args:
        address: where it runs already.
        before: what its command is given to.
        environment: what is added to ours.
        count: of servers behind one address.

    ``tracebacks``, after `stop`: how many it has written, also where it was killed in between.
    """

    process: subprocess.Popen[bytes] | None = None

    def __init__(
        self,
        address: str | None = None,
        before: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        count: int = 1,
    ) -> None:
        self.count, self._before, self._environment, self.tracebacks = count, before, environment or {}, 0
        if address:
            self.address = address.rstrip("/")
            return
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._written = tempfile.TemporaryFile()  # noqa: SIM115 (closed by stop)
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        if self.count > 1:
            command = [sys.executable, "-m", "dpot_app", "app", "--servers", str(self.count), "--port", str(self.port)]
        environment = {**os.environ, **self._environment}
        log = None if os.environ.get("DPOT_LOAD_LOG") else self._written
        self.process = subprocess.Popen([*self._before, *command], cwd=ROOT, env=environment, stdout=log, stderr=log)

    def wait(self) -> None:
        """Until it answers.

        Raises:
            RuntimeError: if it does not within a minute.
        """
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        limit = time.monotonic() + 300
        while time.monotonic() < limit and (self.process is None or self.process.poll() is None):
            with suppress(OSError):
                direct.open(f"{self.address}/_stcore/health", timeout=2).close()
                return
            time.sleep(0.1)
        raise RuntimeError("the server does not answer")

    @property
    def root(self) -> int | None:
        """Number of its process, if it is one of ours."""
        return None if self.process is None else self.process.pid

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.wait()
        with self._written:
            self._written.seek(0)
            self.tracebacks = self._written.read().count(b"Traceback (most recent call last)")


def family(root: int | None) -> dict[int, int]:
    """Every process below one, with it: number of the process -> of its parent."""
    parents: dict[int, int] = {}
    if root is None:
        return parents
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = {root: 0}
    while more := {pid: parent for pid, parent in parents.items() if parent in found and pid not in found}:
        found |= more
    return found


def _is_server(pid: int) -> bool:
    """Whether a process is the app's; workers and the proxy are not."""
    with suppress(OSError):
        return {b"streamlit", b"run"} <= set(Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"))
    return False


def megabytes(root: int | None) -> tuple[float, float]:
    """Memory of the servers below a process, and of it with all below it: what several share is counted once (PSS)."""
    sizes = {}
    for pid in family(root):
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            sizes[pid] = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return sum(size for pid, size in sizes.items() if _is_server(pid)), sum(sizes.values())


def processor_seconds(root: int | None) -> float:
    """Processor time that a process and all below it have taken."""
    ticks = 0
    for pid in family(root):
        with suppress(OSError):
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


async def room(given: argparse.Namespace, server: Server, seen: Seen) -> tuple[float, float]:
    """Everybody reads; the most memory of the servers, and of them with their workers."""
    until = time.monotonic() + given.seconds
    kinds = [False] * given.sessions + [True] * given.heavy
    apart = min(ARRIVE, given.seconds / 4) / max(len(kinds), 1)

    async def arrive(number: int, heavy: bool) -> None:
        await asyncio.sleep(apart * number)
        await Reader(server.address, seen, given.seed + number, heavy).read(until)

    readers = [asyncio.create_task(arrive(number, heavy)) for number, heavy in enumerate(kinds)]
    faults = asyncio.create_task(harm(server, given.seconds)) if given.faults else None
    most = (0.0, 0.0)
    while not all(reader.done() for reader in readers):
        await asyncio.wait(readers, timeout=LOOK)
        alone, together = await asyncio.to_thread(megabytes, server.root)
        most = (max(most[0], alone), max(most[1], together))
    await asyncio.gather(*readers, *([faults] if faults else []))
    return most


async def harm(server: Server, seconds: float) -> None:
    """Kill workers (and the proxy) after a third of the time, and a server after two thirds; it is started again."""
    await asyncio.sleep(seconds / 3)
    # What waits for orders has no children of its own; what has some would be started again by the server. Python's
    # tracker of semaphores is none of the workers.
    below = family(server.root)
    leaves = [pid for pid in below if not _is_server(pid) and pid not in below.values()]
    for pid in [pid for pid in leaves if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            print(f"killed process {pid} below the server", flush=True)
    await asyncio.sleep(seconds / 3)
    assert server.process is not None  # see main
    if server.count > 1:  # its starter sees that it has ended
        os.kill(min(filter(_is_server, family(server.root))), signal.SIGKILL)
    else:
        server.process.kill()
        server.process.wait()
        server.start()
    print("killed a server", flush=True)
    await asyncio.to_thread(server.wait)


async def crowds(server: Server, seen: Seen) -> None:
    """Ten people open one link to what needs the most memory, at once; beyond a bound that is an error.

    Before crowds were computed by workers, and once for all who ask for the same, this took 1.4 GB; 150 MB on two cores
    with two workers now.
    """
    before = megabytes(server.root)[1]
    until, most, readers = time.monotonic() + CROWDS_SECONDS, 0.0, []
    for number in range(CROWDS):
        readers.append(asyncio.create_task(Reader(server.address, seen, HEAVY_EVEN * number, heavy=True).read(until)))
    while not all(reader.done() for reader in readers):
        await asyncio.wait(readers, timeout=LOOK / 2)
        most = max(most, (await asyncio.to_thread(megabytes, server.root))[1] - before)
    print(f"{CROWDS} links to one crowd at once: {most:,.0f} MB more (at most {CROWDS_MEGABYTES:,})")
    if most > CROWDS_MEGABYTES:
        seen.errors[f"memory: {most:,.0f} MB more for {CROWDS} links"] += 1


async def _together(readers: Iterable[Coroutine[Any, Any, None]]) -> None:
    await asyncio.gather(*readers)


def line(kind: str, seconds: list[float]) -> str:
    p50, p95 = np.quantile(seconds, (0.5, 0.95))
    return f"{kind:<13}{len(seconds):>6,}{p50:>9.2f} s{p95:>9.2f} s{max(seconds):>9.2f} s"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description="A room of readers.")
    parser.add_argument("--sessions", type=int, default=50, help="that read and move sliders (50)")
    parser.add_argument("--seconds", type=float, default=60.0, help="that they do so (60)")
    parser.add_argument("--heavy", type=int, default=0, help="further ones that ask for what takes long (0)")
    parser.add_argument("--seed", type=int, default=0, help="of what is moved when (0)")
    parser.add_argument("--address", help="of a server that runs already, or of a proxy before several")
    parser.add_argument("--servers", type=int, help="behind one address (one a core; 1 where there is no HAProxy)")
    parser.add_argument(
        "--faults",
        action="store_true",
        help="kill workers and the server in the middle; many ask for what is large; a full disk, a read-only cache",
    )
    given = parser.parse_args(arguments)
    if given.servers is None:
        given.servers = cores() if haproxy() and not given.address else 1
    if given.servers < 1:
        parser.error("at least one server")
    if given.address and (given.faults or given.servers > 1):
        parser.error("only servers that are started here can be killed or counted")
    server, seen = Server(given.address, count=given.servers), Seen()
    try:
        server.wait()
        # It imports; as many readers as there are servers come to all of them.
        first = time.monotonic() + 1
        finished(_together(Reader(server.address, Seen(), number).read(first) for number in range(given.servers)))
        began, used = time.monotonic(), processor_seconds(server.root)
        alone, together = finished(room(given, server, seen))
        took, used = time.monotonic() - began, processor_seconds(server.root) - used
        if given.faults:
            finished(crowds(server, seen))
    finally:
        server.stop()
    if server.tracebacks:
        seen.errors["traceback in what a server wrote"] += server.tracebacks
    if given.faults:
        suffered = Seen()  # the times of those readers are none of the room's
        suffer(Server, suffered)
        seen.errors += suffered.errors
    light = [one for kind, times in seen.seconds.items() if kind != "heavy" for one in times]
    print(f"{'interaction':<12}{'count':>7}{'p50':>11}{'p95':>11}{'longest':>11}")
    for kind, seconds in sorted(seen.seconds.items()):
        print(line(kind, seconds))
    if light:
        print(line("all light", light))
    for page, seconds in sorted(seen.on_page.items()):
        print(line(f"  {page}", seconds))
    print(f"{sum(map(len, seen.seconds.values())) / took:.1f} interactions a second for {took:.0f} s")
    if not given.faults and not given.address:
        print(f"processor: {used / took:.2f} cores, {used / max(len(light), 1):.2f} s a light interaction, all in")
    if not given.address:
        print(f"memory: {'server' if given.servers == 1 else f'{given.servers} servers'} {alone:,.0f} MB, ", end="")
        print(f"with workers {together:,.0f} MB (largest)")
    print(f"frames: {seen.frames:,} families; refused in words: {seen.refused}; server away: {seen.away} times")
    print(
        f"errors: {sum(seen.errors.values())}",
        *(f"  {count} x {what}" for what, count in seen.errors.items()),
        sep="\n",
    )
    if seen.away and not given.faults:
        seen.errors["a server was away"] += seen.away
    print(f"{len(light)} passed, {sum(seen.errors.values()) + (not light)} failed")
    return 1 if seen.errors or not light else 0


if __name__ == "__main__":
    sys.exit(main())
