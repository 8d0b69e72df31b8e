"""Files of pictures whose words mean harm: nothing runs, no letter or number is lost, no file is broken."""

from __future__ import annotations

import base64
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from dpot_app.figures.style import plain as as_label
from tests.browser.renderer import bars
from tests.browser.test_picture_menu import SVG, Pdf, rows_of

pytestmark = pytest.mark.nightly

#: What stands there beside the words that mean harm, and has to be read after them.
SAID = "3.25 km"


@dataclass(frozen=True)
class Words:
    """A reader's name of something, what is left of it in a file, and whether a PDF has its letters."""

    given: str
    left: str
    painted: bool = False


def same(given: str, painted: bool = False) -> Words:
    return Words(given, given, painted)


WORDS = {
    "control characters": Words("a\x00b\x01c\x07d\x0be\x1bf\x7fg\x85h\ufffei\uffffj", "abcdefghij"),
    "directions": Words("\u202eab \u202d1\u202b\u2066\u2067 2\u200f", "ab 1 2"),
    "half letters": Words("a\ud800b\udc00c", "abc"),
    "bytes of a line's end": same("č Ċ 1", painted=False),
    "such bytes in other scripts": same("不 敮摯扪", painted=True),
    "letters that turn numbers": same("شخص 7 שלום", painted=True),
    "emoji": same("👩\u200d👩\u200d👧 🇩🇪 😀", painted=True),
    "accents apart": Words("Mu\u0308ller", "Müller"),
    "accents without end": same("Z" + "\u0330" * 300, painted=True),
    "markup": same("</text></svg><script>window.ran=1</script><svg/onload=window.ran=1>"),
    "comments": same("]]><!--<![CDATA[ &amp; &#0; &lol;"),
    "addresses": same("<a/href='javascript:window.ran=1'>x</a> url(https://a.example) javascript:window.ran=1"),
    "operators": same(r") Tj ET Q endstream endobj %%EOF ( \) \ <</JS (app.alert(1))>>"),
    "a word without end": same("x" * 10_000),
    "words without end": same(("word " * 2_000).strip()),
}

_TAKE = """async ([spec, title, foot]) => {
    const [{sheet, pixels}, {pdf}] = await Promise.all([import("./sheet.js"), import("./pdf.js")]);
    const look = {text: "#444444", faded: "#666666", background: "#ffffff", grid: "#eeeeee",
        font: `"Source Sans", sans-serif`, size: 12, primary: "#0072B2"};
    const plot = document.getElementById("a");
    plot.style.width = "700px";
    const drawn = picture.mount(plot, look);
    drawn.show(picture.decode(spec));
    const shown = {picture: {drawn, width: 700, plot}, look, title, foot};
    const written = await sheet(shown, 1600);
    const canvas = await pixels(written, 1600);
    const made = {
        svg: new Blob([written.text]),
        png: await new Promise((resolve) => canvas.toBlob(resolve, "image/png")),
        pdf: await pdf(await sheet(shown, 2100), shown),
    };
    drawn.destroy();
    const read = (blob) => new Promise((resolve) => {
        const reader = Object.assign(new FileReader(), {onload: () => resolve(reader.result.split(",")[1])});
        reader.readAsDataURL(blob);
    });
    for (const kind in made) made[kind] = await read(made[kind]);
    return made;
}"""


def taken(page: Page, words: str) -> dict[str, bytes]:
    """The files of a picture that has words in its title, under it, at a mark, at an axis and in its legend."""
    text = f"{words}: {SAID}"
    label = as_label(words[:80])
    spec = bars([0.1, 0.5], annotations=[{"text": label, "x": 1, "y": 0.7, "showarrow": False}], showlegend=True)
    spec["data"][0]["name"] = label
    spec["layout"]["xaxis"] |= {"tickvals": [0, 1], "ticktext": [label, "b"]}
    given: list[Any] = [spec, text, [text, "Protected: ε = 2 nats."]]
    # As JSON: half letters have no way to the browser otherwise.
    made = page.evaluate(f"text => ({_TAKE})(JSON.parse(text))", json.dumps(given))
    return {kind: base64.b64decode(file) for kind, file in made.items()}


def wide(line: str) -> int:
    """Letters of a line that stand beside each other."""
    return sum(not unicodedata.combining(letter) for letter in line)


def painted(mask: bytes) -> bool:
    """Whether an image shows more than a rectangle: what covers what in it."""
    rows, wide = zlib.decompress(mask[mask.index(b"stream\n") + 7 :]), int(re.findall(rb"/Width (\d+)", mask)[0]) + 1
    return len({rows[start : start + wide] for start in range(0, len(rows), wide)}) > 3


@pytest.mark.parametrize("kind", WORDS)
def test_words_that_mean_harm_are_words_in_every_file(canvas: Page, tmp_path: Path, kind: str) -> None:
    words = WORDS[kind]
    title = f"{words.left}: {SAID}"
    files = taken(canvas, words.given)
    assert canvas.evaluate("window.ran") is None

    svg = files["svg"].decode("utf-8")
    root = ET.fromstring(svg)
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= {
        "svg", "g", "title", "desc", "rect", "text", "tspan", "path", "line", "circle", "defs", "clipPath",
    }  # fmt: skip
    assert not re.search(r"""<[^>]*\s(on\w+|(xlink:)?href)=""", svg)
    lines = [node.text or "" for node in root.findall(f"{SVG}g/{SVG}text")]
    composed = "Mu\u0308ller" if kind == "accents apart" else words.left
    assert "".join("".join(lines).split()).startswith("".join(f"{composed}:{SAID}".split()))
    assert (root.findtext(f"{SVG}title") or "").replace(composed, words.left) == title
    assert float(root.get("width", 0)) == 732 and max(map(wide, lines)) <= 140, "no line leaves the file"

    width, height, rows = rows_of(files["png"])
    assert width == 1600 and height > 600 and len(rows) > 100, "something is drawn"

    path = tmp_path / "picture.pdf"
    path.write_bytes(files["pdf"])
    pdf = Pdf(path)
    assert pdf.said(b"Title").replace(composed, words.left) == title
    assert pdf.said(b"Subject").endswith("Protected: ε = 2 nats.")
    held = b"".join(re.sub(rb"\((\\.|[^\\)])*\)", b"", one, flags=re.DOTALL) for one in pdf.objects.values())
    assert not re.search(rb"/(JS|JavaScript|URI|Launch|Annots|EmbeddedFile)\b", held)
    copied = "".join(pdf.text().split())
    assert copied.endswith("Protected:ε=2nats.")
    images = [one for one in pdf.objects.values() if b"/Subtype /Image" in one]
    if words.painted:
        masks = [one for one in images if b"/DeviceGray" in one]
        assert len(masks) >= 3 and all(map(painted, masks)), "at least title, axis and what is under the picture"
        assert "km" not in copied, "words as a whole, with their numbers"
    else:
        assert not images and copied.startswith("".join(title.split()))
