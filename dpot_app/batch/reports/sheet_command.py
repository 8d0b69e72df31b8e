"""The command ``dpot sheet scenario.yaml --out sheet.pdf``."""

import argparse
from collections.abc import Callable
from pathlib import Path

from dpot_app.batch import scenarios
from dpot_app.batch.reports.sheet import Decision, decide, sheet, sheet_markdown
from dpot_app.batch.scenarios.given import changed, own_data, own_files, parsed, settable
from dpot_app.kit.failures import computing
from dpot_app.live.chromium import printed
from dpot_core.datasets.writing import write


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """``sheet`` and what follows it."""
    words = "write one page A4 about a release: its promise, what half of its ε would cost, and what is not covered"
    parser = commands.add_parser("sheet", help=words, description=words)
    parser.add_argument("file", type=Path, help="scenarios in YAML; of several, the one that was chosen on the board")
    words = "where to write, by its ending: .html, .md, or .pdf, which needs Chromium"
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=words)
    parser.add_argument("--question", default="", metavar="TEXT", help="what is to be possible, for its first lines")
    own_data(parser)
    settable(parser)
    parser.set_defaults(command=_write)


def _write(options: argparse.Namespace) -> int:
    makers: dict[str, Callable[[Decision], str | bytes]] = {
        ".html": sheet,
        ".md": sheet_markdown,
        ".pdf": lambda decision: printed(sheet(decision)),
    }
    make = makers.get(options.out.suffix.lower())
    if make is None:
        raise scenarios.ScenarioError(f"--out {options.out}: must end in {', '.join(makers)}")
    asked = changed(parsed(options.file, scenarios.read), options.changes)
    chosen = [one for one in asked if one.chosen is not None] or asked
    if len(chosen) > 1:
        raise scenarios.ScenarioError(f"{options.file}: a sheet is about one scenario; choose one of {len(chosen)}")
    (scenario,) = chosen
    files = own_files(
        options.data, [tag for role, tag in scenario.data if role in scenario.view.files(scenario.config)]
    )
    try:
        with computing(scenario.config, scenario.view.example):
            made = make(decide(scenario, files, question=options.question or scenario.question))
    except scenarios.ScenarioError:
        raise
    except ValueError as problem:
        raise scenarios.ScenarioError(f"{options.file}: the settings do not fit together: {problem}") from problem
    (path,) = write(options.out.parent, {options.out.name: made if isinstance(made, bytes) else made.encode()})
    print(path)
    return 0
