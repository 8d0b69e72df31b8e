"""Epsilons of known public deployments, with sources."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpot_core.datasets.deployments import load_deployments
from pages import _shell as shell


def view(controls: shell.Controls) -> None:
    """The table with its warning."""
    st.info(
        "These numbers do not compare with each other, nor with the ones in this app, unless unit, period and model "
        "agree: ε = 4 for one day of one device and ε = 4 for a whole life are different promises, and noise added on "
        "the device (local) protects from the collector too."
    )
    rows = load_deployments()
    st.dataframe(
        pd.DataFrame(
            {
                "Organisation": [row.organisation for row in rows],
                "Release": [row.product for row in rows],
                "Year": [str(row.year) for row in rows],
                "ε": [row.epsilon_text for row in rows],
                "δ": [row.delta_text for row in rows],
                "Model": [row.model for row in rows],
                "What is protected": [row.unit for row in rows],
                "ε is for one": [row.period for row in rows],
                "Mechanism": [row.mechanism for row in rows],
                "Source": [row.source for row in rows],
                "Address of the source": [row.url for row in rows],
            }
        ),
        column_config={
            "Organisation": st.column_config.Column(width=170),
            "Release": st.column_config.Column(width=300),
            "ε": st.column_config.Column(width=110),
            "δ": st.column_config.Column(width=85),
            "Model": st.column_config.Column(width=85),
            "What is protected": st.column_config.Column(width=330),
            "ε is for one": st.column_config.Column(width=140),
        },
        hide_index=True,
        height=38 + 35 * len(rows),
        key="explain_known",
    )
    st.caption(
        f"{len(rows)} deployments, as their sources state them; every row names its source (addresses are text: this "
        "app opens no other machine). Deployments whose numbers could not be confirmed are left out. δ = 0: pure "
        "differential privacy. Right-most columns: scroll, or download the table from its corner."
    )
    with st.expander("The same as text, with sources"):
        for row in rows:
            st.markdown(
                f"- **{shell.as_text(row.organisation)}, {shell.as_text(row.product)}** ({row.year}): "
                f"ε = {row.epsilon_text}, δ: {row.delta_text}; {row.model}; protected: {shell.as_text(row.unit)}; per "
                f"{shell.as_text(row.period)}; {shell.as_text(row.mechanism)}. {shell.as_text(row.source)}. `{row.url}`"
            )
