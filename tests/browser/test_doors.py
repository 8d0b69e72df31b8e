"""The doors as people meet them: the room's password, an account of an OIDC provider, a board after a restart."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import axe_core, driver
from tests.oidc import Provider
from tests.prerequisites import unavailable

pytestmark = pytest.mark.nightly

COMMAND = [sys.executable, "-m", "streamlit", "run", str(driver.ROOT / "app.py"), "--server.port"]
PASSWORD = "salmon and dill"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def started(port: int = 0, cwd: Path = driver.ROOT, **environment: str) -> Any:
    return driver.serving(COMMAND, port, cwd=cwd, env=os.environ | environment)


@pytest.fixture
def visitor(browser: Browser) -> Iterator[tuple[Page, driver.Watch]]:
    page, watch = driver.new_page(browser)
    driver.hold_still(page.context)
    driver.hold_frames(page.context)
    yield page, watch
    page.context.close()


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    try:
        import authlib  # noqa: F401
        import httpx2  # noqa: F401
    except ImportError:
        unavailable("Authlib and httpx2 are not installed (the extra `login`)")
    made = Provider()
    yield made
    made.close()


def test_an_account_opens_the_app_and_another_one_does_not(
    visitor: tuple[Page, driver.Watch], provider: Provider, tmp_path: Path
) -> None:
    page, watch = visitor
    port = free_port()
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text(provider.secrets(f"http://127.0.0.1:{port}"))
    with started(port, tmp_path, DPOT_PEOPLE="*@example.org") as address:
        page.goto(f"{address}/ring")
        log_in = page.get_by_role("button", name="Log in")
        expect(log_in).to_be_visible()
        assert page.locator(".dpot-plot").count() == 0 and page.get_by_test_id("stTopNavLink").count() == 0
        for person in ({"email": "eve@example.net"}, {"email": "eve@example.org", "email_verified": False}):
            provider.person = person
            log_in.click()
            expect(page.get_by_text("This account is not on the list")).to_be_visible()
            assert page.locator(".dpot-plot").count() == 0
            page.get_by_role("button", name="Log out").click()
            expect(log_in).to_be_visible()
        provider.person = {"email": "ann@example.org", "email_verified": True}
        log_in.click()
        expect(page.get_by_test_id("stTopNavLink").first).to_be_visible()
        driver.follow(page, "/ring")
        expect(page.locator(".dpot-plot svg").first).to_be_visible()
        page.get_by_role("button", name="Log out").click()
        expect(log_in).to_be_visible()
        driver.wait_idle(page)
        assert not watch.look_at_pages()


def test_the_room_password_is_asked_once_and_after_a_restart_the_tab_brings_the_board_back(
    visitor: tuple[Page, driver.Watch],
) -> None:
    page, watch = visitor
    port = free_port()
    with started(port, DPOT_PASSWORD=PASSWORD) as address:
        page.goto(f"{address}/ring?ring_k=17")
        expect(page.get_by_role("heading", name="Room password")).to_be_visible()
        assert not axe_core.findings(page)
        page.get_by_role("textbox").fill("salmon")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("That is not the password.")
        # That these pages are 401 is in the console.
        assert all("401" in problem for problem in watch.look_at_pages())
        watch.problems.clear()
        page.get_by_role("textbox").fill(PASSWORD)
        page.keyboard.press("Enter")
        driver.wait_idle(page)
        assert page.url.startswith(f"{address}/ring?ring_k=17"), "the link opens"
        expect(page.locator(".dpot-plot svg").first).to_be_visible()
        page.reload()
        driver.wait_idle(page)
        page.get_by_role("button", name="Pin to the board").click()
        expect(page.get_by_text("What-if board (1)")).to_be_visible()
        driver.wait_idle(page)
        assert not watch.look_at_pages()
    with started(port, DPOT_PASSWORD=PASSWORD):
        _the_tab_brings_the_board_back(page)
    # While the server was away the browser could not reach it.
    assert not [problem for problem in watch.look_at_pages() if str(port) not in problem and "ERR_CONN" not in problem]


def _the_tab_brings_the_board_back(page: Page) -> None:
    expect(page.get_by_text("you can bring back 1 scenario")).to_be_visible(timeout=60_000)
    driver.go_to(page, "What-if board")
    back = page.get_by_role("button", name="Bring back 1 scenario")
    expect(back).to_be_visible()
    driver.wait_idle(page)
    back.click()
    expect(page.get_by_text("Brought back 1 of 1.")).to_be_visible()
    driver.wait_idle(page)
    expect(page.get_by_text("Scenarios side by side")).to_be_visible()
    expect(back).to_have_count(0)
    # The tab has what is on the board now; a board that is emptied is nothing to bring back.
    assert page.evaluate("() => JSON.parse(sessionStorage['dpot-board']).count") == 1
    page.get_by_role("button", name="Remove").first.click()
    expect(page.get_by_text("Nothing is pinned yet")).to_be_visible()
    driver.wait_idle(page)
    assert page.evaluate("() => sessionStorage['dpot-board'] ?? null") is None
