"""The app where its addresses begin with a path: behind a proxy that takes it away, and with `server.baseUrlPath`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from dpot_app.serve import servers
from tests.browser import driver
from tests.prerequisites import unavailable

pytestmark = pytest.mark.nightly

COMMAND = [sys.executable, "-m", "streamlit", "run", str(driver.ROOT / "app.py")]
#: As JupyterHub and Binder put it before what runs beside a notebook.
PREFIX = "/user/ann/proxy/8501"
STRIPPING = """\
global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
frontend readers
  bind 127.0.0.1:{port}
  http-request return status 404 unless {{ path_beg {prefix}/ }}
  http-request replace-path {prefix}(/.*) \\1
  default_backend app
backend app
  server app {server}
"""
LOOK = "() => [...document.querySelectorAll('.dpot-plot, .dpot-title')].map((part) => part.innerHTML).join()"
NAME = "Save this picture, or read its numbers"


@contextmanager
def stripped(server: str) -> Iterator[str]:
    """The address below which a proxy shows a server that knows nothing of it."""
    proxy = servers.haproxy()
    if proxy is None:
        unavailable("HAProxy (Debian: apt install haproxy)")
    port = servers._free_port()
    text = STRIPPING.format(port=port, prefix=PREFIX, server=urlsplit(server).netloc)
    with subprocess.Popen([proxy, "-db", "-f", "/dev/stdin"], stdin=subprocess.PIPE) as running:
        assert running.stdin
        with running.stdin as said:
            said.write(text.encode())
        try:
            while running.poll() is None and servers._is_free("127.0.0.1", port):
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}{PREFIX}"
        finally:
            running.terminate()


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


@pytest.fixture(params=["behind_a_proxy", "below_a_path"])
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
    page.get_by_text("Take it away").click()
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
