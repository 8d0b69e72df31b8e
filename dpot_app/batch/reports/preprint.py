"""Figures of the papers as a paper prints them: SVG and PDF, each with a caption that holds the numbers of both."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dpot_app.batch.reports.papers import drawn, ours, said
from dpot_app.batch.reports.versions import own_version
from dpot_app.figures.style import simulated, title_apart
from dpot_app.kit.blocks import Picture, pictures
from dpot_app.kit.view import Results
from dpot_app.live.chromium import chromium, pdf_of
from dpot_app.live.frames import Screen, plain
from dpot_app.live.svg_panels import svg_panels
from dpot_app.views.papers.figures import recorded_figure
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import CITED, PAPERS, Row
from dpot_core.datasets import DatasetMissing, writing

#: How a title says that its data are invented.
SIMULATED = simulated(True)


def figures(rows: Sequence[Row]) -> list[Row]:
    """The rows that have a figure."""
    return [row for row in rows if row.has_figure]


def screens(row: Row) -> list[Screen]:
    """The pictures of a row at the paper's setting, or of its recorded numbers: `title`, `spec`, `alt`; dark on white.

    Raises:
        ValueError: if the view no longer draws what the row names.
        DatasetMissing: if the data are not on this machine.
    """
    view = row.shown_by
    if view is None or not row.has_figure:
        raise ValueError(f"{row.key} has no figure")
    if row.curves is not None:
        drawn = [Picture(row.key, f"{row.where}: {row.curves.y}", recorded_figure, row.curves, stored(row))]
    else:
        result = view.run(row.config)
        drawn = [_named(row, result, one) for one in row.pictures or (view.picture,)]
    found = []
    for picture in drawn:
        title, spec = title_apart(picture.draw().to_dict())
        if title in {note.get("text") for note in spec["layout"].get("annotations", ())}:
            title = ""  # small pictures say it above their panel
        found.append(plain({"title": title, "spec": spec, "alt": picture.alt}))
    return found


def _named(row: Row, result: Results, one: str | tuple[str, Mapping[str, str]]) -> Picture:
    """One of the pictures that a row names; the first that is shown where the view's own is not among them."""
    name, look = (one, {}) if isinstance(one, str) else one
    drawn = {picture.name: picture for picture in pictures(row.shown(result, **look))}
    if name not in drawn and row.pictures:
        raise ValueError(f"{row.key} names {name}; {row.view} draws {', '.join(drawn)}")
    return drawn.get(name) or next(iter(drawn.values()))


def shown_small(row: Row) -> Screen:
    """The one of a row's pictures that stands for it: its view's first, if that is among them."""
    found = screens(row)
    names = row.pictures or ("",)
    wanted = row.shown_by.picture if row.shown_by else None
    return found[names.index(wanted) if wanted in names else 0]


def caption(row: Row, titles: Sequence[str] = ()) -> str:
    """The caption of the figure, in Markdown: paper, setting, the paper's numbers and ours, verdict, commands.

    Args:
        titles: of its pictures, which say where people, points or films are simulated.
    """
    try:
        sets = {} if row.shown_by is None else row.shown_by.digests(row.config)
        data = "; ".join(f"{name}, SHA-256 {digest}" for name, digest in sets.items())
    except DatasetMissing:
        data = "of the paper, not on the machine that wrote this"
    if any(title.endswith(SIMULATED) for title in titles):
        data = f"{data}; simulated" if data else "simulated"
    numbers = "\n".join(f"- {line}" for line in ours(row))
    parts = [
        f"# {PAPERS[row.paper]}, {row.where}",
        *(f"*{title}.*" for title in titles),
        CITED[row.paper],
        f"Setting: {row.setting}." if row.setting else "",
        f"The paper: {row.claim} ({row.source}).",
        f"What comes out here (± is the standard deviation of single runs):\n\n{numbers}" if numbers else "",
        said(row),
        f"Numbers: {drawn(row)}." if drawn(row) else "",
        f"Data: {data}." if data else "",
        f"{own_version()}. The figure again: `dpot papers figure {row.key} --out folder`. "
        + (f"The numbers again: `{row.command}`." if row.command else ""),
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def write(rows: Sequence[Row], out: Path, *, only_captions: bool = False) -> Iterator[tuple[Row, list[Path] | str]]:
    """Write `ID.svg`, `ID.pdf` and `ID.md` of each row: its files, or why it has none.

    Raises:
        RefusedError: if `out` is a link or a file.
        BrowserError: before anything is computed where there is no Chromium to draw with.
        OSError: if a file cannot be written.
    """
    if not only_captions:
        chromium()
    writing.extended(out)
    for row in rows:
        if only_captions:
            yield row, writing.write(out, {f"{row.key}.md": caption(row).encode()})
            continue
        try:
            shown = screens(row)
        except DatasetMissing as problem:
            yield row, f"the data are not on this machine: {problem}"
            continue
        titles = [str(screen["title"]) for screen in shown if screen["title"]]
        svg = svg_panels(f"{PAPERS[row.paper]}, {row.where}", shown)
        contents = {"svg": svg.encode(), "pdf": pdf_of(svg), "md": caption(row, titles).encode()}
        yield row, writing.write(out, {f"{row.key}.{ending}": content for ending, content in contents.items()})


def named(row: Row) -> str:
    """Why a row that was asked for has no figure."""
    rows = ", ".join(one.key for one in figures([*ROWS.values()]) if one.paper == row.paper) or "none of this paper"
    return f"{row.key} has no figure of its own; those that have: {rows}"
