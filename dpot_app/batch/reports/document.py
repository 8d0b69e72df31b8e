"""The report: one HTML file that opens without a network, prints on A4 and holds every number with its promise."""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources

from dpot_app.batch import scenarios
from dpot_app.batch.exports import to_json
from dpot_app.batch.reports.versions import versions
from dpot_app.batch.scenarios import Row, Scenario
from dpot_app.batch.scenarios.comparison import html_row
from dpot_app.figures.inline import MOST_CELLS, for_page, lighter, plotly_js
from dpot_core.privacy.disclosures import SETTINGS_NOTE, STATUSES, Disclosure
from dpot_core.privacy.numerals import at_most
from dpot_core.privacy.wording import in_words

_STYLE = resources.files(__package__).joinpath("style.css")
#: Of the document: it must travel by mail.
MOST_BYTES = 6_000_000
# Scenarios beside each other on a page.
_COLUMNS = 4
# Cells per side of maps: fewer where the document would be too large.
_CELLS = (MOST_CELLS, 41, 31)
# Height of the picture on a slide, pixels.
_SLIDE_PICTURE = 560
# Nothing is fetched, whatever stands in the document; figures of maps are drawn as images.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
# What a picture of private data says wherever it stands.
_UNPROTECTED = "Not protected: this picture shows the data themselves, not a release. It must not circulate."
_SIMULATED = "This picture shows its input without protection: one of real people's data must not circulate."
_LEFT_OUT = (
    "Left out: this picture shows the data themselves, without protection, and must not circulate. People who may see "
    "the data can ask for it when the report is made."
)
# A slide and a sheet are one page: what they say becomes smaller until it fits.
_FIT = """
const slide = document.querySelector(".slide, .sheet");
for (let size = 17; size > 8 && slide && slide.scrollHeight > slide.clientHeight; size -= 0.5) {
  slide.style.fontSize = `${size}px`;
}
"""
_DRAW = """
for (const figure of document.querySelectorAll("figure[data-figure]")) {
  const spec = JSON.parse(document.getElementById(figure.dataset.figure).textContent);
  const place = document.createElement("div");
  figure.appendChild(place);
  Plotly.newPlot(place, spec.data, spec.layout, {displayModeBar: false, staticPlot: true}).then(() => {
    // A picture is as wide as a sheet; on a narrower screen it is seen whole, smaller.
    place.style.zoom = Math.min(1, figure.clientWidth / place.scrollWidth);
  });
}
"""


@dataclass(frozen=True)
class Entry:
    scenario: Scenario
    headlines: Mapping[str, float]
    disclosure: Disclosure
    picture: str  # JSON of its figure on a light ground
    pictured: bool = False  # whether the picture may stand there although it shows people's data without protection

    @property
    def unprotected(self) -> bool:
        """Whether the picture shows uploaded data, or data of real people, as they are."""
        real = bool(self.scenario.data) or self.scenario.view.personal(self.scenario.config)
        return real and self.disclosure.status in ("demonstration", "analysis")

    @property
    def drawn(self) -> bool:
        return self.pictured or not self.unprotected


def report(entries: Sequence[Entry], title: str, question: str, at: datetime.datetime | None = None) -> str:
    """The document as HTML of at most `MOST_BYTES`; all text of readers is escaped.

    The other scenarios are compared with the first one. ``at``: when it was made; now if None.

    Raises:
        ValueError: if there is no scenario, or there are too many.
    """
    if not entries:
        raise ValueError("entries must hold at least one scenario; got none")
    moment = at or datetime.datetime.now(datetime.UTC)
    for cells in _CELLS:
        document = _document(entries, title, question, moment, cells)
        if len(document.encode()) <= MOST_BYTES:
            return document
    raise ValueError(f"entries must fit into {MOST_BYTES:,} bytes; got {len(document.encode()):,}: leave some out")


def _document(entries: Sequence[Entry], title: str, question: str, moment: datetime.datetime, cells: int) -> str:
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">Made on {moment:%Y-%m-%d %H:%M} {escape(moment.tzname() or "")} with dpot. '
        "Opens without a network; prints on A4.</p>",
    ]
    if question.strip():
        parts.append(f'<h2>Question</h2><p class="question">{escape(question.strip())}</p>')
    parts += [_decision(i, entry) for i, entry in enumerate(entries, start=1) if entry.scenario.chosen is not None]
    parts.append(_overview(entries))
    parts += [_scenario(number_, entry) for number_, entry in enumerate(entries, start=1)]
    parts.append(_together(entries))
    parts.append(_assumptions())
    parts.append(
        "<h2>To compute it again</h2><p>Save these lines as scenarios.yaml. They open on the what-if board, and give "
        "every number of this report on the command line:</p><pre>python -m dpot_app run scenarios.yaml --out "
        f'folder</pre><pre id="yaml">{escape(scenarios.write([entry.scenario for entry in entries]))}</pre>'
    )
    programs = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in versions().items())
    parts.append(f"<h2>Programs</h2><table><tbody>{programs}</tbody></table>")
    data = [
        {
            "title": entry.scenario.title,
            "kind": entry.scenario.kind,
            "numbers": entry.disclosure.mark_numbers(entry.headlines),
            "promise": entry.disclosure.described(),
        }
        for entry in entries
    ]
    scripts = [data_script("numbers", to_json({}, data))]
    scripts += [figure_data(i, entry, cells) for i, entry in enumerate(entries, start=1)]
    return page_html(title, "\n".join((*parts, *scripts)))


def page_html(title: str, body: str) -> str:
    """A document that opens without a network."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f"{body}<script>{plotly_js()}</script><script>{_DRAW}{_FIT}</script></body></html>"
    )


def _decision(place: int, entry: Entry) -> str:
    """The first page: what was chosen, why, what it promises in words, and its picture; all else is an appendix."""
    scenario = entry.scenario
    reason = (scenario.chosen or "").strip()
    said = f'<p class="question">{escape(reason)}</p>' if reason else ""
    promise = _promise(entry.disclosure)
    return (
        f'<section class="decision"><h2>Chosen: {escape(scenario.title)}</h2>{said}'
        f'<div class="promise">{promise}</div>{figure_html(place, entry)}</section><h2 class="appendix">Appendix</h2>'
    )


def _promise(disclosure: Disclosure) -> str:
    """The promise of one release; small, what publishing all that is compared would cost."""
    small = disclosure.comparison()
    return "".join(
        f'<p class="quiet">{escape(said)}</p>' if said == small else f"<p>{escape(said)}</p>"
        for said in disclosure.sentences()
    )


def figure_html(place: int, entry: Entry) -> str:
    """The place of a picture, drawn from the data of its number; what is private in it is said, or it is left out."""
    title = for_page(entry.picture)["title"]
    if not entry.drawn:
        return f'<p class="unprotected">{escape(_LEFT_OUT)}</p>'
    said = _UNPROTECTED if entry.unprotected else _SIMULATED if entry.disclosure.status == "demonstration" else ""
    mark = f'<p class="unprotected">{escape(said)}</p>' if said else ""
    return f'<figure data-figure="figure-{place}"><figcaption>{escape(title)}</figcaption>{mark}</figure>'


def figure_data(place: int, entry: Entry, cells: int = MOST_CELLS, **layout: int) -> str:
    """The data of an entry's picture, as a script element; nothing where it is left out.

    Args:
        cells: so many per side of maps at most.
        **layout: what is otherwise in Plotly's layout.
    """
    if not entry.drawn:
        return ""
    figure = for_page(lighter(entry.picture, cells))
    return data_script(f"figure-{place}", json.dumps({"data": figure["data"], "layout": figure["layout"] | layout}))


def slide(entry: Entry, title: str) -> str:
    """The chosen scenario on one landscape page of 16 to 9: what, why, the promise in words, one picture.

    It opens without a network, fills a screen and prints on one sheet.
    """
    reason = (entry.scenario.chosen or "").strip()
    said = f'<p class="question">{escape(reason)}</p>' if reason else ""
    body = (
        f'<main class="slide"><h1>{escape(title)}</h1><div class="halves"><div><h2>{escape(entry.scenario.title)}</h2>'
        f'{said}<div class="promise">{_promise(entry.disclosure)}</div></div>'
        f"<div>{figure_html(1, entry)}</div></div></main>"
    )
    return page_html(title, body + figure_data(1, entry, height=_SLIDE_PICTURE))


def _overview(entries: Sequence[Entry]) -> str:
    """All scenarios with their promise, then those of one kind side by side."""
    rows = "".join(
        f"<tr><td>{i}</td><td>{escape(entry.scenario.title)}</td><td>{escape(entry.scenario.view.page)}</td>"
        f"{_guarantee_cells(entry.disclosure)}</tr>"
        for i, entry in enumerate(entries, start=1)
    )
    text = (
        '<h2>The scenarios</h2><div class="wide"><table><thead><tr><th></th><th>Scenario</th><th>Page</th>'
        "<th>Released with</th><th>ε (nats)</th><th>δ</th><th>Neighbours</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )
    groups: dict[str, list[tuple[int, Entry]]] = {}
    for i, entry in enumerate(entries, start=1):
        groups.setdefault(entry.scenario.kind, []).append((i, entry))
    tables = "".join(_side_by_side(group) for group in groups.values() if len(group) > 1)
    if tables:
        text += (
            f"<h2>Side by side</h2>{tables}"
            '<p class="quiet">Bold: not as in the first scenario of its kind; in brackets: the change against that '
            "one. Settings that are the same stand with each scenario.</p>"
        )
    return text


def _guarantee_cells(disclosure: Disclosure) -> str:
    """Mechanism, epsilon, delta and neighbours of one release, the weakest layer; or that nothing is released."""
    guarantee = disclosure.promise
    if guarantee is None:
        said = "parts do not add up" if disclosure.parts else STATUSES[disclosure.status].split(". ")[0].rstrip(".")
        return f'<td></td><td class="number">–</td><td class="number">–</td><td>{escape(said)}</td>'
    weakest = guarantee.weakest
    return (
        f"<td>{escape(disclosure.way if len(disclosure.choices) > 1 else '')}</td>"
        f'<td class="number">{at_most(weakest.epsilon, digits=6)}</td>'
        f'<td class="number">{at_most(weakest.delta, 0.0)}</td>'
        f"<td>{escape(guarantee.neighbours)}</td>"
    )


def _side_by_side(group: Sequence[tuple[int, Entry]]) -> str:
    """Settings that differ and numbers of scenarios of one kind, at most `_COLUMNS` in a table."""
    rows = [row for row in scenarios.settings_rows([entry.scenario for _, entry in group]) if any(row.differs)]
    rows += scenarios.number_rows([entry.headlines for _, entry in group])
    view = group[0][1].scenario.view
    text = f"<h3>{escape(view.page)}: {escape(view.title)}</h3>"
    for start in range(0, len(group), _COLUMNS):
        part = slice(start, start + _COLUMNS)
        heads = "".join(f'<th scope="col">{i}. {escape(entry.scenario.title)}</th>' for i, entry in group[part])
        body = "".join(html_row(Row(row.label, row.name, row.texts[part], row.differs[part])) for row in rows)
        table = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{body}</tbody></table>"
        text += f'<div class="wide">{table}</div>'
    return text


def _scenario(place: int, entry: Entry) -> str:
    scenario, view = entry.scenario, entry.scenario.view
    numbers = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td class="number" title="{value!r}">{value:.6g}</td></tr>'
        for name, value in entry.disclosure.mark_numbers(entry.headlines).items()
    )
    settings = "".join(
        f'<tr><th scope="row">{escape(row.label)}</th><td>{escape(row.texts[0])}</td></tr>'
        for row in scenarios.settings_rows([scenario])
    )
    sentences = _promise(entry.disclosure)
    return (
        f'<h2 class="scenario">{place}. {escape(scenario.title)}</h2>'
        f'<p class="quiet">{escape(view.page)}: {escape(view.title)}</p>'
        f"{figure_html(place, entry)}<h3>Numbers</h3><table><tbody>{numbers}</tbody></table>"
        f'<h3>Guarantee</h3><div class="promise">{sentences}</div>'
        f"<h3>Settings</h3><table><tbody>{settings}</tbody></table>"
        f"<h3>Python that computes the same numbers</h3><pre>{escape(view.python(scenario.config))}</pre>"
    )


def _together(entries: Sequence[Entry]) -> str:
    if len(entries) < 2:
        return ""
    result = scenarios.together([entry.disclosure for entry in entries])
    text = (
        "<h2>If all of them are released</h2><p>The scenarios are alternatives: only what is released costs privacy. "
        f"If each is released once, with its mechanism:</p><p>{escape(result.words)}</p>"
    )
    if result.guarantee is not None:
        sentences = "".join(f"<p>{escape(sentence)}</p>" for sentence in in_words(result.guarantee))
        text += f'<div class="promise">{sentences}</div>'
    if any(entry.disclosure.compares for entry in entries):
        whole = scenarios.together([entry.disclosure for entry in entries], compared=True).words
        text += f'<p class="quiet">Publishing all that the scenarios compare instead: {escape(whole)}</p>'
    return text


def _assumptions() -> str:
    points = (
        "A promise covers what is named as hard to tell apart, and nothing else. Public facts count as known to all.",
        "It holds against every observer, whatever else they know, for one release as described. Further releases "
        "about the same person add up.",
        "The party that runs the mechanism sees the data and draws with unpredictable randomness. Numbers that "
        "depend on a seed are demonstrations, not releases.",
        SETTINGS_NOTE,
        "Worst cases hold for every input that the settings allow. All other numbers are for the scenario's data and "
        "guarantee nothing about other data.",
        "Numbers computed from private data are not private themselves. Whether this report may be shared depends on "
        "the data in it.",
    )
    return "<h2>Assumptions</h2><ul>" + "".join(f"<li>{escape(point)}</li>" for point in points) + "</ul>"


def data_script(name: str, text: str) -> str:
    """Data for scripts; nothing in it can end the element or open a comment."""
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f'<script type="application/json" id="{name}">{safe}</script>'
