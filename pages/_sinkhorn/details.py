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
            f"{config.draw}: a demonstration in floating point; see *Release for real*.\n"
            "- Errors, gaps, exact and entropic numbers are computed from the data for this page: not private."
            f"{notes}"
        )


#: What a view could release, by its kind.
_RELEASES = {"sinkhorn.release": "plan", "sinkhorn.cost": "cost"}


def for_real(result: experiment.Result, kind: str) -> None:
    """How a release is made that may be published.

    Args:
        result: what is on screen.
        kind: key of what can be run, of the view.
    """
    if kind not in _RELEASES:
        return
    what = _RELEASES[kind]
    with st.expander("Release for real"):
        if result.ground.pair.around:
            st.markdown(
                "The rectangle is drawn around the points, so that it tells where the outermost ones are. A release "
                "needs one that was fixed beforehand, without looking at the points."
            )
            return
        if what == "plan" and result.config.guarantee in experiment.CLAIMED:
            st.markdown("What is not proven is not released. Choose *Proven* on the left.")
            return
        released = {
            "plan": "noisy Sinkhorn's potentials and plan",
            "cost": "the cost by direct Laplace, which needs no δ",
        }
        st.markdown(
            f"What this page shows is a demonstration: whoever knows the seed knows the noise. This releases "
            f"{released[what]}, and writes nothing else: no error, no true plan. Noise comes from OpenDP, numbers "
            "before it are whole or on a public grid, so that rounding spends no privacy. Each run spends ε again."
        )
        st.code(experiment.release_snippet(result.config, what), language="python")
