"""What the views of the mixture page have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpot_core.disclosures import Disclosure
from dpot_core.divergences import DIVERGENCES
from dpot_core.experiments.mixture import NAMES, Numbers
from dpot_core.scenarios.kinds import HasTables
from pages import _shell as shell


@dataclass(frozen=True)
class Drawn:
    """What a view shows, to be taken away.

    Attributes:
        config: its settings.
        disclosure: what is released in its numbers.
        tables: makers of its numbers.
        figures: makers of its figures.
        snippet: maker of the Python.
        link: what a link has to carry beside the controls.
        kind: key of the scenario that the board keeps of it.
        results: what running that scenario gave.
    """

    config: object
    disclosure: Disclosure
    tables: Mapping[str, Callable[[], pd.DataFrame]]
    figures: Mapping[str, Callable[[], go.Figure]]
    snippet: Callable[[], str]
    link: Mapping[str, str]
    kind: str
    results: Callable[[], tuple[HasTables, ...]]


def numbers_table(numbers: Mapping[str, Numbers], worst: Mapping[str, float]) -> None:
    """Divergences, bounds and acceptance of every mechanism, with the worst case of KPM."""
    heads = ["Mechanism", *(row.axis for row in DIVERGENCES.values())]
    moved = any(entry.wasserstein is not None for entry in numbers.values())
    heads += ["W₁"] * moved + ["r", "low", "high", "accepted"]
    rows = []
    for key, entry in numbers.items():
        cells = [_cell(entry.divergences[name]) for name in DIVERGENCES] + [_cell(entry.wasserstein)] * moved
        cells += [_cell(value) for value in (entry.r, entry.low, entry.high)]
        rate = "" if entry.acceptance is None else f"{100 * entry.acceptance:.3g} %"
        rows.append([NAMES[key], *cells, rate])
    rows.append(
        [
            "KPM, worst case R",
            *(_cell(worst[name]) for name in DIVERGENCES),
            *[""] * (len(heads) - 1 - len(DIVERGENCES)),
        ]
    )
    shell.table(heads, rows)


def _cell(value: float | None) -> str:
    return "" if value is None or value != value else f"{value:.6g}"
