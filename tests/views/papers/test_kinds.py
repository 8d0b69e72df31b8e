"""What verdicts rest on: every one has a kind, an error has a counter-example that the recorded numbers are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpot_app.batch.reports.papers import counter_example, markdown, said
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import KINDS, CounterExample, Row

ERRORS = [row for row in ROWS.values() if row.kind == "error"]


def test_every_verdict_that_compares_says_what_it_rests_on() -> None:
    for row in ROWS.values():
        assert row.kind in KINDS.get(row.verdict, {"": ""}), row.key
        assert (KINDS[row.verdict][row.kind] if row.kind else ".") in said(row), row.key
    used = {(row.verdict, row.kind) for row in ROWS.values() if row.kind}
    assert used >= {("agrees", kind) for kind in KINDS["agrees"]} | {
        ("differs", kind) for kind in ("error", "setting", "unstated")
    }


@pytest.mark.parametrize("row", ERRORS, ids=lambda row: row.key)
def test_exclusions_of_the_paper_are_recorded(row: Row) -> None:
    assert row.counter is not None
    larger, smaller = row.counter.sides(stored(row))
    assert larger > smaller * (1 + 1e-9), counter_example(row)
    assert counter_example(row) in markdown().replace("∣", "|")


@pytest.mark.parametrize(
    "wrong",
    [{"kind": ""}, {"kind": "claim"}, {"counter": None}, {"kind": "ours"}, {"kind": "setting"}, {"other": "another"}],
    ids=str,
)
def test_an_error_needs_its_counter_example_and_another_setting_its_words(wrong: dict[str, str | None]) -> None:
    with pytest.raises(ValueError, match="sinkhorn-theorem2: "):
        replace(ROWS["sinkhorn-theorem2"], **wrong)
    assert (
        replace(ROWS["sinkhorn-theorem2"], kind="setting", counter=None, other="one").rests_on == "another setting: one"
    )


def test_sides_are_numbers_or_constants() -> None:
    numbers = stored(ROWS["sinkhorn-theorem2"])
    assert CounterExample(1.0, 0.5).sides(numbers) == (1.0, 0.5)
    with pytest.raises(KeyError):
        CounterExample("no such number", 0.5).sides(numbers)
