"""The commands ``dpot papers list``, ``run [ID ...]``, ``figure [ID ...] --out folder`` and ``scenario ID``."""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from dpot_app.batch import scenarios
from dpot_app.batch.reports import preprint
from dpot_app.batch.reports.papers import number_text, ours
from dpot_app.kit.workers.opening import SCHEDULER, check_address
from dpot_app.views.papers.computing import computed
from dpot_app.views.papers.index import ROWS, stored
from dpot_app.views.papers.row import KINDS, PAPERS, VERDICTS, Number, Numbers, Row
from dpot_core.datasets import DatasetMissing

#: Two computations of one number agree within this, relative or absolute (distances in the app are of the order of 1).
RELATIVE, ABSOLUTE = 1e-6, 1e-9


class NotReproducedError(RuntimeError):
    """Numbers came out that are not those that were recorded."""


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """``papers`` and what follows it."""
    papers = commands.add_parser("papers", help="the papers row by row: what they state, and what comes out here")
    below = papers.add_subparsers(required=True, metavar="what")
    listing = below.add_parser("list", help="name every row: ID, place, verdict, claim, what the verdict rests on")
    listing.add_argument("--paper", choices=PAPERS, help="of one paper only")
    listing.add_argument("--verdict", choices=VERDICTS, help="with one verdict only")
    kinds = sorted({kind for by_verdict in KINDS.values() for kind in by_verdict})
    listing.add_argument("--kind", choices=kinds, help="whose verdict rests on one thing only")
    listing.set_defaults(command=_list)
    run = below.add_parser("run", help="compute rows from nothing and compare them with what was recorded")
    run.add_argument("rows", nargs="*", metavar="ID", help="rows of the list, or papers; all without one")
    run.add_argument("--scheduler", default="", metavar="ADDRESS", help=SCHEDULER)
    run.set_defaults(command=_run)
    words = "write figures as a paper prints them: SVG, PDF and a caption with the paper's numbers and ours"
    figure = below.add_parser("figure", help=words, description=f"{words}. Drawn by Chromium, which must be installed.")
    figure.add_argument("rows", nargs="*", metavar="ID", help="rows of the list, or papers; every figure without one")
    figure.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the files go")
    figure.add_argument("--captions", action="store_true", help="captions only: no data, no Chromium, at once")
    figure.set_defaults(command=_figure)
    scenario = below.add_parser("scenario", help="print the scenario file of the view that shows a row")
    scenario.add_argument("row", metavar="ID", help="a row of the list")
    scenario.set_defaults(command=_scenario)


def chosen(names: Sequence[str]) -> list[Row]:
    """The rows of these names, which may be papers; all without a name.

    Raises:
        ScenarioError: names what is no row.
    """
    for name in names:
        if name not in ROWS and name not in PAPERS:
            raise scenarios.ScenarioError(f"there is no row {name!r}; see: dpot papers list")
    return [row for row in ROWS.values() if not names or {row.key, row.paper} & {*names}]


def differences(found: Numbers, kept: Numbers, *, searched: bool = False) -> list[str]:
    """Differences between newly computed and recorded numbers, in words; ``searched``: see `Row`."""
    if found.keys() != kept.keys():
        return [f"other numbers than recorded: {', '.join(sorted(found.keys() ^ kept.keys()))}"]
    return [
        f"{name}: {number_text(one)}, recorded {number_text(kept[name])}"
        for name, one in found.items()
        if one.runs != kept[name].runs or not (_alike(one, kept[name]) or (searched and _near(one, kept[name])))
    ]


def _agreement(row: Row, found: Numbers, differ: list[str]) -> str:
    if differ:
        return "NOT as recorded"
    return "within a standard error of what is recorded" if differences(found, stored(row)) else "as recorded"


def _alike(one: Number, kept: Number) -> bool:
    return math.isclose(one.value, kept.value, rel_tol=RELATIVE, abs_tol=ABSOLUTE) and math.isclose(
        one.spread, kept.spread, rel_tol=RELATIVE, abs_tol=ABSOLUTE
    )


def _near(one: Number, kept: Number) -> bool:
    """Within a standard error of the mean, and as spread out within a quarter."""
    error = kept.spread / math.sqrt(kept.runs)
    return abs(one.value - kept.value) <= error and abs(one.spread - kept.spread) <= kept.spread / 4


def _list(options: argparse.Namespace) -> int:
    for row in ROWS.values():
        asked = ((options.paper, row.paper), (options.verdict, row.verdict), (options.kind, row.kind))
        if all(wanted in (None, found) for wanted, found in asked):
            print(row.key, row.where, VERDICTS[row.verdict], row.claim, row.rests_on, sep="\t")
    return 0


def _run(options: argparse.Namespace) -> int:
    wrong = []
    rows = chosen(options.rows)
    if options.scheduler:
        check_address(options.scheduler)
    results = computed([row for row in rows if row.compute is not None and not row.kept], options.scheduler)
    for row in rows:
        if row.compute is None:
            print(f"{row.key}\t{row.where}\t{row.why}")
            continue
        if row.kept:
            print(f"{row.key}\t{row.where}\tmade elsewhere: {row.kept}\t{'; '.join(ours(row))}")
            continue
        _, found = next(results)
        if isinstance(found, DatasetMissing):
            print(f"{row.key}\t{row.where}\tthe data are not on this machine: {found}")
            continue
        differ = differences(found, stored(row), searched=row.searched)
        wrong += [f"{row.key}: {text}" for text in differ]
        shown = "; ".join(f"{name}: {number_text(one)}" for name, one in found.items())
        print(f"{row.key}\t{row.where}\t{_agreement(row, found, differ)}\t{shown}", flush=True)
    if wrong:
        raise NotReproducedError("; ".join(wrong))
    return 0


def _figure(options: argparse.Namespace) -> int:
    rows = chosen(options.rows)
    for row in rows:
        if row.key in options.rows and not row.has_figure:
            raise scenarios.ScenarioError(preprint.named(row))
    for row, done in preprint.write(preprint.figures(rows), options.out, only_captions=options.captions):
        files = done if isinstance(done, str) else " ".join(map(str, done))
        print(f"{row.key}\t{row.where}\t{files}", flush=True)
    return 0


def _scenario(options: argparse.Namespace) -> int:
    (row,) = chosen([options.row])
    if not row.view:
        raise scenarios.ScenarioError(f"no view shows {row.key}: {row.why}")
    data = scenarios.describe_data(scenarios.VIEWS[row.view], row.config, {})
    title = f"{PAPERS[row.paper]}, {row.where}"
    print(scenarios.write([scenarios.Scenario(row.view, title, row.config, data)]), end="")
    return 0
