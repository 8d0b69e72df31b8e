"""Where the app says that it is, whatever stands before its pages in a reader's browser."""

import re

import pytest

from dpot_app.live.frames import Frames
from dpot_app.shell import serving
from dpot_app.shell.addresses import address_of


@pytest.mark.parametrize(
    ("url", "page", "address"),
    [
        ("http://localhost:8501", "", "http://localhost:8501/"),
        ("http://localhost:8501", "ring", "http://localhost:8501/ring"),
        ("http://localhost:8501/ring", "geolocation", "http://localhost:8501/geolocation"),
        ("https://hub.example/user/ann/proxy/8501", "", "https://hub.example/user/ann/proxy/8501/"),
        ("https://hub.example/user/ann/proxy/8501/ring", "", "https://hub.example/user/ann/proxy/8501/"),
        ("https://hub.example/user/ann/proxy/8501/", "board", "https://hub.example/user/ann/proxy/8501/board"),
        ("https://lab.example/dpot", "ring", "https://lab.example/dpot/ring"),
        ("https://lab.example/dpot/home", "ring", "https://lab.example/dpot/ring"),
        ("", "ring", "/"),
        ("http://localhost:8501", None, "http://localhost:8501/"),
    ],
)
def test_links_keep_what_stands_before_a_page(url: str, page: str | None, address: str) -> None:
    assert address_of(url, page) == address


def test_browsers_are_told_addresses_below_the_app_only() -> None:
    """One that begins with a slash would miss what a proxy puts before it (tests/browser/test_behind.py)."""
    frames = Frames(range(3), 0, lambda place, progress: None)
    told = [serving.address("live.js"), serving.frames_address(serving.offer(frames))]
    told.append(serving.Numbers((), lambda: []).address)
    assert [one.partition("/")[0] for one in told] == ["live", "live-frames", "live-numbers"]
    for file in serving._STATIC.iterdir():
        if file.name.endswith(".js") and "vendor" not in file.name:
            assert not re.search(r"location\.origin|[\"'`]/live", file.read_text("utf-8")), file.name
