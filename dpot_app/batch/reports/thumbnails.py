"""Small pictures of our figures for the page Papers: ``python -m dpot_app.batch.reports.thumbnails [ID ...]``."""

import json
import sys
from pathlib import Path

from dpot_app.batch.reports.preprint import figures, shown_small
from dpot_app.live.chromium import webp_of
from dpot_app.live.svg_panels import svg_panels
from dpot_app.views.papers.index import ROWS, THUMBNAILS
from dpot_core.datasets.writing import extended, write

#: Pixels across: twice what they take on the page. And how much WebP keeps, of 1.
WIDTH, QUALITY = 320, 0.6


def make(keys: list[str]) -> None:
    """Make those of these rows (all without a name), and of rows that have none or another one's; drop what is over."""
    folder = Path(str(THUMBNAILS))
    extended(folder)
    index = folder / "made.json"
    made = json.loads(index.read_text(encoding="utf-8")) if index.exists() else {}
    rows = {row.key: row for row in figures([*ROWS.values()])}
    for key, row in rows.items():
        if (keys and key not in keys) and made.get(key, {}).get("of") == row.figure_of:
            continue
        screen = shown_small(row)
        # Screen readers get the title; in a picture of this size it would be too small to read.
        svg = svg_panels(key, [{**screen, "title": ""}])
        made[key] = {"title": screen["title"], "of": row.figure_of}
        entries = [f"{json.dumps(key)}: {json.dumps(made[key], ensure_ascii=False)}" for key in rows if key in made]
        text = "{\n" + ",\n".join(entries) + "\n}\n"
        write(folder, {f"{key}.webp": webp_of(svg, WIDTH, QUALITY), index.name: text.encode()})
        print(key, flush=True)
    for path in folder.glob("*.webp"):
        if path.stem not in rows:
            path.unlink()


if __name__ == "__main__":
    make(sys.argv[1:])
