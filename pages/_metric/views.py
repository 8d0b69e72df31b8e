"""The views of the metric privacy page, by name."""

from __future__ import annotations

from collections.abc import Callable

from pages import _shell as shell
from pages._metric.ask import ask_view
from pages._metric.crowd import crowd_view
from pages._metric.pays import pays_view
from pages._metric.protect import protect_view
from pages._metric.scene import Drawn, Scene

# These words stand in people's links: add, but do not reword.
VIEWS = {
    "protect": "What do I protect?",
    "ask": "Ask a question",
    "crowd": "Release the crowd",
    "pays": "When does it pay?",
}

#: Each draws one view; None while there is nothing to take away.
DRAW: dict[str, Callable[[shell.Controls, Scene], Drawn | None]] = {
    "protect": protect_view,
    "ask": ask_view,
    "crowd": crowd_view,
    "pays": pays_view,
}
