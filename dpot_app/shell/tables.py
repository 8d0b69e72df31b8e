"""Small tables that scroll inside themselves where a screen is too narrow."""

from collections.abc import Sequence
from html import escape

import streamlit as st

_STYLE = """<style>
/* A shadow stands at each side beyond which there is more. */
.dpot-table {overflow-x: auto; margin-bottom: 0.5rem;
  background: linear-gradient(to right, var(--dpot-ground) 1rem, transparent 2rem) 0 / 50% 100% no-repeat local,
    linear-gradient(to left, var(--dpot-ground) 1rem, transparent 2rem) 100% 0 / 50% 100% no-repeat local,
    linear-gradient(to right, rgba(127,127,127,0.5), transparent) 0 / 0.75rem 100% no-repeat scroll,
    linear-gradient(to left, rgba(127,127,127,0.5), transparent) 100% 0 / 0.75rem 100% no-repeat scroll;}
.dpot-table table {border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums;}
.dpot-table th, .dpot-table td {padding: 0.3rem 0.8rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid rgba(127,127,127,0.3);}
.dpot-table th:first-child, .dpot-table td:first-child {text-align: left; padding-left: 0;}
/* Names break rather than push numbers out of sight. */
.dpot-table td:first-child {white-space: normal; min-width: 6rem;}
@media (max-width: 640px) {
  .dpot-table th {white-space: normal;}
  .dpot-table th, .dpot-table td {padding-inline: 0.4rem; vertical-align: bottom;}
}
</style>"""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draw a table of texts: the first column names the rows, the others are numbers. Markup is not read."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    st.html(
        f'{_STYLE}<div class="dpot-table" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
