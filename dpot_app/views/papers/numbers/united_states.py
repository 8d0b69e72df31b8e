"""Costs of the United States' barycenters, as other programs of the project have kept them in documents."""

import re
from pathlib import Path

from dpot_app.views.papers.row import Number, Numbers

KEPT = "python -m benchmarks.us_population_table draws.json > docs/us_population.md"
ORDER = "python -m benchmarks.us_order draws.json > docs/us_order.md"
SCALES = "python -m benchmarks.us_lambda draws.json > docs/us_lambda.md"
_ROWS = {
    "Without privacy": "non-private",
    "Coreset": "coreset",
    "Perturbation as published, classical constant": "perturbation as published",
    "Noisy steps, sums over cells (the default)": "proven steps",
}


def united_states(section: str, epsilon: int) -> Numbers:
    """Costs and distances of `docs/us_population.md`: mean and deviation of 10 draws."""
    part = (
        _document("us_population")
        .split(f"## {section}", 1)[1]
        .split(f"epsilon = {epsilon} towards", 1)[1]
        .split("\n\n")[1]
    )
    numbers: dict[str, Number] = {}
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in _ROWS:
            for what, cell in (("cost", cells[1]), ("W₂", cells[3])):
                found = re.fullmatch(r"([\d.]+) ± ([\d.]+)", cell)
                if found:
                    numbers[f"{what}, {_ROWS[cells[0]]}"] = Number(float(found[1]), float(found[2]), 10)
    return numbers


def _order(section: str, draws: int) -> dict[str, dict[str, Number]]:
    """Costs of a table of `docs/us_order.md` by its first column and its heads; one draw where there is no spread."""
    heads, *lines = _table("us_order", section)
    numbers = {}
    for name, *cells in lines:
        found = (cell.replace(",", "").split(" ± ") for cell in cells)
        row = [Number(float(one[0]), float(one[1]), draws) if one[1:] else Number(float(one[0])) for one in found]
        numbers[name] = dict(zip(heads[1:], row, strict=True))
    return numbers


def _table(name: str, section: str) -> list[list[str]]:
    """Heads and rows of the table of a section of a document."""
    part = _document(name).split(section, 1)[1].split("\n\n")[1]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
    return [lines[0], *lines[2:]]


def sizes(epsilon: int) -> Numbers:
    """Figures 4 and 8: costs against the number of people."""
    (draws,) = re.findall(r"classical constant, (\d+)\s+draws of each size", _document("us_order"))
    table = _order(f"epsilon = {epsilon}:", int(draws))
    return {f"{what}, n = {n}": number for n, row in table.items() for what, number in row.items()}


def switches() -> Numbers:
    """Costs of Figure 3 (a) with one thing changed at a time."""
    table = _order("## One switch at a time", 3)
    return {f"{what}, {switch}": number for switch, row in table.items() for what, number in row.items()}


def scales() -> Numbers:
    """Costs of Figures 3 and 9 where lambda counts for coordinates s times as large, by states."""
    heads, *lines = _table("us_lambda", "## Without privacy")
    numbers = {
        f"without privacy, {states}, s = {scale}": Number(float(cell))
        for scale, *cells in lines
        for states, cell in zip(heads[1:], cells, strict=True)
    }
    heads, *lines = _table("us_lambda", "## With privacy")
    for states, scale, epsilon, *cells in lines:
        for what, cell in zip(heads[3:], cells, strict=True):
            numbers[f"{what}, {states}, s = {scale}, ε = {epsilon}"] = Number(float(cell))
    costs, spread, largest = re.findall(r"([\d,.]+) at s|mean cost\s+([\d,.]+),|than\s+([\d,.]+)\s+squared", _left())
    said = {"four groups, s = 3.5": costs[0], "four groups, all at their mean": spread[1], "farthest two": largest[2]}
    return numbers | {what: Number(float(text.replace(",", ""))) for what, text in said.items()}


def _left() -> str:
    return _document("us_lambda").split("Four groups of adults", 1)[1]


def _document(name: str) -> str:
    return (Path(__file__).resolve().parents[4] / "docs" / f"{name}.md").read_text(encoding="utf-8")
