"""What is taken away together is promised together."""

from __future__ import annotations

import json

import pytest

from dpot_app.batch import scenarios
from dpot_app.kit.values import put
from dpot_app.shell import taking
from dpot_app.shell.taking import _everything, _notebook, about_all
from dpot_app.shell.views import Shown
from dpot_app.views.table import VIEWS
from dpot_core.privacy.disclosures import STATUSES
from tests.batch.scenarios.outcomes import outcome_of


def test_no_promise_of_one_view_stands_alone_when_two_release(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = ("metric.crowd", "geolocation.crowd")  # no page shows two that release today
    views = [Shown(VIEWS[key], outcome_of(key).results, ()) for key in keys]
    released = [one.results.disclosure for one in views]
    assert all(disclosure.parts for disclosure in released)
    promise = json.loads(_everything("metric", "link", views))["config"]["promise"]
    assert list(promise) == ["one release", "all together", *keys]
    assert promise["all together"] == scenarios.together(released).words
    alone = json.loads(_everything("metric", "link", views[:1]))["config"]["promise"]
    assert alone["words"] == list(released[0].sentences())
    monkeypatch.setattr(taking, "notebook", lambda shown, address, promise: promise)
    assert _notebook("link", views)[-1] == f"All of it together: {scenarios.together(released).words}"
    assert _notebook("link", views[:1]) == list(released[0].sentences())


@pytest.mark.nightly
def test_an_explorable_promises_for_all_its_values_together() -> None:
    released, analysed = VIEWS["population.map"], VIEWS["ring.worst-case"]
    config = released.example
    values = (1.0, 2.0)
    disclosures = [released.run(put(config, released.scrub[0], value)).disclosure for value in values]
    words = about_all(disclosures)
    assert "2 releases in all" in words and scenarios.together(disclosures, compared=True).words in words
    assert about_all([analysed.run(analysed.example).disclosure]) == STATUSES["public"]
