"""Controls of the sidebar that do not count on a tab are disabled there, and it is true that they do not."""

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.kit.links import parameter
from dpot_app.kit.setting import Declared, declared
from dpot_app.views.table import PAGES
from tests.apps import html_of, open_page, specs, titles

IDLE = [(page, key, name) for page in PAGES for key, (_, tab) in PAGES[page].tabs.items() for name in tab.idle]
#: Of a page's settings, so that it comes fast.
QUICK = {"geolocation": {"geo_n": "5"}, "population": {"pop_n": "1000"}, "metric": {"metric_users": "1000"}}
#: What is tried by day; the others by night.
DAY = [("geolocation", "worst"), ("movies", "adversary"), ("population", "inside")]
#: Tabs that come slowly.
SLOW = [("movies", "everyone"), ("population", "synthetic")]
#: Options that need a file, or data that are not there.
ELSEWHERE = ("csv", "tracts", "gowalla-austin", "movielens-100k", "movielens-1m")
KINDS = ("select_slider", "selectbox", "slider", "number_input", "button_group", "text_input")


def names() -> Iterator[Any]:
    for page, tab, name in IDLE:
        if name in settings(page) and settings(page)[name].link:
            yield pytest.param(page, tab, name, marks=[] if (page, tab) in DAY else [pytest.mark.nightly])


def settings(page: str) -> dict[str, Declared]:
    return dict(declared(import_module(f"dpot_app.views.{page}.settings").Config))


def others(known: Declared) -> list[str | list[str]]:
    """Three values of a setting, as links have them."""
    if known.options is not None:
        there = [option for option in known.options if option not in ELSEWHERE]
        return [[option] if known.many else option for option in there[:3]]
    if known.grid is not None:
        return [parameter(known, known.grid[place]) for place in (0, len(known.grid) // 2, -1)]
    return [parameter(known, type(known.range[0])(value)) for value in (*known.range, known.range[0] + 1)]


def widgets(app: AppTest, key: str) -> list[Any]:
    return [one for kind in KINDS for one in app.sidebar.get(kind) if one.key == key]


def test_some_pages_have_them() -> None:
    assert {page for page, _, _ in IDLE} == {"geolocation", "movies", "population", "metric"}


@pytest.mark.parametrize(("page", "tab", "name"), [*names()])
def test_a_disabled_control_changes_nothing(page: str, tab: str, name: str) -> None:
    known, prefix = settings(page)[name], PAGES[page].prefix
    key, look = f"{prefix}_{known.link}", {**QUICK.get(page, {}), f"{prefix}_view": tab}
    shown = []
    for value in others(known):
        app = open_page(page, {**look, key: value})
        assert all(one.disabled for one in widgets(app, key))
        assert specs(app)
        shown.append(json.dumps([specs(app), titles(app), html_of(app)]))  # as text, since NaN equals nothing
    assert len(set(shown)) == 1


@pytest.mark.parametrize(
    ("page", "tab"),
    [
        pytest.param(page, tab, marks=[pytest.mark.nightly] if (page, tab) in SLOW else [])
        for page, tab in dict.fromkeys((page, tab) for page, tab, _ in IDLE)
    ],
)
def test_a_setting_that_does_not_count_on_a_tab_is_disabled_there(page: str, tab: str) -> None:
    prefix, tabs, first = PAGES[page].prefix, PAGES[page].tabs, next(iter(PAGES[page].tabs))
    idle = tabs[tab][1].idle
    keys = [f"{prefix}_{settings(page)[name].link}" for name in idle if name in settings(page)]
    there, elsewhere = (
        [one for key in keys for one in widgets(open_page(page, {**QUICK.get(page, {}), f"{prefix}_view": view}), key)]
        for view in (tab, first)
    )
    assert there and all(one.disabled for one in there) and not any(one.disabled for one in elsewhere)


def test_a_link_with_few_controls_says_nothing_of_those_it_hides() -> None:
    look = {"metric_view": "linear", "metric_linear_users": "1000"}
    _, tab = PAGES["metric"].tabs["linear"]
    said = [
        tab.why in [one.value for one in open_page("metric", {**look, **only}).sidebar.caption]
        for only in ({}, {"teach_only": "metric:epsilon"})
    ]
    assert said == [True, False]
