"""Links and scenario files that people have open, and give the numbers that they gave.

All files are read each time; by night all are run and opened.
"""

from __future__ import annotations

import pytest

from dpot_app.batch import scenarios
from tests.apps import open_page, pin, pinned
from tests.corpus.entries import differences, pages, read


def entries(links: bool) -> list[tuple[str, int]]:
    """(page, number of an entry) of all with a link, or of all without."""
    return [
        (page, number) for page in pages() for number, one in enumerate(read(page)) if (one.link is not None) == links
    ]


@pytest.mark.parametrize("page", pages())
def test_there_are_enough_and_every_file_is_read(page: str) -> None:
    entries = read(page)
    assert sum(one.link is not None for one in entries) >= 30 and sum(one.link is None for one in entries) >= 30
    for one in entries:
        assert len(scenarios.read(one.yaml.encode())) == 1


@pytest.mark.nightly
@pytest.mark.parametrize(("page", "number"), entries(links=False))
@pytest.mark.usefixtures("folders")
def test_a_file_gives_its_numbers(page: str, number: int) -> None:
    assert not read(page)[number].changes()


@pytest.mark.nightly
@pytest.mark.parametrize(("page", "number"), entries(links=True))
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
