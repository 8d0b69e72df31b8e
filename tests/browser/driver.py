"""The running app and a Chromium that must find nothing wrong with it.

Used by the fixtures in ``conftest.py``, by ``screenshots.py`` and by the benchmark of the running app.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Playwright, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

ROOT = Path(__file__).resolve().parents[2]
WIDE = (1400, 900)
NARROW = (390, 844)
#: Milliseconds after which what is waited for does not come.
LIMIT = 120_000

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}

# Opened at a page's own address, Streamlit first asks for its server below that address and then beside it.
# Chromium reports the first answer, 404, as an error; no setting of Streamlit avoids it.
SERVER_PROBE = re.compile(r"^https?://127\.0\.0\.1:\d+(/\w+)*/\w+/_stcore/(health|host-config)$")

# Notes when the page last changed, and whether the server has said anything since it was last told something: it takes
# its time on a busy machine. A test that waits for quiet asks for both.
_WATCH_CHANGES = """
window.lastChange = performance.now();
new MutationObserver(() => { window.lastChange = performance.now(); }).observe(
    document, {subtree: true, childList: true, attributes: true, characterData: true});
window.lastSent = window.lastHeard = 0;
{
    const send = WebSocket.prototype.send, heard = new WeakSet();
    WebSocket.prototype.send = function (...what) {
        if (!heard.has(this)) {
            heard.add(this);
            this.addEventListener("message", () => { window.lastHeard = performance.now(); });
        }
        window.lastSent = performance.now();
        return send.apply(this, what);
    };
}
"""

# Streamlit's own animations (the mark that it runs, what fades in and out) paint the page again sixty times a second
# while Python works, also for those who asked for reduced motion: a fifth of what a test cost. Pictures glide without.
_HOLD_STILL = """
addEventListener("DOMContentLoaded", () => document.head.append(Object.assign(document.createElement("style"), {
    textContent: `*, *::before, *::after { animation-duration: 0s !important; animation-delay: 0s !important;
        animation-iteration-count: 1 !important; transition-duration: 0s !important; transition-delay: 0s !important; }`
})));
"""

# A page asks for every frame of its sliders as soon as it is open, and the server draws them as long as it stays so:
# half of what it does in tests, most of which move no thumb. Frames wait until a test asks for them (`want_frames`).
_HOLD_FRAMES = """{
    const fetched = window.fetch, { promise, resolve } = Promise.withResolvers();
    window.wantFrames = resolve;
    if (window.name === "frames") resolve();  // the name of a tab stays when a page is loaded again
    window.fetch = async (what, how) => {
        if (String(what).includes("live-frames/")) await promise;
        return fetched(what, how);
    };
}"""

# Streamlit says on its root element whether a script (or a fragment) is running. Elements of the last run are
# stale, charts that still load are skeletons, a picture is drawn once it has its SVG, a map once it is loaded.
_IS_IDLE = """
quiet => {
    const app = document.querySelector('[data-testid="stApp"]');
    if (!app || app.dataset.testScriptState !== 'notRunning') return false;
    if (app.dataset.testConnectionState !== 'CONNECTED') return false;
    if (window.lastSent > window.lastHeard) return false;
    // While a fresh server imports what a page needs, it is too busy to say that it runs: nothing is drawn yet.
    if (!document.querySelector('[data-testid="stMain"] [data-testid="stElementContainer"]')) return false;
    if (document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]')) return false;
    // A part of the page whose script is still on its way.
    if (document.querySelector('[data-testid=stBidiComponentRegular]:not(.dpot-here)')) return false;
    // What waits is not seen yet, though it is there. A page of bare Streamlit, in the benchmarks, has no components.
    if (document.querySelector('html:not(.dpot-come) [data-testid=stBidiComponentRegular], [data-dpot-waits]'))
        return false;
    for (const chart of document.querySelectorAll('.dpot-plot')) {
        if (chart.clientWidth && !chart.querySelector('svg')) return false;
    }
    // What was heard may not be drawn yet: on a busy machine the page says for a moment that it rests, as it did.
    return performance.now() - Math.max(window.lastChange, window.lastHeard) >= quiet;
}
"""

_FOREIGN_RESOURCES = """
() => [...document.querySelectorAll('link[href], script[src], img[src], iframe[src], source[src]')]
    .map(element => element.href || element.src).filter(Boolean)
"""


def find_chromium() -> str | None:
    """The path of an installed Chromium: the variable CHROMIUM, or one of the usual names."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def launch(playwright: Playwright, executable: str, *, optimise: bool = False) -> Browser:
    """Headless Chromium that calls no server of its own accord and resolves no name but this machine's.

    Args:
        optimise: whether scripts become machine code, as everywhere else. In tests pages live for seconds: to optimise
            their scripts takes a seventh of all work and pays for little.
    """
    return playwright.chromium.launch(
        executable_path=executable,
        args=[
            "--no-sandbox",
            "--disable-gpu",
            *([] if optimise else ["--js-flags=--max-optimized-bytecode-size=0"]),
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
        ],
    )


@contextlib.contextmanager
def running_app(script: Path = ROOT / "app.py", largest_file: int | None = None) -> Iterator[str]:
    """Start the app as a user does, on a free port; yield its address; stop it.

    Args:
        script: the app.
        largest_file: bytes beyond which the system refuses to let any file grow that the app writes.

    Raises:
        RuntimeError: it did not start, or its log shows an exception or a deprecated call.
    """
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port"]
    limit = None if largest_file is None else lambda: _limit_files(largest_file)
    with serving(command, cwd=ROOT, preexec_fn=limit) as address:
        yield address


@contextlib.contextmanager
def serving(command: Sequence[str], port: int = 0, health: str = "/_stcore/health", **how: Any) -> Iterator[str]:
    """Start an app on a port, which is put behind the command; yield its address; stop it.

    Args:
        command: up to the flag of the port.
        port: 0 for a free one.
        health: the path that answers once it has started.
        how: more for `subprocess.Popen`.

    Raises:
        RuntimeError: it did not start, or its log shows an exception, a deprecated call or another address.
    """
    with socket.socket() as probe:
        # A server that was here a moment ago is in no one's way.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        port = probe.getsockname()[1]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        server = subprocess.Popen(
            [*command, str(port)], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **how
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_it_answers(server, f"{address}{health}", log)
            yield address
        finally:
            server.terminate()
            try:
                server.wait(timeout=10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        text = _read(log)
    # Streamlit names other addresses too unless .streamlit/config.toml holds it to this machine.
    if re.search(r"Traceback \(most recent call last\)|deprecated|(Network|External) URL", text):
        raise RuntimeError(f"the app's log:\n{text}")


def _limit_files(largest: int) -> None:
    import resource  # not on Windows, where the rest of this module works

    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def _wait_until_it_answers(server: "subprocess.Popen[str]", address: str, log) -> None:
    # A proxy that the environment names must not be asked for an address on this machine.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    limit = time.monotonic() + 300
    while server.poll() is None and time.monotonic() < limit:
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            direct.open(address, timeout=2).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"the app did not start:\n{_read(log)}")


def _read(log) -> str:
    log.seek(0)
    return log.read()


class Watch:
    """Everything that must not happen in a browser context, noted as it happens."""

    def __init__(self, context: BrowserContext) -> None:
        self.problems: list[str] = []
        self._pages: list[Page] = []
        context.set_default_timeout(LIMIT)
        context.add_init_script(_WATCH_CHANGES)
        # Noted, not routed: that would switch the browser's cache off, and its rules for names stop them already.
        context.on("request", lambda request: self._note_address("request", request.url))
        context.on("page", self._watch_page)

    def _watch_page(self, page: Page) -> None:
        self._pages.append(page)
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("websocket", lambda socket: self._note_address("websocket", socket.url))

    def _note_console(self, message: ConsoleMessage) -> None:
        address = message.location.get("url", "")
        if message.type == "error" and not SERVER_PROBE.match(address):
            self.problems.append(f"console error: {message.text} ({address})")

    def _note_address(self, kind: str, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https", "ws", "wss"}:
            return
        if parts.hostname not in _LOOPBACK:
            self.problems.append(f"{kind} leaves the machine: {address}")
        if "plotly" in parts.path.lower():
            self.problems.append(f"{kind} for what our own renderer does: {address}")

    def look_at_pages(self) -> list[str]:
        """Look at what the open pages show now as well, and give every problem so far."""
        self._pages = [page for page in self._pages if not page.is_closed()]
        for page in self._pages:
            for box in page.get_by_test_id("stException").all():
                self.problems.append(f"exception box: {box.inner_text()}")
            # Headless Chromium asks for no tab icon, so an address that is only named counts as well.
            for address in page.evaluate(_FOREIGN_RESOURCES):
                self._note_address("named resource", address)
        return list(dict.fromkeys(self.problems))


def new_page(browser: Browser, size: tuple[int, int] = WIDE, theme: str = "light") -> tuple[Page, Watch]:
    """An empty page of a fresh context (own session, own storage, own cache) in a size and a theme, under watch."""
    context = browser.new_context(reduced_motion="reduce", ignore_https_errors=True)
    watch = Watch(context)
    page = context.new_page()
    show_as(page, size, theme)
    return page, watch


def hold_still(context: BrowserContext) -> None:
    """Streamlit moves nothing of its own accord in pages that are opened from here on."""
    context.add_init_script(_HOLD_STILL)


def hold_frames(context: BrowserContext) -> None:
    """Pages that are opened from here on have no frames before `want_frames` asks for them."""
    context.add_init_script(_HOLD_FRAMES)


def want_frames(page: Page) -> None:
    """Also for what is loaded in this tab later."""
    page.evaluate("() => { window.name = 'frames'; window.wantFrames?.(); }")


def ready(page: Page) -> None:
    """Wait until every frame of every slider is there."""
    want_frames(page)
    page.wait_for_function("() => window.dpotStage?.complete()")


def show_as(page: Page, size: tuple[int, int], theme: str, motion: str = "reduce") -> None:
    """On a screen of a size, in a theme, to a reader who wants little motion or has no preference."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme, reduced_motion=motion)


def wait_idle(page: Page, quiet: float = 0.35, timeout: float = 300.0) -> None:
    """Wait until the app has run, drawn everything and changed nothing for ``quiet`` seconds.

    The default is longer than the 0.2 s for which a slider waits before it reports.
    """
    page.wait_for_function(_IS_IDLE, arg=quiet * 1000, timeout=timeout * 1000, polling=50)


def unfold(page: Page) -> None:
    """Open what is folded in the sidebar: sliders that move rarely stand in it."""
    for closed in page.locator("[data-testid=stSidebar] details:not([open]) summary").all()[::-1]:
        closed.click()
    wait_idle(page)


def save(page: Page, name: str, folder: Path, *, timeout: float = 120.0) -> Path:
    """What a button of the page gives, in a folder, under the name that the browser was told.

    A page that has not come to rest moves its buttons away from under a click.
    """
    wait_idle(page)
    with page.expect_download(timeout=timeout * 1000) as download:
        page.get_by_role("button", name=name, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def overflow(page: Page) -> float:
    """Pixels by which what is in the middle is wider than its room: it would scroll sideways."""
    return page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")


def every_tab_fits(page: Page, names: Sequence[str]) -> None:
    """Open the tabs, one after the other; none makes the page scroll sideways."""
    for name in names:
        page.get_by_role("tab", name=name).click()
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        wait_idle(page)
        assert overflow(page) <= 0, name


def page_paths(page: Page) -> list[str]:
    """Path of every page of the app, the first one "/", read from an open, wide page."""
    links = page.get_by_test_id("stTopNavLink").all()
    found = [urlsplit(link.get_attribute("href") or "").path or "/" for link in links]
    for section in page.get_by_test_id("stTopNavSection").all():
        section.click()
        entries = page.get_by_test_id("stTopNavDropdownLink")
        entries.first.wait_for()
        found += [urlsplit(entry.get_attribute("href") or "").path for entry in entries.all()]
        page.keyboard.press("Escape")
        entries.first.wait_for(state="hidden")
    # With a single page there is no navigation.
    return found or ["/"]


def go_to(page: Page, title: str) -> None:
    """Open another page within the session, from the bar or from the menu that it stands in."""
    _open_link(page, lambda links: links.filter(has_text=title))


def follow(page: Page, path: str) -> None:
    """Open the page of a path within the session, from the bar or its menu; wait until it is idle.

    Costs half of opening its address, since all scripts are loaded.
    """
    _open_link(page, lambda links: links.and_(page.locator(f'[href$="{path}"]')))
    page.wait_for_url(lambda url: urlsplit(url).path == path)
    wait_idle(page)


def _open_link(page: Page, chosen: Callable[[Locator], Locator]) -> None:
    link = chosen(page.get_by_test_id("stTopNavLink"))
    if not link.count():
        link = chosen(page.get_by_test_id("stTopNavDropdownLink"))
        for section in page.get_by_test_id("stTopNavSection").all():
            section.click()
            page.get_by_test_id("stTopNavDropdownLink").first.wait_for()
            if link.count():
                break
            page.keyboard.press("Escape")
    link.first.click()


def type_into_table(page: Page, row: int, across: float, text: str) -> None:
    """Type into a cell of the first table: its row from 0, and how far across the table it lies, from 0 to 1.

    A table is drawn on a canvas that may be seen before it listens, so the cell is clicked until it opens.
    """
    grid = page.get_by_test_id("stDataFrame").locator("canvas").first
    editor = page.locator(".gdg-input")
    for _ in range(10):
        box = grid.bounding_box()
        assert box is not None
        # The header is one row high.
        page.mouse.click(box["x"] + across * box["width"], box["y"] + (row + 1.5) * 35)
        page.keyboard.press("Enter")
        try:
            editor.wait_for(timeout=2000)
            # A page that redraws meanwhile closes the cell again.
            editor.fill(text, timeout=2000)
        except PlaywrightTimeout:
            continue
        page.keyboard.press("Enter")
        return
    raise AssertionError(f"the cell in row {row}, {across:.0%} across, did not open")
