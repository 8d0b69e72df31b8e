"""The budget, the data and the settings in words."""

from __future__ import annotations

import streamlit as st

from dpot_core.experiments import sinkhorn as experiment
from dpot_core.figures.sinkhorn.words import cost_text
from pages import _shell as shell

_WHO = {"first": "first set", "second": "second set", "both": "both sets"}


def budget(result: experiment.Result) -> None:
    """The ledger."""
    config = result.config
    with st.expander("Budget: who pays for what", expanded=False):
        rows = [
            (
                f"{entry.what}, {_WHO[entry.data]}",
                f"{entry.releases}",
                f"{entry.share:.0%}",
                f"{entry.sigma:.3g}",
                f"{entry.epsilon:.3g}",
                f"{entry.delta:.0e}",
            )
            for entry in result.released.ledger
        ]
        shell.table(("Release", "times", "share", "noise / sensitivity", "ε alone", "δ"), rows)
        if config.guarantee == "paper":
            st.caption("All of the budget is for the potentials, as Theorem 2 claims; the plan comes with them.")
        elif config.people == "one":
            st.caption(
                f"A person is in one set and pays for that set's lines only: their shares add up to 100%, and together "
                f"they cost exactly ε = {config.epsilon:g} at δ = {config.delta:g}. Shares count 1/z² (z: noise over "
                "sensitivity of one release), in which Gaussian noise composes; the ε of single lines do not add up."
            )
        else:
            st.caption(
                f"A person is in both sets and pays for all lines: their shares add up to 100%, and together they cost "
                f"exactly ε = {config.epsilon:g} at δ = {config.delta:g}. Shares count 1/z² (z: noise over sensitivity "
                "of one release)."
            )


def details(result: experiment.Result) -> None:
    """Where the points come from, and what the numbers mean."""
    ground, config = result.ground, result.config
    pair = ground.pair
    with st.expander("Data, cost, settings"):
        kind = "**Simulated data**: " if pair.simulated else ""
        record = "" if pair.record == "point" else f" One point is one {pair.record}."
        notes = "".join(f"\n- {shell.as_text(note)}" for note in pair.notes)
        st.markdown(
            f"- {kind}{shell.as_text(pair.title)}, {ground.n[0]:,} and {ground.n[1]:,} points. Source: "
            f"{shell.as_text(pair.source)}.{record}\n"
            f"- Grid: {config.data.cells} × {config.data.cells} cells; a point counts for its cell's centre. Cost: "
            f"distance between centres to the power {config.data.p}; the largest is |c| = "
            f"{cost_text(ground.largest, ground)}.\n"
            f"- η = {config.eta:g} |c| = {cost_text(config.eta * ground.largest, ground)}. Seed of the noise: "
            f"{config.draw}. This is a demonstration with a seed; a release would draw from the system's entropy, with "
            "noise that is exact in floating point.\n"
            "- Errors, gaps, exact and entropic numbers are computed from the data for this page: not private."
            f"{notes}"
        )
