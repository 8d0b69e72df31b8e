"""Small pictures of our figures: one for each row that has a figure, of what that row draws now, light, on the page."""

from __future__ import annotations

from html import escape

import pytest

from dpot_app.batch.reports.preprint import figures, shown_small
from dpot_app.views.papers import index
from dpot_app.views.papers.index import ROWS, THUMBNAILS, thumbnail
from tests.apps import html_of, open_page

ROWS_WITH = figures([*ROWS.values()])
#: What draws one of each kind of view in a second or less, without data: their titles are numbers.
CHEAP = ("wpm-fig1-left", "minimax-fig1", "minimax-fig2", "minimax-fig3", "minimax-fig5", "minimax-fig7")
#: Bytes of all of them together, which come with the page.
MOST = 600_000


def test_there_is_one_for_each_figure_and_they_are_light() -> None:
    assert index._pictured().keys() == {row.key for row in ROWS_WITH}, "make papers-thumbnails"
    kept = {row.key: thumbnail(row.key) for row in ROWS_WITH}
    assert [key for key, one in kept.items() if one is None] == [], "other settings or pictures: make papers-thumbnails"
    assert {file.name for file in THUMBNAILS.iterdir()} == {f"{key}.webp" for key in kept} | {"made.json"}
    assert sum(len(one.webp) for one in kept.values() if one is not None) < MOST
    for key, one in kept.items():
        assert one is not None and one.title, key
        assert one.webp[:4] == b"RIFF" and one.webp[8:12] == b"WEBP", key


@pytest.mark.nightly
@pytest.mark.parametrize("key", CHEAP)
def test_thumbnails_show_the_present_figures(key: str) -> None:
    kept = thumbnail(key)
    assert kept is not None and kept.title == shown_small(ROWS[key])["title"], "make papers-thumbnails"


def test_one_of_another_setting_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    made = index._pictured() | {"minimax-fig3": {"title": "Old", "of": "something else"}}
    monkeypatch.setattr(index, "_pictured", lambda: made)
    assert index.thumbnail.__wrapped__("minimax-fig3") is None
    assert index.thumbnail.__wrapped__("minimax-fig5") is not None


def test_the_page_shows_them_with_their_titles() -> None:
    shown = "".join(html_of(open_page("papers")))
    assert shown.count("<img ") == len(ROWS_WITH)
    kept = [thumbnail(row.key) for row in ROWS_WITH]
    assert [one.title for one in kept if one is not None and f'alt="{escape(one.title)}"' not in shown] == []
