"""What the paper's theorem assumes, in words and numbers."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpot_core.experiments import sinkhorn as experiment
from dpot_core.experiments.sinkhorn.advice import number
from dpot_core.figures.sinkhorn.words import power_of_ten
from pages import _shell as shell


def theorem_words(found: experiment.Counterexample, constants: pd.DataFrame, result: experiment.Result) -> None:
    """The cautions, with the numbers of the current settings.

    Args:
        found: the counterexample on screen.
        constants: Theorem 2 as printed and as corrected.
        result: the release on screen.
    """
    config = result.config
    printed, corrected = constants.iloc[0], constants.iloc[1]
    st.markdown(
        "1. **The points stand still.** The proof of Theorem 2 lets one point change and keeps the place of its "
        f"potential. But Algorithm 1 releases one potential *for each point*: move a point to {found.place:g} and its "
        f"own potential moves by {found.own[0]:.2g} |c| at n = {found.n[0]:g} and by {found.own[-1]:.2g} |c| at "
        f"n = {found.n[-1]:g}. The others move like 1/n, as the proof says. So points' potentials are not private "
        "as claimed. And after noise they leave the box that the proof needs.\n"
        "2. **A factor 2 is lost.** Turning the Rényi bound into (ε, δ) gives K C/M + 2 √(K C log(1/δ)/M); the theorem "
        "prints the root without the 2.\n"
        "3. **A square is lost.** The Gaussian mechanism costs α Δ²/(2M); the proof takes C = Δ/2, no square.\n"
        "4. **Noise costs more than Theorem 1 counts** (found while this page was built). Noise of variance M on all "
        "potentials raises F by η (exp(M/η²) - 1) on average; the theorem counts τM/2, because Lemma 4 takes strong "
        "convexity, a lower bound of the rise, for an upper bound."
    )
    shell.table(
        ("Theorem 2 at these settings, |c| = 1", "As printed", "Corrected (2 and 3)"),
        [
            ("noise it asks for (standard deviation)", *_cells(printed, corrected, "noise for epsilon")),
            ("ε that it claims at the printed noise", *_cells(printed, corrected, "epsilon at the printed noise")),
            ("sensitivity of a round that it takes", *_cells(printed, corrected, "claimed sensitivity")),
            ("rise of F by the noise of a round", *_cells(printed, corrected, "rise of F by the noise of a round")),
            ("rise that Theorem 1 counts", *_cells(printed, corrected, "rise that Theorem 1 counts")),
        ],
    )
    st.caption(
        f"K = {config.steps} rounds, η = {config.eta:g} |c|, |c| the largest cost, δ = {config.delta:g}, "
        f"n = {len(result.ground.sample_cost)} points; M: variance of the "
        "noise; Δ: sensitivity; F: what Sinkhorn's "
        "algorithm minimises. "
        "The theorem's logarithm holds 4 η |c|/n, which has a unit; so all costs are divided by the largest first. "
        "Corrected constants repair 2 and 3, not 1: Noisy Sinkhorn, paper, stays without a proof. The proven variant "
        "releases potentials of public cells; who stands in them enters as a histogram only."
    )


def bounds_words(found: experiment.Bounds) -> None:
    """What the theorems bound the error by, and where the paper's choice of eta leads.

    Args:
        found: the bounds at the current settings.
    """
    first, second = found.two_stage
    objective = _size(10.0 ** min(found.log10_objective, 300.0))
    st.markdown(
        f"**What its bounds say here (|c| = 1).** Theorem 1 ends at {_size(found.neighbourhood)}. Corollary 1: "
        f"{_size(found.tradeoff)}. Theorem 3 asks for η ≤ {found.largest_eta:.1e} (the second best assignment is at "
        f"most {found.gap:.1e} away) and then bounds the error by {_size(first)} + {_size(second)}. The paper's choice "
        f"of η, the least of (13), is {number(found.eta)} |c|, where (13) is {objective}. "
        "No cost is larger than 1: a bound above it says nothing."
    )


def _size(value: float) -> str:
    return number(value) if value < 1e4 else power_of_ten(value)


def _cells(printed: pd.Series, corrected: pd.Series, name: str) -> tuple[str, str]:
    return number(float(printed[name])), number(float(corrected[name]))
