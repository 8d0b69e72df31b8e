"""Chromium from the command line, where it is installed: it draws, prints and photographs documents of our own."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from dpot_core.datasets.writing import write

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
#: Milliseconds of a page's own time for its scripts; and seconds after which a browser that hangs is ended.
_BUDGET, _LONGEST = 60_000, 180
# Nothing is asked of any other machine, whatever stands in a document or in the browser's own habits.
_ALONE = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-gpu",
    "--hide-scrollbars",
)
_SMALL = """<!doctype html><meta charset="utf-8"><script type="module">
const { svg, width, quality } = HELD;
const image = new Image();
image.src = `data:image/svg+xml;base64,${svg}`;
await image.decode();
const canvas = document.createElement("canvas");
canvas.width = width;
canvas.height = Math.round((image.naturalHeight * width) / image.naturalWidth);
canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
const said = document.createElement("pre");
said.id = "webp";
said.textContent = canvas.toDataURL("image/webp", quality);
document.body.append(said);
</script>"""


class BrowserError(RuntimeError):
    """There is no Chromium, or it did not do what it was asked for."""


def chromium() -> str:
    """The path of an installed Chromium: the variable CHROMIUM, or one of the usual names.

    Raises:
        BrowserError: if there is none; says what to install.
    """
    for name in (os.environ.get("CHROMIUM"), *NAMES):
        if name and (path := shutil.which(name)):
            return path
    raise BrowserError(
        "figures are drawn and printed by Chromium, which was not found: install it (Debian: apt install chromium), "
        "or name it in the variable CHROMIUM; captions need none: --captions"
    )


def installed() -> bool:
    """Whether there is a Chromium."""
    try:
        chromium()
    except BrowserError:
        return False
    return True


def dom_of(document: str) -> str:
    """A document as HTML once its scripts have run.

    Raises:
        BrowserError: if there is no Chromium, or it failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _run(Path(folder), document, "--dump-dom", f"--virtual-time-budget={_BUDGET}")


def pdf_of(svg: str) -> bytes:
    """An SVG as a PDF of one page of its own size, its letters and lines as such; raises as `dom_of`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.pdf"
        _run(Path(folder), _alone(svg), f"--print-to-pdf={out}", "--no-pdf-header-footer")
        return _written(out)


def printed(document: str) -> bytes:
    """A document as a PDF, on the paper that its style names, once its scripts have run; raises as `dom_of`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.pdf"
        _run(
            Path(folder),
            document,
            f"--print-to-pdf={out}",
            "--no-pdf-header-footer",
            f"--virtual-time-budget={_BUDGET}",
        )
        return _written(out)


def webp_of(svg: str, width: int, quality: float) -> bytes:
    """An SVG as a WebP picture so many pixels wide; ``quality``, in [0, 1], is what it keeps; raises as `dom_of`."""
    held = json.dumps({"svg": base64.b64encode(svg.encode()).decode(), "width": width, "quality": quality})
    found = re.search(r'<pre id="webp">data:image/webp;base64,([^<]+)</pre>', dom_of(_SMALL.replace("HELD", held)))
    if found is None:
        raise BrowserError("Chromium made no WebP picture")
    return base64.b64decode(found[1])


def size_of(svg: str) -> tuple[int, int]:
    """Width and height of an SVG that was made here, in pixels."""
    head = svg[: svg.index(">")]
    width, height = (head.split(f' {name}="')[1].split('"')[0] for name in ("width", "height"))
    return round(float(width)), round(float(height))


def _alone(svg: str) -> str:
    width, height = size_of(svg)
    style = f"@page{{size:{width}px {height}px;margin:0}}html,body{{margin:0;background:white}}svg{{display:block}}"
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{style}</style><body>{svg}</body></html>'


def _run(folder: Path, document: str, *what: str) -> str:
    (page,) = write(folder, {"page.html": document.encode()}, lasting=False)
    # Chromium's sandbox does not start for root.
    free = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    asked = [chromium(), "--headless", *_ALONE, *free, f"--user-data-dir={folder / 'profile'}", *what, page.as_uri()]
    try:
        done = subprocess.run(asked, capture_output=True, timeout=_LONGEST, check=False)
    except subprocess.TimeoutExpired as problem:
        raise BrowserError(f"Chromium did not end within {_LONGEST} seconds") from problem
    if done.returncode:
        raise BrowserError(f"Chromium failed: {done.stderr.decode('utf-8', 'replace')[-300:]}")
    return done.stdout.decode("utf-8")


def _written(out: Path) -> bytes:
    if not out.exists():
        raise BrowserError("Chromium wrote nothing")
    return out.read_bytes()
