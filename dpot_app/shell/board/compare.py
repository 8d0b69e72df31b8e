"""Differences between the scenarios: settings and numbers in one table, differences marked."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from dpot_app import shell
from dpot_app.batch.scenarios import Row, number_rows, settings_rows
from dpot_app.batch.scenarios.comparison import html_row, row_of
from dpot_app.shell.pins import Pin
from dpot_core.privacy.numerals import at_most

_STYLE = """<style>
.dpot-compare {overflow-x: auto; margin-bottom: 0.5rem;}
.dpot-compare table {border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums;}
.dpot-compare th, .dpot-compare td {padding: 0.3rem 0.8rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid rgba(127,127,127,0.3); min-width: 7.5rem; max-width: 16rem; overflow-wrap: break-word;}
.dpot-compare th:first-child {font-weight: 400;}
.dpot-compare thead th {font-weight: 600;}
.dpot-compare .head th {padding-top: 0.8rem; font-weight: 600; border-bottom-width: 2px;}
.dpot-compare td.differs {font-weight: 600; background: rgba(230,159,0,0.18); box-shadow: inset 3px 0 0 #E69F00;}
</style>"""


def compare(pins: Sequence[Pin]) -> None:
    settings = settings_rows([pin.scenario for pin in pins])
    different = [row for row in settings if any(row.differs)]
    same = [row for row in settings if not any(row.differs) and all(row.texts)]
    some = [row for row in settings if not any(row.differs) and not all(row.texts)]
    numbers = number_rows([{} if pin.summary is None else pin.summary.headlines for pin in pins])
    heads = [f"{i}. {pin.scenario.title}" for i, pin in enumerate(pins, start=1)]
    groups = {"Settings that differ": different, "Promise": _guarantees(pins), "Numbers": numbers}
    st.html(_STYLE + table_html(heads, groups))
    st.caption(
        "Marked and bold: differs from the first scenario that has it. In brackets: the change against that one. "
        "Empty: the scenario has no such setting or number."
    )
    if same:
        with st.expander(f"The same in all: {len(same)} settings"):
            shell.table(["Setting", "Value"], [[row.label, row.texts[0]] for row in same])
    if some:
        with st.expander(f"Only some have them: {len(some)} settings"):
            st.html(_STYLE + table_html(heads, {"Settings": some}))


def _guarantees(pins: Sequence[Pin]) -> list[Row]:
    """The promise of one release by each scenario's mechanism, at its weakest; nothing where nothing is released."""
    disclosures = [None if pin.summary is None else pin.summary.disclosure for pin in pins]
    weakest = [None if one is None or one.promise is None else one.promise.weakest for one in disclosures]
    lines = {
        "Released with": tuple("" if one is None or len(one.choices) < 2 else one.way for one in disclosures),
        "Is": tuple("" if one is None else one.status for one in disclosures),
        "ε (nats)": tuple("" if one is None else at_most(one.epsilon) for one in weakest),
        "δ": tuple("" if one is None else at_most(one.delta, 0.0) for one in weakest),
        "Hard to tell apart": tuple("" if one is None else one.neighbours_text for one in weakest),
    }
    return [row_of(label, label, texts, texts) for label, texts in lines.items()]


def table_html(heads: Sequence[str], groups: dict[str, list[Row]]) -> str:
    """A table with marked cells; all text is escaped."""
    columns = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = ""
    for title, rows in groups.items():
        if not rows:
            continue
        body += f'<tr class="head"><th scope="rowgroup" colspan="{len(heads) + 1}">{escape(title)}</th></tr>'
        body += "".join(map(html_row, rows))
    return (
        f'<div class="dpot-compare" tabindex="0"><table><thead><tr><th></th>{columns}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
