"""Histories of any lengths: the paper's promise in steps of a radius beside the one that is used here."""

from __future__ import annotations

import streamlit as st

from dpot_core.checks import EPSILON_RANGE
from dpot_core.experiments.metric import crowd as experiment
from dpot_core.mechanisms.metric.reduction import discrete_guarantee, stretch
from pages import _shell as shell

RADII = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)


def lengths(controls: shell.Controls, release: experiment.CrowdRelease) -> None:
    """What Theorem 5.3 would promise for a radius, in an expander."""
    with st.expander("Histories of different lengths: what the paper promises, and what is proven here"):
        km = controls.steps("change", "Change of a history by so many km on average", RADII, 2.0)
        r = min(km / release.largest, 1.0)
        alpha, delta, visits = release.alpha, release.config.base.delta, release.config.visits
        ours = release.promises[release.better].delta
        st.markdown(
            f"People have different numbers of check-ins; each reports on {visits:,} random ones. **Proven "
            f"here**: whatever the lengths, a change by {km:g} km on average costs ε = α r = {alpha * r:.3g} with "
            f"δ = {ours:g}, a smaller one less in proportion; r = {r:.3g} is that distance over the largest one."
        )
        if alpha * stretch(r, visits, delta) > EPSILON_RANGE[1]:
            st.markdown(f"**Theorem 5.3** promises nothing for this radius: its ε is above {EPSILON_RANGE[1]:g}.")
            return
        try:
            promise = discrete_guarantee(alpha, delta, r, visits)
            sharp = discrete_guarantee(alpha, delta, r, visits, sharp=True)
        except ValueError as problem:
            st.markdown(f"**Theorem 5.3** cannot be used for this radius: {shell.as_text(str(problem))}.")
            return
        st.markdown(
            f"**Theorem 5.3** would promise, for a mechanism with the same α and δ on lists of {visits:,} items: every "
            f"change by at most {km:g} km costs ε = {promise.epsilon:.3g} with δ = {promise.delta:g}, a smaller one as "
            f"much; with Chernoff's bound in the place of Bernstein's ε = {sharp.epsilon:.3g}. The draws of two "
            "histories can lie farther apart than the histories, and the theorem pays for that."
        )
