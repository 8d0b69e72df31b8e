"""Controls of the sidebar that do not count on a tab are disabled there, and it is true that they do not."""

import pytest

from dpot_app.kit.setting import declared
from dpot_app.views.table import PAGES
from tests.apps import open_page, specs, titles

IDLE = [(page, key, name) for page in PAGES for key, (_, tab) in PAGES[page].tabs.items() for name in tab.idle]
#: Of a page's settings, so that it comes fast.
QUICK = {"geolocation": {"geo_n": "5"}}
SLOW = ("crowd", "everyone")


def test_there_are_some() -> None:
    assert {page for page, _, _ in IDLE} == {"geolocation", "movies"}


@pytest.mark.parametrize(
    ("page", "tab", "name"),
    [pytest.param(*one, marks=[pytest.mark.nightly] if one[1] in SLOW else []) for one in IDLE],
)
def test_a_disabled_control_changes_nothing_and_counts_on_other_tabs(page: str, tab: str, name: str) -> None:
    view, _ = PAGES[page].tabs[tab]
    settings = type(view.example)
    known, prefix = declared(settings)[name], PAGES[page].prefix
    key, look = f"{prefix}_{known.link}", {**QUICK.get(page, {}), f"{prefix}_view": tab}
    assert known.options is not None and known.many
    shown = []
    for option in ("wpm", "em"):
        app = open_page(page, {**look, key: [option]})
        assert app.sidebar.button_group(key=key).disabled and not app.main.warning
        shown.append((specs(app), titles(app)))
    assert shown[0] == shown[1] and shown[0][0]
    other = next(key for key, (_, one) in PAGES[page].tabs.items() if name not in one.idle)
    assert not open_page(page, {**look, f"{prefix}_view": other}).sidebar.button_group(key=key).disabled
