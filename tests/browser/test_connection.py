"""A page whose connection breaks: a laptop that sleeps, a server that is started again."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import customers, driver

pytestmark = pytest.mark.nightly

COMMAND = [sys.executable, "-m", "streamlit", "run", str(driver.ROOT / "app.py"), "--server.port"]
FILE = {"name": "customers.csv", "mimeType": "text/csv", "buffer": customers.customers(customers.munich())}
OWN = "/geolocation?geo_n=6&geo_least=1&geo_data=My+CSV+file"


class Relay:
    """A port that passes on what comes to a server's, and back, unless the line is silent or cut."""

    def __init__(self, server: str) -> None:
        self._server = (urlsplit(server).hostname, urlsplit(server).port)
        self._cut, self._silent = False, False
        self._open: set[socket.socket] = set()
        self._port = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._port.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every connection, and take no other."""
        self._cut = True
        for one in list(self._open):
            _end(one)

    def silence(self) -> None:
        """Let what is sent get lost, and leave connections open: neither side hears of it."""
        self._silent = True

    def mend(self) -> None:
        self._cut, self._silent = False, False

    def close(self) -> None:
        self.cut()
        self._port.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._port.accept()
            except OSError:
                return
            if self._cut:
                here.close()
                continue
            there = socket.create_connection(self._server)
            self._open |= {here, there}
            for ends in ((here, there), (there, here)):
                threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(2**16):
                if not self._silent:
                    target.sendall(data)
        for one in (source, target):
            _end(one)
            self._open.discard(one)


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@pytest.fixture
def relay(app_url: str) -> Iterator[Relay]:
    made = Relay(app_url)
    yield made
    made.close()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    page, _ = driver.new_page(browser)
    driver.hold_still(page.context)
    yield page
    page.context.close()


def bring(page: Page, address: str) -> None:
    """The page on a file of one's own, at another epsilon than the one that it opens with."""
    page.goto(address + OWN)
    driver.wait_idle(page)
    page.locator("input[type=file]").first.set_input_files(FILE)
    driver.wait_idle(page)
    expect(page.locator(".dpot-plot svg").first).to_be_visible(timeout=60_000)
    if page.get_by_text("no column for user").count():
        page.get_by_role("combobox", name="user").click()
        page.get_by_role("option", name="customer", exact=True).click()
        driver.wait_idle(page)
    epsilon(page).press("ArrowRight")
    driver.wait_idle(page)


def epsilon(page: Page) -> Locator:
    return page.locator(".st-key-geo_epsilon input[type=range]")


def distance(page: Page) -> str:
    """What the picture says of the first mechanism, as it was computed."""
    return page.locator(".dpot-title").nth(1).inner_text()


@pytest.mark.parametrize("seconds", [10, 150])
def test_after_a_break_the_page_goes_on_with_its_settings_and_its_file(
    visitor: Page, relay: Relay, seconds: int
) -> None:
    page: Any = visitor
    bring(page, relay.address)
    chosen, title = epsilon(page).input_value(), distance(page)
    relay.cut()
    expect(epsilon(page)).to_be_disabled(timeout=60_000)
    page.wait_for_timeout(1000 * seconds)
    relay.mend()
    expect(epsilon(page)).to_be_enabled(timeout=120_000)
    expect(page.get_by_role("dialog")).to_have_count(0)
    driver.wait_idle(page)
    assert epsilon(page).input_value() == chosen
    assert distance(page) == title
    expect(page.get_by_text("customers.csv").first).to_be_visible()
    # And the file is more than its name: another setting needs it.
    epsilon(page).press("ArrowRight")
    driver.wait_idle(page)
    assert distance(page) != title
    expect(page.locator(".dpot-plot svg").first).to_be_visible()


def test_a_request_over_a_dead_line_is_computed(visitor: Page, relay: Relay) -> None:
    page = visitor
    bring(page, relay.address)
    relay.silence()
    page.get_by_role("tab", name="Near own places").click()  # no one has opened it: the server has to draw it
    page.wait_for_timeout(5000)
    asked = page.locator(".dpot-title", has_text="of the releases")
    expect(asked).to_have_count(0)
    relay.cut()
    expect(epsilon(page)).to_be_disabled(timeout=60_000)
    relay.mend()
    expect(asked.first).to_be_visible(timeout=120_000)
    driver.wait_idle(page)
    expect(page.locator(".dpot-plot svg").first).to_be_visible()


def test_a_tab_that_slept_goes_on(visitor: Page, relay: Relay) -> None:
    page = visitor
    bring(page, relay.address)
    before = distance(page)
    tab = page.context.new_cdp_session(page)
    tab.send("Page.setWebLifecycleState", {"state": "frozen"})
    time.sleep(5)
    relay.cut()
    time.sleep(10)
    relay.mend()
    tab.send("Page.setWebLifecycleState", {"state": "active"})
    expect(epsilon(page)).to_be_enabled(timeout=120_000)
    epsilon(page).press("ArrowRight")
    expect(page.locator(".dpot-title").nth(1)).not_to_have_text(before, timeout=120_000)
    driver.wait_idle(page)
    expect(page.get_by_text("customers.csv").first).to_be_visible()


def test_a_server_that_was_started_again_has_the_settings_and_says_that_the_file_is_gone(visitor: Page) -> None:
    page = visitor
    environment = os.environ | {"DPOT_WORKERS": "0"}
    with driver.serving(COMMAND, cwd=driver.ROOT, env=environment) as address:
        bring(page, address)
        chosen = epsilon(page).input_value()
    with driver.serving(COMMAND, urlsplit(address).port or 0, cwd=driver.ROOT, env=environment):
        expect(page.get_by_text("The file is no longer on the server.", exact=False)).to_be_visible(timeout=120_000)
        driver.wait_idle(page)
        assert epsilon(page).input_value() == chosen
        assert page.get_by_text("customers.csv").count() == 0, "a control must not name a file that is gone"
        page.locator("input[type=file]").first.set_input_files(FILE)
        expect(page.locator(".dpot-plot svg").first).to_be_visible(timeout=120_000)
        driver.wait_idle(page)
        assert page.get_by_text("no longer on the server", exact=False).count() == 0


def test_a_file_that_is_forgotten_with_its_project_is_named_no_more(visitor: Page, app_url: str) -> None:
    page = visitor
    bring(page, app_url)
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_role("button", name="Forget the project and its file").click()
    expect(page.get_by_text("Bring a CSV file", exact=False)).to_be_visible(timeout=60_000)
    driver.wait_idle(page)
    assert page.get_by_text("customers.csv").count() == 0
    assert page.get_by_text("no longer on the server", exact=False).count() == 0, "its reader wanted that"
