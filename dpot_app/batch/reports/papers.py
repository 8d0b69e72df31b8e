"""The index of the papers as a document: ``python -m dpot_app.batch.reports.papers`` prints `docs/papers.md`."""

from collections import Counter
from urllib.parse import urlencode

from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import CITED, PAPERS, VERDICTS, Number, Row
from dpot_core.privacy.numerals import number

_HEADS = ("place", "the paper", "ours", "verdict", "open, command")
#: Where the app answers on this machine unless it is told otherwise.
_APP = "http://localhost:8501"


def number_text(one: Number) -> str:
    """A number with its spread over single runs; what is not zero does not read 0.

    >>> number_text(Number(2.3e-36)), number_text(Number(-0.004)), number_text(Number(0.0)), number_text(Number(-2e-16))
    ('< 1e-12', '−0.004', '0', '> −1e-12')
    """
    value = number(one.value).replace("-", "−", int(one.value < 0.0 and abs(one.value) >= 1e-12))
    if 0.0 < abs(one.value) < 1e-12:
        value = "< 1e-12" if one.value > 0.0 else "> −1e-12"
    return value + (f" ± {number(one.spread)}" if one.runs > 1 or one.spread else "")


def ours(row: Row) -> list[str]:
    """What was recorded for a row, a line for each number."""
    return [f"{name}: {number_text(one)}" for name, one in stored(row).items()]


def drawn(row: Row) -> str:
    """The seed of a row's numbers, and how many runs stand behind each mean; "" where nothing is drawn."""
    runs = sorted({one.runs for one in stored(row).values()} - {1})
    means = f"means of {' or '.join(f'{count:,}' for count in runs)}" if runs else ""
    return "; ".join(filter(None, (f"seed: {row.seed}" if row.seed else "", means)))


def said(row: Row) -> str:
    """The verdict and its reason."""
    return f"**{VERDICTS[row.verdict]}.** {row.why}".strip()


def link_of(row: Row) -> str:
    """Path and parameters of the page at the row's setting, "" without a page."""
    if row.link is None:
        return ""
    page, parameters = row.link
    return f"{page}?{urlencode(parameters, doseq=True)}"


def tally(rows: list[Row]) -> str:
    """How many rows there are, by verdict."""
    count = Counter(row.verdict for row in rows)
    return ", ".join(f"{words.lower()}: {count[key]}" for key, words in VERDICTS.items())


def markdown() -> str:
    """The whole document."""
    parts = [
        "# The papers, one by one\n",
        "<!-- Made by `python -m dpot_app.batch.reports.papers`, or `make papers-doc`; a test compares it with the "
        "code. -->\n",
        "Every algorithm, theorem with a formula, figure, table and data set of the five papers. Each row says what it "
        "states and where that is read, what comes out here, and why the two differ where they do. The papers' texts "
        "hold no plotted values. So a plotted figure is compared with the claim in its caption or text, with numbers "
        "that the authors published, or with numbers in the text. “±” is the standard deviation of single runs, unless "
        "a row says otherwise. `dpot papers run ID` computes a row from nothing and compares it with what is written "
        "here. Where numbers take hours, the row names the program that makes them. `dpot papers figure ID --out "
        "folder` writes our figure as a paper prints it, as SVG and PDF with a caption that holds the numbers of both. "
        "Without an ID it writes every figure (`dpot papers figure --help`). Links open the app on this machine.\n",
        f"{len(ROWS)} rows: {tally(list(ROWS.values()))}.\n",
    ]
    for paper, title in PAPERS.items():
        rows = [row for row in ROWS.values() if row.paper == paper]
        parts += [f"## {title}\n", f"{CITED[paper]}\n", f"{len(rows)} rows: {tally(rows)}.\n"]
        parts += [_line(_HEADS), _line(tuple("---" for _ in _HEADS)), *(_line(_cells(row)) for row in rows), ""]
    return "\n".join(parts)


def _cells(row: Row) -> tuple[str, ...]:
    setting = f"{row.setting}: " if row.setting else ""
    opened = f"[open]({_APP}/{link_of(row)})" if row.view else ""
    seed = f" ({drawn(row)})" if drawn(row) else ""
    command = f"`{row.command}`" if row.command else f"`{row.key}`"
    return (
        f"**{row.where}**",
        f"{setting}{row.claim} ({row.source})",
        "<br>".join(ours(row)) + seed,
        said(row),
        f"{opened} {command}".strip(),
    )


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', '∣') for cell in cells)} |"


if __name__ == "__main__":
    print(markdown(), end="")
