"""The answer in numbers: the smallest epsilon of each mechanism with its bracket."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import needs as experiment
from dpot_core.figures.needs import SIDES, epsilon_text
from pages import _shell as shell

HEADS = ("", "Smallest ε", "Just below it", "Value there", "Value at the smallest ε", "Tried")


def side_table(answer: experiment.Answer, side: str) -> None:
    """One side of the answer: a table, what was measured, and how it was searched."""
    found, need = answer.sides[side], answer.need
    what = shell.as_text(found.side.what)
    st.markdown(f"**{SIDES[side]}**: {what}{' (simulated data)' if found.side.simulated else ''}")
    rows = []
    for name, search in found.searches.items():
        more = " or more" if name in found.side.bounds else ""
        low, high = search.low, search.high
        if high is None:
            best = f"best: {need.write(search.best[1])} at ε = {search.best[0]:g}"
            cells = ["not reached", f"{search.points[-1][0]:g}", need.write(search.points[-1][1]), best]
        elif low is None:
            cells = [f"{epsilon_text(high[0])} or less", "not tried", "", need.write(high[1])]
        else:
            cells = [epsilon_text(high[0]) + more, f"{low[0]:.5g}", need.write(low[1]), need.write(high[1])]
        rows.append([found.side.labels[name], *cells, f"{len(search.points)}, {search.method}"])
    shell.table(HEADS, rows)
    st.caption(" ".join((found.side.note, *_how(found))))


def _how(found: experiment.Found) -> list[str]:
    """How the searches went, and what is not known."""
    labels, searches = found.side.labels, found.searches
    lines = []
    if any(search.method == "bisection" for search in searches.values()):
        lines.append(
            f"Bisection: utility improves with ε by theory, and did at all values tried; bracket ≤ "
            f"{experiment.TOLERANCE:g}."
        )
    if any(search.method == "grid" for search in searches.values()):
        lines.append(
            "Grid: nothing promises that more ε is better, so these values were all tried: between them, who knows."
        )
    back = [
        labels[name] + (f" (for good from ε = {search.steady:g})" if search.steady is not None else "")
        for name, search in searches.items()
        if search.found is not None and search.steady != search.found
    ]
    if back:
        lines.append(f"Misses the target again at a larger ε: {', '.join(back)}.")
    return lines
