"""What a tab kept of a board comes back, or it is said that it is lost (AppTest: no browser)."""

from __future__ import annotations

from typing import Any

import pytest

from dpot_app.batch import scenarios
from dpot_app.batch.scenarios import Scenario
from dpot_app.shell.pins import MOST_PINS
from dpot_app.views.ring import settings as ring
from tests.apps import open_page, pieces, pin, pinned, ran
from tests.test_board_page import RING, RING_5


def had(*pinned_before: Scenario, **other: Any) -> dict[str, Any]:
    text = scenarios.write(pinned_before)
    return {"count": len(pinned_before), "text": text, "links": ["ring_k=30"] * len(pinned_before)} | other


def test_pins_go_to_the_tab_and_removed_ones_are_forgotten() -> None:
    app = open_page("ring")
    assert pieces(app, "tab")[0].get("keep") is None and not pieces(app, "tab")[0]["forget"]
    pin(app, "ring")
    (told,) = pieces(app, "tab")
    assert told["keep"]["count"] == 1 and len(told["keep"]["links"]) == 1
    (kept,) = scenarios.read(told["keep"]["text"])
    assert kept.same == pinned(app)[0].scenario.same
    open_page("board", app=app)
    assert pieces(app, "tab")[0]["keep"] == told["keep"]
    ran(app.button(key="board_1_remove").click().run())
    assert pieces(app, "tab")[0] == {"kind": "tab", "forget": True}


def test_kept_pins_come_back_with_their_links_beside_present_ones() -> None:
    app = open_page("ring")
    pin(app, "ring")
    app.session_state["board_before"] = had(RING_5, pinned(app)[0].scenario)
    open_page("board", app=app)
    assert any("kept 2 scenarios" in box.value for box in app.info)
    ran(app.button(key="board_bring_back").click().run())
    assert [box.value for box in app.success] == ["Brought back 2 of 2."]
    assert [one.scenario.config.epsilon for one in pinned(app)] == [2.0, 5.0] and pinned(app)[1].link == "ring_k=30"
    assert not app.info


def test_a_new_pin_does_not_push_kept_ones_out_of_the_tab() -> None:
    """Else a reader who loads a page twice, and pins in between, has lost the first ones."""
    app = open_page("ring")
    app.session_state["board_before"] = had(RING_5)
    pin(app, "ring")
    kept = pieces(app, "tab")[0]["keep"]
    assert kept["count"] == 2 and kept["links"][1] == "ring_k=30"
    assert [one.config.epsilon for one in scenarios.read(kept["text"])] == [2.0, 5.0]
    open_page("board", app=app)
    ran(app.button(key="board_let_go").click().run())
    assert pieces(app, "tab")[0]["keep"]["count"] == 1


def test_let_go_is_forgotten() -> None:
    app = open_page("ring")
    app.session_state["board_before"] = had(RING)
    open_page("board", app=app)
    assert not pieces(app, "tab")[0]["forget"], "while it is offered the tab keeps it: the server may stop again"
    ran(app.button(key="board_let_go").click().run())
    assert pieces(app, "tab")[0]["forget"] and not app.info and not pinned(app)


@pytest.mark.parametrize(
    "damage", [{"text": None}, {"text": "- ["}, {"text": "schema: 99\nscenarios: []"}, {"links": "no list"}]
)
def test_unreadable_pins_are_reported_as_lost(damage: dict[str, Any]) -> None:
    app = open_page("ring")
    app.session_state["board_before"] = had(RING, RING_5) | damage
    open_page("board", app=app)
    ran(app.button(key="board_bring_back").click().run())
    (said,) = [box.value for box in app.error]
    assert said.startswith("2 scenarios are lost: ") and not pinned(app)


@pytest.mark.nightly
def test_a_full_board_says_how_many_came_back() -> None:
    app = open_page("ring")
    pin(app, "ring")
    rings = [Scenario("ring.outputs", f"{k}", ring.Config(ring=ring.Ring(k=k))) for k in range(10, 10 + MOST_PINS)]
    app.session_state["board_before"] = had(*rings)
    open_page("board", app=app)
    ran(app.button(key="board_bring_back").click().run())
    assert [box.value for box in app.success] == ["Brought back 11 of 12; the board takes 12."]
