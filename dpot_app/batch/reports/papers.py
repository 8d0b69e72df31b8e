"""The index of the papers as a document: ``python -m dpot_app.batch.reports.papers`` prints `docs/papers.md`."""

from collections import Counter
from urllib.parse import urlencode

from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import CITED, KINDS, PAPERS, VERDICTS, Number, Row
from dpot_core.privacy.numerals import fixed, number, plus_minus

_HEADS = ("place", "the paper", "ours", "verdict", "open, command")
#: Where the app answers on this machine unless it is told otherwise.
_APP = "http://localhost:8501"


def number_text(one: Number) -> str:
    """A number with its spread over single runs: whole numbers in full; what is not zero, or 1, does not read so.

    >>> number_text(Number(2.3e-36)), number_text(Number(-0.004)), number_text(Number(0.0)), number_text(Number(-2e-16))
    ('< 1e-12', '−0.004', '0', '> −1e-12')
    >>> number_text(Number(161417.0)), number_text(Number(0.9999973)), number_text(Number(1.5101, 0.00251, 20))
    ('161,417', '0.999997', '1.510 ± 0.003')
    """
    if one.spread >= 1e-12:
        return plus_minus(one.value, one.spread)
    if 0.0 < abs(one.value) < 1e-12:
        value = "< 1e-12" if one.value > 0.0 else "> −1e-12"
    elif 1.0 <= abs(one.value) < 1e12 and one.value == round(one.value):
        value = fixed(one.value, 0)
    elif 1e-12 <= 1.0 - one.value < 5e-4:
        value = f"{1.0 - float(f'{1.0 - one.value:.1g}'):.15g}"
    else:
        value = number(one.value).replace("-", "−", int(one.value < 0.0 and abs(one.value) >= 1e-12))
    return value + " ± 0" * (one.runs > 1)


def ours(row: Row) -> list[str]:
    """The numbers recorded for a row, a line for each number."""
    return [f"{name}: {number_text(one)}" for name, one in stored(row).items()]


def drawn(row: Row) -> str:
    """The seed of a row's numbers, and how many runs stand behind each mean; "" where nothing is drawn."""
    runs = sorted({one.runs for one in stored(row).values()} - {1})
    means = f"means of {' or '.join(f'{count:,}' for count in runs)}" if runs else ""
    return "; ".join(filter(None, (f"seed: {row.seed}" if row.seed else "", means)))


def said(row: Row) -> str:
    """The verdict, what it rests on, its reason and the counter-example."""
    words = f" ({row.rests_on})" if row.kind else ""
    return " ".join(filter(None, (f"**{VERDICTS[row.verdict]}**{words}.", row.why, counter_example(row))))


def counter_example(row: Row) -> str:
    """The inequality between recorded numbers that shows the paper's error; "" where there is none."""
    if row.counter is None or not stored(row):
        return ""
    larger, smaller = (
        f"{side} ({number_text(Number(value))})" if isinstance(side, str) else number_text(Number(value))
        for side, value in zip((row.counter.larger, row.counter.smaller), row.counter.sides(stored(row)), strict=True)
    )
    return f"Counter-example: {larger} is more than {smaller}."


def link_of(row: Row) -> str:
    """Path and parameters of the page at the row's setting, "" without a page."""
    if row.link is None:
        return ""
    page, parameters = row.link
    return f"{page}?{urlencode(parameters, doseq=True)}"


def tally(rows: list[Row]) -> str:
    """How many rows there are, by verdict and what it rests on."""
    count = Counter(row.verdict for row in rows)
    kinds = Counter((row.verdict, row.kind) for row in rows)
    parts = []
    for key, words in VERDICTS.items():
        inside = ", ".join(
            f"{kinds[key, kind]} {said}" for kind, said in KINDS.get(key, {}).items() if kinds[key, kind]
        )
        if count[key]:
            parts.append(f"{words.lower()}: {count[key]}" + (f" ({inside})" if inside else ""))
    return ", ".join(parts)


def markdown() -> str:
    """The whole document."""
    parts = [
        "# The papers, one by one\n",
        "<!-- Made by `python -m dpot_app.batch.reports.papers`, or `make papers-doc`; a test compares it with the "
        "code. -->\n",
        "Every algorithm, theorem with a formula, figure, table and data set of the five papers, and the bars of a "
        "sixth. Each row says what it states and where that is read, what comes out here, and why the two differ where "
        "they do. The papers' texts "
        "hold no plotted values. So a plotted figure is compared with the claim in its caption or text, with numbers "
        "that the authors published, or with numbers in the text. “±” is the standard deviation of single runs, unless "
        "a row says otherwise. “Agrees” says what was tested: the claim itself, instances of it, or a consequence. "
        "“Differs” says why. It is the paper's own error, which an inequality between our numbers shows, or another "
        "setting, which is named, or what the paper does not state, or what is ours. `dpot papers run ID` computes a "
        "row from nothing and compares it with what is written here. Where numbers take hours, the row names the "
        "program that makes them. `dpot papers figure ID --out folder` writes our figure as a paper prints it, as SVG "
        "and PDF with a caption that holds the numbers of both. Without an ID it writes every figure (`dpot papers "
        "figure --help`). Links open the app on this machine.\n",
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
