"""An explorable: pictures with their slider as one HTML file, which opens offline and on any web server."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from dpot_app.live.frames import Frames, Screen, Writer, plain
from dpot_core.arguments.progress import Progress, unwatched

_STATIC = resources.files("dpot_app.live") / "static"
#: The modules that an explorable needs; what they import must be among them.
_ENTRY = "explorable.js"


def explorable(
    title: str,
    words: str,
    label: str,
    families: Sequence[tuple[Frames, Sequence[str]]],
    *,
    at: int,
    labels: Sequence[str],
    progress: Progress = unwatched,
) -> str:
    """One HTML document with a slider and everything that follows it.

    Args:
        title: of the document.
        words: under the title.
        label: of the slider.
        families: frames with the names of the parts to show, in order; all have the slider's values.
        at: place of the value to begin with, where all have a screen.
        labels: the slider's values as words.
        progress: called with (done, in all).
    """
    screens: dict[int, list[Screen]] = {}
    for place in range(len(labels)):
        progress(place, len(labels))
        there = [screen for frames, _ in families if (screen := frames.screen(place, progress)) is not None]
        if len(there) == len(families):
            screens[place] = there
    # No server is behind such a file to draw what has no frame: its slider has the other values only.
    places, writers = list(screens), [Writer() for _ in families]
    lines = [
        [json.loads(writer.line(new, screens[place][number])) for new, place in enumerate(places)]
        for number, writer in enumerate(writers)
    ]
    parts = [{"family": number, "names": list(names)} for number, (_, names) in enumerate(families)]
    data = {"label": label, "labels": [labels[place] for place in places], "at": places.index(at)}
    data |= {"lines": lines, "parts": parts}
    body = f'<main><h1>{escape(title)}</h1><p>{escape(words)}</p><div id="explorable"></div></main>'
    return document(title, body, _ENTRY, data)


def document(title: str, body: str, entry: str, data: Mapping[str, Any]) -> str:
    """An HTML document that holds data and the modules that draw them.

    Args:
        title: of the document.
        body: HTML.
        entry: name of the module that begins.
        data: for it, as JSON in the element `data`.
    """
    # "</" would end the script that holds the data.
    held = json.dumps(plain(data), separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    style = "".join((_STATIC / name).read_text(encoding="utf-8") for name in ("live.css", "explorable.css"))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style}</style>
<script type="importmap">{json.dumps({"imports": _modules()})}</script>
</head>
<body>
{body}
<script type="application/json" id="data">{held}</script>
<script type="module">import "{entry}";</script>
</body>
</html>
"""


def _modules() -> dict[str, str]:
    """Every module by its bare name, as a data URL: a file of its own cannot import files.

    Without those that make a PDF, which menus of pictures ask for: there are none in such a file.
    """
    files = [Path(str(file)) for file in _STATIC.iterdir() if file.name.endswith(".js")]
    files = [file for file in files if not file.name.startswith("pdf")]
    return {file.name: _url(re.sub(r"""(["'])\./([\w-]+\.js)\1""", r'"\2"', file.read_text("utf-8"))) for file in files}


def _url(source: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(source.encode()).decode()
