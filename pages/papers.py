"""Papers: every figure, table and statement of five papers, and bars of a sixth, beside what comes out here."""

import re
from base64 import b64encode
from html import escape

import streamlit as st

from dpot_app import shell
from dpot_app.batch.reports.papers import counter_example, drawn, link_of, ours, tally
from dpot_app.kit.setting import Declared
from dpot_app.views.papers import PAGE
from dpot_app.views.papers.index import ROWS, thumbnail
from dpot_app.views.papers.row import CITED, PAPERS, VERDICTS, Row

PAPER = Declared(
    "Paper",
    "list",
    "paper",
    {"all": "All", **PAPERS},
    help="The paper whose statements are listed.",
)
VERDICT = Declared(
    "Verdict",
    "list",
    "verdict",
    {"all": "All", **VERDICTS},
    help="Agrees: what the paper states comes out here; below it, what was tested. Differs: below it, whether that is "
    "the paper's error, another setting, not stated or ours. Cannot be compared, not recorded: the row says why.",
)
#: A sign for each verdict beside its words.
SIGNS = {"agrees": "✓", "differs": "≠", "beyond": "–", "open": "…"}
STYLE = """<style>
.dpot-papers {font-size: 0.9rem;}
.dpot-papers article {display: grid; grid-template-columns: 10rem minmax(0, 5fr) minmax(0, 5fr) minmax(0, 4fr);
  gap: 0.2rem 1.2rem; margin: 0; padding: 0.6rem 0; border-top: 1px solid rgba(127,127,127,0.35);
  overflow-wrap: anywhere;}
.dpot-papers code {font-size: 0.85em;}
.dpot-papers sub, .dpot-papers sup {line-height: 0;}
.dpot-papers p {margin: 0 0 0.2rem; font-size: inherit;}
.dpot-papers .dpot-number {display: flex; justify-content: space-between; gap: 1rem;
  font-variant-numeric: tabular-nums;}
.dpot-papers .dpot-number > span:last-child, .dpot-papers .dpot-whole {white-space: nowrap;}
.dpot-papers .dpot-quiet {opacity: 0.85;}
.dpot-papers img {display: block; width: 100%; max-width: 10rem; margin-top: 0.3rem; padding: 0.2rem; background: white;
  border: 1px solid rgba(127,127,127,0.35); border-radius: 0.25rem;}
@media (max-width: 900px) {.dpot-papers article {grid-template-columns: minmax(0, 1fr);}
  .dpot-papers .dpot-heads {display: none;}}
</style>"""
HEADS = (
    '<article class="dpot-heads"><b>Place</b><b>What the paper states</b><b>What comes out here</b><b>Why, and more</b>'
    "</article>"
)


def rich(text: str) -> str:
    """A row's text as HTML: code in backticks, indices and powers."""
    parts = text.split("`")
    return "".join(code(part) if place % 2 else _signs(escape(part)) for place, part in enumerate(parts))


def code(text: str) -> str:
    """Code, which breaks between its names where a column is narrow."""
    breaking = re.sub(r"([./_])", r"\1<wbr>", escape(text))
    return f"<code>{breaking}</code>"


def _signs(text: str) -> str:
    text = re.sub(r"(?<=\w)_(?:\(([^()]*)\)|(\w[\w*]*))", r"<sub>\1\2</sub>", text)
    # Lines break neither beside a sign of equality nor within a number.
    text = re.sub(r" (=|≤|≥|&lt;|&gt;) ", "\u00a0\\1\u00a0", text)
    text = re.sub(r"\d[\d.]*e-\d+", r'<span class="dpot-whole">\g<0></span>', text)
    return re.sub(r"\^(?:\(([^()]*)\)|([−-]?[\w*]+))", r"<sup>\1\2</sup>", text)


def item(row: Row) -> str:
    """A row as HTML: place and verdict; what the paper states; our numbers; why, and the link."""
    setting = f'<p class="dpot-quiet">{rich(row.setting)}</p>' if row.setting else ""
    numbers = "".join(
        f'<p class="dpot-number"><span>{rich(name)}</span><span>{escape(text)}</span></p>'
        for name, _, text in (line.rpartition(": ") for line in ours(row))
    )
    seed = f'<p class="dpot-quiet">{escape(drawn(row).capitalize())}</p>' if drawn(row) else ""
    kind = f'<p class="dpot-quiet">{rich(row.rests_on.capitalize())}</p>' if row.kind else ""
    why = "".join(f"<p>{rich(text)}</p>" for text in (row.why, counter_example(row)) if text)
    # The whole address: what a session keeps would win over the parameters of a link that stays in it.
    opened = f'<p><a href="{escape(link_of(row))}" target="_blank">Open the view</a></p>' if row.view else ""
    command = f"<p>{code(row.command)}</p>" if row.command else ""
    return (
        f"<article><div><p><b>{rich(row.where)}</b></p><p>{SIGNS[row.verdict]} {VERDICTS[row.verdict]}</p>{kind}"
        f"{small(row)}</div>"
        f'<div>{setting}<p>{rich(row.claim)}</p><p class="dpot-quiet">{rich(row.source)}</p></div>'
        f"<div>{numbers}{seed}</div><div>{why}{opened}{command}</div></article>"
    )


def small(row: Row) -> str:
    """Our figure of a row as HTML, small, which opens it; "" without one. Dark on white, as it is printed."""
    found = thumbnail(row.key)
    if found is None:
        return ""
    source = f"data:image/webp;base64,{b64encode(found.webp).decode()}"
    picture = f'<img loading="lazy" alt="{escape(found.title)}" src="{source}">'
    name = f'aria-label="Open the view of {escape(row.where)}"'
    return f'<a href="{escape(link_of(row))}" target="_blank" {name}>{picture}</a>'


controls = shell.Controls(PAGE.prefix)
notice = st.container()
# Before the heading: a page is seen from its heading on, and must not move then.
with st.sidebar:
    paper, verdict = controls.ask(PAPER, "all"), controls.ask(VERDICT, "all")
shell.heading(PAGE)()
rows = [row for row in ROWS.values() if paper in ("all", row.paper) and verdict in ("all", row.verdict)]
st.markdown(f"{len(rows)} of {len(ROWS)} rows. {tally(rows).capitalize()}.")
for key, title in PAPERS.items():
    if listed := [row for row in rows if row.paper == key]:
        st.markdown(f"**{title}.** {CITED[key]}")
        st.html(f'{STYLE}<div class="dpot-papers">{HEADS}{"".join(map(item, listed))}</div>')
if not rows:
    st.info("No row of this paper has this verdict.")
st.caption(
    "A plotted figure is compared with its caption, its text or published numbers: the texts hold no plotted values. "
    "Our numbers are those that were recorded; ± is the standard deviation of single runs. The command computes them "
    "from nothing and compares; `dpot papers figure` writes the figures for print. Nothing is released here."
)
with notice:
    controls.notices()
