"""Where data, distances and proofs come from."""

from __future__ import annotations

import streamlit as st

from dpot_core.figures.style import counted
from pages import _shell as shell
from pages._metric.controls import Choice
from pages._metric.scene import Scene


def details(scene: Scene, choice: Choice) -> None:
    """What is under the pictures, in an expander."""
    data, grid = scene.city.check_ins, scene.city.grid
    with st.expander("Data, distances, what is proven"):
        kind = "**Simulated data**: " if data.simulated else ""
        st.markdown(
            f"- {kind}{shell.as_text(data.title)}. {counted(data.n_users, 'person', 'people')} with at least "
            f"{counted(scene.config.place.least, 'check-in', 'check-ins')} each. Source: {shell.as_text(data.source)}. "
            f"{shell.as_text(data.licence)}\n"
            f"- Distances are kilometres in {shell.as_text(grid.utm_name)} (EPSG {grid.epsg}), divided by the map's "
            f"diagonal, {scene.largest:.1f} km: the largest distance is 1.\n"
            "- A history is the distribution of a person's check-ins. Two histories are as far apart as the earth "
            "mover's distance says: the least mean distance by which one becomes the other. Moving a fraction τ by q "
            "makes that at most τ q. It weighs visits, not days: a day with 10 of 30 visits is a third of it. A visit "
            "off the map counts at the nearest point of the map's edge, which brings no two visits farther apart.\n"
            "- A question is the mean of f over a history. If f changes by at most ℓ per unit of distance, so does the "
            "answer per unit of earth mover's distance (Theorem 4.1), and noise of scale ℓ/α hides it: local. The "
            "mean over n people moves by at most 1/n of that when one history changes: central, ℓ/(α n).\n"
            "- Laplace and K-norm noise promise δ = 0. Gaussian noise is calibrated at the largest distance, where "
            "its slack is exactly δ; nearer histories have less. The paper's width √(1.25 ln(1/δ))/α is too small for "
            "that.\n"
            "- A released crowd: sharing each visit among the four nearest cells lets distances between histories "
            "grow by at most √2. A report about a random visit by an α₀-private mechanism costs β per unit of earth "
            "mover's distance, β ≤ α₀ e^α₀ (proven here, for histories of any lengths). Reports add up to m β, or to "
            "less when shuffled: counted numerically (proven in `shuffling_accountant`); Theorem 4.4, with β in the "
            "place of α₀, allows about a third of that.\n"
            "- User-level privacy is another promise: any change of a whole history costs at most ε. It is drawn at "
            "the same ε for comparison, not because the two protect the same.\n"
            "- The noise here is drawn in floating point, with a known seed: a demonstration, and this page offers no "
            "release for real, because the last digits of floating-point noise can give the truth away. In Python, "
            "`secure_reports` (GKRR, k-RR, Hadamard response) and `secure_laplace_counts` (counts of items) draw whole "
            "numbers from the system's entropy, exactly as private as they say."
        )
        st.markdown("\n".join(f"- {shell.as_text(note)}" for note in data.notes))
    if choice.table is not None:
        st.caption("The link does not carry your file: whoever opens it is asked for their own.")
