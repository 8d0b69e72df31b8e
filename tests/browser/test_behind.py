"""The app in the hands of others: below a path, which a proxy takes away or not, and in a frame of another site."""

from __future__ import annotations

import datetime
import http.server
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import Browser, Page, Response, expect

from dpot_app.serve import servers
from tests.browser import driver
from tests.prerequisites import unavailable

pytestmark = pytest.mark.nightly

COMMAND = [sys.executable, "-m", "streamlit", "run", str(driver.ROOT / "app.py")]
#: As JupyterHub and Binder put it before what runs beside a notebook.
PREFIX = "/user/ann/proxy/8501"
PROXY = """\
global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
frontend readers
  bind 127.0.0.1:{port} {bind}
  {rules}
  default_backend app
backend app
  server app {server}
"""
STRIPPING = f"""\
http-request return status 404 unless {{ path_beg {PREFIX}/ }}
  http-request replace-path {PREFIX}(/.*) \\1"""
DAY = datetime.timedelta(days=1)
LOOK = "() => [...document.querySelectorAll('.dpot-plot, .dpot-title')].map((part) => part.innerHTML).join()"
NAME = "Save this picture, or read its numbers"


@contextmanager
def proxied(server: str, rules: str, bind: str = "") -> Iterator[int]:
    """The port of a proxy before a server."""
    proxy = servers.haproxy()
    if proxy is None:
        unavailable("HAProxy (Debian: apt install haproxy)")
    port = servers._free_ports(1)[0]
    text = PROXY.format(port=port, bind=bind, rules=rules, server=urlsplit(server).netloc)
    with subprocess.Popen([proxy, "-db", "-f", "/dev/stdin"], stdin=subprocess.PIPE) as running:
        assert running.stdin
        with running.stdin as said:
            said.write(text.encode())
        try:
            while running.poll() is None and servers._is_free("127.0.0.1", port):
                time.sleep(0.05)
            yield port
        finally:
            running.terminate()


@contextmanager
def stripped(server: str) -> Iterator[str]:
    """The address below which a proxy shows a server that knows nothing of it."""
    with proxied(server, STRIPPING) as port:
        yield f"http://127.0.0.1:{port}{PREFIX}"


def certificate_for(folder: Path) -> Path:
    """A key and what the machine itself signs of it, as HAProxy reads them."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + DAY)
    signed = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = folder / "both.pem"
    file.write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain) + signed)
    return file


@pytest.fixture(scope="module")
def behind_a_proxy(app_url: str) -> Iterator[str]:
    with stripped(app_url) as address:
        yield address


@pytest.fixture(scope="module")
def below_a_path() -> Iterator[str]:
    command = [*COMMAND, "--server.baseUrlPath", "/lab/dpot/", "--server.port"]
    health = "/lab/dpot/_stcore/health"
    with driver.serving(command, cwd=driver.ROOT, env=os.environ | {"DPOT_WORKERS": "0"}, health=health) as address:
        yield f"{address}/lab/dpot"


@pytest.fixture(scope="module")
def below_a_path_with_tls(below_a_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """TLS ends at the proxy, and the server hears HTTP."""
    parts = urlsplit(below_a_path)
    bind = f"ssl crt {certificate_for(tmp_path_factory.mktemp('tls'))} alpn h2,http/1.1"
    with proxied(below_a_path, "http-request set-header X-Forwarded-Proto https", bind) as port:
        yield f"https://127.0.0.1:{port}{parts.path}"


@pytest.fixture(params=["behind_a_proxy", "below_a_path", "below_a_path_with_tls"])
def address(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def visitor(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """An empty page, and what it was not given, in the end with all that the watch has seen."""
    page, watch = driver.new_page(browser)
    driver.hold_still(page.context)
    failed: list[str] = []

    def answered(answer: Response) -> None:
        if answer.status >= 400 and not driver.SERVER_PROBE.match(answer.url):
            failed.append(f"{answer.status} {answer.url}")

    page.on("response", answered)
    yield page, failed
    failed += watch.look_at_pages()
    page.context.close()
    assert not failed, "\n".join(failed)


def first_picture(page: Page, failed: list[str]) -> None:
    """Wait for it, and then until the page is idle: a page without scripts of ours never is."""
    expect(page.locator(".dpot-plot svg").first, "\n".join(failed)).to_be_visible(timeout=60_000)
    driver.wait_idle(page)


def move(page: Page, slider: str) -> None:
    """One step of a slider: what is seen changes, all frames being there, and Python then draws the same."""
    page.wait_for_function("() => window.dpotStage.complete()")
    before = page.evaluate(LOOK)
    page.locator(f".st-key-{slider} input[type=range]").press("ArrowRight")
    page.wait_for_function(f"before => ({LOOK})() !== before", arg=before, timeout=60_000)
    driver.wait_idle(page)


def test_pictures_follow_the_slider_and_give_their_numbers(visitor: tuple[Page, list[str]], address: str) -> None:
    page, failed = visitor
    page.goto(f"{address}/ring?ring_epsilon=4")
    first_picture(page, failed)
    move(page, "ring_epsilon")
    page.get_by_role("button", name=NAME).first.click()
    page.get_by_role("button", name="Numbers as tables").click()
    expect(page.get_by_role("dialog").get_by_role("table", name="distances")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)  # it speaks of the same
    page.get_by_text("Take it away: sheet").click()
    driver.wait_idle(page)
    link = page.get_by_test_id("stCode").filter(has_text="ring_epsilon=").first
    expect(link).to_contain_text(f"{address}/ring?")
    assert not failed


def test_pages_are_reached_from_each_other(visitor: tuple[Page, list[str]], address: str) -> None:
    """Home has the address of the folder, with or without a slash: what pictures ask for does not depend on it."""
    page, failed = visitor
    page.goto(f"{address}/geolocation")
    first_picture(page, failed)
    move(page, "geo_epsilon")
    driver.go_to(page, "Home")
    page.wait_for_url(lambda url: urlsplit(url).path.rstrip("/") == urlsplit(address).path)
    first_picture(page, failed)
    page.wait_for_function("() => window.dpotStage.complete()")
    driver.follow(page, f"{urlsplit(address).path}/ring")
    first_picture(page, failed)
    page.wait_for_function("() => window.dpotStage.complete()")
    assert not failed


def test_the_password_opens_the_page_that_was_asked_for_and_its_cookie_is_for_this_path(browser: Browser) -> None:
    password = "salmon and dill"
    environment = os.environ | {"DPOT_WORKERS": "0", "DPOT_PASSWORD": password}
    command = [*COMMAND, "--server.port"]
    with driver.serving(command, cwd=driver.ROOT, env=environment) as server, stripped(server) as address:
        page, watch = driver.new_page(browser)
        page.goto(f"{address}/ring?ring_epsilon=4")
        page.get_by_role("textbox").fill(password)
        watch.problems.clear()  # that the first answer is 401
        page.keyboard.press("Enter")
        expect(page.locator(".dpot-plot svg").first).to_be_visible(timeout=60_000)
        assert page.url == f"{address}/ring?ring_epsilon=4"
        paths = {cookie["name"]: cookie["path"] for cookie in page.context.cookies()}
        assert paths["dpot_room"] == paths["dpot_browser"] == PREFIX
        driver.wait_idle(page)
        driver.go_to(page, "Home")
        expect(page.locator(".dpot-plot svg").first).to_be_visible(timeout=60_000)
        driver.wait_idle(page)
        assert not watch.look_at_pages()
        page.context.close()


@contextmanager
def framing() -> Iterator[tuple[int, list[str]]]:
    """A site, by its port, whose page shows what stands in a list in a frame."""
    framed: list[str] = []

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = f'<!doctype html><title>Lesson</title><iframe src="{framed[0]}" width="1300" height="800"></iframe>'
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        threading.Thread(target=site.serve_forever).start()
        yield site.server_port, framed
        site.shutdown()


def test_a_site_that_the_operator_names_shows_the_app_in_a_frame_and_no_other_does(browser: Browser) -> None:
    command = [*COMMAND, "--server.port"]
    with framing() as (port, framed):
        # For a browser localhost and 127.0.0.1 are two sites.
        named, other = f"http://localhost:{port}", f"http://127.0.0.1:{port}"
        environment = os.environ | {"DPOT_WORKERS": "0", "DPOT_EMBED": named}
        with driver.serving(command, cwd=driver.ROOT, env=environment) as address:
            framed.append(f"{address}/ring?ring_epsilon=4")
            page, watch = driver.new_page(browser)
            page.goto(named)
            inside = page.frame_locator("iframe")
            expect(inside.locator(".dpot-plot svg").first).to_be_visible(timeout=60_000)
            title = inside.locator(".dpot-title").first
            before = title.inner_text()
            inside.locator(".st-key-ring_epsilon input[type=range]").press("ArrowRight")
            expect(title).not_to_have_text(before)
            assert not watch.look_at_pages()
            page.goto(other)
            expect(inside.locator("#root")).to_have_count(0)
            assert any("frame-ancestors" in problem for problem in watch.look_at_pages())
            page.context.close()
