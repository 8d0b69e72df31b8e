"""What is taken away together is promised together."""

from __future__ import annotations

import json

from dpot_core import scenarios
from dpot_core.studies.table import VIEWS
from pages._shell.taking import _everything, about_all
from pages._shell.views import Shown
from tests.scenarios.outcomes import outcome_of


def test_no_promise_of_one_view_stands_alone_when_two_release() -> None:
    keys = ("metric.crowd", "geolocation.crowd")  # no page shows two that release today
    views = [Shown(VIEWS[key], outcome_of(key).results, ()) for key in keys]
    released = [one.results.disclosure for one in views]
    assert all(disclosure.parts for disclosure in released)
    promise = json.loads(_everything("metric", "link", views))["config"]["promise"]
    assert list(promise) == ["all together", *keys]
    assert promise["all together"] == scenarios.together(released).words
    alone = json.loads(_everything("metric", "link", views[:1]))["config"]["promise"]
    assert alone["words"] == list(released[0].sentences())


def test_an_explorable_says_that_its_promises_are_about_one_value_each() -> None:
    released, analysed = VIEWS["population.map"], VIEWS["ring.worst-case"]
    words = about_all(28, [released.run(released.example).disclosure])
    assert "up to 28 values" in words and "together it does not hold" in words
    # Words at the top do not follow the slider: no promise of one value may stand there.
    assert "ε" not in words
    assert "add up" not in about_all(28, [analysed.run(analysed.example).disclosure])
