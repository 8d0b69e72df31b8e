"""Panels: pictures beside each other as one SVG for print, drawn by the same program as in the app."""

import base64
import re
from collections.abc import Sequence
from html import unescape

from dpot_app.live.chromium import BrowserError, dom_of
from dpot_app.live.explorable import document
from dpot_app.live.frames import Screen

_ENTRY = "svg_panels.js"
#: Pixels across one picture, by how many stand beside each other: 96 are an inch.
_WIDTHS = {1: 600, 2: 400, 3: 400}
#: Letters that journals' programs have, or have by another name.
_LETTERS = "<style>:root{--st-font: Helvetica, Arial, 'Liberation Sans', sans-serif}</style>"


def svg_panels(title: str, screens: Sequence[Screen]) -> str:
    """Screens (`title`, `spec` and `alt` of a picture) as one SVG, the same for the same screens.

    Raises:
        BrowserError: if there is no Chromium, or it could not draw them.
    """
    columns = len(screens) if len(screens) in _WIDTHS else 2
    data = {"panels": screens, "columns": columns, "width": _WIDTHS[columns]}
    found = dom_of(document(title, _LETTERS, _ENTRY, data))
    drawn = re.search(r'<pre [^>]*id="(panels|failed)"[^>]*>(.*?)</pre>', found, re.DOTALL)
    if drawn is None or drawn[1] == "failed":
        raise BrowserError(f"{title} could not be drawn: {unescape(drawn[2]) if drawn else 'Chromium gave up'}")
    svg = base64.b64decode(drawn[2]).decode("utf-8")
    # Names that the drawing made up at random.
    for number, name in enumerate(dict.fromkeys(re.findall(r"dpot-[a-z0-9]{6,}", svg))):
        svg = svg.replace(name, f"plate-{number}")
    return svg
