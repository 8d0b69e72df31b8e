"""Running a sweep: what is kept is read, the rest computed and kept, then one table made of all."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dpot_app.batch.scenarios import ScenarioError, not_here
from dpot_app.batch.scenarios.folders import NOT_RELEASED, NUMBERS, PROMISED
from dpot_app.batch.sweeps.document import Sweep
from dpot_app.batch.sweeps.kept import Kept
from dpot_app.batch.sweeps.point import Record, answer, ask, failed, programs, written
from dpot_app.batch.sweeps.table import Rows, as_parquet, dictionary, is_of_a_sweep
from dpot_app.kit.failures import ComputationFailed
from dpot_app.kit.workers.opening import check_address, workers_for
from dpot_app.kit.workers.worker import Gone, imap_unordered
from dpot_core.arguments.progress import Progress, unwatched
from dpot_core.datasets import DatasetMissing
from dpot_core.datasets.writing import checked, extended, is_real, write

#: The promises have the same names as those of `dpot run`; of another sweep there may be the other.
TABLE, WORDS, POINTS, PROMISES = "results.parquet", "columns.csv", "points", (PROMISED, NOT_RELEASED)


@dataclass(frozen=True)
class Swept:
    """The outcome of a sweep."""

    points: int
    kept: int  # were there before
    computed: int
    damaged: int  # were there before and could not be used: computed again
    failed: int  # have no numbers
    why: str  # the first of them has none; "" if all have some
    files: tuple[Path, ...]  # what was written: the table, what its columns are, and what is promised of it


def sweep(
    asked: Sweep,
    folder: Path,
    files: Mapping[str, bytes] | None = None,
    *,
    processes: int | None = None,
    scheduler: str = "",
    progress: Progress = unwatched,
) -> Swept:
    """Compute a view at every point, and write ``results.parquet``, what its columns are, and what is promised.

    Each result is kept in ``folder/points`` under a digest of the programs, the view, its settings and data, as soon as
    it is there: a sweep that was ended goes on, one with more values computes those only.

    Args:
        asked: what to compute.
        folder: where to write, beside what else is there; links are not followed.
        files: contents of people's own files by their tag; on a cluster they are sent to its workers.
        processes: of this machine; one a core without it.
        scheduler: address of a Dask cluster's scheduler, which computes instead.
        progress: called with (points done, in all).

    Raises:
        ScenarioError: if no point can be computed for a reason that stands in the file, its data are not there, or
            no cluster answers.
        RefusedError: before anything is computed, if the folder is a link or a file, or has files of our names in it
            that are no sweep's.
        ComputationFailed: if the cluster is gone, or has other programs.
    """
    if scheduler:
        check_address(scheduler)
    given = dict(files or {})
    for role, tag in asked.data.items():
        if tag not in given:
            raise ScenarioError(not_here(tag), ("data", role))
    checked(folder, foreign)
    points, problems = _points(asked)
    extended(folder)
    kept = Kept(folder / POINTS)
    left = [place for place, text in points.items() if kept.read(text) is None]
    damaged, have = kept.damaged, len(points) - len(left)
    done = have + len(problems)
    progress(done, asked.points)
    texts = [points[place] for place in left]
    try:
        with workers_for(texts, (given,), processes, scheduler) as (workers, shared):
            for number, found in imap_unordered(answer, texts, workers, shared):
                place = left[number]
                record = failed(found) if isinstance(found, Exception) else json.loads(found)
                if (there := record.get("programs", programs())) != programs():
                    raise ComputationFailed(f"a worker computes with {there}; here are {programs()}: install the same")
                if isinstance(found, str) and record.get("lasting", True):
                    kept.write(points[place], written(record))
                else:
                    problems[place] = record
                done += 1
                progress(done, asked.points)
    except Gone as problem:
        words = f"the scheduler at {scheduler} is gone, or has dropped the work: start again to go on"
        raise ComputationFailed(words) from problem
    return Swept(asked.points, have, len(left), damaged, *_write(asked, folder, kept, points, problems))


def _points(asked: Sweep) -> tuple[dict[int, str], dict[int, Record]]:
    """Every point that can be asked for, and why the others cannot, by place."""
    points: dict[int, str] = {}
    problems: dict[int, Record] = {}
    first, unread = None, {*asked.data}
    for place, config in enumerate(asked.configs()):
        try:
            asked.view.check(config)
            points[place] = ask(asked.view, config, asked.data)
        except (ScenarioError, DatasetMissing) as problem:
            first = first or problem
            problems[place] = failed(problem)
        unread -= asked.view.files(config).keys()
    for role in unread:
        raise ScenarioError("these settings read no such file", ("data", role))
    if not points:
        raise ScenarioError(f"no point can be computed; the first one: {first}") from first
    return points, problems


def _write(
    asked: Sweep, folder: Path, kept: Kept, points: Mapping[int, str], problems: Mapping[int, Record]
) -> tuple[int, str, tuple[Path, ...]]:
    """Put the table and what is promised of it into the folder; how many rows have no numbers, why, and the files."""
    rows = Rows(asked)
    for place, config in enumerate(asked.configs()):
        record = problems.get(place) or kept.read(points[place])
        if record is None:
            raise OSError(f"a result in {folder / POINTS} was damaged since it was written: start again")
        rows.add(config, record)
    said = PROMISED if rows.released else NOT_RELEASED
    table = rows.table()
    contents = {
        TABLE: as_parquet(table),
        WORDS: dictionary(table).encode(),
        said: ("\n".join(rows.sentences()) + "\n").encode(),
    }
    files = write(folder, contents, without=PROMISES)  # no old promise beside new rows, whatever happens
    return len(rows.errors), next(iter(rows.errors), ""), tuple(files)


def foreign(folder: Path) -> Path | None:
    """The first thing in a folder that has the name of something of ours, or stands for another kind of result."""
    names = (TABLE, WORDS, POINTS, *PROMISES)
    there = {name: folder / name for name in names if os.path.lexists(folder / name)}
    for name, path in there.items():
        if not is_real(path) or path.is_dir() != (name == POINTS) or (name == TABLE and not is_of_a_sweep(path)):
            return path
    if os.path.lexists(folder / NUMBERS):
        return folder / NUMBERS  # of a run, whose promise has the name of a sweep's
    return None if TABLE in there else next((there[name] for name in (WORDS, *PROMISES) if name in there), None)
