"""Slow work that the reader has given up: the page says so, offers it again, and all else stands.

That the button "Abandon" reaches work that runs is tried in the browser, on the geolocation page and on the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from streamlit.testing.v1 import AppTest

from dpot_app.kit.cache import CACHE
from dpot_app.shell import work
from dpot_app.views.table import VIEWS
from tests.apps import APP, figures, ran

MANY = {"mix_details": "Worst of many", "mix_source": "Random", "mix_many": "10", "mix_many_seed": "1"}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("page", "prefix", "key", "address", "drawn"),
    [
        ("sinkhorn", "sinkhorn", "sinkhorn.cost", {"sinkhorn_view": "Cost alone"}, 0),
        ("mixture", "mix", "mixture.many", MANY, 2),
        ("geolocation", "geo", "geolocation.crowd", {"geo_view": "The crowd"}, 0),
    ],
)
def test_cancelled_work_is_reported_and_offered_again(
    page: str, prefix: str, key: str, address: Mapping[str, str], drawn: int
) -> None:
    CACHE.clear()  # another test may have had the same computed
    memory = f"{prefix}_{key}_abandoned"
    app = AppTest.from_file(APP, default_timeout=600)
    app.query_params.update(address)
    app.session_state[memory] = (key, VIEWS[key].example)
    ran(app.switch_page(f"pages/{page}.py").run())
    assert re.fullmatch(r"Cancelled: [\d,]+ of [\d,]+ done\.", app.info[0].value) and not app.error
    assert figures(app) == drawn
    assert app.button(key=f"{memory}_go").label == "Go on"


def test_settings_that_do_not_fit_are_said_in_the_words_of_the_controls_and_no_bar_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("_PATIENCE", "_BETWEEN", "_STILL"):  # the bar is drawn at once
        monkeypatch.setattr(work, name, 0.0)
    CACHE.clear()
    app = AppTest.from_file(APP, default_timeout=600)
    guarantee, adjacency = "As in the paper (not proven)", "Add or remove one person"
    app.query_params.update({"pop_guarantee": guarantee, "pop_adjacency": adjacency, "pop_n": "500", "pop_m": "2"})
    ran(app.switch_page("pages/population.py").run())
    assert [error.value.replace("\\", "") for error in app.error] == [
        "These settings do not fit together: Neighbours must be 'Replace one person' for "
        f"Guarantee of the perturbation '{guarantee}'; got '{adjacency}'."
    ]
    assert not [button for button in app.button if button.label == "Abandon"]
