"""The one picture of a scenario, for the board and the report."""

from __future__ import annotations

from typing import Any

from dpot_core.figures.headlines import headlines_figure
from dpot_core.scenarios.scenario import Outcome


def picture(outcome: Outcome) -> Any:
    """The figure of what running a scenario gave, on a light ground; bars of its numbers where its view shows none."""
    view = outcome.scenario.view
    return view.board_picture(outcome.results) or headlines_figure(outcome.headlines, view.title)
