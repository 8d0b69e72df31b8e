"""The commands ``dpot release scenario.yaml --data customers.csv --out released.csv`` and ``dpot ledger``."""

import argparse
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpot_app.batch import scenarios
from dpot_app.batch.exports import csv_safe
from dpot_app.batch.release.central import one_barycenter, one_transport
from dpot_app.batch.release.choice import epsilon_for_all
from dpot_app.batch.release.films import one_film_each
from dpot_app.batch.release.ledger import EVERYONE, Cost, Ledger
from dpot_app.batch.release.places import one_place_each
from dpot_app.batch.release.prepared import Prepared
from dpot_app.batch.reports.versions import own_version
from dpot_app.batch.scenarios.given import changed, own_content, own_data, own_files, parsed, settable
from dpot_app.batch.tags import MEANING, tag_of, tagged
from dpot_app.cities.loading import ZONES
from dpot_app.kit.failures import computing
from dpot_core.arguments.progress import Counter
from dpot_core.datasets.writing import RefusedError, checked, write
from dpot_core.privacy.numerals import counted
from dpot_core.privacy.wording import in_words

# Not of Everyone, which chooses another mass of the base measure at each epsilon.
_OF_FILMS = "movies.user"
_FROM_FILES: Mapping[str, Callable[..., Prepared]] = {
    **dict.fromkeys(("geolocation.person", "geolocation.crowd"), one_place_each),
    "geolocation.gets": epsilon_for_all,
    "population.map": one_barycenter,
    **dict.fromkeys(("sinkhorn.cost", "sinkhorn.release"), one_transport),
}
_KINDS = (*_FROM_FILES, _OF_FILMS)
_DRY = "A dry run on simulated people: no release, and nothing was charged."


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """``release`` and ``ledger``, and what follows them."""
    words = (
        "release a place or a film of each person in a file, or a barycenter, transport cost or plan of all of them; "
        "or choose an epsilon by their data. All is charged to their ledger"
    )
    parser = commands.add_parser("release", help=words, description=words)
    parser.add_argument(
        "file",
        type=Path,
        help="a scenario of the page Geolocation, Movies, Population or Private transport in YAML; of several, the "
        "chosen one",
    )
    words = "where to write what is released, a new file; what is promised stands beside it, with .json at its end"
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help=words)
    words = (
        "the most that all releases about one person may cost together, in nats; stated once, with the first release"
    )
    parser.add_argument("--total", type=float, metavar="EPSILON", help=words)
    words = "beside --total: the most that the slacks δ of all these releases may sum up to (unless given: 0)"
    parser.add_argument("--delta", type=float, metavar="DELTA", help=words)
    words = (
        "publish people's names from the file beside their releases, in its order; without it neither names nor order "
        "are published"
    )
    parser.add_argument("--names", action="store_true", help=words)
    parser.add_argument("--dry-run", action="store_true", help="show what comes out, on simulated people; read no file")
    words = "ledger that is charged: one for all releases about the same people, who have the same names in every file"
    parser.add_argument("--ledger", type=Path, metavar="FILE", help=f"{words} (unless given: of this user)")
    parser.add_argument("--moved", action="store_true", help="the ledger was moved, and no copy of it is in use")
    own_data(parser)
    settable(parser)
    parser.set_defaults(command=_release)
    words = "list what was released, when, and what it cost"
    parser = commands.add_parser("ledger", help=words, description=words)
    parser.add_argument("--ledger", type=Path, metavar="FILE", help="of this user unless given")
    parser.set_defaults(command=_ledger)


def _release(options: argparse.Namespace) -> int:
    if options.out.suffix.lower() != ".csv":
        raise scenarios.ScenarioError(f"--out {options.out}: must end in .csv")
    total = _total(options)
    _writable(options.out)
    scenario = _asked(options)
    prepared, known = _prepared(options, scenario)
    if options.names and not prepared.people:
        raise scenarios.ScenarioError("--names: what is released here is about everyone in the file, and names no one")
    if options.dry_run:
        table = prepared.drawn(options.names).assign(simulated=True)
        _write(options.out, prepared, table, options.names, {"dry run": _DRY})
        print(_DRY)
        print(options.out)
        return 0
    people = [tagged(name, "person") for name in prepared.charged] or [EVERYONE]
    cost = Cost.of(prepared.promise.epsilon, prepared.promise.delta)
    ledger = _ledger_of(options)
    where = options.out.resolve()
    number, total = ledger.charge(people, cost, total, prepared.what, where, moved=options.moved)
    with computing(scenario.config, scenario.view.example):
        table = prepared.drawn(options.names, Counter("release"))
    facts = {"data": known, "tags": MEANING, "release": number, "total of each person": str(total)}
    ledger.done(number, _write(options.out, prepared, table, options.names, facts))
    paid = f"{cost} for each {prepared.promise.record}; total {total}; ledger: {ledger.file}"
    print(f"{counted(max(len(prepared.people), 1), *prepared.thing)}, {paid}")
    print(options.out)
    return 0


def _total(options: argparse.Namespace) -> Cost | None:
    if options.total is None:
        if options.delta is not None:
            raise scenarios.ScenarioError("--delta: is part of the total, and stands beside --total")
        return None
    if not 0 < options.total < float("inf"):
        raise scenarios.ScenarioError(f"--total {options.total:g}: must be more than 0, and finite")
    if not 0 <= (delta := options.delta or 0.0) < 1:
        raise scenarios.ScenarioError(f"--delta {delta:g}: must be at least 0, and less than 1")
    return Cost.of(options.total, delta)


def _ledger_of(options: argparse.Namespace) -> Ledger:
    return Ledger.usual() if options.ledger is None else Ledger(options.ledger)


def _ledger(options: argparse.Namespace) -> int:
    ledger = _ledger_of(options)
    if ledger.file.exists():
        for row in ledger.rows():
            cost = Cost(Fraction(row["epsilon"]), Fraction(row["delta"]))
            state = row["done"] or "interrupted; it counts"
            print(row["number"], row["began"], row["what"], row["people"], str(cost), state, row["file"], sep="\t")
    return 0


def _asked(options: argparse.Namespace) -> scenarios.Scenario:
    asked = changed(parsed(options.file, scenarios.read), options.changes)
    chosen = [one for one in asked if one.chosen is not None] or asked
    if len(chosen) > 1:
        raise scenarios.ScenarioError(f"{options.file}: a release is of one scenario; choose one of {len(chosen)}")
    if chosen[0].kind not in _KINDS:
        words = f"{options.file}: a release is made of {' or '.join(_KINDS)}; this is {chosen[0].kind}"
        raise scenarios.ScenarioError(words)
    return chosen[0]


def _prepared(options: argparse.Namespace, scenario: scenarios.Scenario) -> tuple[Prepared, Mapping[str, str]]:
    """The release, and the tags of the files that it is made of, by role."""
    make = _films if scenario.kind == _OF_FILMS else _from_files
    try:
        with computing(scenario.config, scenario.view.example):
            return make(options, scenario)
    except (ValueError, ImportError) as problem:  # also `ScenarioError`, which says where, and no OpenDP
        raise scenarios.ScenarioError(f"{options.file}: {problem}") from problem


def _from_files(options: argparse.Namespace, scenario: scenarios.Scenario) -> tuple[Prepared, Mapping[str, str]]:
    known = {role: tag for role, tag in scenario.data if role in scenario.view.files(scenario.config)}
    if options.dry_run:  # zones are public; people's files are not read
        known = {role: tag for role, tag in known.items() if role == ZONES}
    files = own_files(options.data, list(known.values()))
    if absent := [tag for tag in known.values() if tag not in files]:
        raise scenarios.ScenarioError(f"--data: {scenarios.not_here(absent[0])}")
    by_role = {role: files[tag] for role, tag in known.items()}
    return _FROM_FILES[scenario.kind](scenario, by_role, dry=options.dry_run), known


def _films(options: argparse.Namespace, scenario: scenarios.Scenario) -> tuple[Prepared, Mapping[str, str]]:
    """The scenario names the catalogue; those who release are in a file that it does not know."""
    if options.dry_run:
        own_files(options.data, ())  # none is read
        return one_film_each(scenario, None), {}
    if len(options.data) != 1:
        raise scenarios.ScenarioError("--data: must be one file, the ratings of those who release")
    content = own_content(options.data[0])
    return one_film_each(scenario, content), {"ratings": tag_of(content)}


def _write(out: Path, made: Prepared, table: Any, names: bool, facts: Mapping[str, Any]) -> str:
    """The promise first, then what is released; the SHA-256 of that."""
    content = csv_safe(table).encode()
    digest = hashlib.sha256(content).hexdigest()
    promise = made.promise
    if names:
        promise = replace(promise, public=(*promise.public, "the names of people"))
    said = {
        "what": made.what,
        "promise": in_words(promise),
        "epsilon": promise.epsilon,
        "delta": promise.delta,
        "neighbours": promise.neighbours,
        "public": promise.public,
        "settings": asdict(made.scenario.config),
        "people": len(made.charged) or EVERYONE,
        f"sha256 of the {made.thing[1]}": digest,
        "version": own_version(),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        **facts,
    }
    text = json.dumps(said, ensure_ascii=False, indent=2, default=str) + "\n"
    written = {_beside(out).name: text.encode(), out.name: content}
    write(out.parent, written, once=written)
    return digest


def _beside(out: Path) -> Path:
    return out.with_name(out.name + ".json")


def _writable(out: Path) -> None:
    """Complain where a release could not be written, before it is charged."""
    for path in (out, _beside(out)):
        if os.path.lexists(path):
            raise RefusedError(f"{path}: is there already; what belongs to a release is never replaced")
    if not out.parent.exists():
        raise scenarios.ScenarioError(f"--out {out}: there is no folder {out.parent}")
    checked(out.parent)
