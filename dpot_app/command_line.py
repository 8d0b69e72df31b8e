"""The command line: ``dpot run scenario.yaml --out folder``.

Exit codes: 0 everything was done; 1 a computation or writing its results failed; 2 the command or the scenario
cannot be used. What is wrong is said on the standard error, in one line that starts with ``dpot: error:``.
The first scenario that fails ends the run; its folder stays as it was, as it does whatever goes wrong before all
files are on the disk.
"""

from __future__ import annotations

import argparse
import errno
import io
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dpot_app.batch import scenarios
from dpot_app.batch.release import command as release_command
from dpot_app.batch.reports import reproduced, sheet_command
from dpot_app.batch.scenarios.documents import read_file
from dpot_app.batch.scenarios.folders import foreign, numbered, texts
from dpot_app.batch.scenarios.given import changed, own_data, own_files, parsed, settable
from dpot_app.batch.sweeps import EXAMPLE, Sweep, Swept, example, read, sweep
from dpot_app.kit.failures import ComputationFailed, computing
from dpot_app.kit.view import View
from dpot_app.kit.workers.opening import SCHEDULER
from dpot_app.live.chromium import BrowserError
from dpot_app.serve import app_command, servers
from dpot_core.arguments.progress import Counter
from dpot_core.datasets import DatasetMissing
from dpot_core.datasets.uploads import plain_text
from dpot_core.datasets.writing import RefusedError, replaced
from dpot_core.privacy.numerals import counted

DONE, FAILED, UNUSABLE, _PROGRAM = 0, 1, 2, "dpot"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: of the command line, without the program's name; None for those of this process.

    Returns:
        The exit code.
    """
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # ε has no place in some consoles' own encoding
    try:
        code: int = options.command(options)
        sys.stdout.flush()
    except (scenarios.ScenarioError, servers.ServersError, RefusedError) as problem:
        return _complain(str(problem), UNUSABLE)
    except (ComputationFailed, reproduced.NotReproducedError, BrowserError) as problem:
        return _complain(str(problem), FAILED)
    except OSError as problem:
        if problem.filename is None and problem.errno in (errno.ENOSPC, errno.EPIPE):
            # Files have their names: it was printed. Python would try to print the rest once more when it ends.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            problem.filename = "standard output"
        return _complain(f"{problem.filename}: {problem.strerror}" if problem.filename else str(problem), FAILED)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM,
        description="Start the app, or compute what its pages show without it.",
        epilog="Exit codes: 0 done, 1 a computation failed, 2 the command or the scenario cannot be used.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    app_command.add_command(commands)
    listing = commands.add_parser("list", help="name everything that can be run: key, page, what it computes")
    listing.set_defaults(command=_list)
    sample = commands.add_parser("example", help="print a complete scenario of one kind, to begin with")
    sample.add_argument("kind", help="a key from the list")
    settable(sample)
    sample.add_argument("--sweep", action="store_true", help="a sweep of that kind instead, over ε and a seed")
    sample.set_defaults(command=_example)
    schema = commands.add_parser("schema", help="print the JSON Schema of scenarios of one kind, for editors")
    schema.add_argument("kind", help="a key from the list")
    schema.set_defaults(command=_schema)
    check = commands.add_parser("check", help="read scenarios or a sweep and say what is wrong; compute nothing")
    check.add_argument("file", type=Path, help="scenarios or a sweep in YAML")
    check.set_defaults(command=_check)
    run = commands.add_parser("run", help="run the scenarios of a file and write what they give")
    run.add_argument("file", type=Path, help="scenarios in YAML, as the app exports them")
    run.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="where to write: into the folder itself for one scenario, into 01-KIND, 02-KIND, ... in it for several. "
        "An earlier run's folder is replaced once all is written; one that holds anything else is refused",
    )
    own_data(run)
    settable(run)
    run.add_argument("--progress", action="store_true", help="count the steps of slow work on the standard error")
    run.set_defaults(command=_run)
    sheet_command.add_command(commands)
    release_command.add_commands(commands)
    _add_sweep(commands)
    reproduced.add_commands(commands)
    return parser


def _add_sweep(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    words = "run a view at all combinations of settings and seeds, into one table; goes on where it was ended"
    parser = commands.add_parser(
        "sweep",
        help=words,
        description=words,
        epilog=f"A sweep file, which `{_PROGRAM} example KIND --sweep` prints for any kind:\n\n{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, help="the sweep in YAML")
    words = "where to write results.parquet, what is promised of it, and the points, which a later run goes on from"
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help=words)
    parser.add_argument("--processes", type=int, metavar="N", help="of this machine; one a core unless given")
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=SCHEDULER)
    own_data(parser)
    parser.set_defaults(command=_sweep)


def _list(_: argparse.Namespace) -> int:
    for key, kind in scenarios.VIEWS.items():
        print(key, kind.page, kind.title, sep="\t")
    return DONE


def _example(options: argparse.Namespace) -> int:
    kind = _kind(options.kind)
    data: tuple[tuple[str, str], ...] = ()
    with suppress(DatasetMissing):  # running it says so
        data = scenarios.describe_data(kind, kind.example, {})
    (scenario,) = changed((scenarios.Scenario(kind.key, kind.title, kind.example, data),), options.changes)
    if options.sweep:
        fixed = [change.partition("=")[0] for change in options.changes]
        print(example(kind, scenario.config, fixed), end="")
        return DONE
    print(scenarios.write([scenario]), end="")
    return DONE


def _schema(options: argparse.Namespace) -> int:
    print(json.dumps(scenarios.json_schema(_kind(options.kind)), ensure_ascii=False, indent=2))
    return DONE


def _check(options: argparse.Namespace) -> int:
    asked = parsed(options.file, _scenarios_or_sweep)
    if isinstance(asked, Sweep):
        print(asked.view.key, f"a sweep of {counted(asked.points, 'point', 'points')}", sep="\t")
        return DONE
    for scenario in asked:
        print(scenario.kind, plain_text(scenario.title), sep="\t")
    return DONE


def _scenarios_or_sweep(content: bytes) -> tuple[scenarios.Scenario, ...] | Sweep:
    sweeps = read_file(content, lambda plain: isinstance(plain, dict) and "sweep" in plain)
    return read(content) if sweeps else scenarios.read(content)


def _run(options: argparse.Namespace) -> int:
    asked = changed(parsed(options.file, scenarios.read), options.changes)
    named = [tag for one in asked for role, tag in one.data if role in one.view.files(one.config)]
    files = own_files(options.data, named)
    written = []
    with replaced(options.out, foreign) as put:
        for number, scenario in enumerate(asked, start=1):
            folder = "" if len(asked) == 1 else f"{numbered(number, scenario.kind)}/"
            name = f"{scenario.kind} ({number} of {len(asked)})"
            try:
                with computing(scenario.config, scenario.view.example):
                    outcome = scenarios.run(scenario, files, Counter(name) if options.progress else None)
            except scenarios.ScenarioError as problem:
                raise problem.under("scenarios", number - 1) from problem
            except ValueError as problem:
                words = f"the settings do not fit together: {problem}"
                raise scenarios.ScenarioError(words, ("scenarios", number - 1)) from problem
            except ComputationFailed as problem:
                raise ComputationFailed(f"scenarios[{number - 1}]: {problem}") from problem
            written += [put(folder + name, text.encode()) for name, text in texts(outcome).items()]
    for path in written:
        print(path)
    return DONE


def _sweep(options: argparse.Namespace) -> int:
    if options.processes is not None and options.processes < 1:
        raise scenarios.ScenarioError(f"--processes must be at least 1; got {options.processes}")
    asked = parsed(options.file, read)
    files = own_files(options.data, asked.data.values())
    workers = {"processes": options.processes, "scheduler": options.scheduler}
    done = sweep(asked, options.out, files, progress=Counter("sweep"), **workers)
    print(_counts(done), file=sys.stderr)
    for path in done.files:
        print(path)
    if done.failed:
        return _complain(f"{done.failed:,} of {done.points:,} points have no numbers: {done.why}", FAILED)
    return DONE


def _counts(done: Swept) -> str:
    damaged = f" ({done.damaged:,} of them damaged)" if done.damaged else ""
    return f"sweep: {done.points:,} points, {done.kept:,} from before, {done.computed:,} computed{damaged}"


def _kind(key: str) -> View:
    if key not in scenarios.VIEWS:
        raise scenarios.ScenarioError(f"there is no kind {key!r}; see: {_PROGRAM} list")
    return scenarios.VIEWS[key]


def _complain(text: str, code: int) -> int:
    print(f"{_PROGRAM}: error: {' '.join(text.split())}", file=sys.stderr)
    return code
