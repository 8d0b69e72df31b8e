"""Links have names of options and tabs, which stay; their labels may be reworded, and links with old ones open."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.kit.links import entries_by_text, name, text
from dpot_app.kit.setting import Declared
from dpot_app.views.decide.settings import NEEDS
from dpot_app.views.ring import settings as ring
from dpot_app.views.table import PAGES
from tests.apps import open_page, titles

OLD: dict[str, dict[str, str]] = json.loads((files("dpot_app.kit") / "old_links.json").read_text("utf-8"))
#: A name needs no coding in a link, except for the sign of an exponent.
NAME = re.compile(r"[A-Za-z0-9.+-]+")
#: Words of options and tabs that a page adds to those that are declared.
ON_PAGES = {"A box", "Known deployments"}


def every_parameter() -> Iterator[tuple[str, Declared]]:
    for page in PAGES.values():
        for view in (*page.views, *page.aside):
            yield from ((f"{page.prefix}_{known.link}", known) for known in view.declared.values() if known.link)
        if page.tabs:
            yield (
                f"{page.prefix}_view",
                Declared("View", options={key: tab.label for key, (_, tab) in page.tabs.items()}),
            )


def test_names_are_plain_and_tell_options_apart() -> None:
    for parameter, known in every_parameter():
        entries = list(known.options or known.grid or ())
        names = [name(known, entry) for entry in entries]
        assert len(set(names)) == len(names) and all(map(NAME.fullmatch, names)), (parameter, names)


def test_a_name_is_no_old_word_for_another_option() -> None:
    """Otherwise one link would mean two things; what a word of before stands for is there still."""
    for parameter, known in every_parameter():
        found = entries_by_text(parameter, known)
        for word, meant in OLD.get(parameter, {}).items():
            assert word not in found or found[word] == found.get(meant, found[word]), (parameter, word)
    declared = dict(every_parameter())
    for parameter in OLD.keys() & declared.keys():
        missing = OLD[parameter].keys() - entries_by_text(parameter, declared[parameter]).keys() - ON_PAGES
        assert not missing, (parameter, missing)


def link_of(app: AppTest, page: str) -> dict[str, list[str]]:
    """The parameters of the link that a page offers."""
    app.session_state[f"{page}_away"] = True
    app.run()
    assert not app.exception
    return parse_qs(
        next(str(block.value) for block in app.code if f"{page}_epsilon" in str(block.value)).split("?", 1)[1]
    )


@pytest.mark.parametrize("word", ["uniform", "Uniform"])
def test_a_reworded_option_breaks_no_link(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_page("ring", {"ring_base": word, "ring_k": "6"})
    title, link = titles(before)[0], link_of(before, "ring")
    monkeypatch.setitem(ring.BASES, "uniform", "All the same")
    app = open_page("ring", {"ring_base": word, "ring_k": "6"})
    assert app.sidebar.selectbox(key="ring_base").value == "uniform" and not app.warning
    assert "All the same" in app.sidebar.selectbox(key="ring_base").options
    assert titles(app)[0] == title
    assert link_of(app, "ring") == link and link["ring_base"] == ["uniform"]


def test_the_address_follows_a_control_by_its_name_and_lacks_what_it_began_with() -> None:
    app = open_page("ring")
    assert "ring_base" not in app.query_params
    app.sidebar.selectbox(key="ring_base").set_value("uniform").run()
    assert app.query_params["ring_base"] == "uniform"
    app.sidebar.selectbox(key="ring_base").set_value("best-uniform").run()
    assert "ring_base" not in app.query_params


def test_a_notice_says_in_the_words_of_the_screen_what_is_used_instead() -> None:
    """Not by the names that links have: 0 for no entropy, dirichlet for a random input."""
    app = open_page("ring", {"ring_k": "6", "ring_base": "x", "ring_lambda": "5", "ring_input": "y", "ring_view": "z"})
    said = app.warning[0].value
    for words in ("Best uniform is used", "exact is used", "Random is used", "Worst case is used"):
        assert words in said
    chosen = open_page("ring", {"ring_k": "6", "ring_mechanisms": ["wpm", "x"]}).warning[0].value
    assert "WPM, KPM, EM is used instead" in chosen


def test_labels_of_one_control_tell_its_options_apart() -> None:
    for parameter, known in every_parameter():
        entries = list(known.options or known.grid or ())
        shown = [(known.options or {}).get(entry) or text(known, entry) for entry in entries]
        assert len(set(shown)) == len(shown), (parameter, shown)
    for need in NEEDS.values():
        assert len(set(map(need.write, need.targets))) == len(need.targets), need.key


def test_the_address_lacks_a_control_that_is_hidden() -> None:
    app = open_page("mixture", {"mix_view": "plane", "mix_plane_modes": "ten", "mix_plane_cells": "12"})
    assert app.query_params["mix_plane_modes"] == "ten"
    app.session_state["mix_view"] = "Line"
    app.run()
    assert not app.exception and "mix_plane_modes" not in app.query_params
    app.session_state["mix_view"] = "Plane"
    app.run()
    assert app.query_params["mix_plane_modes"] == "ten", "it keeps its value while it is hidden"
