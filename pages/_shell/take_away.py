"""Take it away: the link, the numbers, the figure and the Python that made them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpot_core.disclosures import Disclosure
from dpot_core.exports import csv_safe, to_json
from dpot_core.figures.style import to_html
from dpot_core.scenarios import ScenarioError, write
from dpot_core.studies._kit.markdown import as_text
from pages._shell.controls import Controls
from pages._shell.pins import Offer, pin_row, scenario_of


def take_it_away(
    controls: Controls,
    *,
    tables: Mapping[str, pd.DataFrame | Callable[[], pd.DataFrame]],
    figures: Mapping[str, Callable[[], go.Figure]],
    snippet: Callable[[], str],
    config: object,
    disclosure: Disclosure,
    link: Mapping[str, str] | None = None,
    pin: Offer | None = None,
) -> None:
    """Offer what a reader can take away or pin; files are made only when they are asked for.

    Args:
        controls: the page's controls; the link restores them.
        tables: each table of numbers that the page draws, or what makes it, by a short name.
        figures: makes each figure of the page, by a short name.
        snippet: makes the Python that reproduces the numbers from `dpot_core`.
        config: the page's settings; go into the JSON file.
        disclosure: what is released in the numbers; goes into the JSON file, and marks columns as not private.
        link: further parameters for the link, such as pasted numbers.
        pin: what the board is to keep; None for the kind that takes these settings, if there is one.
    """
    page = controls.page
    pin_row(controls, pin, config, disclosure, {**(link or {})})
    box = st.expander("Take it away: link, numbers, figures, Python", key=f"{page}_away", on_change="rerun")
    if not box.open:
        return
    address = controls.link(**(link or {}))

    def everything() -> str:
        settings = {"page": page, "link": address, "settings": config, "promise": disclosure.described()}
        return to_json(disclosure.mark({name: _made(table) for name, table in tables.items()}), settings)

    with box:
        st.markdown("**Link** that restores this page" + (", with your numbers in it:" if link else ":"))
        st.code(address, language=None, wrap_lines=True)
        st.markdown("**Numbers** that the page draws:")
        st.caption(as_text(disclosure.sentences()[0]))
        with st.container(horizontal=True):
            for name, table in tables.items():
                _file(page, f"{name}.csv", "text/csv", partial(_csv, name, table, disclosure))
            _file(page, "numbers.json", "application/json", everything)
        st.markdown("**Figures** that open in a browser without a network (about 5 MB each):")
        with st.container(horizontal=True):
            for name, figure in figures.items():
                _file(page, f"{name}.html", "text/html", partial(_html, figure))
        st.markdown("**Python** that computes the same numbers:")
        st.code(snippet(), language="python")
        _scenario(page, pin, config)


def _scenario(page: str, pin: Offer | None, config: object) -> None:
    """The settings as a file that the board opens and the command line runs."""
    try:
        scenario = scenario_of(pin, config)
    except ScenarioError:
        return  # pinning says what is in the way
    if scenario is None:
        return
    st.markdown("**Scenario** that the what-if board opens and that runs without the app:")
    _file(page, "scenario.yaml", "application/yaml", partial(write, [scenario]))
    st.code("python -m dpot_core run scenario.yaml --out folder", language="sh")


def _made(table: pd.DataFrame | Callable[[], pd.DataFrame]) -> pd.DataFrame:
    return table() if callable(table) else table


def _csv(name: str, table: pd.DataFrame | Callable[[], pd.DataFrame], disclosure: Disclosure) -> str:
    return csv_safe(disclosure.mark({name: _made(table)})[name])


def _html(figure: Callable[[], go.Figure]) -> str:
    return to_html(figure())


def _file(page: str, name: str, mime: str, make: Callable[[], str]) -> None:
    st.download_button(
        name,
        make,
        f"{page}-{name}",
        mime,
        key=f"{page}_away_{name}",
        on_click="ignore",
        icon=":material/download:",
    )
