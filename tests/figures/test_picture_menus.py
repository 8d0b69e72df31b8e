"""What is taken away of a picture, for every view: numbers as tables, and the promise in its foot."""

from __future__ import annotations

import pytest

from dpot_app.kit.blocks import Block, Columns, Folded, Picture, captions, pictures
from dpot_app.kit.view import Results, View
from dpot_app.shell.picture_menu import MOST_ROWS, feet, tables
from dpot_app.shell.pins import summarise
from dpot_app.views.table import VIEWS
from dpot_core.privacy.disclosures import STATUSES
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most
from tests.apps import open_page, pieces
from tests.batch.scenarios.outcomes import by_day, outcome_of


@pytest.mark.parametrize("key", by_day(VIEWS))
def test_every_picture_has_its_numbers_and_says_what_is_promised(key: str) -> None:
    view, results = VIEWS[key], outcome_of(key).results
    for show in (view.show, *(tab.show for tab in view.tabs if tab.show)):
        complete(view, results, tuple(show(results.config, *results.parts)))
    under = feet(view, results, view.show(results.config, *results.parts))
    if under:
        foot = under.get(view.picture) or next(iter(under.values()))
        assert summarise(outcome_of(key)).promise == foot[-1], "the same on the board"


def complete(view: View, results: Results, blocks: tuple[Block, ...]) -> None:
    under, disclosure = feet(view, results, blocks), results.disclosure
    promised = disclosure.promise if disclosure.parts else view.otherwise(results.config, *results.parts)
    promised = next((block for block in blocks if isinstance(block, Guarantee)), promised)
    for picture in pictures(blocks):
        shown = tables(picture, disclosure)
        assert {one["name"] for one in shown} <= results.tables().keys(), "the view's own"
        assert shown and all(one["heads"] and one["rows"] for one in shown), picture.name
        for one in shown:
            assert len(one["rows"]) == min(one["count"], MOST_ROWS)
            marked = disclosure.mark({one["name"]: results.tables()[one["name"]]})[one["name"]]
            # Of a table a picture may show some columns: what is not private says so.
            assert one["heads"] == [column for column in marked.columns if column in one["heads"]]
        if picture.hand["chooses"]:
            assert picture.name not in under
            continue
        foot = under[picture.name][-1]
        assert foot.startswith(STATUSES[disclosure.status].partition(".")[0]), foot
        if promised is not None:
            weak = promised.weakest
            assert f"ε = {at_most(weak.epsilon)} nats" in foot and promised.neighbours_text in foot
            assert not weak.delta or f"δ = {at_most(weak.delta, 0.0)}" in foot
            assert promised.proven or "NOT PROVEN" in foot
        if disclosure.compares:
            assert "Publishing the whole comparison" in foot, "what is taken away together is composed together"
        if promised is not None and promised.sampled is not None:
            assert foot.index("known to be in the sample") < foot.index("Towards the population"), "weakest first"


def test_a_caption_belongs_to_the_pictures_before_it() -> None:
    one, two, three = (Picture(name, "", lambda: None) for name in ("one", "two", "three"))
    folded = Folded("more", (three, "last"))
    assert captions((Columns((one, (two, "beside"))), "below", folded)) == {
        "one": "beside",
        "two": "beside",
        "three": "last",
    }
    assert captions((one, Columns((two,)), "below", three)) == {"one": "below", "two": "below"}


@pytest.mark.nightly
def test_the_screen_carries_the_foot_of_its_own_epsilon_and_slides_keep_own_numbers() -> None:
    app = open_page("ring", {"ring_epsilon": "5"})
    outputs, distances, curves, worst = pieces(app, "picture")
    assert worst["screen"]["foot"][-1].startswith("Nothing is released."), "of another view"
    assert curves["screen"]["foot"][-1].startswith("Not a release."), "worst cases, with marks for this input"
    for piece in (outputs, distances, curves):
        if piece is not curves:
            assert "ε = 5 nats. Hard to tell apart: any two inputs" in piece["screen"]["foot"][-1]
        assert piece["menu"]["file"].startswith("ring-") and piece["menu"]["numbers"].startswith("live-numbers/")
    before = [piece["menu"] for piece in pieces(app, "picture")]
    again = app.run()
    assert [piece["menu"] for piece in pieces(again, "picture")] == before, "nothing is offered anew"
    app = open_page("explain", {"explain_view": "Several releases", "explain_epsilons": "1,2"})
    for piece in pieces(app, "picture"):
        assert piece["menu"]["more"] == {"explain_epsilons": "1,2"}, "what the address bar does not show"
        assert "ε = 3 nats" in piece["screen"]["foot"][-1]
