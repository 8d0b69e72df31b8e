"""What the documents in docs show is there, small, and made by the script that says so."""

from __future__ import annotations

import math
import re
from pathlib import Path

from tests.browser import walk

DOCS = Path(__file__).resolve().parents[1] / "docs"
WALK = (DOCS / "walk.md").read_text(encoding="utf-8")


def test_every_picture_of_the_walk_is_there_small_and_shown_once() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", WALK)
    assert sorted(shown) == sorted(path.name for path in DOCS.glob("*.png"))
    assert shown == ["walk-1-begin.png", *(f"walk-{n}-{name}.png" for n, (name, _) in enumerate(walk.STEPS, start=2))]
    assert all((DOCS / name).stat().st_size < walk.LIMIT_BYTES for name in shown)


def test_what_the_walk_says_of_odds_is_so() -> None:
    assert (
        f"× {math.ceil(10 * math.exp(2.5)) / 10:g}" in WALK
        and f"× {math.ceil(10 * math.exp(2.5)) / 10:g}" in walk.DECISION
    )
    posterior = 0.1 * math.exp(4) / (0.1 * math.exp(4) + 0.9)
    assert f"{math.ceil(1000 * posterior) / 10:g} in 100" in WALK
