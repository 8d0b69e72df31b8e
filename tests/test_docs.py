"""What docs show is there, small, and made by the script that says so; links open what is said of them."""

from __future__ import annotations

import math
import re
from itertools import chain
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.apps import open_page, titles
from tests.browser import walk, walk_steps

DOCS = walk_steps.DOCS
TEXTS = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in walk.WALKS}
#: The crowd of a city takes seconds.
LINKS = [
    pytest.param(name, link, id=link, marks=[pytest.mark.nightly] * ("The+crowd" in link))
    for name, text in TEXTS.items()
    for link in re.findall(rf"\({re.escape(walk_steps.READER)}(/[^)]*)\)", text)
]


def test_every_picture_of_the_walks_is_there_small_and_shown_once() -> None:
    shown = {name: re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text) for name, text in TEXTS.items()}
    assert sorted(chain(*shown.values())) == sorted(path.name for path in DOCS.glob("*.png"))
    for name, pictures in shown.items():
        assert pictures == walk.pictures(name)
        assert all((DOCS / picture).stat().st_size < walk.LIMIT_BYTES for picture in pictures)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "link"), LINKS)
def test_a_link_opens_what_the_document_says(name: str, link: str) -> None:
    parts = urlsplit(link)
    asked = {key: values if len(values) > 1 else values[0] for key, values in parse_qs(parts.query).items()}
    app = open_page(parts.path.strip("/") or "home", asked)
    # What a link asks for in vain is said in a warning.
    assert not [said.value for said in (*app.warning, *app.error)]
    quoted = {there: title for there, title, _ in walk_steps.STOP.findall(TEXTS[name])}
    if link in quoted:
        assert quoted[link] in titles(app)


def test_the_lesson_fills_its_time_and_every_part_has_a_picture_of_its_link() -> None:
    parts = re.findall(r"^## \d\. .* \((\d+) minutes\)$", TEXTS["lesson"], re.MULTILINE)
    assert sum(map(int, parts)) == 45 and len(parts) == len(walk.WALKS["lesson"])


def test_the_walk_states_the_right_odds() -> None:
    odds = f"× {math.ceil(10 * math.exp(2.5)) / 10:g}"
    assert odds in TEXTS["board"] and odds in walk_steps.DECISION
    posterior = 0.1 * math.exp(4) / (0.1 * math.exp(4) + 0.9)
    for name in ("board", "lesson"):
        assert f"{math.ceil(1000 * posterior) / 10:g}" in TEXTS[name]
    sure = math.exp(7.35) / (math.exp(7.35) + 1)
    assert f"{math.ceil(10_000 * sure) / 100:g}%" in TEXTS["walk"]
    assert f"225/(e² + 29) = {225 / (math.exp(2) + 29):.2f}" in TEXTS["lesson"]
    assert f"e² = {math.ceil(100 * math.exp(2)) / 100:g}" in TEXTS["lesson"]
