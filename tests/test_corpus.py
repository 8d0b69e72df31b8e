"""Links and scenario files that people have open, and give the numbers that they gave.

All files are read each time; a sample, another one each day, is run and opened; by night all are.
"""

from __future__ import annotations

import datetime
import random
from typing import Any

import pytest

from dpot_app.batch import scenarios
from tests.apps import open_page, pin, pinned
from tests.corpus.entries import differences, pages, read

SAMPLE = 1


def sample(links: bool) -> list[Any]:
    """(page, number of an entry); what is not in the sample of the day, the same in all processes, is for the night."""
    found = []
    for page in pages():
        numbers = [number for number, one in enumerate(read(page)) if (one.link is not None) == links]
        rng = random.Random(f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d} {page}")
        today = rng.sample(numbers, SAMPLE)
        found += [
            pytest.param(page, number, marks=() if number in today else pytest.mark.nightly) for number in numbers
        ]
    return found


@pytest.mark.parametrize("page", pages())
def test_there_are_enough_and_every_file_is_read(page: str) -> None:
    entries = read(page)
    assert sum(one.link is not None for one in entries) >= 30 and sum(one.link is None for one in entries) >= 30
    for one in entries:
        assert len(scenarios.read(one.yaml.encode())) == 1


@pytest.mark.parametrize(("page", "number"), sample(links=False))
@pytest.mark.usefixtures("folders")
def test_a_file_gives_its_numbers(page: str, number: int) -> None:
    assert not read(page)[number].changes()


@pytest.mark.parametrize(("page", "number"), sample(links=True))
@pytest.mark.usefixtures("folders")
def test_a_link_opens_its_scenario(page: str, number: int) -> None:
    entry = read(page)[number]
    app = open_page(page, entry.link)
    assert not [warning.value for warning in app.warning if "link" in warning.value]
    (button,) = [button.key for button in app.button if str(button.key).endswith("_pin")]
    pin(app, button.removesuffix("_pin"))
    (kept,) = pinned(app)
    (scenario,) = scenarios.read(entry.yaml.encode())
    assert (kept.scenario.kind, kept.scenario.config) == (scenario.kind, scenario.config)
    assert not entry.changes()


def test_a_total_variation_is_known_to_rounding_and_no_worse() -> None:
    def said(name: str, change: float) -> list[str]:
        kept, now = ({"headlines": {name: value}, "tables": {}} for value in (4e-8, 4e-8 + change))
        return differences(kept, now)

    assert not said("Total variation of KPM", 2e-17) and said("Total variation of KPM", 2e-15)
    assert said("ε of all releases", 2e-17)
