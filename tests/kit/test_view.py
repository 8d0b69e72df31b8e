"""A view computes once, shows blocks, and is found in its page's folders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpot_app.kit.blocks import Code, Columns, Folded, Picture, Table, pictures
from dpot_app.kit.values import ScenarioError
from dpot_app.live.frames import plain, spec_of
from dpot_app.views import table
from dpot_app.views.ring import PAGE
from dpot_app.views.ring.settings import Config, Ring
from tests.batch.scenarios.outcomes import by_day, outcome_of
from tests.batch.scenarios.settings import settings_of

ROOT = Path(__file__).resolve().parents[2]


def test_keys_begin_with_their_page_and_titles_are_said_once() -> None:
    for key, page in table.PAGES.items():
        assert page.key == key and all(view.key.startswith(f"{key}.") for view in page.views)
        assert len({view.title for view in page.views}) == len(page.views)
        labels = [tab.label for _, tab in page.tabs.values()]
        assert len(set(labels)) == len(labels), "labels stand in links"
    assert len({page.prefix for page in table.PAGES.values()}) == len(table.PAGES)


def test_the_folders_of_a_page_are_its_views() -> None:
    views = ["outputs", "worst-case", "guess", "base", "plan", "convergence"]
    tabs = ["worst", "divergences", "numbers", "guess", "base", "plan", "convergence"]
    assert [view.key for view in PAGE.views if view.key.removeprefix("ring.") in views] == [f"ring.{n}" for n in views]
    assert [tab for tab in PAGE.tabs if tab in tabs] == tabs
    folders = {path.parent.name.replace("_", "-") for path in (ROOT / "dpot_app/views/ring").glob("*/text.py")}
    assert {view.key for view in PAGE.views} == {f"ring.{folder}" for folder in folders}
    assert PAGE.view("ring.plan").title == "Transport plan"


def test_equal_settings_are_computed_once_and_own_numbers_are_not_kept() -> None:
    view = table.VIEWS["ring.outputs"]
    assert view.run(Config(ring=Ring(k=9))) is view.run(Config(ring=Ring(k=9)))
    own = replace(Config(ring=Ring(k=4)), source=settings_of("ring.outputs")[3].source)
    assert view.personal(own) and view.run(own) is not view.run(own)


def test_settings_of_another_class_are_refused() -> None:
    with pytest.raises(ScenarioError, match=r"ring\.outputs takes dpot_app\.views\.ring\.settings\.Config"):
        table.VIEWS["ring.outputs"].check(Ring())


def test_pictures_are_found_inside_columns_and_folded_away() -> None:
    one, two, three, four = (Picture(name, "", lambda: None) for name in "abcd")
    blocks = ("words", one, Columns((two, (Table([], []), three))), Folded("more", (Code("x"), four)))
    assert [picture.name for picture in pictures(blocks)] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("key", by_day(table.VIEWS))
def test_every_picture_has_a_name_of_its_own_and_a_sentence_for_those_who_cannot_see_it(key: str) -> None:
    view, outcome = table.VIEWS[key], outcome_of(key)
    shows = {view.show, *(tab.show for tab in view.tabs if tab.show is not None)}
    shown = [one for show in shows for one in pictures(show(outcome.scenario.config, *outcome.results.parts))]
    assert len({picture.name for picture in shown}) == len(shown)
    for picture in shown:
        assert len(picture.alt) > 15 and not picture.alt.endswith(".")
        figure = picture.draw()
        assert spec_of(figure) == plain(figure.to_dict()) and not figure.frames
        assert picture.draw().layout.title.text
    assert not view.picture or view.picture in {picture.name for picture in shown}
